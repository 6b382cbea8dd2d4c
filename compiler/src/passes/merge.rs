//! Merges accumulations into one place.
//!
//! Before: `a[i, j] += x for i, j` and `a[i, j] += y for i, j`. After: one equation with `x + y`.
//! Holds: nothing assigns the array between the two, and the sums may be reordered.

use crate::ir::{Expr, Operator, Program, Term};
use crate::number::Number;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    let mut merged = 0;
    let mut at = 0;
    while at < program.equations.len() {
        if let Some(into) = partner(program, at) {
            let later = program.equations.remove(at);
            let earlier = program.equations[into].expr;
            let element = program.pool.element(earlier);
            let terms = [earlier, later.expr].map(|expr| Term {
                coefficient: Number::ONE,
                expr,
            });
            let sum = program.pool.add(Expr::Sum(terms.to_vec()), element);
            // The earlier equation moves down: what the later one reads is defined there.
            let mut equation = program.equations.remove(into);
            equation.expr = sum;
            program.equations.insert(at - 1, equation);
            merged += 1;
        } else {
            at += 1;
        }
    }
    if merged == 0 {
        Vec::new()
    } else {
        vec![format!("{merged} accumulations merged into others")]
    }
}

/// An earlier equation that accumulates into the same place over the same domain.
fn partner(program: &Program, at: usize) -> Option<usize> {
    let later = &program.equations[at];
    if later.operator != Operator::Accumulate {
        return None;
    }
    for into in (0..at).rev() {
        let earlier = &program.equations[into];
        if earlier.target.array == later.target.array && earlier.operator == Operator::Assign {
            return None;
        }
        if earlier.operator == Operator::Accumulate
            && earlier.target == later.target
            && earlier.free == later.free
            && earlier.reduction == later.reduction
        {
            return Some(into);
        }
    }
    None
}
