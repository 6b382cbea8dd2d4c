//! Meshes of tetrahedra, and the ones of the unit cube.

/// The edges of a tetrahedron, in the order of `tabulate!`'s elements.
pub const EDGES: [[usize; 2]; 6] = [[2, 3], [1, 3], [1, 2], [0, 3], [0, 2], [0, 1]];

/// The faces of a tetrahedron, in the same order: face f misses vertex f.
pub const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];

/// A mesh of tetrahedra with `G` nodes each.
///
/// With 4 nodes they are the vertices and the cell is affine; with 10, those of the [`EDGES`]
/// follow and the cell is the image of the reference cell under a quadratic map.
#[derive(Debug)]
pub struct Mesh<const G: usize> {
    /// The nodes' coordinates.
    pub nodes: Vec<[f64; 3]>,
    /// The nodes of each cell.
    pub cells: Vec<[usize; G]>,
    /// Named parts of the boundary.
    pub groups: Vec<Group>,
}

/// A physical group of facets.
#[derive(Debug)]
pub struct Group {
    /// Its name, or its number where it has no name.
    pub name: String,
    /// The vertices of its triangles.
    pub triangles: Vec<[usize; 3]>,
}

/// A mesh as a file has it.
#[derive(Debug)]
pub enum AnyMesh {
    /// All cells are affine.
    Affine(Mesh<4>),
    /// All cells are curved.
    Curved(Mesh<10>),
}

impl<const G: usize> Mesh<G> {
    /// The point of a cell with the given barycentric coordinates.
    pub fn point(&self, cell: &[usize; G], barycentric: [f64; 4]) -> [f64; 3] {
        let mut point = [0.0; 3];
        for (v, &node) in cell.iter().enumerate() {
            let shape = match (G, v) {
                (4, _) => barycentric[v],
                (_, 0..4) => barycentric[v] * (2.0 * barycentric[v] - 1.0),
                _ => {
                    let [a, b] = EDGES[v - 4];
                    4.0 * barycentric[a] * barycentric[b]
                }
            };
            for (x, node) in point.iter_mut().zip(self.nodes[node]) {
                *x += shape * node;
            }
        }
        point
    }
}

/// The unit cube as n × n × n cubes of six tetrahedra around a diagonal each; its boundary is the
/// group `boundary`.
pub fn cube(n: usize) -> Mesh<4> {
    let m = n + 1;
    let index = |i: [usize; 3]| (i[2] * m + i[1]) * m + i[0];
    let step = |i: usize| i as f64 / n as f64;
    let nodes = (0..m * m * m).map(|v| [step(v % m), step(v / m % m), step(v / (m * m))]);
    let nodes: Vec<[f64; 3]> = nodes.collect();
    let mut cells = Vec::with_capacity(6 * n * n * n);
    for corner in (0..n * n * n).map(|c| [c % n, c / n % n, c / (n * n)]) {
        for axes in [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ] {
            let mut at = corner;
            let mut cell = [index(at); 4];
            for (node, axis) in cell[1..].iter_mut().zip(axes) {
                at[axis] += 1;
                *node = index(at);
            }
            cells.push(cell);
        }
    }
    // A face lies on the boundary if its vertices share one coordinate that is 0 or 1.
    let outside = |face: &[usize; 3]| {
        (0..3).any(|axis| {
            [0.0, 1.0]
                .iter()
                .any(|&side| face.iter().all(|&v| nodes[v][axis] == side))
        })
    };
    let faces = cells
        .iter()
        .flat_map(|cell| FACES.map(|face| face.map(|v| cell[v])));
    let triangles = faces.filter(outside).collect();
    let name = "boundary".to_owned();
    let groups = vec![Group { name, triangles }];
    Mesh {
        nodes,
        cells,
        groups,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cube_has_volume_one_and_a_closed_boundary() {
        let mesh = cube(3);
        let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [
                a[1] * b[2] - a[2] * b[1],
                a[2] * b[0] - a[0] * b[2],
                a[0] * b[1] - a[1] * b[0],
            ]
        };
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let volume = mesh.cells.iter().map(|cell| {
            let [a, b, c, d] = cell.map(|v| mesh.nodes[v]);
            dot(minus(b, a), cross(minus(c, a), minus(d, a))).abs() / 6.0
        });
        assert!((volume.sum::<f64>() - 1.0).abs() < 1e-14);
        let area = mesh.groups[0].triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(|v| mesh.nodes[v]);
            let normal = cross(minus(b, a), minus(c, a));
            dot(normal, normal).sqrt() / 2.0
        });
        assert!((area.sum::<f64>() - 6.0).abs() < 1e-13);
    }
}
