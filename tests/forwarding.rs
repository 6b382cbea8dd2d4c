//! Entries that are summed up in variables of their own take no more operations than others.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Report, kernel};

#[macro_use]
mod support;
use support::each_variant;

/// Stiffness and mass on cells with diagonal Jacobians, the entries as the text says.
macro_rules! helmholtz {
    ($name:ident, |$i:ident, $j:ident, $e:ident, $a:ident, $scales:ident, $det:ident| $($entries:tt)*) => {
        kernel! {
            pub fn $name($scales: &[[f64; 3]], $det: &[f64], $a: &mut [[[f64; 10]; 10]]) {
                static W: [f64; 14] = tabulate!(tetrahedron, quadrature(4), weights);
                static PHI: [[f64; 10]; 14] = tabulate!(tetrahedron, quadrature(4), lagrange(2));
                static DPHI: [[[f64; 10]; 14]; 3] =
                    tabulate!(tetrahedron, quadrature(4), lagrange(2), gradient);
                for $e in 0..$scales.len() {
                    for $i in 0..10 {
                        for $j in 0..10 {
                            $($entries)*
                        }
                    }
                }
            }
        }
    };
}

helmholtz!(added, |i, j, e, a, scales, det| for q in 0..14 {
    a[e][i][j] += det[e] * W[q] * PHI[q][i] * PHI[q][j];
    for d in 0..3 {
        a[e][i][j] += det[e] * W[q] * scales[e][d] * DPHI[d][q][i] * DPHI[d][q][j];
    }
});

helmholtz!(kept, |i, j, e, a, scales, det| let mut entry = 0.0;
    for q in 0..14 {
        entry += det[e] * W[q] * PHI[q][i] * PHI[q][j];
        for d in 0..3 {
            entry += det[e] * W[q] * scales[e][d] * DPHI[d][q][i] * DPHI[d][q][j];
        }
    }
    a[e][i][j] += entry;
);

helmholtz!(scaled, |i, j, e, a, scales, det| let mut mass = 0.0;
    let mut stiffness = 0.0;
    for q in 0..14 {
        mass += W[q] * PHI[q][i] * PHI[q][j];
        for d in 0..3 {
            stiffness += scales[e][d] * W[q] * DPHI[d][q][i] * DPHI[d][q][j];
        }
    }
    a[e][i][j] += det[e] * (mass + stiffness);
);

helmholtz!(assigned, |i, j, e, a, scales, det| let mut entry = 0.0;
    for q in 0..14 {
        let mut gradients = 0.0;
        for d in 0..3 {
            gradients += scales[e][d] * DPHI[d][q][i] * DPHI[d][q][j];
        }
        entry += W[q] * (PHI[q][i] * PHI[q][j] + gradients);
    }
    a[e][i][j] = det[e] * entry;
);

helmholtz!(spelled_out, |i, j, e, a, scales, det| let mut entry = 0.0;
    for q in 0..14 {
        let factor = det[e] * W[q];
        entry = factor * PHI[q][i] * PHI[q][j] + entry;
        for d in 0..3 {
            entry = entry + factor * scales[e][d] * DPHI[d][q][i] * DPHI[d][q][j];
        }
    }
    a[e][i][j] = a[e][i][j] + entry;
);

kernel! {
    /// The same operations in the same order, two of them in one assignment.
    #[opt(strict)]
    pub fn assigned_sums(x: &[[f64; 3]], y: &mut [f64]) {
        for e in 0..x.len() {
            let mut s = 0.1;
            for k in 0..3 {
                s = s + x[e][k] - 0.3 * x[e][0];
                s = s * 0.7 / x[e][k];
            }
            y[e] = y[e] - s;
        }
    }
}

kernel! {
    /// Gradients in an array, so that the loops around are written out, and a matrix read twice.
    pub fn read_twice(inverse: &[[[f64; 2]; 2]], det: &[f64], a: &mut [[[f64; 6]; 6]]) {
        static W: [f64; 3] = tabulate!(triangle, quadrature(2), weights);
        static DPHI: [[[f64; 6]; 3]; 2] = tabulate!(triangle, quadrature(2), lagrange(2), gradient);
        for e in 0..inverse.len() {
            let mut m = [[0.0; 6]; 6];
            for q in 0..3 {
                let mut g = [[0.0; 2]; 6];
                for i in 0..6 {
                    for k in 0..2 {
                        for d in 0..2 {
                            g[i][k] += inverse[e][d][k] * DPHI[d][q][i];
                        }
                    }
                }
                for i in 0..6 {
                    for j in 0..6 {
                        m[i][j] += W[q] * (g[i][0] * g[j][0] + 0.5 * g[i][1] * g[j][1]);
                    }
                }
            }
            for i in 0..6 {
                for j in 0..6 {
                    a[e][i][j] = m[i][j] * det[e] + m[j][i];
                }
            }
        }
    }
}

helmholtz!(zeroed, |i, j, e, a, scales, det| a[e][i][j] = 0.0;
    for q in 0..14 {
        a[e][i][j] += det[e] * W[q] * PHI[q][i] * PHI[q][j];
        for d in 0..3 {
            a[e][i][j] += det[e] * W[q] * scales[e][d] * DPHI[d][q][i] * DPHI[d][q][j];
        }
    }
);

helmholtz!(zeroed_and_kept, |i, j, e, a, scales, det| a[e][i][j] = 0.0;
    let mut entry = 0.0;
    for q in 0..14 {
        entry += det[e] * W[q] * PHI[q][i] * PHI[q][j];
        for d in 0..3 {
            entry += det[e] * W[q] * scales[e][d] * DPHI[d][q][i] * DPHI[d][q][j];
        }
    }
    a[e][i][j] += entry;
);

kernel! {
    /// Blocks that are added to in turn, after zeros for all of the matrix.
    pub fn zeroed_blocks(scales: &[[f64; 2]], a: &mut [[[f64; 12]; 12]]) {
        static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
        static DPHI: [[[f64; 6]; 6]; 2] = tabulate!(triangle, quadrature(4), lagrange(2), gradient);
        for e in 0..scales.len() {
            for i in 0..12 {
                for j in 0..12 {
                    a[e][i][j] = 0.0;
                }
            }
            for q in 0..6 {
                for i in 0..6 {
                    for j in 0..6 {
                        for m in 0..2 {
                            for n in 0..2 {
                                a[e][2 * i + m][2 * j + n] += W[q]
                                    * scales[e][m] * DPHI[m][q][i]
                                    * scales[e][n] * DPHI[n][q][j];
                            }
                        }
                    }
                }
            }
        }
    }

    /// The last row and column of the matrix stay zero.
    pub fn zeroed_in_part(scales: &[[f64; 2]], a: &mut [[[f64; 7]; 7]]) {
        static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
        static PHI: [[f64; 6]; 6] = tabulate!(triangle, quadrature(4), lagrange(2));
        for e in 0..scales.len() {
            for i in 0..7 {
                for j in 0..7 {
                    a[e][i][j] = 0.0;
                }
            }
            for i in 0..6 {
                for j in 0..6 {
                    for q in 0..6 {
                        a[e][i][j] += scales[e][0] * W[q] * PHI[q][i] * PHI[q][j];
                    }
                }
            }
        }
    }
}

kernel! {
    /// Physical gradients in a local array at each point.
    pub fn with_gradients(inverse: &[[[f64; 3]; 3]], det: &[f64], a: &mut [[[f64; 10]; 10]]) {
        static W: [f64; 4] = tabulate!(tetrahedron, quadrature(2), weights);
        static DPHI: [[[f64; 10]; 4]; 3] =
            tabulate!(tetrahedron, quadrature(2), lagrange(2), gradient);
        for e in 0..inverse.len() {
            for q in 0..4 {
                let mut g = [[0.0; 3]; 10];
                for i in 0..10 {
                    for d in 0..3 {
                        for r in 0..3 {
                            g[i][d] += inverse[e][r][d] * DPHI[r][q][i];
                        }
                    }
                }
                for i in 0..10 {
                    for j in 0..10 {
                        let dot = g[i][0] * g[j][0] + g[i][1] * g[j][1] + g[i][2] * g[j][2];
                        a[e][i][j] += det[e] * W[q] * dot;
                    }
                }
            }
        }
    }
}

type Kernel = fn(&[[f64; 3]], &[f64], &mut [[[f64; 10]; 10]]);

/// Numbers between 1/2 and 3/2.
fn number(k: usize) -> f64 {
    0.5 + (k * 7919 % 1009) as f64 / 1009.0
}

fn results(kernel: impl Fn(&[[f64; 3]], &[f64], &mut [[[f64; 10]; 10]])) -> Vec<f64> {
    let scales: Vec<[f64; 3]> = (0..21)
        .map(|e| [0, 1, 2].map(|d| number(3 * e + d)))
        .collect();
    let det: Vec<f64> = (0..21).map(|e| number(e + 400)).collect();
    let mut a = vec![[[0.25; 10]; 10]; 21];
    kernel(&scales, &det, &mut a);
    a.into_iter().flatten().flatten().collect()
}

fn assert_near(found: &[f64], expected: &[f64], what: &str) {
    for (f, e) in found.iter().zip(expected) {
        assert!(
            (f - e).abs() <= 1e-13 * e.abs().max(1.0),
            "{what}: {f} for {e}"
        );
    }
}

macro_rules! check {
    ($kernel:ident, $most:expr) => {{
        let report: &Report = &$kernel::REPORT;
        let expected = results($kernel::reference as Kernel);
        each_variant($kernel::variants(), |isa| {
            let found = results(|s, d, a| $kernel::with(isa, s, d, a).unwrap());
            assert_near(&found, &expected, &format!("{isa:?}"));
        });
        let operations = report.expansion.operations();
        assert!(operations <= $most, "{operations} operations\n{report}");
    }};
}

#[test]
fn entries_may_be_summed_up_in_variables() {
    // No quadrature is left: equal entries of the tables once, and each added to the matrix.
    let direct = 276 + 100;
    check!(added, direct);
    check!(kept, direct);
    check!(assigned, direct);
    check!(scaled, direct + 100);
    check!(spelled_out, direct);
}

#[test]
fn zeros_that_sums_start_from_cost_nothing() {
    // Nothing is added to what there was.
    let direct = 276;
    check!(zeroed, direct);
    check!(zeroed_and_kept, direct);
    let scales: Vec<[f64; 2]> = (0..19).map(|e| [number(e), number(e + 50)]).collect();
    agrees!(zeroed_blocks(&scales), [[f64::NAN; 12]; 12]);
    agrees!(zeroed_in_part(&scales), [[f64::NAN; 7]; 7]);
    // Each entry of the diagonal blocks, and of one of the others, is one product.
    let operations = zeroed_blocks::REPORT.expansion.operations();
    assert!(operations <= 21 + 21 + 36 + 8, "{operations} operations");
}

#[test]
fn what_is_read_twice_is_summed_for_each() {
    let cell = |e: usize| [0, 2].map(|r| [0, 1].map(|c| number(4 * e + r + c)));
    let inverse: Vec<[[f64; 2]; 2]> = (0..19).map(cell).collect();
    let det: Vec<f64> = (0..19).map(|e| number(e + 400)).collect();
    agrees!(read_twice(&inverse, &det), [[f64::NAN; 6]; 6]);
    // Two sums, of a symmetric matrix half: three products of tables with functions of the Jacobian.
    let operations = read_twice::REPORT.expansion.operations();
    assert!(
        operations <= 2 * 21 * 5,
        "{operations} operations\n{}",
        read_twice::REPORT
    );
}

#[test]
fn gradients_may_be_kept_in_arrays() {
    let cell = |e: usize| [0, 1, 2].map(|r| [0, 1, 2].map(|c| number(9 * e + 3 * r + c)));
    let inverse: Vec<[[f64; 3]; 3]> = (0..19).map(cell).collect();
    let det: Vec<f64> = (0..19).map(|e| number(e + 400)).collect();
    agrees!(with_gradients(&inverse, &det), [[0.25; 10]; 10]);
    // No quadrature is left: six products for each entry of one half.
    let operations = with_gradients::REPORT.expansion.operations();
    assert!(operations <= 55 * 11 + 100 + 50, "{operations} operations");
}

#[test]
fn strict_assignments_keep_their_bits() {
    let x: Vec<[f64; 3]> = (0..37)
        .map(|e| [0, 1, 2].map(|k| number(3 * e + k)))
        .collect();
    let start: Vec<f64> = (0..37).map(|e| number(e + 400)).collect();
    let mut expected = start.clone();
    assigned_sums::reference(&x, &mut expected);
    assert!(
        assigned_sums::REPORT.notes.is_empty(),
        "{}",
        assigned_sums::REPORT
    );
    each_variant(assigned_sums::variants(), |isa| {
        let mut found = start.clone();
        assigned_sums::with(isa, &x, &mut found).unwrap();
        assert!(
            found
                .iter()
                .zip(&expected)
                .all(|(f, e)| f.to_bits() == e.to_bits()),
            "{isa:?}"
        );
    });
}
