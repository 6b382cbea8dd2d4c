//! Methods of integers, and operators that only they have.

use super::values::{combined, of_bits, union};
use super::{Lowerer, Values};
use crate::diagnostics::Span;
use crate::ir::{Element, Expr, ExprId, Factor};
use crate::lower::value::Value;
use crate::lower::{Result, opaque};
use crate::number::Number;
use crate::syntax::ast::{BinaryOperator, Elementary, IntegerMethod, IntegerType};

impl Lowerer<'_> {
    /// A method, or an operator that only integers have.
    pub(in crate::lower) fn whole_method(
        &mut self,
        method: IntegerMethod,
        operands: Vec<Value>,
        (ty, span): (IntegerType, Span),
    ) -> Result<Value> {
        let mut exprs = Vec::new();
        for operand in operands {
            // What is shifted by, or raised to, may have a type of its own.
            let literal =
                matches!(&operand, Value::Integer(affine) if affine.as_constant().is_some());
            exprs.push(match (&operand, literal) {
                (Value::Integer(affine), true) => {
                    let value = Number::from_i64(affine.as_constant().unwrap_or(0));
                    self.constant(value, Element::Word(ty.word()))
                }
                _ => self.whole(operand, ty, span)?,
            });
        }
        let l = exprs[0];
        let own = self.values_of(l);
        let Some(r) = exprs.get(1).copied() else {
            return self.of_one(method, (l, own), (ty, span));
        };
        let other = self.values_of(r);
        let arithmetic = match method {
            IntegerMethod::WrappingAdd => Some(BinaryOperator::Add),
            IntegerMethod::WrappingSub => Some(BinaryOperator::Subtract),
            IntegerMethod::WrappingMul => Some(BinaryOperator::Multiply),
            _ => None,
        };
        if let Some(operator) = arithmetic {
            let expr = self.arithmetic(operator, l, r);
            return Ok(self.wrapping(expr, combined(operator, own, other), ty));
        }
        self.of_two(method, ((l, own), (r, other)), (ty, span))
    }

    /// A method of two integers.
    fn of_two(
        &mut self,
        method: IntegerMethod,
        ((l, own), (r, other)): ((ExprId, Values), (ExprId, Values)),
        (ty, span): (IntegerType, Span),
    ) -> Result<Value> {
        use IntegerMethod as M;
        let constant = (other.0 == other.1).then_some(other.0);
        let natural = own.0 >= 0 && other.0 >= 0;
        match (method, constant) {
            (M::Min, _) => {
                let expr = self.function(Elementary::Min, vec![l, r]);
                self.proved(expr, (own.0.min(other.0), own.1.min(other.1)), ty, span)
            }
            (M::Max, _) => {
                let expr = self.function(Elementary::Max, vec![l, r]);
                self.proved(expr, (own.0.max(other.0), own.1.max(other.1)), ty, span)
            }
            (M::And | M::Or | M::ExclusiveOr, _) => {
                let expr = self.bits(method, l, r);
                let values = match method {
                    M::And if other.0 >= 0 && own.0 < 0 => (0, other.1),
                    M::And if own.0 >= 0 && other.0 < 0 => (0, own.1),
                    M::And if natural => (0, own.1.min(other.1)),
                    _ if natural => of_bits(union(own, other)),
                    _ => ty.range(),
                };
                self.proved(expr, values, ty, span)
            }
            (M::ShiftLeft, Some(by)) if (0..i128::from(ty.bits())).contains(&by) => {
                let factor = self.whole_constant(1 << by, l);
                let expr = self.product(&[(l, 1), (factor, 1)]);
                let values = combined(BinaryOperator::Multiply, own, (1 << by, 1 << by));
                Ok(self.wrapping(expr, values, ty))
            }
            (M::ShiftRight, Some(by)) if (0..i128::from(ty.bits())).contains(&by) => {
                let expr = self.bits(method, l, r);
                self.proved(expr, (own.0 >> by, own.1 >> by), ty, span)
            }
            (M::DivEuclid, Some(by)) if by > 0 => self.divided_down(true, l, by, (ty, span)),
            (M::RemEuclid, Some(by)) if by > 0 => self.divided_down(false, l, by, (ty, span)),
            (M::Power, Some(by @ 1..=16)) => {
                let factor = Factor {
                    expr: l,
                    power: by as i32,
                };
                let element = self.program.pool.element(l);
                let expr = self.program.pool.add(Expr::Product(vec![factor]), element);
                let times = (1..by).fold(own, |so_far, _| {
                    combined(BinaryOperator::Multiply, so_far, own)
                });
                self.proved(expr, times, ty, span)
            }
            (M::SaturatingAdd | M::SaturatingSub | M::SaturatingMul, _) => {
                let operator = match method {
                    M::SaturatingAdd => BinaryOperator::Add,
                    M::SaturatingSub => BinaryOperator::Subtract,
                    _ => BinaryOperator::Multiply,
                };
                let expr = self.arithmetic(operator, l, r);
                self.saturated(expr, combined(operator, own, other), (ty, span))
            }
            _ => unknown_method(span),
        }
    }

    /// A value that stops at the ends of its type, computed in a wider one.
    fn saturated(
        &mut self,
        expr: ExprId,
        values: Values,
        (ty, span): (IntegerType, Span),
    ) -> Result<Value> {
        let word = ty.word();
        if !(word.holds(values.0) && word.holds(values.1)) {
            return unknown_method(span);
        }
        let (least, most) = ty.range();
        let [low, high] = [least, most].map(|end| self.whole_constant(end, expr));
        let above = self.function(Elementary::Max, vec![expr, low]);
        let inside = self.function(Elementary::Min, vec![above, high]);
        let values = (values.0.clamp(least, most), values.1.clamp(least, most));
        self.proved(inside, values, ty, span)
    }

    /// A method of one integer.
    fn of_one(
        &mut self,
        method: IntegerMethod,
        (expr, values): (ExprId, Values),
        (ty, span): (IntegerType, Span),
    ) -> Result<Value> {
        match method {
            IntegerMethod::Abs => {
                let absolute = self.function(Elementary::Abs, vec![expr]);
                let most = values.0.abs().max(values.1.abs());
                self.proved(absolute, (0, most), ty, span)
            }
            IntegerMethod::WrappingNeg => {
                let negated = self.sum(&[(Number::from_i64(-1), expr)]);
                Ok(self.wrapping(negated, (-values.1, -values.0), ty))
            }
            IntegerMethod::Not => {
                // All bits are turned: of a signed one, -1 - x.
                let ones = if ty.is_signed() { -1 } else { ty.range().1 };
                let ones = self.whole_constant(ones, expr);
                let turned = self.bits(IntegerMethod::ExclusiveOr, expr, ones);
                self.proved(turned, ty.range(), ty, span)
            }
            _ if method.counts_bits() => self.number_of_bits(method, (expr, values), (ty, span)),
            _ => unknown_method(span),
        }
    }

    /// How many bits are ones, or zeros at an end. A narrow type is a part of the word that it is computed in.
    fn number_of_bits(
        &mut self,
        method: IntegerMethod,
        (expr, values): (ExprId, Values),
        (ty, span): (IntegerType, Span),
    ) -> Result<Value> {
        let (bits, word) = (i128::from(ty.bits()), i128::from(ty.word().bits()));
        if bits < word && values.0 < 0 {
            return unknown_method(span);
        }
        let of = match method {
            // A one beyond the upper end stops the count there.
            IntegerMethod::TrailingZeros if bits < word => {
                let beyond = self.whole_constant(1 << bits, expr);
                self.bits(IntegerMethod::Or, expr, beyond)
            }
            _ => expr,
        };
        let counted = self.function(Elementary::Bits(method), vec![of]);
        let counted = match method {
            IntegerMethod::LeadingZeros if bits < word => {
                let above = self.whole_constant(word - bits, counted);
                self.arithmetic(BinaryOperator::Subtract, counted, above)
            }
            _ => counted,
        };
        self.proved(counted, (0, bits), ty, span)
    }
}

fn unknown_method<T>(span: Span) -> Result<T> {
    opaque(
        span,
        "a method or an operator of integers that is not optimised",
        "use `+ - *`, shifts and masks by constants, `min`, `max` and `abs`",
    )
}
