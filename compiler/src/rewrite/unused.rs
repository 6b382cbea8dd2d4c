//! Temporaries that nothing reads.

use std::collections::HashSet;

use crate::ir::{Expr, Program, Role};

/// Removes definitions of temporaries that nothing reads.
pub fn remove_unused(program: &mut Program) {
    loop {
        let mut read = HashSet::new();
        for expr in program.reachable() {
            if let Expr::Access(access) = program.pool.get(expr) {
                read.insert(access.array);
            }
        }
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
