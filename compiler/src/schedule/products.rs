//! Finds nests that are products of matrices, whatever their arrays are: sums of products of which one part moves with
//! a loop over rows and not along the lanes, and the other part along the lanes alone.

use std::collections::HashSet;

use super::jamming::is_jammable;
use super::tree::{Dimension, Instance, Loop, Node, Schedule, Storage, instances};
use crate::ir::{Access, ArrayId, Element, Expr, ExprId, Factor, IndexId, Program};

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
    /// The factors that do not move along the lanes, and those that do.
    pub factors: [Vec<Factor>; 2],
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
    let adds = equation.adds_up();
    if !(once && numbers && whole && adds) {
        return None;
    }
    let (rows, columns, terms) = (l.index, inner.index, *terms);
    Some(Nest {
        rows,
        columns,
        terms,
        outer: outer.to_vec(),
        equation: instance.equation,
        factors: factors(program, equation.expr, [rows, columns, terms])?,
        around: around.map(<[Node]>::to_vec),
    })
}

/// Whether what stands before and after a sum may be computed of all elements before, and after all sums: of what is
/// written on the way, each reads its own element of the sum alone.
fn are_apart(program: &Program, target: &Access, [before, after]: [&[Node]; 2]) -> bool {
    let blocks = |nodes: &[Node]| nodes.iter().all(|node| matches!(node, Node::Block(_)));
    if !blocks(before) || !blocks(after) {
        return false;
    }
    let written = |nodes: &[Node]| -> Vec<ArrayId> {
        let all = instances(nodes).into_iter();
        let all = all.map(|instance| program.equations[instance.equation].target.array);
        all.map(|array| program.viewed(array)).collect()
    };
    let own = program.viewed(target.array);
    let (first, last) = (written(before), written(after));
    let each = |instance: &&Instance| {
        let equation = &program.equations[instance.equation];
        let accesses = program.pool.accesses([equation.expr]).into_iter();
        let accesses = accesses.map(|(_, access)| access).chain([&equation.target]);
        let mut same = accesses.filter(|access| program.viewed(access.array) == own);
        instance.offsets.is_empty() && same.all(|access| access == target)
    };
    let all = [before, after].map(instances);
    first.iter().all(|array| *array == own)
        && !last.contains(&own)
        && all.iter().flatten().all(each)
}

/// The product in a sum of one term, or in none.
fn product(program: &Program, expr: ExprId) -> ExprId {
    match program.pool.get(expr) {
        Expr::Sum(terms) if terms.len() == 1 => terms[0].expr,
        _ => expr,
    }
}

/// The factors of rows and of columns, if each factor is one of them and both have terms.
fn factors(
    program: &Program,
    expr: ExprId,
    [rows, columns, terms]: [IndexId; 3],
) -> Option<[Vec<Factor>; 2]> {
    let Expr::Product(factors) = program.pool.get(product(program, expr)) else {
        return None;
    };
    let has = |factor: &Factor, index: IndexId| program.pool.indices(factor.expr).contains(&index);
    let of_columns = |factor: &&Factor| has(factor, columns);
    let [right, left]: [Vec<Factor>; 2] = [
        factors.iter().filter(of_columns).cloned().collect(),
        factors.iter().filter(|f| !of_columns(f)).cloned().collect(),
    ];
    let any = |factors: &[Factor], index| factors.iter().any(|factor| has(factor, index));
    let apart = any(&left, rows) && any(&left, terms) && any(&right, terms) && !any(&right, rows);
    // A divisor by itself would be inverted, which leaves the range of its type where the quotient does not.
    let whole = factors.iter().all(|factor| factor.power > 0);
    (apart && whole).then_some([left, right])
}
