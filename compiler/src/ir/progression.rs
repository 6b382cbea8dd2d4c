//! Some iterations of a loop.

/// Some iterations of a loop: `start + stride * k`, for `k` from 0 to `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Progression {
    /// The first.
    pub start: usize,
    /// From one to the next.
    pub stride: usize,
    /// How many.
    pub count: usize,
}

impl Progression {
    /// All iterations of a loop.
    pub fn whole(count: usize) -> Progression {
        Progression {
            start: 0,
            stride: 1,
            count,
        }
    }

    /// The iterations.
    pub fn iterations(self) -> impl Iterator<Item = usize> {
        (0..self.count).map(move |k| self.start + self.stride * k)
    }

    /// As a range of Rust's.
    pub fn describe(self) -> String {
        let end = self.start + self.stride * self.count.saturating_sub(1) + 1;
        match self.stride {
            1 => format!("{}..{end}", self.start),
            stride => format!("({}..{end}).step_by({stride})", self.start),
        }
    }
}
