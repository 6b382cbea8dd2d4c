//! Continuous Lagrange spaces: the global numbers of the cells' functions.

use std::collections::HashMap;

use crate::mesh::{EDGES, FACES, Mesh};

/// The distance of the two inner nodes of a cubic edge from its middle: the
/// Gauss-Lobatto-Legendre points, as in `tabulate!`'s elements.
pub const GLL: f64 = 0.223_606_797_749_978_97;

/// That of the two outer inner nodes of an edge of degree four: √21 / 14.
const GLL_4: f64 = 0.327_326_835_353_988_57;

/// Each of the two smaller barycentric coordinates of an inner node of a face of degree four, which is
/// near one of its vertices.
const FACE_4: f64 = 0.224_224_388_215_337_13;

/// A space of continuous functions, `N` a cell.
///
/// Numbers go to vertices, edges, faces and cells in turn. Those of an edge run from its vertex with the
/// lower number to the other, so that the cells around it agree; an element's nodes run from the
/// vertex that comes first in the cell. Three nodes of a face are each near one of its vertices: their
/// numbers are in the order of these.
pub struct Space<const N: usize> {
    /// The number of each cell's functions.
    pub dofs: Vec<[usize; N]>,
    /// Where each function's node is.
    pub points: Vec<[f64; 3]>,
    /// How many functions belong to vertices; they are the first.
    pub vertices: usize,
    on_vertex: HashMap<usize, usize>,
    on_edge: HashMap<[usize; 2], usize>,
    on_face: HashMap<[usize; 3], usize>,
    per_edge: usize,
    per_face: usize,
}

impl<const N: usize> Space<N> {
    /// The space of a degree from 1 to 4, to which `N` belongs, on a mesh.
    pub fn new<const G: usize>(mesh: &Mesh<G>, degree: usize) -> Space<N> {
        let nodes = reference_nodes(degree);
        assert_eq!(
            nodes.len(),
            N,
            "degree {degree} has {} functions",
            nodes.len()
        );
        let per_edge = degree - 1;
        let per_face = per_edge * degree.saturating_sub(2) / 2;
        let inside = per_face * degree.saturating_sub(3) / 3;
        let mut used: Vec<usize> = mesh
            .cells
            .iter()
            .flat_map(|cell| cell[..4].to_vec())
            .collect();
        used.sort_unstable();
        used.dedup();
        let mut space = Space {
            dofs: Vec::with_capacity(mesh.cells.len()),
            points: Vec::new(),
            vertices: used.len(),
            on_vertex: used.into_iter().zip(0..).collect(),
            on_edge: HashMap::new(),
            on_face: HashMap::new(),
            per_edge,
            per_face,
        };
        let mut next = space.vertices;
        if per_edge > 0 {
            for cell in &mesh.cells {
                for edge in EDGES {
                    let key = sorted(edge.map(|v| cell[v]));
                    space.on_edge.entry(key).or_insert_with(|| {
                        next += per_edge;
                        next - per_edge
                    });
                }
            }
        }
        if per_face > 0 {
            for cell in &mesh.cells {
                for face in FACES {
                    let key = sorted(face.map(|v| cell[v]));
                    space.on_face.entry(key).or_insert_with(|| {
                        next += per_face;
                        next - per_face
                    });
                }
            }
        }
        space.points = vec![[0.0; 3]; next + inside * mesh.cells.len()];
        for (number, cell) in mesh.cells.iter().enumerate() {
            let dofs = space.cell(cell, next + inside * number);
            for (&dof, &node) in dofs.iter().zip(&nodes) {
                space.points[dof] = mesh.point(cell, node);
            }
            space.dofs.push(dofs);
        }
        space
    }

    /// The dimension of the space.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The numbers of a cell's functions, in the element's order; `inside` is that of the first one
    /// which no other cell has.
    fn cell<const G: usize>(&self, cell: &[usize; G], inside: usize) -> [usize; N] {
        let mut dofs = [0; N];
        let mut entries = dofs.iter_mut();
        let mut put = |dof| {
            if let Some(entry) = entries.next() {
                *entry = dof;
            }
        };
        cell[..4]
            .iter()
            .for_each(|vertex| put(self.on_vertex[vertex]));
        if self.per_edge > 0 {
            for edge in EDGES.map(|edge| edge.map(|v| cell[v])) {
                let first = self.on_edge[&sorted(edge)];
                for k in 0..self.per_edge {
                    let backwards = edge[0] > edge[1];
                    put(first + if backwards { self.per_edge - 1 - k } else { k });
                }
            }
        }
        if self.per_face > 0 {
            for face in FACES.map(|face| face.map(|v| cell[v])) {
                let first = self.on_face[&sorted(face)];
                for near in &face[..self.per_face] {
                    let before = face[..self.per_face].iter().filter(|v| *v < near);
                    put(first + before.count());
                }
            }
        }
        // What is left is the cell's own; there is no more room than for that.
        (inside..inside + N).for_each(&mut put);
        dofs
    }

    /// The functions that do not vanish on a triangle of the mesh; vertices that no cell has are
    /// passed over.
    pub fn on_triangle(&self, triangle: &[usize; 3]) -> Vec<usize> {
        let [a, b, c] = *triangle;
        let vertices = triangle
            .iter()
            .filter_map(|v| self.on_vertex.get(v).copied());
        let edges = [[a, b], [b, c], [a, c]].into_iter().flat_map(|edge| {
            let first = self.on_edge.get(&sorted(edge)).copied();
            first
                .into_iter()
                .flat_map(|first| first..first + self.per_edge)
        });
        let face = self.on_face.get(&sorted(*triangle)).copied();
        let face = face.into_iter();
        let face = face.flat_map(|first| first..first + self.per_face);
        vertices.chain(edges).chain(face).collect()
    }

    /// The coefficients of a function's nodal interpolation.
    pub fn interpolate(&self, function: impl Fn([f64; 3]) -> f64) -> Vec<f64> {
        self.points.iter().map(|&point| function(point)).collect()
    }
}

fn sorted<const K: usize>(mut vertices: [usize; K]) -> [usize; K] {
    vertices.sort_unstable();
    vertices
}

/// The nodes of the element of a degree, in barycentric coordinates.
pub fn reference_nodes(degree: usize) -> Vec<[f64; 4]> {
    let mut nodes: Vec<[f64; 4]> = Vec::new();
    for v in 0..4 {
        let mut node = [0.0; 4];
        node[v] = 1.0;
        nodes.push(node);
    }
    let on_edge: &[f64] = match degree {
        1 => &[],
        2 => &[0.5],
        3 => &[0.5 - GLL, 0.5 + GLL],
        _ => &[0.5 - GLL_4, 0.5, 0.5 + GLL_4],
    };
    for [a, b] in EDGES {
        for &t in on_edge {
            let mut node = [0.0; 4];
            node[a] = 1.0 - t;
            node[b] = t;
            nodes.push(node);
        }
    }
    if degree == 3 {
        for face in FACES {
            let mut node = [0.0; 4];
            face.iter().for_each(|&v| node[v] = 1.0 / 3.0);
            nodes.push(node);
        }
    }
    if degree == 4 {
        for face in FACES {
            for near in face {
                let mut node = [0.0; 4];
                face.iter().for_each(|&v| node[v] = FACE_4);
                node[near] = 1.0 - 2.0 * FACE_4;
                nodes.push(node);
            }
        }
        nodes.push([0.25; 4]);
    }
    nodes
}
