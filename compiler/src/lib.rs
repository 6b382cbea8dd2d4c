//! The compiler behind loopwright.
#![forbid(unsafe_code)]
