//! What compiled batches link to: software vector units, guarded buffers, comparisons.
//!
//! The tool compiles this folder with `rustc` as a crate of its own, so that kernels can be built
//! without optimisation beside a vector unit and comparisons that are optimised: all that a batch
//! holds itself is kernels and calls of them. It is a module of the tool as well, which is how it
//! is checked and tested.

pub mod arguments;
pub mod case;
pub mod compare;
pub mod emulated;
pub mod guarded;
pub mod kernel;
pub mod pages;
pub mod random;
pub mod trial;
pub mod views;
