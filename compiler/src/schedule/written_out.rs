//! Short loops that are written out, since each of their iterations by itself is simpler.
//!
//! ```text
//! u[e, c] = f[e, r[c]] * g[e, s[c]]        tables say which elements are read
//! v[e, k] = w[e, k]                        neighbours in memory are read for each lane
//! v[e, x, y] = u[e, x, y] * w[e, 5*x + y]   the same along the innermost loop
//! ```
//! In the first, every iteration knows its elements; in the others, iterations that read neighbours
//! load them together.

use super::Plan;
use super::crossing::ROW;
use super::own_block::own_block;
use crate::ir::{Affine, Atom, Equation, Expr, IndexId, Program, Role};

/// Most iterations of loops that are written out.
const SHORT: usize = 64;
/// The same where elements are only copied.
const COPIES: usize = 128;
/// The same where neighbours are read among other things: a few rows.
const NEIGHBOURS: usize = 4 * ROW;

/// Whether the loops of an equation are written out.
pub fn is_written_out(program: &Program, plan: &Plan, equation: usize, free: &[IndexId]) -> bool {
    let of = &program.equations[equation];
    let extents = free
        .iter()
        .map(|index| program.loop_index(*index).extent.as_constant());
    let Some(iterations) = extents.product::<Option<usize>>() else {
        return false;
    };
    if !is_plain(program, of) {
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

/// Whether iterations of a loop read neighbours of what a parameter has for each lane, and are a few rows of them. Equations
/// that share a loop with it have no part in that.
pub fn reads_neighbours(program: &Program, plan: &Plan, equation: usize, free: &[IndexId]) -> bool {
    let (Some(lane), [index]) = (plan.lanes.filter(|_| plan.width > 1), free) else {
        return false;
    };
    let of = &program.equations[equation];
    let extent = program.loop_index(*index).extent.as_constant();
    let few = extent.is_some_and(|n| (ROW..=NEIGHBOURS).contains(&n));
    if !few || !is_plain(program, of) {
        return false;
    }
    let accesses = program.pool.accesses([of.expr]);
    accesses.iter().any(|(_, access)| {
        let parameter = matches!(program.array(access.array).role, Role::Parameter(_));
        let block = own_block(program, access, lane).is_some_and(|shape| !shape.is_empty());
        let mut subscripts = access.subscripts.iter().rev();
        let along = subscripts.next().is_some_and(|last| {
            let mut terms = last.terms.iter();
            terms.any(|term| *term == (Atom::Index(*index), 1))
        });
        parameter && block && along && !subscripts.any(|outer| outer.depends_on(*index))
    })
}

/// Whether an equation assigns elements of a temporary, and sums nothing up.
fn is_plain(program: &Program, of: &Equation) -> bool {
    matches!(program.array(of.target.array).role, Role::Temporary) && of.reduction.is_empty()
}
