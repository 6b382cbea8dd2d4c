//! How a statement writes an element: assigned once, or accumulated.

use super::accumulations::Update;
use super::value::{Place, Root, Value};
use super::{Lowerer, Result, opaque, problem};
use crate::analysis::dependence::{Pair, Reference};
use crate::diagnostics::Span;
use crate::ir::{Access, Affine, ArrayId, Equation, ExprId, IndexId, Operator, Role};
use crate::number::Number;
use crate::syntax::ast::{BinaryOperator, Type};

impl Lowerer<'_> {
    /// Writes an element of an array in memory.
    pub(super) fn write(
        &mut self,
        target: Place,
        operator: Option<Update>,
        value: ExprId,
        span: Span,
    ) -> Result<()> {
        let Root::Array(array) = target.root else {
            return problem(
                span,
                "a table cannot be assigned",
                "declare a `let mut` array",
            );
        };
        if !matches!(target.ty, Type::Scalar(_)) {
            return opaque(
                span,
                "a whole array is assigned",
                "assign its elements in a loop",
            );
        }
        if matches!(self.array(array).role, Role::Parameter(_)) {
            let name = &self.array(array).name;
            return problem(
                span,
                format!("`{name}` is not mutable"),
                format!("declare the parameter as `{name}: &mut …`"),
            );
        }
        let whole = self.program.pool.element(value).as_word();
        if whole.is_some() && operator.is_some() {
            return opaque(
                span,
                "an integer in memory that something is added to, which may overflow",
                "add up in a variable, and assign it once",
            );
        }
        let value = self.narrowed_for(value, array);
        self.written_anew(array, value);
        let (operator, value) = self.operation(&target, array, operator, value, span)?;
        let (free, reduction) = self.split(&target.subscripts);
        let temporary = matches!(self.array(array).role, Role::Temporary);
        if temporary && self.read.iter().any(|(read, _)| *read == array) {
            let name = &self.array(array).name;
            return opaque(
                span,
                format!("`{name}` is written after it was read"),
                "use another local array for the new values",
            );
        }
        let target = Access {
            array,
            subscripts: target.subscripts,
        };
        self.push(
            Equation {
                target,
                operator,
                free,
                reduction,
                expr: value,
            },
            span,
        );
        Ok(())
    }

    pub(super) fn push(&mut self, equation: Equation, span: Span) {
        self.states.remove(&equation.target.array);
        self.program.equations.push(equation);
        let statement = self.site(span);
        self.statements.push(statement);
    }

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
    fn operation(
        &mut self,
        target: &Place,
        array: ArrayId,
        operator: Option<Update>,
        value: ExprId,
        span: Span,
    ) -> Result<(Operator, ExprId)> {
        let value = match operator {
            None => value,
            Some(Update::Arithmetic(BinaryOperator::Add)) => return Ok((Operator::ADD, value)),
            Some(Update::Arithmetic(BinaryOperator::Subtract)) => {
                let value = self.sum(&[(Number::from_i64(-1), value)]);
                return Ok((Operator::ADD, value));
            }
            Some(update) => {
                if let Some((combining, value)) = self.accumulated(update, value)
                    && self.is_carried(target)
                {
                    return Ok((Operator::Accumulate(combining), value));
                }
                let old = self.read(Value::Place(target.clone()), span)?;
                self.updated(update, old, value)
            }
        };
        self.check_once(target, array, value, span)?;
        Ok((Operator::Assign, value))
    }

    /// Whether iterations of a loop write the same element.
    fn is_carried(&self, target: &Place) -> bool {
        let reference = Reference {
            subscripts: &target.subscripts,
            domain: &self.open,
        };
        let pair = Pair::new(&self.program, reference, reference, &self.open);
        pair.carried().is_some()
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
        opaque(
            span,
            format!("iterations of `{loop_name}` may assign the same element"),
            "accumulate with `+=`, or move the assignment out of that loop",
        )
    }
}
