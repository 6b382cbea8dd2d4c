//! Spaces of functions on cells that meet in any order.

use crate::convergence::{POINTS, barycentric};
use crate::kernels::{p2_affine, p3_affine};
use crate::mesh::{Mesh, cube};
use crate::space::{Space, reference_nodes};

/// A cube whose vertices are numbered at random, so that edges run in all directions.
fn shuffled_cube(n: usize) -> Mesh<4> {
    let mut mesh = cube(n);
    let count = mesh.nodes.len();
    let to: Vec<usize> = (0..count).map(|v| (v * 11 + 5) % count).collect();
    let mut nodes = mesh.nodes.clone();
    for (v, &to) in to.iter().enumerate() {
        nodes[to] = mesh.nodes[v];
    }
    mesh.nodes = nodes;
    for cell in &mut mesh.cells {
        *cell = cell.map(|v| to[v]);
        let by = cell[0] % 4;
        cell.rotate_left(by);
    }
    mesh
}

/// Interpolating a polynomial of the space's degree gives that polynomial on every cell, only
/// if neighbours agree on the nodes that they share.
fn reproduces<const N: usize>(basis: &[[f64; N]], degree: i32) {
    let mesh = shuffled_cube(3);
    let space: Space<N> = Space::new(&mesh, degree as usize);
    let polynomial = |[x, y, z]: [f64; 3]| {
        (1.0 + x - 2.0 * y + 0.5 * z).powi(degree) + x * y
            - if degree > 2 { x * y * z } else { 0.0 }
    };
    let u = space.interpolate(polynomial);
    for (cell, dofs) in mesh.cells.iter().zip(&space.dofs) {
        for (basis, point) in basis.iter().zip(&POINTS) {
            let value: f64 = basis.iter().zip(dofs).map(|(phi, &dof)| phi * u[dof]).sum();
            let exact = polynomial(mesh.point(cell, barycentric(*point)));
            assert!((value - exact).abs() < 1e-12, "{value} for {exact}");
        }
    }
}

#[test]
fn quadratic_functions_are_continuous() {
    reproduces(p2_affine::ELEMENT.basis, 2);
}

#[test]
fn cubic_functions_are_continuous() {
    reproduces(p3_affine::ELEMENT.basis, 3);
}

#[test]
fn dimensions_are_those_of_the_cube() {
    // A cube of n³ cubes carries (degree n + 1)³ functions.
    let mesh = shuffled_cube(2);
    assert_eq!(Space::<4>::new(&mesh, 1).len(), 27);
    assert_eq!(Space::<10>::new(&mesh, 2).len(), 125);
    assert_eq!(Space::<20>::new(&mesh, 3).len(), 343);
    assert_eq!(Space::<35>::new(&mesh, 4).len(), 729);
}

#[test]
fn cells_agree_on_where_shared_nodes_are() {
    let mesh = shuffled_cube(3);
    let space = Space::<35>::new(&mesh, 4);
    for (cell, dofs) in mesh.cells.iter().zip(&space.dofs) {
        for (node, &dof) in reference_nodes(4).into_iter().zip(dofs) {
            let here = mesh.point(cell, node);
            let there = space.points[dof];
            let apart = here.iter().zip(there).map(|(a, b)| (a - b).abs());
            assert!(apart.fold(0.0, f64::max) < 1e-14, "{here:?}, {there:?}");
        }
    }
}
