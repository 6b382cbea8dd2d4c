//! Sums of products of integers that are known when the kernel runs: what a flat subscript is before it is taken apart.

use crate::ir::{Affine, Atom};

use super::value::Value;

/// Most dimensions of a slice, and most elements of a row for each of an extent.
const MOST_DIMENSIONS: usize = 6;
const MOST_TIMES: i64 = 16;

/// A sum of products: affine functions of loops, times extents that are known when the kernel runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flat {
    /// Extents, sorted, and what they multiply; no two terms have the same extents.
    pub(super) terms: Vec<(Vec<Affine>, Affine)>,
}

impl Flat {
    pub(super) fn of(affine: Affine) -> Flat {
        Flat {
            terms: vec![(Vec::new(), affine)],
        }
    }

    fn add(&mut self, extents: Vec<Affine>, factor: &Affine) {
        match self.terms.iter_mut().find(|(known, _)| *known == extents) {
            Some((_, sum)) => *sum = sum.add(factor),
            None => self.terms.push((extents, factor.clone())),
        }
        self.terms
            .retain(|(_, factor)| *factor != Affine::default());
    }

    pub(super) fn sum(&self, other: &Flat, sign: i64) -> Flat {
        let mut result = self.clone();
        for (extents, factor) in &other.terms {
            result.add(extents.clone(), &factor.scale(sign));
        }
        result
    }

    /// A value as such a sum.
    pub(super) fn part(value: &Value) -> Option<Flat> {
        match value {
            Value::Flat(flat) => Some(flat.clone()),
            Value::Integer(affine) => Some(Flat::of(affine.clone())),
            _ => None,
        }
    }

    /// What is multiplied with others, each time.
    pub(super) fn extents(&self) -> impl Iterator<Item = &Affine> {
        self.terms.iter().flat_map(|(extents, _)| extents)
    }

    /// The affine function that it is, if there are no products left but with constants.
    pub(super) fn as_affine(&self) -> Option<Affine> {
        let mut terms = self.terms.iter();
        terms.try_fold(Affine::default(), |sum, (extents, factor)| {
            let term = match (extents.as_slice(), factor.as_constant()) {
                ([], _) => factor.clone(),
                ([extent], Some(times)) => extent.scale(times),
                _ => return None,
            };
            Some(sum.add(&term))
        })
    }

    /// The same sum, in which what is a multiple of an extent is counted as so many of it: `(r + 1) * n + c - n` is
    /// `r * n + c`, and `(k + 1) * n * n + r * n + c - n * n` is `k * n * n + r * n + c`.
    pub(super) fn gathered(&self) -> Flat {
        let mut result = self.clone();
        let mut extents: Vec<Affine> = self.extents().cloned().collect();
        extents.sort();
        extents.dedup();
        for dimensions in 0..MOST_DIMENSIONS {
            for extent in &extents {
                result.gather(extent, dimensions);
            }
        }
        result
    }

    /// Counts multiples of an extent among what products of so many extents multiply, where the product with that one is there.
    fn gather(&mut self, extent: &Affine, dimensions: usize) {
        let Some((atom, factor)) = extent.terms.first() else {
            return;
        };
        let terms = self.terms.clone().into_iter();
        for (product, times) in terms.filter(|(product, _)| product.len() == dimensions) {
            let mut more = product.clone();
            more.push(extent.clone());
            more.sort();
            let own = times.terms.iter().find(|(other, _)| other == atom);
            let count = own.map_or(0, |(_, times)| times / factor);
            if self.terms.iter().any(|(other, _)| *other == more) {
                self.add(product, &extent.scale(-count));
                self.add(more, &Affine::constant(count));
            }
        }
    }

    /// `None` if two loops, or a loop and an index map, meet in a product.
    pub(super) fn product(&self, other: &Flat) -> Option<Flat> {
        let mut result = Flat::default();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                let mut extents: Vec<Affine> = left.iter().chain(right).cloned().collect();
                let factor = match (a.as_constant(), b.as_constant()) {
                    (_, Some(b)) => a.scale(b),
                    (Some(a), _) => b.scale(a),
                    _ if is_invariant(b) => {
                        extents.push(b.clone());
                        a.clone()
                    }
                    _ if is_invariant(a) => {
                        extents.push(a.clone());
                        b.clone()
                    }
                    _ => return None,
                };
                extents.sort();
                result.add(extents, &factor);
            }
        }
        Some(result)
    }

    /// The extents of all dimensions but the outermost one, outermost first, if the products show
    /// them: each has one more than the one before. Where a dimension has no term, as that of rows in the first row
    /// of a plane has none, the extent comes first that what is left is below. Of `4 * i * m + 2 * j`, for `j` below `m`, rows
    /// are `2 * m` long: as many times the extent as what is left is below.
    pub(super) fn shape(
        &self,
        is_below: impl Fn(&Affine, &Affine) -> bool,
        is_inside: impl Fn(&Affine, &Affine) -> bool,
    ) -> Option<Vec<Affine>> {
        let mut terms: Vec<&(Vec<Affine>, Affine)> = self.terms.iter().collect();
        terms.sort_by_key(|(extents, _)| extents.len());
        let mut inner_first: Vec<Affine> = Vec::new();
        let mut digit = Affine::default();
        // What is left of a digit without whole rows, and how many of these there are.
        let in_row = |digit: &Affine, extent: &Affine| {
            let whole = |count: &i64| is_below(&digit.sub(&extent.scale(*count)), extent);
            std::iter::once(0).chain(times(digit, extent)).find(whole)
        };
        for (extents, factor) in terms {
            let mut more = extents.clone();
            for extent in &inner_first {
                let at = more.iter().position(|e| e == extent)?;
                more.remove(at);
            }
            while !more.is_empty() {
                let fit = (0..more.len()).filter(|at| in_row(&digit, &more[*at]).is_some());
                let fit: Vec<usize> = fit.collect();
                let innermost = |at: &&usize| {
                    let mut others = fit.iter().map(|other| &more[*other]);
                    others.all(|other| *other == more[**at] || is_inside(&more[**at], other))
                };
                let at = match more.len() {
                    1 => 0,
                    _ => *fit.iter().find(innermost)?,
                };
                let extent = more.remove(at);
                let rows = in_row(&digit, &extent).unwrap_or(0);
                let rest = digit.sub(&extent.scale(rows));
                let times = (1..=MOST_TIMES).find(|times| {
                    factor.divided(*times).is_some() && is_below(&rest, &extent.scale(*times))
                });
                inner_first.push(extent.scale(times.filter(|_| more.is_empty()).unwrap_or(1)));
                digit = Affine::constant(rows);
            }
            digit = digit.add(factor);
        }
        inner_first.reverse();
        (!inner_first.is_empty() && inner_first.len() < MOST_DIMENSIONS).then_some(inner_first)
    }
}

/// How often an affine function has an extent in it, such as five rows in `i + 5 * m`: that, and one more and one less.
pub(super) fn times(digit: &Affine, extent: &Affine) -> impl Iterator<Item = i64> + use<> {
    let found = extent.terms.first().and_then(|(atom, factor)| {
        let mut own = digit.terms.iter();
        let (_, times) = own.find(|(other, _)| other == atom)?;
        times.checked_div(*factor)
    });
    found
        .into_iter()
        .flat_map(|times| [Some(times), times.checked_add(1), times.checked_sub(1)])
        .flatten()
}

/// No loop changes it.
pub(super) fn is_invariant(affine: &Affine) -> bool {
    let mut atoms = affine.terms.iter().map(|(atom, _)| atom);
    atoms.all(|atom| matches!(atom, Atom::Scalar(_) | Atom::Length(..)))
}
