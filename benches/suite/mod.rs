//! Mass, Helmholtz and elasticity, for Lagrange elements of degree 1 to 4 on affine tetrahedra, multiplied by zero to three coefficient functions.
//!
//! These are the forms that Luporini, Ham and Kelly (2017, section 7) measure. A kernel
//! `<form>::level<l>::q<q>_nf<nf>::assemble` adds the element matrices of all cells, row-major [test][trial],
//! the degrees of freedom of vectors interleaved. Its coefficients are per cell. The
//! quadrature is the one that FFCx takes; three instances are left out whose rules have thousands of
//! points.

#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

pub mod elasticity;
pub mod helmholtz;
pub mod mass;

/// A kernel with the helpers that all of them call: J[i][r] = ∂x_i/∂X_r, K = J⁻¹ and det J.
macro_rules! with_geometry {
    ($($kernel:tt)*) => {
        loopwright::kernel! {
            $($kernel)*

            fn jacobian(x: &[[f64; 3]; 4]) -> [[f64; 3]; 3] {
                let mut j = [[0.0; 3]; 3];
                for i in 0..3 {
                    for r in 0..3 {
                        j[i][r] = x[r + 1][i] - x[0][i];
                    }
                }
                j
            }

            fn inverse(j: [[f64; 3]; 3]) -> ([[f64; 3]; 3], f64) {
                let mut k = [
                    [
                        j[1][1] * j[2][2] - j[1][2] * j[2][1],
                        j[0][2] * j[2][1] - j[0][1] * j[2][2],
                        j[0][1] * j[1][2] - j[0][2] * j[1][1],
                    ],
                    [
                        j[1][2] * j[2][0] - j[1][0] * j[2][2],
                        j[0][0] * j[2][2] - j[0][2] * j[2][0],
                        j[0][2] * j[1][0] - j[0][0] * j[1][2],
                    ],
                    [
                        j[1][0] * j[2][1] - j[1][1] * j[2][0],
                        j[0][1] * j[2][0] - j[0][0] * j[2][1],
                        j[0][0] * j[1][1] - j[0][1] * j[1][0],
                    ],
                ];
                let det = j[0][0] * k[0][0] + j[0][1] * k[1][0] + j[0][2] * k[2][0];
                let scale = 1.0 / det;
                for r in 0..3 {
                    for d in 0..3 {
                        k[r][d] *= scale;
                    }
                }
                (k, det)
            }
        }
    };
}
use with_geometry;
