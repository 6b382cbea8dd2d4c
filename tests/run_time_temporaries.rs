//! Temporaries whose extents are known when the kernel runs: what loops need again and again is computed
//! once for each of their iterations, and kept. In each variant, for all short lengths; and what is executed
//! is what `REPORT` says, level by level.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]
#![allow(clippy::needless_range_loop, reason = "texts of kernels")]

mod support;

use loopwright::{Counted, kernel};
use support::{counting, each_variant, executed, near_to};

kernel! {
    /// One value for each row, and one for each column.
    pub fn outer(x: &[f64], z: &[f64], m: usize, y: &mut [f64]) {
        for j in 0..x.len() {
            for i in 0..m {
                y[j * m + i] = x[j].sqrt() * z[i].abs().sqrt();
            }
        }
    }

    /// The columns are outside.
    pub fn outer_by_columns(x: &[f64], z: &[f64], m: usize, y: &mut [f64]) {
        for i in 0..m {
            for j in 0..x.len() {
                y[j * m + i] = (x[j] * 3.0 + 1.0) * (z[i] * z[i] + 2.0);
            }
        }
    }

    /// A value of two loops, read in three.
    pub fn planes(a: &[f64], b: &[f64], n: usize, m: usize, y: &mut [f64]) {
        for k in 0..b.len() {
            for j in 0..n {
                for i in 0..m {
                    y[(k * n + j) * m + i] += (a[j * m + i] * a[j * m + i] + 1.0) * b[k];
                }
            }
        }
    }

    /// Two loops read what one computes.
    pub fn twice(x: &[f32], y: &mut [f32], z: &mut [f32]) {
        for i in 0..x.len() {
            y[i] = x[i] * x[i] - x[i];
        }
        for j in 0..y.len() {
            for i in 0..x.len() {
                z[j * x.len() + i] = (x[i] * 0.5 + 3.0) * (x[i] * x[i] - x[i]);
            }
        }
    }

    /// With one more dimension, that is constant.
    pub fn components(x: &[[f64; 3]], z: &[f64], m: usize, y: &mut [[f64; 3]]) {
        for j in 0..z.len() {
            for i in 0..m {
                for c in 0..3 {
                    y[j * m + i][c] = (x[i][c] * x[i][0] + 1.0) * z[j];
                }
            }
        }
    }

    /// Sums of rows, which are needed for each column.
    pub fn normalised(a: &[f64], n: usize, m: usize, y: &mut [f64]) {
        for j in 0..n {
            for i in 0..m {
                let mut sum = 0.0;
                for k in 0..m {
                    sum += a[j * m + k];
                }
                y[j * m + i] = a[j * m + i] - sum;
            }
        }
    }
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i * 7 % 13) as f64).collect()
}

fn close(found: &[f64], expected: &[f64]) {
    assert!(
        near_to(found, expected, 5e-13),
        "{found:?} instead of {expected:?}"
    );
}

const LENGTHS: [usize; 9] = [0, 1, 2, 3, 7, 8, 17, 33, 70];

#[test]
fn results_are_those_of_the_text() {
    for n in LENGTHS {
        for m in LENGTHS {
            let (x, z, a) = (numbers(n), numbers(m), numbers(n * m));
            let mut expected = vec![0.5; n * m];
            outer::reference(&x, &z, m, &mut expected);
            each_variant(outer::variants(), |isa| {
                let mut y = vec![0.5; n * m];
                outer::with(isa, &x, &z, m, &mut y).unwrap();
                close(&y, &expected);
            });
            outer_by_columns::reference(&x, &z, m, &mut expected);
            each_variant(outer_by_columns::variants(), |isa| {
                let mut y = vec![0.5; n * m];
                outer_by_columns::with(isa, &x, &z, m, &mut y).unwrap();
                close(&y, &expected);
            });
            let mut expected = vec![0.5; n * m];
            normalised::reference(&a, n, m, &mut expected);
            each_variant(normalised::variants(), |isa| {
                let mut y = vec![0.5; n * m];
                normalised::with(isa, &a, n, m, &mut y).unwrap();
                close(&y, &expected);
            });
            let b = numbers(5);
            let mut expected = vec![0.5; n * m * 5];
            planes::reference(&a, &b, n, m, &mut expected);
            each_variant(planes::variants(), |isa| {
                let mut y = vec![0.5; n * m * 5];
                planes::with(isa, &a, &b, n, m, &mut y).unwrap();
                close(&y, &expected);
            });
            let rows: Vec<[f64; 3]> = x.iter().map(|v| [*v, v + 1.0, v - 2.0]).collect();
            let mut expected = vec![[0.5; 3]; n * m];
            components::reference(&rows, &z, n, &mut expected);
            each_variant(components::variants(), |isa| {
                let mut y = vec![[0.5; 3]; n * m];
                components::with(isa, &rows, &z, n, &mut y).unwrap();
                close(y.as_flattened(), expected.as_flattened());
            });
            let x: Vec<f32> = x.iter().map(|v| *v as f32).collect();
            let (mut y, mut expected) = (vec![0.0; n], vec![0.0; n * n]);
            twice::reference(&x, &mut y, &mut expected);
            each_variant(twice::variants(), |isa| {
                let mut z = vec![0.0; n * n];
                twice::with(isa, &x, &mut y, &mut z).unwrap();
                assert_eq!(z, expected);
            });
        }
    }
}

#[test]
fn what_is_short_panics_before_anything_is_written() {
    let (x, z) = (numbers(20), numbers(30));
    each_variant(outer::variants(), |isa| {
        let mut y = vec![0.5; 20 * 31 - 1];
        let mut call = || outer::with(isa, &x, &z, 31, &mut y);
        let call = std::panic::AssertUnwindSafe(&mut call);
        assert!(std::panic::catch_unwind(call).is_err());
        assert!(y.iter().all(|v| *v == 0.5));
    });
}

kernel! {
    /// A function for each row and each column, a product for each element.
    pub fn levels<T: Real>(x: &[T], z: &[T], m: usize, y: &mut [T]) {
        for j in 0..x.len() {
            for i in 0..m {
                y[j * m + i] = x[j].exp() * z[i].exp();
            }
        }
    }

    /// A scalar, a row, a column and a sum.
    pub fn mixed<T: Real>(s: T, x: &[T], z: &[T], y: &mut [T]) {
        for j in 0..y.len() {
            for i in 0..x.len() {
                y[j] += (s.sqrt() + x[i] * x[i]) / (z[j] * z[j] * z[j]);
            }
        }
    }
}

use loopwright::Real;

#[test]
fn reports_say_what_is_executed_level_by_level() {
    for n in [1, 2, 5, 16, 33] {
        for m in [1, 3, 8, 40] {
            let (x, z) = (numbers(n), numbers(m));
            let (x, z) = (counting(&x), counting(&z));
            let mut y = counting(&numbers(n * m));
            let ((), cost) = Counted::<f64>::count(|| levels(&x, &z, m, &mut y));
            let lengths = [("x.len()", n), ("m", m)];
            let report = &levels::REPORT;
            assert_eq!(cost.operations(), executed(report, &lengths), "{report}");
            assert_eq!(cost.call, (n + m) as u64, "{report}");
            let mut y = counting(&numbers(m));
            let ((), cost) = Counted::<f64>::count(|| mixed(x[0], &x, &z, &mut y));
            let lengths = [("x.len()", n), ("y.len()", m)];
            let report = &mixed::REPORT;
            assert_eq!(cost.operations(), executed(report, &lengths), "{report}");
            assert!(cost.div <= m as u64, "{report}");
        }
    }
    println!("{}\n{}", levels::REPORT, mixed::REPORT);
}

#[test]
fn reports_name_what_is_kept() {
    let report = format!("{:#}", levels::REPORT);
    assert!(
        report.contains("`z_2` keeps m elements in scratch memory"),
        "{report}"
    );
    assert!(
        report.contains("each `i`, m times: 1 operation (1 call)"),
        "{report}"
    );
    assert_eq!(levels::REPORT.expansion.temporary_bytes, 0);
}
