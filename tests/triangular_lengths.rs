//! Loops whose bounds follow outer ones of run-time length: their innermost loops are kernels of their own from as many
//! iterations on as a call pays.

#![allow(missing_docs, reason = "kernels of tests")]

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright::kernel;
use support::{each_variant, near_to, noise};

kernel! {
    pub fn by_rows(n: usize, l: &[f64], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            let mut s = 0.0;
            for j in 0..=i {
                s += l[i * n + j] * x[j];
            }
            y[i] = s;
        }
    }

    /// Each row waits for the one before.
    pub fn solved(n: usize, l: &[f64], _: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..i {
                y[i] -= l[i * n + j] * y[j];
            }
            y[i] /= 3.0 + l[i * n + i];
        }
    }

    /// The innermost of three loops, in which row its elements are follows from two bounds.
    pub fn factorised(n: usize, _: &[f64], _: &[f64], a: &mut [f64]) {
        for i in 0..n {
            a[i * n + i] += 3.0 * n as f64;
        }
        for i in 0..n {
            for j in 0..i {
                let mut s = a[i * n + j];
                for k in 0..j {
                    s -= a[i * n + k] * a[j * n + k];
                }
                a[i * n + j] = s / a[j * n + j];
            }
            let mut s = a[i * n + i];
            for k in 0..i {
                s -= a[i * n + k] * a[i * n + k];
            }
            a[i * n + i] = s.sqrt();
        }
    }

    pub fn causal(n: usize, a: &[f64], b: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..=i {
                y[i] += a[j] * b[i - j];
            }
        }
    }

    pub fn symmetric(n: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..i {
                y[i] += a[i * (i + 1) / 2 + j] * x[j];
                y[j] += a[i * (i + 1) / 2 + j] * x[i];
            }
            y[i] += a[i * (i + 1) / 2 + i] * x[i];
        }
    }
}

/// A product of a triangle and a vector, its kernel or its text.
type Product<'a> = &'a dyn Fn(&[f64], &[f64], &mut [f64]);

/// What a call leaves, if it does not panic.
fn left(short: usize, n: usize, run: Product<'_>) -> Option<Vec<f64>> {
    let numbers = |seed: usize, count: usize| -> Vec<f64> {
        (0..count).map(|at| noise(seed * 1000 + at)).collect()
    };
    let (a, x) = (numbers(1, (n * n).saturating_sub(short)), numbers(2, n));
    let mut y = numbers(3, n * n);
    catch_unwind(AssertUnwindSafe(|| run(&a, &x, &mut y))).ok()?;
    Some(y)
}

#[test]
fn rows_of_any_length_agree() {
    macro_rules! agree {
        ($($kernel:ident)*) => {$(
            for n in (0..40).chain([63, 64, 65, 100, 130]) {
                for short in [0, 1] {
                    let expected = left(short, n, &|a, x, y| $kernel::reference(n, a, x, y));
                    each_variant($kernel::variants(), |isa| {
                        let found = left(short, n, &|a, x, y| $kernel::with(isa, n, a, x, y).unwrap());
                        assert_eq!(found.is_none(), expected.is_none(), "{isa}: {n}, {}", stringify!($kernel));
                        if let (Some(found), Some(expected)) = (&found, &expected) {
                            assert!(near_to(found, expected, 1e-11), "{isa}: {n}, {}", stringify!($kernel));
                        }
                    });
                }
            }
        )*};
    }
    agree!(by_rows solved factorised causal symmetric);
}

#[test]
fn innermost_loops_have_lanes() {
    for report in [
        by_rows::by_rows_nest_0::REPORT,
        solved::solved_nest_0::REPORT,
        factorised::factorised_nest_0::REPORT,
        factorised::factorised_nest_1::REPORT,
        causal::causal_nest_0::REPORT,
        symmetric::symmetric_nest_0::REPORT,
    ] {
        assert!(report.lanes.iter().any(|lanes| lanes.width > 1), "{report}");
    }
}
