//! Differential testing of generated code: random kernels are expanded, compiled and run in every
//! instruction set, and compared with their own `reference`.
//!
//! ```text
//! cargo run --release -p loopwright-differential -- --kernels 1000 --seed 1
//! ```
//!
//! A kernel is a text with a description of its inputs ([`case`]); [`generator`] writes random
//! ones, the folder `regressions` holds those that once failed. [`batch`] expands many of them
//! with the compiler's own function, puts the expansions into one program, and runs that. Each
//! variant runs twice if the processor has its instructions: as it is, and as a copy whose
//! intrinsics are those of [`support::emulated`]; otherwise as the copy only.

pub mod batch;
pub mod case;
pub mod expansion;
pub mod generator;
pub mod minimise;
pub mod program;
pub mod toolchain;

#[path = "../support/lib.rs"]
pub mod support;
