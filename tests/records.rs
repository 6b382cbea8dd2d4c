//! Structs and complex numbers in all that a text does with them: copies, updates, patterns, methods, operators.

#![allow(missing_docs, dead_code, reason = "kernels of tests")]
#![allow(clippy::all, clippy::pedantic, reason = "texts as people write them")]

use loopwright::{Isa, kernel};
use num_complex::Complex;
/// A number of the module.
pub const SCALE: f32 = 0.5;
kernel! {
    use num_complex::Complex as C;
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct P { pub x: [f64; 2], pub m: f64 }
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Pair { pub a: P, pub b: P }
    impl P {
        const ZERO: f64 = 0.0;
        fn swap_xy(&mut self) { let t = self.x[0]; self.x[0] = self.x[1]; self.x[1] = t; }
        fn scaled(mut self, by: f64) -> P { self.x[0] *= by; self.m += 1.0; self }
        fn sum(&self) -> f64 { self.x.iter().sum::<f64>() + self.m }
        fn make(v: f64) -> P { P { x: [v, 2.0 * v], m: v * v } }
    }
    pub fn updated(ps: &mut [P], out: &mut [f64]) {
        for i in 0..out.len() {
            let old = ps[i];
            let q = ps[i].x;
            ps[i].x[0] = 3.0 * old.m;
            ps[i].swap_xy();
            let mut local = ps[i].scaled(2.0);
            local.x = [local.x[1], q[0]];
            local.m -= old.x[1];
            out[i] = local.sum() + ps[i].x[1] + q[1];
            ps[i] = P { m: 4.0, ..local };
        }
    }
    pub fn taken_apart(pairs: &mut [Pair], w: [P; 2], out: &mut [P]) {
        for (p, o) in pairs.iter_mut().zip(out.iter_mut()) {
            let Pair { a, mut b } = *p;
            b.m = a.m + w[1].x[0];
            p.b = b;
            p.a.x = w[0].x;
            let made = P::make(a.x[0]);
            *o = if a.m > b.m { a } else { made };
            o.x[1] += p.b.sum();
        }
    }
    pub fn helped(n: usize, ps: &[P], t: &mut [P]) -> f64 {
        let mut s = 0.0;
        for k in 0..n {
            let p = &ps[k];
            for (c, v) in p.x.iter().enumerate() {
                s += v * (c as f64 + 1.0) * far(p, &t[0]);
            }
            t[0].m += helper(p.x, p.m);
        }
        s
    }
    fn helper(x: [f64; 2], m: f64) -> f64 { x[0] * m - x[1] }
    fn far(p: &P, q: &P) -> f64 { (p.x[0] - q.x[0]).abs() + p.m }
    pub fn swapped(ps: &mut [P]) {
        let n = ps.len();
        for i in 0..n / 2 { ps.swap(i, n - 1 - i); }
    }
    pub fn complex_assigned(z: &mut [Complex<f32>], w: Complex<f32>, s: f32) {
        for v in z.iter_mut() {
            let old = *v;
            *v *= w;
            *v += old;
            *v /= C::new(1.0, s);
            *v = -*v + old.conj() * crate::SCALE - 1.0;
            v.re = v.im.max(v.re);
            *v = s / *v;
        }
    }
    pub fn complex_powers(z: &[Complex<f64>], n: usize, out: &mut [Complex<f64>]) {
        for i in 0..out.len() {
            let mut p = Complex::new(1.0, 0.0);
            let mut sum = Complex::new(0.0, 0.0);
            for _ in 0..n { p = p * z[i]; sum += p; }
            out[i] = sum - Complex::new(0.5, 0.0) * p;
        }
    }
    pub fn clamped_in_branches(x: f64, lo: f64, hi: f64, y: &mut [f64]) {
        for v in y.iter_mut() {
            if *v > x { *v = v.clamp(lo, hi); } else { *v = (*v % 3.0).rem_euclid(hi); }
        }
    }
}
fn near(a: f64, b: f64, w: &str) {
    assert!(
        (a - b).abs() <= 1e-4 * (1.0 + a.abs()) || a.is_nan() && b.is_nan(),
        "{w}: {a} {b}"
    );
}
const SIZES: [usize; 7] = [0, 1, 2, 5, 8, 17, 33];

#[test]
fn structs_and_complex_numbers_are_what_they_are_in_the_text() {
    for isa in [Isa::Scalar, Isa::Avx2, Isa::Avx512] {
        for n in SIZES {
            if isa.is_available() {
                structs(n, isa);
                complex_numbers(n, isa);
            }
        }
    }
}

fn structs(n: usize, isa: Isa) {
    let mk = |s: f64| {
        (0..n)
            .map(|i| P {
                x: [i as f64 * 0.3 - s, 1.0 + s * i as f64],
                m: s + 0.1 * i as f64,
            })
            .collect::<Vec<_>>()
    };
    let cmp = |a: &[P], b: &[P], w: &str| {
        for (a, b) in a.iter().zip(b) {
            near(a.x[0], b.x[0], w);
            near(a.x[1], b.x[1], w);
            near(a.m, b.m, w);
        }
    };
    let (mut p, mut q) = (mk(1.0), mk(1.0));
    let (mut o, mut r) = (vec![0.0; n], vec![0.0; n]);
    updated::with(isa, &mut p, &mut o).unwrap();
    updated::reference(&mut q, &mut r);
    cmp(&p, &q, "updated");
    for (a, b) in o.iter().zip(&r) {
        near(*a, *b, "updated");
    }
    let mkp = || {
        (0..n)
            .map(|i| Pair {
                a: P::make(i as f64 - 3.0),
                b: P::make(1.5),
            })
            .collect::<Vec<_>>()
    };
    let (mut a, mut b) = (mkp(), mkp());
    let (mut o, mut r) = (mk(0.3), mk(0.3));
    let w = [P::make(0.1), P::make(0.7)];
    taken_apart::with(isa, &mut a, w, &mut o).unwrap();
    taken_apart::reference(&mut b, w, &mut r);
    cmp(&o, &r, "taken_apart");
    for (a, b) in a.iter().zip(&b) {
        cmp(&[a.a, a.b], &[b.a, b.b], "taken_apart");
    }
    if n > 0 {
        let (mut t, mut u) = (mk(0.5), mk(0.5));
        let x = helped::with(isa, n, &mk(1.0), &mut t).unwrap();
        let y = helped::reference(n, &mk(1.0), &mut u);
        near(x, y, "helped");
        cmp(&t, &u, "helped");
    }
    let (mut p, mut q) = (mk(1.0), mk(1.0));
    swapped::with(isa, &mut p).unwrap();
    swapped::reference(&mut q);
    cmp(&p, &q, "swapped");
}

fn complex_numbers(n: usize, isa: Isa) {
    let z = || {
        (0..n)
            .map(|i| Complex::new(i as f32 * 0.1 + 0.3, 1.0 - i as f32 * 0.05))
            .collect::<Vec<_>>()
    };
    let (mut p, mut q) = (z(), z());
    complex_assigned::with(isa, &mut p, Complex::new(0.3, 0.4), 0.7).unwrap();
    complex_assigned::reference(&mut q, Complex::new(0.3, 0.4), 0.7);
    for (a, b) in p.iter().zip(&q) {
        near(a.re as f64, b.re as f64, "complex_assigned");
        near(a.im as f64, b.im as f64, "complex_assigned");
    }
    let z: Vec<Complex<f64>> = (0..n)
        .map(|i| Complex::new(i as f64 * 0.01 + 0.3, 0.5 - i as f64 * 0.05))
        .collect();
    let (mut p, mut q) = (z.clone(), z.clone());
    complex_powers::with(isa, &z, 5, &mut p).unwrap();
    complex_powers::reference(&z, 5, &mut q);
    for (a, b) in p.iter().zip(&q) {
        near(a.re, b.re, "complex_powers");
        near(a.im, b.im, "complex_powers");
    }
    let (mut p, mut q): (Vec<f64>, Vec<f64>) = (
        (0..n).map(|i| i as f64 - 5.0).collect(),
        (0..n).map(|i| i as f64 - 5.0).collect(),
    );
    clamped_in_branches::with(isa, 0.5, 1.0, 4.0, &mut p).unwrap();
    clamped_in_branches::reference(0.5, 1.0, 4.0, &mut q);
    for (a, b) in p.iter().zip(&q) {
        near(*a, *b, "clamped_in_branches");
    }
}

loopwright::kernel! {
    /// Fields that are borrowed whole.
    pub struct Wave {
        pub u: Vec<f64>,
        pub v: Vec<f64>,
    }

    pub fn swing(w: &mut Wave, dt: f64) -> usize {
        let mut count = 0;
        while w.u.iter().map(|u| u * u).sum::<f64>() > 0.1 && count < 9 {
            let n = w.u.len();
            for i in 1..n - 1 {
                w.v[i] += dt * (w.u[i - 1] - 2.0 * w.u[i] + w.u[i + 1]);
            }
            for (u, v) in w.u.iter_mut().zip(&w.v) {
                *u += dt * v;
            }
            for v in &mut w.v {
                *v *= 0.75;
            }
            count += 1;
        }
        count
    }
}

#[test]
fn fields_are_borrowed_whole() {
    let values = |seed: usize, n: usize| -> Vec<f64> {
        let each = (0..n).map(|at| ((at * 7919 + seed * 31) % 1000) as f64 / 997.0);
        each.collect()
    };
    for n in [2, 3, 40, 600] {
        let wave = || Wave {
            u: values(7, n),
            v: values(8, n),
        };
        let (mut expected, mut found) = (wave(), wave());
        let counts = (
            swing::reference(&mut expected, 0.25),
            swing(&mut found, 0.25),
        );
        assert_eq!(counts.0, counts.1);
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * (1.0 + b.abs());
        assert!(found.u.iter().zip(&expected.u).all(close), "{n}");
        assert!(found.v.iter().zip(&expected.v).all(close), "{n}");
    }
    let report = swing::swing_nest_0::REPORT;
    assert!(report.lanes.iter().any(|lanes| lanes.width > 1), "{report}");
}

loopwright::kernel! {
    const LIMIT: f64 = 0.9;

    /// A grid of other cells.
    pub struct Cells {
        nx: usize,
        ny: usize,
        step: f64,
    }

    impl Cells {
        fn number(&self) -> usize {
            self.nx * self.ny
        }
        fn at(&self, i: usize, j: usize) -> usize {
            j * self.nx + i
        }
    }

    /// What moves over the cells.
    pub struct Membrane {
        cells: Cells,
        u: Vec<f64>,
        v: Vec<f64>,
        weights: [f64; 2],
        pub time: f64,
    }

    fn laplacian(m: &Membrane, i: usize, j: usize) -> f64 {
        let k = m.cells.at(i, j);
        let around = m.u[k - 1] + m.u[k + 1] + m.u[k - m.cells.nx] + m.u[k + m.cells.nx];
        (around - 4.0 * m.u[k]) / m.cells.step
    }

    impl Membrane {
        pub fn new(nx: usize, ny: usize) -> Self {
            let u: Vec<f64> = (0..nx * ny).map(|k| (k as f64 * 0.7).sin()).collect();
            let cells = Cells { nx, ny, step: 0.5 };
            Self { cells, v: u.iter().map(|u| 0.5 - u).collect(), u, weights: [0.75, 0.25], time: 0.0 }
        }
        fn clamped(x: f64) -> f64 {
            if x > LIMIT { LIMIT } else if x < -LIMIT { -LIMIT } else { x }
        }
        pub fn leap(&mut self, dt: f64) {
            let (nx, ny) = (self.cells.nx, self.cells.ny);
            for j in 1..ny - 1 {
                for i in 1..nx - 1 {
                    let k = self.cells.at(i, j);
                    self.v[k] += dt * laplacian(self, i, j);
                }
            }
            for k in 0..self.cells.number() {
                self.u[k] = Self::clamped(self.u[k] + dt * self.v[k]);
            }
            self.time += dt;
        }
        pub fn energy(&self) -> f64 {
            self.v.iter().map(|v| v * v).sum::<f64>() + self.weights[1]
        }
        pub fn smooth(&mut self, by: &[f64]) {
            for (v, b) in self.v.iter_mut().zip(by) {
                *v = self.weights[0] * *v + self.weights[1] * b;
            }
            self.time *= 2.0;
        }
        pub fn settle(&mut self, least: f64) -> usize {
            let mut steps = 0;
            while self.energy() > least && steps < 7 {
                self.leap(0.01);
                steps += 1;
            }
            steps
        }
        /// The call needs lanes, and has them without the struct.
        #[opt(require_lanes)]
        pub fn pull(&mut self, a: f64) {
            for (v, u) in self.v.iter_mut().zip(&self.u) {
                *v -= a * u;
            }
        }
        fn get(&self, k: usize) -> f64 {
            self.v[k]
        }
    }

    pub fn record(m: &mut Membrane, out: &mut Vec<f64>) {
        m.leap(0.1);
        out.push(m.energy());
        for k in 0..m.u.len() {
            m.u[k] += 0.5 * m.get(k);
        }
    }
}

#[test]
fn methods_are_kernels_and_read_where_they_are_called() {
    for isa in [Isa::Scalar, Isa::Avx2, Isa::Avx512] {
        if isa.is_available() {
            [(3, 3), (17, 20), (40, 33)]
                .into_iter()
                .for_each(|size| membranes(isa, size));
        }
    }
    for report in [
        membrane_energy::REPORT,
        membrane_smooth::REPORT,
        membrane_pull::REPORT,
    ] {
        assert!(report.lanes.iter().any(|lanes| lanes.width > 1), "{report}");
    }
    let nests = [
        membrane_leap::membrane_leap_nest_0::REPORT,
        membrane_settle::membrane_settle_nest_0::REPORT,
    ];
    for report in nests.iter().chain(&[record::record_nest_0::REPORT]) {
        assert!(report.lanes.iter().any(|lanes| lanes.width > 1), "{report}");
    }
}

fn membranes(isa: Isa, (nx, ny): (usize, usize)) {
    let (mut found, mut expected) = (Membrane::new(nx, ny), Membrane::new(nx, ny));
    let compare = |found: &Membrane, expected: &Membrane| {
        let all = |m: &Membrane| [m.u.clone(), m.v.clone(), vec![m.time]].concat();
        for (a, b) in all(found).iter().zip(&all(expected)) {
            near(*a, *b, "a membrane");
        }
    };
    // The method calls the kernel for the best instruction set.
    found.leap(0.1);
    membrane_leap::reference(&mut expected, 0.1);
    membrane_leap::with(isa, &mut found, 0.1).unwrap();
    membrane_leap::reference(&mut expected, 0.1);
    compare(&found, &expected);
    let by: Vec<f64> = (0..nx * ny).map(|k| k as f64 * 0.01).collect();
    membrane_smooth::with(isa, &mut found, &by).unwrap();
    membrane_smooth::reference(&mut expected, &by);
    compare(&found, &expected);
    let energy = membrane_energy::with(isa, &found).unwrap();
    near(energy, membrane_energy::reference(&expected), "energy");
    let steps = membrane_settle::reference(&mut expected, 0.5);
    assert_eq!(membrane_settle::with(isa, &mut found, 0.5).unwrap(), steps);
    membrane_pull::with(isa, &mut found, 0.3).unwrap();
    membrane_pull::reference(&mut expected, 0.3);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    record::with(isa, &mut found, &mut a).unwrap();
    record::reference(&mut expected, &mut b);
    near(a[0], b[0], "record");
    compare(&found, &expected);
}
