//! What is known of sums that are copies of others.

use super::expr::Access;
use super::program::{Equation, IndexId};

/// A fact about two sums, or about one: what `to` receives is what `from` receives where `first` and
/// `second`, loops of one length, have each other's values. Passes that keep the value of each sum keep
/// it true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// The target of one sum.
    pub from: Access,
    /// The target of the other; the same for a symmetric result.
    pub to: Access,
    /// A loop of both.
    pub first: IndexId,
    /// The loop that it is exchanged with.
    pub second: IndexId,
    /// The loops of the sums, where others go to the same targets for which this need not hold;
    /// `None` where it holds of all that the targets receive.
    pub sums: Option<Vec<IndexId>>,
}

impl Mirror {
    /// Whether an equation is a sum that goes to `target`, one of the two.
    pub fn is_of(&self, equation: &Equation, target: &Access) -> bool {
        let sums = self.sums.as_ref();
        equation.target == *target && sums.is_none_or(|sums| *sums == equation.reduction)
    }
}
