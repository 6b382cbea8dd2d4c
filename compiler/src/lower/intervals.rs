//! Between which values integers are, in all iterations of the loops around.

use super::integers::true_range;
use super::{Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{Affine, Atom, Element, Extent};
use crate::syntax::ast::IntegerType;

/// No loop counts as far while anybody waits for it.
const FURTHEST: i128 = 1 << 56;
/// No slice is longer.
const LONGEST: i128 = isize::MAX as i128;
/// Sums of integers that are assumed to be no larger do not overflow.
const LARGE: i64 = 1 << 61;

impl Lowerer<'_> {
    /// The least and the largest value of a function, its integers whatever they may be; `None`
    /// where an index map takes part.
    pub(super) fn interval(&self, affine: &Affine) -> Option<(i128, i128)> {
        let (low, high) = self.ends(affine)?;
        let (least, most) = (self.spread(&low)?.0, self.spread(&high)?.1);
        let (from, to) = self.spread(affine)?;
        let assumed = |affine: &Affine| {
            let differences = self.assumed.iter().map(|known| affine.sub(known));
            let distances = differences.filter_map(|distance| distance.as_constant());
            distances.max().map_or(i128::MIN, i128::from)
        };
        let (over, under) = (assumed(&low), assumed(&high.scale(-1)));
        Some((
            least.max(from).max(over),
            most.min(to).min(under.saturating_neg()),
        ))
    }

    /// Whatever its loops and inputs are, Rust computes a function of loops without a panic: what it
    /// is at the ends of its loops is assumed to be in range, unless that is known.
    pub(super) fn cannot_overflow(
        &mut self,
        affine: &Affine,
        ty: IntegerType,
        span: Span,
    ) -> Result<()> {
        let (least, most) = true_range(ty);
        let known = self.interval(affine).zip(self.ends(affine));
        let Some(((low, high), (first, last))) = known else {
            return opaque(
                span,
                "arithmetic with entries of an array of integers",
                "convert the entries first, and compute with floating-point numbers",
            );
        };
        if low < least {
            let least = Affine::constant(i64::try_from(least).unwrap_or(i64::MIN / 4));
            self.assume(first.sub(&least), span)?;
        }
        if high > most {
            let most = i64::try_from(most).unwrap_or(LARGE).min(LARGE);
            self.assume(Affine::constant(most).sub(&last), span)?;
        }
        Ok(())
    }

    /// The program is the text where a function of the inputs is not negative: for others the text
    /// runs.
    pub(super) fn assume(&mut self, affine: Affine, span: Span) -> Result<()> {
        let known = self.interval(&affine);
        if known.is_some_and(|(least, _)| least >= 0) || self.assumed.contains(&affine) {
            return Ok(());
        }
        if known.is_none_or(|(_, most)| most < 0) {
            return opaque(
                span,
                "integer arithmetic that overflows, or leaves its loop's range",
                "compute with integers that stay in range",
            );
        }
        self.assumed.push(affine);
        Ok(())
    }

    /// The function at the ends of its loops: where it is least and where it is most.
    pub(super) fn ends(&self, affine: &Affine) -> Option<(Affine, Affine)> {
        let constant = Affine::constant(affine.constant);
        let (mut low, mut high) = (constant.clone(), constant);
        for (atom, coefficient) in &affine.terms {
            let Atom::Index(index) = atom else {
                let term = Affine::atom(atom.clone()).scale(*coefficient);
                (low, high) = (low.add(&term), high.add(&term));
                continue;
            };
            let extent = match &self.program.loop_index(*index).extent {
                Extent::Constant(n) => Affine::constant(i64::try_from(*n).ok()?),
                Extent::RunTime(extent) => extent.clone(),
            };
            let last = extent.sub(&Affine::constant(1)).scale(*coefficient);
            match *coefficient > 0 {
                true => high = high.add(&last),
                false => low = low.add(&last),
            }
        }
        Some((low, high))
    }

    /// The least and the largest value, each integer taken for itself.
    pub(super) fn spread(&self, affine: &Affine) -> Option<(i128, i128)> {
        let constant = i128::from(affine.constant);
        affine
            .terms
            .iter()
            .try_fold((constant, constant), |(low, high), (atom, coefficient)| {
                let (least, most) = match atom {
                    Atom::Index(index) => {
                        let extent = self.program.loop_index(*index).extent.as_constant();
                        (0, extent.map_or(FURTHEST, |n| n as i128 - 1))
                    }
                    Atom::Length(..) => (0, LONGEST),
                    Atom::Scalar(array) => match self.array(*array).element {
                        Element::Integer(ty) => true_range(ty),
                        _ => return None,
                    },
                    Atom::Map(..) => return None,
                };
                let c = i128::from(*coefficient);
                let (a, b) = (c * least, c * most);
                Some((low + a.min(b), high + a.max(b)))
            })
    }
}
