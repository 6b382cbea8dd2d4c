//! Single functions as kernels, by the attribute.

#![allow(missing_docs, reason = "kernels of tests")]

mod support;

use loopwright::kernel_fn;
use support::each_variant;

/// A number of the module.
const OFFSET: f64 = 0.5;

/// Adds a multiple.
#[kernel_fn]
pub fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x + OFFSET;
    }
}

#[kernel_fn(level = 1, lanes(i))]
fn scale(a: f64, y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] *= a;
    }
}

#[test]
fn attributes_make_kernels() {
    let x: Vec<f64> = (0..50).map(f64::from).collect();
    each_variant(axpy::variants(), |isa| {
        let mut y = x.clone();
        axpy::with(isa, 2.0, &x, &mut y).unwrap();
        for (x, y) in x.iter().zip(&y) {
            assert!((y - (3.0 * x + OFFSET)).abs() < 1e-12);
        }
    });
    let mut y = x.clone();
    scale(2.0, &mut y);
    assert!(x.iter().zip(&y).all(|(x, y)| *y == 2.0 * x));
    for report in [axpy::REPORT, scale::REPORT] {
        assert!(format!("{report}").contains("lanes over"), "{report}");
    }
}
