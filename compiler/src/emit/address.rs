//! Flat addresses of accesses.

use super::names::{length, plain, stride};
use crate::ir::{Access, Affine, ArrayId, Atom, Extent, IndexId, Program};
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

/// Where an element is, in elements from the first one.
#[derive(Clone, Debug, Default)]
pub struct Address {
    /// The part with known strides.
    pub affine: Affine,
    /// Subscripts of the other dimensions, with expressions of type `isize` for their strides.
    pub strided: Vec<(Affine, String)>,
    /// What rings add: the residue of each subscript modulo the depth, times the stride.
    pub turns: Vec<(Affine, usize, i64)>,
}

/// The distance between neighbours along an axis.
enum Stride {
    Known(i64),
    RunTime(String),
}

/// The strides of what is stored without gaps, of kept dimensions; innermost last.
fn row_major(program: &Program, array: ArrayId, layout: &[Dimension]) -> Vec<Option<Stride>> {
    let shape = &program.array(array).shape;
    let mut known = 1i64;
    let mut factors: Vec<String> = Vec::new();
    let mut strides = Vec::new();
    for (axis, dimension) in layout.iter().enumerate().rev() {
        if *dimension == Dimension::CONTRACTED {
            strides.push(None);
            continue;
        }
        strides.push(Some(match factors.is_empty() {
            true => Stride::Known(known),
            false => Stride::RunTime(format!("({known}isize * {})", factors.join(" * "))),
        }));
        match shape.get(axis) {
            // The extent of the outermost dimension does not matter.
            Some(Extent::RunTime(affine)) if axis > 0 && !layout_is_own(program, array) => {
                factors.push(integer(program, affine));
            }
            _ => known *= dimension.places() as i64,
        }
    }
    strides.reverse();
    strides
}

/// Temporaries have constant extents wherever they are kept.
fn layout_is_own(program: &Program, array: ArrayId) -> bool {
    matches!(program.array(array).role, crate::ir::Role::Temporary)
}

/// An integer that is known when the kernel runs.
fn integer(program: &Program, affine: &Affine) -> String {
    let mut text = format!("({}isize", affine.constant);
    for (atom, coefficient) in &affine.terms {
        let value = match atom {
            Atom::Scalar(array) => format!("{}_value", plain(&program.array(*array).name)),
            Atom::Length(array, axis) => length(&program.array(*array).name, *axis),
            Atom::Index(_) | Atom::Map(..) => continue,
        };
        text.push_str(&format!(" + {coefficient}isize * {value} as isize"));
    }
    text + ")"
}

/// The address of an access. Of views, `unit` says that innermost neighbours are next to each other.
pub fn flat(program: &Program, access: &Access, layout: &[Dimension], unit: bool) -> Address {
    let array = program.array(program.viewed(access.array));
    let strides = if array.strided {
        let last = array.shape.len() - 1;
        let named = |axis: usize| match unit && axis == last {
            true => Some(Stride::Known(1)),
            false => Some(Stride::RunTime(stride(&array.name, axis))),
        };
        (0..array.shape.len()).map(named).collect()
    } else {
        row_major(program, access.array, layout)
    };
    let mut result = Address::default();
    for (axis, (subscript, stride)) in access.subscripts.iter().zip(strides).enumerate() {
        match stride {
            Some(Stride::Known(stride)) if let Some(Dimension::Ring(depth)) = layout.get(axis) => {
                result.turns.push((subscript.clone(), *depth, stride));
            }
            Some(Stride::Known(stride)) => {
                result.affine = result.affine.add(&subscript.scale(stride));
            }
            Some(Stride::RunTime(stride)) => result.strided.push((subscript.clone(), stride)),
            None => {}
        }
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
    /// Through an index map, or by a stride that is known when the kernel runs.
    Scattered,
}

/// How an address moves with an index.
pub fn motion(address: &Address, index: IndexId) -> Motion {
    let strided = address.strided.iter();
    let moves = strided.map(|(subscript, _)| along(subscript, index));
    if moves.into_iter().any(|motion| motion != Motion::Still) {
        return Motion::Scattered;
    }
    along(&address.affine, index)
}

/// How an affine function moves with an index.
fn along(address: &Affine, index: IndexId) -> Motion {
    let mut stride = 0;
    for (atom, coefficient) in &address.terms {
        match atom {
            Atom::Index(i) if *i == index => stride = *coefficient,
            Atom::Map(_, subscripts) if subscripts.iter().any(|s| s.depends_on(index)) => {
                return Motion::Scattered;
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
