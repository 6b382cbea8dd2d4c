//! The operations that a loop tree executes, by the counting rules of `loopwright::Cost`.
//!
//! What stands in one straight-line block is computed once, also if it belongs to several
//! statements or to several places of a register tile. Which do, only the tree says: the count of
//! a [program](crate::analysis::cost) takes those of equal loops to share.

use super::tree::{CopyOut, Instance, Loop, Node, Offsets, Schedule, Steps, begins_with_target};
use crate::analysis::cost::{Cost, node};
use crate::collections::{HashMap, HashSet};
use crate::ir::{ArrayId, ExprId, IndexId, Program};

/// Operations of scalar code, level by level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Executed {
    /// The levels that execute any, in the order in which they are met.
    pub levels: Vec<Level>,
}

/// What is executed once an iteration of loops of run-time extent, inside no others of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The loops, outermost first; none for what a call executes once.
    pub loops: Vec<IndexId>,
    /// Operations.
    pub cost: Cost,
}

impl Executed {
    /// Operations inside a loop of run-time extent; of all, where there is no such loop.
    pub fn each(&self) -> Cost {
        let looped = self.levels.iter().any(|level| !level.loops.is_empty());
        self.sum(|level| !looped || !level.loops.is_empty())
    }

    /// Outside of all of them, once a call.
    pub fn once(&self) -> Cost {
        let looped = self.levels.iter().any(|level| !level.loops.is_empty());
        self.sum(|level| looped && level.loops.is_empty())
    }

    /// Adds operations to those of a level.
    fn add(&mut self, loops: &[IndexId], cost: &Cost, times: u64) {
        let own = self.levels.iter().position(|level| level.loops == loops);
        let own = own.unwrap_or_else(|| {
            self.levels.push(Level {
                loops: loops.to_vec(),
                cost: Cost::default(),
            });
            self.levels.len() - 1
        });
        self.levels[own].cost.accumulate(cost, times);
    }

    fn sum(&self, counts: impl Fn(&Level) -> bool) -> Cost {
        let mut result = Cost::default();
        for level in self.levels.iter().filter(|level| counts(level)) {
            result.accumulate(&level.cost, 1);
        }
        result
    }
}

/// Counts a loop tree without lanes.
pub fn executed(program: &Program, schedule: &Schedule) -> Executed {
    let mut count = Count {
        program,
        result: Executed::default(),
        open: Vec::new(),
    };
    count.nodes(&schedule.body, 1);
    count.result
}

struct Count<'a> {
    program: &'a Program,
    result: Executed,
    /// The loops of run-time extent around.
    open: Vec<IndexId>,
}

impl Count<'_> {
    /// Nodes that run `times` times in each iteration of the loops of run-time extent around.
    fn nodes(&mut self, nodes: &[Node], times: u64) {
        for node in nodes {
            let cost = match node {
                // What a step leaves is executed instead of a part of one.
                Node::Loop(l) if l.steps == Steps::Rest => continue,
                Node::Loop(l) if l.steps == Steps::Once => {
                    self.nodes(&l.body, times);
                    continue;
                }
                Node::Loop(l) if l.steps == Steps::Strips => {
                    self.strips(l, times);
                    continue;
                }
                Node::Loop(l) => {
                    match l.iterations() {
                        Some(count) => self.nodes(&l.body, times * count as u64),
                        None => self.run_time(l, times),
                    }
                    continue;
                }
                Node::Block(instances) => self.block(instances),
                Node::Reduction {
                    instances, loops, ..
                } => {
                    self.reduction(instances, loops, times);
                    continue;
                }
                Node::CopyOut(copy) => self.copy(copy),
                Node::Advance(_) | Node::Zero(_) => continue,
            };
            self.count(&cost, times);
        }
    }

    /// Loops in strips run through all of their iterations; what is done once a strip, once in so many.
    fn strips(&mut self, strips: &Loop, times: u64) {
        for node in &strips.body {
            match node {
                Node::Loop(once) if once.steps == Steps::Once && once.index == strips.index => {
                    let body = once.body.clone();
                    self.run_time(
                        &Loop {
                            body,
                            ..strips.clone()
                        },
                        times,
                    );
                }
                other => self.nodes(std::slice::from_ref(other), times),
            }
        }
    }

    /// A loop of run-time extent: a step of several iterations counts as these.
    fn run_time(&mut self, l: &Loop, times: u64) {
        let outside = std::mem::take(&mut self.result);
        self.open.push(l.index);
        self.count(&Cost::default(), 0);
        self.nodes(&l.body, times);
        self.open.pop();
        for inside in std::mem::replace(&mut self.result, outside).levels {
            self.result
                .add(&inside.loops, &inside.cost.divided(l.step as u64), 1);
        }
    }

    /// Adds operations to those of the loops around.
    fn count(&mut self, cost: &Cost, times: u64) {
        self.result.add(&self.open, cost, times);
    }

    fn block(&self, instances: &[Instance]) -> Cost {
        let read: HashSet<ArrayId> = instances
            .iter()
            .flat_map(|i| self.program.temporaries_read(i.equation))
            .collect();
        let mut seen = HashSet::default();
        let mut cost = Cost::default();
        for instance in instances {
            let equation = &self.program.equations[instance.equation];
            if self.program.exact {
                seen.clear();
            }
            self.value(instance, &mut seen, &mut cost);
            let sum = !equation.reduction.is_empty();
            if sum || equation.operator.accumulated().is_some() {
                cost.combine(equation.operator.combining(), 1);
                // What reads it is another value now.
                let target = equation.target.array;
                if read.contains(&target) {
                    let (pool, mut known) = (&self.program.pool, HashMap::default());
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

    fn reduction(&mut self, instances: &[Instance], loops: &[IndexId], times: u64) {
        let mut seen = HashSet::default();
        let mut body = Cost::default();
        for instance in instances {
            self.value(instance, &mut seen, &mut body);
        }
        let length = self.length(loops);
        let run_time = loops
            .iter()
            .filter(|index| !self.program.is_constant(**index));
        let run_time: Vec<IndexId> = run_time.copied().collect();
        let (mut outside, mut inside) = (Cost::default(), Cost::default());
        inside.accumulate(&body, length);
        for instance in instances {
            let operator = self.program.equations[instance.equation].operator;
            let combining = operator.combining();
            if begins_with_target(self.program, instance.equation) {
                inside.combine(combining, length);
                continue;
            }
            outside.combine(combining, u64::from(operator.accumulated().is_some()));
            // Over one loop of known length it starts with its first term.
            let first = loops.len() == 1 && run_time.is_empty() && combining.starts_with_any();
            inside.combine(combining, length.saturating_sub(u64::from(first)));
        }
        self.count(&outside, times);
        let around = self.open.len();
        self.open.extend(run_time);
        self.count(&inside, times);
        self.open.truncate(around);
    }

    fn copy(&self, copy: &CopyOut) -> Cost {
        let elements = self.length(&copy.loops);
        let mut cost = Cost::default();
        if let Some(combining) = copy.accumulate {
            cost.combine(combining, elements);
        }
        cost
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
pub type Value = (ExprId, Offsets);

/// The parts of an instance's value that are not in `seen`: straight-line code computes each once.
pub fn unseen(program: &Program, instance: &Instance, seen: &mut HashSet<Value>) -> Vec<ExprId> {
    unseen_but(program, instance, seen, &mut |_| false)
}

/// The same without those that are `known` otherwise.
pub fn unseen_but(
    program: &Program,
    instance: &Instance,
    seen: &mut HashSet<Value>,
    known: &mut impl FnMut(ExprId) -> bool,
) -> Vec<ExprId> {
    let mut result = Vec::new();
    let mut stack = vec![program.equations[instance.equation].expr];
    while let Some(expr) = stack.pop() {
        let depends = program.pool.indices(expr);
        let offsets = instance.offsets.iter().copied();
        let own: Offsets = offsets.filter(|(i, _)| depends.contains(i)).collect();
        if seen.insert((expr, own)) && !known(expr) {
            result.push(expr);
            stack.extend(program.pool.operands(expr));
        }
    }
    result
}
