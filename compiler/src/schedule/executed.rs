//! The operations that a loop tree executes, by the counting rules of `loopwright::Cost`.
//!
//! What stands in one straight-line block is computed once, also if it belongs to several
//! statements or to several places of a register tile. Which do, only the tree says: the count of
//! a [program](crate::analysis::cost) takes those of equal loops to share.

use std::collections::{HashMap, HashSet};

use super::tree::{CopyOut, Instance, Node, Schedule};
use crate::analysis::cost::{Cost, node};
use crate::ir::{ArrayId, ExprId, IndexId, Operator, Program};

/// Operations of scalar code: of one iteration of the run-time loops, and of what stands outside of
/// them, if there are any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Executed {
    /// Inside a loop of run-time extent; of all, where there is no such loop.
    pub each: Cost,
    /// Outside of all of them, once a call.
    pub once: Cost,
}

/// Counts a loop tree without lanes.
pub fn executed(program: &Program, schedule: &Schedule) -> Executed {
    let mut count = Count {
        program,
        result: Executed::default(),
    };
    let run_time = has_run_time_loop(&schedule.body);
    count.nodes(&schedule.body, 1, !run_time);
    count.result
}

fn has_run_time_loop(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Loop(l) => l.end.as_constant().is_none() || has_run_time_loop(&l.body),
        _ => false,
    })
}

struct Count<'a> {
    program: &'a Program,
    result: Executed,
}

impl Count<'_> {
    /// Nodes that run `times` times, inside a loop of run-time extent or not.
    fn nodes(&mut self, nodes: &[Node], times: u64, each: bool) {
        for node in nodes {
            let cost = match node {
                Node::Loop(l) => {
                    let count = l.iterations();
                    let inside = each || count.is_none();
                    self.nodes(&l.body, times * count.unwrap_or(1) as u64, inside);
                    continue;
                }
                Node::Block(instances) => self.block(instances),
                Node::Reduction { instances, loops } => self.reduction(instances, loops),
                Node::CopyOut(copy) => self.copy(copy),
                Node::Advance(_) | Node::Zero(_) => continue,
            };
            let result = match each {
                true => &mut self.result.each,
                false => &mut self.result.once,
            };
            result.accumulate(&cost, times);
        }
    }

    fn block(&self, instances: &[Instance]) -> Cost {
        let read: HashSet<ArrayId> = instances
            .iter()
            .flat_map(|i| self.program.temporaries_read(i.equation))
            .collect();
        let mut seen = HashSet::new();
        let mut cost = Cost::default();
        for instance in instances {
            let equation = &self.program.equations[instance.equation];
            if self.program.exact {
                seen.clear();
            }
            self.value(instance, &mut seen, &mut cost);
            let sum = !equation.reduction.is_empty();
            if sum || equation.operator == Operator::Accumulate {
                cost.add += 1;
                // What reads it is another value now.
                let target = equation.target.array;
                if read.contains(&target) {
                    let (pool, mut known) = (&self.program.pool, HashMap::new());
                    seen.retain(|(expr, _)| !pool.reads(*expr, target, &mut known));
                }
            }
        }
        cost
    }

    /// Operations of an instance's value that are not in `seen`.
    fn value(&self, instance: &Instance, seen: &mut HashSet<Value>, cost: &mut Cost) {
        for expr in unseen(self.program, instance, seen) {
            node(self.program, expr, cost);
        }
    }

    fn reduction(&self, instances: &[Instance], loops: &[IndexId]) -> Cost {
        let mut seen = HashSet::new();
        let mut body = Cost::default();
        for instance in instances {
            self.value(instance, &mut seen, &mut body);
        }
        let length = self.length(loops);
        let mut cost = Cost::default();
        cost.accumulate(&body, length);
        for instance in instances {
            let accumulates =
                self.program.equations[instance.equation].operator == Operator::Accumulate;
            // A sum over one loop starts with its first term.
            let first = u64::from(loops.len() == 1);
            cost.add += length.saturating_sub(first) + u64::from(accumulates);
        }
        cost
    }

    fn copy(&self, copy: &CopyOut) -> Cost {
        let elements = self.length(&copy.loops);
        Cost {
            add: if copy.accumulate { elements } else { 0 },
            ..Cost::default()
        }
    }

    fn length(&self, loops: &[IndexId]) -> u64 {
        let extent = |i: &IndexId| self.program.loop_index(*i).extent.as_constant();
        loops
            .iter()
            .map(|i| extent(i).unwrap_or(1) as u64)
            .product()
    }
}

/// An expression at the offsets that it depends on.
pub type Value = (ExprId, Vec<(IndexId, usize)>);

/// The parts of an instance's value that are not in `seen`: straight-line code computes each once.
pub fn unseen(program: &Program, instance: &Instance, seen: &mut HashSet<Value>) -> Vec<ExprId> {
    let mut result = Vec::new();
    let mut stack = vec![program.equations[instance.equation].expr];
    while let Some(expr) = stack.pop() {
        let depends = program.pool.indices(expr);
        let offsets = instance.offsets.iter().copied();
        let own: Vec<(IndexId, usize)> = offsets.filter(|(i, _)| depends.contains(i)).collect();
        if seen.insert((expr, own)) {
            result.push(expr);
            stack.extend(program.pool.operands(expr));
        }
    }
    result
}
