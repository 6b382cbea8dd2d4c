//! What straight-line code asks of the ports of a processor.

use crate::machine::{ARITHMETIC, DIVISION, ISSUED, LOADS, SHUFFLES, STORES};

/// Port pressure of some code, in micro-operations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pressure {
    /// Additions, multiplications, comparisons.
    pub arithmetic: f64,
    /// Loads.
    pub loads: f64,
    /// Stores.
    pub stores: f64,
    /// Shuffles, inserts and extracts.
    pub shuffles: f64,
    /// Divisions and square roots.
    pub divisions: f64,
}

impl Pressure {
    /// Adds what other code takes so many times.
    pub fn add(&mut self, other: Pressure, times: f64) {
        self.arithmetic += other.arithmetic * times;
        self.loads += other.loads * times;
        self.stores += other.stores * times;
        self.shuffles += other.shuffles * times;
        self.divisions += other.divisions * times;
    }

    /// Cycles of the port that has most to do, where loads take so much longer than from the first-level cache.
    pub fn cycles(&self, memory: f64) -> f64 {
        let issue = (self.arithmetic + self.loads + self.stores + self.shuffles) / ISSUED;
        (self.arithmetic / ARITHMETIC)
            .max(self.loads * memory / LOADS)
            .max(self.stores / STORES)
            .max(self.shuffles / SHUFFLES)
            .max(issue)
            + DIVISION * self.divisions
    }
}
