//! Mass, Helmholtz, elasticity and hyperelasticity on a mesh of tetrahedra: element matrices, and the
//! action of the matrix without it.
//!
//! ```text
//! cargo run --release --example forms -- [MESH] [--form FORM] … [--degree 1|2|3|4]
//! ```
//!
//! It reads a Gmsh mesh, computes the matrices of all cells and the action, checks that the action is
//! the matrices times the function, and prints operations and times. The loops are in `nests`, the
//! kernels made of them in `kernels`, the package's library.

mod cli;
#[path = "../support/gmsh.rs"]
mod gmsh;
mod measure;
#[allow(dead_code, reason = "cubes and curved cells are for the other example")]
#[path = "../support/mesh.rs"]
mod mesh;
#[allow(dead_code, reason = "boundaries are for the other example")]
#[path = "../support/space.rs"]
mod space;
#[path = "../support/table.rs"]
mod table;

use std::error::Error;
use std::process::ExitCode;

use clap::Parser;
use comfy_table::Table;

use cli::{Arguments, Form};
use measure::{Data, Kernels, Outcome, measure};
use mesh::{AnyMesh, Mesh};

/// The material of hyperelasticity: λ and μ.
const MATERIAL: [f64; 2] = [0.7, 1.3];

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(table) => {
            println!("{table}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<Table, Box<dyn Error>> {
    let AnyMesh::Affine(mesh) = gmsh::read(&arguments.mesh)? else {
        let mesh = arguments.mesh.display();
        return Err(format!("{mesh}: curved cells; the forms are those of affine ones").into());
    };
    println!("{} cells; times are nanoseconds a cell.", mesh.cells.len());
    let mut table = table::new_table();
    table.set_header([
        "form",
        "degree",
        "kernel",
        "as written",
        "operations",
        "ns",
        "GFlop/s",
        "difference",
    ]);
    for form in [
        Form::Mass,
        Form::Helmholtz,
        Form::Elasticity,
        Form::Hyperelasticity,
    ] {
        for degree in 1..=4 {
            if arguments.wants(form, degree) {
                add_rows(&mut table, form, degree, &outcome(form, degree, &mesh)?);
            }
        }
    }
    Ok(table::align_right(table, 7))
}

fn add_rows(table: &mut Table, form: Form, degree: u8, outcome: &Outcome) {
    let names = ["matrices", "action"];
    for (row, kernel) in outcome.rows.iter().zip(names) {
        let [written, expanded] = row.operations;
        let difference = match kernel {
            "action" => format!("{:.1e}", outcome.difference),
            _ => String::new(),
        };
        table.add_row([
            format!("{form:?}").to_lowercase(),
            degree.to_string(),
            kernel.to_owned(),
            written.to_string(),
            expanded.to_string(),
            format!("{:.0}", row.time),
            format!("{:.1}", expanded as f64 / row.time),
            difference,
        ]);
    }
}

/// Calls the kernels of a form of scalars.
macro_rules! scalar {
    ($module:ident, $mesh:ident, $degree:literal, $nodes:literal) => {{
        use loopwright_meshed_forms::$module::{action, matrices};
        let data = Data::<$nodes>::new($mesh, $degree);
        let matrices_of = |first: usize, a: &mut [[[f64; $nodes]; $nodes]]| {
            let range = first..first + a.len();
            matrices(&data.cells[range.clone()], &data.densities[range], a);
        };
        let kernels = Kernels {
            matrices: &matrices_of,
            action: &|u, y| action(&data.cells, &data.dofs, &data.density, u, y),
            reports: [&matrices::REPORT, &action::REPORT],
        };
        measure(&data, &kernels)
    }};
}

/// The same for vectors.
macro_rules! vector {
    ($module:ident, $mesh:ident, $degree:literal, $nodes:literal,
     matrices: $coefficients:ident, action: $values:ident $(, $material:ident)*) => {{
        use loopwright_meshed_forms::$module::{action, matrices};
        const DOFS: usize = 3 * $nodes;
        let data = Data::<$nodes>::new($mesh, $degree);
        $(let $material = MATERIAL[vector!(@ $material)];)*
        let matrices_of = |first: usize, a: &mut [[[f64; DOFS]; DOFS]]| {
            let range = first..first + a.len();
            let cells = &data.cells[range.clone()];
            matrices(cells, &data.$coefficients[range] $(, $material)*, a);
        };
        let action_of = |u: &[f64], y: &mut [f64]| {
            let (u, y) = (u.as_chunks().0, y.as_chunks_mut().0);
            action(&data.cells, &data.dofs, &data.$values $(, $material)*, u, y);
        };
        let kernels = Kernels {
            matrices: &matrices_of,
            action: &action_of,
            reports: [&matrices::REPORT, &action::REPORT],
        };
        measure(&data, &kernels)
    }};
    (@ lambda) => { 0 };
    (@ mu) => { 1 };
}

/// Runs a form of a degree.
fn outcome(form: Form, degree: u8, mesh: &Mesh<4>) -> Result<Outcome, String> {
    match (form, degree) {
        (Form::Mass, 1) => scalar!(mass_p1, mesh, 1, 4),
        (Form::Mass, 2) => scalar!(mass_p2, mesh, 2, 10),
        (Form::Mass, 3) => scalar!(mass_p3, mesh, 3, 20),
        (Form::Mass, _) => scalar!(mass_p4, mesh, 4, 35),
        (Form::Helmholtz, 1) => scalar!(helmholtz_p1, mesh, 1, 4),
        (Form::Helmholtz, 2) => scalar!(helmholtz_p2, mesh, 2, 10),
        (Form::Helmholtz, 3) => scalar!(helmholtz_p3, mesh, 3, 20),
        (Form::Helmholtz, _) => scalar!(helmholtz_p4, mesh, 4, 35),
        (Form::Elasticity, 1) => {
            vector!(elasticity_p1, mesh, 1, 4, matrices: densities, action: density)
        }
        (Form::Elasticity, 2) => {
            vector!(elasticity_p2, mesh, 2, 10, matrices: densities, action: density)
        }
        (Form::Elasticity, 3) => {
            vector!(elasticity_p3, mesh, 3, 20, matrices: densities, action: density)
        }
        (Form::Elasticity, _) => {
            vector!(elasticity_p4, mesh, 4, 35, matrices: densities, action: density)
        }
        (Form::Hyperelasticity, 1) => vector!(
            hyperelasticity_p1, mesh, 1, 4, matrices: displacements, action: displacement, lambda, mu
        ),
        (Form::Hyperelasticity, 2) => vector!(
            hyperelasticity_p2, mesh, 2, 10, matrices: displacements, action: displacement, lambda, mu
        ),
        (Form::Hyperelasticity, 3) => vector!(
            hyperelasticity_p3, mesh, 3, 20, matrices: displacements, action: displacement, lambda, mu
        ),
        (Form::Hyperelasticity, _) => vector!(
            hyperelasticity_p4, mesh, 4, 35, matrices: displacements, action: displacement, lambda, mu
        ),
    }
}
