//! Matrices that are not symmetric but made of tensors that are, or that are each other's transposes:
//! mirrored entries are the sum and the difference of a symmetric and an antisymmetric part.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Counted, Real, kernel};

#[macro_use]
mod support;
use support::{counted, counting, noise};

kernel! {
    /// ∫ ∇v · D ∇u over triangles with functions of degree 3: `d` is not symmetric, and has what the
    /// reference triangle's gradients are mapped with.
    pub fn diffusion<T: Real>(d: &[[[T; 2]; 2]], a: &mut [[[T; 10]; 10]]) {
        static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
        static DPHI: [[[f64; 10]; 6]; 2] =
            tabulate!(triangle, quadrature(4), lagrange(3), gradient);
        for e in 0..d.len() {
            for q in 0..6 {
                for i in 0..10 {
                    for j in 0..10 {
                        for k in 0..2 {
                            for l in 0..2 {
                                a[e][i][j] += d[e][k][l]
                                    * T::from_f64(W[q])
                                    * T::from_f64(DPHI[k][q][i])
                                    * T::from_f64(DPHI[l][q][j]);
                            }
                        }
                    }
                }
            }
        }
    }

    /// ∫ v b · ∇u - u b · ∇v: antisymmetric.
    pub fn transport<T: Real>(b: &[[T; 2]], a: &mut [[[T; 10]; 10]]) {
        static W: [f64; 12] = tabulate!(triangle, quadrature(6), weights);
        static PHI: [[f64; 10]; 12] = tabulate!(triangle, quadrature(6), lagrange(3));
        static DPHI: [[[f64; 10]; 12]; 2] =
            tabulate!(triangle, quadrature(6), lagrange(3), gradient);
        for e in 0..b.len() {
            for q in 0..12 {
                for i in 0..10 {
                    for j in 0..10 {
                        for k in 0..2 {
                            let weight = b[e][k] * T::from_f64(W[q]);
                            let (vi, vj) = (T::from_f64(PHI[q][i]), T::from_f64(PHI[q][j]));
                            let di = T::from_f64(DPHI[k][q][i]);
                            let dj = T::from_f64(DPHI[k][q][j]);
                            a[e][i][j] += weight * (vi * dj - di * vj);
                        }
                    }
                }
            }
        }
    }

    /// Diffusion, which is symmetric, transport and reaction: `d`, `b` and `c` have what the reference
    /// triangle's gradients are mapped with.
    pub fn reacting<T: Real>(
        d: &[[T; 3]],
        b: &[[T; 2]],
        c: &[T],
        a: &mut [[[T; 10]; 10]],
    ) {
        static W: [f64; 12] = tabulate!(triangle, quadrature(6), weights);
        static PHI: [[f64; 10]; 12] = tabulate!(triangle, quadrature(6), lagrange(3));
        static DPHI: [[[f64; 10]; 12]; 2] =
            tabulate!(triangle, quadrature(6), lagrange(3), gradient);
        for e in 0..d.len() {
            for q in 0..12 {
                let weight = T::from_f64(W[q]);
                for i in 0..10 {
                    for j in 0..10 {
                        let (v, u) = (T::from_f64(PHI[q][i]), T::from_f64(PHI[q][j]));
                        let (v0, v1) = (T::from_f64(DPHI[0][q][i]), T::from_f64(DPHI[1][q][i]));
                        let (u0, u1) = (T::from_f64(DPHI[0][q][j]), T::from_f64(DPHI[1][q][j]));
                        let cross = v0 * u1 + v1 * u0;
                        let diffusion = d[e][0] * v0 * u0 + d[e][1] * cross + d[e][2] * v1 * u1;
                        let transport = (b[e][0] * u0 + b[e][1] * u1) * v;
                        a[e][i][j] += weight * (diffusion + transport + c[e] * u * v);
                    }
                }
            }
        }
    }

    /// Two blocks that couple two components, the second coefficient of the one that of the other's
    /// transpose twice over; and a block of mass.
    pub fn coupled(d: &[[[f64; 2]; 2]], a: &mut [[[f64; 12]; 12]]) {
        static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
        static PHI: [[f64; 6]; 6] = tabulate!(triangle, quadrature(4), lagrange(2));
        static DPHI: [[[f64; 6]; 6]; 2] =
            tabulate!(triangle, quadrature(4), lagrange(2), gradient);
        for e in 0..d.len() {
            for q in 0..6 {
                for i in 0..6 {
                    for j in 0..6 {
                        for k in 0..2 {
                            for l in 0..2 {
                                let entry =
                                    d[e][k][l] * W[q] * DPHI[k][q][i] * DPHI[l][q][j];
                                a[e][2 * i][2 * j + 1] += entry;
                                a[e][2 * j + 1][2 * i] += 2.0 * entry;
                            }
                        }
                        a[e][2 * i][2 * j] += W[q] * d[e][0][0] * PHI[q][i] * PHI[q][j];
                        a[e][2 * i + 1][2 * j + 1] += W[q] * PHI[q][i] * DPHI[0][q][j];
                    }
                }
            }
        }
    }

    /// Parts of one temporary in loops that end within a vector.
    pub fn blocks(c: &[[f64; 4]], a: &mut [[[f64; 18]; 18]]) {
        static W: [f64; 3] = tabulate!(triangle, quadrature(2), weights);
        static PHI: [[f64; 6]; 3] = tabulate!(triangle, quadrature(2), lagrange(2));
        static DPHI: [[[f64; 6]; 3]; 2] =
            tabulate!(triangle, quadrature(2), lagrange(2), gradient);
        for e in 0..c.len() {
            let (b, d, f, g) = (c[e][0], c[e][1], c[e][2], c[e][3]);
            for q in 0..3 {
                for i in 0..6 {
                    for j in 0..6 {
                        a[e][i][j + 6] += W[q]
                            * (d * g * DPHI[1][q][i] * PHI[q][j]
                                + -1.0 * d * g * PHI[q][i] * DPHI[1][q][j]
                                + d * d * PHI[q][i] * DPHI[1][q][j]
                                + d * PHI[q][i] * DPHI[0][q][j]
                                + -1.0 * d * DPHI[0][q][i] * PHI[q][j]
                                + g * DPHI[1][q][i] * DPHI[1][q][j]);
                        a[e][i][j + 12] += W[q]
                            * (d * PHI[q][i] * DPHI[1][q][j]
                                + d * DPHI[1][q][i] * PHI[q][j]
                                + b * PHI[q][i] * PHI[q][j]);
                        a[e][i + 6][j] += W[q]
                            * (g * DPHI[1][q][i] * DPHI[1][q][j]
                                + g * DPHI[1][q][i] * DPHI[1][q][j]
                                + -1.0 * d * DPHI[0][q][i] * DPHI[0][q][j]
                                + -1.0 * d * DPHI[0][q][i] * DPHI[0][q][j]
                                + d * DPHI[1][q][i] * DPHI[1][q][j]);
                        a[e][i + 6][j + 6] += W[q]
                            * (f * PHI[q][i] * DPHI[0][q][j] + -1.0 * f * DPHI[0][q][i] * PHI[q][j]);
                        a[e][i + 6][j + 12] += W[q]
                            * (b * DPHI[0][q][i] * DPHI[1][q][j]
                                + 0.25 * b * DPHI[1][q][i] * DPHI[1][q][j]
                                + 0.25 * b * DPHI[1][q][i] * DPHI[1][q][j]
                                + g * DPHI[0][q][i] * DPHI[0][q][j]
                                + 0.25 * b * DPHI[0][q][i] * DPHI[1][q][j]
                                + -1.0 * 0.25 * b * DPHI[1][q][i] * DPHI[0][q][j]);
                        a[e][i + 12][j] += W[q]
                            * (f * DPHI[0][q][i] * DPHI[1][q][j]
                                + g * DPHI[0][q][i] * PHI[q][j]
                                + -1.0 * g * PHI[q][i] * DPHI[0][q][j]
                                + g * DPHI[0][q][i] * DPHI[0][q][j]);
                    }
                }
            }
        }
    }

    /// A coefficient function, so that a sum is left.
    pub fn weighted(d: &[[[f64; 2]; 2]], w: &[[f64; 3]], a: &mut [[[f64; 6]; 6]]) {
        static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
        static PSI: [[f64; 3]; 6] = tabulate!(triangle, quadrature(4), lagrange(1));
        static DPHI: [[[f64; 6]; 6]; 2] =
            tabulate!(triangle, quadrature(4), lagrange(2), gradient);
        for e in 0..d.len() {
            for q in 0..6 {
                let mut f = 0.0;
                for r in 0..3 {
                    f += w[e][r] * PSI[q][r];
                }
                for i in 0..6 {
                    for j in 0..6 {
                        for k in 0..2 {
                            for l in 0..2 {
                                a[e][i][j] +=
                                    f * d[e][k][l] * W[q] * DPHI[k][q][i] * DPHI[l][q][j];
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Tensors of 19 cells, not symmetric.
fn tensors() -> Vec<[[f64; 2]; 2]> {
    let row = |at: usize| [noise(at), noise(at + 1)];
    (0..19).map(|e| [row(4 * e), row(4 * e + 2)]).collect()
}

#[test]
fn every_variant_computes_the_reference() {
    let d = tensors();
    let b: Vec<[f64; 2]> = d.iter().map(|d| d[0]).collect();
    let w: Vec<[f64; 3]> = (0..19)
        .map(|e| [0, 1, 2].map(|r| noise(90 + 3 * e + r)))
        .collect();
    agrees!(diffusion(&d), [[0.25; 10]; 10]);
    agrees!(transport(&b), [[0.25; 10]; 10]);
    let d3: Vec<[f64; 3]> = w.iter().map(|w| [w[2], w[1], w[0]]).collect();
    let c: Vec<f64> = d.iter().map(|d| d[1][1]).collect();
    agrees!(reacting(&d3, &b, &c), [[0.25; 10]; 10]);
    agrees!(coupled(&d), [[0.25; 12]; 12]);
    let c4: Vec<[f64; 4]> = d.iter().map(|[[a, b], [c, d]]| [*a, *b, *c, *d]).collect();
    agrees!(blocks(&c4), [[0.25; 18]; 18]);
    agrees!(weighted(&d, &w), [[0.25; 6]; 6]);
}

/// Counted coefficients of cells, two or four each.
fn cells<const N: usize>(count: usize) -> Vec<[Counted<f64>; N]> {
    let all = counting(&(0..N * count).map(noise).collect::<Vec<f64>>());
    all.as_chunks().0.to_vec()
}

#[test]
fn two_entries_take_each_product_once() {
    let found = counted(&diffusion::REPORT, 3, |count| {
        let d: Vec<[[Counted<f64>; 2]; 2]> = cells::<4>(count)
            .iter()
            .map(|[a, b, c, d]| [[*a, *b], [*c, *d]])
            .collect();
        diffusion(&d, &mut vec![[[Counted::new(0.0); 10]; 10]; count]);
    });
    // Of 45 pairs and 10 entries on the diagonal the symmetric part has three products, and the
    // antisymmetric one one; an addition for each of a pair, and for each entry of the matrix; and the
    // sum and the difference of two coefficients.
    let most = 55 * 5 + 45 + 90 + 100 + 2;
    assert!(found <= most, "{found} operations, {most} by hand");
}

#[test]
fn of_an_antisymmetric_matrix_half_is_computed() {
    let found = counted(&transport::REPORT, 3, |count| {
        let b = cells::<2>(count);
        transport(&b, &mut vec![[[Counted::new(0.0); 10]; 10]; count]);
    });
    // Two products a pair, which is added to one entry and subtracted from the other; zeros are added
    // to the diagonal.
    let most = 45 * 3 + 100;
    assert!(found <= most, "{found} operations, {most} by hand");
}

#[test]
fn symmetric_tensors_beside_others_are_multiplied_once_a_pair() {
    let found = counted(&reacting::REPORT, 3, |count| {
        let (d, b, c) = (cells::<3>(count), cells::<2>(count), cells::<1>(count));
        let c: Vec<Counted<f64>> = c.into_iter().flatten().collect();
        reacting(&d, &b, &c, &mut vec![[[Counted::new(0.0); 10]; 10]; count]);
    });
    // Six products in the symmetric part, two in the antisymmetric one.
    let most = 55 * 11 + 45 * 3 + 90 + 100;
    assert!(found <= most, "{found} operations, {most} by hand");
}
