//! Copies of staged results of which each lane's are neighbours in memory.

use super::tree::{CopyOut, Schedule, Storage};
use crate::ir::{Affine, ArrayId, Atom, Extent, Program, Role};

/// Registers of a run that Rust's compiler keeps: the loop over it is unrolled.
const SHORT: usize = 4;

/// A lane's neighbours in memory that are copied together.
pub struct Run {
    /// How many.
    pub count: usize,
    /// The table that says where each one is in the staging array.
    pub places: Option<ArrayId>,
}

impl Run {
    /// Whether there are only a few registers of neighbours.
    pub fn is_short(&self, width: usize) -> bool {
        self.count <= SHORT * width
    }

    /// What is copied, if each lane's target is one contiguous run in the order of the staging
    /// array, or of a table of places, and the staging array has lanes.
    pub fn of(program: &Program, schedule: &Schedule, copy: &CopyOut) -> Option<Run> {
        let lane = schedule.lanes?;
        let array = program.array(copy.target.array);
        let (first, inner) = copy.target.subscripts.split_first()?;
        let extents: Vec<usize> = array.shape[1..]
            .iter()
            .map(Extent::as_constant)
            .collect::<Option<_>>()?;
        let staged: Vec<usize> = match schedule.storage_of(copy.staged) {
            Some(Storage::Memory {
                extents,
                lanes: true,
                ..
            }) => extents.iter().filter_map(|d| d.kept()).collect(),
            _ => return None,
        };
        let in_order = |subscripts: &[Affine]| {
            let mut pairs = subscripts.iter().zip(&copy.loops);
            subscripts.len() == copy.loops.len()
                && pairs.all(|(subscript, index)| subscript.as_index() == Some(*index))
        };
        let places = match copy.places.as_ref().map(|places| places.terms.as_slice()) {
            None => None,
            Some([(Atom::Map(places, subscripts), 1)]) if in_order(subscripts) => Some(*places),
            Some(_) => return None,
        };
        let stored = match places {
            Some(places) => program.array(places).shape == array.shape[1..],
            None => staged == extents,
        };
        let lengths = (copy.loops.iter()).map(|index| &program.loop_index(*index).extent);
        let whole = matches!(array.role, Role::Output(_))
            && first.as_index() == Some(lane)
            && in_order(inner)
            && lengths.eq(&array.shape[1..]);
        (stored && whole).then(|| Run {
            count: extents.iter().product(),
            places,
        })
    }
}
