//! Flat addresses of accesses.

use super::names::{length, plain, stride};
use crate::ir::{Access, Affine, Array, ArrayId, Atom, Extent, IndexId, Program};
use crate::machine::LINE;
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
    /// Subscripts of the other dimensions, with the depths of rings, and expressions of type `isize` for
    /// their strides.
    pub strided: Vec<(Affine, Option<usize>, String)>,
    /// Strides are in bytes.
    pub in_bytes: bool,
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
            false => {
                let factors = factors.iter().map(|f| format!(".wrapping_mul({f})"));
                Stride::RunTime(format!("{known}isize{}", factors.collect::<String>()))
            }
        }));
        // The extent of the outermost dimension does not matter.
        match (shape.get(axis), dimension.places()) {
            (Some(Extent::RunTime(affine)), _) if axis > 0 && !is_temporary(program, array) => {
                factors.push(integer(program, affine));
            }
            (Some(Extent::RunTime(affine)), None) => {
                let extent = integer(program, affine);
                factors.push(in_lines(
                    program,
                    (array, axis),
                    layout,
                    (extent, "wrapping_add"),
                ));
            }
            (_, places) => known *= places.unwrap_or(0) as i64,
        }
    }
    strides.reverse();
    strides
}

/// Places along an axis of a temporary, of which the text says the extent, and how integers are added in it. Of the innermost one
/// of several, where [`line`] says that it is made of lines, there is one line more than the elements fill: the last vector of a row
/// may begin anywhere, where stores past the caches begin at lines of theirs, and rows whose length is a power of two would lie in
/// the same few places of the cache.
pub fn in_lines(
    program: &Program,
    (array, axis): (ArrayId, usize),
    layout: &[Dimension],
    (extent, add): (String, &str),
) -> String {
    match line(program, array, layout) {
        Some((row, line)) if row == axis => {
            format!("(({extent}).{add}({}) & !{})", 2 * line - 1, line - 1)
        }
        _ => extent,
    }
}

/// The axis of a temporary whose extent has places for whole lines of the cache, so that each row begins where a line does: the
/// innermost one of several, where it is as long as the kernel's arguments say. And elements of a line.
pub fn line(program: &Program, array: ArrayId, layout: &[Dimension]) -> Option<(usize, usize)> {
    let mut kept = (0..layout.len())
        .rev()
        .filter(|axis| layout[*axis] != Dimension::CONTRACTED);
    let (row, _) = (kept.next()?, kept.next()?);
    let line = LINE * 8 / program.array(array).element.bits();
    (is_temporary(program, array) && layout[row] == Dimension::RunTime).then_some((row, line))
}

/// Of a temporary the storage says which dimensions are kept, and which of them have a known extent.
fn is_temporary(program: &Program, array: ArrayId) -> bool {
    matches!(program.array(array).role, crate::ir::Role::Temporary)
}

/// An integer that is known when the kernel runs, as far as it fits into an address.
fn integer(program: &Program, affine: &Affine) -> String {
    let mut text = format!("{}isize", affine.constant);
    if affine.constant < 0 {
        text = format!("({text})");
    }
    for (atom, coefficient) in &affine.terms {
        let value = match atom {
            Atom::Scalar(array) => format!("{}_value", plain(&program.array(*array).name)),
            Atom::Length(array, axis) => length(&program.array(*array).name, *axis),
            Atom::Index(_) | Atom::Map(..) => continue,
        };
        let term = match coefficient {
            1 => format!("{value} as isize"),
            c => format!("({value} as isize).wrapping_mul({c})"),
        };
        text.push_str(&format!(".wrapping_add({term})"));
    }
    text
}

/// The strides of a view: records begin as many elements apart as they have.
fn of_view(array: &Array, near: Option<usize>) -> Vec<Option<Stride>> {
    let rank = array.shape.len();
    let record = array.shape.last().and_then(Extent::as_constant);
    let record = record.filter(|_| near.is_some_and(|near| near + 1 == rank));
    let named = |axis: usize| match (near == Some(axis), record) {
        (true, _) => Some(Stride::Known(1)),
        (false, Some(count)) if axis + 2 == rank => Some(Stride::Known(count as i64)),
        _ => Some(Stride::RunTime(stride(&array.name, axis))),
    };
    (0..rank).map(named).collect()
}

/// The address of an access. Of a view, `near` is the axis along which neighbours are next to each other, if any is.
pub fn flat(
    program: &Program,
    access: &Access,
    layout: &[Dimension],
    near: Option<usize>,
) -> Address {
    let array = program.array(program.viewed(access.array));
    let strides = if array.strided {
        of_view(array, near)
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
            Some(Stride::RunTime(stride)) => {
                let depth = match layout.get(axis) {
                    Some(Dimension::Ring(depth)) => Some(*depth),
                    _ => None,
                };
                result.strided.push((subscript.clone(), depth, stride));
            }
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

/// Which lane of a vector the first of neighbours in memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first one.
    Forwards,
    /// The last one: `x[n - 1 - i]`.
    Backwards,
}

impl Order {
    /// The place in memory of a lane's element among those of so many lanes.
    pub fn place(self, lane: usize, width: usize) -> usize {
        match self {
            Order::Forwards => lane,
            Order::Backwards => width - 1 - lane,
        }
    }
}

impl Motion {
    /// The order of lanes in memory, if they are neighbours there.
    pub fn order(self) -> Option<Order> {
        match self {
            Motion::Stride(1) => Some(Order::Forwards),
            Motion::Stride(-1) => Some(Order::Backwards),
            Motion::Still | Motion::Stride(_) | Motion::Scattered => None,
        }
    }
}

/// How an address moves with an index.
pub fn motion(address: &Address, index: IndexId) -> Motion {
    let strided = address.strided.iter();
    let moves = strided.map(|(subscript, ..)| along(subscript, index));
    if moves.into_iter().any(|motion| motion != Motion::Still) {
        return Motion::Scattered;
    }
    let mut result = along(&address.affine, index);
    for (subscript, _, stride) in &address.turns {
        result = match (along(subscript, index), result) {
            (Motion::Still, result) => result,
            // Whole vectors lie together in a ring.
            (Motion::Stride(by), Motion::Still) => Motion::Stride(by * stride),
            _ => return Motion::Scattered,
        };
    }
    result
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
///
/// Sums of loop indices stay below the subscript's own value, which was checked; of anything else a
/// part may be larger than the sum (`n` in `x[i + n - m]`), and is added and subtracted modulo the
/// size of the type.
pub fn print(affine: &Affine, atom: &mut dyn FnMut(&Atom) -> String) -> String {
    let (mut up, mut down) = (Vec::new(), Vec::new());
    let mut plain = affine.constant >= 0;
    for (a, coefficient) in &affine.terms {
        plain &= *coefficient > 0 && matches!(a, Atom::Index(_));
        let text = atom(a);
        if text == "0" {
            continue;
        }
        let term = (text, coefficient.unsigned_abs());
        if *coefficient > 0 {
            up.push(term)
        } else {
            down.push(term)
        }
    }
    let constant = affine.constant.unsigned_abs();
    if constant != 0 {
        let term = (constant.to_string(), 1);
        if affine.constant > 0 {
            up.push(term)
        } else {
            down.push(term)
        }
    }
    if plain {
        let terms = up.into_iter().map(|(text, factor)| match factor {
            1 => text,
            factor => format!("{text} * {factor}"),
        });
        let terms: Vec<String> = terms.collect();
        return match terms.is_empty() {
            true => "0".to_owned(),
            false => terms.join(" + "),
        };
    }
    let product = |(text, factor): (String, u64)| match factor {
        1 => text,
        factor => format!("{}.wrapping_mul({factor})", receiver(&text, "usize")),
    };
    let mut terms = up.into_iter().map(product);
    let mut sum = receiver(&terms.next().unwrap_or("0".to_owned()), "usize");
    terms.for_each(|term| sum.push_str(&format!(".wrapping_add({term})")));
    let terms = down.into_iter().map(product);
    terms.for_each(|term| sum.push_str(&format!(".wrapping_sub({term})")));
    sum
}

/// A text that a method can be called on: literals have a type of their own.
pub fn receiver(text: &str, ty: &str) -> String {
    match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("{text}{ty}"),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_may_be_larger_than_the_sum_wrap() {
        let index = |number| Affine::index(IndexId(number));
        let scalar = |number| Affine::atom(Atom::Scalar(ArrayId(number)));
        let text = |affine: Affine| {
            print(&affine, &mut |atom| match atom {
                Atom::Index(index) => format!("i{}", index.0),
                Atom::Scalar(array) => format!("(n{}_value as usize)", array.0),
                _ => "7".to_owned(),
            })
        };
        assert_eq!(text(index(0).scale(3).add(&index(1))), "i0 * 3 + i1");
        assert_eq!(text(Affine::default()), "0");
        assert_eq!(
            text(index(0).sub(&Affine::constant(2))),
            "i0.wrapping_sub(2)"
        );
        assert_eq!(
            text(index(0).add(&scalar(0).scale(2)).sub(&scalar(1))),
            "i0.wrapping_add((n0_value as usize).wrapping_mul(2)).wrapping_sub((n1_value as usize))"
        );
        assert_eq!(
            text(Affine::constant(3).sub(&index(0))),
            "3usize.wrapping_sub(i0)"
        );
    }
}
