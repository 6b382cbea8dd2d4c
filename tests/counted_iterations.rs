//! Iterations that a variable counts.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::explicit_counter_loop, reason = "it is what is tested")]

use loopwright::kernel;

kernel! {
    /// A mean of what paths come to, each of its own number of steps.
    #[opt(require_lanes)]
    pub fn payoffs(z: &[f64], steps: usize, start: f64, drift: f64) -> f64 {
        let mut payoff = 0.0;
        let mut paths = 0;
        for path in z.chunks_exact(steps) {
            let mut s = start;
            let mut total = 0.0;
            for &z in path {
                s *= 1.0 + drift * z;
                total += s;
            }
            payoff += (total - start).max(0.0);
            paths += 1;
        }
        payoff / paths as f64
    }

    /// Two counters of different types and steps, over pairs and over a range.
    #[opt(require_lanes)]
    pub fn pairs(x: &[f64], y: &[f64], from: usize) -> (f64, f64, f64) {
        let mut n = 3_u32;
        let mut s = 0.0;
        for (x, y) in x.iter().zip(y) {
            n += 2;
            s += x * y;
        }
        let mut inner: i64 = -1;
        let mut t = 0.0;
        for x in &x[from..] {
            t += x;
            inner += 1;
        }
        (s / f64::from(n), t, inner as f64)
    }

    /// Loops whose bounds are constant, signed, or in steps.
    pub fn ranges(x: &[f64], y: &mut [f64], to: i32, stop: u32) -> (i64, i32, f64) {
        let mut a = 0_i64;
        let mut b = 0;
        let mut c = 7;
        for i in 0..4 {
            y[0] += i as f64;
            a += 3;
        }
        for i in 1..=to {
            y[1] += f64::from(i);
            b += 1;
        }
        for i in (0..x.len()).step_by(2) {
            y[2] += x[i];
            a += 1;
        }
        for i in (2..stop).rev() {
            y[3] += f64::from(i);
            c += 1;
        }
        (a, b, f64::from(c))
    }

    /// A counter of which something else depends, too.
    pub fn positions(x: &[f64], y: &mut [f64]) -> f64 {
        let mut n = 0;
        for (x, y) in x.iter().zip(y.iter_mut()) {
            *y = x * n as f64;
            n += 1;
        }
        n as f64
    }

    /// What an iteration leaves early, it does not count.
    pub fn positive(x: &[f64], y: &mut [f64]) -> usize {
        let mut n = 0;
        for (x, y) in x.iter().zip(y.iter_mut()) {
            if *x < 0.0 {
                continue;
            }
            *y = x.sqrt();
            n += 1;
        }
        n
    }

    pub fn filtered(x: &[f64]) -> f64 {
        let mut n = 0;
        let mut s = 0.0;
        for x in x.iter().filter(|x| **x > 0.0) {
            s += x;
            n += 1;
        }
        s / n as f64
    }

    /// More iterations than the counter can count: the text says so.
    pub fn small(x: &[f64], y: &mut [f64]) -> f64 {
        let mut n = 250_u8;
        for (x, y) in x.iter().zip(y.iter_mut()) {
            *y += x;
            n += 1;
        }
        f64::from(n)
    }
}

mod support;
use support::noise;

const LENGTHS: [usize; 7] = [0, 1, 3, 8, 31, 64, 200];

fn same(own: f64, expected: f64) -> bool {
    own == expected
        || own.is_nan() && expected.is_nan()
        || (own - expected).abs() <= 1e-12 * (1.0 + expected.abs())
}

#[test]
fn counters_have_the_number_of_iterations() {
    for n in LENGTHS {
        let x: Vec<f64> = (0..n).map(noise).collect();
        let y: Vec<f64> = (0..n + 5).map(|i| noise(i + 999)).collect();
        for steps in [1, 3, 12] {
            let expected = payoffs::reference(&x, steps, 0.5, 0.1);
            for isa in payoffs::variants() {
                if let Ok(own) = payoffs::with(*isa, &x, steps, 0.5, 0.1) {
                    assert!(
                        same(own, expected),
                        "{n} {steps} {own} {expected} on {isa:?}"
                    );
                }
            }
        }
        for (x, y) in [(&x, &y), (&y, &x)] {
            let from = x.len() / 3;
            let (own, expected) = (pairs(x, y, from), pairs::reference(x, y, from));
            assert!(same(own.0, expected.0) && same(own.1, expected.1), "{n}");
            assert_eq!(own.2, expected.2, "{n}");
        }
        let (mut own, mut expected) = (y.clone(), y.clone());
        assert_eq!(
            positions(&x, &mut own),
            positions::reference(&x, &mut expected)
        );
        assert_eq!(
            positive(&x, &mut own),
            positive::reference(&x, &mut expected)
        );
        assert_eq!(own, expected);
        assert!(same(filtered(&x), filtered::reference(&x)));
    }
}

#[test]
fn counters_overflow_as_in_the_text() {
    for n in [0, 5, 6, 30] {
        let x: Vec<f64> = (0..n).map(noise).collect();
        let of = |run: fn(&[f64], &mut [f64]) -> f64| {
            let mut y = vec![0.5; n];
            let call = std::panic::AssertUnwindSafe(|| run(&x, &mut y));
            std::panic::catch_unwind(call).ok()
        };
        assert_eq!(of(small), of(small::reference), "{n}");
    }
}
