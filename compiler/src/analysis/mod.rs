//! Facts about programs.

pub mod cost;
pub mod dependence;
pub mod identity;
pub mod uses;
