//! Loops over vectors of lanes of several vectors a step: all lengths, and sums that each lane has several of.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]
#![allow(clippy::needless_range_loop, reason = "texts of kernels")]

mod support;

use loopwright::{Isa, Report};
use support::{each_variant, near_to, numbers};

loopwright::kernel! {
    pub fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] += a * x[i];
        }
    }

    #[opt(strict)]
    pub fn axpy_strict(a: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] += a * x[i];
        }
    }

    pub fn scaled(a: f64, y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] *= a;
        }
    }

    pub fn shifted(y: &mut [f64]) {
        for i in 0..y.len() - 1 {
            y[i] = 2.0 * y[i + 1] - y[i];
        }
    }

    pub fn dot(x: &[f64], y: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i] * y[i];
        }
        s
    }

    pub fn moments(x: &[f64], s: &mut [f64; 3]) {
        for i in 0..x.len() {
            s[0] += x[i];
            s[1] += x[i] * x[i];
            s[2] -= x[i] * x[i] * x[i];
        }
    }

    pub fn matrix_vector(n: usize, m: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..m {
                y[i] += a[i * m + j] * x[j];
            }
        }
    }

    pub fn mixed(x: &[f32], y: &[f64]) -> f64 {
        let mut s = 1.0;
        for i in 0..x.len() {
            s += x[i] as f64 * y[i];
        }
        s
    }

    pub fn bytes(x: &[u8]) -> f32 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i] as f32;
        }
        s
    }
}

/// What a report says of vectors a step.
fn unrolled(report: &Report) {
    let mut decisions = report.passes.iter().flat_map(|pass| pass.decisions);
    assert!(decisions.any(|d| d.contains("vectors a step")), "{report}");
}

/// Runs all variants and the text on what an output holds before.
fn compare(
    variants: &[Isa],
    (tolerance, start): (f64, &[f64]),
    reference: impl Fn(&mut [f64]),
    run: impl Fn(Isa, &mut [f64]),
) {
    let mut expected = start.to_vec();
    reference(&mut expected);
    each_variant(variants, |isa| {
        let mut found = start.to_vec();
        run(isa, &mut found);
        let same = match tolerance {
            0.0 => found
                .iter()
                .zip(&expected)
                .all(|(a, b)| a.to_bits() == b.to_bits()),
            _ => near_to(&found, &expected, tolerance),
        };
        assert!(
            same,
            "{isa}, {} elements: {found:?}, {expected:?}",
            start.len()
        );
    });
}

#[test]
fn elements() {
    for report in [&axpy::REPORT, &axpy_strict::REPORT, &scaled::REPORT] {
        unrolled(report);
    }
    for n in 0..150 {
        let (x, y) = (numbers(1, n).into_boxed_slice(), numbers(2, n));
        let a = 0.3;
        compare(
            axpy::variants(),
            (1e-15, &y),
            |y| axpy::reference(a, &x, y),
            |isa, y| axpy::with(isa, a, &x, y).unwrap(),
        );
        compare(
            axpy_strict::variants(),
            (0.0, &y),
            |y| axpy_strict::reference(a, &x, y),
            |isa, y| axpy_strict::with(isa, a, &x, y).unwrap(),
        );
        compare(
            scaled::variants(),
            (0.0, &y),
            |y| scaled::reference(a, y),
            |isa, y| scaled::with(isa, a, y).unwrap(),
        );
        if n > 0 {
            compare(
                shifted::variants(),
                (1e-15, &y),
                shifted::reference,
                |isa, y| shifted::with(isa, y).unwrap(),
            );
        }
    }
}

#[test]
fn sums() {
    for report in [
        &dot::REPORT,
        &moments::REPORT,
        &matrix_vector::REPORT,
        &bytes::REPORT,
    ] {
        unrolled(report);
    }
    for n in (0..150).chain([1000]) {
        let (x, y) = (
            numbers(1, n).into_boxed_slice(),
            numbers(2, n).into_boxed_slice(),
        );
        let singles: Box<[f32]> = x.iter().map(|x| *x as f32).collect();
        let small: Box<[u8]> = (0..n).map(|at| (at * 37 % 251) as u8).collect();
        compare(
            dot::variants(),
            (1e-13, &[0.0]),
            |s| s[0] = dot::reference(&x, &y),
            |isa, s| s[0] = dot::with(isa, &x, &y).unwrap(),
        );
        compare(
            mixed::variants(),
            (1e-13, &[0.0]),
            |s| s[0] = mixed::reference(&singles, &y),
            |isa, s| s[0] = mixed::with(isa, &singles, &y).unwrap(),
        );
        // Whole numbers, below those that `f32` does not hold.
        compare(
            bytes::variants(),
            (0.0, &[0.0]),
            |s| s[0] = f64::from(bytes::reference(&small)),
            |isa, s| s[0] = f64::from(bytes::with(isa, &small).unwrap()),
        );
        compare(
            moments::variants(),
            (1e-13, &[0.5; 3]),
            |s| moments::reference(&x, s.try_into().unwrap()),
            |isa, s| moments::with(isa, &x, s.try_into().unwrap()).unwrap(),
        );
    }
    for (n, m) in [(1, 0), (3, 1), (5, 17), (7, 40), (4, 131)] {
        let (a, x) = (numbers(3, n * m), numbers(4, m));
        compare(
            matrix_vector::variants(),
            (1e-13, &vec![0.5; n]),
            |y| matrix_vector::reference(n, m, &a, &x, y),
            |isa, y| matrix_vector::with(isa, n, m, &a, &x, y).unwrap(),
        );
    }
}
