//! The program: what a kernel computes, as single-assignment equations over index domains.
//!
//! An equation has no loops; they are built later by [`crate::schedule`]. Expressions are
//! hash-consed and n-ary. Sums and products keep the order in which they were built, and are
//! evaluated from left to right, so that a program that no pass touched has the bits of the
//! source; passes that may reassociate say so.

mod affine;
mod chunked;
mod combining;
mod expr;
mod extent;
mod foreseen;
mod interned;
mod layout;
mod mirror;
mod program;
mod progression;
mod recurrence;
mod seen;
mod shared;
pub mod text;
mod unique;
mod writers;

pub use affine::{Affine, Atom};
pub use combining::{Combining, Operator};
pub use expr::{Access, Expr, ExprId, Factor, Pool, Term, map_operands};
pub use extent::Extent;
pub use foreseen::{Foreseen, Step};
pub use interned::ExprSet;
pub use mirror::Mirror;
pub use program::{Array, ArrayId, Element, Equation, Index, IndexId, Part, Program, Role};
pub use progression::Progression;
pub use shared::Shared;
pub use unique::ArrayNames;
