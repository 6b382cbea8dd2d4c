//! Statements under a condition.
//!
//! Both branches are run, one after the other, from the same values of variables. What variables hold
//! afterwards is chosen: `select(c, a, b)`. What a branch writes to memory is kept until both are run, so that
//! what one writes is not read by the other, and becomes one write of what is chosen; where only one of them
//! writes a place, the other one leaves it as it is. A loop inside of a branch writes at the end of each of its
//! iterations, under all conditions around.

use super::guarded::Write;
use super::value::{Condition, Value};
use super::{Binding, Lowerer, Problem, Reached, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{Expr, ExprId};
use crate::syntax::ast::{Block, Expression, Statement, Type};

/// A branch that is run, or an iteration of a loop inside of one.
#[derive(Debug)]
pub struct Guard {
    pub(super) condition: Condition,
    /// The loops around.
    pub(super) open: usize,
    pub(super) writes: Vec<Write>,
    /// What it accesses that may be out of range where it is not taken.
    pub(super) reached: Vec<(Reached, Span)>,
}

impl Guard {
    pub(super) fn new(condition: Condition, open: usize) -> Guard {
        Guard {
            condition,
            open,
            writes: Vec::new(),
            reached: Vec::new(),
        }
    }
}

impl Lowerer<'_> {
    /// `if condition { then } else { otherwise }`, its value too.
    pub(super) fn choice(
        &mut self,
        condition: &Expression,
        (then, otherwise): (&Block, &Block),
        (ty, span): (&Type, Span),
    ) -> Result<Value> {
        let condition = self.condition(condition, Some((then, otherwise)))?;
        if let Condition::Known(holds) = condition {
            let taken = if holds { then } else { otherwise };
            return Ok(self.block(taken)?.unwrap_or(Value::Tuple(Vec::new())));
        }
        let before = self.frame.values.clone();
        let (first, guard) = self.branch(condition.clone(), then)?;
        let values = std::mem::replace(&mut self.frame.values, before);
        let (second, other) = self.branch(condition.clone().negated(), otherwise)?;
        self.merge_reached(guard.reached, other.reached);
        self.merge_variables(&condition, values, span)?;
        self.merge_writes(&condition, guard.writes, other.writes)?;
        let same = match (&first, &second) {
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Converted(a, s), Value::Converted(b, t)) => a == b && s == t,
            _ => false,
        };
        let [first, second] = match same {
            true => [first, second],
            // An integer that data choose is one that is computed with.
            false => [
                self.wholes(first, ty, span)?,
                self.wholes(second, ty, span)?,
            ],
        };
        self.chosen(&condition, first, second, span)
    }

    /// The value of a branch, and what it writes. Both are computed, so that what one reads must be in range
    /// anyway; what cannot be computed may never be.
    fn branch(&mut self, condition: Condition, block: &Block) -> Result<(Value, Guard)> {
        self.guards.push(Guard::new(condition, self.open.len()));
        let value = self.block(block).and_then(|value| {
            let value = value.unwrap_or(Value::Tuple(Vec::new()));
            self.materialise(value, block.span)
        });
        let nothing = || Guard::new(Condition::Known(true), 0);
        let guard = self.guards.pop().unwrap_or_else(nothing);
        match value {
            Ok(value) => Ok((value, guard)),
            Err(problem) => Err(Problem {
                opaque: true,
                ..problem
            }),
        }
    }

    /// What both branches access is accessed anyway.
    fn merge_reached(&mut self, first: Vec<(Reached, Span)>, second: Vec<(Reached, Span)>) {
        let is_in =
            |all: &[(Reached, Span)], of: &Reached| all.iter().any(|(other, _)| other == of);
        for (reached, span) in first {
            match is_in(&second, &reached) {
                true if self.guards.is_empty() => {
                    self.reached.insert(reached);
                }
                true => self.reach_in_branch(reached, span),
                false => self.conditional.push((reached, span)),
            }
        }
        self.conditional.extend(second);
    }

    /// Runs something that is done under a condition, and writes nothing.
    pub(super) fn under<T>(
        &mut self,
        condition: Condition,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.guards.push(Guard::new(condition, self.open.len()));
        let result = run(self);
        let guard = self.guards.pop();
        self.conditional
            .extend(guard.into_iter().flat_map(|guard| guard.reached));
        result.map_err(|problem| Problem {
            opaque: true,
            ..problem
        })
    }

    /// Variables after both branches: `values` are those after the first one.
    fn merge_variables(
        &mut self,
        condition: &Condition,
        values: Vec<Option<Binding>>,
        span: Span,
    ) -> Result<()> {
        for (at, first) in values.into_iter().enumerate() {
            let second = self.frame.values[at].clone();
            let (Some(first), Some(second)) = (first, second) else {
                // Of a branch's own.
                continue;
            };
            if first.branches > self.guards.len() || second.branches > self.guards.len() {
                continue;
            }
            let value = match self.chosen(condition, first.value, second.value, span) {
                Ok(value) => value,
                Err(problem) => {
                    let name = &self.frame.function.variables[at].name;
                    let message =
                        format!("`{name}` changes under a condition: {}", problem.message);
                    return Err(Problem { message, ..problem });
                }
            };
            self.frame.values[at] = Some(Binding { value, ..second });
        }
        Ok(())
    }

    /// What a condition chooses between two values.
    fn chosen(
        &mut self,
        condition: &Condition,
        first: Value,
        second: Value,
        span: Span,
    ) -> Result<Value> {
        match (first, second) {
            (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(self.select(condition, a, b))),
            (Value::Integer(a), Value::Integer(b)) if a == b => Ok(Value::Integer(a)),
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                self.each_chosen(condition, a, b, span).map(Value::Array)
            }
            (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => {
                self.each_chosen(condition, a, b, span).map(Value::Tuple)
            }
            (Value::Condition(a), Value::Condition(b)) => {
                let (a, b) = (condition.clone().and(a), condition.clone().negated().and(b));
                Ok(Value::Condition(a.or(b)))
            }
            (Value::Place(a), Value::Place(b)) if a == b => Ok(Value::Place(a)),
            (Value::Converted(a, s), Value::Converted(b, t)) if a == b && s == t => {
                Ok(Value::Converted(a, s))
            }
            (Value::Flat(a), Value::Flat(b)) if a == b => Ok(Value::Flat(a)),
            (Value::Integer(_) | Value::Converted(..) | Value::Flat(_), _) => opaque(
                span,
                "an integer that follows from what is computed",
                "compute with floating-point numbers, or choose between values where they are used",
            ),
            _ => opaque(
                span,
                "a choice between arrays in memory",
                "choose between their elements",
            ),
        }
    }

    fn each_chosen(
        &mut self,
        condition: &Condition,
        a: Vec<Value>,
        b: Vec<Value>,
        span: Span,
    ) -> Result<Vec<Value>> {
        let pairs = a.into_iter().zip(b);
        pairs
            .map(|(a, b)| self.chosen(condition, a, b, span))
            .collect()
    }

    /// `if condition { then } else { otherwise }` of numbers.
    pub(super) fn select(
        &mut self,
        condition: &Condition,
        then: ExprId,
        otherwise: ExprId,
    ) -> ExprId {
        if then == otherwise {
            return then;
        }
        match condition {
            Condition::Known(true) => then,
            Condition::Known(false) => otherwise,
            Condition::Compare(compare) => {
                let element = self.program.pool.element(then);
                let choice = Expr::Select(*compare, then, otherwise);
                self.program.pool.add(choice, element)
            }
            Condition::Not(of) => self.select(of, otherwise, then),
            Condition::And(a, b) => {
                let inner = self.select(b, then, otherwise);
                self.select(a, inner, otherwise)
            }
        }
    }
}

/// What a loop counts.
pub const LOOP: usize = 100;

/// How much a branch does: loops count most.
pub fn weight(block: &Block) -> usize {
    let statements = block.statements.iter().map(|statement| match statement {
        Statement::For(inner) => LOOP + 10 * weight(&inner.body),
        Statement::Block(inner) => weight(inner),
        Statement::Assign { value, .. } => 1 + weight_of(value),
        Statement::Let(_, value) | Statement::Effect(value) => weight_of(value),
        Statement::Assert(..) => 0,
    });
    statements.sum::<usize>() + block.value.as_deref().map_or(0, weight_of)
}

/// What the blocks in an expression do: the loop of a sum that is divided, say.
fn weight_of(expression: &Expression) -> usize {
    let inside = expression.blocks().into_iter().map(weight);
    let operands = expression.operands().into_iter().map(weight_of);
    inside.chain(operands).sum()
}
