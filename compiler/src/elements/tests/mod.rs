//! Tests of elements and rules.

use super::*;

mod bases;
mod basix;
mod refusals;
mod rules;

/// All exponents of monomials of a degree: the total one on simplices, that in each coordinate on
/// products.
fn exponents(cell: Cell, degree: usize) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for _ in 0..cell.dimension() {
        let extend = |e: &Vec<i64>| {
            let used = if cell.is_product() { 0 } else { e.iter().sum() };
            let longer = |k| e.iter().copied().chain([k]).collect::<Vec<_>>();
            (0..=degree as i64 - used).map(longer).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

/// The table of a scalar element.
fn basis(cell: Cell, rule: usize, degree: usize, derivative: Derivative) -> Tabulated {
    let components = None;
    let table = Table::Basis(Element { degree, components }, derivative);
    tabulate(cell, rule.into(), table).unwrap()
}

/// The nodes of an element in Cartesian coordinates, in its order.
fn nodes(cell: Cell, degree: usize) -> Vec<Vec<Number>> {
    if !cell.is_product() {
        let nodes = lagrange::nodes(cell, degree).into_iter();
        return nodes.map(|p| p[1..=cell.dimension()].to_vec()).collect();
    }
    let line = match degree {
        0 => vec![Number::ratio(1, 2)],
        _ => gauss::lobatto(degree),
    };
    let lattice = tensor::lattice(cell, degree).into_iter();
    lattice
        .map(|node| node[..cell.dimension()].iter().map(|&i| line[i]).collect())
        .collect()
}
