//! What the README shows is what the crate does.

use loopwright::{Cost, kernel};

kernel! {
    /// Element matrices of ∫ u v on affine tetrahedra, P1.
    pub fn mass(cells: &[[[f64; 3]; 4]], a: &mut [[[f64; 4]; 4]]) {
        static W: [f64; 4] = tabulate!(tetrahedron, quadrature(2), weights);
        static PHI: [[f64; 4]; 4] = tabulate!(tetrahedron, quadrature(2), lagrange(1));
        for e in 0..cells.len() {
            let det = determinant(&cells[e]);
            for q in 0..4 {
                for i in 0..4 {
                    for j in 0..4 {
                        a[e][i][j] += W[q] * det.abs() * PHI[q][i] * PHI[q][j];
                    }
                }
            }
        }
    }

    fn determinant(x: &[[f64; 3]; 4]) -> f64 {
        let mut j = [[0.0; 3]; 3];
        for r in 0..3 {
            for c in 0..3 {
                j[r][c] = x[c + 1][r] - x[0][r];
            }
        }
        j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1])
            - j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0])
            + j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0])
    }
}

/// The cells of the README's table row that starts so, as numbers.
fn row(start: &str) -> Vec<u64> {
    let text = include_str!("../README.md");
    let line = text.lines().find(|line| line.starts_with(start)).unwrap();
    let cells = line.split('|').skip(2);
    cells.filter_map(|cell| cell.trim().parse().ok()).collect()
}

#[test]
fn operations_are_those_of_the_report() {
    let numbers = |cost: &Cost| vec![cost.add, cost.mul, cost.operations()];
    assert_eq!(row("| as written"), numbers(&mass::REPORT.source));
    assert_eq!(row("| as expanded"), numbers(&mass::REPORT.expansion));
}

#[test]
fn the_kernel_shown_is_the_one_counted() {
    let text = include_str!("../README.md");
    let shown = text
        .split("```rust\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let (_, kernel) = shown.split_once("kernel! {").unwrap();
    assert!(include_str!("readme.rs").contains(kernel.trim()));
}
