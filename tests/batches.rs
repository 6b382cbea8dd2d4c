//! Matrices that follow each other in slices: parts of which products of extents say where they begin and end.

#![allow(missing_docs, reason = "kernels of tests")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright::kernel;

kernel! {
    /// A product of each two matrices.
    #[opt(require_lanes)]
    pub fn products(a: &[f64], b: &[f64], c: &mut [f64], count: usize, m: usize, k: usize, n: usize) {
        for s in 0..count {
            let a = &a[s * m * k..(s + 1) * m * k];
            let b = &b[s * k * n..(s + 1) * k * n];
            let c = &mut c[s * m * n..(s + 1) * m * n];
            for i in 0..m {
                for j in 0..n {
                    let mut sum = 0.0;
                    for l in 0..k {
                        sum += a[i * k + l] * b[l * n + j];
                    }
                    c[i * n + j] = sum;
                }
            }
        }
    }

    /// Images in a stack, smoothed along their rows.
    #[opt(require_lanes)]
    pub fn stacks(stack: &[f32], smooth: &mut [f32], images: usize, w: usize, h: usize) {
        let pixels = w * h;
        for s in 0..images {
            let image = &stack[s * pixels..(s + 1) * pixels];
            let out = &mut smooth[s * pixels..(s + 1) * pixels];
            for y in 0..h {
                for x in 1..w - 1 {
                    let c = y * w + x;
                    out[c] = 0.25 * (image[c - 1] + image[c + 1]) + 0.5 * image[c];
                }
            }
        }
    }

    /// A part ends before the array that its subscripts show.
    pub fn beyond(x: &[f64], y: &mut [f64], count: usize, m: usize, n: usize) {
        for s in 0..count {
            let x = &x[s * m * n..(s + 1) * m * n];
            for i in 0..m + 1 {
                for j in 0..n {
                    y[j] += x[i * n + j];
                }
            }
        }
    }

    /// Nothing but its ends says what a part is.
    pub fn lengths(x: &[f64], y: &mut [f64], m: usize, n: usize) {
        for s in 0..y.len() {
            let part = &x[s * m * n..(s + 1) * m * n];
            y[s] = part.len() as f64;
        }
    }
}

mod support;
use support::{near, noise};

fn numbers(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|i| noise(i + 7919 * seed)).collect()
}

const SIZES: [[usize; 4]; 10] = [
    [0, 2, 3, 4],
    [1, 1, 1, 1],
    [2, 3, 2, 5],
    [3, 0, 2, 2],
    [3, 2, 0, 2],
    [4, 3, 3, 3],
    [2, 9, 7, 8],
    [5, 4, 4, 4],
    [2, 16, 16, 16],
    [3, 5, 33, 19],
];

#[test]
fn matrices_of_a_batch() {
    for [count, m, k, n] in SIZES {
        let (a, b) = (numbers(count * m * k, 1), numbers(count * k * n, 2));
        let mut expected = numbers(count * m * n, 3);
        products::reference(&a, &b, &mut expected, count, m, k, n);
        for isa in products::variants() {
            let mut own = numbers(count * m * n, 3);
            if products::with(*isa, &a, &b, &mut own, count, m, k, n).is_ok() {
                assert!(near(&own, &expected), "{count} {m} {k} {n} on {isa:?}");
            }
        }
        // A matrix that is not there: nothing is written.
        if count * m * k > 0 {
            let before = numbers(count * m * n, 3);
            let mut own = before.clone();
            let short = &a[..count * m * k - 1];
            let call = AssertUnwindSafe(|| products(short, &b, &mut own, count, m, k, n));
            assert!(catch_unwind(call).is_err());
            assert_eq!(own, before);
        }
    }
}

#[test]
fn images_of_a_stack() {
    for [images, w, h, _] in SIZES.into_iter().filter(|[_, w, ..]| *w > 0) {
        let single = |seed| -> Vec<f32> {
            numbers(images * w * h, seed)
                .iter()
                .map(|v| *v as f32)
                .collect()
        };
        let mut expected = single(2);
        stacks::reference(&single(1), &mut expected, images, w, h);
        for isa in stacks::variants() {
            let mut own = single(2);
            if stacks::with(*isa, &single(1), &mut own, images, w, h).is_ok() {
                for (own, expected) in own.iter().zip(&expected) {
                    assert!((own - expected).abs() < 1e-6, "{images} {w} {h} on {isa:?}");
                }
            }
        }
    }
}

#[test]
fn parts_that_are_left_panic() {
    let mut y = vec![0.0; 3];
    let x = numbers(24, 1);
    assert!(catch_unwind(AssertUnwindSafe(|| beyond(&x, &mut y, 2, 4, 3))).is_err());
    beyond(&x, &mut y, 0, 4, 3);
    for (m, n) in [(2, 3), (0, 5)] {
        let (mut own, mut expected) = (vec![0.0; 4], vec![0.0; 4]);
        lengths(&x, &mut own, m, n);
        lengths::reference(&x, &mut expected, m, n);
        assert_eq!(own, expected);
    }
    assert!(catch_unwind(|| lengths(&x, &mut [0.0; 5], 2, 3)).is_err());
}
