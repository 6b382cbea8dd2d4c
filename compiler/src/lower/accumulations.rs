//! Assignments that combine what is there with a value.
//!
//! `m = m.max(x)`, `m = f64::max(x, m)` and `if x > m { m = x }` are `+=` with other operators: what iterations of
//! loops combine in this way is a reduction.

use std::borrow::Cow;

use super::{Lowerer, Result};
use crate::ir::{Combining, Expr, ExprId, Pool};
use crate::number::Number;
use crate::syntax::ast::{
    BinaryOperator, Elementary, Expression, ExpressionKind, IntegerMethod, ScalarType, Type,
};
use crate::syntax::extremum::{self, Extremum, is_same};

/// What an assignment does with what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// `+=` and its siblings.
    Arithmetic(BinaryOperator),
    /// It takes the smaller or the larger one.
    Extremum(Combining),
}

impl Combining {
    /// The operator that stands for one whose first value is known: a comparison where no NaN is met before.
    pub(super) fn started(self, pool: &Pool, start: ExprId, exact: bool) -> Combining {
        match pool.get(start) {
            // Of integers none is a NaN.
            Expr::Constant(number) if !exact && pool.element(start).as_word().is_none() => {
                self.after(*number)
            }
            _ => self,
        }
    }
}

impl Lowerer<'_> {
    /// An assignment as what it does with what is there, and the value that it does it with.
    pub(super) fn update<'e>(
        &self,
        place: &Expression,
        operator: Option<BinaryOperator>,
        value: &'e Expression,
    ) -> (Option<Update>, Cow<'e, Expression>) {
        let given = (operator.map(Update::Arithmetic), Cow::Borrowed(value));
        let combines = match crate::syntax::behind(&value.ty) {
            Type::Scalar(ScalarType::Integer(_)) => self.words,
            Type::Scalar(ScalarType::Bool) => false,
            _ => true,
        };
        if operator.is_some() || !combines {
            return given;
        }
        match self.combined_with(place, value) {
            Some((update, rest)) => (Some(update), rest),
            None => given,
        }
    }

    /// `place operator rest`, if that is what a value is.
    fn combined_with<'e>(
        &self,
        place: &Expression,
        value: &'e Expression,
    ) -> Option<(Update, Cow<'e, Expression>)> {
        if let Some((combining, [l, r])) = smaller_or_larger(value) {
            if let Some(rest) = self.other_one(place, l, r) {
                return Some((Update::Extremum(combining), Cow::Borrowed(rest)));
            }
            // `m.max(a).max(b)` is `m.max(a.max(b))`, where the order does not matter.
            let inner = self.combined_with(place, l).filter(|_| !self.exact);
            let (Update::Extremum(other), first) = inner? else {
                return None;
            };
            return (other == combining && !mentions(place, r)).then(|| {
                let mut rest = value.clone();
                if let ExpressionKind::Call(_, both) | ExpressionKind::Integers(_, both) =
                    &mut rest.kind
                {
                    both[0] = first.into_owned();
                }
                (Update::Extremum(combining), Cow::Owned(rest))
            });
        }
        let ExpressionKind::If(condition, then, otherwise) = &value.kind else {
            return None;
        };
        self.taken(place, extremum::of_choice(condition, then, otherwise)?)
    }

    /// The other one of two operands, where one is a place.
    fn other_one<'e>(
        &self,
        place: &Expression,
        l: &'e Expression,
        r: &'e Expression,
    ) -> Option<&'e Expression> {
        match (is_same(place, l), is_same(place, r)) {
            (true, false) if !mentions(place, r) => Some(r),
            // The other way round it may be another one of two zeros.
            (false, true) if !mentions(place, l) && !self.exact => Some(l),
            _ => None,
        }
    }

    /// What a choice between a place and a value combines the place with.
    fn taken<'e>(
        &self,
        place: &Expression,
        extremum: Extremum<'e>,
    ) -> Option<(Update, Cow<'e, Expression>)> {
        let combining = match (extremum.function, extremum.integers) {
            (Elementary::Lesser, false) => Combining::Lesser,
            (Elementary::Lesser, true) => Combining::Min,
            (_, false) => Combining::Greater,
            (_, true) => Combining::Max,
        };
        let own = is_same(place, extremum.other) && !mentions(place, extremum.value);
        own.then_some((Update::Extremum(combining), Cow::Borrowed(extremum.value)))
    }

    /// Runs `if x > m { m = x }`; `false` where it is another statement.
    pub(super) fn extremum_statement(&mut self, choice: &Expression) -> Result<bool> {
        let ExpressionKind::If(condition, then, otherwise) = &choice.kind else {
            return Ok(false);
        };
        let found = extremum::of_statement(condition, then, otherwise);
        // Of integers it is one where they are computed with, and what is assigned is a local variable's.
        let found = found.filter(|(place, extremum)| {
            !extremum.integers || self.words && self.taken(place, *extremum).is_some()
        });
        let Some((place, extremum)) = found else {
            return Ok(false);
        };
        let (update, value) = match self.taken(place, extremum) {
            Some((update, value)) => (Some(update), value),
            None => {
                let arguments = vec![extremum.value.clone(), extremum.other.clone()];
                let whole = Expression {
                    kind: ExpressionKind::Call(extremum.function, arguments),
                    ..extremum.value.clone()
                };
                (None, Cow::Owned(whole.dereferenced()))
            }
        };
        self.assign_updated(place, update, &value, choice.span)?;
        Ok(true)
    }

    /// What an update does to what is there.
    pub(super) fn updated(&mut self, update: Update, old: ExprId, value: ExprId) -> ExprId {
        match update {
            Update::Arithmetic(operator) => self.arithmetic(operator, old, value),
            Update::Extremum(combining) => {
                let element = self.program.pool.element(old);
                let call = match combining {
                    Combining::Min => Expr::Call(Elementary::Min, vec![old, value]),
                    Combining::Max => Expr::Call(Elementary::Max, vec![old, value]),
                    Combining::Lesser => Expr::Call(Elementary::Lesser, vec![value, old]),
                    _ => Expr::Call(Elementary::Greater, vec![value, old]),
                };
                self.program.pool.add(call, element)
            }
        }
    }

    /// An update as a reduction has it: how values are combined, and which.
    pub(super) fn accumulated(
        &mut self,
        update: Update,
        value: ExprId,
    ) -> Option<(Combining, ExprId)> {
        match update {
            Update::Arithmetic(BinaryOperator::Add) => Some((Combining::Add, value)),
            Update::Arithmetic(BinaryOperator::Subtract) => {
                let negated = self.sum(&[(Number::from_i64(-1), value)]);
                Some((Combining::Add, negated))
            }
            Update::Arithmetic(BinaryOperator::Multiply) => Some((Combining::Multiply, value)),
            Update::Arithmetic(_) => None,
            Update::Extremum(combining) => Some((combining, value)),
        }
    }
}

/// What a function or a method takes of its two operands, if that is the smaller or the larger one.
fn smaller_or_larger(value: &Expression) -> Option<(Combining, &[Expression; 2])> {
    let (combining, operands) = match &value.kind {
        ExpressionKind::Call(Elementary::Min, operands)
        | ExpressionKind::Integers(IntegerMethod::Min, operands) => (Combining::Min, operands),
        ExpressionKind::Call(Elementary::Max, operands)
        | ExpressionKind::Integers(IntegerMethod::Max, operands) => (Combining::Max, operands),
        _ => return None,
    };
    Some((combining, operands.as_slice().try_into().ok()?))
}

/// Whether an expression has a place in it.
fn mentions(place: &Expression, expression: &Expression) -> bool {
    is_same(place, expression)
        || (expression.operands().into_iter()).any(|operand| mentions(place, operand))
        || !expression.blocks().is_empty()
}
