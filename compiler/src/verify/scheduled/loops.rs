//! Loops, sums and instances of loop trees.

use super::batch::{Batch, Iterated, MOST_LOOPS, Values};
use super::words;
use super::{Machine, Result};
use crate::ir::{Combining, Element, Extent, IndexId};
use crate::number::Field;
use crate::schedule::front;
use crate::schedule::tree::{Instance, Loop, Steps, begins_with_target};

/// Points at which an expression is evaluated at once, unless there are more lanes: rows of values stay in the
/// nearest cache.
const AT_ONCE: usize = 64;

/// The values that a loop's index takes between a start and an end.
pub fn iterations(
    of: &Loop,
    start: usize,
    end: usize,
) -> std::iter::StepBy<std::ops::Range<usize>> {
    let step = of.step.max(1);
    let whole = start + end.saturating_sub(start) / step * step;
    match of.steps {
        Steps::All | Steps::Strips | Steps::Skewed { .. } => (start..end).step_by(step),
        Steps::Whole => (start..whole).step_by(step),
        Steps::Rest => (whole..end).step_by(1),
        Steps::Once => (start..end.min(start + 1)).step_by(1),
        Steps::First(most) => (start..end.min(start + most)).step_by(1),
        Steps::Last(most) => (start.max(end.saturating_sub(most))..end).step_by(1),
    }
}

impl Machine<'_> {
    /// Where a loop's index begins and ends.
    pub fn bounds(&self, inner: &Loop) -> Result<(usize, usize)> {
        let (mut start, mut end) = (inner.start, self.arrays.extent(&inner.end)?);
        if let (Some(n), Extent::Constant(_)) = (
            self.program.loop_index(inner.index).extent.as_constant(),
            &inner.end,
        ) {
            let less = n - self.first(inner.index, n);
            end = end.saturating_sub(less);
            if start > 0 {
                start = start
                    .checked_sub(less)
                    .ok_or("a remainder shrinks below zero")?;
            }
        }
        match &self.strips[inner.index.0 as usize] {
            Some(strip) if inner.steps != Steps::Strips => {
                Ok((strip.start + start, strip.end.min(end)))
            }
            _ => Ok((start, end)),
        }
    }

    /// Runs a loop.
    pub fn one(&mut self, inner: &Loop) -> Result<()> {
        let (start, end) = self.bounds(inner)?;
        if inner.steps == Steps::Strips {
            return self.in_strips(inner, end);
        }
        if let Steps::Skewed { over, by } = inner.steps {
            return self.skewed(inner, (over, by), end);
        }
        let outer = self.point.loops[inner.index.0 as usize];
        let visible = self.arrays.visible();
        for value in iterations(inner, start, end) {
            self.nodes.step(inner, value + inner.step <= end);
            self.set(inner.index, value as i64);
            for (index, ahead) in &inner.with {
                self.set(*index, (value + ahead) as i64);
            }
            self.nodes(&inner.body)?;
            self.arrays.hide(visible);
        }
        self.set(inner.index, outer);
        inner.with.iter().for_each(|(index, _)| self.set(*index, 0));
        self.drain(inner)
    }

    /// Runs the rows of a skewed loop, each some iterations behind the one before it.
    fn skewed(&mut self, inner: &Loop, (over, by): (IndexId, usize), end: usize) -> Result<()> {
        let outer = self.point.loops[inner.index.0 as usize];
        let visible = self.arrays.visible();
        for (row, value) in front::order(front::rows(inner, over), by, end) {
            self.set(inner.index, value as i64);
            for block in front::of_row(&inner.body, over, row) {
                self.nodes(std::slice::from_ref(block))?;
            }
            self.arrays.hide(visible);
        }
        self.set(inner.index, outer);
        Ok(())
    }

    /// Runs the body of a loop over strips for each of them.
    fn in_strips(&mut self, outer: &Loop, end: usize) -> Result<()> {
        let visible = self.arrays.visible();
        for first in iterations(outer, outer.start, end) {
            self.nodes.step(outer, first + outer.step <= end);
            self.open_strip(outer, (first, end))?;
            self.nodes(&outer.body)?;
            self.arrays.hide(visible);
        }
        self.close_strip(outer);
        Ok(())
    }

    /// Opens the strip that begins with a value; what moves along has those so many ahead.
    pub fn open_strip(&mut self, outer: &Loop, (first, end): (usize, usize)) -> Result<()> {
        let strip = first..end.min(first + outer.step);
        for (index, ahead) in &outer.with {
            let all = self.count(*index)?;
            let from = if first == outer.start {
                0
            } else {
                all.min(first + ahead)
            };
            let to = if strip.end == end {
                all
            } else {
                all.min(strip.end + ahead)
            };
            self.strips[index.0 as usize] = Some(from..to);
        }
        self.strips[outer.index.0 as usize] = Some(strip);
        Ok(())
    }

    /// Leaves strips.
    pub fn close_strip(&mut self, outer: &Loop) {
        for (index, _) in &outer.with {
            self.strips[index.0 as usize] = None;
        }
        self.strips[outer.index.0 as usize] = None;
    }

    /// All lanes are evaluated before one is stored, as a vector is.
    pub fn instance(&mut self, instance: &Instance) -> Result<()> {
        self.enter(instance);
        let partial = !self.program.equations[instance.equation]
            .reduction
            .is_empty();
        let lanes = self.lanes_of(instance.equation);
        let mut values = vec![Field::ZERO; lanes];
        let at_once = self.at_once(instance.equation, &[], &mut |lane, value| {
            values[lane] = value;
        })?;
        for (lane, value) in values.iter_mut().enumerate() {
            if !at_once && self.enter_lane(instance.equation, lane).is_some() {
                *value = self.evaluate(instance.equation, lane)?;
            }
        }
        for (lane, value) in values.into_iter().enumerate() {
            if let Some(active) = self.enter_lane(instance.equation, lane) {
                self.store(instance.equation, (lane, active), value, partial)?;
            }
        }
        self.leave(instance);
        Ok(())
    }

    /// What an instance's values are combined by.
    fn combining(&self, instance: &Instance) -> Combining {
        self.program.equations[instance.equation]
            .operator
            .combining()
    }

    /// The type of an instance's values.
    fn element(&self, instance: &Instance) -> Element {
        let expr = self.program.equations[instance.equation].expr;
        self.program.pool.element(expr)
    }

    /// Combines the lanes of what the instances read.
    fn across(&mut self, instances: &[Instance]) -> Result<()> {
        for instance in instances {
            self.enter(instance);
            let combining = self.combining(instance);
            let element = self.element(instance);
            let mut sum = words::identity(element, combining);
            for lane in 0..self.width {
                self.evaluator.forget();
                let value = self.evaluate(instance.equation, lane)?;
                sum = words::combined(element, combining, sum, value);
            }
            self.store(instance.equation, (0, true), sum, false)?;
            self.leave(instance);
        }
        Ok(())
    }

    /// Sums over loops.
    pub fn reduction(&mut self, instances: &[Instance], loops: &[IndexId]) -> Result<()> {
        let mut lanes = self.limits.iter().map(|(lane, ..)| *lane);
        if let Some(lane) = lanes.find(|lane| self.width > 1 && loops == [*lane]) {
            let outside = self.lane.replace(lane);
            self.across(instances)?;
            self.lane = outside;
            return Ok(());
        }
        let before = self.targets_of_begun(instances)?;
        let starts = instances.iter().flat_map(|instance| {
            let start = words::identity(self.element(instance), self.combining(instance));
            std::iter::repeat_n(start, self.width)
        });
        let mut sums: Vec<Field> = starts.collect();
        // The innermost loops run at once.
        let (outer, inner) = loops.split_at(loops.len() - self.together(loops)?);
        let width = self.width;
        self.domain(outer, &mut |machine| {
            for (at, instance) in instances.iter().enumerate() {
                machine.terms(instance, inner, &mut sums[at * width..][..width])?;
            }
            Ok(())
        })?;
        for (at, instance) in instances.iter().enumerate() {
            self.enter(instance);
            for lane in 0..self.lanes_of(instance.equation) {
                if let Some(active) = self.enter_lane(instance.equation, lane) {
                    if let Some(before) = before[at * self.width + lane]
                        && self.target(instance, lane)? != before
                    {
                        return Err("a sum begins with what another one changes".to_owned());
                    }
                    let sum = sums[at * self.width + lane];
                    self.store(instance.equation, (lane, active), sum, false)?;
                }
            }
            self.leave(instance);
        }
        Ok(())
    }

    /// What the targets of sums that begin with these hold, of all lanes of all instances.
    fn targets_of_begun(&mut self, instances: &[Instance]) -> Result<Vec<Option<Field>>> {
        let mut result = vec![None; instances.len() * self.width];
        for (at, instance) in instances.iter().enumerate() {
            if !begins_with_target(self.program, instance.equation) {
                continue;
            }
            self.enter(instance);
            for lane in 0..self.lanes_of(instance.equation) {
                if self.enter_lane(instance.equation, lane) == Some(true) {
                    result[at * self.width + lane] = Some(self.target(instance, lane)?);
                }
            }
            self.leave(instance);
        }
        Ok(result)
    }

    /// What the target of an instance that was entered holds.
    fn target(&self, instance: &Instance, lane: usize) -> Result<Field> {
        let target = &self.targets[instance.equation];
        self.arrays.read(target, &self.point, lane)
    }

    /// Adds what an instance computes in a loop to sums, of which there is one a lane.
    fn terms(&mut self, instance: &Instance, inner: &[IndexId], sums: &mut [Field]) -> Result<()> {
        let (element, combining) = (self.element(instance), self.combining(instance));
        let number = !matches!(element, Element::Integer(_) | Element::Word(_));
        let mut add = |lane: usize, value: Field| {
            sums[lane] = match combining {
                Combining::Add if number => sums[lane] + value,
                _ => words::combined(element, combining, sums[lane], value),
            }
        };
        self.enter(instance);
        let at_once = self.at_once(instance.equation, inner, &mut add)?;
        self.leave(instance);
        if at_once {
            return Ok(());
        }
        self.domain(inner, &mut |machine| {
            machine.enter(instance);
            for lane in 0..machine.lanes_of(instance.equation) {
                if machine.enter_lane(instance.equation, lane).is_some() {
                    add(lane, machine.evaluate(instance.equation, lane)?);
                }
            }
            machine.leave(instance);
            Ok(())
        })
    }

    /// How many of some loops, the innermost ones, run at once: nests of short loops take longest for what is done once a
    /// batch.
    pub fn together(&self, loops: &[IndexId]) -> Result<usize> {
        let (mut points, mut count) = (self.width, 0);
        for index in loops.iter().rev().take(MOST_LOOPS) {
            points = points.saturating_mul(self.iterations_of(*index)?.len());
            if count > 0 && points > AT_ONCE {
                break;
            }
            count += 1;
        }
        Ok(count)
    }

    /// The values of an index in a loop that runs as a whole.
    fn iterations_of(&self, index: IndexId) -> Result<Values> {
        Ok(match self.listed(index) {
            Some(listed) => Values::Listed(listed),
            None => Values::All(self.values(index)?),
        })
    }

    /// Computes an equation's values for the iterations of loops inside of each other, lanes innermost, if it has
    /// [steps](super::values) and no index leaves its range; whether it did.
    pub fn at_once(
        &mut self,
        equation: usize,
        inner: &[IndexId],
        take: &mut dyn FnMut(usize, Field),
    ) -> Result<bool> {
        let over_lanes = self.vector[equation].is_some_and(|own| inner.contains(&own));
        let Some(steps) = self.steps[equation].as_ref().filter(|_| !over_lanes) else {
            return Ok(false);
        };
        let mut batch = std::mem::take(&mut self.batch);
        let fits = self.lanes_at_once(equation, &mut batch);
        batch.loops.clear();
        for index in inner {
            let at = index.0 as usize;
            let (start, first) = (self.point.loops[at], self.point.at[at]);
            let values = self.iterations_of(*index)?;
            let last = values.most().map_or(0, |last| last as i64);
            self.arrays.ranges(at, last + first - start);
            let index = (at, start);
            batch.loops.push(Iterated { index, values });
        }
        if !fits || !self.arrays.within {
            self.batch = batch;
            return Ok(false);
        }
        let mut rest = 0..batch.all();
        let most = (AT_ONCE / batch.lanes.1.len().max(1)).max(1);
        while !rest.is_empty() && !batch.lanes.1.is_empty() {
            let next = rest.start..rest.end.min(rest.start + most);
            rest.start = next.end;
            batch.take(next);
            self.equations.mark(equation);
            let at = (&mut self.point, &batch);
            let rows = (&mut self.rows, &mut self.evaluator.branches);
            let values = steps.values(&self.arrays, at, rows, self.budget)?;
            for (at, value) in values.iter().enumerate() {
                take(batch.lane(at), *value);
            }
        }
        self.batch = batch;
        Ok(true)
    }

    /// The lanes of an equation that are evaluated at an instance that was entered; whether they have elements.
    fn lanes_at_once(&self, equation: usize, batch: &mut Batch) -> bool {
        let (index, lanes) = &mut batch.lanes;
        lanes.clear();
        *index = None;
        batch.active = self.width;
        let Some(own) = self.vector[equation] else {
            lanes.push(0);
            return true;
        };
        let at = own.0 as usize;
        *index = Some(at);
        let limit = self.limits.iter().find(|(lane, ..)| *lane == own);
        let Some((_, limit, run_time)) = limit else {
            return true;
        };
        let start = self.point.loops[at] + i64::from(self.point.offsets[at]);
        let values = (0..self.width as i64).map(|lane| start + lane);
        batch.active = values.clone().filter(|value| value < limit).count();
        let evaluated = values.take_while(|value| *run_time || value < limit);
        lanes.extend(evaluated.map(|value| value.min(limit - 1) - start));
        start >= 0 && *limit > 0
    }
}
