//! Conditions.

use super::value::Value;
use super::{Interpreter, Result};
use crate::syntax::ast::{Expression, ExpressionKind, LogicalOperator};

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
}
