//! Numerical loops in ordinary Rust, optimised while the crate compiles.
//!
//! `kernel!` takes loop nests written in plain Rust, reduces their operations, and expands to
//! code with vector intrinsics that picks the best instruction set when it runs. The text itself
//! stays the specification: it is the kernel's `reference`.
//!
//! ```
//! use loopwright::{kernel, tabulate};
//!
//! kernel! {
//!     /// Element matrices of ∫ u v on affine tetrahedra, P1.
//!     pub fn mass(cells: &[[[f64; 3]; 4]], a: &mut [[[f64; 4]; 4]]) {
//!         static W: [f64; 4] = tabulate!(tetrahedron, quadrature(2), weights);
//!         static PHI: [[f64; 4]; 4] = tabulate!(tetrahedron, quadrature(2), lagrange(1));
//!         for e in 0..cells.len() {
//!             let det = determinant(&cells[e]);
//!             for q in 0..4 {
//!                 for i in 0..4 {
//!                     for j in 0..4 {
//!                         a[e][i][j] += W[q] * det.abs() * PHI[q][i] * PHI[q][j];
//!                     }
//!                 }
//!             }
//!         }
//!     }
//!
//!     fn determinant(x: &[[f64; 3]; 4]) -> f64 {
//!         let mut j = [[0.0; 3]; 3];
//!         for r in 0..3 {
//!             for c in 0..3 {
//!                 j[r][c] = x[c + 1][r] - x[0][r];
//!             }
//!         }
//!         j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1])
//!             - j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0])
//!             + j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0])
//!     }
//! }
//!
//! let cells = vec![[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]; 5];
//! let mut a = vec![[[0.0; 4]; 4]; 5];
//! mass(&cells, &mut a);
//! assert!((a[4][0][0] - 1.0 / 60.0).abs() < 1e-15);
//! assert!(mass::REPORT.expansion.operations() < mass::REPORT.source.operations());
//! ```
#![cfg_attr(not(feature = "std"), no_std)]

pub use loopwright_macros::{opt, tabulate};
#[cfg(feature = "std")]
pub use loopwright_runtime::Counted;
pub use loopwright_runtime::{
    AlignedVec, Cost, Isa, PaddedArray2, PassReport, Real, Report, Scalar, Unavailable,
};

/// Optimises the functions written in it. See the [crate's documentation](crate).
#[macro_export]
macro_rules! kernel {
    ($($text:tt)*) => {
        $crate::__private::expand_kernel! { $crate; $($text)* }
    };
}

/// For expanded code only.
#[doc(hidden)]
pub mod __private {
    pub use loopwright_macros::expand_kernel;
    pub use loopwright_runtime::*;
}
