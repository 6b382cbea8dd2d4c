//! Local arrays that are zero in blocks, as an array for each of the others.
//!
//! Matrices of strains, and of the functions of vectors, are filled with zeros, and then with values
//! here and there: `b[0][3 * n] = g[n][0]`, `b[3][3 * n + 1] = g[n][0]`. Places that are written in the
//! same places of the other dimensions are a block, and what is written there an array of its own.
//! Loops over all places are split into loops over the blocks, so that no zero is multiplied; and so
//! are the local arrays that these loops write.
//!
//! Before: `b[e, i] = 0`, `b[e, 2*n] = x[e, n]` and `y[e] = sum(i) b[e, i] * u[e, i]`. After:
//! `b_block[e, n] = x[e, n]` and `y[e] = sum(n) b_block[e, n] * u[e, 2*n]`.
//! Holds: values are equal in exact arithmetic, operations after the later passes fewer than without.
//! It is section 6.3 of Luporini 2017 for arrays that the kernel fills itself.

mod pattern;
mod plan;

use super::merge;
use super::pipeline::take_if_fewer;
use super::zero_blocks::choice::Blocks;
use super::zero_blocks::plan::is_only;
use super::zero_blocks::split::{Blocked, Splitter, block_of, has_loop};
use crate::collections::HashMap;
use crate::ir::{ArrayId, Extent, Program, Progression};
use crate::rewrite::evaluate::points;
use crate::rewrite::rename;
use crate::rewrite::replace::{replace_accesses, value_at};
use crate::rewrite::unused::remove_unused;
use pattern::{Layout, Pattern};
use plan::Plan;

/// Most equations that a program may have after it is split.
const MOST_EQUATIONS: usize = 512;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact || program.recurrence().is_some() {
        return Vec::new();
    }
    let mut candidate = program.clone();
    let mut names = Vec::new();
    for at in 0..program.arrays.len() {
        let array = ArrayId(at as u32);
        let Some(pattern) = Pattern::of(&candidate, array) else {
            continue;
        };
        let Some(plan) = Plan::of(&candidate, array, &pattern.layout) else {
            continue;
        };
        split(&mut candidate, array, &pattern, &plan);
        names.push(program.array(array).name.clone());
    }
    if names.is_empty() {
        return Vec::new();
    }
    if candidate.equations.len() > MOST_EQUATIONS {
        return vec!["nothing: too many blocks".to_owned()];
    }
    read_once(&mut candidate, program.arrays.len());
    remove_unused(&mut candidate);
    rename::unify(&mut candidate);
    merge::run(&mut candidate);
    let names = names.join("`, `");
    let taken = take_if_fewer(program, candidate, ("array_blocks", "in blocks"));
    vec![taken.map_or_else(
        |nothing| nothing,
        |[before, after]| {
            format!(
                "`{names}` without blocks of zeros: {after} operations in the end, against {before}"
            )
        },
    )]
}

/// Splits what a plan says.
fn split(program: &mut Program, array: ArrayId, pattern: &Pattern, plan: &Plan) {
    let mut temporaries = HashMap::default();
    // Zeros are needed where something is added to them.
    let mut filled: Vec<ArrayId> = Vec::new();
    for (other, layout) in &plan.arrays {
        let mut blocked = Blocked {
            axes: layout.iter().map(|(a, b)| (*a, b.clone())).collect(),
            arrays: HashMap::default(),
        };
        for chosen in combinations(layout) {
            let own = *other == array;
            let added = own.then(|| pattern.written(layout, &chosen));
            let new = (added != Some(None)).then(|| {
                let shape = shape(program, *other, layout, &chosen);
                block_of(program, *other, shape)
            });
            if added == Some(Some(true)) {
                filled.extend(new);
            }
            blocked.arrays.insert(chosen, new);
        }
        temporaries.insert(*other, blocked);
    }
    let mut splitter = Splitter::with(program, temporaries);
    let mut equations = Vec::new();
    for (at, equation) in program.equations.clone().into_iter().enumerate() {
        let loops = plan.loops[at].iter();
        let blocks = Blocks::along(loops.map(|(i, b)| (*i, b.clone())).collect());
        let mut parts = splitter.split(program, &equation, &blocks);
        if at == pattern.fill {
            parts.retain(|part| filled.contains(&part.target.array));
        }
        equations.extend(parts);
    }
    program.equations = equations;
}

/// Puts blocks that are read once, and are no sums any more, where they are read: as sums, other passes
/// would know them.
fn read_once(program: &mut Program, before: usize) {
    for at in 0..program.equations.len() {
        let definition = program.equations[at].clone();
        let array = definition.target.array;
        if (array.0 as usize) < before || !definition.reduction.is_empty() || !is_only(program, at)
        {
            continue;
        }
        let values = program.equations.iter().map(|equation| equation.expr);
        let reads = program.pool.accesses(values).into_iter();
        if reads.filter(|(_, access)| access.array == array).count() != 1 {
            continue;
        }
        for reader in 0..program.equations.len() {
            let value = program.equations[reader].expr;
            program.equations[reader].expr =
                replace_accesses(program, value, |program, access, _| {
                    (access.array == array).then(|| value_at(program, &definition, access))
                });
        }
    }
}

/// One block of each dimension: all combinations.
fn combinations(layout: &Layout) -> Vec<Vec<Progression>> {
    let counts: Vec<usize> = layout.values().map(Vec::len).collect();
    let chosen = |point: Vec<usize>| {
        let blocks = layout.values().zip(point);
        blocks.map(|(blocks, at)| blocks[at]).collect()
    };
    points(&counts).map(chosen).collect()
}

/// The extents of a block: those of one element are left out.
fn shape(
    program: &Program,
    array: ArrayId,
    layout: &Layout,
    chosen: &[Progression],
) -> Vec<Extent> {
    let own = program.array(array).shape.iter().enumerate();
    let extent = |(axis, extent): (usize, &Extent)| {
        let Some(at) = layout.keys().position(|other| *other == axis) else {
            return Some(extent.clone());
        };
        has_loop(chosen[at]).then_some(Extent::Constant(chosen[at].count))
    };
    own.filter_map(extent).collect()
}
