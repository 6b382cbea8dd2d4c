//! Loops of loop trees.

use super::{Machine, Result};
use crate::ir::Extent;
use crate::schedule::tree::{Loop, Steps};

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
}
