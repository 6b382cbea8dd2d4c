//! Methods of slices, parts of them, rows of views, and closures.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    clippy::needless_range_loop,
    reason = "a helper by subscripts beside those by iterators"
)]

use loopwright::kernel;
use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut2};

mod support;
use support::{each_variant, near, numbers};

kernel! {
    pub fn filled(a: f64, y: &mut [f64]) {
        let (head, tail) = y.split_at_mut(2);
        head.fill(a);
        for (i, v) in tail.iter_mut().enumerate() {
            *v = i as f64;
        }
    }

    pub fn copied(x: &[f64], y: &mut [f64]) {
        y[1..].copy_from_slice(&x[..x.len() - 1]);
    }

    pub fn swapped(y: &mut [f64]) {
        let n = y.len();
        for i in 0..n / 2 {
            y.swap(i, n - 1 - i);
        }
    }

    pub fn halves(x: &[f64], y: &mut [f64]) {
        let k = x.len() - y.len();
        let (a, b) = x.split_at(k);
        for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
            *y = a - b;
        }
    }

    pub fn every_third(x: &[f64], y: &mut [f64]) {
        for (y, x) in y.iter_mut().zip(x.iter().step_by(3)) {
            *y += x;
        }
    }

    pub fn first(k: usize, x: &[f64], y: &mut [f64]) {
        for (y, x) in y.iter_mut().zip(x).take(k) {
            *y = 3.0 * x;
        }
    }

    pub fn blocks(x: &[f64], y: &mut [f64]) {
        for (out, block) in y.chunks_exact_mut(4).zip(x.chunks_exact(4)) {
            let mean = block.iter().sum::<f64>() / 4.0;
            for (o, b) in out.iter_mut().zip(block) {
                *o = b - mean;
            }
        }
    }

    pub fn chunked(x: &[f64], y: &mut [f64]) {
        for (y, c) in y.iter_mut().zip(x.chunks(4)) {
            *y = c.iter().sum();
        }
    }

    pub fn closures(a: f64, x: &[f64], y: &mut [f64]) {
        let square = |x: f64| x * x;
        let blend = |p: f64, q: f64| a * p + (1.0 - a) * q;
        y.iter_mut().zip(x).for_each(|(y, &x)| {
            let s = square(x);
            *y = blend(s, *y);
        });
    }

    pub fn moments(x: &[f64], m: &mut [f64; 2]) {
        let (s, q) = x.iter().fold((0.0, 0.0), |(s, q), x| (s + x, q + x * x));
        m[0] = s;
        m[1] = q;
    }

    pub fn horner(c: &[f64; 4], x: &[f64], y: &mut [f64]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y = c.iter().rev().fold(0.0, |a, c| a * x + c);
        }
    }

    pub fn rows(u: ArrayView2<f64>, x: ArrayView1<f64>, y: &mut [f64]) {
        for (y, row) in y.iter_mut().zip(u.rows()) {
            *y = row.iter().zip(x.iter()).map(|(a, b)| a * b).sum();
        }
    }

    pub fn dots(u: ArrayView2<f64>, x: ArrayView1<f64>, y: &mut [f64]) {
        for (i, y) in y.iter_mut().enumerate() {
            *y = u.row(i).dot(&x);
        }
    }

    pub fn columns(u: ArrayView2<f64>, y: &mut [f64]) {
        for (j, y) in y.iter_mut().enumerate() {
            let column = u.column(j);
            *y = column.iter().sum();
        }
    }

    pub fn doubled(u: ArrayView2<f64>, mut v: ArrayViewMut2<f64>) {
        v.assign(&u);
        for mut row in v.rows_mut() {
            for v in row.iter_mut() {
                *v *= 2.0;
            }
        }
    }

    pub fn products(a: &[f64], x: &[f64; 3], y: &mut [f64]) {
        for (i, y) in y.iter_mut().enumerate() {
            *y = inner(&a[3 * i..3 * i + 3], x) + squared(*y) + total(&a[..2]);
        }
    }

    fn inner(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    fn squared<T: loopwright::Scalar>(x: T) -> T {
        x * x + T::from_f64(0.5)
    }

    fn total(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i];
        }
        s
    }

    pub fn softmax(x: &[f64; 8], y: &mut [f64; 8]) {
        let most = x.iter().copied().fold(-1e300, f64::max);
        for (y, x) in y.iter_mut().zip(x) {
            *y = (x - most).exp();
        }
        let sum: f64 = y.iter().sum();
        for y in y.iter_mut() {
            *y /= sum;
        }
    }
}

const SIZES: [usize; 9] = [0, 1, 2, 3, 4, 8, 9, 17, 40];

/// Runs a kernel and `reference` on the same values: the results agree, or both panic, and then nothing
/// was written.
macro_rules! agree {
    ($kernel:ident, $length:expr, |$y:ident| ($($argument:expr),*)) => {{
        let run = |isa: Option<loopwright::Isa>| {
            let mut written = numbers(2, $length);
            let call = std::panic::AssertUnwindSafe(|| {
                let $y = written.as_mut_slice();
                match isa {
                    Some(isa) => $kernel::with(isa, $($argument),*).unwrap(),
                    None => $kernel::reference($($argument),*),
                }
            });
            let panicked = std::panic::catch_unwind(call).is_err();
            (panicked, written)
        };
        let expected = run(None);
        each_variant($kernel::variants(), |isa| {
            let found = run(Some(isa));
            let name = stringify!($kernel);
            assert_eq!(found.0, expected.0, "{name} {isa:?} {}", $length);
            match found.0 {
                true => assert_eq!(found.1, numbers(2, $length), "{name} {isa:?}: written"),
                false => assert!(near(&found.1, &expected.1), "{name} {isa:?} {}", $length),
            }
        });
    }};
}

#[test]
fn slices_are_those_of_the_text() {
    for m in SIZES {
        agree!(filled, m, |y| (1.5, y));
        agree!(swapped, m, |y| (y));
        for n in [
            m,
            m + 1,
            m.saturating_sub(1),
            2 * m,
            2 * m + 1,
            3 * m,
            4 * m,
            4 * m + 3,
        ] {
            let x = numbers(1, n);
            agree!(copied, m, |y| (&x, y));
            agree!(halves, m, |y| (&x, y));
            agree!(every_third, m, |y| (&x, y));
            agree!(first, m, |y| (3, &x, y));
            agree!(first, m, |y| (30, &x, y));
            agree!(blocks, m, |y| (&x, y));
            agree!(chunked, m, |y| (&x, y));
            agree!(products, m, |y| (&x, &[1.0, -2.0, 0.5], y));
            agree!(closures, m, |y| (0.25, &x, y));
            agree!(horner, m, |y| (&[1.0, -0.5, 0.25, 2.0], &x, y));
        }
    }
}

#[test]
fn folds_are_those_of_the_text() {
    for n in SIZES {
        let x = numbers(1, n);
        agree!(moments, 2, |y| (&x, (&mut y[..2]).try_into().unwrap()));
    }
    let x: [f64; 8] = numbers(1, 8).try_into().unwrap();
    agree!(softmax, 8, |y| (&x, (&mut y[..8]).try_into().unwrap()));
}

#[test]
fn rows_of_views_are_those_of_the_text() {
    for (n, m) in [(0, 3), (1, 1), (3, 5), (8, 8), (5, 17)] {
        let u = Array2::from_shape_vec((n, m), numbers(1, n * m)).unwrap();
        let x = ndarray::Array1::from_vec(numbers(3, m));
        for view in [u.view(), u.t().reversed_axes()] {
            for rows in [n, n + 1, n.saturating_sub(1)] {
                agree!(rows, rows, |y| (view, x.view(), y));
                agree!(dots, rows, |y| (view, x.view(), y));
            }
            agree!(columns, m, |y| (view, y));
            agree!(columns, m + 1, |y| (view, y));
            agree!(doubled, n * m, |y| (
                view,
                ArrayViewMut2::from_shape((n, m), y).unwrap()
            ));
        }
    }
}
