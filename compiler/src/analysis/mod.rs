//! Facts about programs.

pub mod cost;
pub mod dependence;
pub mod domains;
pub mod fusion;
pub mod identity;
pub mod joint_axes;
pub mod magnitude;
pub mod range;
pub mod rounding;
pub mod structure;
pub mod subscripts;
pub mod totals;
pub mod traffic;
pub mod uses;
