//! Stencils whose rows read elements in common: several rows take a step together, and load these once.
#![allow(missing_docs, reason = "kernels of tests")]

mod support;

use loopwright::{Report, kernel};

kernel! {
    /// Nine different weights.
    pub fn dense(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                let w = [[2.0, 15.0, 28.0], [9.0, 25.0, 5.0], [16.0, 35.0, 19.0]];
                let mut sum = 0.0;
                for k in 0..3 {
                    for l in 0..3 {
                        sum += w[k][l] * x[(j + k - 1) * m + i + l - 1];
                    }
                }
                y[j * m + i] = sum;
            }
        }
    }

    /// Weights that are known when the kernel runs, of more rows than columns, in numbers of 32 bits.
    pub fn given(n: usize, m: usize, w: &[[f32; 3]; 5], x: &[f32], y: &mut [f32]) {
        for j in 2..n - 2 {
            for i in 1..m - 1 {
                let mut sum = 0.0;
                for k in 0..5 {
                    for l in 0..3 {
                        sum += w[k][l] * x[(j + k - 2) * m + i + l - 1];
                    }
                }
                y[j * m + i] = sum;
            }
        }
    }

    /// Weights of which two are one and minus one, and some are negative.
    pub fn signed(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for j in 1..n - 1 {
            for i in 0..m {
                y[j * m + i] = x[j * m + i] - x[(j - 1) * m + i] - 0.7 * x[(j + 1) * m + i];
            }
        }
    }

    /// Planes of lines, two results, one of which the other rows have nothing of.
    pub fn solid(n: usize, m: usize, l: usize, x: &[f64], y: &mut [f64], z: &mut [f64]) {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                for k in 1..l - 1 {
                    let at = (i * m + j) * l + k;
                    y[at] = 0.3 * x[at - m * l] + 0.4 * x[at + m * l] + 0.5 * x[at - l] + 0.6 * x[at + l]
                        + 0.7 * x[at - 1] + 0.8 * x[at + 1] + 0.9 * x[at];
                    z[at] = 2.0 * x[at] + 1.0;
                }
            }
        }
    }

    /// Rows that have planes of their own, and little in common.
    pub fn star(n: usize, m: usize, l: usize, x: &[f64], y: &mut [f64]) {
        for i in 2..n - 2 {
            for j in 2..m - 2 {
                for k in 2..l - 2 {
                    let at = (i * m + j) * l + k;
                    y[at] = 0.9 * x[at]
                        + 0.3 * (x[at - 1] + x[at + 1] + x[at - l] + x[at + l] + x[at - m * l] + x[at + m * l])
                        - 0.1 * (x[at - 2] + x[at + 2] + x[at - 2 * l] + x[at + 2 * l]
                            + x[at - 2 * m * l] + x[at + 2 * m * l]);
                }
            }
        }
    }

    /// Weights by distance: rows have sums over the planes in common.
    pub fn classes(n: usize, m: usize, l: usize, x: &[f64], y: &mut [f64]) {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                for k in 1..l - 1 {
                    let w = [
                        [[0.0625, 0.1875, 0.0625], [0.1875, -0.375, 0.1875], [0.0625, 0.1875, 0.0625]],
                        [[0.1875, -0.375, 0.1875], [-0.375, 2.5, -0.375], [0.1875, -0.375, 0.1875]],
                        [[0.0625, 0.1875, 0.0625], [0.1875, -0.375, 0.1875], [0.0625, 0.1875, 0.0625]],
                    ];
                    let mut sum = 0.0;
                    for c in 0..3 {
                        for a in 0..3 {
                            for b in 0..3 {
                                sum += w[c][a][b] * x[((i + c - 1) * m + j + a - 1) * l + k + b - 1];
                            }
                        }
                    }
                    y[(i * m + j) * l + k] = sum;
                }
            }
        }
    }

    /// Different weights along each axis, the same on both sides.
    pub fn axes(n: usize, m: usize, l: usize, x: &[f32], y: &mut [f32]) {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                for k in 1..l - 1 {
                    let w = [
                        [[1.0, 2.5, 1.0], [0.3, 4.1, 0.3], [1.0, 2.5, 1.0]],
                        [[0.7, 1.9, 0.7], [3.3, -8.0, 3.3], [0.7, 1.9, 0.7]],
                        [[1.0, 2.5, 1.0], [0.3, 4.1, 0.3], [1.0, 2.5, 1.0]],
                    ];
                    let mut sum = 0.0;
                    for c in 0..3 {
                        for a in 0..3 {
                            for b in 0..3 {
                                sum += w[c][a][b] * x[((i + c - 1) * m + j + a - 1) * l + k + b - 1];
                            }
                        }
                    }
                    y[(i * m + j) * l + k] = sum;
                }
            }
        }
    }

    /// Equal weights, and the largest element, of a window.
    pub fn window(n: usize, m: usize, x: &[f64], y: &mut [f64], z: &mut [f64]) {
        for j in 3..n - 3 {
            for i in 3..m - 3 {
                let mut sum = 0.0;
                for k in 0..7 {
                    for l in 0..7 {
                        sum += x[(j + k - 3) * m + i + l - 3];
                    }
                }
                y[j * m + i] = sum;
            }
        }
        for j in 2..n - 2 {
            for i in 2..m - 2 {
                let mut most = x[j * m + i];
                for k in 0..5 {
                    for l in 0..5 {
                        most = most.max(x[(j + k - 2) * m + i + l - 2]);
                    }
                }
                z[j * m + i] = most;
            }
        }
    }

    /// Later rows write over what earlier ones wrote.
    pub fn diagonals(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for j in 0..n {
            for i in 0..m {
                y[i + j] = 0.25 * x[j * m + i] + 0.5 * x[(j + 1) * m + i] + 0.75 * x[(j + 2) * m + i];
            }
        }
    }
}

fn noise<T: From<f32>>(seed: usize, n: usize) -> Vec<T> {
    let number = |i| ((i * 7919 + seed * 104_729) % 1013) as f32 / 1024.0 - 0.5;
    (0..n).map(|i| T::from(number(i))).collect()
}

fn assert_close<T: Copy + Into<f64>>(kernel: &str, own: &[T], expected: &[T], bound: f64) {
    for (at, (own, expected)) in own.iter().zip(expected).enumerate() {
        let (own, expected): (f64, f64) = ((*own).into(), (*expected).into());
        assert!(
            (own - expected).abs() <= bound,
            "{kernel} at {at}: {own}, {expected}"
        );
    }
}

/// Runs a kernel in each variant, and compares what it writes with what its text does.
macro_rules! check {
    ($kernel:ident($($read:expr),*; $($written:ident: $length:expr),+), $bound:expr) => {{
        $(let $written = noise::<_>(9, $length);)+
        let expected = {
            $(let mut $written = $written.clone();)+
            $kernel::reference($($read,)* $(&mut $written),+);
            ($($written,)+)
        };
        support::each_variant($kernel::variants(), |isa| {
            $(let mut $written = $written.clone();)+
            $kernel::with(isa, $($read,)* $(&mut $written),+).unwrap();
            let ($(ref $written,)+) = ($($written,)+);
            let name = format!("{} {isa}", stringify!($kernel));
            let found = [$($written.as_slice()),+];
            let ($(ref $written,)+) = expected;
            for (found, expected) in found.into_iter().zip([$($written.as_slice()),+]) {
                assert_close(&name, found, expected, $bound);
            }
        });
    }};
}

#[test]
fn rows_together_compute_what_the_text_does() {
    let w: [[f32; 3]; 5] =
        std::array::from_fn(|k| std::array::from_fn(|l| 0.3 * (k * 3 + l) as f32 - 1.0));
    for n in (2..14).chain([17, 31]) {
        for m in (2..22).chain([31, 34, 47, 67]) {
            let x = noise::<f64>(1, n * m);
            check!(dense(n, m, &x; y: n * m), 1e-11);
            check!(signed(n, m, &x; y: n * m), 1e-14);
            let taller = noise::<f64>(2, (n + 2) * m);
            check!(diagonals(n, m, &taller; y: n + m), 1e-14);
            if n > 3 {
                let x = noise::<f32>(3, n * m);
                check!(given(n, m, &w, &x; y: n * m), 1e-4);
            }
        }
    }
}

#[test]
fn lines_together_compute_what_the_text_does() {
    for (n, m, l) in [
        (3, 3, 3),
        (4, 6, 5),
        (5, 7, 11),
        (3, 12, 34),
        (6, 5, 19),
        (3, 8, 66),
    ] {
        let x = noise::<f64>(4, n * m * l);
        check!(solid(n, m, l, &x; y: n * m * l, z: n * m * l), 1e-14);
    }
}

#[test]
fn rows_that_share_sums_compute_what_the_text_does() {
    for n in [2, 3, 5] {
        for m in (2..12).chain([17]) {
            for l in (2..21).chain([31, 34, 47, 67]) {
                let x = noise::<f64>(5, n * m * l);
                check!(classes(n, m, l, &x; y: n * m * l), 1e-13);
                let x = noise::<f32>(6, n * m * l);
                check!(axes(n, m, l, &x; y: n * m * l), 1e-4);
            }
        }
    }
    for n in (6..18).chain([31]) {
        for m in (6..26).chain([31, 34, 47, 67]) {
            let x = noise::<f64>(7, n * m);
            check!(window(n, m, &x; y: n * m, z: n * m), 1e-12);
        }
    }
}

/// In the caches of a core, and larger.
#[test]
fn rows_that_are_together_in_caches_are_alone_beyond_them() {
    for (n, m, l) in [
        (5, 5, 5),
        (6, 9, 13),
        (7, 10, 35),
        (5, 6, 66),
        (9, 203, 515),
    ] {
        let x = noise::<f64>(4, n * m * l);
        check!(star(n, m, l, &x; y: n * m * l), 1e-13);
    }
}

/// Larger than the caches, with rows of a length that is no multiple of a vector's.
#[test]
fn rows_that_are_written_past_the_caches_are_alone() {
    let (n, m) = (1029, 4099);
    let x = noise::<f64>(1, n * m);
    check!(signed(n, m, &x; y: n * m), 1e-14);
    check!(dense(n, m, &x; y: n * m), 1e-11);
}

#[test]
fn reports_say_that_rows_are_together() {
    let reports: [&Report; 2] = [&dense::REPORT, &given::REPORT];
    for report in reports {
        let text = format!("{report:#}");
        assert!(text.contains("4 rows a step"), "{text}");
    }
    assert!(!format!("{:#}", diagonals::REPORT).contains("rows a step"));
}
