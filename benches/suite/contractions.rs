//! Sums of products, one nest each: small and large chains of matrices, tensors, batches, for lengths that are constant and
//! lengths known when the kernel runs.

#![allow(
    missing_docs,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    reason = "kernels of a benchmark"
)]

use loopwright::kernel;
use ndarray::{ArrayView2, ArrayViewMut2};

kernel! {
    /// Figure 1 of Lam 1999, which wants f[j] = sum of a over i first.
    pub fn figure1(
        a: &[[f64; 100]; 500], b: &[[[f64; 15]; 40]; 100], c: &[[f64; 15]; 40], w: &mut [f64; 40],
    ) {
        for k in 0..40 { for i in 0..500 { for j in 0..100 { for l in 0..15 {
            w[k] += a[i][j] * b[j][k][l] * c[k][l];
        } } } }
    }

    /// The transform of two-electron integrals, of constant length.
    pub fn four_index8(
        a: &[[[[f64; 8]; 8]; 8]; 8], c: &[[f64; 8]; 8], w: &mut [[[[f64; 8]; 8]; 8]; 8],
    ) {
        for e in 0..8 { for f in 0..8 { for g in 0..8 { for h in 0..8 {
            for p in 0..8 { for q in 0..8 { for r in 0..8 { for s in 0..8 {
                w[e][f][g][h] += a[p][q][r][s] * c[p][e] * c[q][f] * c[r][g] * c[s][h];
            } } } }
        } } } }
    }

    /// The same where the length is known when it runs.
    pub fn four_index(n: usize, a: &[f64], c: &[f64], w: &mut [f64]) {
        for e in 0..n { for f in 0..n { for g in 0..n { for h in 0..n {
            for p in 0..n { for q in 0..n { for r in 0..n { for s in 0..n {
                w[((e * n + f) * n + g) * n + h] += a[((p * n + q) * n + r) * n + s]
                    * c[p * n + e] * c[q * n + f] * c[r * n + g] * c[s * n + h];
            } } } }
        } } } }
    }

    /// Four matrices.
    pub fn chain_small(
        a: &[[f64; 7]; 5], b: &[[f64; 3]; 7], c: &[[f64; 9]; 3], d: &[[f64; 4]; 9], w: &mut [[f64; 4]; 5],
    ) {
        for i in 0..5 { for m in 0..4 { for j in 0..7 { for k in 0..3 { for l in 0..9 {
            w[i][m] += a[i][j] * b[j][k] * c[k][l] * d[l][m];
        } } } } }
    }

    /// Three larger ones.
    pub fn chain_large(
        a: &[[f64; 200]; 300], b: &[[f64; 250]; 200], c: &[[f64; 150]; 250], w: &mut [[f64; 150]; 300],
    ) {
        for i in 0..300 { for l in 0..150 { for j in 0..200 { for k in 0..250 {
            w[i][l] += a[i][j] * b[j][k] * c[k][l];
        } } } }
    }

    /// A product of matrices in slices.
    pub fn matrix_product(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
        for i in 0..n { for j in 0..n { for k in 0..n {
            c[i * n + j] += a[i * n + k] * b[k * n + j];
        } } }
    }

    /// The same in views.
    pub fn product_of_views(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.shape()[0] { for j in 0..c.shape()[1] { for k in 0..a.shape()[1] {
            c[[i, j]] += a[[i, k]] * b[[k, j]];
        } } }
    }

    /// A term of coupled clusters: four tensors of four dimensions.
    pub fn coupled(
        x: &[[[[f64; 3]; 4]; 5]; 6], y: &[[[[f64; 3]; 5]; 4]; 6], z: &[[[[f64; 3]; 4]; 5]; 4],
        u: &[[[[f64; 3]; 4]; 4]; 5], w: &mut [[[[f64; 4]; 4]; 6]; 6],
    ) {
        for a in 0..6 { for b in 0..6 { for i in 0..4 { for j in 0..4 {
            for c in 0..5 { for d in 0..4 { for e in 0..4 { for f in 0..5 { for k in 0..3 { for l in 0..3 {
                w[a][b][i][j] += x[a][c][i][k] * y[b][e][f][l] * z[d][f][j][k] * u[c][d][e][l];
            } } } } } }
        } } } }
    }

    /// A tensor times the Khatri-Rao product of two matrices.
    pub fn mttkrp(n: usize, m: usize, x: &[f64], b: &[f64], c: &[f64], w: &mut [f64]) {
        for i in 0..n { for r in 0..m { for j in 0..n { for k in 0..n {
            w[i * m + r] += x[(i * n + j) * n + k] * b[j * m + r] * c[k * m + r];
        } } } }
    }

    /// The core of a Tucker decomposition.
    pub fn tucker(
        x: &[[[f64; 24]; 24]; 24], a: &[[f64; 6]; 24], b: &[[f64; 6]; 24], c: &[[f64; 6]; 24],
        w: &mut [[[f64; 6]; 6]; 6],
    ) {
        for p in 0..6 { for q in 0..6 { for r in 0..6 {
            for i in 0..24 { for j in 0..24 { for k in 0..24 {
                w[p][q][r] += x[i][j][k] * a[i][p] * b[j][q] * c[k][r];
            } } }
        } } }
    }

    /// Many small products.
    pub fn batched(count: usize, a: &[[[f64; 8]; 8]], b: &[[[f64; 8]; 8]], c: &mut [[[f64; 8]; 8]]) {
        for e in 0..count { for i in 0..8 { for j in 0..8 { for k in 0..8 {
            c[e][i][j] += a[e][i][k] * b[e][k][j];
        } } } }
    }
}

/// The action of a matrix along each axis of an element with so many nodes an axis.
macro_rules! spectral {
    ($($name:ident $n:literal)*) => {
        $(kernel! {
            pub fn $name(b: &[[f64; $n]; $n], u: &[[[f64; $n]; $n]; $n], w: &mut [[[f64; $n]; $n]; $n]) {
                for a in 0..$n { for e in 0..$n { for c in 0..$n {
                    for i in 0..$n { for j in 0..$n { for k in 0..$n {
                        w[a][e][c] += b[a][i] * b[e][j] * b[c][k] * u[i][j][k];
                    } } }
                } } }
            }
        })*
    };
}

spectral! { spectral5 5 spectral6 6 spectral7 7 spectral8 8 spectral9 9 }
