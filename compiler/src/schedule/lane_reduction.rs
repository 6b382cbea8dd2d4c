//! Sums over the loop that lanes run over: each lane adds up its own iterations, and the lanes are
//! summed up after the loop.
//!
//! ```text
//! s[i] += sum over e, q of f[i, e, q]
//! ```
//! becomes, with lanes over `e`,
//! ```text
//! s_lanes[i, e] += sum over q of f[i, e, q]
//! s[i] += sum over e of s_lanes[i, e]
//! ```
//! where `s_lanes` is stored folded: one value a lane, whatever iteration it comes from. What all iterations
//! add to one element, `s[0] += f[e] for e`, is such a sum, if nothing reads it meanwhile.

use super::Plan;
use super::dependence::Dependence;
use super::storage::Path;
use super::tree::{Node, Schedule, instances};
use crate::analysis::totals::Totals;
use crate::collections::{HashMap, HashSet};
use crate::ir::{ArrayId, Combining, Equation, Expr, IndexId, Operator, Program};

/// A sum that lanes share.
#[derive(Clone, Copy, Debug)]
pub struct Across {
    /// One value a lane.
    pub array: ArrayId,
    /// The equation that adds to it, which it must be zero before.
    pub adds: usize,
}

impl Across {
    /// The equation that sums up the lanes.
    pub fn total(&self) -> usize {
        self.adds + 1
    }
}

/// Whether sums over a loop are those of its lanes: its length is known at run time only, or fills a vector. Over
/// shorter loops they run lane by lane.
pub fn fills_vectors(program: &Program, index: IndexId, width: usize) -> bool {
    let extent = program.loop_index(index).extent.as_constant();
    extent.is_none_or(|extent| extent >= width)
}

/// Splits the sums over the lane loop, if it [fills vectors](fills_vectors).
pub fn split(program: &mut Program, plan: &Plan) -> Vec<Across> {
    let lanes = plan.lanes.iter().chain(&plan.others).copied();
    let fills = |lane: &IndexId| fills_vectors(program, *lane, plan.width);
    let lanes: Vec<IndexId> = lanes.filter(fills).collect();
    if lanes.is_empty() {
        return Vec::new();
    }
    let totals = Totals::of(program);
    for at in 0..program.equations.len() {
        let loops = totals.loops(program, at);
        if let Some(lane) = lanes.iter().find(|lane| loops.contains(lane)) {
            program.equations[at].sum_over(vec![*lane]);
        }
    }
    let mut result = Vec::new();
    let mut at = 0;
    while at < program.equations.len() {
        let reduction = &program.equations[at].reduction;
        let lane = lanes.iter().find(|lane| reduction.contains(lane));
        if let Some(lane) = lane.copied() {
            let array = one(program, at, lane);
            result.push(Across { array, adds: at });
            at += 1;
        }
        at += 1;
    }
    result
}

/// What the places of a temporary are combined with values by, that are set to where it changes nothing.
pub fn start(program: &Program, array: ArrayId) -> Combining {
    let mut writers = program.equations.iter();
    let writer = writers.find(|equation| equation.target.array == array);
    writer.map_or(Combining::Add, |equation| equation.operator.combining())
}

/// Splits one equation into two, the second one after it.
fn one(program: &mut Program, at: usize, lane: IndexId) -> ArrayId {
    let equation = program.equations[at].clone();
    let mut free = equation.free.clone();
    free.push(lane);
    let whole = program.array(equation.target.array);
    let (name, element) = (format!("{}_lanes", whole.name), whole.element);
    let target = program.add_temporary(&name, &free, element);
    let array = target.array;
    let sum = program.pool.add(Expr::Access(target.clone()), element);
    let inner = equation.reduction.iter().copied().filter(|i| *i != lane);
    program.equations[at] = Equation {
        target,
        operator: Operator::Accumulate(equation.operator.combining()),
        free,
        reduction: inner.collect(),
        expr: equation.expr,
    };
    let rest = Equation {
        expr: sum,
        reduction: vec![lane],
        ..equation
    };
    program.equations.insert(at + 1, rest);
    array
}

/// Zeroes the sums by lane in a loop tree before their loops: inside the loops that the additions
/// share with the sum over the lanes, since these dimensions are contracted, and outside all others,
/// since all places are zeroed. `paths` has the loops around each equation.
pub fn zero(body: &mut Vec<Node>, sums: &[Across], paths: &HashMap<usize, Path>) {
    for sum in sums {
        let [adds, total] = [sum.adds, sum.total()].map(|at| &paths[&at]);
        let shared = adds.iter().zip(total).take_while(|(a, b)| a == b).count();
        before(body, (sum.array, &[sum.adds]), shared);
    }
}

/// Zeroes temporaries that are added to in loops which fusion shares, where what computes and what reads them
/// part: before the first addition in the tree, which need not be the first one in the program.
pub fn zero_added(
    body: &mut Vec<Node>,
    added: &[ArrayId],
    (program, dependence, paths): (&Program, &Dependence, &HashMap<usize, Path>),
) {
    for array in added {
        let equations = program.equations.iter().enumerate();
        let writers = equations.clone().filter(|(_, e)| e.target.array == *array);
        let writers: Vec<usize> = writers.map(|(at, _)| at).collect();
        let Some(own) = writers.first().map(|first| &paths[first]) else {
            continue;
        };
        let readers = equations.filter(|(at, _)| dependence.reads_array(*at, *array));
        let others = readers
            .map(|(at, _)| at)
            .chain(writers[1..].iter().copied());
        let common = others.map(|at| {
            let pairs = own.iter().zip(&paths[&at]);
            pairs.take_while(|(a, b)| a == b).count()
        });
        before(body, (*array, &writers), common.min().unwrap_or(0));
    }
}

/// Inserts a node that zeroes an array `depth` loops inside, before the first node that has one of some equations.
fn before(nodes: &mut Vec<Node>, (array, adds): (ArrayId, &[usize]), depth: usize) {
    let first = nodes
        .iter()
        .position(|node| adds.iter().any(|at| has(node, *at)));
    let Some(position) = first else {
        return;
    };
    match &mut nodes[position] {
        Node::Loop(l) if depth > 0 => before(&mut l.body, (array, adds), depth - 1),
        _ => nodes.insert(position, Node::Zero(array)),
    }
}

/// Whether a node has an instance of an equation.
fn has(node: &Node, equation: usize) -> bool {
    match node {
        Node::Loop(l) => l.body.iter().any(|node| has(node, equation)),
        Node::Block(instances) | Node::Reduction { instances, .. } => {
            instances.iter().any(|i| i.equation == equation)
        }
        Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => false,
    }
}

/// How many sums each lane has of what equations sum up over the lanes: as many as a step of their loop
/// has vectors.
pub fn sums(program: &Program, schedule: &Schedule) -> HashMap<ArrayId, usize> {
    let folded = folded(program, schedule);
    let mut result: HashMap<ArrayId, usize> = folded.into_iter().map(|array| (array, 1)).collect();
    for instance in instances(&schedule.body) {
        let target = program.equations[instance.equation].target.array;
        let mut offsets = instance.offsets.iter();
        let offset = offsets.find(|(index, _)| schedule.is_lane(*index));
        if let (Some(sums), Some((_, offset))) = (result.get_mut(&target), offset) {
            *sums = (*sums).max(offset / schedule.width + 1);
        }
    }
    result
}

/// What equations sum up over the lanes: it has one value a lane.
pub fn folded(program: &Program, schedule: &Schedule) -> HashSet<ArrayId> {
    let over_lanes = program.equations.iter().filter(|equation| {
        let mut lanes = schedule.lane_loops().filter(|_| schedule.width > 1);
        lanes.any(|lane| equation.reduction == [lane])
    });
    let summed = over_lanes.filter_map(|equation| match program.pool.get(equation.expr) {
        Expr::Access(access) => Some(access.array),
        _ => None,
    });
    summed.collect()
}
