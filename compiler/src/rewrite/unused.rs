//! Temporaries that nothing reads.

use crate::collections::HashSet;
use crate::ir::{ArrayId, Program, Role};

/// Removes definitions of temporaries that nothing reads.
pub fn remove_unused(program: &mut Program) {
    loop {
        let values = program.equations.iter().map(|e| e.expr);
        let accesses = program.pool.accesses(values).into_iter();
        let read: HashSet<ArrayId> = accesses.map(|(_, access)| access.array).collect();
        let arrays = &program.arrays;
        let before = program.equations.len();
        program.equations.retain(|equation| {
            let array = equation.target.array;
            let temporary = matches!(arrays[array.0 as usize].role, Role::Temporary);
            !temporary || read.contains(&array)
        });
        if program.equations.len() == before {
            return;
        }
    }
}
