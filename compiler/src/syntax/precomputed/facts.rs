//! What is known of integers that a call computes.

use super::{Precomputing, Whole, WholeOperator};
use crate::diagnostics::Span;
use crate::syntax::ast::{BinaryOperator, CompareOperator, Expression, ExpressionKind};
use crate::syntax::expressions::typed;
use crate::syntax::numbers::compare;
use crate::syntax::parts::{computed, number};
use crate::syntax::scope::USIZE;

impl Precomputing {
    /// What is known of them: what quotients and remainders by constants lie between, and that nothing is divided by zero.
    pub fn facts(&self) -> Vec<Expression> {
        let mut facts = Vec::new();
        for (whole, variable, span) in &self.made {
            let own = typed(ExpressionKind::Variable(*variable), USIZE, *span);
            let times = |by: u64| {
                let by = number(i128::from(by), *span);
                computed(BinaryOperator::Multiply, own.clone(), by)
            };
            let mut most = Vec::new();
            whole.most(&mut most);
            for (by, of) in most {
                let of = self.written(of, *span);
                facts
                    .extend(of.map(|of| compare(CompareOperator::LessEqual, times(by), of, *span)));
            }
            facts.extend(self.left_of(whole, own.clone(), *span));
            if let Whole::Operation(WholeOperator::Remainder, operands) = whole
                && let Whole::Literal(by) = operands[1]
            {
                let by = number(i128::from(by), *span);
                facts.push(compare(CompareOperator::Less, own.clone(), by, *span));
            }
            let mut divisors = Vec::new();
            whole.divisors(&mut divisors);
            for divisor in divisors {
                let divisor = self.written(divisor, *span);
                let zero = number(0, *span);
                facts.extend(divisor.map(|by| compare(CompareOperator::Less, zero, by, *span)));
            }
            if let Whole::Operation(WholeOperator::Quotient, operands) = whole
                && let [dividend, Whole::Literal(by)] = operands.as_ref()
                && let Some(dividend) = self.written(dividend, *span)
            {
                let more = number(i128::from(*by), *span);
                let more = computed(BinaryOperator::Add, times(*by), more);
                facts.push(compare(CompareOperator::Less, dividend, more, *span));
            }
        }
        facts
    }

    /// What is left of a number is no more than that beside the whole ones, if these are computed, too.
    fn left_of(&self, left: &Whole, own: Expression, span: Span) -> Option<Expression> {
        let Whole::Operation(WholeOperator::Remainder, operands) = left else {
            return None;
        };
        let [all, Whole::Literal(by)] = operands.as_ref() else {
            return None;
        };
        let whole = Whole::Operation(WholeOperator::Quotient, operands.clone());
        let by = number(i128::from(*by), span);
        let whole = computed(BinaryOperator::Multiply, self.written(&whole, span)?, by);
        let sum = computed(BinaryOperator::Add, whole, own);
        let all = self.written(all, span)?;
        Some(compare(CompareOperator::LessEqual, sum, all, span))
    }

    /// A function of what a call has, as the program computes it: an affine one. Lengths of loops are no less than nothing; where
    /// they would be, the text runs.
    pub(super) fn written(&self, whole: &Whole, span: Span) -> Option<Expression> {
        let key = whole.to_string();
        let made = self.made.iter().find(|(made, ..)| made.to_string() == key);
        if let Some((_, variable, _)) = made {
            return Some(typed(ExpressionKind::Variable(*variable), USIZE, span));
        }
        match whole {
            Whole::Literal(value) => Some(number(i128::from(*value), span)),
            Whole::Scalar {
                expression,
                converted: false,
                ..
            }
            | Whole::Length { expression, .. } => Some(expression.as_ref().clone()),
            Whole::Operation(operator, operands) => {
                let [l, r] = operands.as_ref();
                let operator = match operator {
                    WholeOperator::Sum => BinaryOperator::Add,
                    WholeOperator::Difference | WholeOperator::Excess => BinaryOperator::Subtract,
                    WholeOperator::Product if !(l.has_input() && r.has_input()) => {
                        BinaryOperator::Multiply
                    }
                    _ => return None,
                };
                let (l, r) = (self.written(l, span)?, self.written(r, span)?);
                Some(computed(operator, l, r))
            }
            _ => None,
        }
    }
}
