//! Kernels in awkward surroundings: the crate under another name, no prelude, every lint denied,
//! names that the expansion uses itself.
#![deny(warnings, clippy::pedantic)]

extern crate loopwright as renamed;

/// Nothing is in scope here but what the kernels bring.
pub mod bare {
    #![no_implicit_prelude]
    #![deny(missing_docs)]

    ::renamed::kernel! {
        /// No prelude: no `Option`, no `Iterator`, no `Clone` in scope.
        pub fn double(x: &[f64], y: &mut [f64]) {
            for i in 0..x.len() {
                y[i] = 2.0 * x[i].abs();
            }
        }
    }

    /// A table outside of kernels.
    pub static WEIGHTS: [f64; 4] =
        ::renamed::tabulate!(quadrilateral, quadrature(2, gauss_jacobi), weights);
}

/// Parameters and locals named like items of the expansion, of Rust and of its prelude.
mod names {
    #![allow(clippy::too_many_arguments)]

    /// Shadows the prelude's.
    #[expect(dead_code)]
    pub struct Vec;
    /// Shadows the primitive type where paths are not absolute.
    pub mod core {}
    /// Likewise.
    pub mod std {}

    renamed::kernel! {
        pub(crate) fn check(
            dispatch: &[f64],
            run: f64,
            t0: f64,
            reference: &[f64],
            variants: usize,
            with: f64,
            acc: f64,
            out: &mut [f64],
        ) {
            for lane in 0..variants {
                let select = dispatch[lane] * run + t0;
                let scalar = select * with;
                let avx2 = scalar * acc + select;
                out[lane] = avx2 + reference[lane];
            }
        }

        pub(crate) fn scalar(krate: &[[f64; 2]], scalar_f64: &mut [f64]) {
            for e in 0..krate.len() {
                scalar_f64[e] = krate[e][0] - krate[e][1];
            }
        }
    }
}

#[test]
fn without_a_prelude() {
    let mut y = [0.0; 5];
    bare::double(&[1.0, -2.0, 3.0, -4.0, 5.0], &mut y);
    let expected = [2.0, 4.0, 6.0, 8.0, 10.0_f64];
    assert!(
        y.iter()
            .zip(expected)
            .all(|(y, e)| y.to_bits() == e.to_bits())
    );
}

#[test]
fn names_of_the_expansion() {
    let mut out = [0.0; 9];
    let x = [1.0; 9];
    names::check(&x, 2.0, 3.0, &x, 9, 4.0, 5.0, &mut out);
    assert!(out.iter().all(|v| (v - 106.0).abs() < 1e-12), "{out:?}");
    names::scalar(&[[3.0, 1.0]; 9], &mut out);
    assert!(out.iter().all(|v| (v - 2.0).abs() < 1e-12), "{out:?}");
    assert_eq!(names::check::REPORT.kernel, "check");
}

#[test]
fn tables_outside_of_kernels_have_their_values() {
    // Of two Gauss points a direction, all have the same weight.
    assert!(bare::WEIGHTS.iter().all(|w| (w - 0.25).abs() < 1e-16));
    // A table is an array in any expression, and does not need to be named.
    let corner = renamed::tabulate!(hexahedron, quadrature(1), points)[0];
    assert_eq!(corner.map(f64::to_bits), [0.5_f64.to_bits(); 3]);
    let sum: f64 = renamed::tabulate!(triangle, quadrature(7, symmetric), weights)
        .iter()
        .sum();
    assert!((sum - 0.5).abs() < 1e-15);
}
