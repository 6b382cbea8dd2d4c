//! Quadrature rules: which one a degree takes, and the tables of the tabulated ones.
//!
//! The tables are text, made by `compiler/scripts/quadrature_rules.py` and read when a rule is
//! asked for. Lines starting with `#` are comments. A rule is
//!
//! ```text
//! rule <degree> <number of points>
//! <pattern> <weight> <parameter> …        one line per orbit
//! order <index> …                         optional
//! ```
//!
//! A pattern has one letter per barycentric coordinate, equal letters for equal coordinates:
//! `aab` on a triangle stands for the points with two equal coordinates. The parameters are the
//! values of its letters but the last, which is what makes the coordinates add up to one. The
//! orbit's points are the distinct permutations of the pattern, in lexicographic order, all with
//! the one weight. The pattern `p` is a single point, its parameters the Cartesian coordinates.
//! `order` lists, for each point of the rule, its place in the sequence of all orbits' points:
//! it restores the order that Basix has. Numbers are decimals or quotients.

use super::Cell;
use super::gauss::collapsed;
use super::lagrange::Point;
use crate::number::Number;

/// The highest degree there is.
pub(super) const MAX_DEGREE: usize = 30;

/// The numbers of points of the tabulated rules on triangles, by degree.
const TRIANGLE: [usize; 31] = [
    1, 1, 3, 6, 6, 7, 12, 15, 16, 19, 25, 28, 33, 37, 42, 49, 55, 60, 67, 73, 79, 87, 96, 103, 112,
    120, 130, 141, 150, 159, 171,
];

/// The numbers of points of the tabulated rules on tetrahedra, by degree.
const TETRAHEDRON: [usize; 16] = [
    1, 1, 4, 5, 14, 15, 24, 31, 45, 57, 74, 95, 122, 146, 177, 214,
];

/// Points in barycentric coordinates, and the weights beside them.
#[derive(Default)]
pub(super) struct Rule {
    pub(super) points: Vec<Point>,
    pub(super) weights: Vec<Number>,
}

/// The number of points of [`rule`].
pub(super) fn count(cell: Cell, degree: usize) -> usize {
    let tabulated = match cell {
        Cell::Interval => None,
        Cell::Triangle => TRIANGLE.get(degree),
        Cell::Tetrahedron => TETRAHEDRON.get(degree),
    };
    tabulated
        .copied()
        .unwrap_or_else(|| per_direction(degree).pow(cell.dimension() as u32))
}

/// The number of Gauss points a direction that integrate a degree exactly.
fn per_direction(degree: usize) -> usize {
    (degree + 2) / 2
}

/// The rule for a degree.
pub(super) fn rule(cell: Cell, degree: usize) -> Rule {
    let table = match cell {
        Cell::Interval => None,
        Cell::Triangle => Some(include_str!("rules/triangle.txt")),
        Cell::Tetrahedron => Some(include_str!("rules/tetrahedron.txt")),
    };
    let tabulated = table.and_then(|text| read(text, cell.dimension(), degree.max(1)));
    tabulated.unwrap_or_else(|| collapsed(cell, per_direction(degree)))
}

/// The rule for a degree from a table, if it has one.
fn read(table: &str, dimension: usize, degree: usize) -> Option<Rule> {
    let header = format!("\nrule {degree} ");
    let start = table.find(&header)? + header.len();
    let rest = &table[start..];
    let text = &rest[..rest.find("\nrule ").unwrap_or(rest.len())];
    let mut rule = Rule::default();
    for line in text.lines().skip(1) {
        let mut words = line.split_ascii_whitespace();
        let pattern = words.next()?;
        if pattern == "order" {
            let order: Vec<usize> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
            rule = Rule {
                points: order.iter().map(|&i| rule.points[i]).collect(),
                weights: order.iter().map(|&i| rule.weights[i]).collect(),
            };
            continue;
        }
        let weight = Number::from_decimal(words.next()?)?;
        let parameters: Vec<Number> = words.map(Number::from_decimal).collect::<Option<_>>()?;
        let points = match pattern {
            "p" => vec![cartesian(&parameters)],
            _ => orbit(pattern.as_bytes(), &parameters),
        };
        debug_assert!(points.len() == 1 || pattern.len() == dimension + 1);
        rule.weights
            .resize(rule.weights.len() + points.len(), weight);
        rule.points.extend(points);
    }
    Some(rule)
}

/// The barycentric coordinates of a point given by Cartesian ones.
fn cartesian(coordinates: &[Number]) -> Point {
    let mut point = [Number::ZERO; 4];
    point[0] = coordinates.iter().fold(Number::ONE, |rest, &x| rest - x);
    point[1..=coordinates.len()].copy_from_slice(coordinates);
    point
}

/// The points of an orbit; see the module's documentation.
fn orbit(pattern: &[u8], parameters: &[Number]) -> Vec<Point> {
    let mut letters: Vec<usize> = pattern.iter().map(|&c| usize::from(c - b'a')).collect();
    let times = |letter| letters.iter().filter(|&&l| l == letter).count() as i64;
    let given = parameters.iter().enumerate();
    let rest = given.fold(Number::ONE, |rest, (letter, &value)| {
        rest - Number::from_i64(times(letter)) * value
    });
    let mut values = parameters.to_vec();
    values.push(rest / Number::from_i64(times(parameters.len())));
    let mut points = Vec::new();
    loop {
        let mut point = [Number::ZERO; 4];
        for (slot, &letter) in point.iter_mut().zip(&letters) {
            *slot = values[letter];
        }
        points.push(point);
        if !next_permutation(&mut letters) {
            return points;
        }
    }
}

/// Steps to the next arrangement in lexicographic order; false after the last one.
fn next_permutation(letters: &mut [usize]) -> bool {
    let Some(rise) = letters.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let larger = letters.iter().rposition(|&l| l > letters[rise]);
    letters.swap(rise, larger.unwrap_or(rise));
    letters[rise + 1..].reverse();
    true
}
