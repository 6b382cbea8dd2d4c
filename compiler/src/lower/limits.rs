//! Limits on what is unrolled and inlined: what comes after walks through expressions recursively,
//! and takes time for each statement.

use super::unroll::LARGEST_VALUE;
use super::value::Value;
use super::{Lowerer, Result, opaque, problem};
use crate::collections::HashSet;
use crate::diagnostics::Span;
use crate::ir::{Affine, ArrayId, Atom, ExprId};
use crate::syntax::ast::{Expression, Type};

/// Statements, expressions and helpers that are run, in all, however often lowering begins again: what is found out
/// in one iteration of a loop that is unrolled may be found out in each.
const MOST_STEPS: usize = 1 << 19;
/// Elements that are written one by one: passes and the scheduler compare them in pairs.
const MOST_WRITES: usize = 1 << 12;
/// The same where loops are unrolled because the bounds of others follow them: the text could run as
/// written as well.
const MOST_FOLLOWED: usize = 1 << 8;
/// Operations that need each other's results.
const DEEPEST: usize = 1500;

/// Parts of the subscripts of an index map: each use of an entry copies them.
const MOST_PARTS: usize = 16;

/// Most elements of a value that the stack of a thread holds.
const MOST_HELD: usize = 1 << 17;

/// Refuses values of more elements than are held one by one.
pub(super) fn check_value(whole: &Expression) -> Result<()> {
    let held = held(&whole.ty);
    if held <= LARGEST_VALUE {
        return Ok(());
    }
    let message = "this array is too large for a value";
    let help = "declare it with `let mut x = [[0.0; N]; M];`: then it is held in memory";
    match held <= MOST_HELD {
        true => opaque(whole.span, message, help),
        false => problem(whole.span, message, help),
    }
}

/// Elements of a value, where references are one.
fn held(ty: &Type) -> usize {
    match ty {
        Type::Array(element, n) => n.saturating_mul(held(element)),
        Type::Tuple(fields) => fields.iter().map(held).sum(),
        _ => 1,
    }
}

/// An entry of an index map.
pub(super) fn entry(array: ArrayId, subscripts: Vec<Affine>, span: Span) -> Result<Affine> {
    if subscripts.iter().map(Affine::parts).sum::<usize>() <= MOST_PARTS {
        return Ok(Affine::atom(Atom::Map(array, subscripts)));
    }
    opaque(
        span,
        format!("a subscript of an index map that is made of more than {MOST_PARTS} parts"),
        "keep what maps of maps choose in a map of its own",
    )
}

impl Lowerer<'_> {
    /// Counts a statement, an expression, or the call of a helper.
    pub(super) fn step(&mut self) -> Result<()> {
        *self.steps += 1;
        if *self.steps > MOST_STEPS {
            return opaque(
                self.frame.function.name.span(),
                format!("unrolled, this is more than {MOST_STEPS} statements and operands"),
                "use smaller local arrays and fewer nested loops over their elements, or split the kernel",
            );
        }
        Ok(())
    }

    /// The kernel runs as written if too much of it is unrolled. What is added to one element
    /// counts once: it becomes one sum.
    pub(super) fn check_size(&self) -> Result<()> {
        let equations = self.program.equations.iter();
        let written = equations.map(|e| (&e.target, e.operator, &e.free, &e.reduction));
        let most = match self.findings.unrolled.is_empty() {
            true => MOST_WRITES,
            false => MOST_FOLLOWED,
        };
        if written.collect::<HashSet<_>>().len() <= most {
            return Ok(());
        }
        opaque(
            self.frame.function.name.span(),
            format!("unrolled, this writes more than {most} elements one by one"),
            "subscript by fewer sums of loop variables, or split the kernel",
        )
    }

    /// Values must not be the ends of very long chains.
    pub(super) fn check_depth(&mut self, value: &Value, span: Span) -> Result<()> {
        match value {
            Value::Scalar(expr) if self.depth_of(*expr) > DEEPEST => opaque(
                span,
                format!("this value takes more than {DEEPEST} operations one after the other"),
                "sum up in a loop over an array, or split the kernel",
            ),
            Value::Array(parts) | Value::Tuple(parts) => parts
                .iter()
                .try_for_each(|part| self.check_depth(part, span)),
            _ => Ok(()),
        }
    }

    fn depth_of(&mut self, expr: ExprId) -> usize {
        let mut stack = vec![expr];
        while let Some(top) = stack.last().copied() {
            if self.depths.contains_key(&top) {
                stack.pop();
                continue;
            }
            let mut deepest = 0;
            let mut complete = true;
            for operand in self.program.pool.operands(top) {
                match self.depths.get(&operand) {
                    Some(depth) => deepest = deepest.max(depth + 1),
                    None => {
                        complete = false;
                        stack.push(operand);
                    }
                }
            }
            if complete {
                self.depths.insert(top, deepest);
                stack.pop();
            }
        }
        self.depths.get(&expr).copied().unwrap_or(0)
    }
}
