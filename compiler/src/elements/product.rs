//! Tables over quadrilateral and hexahedron as products of tables over the line.
//!
//! A point of a product rule has one point of the line for each axis, and a node has one node of the
//! line: `φ[q, i] = Π over axes a of L_a[q_a, i_a]`, where each `L_a` holds an interval's functions, or
//! their derivatives. Whoever knows that can sum over one axis after another.

use super::components::blocked;
use crate::number::Number;

/// A table as products of small ones. The entries of [`Product::values`] are these products exactly,
/// also in the prime field.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// The number of axes: the cell's dimension.
    pub axes: usize,
    /// Points along each axis; of a rule's points, those along the last axis run fastest.
    pub points: usize,
    /// The nodes, in the order of the table's columns; `None` where there are no columns: weights.
    pub nodes: Option<Nodes>,
    /// Tables over the line, a row a point and a column a node.
    pub lines: Vec<Vec<Number>>,
    /// For each table of the outer dimensions, components left out: its line along each axis.
    pub factors: Vec<Vec<usize>>,
}

/// The nodes of a product element.
#[derive(Clone, Debug, PartialEq)]
pub struct Nodes {
    /// Nodes along each axis.
    pub along: usize,
    /// For each node its place along every axis.
    pub lattice: Vec<[usize; 3]>,
    /// The components of a vector-valued element: column `components * i + c` is node i's function
    /// for component c, and the outermost dimension is that of components.
    pub components: Option<usize>,
}

impl Product {
    /// All entries, row-major.
    pub fn values(&self) -> Vec<Number> {
        let scalar: Vec<Number> = self.factors.iter().flat_map(|f| self.table(f)).collect();
        match self.nodes.as_ref().and_then(|nodes| nodes.components) {
            None => scalar,
            Some(components) => blocked(&scalar, components),
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
        let Some(nodes) = &self.nodes else {
            return product.entries;
        };
        // Where each node's column is in the product.
        let column = |node: &[usize; 3]| {
            let places = node[..self.axes].iter();
            places.fold(0, |column, place| column * along + place)
        };
        let columns: Vec<usize> = nodes.lattice.iter().map(column).collect();
        let rows = product.entries.chunks(product.columns);
        rows.flat_map(|row| columns.iter().map(|&column| row[column]))
            .collect()
    }

    /// The part of a vector-valued element's table at some places along each dimension, of `extents`,
    /// if they are the columns of one component: the table of the scalar element.
    pub fn component(&self, extents: &[usize], places: &[Vec<usize>]) -> Option<Product> {
        let nodes = self.nodes.as_ref()?;
        let components = nodes.components?;
        let [component, outer @ .., points, columns] = places else {
            return None;
        };
        let &[component] = component.as_slice() else {
            return None;
        };
        let own = (0..nodes.lattice.len()).map(|node| components * node + component);
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
            nodes: Some(Nodes {
                components: None,
                ..nodes.clone()
            }),
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
