//! What an array has for each lane.

use super::pressure::Pressure;
use super::tree::Schedule;
use crate::ir::{Access, Affine, Atom, Element, Extent, IndexId, Program, Role};

/// The extents of the block of constant shape that an array has for each lane, next to each other in
/// memory, if an access reads from it at a place that the lanes' loop does not change.
pub fn own_block(program: &Program, access: &Access, lane: IndexId) -> Option<Vec<usize>> {
    let array = program.array(access.array);
    let (first, inner) = access.subscripts.split_first()?;
    let apart = first.as_index() == Some(lane) && !inner.iter().any(|s| s.depends_on(lane));
    // Of a view, records.
    if (array.strided && inner.is_empty()) || !apart {
        return None;
    }
    array.shape[1..].iter().map(Extent::as_constant).collect()
}

/// What an access takes that reads what is next to what others read for the same lane: elements
/// of one block, in loops that are written out. A few are loaded together and transposed.
pub fn of_row(program: &Program, schedule: &Schedule, access: &Access) -> Option<Pressure> {
    let array = program.array(access.array);
    let mut lanes = schedule.lane_loops();
    let block = lanes.find_map(|lane| own_block(program, access, lane));
    let plain = |s: &Affine| s.as_index().is_some() || s.as_constant().is_some();
    let length = block?.iter().product::<usize>();
    let known = access.subscripts.iter().all(plain);
    if !known || !matches!(array.role, Role::Parameter(_)) {
        return None;
    }
    shuffled(array.element, schedule.width, length)
}

/// What a vector takes of so many lanes that each load a row of so many elements, which shuffles take apart.
pub fn shuffled(element: Element, lanes: usize, length: usize) -> Option<Pressure> {
    let width = lanes as f64;
    // Rows of 128 bits are put together in registers before.
    let parts = |inside: f64, stages: f64| Pressure {
        loads: width / inside,
        shuffles: stages + width / inside - 1.0,
        ..Pressure::default()
    };
    if element == Element::Generic {
        return None;
    }
    match (element.bits(), lanes, length) {
        (64, 4 | 8, 4..) => Some(Pressure {
            loads: width / 4.0,
            shuffles: 2.0,
            ..Pressure::default()
        }),
        (64, 4 | 8, 2..) => Some(parts(2.0, 1.0)),
        (32, 8 | 16, 4..) => Some(parts(4.0, 2.0)),
        _ => None,
    }
}

/// What an array has for each lane, or what the entries choose that a map has for each lane.
pub struct Block {
    /// An access to the block without the subscripts inside: equal for all elements.
    pub access: Access,
    /// The subscript in which a map chooses.
    by_map: Option<usize>,
    /// Extents of the block.
    pub extents: Vec<usize>,
    /// The subscripts inside.
    pub inner: Vec<Affine>,
}

impl Block {
    /// The block that an access reads from, if loops and tables say which of its elements that is.
    pub fn of(program: &Program, access: &Access, lane: IndexId) -> Option<Block> {
        let mut access = access.clone();
        if let Some(extents) = known_block(program, &access, lane) {
            return Some(Block {
                inner: access.subscripts.split_off(1),
                access,
                by_map: None,
                extents,
            });
        }
        let subscripts = access.subscripts.iter_mut().enumerate();
        let mut moving = subscripts.filter(|(_, subscript)| !subscript.terms.is_empty());
        let (Some((axis, subscript)), None) = (moving.next(), moving.next()) else {
            return None;
        };
        let [(Atom::Map(map, entry), _)] = subscript.terms.as_mut_slice() else {
            return None;
        };
        let chosen = Access {
            array: *map,
            subscripts: entry.clone(),
        };
        let extents = known_block(program, &chosen, lane)?;
        Some(Block {
            inner: entry.split_off(1),
            access,
            by_map: Some(axis),
            extents,
        })
    }

    /// The access to the element at some subscripts inside.
    pub fn element(&self, inner: &[Affine]) -> Access {
        let mut access = self.access.clone();
        let subscripts = match self.by_map {
            None => &mut access.subscripts,
            Some(axis) => match access.subscripts[axis].terms.as_mut_slice() {
                [(Atom::Map(_, entry), _)] => entry,
                _ => return access,
            },
        };
        subscripts.extend_from_slice(inner);
        access
    }

    /// Elements of a lane.
    pub fn size(&self) -> usize {
        self.extents.iter().product()
    }
}

/// The extents of what an array has for a lane, if loops and tables say which element an access reads.
fn known_block(program: &Program, access: &Access, lane: IndexId) -> Option<Vec<usize>> {
    let mut inner = access.subscripts.iter().skip(1);
    let known = inner.all(|subscript| is_known(program, subscript));
    own_block(program, access, lane).filter(|_| known)
}

/// Whether loops and tables alone say what a subscript is.
fn is_known(program: &Program, subscript: &Affine) -> bool {
    subscript.terms.iter().all(|(atom, _)| match atom {
        Atom::Index(_) => true,
        Atom::Map(map, subscripts) => {
            matches!(program.array(*map).role, Role::Table(_))
                && subscripts.iter().all(|s| is_known(program, s))
        }
        Atom::Scalar(_) | Atom::Length(..) => false,
    })
}
