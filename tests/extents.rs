//! Quotients and other functions of the extents of views, in bounds of loops and in subscripts.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, Axis};

mod support;
use support::each_variant;

#[path = "support/layouts.rs"]
mod layouts;
use layouts::{SIZES, layouts};

kernel! {
    /// Parts of both extents.
    #[opt(require_lanes)]
    pub fn halves_and_thirds(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (h, w) = x.dim();
        for i in 0..h / 2 {
            for j in 0..w / 3 {
                y[[i, j]] = x[[2 * i, 3 * j]] - 1.5;
            }
        }
    }

    /// A variable for one of them, which subscripts begin at.
    #[opt(require_lanes)]
    pub fn swapped(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let half = x.ncols() / 2;
        for i in 0..x.nrows() {
            for j in 0..half {
                y[[i, j]] = x[[i, half + j]];
                y[[i, half + j]] = 2.0 * x[[i, j]];
            }
        }
    }

    /// Rounded up, and the smaller one of two.
    #[opt(require_lanes)]
    pub fn even(x: &Array2<f64>, y: &mut Array2<f64>) {
        for i in 0..(x.shape()[0] + 1) / 2 {
            for j in 0..x.len_of(Axis(1)).min(y.ncols()).div_ceil(2) {
                y[[i, j]] = x[[2 * i, 2 * j]];
            }
        }
    }

    /// The inside of what is halved, whose first elements are in the middle.
    #[opt(require_lanes)]
    pub fn middle(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (h, w) = x.dim();
        let (a, b) = (h >> 1, w & !3);
        for i in 0..a {
            for j in 0..b / 2 {
                y[[i, j]] = x[[i + a / 2, j + b / 4]];
            }
        }
    }

    /// Lengths of what the text allocates, and of parts of a tuple.
    #[opt(require_lanes)]
    pub fn kept(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let extents = x.dim();
        let (h, w) = extents;
        let mut squares = Array2::<f64>::zeros((h, w));
        for i in 0..h {
            for j in 0..w {
                squares[[i, j]] = x[[i, j]] * x[[i, j]];
            }
        }
        for i in 0..squares.nrows() / 2 {
            for j in 0..extents.1 / 2 {
                y[[i, j]] = squares[[2 * i, 2 * j]];
            }
        }
    }

    /// How far from the middle each element is.
    #[opt(require_lanes)]
    pub fn from_the_middle(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (h, w) = x.dim();
        for i in 0..h {
            for j in 0..w {
                y[[i, j]] = x[[i, j]] - (i.abs_diff(h / 2) + j.abs_diff(w / 2)) as f64;
            }
        }
    }

    /// What is left of whole blocks, and every second row.
    #[opt(require_lanes)]
    pub fn rest(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let whole = x.ncols() - x.ncols() % 4;
        for i in (0..x.nrows()).step_by(2) {
            for j in whole / 2..whole {
                y[[i / 2, j]] = x[[i, j]];
            }
        }
    }
}

kernel! {
    /// The quadrants change places.
    #[opt(require_lanes)]
    pub fn centred(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (h, w) = x.dim();
        for i in 0..h {
            for j in 0..w {
                y[[(i + h / 2) % h, (j + (w + 1) / 2) % w]] = x[[i, j]];
            }
        }
    }

    /// Any shift below the length; others are the text's.
    #[opt(require_lanes)]
    pub fn rolled(shift: usize, x: &[f64], y: &mut [f64]) {
        let n = x.len();
        for i in 0..n {
            y[(i + shift) % n] = x[i] + 1.0;
        }
    }

    /// Rows that are turned around where they are.
    #[opt(require_lanes)]
    pub fn mirrored(mut y: ArrayViewMut2<f64>) {
        let (h, w) = y.dim();
        for i in 0..h {
            for j in 0..w / 2 {
                let kept = y[[i, j]];
                y[[i, j]] = y[[i, w - 1 - j]];
                y[[i, w - 1 - j]] = kept;
            }
        }
    }

    #[opt(require_lanes)]
    pub fn reversed(y: &mut [f64]) {
        y.reverse();
    }

    /// A quarter for each number of a short loop, in a view of one axis.
    #[opt(require_lanes)]
    pub fn quarters(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        let m = x.len() / 4;
        for c in 0..4 {
            for i in 0..m {
                y[4 * i + c] = x[c * m + i];
            }
        }
    }

    /// Integers of other types, by value and in an array.
    #[opt(require_lanes)]
    pub fn given(n: i32, size: [usize; 2], x: &[f64], y: &mut [f64]) {
        let [first, last] = size;
        for i in 0..(n / 2) as usize {
            y[i] = x[first / 2 + i];
        }
        for i in 0..last / 3 {
            y[i] += x[last - 1 - i];
        }
    }

    /// What wraps around before it is cut off: the text.
    pub fn before(x: &[f64], y: &mut [f64]) {
        let n = x.len();
        for i in 0..n {
            y[i] = x[i.wrapping_sub(1).min(n - 1)] - x[i];
        }
    }

    /// What the text asserts tells elements apart.
    #[opt(require_lanes)]
    pub fn butterflies(m: usize, first: usize, y: &mut [f64]) {
        assert!(m <= first);
        for i in 0..m {
            let (a, b) = (y[i], y[first + i]);
            y[i] = a + b;
            y[first + i] = a - b;
        }
    }
}

/// Views of each layout, as far as a kernel takes them.
macro_rules! in_all_layouts {
    ($($kernel:ident |$x:ident, $y:ident| ($($given:expr),*)),* $(,)?) => {$(
        for (h, w) in SIZES.into_iter().chain([(6, 35), (7, 40)]) {
            for (from, mut read, of) in layouts(h, w) {
                for (to, start, at) in layouts(h, w) {
                    let $x = of(read.view_mut());
                    let mut expected = start.clone();
                    {
                        let mut $y = at(expected.view_mut());
                        let _ = &mut $y;
                        $kernel::reference($($given),*);
                    }
                    each_variant($kernel::variants(), |isa| {
                        let mut found = start.clone();
                        {
                            let mut $y = at(found.view_mut());
                            let _ = &mut $y;
                            $kernel::with(isa, $($given),*).unwrap();
                        }
                        assert_eq!(found, expected, "{isa}, {from} to {to}, {h} by {w}");
                    });
                }
            }
        }
    )*};
}

#[test]
fn parts_of_extents_are_numbers_of_the_call() {
    in_all_layouts!(
        halves_and_thirds | x,
        y | (x.view(), y.view_mut()),
        swapped | x,
        y | (x.view(), y.view_mut()),
        middle | x,
        y | (x.view(), y.view_mut()),
        rest | x,
        y | (x.view(), y.view_mut()),
    );
    for (h, w) in SIZES {
        let x = layouts::matrix(h, w);
        let mut expected = Array2::zeros((h, w));
        even::reference(&x, &mut expected);
        each_variant(even::variants(), |isa| {
            let mut found = Array2::zeros((h, w));
            even::with(isa, &x, &mut found).unwrap();
            assert_eq!(found, expected, "{isa}, {h} by {w}");
        });
    }
}

#[test]
fn parts_of_other_integers_are_numbers_of_the_call() {
    for n in [0, 1, 3, 4, 7, 8, 40, 67] {
        let x: Vec<f64> = (0..2 * n).map(|i| i as f64).collect();
        let y: Vec<f64> = (0..2 * n).map(|i| 0.5 * i as f64).collect();
        let view = Array1::from(x.clone());
        each_variant(quarters::variants(), |isa| {
            let (mut found, mut expected) = (view.clone(), view.clone());
            quarters::reference(view.view(), expected.view_mut());
            quarters::with(isa, view.view(), found.view_mut()).unwrap();
            assert_eq!(found, expected, "{isa}, {n}");
            let (mut found, mut expected) = (y.clone(), y.clone());
            before::reference(&x, &mut expected);
            before::with(isa, &x, &mut found).unwrap();
            assert_eq!(found, expected, "{isa}, {n}");
            for size in [[n, n], [0, 2 * n], [1, 2]] {
                let (mut found, mut expected) = (y.clone(), y.clone());
                let size = size.map(|size| size.min(2 * n));
                given::reference(n as i32, size, &x, &mut expected);
                given::with(isa, n as i32, size, &x, &mut found).unwrap();
                assert_eq!(found, expected, "{isa}, {n}, {size:?}");
            }
        });
    }
}

#[test]
fn rotations_wrap_around_once() {
    in_all_layouts!(centred | x, y | (x.view(), y.view_mut()));
    for n in [0, 1, 2, 3, 8, 9, 40] {
        let x: Vec<f64> = (0..n).map(|i| i as f64).collect();
        for shift in 0..2 * n + 2 {
            let mut expected = vec![0.0; n];
            rolled::reference(shift, &x, &mut expected);
            each_variant(rolled::variants(), |isa| {
                let mut found = vec![0.0; n];
                rolled::with(isa, shift, &x, &mut found).unwrap();
                assert_eq!(found, expected, "{isa}, {n} by {shift}");
            });
        }
    }
}

#[test]
fn halves_do_not_meet() {
    in_all_layouts!(mirrored | _x, y | (y.view_mut()));
    for n in 0..70 {
        let start: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let mut backwards = start.clone();
        backwards.reverse();
        each_variant(reversed::variants(), |isa| {
            let mut found = start.clone();
            reversed::with(isa, &mut found).unwrap();
            assert_eq!(found, backwards, "{isa}, {n}");
            for first in [n / 2, n - n / 2] {
                let (mut found, mut expected) = (start.clone(), start.clone());
                butterflies::reference(n / 2, first, &mut expected);
                butterflies::with(isa, n / 2, first, &mut found).unwrap();
                assert_eq!(found, expected, "{isa}, {n}");
            }
        });
    }
}
