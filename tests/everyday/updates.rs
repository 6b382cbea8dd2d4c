everyday! {
    n
    downsample {
        pub fn kernel(x: &[f32], y: &mut [f32]) {
            for (y, x) in y.iter_mut().zip(x.iter().step_by(4)) {
                *y = 0.5 * x;
            }
        }
    } with {
        let x: Vec<f32> = numbers(4 * n, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (&x, &mut y) => (y)
    centred {
        use ndarray::Array2;
        pub fn kernel(a: &mut Array2<f64>) {
            let (n, m) = a.dim();
            for j in 0..m {
                let mut mean = 0.0;
                for i in 0..n {
                    mean += a[(i, j)];
                }
                mean /= n as f64;
                for i in 0..n {
                    a[(i, j)] -= mean;
                }
            }
        }
    } with {
        let mut a = Array2::from_shape_vec((n, 5), numbers(5 * n, 1)).unwrap();
    } (&mut a) => (a)
    counting_while {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            let n = x.len().min(y.len());
            let mut i = 0;
            while i < n {
                y[i] = 2.0 * x[i] + 1.0;
                i += 1;
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (&x, &mut y) => (y)
    shadowed {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            for (y, &x) in y.iter_mut().zip(x) {
                let x = x + 1.0;
                let x = x * x;
                let mut s = x - 0.5;
                s *= x;
                let s = s.max(0.0);
                *y = s;
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (&x, &mut y) => (y)
    nested_closures {
        pub fn kernel(a: f64, x: &[f64], y: &mut [f64]) {
            let f = |t: f64| a * t * (1.0 - t);
            let twice = |t: f64| f(f(t));
            for (y, x) in y.iter_mut().zip(x) {
                *y = twice(*x);
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (0.9, &x, &mut y) => (y)
    smoothstep {
        pub fn kernel(low: f32, high: f32, x: &[f32], y: &mut [f32]) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = smooth(((x - low) / (high - low)).clamp(0.0, 1.0));
            }
        }
        /// The cubic that is 0 at 0 and 1 at 1.
        #[inline]
        #[must_use]
        fn smooth(t: f32) -> f32 {
            t * t * (3.0 - 2.0 * t)
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (-0.5, 0.5, &x, &mut y) => (y)
    generic_axpy {
        use loopwright::Real;
        pub fn kernel<T>(a: T, x: &[T], y: &mut [T])
        where
            T: Real,
        {
            for (y, &x) in y.iter_mut().zip(x) {
                *y += a * x;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (0.5, &x, &mut y) => (y)
    reversed_copy {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            for (y, x) in y.iter_mut().zip(x.iter().rev()) {
                *y = *x;
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (&x, &mut y) => (y)
    matrix_add_rows {
        use ndarray::{Array1, Array2};
        pub fn kernel(bias: &Array1<f64>, a: &mut Array2<f64>) {
            for mut row in a.rows_mut() {
                for (v, b) in row.iter_mut().zip(bias) {
                    *v += b;
                }
            }
        }
    } with {
        let bias = Array1::from_vec(numbers(7, 1));
        let mut a = Array2::from_shape_vec((n, 7), numbers(7 * n, 2)).unwrap();
    } (&bias, &mut a) => (a)
    verlet {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct State {
            pub x: [f64; 3],
            pub v: [f64; 3],
            pub a: [f64; 3],
        }
        pub fn kernel(dt: f64, k: f64, states: &mut [State]) {
            for s in states {
                for c in 0..3 {
                    s.v[c] += 0.5 * dt * s.a[c];
                    s.x[c] += dt * s.v[c];
                    s.a[c] = -k * s.x[c];
                    s.v[c] += 0.5 * dt * s.a[c];
                }
            }
        }
    } with {
        let s: Vec<[[f64; 3]; 3]> = numbers(n, 1);
        let mut states: Vec<State> = s.iter().map(|&[x, v, a]| State { x, v, a }).collect();
    } (0.1, 0.4, &mut states) => (states)
    hue_rotate {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Colour {
            pub r: f32,
            pub g: f32,
            pub b: f32,
        }
        pub fn kernel(m: &[[f32; 3]; 3], pixels: &mut [Colour]) {
            for p in pixels.iter_mut() {
                let Colour { r, g, b } = *p;
                *p = Colour {
                    r: m[0][0] * r + m[0][1] * g + m[0][2] * b,
                    g: m[1][0] * r + m[1][1] * g + m[1][2] * b,
                    b: m[2][0] * r + m[2][1] * g + m[2][2] * b,
                };
            }
        }
    } with {
        let m: Vec<[f32; 3]> = numbers(3, 1);
        let m = [m[0], m[1], m[2]];
        let p: Vec<[f32; 3]> = numbers(n, 2);
        let mut pixels: Vec<Colour> = p.iter().map(|&[r, g, b]| Colour { r, g, b }).collect();
    } (&m, &mut pixels) => (pixels)
    unzipped {
        pub fn kernel(x: &[f64], even: &mut [f64], odd: &mut [f64]) {
            for (i, pair) in x.chunks_exact(2).enumerate() {
                even[i] = pair[0];
                odd[i] = pair[1];
            }
        }
    } with {
        let x = numbers(2 * n, 1);
        let mut even = numbers(n, 2);
        let mut odd = numbers(n, 3);
    } (&x, &mut even, &mut odd) => (even, odd)
    interleaved {
        pub fn kernel(a: &[f32], b: &[f32], out: &mut [f32]) {
            for ((o, a), b) in out.chunks_exact_mut(2).zip(a).zip(b) {
                o[0] = *a;
                o[1] = *b;
            }
        }
    } with {
        let a = numbers(n, 1);
        let b = numbers(n, 2);
        let mut out = numbers(2 * n, 3);
    } (&a, &b, &mut out) => (out)
    polynomial_fold {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            const C: [f64; 6] = [1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125];
            for (y, &x) in y.iter_mut().zip(x) {
                *y = C.iter().rev().fold(0.0, |s, c| s.mul_add(x, *c));
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (&x, &mut y) => (y)
    trilinear_weights {
        pub fn kernel(p: &[[f64; 3]], w: &mut [[f64; 8]]) {
            for (w, &[x, y, z]) in w.iter_mut().zip(p) {
                for (k, w) in w.iter_mut().enumerate() {
                    let fx = if k & 1 == 0 { 1.0 - x } else { x };
                    let fy = if k & 2 == 0 { 1.0 - y } else { y };
                    let fz = if k & 4 == 0 { 1.0 - z } else { z };
                    *w = fx * fy * fz;
                }
            }
        }
    } with {
        let p: Vec<[f64; 3]> = numbers(n, 1);
        let mut w: Vec<[f64; 8]> = numbers(n, 2);
    } (&p, &mut w) => (w)
    cumulative_max {
        pub fn kernel(x: &mut [f64]) {
            for i in 1..x.len() {
                x[i] = x[i].max(x[i - 1]);
            }
        }
    } with {
        let mut x = numbers(n, 1);
    } (&mut x) => (x)
}
