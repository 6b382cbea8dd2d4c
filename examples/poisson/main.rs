//! Poisson's equation on a mesh of tetrahedra, assembled by kernels of loopwright.
//!
//! ```text
//! cargo run --release --example poisson -- [MESH] [--degree 1|2|3] [--dirichlet NAME[=VALUE]] …
//! cargo run --release --example poisson -- --convergence
//! ```
//!
//! It reads a Gmsh mesh (`gmsh`), numbers a continuous Lagrange space (`space`), assembles
//! ∫ ∇u·∇v and ∫ f v straight into compressed rows (`kernels`, `assembly`), sets boundary values
//! and solves (`system`), and writes a file for ParaView (`output`). `kernels` is the part that
//! loopwright is about.

mod assembly;
mod cli;
mod convergence;
mod element;
#[path = "../support/gmsh.rs"]
mod gmsh;
mod kernels;
#[path = "../support/mesh.rs"]
mod mesh;
mod output;
#[path = "../support/space.rs"]
mod space;
#[cfg(test)]
mod space_tests;
mod summary;
mod system;
#[path = "../support/table.rs"]
mod table;

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use assembly::Problem;
use cli::{Arguments, Dirichlet};
use element::Element;
use kernels::{p1_affine, p1_curved, p2_affine, p2_curved, p3_affine, p3_curved};
use mesh::{AnyMesh, Mesh};
use space::Space;
use summary::Summary;
use system::{Pattern, residual, set_values, solve};

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    if arguments.convergence {
        println!("{}", convergence::run()?);
        return Ok(());
    }
    let progress = progress()?;
    progress.set_message("reading the mesh");
    match (gmsh::read(&arguments.mesh)?, arguments.degree) {
        (AnyMesh::Affine(mesh), 1) => poisson(&p1_affine::ELEMENT, &mesh, arguments, &progress),
        (AnyMesh::Affine(mesh), 2) => poisson(&p2_affine::ELEMENT, &mesh, arguments, &progress),
        (AnyMesh::Affine(mesh), _) => poisson(&p3_affine::ELEMENT, &mesh, arguments, &progress),
        (AnyMesh::Curved(mesh), 1) => poisson(&p1_curved::ELEMENT, &mesh, arguments, &progress),
        (AnyMesh::Curved(mesh), 2) => poisson(&p2_curved::ELEMENT, &mesh, arguments, &progress),
        (AnyMesh::Curved(mesh), _) => poisson(&p3_curved::ELEMENT, &mesh, arguments, &progress),
    }
}

/// A bar with a clock; it hides where nobody looks.
fn progress() -> Result<ProgressBar, Box<dyn Error>> {
    let progress = ProgressBar::new(4).with_finish(ProgressFinish::AndClear);
    progress.set_style(ProgressStyle::with_template("{bar:24} {elapsed:>4} {msg}")?);
    progress.enable_steady_tick(Duration::from_millis(100));
    Ok(progress)
}

/// Solves on one mesh with one element.
fn poisson<const N: usize, const G: usize>(
    element: &Element<N, G>,
    mesh: &Mesh<G>,
    arguments: &Arguments,
    progress: &ProgressBar,
) -> Result<(), Box<dyn Error>> {
    let next = |message: &'static str| {
        progress.inc(1);
        progress.set_message(message);
    };
    next("numbering the unknowns");
    let space = Space::new(mesh, element.degree);
    let fixed = fixed_values(mesh, &space, &arguments.dirichlet)?;
    let pattern = Pattern::new(&space.dofs, space.len());
    let f = vec![1.0; space.len()];
    let (space, pattern, f) = (&space, &pattern, &f[..]);
    let problem = Problem {
        element,
        mesh,
        space,
        pattern,
        f,
    };

    progress.inc_length(problem.ticks() as u64);
    next("assembling, each variant in turn");
    let timings = problem.time(|| progress.inc(1));
    let mut system = problem.assemble();

    next("solving");
    set_values(pattern, &mut system.values, &mut system.b, &fixed);
    let u = solve(pattern, &system.values, &system.b)?;
    let residual = residual(pattern, &system.values, &system.b, &u);

    next("writing");
    output::write(&arguments.output, space, &u)?;
    progress.finish_and_clear();

    let summary = Summary {
        cells: mesh.cells.len(),
        dofs: space.len(),
        nonzeros: pattern.columns.len(),
        reports: [element.stiffness.report, element.load.report],
        residual,
        range: [
            u.iter().copied().fold(f64::INFINITY, f64::min),
            u.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        ],
    };
    println!("{}\n{}", summary.table(), summary::timings(&timings));
    println!("The solution is in {}.", arguments.output.display());
    Ok(())
}

/// The values of the unknowns on the Dirichlet groups.
fn fixed_values<const N: usize, const G: usize>(
    mesh: &Mesh<G>,
    space: &Space<N>,
    conditions: &[Dirichlet],
) -> Result<Vec<Option<f64>>, Box<dyn Error>> {
    let mut fixed = vec![None; space.len()];
    for Dirichlet { name, value } in conditions {
        let Some(group) = mesh.groups.iter().find(|group| group.name == *name) else {
            let names: Vec<&str> = mesh.groups.iter().map(|group| &group.name[..]).collect();
            let names = match &names[..] {
                [] => "none; physical groups of surfaces make some".to_owned(),
                names => names.join(", "),
            };
            return Err(format!(
                "the mesh has no physical group `{name}` to set u on (--dirichlet); it has {names}"
            )
            .into());
        };
        for dof in group
            .triangles
            .iter()
            .flat_map(|triangle| space.on_triangle(triangle))
        {
            fixed[dof] = Some(*value);
        }
    }
    Ok(fixed)
}
