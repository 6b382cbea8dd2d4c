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
//! Of each plane of an array a step brings in as many rows as it takes, whatever it reads of the plane. Where arrays are larger
//! than the caches of a core, these rows come from further away, and each takes a place of its own in the caches' sets and among
//! what is fetched ahead. There a step has to save its part of what they take, too, which a star in three dimensions does not:
//! its rows have little in common. A call looks at its arrays ([`gain_far`]).
//!
//! Holds: what is computed, and which iteration is the last one to write an element.

use std::collections::BTreeSet;

use crate::analysis::cost::nominal;
use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, Affine, ArrayId, Atom, IndexId, Program, Role};
use crate::machine::{DECODED, NEXT};
use crate::schedule::crossing;
use crate::schedule::improved::TALLER;
use crate::schedule::model;
use crate::schedule::pipelining::is_along_lanes;
use crate::schedule::shorter::first_vectors;
use crate::schedule::tree::{Instance, Loop, Node, Schedule, Steps, Storage, instances};

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
    let mut operations_of = HashMap::default();
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
        && (have_in_common(program, schedule, (&equations, l.index), rows)
            || (rows.is_multiple_of(crossing::ROW)
                && crossing::any_crosses(program, schedule, equations.iter().copied(), l.index)))
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

/// Whether rows that take a step together gain by it where their arrays are larger than the caches of a core, too: what each row
/// brings in counts for rows together and for one after the other.
pub fn gain_far(program: &Program, schedule: &Schedule, (whole, rest): (&Loop, &Loop)) -> bool {
    let one = Loop {
        steps: Steps::All,
        step: 1,
        ..rest.clone()
    };
    let columns = rest.body.iter().find_map(|node| match node {
        Node::Loop(inner) => Some(nominal(program, &inner.end)),
        _ => None,
    });
    let points = nominal(program, &rest.end) * columns.unwrap_or(1);
    let rows = brought_in(program, schedule, rest);
    let arrays: BTreeSet<ArrayId> = rows.iter().map(|own| own.array).collect();
    // Long rows of one plane, one after the other, come from the next cache again and again.
    if arrays.len() == rows.len() {
        return true;
    }
    let bytes = |own: &Access| program.array(own.array).element.bytes() as f64;
    let lines: f64 = rows.iter().map(bytes).sum();
    let lines = lines * points as f64 / NEXT;
    let cycles = |l: &Loop| lines + model::cycles(program, schedule, &[Node::Loop(l.clone())]);
    cycles(whole) < TALLER * cycles(&one)
}

/// The rows that each iteration of a loop over rows brings into the caches: of each plane of an array one.
fn brought_in(program: &Program, schedule: &Schedule, l: &Loop) -> BTreeSet<Access> {
    let all = instances(&l.body).into_iter();
    let equations = all.map(|own| &program.equations[own.equation]);
    let exprs = equations.clone().map(|own| own.expr);
    let read = program.pool.accesses(exprs);
    let read = read.iter().map(|(_, access)| *access);
    let moves = |own: &Affine| own.depends_on(l.index) || is_along(schedule, own);
    let plane = |access: &Access| {
        let subscripts = access.subscripts.iter().map(|own| match moves(own) {
            true => Affine::constant(0),
            false => own.clone(),
        });
        Access {
            array: program.viewed(access.array),
            subscripts: subscripts.collect(),
        }
    };
    let written = equations.map(|own| &own.target);
    (read.chain(written))
        .filter(|access| program.array(access.array).role.position().is_some())
        .filter(|access| access.subscripts.iter().any(|own| is_along(schedule, own)))
        .map(plane)
        .collect()
}

fn is_along(schedule: &Schedule, subscript: &Affine) -> bool {
    let mut lanes = schedule.lane_loops();
    lanes.any(|lane| subscript.depends_on(lane))
}

/// The arrays of rows that take a step together and gain nothing by it where these arrays are large.
pub fn of_near_rows(program: &Program, schedule: &Schedule, body: &[Node]) -> BTreeSet<ArrayId> {
    let mut found = BTreeSet::new();
    for (at, node) in body.iter().enumerate() {
        let Node::Loop(l) = node else { continue };
        match body.get(at + 1) {
            Some(Node::Loop(rest)) if super::are_rows(l, rest) => {
                if !gain_far(program, schedule, (l, rest)) {
                    let own = brought_in(program, schedule, rest).into_iter();
                    found.extend(own.map(|access| access.array));
                }
            }
            _ => found.extend(of_near_rows(program, schedule, &l.body)),
        }
    }
    found
}
