//! Minima, maxima and products of each cell's values, and of values under a condition.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;
use support::special::{LENGTHS, all_same, inputs, same, special};
use support::{each_variant, near_to};

kernel! {
    pub fn smallest(x: &[[[f64; 5]; 3]], y: &mut [[f64; 3]]) {
        for e in 0..x.len() {
            for i in 0..3 {
                for k in 0..5 {
                    y[e][i] = y[e][i].min(x[e][i][k]);
                }
            }
        }
    }

    pub fn product(x: &[[[f64; 300]; 3]], y: &mut [[f64; 3]]) {
        for e in 0..x.len() {
            for i in 0..3 {
                for k in 0..300 {
                    y[e][i] *= x[e][i][k];
                }
            }
        }
    }

    pub fn largest_below(limit: f64, x: &[f64]) -> f64 {
        let mut m = f64::NEG_INFINITY;
        for i in 0..x.len() {
            if x[i] < limit {
                m = m.max(x[i]);
            }
        }
        m
    }

    pub fn smallest_above(limit: f64, x: &[f64]) -> f64 {
        let mut m = 10.0;
        for i in 0..x.len() {
            if x[i] >= limit {
                let square = x[i] * x[i];
                if square < m {
                    m = square;
                }
            }
        }
        m
    }
}

#[test]
fn cells_have_their_own() {
    for count in LENGTHS.into_iter().filter(|count| *count < 130) {
        let values = special(1, 15 * count);
        let cell =
            |e: usize| std::array::from_fn(|i| std::array::from_fn(|k| values[15 * e + 5 * i + k]));
        let x: Vec<[[f64; 5]; 3]> = (0..count).map(cell).collect();
        let start = vec![[0.5, f64::NAN, -0.25]; count];
        let mut expected = start.clone();
        smallest::reference(&x, &mut expected);
        each_variant(smallest::variants(), |isa| {
            let mut found = start.clone();
            smallest::with(isa, &x, &mut found).unwrap();
            let equal = all_same(found.as_flattened(), expected.as_flattened());
            assert!(equal, "{count} {isa:?}");
        });
        let factor = |e: usize, i: usize, k: usize| 1.0 + 1e-3 * ((e + 7 * i + 3 * k) % 11) as f64;
        let cell = |e| std::array::from_fn(|i| std::array::from_fn(|k| factor(e, i, k)));
        let x: Vec<[[f64; 300]; 3]> = (0..count).map(cell).collect();
        let start = vec![[0.5, -2.0, 1.0]; count];
        let mut expected = start.clone();
        product::reference(&x, &mut expected);
        each_variant(product::variants(), |isa| {
            let mut found = start.clone();
            product::with(isa, &x, &mut found).unwrap();
            let near = near_to(found.as_flattened(), expected.as_flattened(), 1e-11);
            assert!(near, "{count} {isa:?}");
        });
    }
}

#[test]
fn conditions_leave_values_out() {
    for count in LENGTHS {
        for x in inputs(count) {
            for limit in [0.25, -2.0, 2.0, f64::NAN] {
                let expected = largest_below::reference(limit, &x);
                each_variant(largest_below::variants(), |isa| {
                    let found = largest_below::with(isa, limit, &x).unwrap();
                    assert!(same(found, expected), "{count} {isa:?}");
                });
                let expected = smallest_above::reference(limit, &x);
                each_variant(smallest_above::variants(), |isa| {
                    let found = smallest_above::with(isa, limit, &x).unwrap();
                    assert!(same(found, expected), "{count} {isa:?}");
                });
            }
        }
    }
}

#[test]
fn lanes_are_taken() {
    for report in [
        product::REPORT,
        largest_below::REPORT,
        smallest_above::REPORT,
    ] {
        let text = report.to_string();
        let verdict = text.lines().next().unwrap_or_default();
        assert!(verdict.contains("lanes over"), "{text}");
    }
}
