//! Sums that are written as additions to an output in each iteration of some loops.

use std::collections::HashSet;

use crate::ir::{ArrayId, Expr, IndexId, Operator, Program, Role};

/// The outputs that an expression of a program reads, as states or as they are.
pub struct Totals {
    read: HashSet<ArrayId>,
}

impl Totals {
    /// Those of a program.
    pub fn of(program: &Program) -> Totals {
        let reachable = program.reachable().into_iter();
        let read = reachable.filter_map(|expr| match program.pool.get(expr) {
            Expr::Access(access) => Some(program.viewed(access.array)),
            _ => None,
        });
        Totals {
            read: read.collect(),
        }
    }

    /// The loops of an equation of which all iterations add to the same elements of an output that nothing
    /// reads meanwhile: a sum over them is the same where the order of additions may change.
    pub fn loops(&self, program: &Program, at: usize) -> Vec<IndexId> {
        let equation = &program.equations[at];
        let array = program.viewed(equation.target.array);
        let output = matches!(program.array(equation.target.array).role, Role::Output(_));
        let adds = equation.operator == Operator::Accumulate && output;
        if !adds || program.exact || self.read.contains(&array) {
            return Vec::new();
        }
        let still = equation.still();
        still
            .filter(|index| equation.free.contains(index))
            .collect()
    }
}
