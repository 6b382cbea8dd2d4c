//! The vector intrinsics that expansions use, in plain Rust: processors without AVX-512 can run
//! what is expanded for it, and every access to memory is checked against the guards around the
//! arguments.
//!
//! Names, signatures and results are those of `core::arch::x86_64`, so a copy of an expansion that
//! reads them from here needs no other change than its path and its target features.

mod conversions;
mod double;
pub mod functions;
mod halves;
mod integer;
mod macros;
mod masks;
mod memory;
mod moved;
mod narrow;
mod parts;
mod past_caches;
mod quarter;
mod shuffle;
mod single;
mod streams;
mod widths;
mod words;

pub use conversions::*;
pub use double::*;
pub use halves::*;
pub use integer::*;
pub use masks::*;
pub use memory::{Forbidden, forbid};
pub use moved::*;
pub use narrow::*;
pub use parts::*;
pub use past_caches::*;
pub use quarter::*;
pub use single::*;
pub use streams::*;
pub use widths::*;
pub use words::*;

#[cfg(test)]
mod integer_tests;
#[cfg(test)]
mod tests;
