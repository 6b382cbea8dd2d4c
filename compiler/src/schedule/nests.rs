//! Nests that have nothing to do with each other are scheduled one by one.
//!
//! A program of several nests, those of the inside of a grid and of its sides, say, has a loop tree for each: which
//! loop has lanes, what waits in rings and how many rows take a step together is chosen nest by nest. With one choice
//! for all of them the short nests at the sides would say what the long one does.
//!
//! Holds: what is computed. No equation of a nest reads, or writes again, what one of another nest has written.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::dependence::Dependence;
use super::tree::{self, Schedule};
use super::{Prepared, Scheduled, Target, Wishes, together};
use crate::collections::HashMap;
use crate::ir::{ArrayId, Equation, Extent, IndexId, Program};
use crate::rewrite::{rename, replace};

/// Most nests that are scheduled one by one: a limit on work, since each is searched in a program of its own.
const MOST_NESTS: usize = 32;

/// The equations of each nest, in their order, by the first of each: those of one have the same loops of run-time
/// length and sums that are as long, or must follow one another.
pub fn nests(program: &Program) -> Vec<Vec<usize>> {
    let count = program.equations.len();
    let mut nest: Vec<usize> = (0..count).collect();
    let join = |nest: &mut Vec<usize>, one: usize, other: usize| {
        let (from, to) = (nest[one].max(nest[other]), nest[one].min(nest[other]));
        let joined = nest.iter_mut().filter(|own| **own == from);
        joined.for_each(|own| *own = to);
    };
    let loops: Vec<_> = (program.equations.iter())
        .map(|equation| long_loops(program, equation))
        .collect();
    for later in 0..count {
        if let Some(same) = (0..later).find(|earlier| loops[*earlier] == loops[later]) {
            join(&mut nest, later, same);
        }
    }
    if nest.iter().all(|own| *own == 0) {
        return vec![(0..count).collect()];
    }
    let dependence = Dependence::of(program);
    for later in 0..count {
        for other in dependence.candidates(later) {
            // Those that are together already need no comparison, of which there may be many.
            let meets = || {
                dependence.depends(program, later, *other)
                    || dependence.depends(program, *other, later)
            };
            if nest[later] != nest[*other] && meets() {
                join(&mut nest, later, *other);
            }
        }
    }
    let firsts: BTreeSet<usize> = nest.iter().copied().collect();
    if firsts.len() > MOST_NESTS {
        return vec![(0..count).collect()];
    }
    let members = |first: usize| (0..count).filter(|at| nest[*at] == first).collect();
    firsts.into_iter().map(members).collect()
}

/// The loops of run-time length of an equation: those around its sums, and how long its sums are, whose loops have
/// names of their own.
fn long_loops<'a>(
    program: &'a Program,
    equation: &Equation,
) -> (BTreeSet<IndexId>, Vec<&'a Extent>) {
    let long = |index: &IndexId| !program.is_constant(*index);
    let around = equation.free.iter().copied().filter(long).collect();
    let sums = equation.reduction.iter().copied().filter(long);
    let sums = sums.map(|index| &program.loop_index(index).extent);
    (around, sums.collect())
}

/// A schedule for each nest, one after the other in one loop tree; `None` where a nest has none, or one for long
/// extents beside it, which is chosen for all at once.
///
/// What is staged is that of one loop: of the nest that takes the most cycles.
/// Other nests that would need them have no lanes.
pub fn one_by_one(
    program: &Program,
    nests: &[Vec<usize>],
    target: Target,
    wishes: &Wishes,
) -> Option<Scheduled> {
    let mut targets = vec![target; nests.len()];
    let mut done = each(program, nests, &targets, wishes)?;
    let bound: Vec<usize> = (0..done.len()).filter(|at| is_bound(&done[*at])).collect();
    let longest = |among: &[usize]| {
        let longer =
            |one: &&usize, other: &&usize| done[**one].cycles.total_cmp(&done[**other].cycles);
        among.iter().max_by(longer).copied()
    };
    let all: Vec<usize> = (0..done.len()).collect();
    let first = longest(&bound).or(longest(&all))?;
    if bound.len() > 1 {
        for at in bound.into_iter().filter(|at| *at != first) {
            targets[at].width = 1;
        }
        done = each(program, nests, &targets, wishes)?;
    }
    joined(done, first, target)
}

/// Whether a loop tree has what runs over the first one of the loops with lanes alone.
fn is_bound(scheduled: &Scheduled) -> bool {
    let schedule = &scheduled.schedule;
    schedule.lanes.is_some() && !tree::copies(&schedule.body).is_empty()
}

/// A schedule for each nest, for the target of each.
fn each(
    program: &Program,
    nests: &[Vec<usize>],
    targets: &[Target],
    wishes: &Wishes,
) -> Option<Vec<Scheduled>> {
    let mut rest = program.clone();
    let mut taken: BTreeSet<IndexId> = BTreeSet::new();
    let mut done: Vec<Scheduled> = Vec::new();
    for (nest, target) in nests.iter().zip(targets) {
        let own = nest.iter().map(|at| program.equations[*at].clone());
        rest.equations = own.collect();
        rename_in_order(&mut rest, &taken);
        let nest = Prepared::of_nest(Cow::Borrowed(&rest), wishes);
        let scheduled = together(&nest, *target, wishes).ok()?;
        if scheduled.large.is_some() {
            return None;
        }
        // What the next one is scheduled in knows the arrays, loops and expressions that this one has added.
        rest = scheduled.program.clone();
        let loops = rest.equations.iter().flat_map(Equation::domain);
        taken.extend(loops);
        done.push(scheduled);
    }
    Some(done)
}

/// Gives the loops of a nest names whose order is that in which they are inside each other, if they have not: those of
/// equal extents have names of another nest, where that may not be so. None of them is `taken` then.
pub fn rename_in_order(program: &mut Program, taken: &BTreeSet<IndexId>) {
    let order = in_order(program);
    if order.is_sorted() && order.iter().all(|index| !taken.contains(index)) {
        return;
    }
    let new = order
        .iter()
        .map(|index| (*index, program.add_index_like(*index)));
    let names: HashMap<IndexId, IndexId> = new.collect();
    for at in 0..program.equations.len() {
        let mut equation = program.equations[at].clone();
        let by = rename::substitution(&names);
        replace::substitute(&mut program.pool, &mut equation, &by);
        let loops = equation.free.iter_mut().chain(&mut equation.reduction);
        loops.for_each(|index| *index = names[index]);
        program.equations[at] = equation;
    }
    let targets = program.equations.iter().map(|own| own.target.array);
    let targets: BTreeSet<ArrayId> = targets.collect();
    let renamed = |index: &mut IndexId| *index = names.get(index).copied().unwrap_or(*index);
    let own = program.mirrors.iter_mut();
    for mirror in own.filter(|mirror| targets.contains(&mirror.from.array)) {
        let by = rename::substitution(&names);
        mirror.from = mirror.from.substitute(&by);
        mirror.to = mirror.to.substitute(&by);
        [&mut mirror.first, &mut mirror.second]
            .into_iter()
            .for_each(renamed);
        mirror.sums.iter_mut().flatten().for_each(renamed);
    }
}

/// The loops of all equations, each after those that it is inside of; in the order of their names where equations
/// disagree.
fn in_order(program: &Program) -> Vec<IndexId> {
    let mut left: BTreeSet<IndexId> = program
        .equations
        .iter()
        .flat_map(Equation::domain)
        .collect();
    let names: Vec<IndexId> = left.iter().copied().collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let waits = |index: &IndexId| {
            program.equations.iter().any(|equation| {
                let mut around = equation.free.iter().take_while(|other| *other != index);
                let own = equation.free.contains(index);
                own && around.any(|other| left.contains(other))
            })
        };
        let Some(next) = left.iter().copied().find(|index| !waits(index)) else {
            return names;
        };
        left.remove(&next);
        order.push(next);
    }
    order
}

/// One loop tree out of several; what is said is that of the one that takes the most cycles.
fn joined(done: Vec<Scheduled>, first: usize, target: Target) -> Option<Scheduled> {
    let count = done.len();
    let longest = done
        .iter()
        .max_by(|one, other| one.cycles.total_cmp(&other.cycles));
    let mut result = longest?.clone();
    let mut schedule = Schedule {
        width: target.width,
        lanes: done[first].schedule.lanes,
        others: Vec::new(),
        storage: Vec::new(),
        buffers: Vec::new(),
        body: Vec::new(),
    };
    let (mut equations, mut lanes) = (Vec::new(), Vec::new());
    result.cycles = 0.0;
    for scheduled in done {
        let mut own = scheduled.schedule;
        tree::renumber(&mut own.body, equations.len());
        schedule.body.append(&mut own.body);
        schedule.storage.append(&mut own.storage);
        lanes.extend(own.lanes.into_iter().chain(own.others));
        equations.extend(scheduled.program.equations);
        result.cycles += scheduled.cycles;
        result.program = Program {
            equations: Vec::new(),
            ..scheduled.program
        };
    }
    schedule.lanes = schedule.lanes.or(lanes.first().copied());
    if schedule.lanes.is_none() {
        schedule.width = 1;
    }
    lanes.retain(|lane| Some(*lane) != schedule.lanes);
    schedule.others = lanes;
    result.program.equations = equations;
    result.schedule = schedule;
    let said = format!("; {count} nests are scheduled one by one, this is the longest");
    result.decision.push_str(&said);
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::nests;
    use crate::ir::text::parse;

    /// The nests of equations over loops of one length, one of another length, and arrays.
    fn of(equations: &str) -> Vec<Vec<usize>> {
        let loops = "index i: len(x)\nindex j: len(x)\nindex k: len(x)\nindex l: len(z)\n";
        let arrays = "param 0 x: f64[len(x)]\nparam 1 z: f64[len(z)]\noutput 2 y: f64[len(y), 2]\n";
        nests(&parse(&format!("program p\n\n{loops}\n{arrays}\n{equations}\n")).unwrap())
    }

    #[test]
    fn sums_that_are_as_long_are_of_one_nest() {
        let sums = |j: &str, k: &str| {
            of(&format!(
                "y[i, 0] += sum({j}) x[i] * x[{j}]   for i\ny[i, 1] += sum({k}) x[{k}] - x[i]   for i"
            ))
        };
        assert_eq!(sums("j", "k"), [[0, 1]]);
        assert_eq!(sums("j", "j"), [[0, 1]]);
    }

    #[test]
    fn loops_of_other_names_or_lengths_are_other_nests() {
        assert_eq!(
            of("y[i, 0] = x[i]   for i\ny[j, 1] = x[j]   for j"),
            [[0], [1]]
        );
        let sums = of("y[i, 0] += sum(j) x[j]   for i\ny[i, 1] += sum(l) z[l]   for i");
        assert_eq!(sums, [[0], [1]]);
    }
}
