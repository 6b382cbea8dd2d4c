//! Quadrature rules against exact integrals and against Basix.

use super::*;
use crate::elements::quadrature::MAX_DEGREE;

/// The integral over the cell of a monomial in the coordinates.
fn integral(cell: Cell, powers: &[i64]) -> Number {
    if cell.is_product() {
        let factors = powers.iter().map(|&power| Number::ratio(1, power + 1));
        return factors.fold(Number::ONE, |product, factor| product * factor);
    }
    // i! j! k! / (i + j + k + d)!, one quotient at a time.
    let mut result = Number::ONE;
    let mut top = 0;
    for &power in powers {
        for factor in 1..=power {
            top += 1;
            result *= Number::ratio(factor, top);
        }
    }
    (1..=powers.len() as i64).fold(result, |product, d| product * Number::ratio(1, top + d))
}

/// Checks that the rule integrates every monomial that it should to 30 digits.
fn check_exactness(cell: Cell, rule: impl Into<Quadrature>) {
    let rule = rule.into();
    let d = cell.dimension();
    let points = tabulate(cell, rule, Table::Points).unwrap();
    let weights = tabulate(cell, rule, Table::Weights).unwrap().values;
    assert_eq!(points.shape, [points_of(cell, rule).unwrap(), d]);
    assert_eq!(weights.len(), points.shape[0]);
    let powers: Vec<Vec<Number>> = points
        .values
        .iter()
        .map(|&x| {
            let step = |product: &mut Number, _| {
                let now = *product;
                *product *= x;
                Some(now)
            };
            (0..=rule.degree).scan(Number::ONE, step).collect()
        })
        .collect();
    for monomial in exponents(cell, rule.degree) {
        let at = |q: usize| {
            let factors = monomial.iter().enumerate();
            factors.fold(Number::ONE, |p, (c, &k)| p * powers[q * d + c][k as usize])
        };
        let sum = Number::dot((0..weights.len()).map(|q| (weights[q], at(q))));
        let error = (sum - integral(cell, &monomial)).to_f64().abs();
        assert!(error < 1e-30, "{cell:?} {rule:?} {monomial:?}: {error:e}");
    }
}

/// A rule of a family.
fn rule(degree: usize, family: Family) -> Quadrature {
    Quadrature { degree, family }
}

#[test]
fn rules_on_intervals_are_exact() {
    (0..=30).for_each(|degree| check_exactness(Cell::Interval, degree));
    for degree in [59, 80, MAX_DEGREE] {
        check_exactness(Cell::Interval, degree);
    }
}

#[test]
fn rules_on_triangles_are_exact() {
    (0..=30).for_each(|degree| check_exactness(Cell::Triangle, degree));
    // Beyond the tables.
    for degree in [31, 40] {
        check_exactness(Cell::Triangle, degree);
    }
}

#[test]
fn rules_on_tetrahedra_are_exact() {
    // The collapsed ones beyond the tables have 729 points and more: one is enough.
    (0..=16).for_each(|degree| check_exactness(Cell::Tetrahedron, degree));
}

#[test]
fn products_of_rules_are_exact_in_each_coordinate() {
    (0..=16).for_each(|degree| check_exactness(Cell::Quadrilateral, degree));
    (0..=9).for_each(|degree| check_exactness(Cell::Hexahedron, degree));
}

#[test]
fn both_families_are_exact_and_have_their_number_of_points() {
    for cell in [Cell::Triangle, Cell::Tetrahedron] {
        for degree in 0..=12 {
            let collapsed = rule(degree, Family::GaussJacobi);
            let line = (degree + 2) / 2;
            let count = line.pow(cell.dimension() as u32);
            assert_eq!(points_of(cell, collapsed), Ok(count));
            check_exactness(cell, collapsed);
            let symmetric = rule(degree, Family::Symmetric);
            assert_eq!(points_of(cell, symmetric), points_of(cell, degree.into()));
            let points = |rule| tabulate(cell, rule, Table::Points);
            assert_eq!(points(symmetric), points(degree.into()));
        }
    }
    let hexahedron = |rule| tabulate(Cell::Hexahedron, rule, Table::Points);
    assert_eq!(
        hexahedron(rule(7, Family::GaussJacobi)),
        hexahedron(7.into())
    );
}

/// A rule exact to one degree more would have the next count: these have no degree to spare.
#[test]
fn products_of_rules_are_not_exact_to_more_than_they_can_be() {
    for degree in [1, 3, 6] {
        let points = tabulate(Cell::Hexahedron, degree.into(), Table::Points).unwrap();
        let weights = tabulate(Cell::Hexahedron, degree.into(), Table::Weights).unwrap();
        let power = 2 * ((degree + 2) / 2);
        let terms = weights.values.iter().zip(points.values.chunks(3));
        let sum = Number::dot(terms.map(|(&w, p)| (w, p[1].powi(power as u32))));
        assert!((sum - Number::ratio(1, power as i64 + 1)).to_f64().abs() > 1e-6);
    }
}

#[test]
fn weights_are_positive_where_they_are_in_basix() {
    for (cell, negative) in [
        (Cell::Interval, &[][..]),
        (Cell::Triangle, &[]),
        (Cell::Tetrahedron, &[3, 7, 8]),
        (Cell::Quadrilateral, &[]),
        (Cell::Hexahedron, &[]),
    ] {
        for degree in 0..=18 {
            let weights = tabulate(cell, degree.into(), Table::Weights)
                .unwrap()
                .values;
            let positive = weights.iter().all(|w| w.to_f64() > 0.0);
            assert_eq!(positive, !negative.contains(&degree), "{cell:?} {degree}");
        }
    }
}

#[test]
fn a_rule_has_the_points_of_basix_in_its_order() {
    let points = tabulate(Cell::Tetrahedron, 4.into(), Table::Points)
        .unwrap()
        .values;
    let values: Vec<f64> = points.iter().map(|x| x.to_f64()).collect();
    let (a, b) = (0.100_526_765_225_204_5, 0.314_372_873_493_192_2);
    let (c, d) = (0.698_419_704_324_386_6, 0.056_881_379_520_423_4);
    let expected = [
        [0.0, 0.5, 0.5],
        [0.5, 0.0, 0.5],
        [0.5, 0.5, 0.0],
        [0.5, 0.0, 0.0],
        [0.0, 0.5, 0.0],
        [0.0, 0.0, 0.5],
        [c, a, a],
        [a, a, a],
        [a, a, c],
        [a, c, a],
        [d, b, b],
        [b, b, b],
        [b, b, d],
        [b, d, b],
    ];
    for (value, expected) in values.iter().zip(expected.as_flattened()) {
        assert!((value - expected).abs() < 4e-16, "{value} {expected}");
    }
    let corner = tabulate(Cell::Triangle, 2.into(), Table::Points)
        .unwrap()
        .values;
    let sixths = [1, 1, 1, 4, 4, 1].map(|n| Number::ratio(n, 6));
    for (x, y) in corner.iter().zip(sixths) {
        assert_eq!((x.to_f64(), x.field()), (y.to_f64(), y.field()));
    }
}

#[test]
fn rules_have_the_number_of_points_documented() {
    let rows = include_str!("../mod.rs").lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("//! |")?.split('|').collect();
        let number = |text: &str| text.split_whitespace().next()?.parse::<usize>().ok();
        let counts = cells[1..].iter().filter_map(|text| number(text));
        let counts: [usize; 5] = counts.collect::<Vec<_>>().try_into().ok()?;
        let degree = cells[0].split(',').next_back().and_then(number)?;
        Some((degree, counts))
    });
    let mut seen = 0;
    for (degree, counts) in rows {
        for (cell, count) in Cell::ALL.into_iter().zip(counts) {
            assert_eq!(
                points_of(cell, degree.into()),
                Ok(count),
                "{cell:?} {degree}"
            );
        }
        seen += 1;
    }
    assert_eq!(seen, 27);
}
