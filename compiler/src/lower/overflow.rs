//! Integers that their types hold.
//!
//! Index arithmetic here is that of whole numbers; Rust's is that of a type, whose operations panic or
//! wrap around where they leave it, and whose conversions cut off what does not fit. The two are the
//! same where each intermediate value is one of its type. Whatever is computed or converted owes that
//! until it is shown: by the bounds of loops and the ranges of types; where the value ends in a
//! subscript or a bound of a loop, by the check of that, which comes before anything else; else by
//! what is assumed of the inputs, for others of which the text runs.

use super::value::Place;
use super::{Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{Affine, Atom};
use crate::syntax::ast::{IntegerType, ScalarType, Type};

/// What is owed.
#[derive(Clone, Debug)]
pub struct Owed {
    affine: Affine,
    ty: IntegerType,
    /// A conversion: what does not fit is cut off in every build, and may lead somewhere else in range.
    converted: bool,
    span: Span,
}

/// What is known of a value, or the kernel stops before anything is written.
#[derive(Clone, Debug, Default)]
pub struct Fact {
    pub affine: Affine,
    pub least: Option<i128>,
    pub most: Option<i128>,
}

/// Sums of integers that are assumed to be no larger do not overflow.
const LARGE: i64 = 1 << 61;
/// Multiples of what is computed with do not overflow.
const MOST_FACTOR: i64 = 1 << 20;

impl Lowerer<'_> {
    /// A value that was computed, which its type must hold.
    pub(super) fn owe(&mut self, affine: &Affine, ty: IntegerType, span: Span) {
        self.owes(affine, (ty, false), span);
    }

    /// A value that was converted to a type, which must hold it.
    pub(super) fn owe_conversion(&mut self, affine: &Affine, ty: IntegerType, span: Span) {
        self.owes(affine, (ty, true), span);
    }

    fn owes(&mut self, affine: &Affine, (ty, converted): (IntegerType, bool), span: Span) {
        let owed = Owed {
            affine: affine.clone(),
            ty,
            converted,
            span,
        };
        if self.is_short(&owed, &[]) != (false, false) {
            self.owed.push(owed);
        }
    }

    /// Drops what is owed since `mark` and follows from facts.
    pub(super) fn show(&mut self, mark: usize, facts: &[Fact]) {
        let owed = self.owed.split_off(mark);
        let left = |owed: &Owed| self.is_short(owed, facts) != (false, false);
        let left: Vec<Owed> = owed.into_iter().filter(left).collect();
        self.owed.extend(left);
    }

    /// Assumes what is owed since `mark`.
    pub(super) fn settle_owed(&mut self, mark: usize) -> Result<()> {
        for owed in self.owed.split_off(mark.min(self.owed.len())) {
            self.cannot_overflow(&owed.affine, owed.ty, owed.span)?;
        }
        self.settle_flat()
    }

    /// Whether a value may be below its type's values, and whether it may be above them.
    fn is_short(&self, owed: &Owed, facts: &[Fact]) -> (bool, bool) {
        let (least, most) = self.values(&owed.affine, owed.ty);
        let own = self.interval(&owed.affine);
        let low = own.is_some_and(|(low, _)| low >= least);
        let high = own.is_some_and(|(_, high)| high <= most);
        let tells = |fact: &&Fact| !owed.converted || self.tells(owed.ty, fact);
        let mut facts = facts.iter().filter(tells);
        let mut others = facts.clone();
        let below = |fact: &Fact| self.from(owed, fact).is_some_and(|low| low >= least);
        let above = |fact: &Fact| self.to(owed, fact).is_some_and(|high| high <= most);
        (!low && !facts.any(below), !high && !others.any(above))
    }

    /// Whether a check stops where a conversion cuts something off: of what is negative in one of the
    /// largest types, it leaves more than any array has elements, and any loop iterations; of what is
    /// too large for a signed one, the same subscript, modulo 2^64.
    fn tells(&self, ty: IntegerType, fact: &Fact) -> bool {
        const VALUES: i128 = 1 << 64;
        let subscript = fact.least.is_some() && fact.most.is_some();
        let (low, high) = self.interval(&fact.affine).unwrap_or((-VALUES, VALUES));
        match is_natural(ty) {
            true => low > VALUES / 4 - VALUES,
            false => ty.bits() == 64 && subscript && high < VALUES,
        }
    }

    /// The least value that a fact leaves.
    fn from(&self, owed: &Owed, fact: &Fact) -> Option<i128> {
        let factor = multiple(&owed.affine, &fact.affine)?;
        let over = owed.affine.scale(factor).sub(&fact.affine);
        let least = self.interval(&over)?.0 + fact.least?;
        Some(-(-least).div_euclid(i128::from(factor)))
    }

    /// The largest value that a fact leaves.
    fn to(&self, owed: &Owed, fact: &Fact) -> Option<i128> {
        let factor = multiple(&owed.affine, &fact.affine)?;
        let over = owed.affine.scale(factor).sub(&fact.affine);
        let most = self.interval(&over)?.1 + fact.most?;
        Some(most.div_euclid(i128::from(factor)))
    }

    /// The values that a function of a type may have. What is made of literals alone may be of type
    /// `i32`, which Rust takes where nothing says another one.
    fn values(&self, affine: &Affine, ty: IntegerType) -> (i128, i128) {
        let literal = |(atom, _): &(Atom, i64)| match atom {
            Atom::Index(index) => self.program.is_constant(*index),
            _ => false,
        };
        match ty {
            IntegerType::Usize if affine.terms.iter().all(literal) => {
                (0, IntegerType::I32.range().1)
            }
            _ => ty.range(),
        }
    }

    /// What is owed since `mark` follows where `at` subscripts the next dimension of an array, or that
    /// is checked, or assumed.
    pub(super) fn shown_by_subscript(
        &mut self,
        mark: usize,
        at: &Affine,
        place: &Place,
        span: Span,
    ) -> Result<()> {
        if self.owed.len() == mark {
            return Ok(());
        }
        let extent = self.extent(place, 0).unwrap_or_default();
        let longest = self.interval(&extent).map(|(_, most)| most - 1);
        let fact = Fact {
            affine: at.clone(),
            least: Some(0),
            most: longest,
        };
        self.show(mark, std::slice::from_ref(&fact));
        for owed in self.owed.split_off(mark) {
            let shown = self.checked_entries(&owed, &fact, (place, &extent), span)?;
            if !shown {
                self.owed.push(owed);
            }
        }
        Ok(())
    }

    /// Entries of index maps: nothing is assumed of them. Where what is added to them is not negative,
    /// they are in range as subscripts themselves, which is checked like any other; and those of an
    /// array that is short enough are not too large.
    fn checked_entries(
        &mut self,
        owed: &Owed,
        fact: &Fact,
        (place, extent): (&Place, &Affine),
        span: Span,
    ) -> Result<bool> {
        let (Some(factor), true) = (
            multiple(&owed.affine, &fact.affine),
            owed.affine.is_mapped(),
        ) else {
            return Ok(false);
        };
        if owed.converted && !is_natural(owed.ty) {
            return Ok(false);
        }
        let (below, above) = self.is_short(owed, std::slice::from_ref(fact));
        let (least, most) = self.values(&owed.affine, owed.ty);
        let part = owed.affine.scale(factor);
        let over = self.interval(&part.sub(&fact.affine));
        let Some((_, over)) = over else {
            return Ok(false);
        };
        if below && (least != 0 || over > 0) {
            return Ok(false);
        }
        if above {
            // extent - 1 + over < factor (most + 1)
            let room = i128::from(factor) * (most + 1) - over;
            let Ok(room) = i64::try_from(room.min(LARGE.into())) else {
                return Ok(false);
            };
            self.assume(Affine::constant(room).sub(extent), owed.span)?;
        }
        if below {
            let mut part_of = place.clone();
            part_of.subscripts.push(part);
            self.reach(&part_of, span)?;
        }
        Ok(true)
    }

    /// Whatever its loops and inputs are, Rust computes a function of loops without a panic: what it
    /// is at the ends of its loops is assumed to be in range, unless that is known.
    pub(super) fn cannot_overflow(
        &mut self,
        affine: &Affine,
        ty: IntegerType,
        span: Span,
    ) -> Result<()> {
        let range = self.values(affine, ty);
        self.must_lie(affine, range, (ty, span))
    }

    /// As above, between two values of the type.
    pub(super) fn must_lie(
        &mut self,
        affine: &Affine,
        (least, most): (i128, i128),
        (ty, span): (IntegerType, Span),
    ) -> Result<()> {
        let known = self.interval(affine).zip(self.ends(affine));
        let inside = known.as_ref();
        if inside.is_some_and(|((low, high), _)| *low >= least && *high <= most) {
            return Ok(());
        }
        let Some(((low, high), (first, last))) = known.filter(|_| !affine.is_mapped()) else {
            let name = crate::syntax::show(&Type::Scalar(ScalarType::Integer(ty)));
            return opaque(
                span,
                format!("an integer computed from entries of an array may not fit in `{name}`"),
                "convert the entries to a wider type first, or compute with floating-point numbers",
            );
        };
        if low < least {
            let least = Affine::constant(i64::try_from(least).unwrap_or(-LARGE).max(-LARGE));
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
        let known = self.direct_interval(&affine);
        if known.is_some_and(|(least, _)| least >= 0) || self.assumed.contains(&affine) {
            return Ok(());
        }
        if known.is_none_or(|(_, most)| most < 0) || affine.is_mapped() {
            return opaque(
                span,
                "integer arithmetic that overflows, or leaves its loop's range",
                "compute with integers that stay in range",
            );
        }
        self.assumed.push(affine);
        Ok(())
    }
}

/// What the bounds of a loop are known to be when it runs: no further apart than an address can tell,
/// and those that are checked to be natural, not negative.
pub fn bound_facts(lowerer: &Lowerer, start: &Affine, end: &Affine, natural: bool) -> Vec<Fact> {
    let from = lowerer.interval(start);
    let mut facts = vec![Fact {
        affine: end.clone(),
        most: from.map(|(_, most)| most + isize::MAX as i128),
        least: None,
    }];
    if natural {
        facts.extend([start, end].map(|bound| Fact {
            affine: bound.clone(),
            least: Some(0),
            most: None,
        }));
    }
    facts
}

/// Whether the check of bounds says that there is none below zero: what wraps around there is more
/// than any loop counts.
pub fn is_natural(ty: IntegerType) -> bool {
    matches!(ty, IntegerType::Usize | IntegerType::U64)
}

/// How many times a function is in another one, by what they have in common first.
fn multiple(part: &Affine, whole: &Affine) -> Option<i64> {
    let factors = part.terms.iter().filter_map(|(atom, own)| {
        let found = whole.terms.iter().find(|(other, _)| other == atom)?;
        let factor = found.1.checked_div(*own)?;
        (0 < factor && factor <= MOST_FACTOR && factor * own == found.1).then_some(factor)
    });
    factors.min().or(Some(1))
}
