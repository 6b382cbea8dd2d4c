//! Flat addresses of accesses.

use crate::ir::{Access, Affine, ArrayId, Atom, IndexId, Program};
use crate::schedule::tree::{Dimension, Storage};

/// Places of an array's dimensions in memory, outermost first. The outermost one of a slice does
/// not matter and has none.
pub fn layout(
    program: &Program,
    array: ArrayId,
    storage: Option<&Storage>,
    padded: Option<usize>,
) -> Vec<Dimension> {
    if let Some(Storage::Memory { extents, .. }) = storage {
        return extents.clone();
    }
    let mut extents: Vec<Dimension> = program
        .array(array)
        .shape
        .iter()
        .map(|extent| Dimension::Kept(extent.as_constant().unwrap_or(0)))
        .collect();
    if let (Some(padded), Some(last)) = (padded, extents.last_mut()) {
        *last = Dimension::Kept(padded);
    }
    extents
}

/// The flat address of an access, in elements, without what [`turns`] adds to it.
pub fn flat(access: &Access, layout: &[Dimension]) -> Affine {
    let mut result = Affine::default();
    for (subscript, dimension, stride) in strides(access, layout) {
        if let Dimension::Kept(_) = dimension {
            result = result.add(&subscript.scale(stride as i64));
        }
    }
    result
}

/// What rings add to an address: the residue of each subscript modulo the depth, times the stride.
pub fn turns(access: &Access, layout: &[Dimension]) -> Vec<(Affine, usize, usize)> {
    let parts = strides(access, layout).into_iter();
    parts
        .filter_map(|(subscript, dimension, stride)| match dimension {
            Dimension::CONTRACTED | Dimension::Kept(_) => None,
            Dimension::Ring(depth) => Some((subscript.clone(), depth, stride)),
        })
        .collect()
}

/// The subscripts, and how many elements apart the places of their dimensions are.
fn strides<'a>(access: &'a Access, layout: &[Dimension]) -> Vec<(&'a Affine, Dimension, usize)> {
    let mut stride = 1;
    let mut result = Vec::new();
    for (subscript, dimension) in access.subscripts.iter().zip(layout).rev() {
        result.push((subscript, *dimension, stride));
        stride *= dimension.places();
    }
    result
}

/// How the lane index moves an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Not at all.
    Still,
    /// By this many elements a lane.
    Stride(i64),
    /// Through an index map.
    Mapped,
}

/// How an address moves with an index.
pub fn motion(address: &Affine, index: IndexId) -> Motion {
    let mut stride = 0;
    for (atom, coefficient) in &address.terms {
        match atom {
            Atom::Index(i) if *i == index => stride = *coefficient,
            Atom::Map(_, subscripts) => {
                let mut inside = Vec::new();
                subscripts
                    .iter()
                    .for_each(|s| s.collect_indices(&mut inside));
                if inside.contains(&index) {
                    return Motion::Mapped;
                }
            }
            _ => {}
        }
    }
    if stride == 0 {
        Motion::Still
    } else {
        Motion::Stride(stride)
    }
}

/// Prints an affine function of non-negative value, in `usize`.
pub fn print(affine: &Affine, atom: &mut dyn FnMut(&Atom) -> String) -> String {
    let (mut up, mut down) = (Vec::new(), Vec::new());
    for (a, coefficient) in &affine.terms {
        let text = atom(a);
        if text == "0" {
            continue;
        }
        let magnitude = coefficient.unsigned_abs();
        let term = if magnitude == 1 {
            text
        } else {
            format!("{text} * {magnitude}")
        };
        if *coefficient > 0 {
            up.push(term)
        } else {
            down.push(term)
        }
    }
    match affine.constant {
        0 => {}
        c if c > 0 => up.push(c.to_string()),
        c => down.push(c.unsigned_abs().to_string()),
    }
    let sum = if up.is_empty() {
        "0".to_owned()
    } else {
        up.join(" + ")
    };
    if down.is_empty() {
        sum
    } else {
        format!("({sum}) - ({})", down.join(" + "))
    }
}
