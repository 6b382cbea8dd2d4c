//! Running sums: sums of windows that follow from those of earlier iterations, in each variant, for sizes from none on.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]
#![allow(clippy::needless_range_loop, reason = "texts of kernels")]

mod support;

use loopwright::kernel;
use ndarray::{Array2, Array3, ArrayView2, ArrayView3, ArrayViewMut2, ArrayViewMut3};
use support::{each_variant, noise};

kernel! {
    /// A box of an image of bytes, rounded.
    pub fn bytes(x: &[u8], y: &mut [u8], n: usize, m: usize) {
        for j in 0..n - 8 {
            for i in 0..m - 8 {
                let mut s = 0u32;
                for k in 0..9 {
                    for l in 0..9 {
                        s += x[(j + k) * m + i + l] as u32;
                    }
                }
                y[j * m + i] = ((s + 40) / 81) as u8;
            }
        }
    }

    /// A window along the only loop, whose sums wrap around.
    pub fn wrapping(x: &[u32], y: &mut [u32]) {
        for i in 0..y.len() {
            y[i] = x[i].wrapping_add(x[i + 1]).wrapping_add(x[i + 2]).wrapping_add(x[i + 3])
                .wrapping_add(x[i + 4]).wrapping_add(x[i + 5]).wrapping_add(x[i + 6])
                .wrapping_add(x[i + 7]).wrapping_add(x[i + 8]).wrapping_add(x[i + 9]).wrapping_add(x[i + 10]);
        }
    }

    /// Wide windows of integers that fit.
    pub fn wide(x: &[i16], y: &mut [i64]) {
        for i in 0..y.len() {
            let mut s = 0i64;
            for k in 0..100 {
                s += x[i + k] as i64;
            }
            y[i] = s;
        }
    }

    /// Rising and falling weights down the columns of an image.
    pub fn falling(x: &[i32], y: &mut [i64], n: usize, m: usize) {
        static W: [i64; 9] = [1, 2, 3, 4, 5, 4, 3, 2, 1];
        for j in 0..n - 8 {
            for i in 0..m {
                let mut s = 0i64;
                for k in 0..9 {
                    s += W[k] * x[(j + k) * m + i] as i64;
                }
                y[j * m + i] = s;
            }
        }
    }

    /// Weights of a table, which are converted: rows and columns have them in common.
    pub fn smooth(x: &[u8], y: &mut [u8], n: usize, m: usize) {
        static W: [[u16; 3]; 3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]];
        for j in 0..n - 2 {
            for i in 0..m - 2 {
                let mut s = 0u32;
                for k in 0..3 {
                    for l in 0..3 {
                        s += W[k][l] as u32 * x[(j + k) * m + i + l] as u32;
                    }
                }
                y[j * m + i] = (s / 16) as u8;
            }
        }
    }

    /// Weights of an arithmetic sequence, every other one of a window, and a geometric one, whose ratio is no fraction.
    pub fn sequences(x: &[i32], y: &mut [i64], z: &mut [i64], g: &mut [i64], n: usize, m: usize) {
        for j in 0..n - 8 {
            for i in 0..m {
                y[j * m + i] = 7 * x[j * m + i] as i64 + 6 * x[(j + 1) * m + i] as i64 + 5 * x[(j + 2) * m + i] as i64
                    + 4 * x[(j + 3) * m + i] as i64 + 3 * x[(j + 4) * m + i] as i64
                    + 2 * x[(j + 5) * m + i] as i64 + x[(j + 6) * m + i] as i64;
                z[j * m + i] = x[j * m + i] as i64 + x[(j + 2) * m + i] as i64 + x[(j + 4) * m + i] as i64
                    + x[(j + 6) * m + i] as i64 + x[(j + 8) * m + i] as i64;
                g[j * m + i] = 81 * x[j * m + i] as i64 + 27 * x[(j + 1) * m + i] as i64
                    + 9 * x[(j + 2) * m + i] as i64 + 3 * x[(j + 3) * m + i] as i64 + x[(j + 4) * m + i] as i64;
            }
        }
    }

    /// A box in three dimensions.
    pub fn cube(x: ArrayView3<i32>, mut y: ArrayViewMut3<i64>) {
        let (l, n, m) = x.dim();
        for k in 3..l - 3 {
            for j in 3..n - 3 {
                for i in 3..m - 3 {
                    let mut s = 0i64;
                    for c in 0..7 {
                        for b in 0..7 {
                            for a in 0..7 {
                                s += x[[k + c - 3, j + b - 3, i + a - 3]] as i64;
                            }
                        }
                    }
                    y[[k, j, i]] = s;
                }
            }
        }
    }

    /// Windows that are shorter than a vector: the rows of sums end wherever they do in the last of two vectors.
    #[opt(differencing = resync(16))]
    pub fn box5(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, m) = x.dim();
        for j in 0..n - 4 {
            for i in 0..m - 4 {
                let mut s = 0.0;
                for k in 0..5 {
                    for l in 0..5 {
                        s += x[[j + k, i + l]];
                    }
                }
                y[[j, i]] = s;
            }
        }
    }

    #[opt(differencing = resync(16))]
    pub fn box10(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, m) = x.dim();
        for j in 0..n - 9 {
            for i in 0..m - 9 {
                let mut s = 0.0;
                for k in 0..10 {
                    for l in 0..10 {
                        s += x[[j + k, i + l]];
                    }
                }
                y[[j, i]] = s;
            }
        }
    }

    /// A box of floating-point numbers, which has to be asked for.
    #[opt(differencing = resync(16))]
    pub fn box15(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, m) = x.dim();
        for j in 0..n - 14 {
            for i in 0..m - 14 {
                let mut s = 0.0;
                for k in 0..15 {
                    for l in 0..15 {
                        s += x[[j + k, i + l]];
                    }
                }
                y[[j, i]] = s / 225.0;
            }
        }
    }

    /// A window along the only loop of scalar code.
    #[opt(differencing = resync(10), isa = [scalar])]
    pub fn line(x: &[f32], y: &mut [f32]) {
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in 0..33 {
                s += x[i + k];
            }
            y[i] = s;
        }
    }

    /// What has to be asked for, and is not.
    #[opt(differencing = exact)]
    pub fn plain(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, m) = x.dim();
        for j in 0..n - 14 {
            for i in 0..m {
                let mut s = 0.0;
                for k in 0..15 {
                    s += x[[j + k, i]];
                }
                y[[j, i]] = s;
            }
        }
    }

    /// What is not wanted.
    #[opt(differencing = off)]
    pub fn off(x: &[i32], y: &mut [i64], n: usize, m: usize) {
        for j in 0..n - 14 {
            for i in 0..m {
                let mut s = 0i64;
                for k in 0..15 {
                    s += x[(j + k) * m + i] as i64;
                }
                y[j * m + i] = s;
            }
        }
    }
}

/// Sizes beside vectors, windows and strips.
const SIZES: [usize; 12] = [0, 1, 2, 7, 8, 9, 17, 31, 33, 40, 65, 71];

fn integer(index: usize) -> i64 {
    (noise(index) * 1e9) as i64
}

macro_rules! image_of {
    ($kernel:ident, $from:ty, $to:ty, $border:expr, [$($out:ident),+]) => {
        for n in SIZES.map(|n| n + $border) {
            for m in SIZES.map(|m| m + $border) {
                let x: Vec<$from> = (0..n * m).map(|at| integer(at) as $from).collect();
                $(let mut $out = vec![0 as $to; n * m];)+
                let mut expected = [$($out.clone()),+];
                {
                    let mut all = expected.iter_mut();
                    $(let $out = all.next().unwrap();)+
                    $kernel::reference(&x, $($out,)+ n, m);
                }
                each_variant($kernel::variants(), |isa| {
                    $($out.fill(0 as $to);)+
                    $kernel::with(isa, &x, $(&mut $out,)+ n, m).unwrap();
                    let mut all = expected.iter();
                    $(assert!($out == *all.next().unwrap(), "{isa:?} {n} {m}");)+
                });
            }
        }
    };
}

#[test]
fn images_have_the_bits_of_the_text() {
    image_of!(bytes, u8, u8, 8, [y]);
    image_of!(smooth, u8, u8, 2, [y]);
    image_of!(falling, i32, i64, 8, [y]);
    image_of!(sequences, i32, i64, 8, [y, z, g]);
    image_of!(off, i32, i64, 14, [y]);
}

macro_rules! line_of {
    ($kernel:ident, $from:ty, $to:ty, $border:expr) => {
        for n in (0..70).chain([255, 256, 257, 1000]) {
            let x: Vec<$from> = (0..n + $border).map(|at| integer(at) as $from).collect();
            let mut expected = vec![0 as $to; n];
            $kernel::reference(&x, &mut expected);
            each_variant($kernel::variants(), |isa| {
                let mut y = vec![0 as $to; n];
                $kernel::with(isa, &x, &mut y).unwrap();
                assert_eq!(y, expected, "{isa:?} {n}");
            });
        }
    };
}

#[test]
fn lines_have_the_bits_of_the_text() {
    line_of!(wrapping, u32, u32, 10);
    line_of!(wide, i16, i64, 99);
}

#[test]
fn cubes_have_the_bits_of_the_text() {
    for (l, n, m) in [(6, 6, 6), (7, 7, 7), (8, 15, 23), (12, 9, 40), (6, 30, 30)] {
        let x = Array3::from_shape_fn((l, n, m), |(k, j, i)| integer((k * n + j) * m + i) as i32);
        let mut expected = Array3::zeros((l, n, m));
        cube::reference(x.view(), expected.view_mut());
        each_variant(cube::variants(), |isa| {
            let mut y = Array3::zeros((l, n, m));
            cube::with(isa, x.view(), y.view_mut()).unwrap();
            assert_eq!(y, expected, "{isa:?} {l} {n} {m}");
        });
    }
}

/// The largest error that differencing may add to a sum of `terms` numbers below `size`, which begins anew after
/// `after` iterations: two roundings of at most the largest sum in each.
fn bound(terms: usize, size: f64, after: usize, epsilon: f64) -> f64 {
    (2 * after + terms) as f64 * epsilon * terms as f64 * size
}

macro_rules! box_of {
    ($kernel:ident, $width:literal, $scale:expr) => {
        for n in SIZES.map(|n| n + $width - 1) {
            for m in SIZES.map(|m| m + $width - 1) {
                // Every so often there is a number that leaves nothing of the others.
                let value = |at: usize| {
                    if at % 97 == 13 {
                        1e6 * noise(at)
                    } else {
                        noise(at)
                    }
                };
                let x = Array2::from_shape_fn((n, m), |(j, i)| value(j * m + i));
                let mut expected = Array2::zeros((n, m));
                $kernel::reference(x.view(), expected.view_mut());
                each_variant($kernel::variants(), |isa| {
                    let mut y = Array2::zeros((n, m));
                    $kernel::with(isa, x.view(), y.view_mut()).unwrap();
                    let bound = bound($width * $width, 1e6, 16, f64::EPSILON) * $scale;
                    let mut pairs = y.iter().zip(&expected);
                    assert!(
                        pairs.all(|(a, b)| (a - b).abs() <= bound),
                        "{isa:?} {n} {m}"
                    );
                });
            }
        }
    };
}

#[test]
fn sums_of_floating_point_numbers_stay_within_their_bound() {
    box_of!(box15, 15, 1.0 / 225.0);
    box_of!(box10, 10, 1.0);
    box_of!(box5, 5, 1.0);
    for n in [0, 1, 9, 10, 11, 20, 1000] {
        let x: Vec<f32> = (0..n + 32).map(|at| noise(at) as f32).collect();
        let (mut y, mut expected) = (vec![0.0; n], vec![0.0; n]);
        line::reference(&x, &mut expected);
        line(&x, &mut y);
        let bound = bound(33, 1.0, 10, f64::from(f32::EPSILON));
        let mut pairs = y.iter().zip(&expected);
        assert!(pairs.all(|(a, b)| f64::from(a - b).abs() <= bound), "{n}");
    }
}

/// A number that is none reaches no further than the sums that it is in, and those up to the next beginning.
#[test]
fn sums_begin_anew() {
    let (n, m) = (120, 40);
    let mut x = Array2::from_elem((n, m), 1.0);
    x[[30, 20]] = f64::NAN;
    each_variant(box15::variants(), |isa| {
        let mut y = Array2::zeros((n, m));
        box15::with(isa, x.view(), y.view_mut()).unwrap();
        for j in 48..n - 14 {
            for i in 0..m - 14 {
                assert_eq!(y[[j, i]], 1.0, "{isa:?} {j} {i}");
            }
        }
    });
}

/// Operations a point, in all iterations of some loops.
fn operations(report: &loopwright::Report, loops: &str) -> u64 {
    let inside = report.levels.iter().filter(|level| level.per == loops);
    inside.map(|level| level.cost.operations()).sum()
}

#[test]
fn reports_count_running_sums() {
    // Two down the columns, five along the rows, a product, and one that each beginning costs.
    assert_eq!(operations(&box15::REPORT, "j, i"), 9, "{}", box15::REPORT);
    assert_eq!(operations(&box10::REPORT, "j, i"), 7, "{}", box10::REPORT);
    assert_eq!(operations(&box5::REPORT, "j, i"), 6, "{}", box5::REPORT);
    // Two along each of the outer loops, four along the rows.
    assert_eq!(operations(&cube::REPORT, "k, j, i"), 8, "{}", cube::REPORT);
    // Weights of tables are numbers.
    assert!(
        falling::REPORT.expansion.operations() <= 7,
        "{}",
        falling::REPORT
    );
    assert!(
        smooth::REPORT.expansion.operations() <= 6,
        "{}",
        smooth::REPORT
    );
    // Of 32 additions at each beginning, a tenth.
    assert!(operations(&line::REPORT, "i") <= 6, "{}", line::REPORT);
    assert_eq!(off::REPORT.expansion.operations(), 5, "{}", off::REPORT);
    assert_eq!(plain::REPORT.expansion.operations(), 5, "{}", plain::REPORT);
}
