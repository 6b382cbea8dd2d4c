//! The compiler behind loopwright.
#![forbid(unsafe_code)]

pub mod elements;
pub mod number;
