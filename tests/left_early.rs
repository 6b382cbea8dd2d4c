//! Iterations, functions and closures that are left early: each `continue` and `return` leaves what it leaves in Rust.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    clippy::needless_return,
    clippy::unnecessary_fold,
    reason = "what is left is tested"
)]

use loopwright::kernel;

kernel! {
    /// `return` leaves the function, and all iterations that are left with it.
    pub fn until_negative(x: &[f64], y: &mut [f64]) {
        for (x, y) in x.iter().zip(y.iter_mut()) {
            if *x < 0.0 {
                return;
            }
            *y = x.sqrt();
        }
    }

    pub fn until_negative_inside(x: &[f64], y: &mut [f64]) {
        for y in y.iter_mut() {
            *y += 1.0;
            for x in x {
                if *x < 0.0 {
                    return;
                }
                *y += x;
            }
        }
    }

    /// `continue` leaves an iteration.
    pub fn roots(x: &[f64], y: &mut [f64]) {
        for (x, y) in x.iter().zip(y.iter_mut()) {
            if *x < 0.0 {
                *y = -1.0;
                continue;
            }
            *y = x.sqrt();
        }
    }

    pub fn inside(x: &[f64], y: &mut [f64], width: usize) {
        let height = x.len() / width;
        for (i, row) in y.chunks_exact_mut(width).enumerate() {
            if i == 0 || i + 1 == height {
                continue;
            }
            for (j, y) in row.iter_mut().enumerate() {
                *y = x[(i - 1) * width + j] + x[(i + 1) * width + j];
            }
        }
    }

    /// `return` in a closure leaves the closure.
    pub fn of_closures(x: &[f64], y: &mut [f64]) -> f64 {
        let root = |x: f64| {
            if x < 0.0 {
                return 0.5;
            }
            x.sqrt()
        };
        x.iter().zip(y.iter_mut()).for_each(|(x, y)| {
            if *x > 0.5 {
                return;
            }
            *y = root(*x);
        });
        x.iter()
            .map(|x| {
                if *x < 0.0 {
                    return 1.0;
                }
                2.0 * x
            })
            .sum()
    }

    /// What is left in a closure for a fold is an iteration of it.
    pub fn of_folds(x: &[f64], y: &mut [f64]) {
        y[0] = x.iter().fold(0.0, |sum, x| {
            if *x < 0.0 {
                return sum;
            }
            sum + x
        });
    }

    /// A value that is there only where the function is not left.
    pub fn of_values(x: &[f64], y: &mut [f64], c: f64) {
        y[0] = {
            if c < 0.0 {
                return;
            }
            2.0 + x[0]
        };
    }

    /// Helpers without a result are left, too.
    pub fn of_helpers(x: &[f64], y: &mut [f64]) {
        for (x, y) in x.iter().zip(y.iter_mut()) {
            moved(*x, y);
        }
    }

    fn moved(x: f64, y: &mut f64) {
        if x < 0.0 {
            return;
        }
        *y = x;
        if x > 0.5 {
            *y += 1.0;
            return;
        }
        *y -= 1.0;
    }

    /// The branch with the loops is the kernel, where sums stand in other expressions, too.
    pub fn mean(x: &[f64]) -> f64 {
        if x.is_empty() {
            return 0.0;
        }
        x.iter().sum::<f64>() / x.len() as f64
    }

    pub fn mean_and_variance(x: &[f64]) -> (f64, f64) {
        if x.len() < 2 {
            return (0.0, -1.0);
        }
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        (mean, x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0))
    }
}

/// Numbers of both signs, the first ones not negative.
fn numbers(count: usize) -> Vec<f64> {
    (0..count)
        .map(|i| ((i * 7 + 3) % 11) as f64 - 0.4 * i as f64)
        .collect()
}

const COUNTS: [usize; 9] = [0, 1, 2, 5, 8, 9, 17, 64, 100];

#[test]
fn functions_are_left() {
    for count in COUNTS {
        let x = numbers(count);
        type Run = fn(&[f64], &mut [f64]);
        let runs: [(Run, Run); 2] = [
            (until_negative, until_negative::reference),
            (until_negative_inside, until_negative_inside::reference),
        ];
        for (run, reference) in runs {
            let (mut y, mut expected) = (vec![7.0; count], vec![7.0; count]);
            run(&x, &mut y);
            reference(&x, &mut expected);
            assert_eq!(y, expected, "{count}");
        }
    }
}

#[test]
fn iterations_are_left() {
    for count in COUNTS {
        let x = numbers(count);
        let (mut y, mut expected) = (vec![7.0; count], vec![7.0; count]);
        roots(&x, &mut y);
        roots::reference(&x, &mut expected);
        assert_eq!(y, expected);
        for width in [1, 3, 10] {
            let (mut y, mut expected) = (vec![7.0; count], vec![7.0; count]);
            inside(&x, &mut y, width);
            inside::reference(&x, &mut expected, width);
            assert_eq!(y, expected);
        }
    }
    assert_eq!(roots::REPORT.lanes.len(), 3);
    assert_eq!(inside::REPORT.lanes.len(), 3);
}

#[test]
fn closures_are_left() {
    for count in COUNTS {
        let x = numbers(count);
        let (mut y, mut expected) = (vec![7.0; count], vec![7.0; count]);
        let sum = of_closures(&x, &mut y);
        let of_reference = of_closures::reference(&x, &mut expected);
        assert_eq!(y, expected);
        assert!((sum - of_reference).abs() < 1e-12 * count.max(1) as f64);
        let (mut y, mut expected) = ([7.0], [7.0]);
        of_folds(&x, &mut y);
        of_folds::reference(&x, &mut expected);
        assert_eq!(y, expected);
    }
    assert_eq!(of_closures::REPORT.lanes.len(), 3);
    for count in COUNTS {
        let x = numbers(count);
        let (mut y, mut expected) = (vec![7.0; count], vec![7.0; count]);
        of_helpers(&x, &mut y);
        of_helpers::reference(&x, &mut expected);
        assert_eq!(y, expected);
    }
    assert_eq!(of_helpers::REPORT.lanes.len(), 3);
    for (c, expected) in [(-1.0, 7.0), (1.0, 3.0)] {
        let mut y = [7.0];
        of_values(&[1.0], &mut y, c);
        assert_eq!(y, [expected]);
    }
}

#[test]
fn sums_in_expressions_are_what_a_branch_does() {
    for count in COUNTS {
        let x = numbers(count);
        assert!((mean(&x) - mean::reference(&x)).abs() < 1e-12);
        let ((mean, variance), (m, v)) = (mean_and_variance(&x), mean_and_variance::reference(&x));
        assert!((mean - m).abs() < 1e-12 && (variance - v).abs() < 1e-10);
    }
    assert_eq!(mean::REPORT.lanes.len(), 3);
    assert_eq!(mean_and_variance::REPORT.lanes.len(), 3);
}
