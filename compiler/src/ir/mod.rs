//! The program: what a kernel computes, as single-assignment equations over index domains.
//!
//! An equation has no loops; they are built later by [`crate::schedule`]. Expressions are
//! hash-consed and n-ary. Sums and products keep the order in which they were built, and are
//! evaluated from left to right, so that a program that no pass touched has the bits of the
//! source; passes that may reassociate say so.

mod affine;
mod expr;
mod program;
mod recurrence;
pub mod text;
mod unique;
mod writers;

pub use affine::{Affine, Atom};
pub use expr::{Access, Expr, ExprId, Factor, Pool, Term};
pub use program::{
    Array, ArrayId, Blocked, Element, Equation, Extent, Index, IndexId, Mirror, Operator, Program,
    Progression, Role, Split,
};
pub use unique::ArrayNames;
