//! Rows that cross the lanes: what lanes read far apart, and iterations of a loop around them read from neighbours.
//!
//! ```text
//! b[i, j] = a[j, i]   for i, j
//! ```
//! with lanes over `j` takes an element from each of as many rows of `a` as there are lanes. The next iterations over `i` take
//! the elements beside these. So a few of them take a step together: each lane loads the neighbours that these read, and
//! shuffles make of them a vector for each iteration (see `emit/rows`).
//!
//! Holds: what is computed. Of a row only elements are loaded that an iteration reads.

use std::collections::BTreeSet;

use super::jamming;
use super::lie::{self, Lie};
use super::own_block::shuffled;
use super::pipelining::is_along_lanes;
use super::pressure::Pressure;
use super::strided::is_numbers;
use super::tree::{Instance, Loop, Node, Schedule, Steps, instances};
use crate::ir::{Access, Affine, ArrayId, Atom, IndexId, Program, Role};
use crate::machine::{FIRST, LINE};

/// Iterations whose elements are loaded together: those of 128 bits of the narrowest numbers, or of 256 of the widest.
pub const ROW: usize = 4;

/// Whether lanes read far apart what iterations of a loop read from neighbours, of an array that nothing writes.
pub fn crosses(program: &Program, schedule: &Schedule, access: &Access, index: IndexId) -> bool {
    let Some((last, outer)) = access.subscripts.split_last() else {
        return false;
    };
    is_input(program, access.array)
        && step(last, index).is_some()
        && !outer.iter().any(|subscript| subscript.depends_on(index))
        && lie::of(program, schedule, access) == Lie::Apart
}

/// Whether rows of an array can be loaded: of numbers that nothing writes.
pub fn is_input(program: &Program, array: ArrayId) -> bool {
    matches!(program.array(array).role, Role::Parameter(_))
        && program.viewed(array) == array
        && is_numbers(program, array)
}

/// Whether any of some equations reads rows that cross the lanes, and follow a loop.
pub fn any_crosses(
    program: &Program,
    schedule: &Schedule,
    mut equations: impl Iterator<Item = usize>,
    index: IndexId,
) -> bool {
    equations.any(|at| {
        let read = program.pool.accesses([program.equations[at].expr]);
        let mut read = read.iter().map(|(_, access)| access);
        read.any(|access| crosses(program, schedule, access, index))
    })
}

/// How a subscript moves with an index that it has by itself, not in a map: by one, forwards or backwards.
pub fn step(subscript: &Affine, index: IndexId) -> Option<i64> {
    let mut own = None;
    for (atom, coefficient) in &subscript.terms {
        match atom {
            Atom::Index(other) if *other == index => own = Some(*coefficient),
            _ if Affine::atom(atom.clone()).depends_on(index) => return None,
            _ => {}
        }
    }
    own.filter(|step| step.abs() == 1)
}

/// The loops of which so many iterations are in one block that rows across the lanes are loaded for them.
pub fn together(schedule: &Schedule, instances: &[Instance]) -> Vec<IndexId> {
    let offsets = instances.iter().flat_map(|own| &own.offsets);
    let loops: BTreeSet<IndexId> = offsets.clone().map(|(index, _)| *index).collect();
    let rows = |index: &IndexId| {
        let own = offsets.clone().filter(|(other, _)| other == index);
        let later: BTreeSet<usize> = own.map(|(_, offset)| *offset).collect();
        // The first one has no offset.
        later.len() + 1 >= ROW && !schedule.is_lane(*index)
    };
    loops.into_iter().filter(rows).collect()
}

/// What an access takes whose elements cross the lanes, where iterations of some loops are together.
pub fn of_rows(
    program: &Program,
    schedule: &Schedule,
    access: &Access,
    loops: &[IndexId],
) -> Option<Pressure> {
    let mut loops = loops.iter();
    loops.find(|index| crosses(program, schedule, access, **index))?;
    shuffled(program.array(access.array).element, schedule.width, ROW)
}

/// Puts loops over strips of lanes around iterations that take a step together since their rows cross the lanes, so that the lines
/// that these rows lie on stay in a near cache until the next iterations read what is left of them. In words, if there are any.
///
/// Each of these iterations has the elements that it writes to itself, and reads nothing that others write: whether they
/// take the lanes of a strip one after the other or all lanes makes no difference.
pub fn strips(program: &Program, schedule: &mut Schedule) -> Option<String> {
    let size = FIRST / 2 / LINE;
    let mut body = std::mem::take(&mut schedule.body);
    let found = in_strips((program, schedule), &mut body, size);
    schedule.body = body;
    found.then(|| format!("strips of {size} columns"))
}

fn in_strips(
    (program, schedule): (&Program, &Schedule),
    nodes: &mut Vec<Node>,
    size: usize,
) -> bool {
    let (mut found, mut at) = (false, 0);
    while at < nodes.len() {
        if let [Node::Loop(whole), Node::Loop(rest), ..] = &nodes[at..]
            && jamming::are_rows(whole, rest)
            && let Some(lanes) = over_lanes(program, schedule, whole)
        {
            let strips = Loop {
                steps: Steps::Strips,
                step: size,
                body: vec![Node::Loop(whole.clone()), Node::Loop(rest.clone())],
                ..lanes.clone()
            };
            nodes.splice(at..at + 2, [Node::Loop(strips)]);
            found = true;
        } else if let Node::Loop(l) = &mut nodes[at] {
            found |= in_strips((program, schedule), &mut l.body, size);
        }
        at += 1;
    }
    found
}

/// The only loop in one over rows that cross its lanes, if that is of run-time length.
fn over_lanes<'l>(program: &Program, schedule: &Schedule, whole: &'l Loop) -> Option<&'l Loop> {
    let [Node::Loop(lanes)] = whole.body.as_slice() else {
        return None;
    };
    let all = instances(&whole.body).into_iter();
    let equations = all.map(|own| own.equation);
    let plain = is_along_lanes(schedule, lanes) && lanes.with.is_empty();
    (plain && any_crosses(program, schedule, equations, whole.index)).then_some(lanes)
}

#[cfg(test)]
mod tests {
    use crate::ir::text::parse;
    use crate::schedule::{Target, Wishes, schedule, text};
    use expect_test::expect;

    #[test]
    fn transposed_operands_are_read_for_four_iterations_in_strips() {
        let program = parse(
            "program transposed\nindex i: m\nindex j: n\n\
             param 0 a: f64[n, m]\noutput 1 y: f64[m, n]\nparam 2 m: usize\nparam 3 n: usize\n\
             y[i, j] += a[j, i]   for i, j\n",
        );
        let target = Target {
            width: 8,
            registers: 32,
        };
        let scheduled = schedule(&program.unwrap(), target, &Wishes::default()).unwrap();
        expect![[r#"
            schedule width 8 lanes j

            loop j in 0..n step 256 strips {
              loop i in 0..m step 4 whole {
                loop j in 0..n step 8 {
                  block {
                    eq 0         // y[i, j] +=
                    eq 0 @ i+1   // y[i + 1, j] +=
                    eq 0 @ i+2   // y[i + 2, j] +=
                    eq 0 @ i+3   // y[i + 3, j] +=
                  }
                }
              }
              loop i in 0..m step 4 rest {
                loop j in 0..n step 8 {
                  block {
                    eq 0   // y[i, j] +=
                  }
                }
              }
            }
        "#]]
        .assert_eq(&text::print(&scheduled.program, &scheduled.schedule));
    }
}
