//! Integers as affine functions of atoms: parameters, variables of loops, and what a survey knows of others.

use std::collections::BTreeMap;

/// The largest factor: values of atoms times factors, and sums of many of them, fit into `i128`.
const MOST: i128 = 1 << 40;
/// The largest constant.
const MOST_CONSTANT: i128 = 1 << 108;
/// The most atoms.
const MOST_TERMS: usize = 64;

/// A constant, and factors of atoms, which are numbers here.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Form {
    /// What does not follow an atom.
    pub constant: i128,
    terms: BTreeMap<usize, i128>,
}

impl Form {
    /// A number.
    pub fn constant(constant: i128) -> Form {
        Form {
            constant,
            terms: BTreeMap::new(),
        }
    }

    /// An atom.
    pub fn atom(atom: usize) -> Form {
        Form {
            constant: 0,
            terms: BTreeMap::from([(atom, 1)]),
        }
    }

    /// The number that it is.
    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// This and a multiple of another; nothing where numbers become too large.
    pub fn plus(&self, factor: i128, other: &Form) -> Option<Form> {
        let mut sum = self.clone();
        sum.constant = sum
            .constant
            .checked_add(factor.checked_mul(other.constant)?)?;
        for (atom, c) in &other.terms {
            let of = sum.terms.entry(*atom).or_default();
            *of = of.checked_add(factor.checked_mul(*c)?)?;
            if of.abs() > MOST {
                return None;
            }
        }
        sum.terms.retain(|_, c| *c != 0);
        let small = sum.constant.abs() <= MOST_CONSTANT && sum.terms.len() <= MOST_TERMS;
        small.then_some(sum)
    }

    /// This and a number.
    pub fn plus_constant(&self, constant: i128) -> Option<Form> {
        self.plus(1, &Form::constant(constant))
    }

    /// A multiple.
    pub fn times(&self, factor: i128) -> Option<Form> {
        Form::default().plus(factor, self)
    }

    /// A product, where one of both is a number.
    pub fn product(&self, other: &Form) -> Option<Form> {
        match (self.as_constant(), other.as_constant()) {
            (Some(factor), _) => other.times(factor),
            (_, Some(factor)) => self.times(factor),
            (None, None) => None,
        }
    }

    /// Atoms and their factors.
    pub fn terms(&self) -> impl Iterator<Item = (usize, i128)> {
        self.terms.iter().map(|(atom, factor)| (*atom, *factor))
    }

    /// The atom and its factor, where there is one alone.
    pub fn only_term(&self) -> Option<(usize, i128)> {
        let mut terms = self.terms();
        terms.next().filter(|_| terms.next().is_none())
    }

    /// The atom of the highest number, with its factor, is taken out.
    pub fn pop(&mut self) -> Option<(usize, i128)> {
        self.terms.pop_last()
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, MOST};

    #[test]
    fn sums_cancel_and_stay_small() {
        let (i, n) = (Form::atom(1), Form::atom(0));
        let last = n.plus_constant(-1).unwrap();
        let sum = last.plus(-1, &i).unwrap();
        assert_eq!(sum.plus(1, &i), Some(last));
        assert_eq!(n.plus(-1, &n), Some(Form::constant(0)));
        assert_eq!(sum.clone().pop(), Some((1, -1)));
        assert!(n.times(MOST).is_some() && n.times(MOST + 1).is_none());
        assert_eq!(n.product(&i), None);
        assert_eq!(n.product(&Form::constant(3)), n.times(3));
    }
}
