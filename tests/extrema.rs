//! Minima, maxima and products over loops: reductions, as sums are.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    clippy::assign_op_pattern,
    clippy::manual_clamp,
    reason = "however it is written"
)]

use loopwright::{Counted, Real, kernel};

mod support;
use support::special::{LENGTHS, all_same, inputs, ordinary, same, special};
use support::{counting, each_variant, near_to, noise};

kernel! {
    pub fn largest(x: &[f64]) -> f64 {
        let mut m = f64::NEG_INFINITY;
        for i in 0..x.len() {
            m = m.max(x[i]);
        }
        m
    }

    pub fn largest_from_nan(x: &[f64]) -> f64 {
        let mut m = f64::NAN;
        for i in 0..x.len() {
            m = f64::max(x[i], m);
        }
        m
    }

    pub fn smallest_from(start: f64, x: &[f64]) -> f64 {
        let mut m = start;
        for i in 0..x.len() {
            m = m.min(x[i]);
        }
        m
    }

    pub fn largest_if(start: f64, x: &[f64]) -> f64 {
        let mut m = start;
        for v in x {
            if *v > m {
                m = *v;
            }
        }
        m
    }

    pub fn smallest_if(start: f64, x: &[f64]) -> f64 {
        let mut m = start;
        for i in 0..x.len() {
            m = if m > x[i] { x[i] } else { m };
        }
        m
    }

    pub fn largest_of_two(x: &[f64], y: &[f64]) -> f64 {
        let mut m = 0.0;
        for i in 0..x.len() {
            m = f64::max(m, x[i].abs()).max(y[i].abs());
        }
        m
    }

    pub fn folded(x: &[f64]) -> f64 {
        x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    pub fn folded_absolute(x: &[f64]) -> f64 {
        x.iter().fold(0.0, |m, v| f64::max(m, v.abs()))
    }

    pub fn product(x: &[f64]) -> f64 {
        let mut p = 2.0;
        for i in 0..x.len() {
            p *= x[i];
        }
        p
    }

    pub fn spread(x: &[f64]) -> f64 {
        let mut low = f64::INFINITY;
        let mut high = f64::NEG_INFINITY;
        for i in 0..x.len() {
            low = low.min(x[i]);
            high = high.max(x[i]);
        }
        high - low
    }

    pub fn largest_single(x: &[f32]) -> f32 {
        let mut m = f32::NEG_INFINITY;
        for i in 0..x.len() {
            m = m.max(x[i]);
        }
        m
    }

    /// Of each row.
    pub fn of_rows(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            let mut s = f64::INFINITY;
            for j in 0..m {
                s = s.min(x[i * m + j]);
            }
            y[i] = s;
        }
    }

    /// Of each column, into what is there.
    pub fn of_columns(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..m {
                y[j] = y[j].max(x[i * m + j]);
            }
        }
    }

    pub fn of_components(x: &[[f64; 3]], y: &mut [f64; 3]) {
        for i in 0..x.len() {
            for k in 0..3 {
                if x[i][k] > y[k] {
                    y[k] = x[i][k];
                }
            }
        }
    }

    pub fn products_of_rows(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..m {
                y[i] *= x[i * m + j];
            }
        }
    }

    /// A window of known length that stays a loop.
    pub fn window(x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            let mut m = f64::NEG_INFINITY;
            for k in 0..300 {
                m = m.max(x[i + k]);
            }
            y[i] = m;
        }
    }

    /// Scattered: lanes may meet.
    pub fn scattered(to: &[usize], x: &[f64], y: &mut [f64; 10]) {
        for i in 0..to.len() {
            y[to[i]] = y[to[i]].max(x[i]);
        }
    }

    pub fn under_a_condition(x: &[f64]) -> f64 {
        let mut p = 1.0;
        for i in 0..x.len() {
            if x[i] > 0.0 {
                p *= x[i];
            }
        }
        p
    }

    #[opt(strict)]
    pub fn largest_strict(start: f64, x: &[f64]) -> f64 {
        let mut m = start;
        for i in 0..x.len() {
            m = m.max(x[i]);
        }
        m
    }

    #[opt(level = 0)]
    pub fn smallest_unchanged(start: f64, x: &[f64]) -> f64 {
        let mut m = start;
        for i in 0..x.len() {
            if x[i] < m {
                m = x[i];
            }
        }
        m
    }

    #[opt(strict)]
    pub fn rows_strict(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            let mut s = f64::INFINITY;
            let mut p = 1.0;
            for j in 0..m {
                s = s.min(x[i * m + j]);
                p *= x[i * m + j];
            }
            y[i] = s + p;
        }
    }

    pub fn largest_of<T: Real>(n: usize, m: usize, x: &[T], y: &mut [T]) {
        for i in 0..n {
            let mut s = T::zero();
            for j in 0..m {
                s = s.max(x[i * m + j]);
            }
            y[i] = s;
        }
    }

    pub fn norm_of<T: Real>(x: &[T]) -> T {
        let mut s = T::zero();
        for i in 0..x.len() {
            if x[i].abs() > s {
                s = x[i].abs();
            }
        }
        s
    }
}

macro_rules! scalar {
    ($kernel:ident, $x:expr $(, $before:expr)*) => {{
        let expected = $kernel::reference($($before,)* $x);
        each_variant($kernel::variants(), |isa| {
            let found = $kernel::with(isa, $($before,)* $x).unwrap();
            assert!(
                same(found, expected),
                "{}: {found} for {expected} of {} values, {isa:?}",
                stringify!($kernel),
                $x.len(),
            );
        });
    }};
}

#[test]
fn extrema_are_those_of_the_text() {
    for count in LENGTHS {
        for x in inputs(count) {
            scalar!(largest, &x);
            scalar!(largest_from_nan, &x);
            scalar!(folded, &x);
            scalar!(folded_absolute, &x);
            scalar!(spread, &x);
            let y = special(7, count);
            let expected = largest_of_two::reference(&x, &y);
            each_variant(largest_of_two::variants(), |isa| {
                let found = largest_of_two::with(isa, &x, &y).unwrap();
                assert!(same(found, expected), "{isa:?}");
            });
            for start in [0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.25] {
                scalar!(smallest_from, &x, start);
                scalar!(largest_if, &x, start);
                scalar!(smallest_if, &x, start);
            }
            let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
            let expected = largest_single::reference(&single);
            each_variant(largest_single::variants(), |isa| {
                let found = largest_single::with(isa, &single).unwrap();
                assert!(same(found.into(), expected.into()), "{isa:?}");
            });
        }
    }
}

#[test]
fn products_agree_to_rounding() {
    for count in LENGTHS {
        let x: Vec<f64> = (0..count).map(|at| 1.0 + 0.1 * noise(at)).collect();
        let expected = product::reference(&x);
        each_variant(product::variants(), |isa| {
            let found = product::with(isa, &x).unwrap();
            assert!(
                (found - expected).abs() <= 1e-12 * expected.abs(),
                "{isa:?}"
            );
        });
        let x: Vec<f64> = x
            .iter()
            .map(|x| x * if *x > 1.05 { -1.0 } else { 1.0 })
            .collect();
        let expected = under_a_condition::reference(&x);
        each_variant(under_a_condition::variants(), |isa| {
            let found = under_a_condition::with(isa, &x).unwrap();
            assert!(
                (found - expected).abs() <= 1e-12 * expected.abs(),
                "{isa:?}"
            );
        });
    }
    for x in inputs(65) {
        let expected = product::reference(&x);
        each_variant(product::variants(), |isa| {
            let found = product::with(isa, &x).unwrap();
            assert_eq!(found.is_nan(), expected.is_nan(), "{isa:?}");
        });
    }
}

#[test]
fn strict_kernels_keep_their_bits() {
    for count in LENGTHS {
        for x in inputs(count) {
            for start in [0.0, -0.0, f64::NAN, f64::INFINITY, 0.25] {
                let expected = largest_strict::reference(start, &x);
                each_variant(largest_strict::variants(), |isa| {
                    let found = largest_strict::with(isa, start, &x).unwrap();
                    assert_eq!(found.to_bits(), expected.to_bits(), "{isa:?}");
                });
                let expected = smallest_unchanged::reference(start, &x);
                each_variant(smallest_unchanged::variants(), |isa| {
                    let found = smallest_unchanged::with(isa, start, &x).unwrap();
                    assert_eq!(found.to_bits(), expected.to_bits(), "{isa:?}");
                });
            }
        }
    }
    for (n, m) in [(0, 3), (1, 1), (2, 7), (64, 5), (65, 1), (13, 0)] {
        let x = ordinary(n, n * m);
        let mut expected = vec![0.5; n];
        rows_strict::reference(n, m, &x, &mut expected);
        each_variant(rows_strict::variants(), |isa| {
            let mut found = vec![0.5; n];
            rows_strict::with(isa, n, m, &x, &mut found).unwrap();
            let bits = |of: &[f64]| of.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&found), bits(&expected), "{isa:?}");
        });
    }
}

#[test]
fn elements_take_extrema_of_rows_and_columns() {
    for (n, m) in [
        (0, 3),
        (1, 1),
        (2, 7),
        (64, 5),
        (65, 1),
        (13, 0),
        (9, 64),
        (3, 1000),
    ] {
        for seed in 0..4 {
            let x = special(seed, n * m);
            for (name, length) in [("rows", n), ("columns", m)] {
                let start = special(seed + 1, length);
                let mut expected = start.clone();
                match name {
                    "rows" => of_rows::reference(n, m, &x, &mut expected),
                    _ => of_columns::reference(n, m, &x, &mut expected),
                }
                each_variant(of_rows::variants(), |isa| {
                    let mut found = start.clone();
                    match name {
                        "rows" => of_rows::with(isa, n, m, &x, &mut found).unwrap(),
                        _ => of_columns::with(isa, n, m, &x, &mut found).unwrap(),
                    }
                    assert!(all_same(&found, &expected), "{name} {n} {m} {isa:?}");
                });
            }
        }
        let x: Vec<f64> = (0..n * m).map(|at| 1.0 + 0.1 * noise(at)).collect();
        let mut expected = ordinary(1, n);
        products_of_rows::reference(n, m, &x, &mut expected);
        each_variant(products_of_rows::variants(), |isa| {
            let mut found = ordinary(1, n);
            products_of_rows::with(isa, n, m, &x, &mut found).unwrap();
            assert!(near_to(&found, &expected, 1e-12), "{n} {m} {isa:?}");
        });
    }
}

#[test]
fn components_windows_and_scattered_elements_too() {
    for count in LENGTHS {
        let x: Vec<[f64; 3]> = special(1, 3 * count)
            .chunks(3)
            .map(|c| [c[0], c[1], c[2]])
            .collect();
        for start in [[f64::NAN, 0.0, 1.0], [-2.0; 3]] {
            let mut expected = start;
            of_components::reference(&x, &mut expected);
            each_variant(of_components::variants(), |isa| {
                let mut found = start;
                of_components::with(isa, &x, &mut found).unwrap();
                assert!(all_same(&found, &expected), "{count} {isa:?}");
            });
        }
        let x = special(2, count + 300);
        let mut expected = vec![0.0; count];
        window::reference(&x, &mut expected);
        each_variant(window::variants(), |isa| {
            let mut found = vec![0.0; count];
            window::with(isa, &x, &mut found).unwrap();
            assert!(all_same(&found, &expected), "{count} {isa:?}");
        });
        let to: Vec<usize> = (0..count).map(|at| (at * at + 3) % 10).collect();
        let mut expected = [-1.0; 10];
        scattered::reference(&to, &x[..count], &mut expected);
        each_variant(scattered::variants(), |isa| {
            let mut found = [-1.0; 10];
            scattered::with(isa, &to, &x[..count], &mut found).unwrap();
            assert!(all_same(&found, &expected), "{count} {isa:?}");
        });
    }
}

#[test]
fn reports_count_what_is_compared() {
    let (n, m) = (5, 40);
    let x = counting(&ordinary(1, n * m));
    let mut y = counting(&ordinary(2, n));
    let ((), cost) = Counted::<f64>::count(|| largest_of(n, m, &x, &mut y));
    let each = largest_of::REPORT.expansion.operations();
    assert_eq!(cost.operations(), (n * m) as u64 * each, "{cost:?}");
    let (_, cost) = Counted::<f64>::count(|| norm_of(&x));
    let each = norm_of::REPORT.expansion.operations();
    assert_eq!(cost.operations(), (n * m) as u64 * each, "{cost:?}");
    assert_eq!(cost.compare, (n * m) as u64);
}

#[test]
fn lanes_are_taken() {
    let reports = [
        largest::REPORT,
        largest_from_nan::REPORT,
        smallest_from::REPORT,
        largest_if::REPORT,
        smallest_if::REPORT,
        largest_of_two::REPORT,
        folded::REPORT,
        folded_absolute::REPORT,
        product::REPORT,
        spread::REPORT,
        largest_single::REPORT,
        of_rows::REPORT,
        of_columns::REPORT,
        products_of_rows::REPORT,
        window::REPORT,
        under_a_condition::REPORT,
        largest_of::REPORT,
        norm_of::REPORT,
    ];
    for report in reports {
        let text = report.to_string();
        let verdict = text.lines().next().unwrap_or_default();
        assert!(verdict.contains("lanes over"), "{verdict}");
    }
}
