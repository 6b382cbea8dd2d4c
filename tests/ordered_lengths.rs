//! What loops of run-time length add to results, where every addition keeps its place: lanes run along the rows of results,
//! and sums in registers begin with the elements that they are added to, to the bits of the text.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    clippy::needless_range_loop,
    reason = "the style of kernels, of which each variant is called"
)]

#[path = "support/ordered.rs"]
mod ordered;
mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright::kernel;
use ordered::{compare, number};
use support::each_variant;

macro_rules! kernels {
    ($($module:ident $options:tt)*) => {$(mod $module {
        use super::*;

        kernel! {
            /// Products of matrices.
            #[opt $options]
            pub fn inner((n, m): (usize, usize), a: &[f64], b: &[f64], c: &mut [f64]) {
                for i in 0..n { for j in 0..n { for k in 0..m {
                    c[i * n + j] += a[i * m + k] * b[k * n + j];
                } } }
            }

            #[opt $options]
            pub fn columns((n, m): (usize, usize), a: &[f64], b: &[f64], c: &mut [f64]) {
                for j in 0..n { for k in 0..m { for i in 0..n {
                    c[i * n + j] -= 0.75 * a[i * m + k] * b[k * n + j];
                } } }
            }

            #[opt $options]
            pub fn outer((n, m): (usize, usize), a: &[f32], b: &[f32], c: &mut [f32]) {
                for k in 0..m { for i in 0..n { for j in 0..n {
                    c[i * n + j] += a[k * n + i] * b[k * n + j] + b[k * n + j];
                } } }
            }

            /// Rows of known length, terms of which there are any number.
            #[opt $options]
            pub fn rows(a: &[[f64; 6]], b: &[[f64; 7]], c: &mut [[f64; 7]; 6]) {
                for k in 0..a.len() { for i in 0..6 { for j in 0..7 {
                    c[i][j] += a[k][i] * b[k][j];
                } } }
            }

            /// Sums in a variable, and what is done with them.
            #[opt $options]
            pub fn variable((n, m): (usize, usize), a: &[f64], b: &[f64], c: &mut [f64]) {
                for i in 0..n { for j in 0..n {
                    let mut s = 0.5;
                    for k in 0..m { s += a[i * m + k] * b[k * n + j]; }
                    c[i * n + j] = s.max(c[i * n + j]);
                } }
            }

            /// Several sums of one loop, and the smallest term.
            #[opt $options]
            pub fn variables((n, m): (usize, usize), a: &[f64], b: &[f64], c: &mut [f64], d: &mut [f64]) {
                for i in 0..n {
                    for j in 0..n {
                        let mut s = b[j];
                        let mut t = -0.0;
                        let mut least = 1.0e3_f64;
                        for k in 0..m {
                            s -= a[i * m + k] * b[k * n + j];
                            t += a[i * m + k] * a[i * m + k] * b[k * n + j];
                            least = least.min(b[k * n + j]);
                        }
                        c[i * n + j] = s * t;
                        d[i * n + j] += least + s;
                    }
                }
            }

            /// Of all there is, and of columns.
            #[opt $options]
            pub fn norms((n, m): (usize, usize), a: &[f64], c: &mut [f64]) {
                let mut s = 0.0;
                for i in 0..n * m {
                    s += a[i] * a[i];
                }
                for j in 0..n {
                    let mut t = s;
                    for i in 0..m {
                        t += a[i * n + j];
                    }
                    c[j] = t;
                }
            }

            /// Over several loops, some of them around others.
            #[opt $options]
            pub fn several((n, m): (usize, usize), a: &[f64], b: &[f64], c: &mut [f64]) {
                for l in 0..3 { for k in 0..m { for i in 0..n { for h in 0..n { for j in 0..n {
                    c[i * n + j] += a[h * m + k] * b[k * n + j] * a[i * m + k];
                } } } } }
            }

            /// Shortest ways, and products.
            #[opt $options]
            pub fn paths((n, m): (usize, usize), a: &[f64], b: &[f64], c: &mut [f64], p: &mut [f64]) {
                for k in 0..m { for i in 0..n { for j in 0..n {
                    c[i * n + j] = c[i * n + j].min(a[i * m + k] + b[k * n + j]);
                } } }
                for k in 0..m { for i in 0..n {
                    p[i] *= 1.0 + 0.125 * a[i * m + k];
                } }
            }

            /// By columns, and beside each other.
            #[opt $options]
            pub fn vectors((n, m): (usize, usize), a: &[f64], x: &[f64], y: &mut [f64], s: &mut [f64]) {
                for i in 0..m { for j in 0..n {
                    y[j] += a[i * n + j] * x[i];
                    s[j] += a[i * n + j] * a[i * n + j];
                } }
            }

            /// A layer: each row begins with a bias, and is cut off at zero.
            #[opt $options]
            pub fn layer((n, m): (usize, usize), a: &[f64], b: &[f64], x: &[f64], c: &mut [f64]) {
                for i in 0..n {
                    for j in 0..n { c[i * n + j] = x[j]; }
                    for k in 0..m { for j in 0..n { c[i * n + j] += a[i * m + k] * b[k * n + j]; } }
                    for j in 0..n { c[i * n + j] = c[i * n + j].max(0.0); }
                }
            }

            /// Statements that take turns, elements that iterations share, and such as a map says: in memory, as the text
            /// adds them.
            #[opt $options]
            pub fn turns((n, m): (usize, usize), a: &[f64], x: &[f64], map: &[usize], c: &mut [f64], d: &mut [f64]) {
                for l in 0..n { for i in 0..n { for j in 0..m {
                    c[i * m + j] += a[l * m + j] * x[j];
                    c[l * m + j] += a[i * m + j] * x[j];
                } } }
                for i in 0..n { for j in 0..m { for k in 0..n {
                    d[i + k] += a[i * m + j] * x[j];
                } } }
                for i in 0..n { for j in 0..m { for k in 0..n {
                    d[map[i]] += a[i * m + j] * a[k * m + j];
                } } }
            }

            /// Rows of a result that a map says.
            #[opt $options]
            pub fn mapped((n, m): (usize, usize), a: &[f64], b: &[f64], map: &[usize], c: &mut [f64]) {
                for i in 0..n { for k in 0..m { for j in 0..n {
                    c[map[i] * n + j] += a[i * m + k] * b[k * n + j];
                } } }
            }
        }
    })*};
}

kernels! { strict(strict) zero(level = 0) one(level = 1) }

fn numbers(seed: usize, count: usize) -> Vec<f64> {
    (0..count).map(|at| number(seed, at)).collect()
}

fn singles(seed: usize, count: usize) -> Vec<f32> {
    numbers(seed, count).iter().map(|v| *v as f32).collect()
}

macro_rules! as_text {
    ($size:ident; $($module:ident)*) => {$(
        let (n, m) = $size;
        let most = n.max(m) * n.max(m) + 1;
        let [a, b, x, start] = [1, 2, 3, 4].map(|seed| numbers(seed, most));
        compare!($module::inner($size, &a, &b; c = start.clone()) => c);
        compare!($module::columns($size, &a, &b; c = start.clone()) => c);
        compare!($module::outer($size, &singles(1, most), &singles(2, most); c = singles(3, most)) =>
            c.iter().map(|v| f64::from(*v)).collect());
        let (tall, wide): (Vec<[f64; 6]>, Vec<[f64; 7]>) =
            ((0..m).map(|k| numbers(k, 6).try_into().unwrap()).collect(), (0..m).map(|k| numbers(k, 7).try_into().unwrap()).collect());
        compare!($module::rows(&tall, &wide; c = [[0.25; 7]; 6]) => c.as_flattened().to_vec());
        compare!($module::variable($size, &a, &b; c = start.clone()) => c);
        compare!($module::variables($size, &a, &b; c = start.clone(), d = start.clone()) => [c, d].concat());
        compare!($module::norms($size, &a; c = start.clone()) => c);
        compare!($module::several($size, &a, &b; c = start.clone()) => c);
        compare!($module::paths($size, &a, &b; c = start.clone(), p = start.clone()) => [c, p].concat());
        compare!($module::vectors($size, &a, &x; y = start.clone(), s = start.clone()) => [y, s].concat());
        compare!($module::layer($size, &a, &b, &x; c = start.clone()) => c);
        let map: Vec<usize> = (0..n).map(|i| i * i % n.min(5)).collect();
        let twice = numbers(5, 2 * most);
        compare!($module::turns($size, &a, &x, &map; c = start.clone(), d = twice.clone()) => [c, d].concat());
        compare!($module::mapped($size, &a, &b, &map; c = start.clone()) => c);
    )*};
}

#[test]
fn sums_of_run_time_length_begin_with_their_elements() {
    for size in [
        (0, 3),
        (3, 0),
        (1, 1),
        (2, 5),
        (5, 2),
        (8, 9),
        (9, 16),
        (17, 7),
        (33, 12),
    ] {
        as_text!(size; strict zero one);
    }
}

/// So long that what they are multiplied with is packed.
#[test]
fn long_products_keep_the_order_of_their_sums() {
    let size = (150, 170);
    let most = 170 * 170;
    let [a, b, start] = [1, 2, 3].map(|seed| numbers(seed, most));
    compare!(strict::inner(size, &a, &b; c = start.clone()) => c);
    compare!(strict::columns(size, &a, &b; c = start.clone()) => c);
    compare!(one::inner(size, &a, &b; c = start.clone()) => c);
}

/// Where nothing is added nothing has to be there, and what is too short panics as the text does.
#[test]
fn elements_that_nothing_is_added_to_are_not_touched() {
    for (n, m, length) in [(3, 0, 0), (3, 0, 5), (0, 3, 0), (3, 2, 8), (3, 2, 9)] {
        let (a, b) = (numbers(1, n * m), numbers(2, n * m));
        let call = |run: &dyn Fn(&mut [f64])| {
            let mut c = numbers(3, length);
            let failed = catch_unwind(AssertUnwindSafe(|| run(&mut c))).is_err();
            (failed, if failed { Vec::new() } else { c })
        };
        let expected = call(&|c| strict::inner::reference((n, m), &a, &b, c));
        each_variant(strict::inner::variants(), |isa| {
            let found = call(&|c| strict::inner::with(isa, (n, m), &a, &b, c).unwrap());
            assert_eq!(found, expected, "{isa}: {n}, {m}, {length}");
        });
    }
}

/// Lanes are taken for all that can have them.
#[test]
fn additions_in_order_have_lanes() {
    for report in [
        strict::inner::REPORT,
        strict::columns::REPORT,
        strict::outer::REPORT,
        strict::rows::REPORT,
        strict::vectors::REPORT,
    ] {
        let said = format!("{report:#}");
        assert!(said.contains("lanes over `j`"), "{said}");
    }
}
