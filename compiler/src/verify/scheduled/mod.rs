//! Executes programs: scheduled ones as the emitted code will, or equation by equation.

mod addresses;
mod batch;
#[cfg(test)]
mod buffers_tests;
#[cfg(test)]
mod carried_tests;
mod copies;
#[cfg(test)]
mod copies_tests;
mod eval;
mod least;
mod loops;
mod places;
mod point;
mod storage;
#[cfg(test)]
mod tests;
mod unscheduled;
mod values;
mod words;

use std::ops::Range;
use std::rc::Rc;

use super::coverage::{self, Computed, Nodes, Points};
use super::memory::Memory;
use super::samples::Iterations;
use crate::analysis::structure;
use crate::ir::{Extent, IndexId, Program};
use crate::number::Field;
use crate::schedule::check;
use crate::schedule::lane_reduction;
use crate::schedule::lane_reduction::folded;
use crate::schedule::tree::{Instance, Node, Pipelined, Schedule};
use addresses::Address;
use batch::Batch;
use copies::Pending;
use eval::Evaluator;
pub use loops::iterations;
use places::{Slot, Storage, Turns};
use point::Point;
use storage::Arrays;
pub use unscheduled::run_unscheduled;
use values::Steps;

type Result<T> = std::result::Result<T, String>;

/// Executes a scheduled program; the nodes that were met. Loops over indices of known length have
/// `less(index)` iterations less.
///
/// # Errors
/// What is out of range, read before it is written or after another element took its place, what
/// cannot be printed or mixes types, or that `budget` (evaluated expressions) is used up.
pub fn run(
    program: &Program,
    schedule: &Schedule,
    memory: &mut Memory,
    less: &dyn Fn(IndexId) -> usize,
    budget: &mut u64,
) -> Result<Nodes> {
    check::check(program, schedule)?;
    let mut arrays = Arrays::new(program, memory, Some(&schedule.storage), schedule.width)?;
    for array in folded(program, schedule) {
        arrays.folded.insert(array.0 as usize);
    }
    arrays.turns = Turns::new(&schedule.buffers, &arrays.storage);
    let first = |index| {
        let extent = program.loop_index(index).extent.as_constant();
        Iterations::First(extent.map_or(usize::MAX, |n| n.saturating_sub(less(index))))
    };
    let mut machine = Machine::new(program, arrays, &first, budget)?;
    machine.lanes(schedule)?;
    let least = machine.least(&schedule.body)?;
    machine.affords(least)?;
    machine.nodes(&schedule.body)?;
    machine.nodes.miscounted = machine.miscounted()?;
    Ok(machine.nodes)
}

/// A value that is not stored yet: where it belongs, and its lane.
struct Held {
    equation: usize,
    point: Point,
    lane: (usize, bool),
    value: Field,
    partial: bool,
}

struct Machine<'p> {
    program: &'p Program,
    arrays: Arrays<'p>,
    evaluator: Evaluator<'p>,
    /// Targets, by equation.
    targets: Vec<Address>,
    /// The iterations of each index that run, and how many there are where that is known.
    runs: Vec<Iterations>,
    counts: Vec<Option<usize>>,
    /// The strip of each index that is open, if one is.
    strips: Vec<Option<Range<usize>>>,
    budget: &'p mut u64,
    point: Point,
    width: usize,
    /// The index that lanes run over: in the equation that is evaluated, or in copies.
    lane: Option<IndexId>,
    /// All that lanes run over, with their ends, and whether these are known at run time only.
    limits: Vec<(IndexId, i64, bool)>,
    /// Equations that are evaluated lane by lane: over which index.
    vector: Vec<Option<IndexId>>,
    /// What equations compute at many points at once, where they do.
    steps: Vec<Option<Steps>>,
    /// Points and rows of values that nobody needs now.
    batch: Batch,
    rows: Vec<Field>,
    /// Values that are stored later, if they are.
    held: Option<Vec<Held>>,
    /// What is yet to be copied.
    pending: Vec<Pending>,
    /// What was met.
    equations: Points,
    nodes: Nodes,
    computed: Computed,
}

impl<'p> Machine<'p> {
    fn new(
        program: &'p Program,
        arrays: Arrays<'p>,
        runs: &'p dyn Fn(IndexId) -> Iterations,
        budget: &'p mut u64,
    ) -> Result<Self> {
        let mixed = structure::types(program).into_iter().next();
        mixed.map_or(Ok(()), |violation| Err(violation.to_string()))?;
        let targets = program
            .equations
            .iter()
            .map(|e| arrays.compile(&e.target))
            .collect::<Result<_>>()?;
        let count = program.indices.len();
        let looks_up = coverage::look_ups(program);
        let steps = program.equations.iter();
        let steps = steps.map(|equation| Steps::new(program, &arrays, (equation, &looks_up)));
        let steps = steps.collect::<Result<_>>()?;
        let mut machine = Machine {
            program,
            evaluator: Evaluator::new(program, &arrays, looks_up)?,
            arrays,
            targets,
            runs: (0..count).map(|at| runs(IndexId(at as u32))).collect(),
            counts: vec![None; count],
            strips: vec![None; count],
            budget,
            point: Point::origin(count),
            width: 1,
            lane: None,
            limits: Vec::new(),
            vector: vec![None; program.equations.len()],
            steps,
            batch: Batch::default(),
            rows: Vec::new(),
            held: None,
            pending: Vec::new(),
            equations: Points::default(),
            nodes: Nodes::default(),
            computed: Computed::none(program.equations.len()),
        };
        let counts = (0..count).map(|at| machine.count(IndexId(at as u32)).ok());
        machine.counts = counts.collect();
        Ok(machine)
    }

    fn lanes(&mut self, schedule: &Schedule) -> Result<()> {
        self.width = schedule.lanes.map_or(1, |_| schedule.width);
        self.lane = schedule.lanes;
        for lane in schedule.lane_loops() {
            let run_time = !self.program.is_constant(lane);
            let end = self.count(lane)? as i64;
            self.limits.push((lane, end, run_time));
        }
        for (at, equation) in self.program.equations.iter().enumerate() {
            let mut indices = self.program.pool.indices(equation.expr).to_vec();
            let subscripts = &equation.target.subscripts;
            subscripts
                .iter()
                .for_each(|s| s.collect_indices(&mut indices));
            indices.extend(equation.domain());
            let mut own = schedule.lane_loops().filter(|lane| indices.contains(lane));
            self.vector[at] = own.next();
            let target = &equation.target;
            if self.vector[at].is_some_and(|lane| target.depends_on(lane)) {
                self.arrays.spread.insert(target.array.0 as usize);
            }
            if own.next().is_some() {
                return Err("lanes run over two loops of one equation".to_owned());
            }
        }
        Ok(())
    }

    /// How many values an index takes.
    fn count(&self, index: IndexId) -> Result<usize> {
        if let Some(known) = self.counts[index.0 as usize] {
            return Ok(known);
        }
        match &self.program.loop_index(index).extent {
            Extent::Constant(n) => Ok(self.first(index, *n)),
            extent => self.arrays.extent(extent),
        }
    }

    /// The values of an index where it is not listed: all, or those of the strip that is open.
    fn values(&self, index: IndexId) -> Result<Range<usize>> {
        match &self.strips[index.0 as usize] {
            Some(strip) => Ok(strip.clone()),
            None => Ok(0..self.count(index)?),
        }
    }

    /// How many of the first iterations a loop runs.
    fn first(&self, index: IndexId, extent: usize) -> usize {
        match &self.runs[index.0 as usize] {
            Iterations::First(most) => extent.min(*most),
            Iterations::Listed(listed) => listed.len(),
        }
    }

    /// The values of an index, if they are not the first ones.
    fn listed(&self, index: IndexId) -> Option<Rc<[usize]>> {
        match &self.runs[index.0 as usize] {
            Iterations::Listed(listed) if self.program.is_constant(index) => Some(listed.clone()),
            _ => None,
        }
    }

    fn set(&mut self, index: IndexId, value: i64) {
        self.arrays.ranges(index.0 as usize, value);
        self.point.at[index.0 as usize] = value;
        self.point.loops[index.0 as usize] = value;
    }

    /// Runs `body` for all values of some indices, the last one innermost.
    fn domain(
        &mut self,
        indices: &[IndexId],
        body: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let Some((index, inner)) = indices.split_first() else {
            return body(self);
        };
        let outer = self.point.loops[index.0 as usize];
        let mut step = |machine: &mut Self, value: usize| {
            machine.set(*index, value as i64);
            machine.domain(inner, body)
        };
        match self.listed(*index) {
            Some(listed) => listed.iter().try_for_each(|k| step(self, *k))?,
            None => self.values(*index)?.try_for_each(|k| step(self, k))?,
        }
        self.set(*index, outer);
        Ok(())
    }

    fn nodes(&mut self, nodes: &[Node]) -> Result<()> {
        for node in nodes {
            self.nodes.mark(node);
            match node {
                Node::Loop(inner) => self.one(inner)?,
                Node::Block(instances) => {
                    for instance in instances {
                        self.instance(instance)?;
                    }
                }
                Node::Reduction {
                    instances, loops, ..
                } => self.reduction(instances, loops)?,
                // What the same vector has staged may be copied earlier, where all of it that is copied
                // is complete; the order makes no difference.
                Node::CopyOut(copy) if copy.pipelined == Pipelined::NextVector => {
                    self.copy_pipelined(copy)?
                }
                Node::CopyOut(copy) => self.copy_out(copy)?,
                Node::Advance(staged) => self.advance(*staged)?,
                Node::Zero(array) => match &mut self.arrays.storage[array.0 as usize] {
                    Storage::Memory { values, .. } => {
                        let start = lane_reduction::start(self.program, *array);
                        values.fill(Some(Slot {
                            value: words::identity(self.program.array(*array).element, start),
                            ..Slot::ZERO
                        }));
                        self.arrays.turns.fill(array.0 as usize, values.len());
                    }
                    _ => return Err("a temporary without places is zeroed".to_owned()),
                },
            }
        }
        Ok(())
    }

    /// Moves to an instance.
    fn enter(&mut self, instance: &Instance) {
        for (index, offset) in &instance.offsets {
            let at = index.0 as usize;
            self.point.offsets[at] = *offset as u32;
            self.point.at[at] = self.point.loops[at] + *offset as i64;
            // Lanes beyond the end stand at the last element.
            if !self.limits.iter().any(|(lane, ..)| lane == index) {
                self.arrays.ranges(at, self.point.at[at]);
            }
        }
    }

    fn leave(&mut self, instance: &Instance) {
        self.point.idle = false;
        for index in instance
            .offsets
            .iter()
            .map(|(index, _)| *index)
            .chain(self.limits.iter().map(|(lane, ..)| *lane))
        {
            let at = index.0 as usize;
            self.point.offsets[at] = 0;
            self.point.at[at] = self.point.loops[at];
        }
    }

    /// Moves to a lane of the entered instance: whether it is active, or `None` if nothing is
    /// evaluated there.
    fn select(&mut self, lane: usize) -> Option<bool> {
        self.evaluator.forget();
        let Some(index) = self.lane else {
            return Some(true);
        };
        let at = index.0 as usize;
        let own = self.limits.iter().find(|(lane, ..)| *lane == index);
        let (_, limit, run_time) = own.copied()?;
        let value = self.point.loops[at] + i64::from(self.point.offsets[at]) + lane as i64;
        if value >= limit && !run_time {
            return None;
        }
        self.point.at[at] = value.min(limit - 1);
        self.point.idle = value >= limit;
        Some(value < limit)
    }

    /// How often an equation is evaluated at a point of the loops.
    fn lanes_of(&self, equation: usize) -> usize {
        match self.vector[equation] {
            Some(_) => self.width,
            None => 1,
        }
    }

    /// Moves to a lane of an equation, or to the only point.
    fn enter_lane(&mut self, equation: usize, lane: usize) -> Option<bool> {
        let Some(own) = self.vector[equation] else {
            self.evaluator.forget();
            return Some(true);
        };
        let outside = self.lane.replace(own);
        let active = self.select(lane);
        self.lane = outside;
        active
    }

    fn evaluate(&mut self, equation: usize, lane: usize) -> Result<Field> {
        self.equations.mark(equation);
        let expr = self.program.equations[equation].expr;
        self.evaluator
            .value(expr, &self.arrays, &self.point, lane, self.budget)
    }

    /// Stores a value; that of one term of a sum if `partial`.
    fn store(
        &mut self,
        equation: usize,
        lane: (usize, bool),
        value: Field,
        partial: bool,
    ) -> Result<()> {
        if let Some(held) = &mut self.held {
            held.push(Held {
                equation,
                point: self.point.clone(),
                lane,
                value,
                partial,
            });
            return Ok(());
        }
        if lane.1 {
            self.computed.mark(equation, partial);
        }
        let operator = self.program.equations[equation].operator;
        let accumulate = match partial {
            true => Some(operator.combining()),
            false => operator.accumulated(),
        };
        let target = &self.targets[equation];
        self.arrays
            .write(target, &self.point, lane, value, accumulate)
    }
}
