//! Copies of staged results, moved into the sums of the next vector of lanes.
//!
//! Sums keep the arithmetic units busy, and copies the stores and shuffles. One after the other, each
//! waits for the other: the processor looks some hundred instructions ahead, and a copy has
//! thousands. So each iteration of the loops that stage results also copies some of those of the
//! vector before (software pipelining). The staging array has two halves, that take turns; the last
//! vector's results are copied after the loop.
//!
//! Two halves of a large staging array leave less of the cache to what it is copied to. Of such an
//! array, the longest loop that stages results, put after the others, copies what the same vector has
//! staged already.
//!
//! Before: `loop e step 8 { loop i { s[i] = … } copy s into a[e, i] }`. After:
//! `loop e step 8 { loop i { s[i] = …; advance s } copy s pipelined into a[e, i] }`.
//! Holds: what is copied, and to where; the order in which elements are written changes, and nothing
//! else of the loop reads or writes these. Loops change places that share no array but the staged one,
//! in which each writes elements of its own.

use super::Target;
use super::model;
use super::ready::ready;
use super::runs::Run;
use super::tree::{self, CopyOut, Loop, Node, Pipelined, Schedule, Steps, instances};
use crate::collections::HashSet;
use crate::ir::{ArrayId, Equation, Extent, Operator, Program};
use crate::machine::FIRST;

/// Registers that sums and a copy need at once. With sixteen, what one has in registers the other
/// pushes out, and nothing is gained.
const REGISTERS: usize = 32;

/// Iterations of a loop that Rust's compiler writes out: as straight-line code it is better off
/// without the branch.
pub const FEW: usize = 4;

/// Part of a loop's cycles that a copy must take.
const PART: f64 = 0.125;

/// Bytes of a staging array from which on there is one of it only.
const LARGE: usize = 2 * FIRST;

/// Parts of a run in which the elements are counted that are complete.
const PARTS: usize = 256;

/// Pipelines the longest copy in each loop over vectors of lanes, where that pays; the names of
/// their targets.
pub fn run(program: &Program, schedule: &mut Schedule, target: Target) -> Vec<String> {
    if target.registers < REGISTERS || program.is_in_place() {
        return Vec::new();
    }
    let mut said = Vec::new();
    for at in 0..schedule.body.len() {
        let Node::Loop(inner) = &schedule.body[at] else {
            continue;
        };
        let pipelined = candidate(program, schedule, inner).and_then(|chosen| {
            same_vector(program, schedule, inner, chosen)
                .or_else(|| next_vector(program, schedule.width, inner, chosen))
        });
        if let Some(Piped { inner, target, how }) = pipelined {
            let name = &program.array(target).name;
            said.push(format!(
                "what is staged for `{name}` is copied during {how}"
            ));
            schedule.body[at] = Node::Loop(inner);
        }
    }
    said
}

/// A loop over vectors with a pipelined copy.
struct Piped {
    inner: Loop,
    target: ArrayId,
    how: &'static str,
}

/// Whether each step of a loop is one vector of lanes, the last one perhaps a part of one.
pub fn is_over_vectors(schedule: &Schedule, inner: &Loop) -> bool {
    is_along_lanes(schedule, inner) && inner.step == schedule.width
}

/// Whether a loop of run-time length goes along the lanes from its start, by one vector a step or by more.
pub fn is_along_lanes(schedule: &Schedule, inner: &Loop) -> bool {
    schedule.width > 1
        && schedule.is_lane(inner.index)
        && inner.steps == Steps::All
        && inner.start == 0
        && matches!(inner.end, Extent::RunTime(_))
}

/// The pipelined copies of a loop.
pub fn copies(inner: &Loop) -> impl Iterator<Item = &CopyOut> {
    let copies = inner.body.iter().filter_map(|node| match node {
        Node::CopyOut(copy) => Some(copy),
        _ => None,
    });
    copies.filter(|copy| copy.pipelined != Pipelined::No)
}

/// The copy of a loop that takes longest: its position, and the elements of each lane.
fn candidate(program: &Program, schedule: &Schedule, inner: &Loop) -> Option<(usize, usize)> {
    if !is_over_vectors(schedule, inner) {
        return None;
    }
    let copies = inner.body.iter().enumerate();
    let runs = copies.filter_map(|(at, node)| match node {
        Node::CopyOut(copy) => Some((at, copy, Run::of(program, schedule, copy)?.count)),
        _ => None,
    });
    let long = runs.filter(|(_, _, count)| *count >= schedule.width);
    let (at, copy, count) = long.max_by_key(|(_, _, count)| *count)?;
    let part = model::part_of(program, schedule, &inner.body[at], &inner.body);
    let alone = is_alone(program, &inner.body, copy);
    (alone && part >= PART).then_some((at, count))
}

/// Whether nothing else of a loop reads or writes what a copy writes.
fn is_alone(program: &Program, body: &[Node], copy: &CopyOut) -> bool {
    let target = program.viewed(copy.target.array);
    let is_target = |array: ArrayId| program.viewed(array) == target;
    let equations = instances(body).into_iter();
    let equations = equations.map(|instance| &program.equations[instance.equation]);
    let mut touched = equations.flat_map(|equation| {
        let reads = program.pool.accesses([equation.expr]).into_iter();
        let reads = reads.map(|(_, access)| access.array);
        reads.chain([equation.target.array])
    });
    let others = tree::copies(body).into_iter();
    let others = others.filter(|other| is_target(other.target.array)).count();
    others == 1 && !touched.any(is_target)
}

/// Divides a copy among the innermost loops of the next vector that stage what it copies; `None` if
/// these have too few iterations.
fn next_vector(
    program: &Program,
    width: usize,
    inner: &Loop,
    (at, count): (usize, usize),
) -> Option<Piped> {
    let mut inner = inner.clone();
    let (before, rest) = inner.body.split_at_mut(at);
    let Some(Node::CopyOut(copy)) = rest.first_mut() else {
        return None;
    };
    let (staged, target) = (copy.staged, copy.target.array);
    let stages = |node: &Node| stages(program, node, staged);
    // With less than half of the copy in these loops, it is not worth the second half of the array.
    if 2 * steps(before, &stages, 1) < count / width {
        return None;
    }
    advance(before, &stages, &Node::Advance(staged));
    copy.pipelined = Pipelined::NextVector;
    Some(Piped {
        inner,
        target,
        how: "the next vector's sums",
    })
}

/// Divides the copy of a large staging array among the iterations of the longest loop that stages what
/// it copies, after the others; `None` if that has too few, or if too little is complete until then.
fn same_vector(
    program: &Program,
    schedule: &Schedule,
    inner: &Loop,
    (at, count): (usize, usize),
) -> Option<Piped> {
    let mut inner = inner.clone();
    let mut copy = match &inner.body[at] {
        Node::CopyOut(copy) => copy.clone(),
        _ => return None,
    };
    let (staged, target) = (copy.staged, copy.target.array);
    let storage = schedule.storage_of(staged)?;
    if model::bytes(program, &(staged, storage.clone()), schedule.width) < LARGE {
        return None;
    }
    let stages = |node: &Node| stages(program, node, staged);
    let length = |node: &Node| steps(std::slice::from_ref(node), &stages, 1);
    let before = &mut inner.body[..at];
    let longest = (0..at).max_by_key(|k| length(&before[*k]))?;
    let (loops, after) = before[longest..].split_first()?;
    if !after
        .iter()
        .all(|node| may_change_places(program, staged, loops, node))
    {
        return None;
    }
    before[longest..].rotate_left(1);
    advance(&mut before[at - 1..], &stages, &Node::Advance(staged));
    let complete = ready(program, schedule, before, &copy)?;
    let width = schedule.width;
    // As the printed code goes on with it: by a register at a time, once that is complete.
    let go_on = |copied: usize, complete: &usize| match copied + width <= *complete {
        true => copied + width,
        false => copied,
    };
    if 3 * complete.iter().fold(0, go_on) < count {
        return None;
    }
    copy.pipelined = Pipelined::SameVector(in_parts(&complete, count, width));
    inner.body[at] = Node::CopyOut(copy);
    Some(Piped {
        inner,
        target,
        how: "the same vector's sums",
    })
}

/// Numbers of complete elements, each rounded down to a part of the run, and how many times each.
fn in_parts(complete: &[usize], count: usize, width: usize) -> Vec<(usize, usize)> {
    let part = count.div_ceil(PARTS).next_multiple_of(width);
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for elements in complete.iter().map(|elements| elements / part * part) {
        match parts.last_mut() {
            Some((times, last)) if *last == elements => *times += 1,
            _ => parts.push((1, elements)),
        }
    }
    parts
}

/// Whether two nodes do the same the other way round: all that both write is the staging array, once
/// for each element, and neither reads what the other one writes.
fn may_change_places(program: &Program, staged: ArrayId, a: &Node, b: &Node) -> bool {
    let equations = |node: &Node| {
        let instances = instances(std::slice::from_ref(node)).into_iter();
        let equations = instances.map(|i| &program.equations[i.equation]);
        equations.collect::<Vec<_>>()
    };
    let (of_a, of_b) = (equations(a), equations(b));
    let writes = |equations: &[&Equation]| -> HashSet<ArrayId> {
        equations.iter().map(|e| e.target.array).collect()
    };
    let reads = |equations: &[&Equation]| -> HashSet<ArrayId> {
        let exprs = equations.iter().map(|e| e.expr);
        let accesses = program.pool.accesses(exprs).into_iter();
        accesses.map(|(_, access)| access.array).collect()
    };
    let plain = |node: &Node| matches!(node, Node::Loop(_) | Node::Block(_));
    let assigned = |e: &&Equation| e.target.array != staged || e.operator == Operator::Assign;
    let apart = |written: &HashSet<ArrayId>, read: &HashSet<ArrayId>| written.is_disjoint(read);
    plain(a)
        && plain(b)
        && tree::copies(std::slice::from_ref(a)).is_empty()
        && tree::copies(std::slice::from_ref(b)).is_empty()
        && of_a.iter().chain(&of_b).all(assigned)
        && writes(&of_a)
            .intersection(&writes(&of_b))
            .all(|array| *array == staged)
        && apart(&writes(&of_a), &reads(&of_b))
        && apart(&writes(&of_b), &reads(&of_a))
}

/// Whether a node stages results in an array.
fn stages(program: &Program, node: &Node, staged: ArrayId) -> bool {
    let nodes = instances(std::slice::from_ref(node)).into_iter();
    let mut targets = nodes.map(|i| program.equations[i.equation].target.array);
    targets.any(|array| array == staged)
}

/// Whether a loop stages results, is not short, and has no such loop inside.
fn is_innermost(inner: &Loop, stages: &impl Fn(&Node) -> bool) -> bool {
    is_long(inner) && inner.body.iter().any(stages) && !has_long(&inner.body, stages)
}

fn is_long(inner: &Loop) -> bool {
    inner.iterations().is_some_and(|n| n > FEW)
}

fn has_long(nodes: &[Node], stages: &impl Fn(&Node) -> bool) -> bool {
    nodes.iter().any(|node| match node {
        Node::Loop(inner) => is_long(inner) && stages(node) || has_long(&inner.body, stages),
        _ => false,
    })
}

/// Iterations of the innermost loops that stage results, of nodes that run `times` times.
fn steps(nodes: &[Node], stages: &impl Fn(&Node) -> bool, times: usize) -> usize {
    let loops = nodes.iter().map(|node| match node {
        Node::Loop(inner) => {
            let times = times * inner.iterations().unwrap_or(0);
            match is_innermost(inner, stages) {
                true => times,
                false => steps(&inner.body, stages, times),
            }
        }
        _ => 0,
    });
    loops.sum()
}

/// Adds a node to the ends of the innermost loops that stage results.
fn advance(nodes: &mut [Node], stages: &impl Fn(&Node) -> bool, node: &Node) {
    for outer in nodes {
        if let Node::Loop(inner) = outer {
            match is_innermost(inner, stages) {
                true => inner.body.push(node.clone()),
                false => advance(&mut inner.body, stages, node),
            }
        }
    }
}

#[cfg(test)]
#[path = "pipelining_tests.rs"]
mod tests;
