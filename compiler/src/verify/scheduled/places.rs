//! The memory of arrays while a program is interpreted: places, and what they hold.

use super::words;

use super::Result;
use crate::collections::HashMap;
use crate::ir::{ArrayId, Element};
use crate::number::{Field, Number};
use crate::schedule::tree::{self, Dimension};
use crate::verify::TOO_LARGE;

/// Places that a temporary may have: validation holds all of them.
const MOST_PLACES: usize = 1 << 22;

/// An array's memory.
pub enum Storage {
    /// The kernel's n-th parameter.
    Parameter(usize),
    /// Known values.
    Table(Vec<Field>),
    /// Known integers.
    Integers(Vec<i64>),
    /// Each element is its subscript.
    Counting,
    /// A temporary's places; those that were never written are `None`.
    Memory {
        values: Vec<Option<Slot>>,
        /// Values a place.
        lanes: usize,
    },
    /// The elements that are visible, by lane.
    Register {
        values: HashMap<(u64, usize), Field>,
        lanes: bool,
    },
    /// A temporary without storage.
    Missing,
}

/// What a place holds.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub value: Field,
    /// The element, by its subscripts in the dimensions that are rings, if there are any and it is
    /// known: zeros are those of whatever is added to them first.
    pub element: Option<u64>,
}

impl Slot {
    /// Zero, before anything is added.
    pub const ZERO: Slot = Slot {
        value: Field::ZERO,
        element: None,
    };

    /// Whether the value is that of an element; copies out of staging arrays take any.
    pub fn holds(&self, element: Option<u64>) -> bool {
        match (self.element, element) {
            (Some(mine), Some(wanted)) => mine == wanted,
            _ => true,
        }
    }
}

/// A subscript mixed into what identifies an element.
pub fn mixed(element: u64, subscript: i64) -> u64 {
    element.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ subscript as u64
}

/// Known values.
pub fn table(element: Element, values: &[Number]) -> Storage {
    match element {
        Element::Integer(_) => Storage::Integers(values.iter().map(|v| v.to_i64()).collect()),
        _ => Storage::Table(values.iter().map(|v| words::known(element, *v)).collect()),
    }
}

/// A temporary of that shape, where the schedule has it.
pub fn temporary(
    stored: Option<&tree::Storage>,
    shape: &[usize],
    width: usize,
) -> Result<(Storage, Vec<Dimension>)> {
    let (extents, lanes) = match stored {
        Some(tree::Storage::Register { lanes }) => {
            let (values, lanes) = (HashMap::default(), *lanes);
            let extents = vec![Dimension::CONTRACTED; shape.len()];
            return Ok((Storage::Register { values, lanes }, extents));
        }
        Some(
            tree::Storage::Registers { extents, lanes } | tree::Storage::Memory { extents, lanes },
        ) => (known(extents, shape), *lanes),
        None => return Ok((Storage::Missing, Vec::new())),
    };
    let lanes = if lanes { width } else { 1 };
    Ok((places(&extents, lanes)?, extents))
}

/// Dimensions whose extents are known, now that the kernel runs.
fn known(extents: &[Dimension], shape: &[usize]) -> Vec<Dimension> {
    let known = extents
        .iter()
        .zip(shape)
        .map(|(dimension, n)| match dimension {
            Dimension::RunTime => Dimension::Kept(*n),
            other => *other,
        });
    known.collect()
}

/// Places that hold nothing yet.
///
/// # Errors
/// If they are too many to be held.
pub fn places(extents: &[Dimension], lanes: usize) -> Result<Storage> {
    let each = extents.iter().map(|dimension| dimension.places());
    let each = each.map(|places| places.unwrap_or(usize::MAX));
    let count = each.fold(lanes, usize::saturating_mul);
    if count > MOST_PLACES {
        return Err(TOO_LARGE.to_owned());
    }
    let values = vec![None; count];
    Ok(Storage::Memory { values, lanes })
}

/// Which temporaries hold the places of buffers that several take turns in.
#[derive(Default)]
pub struct Turns {
    /// By array, its buffer, if it has one; arrays after the last that has are left out.
    buffer: Vec<Option<usize>>,
    /// By buffer and place, who has written there last.
    holders: Vec<Vec<Option<usize>>>,
}

impl Turns {
    /// Nobody holds anything.
    pub fn new(buffers: &[Vec<ArrayId>], storage: &[Storage]) -> Turns {
        let mut turns = Turns::default();
        for buffer in buffers.iter().filter(|buffer| buffer.len() > 1) {
            let arrays = buffer.iter().map(|array| array.0 as usize);
            let places = arrays.clone().map(|array| match storage.get(array) {
                Some(Storage::Memory { values, .. }) => values.len(),
                _ => 0,
            });
            let most = places.max().unwrap_or(0);
            for array in arrays {
                let all = turns.buffer.len().max(array + 1);
                turns.buffer.resize(all, None);
                turns.buffer[array] = Some(turns.holders.len());
            }
            turns.holders.push(vec![None; most]);
        }
        turns
    }

    /// The buffer of an array that takes turns with others.
    fn of(&self, array: usize) -> Option<usize> {
        self.buffer.get(array).copied().flatten()
    }

    /// An array is written at a place.
    pub fn write(&mut self, array: usize, place: usize) {
        if let Some(buffer) = self.of(array) {
            self.holders[buffer][place] = Some(array);
        }
    }

    /// All of an array is written.
    pub fn fill(&mut self, array: usize, places: usize) {
        if let Some(buffer) = self.of(array) {
            self.holders[buffer][..places].fill(Some(array));
        }
    }

    /// Whether a place still holds what was written to an array.
    pub fn holds(&self, array: usize, place: usize) -> bool {
        let buffer = self.of(array);
        buffer.is_none_or(|buffer| self.holders[buffer][place] == Some(array))
    }
}
