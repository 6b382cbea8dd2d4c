//! Conditions: decided now, assumed of the inputs, or compared when the kernel runs.

use super::branches::{LOOP, weight};
use super::cuts::sign;
use super::expressions::integer_type;
use super::value::{Condition, Value};
use super::{Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{Affine, Array, Atom, Element, Expr, ExprId};
use crate::syntax::ast::{
    Block, CompareOperator, Expression, ExpressionKind, Function, IntegerType, LogicalOperator,
};

/// Integers that are compared as floating-point numbers.
const LARGEST_EXACT: i128 = 1 << 52;

/// What is done where a condition holds, and where it does not.
type Branches<'b> = Option<(&'b Block, &'b Block)>;

impl Lowerer<'_> {
    /// A condition. Of conditions on inputs alone, one of the branches is assumed.
    pub(super) fn condition(
        &mut self,
        condition: &Expression,
        branches: Branches,
    ) -> Result<Condition> {
        match &condition.kind {
            ExpressionKind::Bool(truth) => Ok(Condition::Known(*truth)),
            ExpressionKind::Not(of) => {
                let turned = branches.map(|(then, otherwise)| (otherwise, then));
                Ok(self.condition(of, turned)?.negated())
            }
            ExpressionKind::Logical(operator, l, r) => {
                let first = self.condition(l, branches)?;
                match (operator, first) {
                    (LogicalOperator::And, Condition::Known(true))
                    | (LogicalOperator::Or, Condition::Known(false)) => self.condition(r, branches),
                    (_, known @ Condition::Known(_)) => Ok(known),
                    (LogicalOperator::And, first) => {
                        let second = self.condition_under(first.clone(), r)?;
                        Ok(first.and(second))
                    }
                    (LogicalOperator::Or, first) => {
                        let second = self.condition_under(first.clone().negated(), r)?;
                        Ok(first.or(second))
                    }
                }
            }
            ExpressionKind::Compare(operator, l, r) => match integer_type(&l.ty) {
                Some(ty) => self.integers_compared((*operator, ty), (l, r), branches, condition),
                None => {
                    let (l, r) = (self.scalar(l)?, self.scalar(r)?);
                    Ok(self.compared(*operator, l, r))
                }
            },
            _ => match self.expression(condition)? {
                Value::Condition(known) => Ok(known),
                _ => opaque(
                    condition.span,
                    "a condition that is read from memory",
                    "compare numbers",
                ),
            },
        }
    }

    /// A condition that is evaluated where another one holds.
    fn condition_under(&mut self, first: Condition, second: &Expression) -> Result<Condition> {
        self.under(first, |lowerer| lowerer.condition(second, None))
    }

    fn compared(&mut self, operator: CompareOperator, l: ExprId, r: ExprId) -> Condition {
        let element = self.program.pool.element(l);
        let compare = Expr::Compare(operator, l, r);
        Condition::Compare(self.program.pool.add(compare, element))
    }

    fn integers_compared(
        &mut self,
        (operator, ty): (CompareOperator, IntegerType),
        (l, r): (&Expression, &Expression),
        branches: Branches,
        whole: &Expression,
    ) -> Result<Condition> {
        if let Some(holds) = self.decided(whole)? {
            return Ok(Condition::Known(holds));
        }
        let (left, right) = (self.expression(l)?, self.expression(r)?);
        if let (Value::Integer(_) | Value::Place(_), Value::Integer(_) | Value::Place(_)) =
            (&left, &right)
        {
            let (a, b) = (
                self.affine(left.clone(), l.span)?,
                self.affine(right.clone(), r.span)?,
            );
            if let Some(holds) = self.assumed_branch(operator, &a.sub(&b), branches, whole.span)? {
                return Ok(Condition::Known(holds));
            }
        }
        let computed = self.is_computed(&left) || self.is_computed(&right);
        if computed || (ty.bits() < 64 && (self.is_data(&left) || self.is_data(&right))) {
            let left = self.whole(left, ty, l.span)?;
            let right = self.whole(right, ty, r.span)?;
            return Ok(self.compared(operator, left, right));
        }
        let left = self.comparable(left, ty, l.span)?;
        let right = self.comparable(right, ty, r.span)?;
        Ok(self.compared(operator, left, right))
    }

    /// An integer as a number that is exact.
    fn comparable(&mut self, value: Value, ty: IntegerType, span: Span) -> Result<ExprId> {
        if self.generic {
            return opaque(
                span,
                "a condition on integers that changes in a loop",
                "split the loop where the condition changes",
            );
        }
        let (affine, steps) = match value {
            Value::Converted(affine, steps) => (affine, steps),
            other => (self.affine(other, span)?, Vec::new()),
        };
        let (least, most) = ty.range();
        let small = least >= -LARGEST_EXACT && most <= LARGEST_EXACT;
        let mapped = affine.is_mapped();
        let entry = matches!((affine.terms.as_slice(), affine.constant), ([(_, 1)], 0));
        if mapped && small && !entry {
            return opaque(
                span,
                "a condition on what is computed from integers that are read from memory",
                "compare the integers themselves: add on the other side, or compute with numbers",
            );
        }
        if mapped && !small {
            return opaque(
                span,
                "a condition on integers of 64 bits that are read from memory",
                "keep them in `i32` or `u32`, or compare floating-point numbers",
            );
        }
        if !small && !mapped {
            let exact = (-LARGEST_EXACT, LARGEST_EXACT);
            self.must_lie(&affine, exact, (ty, span))?;
        }
        // Of few bits, they are exact in `f32` as well, and as many lanes as others of 32 bits have compare them.
        let wide = |array: &Array| array.element == Element::F64;
        let narrow = ty.bits() <= 16 && !self.program.arrays.iter().any(wide);
        let element = if narrow { Element::F32 } else { Element::F64 };
        self.number_of((affine, steps), (ty, element), span)
    }

    /// A condition on inputs alone: the branch that does more is what the program is of, for inputs with which
    /// it is taken. With others the text runs.
    fn assumed_branch(
        &mut self,
        operator: CompareOperator,
        difference: &Affine,
        branches: Branches,
        span: Span,
    ) -> Result<Option<bool>> {
        let mut atoms = difference.terms.iter().map(|(atom, _)| atom);
        let invariant = atoms.all(|atom| matches!(atom, Atom::Scalar(_) | Atom::Length(..)));
        let Some((then, otherwise)) = branches.filter(|_| invariant && self.guards.is_empty())
        else {
            return Ok(None);
        };
        if weight(then).max(weight(otherwise)) < LOOP {
            return Ok(None);
        }
        let holds = weight(then) >= weight(otherwise);
        let operator = if holds { operator } else { opposite(operator) };
        Ok(self
            .assume_that(operator, difference, span)?
            .then_some(holds))
    }

    /// Assumes `difference operator 0`; false where that is no bound.
    fn assume_that(
        &mut self,
        operator: CompareOperator,
        difference: &Affine,
        span: Span,
    ) -> Result<bool> {
        let Some((low, high)) = self.ends(difference) else {
            return Ok(false);
        };
        let one = Affine::constant(1);
        let interval = self.interval(difference);
        let needed = match operator {
            CompareOperator::Less => vec![high.scale(-1).sub(&one)],
            CompareOperator::LessEqual => vec![high.scale(-1)],
            CompareOperator::Greater => vec![low.sub(&one)],
            CompareOperator::GreaterEqual => vec![low],
            CompareOperator::Equal => vec![low, high.scale(-1)],
            CompareOperator::NotEqual | CompareOperator::Unordered => match interval {
                Some((0.., _)) => vec![low.sub(&one)],
                Some((_, ..=0)) => vec![high.scale(-1).sub(&one)],
                _ => return Ok(false),
            },
        };
        for needed in needed {
            self.assume(needed, span)?;
        }
        Ok(true)
    }

    /// `assert!(condition)`: it is assumed, and where it does not hold the text says so.
    pub(super) fn assertion(&mut self, condition: &Expression) -> Result<()> {
        if let ExpressionKind::Logical(LogicalOperator::And, l, r) = &condition.kind {
            self.assertion(l)?;
            return self.assertion(r);
        }
        let stuck = |span| {
            opaque(
                span,
                "an assertion on what is computed, or under a condition",
                "assert what is known of lengths and integer parameters before the loops",
            )
        };
        if let ExpressionKind::Compare(operator, l, r) = &condition.kind
            && integer_type(&l.ty).is_some()
        {
            let (a, b) = (self.expression(l)?, self.expression(r)?);
            let (a, b) = (self.affine(a, l.span)?, self.affine(b, r.span)?);
            let (difference, before) = (a.sub(&b), self.assumed.len());
            let interval = self.direct_interval(&difference);
            if interval.and_then(|own| sign(*operator, own)) == Some(true) {
                return Ok(());
            }
            if self.guards.is_empty()
                && !difference.is_mapped()
                && self.assume_that(*operator, &difference, condition.span)?
            {
                // It tells iterations apart.
                let more = &self.assumed[before..];
                self.program.known.extend_from_slice(more);
                return Ok(());
            }
        }
        stuck(condition.span)
    }
}

impl Lowerer<'_> {
    /// What is known of a function's inputs whatever they are.
    pub(super) fn facts(&mut self, function: &Function) -> Result<Vec<Affine>> {
        for fact in &function.facts {
            self.assertion(fact)?;
        }
        Ok(self.assumed.clone())
    }
}

fn opposite(operator: CompareOperator) -> CompareOperator {
    match operator {
        CompareOperator::Less => CompareOperator::GreaterEqual,
        CompareOperator::LessEqual => CompareOperator::Greater,
        CompareOperator::Greater => CompareOperator::LessEqual,
        CompareOperator::GreaterEqual => CompareOperator::Less,
        CompareOperator::Equal => CompareOperator::NotEqual,
        CompareOperator::NotEqual | CompareOperator::Unordered => CompareOperator::Equal,
    }
}
