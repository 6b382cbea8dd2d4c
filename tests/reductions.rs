//! Kernels with a scalar result: sums over loops of run-time length have lanes.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Real, Report, kernel};

mod support;
use support::{each_variant, noise};

/// Sizes around the numbers of lanes, and none.
const SIZES: [usize; 10] = [0, 1, 3, 4, 5, 8, 9, 16, 17, 40];

kernel! {
    pub fn dot(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * y[i];
        }
        sum
    }

    #[opt(strict)]
    pub fn strict_dot(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * y[i];
        }
        sum
    }

    /// Starts with a value, has temporaries in the loop, and inner sums.
    pub fn energy(start: f64, cells: &[[[f64; 3]; 2]], f: &[[f64; 5]]) -> f64 {
        static W: [f64; 5] = [0.5, 1.0, -0.25, 2.0, 0.125];
        let mut total = start;
        for e in 0..cells.len() {
            let length = (cells[e][0][0] * cells[e][1][0] + cells[e][0][1] * cells[e][1][1]).abs();
            for q in 0..5 {
                total += W[q] * length * f[e][q] * f[e][q];
            }
            total -= length;
        }
        total.sqrt() + start
    }

    /// Two sums of one loop, single precision.
    pub fn mean_square(x: &[f32]) -> f32 {
        let mut sum = 0.0;
        let mut squares = 1.0;
        for i in 0..x.len() {
            sum += x[i];
            squares += x[i] * x[i];
        }
        squares - sum * sum
    }

    /// Rows of run-time length, each with its own sum.
    pub fn rows(n: usize, m: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            let mut sum = 0.0;
            for j in 0..m {
                sum += a[3 * i + j] * x[j];
            }
            y[i] = 2.0 * sum;
        }
    }

    /// No loop at all, and an output besides the result.
    pub fn both(x: &[f64; 3], y: &mut [f64; 3]) -> f64 {
        for k in 0..3 {
            y[k] = 2.0 * x[k];
        }
        x[0] * x[1] + x[2]
    }

    pub fn norm<T: Real>(x: &[T], y: &[T]) -> T {
        let mut sum = T::zero();
        for i in 0..x.len() {
            sum += (x[i] - y[i]) * (x[i] - y[i]);
        }
        sum.sqrt()
    }

    /// Gathers.
    pub fn gathered(map: &[[usize; 2]], u: &[f64]) -> f64 {
        let mut sum = 0.0;
        for e in 0..map.len() {
            sum += u[map[e][0]] * u[map[e][1]];
        }
        sum
    }

    /// Sums by lane of which each is summed up after all loops.
    #[opt(lanes(e))]
    pub fn moments(x: &[[f64; 4]], z: &[f64; 7], y: &mut [[f64; 4]; 7]) {
        for k in 0..7 {
            for i in 0..4 {
                let mut sum = 0.0;
                for e in 0..x.len() {
                    sum += (x[e][i] - z[k]).abs();
                }
                y[k][i] += sum * sum;
            }
        }
    }
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-13 * (1.0 + expected.abs())
}

/// The schedule of an instruction set has lanes over a loop.
fn lanes_over(report: &Report, index: &str) -> bool {
    let wanted = format!("width 4, lanes over `{index}`");
    let mut passes = report.passes.iter();
    passes.any(|pass| pass.decisions.iter().any(|text| text.contains(&wanted)))
}

#[test]
fn sums_have_lanes() {
    for report in [
        &dot::REPORT,
        &energy::REPORT,
        &rows::REPORT,
        &gathered::REPORT,
    ] {
        assert!(report.notes.is_empty(), "{report}");
    }
    assert!(lanes_over(&dot::REPORT, "i"), "{}", dot::REPORT);
    assert!(lanes_over(&energy::REPORT, "e"), "{}", energy::REPORT);
    assert!(lanes_over(&rows::REPORT, "j"), "{}", rows::REPORT);
    assert_eq!(dot::REPORT.expansion.operations(), 2);
}

#[test]
fn one_sum() {
    for n in SIZES {
        let (x, y): (Vec<_>, Vec<_>) = (0..n).map(|i| (noise(i), noise(i + 100))).unzip();
        let expected = dot::reference(&x, &y);
        assert!(near(dot(&x, &y), expected));
        each_variant(dot::variants(), |isa| {
            let found = dot::with(isa, &x, &y).unwrap();
            assert!(near(found, expected), "{isa:?}, n = {n}");
        });
        each_variant(strict_dot::variants(), |isa| {
            let found = strict_dot::with(isa, &x, &y).unwrap();
            assert_eq!(found.to_bits(), expected.to_bits(), "{isa:?}, n = {n}");
        });
    }
}

#[test]
fn sums_with_temporaries_and_inner_loops() {
    for n in SIZES {
        let cells: Vec<_> = (0..n)
            .map(|e| [0, 3].map(|k| [0, 1, 2].map(|c| noise(7 * e + k + c))))
            .collect();
        let f: Vec<_> = (0..n)
            .map(|e| [0, 1, 2, 3, 4].map(|q| 2.0 + noise(5 * e + q)))
            .collect();
        let expected = energy::reference(3.5, &cells, &f);
        each_variant(energy::variants(), |isa| {
            let found = energy::with(isa, 3.5, &cells, &f).unwrap();
            assert!(
                near(found, expected),
                "{isa:?}, n = {n}: {found} {expected}"
            );
        });
    }
}

#[test]
fn two_sums_in_single_precision() {
    for n in SIZES {
        let x: Vec<_> = (0..n).map(|i| noise(i) as f32).collect();
        let expected = mean_square::reference(&x);
        each_variant(mean_square::variants(), |isa| {
            let found = mean_square::with(isa, &x).unwrap();
            assert!(
                (found - expected).abs() < 1e-4 * (1.0 + expected.abs()),
                "{isa:?}, n = {n}"
            );
        });
    }
}

#[test]
fn a_sum_for_each_row() {
    for n in SIZES {
        for m in SIZES {
            let a: Vec<_> = (0..3 * n + m).map(noise).collect();
            let x: Vec<_> = (0..m).map(|j| noise(j + 50)).collect();
            let mut expected = vec![7.0; n];
            rows::reference(n, m, &a, &x, &mut expected);
            each_variant(rows::variants(), |isa| {
                let mut found = vec![7.0; n];
                rows::with(isa, n, m, &a, &x, &mut found).unwrap();
                let mut both = found.iter().zip(&expected);
                assert!(both.all(|(a, b)| near(*a, *b)), "{isa:?}, {n} rows of {m}");
            });
        }
    }
}

#[test]
fn sums_that_are_kept_for_all_iterations() {
    for n in SIZES {
        let x: Vec<_> = (0..n)
            .map(|e| [0, 1, 2, 3].map(|i| noise(4 * e + i)))
            .collect();
        let z = [0, 1, 2, 3, 4, 5, 6].map(|k| noise(k + 90));
        let mut expected = [[0.5; 4]; 7];
        moments::reference(&x, &z, &mut expected);
        each_variant(moments::variants(), |isa| {
            let mut found = [[0.5; 4]; 7];
            moments::with(isa, &x, &z, &mut found).unwrap();
            let mut both = found.iter().flatten().zip(expected.iter().flatten());
            assert!(both.all(|(a, b)| near(*a, *b)), "{isa:?}, n = {n}");
        });
    }
}

#[test]
fn a_result_and_an_output() {
    let x = [1.0, 2.0, 4.0];
    each_variant(both::variants(), |isa| {
        let mut y = [0.0; 3];
        assert_eq!(both::with(isa, &x, &mut y), Ok(6.0));
        assert_eq!(y, [2.0, 4.0, 8.0]);
    });
}

#[test]
fn generic_results() {
    for n in SIZES {
        let (x, y): (Vec<_>, Vec<_>) = (0..n).map(|i| (noise(i), noise(i + 9))).unzip();
        let expected = norm::reference(&x, &y);
        each_variant(norm::variants(), |isa| {
            assert!(near(norm::with(isa, &x, &y).unwrap(), expected), "{isa:?}");
        });
        let single = |values: &[f64]| values.iter().map(|v| *v as f32).collect::<Vec<_>>();
        each_variant(norm::variants(), |isa| {
            let found = norm::with(isa, &single(&x), &single(&y)).unwrap();
            assert!((f64::from(found) - expected).abs() < 1e-4, "{isa:?}");
        });
    }
}

#[test]
fn sums_of_gathers() {
    for n in SIZES {
        let map: Vec<_> = (0..n).map(|e| [e * e % 7, (3 * e + 1) % 7]).collect();
        let u: Vec<_> = (0..7).map(noise).collect();
        let expected = gathered::reference(&map, &u);
        each_variant(gathered::variants(), |isa| {
            let found = gathered::with(isa, &map, &u).unwrap();
            assert!(near(found, expected), "{isa:?}, n = {n}");
        });
    }
}

#[test]
#[should_panic(expected = "`y`")]
fn lengths_are_checked() {
    dot(&[1.0; 5], &[1.0; 4]);
}
