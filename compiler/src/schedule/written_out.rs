//! Short loops that are written out, since each of their iterations by itself is simpler.
//!
//! ```text
//! u[e, c] = f[e, r[c]] * g[e, s[c]]        tables say which elements are read
//! v[e, k] = w[e, k]                        neighbours in memory are read for each lane
//! ```
//! In the first, every iteration knows its elements; in the second, iterations that read neighbours
//! load them together.

use super::Plan;
use super::own_block::own_block;
use crate::ir::{Affine, Atom, Expr, IndexId, Program, Role};

/// Most iterations of loops that are written out.
const SHORT: usize = 64;
/// The same where elements are only copied.
const COPIES: usize = 128;

/// Whether the loops of an equation are written out.
pub fn is_written_out(program: &Program, plan: &Plan, equation: usize, free: &[IndexId]) -> bool {
    let of = &program.equations[equation];
    let extents = free
        .iter()
        .map(|index| program.loop_index(*index).extent.as_constant());
    let Some(iterations) = extents.product::<Option<usize>>() else {
        return false;
    };
    let temporary = matches!(program.array(of.target.array).role, Role::Temporary);
    if !temporary || !of.reduction.is_empty() {
        return false;
    }
    let copied = iterations <= COPIES && copies(program, plan, equation);
    copied || (iterations <= SHORT && is_by_tables(program, equation, free))
}

/// Whether tables say which elements an equation reads.
fn is_by_tables(program: &Program, equation: usize, free: &[IndexId]) -> bool {
    let [index] = free else {
        return false;
    };
    let accesses = program.pool.accesses([program.equations[equation].expr]);
    let mut subscripts = accesses.iter().flat_map(|(_, access)| &access.subscripts);
    subscripts.any(|s| is_chosen(program, s, *index))
}

/// Whether a table says what a subscript is along a loop.
fn is_chosen(program: &Program, subscript: &Affine, index: IndexId) -> bool {
    subscript.terms.iter().any(|(atom, _)| match atom {
        Atom::Map(map, inner) => {
            let table = matches!(program.array(*map).role, Role::Table(_));
            table && inner.iter().any(|s| s.depends_on(index))
        }
        _ => false,
    })
}

/// Whether an equation copies what a parameter has for each lane.
fn copies(program: &Program, plan: &Plan, equation: usize) -> bool {
    let Expr::Access(access) = program.pool.get(program.equations[equation].expr) else {
        return false;
    };
    let parameter = matches!(program.array(access.array).role, Role::Parameter(_));
    let block = plan.lanes.and_then(|lane| own_block(program, access, lane));
    plan.width > 1
        && parameter
        && block.is_some_and(|shape| !shape.is_empty())
        && access.subscripts.iter().all(|s| s.as_index().is_some())
}
