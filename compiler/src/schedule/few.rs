//! Calls with fewer elements than a vector has lanes.
//!
//! A part of a vector takes what all of it takes: it is loaded and stored under masks, taken apart and put together
//! again, and the call waits for all of that, since there is no other vector to compute beside it. So a call of a few
//! elements may take less with fewer lanes: in the variant for smaller registers, or in that without lanes, one
//! element after the other. From how many elements on lanes pay, the cost model says.

use super::Scheduled;
use super::branches::within;
use super::compiled::{Compiled, equations, is_narrow, widest};
use super::lie::all_together;
use super::model;
use super::short_rows::{HALF, Instead, Short};
use super::shorter::kept;
use super::tree::{Instance, Node, Schedule, Steps, offset};
use crate::analysis::cost::nominal;
use crate::collections::HashSet;
use crate::ir::{Affine, ArrayId, Element, Extent, Program, Role};
use crate::machine::{CALL, LATENCY, LOOP, OVERLAID, register_bits};
use crate::syntax::ast::IsaName;

/// A variant that calls of few elements may go to, or the text: what an element takes in it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What it is.
    instead: Instead,
    /// The length of its loops.
    length: Affine,
    /// Elements that it takes at once.
    width: usize,
    /// Elements of a step of its loop, which may be several vectors.
    step: usize,
    /// Cycles of a vector beside others.
    cycles: f64,
    /// Cycles of elements that fill no vector.
    rest: Rest,
    /// Cycles for which a call waits before.
    first: f64,
}

/// Cycles of elements that fill no vector.
#[derive(Clone, Copy, Debug)]
enum Rest {
    /// Of each of them.
    Each(f64),
    /// Of all, in a part of a vector: where that is waited for, and where there are others.
    Part(f64, f64),
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
            let l = match node {
                Node::Loop(l) if l.steps != Steps::Strips => l,
                // What stands before loops, all do.
                Node::Block(_) => continue,
                _ => return None,
            };
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
                .all(|node| !matches!(node, Node::Loop(l) if !schedule.is_lane(l.index)))
        };
        let own = match over_lanes && schedule.width > 1 {
            true if !all_lanes() => return None,
            true => {
                let cycles = one_vector(program, schedule);
                let alone = alone(program, schedule) + copied(isa, program);
                let beside = cycles + alone - 2.0 * LATENCY;
                Candidate {
                    instead: Instead::Variant(isa),
                    length,
                    width: schedule.width,
                    step: step(schedule),
                    cycles,
                    rest: Rest::Part(cycles + alone, beside),
                    first: 0.0,
                }
            }
            false => {
                let extent = Extent::RunTime(length.clone());
                let one = |cycles: f64| cycles / nominal(program, &extent) as f64;
                let each = one(model::side_by_side(program, schedule, &schedule.body));
                let waits = one(scheduled.cycles) - each;
                // Integers are added up in a cycle each.
                let latency = if sums_words(program) { LATENCY } else { 1.0 };
                Candidate {
                    instead: Instead::Variant(isa),
                    length,
                    width: 1,
                    step: 1,
                    cycles: each,
                    rest: Rest::Each(each),
                    first: waits / latency,
                }
            }
        };
        Some(own)
    }

    /// That of the text, compiled for the instruction set of a variant. If LLVM sees that all accesses are `inside`, what
    /// whole steps leave goes in smaller vectors, which take as many instructions as the variant's, and otherwise one by one.
    #[must_use]
    pub fn of_text(&self, text: &Compiled, inside: bool) -> Option<Candidate> {
        let Instead::Variant(isa) = self.instead else {
            return None;
        };
        let own = Candidate::of(IsaName::Scalar, text.scheduled())?;
        let lanes = rests(text, register_bits(isa)).filter(|_| inside);
        let (width, cycles) = match lanes {
            Some(width) => (width, self.cycles.max(LOOP)),
            None => (1, own.cycles),
        };
        Some(Candidate {
            instead: Instead::Text,
            width,
            cycles,
            ..own
        })
    }

    /// Cycles of so many elements, if each vector is waited for.
    fn of_elements(&self, count: usize) -> f64 {
        match self.rest {
            Rest::Each(_) => self.beside(count),
            Rest::Part(alone, _) => self.first + count.div_ceil(self.width) as f64 * alone,
        }
    }

    /// The same where none is waited for but what is stored again.
    fn beside(&self, count: usize) -> f64 {
        let (whole, left) = (count / self.width, count % self.width);
        let rest = match self.rest {
            Rest::Each(cycles) => left as f64 * cycles,
            Rest::Part(_, beside) if left > 0 => beside,
            Rest::Part(..) => 0.0,
        };
        self.first + whole as f64 * self.cycles + rest
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
            self.push(&mut result, count + 1, best.instead);
        }
        let first = result.last().map_or(1, |last| last.least);
        let text = others.iter().find(|other| other.instead == Instead::Text);
        if let Some(least) = text.and_then(|text| self.below_a_step(text, first)) {
            self.push(&mut result, least, Instead::Text);
        }
        result
    }

    /// Below how many elements, of fewer than a step has, the text takes less in the mean of all numbers from `first` on:
    /// those that fill vectors may be few among them.
    fn below_a_step(&self, text: &Candidate, first: usize) -> Option<usize> {
        let (mut gained, mut most, mut least) = (0.0, 0.0, None);
        for count in first.max(self.width + 1)..self.step {
            gained += self.beside(count) - text.beside(count);
            if gained > most {
                (most, least) = (gained, Some(count + 1));
            }
        }
        least
    }

    fn push(&self, all: &mut Vec<Short>, least: usize, instead: Instead) {
        match all.last_mut() {
            Some(last) if last.instead == instead => last.least = least,
            _ => all.push(Short {
                lengths: vec![self.length.clone()],
                least,
                instead,
            }),
        }
    }
}

/// Lanes of the vectors in which LLVM computes what whole steps leave, where it sees that all accesses are inside: for
/// registers of so many bits it takes halves of them, and of bytes and words of 16 bits quarters.
fn rests(text: &Compiled, registers: usize) -> Option<usize> {
    let Scheduled {
        program, schedule, ..
    } = text.scheduled();
    let equations = schedule.body.iter().map(|node| equations(program, node));
    let bits = equations.flatten().map(|equation| {
        let nodes = within(program, equation.expr);
        let target = program.array(equation.target.array).element;
        match is_narrow(program, &nodes, target) && equation.reduction.is_empty() {
            true => (registers / 4, target.bits()),
            false => (registers / 2, widest(program, &nodes, target)),
        }
    });
    let (registers, bits) = bits.max_by_key(|(_, bits)| *bits)?;
    let lanes = registers / bits;
    (lanes > 1 && text.cycles(registers) < text.cycles(bits)).then_some(lanes)
}

/// Elements of a step of loops over lanes.
fn step(schedule: &Schedule) -> usize {
    let steps = schedule.body.iter().map(|node| match node {
        Node::Loop(l) => l.step,
        _ => 1,
    });
    steps.max().unwrap_or(1)
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

/// Cycles that parts of vectors of narrow integers take without masks for these: each is copied, as many elements as there
/// are, which is a call.
fn copied(isa: IsaName, program: &Program) -> f64 {
    let narrow = |array: ArrayId| {
        let array = program.array(array);
        let memory = array.role.position().is_some();
        memory && matches!(array.element, Element::Integer(ty) if ty.bits() < 32)
    };
    if isa != IsaName::Avx2 {
        return 0.0;
    }
    let expressions = program.equations.iter().map(|equation| equation.expr);
    let read = program.pool.accesses(expressions).into_iter();
    let read = read.filter(|(_, access)| {
        narrow(access.array) && !Affine::indices_of(&access.subscripts).is_empty()
    });
    let written = program.equations.iter();
    let written = written.filter(|equation| narrow(equation.target.array));
    CALL * (read.count() + written.count()) as f64
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
    fn short(program: &str) -> Vec<(usize, Instead)> {
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
            matches!(found.as_slice(), [(4..=8, Instead::Variant(IsaName::Avx2))]),
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
            matches!(
                found.first(),
                Some((2..=8, Instead::Variant(IsaName::Scalar)))
            ),
            "{found:?}"
        );
    }

    #[test]
    fn narrow_integers_are_not_left_to_lanes_without_masks_for_them() {
        let reads = |element: &str| {
            let reads = (0..9).map(|k| format!("f64(x[i + {k}])"));
            format!(
                "program p\n\nindex i: len(y)\n\nparam 0 x: {element}[len(x)]\noutput 1 y: f64[len(y)]\n\n\
                 y[i] = {}   for i",
                reads.collect::<Vec<_>>().join(" + ")
            )
        };
        let smaller = |element: &str| {
            let found = short(&reads(element));
            let mut found = found.iter();
            found.any(|(_, instead)| *instead == Instead::Variant(IsaName::Avx2))
        };
        assert!(smaller("i32"));
        assert!(!smaller("i16") && !smaller("u8"));
    }

    #[test]
    fn what_is_updated_is_left_to_texts_for_some_vectors() {
        let program = |before: &str| {
            format!(
                "program p\n\nindex i: len(y)\n\nparam 0 a: f64\nparam 1 x: f64[len(x)]\noutput 2 y: f64[len(y)]\n\n\
                 y[i] = {before}a * x[i]   for i"
            )
        };
        let least = |before: &str, inside: bool| {
            let program = text::parse(&program(before)).unwrap();
            let target = Target {
                width: 8,
                registers: 32,
            };
            let scheduled = schedule(&program, target, &Wishes::default()).unwrap();
            let own = Candidate::of(IsaName::Avx512, &scheduled).unwrap();
            let text = Compiled::of(&program).unwrap();
            let text = own.of_text(&text, inside).unwrap();
            own.short(&[text]).last().map(|short| short.least)
        };
        // One by one, where bounds are checked.
        let (vectors, each) = (least("y[i] + ", true), least("y[i] + ", false));
        assert!(matches!(vectors, Some(17..=32)), "{vectors:?}");
        assert!(each <= Some(8), "{each:?}");
        assert!(least("", true) <= Some(8), "{:?}", least("", true));
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
