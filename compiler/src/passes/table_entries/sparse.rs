//! Products with tables of which most entries are 0, 1 or -1, written out: an equation for each row, a term for each
//! entry that is not zero.
//!
//! Blocks of zeros are cut off before (`zero_blocks`); here are those that lie anywhere. What rows have in common, as
//! those of a Hadamard matrix do, is computed once (`common_pairs`).
//!
//! Before: `y[e, i] += sum(j) t[i, j] * x[e, j]`. After, with 1, 0, 0 and 0, 2, 3 in `t`: `y[e, 0] += x[e, 0]`,
//! `y[e, 1] += 2 * x[e, 1] + 3 * x[e, 2]`.
//! Holds: values are equal in exact arithmetic, operations fewer than before. What is written out runs in lanes over
//! other loops only, so that the schedules are compared.

use super::{at, has_own_entries, in_parts, is_simple, operations, signed, value_or_index};
use crate::ir::{Equation, Expr, ExprId, IndexId, Operator, Program, Role};
use crate::number::Number;
use crate::passes::common_pairs;
use crate::rewrite::evaluate::{extents, points, tabulate};
use crate::rewrite::normalise::sum;

/// Most entries of a table that is looked at: a limit on work.
const MOST_ENTRIES: usize = 1 << 12;
/// Most terms that a table leaves: a limit on the length of code.
const MOST_TERMS: usize = 256;

/// Whether a table has entries that are 0, 1 or -1 for the half at least, and few others than 0.
pub fn suits(values: &[Number]) -> bool {
    is_simple(values) && values.iter().filter(|value| !value.is_zero()).count() <= MOST_TERMS
}

/// Writes out what can be, if fewer operations are left.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact {
        return Vec::new();
    }
    let Some((names, equations)) = in_parts(program, rows) else {
        return Vec::new();
    };
    program.equations = equations;
    // Rows are compared with the loops that they were by what they take once they share what they can.
    common_pairs::run(program);
    vec![format!(
        "products of `{names}` with tables of 0 and ±1 for the most part written out"
    )]
}

/// The equations of the rows of a table, if that saves a quarter of an equation's operations.
fn rows(program: &mut Program, equation: &Equation) -> Option<Vec<Equation>> {
    let temporary = matches!(program.array(equation.target.array).role, Role::Temporary);
    let own = !temporary || has_own_entries(program, equation);
    if !own || !equation.adds_up() || !program.states(equation.expr).is_empty() {
        return None;
    }
    let loops = sparse(program, equation)?;
    let is_sum = |index: &IndexId| equation.reduction.contains(index);
    let (summed, free): (Vec<IndexId>, Vec<IndexId>) = loops.into_iter().partition(is_sum);
    let all: Vec<IndexId> = free.iter().chain(&summed).copied().collect();
    let (outer, inner) = (extents(program, &free)?, extents(program, &summed)?);
    let element = program.pool.element(equation.expr);
    let mut left = 0;
    let mut made = Vec::new();
    for row in points(&outer) {
        let mut terms = Vec::new();
        for column in points(&inner) {
            let point: Vec<usize> = row.iter().chain(&column).copied().collect();
            let value = at(program, equation.expr, &all, &point);
            let zero =
                matches!(program.pool.get(value), Expr::Constant(number) if number.is_zero());
            if !zero {
                terms.push(signed(program, Number::ONE, value));
            }
        }
        left += terms.len();
        if left > MOST_TERMS {
            return None;
        }
        if terms.is_empty() && equation.operator != Operator::Assign {
            continue;
        }
        let by = |index: IndexId| value_or_index(index, &free, &row);
        let others =
            |loops: &[IndexId]| loops.iter().copied().filter(|i| !all.contains(i)).collect();
        made.push(Equation {
            target: equation.target.substitute(&by),
            free: others(&equation.free),
            reduction: others(&equation.reduction),
            expr: sum(&mut program.pool, terms, element),
            ..equation.clone()
        });
    }
    let before = operations(program, std::slice::from_ref(equation));
    let fewer = 4 * operations(program, &made) <= 3 * before;
    fewer.then_some(made)
}

/// The loops of the largest table that an equation reads whose entries are 0, 1 or -1 for the half at least; one of them is
/// summed over.
fn sparse(program: &Program, equation: &Equation) -> Option<Vec<IndexId>> {
    let accesses = program.pool.accesses([equation.expr]).into_iter();
    let tables =
        accesses.filter(|(_, access)| matches!(program.array(access.array).role, Role::Table(_)));
    let known = tables.filter_map(|(expr, _)| entries(program, equation, expr));
    known
        .max_by_key(|(size, loops)| (*size, loops.clone()))
        .map(|(_, loops)| loops)
}

fn entries(program: &Program, equation: &Equation, table: ExprId) -> Option<(usize, Vec<IndexId>)> {
    let indices = program.pool.indices(table);
    let loops: Vec<IndexId> = equation
        .domain()
        .filter(|index| indices.contains(index))
        .collect();
    let size: usize = extents(program, &loops)?.iter().product();
    if size > MOST_ENTRIES || !loops.iter().any(|index| equation.reduction.contains(index)) {
        return None;
    }
    is_simple(&tabulate(program, table, &loops)?).then_some((size, loops))
}
