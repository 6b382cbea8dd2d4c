//! Local arrays that are zero in blocks: matrices of strains, functions of vectors, element matrices.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

#[macro_use]
mod support;
use support::noise;

/// ∫ Bᵀ D B over triangles with functions of degree 2, `k` the inverses of Jacobians; `b` is filled as
/// the text says from the derivatives `g` of the function `n`.
macro_rules! strains {
    ($name:ident, |$b:ident: $rows:literal, $n:ident, $g:ident| $($fill:tt)*) => {
        kernel! {
            pub fn $name(
                k: &[[[f64; 2]; 2]],
                det: &[f64],
                d: &[[f64; $rows]; $rows],
                a: &mut [[[f64; 12]; 12]],
            ) {
                static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
                static DPHI: [[[f64; 6]; 6]; 2] =
                    tabulate!(triangle, quadrature(4), lagrange(2), gradient);
                for e in 0..k.len() {
                    for q in 0..6 {
                        let mut $b = [[0.0; 12]; $rows];
                        for $n in 0..6 {
                            let mut $g = [0.0; 2];
                            for c in 0..2 {
                                for r in 0..2 {
                                    $g[c] += k[e][r][c] * DPHI[r][q][$n];
                                }
                            }
                            $($fill)*
                        }
                        let mut db = [[0.0; 12]; $rows];
                        for r in 0..$rows {
                            for s in 0..$rows {
                                for j in 0..12 {
                                    db[r][j] += d[r][s] * $b[s][j];
                                }
                            }
                        }
                        for i in 0..12 {
                            for j in 0..12 {
                                let mut entry = 0.0;
                                for r in 0..$rows {
                                    entry += $b[r][i] * db[r][j];
                                }
                                a[e][i][j] += entry * W[q] * det[e];
                            }
                        }
                    }
                }
            }
        }
    };
}

strains!(interleaved, |b: 3, n, g| b[0][2 * n] = g[0];
    b[1][2 * n + 1] = g[1];
    b[2][2 * n] = g[1];
    b[2][2 * n + 1] = g[0];
);

strains!(by_component, |b: 3, n, g| b[0][n] = g[0];
    b[1][6 + n] = g[1];
    b[2][n] = g[1];
    b[2][6 + n] = g[0];
);

strains!(added, |b: 3, n, g| b[0][2 * n] += g[0];
    b[1][2 * n + 1] += g[1];
    b[2][2 * n] += 0.5 * g[1];
    b[2][2 * n] += 0.5 * g[1];
    b[2][2 * n + 1] += g[0];
);

strains!(gradients, |b: 4, n, g| for m in 0..2 {
    for c in 0..2 {
        b[2 * m + c][2 * n + m] = g[c];
    }
});

kernel! {
    /// Functions of vectors in three dimensions, their products summed in a local matrix.
    pub fn vector_mass(det: &[f64], rho: f64, a: &mut [[[f64; 30]; 30]]) {
        static W: [f64; 14] = tabulate!(tetrahedron, quadrature(4), weights);
        static PHI: [[f64; 10]; 14] = tabulate!(tetrahedron, quadrature(4), lagrange(2));
        for e in 0..det.len() {
            let mut mass = [[0.0; 30]; 30];
            for q in 0..14 {
                let mut phi = [[0.0; 30]; 3];
                for n in 0..10 {
                    for c in 0..3 {
                        phi[c][3 * n + c] = PHI[q][n];
                    }
                }
                for i in 0..30 {
                    for j in 0..30 {
                        for c in 0..3 {
                            mass[i][j] += W[q] * phi[c][i] * phi[c][j];
                        }
                    }
                }
            }
            for i in 0..30 {
                for j in 0..30 {
                    a[e][i][j] += rho * det[e] * mass[i][j];
                }
            }
        }
    }

    /// One is read at a neighbour, the other is not.
    pub fn neighbours(u: &[[f64; 8]], y: &mut [[[f64; 8]; 2]]) {
        for e in 0..u.len() {
            let mut b = [[0.0; 8]; 9];
            let mut c = [[0.0; 10]; 9];
            for n in 0..4 {
                b[0][2 * n] = u[e][n];
                b[7][2 * n + 1] = 2.0 * u[e][n + 4];
                c[0][2 * n + 1] = u[e][n];
            }
            for i in 0..8 {
                y[e][0][i] += b[0][i] * u[e][i] + c[0][i] * c[0][i + 2];
                for r in 0..9 {
                    y[e][1][i] += b[r][i] * u[e][i];
                }
            }
        }
    }
}

/// The Jacobians of some cells.
fn cells() -> (Vec<[[f64; 2]; 2]>, Vec<f64>) {
    let inverse = |e: usize| [0, 1].map(|r| [0, 1].map(|c| noise(4 * e + 2 * r + c)));
    ((0..19).map(inverse).collect(), (0..19).map(noise).collect())
}

fn moduli<const N: usize>() -> [[f64; N]; N] {
    std::array::from_fn(|r| std::array::from_fn(|c| noise(100 + r * N + c)))
}

#[test]
fn matrices_of_strains_take_what_their_components_take() {
    let (k, det) = cells();
    // Four products of tables with functions of the Jacobian for each entry, and these functions.
    let most = 144 * 8 + 170;
    macro_rules! check {
        ($kernel:ident, $most:expr) => {
            agrees!($kernel(&k, &det, &moduli()), [[0.25; 12]; 12]);
            let operations = $kernel::REPORT.expansion.operations();
            assert!(
                operations <= $most,
                "{operations} operations\n{}",
                $kernel::REPORT
            );
        };
    }
    check!(interleaved, most);
    check!(by_component, most);
    check!(added, most + 10);
    check!(gradients, most + 10);
}

#[test]
fn products_of_vectors_components_are_not_multiplied() {
    let (_, det) = cells();
    agrees!(vector_mass(&det, 0.7), [[0.25; 30]; 30]);
    // One product for each pair of functions, added to three entries.
    let operations = vector_mass::REPORT.expansion.operations();
    assert!(
        operations <= 100 + 300 + 1,
        "{operations} operations\n{}",
        vector_mass::REPORT
    );
}

#[test]
fn arrays_that_are_read_at_neighbours_stay() {
    let u: Vec<[f64; 8]> = (0..19)
        .map(|e| std::array::from_fn(|i| noise(8 * e + i)))
        .collect();
    agrees!(neighbours(&u), [[0.25; 8]; 2]);
}
