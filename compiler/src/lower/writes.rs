//! How a statement writes an element: assigned once, or accumulated.

use super::value::{Place, Value};
use super::{Lowerer, Result, opaque, problem};
use crate::analysis::dependence::{Pair, Reference};
use crate::diagnostics::Span;
use crate::ir::{Affine, ArrayId, ExprId, IndexId, Operator};
use crate::number::Number;
use crate::syntax::ast::BinaryOperator;

impl Lowerer<'_> {
    /// The open loops: those that a target knows, or that have no known length, and those that are
    /// summed over.
    pub(super) fn split(&self, subscripts: &[Affine]) -> (Vec<IndexId>, Vec<IndexId>) {
        let mut inside = Vec::new();
        subscripts
            .iter()
            .for_each(|s| s.collect_indices(&mut inside));
        let known = |index: &IndexId| self.program.loop_index(*index).extent.as_constant();
        self.open
            .iter()
            .copied()
            .partition(|index| inside.contains(index) || known(index).is_none())
    }

    /// How a statement writes its target, and what.
    pub(super) fn operation(
        &mut self,
        target: &Place,
        array: ArrayId,
        operator: Option<BinaryOperator>,
        value: ExprId,
        span: Span,
    ) -> Result<(Operator, ExprId)> {
        let value = match operator {
            None => value,
            Some(BinaryOperator::Add) => return Ok((Operator::Accumulate, value)),
            Some(BinaryOperator::Subtract) => {
                let value = self.sum(&[(Number::from_i64(-1), value)]);
                return Ok((Operator::Accumulate, value));
            }
            Some(BinaryOperator::Remainder) => {
                return opaque(
                    span,
                    "the remainder of floating-point numbers",
                    "for positive numbers write `x - y * (x / y).floor()`",
                );
            }
            Some(operator) => {
                let old = self.read(Value::Place(target.clone()), span)?;
                self.arithmetic(operator, old, value)
            }
        };
        self.check_once(target, array, value, span)?;
        Ok((Operator::Assign, value))
    }

    /// An element is assigned in one iteration: otherwise the last one counts.
    fn check_once(&self, target: &Place, array: ArrayId, value: ExprId, span: Span) -> Result<()> {
        let reference = Reference {
            subscripts: &target.subscripts,
            domain: &self.open,
        };
        let pair = Pair::new(&self.program, reference, reference, &self.open);
        let Some((level, _)) = pair.carried() else {
            return Ok(());
        };
        let loop_name = &self.program.loop_index(self.open[level]).name;
        let states = self.program.states(value);
        if states.iter().any(|s| self.program.viewed(s.array) == array) {
            let name = &self.array(array).name;
            return opaque(
                span,
                format!(
                    "iterations of `{loop_name}` assign elements of `{name}` again that they read"
                ),
                "give each iteration an element of its own, or accumulate with `+=`",
            );
        }
        problem(
            span,
            format!("iterations of `{loop_name}` may assign the same element"),
            "accumulate with `+=`, or move the assignment out of that loop",
        )
    }
}
