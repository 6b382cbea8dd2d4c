//! The inputs of one call.

use super::guarded::{Guarded, Number};
use super::random::Random;

/// Trials of a kernel: some sizes at which loops are empty, short or have a remainder, and one
/// with inputs that may be out of bounds.
pub const TRIALS: usize = 6;

/// Sizes are at most this.
pub const LARGEST: i64 = 13;

/// An index type of maps.
pub trait Index: Copy {
    /// The index.
    fn of(value: i64) -> Self;
}

macro_rules! indices {
    ($($ty:ty)*) => {$(
        impl Index for $ty {
            fn of(value: i64) -> $ty {
                value as $ty
            }
        }
    )*};
}

indices!(usize u64 u32 u16 u8 isize i64 i32 i16 i8);

/// Sizes, and where the values come from.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Which one.
    pub number: usize,
    /// The first size.
    pub n: i64,
    /// The second size.
    pub m: i64,
    /// Slices may be too short, and entries of maps too large.
    pub wrong: bool,
    random: Random,
}

impl Trial {
    /// A trial of a kernel.
    pub fn new(seed: u64, number: usize) -> Trial {
        let mut random = Random::new(seed ^ (number as u64 + 1) << 40);
        let size = |random: &mut Random| random.below(LARGEST as usize + 1) as i64;
        let n = match number {
            0 => LARGEST,
            1 => 8,
            2 => random.below(3) as i64,
            _ => size(&mut random),
        };
        Trial {
            number,
            n,
            m: random.below(6) as i64,
            wrong: number + 1 == TRIALS,
            random,
        }
    }

    /// A scalar.
    pub fn number<S: Number>(&mut self) -> S {
        let random = &mut self.random;
        let value = match random.below(24) {
            0 => 0.0,
            1 => 1.0,
            2 => -1.0,
            _ => (random.bits() >> 11) as f64 / (1u64 << 51) as f64 - 2.0,
        };
        S::of(value)
    }

    /// A slice of the largest of some lengths.
    pub fn slice<T: Copy, S: Number>(&mut self, lengths: &[i64]) -> Guarded<T> {
        let length = self.length(lengths);
        let shift = self.random.below(16);
        Guarded::new(length, shift, || self.number::<S>())
    }

    /// An array.
    pub fn array<T: Copy, S: Number>(&mut self) -> Guarded<T> {
        let shift = self.random.below(16);
        Guarded::new(1, shift, || self.number::<S>())
    }

    /// A slice of indices below a limit.
    pub fn indices<T: Copy, S: Index>(&mut self, limit: i64, lengths: &[i64]) -> Guarded<T> {
        let length = self.length(lengths);
        let (shift, wrong) = (self.random.below(16), self.wrong);
        let random = &mut self.random;
        Guarded::new(length, shift, || {
            let beyond = wrong && random.chance(2);
            S::of(random.below(limit as usize) as i64 + if beyond { limit } else { 0 })
        })
    }

    /// An array of indices below a limit.
    pub fn index_array<T: Copy, S: Index>(&mut self, limit: i64) -> Guarded<T> {
        let (shift, random) = (self.random.below(16), &mut self.random);
        Guarded::new(1, shift, || S::of(random.below(limit as usize) as i64))
    }

    fn length(&mut self, lengths: &[i64]) -> usize {
        let largest = lengths.iter().copied().max().unwrap_or(0).max(0) as usize;
        if self.wrong && self.random.chance(15) {
            largest.saturating_sub(1)
        } else {
            largest
        }
    }
}
