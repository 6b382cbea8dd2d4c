//! Sums of products in one nest, of constant and of run-time lengths, deeper than what can be validated with many
//! iterations of each loop: results in every variant, and operations that are executed.

#![allow(
    missing_docs,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    reason = "texts of kernels"
)]
use loopwright::kernel;

kernel! {
    /// Four arrays of four dimensions; ten loops.
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

    /// The same where lengths are known when it runs.
    pub fn flat(
        n_a: usize, n_b: usize, n_i: usize, n_j: usize, n_c: usize, n_d: usize, n_e: usize, n_f: usize, n_k: usize, n_l: usize, x: &[f64], y: &[f64], z: &[f64], u: &[f64], w: &mut [f64],
    ) {
        for a in 0..n_a { for b in 0..n_b { for i in 0..n_i { for j in 0..n_j {
            for c in 0..n_c { for d in 0..n_d { for e in 0..n_e { for f in 0..n_f { for k in 0..n_k { for l in 0..n_l {
                w[((a * n_b + b) * n_i + i) * n_j + j] += x[((a * n_c + c) * n_i + i) * n_k + k]
                    * y[((b * n_e + e) * n_f + f) * n_l + l] * z[((d * n_f + f) * n_j + j) * n_k + k]
                    * u[((c * n_d + d) * n_e + e) * n_l + l];
            } } } } } }
        } } } }
    }
}

kernel! {
    /// Two lengths in eight loops: a term of coupled cluster theory.
    pub fn coupled_cluster(nv: usize, no: usize, t: &[f64], v: &[f64], w: &mut [f64]) {
        for a in 0..nv { for b in 0..nv { for i in 0..no { for j in 0..no {
            for k in 0..no { for l in 0..no { for c in 0..nv { for d in 0..nv {
                w[((a * nv + b) * no + i) * no + j] -= 0.5 * t[((a * nv + c) * no + i) * no + k]
                    * t[((b * nv + d) * no + j) * no + l] * v[((k * no + l) * nv + c) * nv + d];
            } } } }
        } } } }
    }

    /// What is subtracted, and several products at once.
    pub fn signs(
        a: &[[f64; 8]; 9], b: &[[f64; 7]; 8], c: &[[f64; 6]; 7], d: &[[f64; 7]; 9], w: &mut [[f64; 6]; 9],
    ) {
        for i in 0..9 { for l in 0..6 {
            for j in 0..8 { for k in 0..7 {
                w[i][l] -= 2.0 * a[i][j] * b[j][k] * c[k][l] - d[i][k] * b[j][k] * c[k][l];
            } }
        } }
    }
}

kernel! {
    /// One loop over two, which a row's number of columns takes apart.
    pub fn one_loop_over_two(ni: usize, nj: usize, nk: usize, a: &[f64], b: &[f64], w: &mut [f64]) {
        for i in 0..ni {
            for x in 0..nj * nk {
                let j = x / nk;
                let k = x % nk;
                w[i] += a[(i * nj + j) * nk + k] * b[k * nj + j];
            }
        }
    }
}

#[test]
fn a_loop_over_a_product_is_two_loops() {
    for (ni, nj, nk) in [
        (1, 1, 1),
        (3, 5, 9),
        (9, 2, 1),
        (2, 17, 3),
        (0, 2, 2),
        (2, 0, 3),
        (2, 3, 0),
    ] {
        let (a, b) = (numbers(ni * nj * nk), numbers(nj * nk));
        let mut expected = numbers(ni);
        one_loop_over_two::reference(ni, nj, nk, &a, &b, &mut expected);
        for isa in one_loop_over_two::variants().iter().copied() {
            let mut found = numbers(ni);
            one_loop_over_two::with(isa, ni, nj, nk, &a, &b, &mut found).unwrap();
            near(&found, &expected, "one_loop_over_two");
        }
    }
    let notes = one_loop_over_two::REPORT.notes;
    assert!(
        !notes.iter().any(|note| note.starts_with("runs as written")),
        "{notes:?}"
    );
}

#[test]
fn products_of_two_lengths() {
    for (nv, no) in [(1, 1), (2, 3), (9, 2), (3, 10), (0, 2), (8, 4)] {
        let (t, v) = (numbers(nv * nv * no * no), numbers(no * no * nv * nv));
        let mut expected = t.clone();
        coupled_cluster::reference(nv, no, &t, &v, &mut expected);
        for isa in coupled_cluster::variants().iter().copied() {
            let mut found = t.clone();
            coupled_cluster::with(isa, nv, no, &t, &v, &mut found).unwrap();
            near(&found, &expected, "coupled_cluster");
        }
    }
    let notes = coupled_cluster::REPORT.notes;
    assert!(
        !notes.iter().any(|note| note.starts_with("runs as written")),
        "{notes:?}"
    );
}

#[test]
fn products_that_are_subtracted() {
    let flat = |n: usize| numbers(n);
    let (a, b, c, d) = (flat(72), flat(56), flat(42), flat(63));
    let (a, d) = (
        a.as_chunks().0.try_into().unwrap(),
        d.as_chunks().0.try_into().unwrap(),
    );
    let (b, c) = (
        b.as_chunks().0.try_into().unwrap(),
        c.as_chunks().0.try_into().unwrap(),
    );
    let mut expected = [[1.0; 6]; 9];
    signs::reference(a, b, c, d, &mut expected);
    for isa in signs::variants().iter().copied() {
        let mut found = [[1.0; 6]; 9];
        signs::with(isa, a, b, c, d, &mut found).unwrap();
        near(found.as_flattened(), expected.as_flattened(), "signs");
    }
    // The first product in two steps, and the other one with what sums over `j` alone.
    let cost = signs::REPORT.expansion;
    assert!(cost.operations() <= 2600, "{cost:?}");
}

fn numbers(count: usize) -> Vec<f64> {
    let number = |at: usize| ((at * 7919 + 13) % 1009) as f64 / 505.0 - 1.0;
    (0..count).map(number).collect()
}

fn near(found: &[f64], expected: &[f64], name: &str) {
    let largest = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs();
        assert!(
            error <= 1e-12 * largest,
            "{name} at {at}: {found} instead of {expected}"
        );
    }
}

/// An array of four dimensions.
fn tensor<const A: usize, const B: usize, const C: usize, const D: usize>()
-> [[[[f64; D]; C]; B]; A] {
    let all = numbers(A * B * C * D);
    let mut result = [[[[0.0; D]; C]; B]; A];
    let flat = result
        .as_flattened_mut()
        .as_flattened_mut()
        .as_flattened_mut();
    flat.copy_from_slice(&all);
    result
}

#[test]
fn ten_loops_of_constant_length() {
    let (x, y, z, u) = (tensor(), tensor(), tensor(), tensor());
    let mut expected = tensor();
    coupled::reference(&x, &y, &z, &u, &mut expected);
    for isa in coupled::variants().iter().copied() {
        let mut found = tensor();
        coupled::with(isa, &x, &y, &z, &u, &mut found).unwrap();
        let [found, expected] =
            [&found, &expected].map(|a| a.as_flattened().as_flattened().as_flattened());
        near(found, expected, "coupled");
    }
    // The fewest that there can be, and one more for each sum that begins with zero.
    let cost = coupled::REPORT.expansion;
    assert!(cost.add + cost.mul <= 45_120 + 1_536, "{cost:?}");
}

#[test]
fn ten_loops_of_all_lengths() {
    for n in [
        [2, 3, 2, 3, 2, 3, 2, 3, 2, 3],
        [3, 2, 9, 17, 2, 1, 3, 2, 4, 2],
        [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
        [2, 3, 4, 11, 0, 2, 2, 2, 2, 2],
        [2, 0, 4, 3, 2, 2, 2, 2, 2, 2],
        [4, 5, 3, 2, 3, 4, 2, 3, 9, 8],
    ] {
        let size = |of: [usize; 4]| of.iter().map(|at| n[*at]).product::<usize>();
        let [x, y, z, u] =
            [[0, 4, 2, 8], [1, 6, 7, 9], [5, 7, 3, 8], [4, 5, 6, 9]].map(|of| numbers(size(of)));
        let count = size([0, 1, 2, 3]);
        let mut expected = numbers(count);
        flat::reference(
            n[0],
            n[1],
            n[2],
            n[3],
            n[4],
            n[5],
            n[6],
            n[7],
            n[8],
            n[9],
            &x,
            &y,
            &z,
            &u,
            &mut expected,
        );
        for isa in flat::variants().iter().copied() {
            let mut found = numbers(count);
            flat::with(
                isa, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], &x, &y, &z, &u,
                &mut found,
            )
            .unwrap();
            near(&found, &expected, "flat");
        }
    }
}
