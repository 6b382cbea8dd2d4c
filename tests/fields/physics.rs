everyday! {
    n
    sph_density {
        pub fn kernel(h: f64, mass: f64, positions: &[[f64; 3]], density: &mut [f64]) {
            let h2 = h * h;
            let poly6 = 315.0 / (64.0 * std::f64::consts::PI * h.powi(9));
            for (i, rho) in density.iter_mut().enumerate() {
                let mut sum = 0.0;
                for other in positions {
                    let mut r2 = 0.0;
                    for c in 0..3 {
                        let d = positions[i][c] - other[c];
                        r2 += d * d;
                    }
                    if r2 < h2 {
                        sum += (h2 - r2).powi(3);
                    }
                }
                *rho = mass * poly6 * sum;
            }
        }
    } with {
        let m = order(n);
        let positions: Vec<[f64; 3]> = numbers(m, 1);
        let mut density: Vec<f64> = numbers(m, 2);
    } (0.6, 1.5, &positions, &mut density) => (density)
    leapfrog {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Planet {
            pub mass: f64,
            pub position: [f64; 2],
            pub velocity: [f64; 2],
        }
        pub fn kernel(dt: f64, planets: &mut [Planet]) {
            const GM: f64 = 39.47841760435743;
            for p in planets.iter_mut() {
                let [x, y] = p.position;
                let r2 = x * x + y * y + 1e-6;
                let k = -GM / (r2 * r2.sqrt());
                p.velocity[0] += dt * k * x;
                p.velocity[1] += dt * k * y;
                p.position[0] += dt * p.velocity[0];
                p.position[1] += dt * p.velocity[1];
            }
        }
    } with {
        let c: Vec<[f64; 5]> = numbers(n, 1);
        let mut planets: Vec<Planet> = c.iter().map(|c| Planet { mass: c[0], position: [2.0 + c[1], c[2]], velocity: [c[3], c[4]] }).collect();
    } (0.001, &mut planets) => (planets)
    lattice_boltzmann_collide {
        const W: [f64; 9] = [4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0];
        const CX: [f64; 9] = [0.0, 1.0, 0.0, -1.0, 0.0, 1.0, -1.0, -1.0, 1.0];
        const CY: [f64; 9] = [0.0, 0.0, 1.0, 0.0, -1.0, 1.0, 1.0, -1.0, -1.0];
        pub fn kernel(omega: f64, f: &mut [[f64; 9]]) {
            for cell in f {
                let rho: f64 = cell.iter().sum();
                let mut ux = 0.0;
                let mut uy = 0.0;
                for q in 0..9 {
                    ux += CX[q] * cell[q];
                    uy += CY[q] * cell[q];
                }
                ux /= rho;
                uy /= rho;
                let u2 = ux * ux + uy * uy;
                for q in 0..9 {
                    let cu = CX[q] * ux + CY[q] * uy;
                    let equilibrium = W[q] * rho * (1.0 + 3.0 * cu + 4.5 * cu * cu - 1.5 * u2);
                    cell[q] += omega * (equilibrium - cell[q]);
                }
            }
        }
    } with {
        let mut f: Vec<[f64; 9]> = numbers::<[f64; 9]>(n, 1).iter().map(|c| c.map(|v| 1.5 + v)).collect();
    } (1.2, &mut f) => (f)
    lattice_boltzmann_stream {
        pub fn kernel(nx: usize, ny: usize, f: &[[f64; 9]], g: &mut [[f64; 9]]) {
            const C: [(isize, isize); 9] = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];
            for y in 1..ny - 1 {
                for x in 1..nx - 1 {
                    for (q, &(cx, cy)) in C.iter().enumerate() {
                        let from = (y as isize - cy) as usize * nx + (x as isize - cx) as usize;
                        g[y * nx + x][q] = f[from][q];
                    }
                }
            }
        }
    } with {
        let m = order(n).max(2);
        let f: Vec<[f64; 9]> = numbers(m * m, 1);
        let mut g: Vec<[f64; 9]> = numbers(m * m, 2);
    } (m, m, &f, &mut g) => (g)
    ising_energy {
        pub fn kernel(side: usize, spins: &[i8]) -> i32 {
            let mut energy = 0;
            for y in 0..side {
                for x in 0..side {
                    let s = spins[y * side + x];
                    let right = spins[y * side + (x + 1) % side];
                    let below = spins[(y + 1) % side * side + x];
                    energy -= i32::from(s) * (i32::from(right) + i32::from(below));
                }
            }
            energy
        }
    } with {
        let m = order(n);
        let spins: Vec<i8> = (0..m * m).map(|k| if k * k % 7 < 3 { 1 } else { -1 }).collect();
    } (m, &spins) => ()
    ising_checkerboard {
        pub fn kernel(beta: f64, side: usize, uniform: &[f64], spins: &mut [i8]) {
            for y in 1..side - 1 {
                let first = 1 + y % 2;
                for x in (first..side - 1).step_by(2) {
                    let at = y * side + x;
                    let field = spins[at - 1] + spins[at + 1] + spins[at - side] + spins[at + side];
                    let delta = 2.0 * f64::from(spins[at]) * f64::from(field);
                    if delta <= 0.0 || uniform[at] < (-beta * delta).exp() {
                        spins[at] = -spins[at];
                    }
                }
            }
        }
    } with {
        let m = order(n).max(2);
        let uniform: Vec<f64> = numbers(m * m, 1).iter().map(|u: &f64| 0.5 + 0.5 * u).collect();
        let mut spins: Vec<i8> = (0..m * m).map(|k| if k * k % 7 < 3 { 1 } else { -1 }).collect();
    } (0.4, m, &uniform, &mut spins) => (spins)
    yee_step {
        use ndarray::{ArrayView2, ArrayViewMut2};
        pub fn kernel(c: f64, ez: ArrayView2<f64>, mut hx: ArrayViewMut2<f64>, mut hy: ArrayViewMut2<f64>) {
            let (nx, ny) = ez.dim();
            for i in 0..nx.saturating_sub(1) {
                for j in 0..ny.saturating_sub(1) {
                    hx[[i, j]] -= c * (ez[[i, j + 1]] - ez[[i, j]]);
                    hy[[i, j]] += c * (ez[[i + 1, j]] - ez[[i, j]]);
                }
            }
        }
    } with {
        let m = order(n);
        let ez = Array2::from_shape_vec((m, m), numbers(m * m, 1)).unwrap();
        let mut hx = Array2::from_shape_vec((m, m), numbers(m * m, 2)).unwrap();
        let mut hy = Array2::from_shape_vec((m, m), numbers(m * m, 3)).unwrap();
    } (0.5, ez.view(), hx.view_mut(), hy.view_mut()) => (hx, hy)
    burgers {
        pub fn kernel(dt_dx: f64, u: &[f64], next: &mut [f64]) {
            let n = u.len();
            if n < 3 || next.len() != n {
                return;
            }
            let flux = |a: f64, b: f64| {
                let speed = a.abs().max(b.abs());
                0.25 * (a * a + b * b) - 0.5 * speed * (b - a)
            };
            next[0] = u[0];
            next[n - 1] = u[n - 1];
            for i in 1..n - 1 {
                next[i] = u[i] - dt_dx * (flux(u[i], u[i + 1]) - flux(u[i - 1], u[i]));
            }
        }
    } with {
        let u: Vec<f64> = numbers(n, 1);
        let mut next: Vec<f64> = numbers(n, 2);
    } (0.3, &u, &mut next) => (next)
    shallow_water {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Cell {
            pub h: f32,
            pub hu: f32,
        }
        pub fn kernel(cells: &[Cell], rate: &mut [Cell]) {
            const G: f32 = 9.81;
            for i in 1..cells.len().saturating_sub(1) {
                let (l, r) = (cells[i - 1], cells[i + 1]);
                let momentum = |c: Cell| c.hu * c.hu / c.h + 0.5 * G * c.h * c.h;
                rate[i].h = -0.5 * (r.hu - l.hu);
                rate[i].hu = -0.5 * (momentum(r) - momentum(l));
            }
        }
    } with {
        let c: Vec<[f32; 2]> = numbers(n, 1);
        let cells: Vec<Cell> = c.iter().map(|c| Cell { h: 2.0 + c[0], hu: c[1] }).collect();
        let mut rate = vec![Cell::default(); n];
    } (&cells, &mut rate) => (rate)
    morse_forces {
        pub fn kernel(x: &[f64], force: &mut [f64]) {
            let (depth, width, rest) = (1.5, 2.0, 0.9);
            for i in 0..x.len() {
                let mut f = 0.0;
                if i > 0 {
                    let e = (-width * (x[i] - x[i - 1] - rest)).exp();
                    f += 2.0 * depth * width * e * (1.0 - e);
                }
                if i + 1 < x.len() {
                    let e = (-width * (x[i + 1] - x[i] - rest)).exp();
                    f -= 2.0 * depth * width * e * (1.0 - e);
                }
                force[i] = f;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1).iter().enumerate().map(|(i, v): (usize, &f64)| i as f64 + 0.1 * v).collect();
        let mut force: Vec<f64> = numbers(n, 2);
    } (&x, &mut force) => (force)
    heat_3d {
        pub fn kernel(n: usize, k: f32, t: &[f32], next: &mut [f32]) {
            let at = |x: usize, y: usize, z: usize| (z * n + y) * n + x;
            for z in 0..n {
                for y in 0..n {
                    for x in 0..n {
                        let c = t[at(x, y, z)];
                        let xm = if x == 0 { c } else { t[at(x - 1, y, z)] };
                        let xp = if x == n - 1 { c } else { t[at(x + 1, y, z)] };
                        let ym = if y == 0 { c } else { t[at(x, y - 1, z)] };
                        let yp = if y == n - 1 { c } else { t[at(x, y + 1, z)] };
                        let zm = if z == 0 { c } else { t[at(x, y, z - 1)] };
                        let zp = if z == n - 1 { c } else { t[at(x, y, z + 1)] };
                        next[at(x, y, z)] = c + k * (xm + xp + ym + yp + zm + zp - 6.0 * c);
                    }
                }
            }
        }
    } with {
        let m = (n as f64).cbrt() as usize;
        let t: Vec<f32> = numbers(m * m * m, 1);
        let mut next: Vec<f32> = numbers(m * m * m, 2);
    } (m, 0.1, &t, &mut next) => (next)
    kinetic_and_momentum {
        pub fn kernel(mass: &[f64], velocity: &[[f64; 3]]) -> (f64, [f64; 3]) {
            let mut energy = 0.0;
            let mut momentum = [0.0; 3];
            for (m, v) in mass.iter().zip(velocity) {
                energy += 0.5 * m * v.iter().map(|c| c * c).sum::<f64>();
                for (p, c) in momentum.iter_mut().zip(v) {
                    *p += m * c;
                }
            }
            (energy, momentum)
        }
    } with {
        let mass: Vec<f64> = numbers(n, 1);
        let velocity: Vec<[f64; 3]> = numbers(n, 2);
    } (&mass, &velocity) => ()
    charge_deposit {
        pub fn kernel(dx: f64, x: &[f64], q: &[f64], rho: &mut [f64]) {
            for (x, q) in x.iter().zip(q) {
                let s = x / dx;
                let i = s as usize;
                let w = s - i as f64;
                rho[i] += q * (1.0 - w);
                rho[i + 1] += q * w;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1).iter().map(|x: &f64| (0.5 + 0.49 * x) * 64.0).collect();
        let q: Vec<f64> = numbers(n, 2);
        let mut rho: Vec<f64> = vec![0.0; 70];
    } (1.0, &x, &q, &mut rho) => (rho)
    boris_push {
        pub fn kernel(dt: f64, e: [f64; 3], b: [f64; 3], v: &mut [[f64; 3]]) {
            fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
                [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
            }
            let t = b.map(|c| 0.5 * dt * c);
            let t2 = t[0] * t[0] + t[1] * t[1] + t[2] * t[2];
            let s = t.map(|c| 2.0 * c / (1.0 + t2));
            for v in v.iter_mut() {
                let minus = [v[0] + 0.5 * dt * e[0], v[1] + 0.5 * dt * e[1], v[2] + 0.5 * dt * e[2]];
                let c = cross(minus, t);
                let prime = [minus[0] + c[0], minus[1] + c[1], minus[2] + c[2]];
                let d = cross(prime, s);
                for k in 0..3 {
                    v[k] = minus[k] + d[k] + 0.5 * dt * e[k];
                }
            }
        }
    } with {
        let mut v: Vec<[f64; 3]> = numbers(n, 1);
    } (0.1, [0.3, 0.1, -0.2], [0.0, 0.5, 1.0], &mut v) => (v)
}
