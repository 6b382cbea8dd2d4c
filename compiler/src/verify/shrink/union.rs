//! Disjoint sets of numbers.

/// Sets that are joined.
#[derive(Clone, Debug)]
pub struct Union(Vec<usize>);

impl Union {
    /// Each number by itself.
    pub fn new(count: usize) -> Union {
        Union((0..count).collect())
    }

    /// What stands for the set that a number is in: the same for all of the set.
    pub fn root(&self, mut at: usize) -> usize {
        while self.0[at] != at {
            at = self.0[at];
        }
        at
    }

    /// Joins two sets.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}
