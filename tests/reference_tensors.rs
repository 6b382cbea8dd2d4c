//! Tensors that a kernel's text sums over points into local arrays and maps afterwards: the sums are
//! evaluated before, as those of outputs are.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Counted, Real, kernel};

#[macro_use]
mod support;
use support::{counted, counting, noise};

kernel! {
    /// ∫ μ ∂u_s/∂x_r ∂v_r/∂x_s over triangles, with quadratic functions and a linear `mu`: first the
    /// products of derivatives on the reference triangle, then `inv` maps them.
    pub fn mapped<T: Real>(inv: &[[[T; 2]; 2]], mu: &[[T; 3]], a: &mut [[[T; 12]; 12]]) {
        static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
        static PSI: [[f64; 3]; 6] = tabulate!(triangle, quadrature(4), lagrange(1));
        static DPHI: [[[f64; 6]; 6]; 2] =
            tabulate!(triangle, quadrature(4), lagrange(2), gradient);
        for e in 0..inv.len() {
            let mut tensor = [[[[T::from_f64(0.0); 6]; 6]; 2]; 2];
            for q in 0..6 {
                let mut weight = T::from_f64(0.0);
                for r in 0..3 {
                    weight += mu[e][r] * T::from_f64(PSI[q][r]);
                }
                weight *= T::from_f64(W[q]);
                for k in 0..2 {
                    for l in 0..2 {
                        for i in 0..6 {
                            for j in 0..6 {
                                tensor[k][l][i][j] += weight
                                    * T::from_f64(DPHI[k][q][i])
                                    * T::from_f64(DPHI[l][q][j]);
                            }
                        }
                    }
                }
            }
            for i in 0..6 {
                for j in 0..6 {
                    for r in 0..2 {
                        for s in 0..2 {
                            for k in 0..2 {
                                let mut row = T::from_f64(0.0);
                                for l in 0..2 {
                                    row += inv[e][l][r] * tensor[k][l][i][j];
                                }
                                a[e][2 * i + r][2 * j + s] += inv[e][k][s] * row;
                            }
                        }
                    }
                }
            }
        }
    }

    /// A local mass matrix that is read twice: as it is, and summed along its rows.
    pub fn lumped<T: Real>(det: &[T], a: &mut [[[T; 10]; 10]]) {
        static W: [f64; 12] = tabulate!(triangle, quadrature(6), weights);
        static PHI: [[f64; 10]; 12] = tabulate!(triangle, quadrature(6), lagrange(3));
        for e in 0..det.len() {
            let mut mass = [[T::from_f64(0.0); 10]; 10];
            for q in 0..12 {
                for i in 0..10 {
                    for j in 0..10 {
                        mass[i][j] += T::from_f64(W[q])
                            * det[e]
                            * T::from_f64(PHI[q][i])
                            * T::from_f64(PHI[q][j]);
                    }
                }
            }
            for i in 0..10 {
                let mut row = T::from_f64(0.0);
                for k in 0..10 {
                    row += mass[i][k];
                }
                for j in 0..10 {
                    a[e][i][j] += row * mass[i][j];
                }
            }
        }
    }
}

/// Counted numbers of cells, so many each.
fn cells<T, const N: usize>(count: usize, number: impl Fn(f64) -> T) -> Vec<[T; N]> {
    let cell = |e: usize| std::array::from_fn(|at| number(noise(N * e + at)));
    (0..count).map(cell).collect()
}

/// Matrices of four numbers each.
fn matrices<T: Copy>(cells: &[[T; 4]]) -> Vec<[[T; 2]; 2]> {
    let each = cells.iter().map(|[a, b, c, d]| [[*a, *b], [*c, *d]]);
    each.collect()
}

#[test]
fn every_variant_computes_the_reference() {
    let inv = matrices(&cells(19, |number| number));
    let mu: Vec<[f64; 3]> = cells(19, |number| number + 2.0);
    agrees!(mapped(&inv, &mu), [[0.25; 12]; 12]);
    let det: Vec<f64> = (0..19).map(noise).collect();
    agrees!(lumped(&det), [[0.25; 10]; 10]);
}

#[test]
fn a_local_tensor_takes_a_product_for_each_node_of_its_coefficient() {
    let found = counted(&mapped::REPORT, 3, |count| {
        let inv = matrices(&cells(count, Counted::new));
        let mu: Vec<[Counted<f64>; 3]> = cells(count, Counted::new);
        mapped(&inv, &mu, &mut vec![[[Counted::new(0.0); 12]; 12]; count]);
    });
    // Two of the four blocks are symmetric and the others each other's transposes: 21 + 21 + 36 entries
    // of three products each. The map takes two products and a sum for each of eight values, and what
    // is added to the matrix one more for four of them.
    let most = 78 * 5 + 36 * (8 * 3 + 4);
    assert!(found <= most, "{found} operations, {most} by hand");
}

#[test]
fn a_local_matrix_of_known_products_takes_no_sum() {
    let found = counted(&lumped::REPORT, 3, |count| {
        let det = counting(&(0..count).map(noise).collect::<Vec<f64>>());
        lumped(&det, &mut vec![[[Counted::new(0.0); 10]; 10]; count]);
    });
    // 55 entries, of which each row adds up ten; two operations for each entry of the result.
    let most = 55 + 10 * 9 + 100 * 2;
    assert!(found <= most, "{found} operations, {most} by hand");
}
