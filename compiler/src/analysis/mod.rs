//! Facts about programs.

pub mod cost;
pub mod uses;
