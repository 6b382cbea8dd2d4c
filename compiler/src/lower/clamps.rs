//! Integers that stop somewhere, or begin again: `min`, `max`, differences that stop at zero, absolute values
//! and remainders.
//!
//! Each is one affine function in some iterations and another one in the rest, so that loops are cut where it
//! changes. In what is left between two cuts, a few iterations of the loop together with those of a window,
//! it stays an entry of a table of constants: there need not be one loop for each distance from the
//! boundary.

use super::cuts::End;
use super::pieces::found;
use super::value::Value;
use super::{Lowerer, Result, limits};
use crate::diagnostics::Span;
use crate::ir::{Affine, ArrayId, Atom, Element, Extent, Role};
use crate::number::Number;
use crate::syntax::ast::{CompareOperator, IntegerMethod, IntegerType};

/// Most entries of a table.
const MOST_ENTRIES: i128 = 64;

impl Lowerer<'_> {
    /// A method of integers that is one function or another one; nothing where that is another method, or
    /// nothing decides.
    pub(super) fn clamped(
        &mut self,
        method: IntegerMethod,
        values: &[Affine],
        (ty, span): (IntegerType, Span),
    ) -> Result<Option<Value>> {
        use IntegerMethod::{Abs, Max, Min, SaturatingSub};
        let zero = Affine::default();
        // What no loop changes, or the second one, is what the other one stops at.
        let steady = |l: &Affine, r: &Affine| invariant(l) && !invariant(r);
        let (turn, likely) = match (method, values) {
            (Max, [l, r]) => {
                let (stop, other) = if steady(l, r) { (l, r) } else { (r, l) };
                let turn = Turn::new(other.sub(stop), [other, stop], stop);
                (turn, other.as_constant().is_none())
            }
            (Min, [l, r]) => {
                let (stop, other) = if steady(l, r) { (l, r) } else { (r, l) };
                let turn = Turn::new(stop.sub(other), [other, stop], stop);
                (Turn { factor: -1, ..turn }, std::ptr::eq(stop, r))
            }
            (SaturatingSub, [l, r]) if !ty.is_signed() => {
                let difference = l.sub(r);
                let turn = Turn::new(difference.clone(), [&difference, &zero], &zero);
                (turn, true)
            }
            (Abs, [value]) => {
                let turn = Turn::new(value.clone(), [value, &value.scale(-1)], &zero);
                let size = |value: i64| value.abs();
                (
                    Turn {
                        entry: size,
                        ..turn
                    },
                    true,
                )
            }
            _ => return Ok(None),
        };
        let value = self.turned(&turn, likely, span)?;
        let value = value.map(|value| self.computed(value, ty, span));
        value.transpose()
    }

    /// The value on one side of a turn, or on both. Where no loop changes which, one is assumed.
    fn turned(&mut self, turn: &Turn, likely: bool, span: Span) -> Result<Option<Affine>> {
        use CompareOperator::{Greater, GreaterEqual};
        match self.interval(&turn.at) {
            Some((0.., _)) => return Ok(Some(turn.above.clone())),
            Some((_, ..=0)) => return Ok(Some(turn.below.clone())),
            _ => {}
        }
        if let Some(above) = self.sign_if_long(GreaterEqual, &turn.at, span)? {
            return Ok(Some(turn.side(above)));
        }
        if self.in_short_part(&turn.at)
            && let Some(entry) = self.tabulated(&turn.at, turn.entry, span)?
        {
            return Ok(Some(turn.base.add(&entry.scale(turn.factor))));
        }
        let tests = [(GreaterEqual, End::Least), (Greater, End::Largest)];
        if let Some(finding) = self.cut_for_clamp(tests, &turn.at) {
            return found(finding, span);
        }
        if let Some(entry) = self.tabulated(&turn.at, turn.entry, span)? {
            return Ok(Some(turn.base.add(&entry.scale(turn.factor))));
        }
        self.peel(&turn.at, span)?;
        if !invariant(&turn.at) {
            return Ok(None);
        }
        let assumed = if likely { 1 } else { -1 };
        self.assume(turn.at.scale(assumed), span)?;
        Ok(Some(turn.side(likely)))
    }

    /// `left % right` where the one is below a small multiple of the other: loops are cut where it
    /// starts again.
    pub(super) fn remainder(
        &mut self,
        left: &Affine,
        right: &Affine,
        span: Span,
    ) -> Result<Option<Affine>> {
        const MOST_TURNS: usize = 4;
        let Some((first, last)) = self.ends(left).filter(|_| invariant(right)) else {
            return Ok(None);
        };
        // As many turns as the last value takes, if that is known for long loops, or else for what is added to them while that is
        // no more than the divisor.
        let left_over = |turns: i64| right.scale(turns).sub(&last).sub(&Affine::constant(1));
        let grows = |over: &Affine| {
            let rises = over.terms.iter().all(|(_, c)| *c > 0);
            rises && (over.constant >= 0 || !over.terms.is_empty())
        };
        let keeps = |over: &Affine| {
            let kept = |atom| over.terms.iter().any(|(own, c)| own == atom && *c > 0);
            !right.terms.is_empty() && right.terms.iter().all(|(atom, _)| kept(atom))
        };
        let all = 1..=MOST_TURNS as i64;
        let known = all.clone().find(|turns| grows(&left_over(*turns)));
        let wraps = all.skip(1).find(|turns| keeps(&left_over(*turns)));
        let turns = known.or(wraps);
        let Some(turns) = turns.filter(|_| invariant(&first)) else {
            return Ok(None);
        };
        self.assume(first, span)?;
        self.assume(right.sub(&Affine::constant(1)), span)?;
        self.assume(left_over(turns), span)?;
        for turn in 1..turns {
            let beyond = left.sub(&right.scale(turn));
            match self.begun_again(left, right, (&beyond, span))? {
                Begun::Before => return Ok(Some(left.sub(&right.scale(turn - 1)))),
                Begun::After => {}
                Begun::Either(value) => return Ok(value),
            }
        }
        // What was assumed says that it is below the last multiple.
        Ok(Some(left.sub(&right.scale(turns - 1))))
    }

    /// Whether a remainder has begun again, `beyond` being what is left then.
    fn begun_again(
        &mut self,
        left: &Affine,
        right: &Affine,
        (beyond, span): (&Affine, Span),
    ) -> Result<Begun> {
        let known = |before: bool| if before { Begun::Before } else { Begun::After };
        let by = right.as_constant();
        let remainder = |value: i64| by.map_or(0, |by| value.rem_euclid(by));
        let certain = self.sign(CompareOperator::Less, beyond);
        if let Some(before) = certain {
            return Ok(known(before));
        }
        if by.is_some()
            && self.in_short_part(beyond)
            && let Some(entry) = self.tabulated(left, remainder, span)?
        {
            return Ok(Begun::Either(Some(entry)));
        }
        if let Some(before) = self.settled(CompareOperator::Less, beyond, span)? {
            return Ok(known(before));
        }
        if by.is_some()
            && let Some(entry) = self.tabulated(left, remainder, span)?
        {
            return Ok(Begun::Either(Some(entry)));
        }
        self.peel(beyond, span)?;
        Ok(Begun::Either(None))
    }

    /// A function of what short loops make of `affine`, as an entry of a table.
    fn tabulated(
        &mut self,
        affine: &Affine,
        function: impl Fn(i64) -> i64,
        span: Span,
    ) -> Result<Option<Affine>> {
        let constant = |(atom, _): &(Atom, i64)| match atom {
            Atom::Index(index) => self.program.is_constant(*index),
            Atom::Map(array, _) => self.is_offset(*array),
            Atom::Scalar(_) | Atom::Length(..) => false,
        };
        if affine.terms.is_empty() || !affine.terms.iter().all(constant) {
            return Ok(None);
        }
        let Some((low, high)) = self.spread(affine).filter(|(l, h)| h - l < MOST_ENTRIES) else {
            return Ok(None);
        };
        let (Ok(low), Ok(high)) = (i64::try_from(low), i64::try_from(high)) else {
            return Ok(None);
        };
        let values: Vec<i64> = (low..=high).map(function).collect();
        let array = self.offsets_of(values);
        let at = affine.sub(&Affine::constant(low));
        limits::entry(array, vec![at], span).map(Some)
    }

    /// The table with given entries.
    fn offsets_of(&mut self, values: Vec<i64>) -> ArrayId {
        if let Some(array) = self.offsets.get(&values) {
            return *array;
        }
        let entries = values.iter().map(|value| Number::from_i64(*value));
        let role = Role::Table(std::rc::Rc::new(entries.collect()));
        let element = Element::Integer(IntegerType::Usize);
        let shape = vec![Extent::Constant(values.len())];
        let array = self.program.add_array("offset", element, shape, role);
        self.offsets.insert(values, array);
        array
    }

    /// Whether a table is one of those that clamps are made of.
    pub(super) fn is_offset(&self, array: ArrayId) -> bool {
        self.offsets.values().any(|known| *known == array)
    }

    /// Whether an entry of an array of the text takes part in an integer.
    pub(super) fn is_entry(&self, affine: &Affine) -> bool {
        let mut atoms = affine.terms.iter().map(|(atom, _)| atom);
        affine.is_mapped()
            && atoms.any(|atom| matches!(atom, Atom::Map(array, _) if !self.is_offset(*array)))
    }
}

/// A value that is one function where another one is positive, and another where that is negative.
struct Turn {
    at: Affine,
    above: Affine,
    below: Affine,
    /// Both are `base + factor * entry(at)`.
    base: Affine,
    factor: i64,
    entry: fn(i64) -> i64,
}

impl Turn {
    /// The larger one of the base and something else.
    fn new(at: Affine, [above, below]: [&Affine; 2], base: &Affine) -> Turn {
        Turn {
            at,
            above: above.clone(),
            below: below.clone(),
            base: base.clone(),
            factor: 1,
            entry: |value| value.max(0),
        }
    }

    fn side(&self, above: bool) -> Affine {
        match above {
            true => self.above.clone(),
            false => self.below.clone(),
        }
    }
}

/// Whether a remainder has begun again.
enum Begun {
    Before,
    After,
    /// On both sides: its value, if there is one.
    Either(Option<Affine>),
}

/// No loop changes it, and no index map takes part.
pub(super) fn invariant(affine: &Affine) -> bool {
    let mut atoms = affine.terms.iter();
    atoms.all(|(atom, _)| matches!(atom, Atom::Scalar(_) | Atom::Length(..)))
}
