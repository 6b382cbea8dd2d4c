//! Mass, Helmholtz, elasticity and hyperelasticity, for Lagrange elements of degree 1 to 4 on affine
//! tetrahedra, multiplied by zero to three coefficient functions.
//!
//! These are the forms that Luporini, Ham and Kelly (2017, section 7) measure. A kernel
//! `<form>::level<l>::q<q>_nf<nf>::assemble` adds the element matrices of all cells, row-major
//! [test][trial], the degrees of freedom of vectors interleaved. Its coefficients are per cell. The
//! quadrature is the one that FFCx takes; elasticity of degree 4 with three coefficients is left out,
//! and hyperelasticity of degree 4 with two and three, which no peer was measured on. What becomes of
//! a kernel's text is for the bench to say, with a macro `form!`.

#![allow(clippy::needless_range_loop, reason = "the style of kernels")]
#![allow(clippy::too_many_arguments, reason = "each coefficient is one")]

#[macro_use]
#[path = "../../tests/forms/src/geometry.rs"]
mod geometry;
#[macro_use]
#[path = "../../tests/forms/src/hyperelasticity_nest.rs"]
mod hyperelasticity_nest;

pub mod elasticity;
pub mod helmholtz;
pub mod hyperelasticity;
pub mod mass;

/// All instances of a form of scalar functions at a level. Mass and Helmholtz take equal quadrature.
macro_rules! scalar_instances {
    ($form:ident, $level:literal) => {
        $form!(q1_nf0, level: $level, lagrange: 1, nodes: 4, quadrature: 2, points: 4);
        $form!(q1_nf1, level: $level, lagrange: 1, nodes: 4, quadrature: 3, points: 5, w0 f0);
        $form!(q1_nf2, level: $level, lagrange: 1, nodes: 4, quadrature: 4, points: 14, w0 f0, w1 f1);
        $form!(q1_nf3, level: $level, lagrange: 1, nodes: 4, quadrature: 5, points: 15, w0 f0, w1 f1, w2 f2);
        $form!(q2_nf0, level: $level, lagrange: 2, nodes: 10, quadrature: 4, points: 14);
        $form!(q2_nf1, level: $level, lagrange: 2, nodes: 10, quadrature: 6, points: 24, w0 f0);
        $form!(q2_nf2, level: $level, lagrange: 2, nodes: 10, quadrature: 8, points: 45, w0 f0, w1 f1);
        $form!(q2_nf3, level: $level, lagrange: 2, nodes: 10, quadrature: 10, points: 74, w0 f0, w1 f1, w2 f2);
        $form!(q3_nf0, level: $level, lagrange: 3, nodes: 20, quadrature: 6, points: 24);
        $form!(q3_nf1, level: $level, lagrange: 3, nodes: 20, quadrature: 9, points: 57, w0 f0);
        $form!(q3_nf2, level: $level, lagrange: 3, nodes: 20, quadrature: 12, points: 122, w0 f0, w1 f1);
        $form!(q3_nf3, level: $level, lagrange: 3, nodes: 20, quadrature: 15, points: 214, w0 f0, w1 f1, w2 f2);
        $form!(q4_nf0, level: $level, lagrange: 4, nodes: 35, quadrature: 8, points: 45);
        $form!(q4_nf1, level: $level, lagrange: 4, nodes: 35, quadrature: 12, points: 122, w0 f0);
        $form!(q4_nf2, level: $level, lagrange: 4, nodes: 35, quadrature: 16, points: 729, w0 f0, w1 f1);
        $form!(q4_nf3, level: $level, lagrange: 4, nodes: 35, quadrature: 20, points: 1331, w0 f0, w1 f1, w2 f2);
    };
}
pub(crate) use scalar_instances;

/// All instances of a form of vector functions at a level.
macro_rules! vector_instances {
    ($form:ident, $level:literal) => {
        $form!(q1_nf0, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1);
        $form!(q1_nf1, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1, w0 f0);
        $form!(q1_nf2, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 2, points: 4, w0 f0, w1 f1);
        $form!(q1_nf3, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 3, points: 5, w0 f0, w1 f1, w2 f2);
        $form!(q2_nf0, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 2, points: 4);
        $form!(q2_nf1, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 4, points: 14, w0 f0);
        $form!(q2_nf2, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 6, points: 24, w0 f0, w1 f1);
        $form!(q2_nf3, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 8, points: 45, w0 f0, w1 f1, w2 f2);
        $form!(q3_nf0, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 4, points: 14);
        $form!(q3_nf1, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 7, points: 31, w0 f0);
        $form!(q3_nf2, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 10, points: 74, w0 f0, w1 f1);
        $form!(q3_nf3, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 13, points: 146, w0 f0, w1 f1, w2 f2);
        $form!(q4_nf0, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 6, points: 24);
        $form!(q4_nf1, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 10, points: 74, w0 f0);
        $form!(q4_nf2, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 14, points: 177, w0 f0, w1 f1);
    };
}
pub(crate) use vector_instances;

/// All instances of hyperelasticity at a level: from degree 4 with two coefficients on, no peer was
/// measured.
macro_rules! hyperelastic_instances {
    ($form:ident, $level:literal) => {
        $form!(q1_nf0, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1);
        $form!(q1_nf1, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1, w0 f0);
        $form!(q1_nf2, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1, w0 f0, w1 f1);
        $form!(q1_nf3, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1, w0 f0, w1 f1, w2 f2);
        $form!(q2_nf0, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 4, points: 14);
        $form!(q2_nf1, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 5, points: 15, w0 f0);
        $form!(q2_nf2, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 6, points: 24, w0 f0, w1 f1);
        $form!(q2_nf3, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 7, points: 31, w0 f0, w1 f1, w2 f2);
        $form!(q3_nf0, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 8, points: 45);
        $form!(q3_nf1, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 10, points: 74, w0 f0);
        $form!(q3_nf2, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 12, points: 122, w0 f0, w1 f1);
        $form!(q3_nf3, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 14, points: 177, w0 f0, w1 f1, w2 f2);
        $form!(q4_nf0, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 12, points: 122);
        $form!(q4_nf1, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 15, points: 214, w0 f0);
    };
}
pub(crate) use hyperelastic_instances;

/// The modules of the levels, of instances that a macro lists.
macro_rules! levels {
    ($instances:ident, $form:ident) => {
        /// At level 2.
        #[cfg(not(clippy))]
        pub mod level2 {
            crate::suite::$instances!($form, 2);
        }

        /// At level 3, the default.
        #[cfg(not(clippy))]
        pub mod level3 {
            crate::suite::$instances!($form, 3);
        }

        /// As written: lints are about the text, and what it expands to at other levels is long.
        #[cfg(clippy)]
        pub mod level3 {
            crate::suite::$instances!($form, 0);
        }

        #[cfg(clippy)]
        pub use level3 as level2;
    };
}
use levels;
