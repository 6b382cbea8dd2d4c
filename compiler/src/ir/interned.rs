//! Which expression is which: a table of the nodes of a pool by what they are made of.
//!
//! The table holds numbers of nodes, and no copies of them: it is looked up for each expression that a
//! pass builds, and copied with each candidate that a pass weighs.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::expr::{Expr, ExprId};
use super::program::Element;
use crate::collections::HashSet;

/// A set of expressions that is asked often.
pub type ExprSet = HashSet<ExprId>;

/// Numbers of nodes by their hashes.
#[derive(Clone, Debug, Default)]
pub struct Interned {
    /// The lower half of a node's hash and its number plus one; zeros where there is none. A power of
    /// two of them, at most half of which are taken.
    slots: Vec<(u32, u32)>,
    count: usize,
}

impl Interned {
    /// The number of the node with a hash that `equal` says is the one.
    pub fn find(&self, hash: u64, equal: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = self.start(hash);
        loop {
            match self.slots[at] {
                (_, 0) => return None,
                (lower, next) if lower == hash as u32 && equal(next - 1) => {
                    return Some(next - 1);
                }
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Adds a node that is not there.
    pub fn insert(&mut self, hash: u64, id: u32) {
        if 2 * (self.count + 1) > self.slots.len() {
            self.grow();
        }
        self.put(hash as u32, id + 1);
        self.count += 1;
    }

    /// Where the search for a hash begins: its lower half says it, which is all that is kept.
    fn start(&self, hash: u64) -> usize {
        hash as u32 as usize & (self.slots.len() - 1)
    }

    fn put(&mut self, lower: u32, next: u32) {
        let mask = self.slots.len() - 1;
        let mut at = lower as usize & mask;
        while self.slots[at].1 != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = (lower, next);
    }

    fn grow(&mut self) {
        let length = (2 * self.slots.len()).max(64);
        let old = std::mem::replace(&mut self.slots, vec![(0, 0); length]);
        for (lower, next) in old {
            if next != 0 {
                self.put(lower, next);
            }
        }
    }
}

/// The hash of an expression over other expressions.
pub fn hash(expr: &Expr, element: Element) -> u64 {
    let mut hasher = FxHasher::default();
    std::mem::discriminant(expr).hash(&mut hasher);
    match expr {
        Expr::Constant(number) => (number.key(), element).hash(&mut hasher),
        Expr::Access(access) => access.hash(&mut hasher),
        Expr::Sum(terms) => {
            for term in terms {
                (term.coefficient.key(), term.expr).hash(&mut hasher);
            }
        }
        Expr::Product(factors) => factors.hash(&mut hasher),
        Expr::Call(function, arguments) => (function, arguments).hash(&mut hasher),
        Expr::Compare(operator, left, right) => (operator, left, right).hash(&mut hasher),
        Expr::Select(condition, then, otherwise) => (condition, then, otherwise).hash(&mut hasher),
        Expr::Cast(to, from) => (to, from).hash(&mut hasher),
    }
    hasher.finish()
}

/// Whether two expressions are the same node; an element type is a part of those alone that do not say it.
pub fn equal((left, own): (&Expr, Element), (right, other): (&Expr, Element)) -> bool {
    match (left, right) {
        (Expr::Constant(left), Expr::Constant(right)) => left.key() == right.key() && own == other,
        (Expr::Sum(left), Expr::Sum(right)) => {
            let mut pairs = left.iter().zip(right);
            left.len() == right.len()
                && own == other
                && pairs.all(|(left, right)| {
                    left.expr == right.expr && left.coefficient.key() == right.coefficient.key()
                })
        }
        (Expr::Product(left), Expr::Product(right)) => left == right && own == other,
        _ => left == right,
    }
}

#[cfg(test)]
mod tests {
    use super::Interned;

    #[test]
    fn nodes_of_one_hash_are_told_apart() {
        let mut ids = Interned::default();
        let hash = |id: u32| u64::from(id % 7);
        for id in 0..1000 {
            assert_eq!(ids.find(hash(id), |other| other == id), None);
            ids.insert(hash(id), id);
        }
        for id in 0..1000 {
            assert_eq!(ids.find(hash(id), |other| other == id), Some(id));
        }
    }
}
