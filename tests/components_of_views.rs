//! What lanes read and write a few elements apart in rows of views.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;
use ndarray::{ArrayView2, ArrayViewMut2};

mod support;
use support::{decided, each_variant};

#[path = "support/layouts.rs"]
mod layouts;
use layouts::{SIZES, layouts};

kernel! {
    /// Every element of a row of four, two apart along both axes.
    pub fn halved(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>) {
        let (h, w) = b.dim();
        for i in 0..h {
            for j in 0..w {
                b[[i, j]] += 0.25
                    * (a[[2 * i, 2 * j]]
                        + a[[2 * i, 2 * j + 1]]
                        + a[[2 * i + 1, 2 * j]]
                        + a[[2 * i + 1, 2 * j + 1]]);
            }
        }
    }

    /// One element of two.
    pub fn every_other(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>) {
        let (h, w) = b.dim();
        for i in 0..h {
            for j in 0..w {
                b[[i, j]] = 3.0 * a[[i, 2 * j + 1]];
            }
        }
    }

    /// Two of three.
    pub fn of_three(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>) {
        let (h, w) = b.dim();
        for i in 0..h {
            for j in 0..w {
                b[[i, j]] = a[[i, 3 * j]] - a[[i, 3 * j + 2]];
            }
        }
    }

    /// All of two by two, and some.
    pub fn doubled(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>) {
        let (h, w) = a.dim();
        for i in 0..h {
            for j in 0..w {
                b[[2 * i, 2 * j]] = a[[i, j]];
                b[[2 * i, 2 * j + 1]] = 0.5 * a[[i, j]];
                b[[2 * i + 1, 2 * j + 1]] = 0.25 * a[[i, j]];
            }
        }
    }
}

/// A kernel's variants against its text, in all layouts of what is read and what is written: by its rows and columns, those of
/// what is read, and those of what is written.
macro_rules! in_all_layouts {
    ($kernel:ident, |$h:ident, $w:ident| $read:expr, $written:expr) => {
        for ($h, $w) in SIZES.into_iter().chain([(3, 16), (2, 35)]) {
            for (from, mut a, read) in layouts($read.0, $read.1) {
                for (to, b, write) in layouts($written.0, $written.1) {
                    let a = read(a.view_mut());
                    let mut expected = b.clone();
                    $kernel::reference(a.view(), write(expected.view_mut()));
                    each_variant($kernel::variants(), |isa| {
                        let mut found = b.clone();
                        $kernel::with(isa, a.view(), write(found.view_mut())).unwrap();
                        let mut both = found.iter().zip(&expected);
                        let near = both.all(|(f, e)| (f - e).abs() <= 1e-14);
                        assert!(near, "{isa}, {from} to {to}, {} by {}", $h, $w);
                    });
                }
            }
        }
    };
}

#[test]
fn components_of_rows_in_all_layouts() {
    in_all_layouts!(halved, |h, w| (2 * h, 2 * w), (h, w));
    in_all_layouts!(every_other, |h, w| (h, 2 * w), (h, w));
    in_all_layouts!(of_three, |h, w| (h, 3 * w), (h, w));
    in_all_layouts!(doubled, |h, w| (h, w), (2 * h, 2 * w));
    for report in [
        halved::REPORT,
        every_other::REPORT,
        of_three::REPORT,
        doubled::REPORT,
    ] {
        let lanes = decided(&report, "lanes over `j` (");
        assert_eq!(lanes, 2, "{report}");
    }
}

mod one_axis {
    use loopwright::kernel;
    use ndarray::{ArrayViewMut1, s};

    kernel! {
        /// Lanes for views of any strides, too.
        #[opt(isa = [avx512, scalar])]
        pub fn every_third(n: usize, mut y: ArrayViewMut1<f32>) {
            for e in (0..n).step_by(3) {
                y[e] += 2.5;
            }
        }

        #[opt(isa = [avx2, scalar])]
        pub fn every_other(n: usize, mut y: ArrayViewMut1<f64>) {
            for e in (0..n).step_by(2) {
                y[e] -= 1.5;
            }
        }

        /// So have these.
        #[opt(require_lanes)]
        pub fn every_fourth(n: usize, mut y: ArrayViewMut1<f32>) {
            for e in (0..n).step_by(4) {
                y[e] *= 0.5;
            }
        }
    }

    macro_rules! compare {
        ($($kernel:ident $number:ty),*) => {$(
            for n in 0..130_usize {
                for layout in 0..3 {
                    let start: Vec<$number> = (0..2 * n + 7).map(|k| k as $number).collect();
                    let run = |call: &dyn Fn(ArrayViewMut1<$number>)| {
                        let mut all = start.clone();
                        let view = ArrayViewMut1::from(&mut all[..]);
                        call(match layout {
                            0 => view.slice_move(s![1..n + 1]),
                            1 => view.slice_move(s![2..2 * n + 2;2]),
                            _ => view.slice_move(s![3..n + 3;-1]),
                        });
                        all
                    };
                    let expected = run(&|y| $kernel::reference(n, y));
                    for isa in $kernel::variants().iter().filter(|isa| isa.is_available()) {
                        let found = run(&|y| $kernel::with(*isa, n, y).unwrap());
                        assert_eq!(found, expected, "{isa}, {n} elements, layout {layout}");
                    }
                }
            }
        )*};
    }

    #[test]
    fn what_lies_between_stays_in_any_layout() {
        compare!(every_third f32, every_other f64, every_fourth f32);
    }
}
