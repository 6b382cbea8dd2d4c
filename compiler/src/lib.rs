//! The compiler behind loopwright: kernel text in, Rust with intrinsics out.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod collections;
pub mod diagnostics;
pub mod driver;
pub mod elements;
pub mod emit;
pub mod ir;
pub mod lower;
pub mod machine;
pub mod number;
pub mod passes;
pub mod report;
pub mod rewrite;
pub mod schedule;
pub mod syntax;
pub mod verify;

pub use driver::{InternalErrors, Settings, expand, expand_under, tabulate};
pub use report::Destination;
