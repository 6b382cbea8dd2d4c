//! Validation finds defects in the parts of loops that a pass split, where the program says of itself what it
//! does, and in entries of tables, wherever they are.

#[path = "support/planted.rs"]
mod planted;

use loopwright_compiler::driver::{Defect, InternalErrors, Parts};
use planted::{assert_found, expansion};

/// Functions of a vector-valued element, most entries of whose tables are zero.
const VECTOR: &str = "
    pub fn divergence(u: &[[f64; 30]], y: &mut [[f64; 10]]) {
        static W: [f64; 14] = tabulate!(tetrahedron, quadrature(4), weights);
        static V: [[[f64; 30]; 14]; 3] =
            tabulate!(tetrahedron, quadrature(4), vector(lagrange(2)));
        static PHI: [[f64; 10]; 14] = tabulate!(tetrahedron, quadrature(4), lagrange(2));
        for e in 0..u.len() {
            for q in 0..14 {
                let mut f = 0.0;
                for k in 0..30 {
                    f += V[0][q][k] * u[e][k] * u[e][k];
                }
                for i in 0..10 {
                    y[e][i] += W[q] * f * f * PHI[q][i];
                }
            }
        }
    }";

/// Loops that are longer than what an interpretation runs of them.
const LONG: &str = "
    pub fn mass(c: &[f64], a: &mut [[[f64; 15]; 15]]) {
        static W: [f64; 25] = tabulate!(triangle, quadrature(9, gauss_jacobi), weights);
        static PHI: [[f64; 15]; 25] = tabulate!(triangle, quadrature(9, gauss_jacobi), lagrange(4));
        for e in 0..c.len() {
            for q in 0..25 {
                for i in 0..15 {
                    for j in 0..15 {
                        a[e][i][j] += c[e] * W[q] * PHI[q][i] * PHI[q][j];
                    }
                }
            }
        }
    }";

/// A table that is read as it stands.
const WEIGHTED: &str = "
    pub fn weighted(x: &[[f64; 24]], y: &mut [[f64; 24]]) {
        static T: [f64; 24] = [
            1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0,
            13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0,
        ];
        for e in 0..x.len() {
            for i in 0..24 {
                y[e][i] += T[i] * x[e][i];
            }
        }
    }";

#[test]
fn sound_kernels_have_no_error() {
    for text in [VECTOR, LONG, WEIGHTED] {
        let expansion = expansion(text, None, Defect::Value, InternalErrors::Strict);
        assert!(!expansion.contains("compile_error"), "{expansion}");
        assert!(!expansion.contains("runs as written, compiled for each"));
    }
}

#[test]
fn parts_that_are_no_partition_are_found() {
    for parts in [
        Parts::Dropped,
        Parts::Shifted,
        Parts::Repeated,
        Parts::Missing,
    ] {
        assert_found(VECTOR, "zero_blocks", Defect::Parts(parts));
    }
}

#[test]
fn wrong_entries_are_found_wherever_they_are() {
    for stage in ["lower", "merge", "pre_evaluation", "schedule"] {
        assert_found(LONG, stage, Defect::Entry);
    }
    for stage in ["lower", "merge", "schedule"] {
        assert_found(WEIGHTED, stage, Defect::Entry);
    }
}
