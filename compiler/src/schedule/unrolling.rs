//! Loops of run-time length over vectors of lanes, unrolled where their bodies are short.
//!
//! Sums over such a loop are chains: each vector waits for the one before. With as many vectors a step as
//! fit into the time that an addition takes, each has a sum of its own, which are added up in the end. And a
//! loop's own instructions take a good part of a body that is a few others.
//!
//! Before: `loop e step 4 { block { s[e] += x[e] } }`. After: `loop e step 16 { block { s[e] += x[e] }
//! block { s[e + 4] += x[e + 4] } … }`; emission prints what whole steps leave by single vectors.
//! Holds: what is computed, and its order but for that of sums over the lanes.

use super::factors::terms;
use super::jamming::reads_its_own;
use super::lane_reduction::folded;
use super::model;
use super::pipelining::is_over_vectors;
use super::tree::{Instance, Loop, Node, Pipelined, Schedule, instances};
use super::{Plan, Target};
use crate::analysis::cost::nominal;
use crate::collections::HashSet;
use crate::ir::{ArrayId, IndexId, Program, Role};
use crate::machine::LATENCY;

/// Instances that a body may have which is printed more than once.
pub const SHORT: usize = 16;

/// Statements that a body may have which is printed for whole vectors and once more for what they leave: masks are ten
/// instructions of each vector, which a longer body hides.
const WHOLE: usize = 48;

/// The part of a body's cycles that a loop's own instructions, a cycle, may take.
const OVERHEAD: f64 = 0.125;

/// The same of a loop in others: a row of such has few steps, and what long ones leave takes longer than they save.
const OF_ROWS: f64 = 0.25;

/// Most vectors of a step with sums, which wait for each other.
const MOST: usize = 8;

/// Most vectors of other steps: what more save of a loop's own instructions, single vectors take at its end.
const PLAIN: usize = 4;

/// Unrolls the loops over vectors of lanes; how often, if any is.
pub fn run(
    program: &Program,
    schedule: &mut Schedule,
    (plan, target): (&Plan, Target),
) -> Option<String> {
    let lane = schedule.lanes?;
    let wish = plan.unroll.iter().find(|(index, _)| *index == lane);
    let found = Unrolling {
        program,
        schedule,
        sums: folded(program, schedule),
        target,
        wish: wish.map(|(_, factor)| *factor),
    };
    let mut body = schedule.body.clone();
    let factor = found.nodes(&mut body, OVERHEAD);
    schedule.body = body;
    (factor > 1).then(|| format!("{factor} vectors a step"))
}

/// Whether a body is a few statements one after the other, with those of sums once for each of their terms and those of
/// loops once for each iteration, and copies of a few elements a lane; sums over loops of run-time length are loops.
pub fn is_short(program: &Program, body: &[Node]) -> bool {
    statements(program, body).is_some_and(|count| count <= WHOLE)
}

/// The statements of a body, if it has no loops of run-time length that are none of sums.
fn statements(program: &Program, body: &[Node]) -> Option<usize> {
    let extent = |index: &IndexId| program.loop_index(*index).extent.as_constant();
    let count = |node: &Node| match node {
        Node::Block(instances) => Some(instances.len()),
        Node::Loop(l) => statements(program, &l.body)?.checked_mul(l.iterations()?),
        Node::Zero(_) => Some(1),
        Node::Reduction {
            instances, loops, ..
        } => {
            let extents = loops.iter().map(|index| extent(index).unwrap_or(1));
            Some(extents.fold(instances.len(), usize::saturating_mul))
        }
        Node::CopyOut(copy) if copy.pipelined == Pipelined::No => {
            let mut extents = copy.loops.iter().map(extent);
            extents.try_fold(1_usize, |all, extent| all.checked_mul(extent?))
        }
        Node::CopyOut(_) | Node::Advance(_) => None,
    };
    let mut counts = body.iter().map(count);
    counts.try_fold(0_usize, |all, count| all.checked_add(count?))
}

/// Whether a body is a few statements, one after the other, or sums over loops of run-time length.
fn is_straight(program: &Program, body: &[Node]) -> bool {
    let straight = |node: &Node| matches!(node, Node::Block(_)) || is_long_sum(program, node);
    body.iter().all(straight) && instances(body).len() <= SHORT
}

/// Whether a node is sums over loops of run-time length.
fn is_long_sum(program: &Program, node: &Node) -> bool {
    match node {
        Node::Reduction { loops, .. } => loops.iter().all(|index| !program.is_constant(*index)),
        _ => false,
    }
}

struct Unrolling<'a> {
    program: &'a Program,
    schedule: &'a Schedule,
    /// What is summed up over the lanes.
    sums: HashSet<ArrayId>,
    target: Target,
    wish: Option<usize>,
}

impl Unrolling<'_> {
    /// Unrolls the loops in some nodes; the largest factor.
    fn nodes(&self, nodes: &mut [Node], overhead: f64) -> usize {
        let mut largest = 1;
        for node in nodes {
            let Node::Loop(inner) = node else { continue };
            let factor = match is_over_vectors(self.schedule, inner) {
                true => self.one(inner, overhead),
                false => self.nodes(&mut inner.body, OF_ROWS),
            };
            largest = largest.max(factor);
        }
        largest
    }

    /// Unrolls one loop.
    fn one(&self, inner: &mut Loop, overhead: f64) -> usize {
        if !is_straight(self.program, &inner.body) || !inner.with.is_empty() {
            return 1;
        }
        let sums = inner
            .body
            .iter()
            .any(|node| is_long_sum(self.program, node));
        let temporary = |array| matches!(self.program.array(array).role, Role::Temporary);
        if sums && !reads_its_own(self.program, (&inner.body, inner.index), &temporary) {
            return 1;
        }
        let shared = || self.shared(&inner.body, inner.index);
        // Rows of `const` length are short, and longer steps than these would stand there for nothing.
        let row = 2 * nominal(self.program, &inner.end);
        let all = row.div_ceil(self.schedule.width);
        let factor = self.wish.unwrap_or_else(|| {
            let factor = shared().unwrap_or_else(|| self.factor(&inner.body, overhead));
            factor.min(all.next_power_of_two())
        });
        let offset = |k: usize| (inner.index, k * self.schedule.width);
        inner.body = match sums {
            // Sums of all vectors go through their loops together.
            true => (inner.body.iter())
                .flat_map(|node| together(node, (0..factor).map(offset)))
                .collect(),
            false => (0..factor)
                .flat_map(|k| inner.body.iter().map(move |node| (node, k)))
                .map(|(node, k)| shifted(node, offset(k)))
                .collect(),
        };
        inner.step *= factor;
        factor
    }

    /// How many vectors take the fewest cycles each, in sums over loops of run-time length: they wait for
    /// each other less, and share what does not move along the lanes.
    fn shared(&self, body: &[Node], lane: IndexId) -> Option<usize> {
        let sums = body.iter().filter(|node| is_long_sum(self.program, node));
        let sums: Vec<&Node> = sums.collect();
        let accumulators = sums
            .iter()
            .map(|node| instances(std::slice::from_ref(*node)).len());
        let most = self.target.registers / 2 / accumulators.max()?;
        let cycles = |factor: &usize| -> f64 {
            let each = sums.iter().map(|node| {
                let all = instances(std::slice::from_ref(*node));
                let equations: Vec<usize> = all.iter().map(|i| i.equation).collect();
                let chain = LATENCY * terms(self.program, &equations) as f64;
                let offsets = (0..*factor).map(|k| (lane, k * self.schedule.width));
                let issued = together(node, offsets);
                let issued = issued
                    .iter()
                    .map(|n| model::issued(self.program, self.schedule, n));
                // The loop itself takes a cycle.
                issued.sum::<f64>().max(chain) + 1.0
            });
            each.sum::<f64>() / *factor as f64
        };
        let fits = |factor: &usize| *factor <= most.min(MOST) && *factor * body.len() <= SHORT;
        let powers = (0..).map(|power| 1_usize << power).take_while(fits);
        powers.min_by(|a, b| cycles(a).total_cmp(&cycles(b)))
    }

    /// How many vectors a step takes.
    fn factor(&self, body: &[Node], overhead: f64) -> usize {
        let count = instances(body).len().max(1);
        let cycles = model::cycles(self.program, self.schedule, body);
        let adds = |instance: &&Instance| {
            let target = self.program.equations[instance.equation].target.array;
            self.sums.contains(&target)
        };
        let all = instances(body);
        let sums: Vec<usize> = all
            .into_iter()
            .filter(adds)
            .map(|instance| instance.equation)
            .collect();
        let mut wanted = 1.0 / (overhead * cycles);
        let vectors = if sums.is_empty() { PLAIN } else { MOST };
        let mut most = vectors.min(SHORT / count);
        if !sums.is_empty() {
            wanted = wanted.max(LATENCY * terms(self.program, &sums) as f64 / cycles);
            // What is added needs registers, too.
            most = most.min(self.target.registers / 2 / sums.len());
        }
        let fits = |factor: &usize| *factor <= most;
        let powers = (0..).map(|power| 1_usize << power).take_while(fits);
        let enough = powers.clone().find(|factor| *factor as f64 >= wanted);
        enough.or(powers.last()).unwrap_or(1)
    }
}

/// A node at several offsets of the lanes' loop.
fn together(node: &Node, offsets: impl Iterator<Item = (IndexId, usize)>) -> Vec<Node> {
    let shifted = offsets.map(|offset| shifted(node, offset));
    match node {
        Node::Reduction { loops, .. } => vec![Node::Reduction {
            instances: shifted
                .flat_map(|node| instances(&[node]).into_iter().cloned().collect::<Vec<_>>())
                .collect(),
            loops: loops.clone(),
            chains: 1,
        }],
        _ => shifted.collect(),
    }
}

/// A node at an offset of the lanes' loop.
fn shifted(node: &Node, offset: (IndexId, usize)) -> Node {
    let moved = |instances: &[Instance]| {
        let moved = instances.iter().cloned().map(|mut instance| {
            instance.offsets.extend((offset.1 > 0).then_some(offset));
            instance
        });
        moved.collect()
    };
    match node {
        Node::Block(instances) => Node::Block(moved(instances)),
        Node::Reduction {
            instances,
            loops,
            chains,
        } => Node::Reduction {
            instances: moved(instances),
            loops: loops.clone(),
            chains: *chains,
        },
        other => other.clone(),
    }
}
