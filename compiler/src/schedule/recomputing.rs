//! Programs that compute some values again, so that loops can be fused which leave temporaries less memory (Lam
//! 1999, section 3.4).
//!
//! Before, where `f` must be whole since its reads agree in no loop:
//! ```text
//! f[r, s] = sum over l of  y[r, l] * g[s, l]
//! h[r, s] = f[r, s] * f[s, r]
//! ```
//! After, with a copy of `f` for each read, each of which is one number in the loops of `h`:
//! ```text
//! f[r, s]  = sum over l of  y[r, l] * g[s, l]
//! f2[r, s] = sum over l of  y[r, l] * g[s, l]
//! h[r, s]  = f[r, s] * f2[s, r]
//! ```
//! Or a temporary is computed in another loop of its reader, once for each iteration of it. These two are what the
//! paper does to its graph by hand. Here a search takes them in the order of the operations that they cost, so that
//! the first program that keeps a bound on memory repeats the fewest.
//!
//! Holds: what is computed; that each temporary is written by one equation, before it is read.

use std::collections::BTreeSet;
use std::fmt;

use super::dependence;
use super::fusing::{self, Fused};
use crate::analysis::cost::{self, NOMINAL};
use crate::analysis::fusion::Graphs;
use crate::collections::HashMap;
use crate::ir::{Access, Affine, ArrayId, Equation, Expr, IndexId, Program, Role};
use crate::rewrite::{rename, replace};

/// What a program computes again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// In words.
    pub words: String,
    /// How many operations more that takes.
    pub operations: u64,
    /// Operations and bytes of other programs that were found on the way.
    pub frontier: Vec<[u64; 2]>,
}

impl fmt::Display for Again {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Again {
            words, operations, ..
        } = self;
        write!(f, "{words} computed again, {operations} operations more")?;
        let points = self.frontier.iter();
        let points = points.map(|[operations, bytes]| format!("{operations} with {bytes} bytes"));
        let points: Vec<String> = points.collect();
        write!(f, "; fewest operations by memory: {}", points.join(", "))
    }
}

/// Most programs that are looked at.
const MOST: usize = 128;

/// A program, and what it costs.
#[derive(Clone, Debug)]
struct Relaxed {
    /// The program.
    program: Program,
    /// What it computes again, in words.
    steps: BTreeSet<String>,
    /// Its operations.
    operations: u64,
    /// The least bytes of its temporaries.
    bytes: u64,
}

/// What a program may compute again.
enum Step {
    /// A temporary for each of its reads.
    Each(usize),
    /// A temporary in a loop of its only reader.
    In(usize, IndexId),
}

/// The programs that differ in what they fuse. Where temporaries take more than a bound in bytes however loops are
/// fused, those that compute some values again are among them.
pub fn alternatives(program: &Program, bound: Option<usize>) -> Vec<(Program, Fused)> {
    let graphs = match bound {
        Some(_) => Graphs::Least,
        None => Graphs::Once,
    };
    let mut result = fusing::alternatives(program, graphs);
    let Some(bound) = bound.filter(|_| !result.is_empty()) else {
        return result;
    };
    let found = frontier(program, bound as u64);
    let fewest = cost::program(program).operations();
    if let Some(last) = found.last().filter(|last| !last.steps.is_empty()) {
        let steps: Vec<String> = last.steps.iter().cloned().collect();
        let points = found.iter().map(|one| [one.operations, one.bytes]);
        let again = Again {
            words: steps.join(", "),
            operations: last.operations.saturating_sub(fewest),
            frontier: points.collect(),
        };
        for (program, fused) in fusing::alternatives(&last.program, graphs) {
            let again = Some(again.clone());
            result.push((program, Fused { again, ..fused }));
        }
    }
    result
}

/// Programs in the order of their operations, each of which takes less memory than those before it, up to the first
/// one that takes no more than a bound with its loops fused.
fn frontier(program: &Program, bound: u64) -> Vec<Relaxed> {
    let relaxed = |program: Program, steps: BTreeSet<String>| {
        Some(Relaxed {
            operations: cost::program(&program).operations(),
            bytes: least_bytes(&program)?,
            program,
            steps,
        })
    };
    let mut open: Vec<Relaxed> = relaxed(program.clone(), BTreeSet::new())
        .into_iter()
        .collect();
    let mut known: BTreeSet<BTreeSet<String>> = BTreeSet::new();
    let mut result: Vec<Relaxed> = Vec::new();
    while let Some(next) = (0..open.len()).min_by_key(|at| {
        let one = &open[*at];
        (one.operations, one.bytes, one.steps.len())
    }) {
        let one = open.swap_remove(next);
        let mut next: Vec<Relaxed> = Vec::new();
        for step in steps(&one.program) {
            let mut taken = one.steps.clone();
            let Some((program, words)) = apply(&one.program, &step) else {
                continue;
            };
            let new = taken.insert(words) && known.len() < MOST && known.insert(taken.clone());
            next.extend(new.then(|| relaxed(program, taken)).flatten());
        }
        // What costs nothing is taken where it saves memory, before anything else is.
        let (free, others): (Vec<Relaxed>, Vec<Relaxed>) =
            (next.into_iter()).partition(|next| next.operations == one.operations);
        let free = free.into_iter().filter(|next| next.bytes < one.bytes);
        match free.min_by_key(|next| next.bytes) {
            Some(next) => open.push(next),
            None => open.extend(others),
        }
        let least = result.last().map_or(u64::MAX, |last| last.bytes);
        if one.bytes < least {
            result.retain(|other| other.operations < one.operations);
            result.push(one);
        }
        if result.last().is_some_and(|last| last.bytes <= bound) {
            break;
        }
    }
    result
}

/// Bytes of the temporaries with the most loops fused, each without the dimensions whose loops it shares with all who
/// read it; `None` if nothing says which loops are fused.
fn least_bytes(program: &Program) -> Option<u64> {
    let fused = fusing::most_fused(program)?;
    let read = dependence::reads(program);
    let mut bytes = 0_u64;
    for (at, equation) in program.equations.iter().enumerate() {
        let array = program.array(equation.target.array);
        if !matches!(array.role, Role::Temporary) {
            continue;
        }
        let mut size = array.element.bytes() as u64;
        for (axis, extent) in array.shape.iter().enumerate() {
            let chain = |by: usize, access: &Access| {
                let index = access.subscripts[axis].as_index()?;
                fused.get(&(by, index))
            };
            let own = chain(at, &equation.target);
            let mut readers = readers(&read, equation.target.array);
            let contracted = own.is_some() && readers.all(|(by, access)| chain(by, access) == own);
            if !contracted {
                let extent = extent.as_constant().unwrap_or(NOMINAL);
                size = size.saturating_mul(extent as u64);
            }
        }
        bytes = bytes.saturating_add(size);
    }
    Some(bytes)
}

/// The reads of a temporary, of all that equations read: each reader with an access.
fn readers(read: &[Vec<Access>], array: ArrayId) -> impl Iterator<Item = (usize, &Access)> {
    let by = read.iter().enumerate();
    let all = by.flat_map(|(by, accesses)| accesses.iter().map(move |access| (by, access)));
    all.filter(move |(_, access)| access.array == array)
}

/// What can be computed again. Elements that depend on what outputs hold are not: they may hold something else.
fn steps(program: &Program) -> Vec<Step> {
    let read = dependence::reads(program);
    let mut result = Vec::new();
    for (at, equation) in program.equations.iter().enumerate() {
        let array = equation.target.array;
        let temporary = matches!(program.array(array).role, Role::Temporary)
            && !program.array(array).allocated
            && program.sole_writer(array) == Some(at)
            && equation.target.loops(&equation.free).is_some()
            && program.states(equation.expr).is_empty();
        let reads: Vec<(usize, &Access)> = match temporary {
            true => readers(&read, array).collect(),
            false => Vec::new(),
        };
        if reads.len() > 1 {
            result.push(Step::Each(at));
            continue;
        }
        for (reader, access) in reads {
            let others = program.equations[reader].domain();
            let others =
                others.filter(|index| !access.subscripts.iter().any(|s| s.depends_on(*index)));
            result.extend(others.map(|index| Step::In(at, index)));
        }
    }
    result
}

/// Takes a step, and says it.
fn apply(program: &Program, step: &Step) -> Option<(Program, String)> {
    let mut result = program.clone();
    let read = dependence::reads(program);
    let name = |at: usize| {
        program
            .array(program.equations[at].target.array)
            .name
            .clone()
    };
    match step {
        Step::Each(at) => {
            let array = program.equations[*at].target.array;
            for (reader, access) in readers(&read, array).skip(1) {
                let copy = copied(&mut result, *at, None)?;
                let array = copy.target.array;
                let place = *at + result.equations.len() - program.equations.len() + 1;
                result.equations.insert(place, copy);
                let added = result.equations.len() - program.equations.len();
                redirected(&mut result, reader + added, access, |read| Access {
                    array,
                    ..read.clone()
                });
            }
            Some((result, format!("`{}` for each of its reads", name(*at))))
        }
        Step::In(at, index) => {
            let array = program.equations[*at].target.array;
            let (reader, access) = readers(&read, array).next()?;
            let copy = copied(&mut result, *at, Some(*index))?;
            let new = copy.target.array;
            result.equations[*at] = copy;
            redirected(&mut result, reader, access, |read| {
                let outer = [Affine::index(*index)].into_iter();
                Access {
                    array: new,
                    subscripts: outer.chain(read.subscripts.iter().cloned()).collect(),
                }
            });
            let around = &program.loop_index(*index).name;
            Some((result, format!("`{}` for each `{around}`", name(*at))))
        }
    }
}

/// An equation that computes the same in loops of its own, and in one more.
fn copied(program: &mut Program, at: usize, around: Option<IndexId>) -> Option<Equation> {
    let mut copy = program.equations[at].clone();
    let names: HashMap<IndexId, IndexId> = copy
        .domain()
        .map(|index| (index, program.add_index_like(index)))
        .collect();
    let by = rename::substitution(&names);
    replace::substitute(&mut program.pool, &mut copy, &by);
    for index in copy.free.iter_mut().chain(&mut copy.reduction) {
        *index = *names.get(index)?;
    }
    let outer = around.map(|index| program.add_index_like(index));
    let old = program.array(copy.target.array).clone();
    let extent = outer.map(|index| program.loop_index(index).extent.clone());
    let shape = extent.into_iter().chain(old.shape).collect();
    copy.target.array = program.add_array(&old.name, old.element, shape, Role::Temporary);
    if let Some(outer) = outer {
        copy.free.insert(0, outer);
        copy.target.subscripts.insert(0, Affine::index(outer));
    }
    Some(copy)
}

/// Replaces an access in an equation's value.
fn redirected(program: &mut Program, at: usize, access: &Access, by: impl Fn(&Access) -> Access) {
    let expr = program.equations[at].expr;
    program.equations[at].expr =
        replace::replace_accesses(program, expr, |program, read, element| {
            (read == access).then(|| program.pool.add(Expr::Access(by(read)), element))
        });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    const PROGRAM: &str = "program p\nindex k: 3\nindex r: 40\nindex s: 40\nindex l: 5\n\
        param 0 y: f64[40, 5]\nparam 1 g: f64[40, 5]\nparam 2 e: f64[3, 40]\noutput 3 w: f64[3, 40]\n\
        temp f: f64[40, 40]\ntemp h: f64[40, 40]\n\
        f[r, s] = sum(l) y[r, l] * g[s, l]   for r, s\n\
        h[r, s] = f[r, s] * f[s, r]   for r, s\n\
        w[k, s] += sum(r) e[k, r] * h[r, s]   for k, s\n";

    /// The operations and bytes of programs up to one that keeps a bound.
    fn points(bound: u64) -> Vec<(u64, u64)> {
        let program = text::parse(PROGRAM).unwrap();
        let found = frontier(&program, bound);
        let points = found.iter().map(|one| (one.operations, one.bytes));
        points.collect()
    }

    #[test]
    fn what_is_computed_again_is_the_cheapest_that_keeps_a_bound() {
        // 1600 elements of f, each 9 operations.
        let whole = points(u64::MAX);
        assert_eq!(whole.len(), 1);
        let (fewest, most) = whole[0];
        let tight = points(400);
        let (operations, bytes) = *tight.last().unwrap();
        assert!(bytes <= 400 && bytes < most, "{tight:?}");
        assert_eq!(operations, fewest + 1600 * 9, "{tight:?}");
    }

    #[test]
    fn nothing_that_costs_more_takes_as_much() {
        let points = points(0);
        assert!(
            points.is_sorted_by(|a, b| a.0 <= b.0 && a.1 > b.1),
            "{points:?}"
        );
        assert!(points.len() > 1);
    }
}
