//! What the text takes where `rustc` compiles it for an instruction set: a schedule that is not ours.
//!
//! LLVM keeps the order of floating-point sums and calls one elementary function after the other, but has lanes
//! where neighbours lie together, transposes what lies a few elements apart, and computes with integers that are
//! stored as bytes in bytes. An estimate is that of loops without lanes, less what this gains; the gains are those
//! of the benchmark `everyday` on Zen 4, at their lower end, so that texts are taken where they are clearly ahead.

use super::branches::{is_checked_in_branches, within};
use super::in_flight::{chain, is_float, iterations, scalar};
use super::tree::{Node, instances};
use super::{Prepared, Scheduled, Target, Wishes, model, prepared};
use crate::analysis::cost::with_constants;
use crate::ir::{
    Access, Affine, ArrayId, Atom, Element, Equation, Expr, ExprId, Extent, IndexId, Program,
};
use crate::machine::{SHUFFLES, instructions};
use crate::syntax::ast::Elementary;

/// The part of a scalar loop that one takes whose lanes lie a few elements apart.
const APART: f64 = 0.45;
/// The same of bytes and words of 16 bits with registers of 512 bits, any of which one shuffle takes from two registers.
const NARROW_APART: f64 = 0.22;
/// How many of its lanes a vector gains where what a nest stores lies apart, too: records are taken apart and put
/// together again, which takes our lanes longer than the model says.
const RECORDS: f64 = 1.2;
/// How many of its lanes a vector of neighbours gains: loads, loops and rests take the others.
const TOGETHER: f64 = 0.6;
/// The same of bytes and words of 16 bits.
const NARROW: f64 = 0.4;
/// The same of sums of integers, whose scalar loops wait for nothing in LLVM's hands: what is narrow is widened, and
/// parts of a sum have registers of their own.
const SUMS: f64 = 2.5;
/// Elements that may lie between lanes that LLVM transposes.
const FAR: i64 = 16;

/// Elements of a block that LLVM loads and stores in whole vectors.
const MOST: i64 = 8;

/// Cycles in which an element of a vector is gathered or scattered (Zen 4, sums of rows of 12 to 32 numbers).
const GATHERED: f64 = 1.5;
/// The same where one is put into a vector, or taken out of one, by itself.
const INSERTED: f64 = 0.5;

/// A text that has not been optimised, in loops without lanes.
pub struct Compiled(Scheduled);

impl Compiled {
    /// The loops of a text; `None` where it has none that can be weighed, or where what iterations hand on goes through
    /// memory, which takes longer than all else.
    #[must_use]
    pub fn of(lowered: &Program) -> Option<Compiled> {
        if lowered.recurrence().is_some() {
            return None;
        }
        let lowered = &with_constants(lowered);
        let wishes = Wishes::default();
        let one_lane = Target {
            width: 1,
            registers: 16,
        };
        let from = Prepared::of(lowered, &wishes).ok()?;
        prepared(&from, one_lane, &wishes).ok().map(Compiled)
    }

    /// Its loops without lanes.
    pub(super) fn scheduled(&self) -> &Scheduled {
        &self.0
    }

    /// Whether LLVM would scatter what the text stores, which takes longer than one store after the other.
    #[must_use]
    pub fn scatters(&self) -> bool {
        let Compiled(Scheduled {
            program, schedule, ..
        }) = self;
        schedule.body.iter().any(|node| scatters(program, node))
    }

    /// Cycles of its instructions alone, without lanes, where nothing waits for what was computed before.
    #[must_use]
    pub fn issued(&self) -> f64 {
        let Compiled(Scheduled {
            program, schedule, ..
        }) = self;
        model::side_by_side(program, schedule, &schedule.body)
    }

    /// Cycles with registers of so many bits.
    #[must_use]
    pub fn cycles(&self, registers: usize) -> f64 {
        let Compiled(Scheduled {
            program, schedule, ..
        }) = self;
        let nodes = schedule.body.iter();
        nodes
            .map(|node| {
                let chains = equations(program, node).into_iter();
                let chains = chains.map(|equation| chain(program, equation));
                let (part, apart) = part(program, node, registers);
                // What LLVM gains was measured over loops that wait for all of their sums.
                let own = match part < 1.0 {
                    true => model::cycles(program, schedule, std::slice::from_ref(node)),
                    false => scalar(program, schedule, node),
                };
                (own * part + apart).max(chains.sum())
            })
            .sum()
    }
}

/// Whether a nest stores what lies apart, with gaps or too far, which LLVM scatters where it can.
fn scatters(program: &Program, node: &Node) -> bool {
    let equations = equations(program, node);
    let together = together(program, &equations);
    let nest = Nest {
        program,
        equations: &together,
        registers: 0,
    };
    equations.iter().any(|equation| {
        let lane = lane(program, equation);
        lane.is_some_and(|lane| nest.has_gaps(equation, lane))
    })
}

/// The equations of a nest.
pub(super) fn equations<'a>(program: &'a Program, node: &Node) -> Vec<&'a Equation> {
    let all = instances(std::slice::from_ref(node));
    let mut numbers: Vec<usize> = all.iter().map(|instance| instance.equation).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.iter().map(|at| &program.equations[*at]).collect()
}

/// The equations that stand in a loop of the text together with some of a nest, which may be loops of their own here.
fn together<'a>(program: &'a Program, equations: &[&Equation]) -> Vec<&'a Equation> {
    let lanes: Vec<IndexId> = equations
        .iter()
        .filter_map(|equation| lane(program, equation))
        .collect();
    let all = program.equations.iter();
    all.filter(|other| lane(program, other).is_some_and(|lane| lanes.contains(&lane)))
        .collect()
}

/// The innermost loop of run-time length around an equation.
fn lane(program: &Program, equation: &Equation) -> Option<IndexId> {
    equation
        .domain()
        .filter(|index| !program.is_constant(*index))
        .max()
}

/// The part of its cycles that a nest takes, as its equations do in the mean, and cycles in which registers are filled
/// with what lies apart, and emptied.
fn part(program: &Program, node: &Node, registers: usize) -> (f64, f64) {
    let equations = equations(program, node);
    let together = together(program, &equations);
    let nest = Nest {
        program,
        equations: &together,
        registers,
    };
    // What stands in no loop of run-time length takes no time beside what does.
    let parts = equations.iter().filter_map(|equation| nest.part(equation));
    let parts: Vec<f64> = parts.collect();
    let part = match parts.len() {
        0 => 1.0,
        count => (parts.iter().sum::<f64>() / count as f64).min(1.0),
    };
    (part, nest.apart(&equations))
}

/// Equations that share loops, for registers of so many bits.
struct Nest<'a> {
    program: &'a Program,
    equations: &'a [&'a Equation],
    registers: usize,
}

impl Nest<'_> {
    /// The part of an equation in a loop of run-time length.
    fn part(&self, equation: &Equation) -> Option<f64> {
        lane(self.program, equation).map(|lane| self.part_over(equation, lane))
    }

    fn part_over(&self, equation: &Equation, lane: IndexId) -> f64 {
        let program = self.program;
        let target = program.array(equation.target.array).element;
        let summed = equation.reduction.contains(&lane) || !equation.target.depends_on(lane);
        let nodes = within(program, equation.expr);
        let waits = calls(program, &nodes) || is_checked_in_branches(program, equation);
        if summed && is_float(target) || waits {
            return 1.0;
        }
        if let Some(length) = self.row(equation) {
            let lanes = length.min(self.registers / widest(program, &nodes, target));
            return 1.0 / (SUMS * lanes as f64).max(1.0);
        }
        let accesses = accesses(program, equation);
        let steps = accesses.iter().map(|access| step(program, access, lane));
        let Some(steps) = steps.collect::<Option<Vec<i64>>>() else {
            return 1.0;
        };
        let apart = accesses.iter().zip(&steps);
        let apart: Vec<_> = apart.filter(|(_, step)| step.abs() > 1).collect();
        let bits = |access: &Access| program.array(access.array).element.bits();
        let narrow = self.registers >= 512 && apart.iter().all(|(access, _)| bits(access) < 32);
        let apart: Vec<bool> = (apart.into_iter())
            .map(|(access, step)| step.abs() <= FAR && self.fills(access, *step, lane))
            .collect();
        if !apart.is_empty() {
            let whole = apart.into_iter().all(|fills| fills);
            let lanes = (self.registers / widest(program, &nodes, target)) as f64;
            // Of wider records LLVM has one at a time in its registers.
            let near = steps.iter().all(|step| step.abs() <= MOST);
            let stored = self.stored_apart(lane);
            return match near && !stored.is_empty() {
                // Elements between that are not stored must not be written: LLVM then stores one after the other.
                true if stored.iter().any(|equation| self.has_gaps(equation, lane)) => 1.0,
                // Whether records in other rows are these, LLVM would have to ask when the text runs.
                true if stored.iter().any(|own| self.meets_rows(&own.target)) => 1.0,
                true if whole => 1.0 / (RECORDS * lanes).max(1.0),
                _ if whole && narrow => NARROW_APART,
                _ if whole => APART,
                _ => 1.0,
            };
        }
        let gain = match summed && self.is_over_all(lane) {
            true => SUMS * (self.registers / widest(program, &nodes, target)) as f64,
            false => self.gain(target, &nodes, summed),
        };
        1.0 / gain.max(1.0)
    }

    /// Cycles in which LLVM takes apart, and puts together, what lies apart in the iterations of some equations: with
    /// registers of 512 bits each vector of it is shuffled out of all those that hold it, or gathered where these are
    /// too many; smaller ones are filled with pairs of 64 bits as they lie, and with what is narrower one by one.
    fn apart(&self, equations: &[&Equation]) -> f64 {
        let mut seen: Vec<(ArrayId, IndexId)> = Vec::new();
        let mut cycles = 0.0;
        for equation in equations {
            let Some(lane) = lane(self.program, equation) else {
                continue;
            };
            let nodes = within(self.program, equation.expr);
            let target = self.program.array(equation.target.array).element;
            let lanes = (self.registers / widest(self.program, &nodes, target)).max(1);
            let iterations = iterations(self.program, equation);
            for access in accesses(self.program, equation) {
                let of = (self.program.viewed(access.array), lane);
                if !seen.contains(&of) {
                    seen.push(of);
                    cycles += iterations * self.shuffled(access, (lane, lanes));
                }
            }
        }
        cycles
    }

    /// The same of the array of an access, in one iteration of so many lanes.
    fn shuffled(&self, access: &Access, (lane, lanes): (IndexId, usize)) -> f64 {
        let bits = self.program.array(access.array).element.bits();
        let apart = step(self.program, access, lane).map_or(0, i64::abs);
        // What is narrower has no gathers, and of fewer components our lanes take as many shuffles.
        if bits < 32 || apart < MOST {
            return 0.0;
        }
        let all = self.all_accesses();
        let used = self.used(&all, access, (apart, lane)) as f64;
        let registers = (apart.min(MOST) as usize * lanes * bits).div_ceil(self.registers);
        let shuffles = (registers - 1) as f64 / (SHUFFLES * lanes as f64);
        match (self.registers < 512, apart > MOST) {
            (true, _) if bits < 64 => used * INSERTED,
            (true, _) => 0.0,
            (false, true) => used * GATHERED,
            (false, false) => used * shuffles.min(GATHERED),
        }
    }

    /// How long rows are of which an equation adds up integers, neighbour by neighbour.
    fn row(&self, equation: &Equation) -> Option<usize> {
        let program = self.program;
        if is_float(program.array(equation.target.array).element) {
            return None;
        }
        let read = program.pool.accesses([equation.expr]);
        let along = |index: &IndexId| {
            let steps = read.iter().map(|(_, access)| step(program, access, *index));
            let near = steps.clone().all(|step| matches!(step, Some(0 | 1)));
            near && steps.clone().any(|step| step == Some(1))
        };
        let row = equation.reduction.iter().find(|index| along(index))?;
        program.loop_index(*row).extent.as_constant()
    }

    /// Whether a loop runs over all elements of an array, so that LLVM sees that its accesses are inside.
    fn is_over_all(&self, lane: IndexId) -> bool {
        let extent = self.program.loop_index(lane).extent.run_time();
        extent.is_some_and(|extent| {
            let alone = extent.constant == 0 && extent.terms.len() == 1;
            alone && matches!(extent.terms[0], (Atom::Length(..), 1))
        })
    }

    /// The equations of which lanes that are stored lie apart. What a record held before is a temporary beside it.
    fn stored_apart(&self, lane: IndexId) -> Vec<&Equation> {
        let equations = self.equations.iter().copied();
        let apart =
            |target: &Access| step(self.program, target, lane).is_some_and(|by| by.abs() > 1);
        equations
            .filter(|equation| apart(&equation.target))
            .collect()
    }

    /// Whether a nest accesses the memory of what it stores at a distance that is known when it runs only.
    fn meets_rows(&self, stored: &Access) -> bool {
        let memory = self.program.viewed(stored.array);
        let shape = &self.program.array(stored.array).shape;
        let row = |other: &&Access| {
            let subscripts = stored.subscripts.iter().zip(&other.subscripts).enumerate();
            let mut apart = subscripts.filter(|(_, (own, other))| own != other);
            self.program.viewed(other.array) == memory
                && apart.any(|(at, _)| shape[at + 1..].iter().any(|n| n.as_constant().is_none()))
        };
        self.all_accesses().iter().any(row)
    }

    /// Whether lanes that are stored lie too far apart, or other elements between them are not stored.
    fn has_gaps(&self, equation: &Equation, lane: IndexId) -> bool {
        let targets: Vec<&Access> = self.equations.iter().map(|other| &other.target).collect();
        let apart = step(self.program, &equation.target, lane).map_or(0, i64::abs);
        let whole = || self.used(&targets, &equation.target, (apart, lane)) as i64 >= apart;
        apart > MOST || (apart > 1 && !whole())
    }

    /// Whether at least half of what lies between two lanes is accessed.
    fn fills(&self, access: &Access, apart: i64, lane: IndexId) -> bool {
        let all = self.all_accesses();
        2 * self.used(&all, access, (apart, lane)) as u64 >= apart.unsigned_abs()
    }

    /// What the equations access, each place once.
    fn all_accesses(&self) -> Vec<&Access> {
        let all = self.equations.iter();
        let mut all: Vec<&Access> = all
            .flat_map(|equation| accesses(self.program, equation))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// How many elements some accesses meet of those that lie between two lanes of one.
    fn used(&self, all: &[&Access], access: &Access, (apart, lane): (i64, IndexId)) -> usize {
        let memory = self.program.viewed(access.array);
        let near = all.iter().filter(|other| {
            let same = self.program.viewed(other.array) == memory;
            same && step(self.program, other, lane).map(i64::abs) == Some(apart.abs())
        });
        let elements = near.map(|other| {
            let mut indices = Vec::new();
            let subscripts = other.subscripts.iter();
            subscripts.for_each(|subscript| subscript.collect_indices(&mut indices));
            let extents = indices.into_iter().filter_map(|index| {
                let extent = &self.program.loop_index(index).extent;
                extent.as_constant()
            });
            extents.product::<usize>()
        });
        elements.sum()
    }

    /// How many iterations a vector is worth where neighbours lie together.
    fn gain(&self, target: Element, nodes: &[ExprId], summed: bool) -> f64 {
        let narrow = !summed && is_narrow(self.program, nodes, target);
        let (bits, gain) = match narrow {
            true => (target.bits(), NARROW),
            false => (widest(self.program, nodes, target), TOGETHER),
        };
        gain * (self.registers / bits) as f64
    }
}

/// Whether what is stored in bytes or words of 16 bits is computed in these: where it is made of integers.
pub(super) fn is_narrow(program: &Program, nodes: &[ExprId], target: Element) -> bool {
    let mut elements = nodes.iter().map(|expr| program.pool.element(*expr));
    target.bits() < 32 && !is_float(target) && !elements.any(is_float)
}

/// What an equation reads and writes.
fn accesses<'a>(program: &'a Program, equation: &'a Equation) -> Vec<&'a Access> {
    let read = program.pool.accesses([equation.expr]);
    let read = read.iter().map(|(_, access)| *access);
    read.chain([&equation.target]).collect()
}

/// The bits of the widest value of some expressions and of what they are stored in.
pub(super) fn widest(program: &Program, nodes: &[ExprId], target: Element) -> usize {
    let elements = nodes.iter().map(|expr| program.pool.element(*expr));
    let all = elements.chain([target]).map(Element::bits);
    all.max().unwrap_or(64)
}

/// Whether some expressions have functions that are computed one number after the other.
fn calls(program: &Program, nodes: &[ExprId]) -> bool {
    nodes.iter().any(|expr| match program.pool.get(*expr) {
        Expr::Call(function, operands) => {
            let one = instructions(*function, operands.len());
            *function != Elementary::Sqrt && one.is_none()
        }
        _ => false,
    })
}

/// Elements between neighbours along a loop; `None` where that is an index map's to say, or known when the kernel
/// runs only.
fn step(program: &Program, access: &Access, lane: IndexId) -> Option<i64> {
    let array = program.array(access.array);
    let mut result = 0_i64;
    let mut inner = Some(1_i64);
    for (at, subscript) in access.subscripts.iter().enumerate().rev() {
        if in_map(subscript, lane) {
            return None;
        }
        let own = subscript.terms.iter();
        let mut own = own.filter(|(atom, _)| *atom == Atom::Index(lane));
        if let Some((_, factor)) = own.next() {
            result = result.checked_add(factor.checked_mul(inner?)?)?;
        }
        let extent = array.shape.get(at).and_then(Extent::as_constant);
        let extent = extent.and_then(|n| i64::try_from(n).ok());
        inner = inner.zip(extent).and_then(|(a, b)| a.checked_mul(b));
    }
    Some(result)
}

fn in_map(subscript: &Affine, lane: IndexId) -> bool {
    subscript.terms.iter().any(|(atom, _)| match atom {
        Atom::Map(_, inner) => inner.iter().any(|s| s.depends_on(lane)),
        _ => false,
    })
}

#[cfg(test)]
#[path = "compiled_tests.rs"]
mod tests;
