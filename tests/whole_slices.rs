//! `chunks(n)` of a length that is known when the kernel runs: rows of an array where nothing is left over.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn layer_norm(x: &[f64], y: &mut [f64], gamma: &[f64], beta: &[f64], eps: f64) {
        let d = gamma.len();
        for (x, y) in x.chunks(d).zip(y.chunks_mut(d)) {
            let mean = x.iter().sum::<f64>() / d as f64;
            let variance = x.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / d as f64;
            let scale = 1.0 / (variance + eps).sqrt();
            for (((y, x), g), b) in y.iter_mut().zip(x).zip(gamma).zip(beta) {
                *y = (x - mean) * scale * g + b;
            }
        }
    }

    #[opt(require_lanes)]
    pub fn block_sums(x: &[f64], block: usize, out: &mut [f64]) {
        for (at, (part, out)) in x.chunks(block).zip(out.iter_mut()).enumerate() {
            *out = at as f64;
            for v in part {
                *out += v;
            }
        }
    }

    pub fn nested(x: &mut [f32], rows: usize, columns: usize) {
        for plane in x.chunks_mut(rows * columns) {
            for row in plane.chunks_mut(columns) {
                let most = row.iter().fold(0.0_f32, |most, v| most.max(v.abs()));
                for v in row.iter_mut() {
                    *v += most;
                }
            }
        }
    }
}

mod support;
use support::each_variant;

fn noise(count: usize, seed: usize) -> Vec<f64> {
    (0..count)
        .map(|at| support::noise(at + 1000 * seed))
        .collect()
}

fn close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let near = (found - expected).abs() <= 1e-12 * (1.0 + expected.abs());
        assert!(near, "{what}: {found} {expected}");
    }
}

/// Numbers of elements, and how many of them a slice has: with and without any left over.
const SIZES: [(usize, usize); 8] = [
    (0, 3),
    (3, 3),
    (12, 3),
    (10, 3),
    (40, 8),
    (45, 8),
    (5, 9),
    (200, 40),
];

#[test]
fn rows_are_normalised() {
    for (n, d) in SIZES {
        let (x, gamma, beta) = (noise(n, 1), noise(d, 2), noise(d, 3));
        let mut expected = noise(n, 4);
        layer_norm::reference(&x, &mut expected, &gamma, &beta, 0.1);
        each_variant(layer_norm::variants(), |isa| {
            let mut y = noise(n, 4);
            layer_norm::with(isa, &x, &mut y, &gamma, &beta, 0.1).unwrap();
            close(&y, &expected, &format!("{n} {d} {isa}"));
        });
    }
}

#[test]
fn slices_are_added_up() {
    for (n, block) in SIZES {
        for results in [n / block, n.div_ceil(block), n / block + 3] {
            let x = noise(n, 5);
            let mut expected = noise(results, 6);
            block_sums::reference(&x, block, &mut expected);
            each_variant(block_sums::variants(), |isa| {
                let mut out = noise(results, 6);
                block_sums::with(isa, &x, block, &mut out).unwrap();
                close(&out, &expected, &format!("{n} {block} {results} {isa}"));
            });
        }
    }
}

#[test]
fn slices_of_slices() {
    for (n, columns) in SIZES {
        for rows in [1, 2, 5] {
            let numbers = || noise(n, 7).iter().map(|v| *v as f32).collect::<Vec<f32>>();
            let mut expected = numbers();
            nested::reference(&mut expected, rows, columns);
            each_variant(nested::variants(), |isa| {
                let mut x = numbers();
                nested::with(isa, &mut x, rows, columns).unwrap();
                assert_eq!(x, expected, "{n} {rows} {columns} {isa}");
            });
        }
    }
}

#[test]
#[should_panic]
fn slices_of_nothing_are_refused() {
    block_sums(&[1.0], 0, &mut [0.0]);
}
