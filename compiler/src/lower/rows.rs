//! Slices that hold arrays whose inner extents are constant: `a[16 * i + k]` for `k` below 16 is `a[i, k]`.
//!
//! Loops are joined, rows transposed and symmetries found by subscripts of arrays with dimensions; those of a flat
//! slice say the same where each inner loop stays within its row. The strides of all accesses to a slice must divide one
//! another, and each subscript but the outermost one must be below its extent for all iterations. Where that does not
//! hold for every access, or is in the way of anything else, lowering begins again and all slices stay flat.
//!
//! Rows are read whole where they are transposed, so that the last one is assumed to be all there: for a shorter slice the
//! text runs.

use super::pieces::found;
use super::value::{Place, Root};
use super::{Finding, Lowerer, Result};
use crate::diagnostics::Span;
use crate::ir::{Affine, ArrayId, Atom, Extent};
use crate::syntax::ast::Type;

/// Most dimensions of a slice.
const MOST_DIMENSIONS: usize = 6;

impl Lowerer<'_> {
    /// The element of a slice at a subscript of constant strides, if the slice has rows of constant length. What the
    /// subscript owes, from a mark on, the subscript as a whole is to show.
    pub(super) fn element_of_rows(
        &mut self,
        place: &Place,
        (at, mark): (&Affine, usize),
        span: Span,
    ) -> Result<Option<Place>> {
        let (Root::Array(array), Type::Slice(element)) = (place.root, &place.ty) else {
            return Ok(None);
        };
        let own = self.array(array);
        let numbers = !own.element.is_integer()
            && own.element.as_word().is_none()
            && matches!(**element, Type::Scalar(_));
        let Some(position) = own.role.position().filter(|_| numbers) else {
            return Ok(None);
        };
        let lengths: Option<Vec<i64>> = own.shape[1..].iter().map(constant).collect();
        let Some(lengths) = lengths.filter(|_| !self.findings.stays_flat && !self.program.exact)
        else {
            return Ok(None);
        };
        let known = strides(&lengths);
        let owes = self.owed.len() > mark;
        if let Some(strides) = chain(&known, at)
            && strides != known
            && !owes
            && self.digits_in_rows(&strides, at).is_some()
        {
            let extents = strides
                .windows(2)
                .map(|pair| Affine::constant(pair[0] / pair[1]));
            let extents = extents.collect();
            return found(Finding::Shape { position, extents }, span);
        }
        if lengths.is_empty() {
            return Ok(None);
        }
        let digits = self.digits_in_rows(&known, at).filter(|_| !owes);
        let Some(subscripts) = digits else {
            return found(Finding::Flat, span);
        };
        self.assume_whole_rows(array, (&subscripts, &known), span)?;
        Ok(Some(Place {
            root: place.root,
            subscripts,
            ty: element.as_ref().clone(),
        }))
    }

    /// A subscript for each stride, the largest first: all but the first are below what one step of the stride before
    /// is of theirs.
    fn digits_in_rows(&self, strides: &[i64], at: &Affine) -> Option<Vec<Affine>> {
        let mut digits = vec![Affine::default(); strides.len()];
        for (atom, factor) in &at.terms {
            let axis = strides.iter().position(|stride| factor % stride == 0)?;
            let digit = Affine::atom(atom.clone()).scale(factor / strides[axis]);
            digits[axis] = digits[axis].add(&digit);
        }
        let mut rest = at.constant;
        for (axis, stride) in strides.iter().enumerate() {
            digits[axis] = digits[axis].add(&Affine::constant(rest.div_euclid(*stride)));
            rest = rest.rem_euclid(*stride);
        }
        let extents = strides.windows(2).map(|pair| pair[0] / pair[1]);
        let mut inner = digits[1..].iter().zip(extents);
        let below = inner.all(|(digit, extent)| {
            let interval = self.interval(digit);
            interval.is_some_and(|(least, most)| least >= 0 && most < i128::from(extent))
        });
        below.then_some(digits)
    }

    /// Assumes that the last row of a slice that subscripts reach is there to its end.
    fn assume_whole_rows(
        &mut self,
        array: ArrayId,
        (subscripts, strides): (&[Affine], &[i64]),
        span: Span,
    ) -> Result<()> {
        let extents = strides.windows(2).map(|pair| i128::from(pair[0] / pair[1]));
        let to_the_end = subscripts[1..].iter().zip(extents).all(|(digit, extent)| {
            let interval = self.interval(digit);
            interval.is_some_and(|(_, most)| most == extent - 1)
        });
        if to_the_end || self.array(array).allocated {
            return Ok(());
        }
        let Some((_, last)) = self.ends(&subscripts[0]) else {
            return found(Finding::Flat, span);
        };
        let rows = last.add(&Affine::constant(1)).scale(strides[0]);
        let length = Affine::atom(Atom::Length(array, 0));
        self.assume(length.sub(&rows), span)
    }
}

fn constant(extent: &Extent) -> Option<i64> {
    let length = match extent {
        Extent::Constant(n) => i64::try_from(*n).ok(),
        Extent::RunTime(affine) => affine.as_constant(),
    };
    length.filter(|n| *n > 0)
}

/// What rows of these lengths are apart, the outermost first; neighbours last.
fn strides(lengths: &[i64]) -> Vec<i64> {
    let mut strides = vec![1_i64];
    for length in lengths.iter().rev() {
        strides.insert(0, strides[0].saturating_mul(*length));
    }
    strides
}

/// Those strides and the factors of a subscript's loops, if each is a multiple of the next. A loop over rows alone says
/// nothing of them: streams of three components have their own schedules.
fn chain(known: &[i64], at: &Affine) -> Option<Vec<i64>> {
    let mut strides = known.to_vec();
    let inside = at.terms.iter().any(|(_, factor)| *factor == 1);
    if !inside || at.terms.len() < 2 {
        return None;
    }
    for (atom, factor) in &at.terms {
        if !matches!(atom, Atom::Index(_)) || *factor <= 0 {
            return None;
        }
        strides.push(*factor);
    }
    strides.sort_unstable_by(|a, b| b.cmp(a));
    strides.dedup();
    let divide = strides.windows(2).all(|pair| pair[0] % pair[1] == 0);
    (divide && strides.len() <= MOST_DIMENSIONS).then_some(strides)
}
