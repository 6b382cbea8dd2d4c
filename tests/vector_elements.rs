//! Vector-valued elements: the elasticity of FFCx out of tables with zero columns.
//!
//! The matrices are those of `data/elements`, which `data/elements/make.py` describes. They tell
//! whether functions are blocked as FFCx blocks them, and components and axes in their order.
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

/// The kernel ∫ ε(u) : ε(v) of one degree, and its test.
macro_rules! elasticity {
    ($kernel:ident, $test:ident, $data:literal,
     dofs: $dofs:literal, points: $points:literal, lagrange: $degree:literal,
     quadrature: $quadrature:literal) => {
        loopwright::kernel! {
            fn $kernel(x: &[[f64; 3]; 4], a: &mut [[f64; $dofs]; $dofs]) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static DPHI: [[[[f64; $dofs]; $points]; 3]; 3] = tabulate!(
                    tetrahedron, quadrature($quadrature), vector(lagrange($degree)), gradient
                );
                let (k, det) = inverse(x);
                for q in 0..$points {
                    for i in 0..$dofs {
                        for j in 0..$dofs {
                            let mut du = [[0.0; 3]; 3];
                            let mut dv = [[0.0; 3]; 3];
                            for c in 0..3 {
                                for d in 0..3 {
                                    for r in 0..3 {
                                        du[c][d] += k[r][d] * DPHI[c][r][q][j];
                                        dv[c][d] += k[r][d] * DPHI[c][r][q][i];
                                    }
                                }
                            }
                            let mut product = 0.0;
                            for c in 0..3 {
                                for d in 0..3 {
                                    product += 0.5 * (du[c][d] + du[d][c]) * dv[c][d];
                                }
                            }
                            a[i][j] += W[q] * det.abs() * product;
                        }
                    }
                }
            }

            fn inverse(x: &[[f64; 3]; 4]) -> ([[f64; 3]; 3], f64) {
                let mut j = [[0.0; 3]; 3];
                for r in 0..3 {
                    for c in 0..3 {
                        j[r][c] = x[c + 1][r] - x[0][r];
                    }
                }
                let mut k = [[0.0; 3]; 3];
                for r in 0..3 {
                    for c in 0..3 {
                        k[c][r] = j[(r + 1) % 3][(c + 1) % 3] * j[(r + 2) % 3][(c + 2) % 3]
                            - j[(r + 1) % 3][(c + 2) % 3] * j[(r + 2) % 3][(c + 1) % 3];
                    }
                }
                let det = j[0][0] * k[0][0] + j[0][1] * k[1][0] + j[0][2] * k[2][0];
                for r in 0..3 {
                    for c in 0..3 {
                        k[r][c] = k[r][c] / det;
                    }
                }
                (k, det)
            }
        }

        #[test]
        fn $test() {
            let numbers = include_bytes!($data).chunks_exact(8);
            let numbers: Vec<f64> = numbers
                .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()))
                .collect();
            assert_eq!(numbers.len(), 2 * (12 + $dofs * $dofs));
            for cell in numbers.chunks(12 + $dofs * $dofs) {
                let (x, expected) = cell.split_at(12);
                let x: [[f64; 3]; 4] = x.as_chunks().0.try_into().unwrap();
                let largest = expected.iter().fold(0.0_f64, |most, e| most.max(e.abs()));
                for isa in $kernel::variants() {
                    let mut a = [[0.0; $dofs]; $dofs];
                    if $kernel::with(*isa, &x, &mut a).is_err() {
                        continue;
                    }
                    for (found, expected) in a.as_flattened().iter().zip(expected) {
                        let error = (found - expected).abs() / largest;
                        assert!(error < 1e-12, "{isa:?}: {error:e}");
                    }
                }
            }
        }
    };
}

elasticity!(linear, linear_elements, "data/elements/elasticity_q1_nf0.f64",
    dofs: 12, points: 1, lagrange: 1, quadrature: 0);
elasticity!(quadratic, quadratic_elements, "data/elements/elasticity_q2_nf0.f64",
    dofs: 30, points: 4, lagrange: 2, quadrature: 2);
