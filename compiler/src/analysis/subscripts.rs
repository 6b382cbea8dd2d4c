//! Values that subscripts take whatever the inputs are.

use crate::ir::{Access, Affine, ArrayId, Atom, Program, Role};

/// The smallest and the largest value of a subscript, if all that it depends on is known now.
pub fn range(program: &Program, affine: &Affine) -> Option<(i64, i64)> {
    enclosure(program, affine, &|_| None)
}

/// Values that a subscript does not leave; of a known map it may have all entries.
pub fn enclosing(program: &Program, affine: &Affine) -> Option<(i64, i64)> {
    enclosure(program, affine, &|map| match &program.array(map).role {
        Role::Table(values) => {
            let entries = values.iter().map(|v| v.to_i64());
            Some((entries.clone().min()?, entries.max()?))
        }
        _ => None,
    })
}

/// The dimensions where what an access reaches is not in range for all inputs.
pub fn open(program: &Program, access: &Access) -> Vec<usize> {
    let shape = &program.array(access.array).shape;
    let subscripts = access.subscripts.iter().zip(shape).enumerate();
    let open = subscripts.filter(|(_, (subscript, extent))| {
        let range = enclosing(program, subscript);
        let known = extent.as_constant().zip(range);
        !known.is_some_and(|(n, (low, high))| low >= 0 && high < n as i64)
    });
    open.map(|(axis, _)| axis).collect()
}

fn enclosure(
    program: &Program,
    affine: &Affine,
    entries: &dyn Fn(ArrayId) -> Option<(i64, i64)>,
) -> Option<(i64, i64)> {
    let (mut low, mut high) = (affine.constant, affine.constant);
    for (atom, c) in &affine.terms {
        let (first, last) = match atom {
            Atom::Index(index) => {
                let extent = program.loop_index(*index).extent.as_constant()?;
                (0, extent as i64 - 1)
            }
            Atom::Map(map, _) => entries(*map)?,
            Atom::Scalar(_) | Atom::Length(..) => return None,
        };
        let (a, b) = (c.checked_mul(first)?, c.checked_mul(last)?);
        low = low.checked_add(a.min(b))?;
        high = high.checked_add(a.max(b))?;
    }
    Some((low, high))
}
