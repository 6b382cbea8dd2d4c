//! The equation of one dimension: the first access's subscript is the second one's.

use super::single::{self, Line};
use super::{Answer, Common, Direction, Facts, extent, several, small, varies};
use crate::ir::{Affine, Atom, IndexId, Program};

/// `Σ first·x - Σ second·y + Σ others·z + constant = 0`, where x and y are the iterations of the
/// common loops in which the first and the second access are made, and z those of other loops.
#[derive(Clone, Debug)]
pub struct Dimension {
    /// Coefficients of the common loops, of the first access and of the second one.
    pub pairs: Vec<(i64, i64)>,
    /// Coefficients of the other loops, with their extents.
    pub others: Vec<(i64, Option<Affine>)>,
    /// What has no loop in it.
    pub constant: Affine,
}

impl Dimension {
    /// The equation of two subscripts; `None` if one of them goes through an index map that a loop
    /// runs over, or has very large coefficients.
    pub fn new(
        program: &Program,
        first: &Affine,
        second: &Affine,
        common: &[IndexId],
    ) -> Option<Dimension> {
        if !small(first) || !small(second) {
            return None;
        }
        let mut result = Dimension {
            pairs: vec![(0, 0); common.len()],
            others: Vec::new(),
            constant: Affine::constant(first.constant - second.constant),
        };
        for (affine, sign) in [(first, 1), (second, -1)] {
            for (atom, c) in &affine.terms {
                let Atom::Index(index) = atom else {
                    if varies(atom) {
                        return None;
                    }
                    let term = Affine::atom(atom.clone()).scale(sign * c);
                    result.constant = result.constant.add(&term);
                    continue;
                };
                match common.iter().position(|other| other == index) {
                    Some(at) if sign > 0 => result.pairs[at].0 += c,
                    Some(at) => result.pairs[at].1 += c,
                    None => result.others.push((sign * c, extent(program, *index))),
                }
            }
        }
        Some(result)
    }

    /// Whether the equation has a solution with the given directions.
    pub fn solvable(
        &self,
        common: &[Common],
        directions: &[Option<Direction>],
        facts: &Facts,
    ) -> Answer {
        let direction = |at: usize| directions.get(at).copied().flatten();
        if several::gcd_excludes(self, &direction)
            || several::bounds_exclude(self, common, &direction, facts)
        {
            return Answer::Never;
        }
        let used: Vec<usize> = (0..self.pairs.len())
            .filter(|at| self.pairs[*at] != (0, 0))
            .collect();
        match (used.as_slice(), self.others.as_slice()) {
            ([], []) => single::zero(&self.constant, facts),
            ([at], []) => {
                let (a, b) = self.pairs[*at];
                let line = Line {
                    a,
                    b,
                    c: &self.constant,
                };
                single::one(&line, common[*at].extent.as_ref(), direction(*at), facts)
            }
            ([], [(a, n)]) => single::apart(*a, n.as_ref(), 0, None, &self.constant),
            ([], [(a, n), (b, m)]) => single::apart(
                *a,
                n.as_ref(),
                b.saturating_neg(),
                m.as_ref(),
                &self.constant,
            ),
            _ => Answer::Perhaps,
        }
    }

    /// The distance between two iterations that meet, by the strong test: the common loop and the
    /// second iteration minus the first.
    pub fn distance(&self) -> Option<(usize, Affine)> {
        let mut used = (0..self.pairs.len()).filter(|at| self.pairs[*at] != (0, 0));
        let (at, None, true) = (used.next()?, used.next(), self.others.is_empty()) else {
            return None;
        };
        let (a, b) = self.pairs[at];
        (a == b)
            .then(|| single::divided(&self.constant, a))?
            .map(|d| (at, d))
    }
}
