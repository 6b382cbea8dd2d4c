//! The forms as loops, as a user writes them: macros whose arguments are element, quadrature and
//! coefficient functions, and the macro that takes the kernel. The example, the tests and the
//! benchmarks share them.

#![allow(unused_macros, reason = "each program uses a part")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]
#![allow(clippy::too_many_arguments, reason = "each coefficient is one")]

#[macro_use]
mod geometry;
#[macro_use]
mod actions;
#[macro_use]
mod hyperelasticity;
#[macro_use]
mod matrices;
