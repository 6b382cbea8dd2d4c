//! Products of matrices whose extents are known when the kernel runs, long enough that their loops run in strips of
//! which panels are packed.

#![allow(
    clippy::too_many_arguments,
    reason = "products have extents, factors and a result"
)]
#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]
#![allow(clippy::needless_range_loop, reason = "texts of kernels")]

mod support;

use loopwright::{Isa, Scratch, kernel};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, s};
use support::each_variant;

kernel! {
    pub fn product(n: usize, m: usize, l: usize, a: &[f64], b: &[f64], y: &mut [f64]) {
        for i in 0..n { for j in 0..m { for k in 0..l {
            y[i * m + j] += a[i * l + k] * b[k * m + j];
        } } }
    }

    /// In another order, subtracted, with a weight for each term and one for each row.
    pub fn weighted(
        n: usize, m: usize, l: usize, a: &[f64], b: &[f64], d: &[f64], e: &[f64], y: &mut [f64],
    ) {
        for k in 0..l { for j in 0..m { for i in 0..n {
            y[i * m + j] -= 2.0 * a[i * l + k] * d[k] * b[k * m + j] * (e[i] + 1.0);
        } } }
    }

    /// Both factors are transposed, the result is assigned, in single precision.
    pub fn both_transposed(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], y: &mut [f32]) {
        for i in 0..n { for j in 0..m {
            let mut sum = 0.0;
            for k in 0..l { sum += a[k * n + i] * b[j * l + k]; }
            y[i * m + j] = sum;
        } }
    }

    /// Sums begin with a value of their column, and are copied where they belong.
    pub fn begun(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], d: &[f32], y: &mut [f32]) {
        for i in 0..n { for j in 0..m {
            let mut sum = d[j];
            for k in 0..l { sum += a[i * l + k] * b[j * l + k]; }
            y[i * m + j] = sum;
        } }
    }

    /// Something is computed of each sum, which begins with a value.
    pub fn layer(n: usize, m: usize, l: usize, a: &[f64], b: &[f64], d: &[f64], y: &mut [f64]) {
        for i in 0..n { for j in 0..m {
            let mut sum = d[j];
            for k in 0..l { sum += a[i * l + k] * b[k * m + j]; }
            y[i * m + j] += sum.max(0.0);
        } }
    }

    /// The same in memory, nest by nest.
    pub fn layer_in_nests(
        n: usize, m: usize, l: usize, a: &[f64], b: &[f64], d: &[f64], y: &mut [f64],
    ) {
        for i in 0..n { for j in 0..m { y[i * m + j] = d[j]; } }
        for i in 0..n { for k in 0..l { for j in 0..m {
            y[i * m + j] += a[i * l + k] * b[k * m + j];
        } } }
        for i in 0..n { for j in 0..m { y[i * m + j] = 3.0 * y[i * m + j].max(-1.0); } }
    }

    /// No product, but rows and columns.
    pub fn distances(n: usize, m: usize, l: usize, a: &[f64], b: &[f64], y: &mut [f64]) {
        for i in 0..n { for j in 0..m {
            let mut sum = 0.0;
            for k in 0..l { let d = a[i * l + k] - b[j * l + k]; sum += d * d; }
            y[i * m + j] = 0.5 * sum + 1.0;
        } }
    }

    /// Sums whose smallest one is kept.
    pub fn shortest(n: usize, m: usize, l: usize, a: &[f64], b: &[f64], y: &mut [f64]) {
        for i in 0..n { for j in 0..m { for k in 0..l {
            y[i * m + j] = y[i * m + j].min(a[i * l + k] + b[k * m + j]);
        } } }
    }

    /// The result is transposed.
    pub fn transposed(n: usize, m: usize, l: usize, a: &[f64], b: &[f64], y: &mut [f64]) {
        for i in 0..n { for j in 0..m { for k in 0..l {
            y[j * n + i] += a[i * l + k] * b[k * m + j];
        } } }
    }

    /// For each of some matrices, summed over two loops.
    pub fn several(
        count: usize, n: usize, m: usize, l: usize, p: usize, a: &[f64], b: &[f64], y: &mut [f64],
    ) {
        for e in 0..count { for i in 0..n { for j in 0..m { for q in 0..p { for k in 0..l {
            y[(e * n + i) * m + j] += a[((e * n + i) * p + q) * l + k] * b[(q * l + k) * m + j];
        } } } } }
    }

    /// A product whose result is a factor of another one.
    pub fn chain(n: usize, a: &[f64], b: &[f64], c: &[f64], y: &mut [f64]) {
        for i in 0..n { for j in 0..n { for k in 0..n { for l in 0..n {
            y[i * n + j] += a[i * n + k] * b[k * n + l] * c[l * n + j];
        } } } }
    }

    pub fn of_views(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.shape()[0] { for j in 0..c.shape()[1] { for k in 0..a.shape()[1] {
            c[[i, j]] += a[[i, k]] * b[[k, j]];
        } } }
    }
}

// Blocks of their own: what validation may take grows with the text.
kernel! {
    /// Two sums of other terms, one after the other, of which something is computed; the second factor is transposed once.
    pub fn cell(
        n: usize, m: usize, l: usize, p: usize, a: &[f64], b: &[f64], c: &[f64], d: &[f64], y: &mut [f64],
    ) {
        for i in 0..n { for j in 0..m {
            let mut sum = d[j];
            for k in 0..l { sum += a[i * l + k] * b[k * m + j]; }
            for q in 0..p { sum += a[i * p + q] * c[j * p + q]; }
            y[i * m + j] = sum.max(0.0);
        } }
    }

    /// Complex numbers next to each other, which lanes stage.
    pub fn complex(n: usize, m: usize, l: usize, a: &[f64], b: &[f64], y: &mut [f64]) {
        for i in 0..n { for j in 0..m {
            let mut re = 0.0;
            let mut im = 0.0;
            for k in 0..l {
                let (ar, ai) = (a[2 * (i * l + k)], a[2 * (i * l + k) + 1]);
                let (br, bi) = (b[2 * (k * m + j)], b[2 * (k * m + j) + 1]);
                re += ar * br - ai * bi;
                im += ar * bi + ai * br;
            }
            y[2 * (i * m + j)] = re;
            y[2 * (i * m + j) + 1] += im;
        } }
    }

    /// Halves of rows, and the first is read in the second one's sum.
    pub fn halves(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], y: &mut [f32]) {
        for i in 0..n { for j in 0..m {
            let mut first = 0.0;
            for k in 0..l { first += a[i * l + k] * b[k * m + j]; }
            y[i * (2 * m) + j] = first;
            let mut second = y[i * (2 * m) + j];
            for k in 0..l { second -= a[k * n + i] * b[j * l + k]; }
            y[i * (2 * m) + m + j] = second;
        } }
    }
}

kernel! {
    /// Of so many loops that few iterations of each are what can be validated.
    pub fn four_steps(n: usize, a: &[f64], c: &[f64], y: &mut [f64]) {
        for e in 0..n { for f in 0..n { for g in 0..n { for h in 0..n {
            for i in 0..n { for j in 0..n { for k in 0..n { for l in 0..n {
                y[((e * n + f) * n + g) * n + h] += a[((i * n + j) * n + k) * n + l]
                    * c[i * n + e] * c[j * n + f] * c[k * n + g] * c[l * n + h];
            } } } }
        } } } }
    }
}

/// Small integers, on which no operation rounds.
fn numbers<T: From<f32>>(n: usize, by: usize) -> Vec<T> {
    let number = |i: usize| ((i % 7919) * by % 17) as f32 - 8.0;
    (0..n).map(|i| T::from(number(i))).collect()
}

/// Rows, columns and terms of which some are more than a strip, and none is a multiple of much.
const SIZES: [[usize; 3]; 4] = [[300, 51, 37], [67, 331, 300], [129, 49, 275], [33, 97, 129]];

#[test]
fn results_are_those_of_the_text() {
    for [n, m, l] in SIZES {
        let (a, b): (Vec<f64>, Vec<f64>) = (numbers(n * l, 7), numbers(l * m, 5));
        let (d, e): (Vec<f64>, Vec<f64>) = (numbers(l, 3), numbers(n, 4));
        let start = numbers(n * m, 2);
        let (mut y, mut z, mut w) = (start.clone(), start.clone(), start.clone());
        product::reference(n, m, l, &a, &b, &mut y);
        weighted::reference(n, m, l, &a, &b, &d, &e, &mut z);
        transposed::reference(n, m, l, &a, &b, &mut w);
        let (f, g): (Vec<f32>, Vec<f32>) = (numbers(n * l, 7), numbers(l * m, 5));
        let mut v = vec![f32::NAN; n * m];
        both_transposed::reference(n, m, l, &f, &g, &mut v);
        let (h, mut u): (Vec<f32>, Vec<f32>) = (numbers(m, 3), vec![f32::NAN; n * m]);
        begun::reference(n, m, l, &f, &g, &h, &mut u);
        each_variant(product::variants(), |isa| {
            let mut found = start.clone();
            product::with(isa, n, m, l, &a, &b, &mut found).unwrap();
            assert!(found == y, "{n} {m} {l}");
            let mut found = start.clone();
            weighted::with(isa, n, m, l, &a, &b, &d, &e, &mut found).unwrap();
            assert!(found == z, "weighted {n} {m} {l}");
            let mut found = start.clone();
            transposed::with(isa, n, m, l, &a, &b, &mut found).unwrap();
            assert!(found == w, "transposed {n} {m} {l}");
            let mut found = vec![f32::NAN; n * m];
            both_transposed::with(isa, n, m, l, &f, &g, &mut found).unwrap();
            assert!(found == v, "both transposed {n} {m} {l}");
            let mut found = vec![f32::NAN; n * m];
            begun::with(isa, n, m, l, &f, &g, &h, &mut found).unwrap();
            assert!(found == u, "begun {n} {m} {l}");
        });
    }
}

#[test]
fn what_is_computed_of_sums_is_that_of_the_text() {
    for [n, m, l] in SIZES.into_iter().chain([[3, 5, 7], [20, 40, 0]]) {
        let (a, b): (Vec<f64>, Vec<f64>) = (numbers(n * l, 7), numbers(l * m, 5));
        let (d, start): (Vec<f64>, Vec<f64>) = (numbers(m, 3), numbers(n * m, 2));
        let [mut y, mut z, mut w, mut v] = [0, 1, 2, 3].map(|_| start.clone());
        layer::reference(n, m, l, &a, &b, &d, &mut y);
        layer_in_nests::reference(n, m, l, &a, &b, &d, &mut z);
        distances::reference(n, m, l, &a, &b, &mut w);
        shortest::reference(n, m, l, &a, &b, &mut v);
        each_variant(layer::variants(), |isa| {
            let mut found = start.clone();
            layer::with(isa, n, m, l, &a, &b, &d, &mut found).unwrap();
            assert!(found == y, "layer {n} {m} {l}");
            let mut found = start.clone();
            layer_in_nests::with(isa, n, m, l, &a, &b, &d, &mut found).unwrap();
            assert!(found == z, "in nests {n} {m} {l}");
            let mut found = start.clone();
            distances::with(isa, n, m, l, &a, &b, &mut found).unwrap();
            assert!(found == w, "distances {n} {m} {l}");
            let mut found = start.clone();
            shortest::with(isa, n, m, l, &a, &b, &mut found).unwrap();
            assert!(found == v, "shortest {n} {m} {l}");
        });
    }
}

#[test]
fn several_sums_of_an_element_are_those_of_the_text() {
    for [n, m, l] in SIZES
        .into_iter()
        .chain([[3, 5, 7], [40, 20, 0], [1, 40, 1]])
    {
        let p = l.saturating_sub(9);
        let (a, b): (Vec<f64>, Vec<f64>) = (numbers(2 * n * l, 7), numbers(2 * l * m, 5));
        let (c, d): (Vec<f64>, Vec<f64>) = (numbers(l * m, 11), numbers(m, 3));
        let (f, g): (Vec<f32>, Vec<f32>) = (numbers(n * l, 7), numbers(l * m, 5));
        let mut y = vec![f64::NAN; n * m];
        cell::reference(n, m, l, p, &a, &b, &c, &d, &mut y);
        let start: Vec<f64> = numbers(2 * n * m, 2);
        let (mut z, mut w) = (start.clone(), vec![f32::NAN; 2 * n * m]);
        complex::reference(n, m, l, &a, &b, &mut z);
        halves::reference(n, m, l, &f, &g, &mut w);
        each_variant(cell::variants(), |isa| {
            let mut found = vec![f64::NAN; n * m];
            cell::with(isa, n, m, l, p, &a, &b, &c, &d, &mut found).unwrap();
            assert!(found == y, "cell {n} {m} {l}");
            let mut found = start.clone();
            complex::with(isa, n, m, l, &a, &b, &mut found).unwrap();
            assert!(found == z, "complex {n} {m} {l}");
            let mut found = vec![f32::NAN; 2 * n * m];
            halves::with(isa, n, m, l, &f, &g, &mut found).unwrap();
            assert!(found == w, "halves {n} {m} {l}");
        });
    }
}

#[test]
fn loops_around_stay_around() {
    let (count, [n, m, l, p]) = (2, [70, 260, 255, 3]);
    let a: Vec<f64> = numbers(count * n * p * l, 7);
    let b: Vec<f64> = numbers(p * l * m, 5);
    let start: Vec<f64> = numbers(count * n * m, 2);
    let mut y = start.clone();
    several::reference(count, n, m, l, p, &a, &b, &mut y);
    let square: Vec<f64> = numbers(90 * 90, 3);
    let mut z = vec![0.5; 90 * 90];
    let [c, d, e] = [0, 1, 2].map(|by| &square[by..]);
    let long = 89;
    chain::reference(long, c, d, e, &mut z);
    each_variant(several::variants(), |isa| {
        let mut found = start.clone();
        several::with(isa, count, n, m, l, p, &a, &b, &mut found).unwrap();
        assert!(found == y);
        let mut found = vec![0.5; 90 * 90];
        chain::with(isa, long, c, d, e, &mut found).unwrap();
        assert!(found == z);
    });
}

/// Where the code for long extents is too large to validate, that for short ones does for all.
#[test]
fn what_is_too_large_to_validate_leaves_the_rest() {
    let notes = four_steps::REPORT.notes;
    assert!(
        !notes.iter().any(|note| note.starts_with("runs as written")),
        "{notes:?}"
    );
    for n in [3, 5] {
        let (a, c): (Vec<f64>, Vec<f64>) = (numbers(n * n * n * n, 7), numbers(n * n, 5));
        let mut y = vec![0.0; n * n * n * n];
        four_steps::reference(n, &a, &c, &mut y);
        each_variant(four_steps::variants(), |isa| {
            let mut found = vec![0.0; y.len()];
            four_steps::with(isa, n, &a, &c, &mut found).unwrap();
            assert!(found == y);
        });
    }
}

#[test]
fn views_have_any_strides() {
    let all: Vec<f64> = numbers(600 * 600, 7);
    let all = Array2::from_shape_vec((600, 600), all).unwrap();
    let (n, m, l) = (130, 470, 150);
    let left = [
        all.slice(s![..n, ..l]),
        all.slice(s![..l, 3..n + 3]).reversed_axes(),
        all.slice(s![..2 * n; 2, ..3 * l; -3]),
    ];
    let right = [
        all.slice(s![5..l + 5, ..m]),
        all.slice(s![..m, ..l]).reversed_axes(),
    ];
    for a in left {
        for b in right {
            let expected = a.dot(&b);
            each_variant(of_views::variants(), |isa| {
                let mut found = Array2::zeros((n, m));
                of_views::with(isa, a, b, found.view_mut()).unwrap();
                assert!(found == expected);
                let mut found = Array2::zeros((m, n));
                of_views::with(isa, a, b, found.view_mut().reversed_axes()).unwrap();
                assert!(found.t() == expected);
            });
        }
    }
}

/// Panels are in scratch memory, which is taken once.
#[test]
fn panels_take_turns_in_scratch_memory() {
    let (a, b): (Vec<f64>, Vec<f64>) = (numbers(400 * 400, 7), numbers(400 * 400, 5));
    let mut scratch = Scratch::new();
    let mut y = vec![0.0; 400 * 400];
    product::with_scratch(&mut scratch, 400, 400, 400, &a, &b, &mut y);
    let bytes = scratch.bytes();
    let lanes = Isa::Avx2.is_available();
    assert_eq!(bytes > 0, lanes);
    assert!(bytes <= 512 << 10, "{bytes}");
}
