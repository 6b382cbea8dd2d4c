//! Register tiles: sums over up to two loops, kept in registers.

use super::build::Builder;
use super::factors::factors;
use super::storage::Path;
use super::tree::{Instance, Loop, Node, Steps, instance};
use super::written_out::{is_written_out, reads_neighbours};
use crate::ir::{Extent, IndexId};

impl Builder<'_> {
    /// A register tile over up to two indices, with the sums inside.
    pub fn tile(
        &mut self,
        group: &[usize],
        free: &[IndexId],
        reduction: &[IndexId],
        open: &mut Path,
    ) -> Vec<Node> {
        let (program, plan) = (self.program, self.plan);
        let own = |at: &usize| {
            is_written_out(program, plan, *at, free) || reads_neighbours(program, plan, *at, free)
        };
        let steps = |index: &IndexId| {
            let extent = program.loop_index(*index).extent.as_constant();
            extent.unwrap_or(1).div_ceil(plan.unit(*index))
        };
        let factors = match group.iter().all(own) {
            true => free.iter().map(steps).collect(),
            false => factors(program, plan, group, free, reduction),
        };
        self.tile_loops(group, free, &factors, &[], reduction, open)
    }

    fn tile_loops(
        &mut self,
        group: &[usize],
        free: &[IndexId],
        factors: &[usize],
        chosen: &[(IndexId, usize)],
        reduction: &[IndexId],
        open: &mut Path,
    ) -> Vec<Node> {
        let (Some((index, inner)), Some((factor, inner_factors))) =
            (free.split_first(), factors.split_first())
        else {
            self.mark(group, open);
            let instances = self.instances(group, chosen);
            return match reduction {
                [] => vec![Node::Block(instances)],
                loops => vec![Node::Reduction {
                    instances,
                    loops: loops.to_vec(),
                    chains: 1,
                }],
            };
        };
        let unit = self.plan.unit(*index);
        let extent = self
            .program
            .loop_index(*index)
            .extent
            .as_constant()
            .unwrap_or(0);
        // A vector that is not full is in the rest, where its place is known.
        let (units, whole) = (extent.div_ceil(unit), extent / unit);
        let main = whole - whole % factor;
        let mut nodes = Vec::new();
        // Main part, then the rest as a tile of its own.
        for (start, end, step) in [(0, main, *factor), (main, units, units - main)] {
            if start == end {
                continue;
            }
            open.push((self.loops, *index));
            self.loops += 1;
            let chosen: Vec<(IndexId, usize)> =
                chosen.iter().copied().chain([(*index, step)]).collect();
            let body = self.tile_loops(group, inner, inner_factors, &chosen, reduction, open);
            open.pop();
            nodes.push(Node::Loop(Loop {
                index: *index,
                with: Vec::new(),
                steps: Steps::All,
                start: start * unit,
                end: Extent::Constant((end * unit).min(extent)),
                step: step * unit,
                body,
            }));
        }
        nodes
    }

    fn instances(&self, group: &[usize], chosen: &[(IndexId, usize)]) -> Vec<Instance> {
        let mut offsets: Vec<Vec<(IndexId, usize)>> = vec![Vec::new()];
        for (index, count) in chosen {
            let unit = self.plan.unit(*index);
            offsets = offsets
                .into_iter()
                .flat_map(|o| {
                    (0..*count).map(move |k| {
                        let mut o = o.clone();
                        if k > 0 {
                            o.push((*index, k * unit));
                        }
                        o
                    })
                })
                .collect();
        }
        offsets
            .iter()
            .flat_map(|o| group.iter().map(move |at| instance(*at, o)))
            .collect()
    }
}
