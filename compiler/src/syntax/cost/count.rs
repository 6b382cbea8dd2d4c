//! Counts, and sums of them over loops.

use crate::syntax::ast::BinaryOperator;

/// Counted operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Additions and subtractions.
    pub add: u64,
    /// Multiplications.
    pub mul: u64,
    /// Divisions.
    pub div: u64,
    /// Comparisons, minima and maxima.
    pub compare: u64,
    /// Elementary functions.
    pub call: u64,
}

impl Operations {
    /// One operation.
    pub fn of(operator: BinaryOperator) -> Operations {
        let mut result = Operations::default();
        match operator {
            BinaryOperator::Add | BinaryOperator::Subtract => result.add = 1,
            BinaryOperator::Multiply => result.mul = 1,
            BinaryOperator::Divide | BinaryOperator::Remainder => result.div = 1,
        }
        result
    }

    /// Adds others.
    pub fn plus(&mut self, other: Operations) {
        *self = self.zip(other, u64::saturating_add);
    }

    /// So many times.
    pub fn times(self, n: u64) -> Operations {
        self.zip(Operations::default(), |own, _| own.saturating_mul(n))
    }

    fn zip(self, other: Operations, of: impl Fn(u64, u64) -> u64) -> Operations {
        Operations {
            add: of(self.add, other.add),
            mul: of(self.mul, other.mul),
            div: of(self.div, other.div),
            compare: of(self.compare, other.compare),
            call: of(self.call, other.call),
        }
    }

    /// All of them.
    pub fn total(self) -> u64 {
        [self.add, self.mul, self.div, self.compare, self.call]
            .into_iter()
            .fold(0, u64::saturating_add)
    }
}

/// The degree of the polynomials in the iteration that operations of longer ones are taken for.
pub const DEGREE: usize = 4;

/// Operations inside of run-time loops, and outside of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Inside.
    pub each: Operations,
    /// Outside.
    pub once: Operations,
}

impl Count {
    /// Adds others.
    pub fn plus(&mut self, other: Count) {
        self.each.plus(other.each);
        self.once.plus(other.once);
    }

    /// So many times.
    pub fn times(self, n: i64) -> Count {
        let n = u64::try_from(n).unwrap_or(0);
        Count {
            each: self.each.times(n),
            once: self.once.times(n),
        }
    }

    /// All operations.
    pub fn total(self) -> u64 {
        self.each.total().saturating_add(self.once.total())
    }

    /// All counts, in one order.
    pub fn numbers(self) -> [u64; 10] {
        let of = |o: Operations| [o.add, o.mul, o.div, o.compare, o.call];
        let ([a, b, c, d, e], [f, g, h, i, j]) = (of(self.each), of(self.once));
        [a, b, c, d, e, f, g, h, i, j]
    }

    /// The counts in that order.
    pub fn from_numbers([a, b, c, d, e, f, g, h, i, j]: [u64; 10]) -> Count {
        let of = |[add, mul, div, compare, call]: [u64; 5]| Operations {
            add,
            mul,
            div,
            compare,
            call,
        };
        Count {
            each: of([a, b, c, d, e]),
            once: of([f, g, h, i, j]),
        }
    }
}

/// The sum of a polynomial over `0..count`, by its first values; its value at an iteration.
pub fn newton(values: &[i128], count: i128, at: i128) -> (i128, i128) {
    let mut differences = values.to_vec();
    let (mut sum, mut value) = (0, 0);
    // Binomial coefficients of `count` and `at`.
    let (mut over_count, mut over_at) = (count, 1);
    for k in 0..values.len() as i128 {
        let first = differences[0];
        sum = i128::saturating_add(sum, first.saturating_mul(over_count));
        value = i128::saturating_add(value, first.saturating_mul(over_at));
        over_count = over_count.saturating_mul(count - k - 1) / (k + 2);
        over_at = over_at.saturating_mul(at - k) / (k + 1);
        differences = differences
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .collect();
    }
    (sum, value)
}
