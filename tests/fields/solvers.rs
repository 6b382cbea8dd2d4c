everyday! {
    n
    jacobi_step {
        use ndarray::{ArrayView2, ArrayView1, ArrayViewMut1};
        pub fn kernel(a: ArrayView2<f64>, b: ArrayView1<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
            let n = b.len();
            for i in 0..n {
                let mut s = b[i];
                for j in 0..n {
                    if j != i {
                        s -= a[[i, j]] * x[j];
                    }
                }
                y[i] = s / a[[i, i]];
            }
        }
    } with {
        let m = order(n);
        let a = Array2::from_shape_vec((m, m), numbers(m * m, 1)).unwrap();
        let b = Array1::from_vec(numbers(m, 2));
        let x = Array1::from_vec(numbers(m, 3));
        let mut y = Array1::from_vec(numbers(m, 4));
    } (a.view(), b.view(), x.view(), y.view_mut()) => (y)
    thomas {
        pub fn kernel(a: &[f64], b: &[f64], c: &[f64], d: &mut [f64]) {
            let n = d.len();
            if n == 0 {
                return;
            }
            let mut scratch = vec![0.0; n];
            scratch[0] = c[0] / b[0];
            d[0] /= b[0];
            for i in 1..n {
                let m = 1.0 / (b[i] - a[i] * scratch[i - 1]);
                scratch[i] = c[i] * m;
                d[i] = (d[i] - a[i] * d[i - 1]) * m;
            }
            for i in (0..n - 1).rev() {
                d[i] -= scratch[i] * d[i + 1];
            }
        }
    } with {
        let a: Vec<f64> = numbers(n, 1);
        let b: Vec<f64> = numbers::<f64>(n, 2).iter().map(|b| 4.0 + b).collect();
        let c: Vec<f64> = numbers(n, 3);
        let mut d: Vec<f64> = numbers(n, 4);
    } (&a, &b, &c, &mut d) => (d)
    conjugate_gradient_update {
        pub fn kernel(alpha: f64, p: &[f64], q: &[f64], x: &mut [f64], r: &mut [f64]) -> f64 {
            let mut rr = 0.0;
            for (((x, r), p), q) in x.iter_mut().zip(r.iter_mut()).zip(p).zip(q) {
                *x += alpha * p;
                *r -= alpha * q;
                rr += *r * *r;
            }
            rr
        }
    } with {
        let p: Vec<f64> = numbers(n, 1);
        let q: Vec<f64> = numbers(n, 2);
        let mut x: Vec<f64> = numbers(n, 3);
        let mut r: Vec<f64> = numbers(n, 4);
    } (0.3, &p, &q, &mut x, &mut r) => (x, r)
    csr_by_struct {
        pub fn kernel(row_ptr: &[u32], entries: &[(u32, f64)], x: &[f64], y: &mut [f64]) {
            for (y, range) in y.iter_mut().zip(row_ptr.windows(2)) {
                *y = entries[range[0] as usize..range[1] as usize].iter().map(|&(j, a)| a * x[j as usize]).sum();
            }
        }
    } with {
        let row_ptr: Vec<u32> = (0..=n as u32).map(|i| 3 * i).collect();
        let entries: Vec<(u32, f64)> = (0..3 * n).map(|i| ((i * 7 % n.max(1)) as u32, i as f64 * 0.01)).collect();
        let x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (&row_ptr, &entries, &x, &mut y) => (y)
    coo_to_dense {
        pub fn kernel(n: usize, rows: &[usize], cols: &[usize], values: &[f64], dense: &mut [f64]) {
            dense.fill(0.0);
            for ((&i, &j), &v) in rows.iter().zip(cols).zip(values) {
                dense[i * n + j] += v;
            }
        }
    } with {
        let m = order(n);
        let rows: Vec<usize> = (0..n).map(|i| i * 7 % m).collect();
        let cols: Vec<usize> = (0..n).map(|i| i * 5 % m).collect();
        let values: Vec<f64> = numbers(n, 1);
        let mut dense: Vec<f64> = numbers(m * m, 2);
    } (m, &rows, &cols, &values, &mut dense) => (dense)
    trace {
        use ndarray::{ArrayBase, Data, Ix2};
        pub fn kernel<S>(a: &ArrayBase<S, Ix2>) -> f64
        where
            S: Data<Elem = f64>,
        {
            (0..a.nrows().min(a.ncols())).map(|i| a[[i, i]]).sum()
        }
    } with {
        let m = order(n);
        let a = Array2::from_shape_vec((m, m), numbers(m * m, 1)).unwrap();
    } (&a) => ()
    scale_base {
        use ndarray::{ArrayBase, DataMut, Ix1};
        pub fn kernel<S: DataMut<Elem = f64>>(by: f64, x: &mut ArrayBase<S, Ix1>) {
            for v in x.iter_mut() {
                *v *= by;
            }
        }
    } with {
        let mut x = Array1::from_vec(numbers(n, 1));
    } (1.5, &mut x) => (x)
    transpose_copy {
        pub fn kernel<const N: usize>(a: &[[f64; N]; N], b: &mut [[f64; N]; N]) {
            for (i, row) in a.iter().enumerate() {
                for (j, v) in row.iter().enumerate() {
                    b[j][i] = *v;
                }
            }
        }
    } with {
        let a: [[f64; 5]; 5] = numbers::<[[f64; 5]; 5]>(1, 1)[0];
        let mut b: [[f64; 5]; 5] = numbers::<[[f64; 5]; 5]>(1, 2)[0];
    } (&a, &mut b) => (b)
    symmetric {
        pub fn kernel(n: usize, a: &[f64]) -> bool {
            (0..n).all(|i| (0..i).all(|j| (a[i * n + j] - a[j * n + i]).abs() < 1e-12))
        }
    } with {
        let m = order(n);
        let a: Vec<f64> = (0..m * m).map(|k| ((k / m) * (k % m)) as f64).collect();
    } (m, &a) => ()
    runge_kutta {
        pub fn kernel(dt: f64, states: &mut [[f64; 2]]) {
            let f = |[x, v]: [f64; 2]| [v, -x - 0.1 * v];
            let add = |a: [f64; 2], s: f64, b: [f64; 2]| [a[0] + s * b[0], a[1] + s * b[1]];
            for y in states.iter_mut() {
                let k1 = f(*y);
                let k2 = f(add(*y, 0.5 * dt, k1));
                let k3 = f(add(*y, 0.5 * dt, k2));
                let k4 = f(add(*y, dt, k3));
                for c in 0..2 {
                    y[c] += dt / 6.0 * (k1[c] + 2.0 * k2[c] + 2.0 * k3[c] + k4[c]);
                }
            }
        }
    } with {
        let mut states: Vec<[f64; 2]> = numbers(n, 1);
    } (0.1, &mut states) => (states)
    upwind {
        pub fn kernel(c: f64, u: &[f64], next: &mut [f64]) {
            let n = u.len();
            if n < 2 {
                return;
            }
            next[0] = u[0] - c * (u[0] - u[n - 1]);
            for (new, pair) in next[1..].iter_mut().zip(u.windows(2)) {
                *new = pair[1] - c * (pair[1] - pair[0]);
            }
        }
    } with {
        let u: Vec<f64> = numbers(n, 1);
        let mut next: Vec<f64> = numbers(n, 2);
    } (0.4, &u, &mut next) => (next)
    minmod_slopes {
        pub fn kernel(u: &[f64], slope: &mut [f64]) {
            for (s, w) in slope.iter_mut().skip(1).zip(u.windows(3)) {
                let (a, b) = (w[1] - w[0], w[2] - w[1]);
                *s = if a * b <= 0.0 {
                    0.0
                } else if a.abs() < b.abs() {
                    a
                } else {
                    b
                };
            }
        }
    } with {
        let u: Vec<f64> = numbers(n, 1);
        let mut slope: Vec<f64> = numbers(n, 2);
    } (&u, &mut slope) => (slope)
    euler_flux {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct State {
            pub rho: f64,
            pub momentum: f64,
            pub energy: f64,
        }
        impl State {
            const GAMMA: f64 = 1.4;
            fn pressure(&self) -> f64 {
                (Self::GAMMA - 1.0) * (self.energy - 0.5 * self.momentum * self.momentum / self.rho)
            }
        }
        pub fn kernel(states: &[State], flux: &mut [State]) {
            for (f, s) in flux.iter_mut().zip(states.iter()) {
                let u = s.momentum / s.rho;
                let p = s.pressure();
                *f = State { rho: s.momentum, momentum: s.momentum * u + p, energy: u * (s.energy + p) };
            }
        }
    } with {
        let c: Vec<[f64; 3]> = numbers(n, 1);
        let states: Vec<State> = c.iter().map(|c| State { rho: 2.0 + c[0], momentum: c[1], energy: 3.0 + c[2] }).collect();
        let mut flux = vec![State::default(); n];
    } (&states, &mut flux) => (flux)
    newton_roots {
        pub fn kernel(x: &[f64], root: &mut [f64]) {
            for (r, &x) in root.iter_mut().zip(x) {
                let mut y = 1.0_f64;
                for _ in 0..5 {
                    y -= (y * y - x.abs() - 1.0) / (2.0 * y);
                }
                *r = y;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut root: Vec<f64> = numbers(n, 2);
    } (&x, &mut root) => (root)
    generic_dot {
        use loopwright::Real;
        pub fn kernel<T: Real>(x: &[T], y: &[T]) -> T {
            x.iter().zip(y).fold(T::zero(), |s, (&a, &b)| s + a * b)
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let y: Vec<f32> = numbers(n, 2);
    } (&x, &y) => ()
    chunked_sums {
        pub fn kernel(x: &[f64], sums: &mut [f64]) {
            for (s, chunk) in sums.iter_mut().zip(x.chunks(6)) {
                *s = chunk.iter().sum();
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut sums: Vec<f64> = numbers(n, 2);
    } (&x, &mut sums) => (sums)
    swap_halves {
        pub fn kernel(x: &mut [f64]) {
            let (low, high) = x.split_at_mut(x.len() / 2);
            for (a, b) in low.iter_mut().zip(high) {
                std::mem::swap(a, b);
            }
        }
    } with {
        let mut x: Vec<f64> = numbers(n, 1);
    } (&mut x) => (x)
    reverse_in_place {
        pub fn kernel(x: &mut [f32]) {
            let n = x.len();
            for i in 0..n / 2 {
                x.swap(i, n - 1 - i);
            }
        }
    } with {
        let mut x: Vec<f32> = numbers(n, 1);
    } (&mut x) => (x)
    wave_state {
        pub struct State { pub t: f64, pub u: Vec<f64>, pub v: Vec<f64> }
        pub struct Config { pub c: f64, pub dt: f64, pub dx: f64, pub damping: f64, pub on: bool }

        pub fn kernel(state: &mut State, cfg: &Config, end: f64) -> usize {
            let n = state.u.len();
            let r = cfg.c * cfg.c / (cfg.dx * cfg.dx);
            let mut steps = 0;
            while state.t < end {
                for i in 1..n.saturating_sub(1) {
                    let lap = state.u[i - 1] - 2.0 * state.u[i] + state.u[i + 1];
                    state.v[i] += if cfg.on { cfg.dt * (r * lap - cfg.damping * state.v[i]) } else { lap };
                }
                for i in 1..n.saturating_sub(1) {
                    state.u[i] += cfg.dt * state.v[i];
                }
                state.t += cfg.dt;
                steps += 1;
            }
            steps
        }
    } with {
        let mut state = State { t: 0.0, u: numbers(n, 1), v: numbers(n, 2) };
        let cfg = Config { c: 1.0, dt: 0.1, dx: 1.0, damping: 0.01, on: true };
    } (&mut state, &cfg, 0.95) => (state)
    jacobi_views {
        use ndarray::{ArrayView2, ArrayViewMut2};

        pub fn kernel(b: ArrayView2<f64>, mut u: ArrayViewMut2<f64>, mut v: ArrayViewMut2<f64>, tol: f64) -> usize {
            let (n, m) = u.dim();
            let mut steps = 0;
            loop {
                let mut change = 0.0f64;
                for i in 1..n - 1 {
                    for j in 1..m - 1 {
                        v[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] - b[[i, j]]);
                        change = change.max((v[[i, j]] - u[[i, j]]).abs());
                    }
                }
                for i in 1..n - 1 {
                    for j in 1..m - 1 {
                        u[[i, j]] = v[[i, j]];
                    }
                }
                steps += 1;
                if change < tol || steps > 5 {
                    return steps;
                }
            }
        }
    } with {
        let m = order(n) + 2;
        let b = Array2::from_shape_vec((m, m), numbers(m * m, 1)).unwrap();
        let mut u = Array2::from_shape_vec((m, m), numbers(m * m, 2)).unwrap();
        let mut v = Array2::from_shape_vec((m, m), numbers(m * m, 3)).unwrap();
    } (b.view(), u.view_mut(), v.view_mut(), 1e-9) => (u, v)
    rk2_closure {
        pub fn kernel(y: &mut [f64], k: f64, dt: f64, end: f64) -> f64 {
            let n = y.len();
            let (mut k1, mut k2, mut t) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
            let f = |y: &[f64], dy: &mut [f64]| {
                for i in 1..n - 1 {
                    dy[i] = k * (y[i - 1] - 2.0 * y[i] + y[i + 1]);
                }
            };
            let mut time = 0.0;
            while time < end {
                f(y, &mut k1);
                for i in 0..n {
                    t[i] = y[i] + 0.5 * dt * k1[i];
                }
                f(&t, &mut k2);
                for i in 0..n {
                    y[i] += dt * k2[i];
                }
                time += dt;
            }
            time
        }
    } with {
        let mut y: Vec<f64> = numbers(n + 1, 1);
    } (&mut y, 0.3, 0.1, 0.35) => (y)
    normalised {
        pub fn kernel(x: &[f64], y: &mut [f64]) -> f64 {
            y.copy_from_slice(x);
            let norm = normalise(y);
            scale(y, 3.0);
            norm
        }

        fn normalise(y: &mut [f64]) -> f64 {
            let norm = y.iter().map(|v| v * v).sum::<f64>().sqrt();
            scale(y, 1.0 / (norm + 1.0));
            norm
        }

        fn scale(y: &mut [f64], s: f64) {
            for v in y.iter_mut() {
                *v *= s;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (&x, &mut y) => (y)
}
