//! The compiler behind loopwright.
#![forbid(unsafe_code)]

pub mod ir;
pub mod schedule;
pub mod syntax;
