use super::*;

const CELLS: [Cell; 3] = [Cell::Interval, Cell::Triangle, Cell::Tetrahedron];

/// The integral over the cell of a monomial in the coordinates.
fn integral(powers: &[i64]) -> Number {
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

/// All exponents of `dimension` coordinates with a sum of at most `degree`.
fn exponents(dimension: usize, degree: usize) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for _ in 0..dimension {
        let extend = |e: &Vec<i64>| {
            let left = degree as i64 - e.iter().sum::<i64>();
            let longer = |k| e.iter().copied().chain([k]).collect::<Vec<_>>();
            (0..=left).map(longer).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

/// Checks that the rule integrates every monomial up to its degree to 30 digits.
fn check_exactness(cell: Cell, degree: usize) {
    let d = cell.dimension();
    let points = tabulate(cell, degree, Table::Points).unwrap();
    let weights = tabulate(cell, degree, Table::Weights).unwrap().values;
    assert_eq!(points.shape, [points_of(cell, degree).unwrap(), d]);
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
            (0..=degree).scan(Number::ONE, step).collect()
        })
        .collect();
    for monomial in exponents(d, degree) {
        let at = |q: usize| {
            let factors = monomial.iter().enumerate();
            factors.fold(Number::ONE, |p, (c, &k)| p * powers[q * d + c][k as usize])
        };
        let sum = Number::dot((0..weights.len()).map(|q| (weights[q], at(q))));
        let error = (sum - integral(&monomial)).to_f64().abs();
        assert!(error < 1e-30, "{cell:?} {degree} {monomial:?}: {error:e}");
    }
}

#[test]
fn rules_on_intervals_are_exact() {
    (0..=30).for_each(|degree| check_exactness(Cell::Interval, degree));
}

#[test]
fn rules_on_triangles_are_exact() {
    (0..=30).for_each(|degree| check_exactness(Cell::Triangle, degree));
}

#[test]
fn rules_on_tetrahedra_are_exact() {
    // The collapsed ones beyond the tables have 729 points and more: one is enough.
    (0..=16).for_each(|degree| check_exactness(Cell::Tetrahedron, degree));
}

#[test]
fn weights_are_positive_where_they_are_in_basix() {
    for (cell, negative) in [
        (Cell::Interval, &[][..]),
        (Cell::Triangle, &[]),
        (Cell::Tetrahedron, &[3, 7, 8]),
    ] {
        for degree in 0..=18 {
            let weights = tabulate(cell, degree, Table::Weights).unwrap().values;
            let positive = weights.iter().all(|w| w.to_f64() > 0.0);
            assert_eq!(positive, !negative.contains(&degree), "{cell:?} {degree}");
        }
    }
}

#[test]
fn a_rule_has_the_points_of_basix_in_its_order() {
    let points = tabulate(Cell::Tetrahedron, 4, Table::Points)
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
    let corner = tabulate(Cell::Triangle, 2, Table::Points).unwrap().values;
    let sixths = [1, 1, 1, 4, 4, 1].map(|n| Number::ratio(n, 6));
    for (x, y) in corner.iter().zip(sixths) {
        assert_eq!((x.to_f64(), x.field()), (y.to_f64(), y.field()));
    }
}

#[test]
fn rules_have_the_number_of_points_documented() {
    let rows = include_str!("mod.rs").lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("//! |")?.split('|').collect();
        let number = |text: &str| text.split_whitespace().next()?.parse::<usize>().ok();
        let [a, b, c] = [1, 2, 3].map(|k| cells.get(k).and_then(|text| number(text)));
        let degree = cells[0].split(',').next_back().and_then(number)?;
        Some((degree, [a?, b?, c?]))
    });
    let mut seen = 0;
    for (degree, counts) in rows {
        for (cell, count) in CELLS.into_iter().zip(counts) {
            assert_eq!(points_of(cell, degree), Some(count), "{cell:?} {degree}");
        }
        seen += 1;
    }
    assert_eq!(seen, 25);
}

#[test]
fn bases_are_one_at_their_node_and_zero_at_the_others() {
    for cell in CELLS {
        for degree in 0..=5 {
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
fn values_add_up_to_one_and_gradients_to_zero() {
    for cell in CELLS {
        for degree in 0..=6 {
            for (table, total) in [
                (Table::Values { degree }, Number::ONE),
                (Table::Gradient { degree }, Number::ZERO),
            ] {
                let table = tabulate(cell, 5, table).unwrap();
                assert_eq!(table.shape.iter().product::<usize>(), table.values.len());
                for row in table.values.chunks(table.shape[table.shape.len() - 1]) {
                    let sum = row.iter().fold(Number::ZERO, |sum, &x| sum + x);
                    assert_eq!(sum.field(), total.field(), "{cell:?} {degree}");
                    assert_eq!(sum.snapped(SNAP), total, "{cell:?} {degree}");
                }
            }
        }
    }
}

#[test]
fn linear_gradients_are_integers() {
    let table = tabulate(Cell::Tetrahedron, 4, Table::Gradient { degree: 1 }).unwrap();
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
        ours.extend(gradient(&basis, &[point]));
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

#[test]
fn degrees_out_of_range_are_errors() {
    assert_eq!(points_of(Cell::Triangle, 31), None);
    assert!(tabulate(Cell::Triangle, 31, Table::Weights).is_err());
    let error = tabulate(Cell::Interval, 2, Table::Values { degree: 9 }).unwrap_err();
    assert_eq!(error, "there is no lagrange(9): degrees go from 0 to 8");
    assert_eq!(Cell::from_name("hexahedron"), None);
}
