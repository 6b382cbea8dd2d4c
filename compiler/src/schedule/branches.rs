//! What an expression is made of, and what of it is evaluated in some branches alone.

use crate::collections::HashSet;
use crate::ir::{Access, Atom, Equation, Expr, ExprId, Pool, Program};

/// An expression and all that it is made of.
pub fn within(program: &Program, expr: ExprId) -> Vec<ExprId> {
    reached(&program.pool, expr, Pool::operands)
}

/// Whether what only a branch reads has to be in range where the branch is taken: there the text has a check, which no
/// vector has. All of an array is in range.
pub fn is_checked_in_branches(program: &Program, equation: &Equation) -> bool {
    let always = |pool: &Pool, expr| match pool.get(expr) {
        Expr::Select(condition, ..) => vec![*condition],
        _ => pool.operands(expr),
    };
    let always = reached(&program.pool, equation.expr, always);
    let always: HashSet<ExprId> = always.into_iter().collect();
    let all = program.pool.accesses([equation.expr]);
    let mut inside = all.iter().filter(|(expr, _)| !always.contains(expr));
    inside.any(|(_, access)| !is_in_range(program, access))
}

/// Whether each subscript is a loop over the whole axis, or constant.
fn is_in_range(program: &Program, access: &Access) -> bool {
    let shape = program.array(access.array).shape.iter();
    let mut axes = access.subscripts.iter().zip(shape);
    axes.all(|(subscript, extent)| match subscript.terms[..] {
        [(Atom::Index(index), 1)] if subscript.constant == 0 => {
            program.loop_index(index).extent == *extent
        }
        _ => subscript.as_constant().is_some() && extent.as_constant().is_some(),
    })
}

/// An expression and what is reached from it, each once.
fn reached(pool: &Pool, expr: ExprId, next: impl Fn(&Pool, ExprId) -> Vec<ExprId>) -> Vec<ExprId> {
    let (mut found, mut known) = (vec![expr], HashSet::from_iter([expr]));
    let mut at = 0;
    while let Some(expr) = found.get(at).copied() {
        let new = next(pool, expr).into_iter();
        found.extend(new.filter(|operand| known.insert(*operand)));
        at += 1;
    }
    found
}
