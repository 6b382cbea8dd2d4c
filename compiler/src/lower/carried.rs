//! Local numbers that iterations hand on: Horner's rule, filters along a row, steps in time of a point.
//!
//! ```text
//! let mut s = c[0];
//! for j in 0..m { s = s * x[i] + c[j]; }
//! y[i] = s;
//! ```
//! is no sum. What the variable holds before each iteration, and after the last one, are elements of a temporary:
//!
//! ```text
//! s_before[i, 0] = c[0]                                  for i
//! s_before[i, j + 1] = s_before[i, j] * x[i] + c[j]      for i, j
//! y[i] = s_before[i, m]                                  for i
//! ```
//! This is a recurrence ([`Program::together`](crate::ir::Program::together)): it is in registers, and lanes run over the
//! loops around. That a loop hands a variable on is found out where the variable is assigned, and lowering begins again.

use super::value::{Binding, Value};
use super::{Finding, Lowerer, Problem, Result, opaque};
use crate::collections::HashSet;
use crate::diagnostics::Span;
use crate::ir::{Access, Affine, ArrayId, Equation, Expr, ExprId, IndexId, Operator};
use crate::syntax::ast::VariableId;

/// Longest loop that is unrolled since it hands a variable on: what it holds are values then, that vectors of a step
/// compute side by side. An iteration may use several times what the one before leaves.
const SHORT: usize = 8;

/// Most numbers that one variable is made of.
const MOST_NUMBERS: usize = 32;

/// A variable that a loop hands on, and a temporary for each of its numbers.
pub(super) struct Carried {
    variable: VariableId,
    outside: Binding,
    before: Vec<Access>,
}

/// What a loop hands on, and how many equations there were before its body.
pub(super) struct Handing {
    carried: Vec<Carried>,
    first: usize,
    span: Span,
}

impl Lowerer<'_> {
    /// Begins again with a loop that hands a variable on, which was declared around it, if that is the innermost loop
    /// that is open, inside of another one, and the variable is made of numbers; or with the outermost of several short
    /// ones unrolled; an error of this text otherwise.
    pub(super) fn hands_on<T>(
        &self,
        (variable, depth): (VariableId, usize),
        message: impl Into<String>,
        help: &'static str,
        span: Span,
    ) -> Result<T> {
        // A loop around may have lanes.
        let inside = self.open.get(depth..).filter(|_| depth > 0);
        let inside = inside.unwrap_or_default();
        let piece = inside
            .first()
            .and_then(|index| self.numbers.get(index).copied());
        let binding = self.frame.values[variable.0].as_ref();
        let numbers = binding.is_some_and(|binding| numbers(&binding.value).is_some());
        let piece = piece.filter(|_| numbers);
        let finding = match self.are_few(inside) {
            true => piece.map(|piece| Finding::Unroll { piece }),
            false => piece
                .filter(|_| inside.len() == 1)
                .map(|piece| Finding::Carry { piece, variable }),
        };
        opaque(span, message, help).map_err(|problem| Problem {
            finding: finding.map(Box::new),
            ..problem
        })
    }

    /// Whether the iterations of loops are few enough to be unrolled, of all together.
    fn are_few(&self, loops: &[IndexId]) -> bool {
        let extent = |index: &IndexId| self.program.loop_index(*index).extent.as_constant();
        let short = |index| extent(index).filter(|n| *n <= SHORT);
        let copies = loops.iter().try_fold(self.copies, |copies, index| {
            short(index).and_then(|n| copies.checked_mul(n))
        });
        copies.is_some_and(|copies| copies <= SHORT)
    }

    /// Whether the iterations of a loop hand variables on.
    pub(super) fn hands(&self, index: IndexId) -> bool {
        let piece = self.numbers.get(&index);
        piece.is_some_and(|piece| self.findings.carried.contains_key(piece))
    }

    /// What variables hold before the first iteration of a loop that hands them on.
    pub(super) fn begin_handing(
        &mut self,
        piece: usize,
        index: IndexId,
        span: Span,
    ) -> Option<Handing> {
        let variables = self.findings.carried.get(&piece)?.clone();
        let outer = self.open.clone();
        let mut carried = Vec::new();
        for variable in variables {
            let outside = self.frame.values[variable.0].clone()?;
            let name = self.frame.function.variables[variable.0].name.to_string();
            let before: Vec<Access> = numbers(&outside.value)?
                .into_iter()
                .map(|start| self.first_value((&name, start), (&outer, index), span))
                .collect();
            carried.push(Carried {
                variable,
                outside,
                before,
            });
        }
        let first = self.program.equations.len();
        Some(Handing {
            carried,
            first,
            span,
        })
    }

    /// A temporary with one element more than a loop has iterations, the first of which has a value.
    fn first_value(
        &mut self,
        (name, start): (&str, ExprId),
        (outer, index): (&[IndexId], IndexId),
        span: Span,
    ) -> Access {
        let element = self.program.pool.element(start);
        let loops = [outer, &[index]].concat();
        let before = self.one_longer((name, element), &loops, index);
        let start = Equation {
            target: at(&before, Affine::default()),
            operator: Operator::Assign,
            free: outer.to_vec(),
            reduction: Vec::new(),
            expr: start,
        };
        self.push(start, span);
        before
    }

    /// Lets the variables of a loop that was opened hold what the iteration before has left.
    pub(super) fn take_over(&mut self, handing: &Handing) {
        for one in &handing.carried {
            let mut before = one.before.iter();
            let value = self.renewed(&one.outside.value, &mut before);
            self.frame.values[one.variable.0] = Some(self.binding(value));
        }
    }

    /// Hands on what an iteration has left, at its end. Where that takes more than equations over the same loops, one
    /// after the other, it cannot be had.
    pub(super) fn hand_over(&mut self, handing: &Handing, index: IndexId) -> Result<()> {
        let mut steps = Vec::new();
        for one in &handing.carried {
            let value = self.frame.values[one.variable.0].as_ref();
            let left = value.and_then(|binding| numbers(&binding.value));
            let Some(left) = left.filter(|left| left.len() == one.before.len()) else {
                return self.not_handed_on(handing.span);
            };
            steps.extend(one.before.iter().cloned().zip(left));
        }
        if self.reads_another(&steps) {
            steps = (steps.into_iter())
                .map(|(before, expr)| (before, self.value_now(expr, handing.span)))
                .collect();
        }
        for (before, expr) in steps {
            let next = Affine::index(index).add(&Affine::constant(1));
            let step = Equation {
                target: at(&before, next),
                operator: Operator::Assign,
                free: self.open.clone(),
                reduction: Vec::new(),
                expr,
            };
            self.push(step, handing.span);
        }
        match self.takes_turns(handing) {
            true => Ok(()),
            false => self.not_handed_on(handing.span),
        }
    }

    /// Whether what one number becomes is computed from what another one was, which is gone by then.
    fn reads_another(&self, steps: &[(Access, ExprId)]) -> bool {
        let pool = &self.program.pool;
        (1..steps.len()).any(|at| {
            let read = pool.accesses([steps[at].1]).into_iter();
            let mut read = read.map(|(_, access)| access.array);
            read.any(|array| steps[..at].iter().any(|(before, _)| before.array == array))
        })
    }

    /// A value of an iteration, as a temporary.
    fn value_now(&mut self, expr: ExprId, span: Span) -> ExprId {
        let (at, free) = (self.program.equations.len(), self.open.clone());
        let site = self.site(span);
        self.define(at, "now", expr, free, site)
    }

    /// What variables hold after the last iteration.
    pub(super) fn leave_last(&mut self, handing: Handing, index: IndexId) {
        let count = self.program.loop_index(index).extent.affine();
        for one in handing.carried {
            let last: Vec<Access> = (one.before.iter())
                .map(|before| at(before, count.clone()))
                .collect();
            let value = self.renewed(&one.outside.value, &mut last.iter());
            self.frame.values[one.variable.0] = Some(Binding {
                value,
                ..one.outside
            });
        }
    }

    /// Whether the equations from the first one that needs what is handed on can come one after the other in each
    /// iteration: all are over the loops that are open, and none reads an output that another one writes.
    fn takes_turns(&self, handing: &Handing) -> bool {
        let before = handing.carried.iter().flat_map(|one| &one.before);
        let before: HashSet<ArrayId> = before.map(|before| before.array).collect();
        let body = &self.program.equations[handing.first..];
        let needs = |equation: &&Equation| {
            let read = self.program.pool.accesses([equation.expr]);
            read.into_iter()
                .any(|(_, read)| before.contains(&read.array))
        };
        let first = body.iter().position(|equation| needs(&equation));
        let group = &body[first.unwrap_or(body.len())..];
        let written = |read: &Access| {
            let output = self.program.viewed(read.array);
            group.iter().any(|other| other.target.array == output)
        };
        group.iter().all(|equation| {
            let alike = equation.free == self.open && equation.reduction.is_empty();
            let states = self.program.states(equation.expr);
            alike && equation.operator == Operator::Assign && !states.into_iter().any(written)
        })
    }

    fn not_handed_on<T>(&self, span: Span) -> Result<T> {
        opaque(
            span,
            "what this loop hands on from one iteration to the next takes part in loops inside of it",
            "hand on numbers that are computed from numbers",
        )
    }

    /// A value of other numbers.
    fn renewed<'a>(
        &mut self,
        value: &Value,
        numbers: &mut impl Iterator<Item = &'a Access>,
    ) -> Value {
        let mut all = |values: &[Value]| -> Vec<Value> {
            values
                .iter()
                .map(|value| self.renewed(value, numbers))
                .collect()
        };
        match value {
            Value::Array(values) => Value::Array(all(values)),
            Value::Tuple(values) => Value::Tuple(all(values)),
            other => match numbers.next() {
                Some(access) => {
                    let element = self.program.array(access.array).element;
                    let read = Expr::Access(access.clone());
                    Value::Scalar(self.program.pool.add(read, element))
                }
                None => other.clone(),
            },
        }
    }
}

/// The numbers that a value is made of, if it is made of nothing else.
fn numbers(value: &Value) -> Option<Vec<ExprId>> {
    let all = match value {
        Value::Scalar(number) => vec![*number],
        Value::Array(values) | Value::Tuple(values) => {
            let each: Option<Vec<Vec<ExprId>>> = values.iter().map(numbers).collect();
            each?.concat()
        }
        _ => return None,
    };
    (all.len() <= MOST_NUMBERS).then_some(all)
}

/// An access with another last subscript.
fn at(access: &Access, last: Affine) -> Access {
    let mut access = access.clone();
    if let Some(own) = access.subscripts.last_mut() {
        *own = last;
    }
    access
}
