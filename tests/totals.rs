//! Values that depend on where they are read: totals in the loops that sum them up, local arrays that
//! are written in part, sums of two types, assignments in branches.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;
use support::{each_variant, near, numbers};

kernel! {
    pub fn scan(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        let mut s = 0.0;
        for i in n..m {
            y[i] = s;
            s += x[i];
        }
    }

    #[opt(strict)]
    pub fn scan_strict(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        let mut s = 0.0;
        for i in n..m {
            y[i] = s;
            s += x[i];
        }
    }

    #[opt(level = 0)]
    pub fn scan_as_written(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        let mut s = 0.0;
        for i in n..m {
            y[i] = s;
            s += x[i];
        }
    }

    pub fn scan_backwards(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        let mut s = 0.0;
        for i in 0..m - n {
            y[i] = s + 1.0;
            s -= x[i];
        }
    }

    /// Two totals, one of which reads the other.
    pub fn row(begin: usize, end: usize, v: &[f64]) -> f64 {
        let mut s = 0.0;
        let mut t = 0.0;
        for i in begin..end {
            t += v[i] * s;
            s += v[i];
        }
        t
    }

    /// The total of an inner loop, read in the outer one.
    pub fn rows(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        let mut s = 0.0;
        for i in n..m {
            y[i] += s;
            for k in 0..5 {
                s += x[i] * x[k];
            }
        }
    }
}

/// Whether all variants of a kernel leave the bits of the reference in `y`.
macro_rules! same_bits {
    ($kernel:ident, $n:expr, $m:expr) => {{
        let x = numbers(1, 40);
        let start = numbers(2, 40);
        let mut expected = start.clone();
        $kernel::reference($n, $m, &x, &mut expected);
        each_variant($kernel::variants(), |isa| {
            let mut found = start.clone();
            $kernel::with(isa, $n, $m, &x, &mut found).unwrap();
            assert_eq!(found, expected, "{isa:?}");
        });
        assert!(
            $kernel::REPORT
                .notes
                .iter()
                .any(|note| note.contains("`s` is read inside the loop")),
            "{:?}",
            $kernel::REPORT.notes
        );
    }};
}

#[test]
fn totals_that_are_read_in_their_loop_run_as_written() {
    for (n, m) in [(0, 0), (0, 1), (3, 40), (7, 19)] {
        same_bits!(scan, n, m);
        same_bits!(scan_strict, n, m);
        same_bits!(scan_as_written, n, m);
        same_bits!(scan_backwards, n, m);
        same_bits!(rows, n, m);
        let v = numbers(3, 40);
        assert_eq!(row(n, m, &v), row::reference(n, m, &v));
    }
}

kernel! {
    pub fn short(x: &[[f64; 12]], y: &mut [[f64; 12]]) {
        for e in 0..x.len() {
            let mut s = 0.5;
            let mut t = [0.0; 2];
            for i in 0..12 {
                y[e][i] = s - t[1];
                t[1] += s * x[e][i];
                s += x[e][i];
                t[0] -= t[1];
            }
            y[e][0] += t[0];
        }
    }

    /// The total of an inner loop of known length.
    pub fn outer(x: &[[f64; 12]], y: &mut [[f64; 12]]) {
        for e in 0..x.len() {
            let mut s = 0.0;
            for i in 0..4 {
                y[e][i] = s * x[e][i];
                for k in 0..12 {
                    s += x[e][i] * x[e][k];
                }
            }
        }
    }
}

#[test]
fn totals_of_loops_of_known_length_are_those_of_the_text() {
    let x: Vec<[f64; 12]> = (0..19)
        .map(|e| numbers(e, 12).try_into().unwrap())
        .collect();
    macro_rules! agrees {
        ($kernel:ident $(, $reason:literal)?) => {{
            let mut expected = vec![[0.25; 12]; 19];
            $kernel::reference(&x, &mut expected);
            each_variant($kernel::variants(), |isa| {
                let mut found = vec![[0.25; 12]; 19];
                $kernel::with(isa, &x, &mut found).unwrap();
                assert!(
                    near(found.as_flattened(), expected.as_flattened()),
                    "{isa:?}"
                );
            });
            let notes = $kernel::REPORT.notes;
            let reasons: &[&str] = &[$($reason)?];
            assert_eq!(notes.len(), reasons.len(), "{notes:?}");
            for (note, reason) in notes.iter().zip(reasons) {
                assert!(note.contains(reason), "{notes:?}");
            }
        }};
    }
    agrees!(short, "`t` is computed from its own earlier elements");
    // The row of `y` is held, and its loops written out.
    agrees!(outer);
}

kernel! {
    pub fn halves(begin: usize, end: usize, w: &[[f64; 6]], a: &mut [[[f64; 6]; 6]]) {
        for e in begin..end {
            let mut m = [[0.0; 6]; 6];
            for i in 0..3 {
                for j in 0..6 {
                    m[i][j] += w[e][i] * w[e][j];
                }
            }
            for i in 0..6 {
                for j in 0..6 {
                    a[e][i][j] = m[i][j] + m[j][i];
                }
            }
        }
    }

    pub fn halves_of_ones(begin: usize, end: usize, w: &[[f64; 6]], a: &mut [[[f64; 6]; 6]]) {
        for e in begin..end {
            let mut m = [[1.0; 6]; 6];
            for i in 0..3 {
                for j in 0..6 {
                    m[i][j] += w[e][i] * w[e][j];
                }
            }
            for i in 0..6 {
                for j in 0..6 {
                    a[e][i][j] = m[i][j] * w[e][0] + m[j][i];
                }
            }
        }
    }

    pub fn assigned(begin: usize, end: usize, w: &[[f64; 6]], a: &mut [[[f64; 6]; 6]]) {
        for e in begin..end {
            let mut m = [[0.0; 6]; 6];
            for i in 0..3 {
                for j in 0..6 {
                    m[i + 3][j] = w[e][i] * w[e][j];
                }
            }
            for i in 0..6 {
                for j in 0..6 {
                    a[e][i][j] += m[j][i] * (m[i][j] + m[0][j]);
                }
            }
        }
    }
}

#[test]
fn local_arrays_written_in_part_keep_their_first_values() {
    let w: Vec<[f64; 6]> = (0..19).map(|e| numbers(e, 6).try_into().unwrap()).collect();
    macro_rules! agrees {
        ($kernel:ident) => {
            for (begin, end) in [(0, 19), (2, 9), (5, 5)] {
                let mut expected = vec![[[0.5; 6]; 6]; 19];
                $kernel::reference(begin, end, &w, &mut expected);
                each_variant($kernel::variants(), |isa| {
                    let mut found = vec![[[0.5; 6]; 6]; 19];
                    $kernel::with(isa, begin, end, &w, &mut found).unwrap();
                    let [found, expected] =
                        [&found, &expected].map(|a| a.as_flattened().as_flattened());
                    assert!(near(found, expected), "{isa:?}");
                });
            }
        };
    }
    agrees!(halves);
    agrees!(halves_of_ones);
    agrees!(assigned);
}

kernel! {
    pub fn mixed(n: usize, x: &[f64; 10], y: &mut [f64; 5]) {
        for e in 0..n {
            let mut t: f32 = 0.5;
            for q in 0..10 {
                t += (x[q] as f32 + 0.7) * 3.0;
            }
            for i in 0..5 {
                for q in 0..10 {
                    y[i] += x[i].exp() * (x[q] - t as f64);
                }
            }
        }
    }

    pub fn branches(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let mut s = 0.0;
            let v = if x[i] > 0.0 {
                s += x[i];
                1.0
            } else {
                2.0
            };
            y[i] = v + s;
        }
    }

    pub fn counted_branches(x: &[f64; 20], y: &mut [f64; 20]) -> f64 {
        let mut s = 0.0;
        for i in 0..20 {
            let v = if x[i] > 0.0 {
                s += x[i];
                y[i] = 7.0;
                1.0
            } else {
                2.0
            };
            y[i] += v;
        }
        s
    }
}

#[test]
fn sums_of_two_types_have_each_their_own() {
    let x: [f64; 10] = numbers(4, 10).try_into().unwrap();
    let mut expected = [0.0; 5];
    mixed::reference(3, &x, &mut expected);
    each_variant(mixed::variants(), |isa| {
        let mut found = [0.0; 5];
        mixed::with(isa, 3, &x, &mut found).unwrap();
        assert!(support::near_to(&found, &expected, 1e-5), "{isa:?}");
    });
}

#[test]
fn what_a_branch_assigns_is_assigned_there_alone() {
    let x = numbers(5, 20);
    let [mut found, mut expected] = [vec![0.0; 20], vec![0.0; 20]];
    branches(&x, &mut found);
    branches::reference(&x, &mut expected);
    assert_eq!(found, expected);
    // Sums of eighths are exact in the order of lanes, too.
    let x: &[f64; 20] = &std::array::from_fn(|i| (8.0 * x[i]).round() / 8.0);
    let [mut found, mut expected] = [[0.0; 20]; 2];
    let sums = [
        counted_branches(x, &mut found),
        counted_branches::reference(x, &mut expected),
    ];
    assert_eq!(sums[0], sums[1]);
    assert_eq!(found, expected);
}
