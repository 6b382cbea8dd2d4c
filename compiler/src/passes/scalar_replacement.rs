//! Local arrays that are read at constants along a dimension, as arrays of their own.
//!
//! Before: `g[e, i, d] = x[d] * y[i]` for e, i, d, and `g[e, j, 0] * g[e, i, 1]`. After:
//! `g_0[e, i] = x[0] * y[i]`, `g_1[e, i] = x[1] * y[i]`, and `g_0[e, j] * g_1[e, i]`.
//! Holds: the values and the operations are the same; each array has the equations of its elements
//! alone, which other passes ask for.

use std::collections::{BTreeMap, BTreeSet};

use crate::collections::HashMap;
use crate::ir::{Access, Affine, ArrayId, Equation, IndexId, Program, Role};
use crate::rewrite::overwritten;
use crate::rewrite::replace::{redirect, substitute};

/// Most arrays that one becomes along a dimension.
const MOST: usize = 16;
/// Arrays that are made in all: each has equations of its own, which later passes compare.
const MOST_PARTS: usize = 1024;

/// A local array that is split: the dimension, and the constants along it.
struct Choice {
    array: ArrayId,
    dimension: usize,
    constants: BTreeSet<i64>,
}

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    let mut names = Vec::new();
    let (mut parts, mut left_out) = (0, false);
    // Parts are looked at next, for their other dimensions.
    let mut from = 0;
    loop {
        let mut chosen = choices(program, from);
        chosen.retain(|choice| {
            let fits = parts + choice.constants.len() <= MOST_PARTS;
            parts += if fits { choice.constants.len() } else { 0 };
            left_out |= !fits;
            fits
        });
        if chosen.is_empty() {
            break;
        }
        let split = chosen.iter().map(|choice| choice.array);
        names.extend(split.map(|array| program.array(array).name.clone()));
        // What was written out may leave constants in what reads other arrays.
        from = match write_out(program, &chosen) {
            true => 0,
            false => program.arrays.len(),
        };
        split_all(program, &chosen);
    }
    let mut decisions = Vec::new();
    if !names.is_empty() {
        // A loop over all elements, and an assignment of one of them, now write the same.
        overwritten::leave_out(program);
        let names = names.join("`, `");
        decisions.push(format!("`{names}` split along constant subscripts"));
    }
    if left_out {
        decisions.push(format!("limit: no more than {MOST_PARTS} parts"));
    }
    decisions
}

/// Splits the arrays from one on that are read and written at constants alone along a dimension.
pub fn split_from(program: &mut Program, from: usize) {
    let mut chosen = choices(program, from);
    chosen.retain(|choice| {
        let writes = program.writers(choice.array);
        let mut subscripts = writes.map(|at| &program.equations[at].target.subscripts);
        subscripts.all(|all| all[choice.dimension].as_constant().is_some())
    });
    split_all(program, &chosen);
}

/// The arrays from one on that are split, each along the first dimension that can be.
fn choices(program: &Program, from: usize) -> Vec<Choice> {
    let mut accesses: BTreeMap<ArrayId, Vec<(bool, &Access)>> = BTreeMap::new();
    let targets = program.equations.iter().map(|e| (false, &e.target));
    let read = program
        .pool
        .accesses(program.equations.iter().map(|e| e.expr));
    let read = read.into_iter().map(|(_, access)| (true, access));
    for (read, access) in targets.chain(read) {
        if access.array.0 as usize >= from {
            let all = accesses.entry(access.array).or_default();
            all.push((read, access));
        }
    }
    let chosen = accesses
        .into_iter()
        .filter_map(|(array, accesses)| along_constants(program, array, &accesses));
    chosen.collect()
}

/// A dimension of a local array in which all reads have constants, and writes have constants or all
/// that there are; the constants.
fn along_constants(
    program: &Program,
    array: ArrayId,
    accesses: &[(bool, &Access)],
) -> Option<Choice> {
    let own = program.array(array);
    if !matches!(own.role, Role::Temporary) || own.element.is_integer() {
        return None;
    }
    (0..own.shape.len()).find_map(|dimension| {
        let extent = own.shape[dimension].as_constant()?;
        let mut constants = BTreeSet::new();
        for (read, access) in accesses {
            let subscript = &access.subscripts[dimension];
            match (subscript.as_constant(), subscript.as_index()) {
                (Some(at), _) if (0..extent as i64).contains(&at) => {
                    constants.insert(at);
                }
                (None, Some(index)) if !read => {
                    let all = program.loop_index(index).extent.as_constant() == Some(extent);
                    if !all || extent > MOST {
                        return None;
                    }
                    constants.extend(0..extent as i64);
                }
                _ => return None,
            }
        }
        (1..=MOST).contains(&constants.len()).then_some(Choice {
            array,
            dimension,
            constants,
        })
    })
}

/// The equations that write arrays, each for all of a loop along the dimension, for one of its
/// iterations each; whether there are any.
fn write_out(program: &mut Program, chosen: &[Choice]) -> bool {
    let dimensions = dimensions(chosen);
    let mut any = false;
    for equation in std::mem::take(&mut program.equations) {
        let dimension = dimensions.get(&equation.target.array);
        let subscript = dimension.and_then(|at| equation.target.subscripts.get(*at));
        match subscript.and_then(Affine::as_index) {
            Some(index) => {
                any = true;
                let all = program.loop_index(index).extent.as_constant();
                for at in 0..all.unwrap_or_default() {
                    let equation = at_iteration(program, &equation, index, at as i64);
                    program.equations.push(equation);
                }
            }
            None => program.equations.push(equation),
        }
    }
    any
}

fn dimensions(chosen: &[Choice]) -> HashMap<ArrayId, usize> {
    chosen.iter().map(|c| (c.array, c.dimension)).collect()
}

/// An equation at one iteration of a loop.
fn at_iteration(program: &mut Program, equation: &Equation, index: IndexId, at: i64) -> Equation {
    let by = |other: IndexId| match other == index {
        true => Affine::constant(at),
        false => Affine::index(other),
    };
    let mut result = equation.clone();
    substitute(&mut program.pool, &mut result, &by);
    result.free.retain(|other| *other != index);
    result
}

/// Makes an array of the elements with each of the constants as a subscript.
fn split_all(program: &mut Program, chosen: &[Choice]) {
    let mut parts: HashMap<(ArrayId, i64), ArrayId> = HashMap::default();
    for choice in chosen {
        for at in &choice.constants {
            let like = program.array(choice.array).clone();
            let mut shape = like.shape;
            shape.remove(choice.dimension);
            let name = format!("{}_{at}", like.name);
            let part = program.add_array(&name, like.element, shape, Role::Temporary);
            parts.insert((choice.array, *at), part);
        }
    }
    let dimensions = dimensions(chosen);
    redirect(program, |_, access| {
        let dimension = *dimensions.get(&access.array)?;
        let mut subscripts = access.subscripts.clone();
        let at = subscripts.remove(dimension);
        let array = *parts.get(&(access.array, at.as_constant()?))?;
        Some(Access { array, subscripts })
    });
}
