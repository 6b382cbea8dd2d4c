//! Loops and sums of loop trees.

use super::words;
use super::{Machine, Result};
use crate::ir::Element;
use crate::ir::{Combining, Extent, IndexId};
use crate::number::Field;
use crate::schedule::tree::{Instance, Loop, Steps};

/// The values that a loop's index takes between a start and an end.
pub fn iterations(
    of: &Loop,
    start: usize,
    end: usize,
) -> std::iter::StepBy<std::ops::Range<usize>> {
    let step = of.step.max(1);
    let whole = start + end.saturating_sub(start) / step * step;
    match of.steps {
        Steps::All => (start..end).step_by(step),
        Steps::Whole => (start..whole).step_by(step),
        Steps::Rest => (whole..end).step_by(1),
        Steps::Once => (start..end.min(start + 1)).step_by(1),
    }
}

impl Machine<'_> {
    /// Runs a loop.
    pub fn one(&mut self, inner: &Loop) -> Result<()> {
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
        if self.width > 1 && self.lane.is_some_and(|lane| loops == [lane]) {
            return self.across(instances);
        }
        let starts = instances.iter().flat_map(|instance| {
            let start = words::identity(self.element(instance), self.combining(instance));
            std::iter::repeat_n(start, self.width)
        });
        let mut sums: Vec<Field> = starts.collect();
        self.domain(loops, &mut |machine| {
            for (at, instance) in instances.iter().enumerate() {
                machine.enter(instance);
                for lane in 0..machine.lanes_of(instance.equation) {
                    if machine.enter_lane(instance.equation, lane).is_some() {
                        let slot = at * machine.width + lane;
                        let value = machine.evaluate(instance.equation, lane)?;
                        let (element, combining) =
                            (machine.element(instance), machine.combining(instance));
                        sums[slot] = words::combined(element, combining, sums[slot], value);
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
                    self.store(instance.equation, (lane, active), sum, false)?;
                }
            }
            self.leave(instance);
        }
        Ok(())
    }
}
