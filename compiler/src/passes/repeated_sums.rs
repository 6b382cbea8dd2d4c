//! Sums of tables that several read, summed for each of them.
//!
//! Before: `m[i, j] = sum(q) w[q] * phi[q, i] * phi[q, j]`, `a[i, j] = d * m[i, j] + m[j, i]` and
//! `b[i, j] = m[i, j]`. After: `a[i, j] += sum(q) d * w[q] * phi[q, i] * phi[q, j]`, and so on: three
//! sums, none of which is kept.
//! Holds: values are equal in exact arithmetic, operations after the later passes fewer than without.
//!
//! Each read gets a copy of the sum, and [`forwarding`] adds that straight to what the reader writes.
//! That pays where the sums are evaluated before: the copies of one result are then one sum of tables.

use super::pipeline::take_if_fewer;
use super::{forwarding, merge};
use crate::collections::HashMap;
use crate::ir::{Access, ArrayId, Expr, ExprId, Program};

/// Most reads of one sum.
const MOST: usize = 8;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact || program.is_in_place() {
        return Vec::new();
    }
    let mut candidate = program.clone();
    let arrays: Vec<ArrayId> = (candidate.equations.iter())
        .filter(|equation| {
            forwarding::is_sum(&candidate, equation)
                && forwarding::sums_tables(&candidate, equation)
        })
        .map(|equation| equation.target.array)
        .collect();
    let mut names = Vec::new();
    for array in arrays {
        if copy(&mut candidate, array).is_some() {
            names.push(program.array(array).name.clone());
        }
    }
    if names.is_empty() {
        return Vec::new();
    }
    forwarding::run(&mut candidate);
    merge::run(&mut candidate);
    let names = names.join("`, `");
    let taken = take_if_fewer(program, candidate, ("repeated_sums", "with copies"));
    vec![taken.map_or_else(
        |nothing| nothing,
        |[before, after]| {
            format!("`{names}` summed for each reader: {after} operations against {before}")
        },
    )]
}

/// Gives each read of a sum but the first a copy of it, if there are several and none is inside of
/// another sum.
fn copy(program: &mut Program, array: ArrayId) -> Option<()> {
    let mut reads: Vec<(usize, ExprId, Access)> = Vec::new();
    for (at, equation) in program.equations.iter().enumerate() {
        let accesses = program.pool.accesses([equation.expr]).into_iter();
        let mut own = accesses
            .filter(|(_, access)| access.array == array)
            .map(|(expr, access)| (at, expr, access.clone()))
            .collect::<Vec<_>>();
        if !own.is_empty() && !equation.reduction.is_empty() {
            return None;
        }
        // In an order that does not change from one expansion to the next.
        own.sort_by_key(|(_, expr, _)| *expr);
        reads.append(&mut own);
    }
    if !(2..=MOST).contains(&reads.len()) {
        return None;
    }
    let at = program.sole_writer(array)?;
    let mut copies = Vec::new();
    for (reader, expr, access) in reads.into_iter().skip(1) {
        let like = program.array(array).clone();
        let copy = program.add_array(&like.name, like.element, like.shape, like.role);
        let read = Expr::Access(Access {
            array: copy,
            ..access
        });
        let read = program.pool.add(read, like.element);
        let mut known = HashMap::from_iter([(expr, read)]);
        let value = program.equations[reader].expr;
        program.equations[reader].expr = program.pool.replace(value, &mut known);
        let mut sums = program.equations[at].clone();
        sums.target.array = copy;
        copies.push(sums);
    }
    program.equations.splice(at + 1..at + 1, copies);
    Some(())
}
