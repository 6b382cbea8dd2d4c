//! Merges accumulations into one place.
//!
//! Before: `a[i, j] += x for i, j` and `a[i, j] += y for i, j`. After: one equation with `x + y`.
//! What starts from zero and has one accumulation becomes its sum: `t[i] = 0` and `t[i] += x` are
//! `t[i] = x`.
//! Holds: nothing between the two assigns the array, reads what the earlier one adds to, or writes
//! what it reads; and the sums may be reordered.

use std::collections::HashMap;

use crate::ir::{Access, ArrayId, Equation, Expr, IndexId, Operator, Program, Role, Term};
use crate::number::Number;
use crate::rewrite::zeros;

/// What equations that can be merged have in common: target, free and reduction indices.
type Place = (Access, Vec<IndexId>, Vec<IndexId>);

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    let equations = std::mem::take(&mut program.equations);
    let count = equations.len();
    // Where an equation was that moved down, there is none.
    let mut done: Vec<Option<Equation>> = Vec::with_capacity(count);
    let mut places: HashMap<Place, Vec<usize>> = HashMap::new();
    let mut assigned: HashMap<ArrayId, usize> = HashMap::new();
    for mut later in equations {
        let array = later.target.array;
        if later.operator == Operator::Assign {
            assigned.insert(array, done.len());
            done.push(Some(later));
            continue;
        }
        let place = (
            later.target.clone(),
            later.free.clone(),
            later.reduction.clone(),
        );
        let earlier = places.entry(place).or_default();
        let since = assigned.get(&array).map_or(0, |at| at + 1);
        let mut candidates = (0..earlier.len()).rev();
        let partner = candidates
            .find(|at| earlier[*at] < since || !held_back(program, &done, earlier[*at], &later))
            .filter(|at| earlier[*at] >= since);
        if let Some(into) = partner.and_then(|at| done[earlier.remove(at)].take()) {
            let element = program.pool.element(into.expr);
            let terms = [into.expr, later.expr].map(|expr| Term {
                coefficient: Number::ONE,
                expr,
            });
            // The earlier equation moves down: what the later one reads is defined there.
            later.expr = program.pool.add(Expr::Sum(terms.to_vec()), element);
        }
        earlier.push(done.len());
        done.push(Some(later));
    }
    program.equations = done.into_iter().flatten().collect();
    zeros::leave_out(program);
    let left = program.equations.len();
    let merged = count - left;
    vec![format!(
        "{merged} accumulations merged into others, {left} equations left"
    )]
}

/// Whether moving an equation down to a later one would pass by a read of what it writes, or a
/// write of what it reads.
fn held_back(program: &Program, done: &[Option<Equation>], into: usize, later: &Equation) -> bool {
    let is_state = |array: &crate::ir::Array| matches!(array.role, Role::State(_));
    if !program.arrays.iter().any(is_state) {
        return false;
    }
    let Some(earlier) = &done[into] else {
        return true;
    };
    let memory = |array| program.viewed(array);
    let target = memory(earlier.target.array);
    let mine = program.states(earlier.expr);
    let mut between = done[into + 1..].iter().flatten().chain([later]);
    between.any(|between| {
        let written = memory(between.target.array);
        let reads = program.states(between.expr);
        reads.iter().any(|read| memory(read.array) == target)
            || mine.iter().any(|read| memory(read.array) == written)
    })
}
