//! Flat addresses of accesses.

use std::collections::HashMap;

use crate::ir::{Access, Affine, ArrayId, Atom, Extent, IndexId, Program};
use crate::schedule::tree::Storage;

/// Extents of an array in memory, outermost first; `None` for dimensions without storage. The
/// outermost one of a slice does not matter and is 0.
pub fn layout(
    program: &Program,
    array: ArrayId,
    storage: Option<&Storage>,
    padded: Option<usize>,
) -> Vec<Option<usize>> {
    if let Some(Storage::Memory { extents, .. }) = storage {
        return extents.clone();
    }
    let mut extents: Vec<Option<usize>> = program
        .array(array)
        .shape
        .iter()
        .map(|extent| match extent {
            Extent::Constant(n) => Some(*n),
            Extent::RunTime(_) => Some(0),
        })
        .collect();
    if let (Some(padded), Some(last)) = (padded, extents.last_mut()) {
        *last = Some(padded);
    }
    extents
}

/// The flat address of an access, in elements.
pub fn flat(access: &Access, layout: &[Option<usize>]) -> Affine {
    let mut stride = 1i64;
    let mut result = Affine::default();
    for (subscript, extent) in access.subscripts.iter().zip(layout).rev() {
        let Some(extent) = extent else { continue };
        result = result.add(&subscript.scale(stride));
        stride *= *extent as i64;
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

/// Unique names of the program's indices.
pub fn index_names(program: &Program, reserved: &[String]) -> HashMap<IndexId, String> {
    let mut taken: Vec<String> = reserved.to_vec();
    let mut result = HashMap::new();
    for (at, index) in program.indices.iter().enumerate() {
        let base = index.name.trim_start_matches("r#").trim_start_matches('_');
        let base = if base.is_empty() { "index" } else { base };
        let mut name = format!("{base}_at");
        let mut count = 1;
        while taken.contains(&name) {
            count += 1;
            name = format!("{base}_at{count}");
        }
        taken.push(name.clone());
        result.insert(IndexId(at as u32), name);
    }
    result
}
