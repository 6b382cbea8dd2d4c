//! Executes programs: scheduled ones as the emitted code will, or equation by equation.

mod eval;
mod storage;
#[cfg(test)]
mod tests;

use super::memory::Memory;
use crate::ir::{Extent, IndexId, Operator, Program};
use crate::number::Field;
use crate::schedule::tree::{CopyOut, Instance, Loop, Node, Schedule};
use eval::Evaluator;
use storage::{Address, Arrays, Point, Storage};

type Result<T> = std::result::Result<T, String>;

/// Executes a scheduled program. Loops over indices of constant extent `n` run `n - trips(n)`
/// iterations less.
///
/// # Errors
/// What is out of range or read before it is written, or that `budget` (evaluated expressions) is
/// used up.
pub fn run(
    program: &Program,
    schedule: &Schedule,
    memory: &mut Memory,
    trips: &dyn Fn(usize) -> usize,
    budget: &mut u64,
) -> Result<()> {
    let arrays = Arrays::new(program, memory, Some(&schedule.storage), schedule.width)?;
    let mut machine = Machine::new(program, arrays, trips, budget)?;
    machine.lanes(schedule)?;
    machine.nodes(&schedule.body)
}

/// Executes the equations one after the other, each over its whole domain; indices of constant
/// extent `n` take `trips(n)` values.
///
/// # Errors
/// As for [`run`].
pub fn run_unscheduled(
    program: &Program,
    memory: &mut Memory,
    trips: &dyn Fn(usize) -> usize,
    budget: &mut u64,
) -> Result<()> {
    let arrays = Arrays::new(program, memory, None, 1)?;
    let mut machine = Machine::new(program, arrays, trips, budget)?;
    for (at, equation) in program.equations.iter().enumerate() {
        let instances = [Instance {
            equation: at,
            offsets: Vec::new(),
        }];
        machine.domain(&equation.free, &mut |machine| {
            machine.reduction(&instances, &equation.reduction)
        })?;
    }
    Ok(())
}

struct Machine<'p> {
    program: &'p Program,
    arrays: Arrays<'p>,
    evaluator: Evaluator<'p>,
    /// Targets, by equation.
    targets: Vec<Address>,
    trips: &'p dyn Fn(usize) -> usize,
    budget: &'p mut u64,
    point: Point,
    width: usize,
    lane: Option<IndexId>,
    /// End of the lane index, and whether it is known at run time only.
    limit: (i64, bool),
    /// Equations that are evaluated lane by lane.
    vector: Vec<bool>,
}

impl<'p> Machine<'p> {
    fn new(
        program: &'p Program,
        arrays: Arrays<'p>,
        trips: &'p dyn Fn(usize) -> usize,
        budget: &'p mut u64,
    ) -> Result<Self> {
        let targets = program
            .equations
            .iter()
            .map(|e| arrays.compile(&e.target))
            .collect::<Result<_>>()?;
        let count = program.indices.len();
        Ok(Machine {
            program,
            evaluator: Evaluator::new(program, &arrays)?,
            arrays,
            targets,
            trips,
            budget,
            point: Point {
                at: vec![0; count],
                loops: vec![0; count],
                offsets: vec![0; count],
            },
            width: 1,
            lane: None,
            limit: (0, false),
            vector: vec![false; program.equations.len()],
        })
    }

    fn lanes(&mut self, schedule: &Schedule) -> Result<()> {
        let Some(lane) = schedule.lanes else {
            return Ok(());
        };
        self.width = schedule.width;
        self.lane = Some(lane);
        let run_time = self.program.loop_index(lane).extent.as_constant().is_none();
        self.limit = (self.count(lane)? as i64, run_time);
        for (at, equation) in self.program.equations.iter().enumerate() {
            let mut indices = self.program.pool.indices(equation.expr).to_vec();
            let subscripts = &equation.target.subscripts;
            subscripts
                .iter()
                .for_each(|s| s.collect_indices(&mut indices));
            self.vector[at] = indices.contains(&lane) || equation.domain().any(|i| i == lane);
        }
        Ok(())
    }

    /// How many values an index takes.
    fn count(&self, index: IndexId) -> Result<usize> {
        match &self.program.loop_index(index).extent {
            Extent::Constant(n) => Ok((self.trips)(*n).min(*n)),
            extent => self.arrays.extent(extent),
        }
    }

    fn set(&mut self, index: IndexId, value: i64) {
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
        for value in 0..self.count(*index)? {
            self.set(*index, value as i64);
            self.domain(inner, body)?;
        }
        self.set(*index, outer);
        Ok(())
    }

    fn nodes(&mut self, nodes: &[Node]) -> Result<()> {
        for node in nodes {
            match node {
                Node::Loop(inner) => self.one(inner)?,
                Node::Block(instances) => {
                    for instance in instances {
                        self.instance(instance)?;
                    }
                }
                Node::Reduction { instances, loops } => self.reduction(instances, loops)?,
                Node::CopyOut(copy) => self.copy_out(copy)?,
                Node::Zero(array) => match &mut self.arrays.storage[array.0 as usize] {
                    Storage::Memory { values, .. } => {
                        values.fill(Some(Field::ZERO));
                    }
                    _ => return Err("a temporary that is not in memory is zeroed".to_owned()),
                },
            }
        }
        Ok(())
    }

    fn one(&mut self, inner: &Loop) -> Result<()> {
        let (mut start, mut end) = (inner.start, self.arrays.extent(&inner.end)?);
        if let (Some(n), Extent::Constant(_)) = (
            self.program.loop_index(inner.index).extent.as_constant(),
            &inner.end,
        ) {
            let less = n.saturating_sub((self.trips)(n));
            end = end.saturating_sub(less);
            if start > 0 {
                start = start
                    .checked_sub(less)
                    .ok_or("a remainder shrinks below zero")?;
            }
        }
        let outer = self.point.loops[inner.index.0 as usize];
        for value in (start..end).step_by(inner.step.max(1)) {
            self.set(inner.index, value as i64);
            self.nodes(&inner.body)?;
        }
        self.set(inner.index, outer);
        Ok(())
    }

    /// Moves to an instance.
    fn enter(&mut self, instance: &Instance) {
        for (index, offset) in &instance.offsets {
            let at = index.0 as usize;
            self.point.offsets[at] = *offset as u32;
            self.point.at[at] = self.point.loops[at] + *offset as i64;
        }
    }

    fn leave(&mut self, instance: &Instance) {
        for index in instance
            .offsets
            .iter()
            .map(|(index, _)| *index)
            .chain(self.lane)
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
        let (limit, run_time) = self.limit;
        let value = self.point.loops[at] + i64::from(self.point.offsets[at]) + lane as i64;
        if value >= limit && !run_time {
            return None;
        }
        self.point.at[at] = value.min(limit - 1);
        Some(value < limit)
    }

    /// How often an equation is evaluated at a point of the loops.
    fn lanes_of(&self, equation: usize) -> usize {
        if self.vector[equation] { self.width } else { 1 }
    }

    /// Moves to a lane of an equation, or to the only point.
    fn enter_lane(&mut self, equation: usize, lane: usize) -> Option<bool> {
        if self.vector[equation] {
            return self.select(lane);
        }
        self.evaluator.forget();
        Some(true)
    }

    fn evaluate(&mut self, equation: usize, lane: usize) -> Result<Field> {
        let expr = self.program.equations[equation].expr;
        self.evaluator
            .value(expr, &self.arrays, &self.point, lane, self.budget)
    }

    fn store(&mut self, equation: usize, lane: (usize, bool), value: Field) -> Result<()> {
        let accumulate = self.program.equations[equation].operator == Operator::Accumulate;
        let target = &self.targets[equation];
        self.arrays
            .write(target, &self.point, lane, value, accumulate)
    }

    fn instance(&mut self, instance: &Instance) -> Result<()> {
        self.enter(instance);
        for lane in 0..self.lanes_of(instance.equation) {
            let Some(active) = self.enter_lane(instance.equation, lane) else {
                continue;
            };
            let value = self.evaluate(instance.equation, lane)?;
            self.store(instance.equation, (lane, active), value)?;
        }
        self.leave(instance);
        Ok(())
    }

    /// Adds up the lanes of what the instances read.
    fn across(&mut self, instances: &[Instance]) -> Result<()> {
        for instance in instances {
            self.enter(instance);
            let mut sum = Field::ZERO;
            for lane in 0..self.width {
                self.evaluator.forget();
                sum = sum + self.evaluate(instance.equation, lane)?;
            }
            self.store(instance.equation, (0, true), sum)?;
            self.leave(instance);
        }
        Ok(())
    }

    fn reduction(&mut self, instances: &[Instance], loops: &[IndexId]) -> Result<()> {
        if self.width > 1 && self.lane.is_some_and(|lane| loops == [lane]) {
            return self.across(instances);
        }
        let zero = Field::ZERO;
        let mut sums = vec![zero; instances.len() * self.width];
        self.domain(loops, &mut |machine| {
            for (at, instance) in instances.iter().enumerate() {
                machine.enter(instance);
                for lane in 0..machine.lanes_of(instance.equation) {
                    if machine.enter_lane(instance.equation, lane).is_some() {
                        let slot = at * machine.width + lane;
                        sums[slot] = sums[slot] + machine.evaluate(instance.equation, lane)?;
                    }
                }
                machine.leave(instance);
            }
            Ok(())
        })?;
        for (at, instance) in instances.iter().enumerate() {
            self.enter(instance);
            for lane in 0..self.lanes_of(instance.equation) {
                if let Some(active) = self.enter_lane(instance.equation, lane) {
                    let sum = sums[at * self.width + lane];
                    self.store(instance.equation, (lane, active), sum)?;
                }
            }
            self.leave(instance);
        }
        Ok(())
    }

    fn copy_out(&mut self, copy: &CopyOut) -> Result<()> {
        let staged = copy.staged.0 as usize;
        let target = self.arrays.compile(&copy.target)?;
        let Storage::Memory { lanes, .. } = self.arrays.storage[staged] else {
            return Err("a staging array is not in memory".to_owned());
        };
        let mut indices = Vec::new();
        let subscripts = &copy.target.subscripts;
        subscripts
            .iter()
            .for_each(|s| s.collect_indices(&mut indices));
        let from = self.arrays.staged(staged, &copy.loops)?;
        let over_lanes = self.lane.is_some_and(|lane| {
            !copy.loops.contains(&lane) && (lanes > 1 || indices.contains(&lane))
        });
        for lane in 0..if over_lanes { self.width } else { 1 } {
            if over_lanes && self.select(lane) != Some(true) {
                continue;
            }
            self.domain(&copy.loops, &mut |machine| {
                *machine.budget = machine
                    .budget
                    .checked_sub(1)
                    .ok_or("too large to validate")?;
                let value = machine.arrays.read(&from, &machine.point, lane)?;
                let lane = (lane, true);
                machine
                    .arrays
                    .write(&target, &machine.point, lane, value, copy.accumulate)
            })?;
        }
        if let Some(index) = self.lane {
            let at = index.0 as usize;
            self.point.at[at] = self.point.loops[at];
        }
        Ok(())
    }
}
