//! The compiler behind loopwright: kernel text in, Rust with intrinsics out.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod elements;
pub mod ir;
pub mod lower;
pub mod number;
pub mod passes;
pub mod rewrite;
pub mod schedule;
pub mod syntax;
pub mod verify;
