//! One form of one degree on the mesh: matrices, action, their agreement and their times.

use std::time::Instant;

use loopwright::Report;

use crate::mesh::Mesh;
use crate::space::Space;

/// How often a time is taken; the shortest counts.
const ROUNDS: usize = 5;
/// Matrices that are computed at once.
const BATCH: usize = 256;
/// The largest difference that rounding makes, relative to the largest value.
const ROUNDING: f64 = 1e-12;

/// A mesh with functions on it.
pub struct Data<const NODES: usize> {
    /// The vertices of each cell.
    pub cells: Vec<[[f64; 3]; 4]>,
    /// The nodes of each cell.
    pub dofs: Vec<[usize; NODES]>,
    /// The coefficient at the nodes, and at those of each cell.
    pub density: Vec<f64>,
    /// The same for each cell.
    pub densities: Vec<[f64; NODES]>,
    /// The displacement at the nodes.
    pub displacement: Vec<[f64; 3]>,
    /// The same for each cell.
    pub displacements: Vec<[[f64; 3]; NODES]>,
    /// The function that the matrix is applied to: three numbers a node. Forms of scalars take the first
    /// third.
    u: Vec<f64>,
}

impl<const NODES: usize> Data<NODES> {
    /// Functions of a degree on a mesh.
    pub fn new(mesh: &Mesh<4>, degree: usize) -> Self {
        let space = Space::<NODES>::new(mesh, degree);
        let all = space.points.iter().flatten();
        let size = all.fold(0.0_f64, |size, x| size.max(x.abs()));
        let points = space.points.iter().map(|point| point.map(|x| x / size));
        let density: Vec<f64> = points.clone().map(|[x, y, z]| 2.0 + x * y - z).collect();
        let bend = |[x, y, z]: [f64; 3]| [x * z, y * z, -x * x].map(|d| 0.1 * size * d);
        let displacement: Vec<[f64; 3]> = points.clone().map(bend).collect();
        let wave = |[x, y, z]: [f64; 3]| [(3.0 * x).sin(), (5.0 * y).cos(), x - z];
        Self {
            cells: mesh
                .cells
                .iter()
                .map(|cell| cell.map(|v| mesh.nodes[v]))
                .collect(),
            densities: space
                .dofs
                .iter()
                .map(|cell| cell.map(|n| density[n]))
                .collect(),
            displacements: space
                .dofs
                .iter()
                .map(|cell| cell.map(|n| displacement[n]))
                .collect(),
            u: points.flat_map(wave).collect(),
            dofs: space.dofs,
            density,
            displacement,
        }
    }
}

/// Adds the matrices of the cells from a number on.
pub type Matrices<'a, const DOFS: usize> = dyn Fn(usize, &mut [[[f64; DOFS]; DOFS]]) + 'a;

/// A form's kernels: their calls and their reports.
pub struct Kernels<'a, const DOFS: usize> {
    /// Adds the matrices of the cells from a number on.
    pub matrices: &'a Matrices<'a, DOFS>,
    /// Adds the matrix times a function to another one.
    pub action: &'a dyn Fn(&[f64], &mut [f64]),
    /// What the macro did to each.
    pub reports: [&'static Report; 2],
}

/// What came of one of a form's kernels.
pub struct Row {
    /// Operations a cell, as written and as expanded.
    pub operations: [u64; 2],
    /// Nanoseconds a cell.
    pub time: f64,
}

/// What came of a form.
pub struct Outcome {
    /// Of the matrices and of the action.
    pub rows: [Row; 2],
    /// Between the action and the matrices times the function, relative to the largest value.
    pub difference: f64,
}

/// Runs both kernels.
///
/// # Errors
///
/// If they disagree by more than rounding.
pub fn measure<const NODES: usize, const DOFS: usize>(
    data: &Data<NODES>,
    kernels: &Kernels<DOFS>,
) -> Result<Outcome, String> {
    let components = DOFS / NODES;
    let u = &data.u[..data.density.len() * components];
    let mut times = [f64::INFINITY; 2];
    let mut products = vec![0.0; u.len()];
    let mut y = vec![0.0; u.len()];
    for _ in 0..ROUNDS {
        let seconds = multiply(data, kernels.matrices, u, &mut products);
        times[0] = times[0].min(seconds);
        y.fill(0.0);
        let start = Instant::now();
        (kernels.action)(u, &mut y);
        times[1] = times[1].min(start.elapsed().as_secs_f64());
    }
    let largest = y.iter().fold(0.0_f64, |largest, y| largest.max(y.abs()));
    let differences = y.iter().zip(&products).map(|(a, b)| (a - b).abs());
    let difference = differences.fold(0.0, f64::max) / largest;
    if difference.is_nan() || difference > ROUNDING {
        let names = kernels.reports.map(|report| report.kernel);
        return Err(format!("{names:?} differ by {difference:e}"));
    }
    let row = |which: usize| {
        let report: &Report = kernels.reports[which];
        Row {
            operations: [report.source, report.expansion].map(|cost| cost.operations()),
            time: times[which] * 1e9 / data.cells.len() as f64,
        }
    };
    Ok(Outcome {
        rows: [row(0), row(1)],
        difference,
    })
}

/// Multiplies the matrices, batch by batch; the seconds that computing them took.
fn multiply<const NODES: usize, const DOFS: usize>(
    data: &Data<NODES>,
    matrices: &Matrices<DOFS>,
    u: &[f64],
    y: &mut [f64],
) -> f64 {
    let components = DOFS / NODES;
    let mut batch = vec![[[0.0; DOFS]; DOFS]; BATCH.min(data.dofs.len())];
    let mut seconds = 0.0;
    y.fill(0.0);
    for (first, cells) in data.dofs.chunks(BATCH).enumerate() {
        let a = &mut batch[..cells.len()];
        a.as_flattened_mut().as_flattened_mut().fill(0.0);
        let start = Instant::now();
        matrices(first * BATCH, a);
        seconds += start.elapsed().as_secs_f64();
        for (a, nodes) in a.iter().zip(cells) {
            let place = |local: usize| nodes[local / components] * components + local % components;
            for (i, row) in a.iter().enumerate() {
                let products = row.iter().enumerate().map(|(j, a)| a * u[place(j)]);
                y[place(i)] += products.sum::<f64>();
            }
        }
    }
    seconds
}
