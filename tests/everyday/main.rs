//! Kernels as people write them, with iterators, conditions and methods: each is accepted as it stands, and
//! computes what the same text computes as plain functions, in every variant.
//!
//! The kernels stand in modules of their own: their texts say nothing of tests.

#![allow(missing_docs, dead_code, unused_imports, reason = "kernels of tests")]
#![allow(
    clippy::all,
    clippy::pedantic,
    reason = "plain functions as people write them"
)]

/// For each text a module `plain` of its functions, and a module `kernels` of the same as kernels.
#[macro_export]
macro_rules! everyday {
    ($($name:ident { $($text:tt)* })*) => {
        $(pub mod $name {
            pub mod plain {
                $($text)*
            }

            pub mod kernels {
                loopwright::kernel! { $($text)* }
            }
        })*
    };
}

mod grids;
mod matrices;
mod outcome;
mod points;
mod structs;
mod vectors;

use outcome::{Outcome, numbers, same};

const SIZES: [usize; 5] = [0, 1, 7, 64, 1000];

/// Runs a function on inputs of its own: what it returns, and what its outputs are then.
macro_rules! run {
    ($suite:ident $name:ident $module:ident { $($lets:tt)* } $function:expr; $($output:ident)*) => {
        std::panic::catch_unwind(|| {
            use crate::$suite::$name::$module::*;
            $($lets)*
            let result = $function;
            let mut all = Vec::new();
            result.flatten(&mut all);
            $($output.flatten(&mut all);)*
            all
        })
    };
}

/// Compares a kernel with the plain function: `check! { suite::name, n, LETS, ARGUMENTS => OUTPUTS }`. What
/// `OUTPUTS` names is read after the call.
macro_rules! check {
    ($suite:ident::$name:ident, $n:ident, $lets:tt, ($($argument:expr),*) => ($($output:ident),*)) => {
        #[test]
        fn $name() {
            for $n in SIZES {
                let expected = run!($suite $name plain $lets kernel($($argument),*); $($output)*);
                let found = run!($suite $name kernels $lets kernel($($argument),*); $($output)*);
                let about = concat!(stringify!($suite), "::", stringify!($name));
                same(about, $n, "called", &expected, &found);
                let found = run!($suite $name kernels $lets kernel::reference($($argument),*); $($output)*);
                same(about, $n, "reference", &expected, &found);
                for isa in crate::$suite::$name::kernels::kernel::variants() {
                    if !isa.is_available() {
                        continue;
                    }
                    let found = run!($suite $name kernels $lets kernel::with(*isa, $($argument),*).unwrap(); $($output)*);
                    same(about, $n, &format!("{isa:?}"), &expected, &found);
                }
            }
        }
    };
}

mod of_vectors {
    use super::*;

    check! { vectors::axpy, n, { let x = numbers(n, 1); let mut y = numbers(n, 2); }, (0.75, &x, &mut y) => (y) }
    check! { vectors::dot, n, { let x = numbers(n, 1); let y = numbers(n, 2); }, (&x, &y) => () }
    check! { vectors::norm, n, { let x = numbers(n, 1); }, (&x) => () }
    check! { vectors::largest, n, { let x = numbers(n, 1); }, (&x) => () }
    check! { vectors::minimum, n, { let x = numbers(n, 1); }, (&x) => () }
    check! { vectors::mean_and_variance, n, { let x = numbers(n, 1); let mut out = [0.0; 2]; }, (&x, &mut out) => (out) }
    check! { vectors::normalise, n, { let mut x = numbers(n, 1); }, (&mut x) => (x) }
    check! { vectors::prefix_sum, n, { let x = numbers(n, 1); let mut y = numbers(n, 2); }, (&x, &mut y) => (y) }
    check! { vectors::softmax, n, { let mut x = numbers(n, 1); }, (&mut x) => (x) }
    check! { vectors::leaky_relu, n, { let x = numbers(n, 1); let mut y = numbers(n, 2); }, (&x, &mut y) => (y) }
    check! { vectors::sigmoid, n, { let x = numbers(n, 1); let mut y = numbers(n, 2); }, (&x, &mut y) => (y) }
    check! { vectors::gelu, n, { let x = numbers(n, 1); let mut y = numbers(n, 2); }, (&x, &mut y) => (y) }
    check! { vectors::horner, n, { let c = numbers(9, 3); let x = numbers(n, 1); let mut y = numbers(n, 2); }, (&c, &x, &mut y) => (y) }
    check! { vectors::clamp_all, n, { let mut x = numbers(n, 1); }, (-0.5, 0.25, &mut x) => (x) }
    check! { vectors::quantise, n, { let x = numbers(n, 1); let mut q = vec![0_i8; n]; }, (0.01, &x, &mut q) => (q) }
    check! { vectors::dequantise, n, { let q: Vec<i8> = (0..n).map(|i| (i * 37 % 251) as i8).collect(); let mut x = numbers(n, 1); }, (0.01, &q, &mut x) => (x) }
    check! { vectors::linspace, n, { let mut x = numbers(n, 1); }, (-1.0, 2.0, &mut x) => (x) }
    check! { vectors::lerp, n, { let a = numbers(n, 1); let b = numbers(n, 2); let mut y = numbers(n, 3); }, (0.3, &a, &b, &mut y) => (y) }
    check! { vectors::argmax, n, { let x = numbers(n, 1); let mut out = [0; 1]; }, (&x, &mut out) => (out) }
    check! { vectors::logistic, n, { let r: Vec<f64> = numbers(n, 1); let mut x = numbers(n, 2); }, (&r, &mut x) => (x) }
    check! { vectors::wrap_angles, n, { let mut x: Vec<f64> = numbers(n, 1); x.iter_mut().for_each(|x| *x *= 30.0); }, (&mut x) => (x) }
    check! { vectors::replace_nan, n, { let mut x: Vec<f64> = numbers(n, 1); x.iter_mut().step_by(3).for_each(|x| *x = f64::NAN); }, (&mut x) => (x) }
    check! { vectors::polar, n, { let x = numbers(n, 1); let y = numbers(n, 2); let mut r = numbers(n, 3); let mut phi = numbers(n, 4); }, (&x, &y, &mut r, &mut phi) => (r, phi) }
    check! { vectors::degrees, n, { let x = numbers(n, 1); let mut y = numbers(n, 2); }, (&x, &mut y) => (y) }
    check! { vectors::soft_threshold, n, { let mut x = numbers(n, 1); }, (0.25, &mut x) => (x) }
    check! { vectors::differences, n, { let x = numbers(n + 1, 1); let mut y = numbers(n, 2); }, (&x, &mut y) => (y) }
}

mod of_matrices {
    use super::*;
    use ndarray::Array2;

    check! { matrices::matmul_flat, n, { let n = n.min(40); let a = numbers(n * n, 1); let b = numbers(n * n, 2); let mut c = numbers(n * n, 3); }, (n.min(40), &a, &b, &mut c) => (c) }
    check! { matrices::matmul_views, n, { let n = n.min(40); let v = |k, m, s| Array2::from_shape_vec((k, m), numbers(k * m, s)).unwrap(); let a = v(n, n + 1, 1); let b = v(n + 1, 5, 2); let mut c = v(n, 5, 3); }, (a.view(), b.view(), c.view_mut()) => (c) }
    check! { matrices::matvec, n, { let a = numbers(7 * n, 1); let x = numbers(7, 2); let mut y = numbers(n, 3); }, (&a, &x, &mut y) => (y) }
    check! { matrices::transpose, n, { let a = numbers(9 * n, 1); let mut b = numbers(9 * n, 2); }, (n, 9, &a, &mut b) => (b) }
    check! { matrices::outer_product, n, { let x = numbers(9, 1); let y = numbers(n, 2); let mut a = numbers(9 * n, 3); }, (0.5, &x, &y, &mut a) => (a) }
    check! { matrices::cholesky, n, { let n = n.min(40); let mut a: Vec<f64> = numbers(n * n, 1); (0..n).for_each(|i| a[i * n + i] = 50.0 + i as f64); }, (n.min(40), &mut a) => (a) }
    check! { matrices::forward_substitution, n, { let n = n.min(40); let mut l: Vec<f64> = numbers(n * n, 1); (0..n).for_each(|i| l[i * n + i] = 50.0); let mut b = numbers(n, 2); }, (n.min(40), &l, &mut b) => (b) }
    check! { matrices::lu, n, { let n = n.min(40); let mut a: Vec<f64> = numbers(n * n, 1); (0..n).for_each(|i| a[i * n + i] = 50.0); }, (n.min(40), &mut a) => (a) }
    check! { matrices::thomas, n, { let a = numbers(n, 1); let b: Vec<f64> = (0..n).map(|i| 4.0 + i as f64 * 0.001).collect(); let c = numbers(n, 2); let mut d = numbers(n, 3); let mut w = numbers(n, 4); }, (&a, &b, &c, &mut d, &mut w) => (d, w) }
    check! { matrices::spmv, n, { let rows: Vec<usize> = (0..=n).map(|i| 2 * i).collect(); let columns: Vec<usize> = (0..2 * n).map(|k| k * 7 % n).collect(); let values = numbers(2 * n, 1); let x = numbers(n, 2); let mut y = numbers(n, 3); }, (&rows, &columns, &values, &x, &mut y) => (y) }
    check! { matrices::layer_norm, n, { let gain = numbers(8, 1); let bias = numbers(8, 2); let mut x = numbers(8 * n, 3); }, (8, &gain, &bias, &mut x) => (x) }
    check! { matrices::distances, n, { let n = n.min(70); let p: Vec<[f64; 3]> = (0..n).map(|i| [i as f64, (i * i % 17) as f64, 0.5]).collect(); let mut d = numbers(n * n, 1); }, (&p, &mut d) => (d) }
    check! { matrices::covariance, n, { let x = numbers(n * 3, 1); let mean = numbers(3, 2); let mut c = numbers(9, 3); }, (n, 3, &x, &mean, &mut c) => (c) }
    check! { matrices::trace, n, { let n = n.min(70); let a = numbers(n * n, 1); }, (n.min(70), &a) => () }
}

mod of_grids {
    use super::*;
    use ndarray::Array3;

    check! { grids::heat_1d, n, { let u = numbers(n, 1); let mut v = numbers(n, 2); }, (0.1, &u, &mut v) => (v) }
    check! { grids::seven_points, n, { let m = n.min(20) + 2; let u = Array3::from_shape_vec((m, 4, m), numbers(m * 4 * m, 1)).unwrap(); let mut v = u.clone(); }, (u.view(), v.view_mut()) => (v) }
    check! { grids::jacobi, n, { let n = n.min(40); let f = numbers(n * n, 1); let u = numbers(n * n, 2); let mut v = numbers(n * n, 3); }, (n.min(40), &f, &u, &mut v) => (v) }
    check! { grids::gauss_seidel, n, { let n = n.min(40); let mut u = numbers(n * n, 2); }, (n.min(40), &mut u) => (u) }
    check! { grids::life, n, { let n = n.min(40); let old: Vec<u8> = (0..n * n).map(|i| (i * i % 7 < 3) as u8).collect(); let mut new = vec![0_u8; n * n]; }, (n.min(40), &old, &mut new) => (new) }
    check! { grids::convolve_bytes, n, { let x: Vec<u8> = (0..n).map(|i| (i * 37 % 251) as u8).collect(); let mut y = vec![0_u8; n]; }, (&x, &mut y) => (y) }
    check! { grids::fir, n, { let h = numbers(5, 1); let x = numbers(n + 4, 2); let mut y = numbers(n, 3); }, (&h, &x, &mut y) => (y) }
    check! { grids::biquad, n, { let x = numbers(n, 2); let mut y = numbers(n, 3); }, ([0.2, 0.4, 0.2], [-0.5, 0.1], &x, &mut y) => (y) }
    check! { grids::rgb_to_grey, n, { let rgb: Vec<[u8; 3]> = (0..n).map(|i| [(i * 37 % 256) as u8, (i * 91 % 256) as u8, (i % 256) as u8]).collect(); let mut grey = vec![0_u8; n]; }, (&rgb, &mut grey) => (grey) }
    check! { grids::rgb_to_grey_integers, n, { let rgb: Vec<u8> = (0..3 * n).map(|i| (i * 37 % 256) as u8).collect(); let mut grey = vec![0_u8; n]; }, (&rgb, &mut grey) => (grey) }
    check! { grids::alpha_blend, n, { let over: Vec<[f32; 4]> = (0..n).map(|i| [0.1, 0.9, i as f32 * 0.01, 0.3]).collect(); let mut under = over.clone(); }, (&over, &mut under) => (under) }
    check! { grids::gamma, n, { let mut x: Vec<f32> = (0..n).map(|i| i as f32 / 1000.0).collect(); }, (&mut x) => (x) }
    check! { grids::sobel, n, { let m = n.min(40); let x = numbers(m * m, 1); let mut y = numbers(m * m, 2); }, (n.min(40), n.min(40), &x, &mut y) => (y) }
    check! { grids::bilinear, n, { let image = numbers(40 * 40, 1); let px: Vec<f64> = (0..n).map(|i| i as f64 * 1.37 % 38.0).collect(); let py: Vec<f64> = (0..n).map(|i| i as f64 * 2.71 % 38.0).collect(); let mut out = numbers(n, 2); }, (40, &image, &px, &py, &mut out) => (out) }
    check! { grids::histogram, n, { let x = numbers(n, 1); let mut bins = vec![0_u32; 10]; }, (-1.0, 0.2, &x, &mut bins) => (bins) }
    check! { grids::mandelbrot, n, { let cx = numbers(n, 1); let cy = numbers(n, 2); let mut steps = vec![0_u32; n]; }, (&cx, &cy, &mut steps) => (steps) }
    check! { grids::wave, n, { let old = numbers(n, 1); let u = numbers(n, 2); let mut new = numbers(n, 3); }, (0.4, &old, &u, &mut new) => (new) }
    check! { grids::trapezoid, n, { let x = numbers(n, 1); let y = numbers(n, 2); }, (&x, &y) => () }
    check! { grids::midpoint_rule, n, { let a = numbers(n, 1); let mut out = numbers(n, 2); }, (&a, &mut out) => (out) }
    check! { grids::dft, n, { let n = n.min(64); let x = numbers(n, 1); let mut re = numbers(n, 2); let mut im = numbers(n, 3); }, (&x, &mut re, &mut im) => (re, im) }
    check! { grids::haar, n, { let x = numbers(n, 1); let mut low = numbers(n / 2, 2); let mut high = numbers(n / 2, 3); }, (&x, &mut low, &mut high) => (low, high) }
}

mod of_points {
    use super::*;

    check! { points::cross_products, n, { let a: Vec<[f64; 3]> = numbers(n, 1); let b: Vec<[f64; 3]> = numbers(n, 2); let mut c: Vec<[f64; 3]> = numbers(n, 3); }, (&a, &b, &mut c) => (c) }
    check! { points::rotate, n, { let r: Vec<[f64; 3]> = numbers(3, 1); let r = [r[0], r[1], r[2]]; let mut p: Vec<[f64; 3]> = numbers(n, 2); }, (&r, &mut p) => (p) }
    check! { points::lennard_jones, n, { let r2: Vec<f64> = (0..n).map(|i| 1.0 + i as f64 * 0.01).collect(); let mut v = numbers(n, 1); let mut f = numbers(n, 2); }, (0.7, 1.1, &r2, &mut v, &mut f) => (v, f) }
    check! { points::black_scholes, n, { let s: Vec<f64> = (0..n).map(|i| 80.0 + i as f64 * 0.04).collect(); let k = vec![100.0; n]; let t = vec![0.5; n]; let mut call = numbers(n, 1); }, (0.03, 0.2, &s, &k, &t, &mut call) => (call) }
    check! { points::runge_kutta, n, { let mut y: Vec<f64> = (0..n).map(|i| 0.1 + 0.0005 * i as f64).collect(); }, (0.1, 5, &mut y) => (y) }
    check! { points::p1_assembly, n, { let points: Vec<[f64; 2]> = (0..n + 2).map(|i| [i as f64, (i * i % 5) as f64 + 0.1 * i as f64]).collect(); let triangles: Vec<[usize; 3]> = (0..n).map(|i| [i, i + 1, i + 2]).collect(); let entries: Vec<[[usize; 3]; 3]> = (0..n).map(|i| [[i, i + 1, i + 2], [i + 1, i, i + 1], [i + 2, i + 1, i]]).collect(); let mut values = numbers(n + 3, 1); }, (&points, &triangles, &entries, &mut values) => (values) }
    check! { points::gather, n, { let map: Vec<u32> = (0..n).map(|i| (i * 7 % n) as u32).collect(); let x = numbers(n, 1); let mut y = numbers(n, 2); }, (&map, &x, &mut y) => (y) }
    check! { points::scatter_add, n, { let map: Vec<usize> = (0..n).map(|i| i * 7 % 11).collect(); let x = numbers(n, 1); let mut y = numbers(11, 2); }, (&map, &x, &mut y) => (y) }
    check! { points::nearest_centre, n, { let centres: Vec<[f64; 2]> = numbers(5, 1); let p: Vec<[f64; 2]> = numbers(n, 2); let mut label = vec![9; n]; }, (&centres, &p, &mut label) => (label) }
    check! { points::random, n, { let mut seeds: Vec<u64> = (1..=n as u64).collect(); let mut x = numbers(n, 1); }, (&mut seeds, &mut x) => (seeds, x) }
    check! { points::insertion_sort, n, { let mut x = numbers(n, 1); }, (&mut x) => (x) }
    check! { points::bounding_box, n, { let p: Vec<[f32; 2]> = numbers(n, 1); let mut out = [[0.0; 2]; 2]; }, (&p, &mut out) => (out) }
}

mod of_structs {
    use super::*;
    use num_complex::Complex;

    check! { structs::n_body, n, { let n = n.min(70); let p: Vec<[f64; 7]> = numbers(n, 1); let bodies: Vec<Body> = p.iter().map(|p| Body { position: [p[0], p[1], p[2]], velocity: [p[3], p[4], p[5]], mass: p[6] }).collect(); let mut force: Vec<[f64; 3]> = numbers(n, 2); }, (&bodies, &mut force) => (force) }
    check! { structs::drift, n, { let p: Vec<[f64; 4]> = numbers(n, 1); let mut particles: Vec<Particle> = p.iter().map(|p| Particle { x: p[0], y: p[1], vx: p[2], vy: p[3] }).collect(); let dt = 0.1; }, (dt, &mut particles) => (particles) }
    check! { structs::kinetic_energy, n, { let p: Vec<[f64; 4]> = numbers(n, 1); let bodies: Vec<Body> = p.iter().map(|p| Body { v: [p[0], p[1], p[2]], mass: p[3] }).collect(); }, (&bodies) => () }
    check! { structs::lengths, n, { let p: Vec<[f64; 4]> = numbers(n, 1); let segments: Vec<Segment> = p.iter().map(|p| Segment { from: Point { x: p[0], y: p[1] }, to: Point { x: p[2], y: p[3] } }).collect(); let mut out = numbers(n, 2); }, (&segments, &mut out) => (out) }
    check! { structs::vectors_with_operators, n, { let v3 = |p: &[f64; 3]| Vec3 { x: p[0], y: p[1], z: p[2] }; let mut p: Vec<Vec3> = numbers(n, 1).iter().map(v3).collect(); let mut v: Vec<Vec3> = numbers(n, 2).iter().map(v3).collect(); let mut r = numbers(n, 3); let centre = v3(&[0.1, 0.2, 0.3]); }, (centre, 0.1, &mut p, &mut v, &mut r) => (p, v, r) }
    check! { structs::nested_arrays, n, { let point = |at: usize| Point((at * 7 % 5) as f64 + 0.1, (at * at % 11) as f64); let mut quads: Vec<Quad> = (0..n).map(|i| Quad { corners: [point(i), point(i + 1), point(i + 2), point(i + 3)], stiffness: [[1.0, 2.0], [3.0, i as f64]], load: 0.5 }).collect(); let mut areas = numbers(n, 1); }, (&mut quads, &mut areas) => (quads, areas) }
    check! { structs::pixels, n, { let pixels: Vec<Pixel> = (0..n).map(|i| Pixel { r: (i * 37 % 256) as u8, g: (i * 91 % 256) as u8, b: (i % 256) as u8 }).collect(); let mut grey = numbers(n, 1); }, (&pixels, &mut grey) => (grey) }
    check! { structs::moved, n, { let forces: Vec<[f64; 2]> = numbers(n, 1); let p: Vec<[f64; 4]> = numbers(n, 2); let mut particles: Vec<Particle> = p.iter().map(|p| Particle { position: [p[0], p[1]], velocity: [p[2], p[3]] }).collect(); }, (0.1, &forces, &mut particles) => (particles) }
    check! { structs::complex_axpy, n, { let x: Vec<Complex<f64>> = numbers(n, 1); let mut y: Vec<Complex<f64>> = numbers(n, 2); }, (Complex::new(0.3, -0.7), &x, &mut y) => (y) }
    check! { structs::butterfly, n, { let w: Vec<Complex<f64>> = numbers(n, 1); let mut a: Vec<Complex<f64>> = numbers(n, 2); let mut b: Vec<Complex<f64>> = numbers(n, 3); }, (&w, &mut a, &mut b) => (a, b) }
    check! { structs::power_spectrum, n, { let x: Vec<Complex<f32>> = numbers(n, 1); let mut p = numbers(n, 2); }, (&x, &mut p) => (p) }
    check! { structs::complex_dot, n, { let x: Vec<Complex<f64>> = numbers(n, 1); let y: Vec<Complex<f64>> = numbers(n, 2); let mut out = Complex::new(0.0, 0.0); }, (&x, &y, &mut out) => (out) }
    check! { structs::complex_functions, n, { let x: Vec<Complex<f32>> = numbers(n, 1); let mut y: Vec<Complex<f32>> = numbers(n, 2); }, (0.1, &x, &mut y) => (y) }
}
