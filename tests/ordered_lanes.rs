//! Element matrices with lanes over cells where operations keep their order: each lane adds to the matrix
//! of its cell what the text adds, one after the other, to the same bits.

#![allow(missing_docs, dead_code, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

mod support;

use loopwright::{Isa, Report};
use support::{each_variant, noise};

macro_rules! kernels {
    ($($module:ident [$($option:tt)*]),*) => {
        $(kernels!(@ $module ($($option)*));)*
    };
    (@ $module:ident $options:tt) => {
        mod $module {
            loopwright::kernel! {
                static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
                static PHI: [[f64; 6]; 6] = tabulate!(triangle, quadrature(4), lagrange(2));
                static DPHI: [[[f64; 6]; 6]; 2] =
                    tabulate!(triangle, quadrature(4), lagrange(2), gradient);

                /// ∫ f u v, with a load vector from the same loops.
                #[opt $options]
                pub fn mass(
                    det: &[f64], w: &[[f64; 6]], a: &mut [[[f64; 6]; 6]], b: &mut [[f64; 6]],
                ) {
                    for e in 0..det.len() {
                        for q in 0..6 {
                            let mut f = 0.0;
                            for r in 0..6 {
                                f += w[e][r] * PHI[q][r];
                            }
                            for i in 0..6 {
                                b[e][i] += W[q] * det[e] * f * PHI[q][i];
                                for j in 0..6 {
                                    a[e][i][j] += W[q] * det[e] * f * PHI[q][i] * PHI[q][j];
                                }
                            }
                        }
                    }
                }

                /// Two statements take turns in adding to an entry.
                #[opt $options]
                pub fn elasticity(k: &[[[f64; 2]; 2]], a: &mut [[[f64; 12]; 12]]) {
                    for e in 0..k.len() {
                        for q in 0..6 {
                            for i in 0..6 {
                                for j in 0..6 {
                                    let mut du = [0.0; 2];
                                    let mut dv = [0.0; 2];
                                    let mut dot = 0.0;
                                    for d in 0..2 {
                                        for r in 0..2 {
                                            du[d] += k[e][r][d] * DPHI[r][q][j];
                                            dv[d] += k[e][r][d] * DPHI[r][q][i];
                                        }
                                        dot += du[d] * dv[d];
                                    }
                                    for m in 0..2 {
                                        a[e][2 * i + m][2 * j + m] += W[q] * dot;
                                        for n in 0..2 {
                                            a[e][2 * i + m][2 * j + n] += W[q] * du[m] * dv[n];
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
}

kernels! {
    zero [level = 0, lanes(e)],
    one [level = 1, lanes(e)],
    strict [strict, lanes(e)],
    chosen [strict]
}

/// Lengths below, at and above those of vectors.
const SIZES: [usize; 7] = [0, 1, 4, 7, 8, 9, 19];

fn over_cells(report: &Report) {
    let mut decisions = report.passes.iter().flat_map(|pass| pass.decisions);
    assert!(report.notes.is_empty(), "{report}");
    assert!(
        decisions.any(|d| d.contains("width 8, lanes over `e` (")),
        "{report}"
    );
}

fn bits<const N: usize>(matrices: &[[[f64; N]; N]]) -> Vec<u64> {
    let entries = matrices.as_flattened().as_flattened().iter();
    entries.map(|entry| entry.to_bits()).collect()
}

fn near<const N: usize>(found: &[[[f64; N]; N]], expected: &[[[f64; N]; N]]) -> bool {
    let flat = |matrices: &[[[f64; N]; N]]| matrices.as_flattened().as_flattened().to_vec();
    support::near(&flat(found), &flat(expected))
}

macro_rules! as_text {
    ($($module:ident)*) => {$(
        over_cells(&$module::mass::REPORT);
        over_cells(&$module::elasticity::REPORT);
        // Level 1 contracts products and sums where there are lanes.
        let same = |isa: Isa| stringify!($module) != "one" || isa == Isa::Scalar;
        for n in SIZES {
            let det: Vec<f64> = (0..n).map(noise).collect();
            let w: Vec<[f64; 6]> =
                (0..n).map(|e| std::array::from_fn(|r| noise(50 + 6 * e + r))).collect();
            let start: Vec<[[f64; 6]; 6]> =
                (0..n).map(|e| [std::array::from_fn(|r| noise(900 + 6 * e + r)); 6]).collect();
            let (mut a, mut b) = (start.clone(), w.clone());
            $module::mass::reference(&det, &w, &mut a, &mut b);
            each_variant($module::mass::variants(), |isa| {
                let (mut found, mut vector) = (start.clone(), w.clone());
                $module::mass::with(isa, &det, &w, &mut found, &mut vector).unwrap();
                assert!(near(&found, &a), "{isa}, {n} cells");
                if same(isa) {
                    assert_eq!(bits(&found), bits(&a), "{isa}, {n} cells");
                    assert_eq!(vector, b, "{isa}, {n} cells");
                }
            });
            let k: Vec<[[f64; 2]; 2]> = (0..n)
                .map(|e| std::array::from_fn(|r| std::array::from_fn(|d| noise(4 * e + 2 * r + d))))
                .collect();
            let start = vec![[[0.125; 12]; 12]; n];
            let mut a = start.clone();
            $module::elasticity::reference(&k, &mut a);
            each_variant($module::elasticity::variants(), |isa| {
                let mut found = start.clone();
                $module::elasticity::with(isa, &k, &mut found).unwrap();
                assert!(near(&found, &a), "{isa}, {n} cells");
                if same(isa) {
                    assert_eq!(bits(&found), bits(&a), "{isa}, {n} cells");
                }
            });
        }
    )*};
}

#[test]
fn each_lane_adds_in_the_order_of_the_text() {
    as_text!(zero one strict chosen);
}
