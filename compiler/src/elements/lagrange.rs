//! Lagrange elements on simplices: nodes, basis, tabulation.
//!
//! The basis is computed in barycentric monomials of the full degree, `λ0^a λ1^b …` with
//! `a + b + … = n`. Such a monomial vanishes on every part of the boundary that one of its
//! factors vanishes on. So the Vandermonde matrix is block triangular (a node on an edge sees the
//! two vertices' and that edge's monomials only), and so is its inverse: most coefficients of the
//! basis are structural zeros, never computed and never multiplied.

use super::gauss::lobatto;
use super::{Cell, Derivative, for_all_axes};
use crate::number::Number;

/// The highest degree there is.
pub(super) const MAX_DEGREE: usize = 8;

/// Barycentric coordinates; a cell of dimension d uses the first d + 1.
pub(super) type Point = [Number; 4];
/// The exponents of a barycentric monomial.
type Exponents = [u8; 4];

/// A Lagrange basis: per function its non-zero coefficients over `monomials`.
pub(super) struct Basis {
    vertices: usize,
    degree: usize,
    monomials: Vec<Exponents>,
    functions: Vec<Vec<(usize, Number)>>,
}

/// The sub-entities of a cell in the order of their nodes: its vertices, edges, faces, inside,
/// each by its vertices.
fn entities(cell: Cell) -> &'static [&'static [usize]] {
    match cell {
        Cell::Interval => &[&[0], &[1], &[0, 1]],
        Cell::Triangle => &[&[0], &[1], &[2], &[1, 2], &[0, 2], &[0, 1], &[0, 1, 2]],
        Cell::Tetrahedron => &[
            &[0],
            &[1],
            &[2],
            &[3],
            &[2, 3],
            &[1, 3],
            &[1, 2],
            &[0, 3],
            &[0, 2],
            &[0, 1],
            &[1, 2, 3],
            &[0, 2, 3],
            &[0, 1, 3],
            &[0, 1, 2],
            &[0, 1, 2, 3],
        ],
        // Products have their nodes from those of the interval, see `tensor`.
        Cell::Quadrilateral | Cell::Hexahedron => &[],
    }
}

/// The nodes of the equispaced lattice in the element's order, each by n times its barycentric
/// coordinates: the steps away from the first vertex of an entity, the second vertex' fastest.
fn lattice(cell: Cell, degree: usize) -> Vec<Exponents> {
    let mut nodes = Vec::new();
    for vertices in entities(cell) {
        let directions = vertices.len() - 1;
        let mut steps = [1_usize; 3];
        while steps[..directions].iter().sum::<usize>() < degree {
            let mut node = [0; 4];
            node[vertices[0]] = (degree - steps[..directions].iter().sum::<usize>()) as u8;
            for d in 0..directions {
                node[vertices[d + 1]] = steps[d] as u8;
            }
            nodes.push(node);
            let mut carry = 0;
            while carry < directions {
                steps[carry] += 1;
                if steps[..directions].iter().sum::<usize>() < degree {
                    break;
                }
                steps[carry] = 1;
                carry += 1;
            }
            if carry == directions {
                break;
            }
        }
    }
    nodes
}

/// The displacement of Gauss-Lobatto points from equispaced ones, interpolated at the multiples of
/// 1/(2n) and divided by x (1 - x).
fn warp(degree: usize) -> Vec<Number> {
    let n = degree as i64;
    let displacement: Vec<Number> = lobatto(degree)
        .into_iter()
        .enumerate()
        .map(|(i, x)| x - Number::ratio(i as i64, n))
        .collect();
    let mut result = vec![Number::ZERO; 2 * degree + 1];
    for (step, slot) in result.iter_mut().enumerate().take(degree).skip(1) {
        let step = step as i64;
        let mut sum = Number::ZERO;
        for (j, &value) in displacement.iter().enumerate() {
            let j = j as i64;
            let others = (0..=n).filter(|&k| k != j);
            sum += others.fold(value, |product, k| {
                product * Number::ratio(step - 2 * k, 2 * (j - k))
            });
        }
        *slot = sum * Number::ratio(4 * n * n, step * (2 * n - step));
    }
    // The displacement is odd about the midpoint; the exact sums of the coordinates rely on it.
    for step in 0..degree {
        result[2 * degree - step] = -result[step];
    }
    result
}

/// The nodes of the element, in order.
pub(super) fn nodes(cell: Cell, degree: usize) -> Vec<Point> {
    let vertices = cell.dimension() + 1;
    if degree == 0 {
        let mut midpoint = [Number::ZERO; 4];
        midpoint[..vertices].fill(Number::ratio(1, vertices as i64));
        return vec![midpoint];
    }
    let warp = if degree < 3 { Vec::new() } else { warp(degree) };
    lattice(cell, degree)
        .into_iter()
        .map(|steps| {
            let even = steps.map(|s| Number::ratio(i64::from(s), degree as i64));
            if degree < 3 {
                return even;
            }
            let mut point = even;
            for i in (0..vertices).filter(|&i| steps[i] > 0) {
                let others = (0..vertices).filter(|&j| j != i && steps[j] > 0);
                let shift = Number::dot(others.map(|j| {
                    let difference = degree + usize::from(steps[i]) - usize::from(steps[j]);
                    (even[j], warp[difference])
                }));
                point[i] = even[i] + even[i] * shift;
            }
            point
        })
        .collect()
}

/// Which barycentric coordinates are not zero, as bits.
fn support(exponents: &Exponents) -> u8 {
    (0..4).fold(0, |mask, i| mask | u8::from(exponents[i] > 0) << i)
}

/// The powers 0 to `degree` of each barycentric coordinate.
fn powers(point: &Point, degree: usize) -> [[Number; MAX_DEGREE + 1]; 4] {
    point.map(|x| {
        let mut row = [Number::ONE; MAX_DEGREE + 1];
        for k in 1..=degree {
            row[k] = row[k - 1] * x;
        }
        row
    })
}

/// The monomials at a point.
fn evaluate(monomials: &[Exponents], degree: usize, vertices: usize, point: &Point) -> Vec<Number> {
    let powers = powers(point, degree);
    monomials
        .iter()
        .map(|exponents| {
            let mut factors = (0..vertices).filter(|&i| exponents[i] > 0);
            let power = |i: usize| powers[i][usize::from(exponents[i])];
            let first = factors.next().map_or(Number::ONE, power);
            factors.fold(first, |product, i| product * power(i))
        })
        .collect()
}

impl Basis {
    /// The basis that is one at one node of [`nodes`] and zero at the others.
    pub(super) fn new(cell: Cell, degree: usize) -> Basis {
        let vertices = cell.dimension() + 1;
        if degree == 0 {
            return Basis {
                vertices,
                degree,
                monomials: vec![[0; 4]],
                functions: vec![vec![(0, Number::ONE)]],
            };
        }
        // One monomial per node, the one with the node's own support.
        let monomials = lattice(cell, degree);
        let vandermonde: Vec<Vec<Number>> = nodes(cell, degree)
            .iter()
            .map(|node| evaluate(&monomials, degree, vertices, node))
            .collect();
        let masks: Vec<u8> = monomials.iter().map(support).collect();
        let inverse = invert(vandermonde, &masks);
        let functions = (0..monomials.len())
            .map(|i| {
                let column = inverse.iter().map(|row| row[i]).enumerate();
                column.filter(|(_, c)| !c.is_zero()).collect()
            })
            .collect();
        Basis {
            vertices,
            degree,
            monomials,
            functions,
        }
    }

    /// The values of all functions at a point.
    pub(super) fn values(&self, point: &Point) -> Vec<Number> {
        let at = evaluate(&self.monomials, self.degree, self.vertices, point);
        self.functions
            .iter()
            .map(|terms| Number::sparse_dot(terms, &at))
            .collect()
    }

    /// The derivatives along an axis of the cell: by its barycentric coordinate less by the first
    /// one, as if these were independent.
    pub(super) fn along(&self, axis: usize) -> Basis {
        let mut monomials: Vec<Exponents> = Vec::new();
        // Where each monomial's derivatives are among those, and their factors.
        let derivatives: Vec<Vec<(usize, Number)>> = self
            .monomials
            .iter()
            .map(|exponents| {
                let towards = [(axis + 1, 1), (0, -1)].into_iter();
                let lowered = towards.filter(|&(i, _)| exponents[i] > 0).map(|(i, sign)| {
                    let mut lowered = *exponents;
                    lowered[i] -= 1;
                    let found = monomials.iter().position(|m| *m == lowered);
                    let place = found.unwrap_or(monomials.len());
                    if found.is_none() {
                        monomials.push(lowered);
                    }
                    (place, Number::from_i64(sign * i64::from(exponents[i])))
                });
                lowered.collect()
            })
            .collect();
        let functions = self.functions.iter().map(|terms| {
            let mut row = vec![Number::ZERO; monomials.len()];
            for &(monomial, coefficient) in terms {
                for &(place, factor) in &derivatives[monomial] {
                    row[place] += coefficient * factor;
                }
            }
            let row = row.into_iter().enumerate();
            row.filter(|(_, c)| !c.is_zero()).collect()
        });
        Basis {
            vertices: self.vertices,
            degree: self.degree.saturating_sub(1),
            functions: functions.collect(),
            monomials,
        }
    }
}

/// The table of a simplex at given points, all derivatives of an order, by axes, point and
/// function.
pub(super) fn tabulate(
    cell: Cell,
    points: &[Point],
    degree: usize,
    derivative: Derivative,
) -> Vec<Number> {
    let basis = Basis::new(cell, degree);
    for_all_axes(cell.dimension(), derivative, |axes| {
        let evaluate = |basis: &Basis| points.iter().flat_map(|p| basis.values(p)).collect();
        match axes {
            [] => evaluate(&basis),
            [first] => evaluate(&basis.along(*first)),
            axes => {
                let start = basis.along(axes[0]);
                evaluate(
                    &axes[1..]
                        .iter()
                        .fold(start, |basis, &axis| basis.along(axis)),
                )
            }
        }
    })
}

/// The inverse of a matrix whose rows and columns have the supports `masks`, where an entry is
/// zero unless its column's support is part of its row's. Pivots are looked for among the rows
/// with the column's own support, which keeps that structure.
fn invert(mut matrix: Vec<Vec<Number>>, masks: &[u8]) -> Vec<Vec<Number>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<Number>> = (0..size)
        .map(|i| {
            let mut row = vec![Number::ZERO; size];
            row[i] = Number::ONE;
            row
        })
        .collect();
    for column in 0..size {
        // Supports come in runs, so the candidates are the rest of the column's run.
        let mut pivot = column;
        for row in (column..size).take_while(|&row| masks[row] == masks[column]) {
            if matrix[row][column].abs().to_f64() > matrix[pivot][column].abs().to_f64() {
                pivot = row;
            }
        }
        matrix.swap(pivot, column);
        inverse.swap(pivot, column);
        let scale = Number::ONE / matrix[column][column];
        for entry in matrix[column].iter_mut().chain(&mut inverse[column]) {
            if !entry.is_zero() {
                *entry *= scale;
            }
        }
        let (pivot_row, pivot_inverse) = (matrix[column].clone(), inverse[column].clone());
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[row][column];
            if factor.is_zero() {
                continue;
            }
            for (to, from) in [(&mut matrix, &pivot_row), (&mut inverse, &pivot_inverse)] {
                for (entry, &source) in to[row].iter_mut().zip(from) {
                    if !source.is_zero() {
                        *entry -= factor * source;
                    }
                }
            }
        }
    }
    inverse
}
