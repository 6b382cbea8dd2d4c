//! How often expressions are used.

use crate::collections::HashMap;
use crate::ir::{ExprId, Program};

/// Number of places that use each expression reachable from an equation: operands of distinct
/// expressions, and equations' values.
pub fn uses(program: &Program) -> HashMap<ExprId, usize> {
    let mut counts = HashMap::default();
    let mut stack: Vec<ExprId> = program.equations.iter().map(|e| e.expr).collect();
    while let Some(expr) = stack.pop() {
        let count = counts.entry(expr).or_insert(0);
        *count += 1;
        if *count == 1 {
            program.pool.operands_into(expr, &mut stack);
        }
    }
    counts
}
