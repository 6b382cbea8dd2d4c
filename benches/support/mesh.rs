//! The mesh of the assembly benchmark.

/// The vertices of a tetrahedron.
pub type Cell = [[f64; 3]; 4];

/// The orders in which a path from one corner of a cube to the opposite one takes the axes: a
/// tetrahedron each.
const PATHS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// The unit cube, divided into `n` × `n` × `n` cubes of six tetrahedra. Half of them are
/// left-handed.
pub fn unit_cube(n: usize) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(6 * n * n * n);
    for z in 0..n {
        for y in 0..n {
            for x in 0..n {
                for path in PATHS {
                    let mut corner = [x, y, z];
                    let mut cell = [corner; 4];
                    for (vertex, axis) in cell[1..].iter_mut().zip(path) {
                        corner[axis] += 1;
                        *vertex = corner;
                    }
                    cells.push(cell.map(|vertex| vertex.map(|i| i as f64 / n as f64)));
                }
            }
        }
    }
    cells
}
