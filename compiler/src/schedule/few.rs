//! Calls with fewer elements than a vector has lanes.
//!
//! A part of a vector takes what all of it takes: it is loaded and stored under masks, taken apart and put together
//! again, and the call waits for all of that, since there is no other vector to compute beside it. So a call of a few
//! elements may take less with fewer lanes: in the variant for smaller registers, or in that without lanes, one
//! element after the other. From how many elements on lanes pay, the cost model says.

use std::collections::HashSet;

use super::Scheduled;
use super::lie::all_together;
use super::model;
use super::short_rows::{HALF, Short};
use super::shorter::kept;
use super::tree::{Instance, Node, Schedule, Steps, offset};
use crate::analysis::cost::nominal;
use crate::ir::{Affine, ArrayId, Extent, Program, Role};
use crate::machine::{LATENCY, OVERLAID};
use crate::syntax::ast::IsaName;

/// A variant that calls of few elements may go to: what it is for, and what an element takes in it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its instruction set.
    pub isa: IsaName,
    /// The length of its loops.
    length: Affine,
    /// Elements that it takes at once.
    width: usize,
    /// Cycles of these beside others.
    cycles: f64,
    /// Cycles for which a call waits before.
    first: f64,
}

impl Candidate {
    /// That of a loop tree, if all of its loops have one run-time length.
    #[must_use]
    pub fn of(isa: IsaName, scheduled: &Scheduled) -> Option<Candidate> {
        let Scheduled {
            program, schedule, ..
        } = scheduled;
        let mut length: Option<Affine> = None;
        let mut over_lanes = false;
        for node in &schedule.body {
            let Node::Loop(l) = node else { return None };
            let end = program.loop_index(l.index).extent.run_time()?;
            if *length.get_or_insert_with(|| end.clone()) != *end {
                return None;
            }
            over_lanes |= schedule.is_lane(l.index);
        }
        let length = length?;
        let all_lanes = || {
            schedule
                .body
                .iter()
                .all(|node| matches!(node, Node::Loop(l) if schedule.is_lane(l.index)))
        };
        let (width, cycles, first) = match over_lanes && schedule.width > 1 {
            true if !all_lanes() => return None,
            true => {
                let cycles = one_vector(program, schedule) + alone(program, schedule);
                (schedule.width, cycles, 0.0)
            }
            false => {
                let extent = Extent::RunTime(length.clone());
                let one = |cycles: f64| cycles / nominal(program, &extent) as f64;
                let each = one(model::side_by_side(program, schedule, &schedule.body));
                let waits = one(scheduled.cycles) - each;
                // Integers are added up in a cycle each.
                let latency = if sums_words(program) { LATENCY } else { 1.0 };
                (1, each, waits / latency)
            }
        };
        Some(Candidate {
            isa,
            length,
            width,
            cycles,
            first,
        })
    }

    /// Cycles of so many elements.
    fn of_elements(&self, count: usize) -> f64 {
        self.first + count.div_ceil(self.width) as f64 * self.cycles
    }

    /// Below which numbers of elements others take less.
    #[must_use]
    pub fn short(&self, others: &[Candidate]) -> Vec<Short> {
        let others: Vec<&Candidate> = others
            .iter()
            .filter(|other| other.length == self.length)
            .collect();
        let mut result: Vec<Short> = Vec::new();
        for count in 1..self.width {
            let best = others
                .iter()
                .copied()
                .min_by(|a, b| a.of_elements(count).total_cmp(&b.of_elements(count)));
            let Some(best) = best.filter(|best| best.of_elements(count) < self.of_elements(count))
            else {
                break;
            };
            match result.last_mut() {
                Some(last) if last.instead == best.isa => last.least = count + 1,
                _ => result.push(Short {
                    lengths: vec![self.length.clone()],
                    least: count + 1,
                    instead: best.isa,
                }),
            }
        }
        result
    }
}

/// Cycles of one vector in each of the loops.
fn one_vector(program: &Program, schedule: &Schedule) -> f64 {
    let nodes = schedule.body.iter().filter_map(|node| match node {
        Node::Loop(l) if l.steps != Steps::Whole => Some(l),
        _ => None,
    });
    let cycles = nodes.map(|l| {
        let first = |own: &Instance| offset(&own.offsets, l.index) == 0;
        model::cycles(program, schedule, &kept(&l.body, &first))
    });
    cycles.sum()
}

/// Cycles for which a call waits that has one vector: the mask of its lanes, and what is loaded and stored under it, come
/// after one another, and so do the steps in which lanes are taken apart and put together. What is stored under a mask
/// and loaded again, the next call waits for.
fn alone(program: &Program, schedule: &Schedule) -> f64 {
    let apart = match all_together(program, schedule) {
        true => 0.0,
        false => HALF * (schedule.width as f64).log2(),
    };
    let again = if updates(program) { OVERLAID } else { 0.0 };
    2.0 * LATENCY + apart + again
}

/// Whether all that a program adds up are integers.
fn sums_words(program: &Program) -> bool {
    let sums = program.equations.iter();
    let mut sums = sums.filter(|equation| !equation.reduction.is_empty());
    sums.all(|sum| program.array(sum.target.array).element.as_word().is_some())
}

/// Whether a program reads arrays that it writes.
fn updates(program: &Program) -> bool {
    let memory = |array: ArrayId| match program.array(array).role {
        Role::Temporary => None,
        _ => Some(program.viewed(array)),
    };
    let expressions = program.equations.iter().map(|equation| equation.expr);
    let read = program.pool.accesses(expressions);
    let read: HashSet<ArrayId> = read
        .iter()
        .filter_map(|(_, access)| memory(access.array))
        .collect();
    program.equations.iter().any(|equation| {
        let target = memory(equation.target.array);
        target.is_some_and(|target| {
            read.contains(&target) || equation.operator.accumulated().is_some()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;
    use crate::schedule::{Target, Wishes, schedule};

    /// Below how many elements lanes of AVX-512 leave a call to others.
    fn short(program: &str) -> Vec<(usize, IsaName)> {
        let program = text::parse(program).unwrap();
        let of = |isa, width, registers| {
            let target = Target { width, registers };
            let scheduled = schedule(&program, target, &Wishes::default()).unwrap();
            Candidate::of(isa, &scheduled)
        };
        let own = of(IsaName::Avx512, 8, 32).unwrap();
        let others = [of(IsaName::Avx2, 4, 16), of(IsaName::Scalar, 1, 16)];
        let others: Vec<Candidate> = others.into_iter().flatten().collect();
        let short = own.short(&others).into_iter();
        short.map(|short| (short.least, short.instead)).collect()
    }

    #[test]
    fn matrices_of_which_there_are_few_are_multiplied_row_by_row() {
        let found = short(
            "program p\n\nindex b: len(c)\nindex i: 4\nindex j: 4\nindex k: 4\n\n\
             param 0 a: f64[len(a), 4, 4]\nparam 1 x: f64[len(x), 4, 4]\noutput 2 c: f64[len(c), 4, 4]\n\n\
             c[b, i, j] += sum(k) a[b, i, k] * x[b, k, j]   for b, i, j",
        );
        assert!(
            matches!(found.as_slice(), [(4..=8, IsaName::Avx2)]),
            "{found:?}"
        );
    }

    #[test]
    fn fewer_elements_than_a_vector_takes_longer_for_go_one_by_one() {
        let found = short(
            "program p\n\nindex i: len(y)\n\nparam 0 x: f64[len(x)]\noutput 1 y: f64[len(y)]\n\n\
             y[i] = x[i] * x[i]   for i",
        );
        assert!(
            matches!(found.first(), Some((2..=8, IsaName::Scalar))),
            "{found:?}"
        );
    }

    #[test]
    fn loops_of_several_lengths_keep_their_lanes() {
        let program = text::parse(
            "program p\n\nindex i: len(y)\nindex j: len(z)\n\nparam 0 x: f64\noutput 1 y: f64[len(y)]\n\
             output 2 z: f64[len(z)]\n\ny[i] = x   for i\nz[j] = x   for j",
        )
        .unwrap();
        let target = Target {
            width: 8,
            registers: 32,
        };
        let scheduled = schedule(&program, target, &Wishes::default()).unwrap();
        assert!(Candidate::of(IsaName::Avx512, &scheduled).is_none());
    }
}
