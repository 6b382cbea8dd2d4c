//! Sums over rows of constant length: lanes run along the rows, and each row takes what its own length takes.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]

mod support;

use loopwright::{Report, kernel};
use support::each_variant;

kernel! {
    pub fn scores(q: &[[f32; 64]], k: &[[f32; 64]], s: &mut [f32]) {
        let n = k.len();
        for i in 0..q.len() {
            for j in 0..n {
                let mut t = 0.0;
                for d in 0..64 {
                    t += q[i][d] * k[j][d];
                }
                s[i * n + j] = t;
            }
        }
    }

    /// Rows that end within a vector.
    pub fn partial(a: &[[f32; 100]], b: &[[f32; 100]], y: &mut [f32]) {
        for i in 0..a.len() {
            let (mut ab, mut aa) = (0.0, 0.0);
            for d in 0..100 {
                ab += a[i][d] * b[i][d];
                aa += a[i][d] * a[i][d];
            }
            y[i] = ab + 0.5 * aa;
        }
    }

    pub fn added(a: &[[f64; 33]], x: &[f64; 33], y: &mut [f64]) {
        for i in 0..a.len() {
            for d in 0..33 {
                y[i] += a[i][d] * x[d];
            }
        }
    }

    pub fn bytes(a: &[[i8; 32]], b: &[[i8; 32]], y: &mut [i32]) {
        for i in 0..a.len() {
            let mut s = 0i32;
            for k in 0..32 {
                s += a[i][k] as i32 * b[i][k] as i32;
            }
            y[i] = s;
        }
    }

    /// A sum of integers that becomes a number.
    pub fn scaled_blocks(a: &[[i8; 32]], b: &[[i8; 32]], d: &[f32], y: &mut [f32]) {
        for i in 0..a.len() {
            let mut s = 0i32;
            for k in 0..32 {
                s += a[i][k] as i32 * b[i][k] as i32;
            }
            y[i] += d[i] * s as f32;
        }
    }

    /// The same, all added up.
    pub fn sum_of_blocks(a: &[[u8; 20]], d: &[f64], y: &mut [f64]) {
        for i in 0..a.len() {
            let mut s = 0u32;
            for k in 0..20 {
                s += a[i][k] as u32 * a[i][k] as u32;
            }
            y[0] += d[i] * s as f64;
        }
    }

    pub fn long_words(a: &[[i32; 19]], y: &mut [i64]) {
        for i in 0..a.len() {
            let mut s = 0i64;
            for k in 0..19 {
                s += a[i][k] as i64;
            }
            y[i] = s;
        }
    }

    pub fn widened(a: &[[f32; 40]], y: &mut [f64]) {
        for i in 0..a.len() {
            let mut s = 0.0;
            for k in 0..40 {
                s += a[i][k] as f64;
            }
            y[i] = s;
        }
    }

    pub fn largest(x: &[[f64; 37]], y: &mut [f64]) {
        for i in 0..x.len() {
            let mut s = f64::MIN;
            for k in 0..37 {
                s = s.max(x[i][k]);
            }
            y[i] = s;
        }
    }

    /// The sum and what it scales run over one row.
    pub fn scaled(x: &mut [[f64; 21]]) {
        for i in 0..x.len() {
            let mut s = 0.0;
            for d in 0..21 {
                s += x[i][d] * x[i][d];
            }
            for d in 0..21 {
                x[i][d] *= s;
            }
        }
    }
}

kernel! {
    /// The order of the text's additions.
    #[opt(strict)]
    pub fn in_order(a: &[[f32; 64]], y: &mut [f32]) {
        for i in 0..a.len() {
            let mut s = 0.0;
            for d in 0..64 {
                s += a[i][d];
            }
            y[i] = s;
        }
    }
}

kernel! {
    /// Which rows overflow, types do not say.
    pub fn may_overflow(a: &[[i32; 20]], d: &[f32], y: &mut [f32]) {
        for i in 0..a.len() {
            let mut s = 0i32;
            for k in 0..20 {
                s += a[i][k];
            }
            y[i] = d[i] * s as f32;
        }
    }
}

#[test]
fn sums_that_may_overflow_run_as_written() {
    let mut notes = may_overflow::REPORT.notes.iter();
    let written = notes.any(|note| note.starts_with("runs as written"));
    assert!(written, "{}", may_overflow::REPORT);
    let mut notes = scaled_blocks::REPORT.notes.iter();
    let written = notes.any(|note| note.starts_with("runs as written"));
    assert!(!written, "{}", scaled_blocks::REPORT);
}

/// Small whole numbers, whose sums are exact in any order.
fn small(at: usize) -> i32 {
    (at * 7 + at / 5) as i32 % 11 - 5
}

/// Rows of values, whose first one is at an odd place.
macro_rules! rows {
    ($ty:ty, $length:literal, $count:expr, $value:expr) => {{
        let value: fn(usize) -> $ty = $value;
        let all: Vec<[$ty; $length]> = (0..$count)
            .map(|i| std::array::from_fn(|k| value(i * $length + k)))
            .collect();
        all
    }};
}

macro_rules! same {
    ($kernel:ident($($input:expr),*), $start:expr) => {{
        let mut expected = $start;
        $kernel::reference($($input,)* &mut expected[1..]);
        each_variant($kernel::variants(), |isa| {
            let mut found = $start;
            $kernel::with(isa, $($input,)* &mut found[1..]).unwrap();
            assert_eq!(found, expected, "{isa:?}");
        });
    }};
}

#[test]
fn results_are_those_of_the_text_for_any_number_of_rows() {
    for n in (0..21).chain([64, 70]) {
        let q = rows!(f32, 64, n, |at| small(at) as f32);
        let k = rows!(f32, 64, 3, |at| small(at + 3) as f32);
        same!(scores(&q, &k), vec![7.0; 3 * n + 1]);
        same!(scores(&k, &q), vec![7.0; 3 * n + 1]);
        let a = rows!(f32, 100, n, |at| small(at) as f32);
        let b = rows!(f32, 100, n, |at| small(at + 1) as f32);
        same!(partial(&a, &b), vec![7.0; n + 1]);
        let a = rows!(f64, 33, n, |at| f64::from(small(at)));
        let x = std::array::from_fn(|k| f64::from(small(k + 2)));
        same!(added(&a, &x), vec![7.0; n + 1]);
        let a = rows!(i8, 32, n, |at| (at * 77) as i8);
        let b = rows!(i8, 32, n, |at| (at * 45 + 128) as i8);
        same!(bytes(&a, &b), vec![7; n + 1]);
        let d: Vec<f32> = (0..n).map(|at| small(at) as f32).collect();
        same!(scaled_blocks(&a, &b, &d), vec![7.0; n + 1]);
        let a = rows!(u8, 20, n, |at| (at * 77) as u8);
        let d: Vec<f64> = (0..n).map(|at| f64::from(small(at))).collect();
        same!(sum_of_blocks(&a, &d), vec![7.0; 2]);
        let a = rows!(i32, 19, n, |at| i32::MAX - at as i32);
        same!(long_words(&a), vec![7; n + 1]);
        let a = rows!(f32, 40, n, |at| small(at) as f32);
        same!(widened(&a), vec![7.0; n + 1]);
        let a = rows!(f64, 37, n, |at| f64::from(small(at)));
        same!(largest(&a), vec![7.0; n + 1]);
        same!(scaled(), rows!(f64, 21, n + 1, |at| f64::from(small(at))));
    }
}

#[test]
fn the_order_of_additions_is_kept_where_it_is_asked_for() {
    let value = |at: usize| 1.0 / (at as f32 + 0.3);
    for n in 0..20 {
        same!(in_order(&rows!(f32, 64, n, value)), vec![7.0; n + 1]);
    }
}

/// Whether some variant has lanes over the loop along the rows.
fn along_rows(report: &Report, index: &str) -> bool {
    let mut decisions = report.passes.iter().flat_map(|pass| pass.decisions);
    decisions.any(|decision| decision.contains(&format!("lanes over `{index}`")))
}

#[test]
fn lanes_run_along_rows() {
    assert!(along_rows(&partial::REPORT, "d"), "{}", partial::REPORT);
    assert!(along_rows(&bytes::REPORT, "k"), "{}", bytes::REPORT);
    assert!(
        along_rows(&scaled_blocks::REPORT, "k"),
        "{}",
        scaled_blocks::REPORT
    );
    assert!(along_rows(&scores::REPORT, "d"), "{}", scores::REPORT);
    assert!(!along_rows(&in_order::REPORT, "d"), "{}", in_order::REPORT);
}
