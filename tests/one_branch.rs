//! Conditions that all iterations of a loop share: the branch that is taken is all that is evaluated.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "kernels of tests")]

use loopwright::{Counted, Real, kernel};

kernel! {
    /// One of several functions, by its number.
    #[opt(require_lanes)]
    pub fn activation(x: &[f64], y: &mut [f64], kind: u8) {
        for i in 0..x.len() {
            y[i] = match kind {
                0 => x[i].max(0.0),
                1 => x[i].tanh() * 0.5,
                2 => 1.0 / (1.0 + (-x[i]).exp()),
                _ => y[i],
            };
        }
    }

    /// Two results, with values that branches of both have in common, and some that a branch has twice.
    #[opt(require_lanes)]
    pub fn with_slope(x: &[f64], y: &mut [f64], slope: &mut [f64], smooth: bool) {
        for i in 0..x.len() {
            if smooth {
                let t = x[i].tanh();
                let e = (x[i] * 0.25).exp();
                y[i] = t * e + e;
                slope[i] = 1.0 - t * t;
            } else {
                y[i] = x[i];
                slope[i] += 1.0;
            }
        }
    }

    /// What changes in one of the two branches alone, in either one.
    #[opt(require_lanes)]
    pub fn masked(x: &mut [f32], y: &mut [f32], limit: f32) -> f32 {
        let norm = x.iter().map(|v| v * v).sum::<f32>();
        if norm > limit {
            let s = limit / norm;
            x.iter_mut().for_each(|v| *v *= s);
        }
        for v in y.iter_mut() {
            if norm <= limit {
            } else {
                *v -= norm;
            }
        }
        norm
    }

    /// Conditions that rows share, and sums.
    #[opt(require_lanes)]
    pub fn rows(a: &[[f64; 24]], on: &[f64], y: &mut [[f64; 24]], s: &mut [f64], scaled: bool) {
        for j in 0..a.len() {
            let mut total = 0.0;
            for i in 0..24 {
                if on[j] > 0.0 {
                    y[j][i] += if scaled { a[j][i].exp() * on[j] } else { a[j][i] };
                }
                total += if on[j] > 1.0 { a[j][i].sqrt().ln() } else { a[j][i] * y[j][i] };
            }
            s[j] = total;
        }
    }

    /// Branches inside of branches, and integers.
    #[opt(require_lanes)]
    pub fn boost(x: &[i16], y: &mut [i16], mute: bool, mode: u32, gain: i16) {
        for (o, &v) in y.iter_mut().zip(x) {
            *o = if mute {
                0
            } else if mode > 3 {
                if mode == 5 { v.wrapping_mul(gain) } else { v.saturating_add(gain) }
            } else {
                *o
            };
        }
    }

    /// An element that is written before, and after.
    #[opt(require_lanes)]
    pub fn three_times(x: &[f64], y: &mut [f64], on: bool) {
        for i in 0..x.len() {
            y[i] += x[i];
            if on {
                y[i] = y[i] * y[i] + x[i];
            }
            y[i] -= 3.0;
        }
    }

    /// Loops of which one is run.
    #[opt(require_lanes)]
    pub fn product(a: &[f64], x: &[f64], y: &mut [f64], n: usize, transposed: bool, positive: bool) {
        if transposed {
            for i in 0..n {
                for j in 0..n {
                    y[j] += a[i * n + j] * x[i];
                }
            }
        } else {
            for i in 0..n {
                for j in 0..n {
                    y[i] += a[i * n + j] * x[j];
                }
            }
        }
        if positive {
            let mut least = 0.0_f64;
            for i in 0..n {
                least = least.min(y[i]);
            }
            for i in 0..n {
                y[i] -= least;
            }
        }
    }

    #[opt(level = 0)]
    pub fn generic<T: Real>(x: &[T], y: &mut [T], smooth: bool) {
        for i in 0..x.len() {
            y[i] = if smooth { x[i].exp() * x[i] + T::one() } else { x[i] };
        }
    }

    pub fn optimised<T: Real>(x: &[T], y: &mut [T], smooth: bool) {
        for i in 0..x.len() {
            y[i] = if smooth { x[i].exp() * x[i] + T::one() } else { x[i] };
        }
    }
}

mod support;
use support::each_variant;

fn noise(count: usize, seed: usize) -> Vec<f64> {
    (0..count)
        .map(|at| support::noise(at + 1000 * seed))
        .collect()
}

const LENGTHS: [usize; 6] = [0, 1, 3, 8, 31, 200];

fn close(found: &[f64], expected: &[f64], what: &str) {
    for (found, expected) in found.iter().zip(expected) {
        let near = (found - expected).abs() <= 1e-12 * (1.0 + expected.abs());
        assert!(near, "{what}: {found} {expected}");
    }
}

#[test]
fn one_of_several_functions() {
    for n in LENGTHS {
        let x = noise(n, 1);
        for kind in 0..4 {
            let mut expected = noise(n, 2);
            activation::reference(&x, &mut expected, kind);
            each_variant(activation::variants(), |isa| {
                let mut y = noise(n, 2);
                activation::with(isa, &x, &mut y, kind).unwrap();
                close(&y, &expected, &format!("{n} {kind} {isa}"));
            });
        }
    }
}

#[test]
fn several_results() {
    for n in LENGTHS {
        let x = noise(n, 3);
        for smooth in [false, true] {
            let (mut y, mut slope) = (noise(n, 4), noise(n, 5));
            with_slope::reference(&x, &mut y, &mut slope, smooth);
            each_variant(with_slope::variants(), |isa| {
                let (mut own, mut slopes) = (noise(n, 4), noise(n, 5));
                with_slope::with(isa, &x, &mut own, &mut slopes, smooth).unwrap();
                close(&own, &y, &format!("{n} {smooth} {isa}"));
                close(&slopes, &slope, &format!("{n} {smooth} {isa}"));
            });
        }
    }
}

#[test]
fn what_changes_in_one_branch_alone() {
    for n in LENGTHS {
        let numbers = |seed| {
            noise(n, seed)
                .iter()
                .map(|v| *v as f32)
                .collect::<Vec<f32>>()
        };
        for limit in [1e-3, 1e9] {
            let (mut x, mut y) = (numbers(6), numbers(7));
            masked::reference(&mut x, &mut y, limit);
            each_variant(masked::variants(), |isa| {
                let (mut own, mut other) = (numbers(6), numbers(7));
                masked::with(isa, &mut own, &mut other, limit).unwrap();
                for (found, expected) in own.iter().chain(&other).zip(x.iter().chain(&y)) {
                    let near = (found - expected).abs() <= 1e-5 * (1.0 + expected.abs());
                    assert!(near, "{n} {limit} {isa}: {found} {expected}");
                }
            });
        }
    }
}

#[test]
fn conditions_of_rows() {
    for n in LENGTHS {
        let block = |seed| -> Vec<[f64; 24]> {
            let all = noise(24 * n, seed);
            let rows = all.chunks_exact(24);
            rows.map(|row| std::array::from_fn(|i| row[i].abs() + 0.1))
                .collect()
        };
        let on: Vec<f64> = noise(n, 9).iter().map(|v| 2.0 * v).collect();
        for scaled in [false, true] {
            let (mut y, mut s) = (block(10), vec![0.0; n]);
            rows::reference(&block(8), &on, &mut y, &mut s, scaled);
            each_variant(rows::variants(), |isa| {
                let (mut own, mut sums) = (block(10), vec![0.0; n]);
                rows::with(isa, &block(8), &on, &mut own, &mut sums, scaled).unwrap();
                close(
                    own.as_flattened(),
                    y.as_flattened(),
                    &format!("{n} {scaled} {isa}"),
                );
                close(&sums, &s, &format!("{n} {scaled} {isa}"));
            });
        }
    }
}

#[test]
fn integers_in_branches() {
    for n in LENGTHS {
        let numbers = |seed| {
            noise(n, seed)
                .iter()
                .map(|v| (v * 3e4) as i16)
                .collect::<Vec<i16>>()
        };
        let x = numbers(11);
        for (mute, mode) in [(true, 5), (false, 5), (false, 4), (false, 3)] {
            let mut expected = numbers(12);
            boost::reference(&x, &mut expected, mute, mode, 3000);
            each_variant(boost::variants(), |isa| {
                let mut y = numbers(12);
                boost::with(isa, &x, &mut y, mute, mode, 3000).unwrap();
                assert_eq!(y, expected, "{n} {mute} {mode} {isa}");
            });
        }
    }
}

#[test]
fn elements_that_are_written_several_times() {
    for n in LENGTHS {
        let x = noise(n, 13);
        for on in [false, true] {
            let mut expected = noise(n, 14);
            three_times::reference(&x, &mut expected, on);
            each_variant(three_times::variants(), |isa| {
                let mut y = noise(n, 14);
                three_times::with(isa, &x, &mut y, on).unwrap();
                close(&y, &expected, &format!("{n} {on} {isa}"));
            });
        }
    }
}

#[test]
fn loops_in_branches() {
    for n in [0, 1, 3, 8, 31] {
        let (a, x) = (noise(n * n, 16), noise(n, 17));
        for (transposed, positive) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut expected = noise(n, 18);
            product::reference(&a, &x, &mut expected, n, transposed, positive);
            each_variant(product::variants(), |isa| {
                let mut y = noise(n, 18);
                product::with(isa, &a, &x, &mut y, n, transposed, positive).unwrap();
                close(&y, &expected, &format!("{n} {transposed} {positive} {isa}"));
            });
        }
    }
}

#[test]
fn the_other_branch_is_not_evaluated() {
    const N: usize = 40;
    let x: Vec<Counted<f64>> = noise(N, 15).into_iter().map(Counted::new).collect();
    for run in [generic::<Counted<f64>>, optimised::<Counted<f64>>] {
        let taken = |smooth| {
            let mut y = x.clone();
            Counted::<f64>::count(|| run(&x, &mut y, smooth)).1.call
        };
        assert_eq!((taken(false), taken(true)), (0, N as u64));
    }
}
