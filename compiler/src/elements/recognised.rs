//! Products of tables over the line, found from the entries of a table.
//!
//! The entries `T[q, i]` of a table over points and nodes of a quadrilateral or a hexahedron are the elements of a
//! tensor with one dimension an axis, each over the pairs of a point's and a node's places along that axis, and the
//! table is a product exactly if the tensor has rank one: then it is the product of its own fibres through any
//! element that is not zero. Points are in the order of loops, one axis after the other; the order of nodes is found:
//! two nodes have the same place along an axis if their functions are multiples of each other along it, in all
//! tables over the same points and nodes at once, since derivatives may be the same at several places.

use super::product::{Lattice, Product};
use crate::number::Number;

/// A table, a matrix over points and nodes for each of its outer places; a column of weights has no nodes.
#[derive(Clone, Copy, Debug)]
pub struct Entries<'a> {
    /// Points, and nodes but for weights.
    pub inner: (usize, Option<usize>),
    /// The entries, row-major.
    pub values: &'a [Number],
}

/// How far directions may be apart that are the same: what sets entries apart, a check of all of them decides.
const NEAR: f64 = 1e-7;

/// Most entries of a table that is looked at: a limit on work.
const MOST: usize = 1 << 20;

/// The number that is multiplied with itself so often.
fn root(number: usize, power: usize) -> Option<usize> {
    (2..=number).find_map(|root| match root.checked_pow(power as u32) {
        Some(size) if size < number => None,
        size => Some((size == Some(number)).then_some(root)),
    })?
}

/// The numbers of axes that points and nodes may have, and those along each.
fn grids(points: usize, nodes: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let both = move |axes| Some((axes, root(points, axes)?, root(nodes, axes)?));
    [3, 2].into_iter().filter_map(both)
}

/// Where the nodes are, in tables over the same points and nodes, with the number of axes.
pub fn lattice(tables: &[Entries<'_>]) -> Option<(usize, Lattice)> {
    let (points, nodes) = tables.first()?.inner;
    let nodes = nodes?;
    let size: usize = tables.iter().map(|table| table.values.len()).sum();
    if size > MOST {
        return None;
    }
    grids(points, nodes).find_map(|(axes, along_points, along)| {
        let columns = Columns {
            tables,
            sizes: [points, nodes],
            axes,
            along: along_points,
        };
        let places: Option<Vec<Vec<usize>>> =
            (0..axes).map(|axis| columns.places(axis, along)).collect();
        let places = places?;
        let place = |node: usize| {
            let mut all = [0; 3];
            (0..axes).for_each(|axis| all[axis] = places[axis][node]);
            all
        };
        let places: Vec<[usize; 3]> = (0..nodes).map(place).collect();
        let mut sorted = places.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let places = places.into();
        (sorted.len() == nodes).then_some((axes, Lattice { along, places }))
    })
}

/// The functions of nodes at points, of some tables.
struct Columns<'a> {
    tables: &'a [Entries<'a>],
    /// Points and nodes.
    sizes: [usize; 2],
    axes: usize,
    /// Points along an axis.
    along: usize,
}

impl Columns<'_> {
    /// The place of each node along an axis, in the order in which the functions are along it; `None` if there are
    /// not so many places.
    fn places(&self, axis: usize, along: usize) -> Option<Vec<usize>> {
        let [_, nodes] = self.sizes;
        let mut classes: Vec<(Vec<Vec<f64>>, usize)> = Vec::new();
        let mut own = Vec::with_capacity(nodes);
        for node in 0..nodes {
            let directions = self.directions(axis, node);
            let same = |(other, _): &(Vec<Vec<f64>>, usize)| {
                let mut pairs = other.iter().zip(&directions);
                pairs.all(|(a, b)| are_multiples(a, b))
            };
            let at = classes.iter().position(same).unwrap_or_else(|| {
                classes.push((directions, 0));
                classes.len() - 1
            });
            classes[at].1 += 1;
            own.push(at);
            if classes.len() > along {
                return None;
            }
        }
        let each = along.pow(self.axes as u32 - 1);
        if classes.len() != along || classes.iter().any(|(_, count)| *count != each) {
            return None;
        }
        let middles: Vec<f64> = classes
            .iter()
            .map(|(directions, _)| middle(directions))
            .collect();
        let mut order: Vec<usize> = (0..along).collect();
        // What lies in the same middle keeps its order.
        order.sort_by(|a, b| match (middles[*a] - middles[*b]).abs() < NEAR {
            true => a.cmp(b),
            false => middles[*a].total_cmp(&middles[*b]),
        });
        let mut places = vec![0; along];
        order
            .iter()
            .enumerate()
            .for_each(|(place, class)| places[*class] = place);
        Some(own.into_iter().map(|class| places[class]).collect())
    }

    /// A node's function along an axis in each matrix of each table, through its largest value; no numbers where it
    /// is zero.
    fn directions(&self, axis: usize, node: usize) -> Vec<Vec<f64>> {
        let [points, nodes] = self.sizes;
        let stride = self.along.pow((self.axes - 1 - axis) as u32);
        let matrices = self
            .tables
            .iter()
            .flat_map(|table| table.values.chunks(points * nodes));
        let direction = |matrix: &[Number]| {
            let value = |point: usize| matrix[point * nodes + node].to_f64();
            let largest = (0..points).max_by(|a, b| value(*a).abs().total_cmp(&value(*b).abs()));
            let largest = largest.unwrap_or(0);
            let first = largest - largest / stride % self.along * stride;
            let line: Vec<f64> = (0..self.along)
                .map(|at| value(first + at * stride))
                .collect();
            let size = line.iter().map(|x| x * x).sum::<f64>().sqrt();
            match size > 0.0 && size.is_finite() {
                true => line.iter().map(|x| x / size).collect(),
                false => Vec::new(),
            }
        };
        matrices.map(direction).collect()
    }
}

/// Whether two functions of unit size are equal but for their signs.
fn are_multiples(a: &[f64], b: &[f64]) -> bool {
    let product: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| (a - product * b).abs() <= NEAR)
}

/// The middle of functions along an axis.
fn middle(directions: &[Vec<f64>]) -> f64 {
    let moments = |line: &Vec<f64>| -> f64 {
        let squares = line.iter().enumerate();
        squares.map(|(at, x)| at as f64 * x * x).sum()
    };
    directions.iter().map(moments).sum()
}

/// The product of tables over the line that a table is if it is one, with its nodes at some places: whether it is, its
/// entries say. Tables that are multiples of `known` ones over the line are these.
pub fn product(
    table: Entries<'_>,
    axes: usize,
    lattice: Option<&Lattice>,
    known: &[Vec<Number>],
) -> Option<Product> {
    let (points, nodes) = table.inner;
    let along = root(points, axes)?;
    let size = points * nodes.unwrap_or(1);
    let whole = size > 0 && table.values.len().is_multiple_of(size);
    if table.values.len() > MOST || !whole {
        return None;
    }
    let mut lines = known.to_vec();
    let matrices = table.values.chunks(size);
    let factors: Option<Vec<Vec<usize>>> = matrices
        .map(|matrix| {
            let tensor = Tensor {
                matrix,
                axes,
                points: along,
                lattice,
            };
            tensor.factors(&mut lines)
        })
        .collect();
    Some(Product {
        axes,
        points: Lattice::lexicographic(along, axes),
        nodes: lattice.cloned(),
        components: None,
        factors: factors?,
        lines,
        arrangement: None,
    })
}

/// A matrix over points and nodes, as a tensor with a dimension an axis.
struct Tensor<'a> {
    matrix: &'a [Number],
    axes: usize,
    /// Points along an axis.
    points: usize,
    lattice: Option<&'a Lattice>,
}

impl Tensor<'_> {
    /// The table over the line along each axis, by its number among `lines`.
    fn factors(&self, lines: &mut Vec<Vec<Number>>) -> Option<Vec<usize>> {
        let sizes = self.matrix.iter().map(|value| value.to_f64().abs());
        let (through, size) = sizes.enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
        if size == 0.0 || !size.is_finite() {
            return None;
        }
        let mut scale = self.matrix[through];
        // Lines that are no multiples of known ones: their axes, and numbers.
        let mut new: Vec<(usize, usize)> = Vec::new();
        let (mut found, before) = (Vec::new(), lines.len());
        for axis in 0..self.axes {
            let line = self.fibre(through, axis)?;
            if let Some((number, factor)) = multiple(lines, &line) {
                scale *= factor;
                found.push(number);
                continue;
            }
            let sum = self.sum(&line);
            found.push(lines.len());
            match sum {
                Some(sum) => {
                    scale *= sum;
                    lines.push(line.iter().map(|value| *value / sum).collect());
                }
                None => {
                    new.push((axis, lines.len()));
                    lines.push(line);
                }
            }
        }
        // They are numbers as they are computed with.
        let rounded = |lines: &mut Vec<Vec<Number>>| {
            let new = lines[before..].iter_mut().flatten();
            new.for_each(|value| *value = Number::from_f64(value.to_f64()));
        };
        let is_one = |scale: Number| (scale.to_f64() - 1.0).abs() <= NEAR * NEAR;
        match new.as_slice() {
            [] if is_one(scale) => {}
            [] => {
                let scaled = lines[found[0]].iter().map(|value| *value * scale).collect();
                found[0] = lines.len();
                lines.push(scaled);
            }
            // Alike along all axes: each has the same part.
            [(_, number)] if found.iter().all(|other| other == number) => {
                let part = scale.to_f64().abs().powf(1.0 / self.axes as f64);
                let part = Number::from_f64(part.copysign(scale.to_f64()));
                lines[*number].iter_mut().for_each(|value| *value *= part);
            }
            [(_, number), ..] => lines[*number].iter_mut().for_each(|value| *value *= scale),
        }
        rounded(lines);
        Some(found)
    }

    /// Nodes along an axis; one where there are no nodes.
    fn nodes(&self) -> usize {
        self.lattice.map_or(1, |nodes| nodes.along)
    }

    /// The element at some places of a point and a node.
    fn at(&self, point: [usize; 3], node: [usize; 3]) -> Option<Number> {
        let row = point[..self.axes].iter();
        let row = row.fold(0, |row, place| row * self.points + place);
        let Some(Lattice { places, .. }) = self.lattice else {
            return self.matrix.get(row).copied();
        };
        let column = places.iter().position(|places| *places == node)?;
        self.matrix.get(row * places.len() + column).copied()
    }

    /// What lies along an axis through an element, in parts of that.
    fn fibre(&self, through: usize, axis: usize) -> Option<Vec<Number>> {
        let columns = self.lattice.map_or(1, |nodes| nodes.places.len());
        let (row, column) = (through / columns, through % columns);
        let mut point = [0; 3];
        let mut rest = row;
        for at in (0..self.axes).rev() {
            point[at] = rest % self.points;
            rest /= self.points;
        }
        let mut node = (self.lattice).map_or([0; 3], |nodes| nodes.places[column]);
        let whole = self.matrix[through];
        let mut line = Vec::with_capacity(self.points * self.nodes());
        for along_points in 0..self.points {
            for along_nodes in 0..self.nodes() {
                (point[axis], node[axis]) = (along_points, along_nodes);
                line.push(self.at(point, node)? / whole);
            }
        }
        Some(line)
    }

    /// The sum of each row of a line, if it is the same for all and not zero, as that of values is.
    fn sum(&self, line: &[Number]) -> Option<Number> {
        self.lattice?;
        let rows = line.chunks(self.nodes());
        let sums: Vec<Number> = rows
            .map(|row| row.iter().fold(Number::ZERO, |sum, value| sum + *value))
            .collect();
        let size = line
            .iter()
            .map(|value| value.to_f64().abs())
            .fold(0.0, f64::max);
        let first = *sums.first()?;
        let same = |sum: &Number| (*sum - first).to_f64().abs() <= NEAR * size;
        (first.to_f64().abs() > 1e-3 * size && sums.iter().all(same)).then_some(first)
    }
}

/// The first of some tables over the line of which one is a multiple, and which one.
fn multiple(lines: &[Vec<Number>], line: &[Number]) -> Option<(usize, Number)> {
    lines.iter().enumerate().find_map(|(number, known)| {
        let sizes = known.iter().map(|value| value.to_f64().abs());
        let (at, size) = sizes.enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
        if known.len() != line.len() || size == 0.0 || line[at].is_zero() {
            return None;
        }
        let factor = line[at] / known[at];
        let near = |(known, own): (&Number, &Number)| {
            (*own - factor * *known).to_f64().abs() <= NEAR * (factor.to_f64() * size).abs()
        };
        known.iter().zip(line).all(near).then_some((number, factor))
    })
}
