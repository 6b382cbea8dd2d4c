//! Quadrature rules: which one a degree takes, and the tables of the symmetric ones.

use super::Cell;
use super::gauss::collapsed;
use super::lagrange::Point;
use crate::number::Number;

/// The highest degree there is.
pub(super) const MAX_DEGREE: usize = 30;

/// Points in barycentric coordinates, and the weights beside them.
#[derive(Default)]
pub(super) struct Rule {
    pub(super) points: Vec<Point>,
    pub(super) weights: Vec<Number>,
}

/// The rule for a degree.
pub(super) fn rule(cell: Cell, degree: usize) -> Rule {
    collapsed(cell, (degree + 2) / 2)
}

/// The number of points of [`rule`].
pub(super) fn count(cell: Cell, degree: usize) -> usize {
    ((degree + 2) / 2).pow(cell.dimension() as u32)
}
