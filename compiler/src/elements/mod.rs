//! What `tabulate!` evaluates: reference cells, quadrature rules, Lagrange elements.

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
/// The error says which degree there is not.
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
