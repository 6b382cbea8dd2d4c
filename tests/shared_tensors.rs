//! Blocks of vector-valued forms that are made of the same tensors: what these sum up with a coefficient
//! function is summed once for all blocks.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Counted, Real, kernel};

#[macro_use]
mod support;
use support::{counted, counting, noise};

kernel! {
    /// ∫ μ ε(u) : ε(v) over triangles with functions of degree 3, two components a node, where μ has
    /// degree 2 on each cell: `k` is the inverse of the mapping's Jacobian.
    pub fn elasticity<T: Real>(k: &[[[T; 2]; 2]], mu: &[[T; 6]], a: &mut [[[T; 20]; 20]]) {
        static W: [f64; 12] = tabulate!(triangle, quadrature(6), weights);
        static PSI: [[f64; 6]; 12] = tabulate!(triangle, quadrature(6), lagrange(2));
        static DPHI: [[[f64; 10]; 12]; 2] =
            tabulate!(triangle, quadrature(6), lagrange(3), gradient);
        for e in 0..k.len() {
            for q in 0..12 {
                let mut weight = T::from_f64(0.0);
                for r in 0..6 {
                    weight += mu[e][r] * T::from_f64(PSI[q][r]);
                }
                let weight = weight * T::from_f64(0.5) * T::from_f64(W[q]);
                for i in 0..10 {
                    for j in 0..10 {
                        let mut du = [T::from_f64(0.0); 2];
                        let mut dv = [T::from_f64(0.0); 2];
                        let mut dot = T::from_f64(0.0);
                        for d in 0..2 {
                            for r in 0..2 {
                                du[d] += k[e][r][d] * T::from_f64(DPHI[r][q][j]);
                                dv[d] += k[e][r][d] * T::from_f64(DPHI[r][q][i]);
                            }
                            dot += du[d] * dv[d];
                        }
                        for m in 0..2 {
                            a[e][2 * i + m][2 * j + m] += weight * dot;
                            for n in 0..2 {
                                a[e][2 * i + m][2 * j + n] += weight * du[m] * dv[n];
                            }
                        }
                    }
                }
            }
        }
    }
}

fn mappings(count: usize) -> Vec<[[f64; 2]; 2]> {
    let row = |at: usize| [noise(at), noise(at + 1)];
    (0..count).map(|e| [row(4 * e), row(4 * e + 2)]).collect()
}

fn coefficients(count: usize) -> Vec<[f64; 6]> {
    let one = |e: usize| [0, 1, 2, 3, 4, 5].map(|r| noise(90 + 6 * e + r));
    (0..count).map(one).collect()
}

#[test]
fn every_variant_computes_the_reference() {
    let (k, mu) = (mappings(19), coefficients(19));
    agrees!(elasticity(&k, &mu), [[0.25; 20]; 20]);
}

#[test]
fn tensors_are_summed_once_for_all_blocks() {
    let found = counted(&elasticity::REPORT, 3, |count| {
        let k = counting(mappings(count).as_flattened().as_flattened());
        let mu = counting(coefficients(count).as_flattened());
        let k: &[[[Counted<f64>; 2]; 2]] = k.as_chunks().0.as_chunks().0;
        elasticity(
            k,
            mu.as_chunks().0,
            &mut vec![[[Counted::new(0.0); 20]; 20]; count],
        );
    });
    // Of 45 pairs and 10 entries on the diagonal: three symmetric tensors and an antisymmetric one with
    // the six values of μ; of these, each of three blocks, and the mirrored entries of one of them;
    // what is added to the matrix, and the coefficients of the tensors.
    let (entries, pairs) = (45 + 10, 45);
    let sums = (3 * entries + pairs) * 11;
    let blocks = 3 * entries * 5 + pairs * (1 + 2);
    let most = sums + blocks + 400 + 60;
    assert!(found <= most, "{found} operations, {most} by hand");
}
