//! Quotients and remainders by constants, without divisions.
//!
//! A shift divides by a power of two, and rounds down. By others integers are divided by multiplication with
//! a scaled reciprocal (Granlund and Montgomery 1994, section 4), where products fit into the lanes. Where they do not,
//! the lowest bits are left out first, so that the quotient may be one too small, which what is left of the
//! dividend says; what is larger runs as written.

use super::values::unless_limited;
use super::{Lowerer, Values};
use crate::diagnostics::Span;
use crate::ir::{Element, Expr, ExprId};
use crate::lower::value::Value;
use crate::lower::{Result, opaque};
use crate::number::Number;
use crate::syntax::ast::{BinaryOperator, Elementary, IntegerMethod, IntegerType};

/// A multiplier and a shift, so that `x * multiplier >> shift` is `x / by` for all `x` up to `most`, and no product
/// is larger than `largest`.
fn reciprocal(by: i128, most: i128, largest: i128) -> Option<(i128, u32)> {
    (0..62).find_map(|shift| {
        let multiplier = (1i128 << shift) / by + 1;
        let over = multiplier * by - (1 << shift);
        let exact = over.checked_mul(most)? < 1 << shift;
        (exact && most.checked_mul(multiplier)? <= largest).then_some((multiplier, shift))
    })
}

/// A quotient that may be one too small: `(x >> dropped) * multiplier >> shift`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Estimate {
    dropped: u32,
    multiplier: i128,
    shift: u32,
}

impl Estimate {
    /// That of all `x` up to `most`, no product being larger than `largest`.
    ///
    /// With `m = floor(2^(s + t) / by)` and `x = 2^t y + r` the estimate is no larger than `x / by`, and short of it by less
    /// than `y / 2^s + r / by`, which is at most one.
    fn of(by: i128, most: i128, largest: i128) -> Option<Estimate> {
        let within = |dropped: u32, shift: u32| {
            let rest = (1i128 << dropped) - 1;
            let kept = most >> dropped;
            let multiplier = (1i128 << (shift + dropped)) / by;
            let close = kept * by + (rest << shift) <= by << shift;
            let fits = kept.checked_mul(multiplier)? <= largest;
            (close && fits).then_some(Estimate {
                dropped,
                multiplier,
                shift,
            })
        };
        let all = (1..32).flat_map(|dropped| (0..32).map(move |shift| (dropped, shift)));
        all.filter(|(dropped, _)| 1i128 << dropped <= by)
            .find_map(|(dropped, shift)| within(dropped, shift))
    }
}

impl Lowerer<'_> {
    /// The quotient, or the remainder, rounded down.
    pub(super) fn divided_down(
        &mut self,
        quotient: bool,
        l: ExprId,
        by: i128,
        (ty, span): (IntegerType, Span),
    ) -> Result<Value> {
        let own = self.values_of(l);
        let natural = own.0 >= 0;
        let result = match natural || by & (by - 1) == 0 {
            true => self.quotient(l, own, by, span)?,
            false => return too_large(ty, span),
        };
        let values = [(own.0.div_euclid(by), own.1.div_euclid(by)), (0, by - 1)];
        self.quotient_or_rest(quotient, (l, by, result), values, (ty, span))
    }

    /// The quotient, or the remainder, rounded towards zero.
    pub(super) fn divided_to_zero(
        &mut self,
        quotient: bool,
        l: ExprId,
        by: i128,
        (ty, span): (IntegerType, Span),
    ) -> Result<Value> {
        let own = self.values_of(l);
        if own.0 >= 0 {
            return self.divided_down(quotient, l, by, (ty, span));
        }
        if !ty.word().holds(-own.0) {
            return too_large(ty, span);
        }
        // Of the absolute value, with the sign put back: -1 turns all bits and adds one.
        let absolute = self.function(Elementary::Abs, vec![l]);
        let most = own.1.max(-own.0);
        let whole = self.quotient(absolute, (0, most), by, span)?;
        let last = self.whole_constant(i128::from(ty.word().bits()) - 1, l);
        let sign = self.bits(IntegerMethod::ShiftRight, l, last);
        let turned = self.bits(IntegerMethod::ExclusiveOr, whole, sign);
        let result = self.arithmetic(BinaryOperator::Subtract, turned, sign);
        let values = [(own.0 / by, own.1 / by), (1 - by, by - 1)];
        self.quotient_or_rest(quotient, (l, by, result), values, (ty, span))
    }

    /// The quotient of `l` by a constant, or what it leaves, with the values of each.
    fn quotient_or_rest(
        &mut self,
        quotient: bool,
        (l, by, result): (ExprId, i128, ExprId),
        [quotients, rests]: [Values; 2],
        (ty, span): (IntegerType, Span),
    ) -> Result<Value> {
        if quotient {
            return self.proved(result, quotients, ty, span);
        }
        let rest = self.sum(&[(Number::ONE, l), (Number::from_integer(-by), result)]);
        self.proved(rest, rests, ty, span)
    }

    /// The quotient, rounded down: of what may be negative, by a power of two.
    fn quotient(&mut self, l: ExprId, own: Values, by: i128, span: Span) -> Result<ExprId> {
        if by & (by - 1) == 0 {
            let shift = self.whole_constant(by.trailing_zeros().into(), l);
            return Ok(self.bits(IntegerMethod::ShiftRight, l, shift));
        }
        let element = self.program.pool.element(l);
        let Element::Word(ty) = element else {
            return too_large(IntegerType::I64, span);
        };
        // Products have no sign.
        let wide = match ty.bits() {
            32 => IntegerType::U32,
            _ => IntegerType::U64,
        };
        let largest = wide.range().1;
        let Some((multiplier, shift)) = reciprocal(by, own.1, largest) else {
            return match Estimate::of(by, own.1, largest) {
                Some(estimate) if ty.bits() == 32 => Ok(self.corrected((l, by), estimate, wide)),
                _ => too_large(ty, span),
            };
        };
        let unsigned = match own.1 * multiplier <= ty.range().1 {
            true => l,
            false => self.whole_cast(l, wide),
        };
        let factor = self.whole_constant(multiplier, unsigned);
        let product = self.product(&[(unsigned, 1), (factor, 1)]);
        let by = self.whole_constant(shift.into(), unsigned);
        let result = self.bits(IntegerMethod::ShiftRight, product, by);
        Ok(match self.program.pool.element(result) == element {
            true => result,
            false => self.program.pool.add(Expr::Cast(element, result), element),
        })
    }

    /// The quotient that an estimate gives, in a type without a sign: one more where as much is left as it is divided by.
    fn corrected(
        &mut self,
        (l, by): (ExprId, i128),
        estimate: Estimate,
        wide: IntegerType,
    ) -> ExprId {
        let element = self.program.pool.element(l);
        let x = self.whole_cast(l, wide);
        let mut constant = |value: i128| self.whole_constant(value, x);
        let (dropped, shift) = (
            constant(estimate.dropped.into()),
            constant(estimate.shift.into()),
        );
        let (multiplier, last) = (constant(estimate.multiplier), constant(31));
        let below = constant(by - 1);
        let kept = self.bits(IntegerMethod::ShiftRight, x, dropped);
        let product = self.product(&[(kept, 1), (multiplier, 1)]);
        let estimated = self.bits(IntegerMethod::ShiftRight, product, shift);
        // Less than twice the divisor is left, so that the difference wraps around, and its first bit is one, where a
        // whole one is left.
        let difference = self.sum(&[
            (Number::ONE, below),
            (Number::from_i64(-1), x),
            (Number::from_integer(by), estimated),
        ]);
        let whole = self.bits(IntegerMethod::ShiftRight, difference, last);
        let result = self.sum(&[(Number::ONE, estimated), (Number::ONE, whole)]);
        match wide.word() == element.as_word().unwrap_or(wide) {
            true => result,
            false => self.program.pool.add(Expr::Cast(element, result), element),
        }
    }
}

fn too_large<T>(ty: IntegerType, span: Span) -> Result<T> {
    let stopped = opaque(
        span,
        "a quotient of integers that are too large to be divided without a division",
        "convert to a narrower type first, or divide by a power of two",
    );
    stopped.map_err(|problem| unless_limited(problem, ty))
}

#[cfg(test)]
mod tests {
    use super::{Estimate, reciprocal};

    #[test]
    fn reciprocals_divide_exactly() {
        for by in [3, 5, 6, 7, 9, 25, 100, 255, 641, 65_535] {
            let (multiplier, shift) = reciprocal(by, 65_535, i64::MAX.into()).unwrap();
            for x in 0..=65_535 {
                assert_eq!((x * multiplier) >> shift, x / by, "{x} / {by}");
            }
        }
        assert_eq!(reciprocal(7, u32::MAX.into(), u32::MAX.into()), None);
    }

    #[test]
    fn estimates_are_one_too_small_at_most() {
        let mut found = 0;
        for by in [3, 5, 6, 7, 9, 25, 100, 255, 641, 1000, 65_535] {
            for most in [1_000, 100_000, 130_177, 1_000_000, 8_000_000] {
                let Some(estimate) = Estimate::of(by, most, u32::MAX.into()) else {
                    continue;
                };
                found += 1;
                let near = (0..most / by + 1).flat_map(|q| [q * by, q * by + by - 1]);
                let step = (most / 10_000 + 1) as usize;
                for x in near.step_by(3).chain((0..most).step_by(step)).chain([most]) {
                    if x > most {
                        continue;
                    }
                    let product = (x >> estimate.dropped) * estimate.multiplier;
                    assert!(product <= u32::MAX.into());
                    let rest = x / by - (product >> estimate.shift);
                    assert!((0..=1).contains(&rest), "{x} / {by}: {estimate:?}");
                }
            }
        }
        assert!(found > 35, "{found}");
    }
}
