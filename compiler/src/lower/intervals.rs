//! Between which values integers are, in all iterations of the loops around.

use super::Lowerer;
use crate::ir::{Affine, ArrayId, Atom, Element, Extent, Role};

/// No loop counts as far while anybody waits for it.
const FURTHEST: i128 = 1 << 52;
/// No slice is longer.
const LONGEST: i128 = isize::MAX as i128;
/// Functions beside one that are assumed to be no less than zero, of which something is the sum: a limit on work.
const CHAIN: usize = 2;

impl Lowerer<'_> {
    /// The least and the largest value of a function, its integers whatever they may be.
    pub(super) fn interval(&self, affine: &Affine) -> Option<(i128, i128)> {
        self.interval_by(affine, CHAIN)
    }

    /// As above, where at most one thing that is assumed shows it: what takes several is worth being assumed as well, since
    /// what tells iterations apart adds none up.
    pub(super) fn direct_interval(&self, affine: &Affine) -> Option<(i128, i128)> {
        self.interval_by(affine, 0)
    }

    fn interval_by(&self, affine: &Affine, chain: usize) -> Option<(i128, i128)> {
        let (low, high) = self.ends(affine)?;
        let (least, most) = (self.spread(&low)?.0, self.spread(&high)?.1);
        let (from, to) = self.spread(affine)?;
        let assumed = |affine: &Affine| {
            let differences = self.assumed.iter().map(|known| affine.sub(known));
            let distances = differences.filter_map(|distance| self.beyond(&distance, chain));
            distances.max().unwrap_or(i128::MIN)
        };
        let (over, under) = (assumed(&low), assumed(&high.scale(-1)));
        Some((
            least.max(from).max(over),
            most.min(to).min(under.saturating_neg()),
        ))
    }

    /// The least value of a function, each integer taken for itself, or where it is less something else that is assumed, as
    /// `n - j` is `(n - i) + (i - j)`: of what takes out an integer that makes it smaller.
    fn beyond(&self, affine: &Affine, chain: usize) -> Option<i128> {
        let (least, _) = self.spread(affine)?;
        let down = |(_, factor): &&(Atom, i64)| *factor < 0;
        let Some(lowest) = affine.terms.iter().find(down).filter(|_| chain > 0) else {
            return Some(least);
        };
        let others = self.assumed.iter().filter(|own| own.terms.contains(lowest));
        let others = others.filter_map(|own| self.beyond(&affine.sub(own), chain - 1));
        others.chain([least]).max()
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
                    Atom::Scalar(array) | Atom::Map(array, _) => self.entries(*array)?,
                };
                let c = i128::from(*coefficient);
                let (a, b) = (c * least, c * most);
                Some((low + a.min(b), high + a.max(b)))
            })
    }

    /// The least and the largest entry that an array of integers may have.
    fn entries(&self, array: ArrayId) -> Option<(i128, i128)> {
        let array = self.array(array);
        if let Role::Table(values) = &array.role {
            let entries = values.iter().map(|value| value.to_integer());
            return entries.clone().min().zip(entries.max());
        }
        match array.element {
            Element::Integer(ty) => Some(ty.range()),
            _ => None,
        }
    }
}
