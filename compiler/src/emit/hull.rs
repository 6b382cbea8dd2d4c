//! Reads between those that the bounds check has seen.
//!
//! What several iterations have in common is computed in loops that are longer than those of the text: such a
//! read is none that the text makes with the same iterations, but between two of them, dimension by dimension.

use super::names::plain;
use crate::ir::{Access, Affine, ArrayId, Atom, Program};

/// The first and the last subscript of an access in each dimension, over all iterations of its loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends(Vec<[Affine; 2]>);

impl Ends {
    /// Those of an access, as functions of the inputs of `named`; `None` with index maps.
    pub fn of(program: &Program, access: &Access, named: &Program) -> Option<Ends> {
        let subscripts = access.subscripts.iter();
        let ends = subscripts.map(|subscript| ends(program, subscript, named));
        Some(Ends(ends.collect::<Option<_>>()?))
    }

    /// Whether what these ends enclose begins after where others begin, in one dimension.
    pub fn begins_after(&self, other: &Ends, axis: usize) -> bool {
        at_most(&other.0[axis][0], &self.0[axis][0])
    }

    /// Whether what these ends enclose ends before where others end, in one dimension.
    pub fn ends_before(&self, other: &Ends, axis: usize) -> bool {
        at_most(&self.0[axis][1], &other.0[axis][1])
    }
}

/// Whether one function is at most another one, whatever the inputs are.
fn at_most(a: &Affine, b: &Affine) -> bool {
    b.sub(a).as_constant().is_some_and(|by| by >= 0)
}

fn ends(program: &Program, subscript: &Affine, named: &Program) -> Option<[Affine; 2]> {
    let [least, most] = program.ends(subscript)?;
    Some([
        inputs(program, &least, named)?,
        inputs(program, &most, named)?,
    ])
}

/// A function of inputs as one of the inputs that have the same names in another program; `None` if it is one of
/// loops or index maps.
pub fn inputs(program: &Program, affine: &Affine, named: &Program) -> Option<Affine> {
    let mut result = Affine::constant(affine.constant);
    let same = |array: ArrayId| -> Option<ArrayId> {
        let name = plain(&program.array(program.viewed(array)).name);
        let mut arrays = named.arrays.iter();
        let found = arrays.position(|other| plain(&other.name) == name)?;
        Some(named.viewed(ArrayId(u32::try_from(found).ok()?)))
    };
    for (atom, c) in &affine.terms {
        let atom = match atom {
            Atom::Scalar(array) => Atom::Scalar(same(*array)?),
            Atom::Length(array, axis) => Atom::Length(same(*array)?, *axis),
            Atom::Index(_) | Atom::Map(..) => return None,
        };
        result = result.add(&Affine::atom(atom).scale(*c));
    }
    Some(result)
}
