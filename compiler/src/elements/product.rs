//! Tables over quadrilateral and hexahedron as products of tables over the line.
//!
//! A point of a product rule has one point of the line for each axis, and a node has one node of the
//! line: `φ[q, i] = Π over axes a of L_a[q_a, i_a]`, where each `L_a` holds an interval's functions, or
//! their derivatives. Whoever knows that can sum over one axis after another.

use std::rc::Rc;

use super::components::blocked;
use crate::number::Number;

/// A table as products of small ones. The entries of [`Product::values`] are these products exactly,
/// also in the prime field.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// The number of axes: the cell's dimension.
    pub axes: usize,
    /// The points.
    pub points: Lattice,
    /// The nodes; `None` where there are none: weights.
    pub nodes: Option<Lattice>,
    /// The components of a vector-valued element: column `components * i + c` is node i's function
    /// for component c, and the outermost dimension is that of components.
    pub components: Option<usize>,
    /// Tables over the line, a row a point and a column a node.
    pub lines: Vec<Vec<Number>>,
    /// For each table of the outer dimensions, components left out: its line along each axis.
    pub factors: Vec<Vec<usize>>,
    /// Which dimensions run over points and nodes, where these are not the last two.
    pub arrangement: Option<Arrangement>,
}

/// Where points or nodes are on a product cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lattice {
    /// How many there are along each axis.
    pub along: usize,
    /// For each one, in the order of a table's rows or columns, its place along every axis.
    pub places: Rc<[[usize; 3]]>,
}

impl Lattice {
    /// All places, those along the last axis running fastest.
    pub fn lexicographic(along: usize, axes: usize) -> Lattice {
        let place = |at: usize| {
            let mut place = [0; 3];
            let mut rest = at;
            for axis in (0..axes).rev() {
                place[axis] = rest % along;
                rest /= along;
            }
            place
        };
        Lattice {
            along,
            places: (0..along.pow(axes as u32)).map(place).collect(),
        }
    }

    /// The number of each place if the last axis runs fastest.
    pub fn numbers(&self, axes: usize) -> Vec<usize> {
        let number = |place: &[usize; 3]| {
            let places = place[..axes].iter();
            places.fold(0, |number, place| number * self.along + place)
        };
        self.places.iter().map(number).collect()
    }
}

/// Which dimensions of a table run over points and nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// The extents of the table.
    pub shape: Vec<usize>,
    /// The dimension of points.
    pub points: usize,
    /// That of nodes.
    pub nodes: usize,
}

impl Arrangement {
    /// The places of all entries, in the order of the table, among those of a matrix of points and nodes for each place
    /// of the other dimensions.
    pub fn places(&self) -> Vec<usize> {
        let outer = (0..self.shape.len()).filter(|at| ![self.points, self.nodes].contains(at));
        let order: Vec<usize> = outer.chain([self.points, self.nodes]).collect();
        let mut strides = vec![0; self.shape.len()];
        let mut stride = 1;
        for dimension in order.iter().rev() {
            strides[*dimension] = stride;
            stride *= self.shape[*dimension];
        }
        let mut places = vec![0];
        for (extent, stride) in self.shape.iter().zip(strides) {
            let along = |place: &usize| {
                let place = *place;
                (0..*extent).map(move |at| place + at * stride)
            };
            places = places.iter().flat_map(along).collect();
        }
        places
    }
}

impl Product {
    /// All entries, row-major.
    pub fn values(&self) -> Vec<Number> {
        let scalar: Vec<Number> = self.factors.iter().flat_map(|f| self.table(f)).collect();
        if let Some(components) = self.components {
            return blocked(&scalar, components);
        }
        match &self.arrangement {
            None => scalar,
            Some(arrangement) => {
                let places = arrangement.places();
                places.into_iter().map(|place| scalar[place]).collect()
            }
        }
    }

    /// The dimensions of points and of nodes, of a table that has so many.
    pub fn dimensions(&self, rank: usize) -> Vec<usize> {
        match &self.arrangement {
            Some(arrangement) => vec![arrangement.points, arrangement.nodes],
            None => (rank - 1 - usize::from(self.nodes.is_some())..rank).collect(),
        }
    }

    /// The table with these lines along the axes.
    fn table(&self, lines: &[usize]) -> Vec<Number> {
        let along = self.nodes.as_ref().map_or(1, |nodes| nodes.along);
        let mut product = Matrix {
            columns: 1,
            entries: vec![Number::ONE],
        };
        for line in lines {
            product = product.kronecker(&Matrix {
                columns: along,
                entries: self.lines[*line].clone(),
            });
        }
        let rows: Vec<&[Number]> = product.entries.chunks(product.columns).collect();
        let rows = self
            .points
            .numbers(self.axes)
            .into_iter()
            .map(|at| rows[at]);
        let columns = match &self.nodes {
            Some(nodes) => nodes.numbers(self.axes),
            None => vec![0],
        };
        rows.flat_map(|row| columns.iter().map(|&column| row[column]))
            .collect()
    }

    /// The part of a vector-valued element's table at some places along each dimension, of `extents`,
    /// if they are the columns of one component: the table of the scalar element.
    pub fn component(&self, extents: &[usize], places: &[Vec<usize>]) -> Option<Product> {
        let nodes = self.nodes.as_ref()?;
        let components = self.components?;
        let [component, outer @ .., points, columns] = places else {
            return None;
        };
        let &[component] = component.as_slice() else {
            return None;
        };
        let own = (0..nodes.places.len()).map(|node| components * node + component);
        let whole = |places: &[usize], extent: usize| places.iter().copied().eq(0..extent);
        let (inner, rows) = (&extents[1..extents.len() - 2], extents[extents.len() - 2]);
        if !columns.iter().copied().eq(own) || !whole(points, rows) {
            return None;
        }
        // The tables at all combinations of the outer places.
        let mut tables = vec![0];
        for (places, extent) in outer.iter().zip(inner) {
            let along = |table: &usize| {
                let table = *table;
                places.iter().map(move |place| table * extent + place)
            };
            tables = tables.iter().flat_map(along).collect();
        }
        Some(Product {
            components: None,
            factors: tables
                .into_iter()
                .map(|at| self.factors[at].clone())
                .collect(),
            ..self.clone()
        })
    }

    /// Whether a table has these entries in the field.
    pub fn is(&self, values: &[Number]) -> bool {
        let own = self.values();
        let equal = |(a, b): (&Number, &Number)| a.field() == b.field();
        own.len() == values.len() && own.iter().zip(values).all(equal)
    }
}

/// A dense matrix, row-major.
struct Matrix {
    columns: usize,
    entries: Vec<Number>,
}

impl Matrix {
    /// The Kronecker product: rows and columns of `other` run fastest.
    fn kronecker(&self, other: &Matrix) -> Matrix {
        let mut entries = Vec::with_capacity(self.entries.len() * other.entries.len());
        for row in self.entries.chunks(self.columns) {
            for other_row in other.entries.chunks(other.columns) {
                for &factor in row {
                    entries.extend(other_row.iter().map(|&entry| factor * entry));
                }
            }
        }
        Matrix {
            columns: self.columns * other.columns,
            entries,
        }
    }
}
