//! A manufactured solution on refined cubes: errors in L2 and the orders at which they fall.

use std::error::Error;
use std::f64::consts::PI;

use comfy_table::{Table, presets};
use indicatif::ProgressBar;

use crate::assembly::Problem;
use crate::element::Element;
use crate::kernels::{p1_affine, p2_affine, p3_affine};
use crate::mesh::{Mesh, cube};
use crate::space::Space;
use crate::system::{Pattern, set_values, solve};

/// Where errors are measured: a rule that integrates the square of a quartic exactly, far above
/// what the errors' leading terms need.
pub static POINTS: [[f64; 3]; 45] = loopwright::tabulate!(tetrahedron, quadrature(8), points);
static WEIGHTS: [f64; 45] = loopwright::tabulate!(tetrahedron, quadrature(8), weights);

/// The barycentric coordinates of a point of the reference cell.
pub fn barycentric([x, y, z]: [f64; 3]) -> [f64; 4] {
    [1.0 - x - y - z, x, y, z]
}

fn exact([x, y, z]: [f64; 3]) -> f64 {
    (PI * x).sin() * (PI * y).sin() * (PI * z).sin()
}

/// Solves -Δu = 3π² u₀ with the solution u₀ = sin πx sin πy sin πz and shows how the error falls.
///
/// The right-hand side is interpolated in the space of the solution: that costs an error of one
/// order more than the degree, which is the order shown.
///
/// # Errors
///
/// Those of the solver.
pub fn run() -> Result<Table, Box<dyn Error>> {
    let progress = ProgressBar::new(10);
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header([
        "degree",
        "cubes",
        "cells",
        "unknowns",
        "error in L2",
        "order",
    ]);
    rows(&p1_affine::ELEMENT, &[2, 4, 8, 16], &mut table, &progress)?;
    rows(&p2_affine::ELEMENT, &[2, 4, 8], &mut table, &progress)?;
    rows(&p3_affine::ELEMENT, &[2, 4, 6], &mut table, &progress)?;
    progress.finish_and_clear();
    Ok(table)
}

/// The rows of one degree.
fn rows<const N: usize>(
    element: &Element<N, 4>,
    sizes: &[usize],
    table: &mut Table,
    progress: &ProgressBar,
) -> Result<(), Box<dyn Error>> {
    let mut before: Option<(usize, f64)> = None;
    for &n in sizes {
        let (mesh, space, error) = error_on_cube(element, n)?;
        let order = before.map_or("".to_owned(), |(coarse, larger)| {
            format!(
                "{:.2}",
                (larger / error).ln() / (n as f64 / coarse as f64).ln()
            )
        });
        table.add_row([
            element.degree.to_string(),
            format!("{n}³"),
            mesh.cells.len().to_string(),
            space.len().to_string(),
            format!("{error:.3e}"),
            order,
        ]);
        before = Some((n, error));
        progress.inc(1);
    }
    Ok(())
}

/// Solves on the cube of n³ cubes.
fn error_on_cube<const N: usize>(
    element: &Element<N, 4>,
    n: usize,
) -> Result<(Mesh<4>, Space<N>, f64), Box<dyn Error>> {
    let mesh = cube(n);
    let space = Space::new(&mesh, element.degree);
    let pattern = Pattern::new(&space.dofs, space.len());
    let f = space.interpolate(|point| 3.0 * PI * PI * exact(point));
    let problem = Problem {
        element,
        mesh: &mesh,
        space: &space,
        pattern: &pattern,
        f: &f,
    };
    let mut system = problem.assemble();
    let mut fixed = vec![None; space.len()];
    for triangle in mesh.groups.iter().flat_map(|group| &group.triangles) {
        for dof in space.on_triangle(triangle) {
            fixed[dof] = Some(0.0);
        }
    }
    set_values(&pattern, &mut system.values, &mut system.b, &fixed);
    let u = solve(&pattern, &system.values, &system.b)?;
    // All cells have the same volume, a sixth of a small cube's.
    let scale = 1.0 / (n as f64).powi(3);
    let mut square = 0.0;
    for (cell, dofs) in mesh.cells.iter().zip(&space.dofs) {
        for ((basis, point), weight) in element.basis.iter().zip(&POINTS).zip(&WEIGHTS) {
            let value: f64 = basis.iter().zip(dofs).map(|(phi, &dof)| phi * u[dof]).sum();
            let error = value - exact(mesh.point(cell, barycentric(*point)));
            square += weight * scale * error * error;
        }
    }
    Ok((mesh, space, square.sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_one_more_than_the_degree() {
        fn check<const N: usize>(element: &Element<N, 4>, [coarse, fine]: [usize; 2]) {
            let error = |n| match error_on_cube(element, n) {
                Ok((_, _, error)) => error,
                Err(error) => panic!("{error}"),
            };
            let ratio = fine as f64 / coarse as f64;
            let order = (error(coarse) / error(fine)).ln() / ratio.ln();
            let due = element.degree as f64 + 1.0;
            assert!(
                (order - due).abs() < 0.35,
                "degree {}: order {order}",
                element.degree
            );
        }
        check(&p1_affine::ELEMENT, [6, 12]);
        check(&p2_affine::ELEMENT, [3, 6]);
        check(&p3_affine::ELEMENT, [2, 4]);
    }
}
