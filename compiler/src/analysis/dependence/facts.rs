//! What is known of integers at run time.

use std::collections::BTreeMap;

use super::unsigned;
use crate::ir::{Affine, Atom, Program};

/// Facts that are used one after the other for one proof.
const DEEPEST: usize = 6;

/// Affine functions that are not negative: lengths, unsigned integers, what is left of the extents
/// of loops that run.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    known: Vec<Sum>,
}

/// An affine function with room for products.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sum {
    terms: BTreeMap<Atom, i128>,
    constant: i128,
}

impl Sum {
    fn of(affine: &Affine) -> Sum {
        Sum {
            terms: affine
                .terms
                .iter()
                .map(|(atom, c)| (atom.clone(), i128::from(*c)))
                .collect(),
            constant: i128::from(affine.constant),
        }
    }

    /// `self · by - other · times`.
    fn combine(&self, by: i128, other: &Sum, times: i128) -> Option<Sum> {
        let constant = self.constant.checked_mul(by)?;
        let mut result = Sum {
            terms: BTreeMap::new(),
            constant: constant.checked_sub(other.constant.checked_mul(times)?)?,
        };
        for (atom, c) in &self.terms {
            result.terms.insert(atom.clone(), c.checked_mul(by)?);
        }
        for (atom, c) in &other.terms {
            let entry = result.terms.entry(atom.clone()).or_insert(0);
            *entry = entry.checked_sub(c.checked_mul(times)?)?;
        }
        result.terms.retain(|_, c| *c != 0);
        Some(result)
    }
}

impl Facts {
    /// Assumes that a function is not negative, and what is known of its atoms.
    pub fn assume(&mut self, program: &Program, affine: Affine) {
        self.know(program, &affine);
        self.more(affine);
    }

    /// Takes down what is known of a function's atoms.
    pub fn know(&mut self, program: &Program, affine: &Affine) {
        for (atom, _) in &affine.terms {
            let positive = match atom {
                Atom::Length(..) => true,
                Atom::Scalar(array) => unsigned(program, *array),
                Atom::Index(_) | Atom::Map(..) => false,
            };
            if positive {
                self.more(Affine::atom(atom.clone()));
            }
        }
    }

    /// Assumes that a function is not negative.
    pub fn more(&mut self, affine: Affine) {
        let sum = Sum::of(&affine);
        if !sum.terms.is_empty() && !self.known.contains(&sum) {
            self.known.push(sum);
        }
    }

    /// Whether a function is at least `least`, whatever the integers are.
    pub fn at_least(&self, affine: &Affine, least: i64) -> bool {
        let mut sum = Sum::of(affine);
        sum.constant -= i128::from(least);
        self.nonnegative(&sum, DEEPEST)
    }

    /// Takes multiples of facts away until a number is left.
    fn nonnegative(&self, sum: &Sum, depth: usize) -> bool {
        let Some((atom, c)) = sum.terms.first_key_value() else {
            return sum.constant >= 0;
        };
        depth > 0
            && self.known.iter().any(|fact| {
                let Some(f) = fact.terms.get(atom) else {
                    return false;
                };
                f.signum() == c.signum()
                    && sum
                        .combine(f.abs(), fact, c.abs())
                        .is_some_and(|rest| self.nonnegative(&rest, depth - 1))
            })
    }
}
