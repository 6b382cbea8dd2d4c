//! A small deterministic generator.

/// Its state, which is not 0.
pub struct Random(pub u64);

#[allow(dead_code, reason = "not all tests draw alike")]
impl Random {
    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % limit as u64) as usize
    }

    /// One of several.
    pub fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    /// True so often.
    pub fn chance(&mut self, of_100: usize) -> bool {
        self.below(100) < of_100
    }
}
