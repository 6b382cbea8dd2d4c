//! Where loops are cut.
//!
//! A condition that some iterations decide this way and others that way is followed to the loop that changes
//! it. Where loops of a few iterations take part, as those over the points of a window do, there are iterations
//! of the long loop in which all of theirs agree, and some between these: the long loop is cut where they
//! begin and end. What is left is short, and peeled one iteration after the other where nothing else will do.

use super::pieces::found;
use super::{Finding, Lowerer, Result};
use crate::diagnostics::Span;
use crate::ir::{Affine, Atom, Extent, IndexId};
use crate::syntax::ast::CompareOperator;

/// How far the short loops may move a condition.
const FURTHEST: i64 = 16;
/// Longest part of a loop that several clamps share: of a window of nine points, what is on one side.
pub(super) const WIDEST: i64 = 4;

/// A comparison with zero, and at which end of the values that short loops give it.
pub(super) type Test = (CompareOperator, End);

/// Where short loops make a function the least or the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Least,
    Largest,
}

/// Where a part of a loop comes from.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// The number of what was cut.
    whole: usize,
    /// The length of the other part, if it is known.
    other: Option<i64>,
    /// It is the first part.
    first: bool,
}

/// A loop that changes a function, by which factor, and what the others add at least and at most.
struct Changing {
    index: IndexId,
    coefficient: i64,
    rest: Affine,
    others: (i64, i64),
}

impl Lowerer<'_> {
    /// The piece that begins next is a part of another one.
    pub(super) fn note_part(&mut self, whole: usize, other: Option<i64>, first: bool) {
        let origin = Origin {
            whole,
            other,
            first,
        };
        self.origins.insert(self.pieces, origin);
    }

    fn origin(&self, index: IndexId) -> Option<&Origin> {
        self.origins.get(self.numbers.get(&index)?)
    }

    /// Whether `difference operator 0` holds in all iterations, or in none; a loop is cut where it changes.
    pub(super) fn settled(
        &mut self,
        operator: CompareOperator,
        difference: &Affine,
        span: Span,
    ) -> Result<Option<bool>> {
        let known = match self.sign(operator, difference) {
            None => self.sign_if_long(operator, difference, span)?,
            known => known,
        };
        if known.is_some() {
            return Ok(known);
        }
        let tests = [(operator, End::Least), (operator, End::Largest)];
        match self.cut(tests, difference) {
            Some(finding) => found(finding, span),
            None => Ok(None),
        }
    }

    /// Cuts the loop that changes one of two tests.
    pub(super) fn cut(&self, tests: [Test; 2], difference: &Affine) -> Option<Finding> {
        let loops = self.changing(difference)?;
        let extent = self.extent_of(loops.index);
        let spread = loops.others.1 - loops.others.0;
        let equation =
            |operator| matches!(operator, CompareOperator::Equal | CompareOperator::NotEqual);
        let whole = self.origin(loops.index).is_none();
        let long = extent
            .as_constant()
            .is_none_or(|n| n > 2 * spread || !whole);
        if spread > 0 && (!long || tests.iter().any(|(operator, _)| equation(*operator))) {
            return None;
        }
        let crossings = tests.iter().filter_map(|(operator, end)| {
            let others = match end {
                End::Least => loops.others.0,
                End::Largest => loops.others.1,
            };
            let rest = loops.rest.add(&Affine::constant(others));
            crossing(*operator, loops.coefficient, &rest)
        });
        // That which leaves the shorter part.
        let part = |at: &Affine| {
            let parts = [at.as_constant(), extent.sub(at).as_constant()];
            parts.into_iter().flatten().min().unwrap_or(i64::MAX)
        };
        let inside = crossings.filter(|at| self.inside(&extent, at));
        let at = inside.min_by_key(part)?;
        let piece = *self.numbers.get(&loops.index)?;
        Some(Finding::Cut { piece, at })
    }

    /// The same for a clamp: where its loop was cut for another one next to here, that cut moves.
    pub(super) fn cut_for_clamp(&self, tests: [Test; 2], difference: &Affine) -> Option<Finding> {
        let Finding::Cut { piece, at } = self.cut(tests, difference)? else {
            return None;
        };
        let widened = || {
            let origin = self.origins.get(&piece)?;
            let index = self.numbers.iter().find(|(_, number)| **number == piece)?;
            let (part, moved) = match origin.first {
                true => (self.extent_of(*index.0).sub(&at), at.clone()),
                false => (at.clone(), at.add(&Affine::constant(origin.other?))),
            };
            let narrow = part.as_constant()?.checked_add(origin.other?)? <= WIDEST;
            narrow.then_some(Finding::Widen {
                piece: origin.whole,
                at: moved,
            })
        };
        Some(widened().unwrap_or(Finding::Cut { piece, at }))
    }

    /// Takes an iteration off the short part of a loop that a condition still changes in.
    pub(super) fn peel(&self, difference: &Affine, span: Span) -> Result<()> {
        let part = self.changing(difference).map(|loops| loops.index);
        let Some(index) = part.filter(|index| self.origin(*index).is_some()) else {
            return Ok(());
        };
        match (
            self.extent_of(index).as_constant(),
            self.numbers.get(&index),
        ) {
            (Some(2..=FURTHEST), Some(piece)) => {
                let (piece, at) = (*piece, Affine::constant(1));
                found(Finding::Cut { piece, at }, span)
            }
            _ => Ok(()),
        }
    }

    /// Whether the loops of a function are short ones around a short part of a loop.
    pub(super) fn in_short_part(&self, difference: &Affine) -> bool {
        self.changing(difference).is_some_and(|loops| {
            let extent = self.extent_of(loops.index).as_constant();
            self.origin(loops.index).is_some() && extent.is_some_and(|n| n <= WIDEST)
        })
    }

    /// The loop that is cut for a function: the one of run-time length, a part of one that was cut already,
    /// or the longest one. The others must be short.
    fn changing(&self, difference: &Affine) -> Option<Changing> {
        let mut loops = Vec::new();
        for (atom, coefficient) in &difference.terms {
            match atom {
                Atom::Index(index) => loops.push((*index, *coefficient)),
                Atom::Map(..) => return None,
                Atom::Scalar(_) | Atom::Length(..) => {}
            }
        }
        let (index, coefficient) = *loops.iter().max_by_key(|(index, _)| {
            let length = self.extent_of(*index).as_constant();
            (length.is_none(), self.origin(*index).is_some(), length)
        })?;
        let mut rest = difference.sub(&Affine::index(index).scale(coefficient));
        let mut others = (0_i64, 0_i64);
        for (other, factor) in loops.into_iter().filter(|(other, _)| *other != index) {
            let last = factor.checked_mul(self.extent_of(other).as_constant()? - 1)?;
            let (least, most) = (last.min(0), last.max(0));
            others = (others.0.checked_add(least)?, others.1.checked_add(most)?);
            rest = rest.sub(&Affine::index(other).scale(factor));
        }
        (others.1.checked_sub(others.0)? <= FURTHEST).then_some(Changing {
            index,
            coefficient,
            rest,
            others,
        })
    }

    fn extent_of(&self, index: IndexId) -> Affine {
        match &self.program.loop_index(index).extent {
            Extent::Constant(n) => Affine::constant(i64::try_from(*n).unwrap_or(i64::MAX)),
            Extent::RunTime(extent) => extent.clone(),
        }
    }

    /// What a condition is for long loops, if it is met in a short part of a loop and tells the length of that
    /// loop: that it is long is assumed.
    pub(super) fn sign_if_long(
        &mut self,
        operator: CompareOperator,
        difference: &Affine,
        span: Span,
    ) -> Result<Option<bool>> {
        use CompareOperator::{Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let parts = self.short_parts.iter();
        let lengths: Vec<&Affine> = parts.filter_map(Extent::run_time).collect();
        let tells = |atom: &Atom| {
            let mut terms = lengths.iter().flat_map(|length| &length.terms);
            terms.any(|(known, _)| known == atom)
        };
        let Some((low, high)) = self.short_ends(difference) else {
            return Ok(None);
        };
        let mut terms = low.terms.iter();
        let rises = low.terms.first().is_some_and(|(_, c)| *c > 0);
        if !terms.all(|(atom, c)| (*c > 0) == rises && tells(atom)) || low.terms.is_empty() {
            return Ok(None);
        }
        let one = Affine::constant(1);
        let nonzero = match rises {
            true => low.sub(&one),
            false => high.scale(-1).sub(&one),
        };
        self.assume(nonzero, span)?;
        let holds = match operator {
            Less | LessEqual => !rises,
            Greater | GreaterEqual => rises,
            other => other == NotEqual,
        };
        Ok(Some(holds))
    }

    /// A function at both ends of its short loops and of entries of tables.
    fn short_ends(&self, affine: &Affine) -> Option<(Affine, Affine)> {
        let constant = Affine::constant(affine.constant);
        let (mut low, mut high) = (constant.clone(), constant);
        for (atom, coefficient) in &affine.terms {
            let term = Affine::atom(atom.clone()).scale(*coefficient);
            let known = match atom {
                Atom::Index(index) => self.extent_of(*index).as_constant().is_some(),
                Atom::Map(array, _) => self.is_offset(*array),
                Atom::Scalar(_) | Atom::Length(..) => false,
            };
            let (least, most) = match known {
                true => {
                    let (least, most) = self.spread(&term)?;
                    let end = |end: i128| Some(Affine::constant(i64::try_from(end).ok()?));
                    (end(least)?, end(most)?)
                }
                false => (term.clone(), term),
            };
            (low, high) = (low.add(&least), high.add(&most));
        }
        Some((low, high))
    }

    /// Whether a place may be inside of a loop of a length.
    fn inside(&self, extent: &Affine, at: &Affine) -> bool {
        match (extent.as_constant(), at.as_constant()) {
            (Some(n), Some(at)) => 0 < at && at < n,
            (None, Some(at)) => at > 0,
            (_, None) => {
                let left = self.interval(&extent.sub(at));
                left.is_none_or(|(_, most)| most > 0)
            }
        }
    }

    /// Whether `difference operator 0` holds in all iterations, or in none.
    pub(super) fn sign(&self, operator: CompareOperator, difference: &Affine) -> Option<bool> {
        sign(operator, self.interval(difference)?)
    }
}

/// Whether `difference operator 0` holds, or does not, whatever a difference is between the least and the largest value.
pub(super) fn sign(operator: CompareOperator, (low, high): (i128, i128)) -> Option<bool> {
    use CompareOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Unordered};
    let either = |holds: bool, fails: bool| (holds || fails).then_some(holds);
    match operator {
        Less => either(high < 0, low >= 0),
        LessEqual => either(high <= 0, low > 0),
        Greater => either(low > 0, high <= 0),
        GreaterEqual => either(low >= 0, high < 0),
        Equal => either(low == 0 && high == 0, low > 0 || high < 0),
        NotEqual | Unordered => either(low > 0 || high < 0, low == 0 && high == 0),
    }
}

/// From which iteration on `coefficient · i + rest operator 0` is otherwise than before. Where that is
/// an equation, the iteration at which it holds first, and then the one after it.
fn crossing(operator: CompareOperator, coefficient: i64, rest: &Affine) -> Option<Affine> {
    use CompareOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Unordered};
    let begins = rest.as_constant() == Some(0);
    let or_equal = match operator {
        Less | GreaterEqual => false,
        LessEqual | Greater => true,
        Equal | NotEqual | Unordered => (coefficient > 0) == begins,
    };
    // Below zero, or below one.
    let rest = match or_equal {
        true => rest.sub(&Affine::constant(1)),
        false => rest.clone(),
    };
    match (coefficient, rest.as_constant()) {
        (1, _) => Some(rest.scale(-1)),
        (-1, _) => Some(rest.add(&Affine::constant(1))),
        (c @ 1.., Some(rest)) => Some(Affine::constant((-rest + c - 1).div_euclid(c))),
        (c, Some(rest)) => Some(Affine::constant(rest.div_euclid(-c) + 1)),
        _ => None,
    }
}
