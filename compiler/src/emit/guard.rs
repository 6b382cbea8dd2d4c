//! Which reads the bounds check has seen.
//!
//! A pass may evaluate a read where the source would not have: outside of a loop that turns out to
//! be empty. The check says nothing about such a read, so that it is made only in range.

use std::collections::HashMap;

use super::names::plain;
use crate::ir::{Access, Affine, Atom, Equation, Extent, Program};

/// The accesses of the program as lowered, by array.
#[derive(Debug, Default)]
pub struct Covered {
    accesses: HashMap<String, Vec<Checked>>,
}

/// What an access reaches in each dimension, and the run-time extents of the loops around it.
type Checked = (Vec<Option<String>>, Vec<String>);

impl Covered {
    /// Collects the accesses that are checked.
    pub fn new(program: &Program) -> Covered {
        let mut result = Covered::default();
        for equation in &program.equations {
            let domain = run_time(program, equation);
            let mut add = |access: &Access| {
                let entry = (signature(program, access), domain.clone());
                let name = program.array(program.viewed(access.array)).name.clone();
                let known = result.accesses.entry(name).or_default();
                if !known.contains(&entry) {
                    known.push(entry);
                }
            };
            for (_, access) in program.pool.accesses([equation.expr]) {
                with_maps(access, &mut add);
            }
            with_maps(&equation.target, &mut add);
        }
        result
    }

    /// Whether an access in an equation of a rewritten program is among those that are checked
    /// whenever that equation is evaluated.
    pub fn covers(&self, program: &Program, equation: &Equation, access: &Access) -> bool {
        let mine = signature(program, access);
        if mine.iter().all(Option::is_none) {
            return true;
        }
        let around = run_time(program, equation);
        let array = program.viewed(access.array);
        let known = self.accesses.get(&program.array(array).name);
        known.is_some_and(|known| {
            known.iter().any(|(signature, domain)| {
                // A view has its last dimensions joined: what it has more of is in range.
                let same = signature.len() >= mine.len()
                    && mine
                        .iter()
                        .zip(signature)
                        .all(|(mine, theirs)| mine.is_none() || mine == theirs);
                same && domain.iter().all(|extent| around.contains(extent))
            })
        })
    }
}

fn with_maps(access: &Access, add: &mut impl FnMut(&Access)) {
    add(access);
    for subscript in &access.subscripts {
        for (atom, _) in &subscript.terms {
            if let Atom::Map(array, subscripts) = atom {
                let access = Access {
                    array: *array,
                    subscripts: subscripts.clone(),
                };
                with_maps(&access, add);
            }
        }
    }
}

/// The run-time extents of an equation's loops.
fn run_time(program: &Program, equation: &Equation) -> Vec<String> {
    let extents = equation.domain().map(|i| &program.loop_index(i).extent);
    let mut result: Vec<String> = extents
        .filter_map(|extent| match extent {
            Extent::Constant(_) => None,
            Extent::RunTime(affine) => Some(affine_signature(program, affine)),
        })
        .collect();
    result.sort();
    result.dedup();
    result
}

/// For each dimension, what its subscript reaches, whatever the loops are called; `None` where
/// that is in range whatever the inputs are.
fn signature(program: &Program, access: &Access) -> Vec<Option<String>> {
    let shape = &program.array(access.array).shape;
    access
        .subscripts
        .iter()
        .zip(shape)
        .map(|(subscript, extent)| {
            let range = super::ranges::enclosing(program, subscript);
            match (extent.as_constant(), range) {
                (Some(n), Some((low, high))) if low >= 0 && high < n as i64 => None,
                _ => Some(affine_signature(program, subscript)),
            }
        })
        .collect()
}

fn affine_signature(program: &Program, affine: &Affine) -> String {
    let mut parts: Vec<String> = affine
        .terms
        .iter()
        .map(|(atom, coefficient)| {
            let atom = match atom {
                Atom::Index(index) => match &program.loop_index(*index).extent {
                    Extent::Constant(n) => format!("below {n}"),
                    Extent::RunTime(extent) => {
                        format!("below ({})", affine_signature(program, extent))
                    }
                },
                Atom::Scalar(array) => plain(&program.array(*array).name).to_owned(),
                Atom::Length(array, axis) => {
                    format!("len {} {axis}", program.array(*array).name)
                }
                Atom::Map(array, subscripts) => {
                    let inner: Vec<String> = subscripts
                        .iter()
                        .map(|s| affine_signature(program, s))
                        .collect();
                    format!("{}[{}]", program.array(*array).name, inner.join(", "))
                }
            };
            format!("{coefficient} {atom}")
        })
        .collect();
    parts.sort();
    parts.push(affine.constant.to_string());
    parts.join(" + ")
}
