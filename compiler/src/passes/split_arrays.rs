//! Local arrays that are read at constants along a dimension, as arrays of their own.
//!
//! Before: `g[e, i, d] = x[d] * y[i]` for e, i, d, and `g[e, j, 0] * g[e, i, 1]`. After:
//! `g_0[e, i] = x[0] * y[i]`, `g_1[e, i] = x[1] * y[i]`, and `g_0[e, j] * g_1[e, i]`.
//! Holds: the values and the operations are the same; each array has the equations of its elements
//! alone, which other passes ask for.

use std::collections::{BTreeSet, HashMap};

use crate::ir::{Access, Affine, ArrayId, Equation, IndexId, Program, Role};
use crate::rewrite::replace::{redirect, substitute};

/// Most arrays that one becomes.
const MOST: usize = 16;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = 0;
    // Parts are looked at in turn, for their other dimensions.
    while at < program.arrays.len() {
        let array = ArrayId(at as u32);
        match along_constants(program, array) {
            Some((dimension, constants)) => {
                names.push(program.array(array).name.clone());
                split(program, array, dimension, &constants);
            }
            None => at += 1,
        }
    }
    if names.is_empty() {
        return Vec::new();
    }
    let names = names.join("`, `");
    vec![format!("`{names}` split along constant subscripts")]
}

/// A dimension of a local array in which all reads have constants, and writes have constants or all
/// that there are; the constants.
fn along_constants(program: &Program, array: ArrayId) -> Option<(usize, BTreeSet<i64>)> {
    let own = program.array(array);
    if !matches!(own.role, Role::Temporary) || own.element.is_integer() {
        return None;
    }
    let accesses = program.accesses(array);
    (0..own.shape.len()).find_map(|dimension| {
        let extent = own.shape[dimension].as_constant()?;
        let mut constants = BTreeSet::new();
        for (read, access) in &accesses {
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
        (1..=MOST)
            .contains(&constants.len())
            .then_some((dimension, constants))
    })
}

/// The equations that write an array, each for all of a loop along a dimension, for one of its
/// iterations each.
fn write_out(program: &mut Program, array: ArrayId, dimension: usize) {
    for equation in std::mem::take(&mut program.equations) {
        let own = equation.target.array == array;
        let subscript = equation.target.subscripts.get(dimension);
        match subscript.and_then(Affine::as_index).filter(|_| own) {
            Some(index) => {
                let all = program.loop_index(index).extent.as_constant();
                for at in 0..all.unwrap_or_default() {
                    let equation = at_iteration(program, &equation, index, at as i64);
                    program.equations.push(equation);
                }
            }
            None => program.equations.push(equation),
        }
    }
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

/// Makes an array of the elements with each of some constants as a subscript.
fn split(program: &mut Program, array: ArrayId, dimension: usize, constants: &BTreeSet<i64>) {
    write_out(program, array, dimension);
    let mut parts: HashMap<i64, ArrayId> = HashMap::new();
    for at in constants {
        let like = program.array(array).clone();
        let mut shape = like.shape;
        shape.remove(dimension);
        let name = format!("{}_{at}", like.name);
        let part = program.add_array(&name, like.element, shape, Role::Temporary);
        parts.insert(*at, part);
    }
    redirect(program, |_, access| {
        if access.array != array {
            return None;
        }
        let mut subscripts = access.subscripts.clone();
        let at = subscripts.remove(dimension).as_constant()?;
        let array = *parts.get(&at)?;
        Some(Access { array, subscripts })
    });
}
