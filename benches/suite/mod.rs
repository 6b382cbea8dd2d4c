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

pub mod elasticity;
pub mod helmholtz;
pub mod hyperelasticity;
pub mod mass;

/// The modules of the levels, of instances that a macro lists.
macro_rules! levels {
    ($instances:ident, $form:ident) => {
        /// At level 2.
        #[cfg(not(clippy))]
        pub mod level2 {
            $instances!($form, 2);
        }

        /// At level 3, the default.
        #[cfg(not(clippy))]
        pub mod level3 {
            $instances!($form, 3);
        }

        /// As written: lints are about the text, and what it expands to at other levels is long.
        #[cfg(clippy)]
        pub mod level3 {
            $instances!($form, 0);
        }

        // Not all that include this look at both levels.
        #[cfg(clippy)]
        #[allow(unused_imports)]
        pub use level3 as level2;
    };
}
use levels;
