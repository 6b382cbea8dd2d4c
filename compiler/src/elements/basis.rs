//! The functions of elements at the points of rules.

use super::{
    Cell, Derivative, Element, Product, Quadrature, Table, components, lagrange, quadrature, tensor,
};
use crate::number::Number;

/// A table on quadrilateral or hexahedron as products of tables over the line.
pub(super) fn product(cell: Cell, quadrature: Quadrature, table: &Table) -> Option<Product> {
    if !cell.is_product() {
        return None;
    }
    match table {
        Table::Weights => Some(tensor::weights(cell, quadrature.degree)),
        Table::Points | Table::Mixed(..) => None,
        Table::Basis(element, derivative) => {
            Some(basis_product(cell, quadrature, *element, *derivative))
        }
    }
}

/// The functions of an element on such a cell, or derivatives of them.
fn basis_product(
    cell: Cell,
    quadrature: Quadrature,
    element: Element,
    derivative: Derivative,
) -> Product {
    let mut product = tensor::tabulate(cell, quadrature.degree, element.degree, derivative);
    product.components = element.components;
    product
}

/// The functions of an element, or derivatives of them.
pub(super) fn basis(
    cell: Cell,
    quadrature: Quadrature,
    element: Element,
    derivative: Derivative,
) -> Vec<Number> {
    if cell.is_product() {
        return basis_product(cell, quadrature, element, derivative).values();
    }
    let points = quadrature::rule(cell, quadrature).points;
    let scalar = lagrange::tabulate(cell, &points, element.degree, derivative);
    match element.components {
        None => scalar,
        Some(components) => components::blocked(&scalar, components),
    }
}
