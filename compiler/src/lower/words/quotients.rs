//! Quotients and remainders by constants, without divisions.
//!
//! A shift divides by a power of two, and rounds down. By others integers are divided by multiplication with
//! a scaled reciprocal (Granlund and Montgomery 1994, section 4), where products fit into the lanes; what
//! is larger runs as written.

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
        let Some((multiplier, shift)) = reciprocal(by, own.1, wide.range().1) else {
            return too_large(ty, span);
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
    use super::reciprocal;

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
}
