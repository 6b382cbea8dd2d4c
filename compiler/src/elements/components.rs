//! Tables of elements of several components, out of those of scalar elements.

use super::{Cell, Element, functions};
use crate::number::Number;

/// The tables of all components of a vector-valued element, given that of the scalar one.
pub fn blocked(scalar: &[Number], components: usize) -> Vec<Number> {
    let mut values = vec![Number::ZERO; scalar.len() * components * components];
    for (component, table) in values
        .chunks_mut((scalar.len() * components).max(1))
        .enumerate()
    {
        let columns = table.iter_mut().skip(component).step_by(components);
        columns.zip(scalar).for_each(|(to, &from)| *to = from);
    }
    values
}

/// The tables of all components of a mixed element, given those of its elements.
pub fn mixed(cell: Cell, elements: &[Element], tables: &[Vec<Number>]) -> Vec<Number> {
    let (_, columns) = extents(cell, elements);
    let mut values = Vec::new();
    let mut first = 0;
    for (element, table) in elements.iter().zip(tables) {
        let (_, own) = extents(cell, &[*element]);
        for row in table.chunks(own.max(1)) {
            values.resize(values.len() + first, Number::ZERO);
            values.extend_from_slice(row);
            values.resize(values.len() + columns - first - own, Number::ZERO);
        }
        first += own;
    }
    values
}

/// The number of components, and of functions, of elements together.
pub fn extents(cell: Cell, elements: &[Element]) -> (usize, usize) {
    elements.iter().fold((0, 0), |(components, all), element| {
        let own = element.components.unwrap_or(1);
        (
            components + own,
            all + own * functions(cell, element.degree),
        )
    })
}
