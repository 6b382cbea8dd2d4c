//! What `tabulate!` evaluates: reference cells, quadrature rules, Lagrange elements.
//!
//! ```text
//! tabulate!(tetrahedron, quadrature(4), weights)                          [14]
//! tabulate!(tetrahedron, quadrature(4), points)                           [14][3]
//! tabulate!(tetrahedron, quadrature(4), lagrange(2))                      [14][10]
//! tabulate!(tetrahedron, quadrature(4), lagrange(2), gradient)            [3][14][10]
//! tabulate!(tetrahedron, quadrature(4), lagrange(2), hessian)             [3][3][14][10]
//! tabulate!(tetrahedron, quadrature(4), vector(lagrange(2)))              [3][14][30]
//! tabulate!(tetrahedron, quadrature(4), vector(lagrange(2)), gradient)    [3][3][14][30]
//! tabulate!(hexahedron, quadrature(4, gauss_jacobi), lagrange(2))         [27][27]
//! ```
//!
//! Cells, rules and elements are Basix's (0.11), so that element matrices agree with FFCx's up to
//! rounding; points and nodes also have its order. Values are computed in double-double, about 30
//! correct digits, and rounded once when they are emitted.
//!
//! # Cells
//!
//! The interval has the vertices 0 and 1; the triangle (0,0), (1,0), (0,1); the tetrahedron
//! (0,0,0), (1,0,0), (0,1,0), (0,0,1). Their edges and faces are numbered by the vertices they
//! miss. The quadrilateral is the unit square and the hexahedron the unit cube; the bits of a
//! vertex' number are its coordinates, x the lowest.
//!
//! | cell | edges | faces |
//! |---|---|---|
//! | triangle | (1,2) (0,2) (0,1) | |
//! | tetrahedron | (2,3) (1,3) (1,2) (0,3) (0,2) (0,1) | (1,2,3) (0,2,3) (0,1,3) (0,1,2) |
//! | quadrilateral | (0,1) (0,2) (1,3) (2,3) | |
//! | hexahedron | (0,1) (0,2) (0,4) (1,3) (1,5) (2,3) (2,6) (3,7) (4,5) (4,6) (5,7) (6,7) | (0,1,2,3) (0,1,4,5) (0,2,4,6) (1,3,5,7) (2,3,6,7) (4,5,6,7) |
//!
//! # Lagrange elements
//!
//! Degrees 0 to 8, in Basix's variant `gll_warped`: on simplices the polynomials of total degree
//! n, on quadrilateral and hexahedron those of degree n in each coordinate (Q_n, with
//! `(n + 1)^d` functions). Nodes come in the order vertices, edges, faces, inside. On an edge they
//! run from its lower to its higher vertex; on a face and inside, the distance along the direction
//! from the lowest vertex to the next one changes fastest. Degree 0 has its node at the midpoint.
//! Nodes are equispaced for degrees 1 and 2; from 3 on those on an edge are the
//! Gauss-Lobatto-Legendre points, those on faces and inside of simplices are warped by these, and
//! those of quadrilateral and hexahedron are their products.
//!
//! With degrees up to 2, nodes and hence coefficients are rational, and tables at rational points
//! are exact in the field. Irrational nodes and points are taken as the dyadic numbers that their
//! double-doubles are, so the field is consistent there too: functions add up to one, derivatives
//! to zero, a function is one at its node and zero at the others. Entries within 1e-25 of an
//! integer are that integer, exactly.
//!
//! Derivatives are those on the reference cell; each order adds a dimension of the length of the
//! cell's in front of `[point][function]`:
//!
//! | | shape | entry |
//! |---|---|---|
//! | `lagrange(n)` | `[point][function]` | φ |
//! | `lagrange(n), gradient` | `[a][point][function]` | ∂φ/∂x_a |
//! | `lagrange(n), hessian` | `[a][b][point][function]` | ∂²φ/∂x_a∂x_b, symmetric in a and b |
//!
//! # Vector-valued elements
//!
//! `vector(lagrange(n))` has as many components as the cell has coordinates,
//! `vector(lagrange(n), m)` has m of them, from 1 to 9. Functions are blocked as in Basix and FFCx:
//! function `m * i + c` has the scalar function i as its component c, and zero as the others. The
//! component is the outermost dimension: `[component][point][function]`,
//! `[component][a][point][function]`, `[component][a][b][point][function]`. So each component has a
//! table of the scalar element's shape, with m times the columns, of which all but every m-th are
//! zero.
//!
//! # Mixed elements
//!
//! `mixed(vector(lagrange(2)), lagrange(1))` has the functions of several elements, one element after
//! the other, as Basix and FFCx number them: here those of the vector, then those of the scalar. Their
//! components are numbered likewise, a scalar has one. Functions are zero in the components of other
//! elements. The component is the outermost dimension, as that of vectors is: on the tetrahedron this
//! element has 4 components and 30 + 4 functions, so that its gradient has the shape
//! `[4][3][point][34]`. Each element is one of those above, with its own degree.
//!
//! # Quadrature
//!
//! Weights add up to the cell's volume: 1, on triangles 1/2, on tetrahedra 1/6. `quadrature(n)`
//! integrates exactly what has the degree n: the total degree on simplices, that in each coordinate
//! on quadrilateral and hexahedron. n goes from 0 to 100. There are two families:
//!
//! - `quadrature(n, gauss_jacobi)`, on every cell and of every degree, has `(n + 2) / 2` (rounded
//!   down) points a direction: Gauss-Legendre points on the interval and their products on
//!   quadrilateral and hexahedron, Gauss-Jacobi points in collapsed coordinates on simplices
//!   (Karniadakis and Sherwin, *Spectral/hp Element Methods for CFD*, section 4.1.1). The last
//!   coordinate runs fastest.
//! - `quadrature(n, symmetric)`, on triangles to degree 30 and on tetrahedra to degree 15, has the
//!   fewer points of the tables by Strang and Fix, Zienkiewicz and Taylor, Keast, and Xiao and
//!   Gimbutas that Basix chooses, polished to 32 digits by `compiler/scripts/quadrature_rules.py`.
//!   (Where a published point carries 15 digits only, the polished one is up to 7e-15 away from
//!   it.)
//!
//! `quadrature(n)` is the one that Basix takes: the symmetric one where there is one. Its numbers
//! of points are
//!
//! | degree | interval | triangle | tetrahedron | quadrilateral | hexahedron |
//! |---|---|---|---|---|---|
//! | 0, 1 | 1 | 1 | 1 | 1 | 1 |
//! | 2 | 2 | 3 | 4 | 4 | 8 |
//! | 3 | 2 | 6 | 5 (one weight is negative) | 4 | 8 |
//! | 4 | 3 | 6 | 14 | 9 | 27 |
//! | 5 | 3 | 7 | 15 | 9 | 27 |
//! | 6 | 4 | 12 | 24 | 16 | 64 |
//! | 7 | 4 | 15 | 31 (negative weights) | 16 | 64 |
//! | 8 | 5 | 16 | 45 (negative weights) | 25 | 125 |
//! | 9 | 5 | 19 | 57 | 25 | 125 |
//! | 10 | 6 | 25 | 74 | 36 | 216 |
//! | 11 | 6 | 28 | 95 | 36 | 216 |
//! | 12 | 7 | 33 | 122 | 49 | 343 |
//! | 13 | 7 | 37 | 146 | 49 | 343 |
//! | 14 | 8 | 42 | 177 | 64 | 512 |
//! | 15 | 8 | 49 | 214 | 64 | 512 |
//! | 16 | 9 | 55 | 729 | 81 | 729 |
//! | 17 | 9 | 60 | 729 | 81 | 729 |
//! | 18 | 10 | 67 | 1000 | 100 | 1000 |
//! | 19 | 10 | 73 | 1000 | 100 | 1000 |
//! | 20 | 11 | 79 | 1331 | 121 | 1331 |
//! | 22 | 12 | 96 | 1728 | 144 | 1728 |
//! | 24 | 13 | 112 | 2197 | 169 | 2197 |
//! | 26 | 14 | 130 | 2744 | 196 | 2744 |
//! | 28 | 15 | 150 | 3375 | 225 | 3375 |
//! | 30 | 16 | 171 | 4096 | 256 | 4096 |
//! | 31 | 16 | 256 | 4096 | 256 | 4096 |
//! | 40 | 21 | 441 | 9261 | 441 | 9261 |

mod basis;
mod components;
mod gauss;
mod lagrange;
mod product;
mod quadrature;
pub mod recognised;
mod tensor;

pub use product::{Arrangement, Lattice, Product};
pub use quadrature::{Family, Quadrature};

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
    /// The unit square.
    Quadrilateral,
    /// The unit cube.
    Hexahedron,
}

impl Cell {
    /// All cells.
    pub const ALL: [Cell; 5] = [
        Cell::Interval,
        Cell::Triangle,
        Cell::Tetrahedron,
        Cell::Quadrilateral,
        Cell::Hexahedron,
    ];

    /// How the cell is written.
    pub fn name(self) -> &'static str {
        match self {
            Cell::Interval => "interval",
            Cell::Triangle => "triangle",
            Cell::Tetrahedron => "tetrahedron",
            Cell::Quadrilateral => "quadrilateral",
            Cell::Hexahedron => "hexahedron",
        }
    }

    /// The cell that is written so.
    pub fn from_name(name: &str) -> Option<Cell> {
        Cell::ALL.into_iter().find(|cell| cell.name() == name)
    }

    /// The number of coordinates.
    pub fn dimension(self) -> usize {
        match self {
            Cell::Interval => 1,
            Cell::Triangle | Cell::Quadrilateral => 2,
            Cell::Tetrahedron | Cell::Hexahedron => 3,
        }
    }

    /// Whether the cell is a product of intervals and no simplex.
    fn is_product(self) -> bool {
        matches!(self, Cell::Quadrilateral | Cell::Hexahedron)
    }
}

/// A Lagrange element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Element {
    /// The polynomial degree.
    pub degree: usize,
    /// The number of components of a vector-valued element.
    pub components: Option<usize>,
}

/// Which derivatives of an element's functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Derivative {
    /// The functions themselves.
    Values,
    /// All first derivatives.
    Gradient,
    /// All second derivatives.
    Hessian,
}

impl Derivative {
    /// How often is differentiated.
    fn order(self) -> usize {
        match self {
            Derivative::Values => 0,
            Derivative::Gradient => 1,
            Derivative::Hessian => 2,
        }
    }
}

/// What is tabulated at the points of a quadrature rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// The weights, of shape `[point]`.
    Weights,
    /// The points, of shape `[point][coordinate]`.
    Points,
    /// The basis of an element; the shapes are in the module's documentation.
    Basis(Element, Derivative),
    /// The basis of a mixed element: the functions of some elements.
    Mixed(Vec<Element>, Derivative),
}

/// A table: its extents and its entries, the last index running fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Tabulated {
    /// The extents.
    pub shape: Vec<usize>,
    /// The entries, row-major.
    pub values: Vec<Number>,
    /// How they are products of tables over the line, where they are.
    pub product: Option<Product>,
}

/// Why there is no such table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is at fault.
    pub part: Part,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

/// A part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The quadrature rule.
    Quadrature,
    /// The element; of a mixed one, that at a position.
    Element(usize),
    /// All of it.
    Whole,
}

/// Entries this close to an integer are that integer: far above the rounding of double-double
/// arithmetic, far below anything an element has.
const SNAP: f64 = 1e-25;

/// The most components of a vector-valued element.
const MAX_COMPONENTS: usize = 9;

/// The most entries of the tables of a block: 24 MiB in the user's program, and a second of the user's
/// build.
pub const MAX_ENTRIES: usize = 3 << 20;

/// The number of points of a rule.
///
/// # Errors
///
/// A rule that there is not; the message names it and what there is.
pub fn points_of(cell: Cell, quadrature: Quadrature) -> Result<usize, Refusal> {
    quadrature::count(cell, quadrature)
}

/// Evaluates a table at the points of a rule.
///
/// # Errors
///
/// A rule or an element that there is not, or a table of more than [`MAX_ENTRIES`]; the message says
/// what there is.
pub fn tabulate(cell: Cell, quadrature: Quadrature, table: Table) -> Result<Tabulated, Refusal> {
    let shape = shape(cell, quadrature, &table, MAX_ENTRIES)?;
    if let Some(product) = basis::product(cell, quadrature, &table) {
        return Ok(Tabulated {
            shape,
            values: product.values(),
            product: Some(product),
        });
    }
    let mut values = match &table {
        Table::Weights => quadrature::rule(cell, quadrature).weights,
        Table::Points => {
            let rule = quadrature::rule(cell, quadrature);
            let coordinates = |p: &lagrange::Point| p[1..=cell.dimension()].to_vec();
            rule.points.iter().flat_map(coordinates).collect()
        }
        Table::Basis(element, derivative) => basis::basis(cell, quadrature, *element, *derivative),
        Table::Mixed(elements, derivative) => {
            let of = |element: &Element| basis::basis(cell, quadrature, *element, *derivative);
            let tables: Vec<Vec<Number>> = elements.iter().map(of).collect();
            components::mixed(cell, elements, &tables)
        }
    };
    for value in &mut values {
        *value = value.snapped(SNAP);
    }
    Ok(Tabulated {
        shape,
        values,
        product: None,
    })
}

/// The extents of a table, if there is such a one and it has no more than `most` entries.
///
/// # Errors
///
/// As [`tabulate`].
pub fn shape(
    cell: Cell,
    quadrature: Quadrature,
    table: &Table,
    most: usize,
) -> Result<Vec<usize>, Refusal> {
    let count = points_of(cell, quadrature)?;
    let dimension = cell.dimension();
    let shape = match table {
        Table::Weights => vec![count],
        Table::Points => vec![count, dimension],
        Table::Basis(element, derivative) => {
            check(*element, 0)?;
            let (_, functions) = components::extents(cell, &[*element]);
            let mut shape = Vec::from_iter(element.components);
            shape.extend(std::iter::repeat_n(dimension, derivative.order()));
            shape.extend([count, functions]);
            shape
        }
        Table::Mixed(elements, derivative) => {
            let mut each = elements.iter().enumerate();
            each.try_for_each(|(at, element)| check(*element, at))?;
            let (components, functions) = components::extents(cell, elements);
            let mut shape = vec![components];
            shape.extend(std::iter::repeat_n(dimension, derivative.order()));
            shape.extend([count, functions]);
            shape
        }
    };
    let entries = shape
        .iter()
        .fold(1, |product: usize, &n| product.saturating_mul(n));
    if entries > most {
        let others = MAX_ENTRIES.saturating_sub(most);
        return Err(Refusal {
            part: Part::Whole,
            message: match others {
                0 => format!("this table has {entries} entries; the most is {most}"),
                _ => format!(
                    "this table has {entries} entries, the others of the block {others}; the most is {MAX_ENTRIES}"
                ),
            },
            help: "take a lower degree, or a rule with fewer points".to_owned(),
        });
    }
    Ok(shape)
}

/// Whether there is such an element; `at` is its position in a mixed one.
fn check(element: Element, at: usize) -> Result<(), Refusal> {
    let Element { degree, components } = element;
    let refuse = |message: String, help: &str| {
        Err(Refusal {
            part: Part::Element(at),
            message,
            help: help.to_owned(),
        })
    };
    if degree > lagrange::MAX_DEGREE {
        let highest = lagrange::MAX_DEGREE;
        let message = format!("there is no lagrange({degree}): degrees go from 0 to {highest}");
        return refuse(message, "take one of these degrees");
    }
    match components {
        Some(n) if !(1..=MAX_COMPONENTS).contains(&n) => refuse(
            format!("a vector of {n} components; there are 1 to {MAX_COMPONENTS}"),
            "leave the number out for as many components as the cell has coordinates",
        ),
        _ => Ok(()),
    }
}

/// The number of functions of the scalar element.
fn functions(cell: Cell, degree: usize) -> usize {
    let dimension = cell.dimension();
    if cell.is_product() {
        return (degree + 1).pow(dimension as u32);
    }
    (1..=dimension).fold(1, |count, d| count * (degree + d) / d)
}

/// The tables of all derivatives of an order, outermost axis first; `table` evaluates one, given
/// its axes in ascending order.
fn for_all_axes(
    dimension: usize,
    derivative: Derivative,
    mut table: impl FnMut(&[usize]) -> Vec<Number>,
) -> Vec<Number> {
    match derivative {
        Derivative::Values => table(&[]),
        Derivative::Gradient => (0..dimension).flat_map(|axis| table(&[axis])).collect(),
        Derivative::Hessian => {
            // Second derivatives are symmetric: those below the diagonal are those above.
            let mut tables: Vec<Vec<Number>> = Vec::new();
            for first in 0..dimension {
                for second in 0..dimension {
                    tables.push(match tables.get(second * dimension + first) {
                        Some(mirrored) => mirrored.clone(),
                        None => table(&[first, second]),
                    });
                }
            }
            tables.concat()
        }
    }
}

#[cfg(test)]
mod tests;
