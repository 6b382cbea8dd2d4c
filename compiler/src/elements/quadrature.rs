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

use super::gauss::product;
use super::lagrange::Point;
use super::{Cell, Part, Refusal};
use crate::number::Number;

/// The highest degree there is. Rules could have any; beyond this one, finding Gauss points takes
/// longer than an expansion may.
pub(super) const MAX_DEGREE: usize = 100;

/// The numbers of points of the tabulated rules on triangles, by degree.
const TRIANGLE: [usize; 31] = [
    1, 1, 3, 6, 6, 7, 12, 15, 16, 19, 25, 28, 33, 37, 42, 49, 55, 60, 67, 73, 79, 87, 96, 103, 112,
    120, 130, 141, 150, 159, 171,
];

/// The numbers of points of the tabulated rules on tetrahedra, by degree.
const TETRAHEDRON: [usize; 16] = [
    1, 1, 4, 5, 14, 15, 24, 31, 45, 57, 74, 95, 122, 146, 177, 214,
];

/// Which of the rules that are exact to a degree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Family {
    /// The symmetric one where there is one, otherwise the Gauss-Jacobi one, as Basix chooses.
    #[default]
    Preferred,
    /// Products of Gauss rules, on simplices in collapsed coordinates.
    GaussJacobi,
    /// The tabulated rules of few points.
    Symmetric,
}

/// A quadrature rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quadrature {
    /// The degree to which it is exact.
    pub degree: usize,
    /// Which of those that are.
    pub family: Family,
}

impl From<usize> for Quadrature {
    /// The preferred rule for a degree.
    fn from(degree: usize) -> Quadrature {
        let family = Family::Preferred;
        Quadrature { degree, family }
    }
}

/// Points, and the weights beside them. Points of simplices are in barycentric coordinates; those
/// of products have a zero in front of their Cartesian ones.
#[derive(Default)]
pub(super) struct Rule {
    pub(super) points: Vec<Point>,
    pub(super) weights: Vec<Number>,
}

/// The number of points of [`rule`].
///
/// # Errors
///
/// A rule that there is not.
pub(super) fn count(cell: Cell, quadrature: Quadrature) -> Result<usize, Refusal> {
    let Quadrature { degree, family } = quadrature;
    let refuse = |message, help: &str| {
        Err(Refusal {
            part: Part::Quadrature,
            message,
            help: help.to_owned(),
        })
    };
    if degree > MAX_DEGREE {
        let message =
            format!("there is no quadrature({degree}): degrees go from 0 to {MAX_DEGREE}");
        return refuse(message, "take one of these degrees");
    }
    let counts: &[usize] = match (family, cell) {
        (Family::GaussJacobi, _) => &[],
        (_, Cell::Triangle) => &TRIANGLE,
        (_, Cell::Tetrahedron) => &TETRAHEDRON,
        _ => &[],
    };
    match counts.get(degree) {
        Some(&count) => Ok(count),
        None if family == Family::Symmetric => refuse(
            format!(
                "there is no quadrature({degree}, symmetric) on the {}",
                cell.name()
            ),
            "triangles have symmetric rules to degree 30 and tetrahedra to degree 15; write `gauss_jacobi` instead, or no family",
        ),
        None => Ok(per_direction(degree).pow(cell.dimension() as u32)),
    }
}

/// The number of Gauss points a direction that integrate a degree exactly.
pub(super) fn per_direction(degree: usize) -> usize {
    (degree + 2) / 2
}

/// The rule; there must be one, by [`count`].
pub(super) fn rule(cell: Cell, quadrature: Quadrature) -> Rule {
    let Quadrature { degree, family } = quadrature;
    let table = match (family, cell) {
        (Family::GaussJacobi, _) => None,
        (_, Cell::Triangle) => Some(include_str!("rules/triangle.txt")),
        (_, Cell::Tetrahedron) => Some(include_str!("rules/tetrahedron.txt")),
        _ => None,
    };
    let tabulated = table.and_then(|text| read(text, cell.dimension(), degree.max(1)));
    tabulated.unwrap_or_else(|| product(cell, per_direction(degree)))
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
        assert!(points.len() == 1 || pattern.len() == dimension + 1);
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
