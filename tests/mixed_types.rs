//! Kernels with several element types: each conversion against `reference` in every variant.

#![allow(missing_docs, reason = "kernels of tests")]

use std::panic::catch_unwind;

use loopwright::{Report, Scalar, kernel};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, s};

mod support;
use support::{each_variant, near_to, noise};

fn single(index: usize) -> f32 {
    noise(index) as f32
}

fn near_single(found: &[f32], expected: &[f32]) -> bool {
    let widened = |x: &[f32]| -> Vec<f64> { x.iter().map(|x| f64::from(*x)).collect() };
    near_to(&widened(found), &widened(expected), 2e-6)
}

/// A program, whose lanes are as many as `f64` has.
fn has_lanes(report: &Report) -> bool {
    let decisions = report.passes.iter().flat_map(|pass| pass.decisions);
    report.notes.is_empty()
        && decisions
            .clone()
            .any(|d| d.contains("width 4, lanes over `"))
        && decisions
            .clone()
            .any(|d| d.contains("width 8, lanes over `"))
}

const SIZES: [usize; 9] = [0, 1, 3, 4, 7, 8, 9, 16, 17];

kernel! {
    pub fn widen(x: &[f32], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i] as f64 * 2.0 + f64::from(x[i] * x[i]);
        }
    }

    pub fn narrow(a: &[f64], b: &[f32], y: &mut [f32]) {
        for i in 0..a.len() {
            y[i] += (a[i] * a[i] + 1.0) as f32 * b[i] - (a[i] / 3.0) as f32;
        }
    }

    /// Adds up in `f64`.
    pub fn dot(x: &[f32], y: &[f32]) -> f64 {
        let mut sum = 0.0_f64;
        for i in 0..x.len() {
            sum += x[i] as f64 * y[i] as f64;
        }
        sum
    }

    /// A condition of one type chooses between values of the other.
    pub fn choose(a: &[f64], b: &[f32], low: &mut [f32], high: &mut [f64]) {
        for i in 0..a.len() {
            let (a, b) = (a[i], b[i]);
            low[i] = if a > 0.25 { b } else { b.abs().sqrt() };
            high[i] = if b < -0.125 { a.max(0.5) } else { (b as f64).min(a) };
        }
    }
}

#[test]
fn slices_of_both_types() {
    assert!(has_lanes(&widen::REPORT), "{}", widen::REPORT);
    assert!(has_lanes(&narrow::REPORT), "{}", narrow::REPORT);
    assert!(has_lanes(&dot::REPORT), "{}", dot::REPORT);
    assert!(has_lanes(&choose::REPORT), "{}", choose::REPORT);
    for n in SIZES {
        let a: Vec<_> = (0..n).map(noise).collect();
        let b: Vec<_> = (0..n).map(|i| single(i + 100)).collect();
        let mut wide = vec![0.0; n];
        widen::reference(&b, &mut wide);
        let mut thin = vec![1.0; n];
        narrow::reference(&a, &b, &mut thin);
        let (mut low, mut high) = (vec![0.0; n], vec![0.0; n]);
        choose::reference(&a, &b, &mut low, &mut high);
        each_variant(widen::variants(), |isa| {
            let mut found = vec![0.0; n];
            widen::with(isa, &b, &mut found).unwrap();
            assert!(near_to(&found, &wide, 1e-15), "{isa:?}, n = {n}");
            let mut found = vec![1.0; n];
            narrow::with(isa, &a, &b, &mut found).unwrap();
            assert!(near_single(&found, &thin), "{isa:?}, n = {n}");
            let sum = dot::with(isa, &b, &b).unwrap();
            assert!(
                near_to(&[sum], &[dot::reference(&b, &b)], 1e-14),
                "{isa:?}, n = {n}"
            );
            let (mut l, mut h) = (vec![0.0; n], vec![0.0; n]);
            choose::with(isa, &a, &b, &mut l, &mut h).unwrap();
            assert!(near_single(&l, &low), "{isa:?}, n = {n}");
            assert!(near_to(&h, &high, 1e-15), "{isa:?}, n = {n}");
        });
    }
}

kernel! {
    static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
    static PHI: [[f64; 6]; 6] = tabulate!(triangle, quadrature(4), lagrange(2));

    /// Tables in `f64`, results in `f32`, sums in `f64`.
    pub fn mass_sums(det: &[f32], a: &mut [[[f32; 6]; 6]]) {
        for e in 0..det.len() {
            for i in 0..6 {
                for j in 0..6 {
                    let mut sum = 0.0_f64;
                    for q in 0..6 {
                        sum += W[q] * det[e] as f64 * PHI[q][i] * PHI[q][j];
                    }
                    a[e][i][j] += sum as f32;
                }
            }
        }
    }

    /// Tables in `f64`, everything else in `f32`.
    pub fn mass_singles(det: &[f32], a: &mut [[[f32; 6]; 6]]) {
        for e in 0..det.len() {
            for q in 0..6 {
                for i in 0..6 {
                    for j in 0..6 {
                        a[e][i][j] += W[q] as f32 * det[e] * PHI[q][i] as f32 * PHI[q][j] as f32;
                    }
                }
            }
        }
    }

    /// Through an index map, there and back.
    pub fn apply(cells: &[[usize; 6]], det: &[f64], x: &[f32], y: &mut [f32]) {
        for e in 0..cells.len() {
            for i in 0..6 {
                for q in 0..6 {
                    let mut value = 0.0_f64;
                    for j in 0..6 {
                        value += PHI[q][j] * x[cells[e][j]] as f64;
                    }
                    y[cells[e][i]] += (W[q] * det[e] * PHI[q][i] * value) as f32;
                }
            }
        }
    }
}

#[test]
fn tables_and_results_of_different_types() {
    for report in [&mass_sums::REPORT, &mass_singles::REPORT, &apply::REPORT] {
        assert!(report.notes.is_empty(), "{report}");
        let (source, expansion) = (report.source, report.expansion);
        assert!(expansion.mul * 2 < source.mul, "{report}");
    }
    for n in SIZES {
        let det: Vec<_> = (0..n).map(|e| 1.5 + single(e)).collect();
        let zero = vec![[[0.5; 6]; 6]; n];
        let (mut sums, mut singles) = (zero.clone(), zero.clone());
        mass_sums::reference(&det, &mut sums);
        mass_singles::reference(&det, &mut singles);
        let flat = |a: &[[[f32; 6]; 6]]| a.as_flattened().as_flattened().to_vec();
        let cells: Vec<[usize; 6]> = (0..n)
            .map(|e| [0, 1, 2, 3, 4, 5].map(|i| (e * 3 + i * 5) % (n + 5)))
            .collect();
        let x: Vec<_> = (0..n + 5).map(single).collect();
        let wide: Vec<_> = det.iter().map(|det| f64::from(*det)).collect();
        let mut expected = vec![0.25; n + 5];
        apply::reference(&cells, &wide, &x, &mut expected);
        each_variant(mass_sums::variants(), |isa| {
            let mut found = zero.clone();
            mass_sums::with(isa, &det, &mut found).unwrap();
            assert!(near_single(&flat(&found), &flat(&sums)), "{isa:?}, n = {n}");
            let mut found = zero.clone();
            mass_singles::with(isa, &det, &mut found).unwrap();
            assert!(
                near_single(&flat(&found), &flat(&singles)),
                "{isa:?}, n = {n}"
            );
            let mut found = vec![0.25; n + 5];
            apply::with(isa, &cells, &wide, &x, &mut found).unwrap();
            assert!(near_single(&found, &expected), "{isa:?}, n = {n}");
        });
    }
}

kernel! {
    /// Loop variables, parameters and elements of integer types as numbers.
    pub fn samples(n: usize, shift: i32, marks: &[u8], x: &mut [f64], y: &mut [f32]) {
        for i in 0..n {
            x[i] = (2 * i + 1) as f64 / n as f64 + shift as f64;
            y[i] = (i as f32 + 0.5) * marks[i] as f32 - shift as f32;
        }
    }

    /// A loop that runs down, one of constant length, and bounds that are no zeros.
    pub fn down(a: &mut [[f64; 5]], first: usize) {
        for e in (first..a.len()).rev() {
            for k in 2..5 {
                a[e][k] += e as f64 * k as f64 + (k - 2) as f64;
            }
        }
    }

    /// Where the difference would overflow, the text runs, with its own panic.
    pub fn difference(n: usize, m: usize, x: &mut [f64]) {
        for i in 0..x.len() {
            x[i] = (n - m + i) as f64;
        }
    }

    /// In generic text.
    pub fn ramp<T: Scalar>(h: T, x: &mut [T]) {
        for i in 0..x.len() {
            x[i] = T::from_f64(i as f64) * h;
        }
    }
}

#[test]
fn integers_as_numbers() {
    assert!(has_lanes(&samples::REPORT), "{}", samples::REPORT);
    assert!(down::REPORT.notes.is_empty(), "{}", down::REPORT);
    let note = "where `n - m` is negative, the text runs as written";
    assert_eq!(difference::REPORT.notes, [note]);
    for n in SIZES {
        let marks: Vec<u8> = (0..n).map(|i| (i * 37 % 256) as u8).collect();
        let (mut x, mut y) = (vec![0.0; n], vec![0.0; n]);
        samples::reference(n, -3, &marks, &mut x, &mut y);
        let mut rows = vec![[1.0; 5]; n];
        down::reference(&mut rows, 1);
        each_variant(samples::variants(), |isa| {
            let (mut found, mut other) = (vec![0.0; n], vec![0.0; n]);
            samples::with(isa, n, -3, &marks, &mut found, &mut other).unwrap();
            assert!(near_to(&found, &x, 1e-15), "{isa:?}, n = {n}");
            assert!(near_single(&other, &y), "{isa:?}, n = {n}");
            let mut found = vec![[1.0; 5]; n];
            down::with(isa, &mut found, 1).unwrap();
            assert_eq!(found, rows, "{isa:?}, n = {n}");
            let mut found = vec![0.0; n];
            ramp::with(isa, 0.5_f64, &mut found).unwrap();
            let expected: Vec<_> = (0..n).map(|i| i as f64 * 0.5).collect();
            assert_eq!(found, expected, "{isa:?}, n = {n}");
            let mut found = vec![0.0; n];
            ramp::with(isa, 0.5_f32, &mut found).unwrap();
            let expected: Vec<_> = expected.iter().map(|x| *x as f32).collect();
            assert_eq!(found, expected, "{isa:?}, n = {n}");
        });
    }
    let mut x = [0.0; 3];
    difference(7, 2, &mut x);
    assert_eq!(x, [5.0, 6.0, 7.0]);
    let overflows = catch_unwind(|| difference(2, 7, &mut [0.0; 3]));
    assert_eq!(overflows.is_err(), cfg!(debug_assertions));
}

kernel! {
    /// Views in any layout.
    pub fn halve(x: ArrayView2<f32>, mut y: ArrayViewMut2<f64>) {
        for i in 0..x.nrows() {
            for j in 0..x.ncols() {
                y[[i, j]] = 0.5 * x[[i, j]] as f64;
            }
        }
    }

    /// Bits equal to the reference: no conversion moves.
    #[opt(strict)]
    pub fn exact(a: &[f64], b: &[f32], y: &mut [f32]) {
        for i in 0..a.len() {
            let product = a[i] * b[i] as f64;
            y[i] += (product + 0.1) as f32 + (0.1_f64 as f32) * b[i];
        }
    }
}

#[test]
fn views_and_strict_kernels() {
    let x = Array2::from_shape_fn((7, 9), |(i, j)| single(9 * i + j));
    let expected = x.mapv(|x| 0.5 * f64::from(x));
    let a: Vec<_> = (0..19).map(noise).collect();
    let b: Vec<_> = (0..19).map(single).collect();
    let mut bits = vec![0.3; 19];
    exact::reference(&a, &b, &mut bits);
    each_variant(halve::variants(), |isa| {
        let mut found = Array2::zeros((7, 9));
        halve::with(isa, x.view(), found.view_mut()).unwrap();
        assert_eq!(found, expected, "{isa:?}");
        let mut found = Array2::zeros((9, 14));
        let target = found.slice_mut(s![.., ..;2]).reversed_axes();
        halve::with(isa, x.view(), target).unwrap();
        assert_eq!(found.slice(s![.., ..;2]).t(), expected, "{isa:?}");
        let mut found = vec![0.3; 19];
        exact::with(isa, &a, &b, &mut found).unwrap();
        assert_eq!(found, bits, "{isa:?}");
    });
}

kernel! {
    /// Literals whose type the text says here or there.
    pub fn literals(x: &[f32], y: &mut [f32]) {
        let half = 0.5_f32;
        let third: f64 = 1.0 / 3.0;
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i];
        }
        for i in 0..x.len() {
            let scaled = 0.1 * x[i];
            let wide = sum as f64 * third + half as f64 + 0.1_f32 as f64;
            y[i] = (wide + scaled as f64 * 0.7 as f64) as f32;
        }
    }
}

#[test]
fn types_of_literals() {
    let x: Vec<_> = (0..17).map(single).collect();
    let mut expected = vec![0.0; 17];
    literals::reference(&x, &mut expected);
    each_variant(literals::variants(), |isa| {
        let mut found = vec![0.0; 17];
        literals::with(isa, &x, &mut found).unwrap();
        assert!(near_single(&found, &expected), "{isa:?}");
    });
}

kernel! {
    /// A product of numbers that is zero as an `f32`, and columns that are zero.
    pub fn zero_as_single(x: &[[f32; 4]]) -> f64 {
        static SCALE: [[f64; 2]; 3] = [[0.0, -0.02], [1.0, 0.0], [0.6, 0.3]];
        static SINGLE: [f64; 3] = [0.0, -0.6, -0.8];
        static ROW: [f64; 9] = [-1.0, 1.0, 0.5, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0];
        let mut total: f64 = 0.0;
        for j in 2..9 {
            total += ROW[j];
            let zero = (SCALE[0][1] as f32 * SINGLE[0] as f32) as f64;
            total += zero * (x[j - 2][3] as f64 - j as f64 * 0.125) / 0.7;
        }
        total
    }
}

#[test]
fn what_is_zero_as_single_is_zero() {
    let x: Vec<[f32; 4]> = (0..7).map(|i| [single(i); 4]).collect();
    each_variant(zero_as_single::variants(), |isa| {
        assert_eq!(zero_as_single::with(isa, &x).unwrap(), 2.0, "{isa:?}");
    });
}
