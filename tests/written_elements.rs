//! Tables of elements on quadrilaterals and hexahedra that are written out, by Basix: that they are products of tables
//! over the line their entries say, so that actions sum over one axis after another, as with `tabulate!`.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::{Real, kernel};

mod support;
use support::{counted, counting, each_variant, near_to, numbers};

/// Cells.
const CELLS: usize = 9;

/// The action of ∫ ∇u·∇v + u v on cells, with tables that are included, and its tests: with noise and without.
macro_rules! action {
    ($name:ident, $axes:literal, $points:literal, $nodes:literal, $most:literal, [$($option:tt)*],
     $weights:literal, $phi:literal, $dphi:literal) => {
        mod $name {
            use super::*;

            kernel! {
                $($option)*
                pub fn helmholtz<T: Real>(
                    g: &[[[T; $axes]; $axes]],
                    det: &[T],
                    u: &[[T; $nodes]],
                    y: &mut [[T; $nodes]],
                ) {
                    static W: [f64; $points] = include!($weights);
                    static PHI: [[f64; $nodes]; $points] = include!($phi);
                    static DPHI: [[[f64; $nodes]; $points]; $axes] = include!($dphi);
                    for e in 0..u.len() {
                        for q in 0..$points {
                            let mut value = T::zero();
                            let mut gradient = [T::zero(); $axes];
                            for j in 0..$nodes {
                                value += u[e][j] * T::from_f64(PHI[q][j]);
                                for r in 0..$axes {
                                    gradient[r] += u[e][j] * T::from_f64(DPHI[r][q][j]);
                                }
                            }
                            for i in 0..$nodes {
                                let mut sum = det[e] * value * T::from_f64(PHI[q][i]);
                                for r in 0..$axes {
                                    for s in 0..$axes {
                                        sum += g[e][r][s] * gradient[s] * T::from_f64(DPHI[r][q][i]);
                                    }
                                }
                                y[e][i] += T::from_f64(W[q]) * sum;
                            }
                        }
                    }
                }
            }

            #[test]
            fn is_its_reference() {
                let (g, det) = (numbers(1, $axes * $axes * CELLS), numbers(2, CELLS));
                let (u, start) = (numbers(3, $nodes * CELLS), numbers(4, $nodes * CELLS));
                let metric = g.as_chunks().0.as_chunks().0;
                let u = u.as_chunks().0;
                let mut expected = start.clone();
                helmholtz::reference(metric, &det, u, expected.as_chunks_mut().0);
                each_variant(helmholtz::variants(), |isa| {
                    let mut found = start.clone();
                    helmholtz::with(isa, metric, &det, u, found.as_chunks_mut().0).unwrap();
                    assert!(near_to(&found, &expected, 1e-12), "{isa}");
                });
                let operations = counted(&helmholtz::REPORT, CELLS, |cells| {
                    let g = counting(&numbers(1, $axes * $axes * cells));
                    let det = counting(&numbers(2, cells));
                    let u = counting(&numbers(3, $nodes * cells));
                    let metric = g.as_chunks().0.as_chunks().0;
                    let mut y = u.clone();
                    helmholtz(metric, &det, u.as_chunks().0, y.as_chunks_mut().0);
                });
                assert!(operations <= $most, "{operations}");
            }
        }
    };
}

// In products: 12 half sums over an axis, and the metric at each point.
action!(hexahedron, 3, 27, 27, 1500, [#[opt(epsilon = 4e-14)]],
    "data/included/hexahedron_weights.rs",
    "data/included/hexahedron_phi.rs",
    "data/included/hexahedron_dphi.rs");
action!(quadrilateral, 2, 16, 16, 820, [#[opt(epsilon = 4e-14)]],
    "data/included/quadrilateral_weights.rs",
    "data/included/quadrilateral_phi.rs",
    "data/included/quadrilateral_dphi.rs");
// As they are written: what the entries below rounding mean, the option is to say.
action!(
    as_written,
    2,
    16,
    16,
    5700,
    [],
    "data/included/quadrilateral_weights.rs",
    "data/included/quadrilateral_phi.rs",
    "data/included/quadrilateral_dphi.rs"
);

kernel! {
    /// Tables with a row a function, and with derivatives in the last dimension.
    #[opt(epsilon = 4e-14)]
    pub fn arranged<T: Real>(g: &[[[T; 2]; 2]], u: &[[T; 16]], y: &mut [[T; 16]]) {
        static W: [f64; 16] = include!("data/included/quadrilateral_weights.rs");
        static PHI: [[f64; 16]; 16] = include!("data/included/quadrilateral_phi_by_nodes.rs");
        static DPHI: [[[f64; 2]; 16]; 16] =
            include!("data/included/quadrilateral_dphi_by_points.rs");
        for e in 0..u.len() {
            for q in 0..16 {
                let mut value = T::zero();
                let mut gradient = [T::zero(); 2];
                for j in 0..16 {
                    value += u[e][j] * T::from_f64(PHI[j][q]);
                    for r in 0..2 {
                        gradient[r] += u[e][j] * T::from_f64(DPHI[q][j][r]);
                    }
                }
                for i in 0..16 {
                    let mut sum = value * T::from_f64(PHI[i][q]);
                    for r in 0..2 {
                        for s in 0..2 {
                            sum += g[e][r][s] * gradient[s] * T::from_f64(DPHI[q][i][r]);
                        }
                    }
                    y[e][i] += T::from_f64(W[q]) * sum;
                }
            }
        }
    }
}

#[test]
fn dimensions_of_tables_have_any_order() {
    let (g, u) = (numbers(1, 4 * CELLS), numbers(3, 16 * CELLS));
    let start = numbers(4, 16 * CELLS);
    let (metric, u) = (g.as_chunks().0.as_chunks().0, u.as_chunks().0);
    let mut expected = start.clone();
    arranged::reference(metric, u, expected.as_chunks_mut().0);
    each_variant(arranged::variants(), |isa| {
        let mut found = start.clone();
        arranged::with(isa, metric, u, found.as_chunks_mut().0).unwrap();
        assert!(near_to(&found, &expected, 1e-12), "{isa}");
    });
    let operations = counted(&arranged::REPORT, CELLS, |cells| {
        let g = counting(&numbers(1, 4 * cells));
        let u = counting(&numbers(3, 16 * cells));
        let mut y = u.clone();
        arranged(
            g.as_chunks().0.as_chunks().0,
            u.as_chunks().0,
            y.as_chunks_mut().0,
        );
    });
    assert!(operations <= 820, "{operations}");
}

#[test]
fn the_report_proposes_the_option() {
    let decisions = as_written::helmholtz::REPORT.passes.iter();
    let said: Vec<&str> = decisions
        .flat_map(|pass| pass.decisions.iter().copied())
        .collect();
    let proposed = |table: &str| {
        let start = format!(
            "`{table}` is a product of tables over the line but for noise: with `epsilon = 4e-14`"
        );
        said.iter().any(|line| line.starts_with(&start))
    };
    assert!(proposed("PHI") && proposed("DPHI"), "{said:?}");
}
