//! What holds of every Lagrange basis.

use super::*;

const DERIVATIVES: [Derivative; 3] = [
    Derivative::Values,
    Derivative::Gradient,
    Derivative::Hessian,
];

#[test]
fn bases_are_one_at_their_node_and_zero_at_the_others() {
    for cell in [Cell::Interval, Cell::Triangle, Cell::Tetrahedron] {
        for degree in 0..=8 {
            let basis = lagrange::Basis::new(cell, degree);
            for (i, node) in lagrange::nodes(cell, degree).iter().enumerate() {
                for (j, value) in basis.values(node).into_iter().enumerate() {
                    let exact = Number::from_i64((i == j).into());
                    assert_eq!(value.field(), exact.field());
                    assert_eq!(value.snapped(SNAP), exact, "{cell:?} {degree}");
                }
            }
        }
    }
}

#[test]
fn bases_of_products_are_one_at_their_node_and_zero_at_the_others() {
    for cell in [Cell::Quadrilateral, Cell::Hexahedron] {
        for degree in 0..=4 {
            let nodes = nodes(cell, degree);
            let table =
                tensor::at_product(cell, &line_of_nodes(degree), degree, Derivative::Values)
                    .values();
            // Points of a product run through the lattice, the last coordinate fastest.
            let line = line_of_nodes(degree);
            for (q, row) in table.chunks(nodes.len()).enumerate() {
                let point = (0..cell.dimension()).rev().scan(q, |rest, _| {
                    let place = *rest % line.len();
                    *rest /= line.len();
                    Some(line[place])
                });
                let mut point: Vec<Number> = point.collect();
                point.reverse();
                for (value, node) in row.iter().zip(&nodes) {
                    let exact = Number::from_i64((*node == point).into());
                    assert_eq!(value.field(), exact.field(), "{cell:?} {degree}");
                    assert_eq!(value.snapped(SNAP), exact, "{cell:?} {degree}");
                }
            }
        }
    }
}

fn line_of_nodes(degree: usize) -> Vec<Number> {
    match degree {
        0 => vec![Number::ratio(1, 2)],
        _ => gauss::lobatto(degree),
    }
}

/// On edges from one vertex to the next, nodes are the Gauss-Lobatto points.
#[test]
fn nodes_on_edges_are_the_lobatto_points() {
    for cell in Cell::ALL {
        for degree in 3..=8 {
            let line = gauss::lobatto(degree);
            let nodes = nodes(cell, degree);
            let on_x_axis = |node: &&Vec<Number>| node[1..].iter().all(|x| x.is_zero());
            let mut found: Vec<f64> = nodes
                .iter()
                .filter(on_x_axis)
                .map(|n| n[0].to_f64())
                .collect();
            // The vertices come first; behind them an edge's nodes go up from its lower vertex.
            assert!(found[2..].is_sorted());
            found.sort_by(f64::total_cmp);
            assert_eq!(found.len(), degree + 1);
            for (x, exact) in found.iter().zip(line) {
                assert!((x - exact.to_f64()).abs() < 1e-15, "{cell:?} {degree}");
            }
        }
    }
}

#[test]
fn functions_add_up_to_one_and_derivatives_to_zero() {
    for cell in Cell::ALL {
        let highest = if cell == Cell::Hexahedron { 5 } else { 8 };
        for degree in 0..=highest {
            for derivative in DERIVATIVES {
                let total = match derivative {
                    Derivative::Values => Number::ONE,
                    _ => Number::ZERO,
                };
                let table = basis(cell, 3, degree, derivative);
                assert_eq!(table.shape.iter().product::<usize>(), table.values.len());
                for row in table.values.chunks(functions(cell, degree)) {
                    let sum = row.iter().fold(Number::ZERO, |sum, &x| sum + x);
                    assert_eq!(sum.field(), total.field(), "{cell:?} {degree}");
                    assert_eq!(sum.snapped(SNAP), total, "{cell:?} {degree} {derivative:?}");
                }
            }
        }
    }
}

/// The derivative of a monomial along axes, at a point.
fn monomial(powers: &[i64], axes: &[usize], point: &[Number]) -> Number {
    let mut powers = powers.to_vec();
    let mut value = Number::ONE;
    for &axis in axes {
        value *= Number::from_i64(powers[axis]);
        powers[axis] = (powers[axis] - 1).max(0);
    }
    let factors = point.iter().zip(powers);
    factors.fold(value, |product, (x, power)| product * x.powi(power as u32))
}

/// Interpolates every monomial of the element's degree and compares function, gradient and
/// hessian with what they exactly are.
fn check_reproduction(cell: Cell, degree: usize, rule: usize) {
    let d = cell.dimension();
    let points = tabulate(cell, rule.into(), Table::Points).unwrap().values;
    let nodes = nodes(cell, degree);
    let tables = DERIVATIVES.map(|derivative| basis(cell, rule, degree, derivative));
    let axes: [Vec<Vec<usize>>; 3] = [
        vec![vec![]],
        (0..d).map(|a| vec![a]).collect(),
        (0..d)
            .flat_map(|a| (0..d).map(move |b| vec![a, b]))
            .collect(),
    ];
    for powers in exponents(cell, degree) {
        let coefficients: Vec<Number> = nodes.iter().map(|n| monomial(&powers, &[], n)).collect();
        for (table, axes) in tables.iter().zip(&axes) {
            let rows = table.values.chunks(nodes.len());
            let places = axes
                .iter()
                .flat_map(|a| points.chunks(d).map(move |p| (a, p)));
            assert_eq!(rows.len(), places.clone().count());
            for (row, (axes, point)) in rows.zip(places) {
                let sum = Number::dot(row.iter().copied().zip(coefficients.iter().copied()));
                let exact = monomial(&powers, axes, point);
                let error = (sum - exact).to_f64().abs();
                assert!(
                    error < 1e-24,
                    "{cell:?} {degree} {powers:?} {axes:?}: {error:e}"
                );
            }
        }
    }
}

#[test]
fn polynomials_on_intervals_and_triangles_are_reproduced() {
    for degree in 0..=8 {
        check_reproduction(Cell::Interval, degree, 6);
        check_reproduction(Cell::Triangle, degree, 4);
    }
}

#[test]
fn polynomials_on_tetrahedra_are_reproduced() {
    (0..=6).for_each(|degree| check_reproduction(Cell::Tetrahedron, degree, 4));
    check_reproduction(Cell::Tetrahedron, 8, 2);
}

#[test]
fn polynomials_on_quadrilaterals_are_reproduced() {
    (0..=8).for_each(|degree| check_reproduction(Cell::Quadrilateral, degree, 4));
}

#[test]
fn polynomials_on_hexahedra_are_reproduced() {
    (0..=3).for_each(|degree| check_reproduction(Cell::Hexahedron, degree, 2));
}

/// Too many monomials to try them all: one that has the highest power of every coordinate.
#[test]
fn the_highest_degree_on_hexahedra_is_reproduced() {
    let points = tabulate(Cell::Hexahedron, 0.into(), Table::Points)
        .unwrap()
        .values;
    let coefficients: Vec<Number> = nodes(Cell::Hexahedron, 8)
        .iter()
        .map(|node| monomial(&[8, 7, 8], &[], node))
        .collect();
    let table = basis(Cell::Hexahedron, 0, 8, Derivative::Hessian);
    assert_eq!(table.shape, [3, 3, 1, 729]);
    for (k, row) in table.values.chunks(729).enumerate() {
        let sum = Number::dot(row.iter().copied().zip(coefficients.iter().copied()));
        let exact = monomial(&[8, 7, 8], &[k / 3, k % 3], &points);
        assert!((sum - exact).to_f64().abs() < 1e-24, "{k}");
    }
}

#[test]
fn linear_gradients_are_integers() {
    let table = basis(Cell::Tetrahedron, 4, 1, Derivative::Gradient);
    assert_eq!(table.shape, [3, 14, 4]);
    for (k, value) in table.values.iter().enumerate() {
        let (axis, function) = (k / 56, k % 4);
        let expected = match function {
            0 => -1,
            f => i64::from(f == axis + 1),
        };
        assert_eq!(*value, Number::from_i64(expected));
    }
}

/// Of a bilinear function the mixed second derivative is 1 or -1, the others are 0.
#[test]
fn bilinear_hessians_are_integers() {
    let table = basis(Cell::Quadrilateral, 3, 1, Derivative::Hessian);
    assert_eq!(table.shape, [2, 2, 4, 4]);
    for (k, value) in table.values.iter().enumerate() {
        let (a, b, function) = (k / 32, k / 16 % 2, k % 4);
        let mixed = [1, -1, -1, 1][function];
        let expected = if a == b { 0 } else { mixed };
        assert_eq!(*value, Number::from_i64(expected), "{k}");
    }
}

#[test]
fn vectors_have_the_scalar_functions_in_blocks() {
    for (cell, components) in [
        (Cell::Tetrahedron, 3),
        (Cell::Quadrilateral, 2),
        (Cell::Triangle, 1),
        (Cell::Interval, 4),
    ] {
        for derivative in DERIVATIVES {
            let scalar = basis(cell, 2, 2, derivative);
            let functions = *scalar.shape.last().unwrap();
            let element = Element {
                degree: 2,
                components: Some(components),
            };
            let vector = tabulate(cell, 2.into(), Table::Basis(element, derivative)).unwrap();
            let (inner, columns) = (scalar.shape.len() - 1, components * functions);
            let mut shape = vec![components];
            shape.extend(&scalar.shape[..inner]);
            shape.push(columns);
            assert_eq!(vector.shape, shape);
            for (k, &value) in vector.values.iter().enumerate() {
                let (component, row) =
                    (k / columns / (scalar.values.len() / functions), k / columns);
                let row = row % (scalar.values.len() / functions);
                let expected = match k % columns % components == component {
                    true => scalar.values[row * functions + k % columns / components],
                    false => Number::ZERO,
                };
                assert_eq!(value, expected);
            }
        }
    }
}

#[test]
fn mixed_elements_have_the_functions_of_one_after_those_of_the_other() {
    let of = |degree, components| Element { degree, components };
    for (cell, elements) in [
        (Cell::Tetrahedron, vec![of(2, Some(3)), of(1, None)]),
        (
            Cell::Quadrilateral,
            vec![of(0, None), of(2, Some(2)), of(1, Some(1))],
        ),
        (Cell::Interval, vec![of(3, None)]),
    ] {
        for derivative in DERIVATIVES {
            let table = Table::Mixed(elements.clone(), derivative);
            let mixed = tabulate(cell, 2.into(), table).unwrap();
            let columns = *mixed.shape.last().unwrap();
            let rows = &mut mixed.values.chunks(columns);
            let (mut first, mut components) = (0, 0);
            for element in &elements {
                let own = tabulate(cell, 2.into(), Table::Basis(*element, derivative)).unwrap();
                let width = *own.shape.last().unwrap();
                for (mine, row) in own.values.chunks(width).zip(&mut *rows) {
                    let (before, rest) = row.split_at(first);
                    let (functions, after) = rest.split_at(width);
                    assert_eq!(functions, mine);
                    assert!(before.iter().chain(after).all(|value| value.is_zero()));
                }
                first += width;
                components += element.components.unwrap_or(1);
            }
            assert!(rows.next().is_none());
            assert_eq!((mixed.shape[0], columns), (components, first));
            let scalar = basis(cell, 2, 1, derivative).shape;
            assert_eq!(
                mixed.shape[1..mixed.shape.len() - 1],
                scalar[..scalar.len() - 1]
            );
        }
    }
}
