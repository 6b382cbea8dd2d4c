//! Totals of iterators: each is the loop with subscripts, to the operation.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    clippy::needless_range_loop,
    reason = "what iterators are compared with"
)]

use loopwright::kernel;

mod support;
use support::{each_variant, near, numbers, same};

const SIZES: [usize; 11] = [0, 1, 2, 3, 4, 7, 8, 9, 17, 33, 64];

kernel! {
    pub fn dot(x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y).map(|(a, b)| a * b).sum()
    }

    pub fn dot_loop(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * y[i];
        }
        sum
    }

    pub fn norm(x: &[f64]) -> f64 {
        x.iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    pub fn norm_loop(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * x[i];
        }
        sum.sqrt()
    }

    pub fn mean(x: &[f64]) -> f64 {
        let sum: f64 = x.iter().copied().sum();
        sum / x.len() as f64
    }

    pub fn mean_loop(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i];
        }
        sum / x.len() as f64
    }

    pub fn folded(x: &[f64]) -> f64 {
        x.iter().fold(0.0, |s, x| s + x * x * x)
    }

    pub fn folded_loop(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i] * x[i] * x[i];
        }
        s
    }

    pub fn midpoints(n: usize, h: f64) -> f64 {
        let f = |x: f64| 4.0 / (1.0 + x * x);
        h * (0..n).map(|i| f((i as f64 + 0.5) * h)).sum::<f64>()
    }

    pub fn midpoints_loop(n: usize, h: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            let x = (i as f64 + 0.5) * h;
            sum += 4.0 / (1.0 + x * x);
        }
        h * sum
    }
}

fn around(m: usize) -> [usize; 4] {
    [m, m + 1, m.saturating_sub(1), 2 * m + 5]
}

#[test]
fn totals_are_the_loops_with_subscripts() {
    same(&dot::REPORT, &dot_loop::REPORT);
    same(&norm::REPORT, &norm_loop::REPORT);
    same(&mean::REPORT, &mean_loop::REPORT);
    same(&folded::REPORT, &folded_loop::REPORT);
    same(&midpoints::REPORT, &midpoints_loop::REPORT);
}

#[test]
fn totals_are_those_of_the_text() {
    for n in SIZES {
        for m in around(n) {
            let (x, y) = (numbers(1, n), numbers(2, m));
            each_variant(dot::variants(), |isa| {
                let found = dot::with(isa, &x, &y).unwrap();
                assert!(near(&[found], &[dot::reference(&x, &y)]), "{isa:?} {n} {m}");
                let found = norm::with(isa, &x).unwrap();
                assert!(near(&[found], &[norm::reference(&x)]), "{isa:?} {n}");
                let found = folded::with(isa, &x).unwrap();
                assert!(near(&[found], &[folded::reference(&x)]), "{isa:?} {n}");
                let found = midpoints::with(isa, n, 0.1).unwrap();
                assert!(
                    near(&[found], &[midpoints::reference(n, 0.1)]),
                    "{isa:?} {n}"
                );
                let found = mean::with(isa, &x).unwrap();
                let expected = mean::reference(&x);
                assert!(found.is_nan() == expected.is_nan(), "{isa:?} {n}");
                assert!(n == 0 || near(&[found], &[expected]), "{isa:?} {n}");
            });
        }
    }
}
