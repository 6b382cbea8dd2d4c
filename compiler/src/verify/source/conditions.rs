//! Conditions.

use std::rc::Rc;

use super::value::{Target, Value, field};
use super::{Interpreter, Result};
use crate::syntax::ast::{Block, Expression, ExpressionKind, LogicalOperator};
use crate::syntax::extremum::{self, Extremum};
use crate::verify::uninterpreted;

impl<'a> Interpreter<'a, '_> {
    /// Whether a condition holds; the second one of two is evaluated where the first one does not decide.
    pub(super) fn holds(&mut self, condition: &'a Expression) -> Result<bool> {
        match &condition.kind {
            ExpressionKind::Bool(truth) => Ok(*truth),
            ExpressionKind::Not(of) => Ok(!self.holds(of)?),
            ExpressionKind::Logical(LogicalOperator::And, l, r) => {
                Ok(self.holds(l)? && self.holds(r)?)
            }
            ExpressionKind::Logical(LogicalOperator::Or, l, r) => {
                Ok(self.holds(l)? || self.holds(r)?)
            }
            _ => match self.scalar(condition)? {
                Value::Bool(truth) => Ok(truth),
                _ => Err("this is no condition".to_owned()),
            },
        }
    }

    /// What is stated must hold: inputs with which it does not are not the program's.
    pub(super) fn assert(&mut self, condition: &'a Expression) -> Result<()> {
        match self.holds(condition)? {
            true => Ok(()),
            false => Err("an assertion that does not hold".to_owned()),
        }
    }

    /// A choice; that of the smaller or the larger one of two numbers follows their order in the field.
    pub(super) fn choice(
        &mut self,
        condition: &'a Expression,
        then: &'a Block,
        otherwise: &'a Block,
    ) -> Result<Value<'a>> {
        let chosen = extremum::of_choice(condition, then, otherwise);
        if let Some(extremum) = chosen.and_then(Extremum::of_numbers) {
            return self.extremum(extremum);
        }
        let assigned = extremum::of_statement(condition, then, otherwise);
        if let Some((place, extremum)) = assigned.filter(|(_, extremum)| !extremum.integers) {
            let value = self.extremum(extremum)?;
            match self.target(place)? {
                Target::Memory(place) => self.store(place, value)?,
                Target::Local(local) => *self.local(&local)? = value,
            }
            return Ok(Value::Tuple(Rc::default()));
        }
        match self.holds(condition)? {
            true => self.block(then),
            false => self.block(otherwise),
        }
    }

    fn extremum(&mut self, extremum: Extremum<'a>) -> Result<Value<'a>> {
        let (value, other) = self.both(extremum.value, extremum.other)?;
        let arguments = [field(value)?, field(other)?];
        Ok(Value::Scalar(uninterpreted::apply(
            extremum.function,
            &arguments,
        )))
    }
}
