//! Sums that start from a value, apart from it.
//!
//! Before: `f[q] = 1` and `f[q] += sum(n) u[n] * g[q, n]`. After: `f_sum[q] = sum(n) u[n] * g[q, n]` and
//! `f[q] = 1 + f_sum[q]`: a temporary with one equation, and a sum that others may be compared with.
//!
//! Holds: nothing reads the temporary between the value and the last sum.

use std::collections::BTreeMap;

use super::zeros::is_read;
use crate::ir::{Access, ArrayId, Equation, Expr, ExprId, Operator, Program, Role, Term};
use crate::number::Number;

/// Splits the sums off.
pub fn split_off(program: &mut Program) {
    if program.is_in_place() {
        return;
    }
    let mut moved = Vec::new();
    let mut totals: BTreeMap<usize, Equation> = BTreeMap::new();
    for (array, of) in program.written() {
        let Some((start, sums, last)) = started(program, array, &of) else {
            continue;
        };
        let own = &program.equations[start];
        let mut terms: Vec<ExprId> = Vec::new();
        let mut total = own.clone();
        match own.reduction.is_empty() {
            true => {
                terms.push(own.expr);
                moved.push(start);
            }
            false => terms.push(kept(program, start)),
        }
        for at in sums {
            terms.push(kept(program, *at));
        }
        let terms = terms.into_iter().map(|expr| Term {
            coefficient: Number::ONE,
            expr,
        });
        total.reduction = Vec::new();
        let element = program.pool.element(total.expr);
        total.expr = program.pool.add(Expr::Sum(terms.collect()), element);
        totals.insert(last, total);
    }
    let equations = std::mem::take(&mut program.equations);
    for (at, equation) in equations.into_iter().enumerate() {
        if !moved.contains(&at) {
            program.equations.push(equation);
        }
        program.equations.extend(totals.remove(&at));
    }
}

/// The equation that assigns a value, or a sum, to a temporary, those that add sums to all of it, and the last of
/// these; `None` where it is written otherwise.
fn started<'a>(
    program: &Program,
    array: ArrayId,
    writers: &'a [usize],
) -> Option<(usize, &'a [usize], usize)> {
    let [first, sums @ ..] = writers else {
        return None;
    };
    let start = &program.equations[*first];
    let alike = |at: &usize| {
        let sum = &program.equations[*at];
        let mut loops = sum.reduction.iter();
        let known = loops.all(|index| program.is_constant(*index));
        sum.operator == Operator::ADD
            && !sum.reduction.is_empty()
            && ((known && start.reduction.is_empty()) || rows(program, start, sum))
            && (&sum.target, &sum.free) == (&start.target, &start.free)
    };
    let is_started = matches!(program.array(array).role, Role::Temporary)
        && start.operator == Operator::Assign
        && start.target.loops(&start.free).is_some()
        && sums.iter().all(alike)
        && !is_read(program, array, writers);
    let last = sums.last().filter(|_| is_started)?;
    Some((*first, sums, *last))
}

/// Whether a sum of unknown length has neighbours, along a loop that moves what it starts from or what is summed up: its
/// lanes, of which each has all of a sum. Other such sums have lanes themselves, with parts of a sum that end where it is
/// kept, which is where it starts. What is copied to an output alone starts there.
fn rows(program: &Program, start: &Equation, sum: &Equation) -> bool {
    let copies = |equation: &Equation| {
        let read = program.pool.get(equation.expr);
        let output = matches!(program.array(equation.target.array).role, Role::Output(_));
        matches!(read, Expr::Access(read) if *read == start.target)
            && equation.operator == Operator::Assign
            && output
    };
    let inner = start.free.last();
    inner.is_some_and(|index| program.pool.indices(sum.expr).contains(index))
        && !program.equations.iter().any(copies)
}

/// Keeps a sum in a temporary of its own; the element that it is.
fn kept(program: &mut Program, at: usize) -> ExprId {
    let target = program.equations[at].target.clone();
    let own = program.array(target.array).clone();
    let array = program.add_array(
        &format!("{}_sum", own.name),
        own.element,
        own.shape,
        own.role,
    );
    let target = Access { array, ..target };
    let sum = &mut program.equations[at];
    sum.target = target.clone();
    sum.operator = Operator::Assign;
    program.pool.add(Expr::Access(target), own.element)
}
