//! Merges accumulations into one place.
//!
//! Before: `a[i, j] += x for i, j` and `a[i, j] += y for i, j`. After: one equation with `x + y`.
//! What starts from zero and has one accumulation becomes its sum: `t[i] = 0` and `t[i] += x` are
//! `t[i] = x`; what starts from another value is that and a sum of its own.
//! Holds: nothing between the two assigns the array, reads what the earlier one adds to, or writes
//! what it reads; and the sums may be reordered.

use crate::collections::HashMap;
use crate::ir::{
    Access, ArrayId, Equation, Expr, ExprId, Extent, IndexId, Operator, Program, Role, Term,
};
use crate::number::Number;
use crate::rewrite::extrema;
use crate::rewrite::{starts, zeros};

/// What equations that can be merged have in common: target, free and reduction indices.
type Place = (Access, Vec<IndexId>, Vec<IndexId>);

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    let equations = std::mem::take(&mut program.equations);
    let count = equations.len();
    // Where an equation was that moved down, there is none.
    let mut done: Vec<Option<Equation>> = Vec::with_capacity(count);
    let mut places: HashMap<Place, Vec<usize>> = HashMap::default();
    let mut assigned: HashMap<ArrayId, usize> = HashMap::default();
    for mut later in equations {
        let array = later.target.array;
        if later.operator == Operator::Assign {
            assigned.insert(array, done.len());
            done.push(Some(later));
            continue;
        }
        if later.operator != Operator::ADD {
            // What is added before it is no longer added after it.
            places.retain(|(target, ..), _| target.array != array);
            let from = assigned.remove(&array);
            let from = from.filter(|from| !is_apart(program, &done, *from, &later));
            let start = from.and_then(|from| done[from].clone());
            if let (Some(from), Some(start)) = (from, start)
                && let Some(expr) = extrema::written_out(program, &start, &later)
            {
                done[from] = None;
                assigned.insert(array, done.len());
                done.push(Some(Equation { expr, ..start }));
                continue;
            }
            done.push(Some(later));
            continue;
        }
        let from = assigned.get(&array).copied();
        if let Some((from, whole)) =
            from.and_then(|from| Some((from, continued(program, &done, from, &later)?)))
        {
            done[from] = None;
            assigned.insert(array, done.len());
            done.push(Some(whole));
            continue;
        }
        let earlier = places.entry(place(&later)).or_default();
        let since = assigned.get(&array).map_or(0, |at| at + 1);
        let mut candidates = (0..earlier.len()).rev();
        let partner = candidates
            .find(|at| earlier[*at] < since || !held_back(program, &done, earlier[*at], &later))
            .filter(|at| earlier[*at] >= since);
        if let Some(into) = partner.and_then(|at| done[earlier.remove(at)].take()) {
            // The earlier equation moves down: what the later one reads is defined there.
            later.expr = added(program, into.expr, later.expr);
        }
        earlier.push(done.len());
        done.push(Some(later));
    }
    program.equations = done.into_iter().flatten().collect();
    zeros::leave_out(program);
    starts::split_off(program);
    let left = program.equations.len();
    let merged = count - left;
    vec![format!(
        "{merged} accumulations merged into others, {left} equations left"
    )]
}

fn place(equation: &Equation) -> Place {
    let Equation {
        target,
        free,
        reduction,
        ..
    } = equation.clone();
    (target, free, reduction)
}

fn added(program: &mut Program, first: ExprId, second: ExprId) -> ExprId {
    let element = program.pool.element(first);
    let terms = [first, second].map(|expr| Term {
        coefficient: Number::ONE,
        expr,
    });
    program.pool.add(Expr::Sum(terms.to_vec()), element)
}

/// The assignment that an equation becomes which adds to what an earlier one assigned over the same loops, if nothing
/// in between writes or reads the array.
fn continued(
    program: &mut Program,
    done: &[Option<Equation>],
    from: usize,
    later: &Equation,
) -> Option<Equation> {
    let start = done[from].as_ref()?;
    if is_apart(program, done, from, later) {
        return None;
    }
    // What loops of run-time length add to the same elements is a sum over them.
    let mut whole = Equation {
        operator: Operator::Assign,
        ..later.clone()
    };
    let still = later.still().filter(|index| later.free.contains(index));
    whole.sum_over(still.collect());
    if clears(program, start, &whole) {
        return Some(whole);
    }
    if place(start) != place(later) {
        return None;
    }
    let (start, later) = (start.expr, later.clone());
    let expr = match program.pool.is_zero(start) {
        true => later.expr,
        false => added(program, start, later.expr),
    };
    Some(Equation {
        operator: Operator::Assign,
        expr,
        ..later
    })
}

/// Whether something between two equations that write one array, or the later one itself, writes or reads it.
fn is_apart(program: &Program, done: &[Option<Equation>], from: usize, later: &Equation) -> bool {
    let array = program.viewed(later.target.array);
    let mut known = HashMap::default();
    let mut touched = |equation: &Equation| {
        let reads = program
            .pool
            .reads(equation.expr, later.target.array, &mut known);
        reads || program.viewed(equation.target.array) == array
    };
    let between = done[from + 1..].iter().flatten().any(&mut touched);
    let own = program
        .pool
        .reads(later.expr, later.target.array, &mut HashMap::default());
    between || own || held_back(program, done, from, later)
}

/// Whether an array is zero before a sum over loops of run-time length is added to all that was cleared. The two
/// may have other names for its loops.
fn clears(program: &Program, start: &Equation, later: &Equation) -> bool {
    let long = later
        .reduction
        .iter()
        .any(|index| !program.is_constant(*index));
    let whole = |equation: &Equation| {
        let loops = equation.target.loops(&equation.free)?.into_iter();
        let extents = loops.map(|index| program.loop_index(index).extent.clone());
        Some(extents.collect::<Vec<Extent>>())
    };
    let same = whole(start).is_some() && whole(start) == whole(later);
    long && program.pool.is_zero(start.expr) && same
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
