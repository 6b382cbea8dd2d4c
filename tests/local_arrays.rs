//! Local arrays in other shapes than those of the results, and what sums start from.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

#[macro_use]
mod support;
use support::noise;

/// ∫ ∇u·∇v over tetrahedra with functions of degree 2 in a local matrix; the text says how it is
/// declared, subscripted, and added to the result.
macro_rules! stiffness {
    ($name:ident, $a:ident: $result:ty, $matrix:ident = $zeros:expr,
        |$e:ident, $i:ident, $j:ident| $entry:expr, $($added:tt)*) => {
        kernel! {
            pub fn $name(k: &[[[f64; 3]; 3]], det: &[f64], $a: &mut [$result]) {
                static W: [f64; 4] = tabulate!(tetrahedron, quadrature(2), weights);
                static DPHI: [[[f64; 10]; 4]; 3] =
                    tabulate!(tetrahedron, quadrature(2), lagrange(2), gradient);
                for $e in 0..k.len() {
                    let mut $matrix = $zeros;
                    for q in 0..4 {
                        let mut g = [[0.0; 3]; 10];
                        for n in 0..10 {
                            for d in 0..3 {
                                for r in 0..3 {
                                    g[n][d] += k[$e][r][d] * DPHI[r][q][n];
                                }
                            }
                        }
                        for $i in 0..10 {
                            for $j in 0..10 {
                                for d in 0..3 {
                                    $entry += W[q] * det[$e] * g[$i][d] * g[$j][d];
                                }
                            }
                        }
                    }
                    $($added)*
                }
            }
        }
    };
}

stiffness!(square, a: [[f64; 10]; 10], m = [[0.0; 10]; 10], |e, i, j| m[i][j],
for r in 0..10 {
    for c in 0..10 {
        a[e][r][c] += m[r][c];
    }
});

stiffness!(flat, a: [[f64; 10]; 10], m = [0.0; 100], |e, i, j| m[10 * i + j],
for r in 0..10 {
    for c in 0..10 {
        a[e][r][c] += m[10 * r + c];
    }
});

stiffness!(both_flat, a: [[f64; 100]; 1], m = [0.0; 100], |e, i, j| m[10 * i + j],
for k in 0..100 {
    a[e][0][k] += m[k];
});

stiffness!(in_a_row, a: [[f64; 100]; 1], m = [[0.0; 10]; 10], |e, i, j| m[i][j],
for r in 0..10 {
    for c in 0..10 {
        a[e][0][c + 10 * r] += m[r][c];
    }
});

kernel! {
    /// A flat matrix that is no matrix: its rows overlap.
    pub fn overlapping(x: &[[f64; 8]], y: &mut [[[f64; 80]; 1]]) {
        for e in 0..x.len() {
            let mut m = [0.0; 80];
            for i in 0..8 {
                for j in 0..8 {
                    m[8 * i + 2 * j] += x[e][i] * x[e][j];
                }
            }
            for k in 0..80 {
                y[e][0][k] += m[k] * x[e][0];
            }
        }
    }

    /// Deformation gradients start from the identity.
    pub fn from_identity(
        k: &[[[f64; 3]; 3]],
        u: &[[[f64; 3]; 10]],
        y: &mut [[[f64; 3]; 10]],
    ) {
        static W: [f64; 4] = tabulate!(tetrahedron, quadrature(2), weights);
        static DPHI: [[[f64; 10]; 4]; 3] =
            tabulate!(tetrahedron, quadrature(2), lagrange(2), gradient);
        for e in 0..k.len() {
            for q in 0..4 {
                let mut f = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                for n in 0..10 {
                    for c in 0..3 {
                        for d in 0..3 {
                            for r in 0..3 {
                                f[c][d] += u[e][n][c] * k[e][r][d] * DPHI[r][q][n];
                            }
                        }
                    }
                }
                for i in 0..10 {
                    for c in 0..3 {
                        for d in 0..3 {
                            for r in 0..3 {
                                y[e][i][c] += W[q] * f[c][d] * k[e][r][d] * DPHI[r][q][i];
                            }
                        }
                    }
                }
            }
        }
    }

    /// One sum is assigned, and another one added to it.
    pub fn continued(x: &[[f64; 8]], y: &mut [[[f64; 10]; 1]]) {
        static W: [f64; 14] = tabulate!(tetrahedron, quadrature(4), weights);
        static PHI: [[f64; 10]; 14] = tabulate!(tetrahedron, quadrature(4), lagrange(2));
        for e in 0..x.len() {
            for i in 0..10 {
                let mut load = 0.0;
                let mut more = 0.0;
                for q in 0..14 {
                    load += W[q] * PHI[q][i] * x[e][0];
                    more += W[q] * PHI[q][i] * PHI[q][i] * x[e][1];
                }
                y[e][0][i] = load;
                y[e][0][i] += more;
            }
        }
    }
}

fn matrices(seed: usize) -> Vec<[[f64; 3]; 3]> {
    let matrix = |e: usize| [0, 1, 2].map(|r| [0, 1, 2].map(|c| noise(seed + 9 * e + 3 * r + c)));
    (0..19).map(matrix).collect()
}

#[test]
fn local_matrices_may_be_flat() {
    let (k, det) = (matrices(0), (0..19).map(noise).collect::<Vec<f64>>());
    agrees!(square(&k, &det), [[0.25; 10]; 10]);
    agrees!(flat(&k, &det), [[0.25; 10]; 10]);
    agrees!(both_flat(&k, &det), [[0.25; 100]; 1]);
    agrees!(in_a_row(&k, &det), [[0.25; 100]; 1]);
    // No quadrature is left: six products for each entry of one half.
    let operations = square::REPORT.expansion.operations();
    assert!(operations <= 55 * 11 + 100 + 50, "{operations} operations");
    for report in [flat::REPORT, both_flat::REPORT, in_a_row::REPORT] {
        assert_eq!(report.expansion.operations(), operations, "{report}");
    }
}

#[test]
fn rows_that_overlap_are_none() {
    let x: Vec<[f64; 8]> = (0..19)
        .map(|e| std::array::from_fn(|i| noise(8 * e + i)))
        .collect();
    agrees!(overlapping(&x), [[0.25; 80]; 1]);
}

#[test]
fn what_sums_start_from_is_kept_apart() {
    let u = |e: usize| std::array::from_fn(|n| [0, 1, 2].map(|c| noise(30 * e + 3 * n + c)));
    let u: Vec<[[f64; 3]; 10]> = (0..19).map(u).collect();
    agrees!(from_identity(&matrices(500), &u), [[0.25; 3]; 10]);
    // For each point 9 derivatives of 10 functions, their transforms there and back, and 9 sums.
    let operations = from_identity::REPORT.expansion.operations();
    let most = 4 * (9 * 20 + 9 * 6 + 9 * 6 + 9 * 20 + 12);
    assert!(
        operations <= most,
        "{operations} operations\n{}",
        from_identity::REPORT
    );
    let x: Vec<[f64; 8]> = (0..19)
        .map(|e| std::array::from_fn(|i| noise(8 * e + i)))
        .collect();
    agrees!(continued(&x), [[f64::NAN; 10]; 1]);
    // Two products with numbers for each entry.
    let operations = continued::REPORT.expansion.operations();
    assert!(
        operations <= 10 * 3,
        "{operations} operations\n{}",
        continued::REPORT
    );
}
