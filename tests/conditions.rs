//! Statements under conditions: `if`, `match`, `continue`, `return`, assertions, against `reference` in every
//! variant.

#![allow(
    missing_docs,
    clippy::all,
    reason = "kernels of tests, as users write them"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright::{Report, kernel};

mod support;
use support::{each_variant, near, numbers};

const SIZES: [usize; 10] = [0, 1, 2, 3, 5, 8, 9, 17, 31, 64];

/// A program with lanes; it may be that the text runs for some inputs.
fn has_lanes(report: &Report) -> bool {
    let decisions = report.passes.iter().flat_map(|pass| pass.decisions);
    let mut notes = report.notes.iter();
    let of_text =
        |note: &str| support::is_about_inputs(note) || note.starts_with("where the text runs");
    notes.all(|note| of_text(note))
        && decisions
            .clone()
            .any(|d| d.contains("width 4, lanes over `"))
}

/// Whether all variants of a kernel leave in its last argument, so many numbers, what the reference does, and
/// panic where it does.
macro_rules! agrees {
    ($kernel:ident($($input:expr),*), $count:expr) => {{
        let start = numbers(77, $count);
        let mut expected = start.clone();
        let right = catch_unwind(AssertUnwindSafe(|| $kernel::reference($($input,)* &mut expected)));
        each_variant($kernel::variants(), |isa| {
            let mut found = start.clone();
            let run = catch_unwind(AssertUnwindSafe(|| {
                $kernel::with(isa, $($input,)* &mut found).unwrap();
            }));
            assert_eq!(run.is_ok(), right.is_ok(), "{isa:?}");
            if right.is_ok() {
                assert!(near(&found, &expected), "{isa:?}: {found:?}, {expected:?}");
            }
        });
    }};
}

kernel! {
    pub fn relu(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            if x[i] > 0.0 { y[i] = x[i]; } else { y[i] = 0.01 * x[i]; }
        }
    }
    pub fn leaky_in_place(x: &mut [f64]) {
        for i in 0..x.len() {
            if x[i] < 0.0 { x[i] *= 0.1; }
        }
    }
    pub fn threshold(t: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            let v = x[i];
            if v > t { y[i] = 1.0; } else if v < -t { y[i] = -1.0; } else { y[i] = 0.0; }
        }
    }
    pub fn heat(n: usize, a: f64, u: &[f64], v: &mut [f64]) {
        for i in 0..n {
            if i == 0 { v[i] = u[0]; } else if i == n - 1 { v[i] = u[n - 1]; }
            else { v[i] = u[i] + a * (u[i - 1] - 2.0 * u[i] + u[i + 1]); }
        }
    }
    pub fn heat2(n: usize, m: usize, a: f64, u: &[f64], v: &mut [f64]) {
        for i in 0..n {
            for j in 0..m {
                if i > 0 && i < n - 1 && j > 0 && j < m - 1 {
                    v[i * m + j] = u[i * m + j] + a * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1] - 4.0 * u[i * m + j]);
                } else {
                    v[i * m + j] = u[i * m + j];
                }
            }
        }
    }
    pub fn minmod(x: &[f64], s: &mut [f64]) {
        for i in 1..x.len() - 1 {
            let a = x[i] - x[i - 1];
            let b = x[i + 1] - x[i];
            let mut r = 0.0;
            if a * b > 0.0 {
                if a.abs() < b.abs() { r = a; } else { r = b; }
            }
            s[i] = r;
        }
    }
    pub fn count_positive(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            if x[i] > 0.0 && x[i] < 10.0 { s += x[i]; }
        }
        s
    }
    pub fn upwind(c: &[f64], u: &[f64], f: &mut [f64]) {
        for i in 1..u.len() {
            let mut flux = 0.0;
            if c[i] >= 0.0 { flux = c[i] * u[i - 1]; } else { flux = c[i] * u[i]; }
            f[i] = flux;
        }
    }
    pub fn triangular(n: usize, a: &[f64], b: &mut [f64]) {
        for i in 0..n { for j in 0..n {
            if j > i { b[i * n + j] = 0.0; } else if i == j { b[i * n + j] = 1.0; } else { b[i * n + j] = a[i * n + j]; }
        } }
    }
    pub fn skip(n: usize, x: &[f64], y: &mut [f64]) {
        if n == 0 { return; }
        for i in 0..n {
            if x[i] < 0.0 { continue; }
            y[i] = x[i].sqrt();
        }
    }
    pub fn asserted(x: &[f64], y: &mut [f64]) {
        assert_eq!(x.len(), y.len(), "lengths differ");
        assert!(x.len() > 2);
        for i in 1..x.len() - 1 { y[i] = x[i - 1] + x[i + 1]; }
    }
    pub fn modes(mode: i32, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let v = match mode { 0 => x[i], 1 | 2 => x[i] * x[i], 3..=5 => x[i].sqrt(), _ => 0.0 };
            y[i] = v;
        }
    }
    pub fn mean(x: &[f64]) -> f64 {
        if x.len() == 0 { return 0.0; }
        let mut s = 0.0;
        for i in 0..x.len() { s += x[i]; }
        s / x.len() as f64
    }
    pub fn masked(mask: &[u8], x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            if mask[i] != 0 { y[i] += x[i]; }
        }
    }
    pub fn histogram(bins: &[usize], w: &[f64], h: &mut [f64]) {
        for i in 0..bins.len() {
            if w[i] > 0.0 { h[bins[i]] += w[i]; }
        }
    }
    pub fn branch_loops(n: usize, a: &[f64], b: &mut [f64]) {
        for i in 0..n {
            if a[i] > 0.0 {
                for k in 0..8 { b[i * 8 + k] = a[i] * k as f64; }
            }
        }
    }
    pub fn flags(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let inside = x[i] > -1.0 && x[i] < 1.0;
            let mut big = false;
            if !inside { big = x[i] > 5.0 || x[i] < -5.0; }
            y[i] = if inside { 1.0 } else if big { 2.0 } else { 3.0 };
        }
    }
    pub fn swapped(x: &[f64], y: &[f64], lo: &mut [f64], hi: &mut [f64]) {
        for i in 0..x.len() {
            let (a, b) = if x[i] < y[i] { (x[i], y[i]) } else { (y[i], x[i]) };
            lo[i] = a;
            hi[i] = b;
        }
    }
}

#[test]
fn branches_become_choices() {
    for n in SIZES {
        let (x, z) = (numbers(1, n), numbers(2, n));
        agrees!(relu(&x), n);
        agrees!(relu(&x), n / 2);
        agrees!(leaky_in_place(), n);
        agrees!(threshold(0.3, &x), n);
        agrees!(minmod(&x), n);
        agrees!(upwind(&x, &z), n);
        agrees!(skip(n, &x), n);
        agrees!(skip(n + 1, &x), n);
        agrees!(flags(&x.iter().map(|x| 10.0 * x).collect::<Vec<_>>()), n);
        agrees!(branch_loops(n, &x), 8 * n);
        let mut other = vec![0.0; n];
        agrees!(swapped(&x, &z, &mut other), n);
    }
    for report in [
        relu::REPORT,
        leaky_in_place::REPORT,
        threshold::REPORT,
        minmod::REPORT,
        upwind::REPORT,
        skip::REPORT,
        flags::REPORT,
        branch_loops::REPORT,
        swapped::REPORT,
    ] {
        assert!(has_lanes(&report), "{report}");
    }
}

#[test]
fn conditions_on_loops_cut_them() {
    for n in SIZES {
        let u = numbers(3, n);
        agrees!(heat(n, 0.1, &u), n);
        for m in [0, 1, 2, 3, 9, 17] {
            let u = numbers(3, n * m);
            agrees!(heat2(n, m, 0.1, &u), n * m);
        }
        agrees!(triangular(n, &numbers(4, n * n)), n * n);
    }
    for report in [heat::REPORT, heat2::REPORT, triangular::REPORT] {
        assert!(has_lanes(&report), "{report}");
    }
}

#[test]
fn conditions_on_integers_are_compared() {
    for n in SIZES {
        let x = numbers(5, n).iter().map(|x| x.abs()).collect::<Vec<_>>();
        for mode in -1..7 {
            agrees!(modes(mode, &x), n);
        }
        let mask: Vec<u8> = (0..n).map(|k| (k % 3) as u8).collect();
        agrees!(masked(&mask, &x), n);
        let bins: Vec<usize> = (0..n).map(|k| k % 4).collect();
        agrees!(histogram(&bins, &numbers(6, n)), 4);
    }
    for report in [modes::REPORT, masked::REPORT] {
        assert!(has_lanes(&report), "{report}");
    }
}

#[test]
fn sums_take_what_a_condition_lets_through() {
    for n in SIZES {
        let x = numbers(7, n);
        let (sum, average) = (count_positive::reference(&x), mean::reference(&x));
        each_variant(count_positive::variants(), |isa| {
            let found = [
                count_positive::with(isa, &x).unwrap(),
                mean::with(isa, &x).unwrap(),
            ];
            assert!(near(&found, &[sum, average]), "{isa:?}");
        });
    }
    assert!(
        has_lanes(&count_positive::REPORT),
        "{}",
        count_positive::REPORT
    );
    assert!(has_lanes(&mean::REPORT), "{}", mean::REPORT);
}

#[test]
fn assertions_are_the_text_s() {
    for n in SIZES {
        agrees!(asserted(&numbers(8, n)), n);
    }
    let (x, mut y) = (numbers(8, 9), vec![1.0; 8]);
    let panic = catch_unwind(AssertUnwindSafe(|| asserted(&x, &mut y))).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert!(message.contains("lengths differ"), "{message}");
    assert_eq!(y, [1.0; 8]);
    assert!(has_lanes(&asserted::REPORT), "{}", asserted::REPORT);
}
