//! Recurrences: iterations that read what earlier ones have written.
#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    clippy::needless_range_loop,
    reason = "kernels are loops with subscripts"
)]

use loopwright::{Isa, kernel};

kernel! {
    pub fn first_order(a: f64, x: &[f64], y: &mut [f64]) {
        for i in 1..y.len() {
            y[i] = a * y[i - 1] + x[i];
        }
    }

    #[opt(strict)]
    pub fn first_order_strict(a: f64, x: &[f64], y: &mut [f64]) {
        for i in 1..y.len() {
            y[i] = a * y[i - 1] + x[i];
        }
    }

    /// Begins where the text says.
    pub fn begun(a: f32, x: &[f32], y: &mut [f32]) {
        y[0] = x[0];
        for i in 1..y.len() {
            y[i] = y[i - 1] + a * (x[i] - y[i - 1]);
        }
    }

    pub fn second_order(x: &[f64], y: &mut [f64]) {
        for i in 2..y.len() {
            y[i] = 1.5 * y[i - 1] - 0.6 * y[i - 2] + x[i] + 2.0 * x[i - 1] + x[i - 2];
        }
    }

    /// One iteration reads what the one before the last has written, and nothing of the last.
    pub fn skipping(x: &[f64], y: &mut [f64]) {
        for i in 3..y.len() {
            y[i] = 0.5 * y[i - 3] + x[i];
        }
    }

    pub fn prefix(y: &mut [f64]) {
        for i in 1..y.len() {
            y[i] += y[i - 1];
        }
    }

    pub fn backwards(x: &[f64], y: &mut [f64]) {
        for i in (0..y.len() - 2).rev() {
            y[i] = x[i] - 0.5 * y[i + 1] + 0.25 * y[i + 2];
        }
    }

    /// Exponential smoothing along rows, in both directions.
    pub fn rows(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for j in 0..n {
            for i in 1..m {
                y[j * m + i] = y[j * m + i - 1] + 0.25 * (x[j * m + i] - y[j * m + i - 1]);
            }
        }
        for j in 0..n {
            for i in (0..m - 1).rev() {
                y[j * m + i] = y[j * m + i + 1] + 0.25 * (y[j * m + i] - y[j * m + i + 1]);
            }
        }
    }

    pub fn columns(n: usize, m: usize, x: &[f32], y: &mut [f32]) {
        for j in 2..n {
            for i in 0..m {
                y[j * m + i] = 0.5 * y[(j - 1) * m + i] - 0.125 * y[(j - 2) * m + i] + x[j * m + i];
            }
        }
    }

    pub fn planes(l: usize, n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for k in 0..l {
            for j in 1..n {
                for i in 0..m {
                    y[(k * n + j) * m + i] = 0.5 * y[(k * n + j - 1) * m + i] + x[(k * n + j) * m + i];
                }
            }
        }
    }

    /// The sweeps of a tridiagonal system: each handed on to the other one.
    pub fn thomas(a: &[f64], b: &[f64], c: &[f64], x: &mut [f64], w: &mut [f64]) {
        w[0] = c[0] / b[0];
        x[0] = x[0] / b[0];
        for i in 1..x.len() {
            let pivot = b[i] - a[i] * w[i - 1];
            w[i] = c[i] / pivot;
            x[i] = (x[i] - a[i] * x[i - 1]) / pivot;
        }
        for i in (0..x.len() - 1).rev() {
            x[i] -= w[i] * x[i + 1];
        }
    }

    /// Each array takes from the other one.
    pub fn coupled(x: &[f64], u: &mut [f64], v: &mut [f64]) {
        for i in 1..x.len() {
            u[i] = 0.5 * v[i - 1] + x[i];
            v[i] = 0.25 * u[i - 1] + 0.5 * u[i];
        }
    }

    pub fn gauss_seidel(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                y[j * m + i] = 0.25 * (y[(j - 1) * m + i] + y[(j + 1) * m + i] + y[j * m + i - 1]
                    + y[j * m + i + 1] - x[j * m + i]);
            }
        }
    }

    /// A value of each iteration that does not change between iterations.
    pub fn constant(x: &[f64], y: &mut [f64], z: &mut [f64]) {
        for i in 1..y.len() {
            z[i] = 3.0 * y[i - 1];
            y[i] = 2.0 * x[0];
        }
    }

    /// With a coefficient that takes operations of its own, and one that is not known.
    pub fn varying(a: &[f64], x: &[f64], y: &mut [f64]) {
        for i in 1..y.len() {
            y[i] = (a[0] + a[1]) * y[i - 1] / (1.0 + x[i] * x[i]) + x[i].sqrt();
        }
    }

    pub fn clipped(x: &[f64], y: &mut [f64]) {
        for i in 1..y.len() {
            y[i] = if x[i] > 0.5 { y[i - 1] + x[i] } else { 0.0 };
        }
    }

    /// Two that have nothing to do with each other but the loop.
    pub fn several(x: &[f64], u: &mut [f64], v: &mut [f64], w: &mut [f64]) {
        for i in 2..x.len() {
            u[i] = 0.5 * u[i - 1] + x[i];
            w[i] = u[i] * x[i - 1];
            v[i] = 0.25 * v[i - 2] - x[i];
        }
    }
}

fn noise(seed: usize, n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| ((i * 7919 + seed * 104_729) % 1013) as f64 / 1013.0 + 0.01)
        .collect()
}

fn narrow(x: Vec<f64>) -> Vec<f32> {
    x.into_iter().map(|x| x as f32).collect()
}

const SIZES: [usize; 12] = [3, 4, 5, 7, 8, 9, 16, 17, 31, 33, 100, 257];

/// Runs a kernel in each variant on copies of what it writes, and compares with its text.
macro_rules! check {
    ($kernel:ident($($read:expr),*; $($written:ident),+), $bound:expr) => {
        for isa in [Isa::Scalar, Isa::Avx2, Isa::Avx512] {
            let expected = {
                $(let mut $written = $written.clone();)+
                $kernel::reference($($read,)* $(&mut $written),+);
                ($($written,)+)
            };
            $(let mut $written = $written.clone();)+
            if $kernel::with(isa, $($read,)* $(&mut $written),+).is_err() {
                continue;
            }
            let ($($written,)+) = (($($written,)+), expected).pair();
            $(for (at, (own, text)) in $written.0.iter().zip(&$written.1).enumerate() {
                let (own, text) = (f64::from(*own), f64::from(*text));
                let same = own.to_bits() == text.to_bits();
                assert!(
                    same || (own - text).abs() <= $bound * text.abs().max(1.0),
                    "{} {isa:?} {at}: {own} {text}", stringify!($kernel)
                );
            })+
        }
    };
}

#[path = "recurrences/numbers.rs"]
mod numbers;

/// Two tuples as a tuple of pairs.
trait Pairs {
    type Of;
    fn pair(self) -> Self::Of;
}

impl<A> Pairs for ((A,), (A,)) {
    type Of = ((A, A),);
    fn pair(self) -> Self::Of {
        ((self.0.0, self.1.0),)
    }
}

impl<A> Pairs for ((A, A), (A, A)) {
    type Of = ((A, A), (A, A));
    fn pair(self) -> Self::Of {
        ((self.0.0, self.1.0), (self.0.1, self.1.1))
    }
}

impl<A> Pairs for ((A, A, A), (A, A, A)) {
    type Of = ((A, A), (A, A), (A, A));
    fn pair(self) -> Self::Of {
        (
            (self.0.0, self.1.0),
            (self.0.1, self.1.1),
            (self.0.2, self.1.2),
        )
    }
}

const F64: f64 = 1e-12;
const F32: f64 = 1e-4;

#[test]
fn lines_are_those_of_the_text() {
    for n in SIZES {
        let (x, y, z, w) = (noise(0, n), noise(1, n), noise(2, n), noise(3, n));
        check!(first_order(0.5, &x; y), F64);
        check!(first_order_strict(0.5, &x; y), 0.0);
        check!(second_order(&x; y), F64);
        check!(skipping(&x; y), F64);
        check!(prefix(; y), F64);
        check!(backwards(&x; y), F64);
        check!(coupled(&x; y, z), F64);
        check!(constant(&x; y, z), F64);
        check!(varying(&w, &x; y), F64);
        check!(clipped(&x; y), F64);
        check!(several(&x; y, z, w), F64);
        let (x, y) = (narrow(x), narrow(y));
        check!(begun(0.25, &x; y), F32);
        let b: Vec<f64> = noise(4, n).iter().map(|b| b + 4.0).collect();
        let (a, c, x) = (noise(5, n), noise(6, n), noise(7, n));
        check!(thomas(&a, &b, &c; x, w), F64);
    }
}

#[test]
fn images_are_those_of_the_text() {
    for n in [2, 3, 4, 7, 8, 16, 33] {
        for m in [2, 3, 5, 8, 9, 17, 40] {
            let (x, y) = (noise(0, n * m), noise(1, n * m));
            check!(rows(n, m, &x; y), F64);
            check!(gauss_seidel(n, m, &x; y), F64);
            let (x, y) = (narrow(x), narrow(y));
            check!(columns(n, m, &x; y), F32);
        }
    }
    for (l, n, m) in [(1, 2, 1), (2, 3, 5), (3, 7, 8), (5, 4, 19)] {
        let (x, y) = (noise(0, l * n * m), noise(1, l * n * m));
        check!(planes(l, n, m, &x; y), F64);
    }
}

#[test]
fn short_lines_are_left_to_the_text() {
    for n in 0..3 {
        let (x, y) = (noise(0, n), noise(1, n));
        check!(first_order(0.5, &x; y), F64);
        check!(prefix(; y), F64);
        check!(second_order(&x; y), F64);
        check!(skipping(&x; y), F64);
    }
    let panicked = std::panic::catch_unwind(|| first_order(0.5, &[1.0; 3], &mut [2.0; 4]));
    assert!(panicked.is_err());
}

#[test]
fn none_runs_as_written() {
    let reports = [
        first_order::REPORT,
        first_order_strict::REPORT,
        begun::REPORT,
        second_order::REPORT,
        skipping::REPORT,
        prefix::REPORT,
        backwards::REPORT,
        rows::REPORT,
        columns::REPORT,
        planes::REPORT,
        thomas::REPORT,
        coupled::REPORT,
        gauss_seidel::REPORT,
        constant::REPORT,
        varying::REPORT,
        clipped::REPORT,
        several::REPORT,
    ];
    for report in reports {
        let written = report
            .notes
            .iter()
            .any(|note| note.starts_with("runs as written"));
        assert!(!written, "{report:#}");
    }
}

#[test]
fn reports_say_what_iterations_wait_for() {
    for report in [first_order::REPORT, prefix::REPORT, gauss_seidel::REPORT] {
        let mut advice = report.advice.iter();
        assert!(
            advice.any(|line| line.contains("what the one before hands on")),
            "{report}"
        );
    }
}
