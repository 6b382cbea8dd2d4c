//! How many steps a run takes at least.
//!
//! What takes more than it may is found out before it has taken them: trees for long extents have many loops inside
//! of each other, and would run until nothing is left.

use std::cmp::Ordering;

use super::loops::iterations;
use super::{Machine, Result};
use crate::ir::IndexId;
use crate::schedule::tree::{Instance, Loop, Node, Steps};
use crate::verify::TOO_LARGE;

impl Machine<'_> {
    /// An error if a number of steps is more than there are left.
    ///
    /// # Errors
    /// As said.
    pub fn affords(&self, steps: u64) -> Result<()> {
        let enough = steps <= *self.budget;
        enough.then_some(()).ok_or_else(|| TOO_LARGE.to_owned())
    }

    /// That an equation was computed less often than its domain has points, or more often though it adds to what there
    /// is, if one was.
    ///
    /// # Errors
    /// If an extent has no value.
    pub fn miscounted(&mut self) -> Result<Option<String>> {
        for (at, equation) in self.program.equations.iter().enumerate() {
            let points = (
                self.points(&equation.free)?,
                self.points(&equation.reduction)?,
            );
            let name = &self.program.array(equation.target.array).name;
            let message = match self.computed.compared(at, points) {
                Ordering::Less => {
                    format!("`{name}` is not computed in all iterations of its loops")
                }
                Ordering::Greater if equation.operator.accumulated().is_some() => {
                    format!("`{name}` is added to more than once an iteration of its loops")
                }
                Ordering::Equal | Ordering::Greater => continue,
            };
            return Ok(Some(message));
        }
        Ok(None)
    }

    /// Steps that nodes take at least.
    ///
    /// # Errors
    /// If an extent has no value.
    pub fn least(&mut self, nodes: &[Node]) -> Result<u64> {
        let mut steps = 0_u64;
        for node in nodes {
            steps = steps.saturating_add(match node {
                Node::Loop(inner) => self.least_of_loop(inner)?,
                Node::Block(instances) => self.least_of_instances(instances),
                // Sums over lanes take what vectors hold.
                Node::Reduction { loops, .. } if loops.iter().any(|l| self.has_lanes(*l)) => 0,
                Node::Reduction {
                    instances, loops, ..
                } => {
                    let terms = self.points(loops)?;
                    self.least_of_instances(instances).saturating_mul(terms)
                }
                Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => 0,
            });
        }
        Ok(steps)
    }

    /// Steps of an equation over its whole domain.
    ///
    /// # Errors
    /// If an extent has no value.
    pub fn least_of_equation(&self, equation: usize) -> Result<u64> {
        let domain: Vec<IndexId> = self.program.equations[equation].domain().collect();
        Ok(self.points(&domain)?.saturating_mul(self.each(equation)))
    }

    fn least_of_loop(&mut self, inner: &Loop) -> Result<u64> {
        let (start, end) = self.bounds(inner)?;
        if inner.steps != Steps::Strips {
            let count = iterations(inner, start, end).count() as u64;
            return match count {
                0 => Ok(0),
                _ => Ok(self.least(&inner.body)?.saturating_mul(count)),
            };
        }
        // All strips but the last one are of one length.
        let mut steps = 0_u64;
        let mut known: Option<(usize, u64)> = None;
        for first in iterations(inner, start, end) {
            let strip = first..end.min(first + inner.step);
            let length = strip.len();
            let own = match known {
                Some((other, own)) if other == length && inner.with.is_empty() => own,
                _ => {
                    self.open_strip(inner, (first, end))?;
                    self.least(&inner.body)?
                }
            };
            known = Some((length, own));
            steps = steps.saturating_add(own);
        }
        self.close_strip(inner);
        Ok(steps)
    }

    /// Values of several indices together.
    fn points(&self, indices: &[IndexId]) -> Result<u64> {
        let mut points = 1_u64;
        for index in indices {
            let count = match self.listed(*index) {
                Some(listed) => listed.len(),
                None => self.values(*index)?.len(),
            };
            points = points.saturating_mul(count as u64);
        }
        Ok(points)
    }

    fn least_of_instances(&self, instances: &[Instance]) -> u64 {
        let steps = instances.iter().map(|instance| {
            let own = self.vector[instance.equation];
            let limit = self.limits.iter().find(|(lane, ..)| Some(*lane) == own);
            // Of known extents, lanes beyond the end are not evaluated.
            let lanes = match limit {
                Some((_, end, false)) if end % self.width as i64 != 0 => 1,
                Some(_) => self.width as u64,
                None => 1,
            };
            self.each(instance.equation).saturating_mul(lanes)
        });
        steps.fold(0, u64::saturating_add)
    }

    fn has_lanes(&self, index: IndexId) -> bool {
        self.limits.iter().any(|(lane, ..)| *lane == index)
    }

    /// Steps at one point.
    fn each(&self, equation: usize) -> u64 {
        let steps = self.steps[equation].as_ref();
        steps.map_or(1, super::values::Steps::each)
    }
}
