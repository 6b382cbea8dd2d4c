//! Sums end with what iterations hand on.
//!
//! Before: `s[i + 1] = s[i] + x[i] + x[i + 1]`. After: `s[i + 1] = x[i] + x[i + 1] + s[i]`.
//!
//! What comes from the iteration before is known last, and the next one waits for it: one operation stands between
//! the two where it is added last, and all others of the sum are done by then. Of several loops the innermost one hands
//! on last. Exact programs keep their order.

use super::carried::Carried;
use crate::collections::HashMap;
use crate::ir::{ArrayId, Expr, ExprId, Program};

/// Expressions in order, and how late each is known.
type Known = HashMap<ExprId, (ExprId, usize)>;

/// A program whose sums end with what is handed on; `None` if it has none.
pub fn run(program: &Program, carried: &[Carried]) -> Option<Program> {
    if program.exact || carried.is_empty() {
        return None;
    }
    let mut result = program.clone();
    // How far inside the loops are that hand values on which an array is computed from.
    let mut depths: HashMap<ArrayId, usize> = HashMap::default();
    for one in carried {
        let free = &program.equations[one.equations.start].free;
        let depth = free.iter().position(|index| *index == one.index);
        depths.insert(one.array, depth.map_or(0, |depth| depth + 1));
    }
    let groups = carried.iter().map(|one| one.equations.clone());
    let mut equations: Vec<usize> = groups.flatten().collect();
    equations.sort_unstable();
    equations.dedup();
    for at in equations {
        let mut known = HashMap::default();
        let expr = result.equations[at].expr;
        let (expr, depth) = ordered(&mut result, expr, (&depths, &mut known));
        result.equations[at].expr = expr;
        let target = result.equations[at].target.array;
        depths.entry(target).or_insert(depth);
    }
    Some(result)
}

/// An expression with its sums in order, and how late it is known.
fn ordered(
    program: &mut Program,
    expr: ExprId,
    (depths, known): (&HashMap<ArrayId, usize>, &mut Known),
) -> (ExprId, usize) {
    if let Some(found) = known.get(&expr) {
        return *found;
    }
    let mut latest = match program.pool.get(expr) {
        Expr::Access(access) => depths.get(&access.array).copied().unwrap_or(0),
        _ => 0,
    };
    let operands = program.pool.operands(expr);
    let mut new = Known::default();
    for operand in operands {
        let found = ordered(program, operand, (depths, known));
        latest = latest.max(found.1);
        new.insert(operand, found);
    }
    let element = program.pool.element(expr);
    let result = match program.pool.get(expr).clone() {
        Expr::Sum(mut terms) => {
            terms.sort_by_key(|term| new[&term.expr].1);
            terms
                .iter_mut()
                .for_each(|term| term.expr = new[&term.expr].0);
            program.pool.add(Expr::Sum(terms), element)
        }
        _ => (program.pool).map_operands(expr, &mut |_, operand| new[&operand].0),
    };
    known.insert(expr, (result, latest));
    (result, latest)
}
