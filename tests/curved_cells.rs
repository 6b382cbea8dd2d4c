//! Forms with the geometry at each point: what several equations share leaves all of them, or none.
#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "of some kernels only the variants and the report are asked for"
)]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::{Counted, Real, kernel};

#[macro_use]
mod support;
use support::{counted, counting, numbers};

/// The action of linear elasticity, as it is written and with the geometry taken out of all sums by hand.
macro_rules! elasticity {
    ($module:ident: lagrange $degree:literal, $nodes:literal nodes, quadrature $quadrature:literal, $points:literal points) => {
        mod $module {
            use super::*;

            kernel! {
                pub fn natural<T: Real>(
                    k: &[[[[T; 3]; 3]; $points]],
                    dx: &[[T; $points]],
                    u: &[[[T; 3]; $nodes]],
                    lambda: T,
                    mu: T,
                    y: &mut [[[T; 3]; $nodes]],
                ) {
                    static D: [[[f64; $nodes]; $points]; 3] =
                        tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                    for e in 0..k.len() {
                        for q in 0..$points {
                            let mut g = [[T::zero(); 3]; 3];
                            for j in 0..$nodes {
                                for c in 0..3 {
                                    for d in 0..3 {
                                        for r in 0..3 {
                                            g[c][d] += u[e][j][c] * k[e][q][r][d] * T::from_f64(D[r][q][j]);
                                        }
                                    }
                                }
                            }
                            let div = g[0][0] + g[1][1] + g[2][2];
                            for i in 0..$nodes {
                                for c in 0..3 {
                                    for d in 0..3 {
                                        let mut dv = T::zero();
                                        for r in 0..3 {
                                            dv += k[e][q][r][d] * T::from_f64(D[r][q][i]);
                                        }
                                        y[e][i][c] += dx[e][q] * mu * (g[c][d] + g[d][c]) * dv;
                                        if c == d {
                                            y[e][i][c] += dx[e][q] * lambda * div * dv;
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }

            kernel! {
                pub fn by_hand<T: Real>(
                    k: &[[[[T; 3]; 3]; $points]],
                    dx: &[[T; $points]],
                    u: &[[[T; 3]; $nodes]],
                    lambda: T,
                    mu: T,
                    y: &mut [[[T; 3]; $nodes]],
                ) {
                    static D: [[[f64; $nodes]; $points]; 3] =
                        tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                    for e in 0..k.len() {
                        for q in 0..$points {
                            let mut s = [[T::zero(); 3]; 3];
                            for j in 0..$nodes {
                                for c in 0..3 {
                                    for r in 0..3 {
                                        s[c][r] += u[e][j][c] * T::from_f64(D[r][q][j]);
                                    }
                                }
                            }
                            let mut g = [[T::zero(); 3]; 3];
                            for c in 0..3 {
                                for d in 0..3 {
                                    for r in 0..3 {
                                        g[c][d] += s[c][r] * k[e][q][r][d];
                                    }
                                }
                            }
                            let trace = dx[e][q] * lambda * (g[0][0] + g[1][1] + g[2][2]);
                            let mut stress = [[T::zero(); 3]; 3];
                            for c in 0..3 {
                                for d in 0..3 {
                                    stress[c][d] = dx[e][q] * mu * (g[c][d] + g[d][c]);
                                }
                                stress[c][c] += trace;
                            }
                            let mut t = [[T::zero(); 3]; 3];
                            for c in 0..3 {
                                for r in 0..3 {
                                    for d in 0..3 {
                                        t[c][r] += stress[c][d] * k[e][q][r][d];
                                    }
                                }
                            }
                            for i in 0..$nodes {
                                for c in 0..3 {
                                    for r in 0..3 {
                                        y[e][i][c] += t[c][r] * T::from_f64(D[r][q][i]);
                                    }
                                }
                            }
                        }
                    }
                }
            }

            #[test]
            fn the_geometry_leaves_all_sums() {
                let k = numbers(1, 19 * 9 * $points);
                let (dx, u) = (numbers(2, 19 * $points), numbers(3, 19 * 3 * $nodes));
                let k = k.as_chunks().0.as_chunks().0.as_chunks().0;
                let (dx, u) = (dx.as_chunks().0, u.as_chunks().0.as_chunks().0);
                agrees!(natural(k, dx, u, 0.75, 1.5), [[0.25; 3]; $nodes]);

                agrees!(by_hand(k, dx, u, 0.75, 1.5), [[0.25; 3]; $nodes]);
                let count = counted(&natural::REPORT, 3, |cells| {
                    let k = counting(&numbers(1, cells * 9 * $points));
                    let (dx, u) = (numbers(2, cells * $points), numbers(3, cells * 3 * $nodes));
                    let (dx, u) = (counting(&dx), counting(&u));
                    let mut y = vec![[[Counted::new(0.0); 3]; $nodes]; cells];
                    natural(
                        k.as_chunks().0.as_chunks().0.as_chunks().0,
                        dx.as_chunks().0,
                        u.as_chunks().0.as_chunks().0,
                        Counted::new(0.75),
                        Counted::new(1.5),
                        &mut y,
                    );
                });
                // Nine sums over the nodes each way; the gradient and the stress turned, and the stress.
                let by_hand = $points * (2 * 18 * $nodes + 45 + 45 + 30);
                assert!(count <= by_hand, "{count}, by hand {by_hand}");
                assert!(by_hand::REPORT.expansion.operations() <= by_hand);
            }
        }
    };
}

elasticity!(quadratic: lagrange 2, 10 nodes, quadrature 2, 4 points);
elasticity!(cubic: lagrange 3, 20 nodes, quadrature 4, 14 points);
