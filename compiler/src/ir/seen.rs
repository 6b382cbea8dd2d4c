//! Sets of expressions that are built anew many thousand times: which ones a walk through a pool has met.

use std::cell::RefCell;

use super::expr::ExprId;

/// The expressions that a walk has met.
#[derive(Default)]
pub struct Seen {
    /// The number of the walk.
    walk: u32,
    /// The last walk that has met each expression.
    by: Vec<u32>,
}

impl Seen {
    /// Notes an expression; whether it is new.
    pub fn insert(&mut self, expr: ExprId) -> bool {
        let walk = self.walk;
        std::mem::replace(&mut self.by[expr.0 as usize], walk) != walk
    }
}

thread_local! {
    // A walk takes as long as what it meets, however large the pool is.
    static SEEN: RefCell<Seen> = RefCell::default();
}

/// Walks through a pool of so many expressions, of which none has been met. No walk begins another one.
pub fn begin(length: usize, walk: impl FnOnce(&mut Seen)) {
    SEEN.with_borrow_mut(|seen| {
        if seen.walk == u32::MAX {
            *seen = Seen::default();
        }
        seen.walk += 1;
        if seen.by.len() < length {
            seen.by.resize(length, 0);
        }
        walk(seen);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_walk_meets_all_anew() {
        for length in [1, 3, 2] {
            begin(length, |seen| {
                let ids = (0..length as u32).chain(0..length as u32);
                let new: Vec<bool> = ids.map(|id| seen.insert(ExprId(id))).collect();
                assert_eq!(new, [vec![true; length], vec![false; length]].concat());
            });
        }
    }
}
