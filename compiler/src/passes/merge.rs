//! Merges accumulations into one place.
//!
//! Before: `a[i, j] += x for i, j` and `a[i, j] += y for i, j`. After: one equation with `x + y`.
//! Holds: nothing between the two assigns the array, reads what the earlier one adds to, or writes
//! what it reads; and the sums may be reordered.

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
    let left = program.equations.len();
    vec![format!(
        "{merged} accumulations merged into others, {left} equations left"
    )]
}

/// Whether moving an equation down to a later one would pass by a read of what it writes, or a
/// write of what it reads.
fn held_back(program: &Program, into: usize, at: usize) -> bool {
    let memory = |array| program.viewed(array);
    let earlier = &program.equations[into];
    let target = memory(earlier.target.array);
    let mine = program.states(earlier.expr);
    program.equations[into + 1..=at].iter().any(|between| {
        let written = memory(between.target.array);
        let reads = program.states(between.expr);
        reads.iter().any(|read| memory(read.array) == target)
            || mine.iter().any(|read| memory(read.array) == written)
    })
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
            && !held_back(program, into, at)
        {
            return Some(into);
        }
    }
    None
}
