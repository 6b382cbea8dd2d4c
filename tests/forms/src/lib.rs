//! The forms of the test suite and of the benchmarks, as a user writes them for `kernel!`.
//!
//! Each form comes for Lagrange elements of degree 1 to 4 on affine tetrahedra, in a module `p1`
//! to `p4`, and `p1_f` to `p4_f` where a coefficient function from the same space multiplies it.
//! A module has two kernels: `<form>_p<q>` over the cells of a mesh, `<form>_p<q>_cell` for one
//! cell. Both add to the matrices, row-major [test][trial]. `actions` has the forms' actions without
//! matrices.
//!
//! The geometry: `x[v]` are the vertices, `jacobian` is J[i][r] = ∂x_i/∂X_r, `inverse` gives
//! K = J⁻¹ and det J (of either sign), and a gradient is ∂φ/∂x_d = Σ_r K[r][d] ∂φ/∂X_r.
//!
//! Quadrature is exact: degree 2q for mass and Helmholtz, 2q - 2 for elasticity, q more with the
//! coefficient. A package of its own, so that the tests expand them once.

#![allow(clippy::needless_range_loop, reason = "the style of kernels")]
#![allow(clippy::too_many_arguments, reason = "each coefficient is one")]

#[macro_use]
#[path = "../../../examples/forms/nests/mod.rs"]
mod nests;

/// Two kernels with the geometry.
macro_rules! kernels {
    ($($kernels:tt)*) => { with_geometry! { as_kernels! { $($kernels)* } } };
}

/// One `kernel!`.
#[cfg(not(clippy))]
macro_rules! as_kernels {
    ($($text:tt)*) => { loopwright::kernel! { $($text)* } };
}

/// Kernels as written: lints are about the text, and what it expands to at other levels is long. The
/// local arrays of the actions, over any number type, are long as written.
#[cfg(clippy)]
macro_rules! as_kernels {
    ($(#[$attribute:meta])* pub fn $name:ident<$number:ident: $($bound:ident)::+>
     $parameters:tt $body:tt fn $($helpers:tt)*) => {
        loopwright::kernel! {
            $(#[$attribute])*
            #[opt(level = 1)]
            pub fn $name<$number: $($bound)::+> $parameters $body
            fn $($helpers)*
        }
    };
    ($($(#[$attribute:meta])* pub fn $name:ident $parameters:tt $body:tt)* fn $($helpers:tt)*) => {
        loopwright::kernel! {
            $($(#[$attribute])* #[opt(level = 0)] pub fn $name $parameters $body)*
            fn $($helpers)*
        }
    };
}

pub mod actions;
pub mod elasticity;
pub mod generic;
pub mod helmholtz;
pub mod hyperelasticity;
pub mod mass;
