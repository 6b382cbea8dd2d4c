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

use super::lie::{self, Lie};
use super::own_block::shuffled;
use super::pressure::Pressure;
use super::strided::is_numbers;
use super::tree::{Instance, Schedule};
use crate::ir::{Access, Affine, Atom, IndexId, Program, Role};
use std::collections::BTreeSet;

/// Iterations whose elements are loaded together: those of 128 bits of the narrowest numbers, or of 256 of the widest.
pub const ROW: usize = 4;

/// Whether lanes read far apart what iterations of a loop read from neighbours, of an array that nothing writes.
pub fn crosses(program: &Program, schedule: &Schedule, access: &Access, index: IndexId) -> bool {
    let array = program.array(access.array);
    let Some((last, outer)) = access.subscripts.split_last() else {
        return false;
    };
    matches!(array.role, Role::Parameter(_))
        && program.viewed(access.array) == access.array
        && is_numbers(program, access.array)
        && step(last, index).is_some()
        && !outer.iter().any(|subscript| subscript.depends_on(index))
        && lie::of(program, schedule, access) == Lie::Apart
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
