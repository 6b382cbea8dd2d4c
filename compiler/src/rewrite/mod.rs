//! The operators that passes are made of.

pub mod normalise;
pub mod rename;
