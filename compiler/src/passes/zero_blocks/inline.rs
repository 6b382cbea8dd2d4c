//! Temporaries that are zero where tables are, replaced by their values.
//!
//! A value that is kept for each function of an element is zero in the columns of the other
//! components. What reads it knows that once it reads the tables. Code motion finds it again, for
//! each block.

use super::plan::is_only;
use super::zeros::Zeros;
use crate::collections::HashMap;
use crate::ir::{ArrayId, Equation, Program, Role};
use crate::rewrite::replace::{replace_accesses, value_at};

/// Puts the values of temporaries with zero columns in the places where these are read.
pub fn run(program: &mut Program) {
    let mut definitions: HashMap<ArrayId, Equation> = HashMap::default();
    for at in 0..program.equations.len() {
        let mut equation = program.equations[at].clone();
        if !definitions.is_empty() {
            equation.expr = replace_accesses(program, equation.expr, |program, access, _| {
                let definition = definitions.get(&access.array)?;
                Some(value_at(program, definition, access))
            });
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
