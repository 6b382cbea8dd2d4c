//! The compiler behind loopwright: kernel text in, Rust with intrinsics out.
#![forbid(unsafe_code)]

pub mod number;
pub mod elements;
pub mod syntax;
pub mod ir;
pub mod lower;
pub mod analysis;
pub mod rewrite;
pub mod passes;
pub mod schedule;
