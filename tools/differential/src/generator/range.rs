//! What values integers have, as functions of the two sizes.

use std::fmt;

use crate::support::trial::LARGEST;

/// `n * n' + m * m' + constant`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linear {
    pub n: i64,
    pub m: i64,
    pub constant: i64,
}

impl Linear {
    pub fn constant(constant: i64) -> Linear {
        Linear {
            n: 0,
            m: 0,
            constant,
        }
    }

    /// One of the sizes plus a constant.
    pub fn size(size: char, constant: i64) -> Linear {
        Linear {
            n: i64::from(size == 'n'),
            m: i64::from(size == 'm'),
            constant,
        }
    }

    pub fn plus(self, other: Linear) -> Linear {
        Linear {
            n: self.n + other.n,
            m: self.m + other.m,
            constant: self.constant + other.constant,
        }
    }

    pub fn times(self, factor: i64) -> Linear {
        Linear {
            n: self.n * factor,
            m: self.m * factor,
            constant: self.constant * factor,
        }
    }

    /// The value, where it does not depend on sizes.
    pub fn known(self) -> Option<i64> {
        (self.n == 0 && self.m == 0).then_some(self.constant)
    }

    /// The largest value.
    pub fn largest(self) -> i64 {
        self.n * LARGEST + self.m * 5 + self.constant
    }
}

impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open = false;
        for (factor, name) in [(self.n, "n"), (self.m, "m")] {
            if factor != 0 {
                write!(f, "{}", if open { " + " } else { "" })?;
                match factor {
                    1 => write!(f, "{name}")?,
                    _ => write!(f, "{factor} * {name}")?,
                }
                open = true;
            }
        }
        match self.constant {
            0 if open => Ok(()),
            c if open && c < 0 => write!(f, " - {}", -c),
            c if open => write!(f, " + {c}"),
            c => write!(f, "{c}"),
        }
    }
}

/// An integer variable of the kernel.
#[derive(Clone, Debug)]
pub struct Integer {
    pub name: String,
    /// Its smallest value.
    pub low: i64,
    /// Its largest one.
    pub high: Linear,
    /// It is a loop's variable.
    pub is_loop: bool,
    /// It is an entry of an index map.
    pub is_mapped: bool,
}

impl Integer {
    /// Iterations at most, of a loop.
    pub fn trips(&self) -> f64 {
        (self.high.largest() - self.low + 1).max(1) as f64
    }
}
