//! Rows of stencils: iterations of a loop around one over vectors read elements that the next iterations read too. Several
//! of them together load these once.
//!
//! Before:
//! ```text
//! loop j in 0..n { loop i in 0..m step 8 { block { y[j, i] = x[j, i] … x[j + 2, i] } } }
//! ```
//! After, with two rows, which load four rows of `x` and not six:
//! ```text
//! loop j in 0..n step 2 whole { loop i in 0..m step 8 { block { y[j, i] = ; y[j + 1, i] = } } }
//! loop j in 0..n step 2 rest { loop i in 0..m step 8 { block { y[j, i] = } } }
//! ```
//! Holds: what is computed, and which iteration is the last one to write an element.

use std::collections::{HashMap, HashSet};

use crate::ir::{Access, Affine, Atom, IndexId, Program, Role};
use crate::machine::DECODED;
use crate::schedule::pipelining::is_along_lanes;
use crate::schedule::shorter::first_vectors;
use crate::schedule::tree::{Instance, Loop, Node, Schedule, Storage, instances};

/// Whether so many iterations of a loop have elements in common that they read, and registers are enough for them: each
/// row needs one for its result, and for each temporary along the lanes as many as a vector of the result reads; one is
/// left for what is loaded, and one for what it is multiplied by.
pub fn have_rows(
    program: &Program,
    schedule: &Schedule,
    (l, rows): (&Loop, usize),
    registers: usize,
) -> bool {
    let all = instances(&l.body);
    let mut equations: Vec<usize> = all.iter().map(|own| own.equation).collect();
    equations.sort_unstable();
    equations.dedup();
    let temporary = |own: &&Instance| {
        let target = program.equations[own.equation].target.array;
        matches!(schedule.storage_of(target), Some(Storage::Register { .. }))
    };
    let vectors = |node: &Node| match node {
        Node::Loop(inner) if is_over_blocks(schedule, node) => {
            let one = first_vectors(inner, 1, schedule.width);
            instances(&one.body).into_iter().filter(temporary).count()
        }
        _ => 0,
    };
    let alive = rows * (1 + l.body.iter().map(vectors).max().unwrap_or(0));
    let mut operations_of = HashMap::new();
    // Each access has an operation of its own, in most sums.
    let accesses = |at: usize| program.pool.accesses([program.equations[at].expr]).len();
    let operations =
        |at: usize| -> usize { *operations_of.entry(at).or_insert_with(|| accesses(at) + 1) };
    let instructions: usize = all.iter().map(|own| own.equation).map(operations).sum();
    ((rows * instructions) as f64) < DECODED
        && alive + 2 <= registers
        && l.body.iter().all(|node| is_over_blocks(schedule, node))
        && equations
            .iter()
            .all(|at| is_of_its_row(program, schedule, (*at, l.index)))
        && super::has_rows_apart(program, schedule, l)
        && have_in_common(program, schedule, (&equations, l.index), rows)
}

/// Whether a node is a loop over vectors of lanes, of one or more a step, that computes all at once.
fn is_over_blocks(schedule: &Schedule, node: &Node) -> bool {
    let Node::Loop(inner) = node else {
        return false;
    };
    let mut body = inner.body.iter();
    is_along_lanes(schedule, inner) && body.all(|node| matches!(node, Node::Block(_)))
}

/// Whether an equation assigns elements of which each belongs to one iteration of a loop, and which no other one writes.
fn is_of_its_row(
    program: &Program,
    schedule: &Schedule,
    (equation, index): (usize, IndexId),
) -> bool {
    let own = &program.equations[equation];
    let alone = |subscript: &Affine| {
        let fits = |atom: &Atom| match atom {
            Atom::Index(other) => *other == index,
            Atom::Scalar(_) | Atom::Length(..) => true,
            Atom::Map(..) => false,
        };
        subscript.depends_on(index) && subscript.terms.iter().all(|(atom, _)| fits(atom))
    };
    let array = program.viewed(own.target.array);
    let mut others = program.equations.iter().enumerate();
    own.reduction.is_empty()
        && own.operator.accumulated().is_none()
        && schedule.lane_of(own).is_some()
        && own.target.subscripts.iter().any(alone)
        && others.all(|(at, other)| at == equation || program.viewed(other.target.array) != array)
}

/// Whether elements along the lanes that equations read are those that they read some rows later.
fn have_in_common(
    program: &Program,
    schedule: &Schedule,
    (equations, index): (&[usize], IndexId),
    rows: usize,
) -> bool {
    let exprs = equations.iter().map(|at| program.equations[*at].expr);
    let accesses = program.pool.accesses(exprs).into_iter();
    let along = |access: &&Access| {
        let input = matches!(program.array(access.array).role, Role::Parameter(_));
        input && schedule.lane_loops().any(|lane| access.depends_on(lane))
    };
    let read: HashSet<&Access> = accesses.map(|(_, access)| access).filter(along).collect();
    read.iter().any(|access| {
        (1..rows).any(|by| {
            let later = access.later(&|own| if own == index { by } else { 0 });
            later != **access && read.contains(&later)
        })
    })
}
