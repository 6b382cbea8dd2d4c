//! Element tables without what is known of them, and tables that are no products.

use proc_macro2::{Ident, Span};

use super::*;
use crate::elements::{self, Cell, Derivative, Element};

/// A table as if it were written out, its entries rounded.
fn written(name: &str, shape: &[usize], values: &[Number]) -> Table {
    let rounded = values.iter().map(|value| Number::from_f64(value.to_f64()));
    Table {
        name: Ident::new(name, Span::call_site()),
        shape: shape.to_vec(),
        element: ScalarType::F64,
        values: rounded.collect(),
        tabulated: false,
        product: None,
        reference: false,
        tuples: None,
    }
}

/// Weights, values and gradients of a Lagrange element.
fn element(cell: Cell, degree: usize, exact: usize) -> [Table; 3] {
    let lagrange = Element {
        degree,
        components: None,
    };
    let all = [
        ("w", elements::Table::Weights),
        ("phi", elements::Table::Basis(lagrange, Derivative::Values)),
        (
            "dphi",
            elements::Table::Basis(lagrange, Derivative::Gradient),
        ),
    ];
    all.map(|(name, table)| {
        let table = elements::tabulate(cell, exact.into(), table).unwrap();
        written(name, &table.shape, &table.values)
    })
}

fn is_near(product: &Product, values: &[Number], epsilon: f64) -> bool {
    let mut pairs = product.values().into_iter().zip(values);
    pairs.all(|(found, own)| (found - *own).to_f64().abs() <= epsilon)
}

#[test]
fn tables_of_products_are_found_with_their_nodes() {
    for cell in [Cell::Quadrilateral, Cell::Hexahedron] {
        for degree in 1..=3 {
            let mut tables = element(cell, degree, 2 * degree + 1);
            let before = tables.clone();
            let said = run(&mut tables, None);
            assert_eq!(said.len(), 3, "{cell:?} {degree}: {said:?}");
            for (table, before) in tables.iter().zip(&before) {
                let product = table.product.as_ref().unwrap();
                assert_eq!(product.axes, cell.dimension());
                assert!(is_near(product, &before.values, 1e-14));
                assert!(product.is(&table.values));
            }
            let [_, phi, dphi] = &tables;
            let [phi, dphi] = [phi, dphi].map(|table| table.product.as_ref().unwrap());
            // Values along the axes are one table, and derivatives another.
            assert_eq!(phi.factors, [vec![0; cell.dimension()]]);
            assert_eq!(dphi.lines.len(), 2);
            assert_eq!(dphi.factors[0][0], 1);
            assert_eq!(dphi.factors[0][1], 0);
        }
    }
}

#[test]
fn gradients_alone_say_where_nodes_are() {
    let [_, _, gradient] = element(Cell::Hexahedron, 1, 3);
    let mut tables = [gradient];
    assert_eq!(run(&mut tables, None).len(), 1);
    assert!(tables[0].product.is_some());
}

#[test]
fn the_order_of_nodes_is_any() {
    let [_, phi, _] = element(Cell::Hexahedron, 2, 5);
    // Node 10 i modulo 27 in the place of node i.
    let row = |row: &[Number]| -> Vec<Number> { (0..27).map(|at| row[10 * at % 27]).collect() };
    let values: Vec<Number> = phi.values.chunks(27).flat_map(row).collect();
    let mut tables = [written("phi", &[27, 27], &values)];
    assert_eq!(run(&mut tables, None).len(), 1);
    assert!(is_near(tables[0].product.as_ref().unwrap(), &values, 1e-14));
}

#[test]
fn dimensions_have_any_order() {
    let [w, phi, gradient] = element(Cell::Hexahedron, 2, 5);
    let by_nodes = (0..27).flat_map(|i| (0..27).map(move |q| 27 * q + i));
    let by_nodes: Vec<Number> = by_nodes.map(|at| phi.values[at]).collect();
    let places = (0..27).flat_map(|q| (0..27).map(move |i| (q, i)));
    let last = places.flat_map(|(q, i)| (0..3).map(move |r| (r * 27 + q) * 27 + i));
    let last: Vec<Number> = last.map(|at| gradient.values[at]).collect();
    let between = (0..27).flat_map(|q| (0..3).map(move |r| (q, r)));
    let between = between.flat_map(|(q, r)| (0..27).map(move |i| (r * 27 + q) * 27 + i));
    let between: Vec<Number> = between.map(|at| gradient.values[at]).collect();
    let mut tables = [
        w,
        written("phi", &[27, 27], &by_nodes),
        written("last", &[27, 27, 3], &last),
        written("between", &[27, 3, 27], &between),
    ];
    // Each by itself, and all of those that have rows of functions in one order.
    for table in &tables[1..] {
        let mut alone = [table.clone()];
        assert_eq!(run(&mut alone, None).len(), 1, "{}", table.name);
        assert!(is_near(
            alone[0].product.as_ref().unwrap(),
            &table.values,
            1e-13
        ));
    }
    let said = run(&mut tables, None);
    assert_eq!(said.len(), 4, "{said:?}");
    let nodes = |table: &Table| table.product.as_ref().unwrap().nodes.clone();
    assert!(
        tables[2..]
            .iter()
            .all(|table| nodes(table) == nodes(&tables[1]))
    );
}

#[test]
fn nodes_of_tables_together_have_one_order() {
    let [_, phi, _] = element(Cell::Hexahedron, 2, 5);
    let [_, other, _] = element(Cell::Hexahedron, 2, 7);
    let reversed = other
        .values
        .chunks(27)
        .flat_map(|row| row.iter().rev().copied());
    let reversed: Vec<Number> = reversed.collect();
    let mut tables = [phi, written("other", &[64, 27], &reversed)];
    assert_eq!(run(&mut tables, None).len(), 1);
    assert!(tables[1].product.is_none());
}

#[test]
fn one_entry_that_is_another_makes_a_table_no_product() {
    let [_, phi, _] = element(Cell::Quadrilateral, 2, 5);
    for at in [0, 40, 80] {
        let mut values = phi.values.clone();
        values[at] = Number::from_f64(values[at].to_f64() + 1e-9);
        let mut tables = [written("phi", &[9, 9], &values)];
        let said = run(&mut tables, Some(1e-12));
        assert!(tables[0].product.is_none(), "{said:?}");
        assert!(tables[0].values.iter().zip(&values).all(|(a, b)| a == b));
    }
}

#[test]
fn noise_stays_unless_an_epsilon_says_that_it_is() {
    let [_, phi, _] = element(Cell::Quadrilateral, 2, 5);
    let mut values = phi.values.clone();
    let zero = values.iter().position(|value| value.is_zero()).unwrap();
    values[zero] = Number::from_f64(3e-17);
    let mut tables = [written("phi", &[9, 9], &values)];
    let said = run(&mut tables, None);
    assert!(tables[0].product.is_none());
    assert!(said[0].contains("epsilon"), "{said:?}");
    assert_eq!(tables[0].values[zero].to_f64(), 3e-17);
    run(&mut tables, Some(PROPOSED));
    assert!(tables[0].product.is_some());
    assert!(tables[0].values[zero].is_zero());
}

#[test]
fn tables_of_any_numbers_are_no_products() {
    let value = |at: usize| Number::from_f64(((at * 37 + 11) % 101) as f64 / 64.0);
    let values: Vec<Number> = (0..729).map(value).collect();
    let zeros = vec![Number::ZERO; 729];
    for (shape, values) in [
        (vec![27, 27], &values),
        (vec![9, 81], &values),
        (vec![9, 9, 9], &values),
        (vec![27, 27], &zeros),
    ] {
        let mut tables = [written("t", &shape, values)];
        assert!(run(&mut tables, None).is_empty());
        assert!(tables[0].product.is_none());
    }
}
