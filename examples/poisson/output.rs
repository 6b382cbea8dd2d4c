//! Writes the solution for ParaView.

use std::error::Error;
use std::path::Path;

use vtkio::model::{
    Attribute, Attributes, ByteOrder, CellType, Cells, DataArrayBase, DataSet, ElementType,
    UnstructuredGridPiece, Version, VertexNumbers, Vtk,
};

use crate::space::Space;

/// VTK's order of a quadratic tetrahedron's nodes: edges (0,1), (1,2), (0,2), (0,3), (1,3), (2,3)
/// where the element has (2,3), (1,3), (1,2), (0,3), (0,2), (0,1).
const TO_VTK: [usize; 10] = [0, 1, 2, 3, 9, 6, 8, 7, 5, 4];

/// Writes a function of a space: quadratic ones on quadratic cells, the others by their values at
/// the vertices on linear cells. The file is XML, its name ends
/// in `.vtu`.
///
/// # Errors
///
/// A file that cannot be written. The message names the file.
pub fn write<const N: usize>(
    path: &Path,
    space: &Space<N>,
    u: &[f64],
) -> Result<(), Box<dyn Error>> {
    let (order, count, kind) = match N {
        10 => (&TO_VTK[..], space.len(), CellType::QuadraticTetra),
        _ => (&TO_VTK[..4], space.vertices, CellType::Tetra),
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
        data: u[..count].to_vec().into(),
    };
    let piece = UnstructuredGridPiece {
        points: space.points[..count].concat().into(),
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
