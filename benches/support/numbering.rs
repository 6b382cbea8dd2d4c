//! The nodes of Lagrange elements on the mesh of the benchmarks.

use super::mesh::Cell;

/// How many nodes the unit cube has with `n` cells along each axis.
pub fn nodes(n: usize, degree: usize) -> usize {
    (n * degree + 1).pow(3)
}

/// The nodes of each cell; cells that touch have some in common. Their order in a cell is that of
/// their coordinates: what is computed with them takes as long as in any other.
pub fn numbering<const NODES: usize>(
    n: usize,
    degree: usize,
    cells: &[Cell],
) -> Vec<[usize; NODES]> {
    let along = n * degree + 1;
    let weights: Vec<[usize; 4]> = (0..(degree + 1).pow(3))
        .map(|at| [at, at / (degree + 1), at / (degree + 1).pow(2)].map(|w| w % (degree + 1)))
        .filter(|w| w.iter().sum::<usize>() <= degree)
        .map(|[a, b, c]| [a, b, c, degree - a - b - c])
        .collect();
    assert_eq!(weights.len(), NODES, "the nodes of degree {degree}");
    let number = |cell: &Cell, weights: &[usize; 4]| {
        let corner = |v: usize, axis: usize| (cell[v][axis] * n as f64).round() as usize;
        let place = |axis: usize| (0..4).map(|v| weights[v] * corner(v, axis)).sum::<usize>();
        (place(2) * along + place(1)) * along + place(0)
    };
    let of = |cell: &Cell| std::array::from_fn(|i| number(cell, &weights[i]));
    cells.iter().map(of).collect()
}
