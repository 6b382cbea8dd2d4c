//! Loops over iterators: each is the loop with subscripts, to the operation.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    clippy::needless_range_loop,
    reason = "what iterators are compared with"
)]

use loopwright::kernel;

mod support;
use support::{each_variant, near, numbers, same};

kernel! {
    pub fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += a * x;
        }
    }

    pub fn axpy_loop(a: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] += a * x[i];
        }
    }

    pub fn triad(a: f64, x: &[f64], z: &[f64], y: &mut [f64]) {
        for ((y, &x), &z) in y.iter_mut().zip(x.iter()).zip(z) {
            *y = a * x + z;
        }
    }

    pub fn triad_loop(a: f64, x: &[f64], z: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = a * x[i] + z[i];
        }
    }

    pub fn ramp(x: &[f64], y: &mut [f64]) {
        for (i, v) in y.iter_mut().enumerate() {
            *v = 0.5 * i as f64 + x[i];
        }
    }

    pub fn ramp_loop(x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = 0.5 * i as f64 + x[i];
        }
    }

    pub fn scaled(a: f64, y: &mut [f64]) {
        for v in y {
            *v *= a;
        }
    }

    pub fn scaled_loop(a: f64, y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] *= a;
        }
    }

    pub fn borrowed(a: f64, y: &mut [f64]) {
        for v in y.iter_mut() {
            *v += a;
        }
        for v in &mut *y {
            *v *= a;
        }
    }

    pub fn borrowed_loop(a: f64, y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] += a;
        }
        for i in 0..y.len() {
            y[i] *= a;
        }
    }

    pub fn backwards(x: &[f64], y: &mut [f64]) {
        for (y, x) in y.iter_mut().zip(x.iter().rev()) {
            *y = 2.0 * *x;
        }
    }

    pub fn backwards_loop(x: &[f64], y: &mut [f64]) {
        let n = x.len();
        for i in 0..y.len() {
            y[i] = 2.0 * x[n - 1 - i];
        }
    }

    pub fn average(x: &[f64], y: &mut [f64]) {
        for (y, w) in y.iter_mut().zip(x.windows(3)) {
            *y = (w[0] + w[1] + w[2]) / 3.0;
        }
    }

    pub fn average_loop(x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = (x[i] + x[i + 1] + x[i + 2]) / 3.0;
        }
    }

    pub fn convolution(c: &[f64; 5], x: &[f64], y: &mut [f64]) {
        for (y, w) in y.iter_mut().zip(x.windows(5)) {
            *y = w.iter().zip(c).map(|(w, c)| w * c).sum();
        }
    }

    pub fn convolution_loop(c: &[f64; 5], x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in 0..5 {
                s += x[i + k] * c[k];
            }
            y[i] = s;
        }
    }

    pub fn grey(rgb: &[f64], g: &mut [f64]) {
        for (g, p) in g.iter_mut().zip(rgb.chunks_exact(3)) {
            *g = 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
        }
    }

    pub fn grey_loop(rgb: &[f64], g: &mut [f64]) {
        for i in 0..g.len() {
            g[i] = 0.299 * rgb[3 * i] + 0.587 * rgb[3 * i + 1] + 0.114 * rgb[3 * i + 2];
        }
    }

    pub fn matrix_vector(a: &[[f64; 6]], x: &[f64; 6], y: &mut [f64]) {
        for (y, row) in y.iter_mut().zip(a) {
            *y = row.iter().zip(x).map(|(a, x)| a * x).sum();
        }
    }

    pub fn matrix_vector_loop(a: &[[f64; 6]], x: &[f64; 6], y: &mut [f64]) {
        for i in 0..y.len() {
            let mut s = 0.0;
            for j in 0..6 {
                s += a[i][j] * x[j];
            }
            y[i] = s;
        }
    }

    pub fn gather(at: &[usize], x: &[f64], y: &mut [f64]) {
        for (y, &i) in y.iter_mut().zip(at) {
            *y += x[i];
        }
    }

    pub fn gather_loop(at: &[usize], x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] += x[at[i]];
        }
    }

    pub fn inside(x: &[f64], y: &mut [f64]) {
        let n = y.len();
        for (y, w) in y[1..n - 1].iter_mut().zip(x.windows(3)) {
            *y = w[0] - 2.0 * w[1] + w[2];
        }
    }

    pub fn inside_loop(x: &[f64], y: &mut [f64]) {
        let n = y.len();
        for i in 1..n - 1 {
            y[i] = x[i - 1] - 2.0 * x[i] + x[i + 1];
        }
    }

    pub fn skipped(x: &[f64], y: &mut [f64]) {
        for (y, x) in y.iter_mut().zip(x.iter().skip(2)) {
            *y = x * x;
        }
    }

    pub fn skipped_loop(x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = x[i + 2] * x[i + 2];
        }
    }

    pub fn halved(x: &[f64], y: &mut [f64]) {
        for (y, pair) in y.iter_mut().zip(x.chunks_exact(2)) {
            let [a, b] = [pair[0], pair[1]];
            *y = 0.5 * (a + b);
        }
    }

    pub fn halved_loop(x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = 0.5 * (x[2 * i] + x[2 * i + 1]);
        }
    }

    pub fn rotated(c: f64, s: f64, points: &mut [[f64; 2]]) {
        for [x, y] in points.iter_mut() {
            let (a, b) = (*x, *y);
            *x = c * a - s * b;
            *y = s * a + c * b;
        }
    }

    pub fn rotated_loop(c: f64, s: f64, points: &mut [[f64; 2]]) {
        for i in 0..points.len() {
            let (a, b) = (points[i][0], points[i][1]);
            points[i][0] = c * a - s * b;
            points[i][1] = s * a + c * b;
        }
    }

    pub fn outer(x: &[f64; 3], y: &[f64; 3], a: &mut [[f64; 3]; 3]) {
        for (row, x) in a.iter_mut().zip(x) {
            for (a, y) in row.iter_mut().zip(y) {
                *a += x * y;
            }
        }
    }

    pub fn outer_loop(x: &[f64; 3], y: &[f64; 3], a: &mut [[f64; 3]; 3]) {
        for i in 0..3 {
            for j in 0..3 {
                a[i][j] += x[i] * y[j];
            }
        }
    }
}

#[test]
fn iterators_are_the_loops_with_subscripts() {
    let pairs = [
        (&axpy::REPORT, &axpy_loop::REPORT),
        (&triad::REPORT, &triad_loop::REPORT),
        (&ramp::REPORT, &ramp_loop::REPORT),
        (&scaled::REPORT, &scaled_loop::REPORT),
        (&borrowed::REPORT, &borrowed_loop::REPORT),
        (&backwards::REPORT, &backwards_loop::REPORT),
        (&average::REPORT, &average_loop::REPORT),
        (&convolution::REPORT, &convolution_loop::REPORT),
        (&grey::REPORT, &grey_loop::REPORT),
        (&matrix_vector::REPORT, &matrix_vector_loop::REPORT),
        (&gather::REPORT, &gather_loop::REPORT),
        (&inside::REPORT, &inside_loop::REPORT),
        (&skipped::REPORT, &skipped_loop::REPORT),
        (&halved::REPORT, &halved_loop::REPORT),
        (&rotated::REPORT, &rotated_loop::REPORT),
        (&outer::REPORT, &outer_loop::REPORT),
    ];
    for (items, loops) in pairs {
        same(items, loops);
    }
}

const SIZES: [usize; 11] = [0, 1, 2, 3, 4, 7, 8, 9, 17, 33, 64];

/// Runs a kernel that writes `y`, and `reference`, for lengths of `x` that differ from that of `y`.
macro_rules! written {
    ($kernel:ident, $lengths:expr, |$x:ident, $y:ident| ($($argument:expr),*)) => {
        for m in SIZES {
            for n in $lengths(m) {
                let $x = numbers(1, n);
                let mut expected = numbers(2, m);
                {
                    let $y = &mut expected;
                    $kernel::reference($($argument),*);
                }
                each_variant($kernel::variants(), |isa| {
                    let mut found = numbers(2, m);
                    let $y = &mut found;
                    $kernel::with(isa, $($argument),*).unwrap();
                    assert!(near(&found, &expected), "{} {isa:?} {n} {m}", stringify!($kernel));
                });
            }
        }
    };
}

fn around(m: usize) -> [usize; 4] {
    [m, m + 1, m.saturating_sub(1), 2 * m + 5]
}

fn three(m: usize) -> [usize; 5] {
    [3 * m, 3 * m + 2, m, (3 * m).saturating_sub(1), 0]
}

#[test]
fn lengths_that_differ_are_the_shorter_one() {
    written!(axpy, around, |x, y| (1.5, &x, y));
    written!(triad, around, |x, y| (1.5, &x, &x, y));
    written!(backwards, around, |x, y| (&x, y));
    written!(average, around, |x, y| (&x, y));
    written!(convolution, around, |x, y| (
        &[1.0, -2.0, 3.0, 0.5, 0.25],
        &x,
        y
    ));
    written!(grey, three, |x, y| (&x, y));
    written!(halved, three, |x, y| (&x, y));
    written!(skipped, around, |x, y| (&x, y));
    written!(scaled, around, |_x, y| (0.5, y));
    written!(borrowed, around, |_x, y| (0.5, y));
    written!(ramp, |m| [m, m + 3], |x, y| (&x, y));
}

#[test]
fn parts_of_slices_panic_where_rust_does() {
    let panics = |n: usize, m: usize| {
        let x = numbers(1, n);
        let run = |isa: Option<loopwright::Isa>| {
            let mut y = numbers(2, m);
            let before = y.clone();
            let call = std::panic::AssertUnwindSafe(|| match isa {
                Some(isa) => inside::with(isa, &x, &mut y).unwrap(),
                None => inside::reference(&x, &mut y),
            });
            let panicked = std::panic::catch_unwind(call).is_err();
            (panicked, panicked && y != before, y)
        };
        let expected = run(None);
        each_variant(inside::variants(), |isa| {
            let found = run(Some(isa));
            assert_eq!(found.0, expected.0, "{isa:?} {n} {m}");
            assert!(!found.1, "{isa:?} {n} {m}: written before it panicked");
            assert!(found.0 || near(&found.2, &expected.2), "{isa:?} {n} {m}");
        });
    };
    for n in SIZES {
        for m in SIZES {
            panics(n, m);
        }
    }
}

#[test]
fn rows_and_indices_are_those_of_the_text() {
    for m in SIZES {
        for rows in around(m) {
            let a: Vec<[f64; 6]> = (0..rows)
                .map(|r| [r as f64, 0.5, -1.0, 2.0, 0.25, 3.0])
                .collect();
            let x = [0.5, 1.0, -2.0, 0.75, 3.0, -0.5];
            let at: Vec<usize> = (0..rows).map(|r| (7 * r) % 6).collect();
            let mut expected = [numbers(2, m), numbers(2, m)];
            matrix_vector::reference(&a, &x, &mut expected[0]);
            gather::reference(&at, &x, &mut expected[1]);
            each_variant(matrix_vector::variants(), |isa| {
                let mut found = [numbers(2, m), numbers(2, m)];
                matrix_vector::with(isa, &a, &x, &mut found[0]).unwrap();
                gather::with(isa, &at, &x, &mut found[1]).unwrap();
                assert!(near(&found[0], &expected[0]), "{isa:?} {rows} {m}");
                assert!(near(&found[1], &expected[1]), "{isa:?} {rows} {m}");
            });
        }
        let points: Vec<[f64; 2]> = (0..m).map(|p| [p as f64, 1.0]).collect();
        let mut expected = points.clone();
        rotated::reference(0.6, 0.8, &mut expected);
        each_variant(rotated::variants(), |isa| {
            let mut found = points.clone();
            rotated::with(isa, 0.6, 0.8, &mut found).unwrap();
            let flat = |p: &[[f64; 2]]| p.concat();
            assert!(near(&flat(&found), &flat(&expected)), "{isa:?} {m}");
        });
    }
    let mut expected = [[1.0; 3]; 3];
    outer::reference(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], &mut expected);
    each_variant(outer::variants(), |isa| {
        let mut found = [[1.0; 3]; 3];
        outer::with(isa, &[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], &mut found).unwrap();
        assert!(near(&found.concat(), &expected.concat()), "{isa:?}");
    });
}
