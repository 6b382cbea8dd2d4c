//! Lagrange elements on quadrilateral and hexahedron: products of those on the interval.
//!
//! At a point of a product rule a function is the product of interval functions at points of the
//! line, `φ(x, y) = φ_i(x) φ_j(y)`, and a derivative the product of their derivatives. So a table is
//! the Kronecker product of small matrices, one multiplication an entry, with its columns in the
//! element's order of nodes.

use super::gauss::gauss_jacobi;
use super::lagrange::{Basis, Point};
use super::product::{Lattice, Product};
use super::quadrature::per_direction;
use super::{Cell, Derivative, SNAP};
use crate::number::Number;

/// The nodes in the element's order, each by its place on the line of nodes along every axis.
///
/// A part of the boundary is a vertex and the axes along which it extends from there. Basix
/// numbers parts of one dimension by the vertex, then by the axes, the lower ones first.
pub(super) fn lattice(cell: Cell, degree: usize) -> Vec<[usize; 3]> {
    let dimension = cell.dimension();
    if degree == 0 {
        return vec![[0; 3]];
    }
    let corners = 1_usize << dimension;
    let mut nodes = Vec::new();
    for directions in 0..=dimension as u32 {
        for vertex in 0..corners {
            let parts = (0..corners).filter(|axes| axes.count_ones() == directions);
            for axes in parts.filter(|axes| axes & vertex == 0) {
                let inner = (degree - 1).pow(directions);
                nodes.extend((0..inner).map(|index| {
                    let mut rest = index;
                    let mut node = [0; 3];
                    for (axis, place) in node.iter_mut().enumerate().take(dimension) {
                        if axes >> axis & 1 == 1 {
                            *place = 1 + rest % (degree - 1);
                            rest /= degree - 1;
                        } else {
                            *place = degree * (vertex >> axis & 1);
                        }
                    }
                    node
                }));
            }
        }
    }
    nodes
}

/// The functions of the interval's element and their first derivatives to `order`, one matrix
/// each, at points of the line: a row a point, columns in ascending order of the nodes.
fn line(coordinates: &[Number], degree: usize, order: usize) -> Vec<Vec<Number>> {
    let mut basis = Basis::new(Cell::Interval, degree);
    let mut matrices = Vec::new();
    for remaining in (0..=order).rev() {
        let mut entries = Vec::with_capacity(coordinates.len() * (degree + 1));
        for &x in coordinates {
            let point: Point = [Number::ONE - x, x, Number::ZERO, Number::ZERO];
            let mut row = basis.values(&point);
            // Both ends come first in the element.
            if degree > 1 {
                row[1..].rotate_left(1);
            }
            // What cancels here must not leave noise in the products.
            entries.extend(row.into_iter().map(|value| value.snapped(SNAP)));
        }
        matrices.push(entries);
        if remaining > 0 {
            basis = basis.along(0);
        }
    }
    matrices
}

/// The weights of the rule that is exact to `quadrature_degree`.
pub(super) fn weights(cell: Cell, quadrature_degree: usize) -> Product {
    let rule = gauss_jacobi(per_direction(quadrature_degree), 0);
    let line: Vec<Number> = rule.into_iter().map(|(_, w)| w.snapped(SNAP)).collect();
    Product {
        axes: cell.dimension(),
        points: Lattice::lexicographic(line.len(), cell.dimension()),
        nodes: None,
        components: None,
        lines: vec![line],
        factors: vec![vec![0; cell.dimension()]],
        arrangement: None,
    }
}

/// The table at the points of the rule that is exact to `quadrature_degree`, all derivatives of
/// an order, by axes, point and function.
pub(super) fn tabulate(
    cell: Cell,
    quadrature_degree: usize,
    degree: usize,
    derivative: Derivative,
) -> Product {
    let rule = gauss_jacobi(per_direction(quadrature_degree), 0);
    let coordinates: Vec<Number> = rule.into_iter().map(|(x, _)| x).collect();
    at_product(cell, &coordinates, degree, derivative)
}

/// The table at all points that have one of these for every coordinate, the last coordinate
/// running fastest.
pub(super) fn at_product(
    cell: Cell,
    coordinates: &[Number],
    degree: usize,
    derivative: Derivative,
) -> Product {
    let axes = cell.dimension();
    // How often is differentiated along each axis, for all derivatives, the first axis outermost.
    let mut derivatives = vec![vec![0; axes]];
    for _ in 0..derivative.order() {
        let once_more = |orders: &Vec<usize>| {
            let along = |axis: usize| {
                let mut orders = orders.clone();
                orders[axis] += 1;
                orders
            };
            (0..axes).map(along).collect::<Vec<_>>()
        };
        derivatives = derivatives.iter().flat_map(once_more).collect();
    }
    Product {
        axes,
        points: Lattice::lexicographic(coordinates.len(), axes),
        nodes: Some(Lattice {
            along: degree + 1,
            places: lattice(cell, degree).into(),
        }),
        components: None,
        lines: line(coordinates, degree, derivative.order()),
        factors: derivatives,
        arrangement: None,
    }
}
