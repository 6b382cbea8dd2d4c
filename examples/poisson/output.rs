//! Writes the solution for ParaView.

use std::error::Error;
use std::path::Path;

use vtkio::model::{
    Attribute, Attributes, ByteOrder, CellType, Cells, DataArrayBase, DataSet, ElementType,
    UnstructuredGridPiece, Version, VertexNumbers, Vtk,
};

use crate::mesh::EDGES;
use crate::space::{GLL, Space};

/// VTK's order of a quadratic tetrahedron's nodes: edges (0,1), (1,2), (0,2), (0,3), (1,3), (2,3)
/// where the element has (2,3), (1,3), (1,2), (0,3), (0,2), (0,1).
const QUADRATIC: [usize; 10] = [0, 1, 2, 3, 9, 6, 8, 7, 5, 4];

/// VTK's order of a cubic Lagrange tetrahedron's nodes: the same edges with two nodes each, those
/// of (0,2) from vertex 2 to vertex 0, then faces (0,1,3), (1,2,3), (0,2,3), (0,1,2).
const CUBIC: [usize; 20] = [
    0, 1, 2, 3, 14, 15, 8, 9, 13, 12, 10, 11, 6, 7, 4, 5, 18, 16, 17, 19,
];

/// Writes a function of a space, on linear, quadratic or cubic cells as its degree is: what
/// ParaView shows inside a cell is the function itself. Linear functions lose the cells'
/// curvature. The file is XML, its name ends in `.vtu`.
///
/// # Errors
///
/// A file that cannot be written. The message names the file.
pub fn write<const N: usize>(
    path: &Path,
    space: &Space<N>,
    u: &[f64],
) -> Result<(), Box<dyn Error>> {
    let mut points = space.points.clone();
    let mut u: Vec<[f64; 1]> = u.iter().map(|&value| [value]).collect();
    let (order, kind) = match N {
        4 => (&QUADRATIC[..4], CellType::Tetra),
        10 => (&QUADRATIC[..], CellType::QuadraticTetra),
        _ => {
            space_evenly(space, &mut points);
            space_evenly(space, &mut u);
            (&CUBIC[..], CellType::LagrangeTetrahedron)
        }
    };
    let nodes = space
        .dofs
        .iter()
        .flat_map(|dofs| order.iter().map(|&i| dofs[i] as u64));
    let connectivity = nodes.collect();
    let offsets = (1..=space.dofs.len())
        .map(|e| (e * order.len()) as u64)
        .collect();
    let values = DataArrayBase {
        name: "u".to_owned(),
        elem: ElementType::Scalars {
            num_comp: 1,
            lookup_table: None,
        },
        data: u.concat().into(),
    };
    let piece = UnstructuredGridPiece {
        points: points.concat().into(),
        cells: Cells {
            cell_verts: VertexNumbers::XML {
                connectivity,
                offsets,
            },
            types: vec![kind; space.dofs.len()],
        },
        data: Attributes {
            point: vec![Attribute::DataArray(values)],
            cell: Vec::new(),
        },
    };
    let vtk = Vtk {
        version: Version::Auto,
        title: "Poisson's equation, by loopwright".to_owned(),
        byte_order: ByteOrder::LittleEndian,
        data: DataSet::inline(piece),
        file_path: None,
    };
    vtk.export(path)
        .map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Moves the inner nodes of cubic edges from the element's points to thirds, where VTK has them:
/// evaluates a function there, given by its values at the element's nodes. The points of a curved
/// cell are such a function too. Vertices and the middles of faces stay.
fn space_evenly<const N: usize, const C: usize>(space: &Space<N>, values: &mut [[f64; C]]) {
    let nodes = [0.0, 0.5 - GLL, 0.5 + GLL, 1.0];
    let basis = [1.0 / 3.0, 2.0 / 3.0].map(|t| cubic_basis(nodes, t));
    let given = values.to_vec();
    for dofs in &space.dofs {
        for (edge, [a, b]) in EDGES.iter().enumerate() {
            let inner = [dofs[4 + 2 * edge], dofs[5 + 2 * edge]];
            let along = [dofs[*a], inner[0], inner[1], dofs[*b]];
            for (to, basis) in inner.iter().zip(&basis) {
                values[*to] = std::array::from_fn(|c| {
                    along
                        .iter()
                        .zip(basis)
                        .map(|(&dof, phi)| phi * given[dof][c])
                        .sum()
                });
            }
        }
    }
}

/// The values at `t` of the cubic polynomials that are 1 at one of four nodes and 0 at the others.
fn cubic_basis(nodes: [f64; 4], t: f64) -> [f64; 4] {
    std::array::from_fn(|i| {
        let others = (0..4).filter(|&j| j != i);
        others
            .map(|j| (t - nodes[j]) / (nodes[i] - nodes[j]))
            .product()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::cube;

    #[test]
    fn cubic_functions_are_written_at_thirds_of_the_edges() {
        let space = Space::<20>::new(&cube(2), 3);
        let function = |[x, y, z]: [f64; 3]| x * x * y - 2.0 * z * z * z + x * y * z;
        let u = space.interpolate(function);
        let mut values: Vec<[f64; 1]> = u.iter().map(|&value| [value]).collect();
        let mut points = space.points.clone();
        space_evenly(&space, &mut values);
        space_evenly(&space, &mut points);
        for (point, value) in points.iter().zip(&values) {
            assert!((function(*point) - value[0]).abs() < 1e-14, "at {point:?}");
        }
        // VTK's node k of an edge from a to b is at (k + 1) thirds of the way.
        let edges = [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];
        for dofs in &space.dofs {
            for (edge, [a, b]) in edges.iter().enumerate() {
                for k in 0..2 {
                    let node = points[dofs[CUBIC[4 + 2 * edge + k]]];
                    let t = (k + 1) as f64 / 3.0;
                    let [a, b] = [a, b].map(|&v| space.points[dofs[v]]);
                    for d in 0..3 {
                        assert!((node[d] - (a[d] + t * (b[d] - a[d]))).abs() < 1e-15);
                    }
                }
            }
        }
    }
}
