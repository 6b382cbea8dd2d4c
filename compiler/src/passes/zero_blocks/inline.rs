//! Temporaries that are zero where tables are, replaced by their values.
//!
//! A value that is kept for each function of an element is zero in the columns of the other
//! components. What reads it knows that once it reads the tables. Code motion finds it again, for
//! each block.

use std::collections::HashMap;

use super::plan::is_only;
use super::zeros::Zeros;
use crate::ir::{Access, Affine, ArrayId, Equation, ExprId, IndexId, Program, Role};

/// Puts the values of temporaries with zero columns in the places where these are read.
pub fn run(program: &mut Program) {
    let mut definitions: HashMap<ArrayId, Equation> = HashMap::new();
    for at in 0..program.equations.len() {
        let mut equation = program.equations[at].clone();
        if !definitions.is_empty() {
            equation.expr = replaced(program, equation.expr, &definitions);
            program.equations[at].expr = equation.expr;
        }
        if defines(program, at) {
            definitions.insert(equation.target.array, equation);
        }
    }
}

/// Whether an equation is the only one of a temporary, a plain value, with zero columns.
fn defines(program: &Program, at: usize) -> bool {
    let equation = &program.equations[at];
    let plain = matches!(program.array(equation.target.array).role, Role::Temporary)
        && equation.reduction.is_empty()
        && is_only(program, at)
        && program.states(equation.expr).is_empty();
    if !plain {
        return false;
    }
    let zeros = Zeros::of(program, equation.expr);
    let mut loops = equation.free.iter();
    loops.any(|index| zeros.columns(*index).is_some())
}

fn replaced(
    program: &mut Program,
    expr: ExprId,
    definitions: &HashMap<ArrayId, Equation>,
) -> ExprId {
    let mut reads: Vec<(ExprId, Access)> = (program.pool.accesses([expr]).into_iter())
        .filter(|(_, access)| definitions.contains_key(&access.array))
        .map(|(id, access)| (id, access.clone()))
        .collect();
    reads.sort_unstable_by_key(|(id, _)| *id);
    let mut known = HashMap::new();
    for (id, access) in reads {
        let definition = &definitions[&access.array];
        let by = |index: IndexId| {
            let at = definition.free.iter().position(|free| *free == index);
            at.map_or_else(|| Affine::index(index), |at| access.subscripts[at].clone())
        };
        let value = (program.pool).substitute(definition.expr, &by, &mut HashMap::new());
        known.insert(id, value);
    }
    program.pool.replace(expr, &mut known)
}
