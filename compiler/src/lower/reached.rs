//! What the text accesses.

use crate::ir::{Access, IndexId};

/// A subscripted array, or a part of one: `x[e]` where `x[e][i]` is an element.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached {
    /// The array and its subscripts.
    pub access: Access,
    /// The loops around.
    pub domain: Vec<IndexId>,
}
