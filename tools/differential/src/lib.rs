//! Differential testing of generated code: random kernels are expanded, compiled and run in every
//! instruction set, and compared with their own `reference`.
//!
//! ```text
//! cargo run --release -p loopwright-differential -- --kernels 1000 --seed 1
//! ```
//!
//! A kernel is a text with a description of its inputs ([`case`]); [`generator`] writes random
//! ones, the folder `regressions` holds those that once failed. [`batch`] expands many of them
//! at every level with the compiler's own function, puts the expansions into one program, and runs
//! that. Each variant runs if the processor has its instructions, and as a copy whose intrinsics
//! are those of [`support::emulated`] if it lacks them; in one of a few kernels, all that have
//! vectors run as copies too. Code that several levels or instruction sets share runs once.

pub mod batch;
pub mod draw;
pub mod expansion;
pub mod generator;
mod items;
pub mod jobs;
pub mod minimise;
pub mod plans;
pub mod program;
mod tokens;
pub mod toolchain;

#[path = "../support/lib.rs"]
pub mod support;

pub use support::case;
pub use tokens::emulated;
