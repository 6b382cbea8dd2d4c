//! Finds nests that are products of matrices, or have their form: sums of what one part that moves with a loop over rows
//! and not along the lanes, and another part that moves along the lanes alone, are combined to.

use std::collections::HashSet;

use super::jamming::is_jammable;
use super::parts::Parts;
use super::tree::{Dimension, Instance, Loop, Node, Schedule, Storage, instances};
use crate::ir::{Access, Element, IndexId, Program};

/// A nest that is a product of matrices.
pub struct Nest {
    /// The loop over rows.
    pub rows: IndexId,
    /// The loop over columns, which has the lanes.
    pub columns: IndexId,
    /// The innermost loop of the sum.
    pub terms: IndexId,
    /// Loops of the sum around that over its terms.
    pub outer: Vec<IndexId>,
    /// The equation.
    pub equation: usize,
    /// What does not move along the lanes, and what does.
    pub parts: Parts,
    /// What is computed of each element before it is summed up, and after.
    pub around: [Vec<Node>; 2],
}

/// How many nests of a loop tree are products of matrices, and how many of these write neighbours.
pub fn count(program: &Program, schedule: &Schedule) -> (usize, usize) {
    let mut all = Vec::new();
    find(program, schedule, &schedule.body, &mut all);
    let near = |nest: &&Nest| {
        let target = &program.equations[nest.equation].target;
        let last = target.subscripts.last();
        last.is_some_and(|last| last.as_index() == Some(nest.columns))
    };
    (all.len(), all.iter().filter(near).count())
}

/// The equations of such nests.
pub fn equations(program: &Program, schedule: &Schedule) -> HashSet<usize> {
    let mut all = Vec::new();
    find(program, schedule, &schedule.body, &mut all);
    all.iter().map(|nest| nest.equation).collect()
}

fn find(program: &Program, schedule: &Schedule, nodes: &[Node], found: &mut Vec<Nest>) {
    for node in nodes {
        if let Node::Loop(l) = node {
            match nest(program, schedule, l) {
                Some(nest) => found.push(nest),
                None => find(program, schedule, &l.body, found),
            }
        }
    }
}

/// The product that a loop over rows is.
pub fn nest(program: &Program, schedule: &Schedule, l: &Loop) -> Option<Nest> {
    if !is_jammable(program, schedule, l) {
        return None;
    }
    let [Node::Loop(inner)] = l.body.as_slice() else {
        return None;
    };
    let sum = |node: &Node| matches!(node, Node::Reduction { .. });
    let at = inner.body.iter().position(sum)?;
    let (before, rest) = inner.body.split_at(at);
    let [
        Node::Reduction {
            instances: all,
            loops,
        },
        after @ ..,
    ] = rest
    else {
        return None;
    };
    let ([instance], Some((terms, outer))) = (all.as_slice(), loops.split_last()) else {
        return None;
    };
    let equation = &program.equations[instance.equation];
    let around = [before, after];
    if !are_apart(program, &equation.target, around) {
        return None;
    }
    let everywhere = instances(&schedule.body);
    let mut same = everywhere
        .iter()
        .filter(|i| i.equation == instance.equation);
    let once = same.next().is_some() && same.next().is_none() && instance.offsets.is_empty();
    let numbers = matches!(
        program.pool.element(equation.expr),
        Element::F64 | Element::F32 | Element::Generic
    );
    // A loop around all of the nest may have no dimension.
    let kept = |dimension: &Dimension| {
        let own = matches!(dimension, Dimension::Kept(_) | Dimension::RunTime);
        own || *dimension == Dimension::CONTRACTED
    };
    let whole = match schedule.storage_of(equation.target.array) {
        Some(Storage::Memory { extents, lanes }) => !lanes && extents.iter().all(kept),
        // What is in a register between is kept in memory instead.
        Some(Storage::Register { .. }) => !(before.is_empty() && after.is_empty()),
        Some(_) => false,
        None => true,
    };
    if !(once && numbers && whole) {
        return None;
    }
    let (rows, columns, terms) = (l.index, inner.index, *terms);
    Some(Nest {
        rows,
        columns,
        terms,
        outer: outer.to_vec(),
        equation: instance.equation,
        parts: Parts::of(&program.pool, equation.expr, [rows, columns, terms])?,
        around: around.map(<[Node]>::to_vec),
    })
}

/// Whether what stands before and after a sum may be computed of all elements before, and after all sums: of what is
/// written on the way, each reads, and writes again, its own element of the sum alone.
fn are_apart(program: &Program, target: &Access, [before, after]: [&[Node]; 2]) -> bool {
    let blocks = |nodes: &[Node]| nodes.iter().all(|node| matches!(node, Node::Block(_)));
    if !blocks(before) || !blocks(after) {
        return false;
    }
    let own = program.viewed(target.array);
    let written =
        |instance: &Instance| program.viewed(program.equations[instance.equation].target.array);
    let each = |instance: &&Instance| {
        let equation = &program.equations[instance.equation];
        let accesses = program.pool.accesses([equation.expr]).into_iter();
        let accesses = accesses.map(|(_, access)| access).chain([&equation.target]);
        let mut same = accesses.filter(|access| program.viewed(access.array) == own);
        instance.offsets.is_empty() && same.all(|access| access.subscripts == target.subscripts)
    };
    let all = [before, after].map(instances);
    all[0].iter().all(|instance| written(instance) == own) && all.iter().flatten().all(each)
}
