//! What `tabulate!` evaluates: reference cells, quadrature rules, Lagrange elements.
//!
//! ```text
//! tabulate!(tetrahedron, quadrature(4), weights)                 [14]
//! tabulate!(tetrahedron, quadrature(4), points)                  [14][3]
//! tabulate!(tetrahedron, quadrature(4), lagrange(2))             [14][10]
//! tabulate!(tetrahedron, quadrature(4), lagrange(2), gradient)   [3][14][10]
//! ```
//!
//! Cells, rules and elements are Basix's (0.11), so that element matrices agree with FFCx's up to
//! rounding; points and nodes also have its order. Values are computed in double-double, about 30
//! correct digits, and rounded once when they are emitted.
//!
//! # Cells
//!
//! The interval has the vertices 0 and 1; the triangle (0,0), (1,0), (0,1); the tetrahedron
//! (0,0,0), (1,0,0), (0,1,0), (0,0,1). Edges and faces are numbered by the vertices they miss:
//!
//! | cell | edges | faces |
//! |---|---|---|
//! | triangle | (1,2) (0,2) (0,1) | |
//! | tetrahedron | (2,3) (1,3) (1,2) (0,3) (0,2) (0,1) | (1,2,3) (0,2,3) (0,1,3) (0,1,2) |
//!
//! # Lagrange elements
//!
//! Degrees 0 to 8, in Basix's variant `gll_warped`. Nodes come in the order vertices, edges, faces,
//! inside. On an edge they run from its lower to its higher vertex; on a face and inside, the
//! distance along the direction from the lowest vertex to the next one changes fastest. Degree 0
//! has its node at the midpoint. Nodes are equispaced for degrees 1 and 2; from 3 on those on an
//! edge are the Gauss-Lobatto-Legendre points, and those on faces and inside are warped by these.
//!
//! With degrees up to 2, nodes and hence coefficients are rational, and tables at rational points
//! are exact in the field. Irrational nodes and points are taken as the dyadic numbers that their
//! double-doubles are, so the field is consistent there too: functions add up to one, gradients
//! to zero, a function is one at its node and zero at the others. Entries within 1e-25 of an
//! integer are that integer, exactly.
//!
//! # Quadrature
//!
//! Weights add up to the cell's volume, 1, 1/2 and 1/6. `quadrature(n)` integrates polynomials of
//! total degree n exactly, n from 0 to 30:
//!
//! | degree | interval | triangle | tetrahedron |
//! |---|---|---|---|
//! | 0, 1 | 1 | 1 | 1 |
//! | 2 | 2 | 3 | 4 |
//! | 3 | 2 | 6 | 5 (one weight is negative) |
//! | 4 | 3 | 6 | 14 |
//! | 5 | 3 | 7 | 15 |
//! | 6 | 4 | 12 | 24 |
//! | 7 | 4 | 15 | 31 (negative weights) |
//! | 8 | 5 | 16 | 45 (negative weights) |
//! | 9 | 5 | 19 | 57 |
//! | 10 | 6 | 25 | 74 |
//! | 11 | 6 | 28 | 95 |
//! | 12 | 7 | 33 | 122 |
//! | 13 | 7 | 37 | 146 |
//! | 14 | 8 | 42 | 177 |
//! | 15 | 8 | 49 | 214 |
//! | 16 | 9 | 55 | 729 |
//! | 17 | 9 | 60 | 729 |
//! | 18 | 10 | 67 | 1000 |
//! | 19 | 10 | 73 | 1000 |
//! | 20 | 11 | 79 | 1331 |
//! | 22 | 12 | 96 | 1728 |
//! | 24 | 13 | 112 | 2197 |
//! | 26 | 14 | 130 | 2744 |
//! | 28 | 15 | 150 | 3375 |
//! | 30 | 16 | 171 | 4096 |
//!
//! On intervals they are Gauss-Legendre rules. On triangles, and on tetrahedra to degree 15, they
//! are those of Strang and Fix, Zienkiewicz and Taylor, Keast, and Xiao and Gimbutas that Basix
//! chooses, polished to 32 digits by
//! `compiler/scripts/quadrature_rules.py`. (Where a published point carries 15 digits only, the
//! polished one is up to 7e-15 away from it.) Beyond, tetrahedra have collapsed Gauss-Jacobi rules
//! of (n + 2) / 2 points a direction.

mod gauss;
mod lagrange;
mod quadrature;

use crate::number::Number;

/// A reference cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// The interval from 0 to 1.
    Interval,
    /// The triangle (0,0), (1,0), (0,1).
    Triangle,
    /// The tetrahedron (0,0,0), (1,0,0), (0,1,0), (0,0,1).
    Tetrahedron,
}

impl Cell {
    /// The cell written `interval`, `triangle` or `tetrahedron`.
    pub fn from_name(name: &str) -> Option<Cell> {
        match name {
            "interval" => Some(Cell::Interval),
            "triangle" => Some(Cell::Triangle),
            "tetrahedron" => Some(Cell::Tetrahedron),
            _ => None,
        }
    }

    /// The number of coordinates.
    pub fn dimension(self) -> usize {
        match self {
            Cell::Interval => 1,
            Cell::Triangle => 2,
            Cell::Tetrahedron => 3,
        }
    }
}

/// What is tabulated at the points of a quadrature rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// The weights, of shape `[point]`.
    Weights,
    /// The points, of shape `[point][coordinate]`.
    Points,
    /// The Lagrange basis, of shape `[point][function]`.
    Values {
        /// The polynomial degree of the element.
        degree: usize,
    },
    /// Its partial derivatives on the reference cell, of shape `[coordinate][point][function]`.
    Gradient {
        /// The polynomial degree of the element.
        degree: usize,
    },
}

/// A table: its extents and its entries, the last index running fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Tabulated {
    /// The extents.
    pub shape: Vec<usize>,
    /// The entries, row-major.
    pub values: Vec<Number>,
}

/// Entries this close to an integer are that integer: far above the rounding of double-double
/// arithmetic, far below anything an element has.
const SNAP: f64 = 1e-25;

/// The number of points of the rule for a degree, if there is one.
pub fn points_of(cell: Cell, quadrature_degree: usize) -> Option<usize> {
    (quadrature_degree <= quadrature::MAX_DEGREE)
        .then(|| quadrature::count(cell, quadrature_degree))
}

/// Evaluates a table at the points of the rule that is exact to `quadrature_degree`.
///
/// # Errors
///
/// A degree that there is not; the message names it and the range.
pub fn tabulate(cell: Cell, quadrature_degree: usize, table: Table) -> Result<Tabulated, String> {
    if quadrature_degree > quadrature::MAX_DEGREE {
        return Err(format!(
            "there is no quadrature({quadrature_degree}): degrees go from 0 to {}",
            quadrature::MAX_DEGREE
        ));
    }
    if let Table::Values { degree } | Table::Gradient { degree } = table
        && degree > lagrange::MAX_DEGREE
    {
        return Err(format!(
            "there is no lagrange({degree}): degrees go from 0 to {}",
            lagrange::MAX_DEGREE
        ));
    }
    let rule = quadrature::rule(cell, quadrature_degree);
    let (count, dimension) = (rule.points.len(), cell.dimension());
    let (shape, mut values) = match table {
        Table::Weights => (vec![count], rule.weights),
        Table::Points => {
            let coordinates = rule.points.iter().flat_map(|p| p[1..=dimension].to_vec());
            (vec![count, dimension], coordinates.collect())
        }
        Table::Values { degree } => {
            let basis = lagrange::Basis::new(cell, degree);
            let values = rule.points.iter().flat_map(|p| basis.values(p));
            (vec![count, basis.len()], values.collect())
        }
        Table::Gradient { degree } => {
            let basis = lagrange::Basis::new(cell, degree);
            let values = gradient(&basis, &rule.points);
            (vec![dimension, count, basis.len()], values)
        }
    };
    for value in &mut values {
        *value = value.snapped(SNAP);
    }
    Ok(Tabulated { shape, values })
}

/// The derivatives along the axes, by axis, point and function.
fn gradient(basis: &lagrange::Basis, points: &[lagrange::Point]) -> Vec<Number> {
    let mut partials = basis.partials().into_iter().map(|partial| {
        let values = points.iter().flat_map(|p| partial.values(p));
        values.collect::<Vec<_>>()
    });
    let first = partials.next().unwrap_or_default();
    partials
        .flat_map(|values| {
            values
                .into_iter()
                .zip(first.clone())
                .map(|(a, b)| a - b)
                .collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests;
