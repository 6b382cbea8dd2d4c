//! Minima and maxima of windows: of any number of values at once, and what windows that overlap have in common.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Counted, Real, kernel};

mod support;
use support::special::{all_same, inputs};
use support::{counting, each_variant};

kernel! {
    pub fn nine(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for j in 0..n.saturating_sub(2) {
            for i in 0..m - 2 {
                let mut s = x[j * m + i];
                for b in 0..3 {
                    for a in 0..3 {
                        s = s.max(x[(j + b) * m + i + a]);
                    }
                }
                y[j * m + i] = s;
            }
        }
    }

    pub fn nine_from_a_number(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for j in 0..n.saturating_sub(2) {
            for i in 0..m - 2 {
                let mut s = f64::INFINITY;
                for b in 0..3 {
                    for a in 0..3 {
                        if x[(j + b) * m + i + a] < s {
                            s = x[(j + b) * m + i + a];
                        }
                    }
                }
                y[j * m + i] = s;
            }
        }
    }

    pub fn seventeen(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len().saturating_sub(16) {
            let mut m = x[i];
            for k in 1..17 {
                m = m.min(x[i + k]);
            }
            y[i] = m;
        }
    }

    pub fn seventeen_from_a_number(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len().saturating_sub(16) {
            let mut m = 0.0;
            for k in 0..17 {
                m = x[i + k].abs().max(m);
            }
            y[i] = m;
        }
    }

    pub fn spread(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len().saturating_sub(2) {
            y[i] = x[i].max(x[i + 1]).max(x[i + 2]) - x[i].min(x[i + 1].min(x[i + 2]));
        }
    }

    /// The first value counts where it is a NaN.
    pub fn from_the_first(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len().saturating_sub(16) {
            let mut m = x[i];
            for k in 1..17 {
                if x[i + k] > m {
                    m = x[i + k];
                }
            }
            y[i] = m;
        }
    }

    pub fn seventeen_of<T: Real>(x: &[T], y: &mut [T]) {
        for i in 0..x.len().saturating_sub(16) {
            let mut m = x[i];
            for k in 1..17 {
                m = m.max(x[i + k]);
            }
            y[i] = m;
        }
    }

    #[opt(strict)]
    pub fn seventeen_strict(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len().saturating_sub(16) {
            let mut m = x[i];
            for k in 1..17 {
                m = m.max(x[i + k]);
            }
            y[i] = m;
        }
    }
}

macro_rules! on_rows {
    ($($kernel:ident),*) => {{
        for count in [0, 1, 2, 3, 16, 17, 18, 40, 64, 201] {
            for x in inputs(count) {
                $({
                    let mut expected = vec![0.5; count];
                    $kernel::reference(&x, &mut expected);
                    each_variant($kernel::variants(), |isa| {
                        let mut found = vec![0.5; count];
                        $kernel::with(isa, &x, &mut found).unwrap();
                        assert!(
                            all_same(&found, &expected),
                            "{} of {count}, {isa:?}",
                            stringify!($kernel)
                        );
                    });
                })*
            }
        }
    }};
}

#[test]
fn rows_have_the_values_of_the_text() {
    on_rows!(
        seventeen,
        seventeen_from_a_number,
        spread,
        from_the_first,
        seventeen_strict
    );
}

#[test]
fn grids_have_the_values_of_the_text() {
    for (n, m) in [(0, 2), (1, 5), (3, 3), (4, 2), (5, 17), (9, 40), (17, 67)] {
        for x in inputs(n * m) {
            let mut expected = vec![0.5; n * m];
            nine::reference(n, m, &x, &mut expected);
            each_variant(nine::variants(), |isa| {
                let mut found = vec![0.5; n * m];
                nine::with(isa, n, m, &x, &mut found).unwrap();
                assert!(all_same(&found, &expected), "{n} {m} {isa:?}");
            });
            let mut expected = vec![0.5; n * m];
            nine_from_a_number::reference(n, m, &x, &mut expected);
            each_variant(nine_from_a_number::variants(), |isa| {
                let mut found = vec![0.5; n * m];
                nine_from_a_number::with(isa, n, m, &x, &mut found).unwrap();
                assert!(all_same(&found, &expected), "{n} {m} {isa:?}");
            });
        }
    }
}

#[test]
fn reports_count_what_is_compared() {
    let x = counting(&inputs(100)[4]);
    let mut y = counting(&[0.0; 100]);
    let ((), cost) = Counted::<f64>::count(|| seventeen_of(&x, &mut y));
    // Loops take as many values as windows, or some more.
    let length = |text: &str| {
        let inner = text.trim_start_matches('(').trim_end_matches(')');
        match inner.split_once(" - ") {
            Some(("x.len()", by)) => 100 - by.parse::<u64>().unwrap(),
            _ => panic!("{text}"),
        }
    };
    let levels = seventeen_of::REPORT.levels.iter();
    let stated: u64 = match seventeen_of::REPORT.levels {
        [] => 84 * seventeen_of::REPORT.expansion.operations(),
        _ => levels
            .map(|level| length(level.times) * level.cost.operations())
            .sum(),
    };
    assert_eq!(cost.operations(), stated, "{cost:?}");
    assert!(cost.operations() <= 84 * 16, "{cost:?}");
}
