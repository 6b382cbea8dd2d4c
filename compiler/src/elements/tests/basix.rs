//! Against what Basix computes.

use super::*;

/// The basis and its gradient against excerpts of what Basix computes.
#[test]
fn bases_are_those_of_basix() {
    let lines = include_str!("basix.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let mut parts = line.split('|');
        let mut head = parts.next().unwrap().split_whitespace();
        let cell = Cell::from_name(head.next().unwrap()).unwrap();
        let degree = head.next().unwrap().parse().unwrap();
        let mut rows = parts.map(|row| {
            let numbers = row.split_whitespace().map(|x| x.parse().unwrap());
            numbers.collect::<Vec<f64>>()
        });
        let mut point = [Number::ZERO; 4];
        point[0] = Number::ONE;
        for (d, x) in rows.next().unwrap().into_iter().enumerate() {
            point[d + 1] = Number::from_f64(x);
            point[0] -= point[d + 1];
        }
        let basis = lagrange::Basis::new(cell, degree);
        let mut ours = basis.values(&point);
        ours.extend((0..cell.dimension()).flat_map(|axis| basis.along(axis).values(&point)));
        let theirs: Vec<f64> = rows.flatten().collect();
        assert_eq!(ours.len(), theirs.len());
        // Basix' own rounding grows with the degree; from 5 on it exceeds 1e-14.
        let tolerance = if degree < 5 { 1e-14 } else { 1e-13 };
        for (a, b) in ours.iter().zip(theirs) {
            let error = (a.to_f64() - b).abs();
            assert!(error < tolerance * b.abs().max(1.0), "{line:.20} {error:e}");
        }
    }
}

/// The numbers of each `|` separated part of a line behind the first.
fn numbers(line: &str) -> Vec<Vec<f64>> {
    let parts = line.split('|').skip(1);
    let read = |part: &str| {
        part.split_whitespace()
            .map(|x| x.parse().unwrap())
            .collect()
    };
    parts.map(read).collect()
}

/// Functions, gradient and hessian on every cell.
#[test]
fn derivatives_are_those_of_basix() {
    let mut seen = 0;
    let text = include_str!("basix_derivatives.txt");
    for line in text.lines().filter(|line| line.starts_with("basis ")) {
        let head: Vec<&str> = line.split_whitespace().take(3).collect();
        let (cell, degree) = (Cell::from_name(head[1]).unwrap(), head[2].parse().unwrap());
        let mut rows = numbers(line).into_iter();
        let point: Vec<Number> = rows
            .next()
            .unwrap()
            .into_iter()
            .map(Number::from_f64)
            .collect();
        let ours = [
            Derivative::Values,
            Derivative::Gradient,
            Derivative::Hessian,
        ]
        .map(|derivative| at_point(cell, &point, degree, derivative))
        .concat();
        let theirs: Vec<f64> = rows.flatten().collect();
        assert_eq!(ours.len(), theirs.len(), "{head:?}");
        for (k, (a, b)) in ours.iter().zip(theirs).enumerate() {
            // Basix' own rounding grows with the degree and with each derivative.
            let error = (a.to_f64() - b).abs();
            assert!(error < 2e-12 * b.abs().max(1.0), "{head:?} {k}: {error:e}");
        }
        seen += 1;
    }
    assert_eq!(seen, 20);
}

/// The table at one point.
fn at_point(cell: Cell, point: &[Number], degree: usize, derivative: Derivative) -> Vec<Number> {
    if !cell.is_product() {
        let mut barycentric = [Number::ZERO; 4];
        barycentric[1..=point.len()].copy_from_slice(point);
        barycentric[0] = point.iter().fold(Number::ONE, |rest, &x| rest - x);
        return lagrange::tabulate(cell, &[barycentric], degree, derivative);
    }
    // A product of lines has only products of their points; the one sought is among them.
    let count = point.len().pow(point.len() as u32);
    let place = (0..point.len()).fold(0, |place, axis| place * point.len() + axis);
    let columns = functions(cell, degree);
    let table = tensor::at_product(cell, point, degree, derivative).values();
    let tables = table.chunks(count * columns);
    tables
        .flat_map(|table| &table[place * columns..(place + 1) * columns])
        .copied()
        .collect()
}

#[test]
fn rules_of_products_are_those_of_basix() {
    let mut seen = 0;
    let text = include_str!("basix_derivatives.txt");
    for line in text.lines().filter(|line| line.starts_with("rule ")) {
        let head: Vec<&str> = line.split_whitespace().take(3).collect();
        let (cell, degree) = (
            Cell::from_name(head[1]).unwrap(),
            head[2].parse::<usize>().unwrap(),
        );
        let theirs = numbers(line);
        for (table, theirs) in [Table::Points, Table::Weights].into_iter().zip(theirs) {
            let ours = tabulate(cell, degree.into(), table).unwrap().values;
            assert_eq!(ours.len(), theirs.len());
            for (a, b) in ours.iter().zip(theirs) {
                assert!((a.to_f64() - b).abs() < 1e-14, "{head:?}");
            }
        }
        seen += 1;
    }
    assert_eq!(seen, 7);
}
