//! Vectors of inputs that registers hold along all loops of run-time length, as rows of constant length are: they are
//! read before these, which takes no time in them (`emit/kept.rs`). Numbers that all lanes have count as if they were read
//! each time: rows that take a step together share them.

use super::tree::Schedule;
use crate::ir::{Access, Equation, Expr, ExprId, IndexId, Program, Role};

/// Registers that hold such vectors beside what a body computes: half of those of AVX2.
pub const ROOM: usize = 8;

/// Whether an access is to elements of an input that no index map says the places of.
pub fn is_input(program: &Program, access: &Access) -> bool {
    let array = program.array(access.array);
    let mapped = access.subscripts.iter().any(|s| s.is_mapped());
    matches!(array.role, Role::Parameter(_)) && !array.shape.is_empty() && !mapped
}

/// Whether an expression is such a vector.
pub fn is_kept(
    (program, schedule): (&Program, &Schedule),
    equation: &Equation,
    expr: ExprId,
) -> bool {
    let Expr::Access(access) = program.pool.get(expr) else {
        return false;
    };
    if schedule.width < 2 || !is_input(program, access) {
        return false;
    }
    let mut domain = equation.domain();
    let one_vector = |index: &IndexId| {
        let extent = program.loop_index(*index).extent.as_constant();
        schedule.is_lane(*index) && extent.is_some_and(|extent| extent <= schedule.width)
    };
    let own = program.pool.indices(expr);
    domain.any(|index| !program.is_constant(index)) && !own.is_empty() && own.iter().all(one_vector)
}
