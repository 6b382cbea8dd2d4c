//! What straight-line code asks of the ports of a processor.

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

    /// Two arithmetic operations, two loads, one store, one shuffle a cycle.
    pub fn cycles(&self, memory: f64) -> f64 {
        let issue = (self.arithmetic + self.loads + self.stores + self.shuffles) / 4.0;
        (self.arithmetic / 2.0)
            .max(self.loads * memory / 2.0)
            .max(self.stores)
            .max(self.shuffles)
            .max(issue)
            + 4.0 * self.divisions
    }
}
