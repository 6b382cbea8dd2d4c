//! Reads and stores of neighbours from the last one to the first, in lanes of each variant, with the bits
//! of the text: all numbers here are small integers, on which no operation rounds.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]
#![allow(clippy::needless_range_loop, reason = "texts of kernels")]

mod support;

use loopwright::Report;
use ndarray::{Array1, Array2};
use support::each_variant;

macro_rules! kernels_of {
    ($module:ident, $number:ident) => {
        mod $module {
            use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1};

            loopwright::kernel! {
                pub fn read(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        y[i] = 2.0 * x[n - 1 - i];
                    }
                }

                pub fn of_length(x: &[$number], y: &mut [$number]) {
                    for i in 0..x.len() {
                        y[i] = x[x.len() - 1 - i] - 1.0;
                    }
                }

                pub fn stored(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        y[n - 1 - i] = x[i] + 1.0;
                    }
                }

                pub fn added(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        y[n - 1 - i] += 3.0 * x[i];
                    }
                }

                pub fn several(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        y[i] = x[n - 1 - i] + 2.0 * x[n - i] + 4.0 * x[n + 1 - i] + x[i];
                    }
                }

                pub fn both(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in (0..n).rev() {
                        y[i + 2] = 2.0 * x[i + 1] - x[i];
                    }
                }

                #[opt(strict)]
                pub fn exactly(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        y[n - 1 - i] += 3.0 * x[i] + x[n - i];
                    }
                }

                pub fn summed(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        y[0] += x[i] * x[n - 1 - i];
                    }
                }

                pub fn convolved(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        for k in 0..3 {
                            y[n + 1 - i - k] += x[n - 1 - i];
                        }
                    }
                }

                pub fn fixed(x: &[[$number; 11]; 5], y: &mut [[$number; 11]; 5]) {
                    for i in 0..5 {
                        for j in 0..11 {
                            y[i][j] = x[4 - i][10 - j] + 1.0;
                        }
                    }
                }

                pub fn fixed_store(x: &[[$number; 11]; 5], y: &mut [[$number; 11]; 5]) {
                    for i in 0..5 {
                        for j in 0..11 {
                            y[i][10 - j] += 2.0 * x[i][j];
                        }
                    }
                }

                pub fn by_way(x: &[$number; 13], y: &mut [$number; 13]) {
                    let mut t = [0.0; 13];
                    for i in 0..13 {
                        t[i] = x[i] * x[i];
                    }
                    for k in 0..13 {
                        for i in 0..13 {
                            y[i] += t[12 - i] * x[k];
                        }
                    }
                }

                pub fn of_views(x: ArrayView1<$number>, mut y: ArrayViewMut1<$number>) {
                    for i in 0..x.len() {
                        y[i] = x[x.len() - 1 - i];
                    }
                }

                pub fn of_rows(x: ArrayView2<$number>, y: &mut [$number]) {
                    for i in 0..x.nrows() {
                        for j in 0..x.ncols() {
                            y[j] += x[[i, x.ncols() - 1 - j]];
                        }
                    }
                }
            }
        }
    };
}

kernels_of!(doubles, f64);
kernels_of!(singles, f32);

/// Lengths below, at and above those of vectors, and of several.
const SIZES: std::ops::Range<usize> = 0..70;

/// Small integers, none at the place of another one; the allocation ends where they do.
fn values<T>(seed: i32, count: usize, of: impl Fn(i32) -> T) -> Box<[T]> {
    (0..count as i32)
        .map(|at| of((at * 29 + seed * 7) % 101 - 50))
        .collect()
}

fn has_lanes(report: &Report) {
    let mut decisions = report.passes.iter().flat_map(|pass| pass.decisions);
    assert!(
        decisions.any(|d| d.contains("lanes over `i`") || d.contains("lanes over `j`")),
        "{report}"
    );
}

/// Runs a kernel in each variant on inputs and what an output holds before.
macro_rules! compare {
    ($kernel:path, $variants:expr, ($($input:expr),*), $output:expr, $reference:path) => {{
        let mut expected = $output.clone();
        $reference($($input,)* &mut expected);
        crate::support::each_variant($variants, |isa| {
            let mut found = $output.clone();
            $kernel(isa, $($input,)* &mut found).unwrap();
            assert_eq!(found, expected, "{isa}");
        });
    }};
}

macro_rules! tests_of {
    ($module:ident, $number:ident) => {
        mod $module {
            use super::*;
            use crate::$module::*;

            fn numbers(seed: i32, count: usize) -> Box<[$number]> {
                values(seed, count, |value| value as $number)
            }

            #[test]
            fn slices() {
                let reports = [
                    &read::REPORT, &of_length::REPORT, &stored::REPORT, &added::REPORT,
                    &several::REPORT, &both::REPORT, &exactly::REPORT, &summed::REPORT,
                ];
                reports.into_iter().for_each(has_lanes);
                for n in SIZES {
                    let (x, y) = (numbers(1, n), numbers(2, n));
                    compare!(read::with, read::variants(), (n, &x), y, read::reference);
                    compare!(of_length::with, of_length::variants(), (&x), y, of_length::reference);
                    compare!(stored::with, stored::variants(), (n, &x), y, stored::reference);
                    compare!(added::with, added::variants(), (n, &x), y, added::reference);
                    let x = numbers(1, if n == 0 { 0 } else { n + 2 });
                    compare!(several::with, several::variants(), (n, &x), y, several::reference);
                    let x = numbers(3, n + 1);
                    compare!(exactly::with, exactly::variants(), (n, &x), y, exactly::reference);
                    let y = numbers(2, n + 2);
                    compare!(both::with, both::variants(), (n, &x), y, both::reference);
                    compare!(convolved::with, convolved::variants(), (n, &x), y, convolved::reference);
                    let y = numbers(2, 1);
                    compare!(summed::with, summed::variants(), (n, &x), y, summed::reference);
                }
            }

            #[test]
            fn arrays() {
                let x: [[$number; 11]; 5] =
                    std::array::from_fn(|i| std::array::from_fn(|j| (13 * i + j) as $number));
                let y = [[3.0; 11]; 5];
                compare!(fixed::with, fixed::variants(), (&x), y, fixed::reference);
                compare!(fixed_store::with, fixed_store::variants(), (&x), y, fixed_store::reference);
                let x: [$number; 13] = std::array::from_fn(|i| i as $number - 4.0);
                let y = [5.0; 13];
                compare!(by_way::with, by_way::variants(), (&x), y, by_way::reference);
            }

            #[test]
            fn views() {
                for n in SIZES {
                    for step in [1_isize, 2, -1] {
                        let all = Array1::from(numbers(4, 2 * n).to_vec());
                        let x = || all.slice(ndarray::s![..; step]).slice_move(ndarray::s![..n]);
                        let start = Array1::from(numbers(5, n).to_vec());
                        let mut expected = start.clone();
                        of_views::reference(x(), expected.view_mut());
                        each_variant(of_views::variants(), |isa| {
                            let mut found = start.clone();
                            of_views::with(isa, x(), found.view_mut()).unwrap();
                            assert_eq!(found, expected, "{isa}");
                        });
                    }
                    let x = Array2::from_shape_vec((3, n), numbers(6, 3 * n).to_vec()).unwrap();
                    let y = numbers(7, n);
                    compare!(of_rows::with, of_rows::variants(), (x.view()), y, of_rows::reference);
                }
            }
        }
    };
}

mod of {
    use super::*;
    tests_of!(doubles, f64);
    tests_of!(singles, f32);
}

/// Integers, from the last one to the first.
macro_rules! integers {
    ($($module:ident $from:ident)*) => {$(
        mod $module {
            loopwright::kernel! {
                pub fn double(n: usize, x: &[$from], y: &mut [f64]) {
                    for i in 0..n {
                        y[i] = x[n - 1 - i] as f64;
                    }
                }

                pub fn single(n: usize, x: &[$from], y: &mut [f32]) {
                    for i in 0..n {
                        y[i] = x[n - 1 - i] as f32 + x[i] as u8 as f32;
                    }
                }
            }

            #[test]
            fn numbers_are_reversed() {
                super::has_lanes(&double::REPORT);
                super::has_lanes(&single::REPORT);
                for n in super::SIZES {
                    let x = super::values(3, n, |value| (value * 3) as $from);
                    let y: Vec<f64> = vec![0.5; n];
                    super::compare!(double::with, double::variants(), (n, &x), y, double::reference);
                    let y: Vec<f32> = vec![0.5; n];
                    super::compare!(single::with, single::variants(), (n, &x), y, single::reference);
                }
            }
        }
    )*};
}
use compare;

integers! { of_u8 u8 of_i8 i8 of_u16 u16 of_i16 i16 of_u32 u32 of_i32 i32 of_u64 u64 of_i64 i64 }

/// Integers of few bits that stay such, in lanes of as many bits.
macro_rules! few_bits {
    ($($module:ident $from:ident $width:literal)*) => {$(
        mod $module {
            use ndarray::{Array2, ArrayView2, ArrayViewMut2, s};

            loopwright::kernel! {
                #[opt(require_lanes)]
                pub fn merged(n: usize, x: &[$from], y: &mut [$from]) {
                    for i in 0..n {
                        y[i] = x[n - 1 - i].wrapping_add(x[i]);
                    }
                }

                /// In place, so that what is stored in part is loaded again.
                #[opt(require_lanes)]
                pub fn stored(n: usize, x: &[$from], y: &mut [$from]) {
                    for i in 0..n {
                        y[n - 1 - i] = y[n - 1 - i].wrapping_sub(x[i]);
                    }
                }

                #[opt(require_lanes)]
                pub fn of_views(x: ArrayView2<$from>, mut y: ArrayViewMut2<$from>) {
                    let (h, w) = y.dim();
                    for i in 0..h {
                        for j in 0..w {
                            y[[i, j]] = x[[i, w - 1 - j]].wrapping_add(y[[i, j]]) ^ 5;
                        }
                    }
                }

                /// With other loops for views in columns and of any strides.
                pub fn of_any_views(x: ArrayView2<$from>, mut y: ArrayViewMut2<$from>) {
                    let (h, w) = y.dim();
                    for i in 0..h {
                        for j in 0..w {
                            y[[i, j]] = x[[i, w - 1 - j]].wrapping_add(y[[i, j]]) ^ 5;
                        }
                    }
                }

                #[opt(require_lanes)]
                pub fn flipped(h: usize, w: usize, x: &[$from], y: &mut [$from]) {
                    for i in 0..h {
                        for j in 0..w {
                            y[i * w + j] = x[i * w + (w - 1 - j)];
                        }
                    }
                }
            }

            #[test]
            fn few_bits_are_reversed() {
                let width = format!("width {}, lanes over", $width);
                for report in [&merged::REPORT, &stored::REPORT, &flipped::REPORT, &of_views::REPORT] {
                    let mut decisions = report.passes.iter().flat_map(|pass| pass.decisions);
                    assert!(decisions.any(|said| said.contains(&width)), "{report}");
                }
                for n in (0..140).chain(250..270) {
                    let x = super::values(3, n, |value| (value * 3) as $from);
                    let y = super::values(5, n, |value| value as $from);
                    super::compare!(merged::with, merged::variants(), (n, &x), y, merged::reference);
                    super::compare!(stored::with, stored::variants(), (n, &x), y, stored::reference);
                    let [x, y] = [7, 9].map(|seed| super::values(seed, 3 * n, |value| value as $from));
                    super::compare!(flipped::with, flipped::variants(), (3, n, &x), y, flipped::reference);
                    let square = super::values(7, 36 * (n + 3), |value| value as $from).into_vec();
                    let square = Array2::from_shape_vec((6, 6 * (n + 3)), square).unwrap();
                    let x = [
                        square.slice(s![..3, ..n]),
                        square.slice(s![3..; -1, ..2 * n; 2]),
                        square.slice(s![..3, 5..n + 5; -1]),
                        square.slice(s![.., ..3]).reversed_axes().slice_move(s![.., ..n.min(6)]),
                    ];
                    for x in x {
                        let start = Array2::from_shape_fn(x.dim(), |(i, j)| (i + 7 * j) as $from);
                        for turned in [false, true] {
                            let start = if turned { start.t().as_standard_layout().reversed_axes().into_owned() } else { start.clone() };
                            let mut expected = start.clone();
                            of_views::reference(x, expected.view_mut());
                            super::each_variant(of_views::variants(), |isa| {
                                let mut found = start.clone();
                                of_views::with(isa, x, found.view_mut()).unwrap();
                                assert_eq!(found, expected, "{isa}");
                            });
                            super::each_variant(of_any_views::variants(), |isa| {
                                let mut found = start.clone();
                                of_any_views::with(isa, x, found.view_mut()).unwrap();
                                assert_eq!(found, expected, "{isa}");
                            });
                        }
                    }
                }
            }
        }
    )*};
}

few_bits! { of_bytes u8 64 of_signed_bytes i8 64 of_words u16 32 of_signed_words i16 32 }
