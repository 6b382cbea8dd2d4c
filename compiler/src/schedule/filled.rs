//! Copies of results whose records fill a lane each: four bytes beside lanes of 32 bits, `[u8; 4]`, or two integers of 16.
//!
//! Lanes over `i` that store `y[i][0]` and `y[i][2]` have the record `y[i]` in a lane of their own: the components are
//! shifted to their places there, and all records of a vector are stored as one register, with what lies between.

use super::own_block::own_block;
use super::tree::{CopyOut, Dimension, Pipelined, Schedule, Storage};
use crate::ir::{Affine, Atom, Element, Extent, Program};

/// Bits of lanes that hold what is narrower.
pub const BITS: usize = 32;

/// The components that a copy writes, in the order in which the staging array has them, if all of a record are the
/// lane's own and fill it.
pub fn components(program: &Program, schedule: &Schedule, copy: &CopyOut) -> Option<Vec<usize>> {
    let lane = schedule.lanes.filter(|_| schedule.width > 1)?;
    let target = program.array(copy.target.array);
    let Element::Integer(ty) = target.element else {
        return None;
    };
    let shape = own_block(program, &copy.target, lane)?;
    let fills = shape.iter().product::<usize>() * ty.bits() as usize == BITS;
    let narrow = (ty.bits() as usize) < BITS;
    let plain = copy.places.is_none()
        && copy.pipelined == Pipelined::No
        && copy.accumulate.is_none()
        && !program.array(program.viewed(copy.target.array)).flat;
    if !(fills && narrow && plain) {
        return None;
    }
    let extents = copy.loops.iter();
    let extents = extents.map(|index| program.loop_index(*index).extent.as_constant());
    let extents: Vec<usize> = extents.collect::<Option<_>>()?;
    let in_order = match schedule.storage_of(copy.staged) {
        Some(Storage::Memory {
            extents: staged,
            lanes: true,
            ..
        }) => {
            let kept = staged.iter().filter(|d| **d != Dimension::Ring(1));
            let kept: Option<Vec<usize>> = kept.map(|d| d.kept()).collect();
            kept.as_ref() == Some(&extents)
        }
        _ => false,
    };
    if !in_order || extents.iter().product::<usize>() > 4 {
        return None;
    }
    let count: usize = extents.iter().product();
    let values = |at: usize| {
        let mut left = at;
        let mut values = vec![0; extents.len()];
        for (value, extent) in values.iter_mut().zip(&extents).rev() {
            (*value, left) = (left % extent, left / extent);
        }
        values
    };
    let place = |values: &[usize]| {
        let mut place = 0;
        let inner = copy.target.subscripts.get(1..)?;
        for (subscript, extent) in inner.iter().zip(&target.shape[1..]) {
            let at = usize::try_from(value(subscript, copy, values)?).ok()?;
            let extent = Extent::as_constant(extent).filter(|extent| at < *extent)?;
            place = place * extent + at;
        }
        Some(place)
    };
    (0..count).map(|at| place(&values(at))).collect()
}

/// A subscript at an iteration of a copy's loops, if nothing else says what it is.
fn value(subscript: &Affine, copy: &CopyOut, values: &[usize]) -> Option<i64> {
    let mut sum = subscript.constant;
    for (atom, factor) in &subscript.terms {
        let Atom::Index(index) = atom else {
            return None;
        };
        let at = copy.loops.iter().position(|own| own == index)?;
        sum += factor * i64::try_from(values[at]).ok()?;
    }
    Some(sum)
}
