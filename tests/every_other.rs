//! Reads of every other element, and of pairs, in lanes of each variant, with the bits of the text: all numbers
//! here are small integers, on which no operation rounds.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]
#![allow(clippy::needless_range_loop, reason = "texts of kernels")]

#[macro_use]
#[path = "support/compared.rs"]
mod compared;
mod support;

use ndarray::Array1;
use support::{each_variant, near, noise};

/// Steps of no whole vector, of some, and of what they leave.
const SIZES: [usize; 12] = [0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 33, 70];

macro_rules! kernels_of {
    ($module:ident, $number:ident) => {
        mod $module {
            use ndarray::{ArrayView1, ArrayViewMut1};

            loopwright::kernel! {
                pub fn even(x: &[$number], y: &mut [$number]) {
                    for i in 0..y.len() {
                        y[i] = 2.0 * x[2 * i];
                    }
                }

                pub fn odd(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        y[i] = 2.0 * x[2 * i + 1] - 1.0;
                    }
                }

                pub fn both(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        y[i] = x[2 * i].max(x[2 * i + 1]);
                    }
                }

                pub fn three(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 1..n {
                        y[i] = x[2 * i - 1] + 2.0 * x[2 * i] + x[2 * i + 1];
                    }
                }

                pub fn downwards(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        y[i] = x[2 * n - 2 * i] + x[2 * n - 2 * i - 1];
                    }
                }

                pub fn complex(x: &[[$number; 2]], y: &[[$number; 2]], z: &mut [[$number; 2]]) {
                    for i in 0..z.len() {
                        z[i][0] = x[i][0] * y[i][0] - x[i][1] * y[i][1];
                        z[i][1] = x[i][0] * y[i][1] + x[i][1] * y[i][0];
                    }
                }

                pub fn second(x: &[[$number; 2]], y: &mut [$number]) {
                    for i in 0..y.len() {
                        y[i] += 3.0 * x[i][1];
                    }
                }

                pub fn norms(x: &[[$number; 2]], y: &mut [$number]) {
                    for i in 0..y.len() {
                        let mut s = 0.0;
                        for k in 0..2 {
                            s += x[i][k] * x[i][k];
                        }
                        y[i] = s;
                    }
                }

                pub fn known(x: &[$number; 83], y: &mut [$number; 41]) {
                    for i in 0..41 {
                        y[i] = x[2 * i] + 4.0 * x[2 * i + 1] - x[2 * i + 2];
                    }
                }

                #[opt(strict)]
                pub fn exactly(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        y[i] = x[2 * i] + x[2 * i + 1];
                    }
                }

                pub fn view(x: ArrayView1<$number>, mut y: ArrayViewMut1<$number>) {
                    for i in 0..y.len() {
                        y[[i]] = x[[2 * i]] - 2.0 * x[[2 * i + 1]];
                    }
                }

                pub fn smoothed(n: usize, m: usize, x: &[[$number; 4]], y: &mut [$number]) {
                    for i in 0..n {
                        for j in 0..m {
                            y[i] += x[j][2] * x[2 * j][1];
                        }
                    }
                }
            }
        }
    };
}
kernels_of!(double, f64);
kernels_of!(single, f32);

loopwright::kernel! {
    pub fn widened(n: usize, x: &[f32], a: &[f64], y: &mut [f64]) {
        for i in 0..n {
            y[i] = x[2 * i] as f64 * a[i] + a[2 * i + 1] * x[2 * i + 1] as f64;
        }
    }
}

macro_rules! tests_of {
    ($module:ident, $number:ident) => {
        #[test]
        fn $module() {
            for n in SIZES {
                let (x, y) = (numbers!($number, 1, 2 * n), numbers!($number, 2, n));
                compare!($module::even, (&x[..(2 * n).saturating_sub(1)]), y);
                compare!($module::odd, (n, &x), y);
                compare!($module::both, (n, &x), y);
                compare!($module::three, (n, &x), y);
                compare!($module::exactly, (n, &x), y);
                let pairs = x.as_chunks::<2>().0;
                let z = numbers!($number, 3, 2 * n).as_chunks::<2>().0.to_vec();
                compare!($module::complex, (pairs, &z), z);
                compare!($module::second, (pairs), y);
                compare!($module::norms, (pairs), y);
                let rows = numbers!($number, 4, 8 * n);
                compare!($module::smoothed, (n, n, rows.as_chunks::<4>().0), y);
                let x = numbers!($number, 5, 2 * n + 1);
                compare!($module::downwards, (n, &x), y);
                let (every, last) = (Array1::from(numbers!($number, 6, 4 * n)), Array1::from(y));
                let mut expected = last.clone();
                for strided in [every.slice(ndarray::s![..2 * n]), every.slice(ndarray::s![..;2])] {
                    $module::view::reference(strided, expected.view_mut());
                    support::each_variant($module::view::variants(), |isa| {
                        let mut found = last.clone();
                        $module::view::with(isa, strided, found.view_mut()).unwrap();
                        assert_eq!(found, expected, "{isa}");
                    });
                }
            }
            let x: [$number; 83] = numbers!($number, 7, 83).try_into().unwrap();
            compare!($module::known, (&x), [0.0; 41]);
        }
    };
}
tests_of!(double, f64);
tests_of!(single, f32);

#[test]
fn numbers_of_two_types() {
    for n in SIZES {
        let (x, a) = (numbers!(f32, 1, 2 * n), numbers!(f64, 2, 2 * n));
        compare!(widened, (n, &x, &a), numbers!(f64, 3, n));
    }
}

loopwright::kernel! {
    /// Each second row and column of twice as many: rows have `2 * m` elements, which no subscript has in it.
    #[opt(require_lanes)]
    pub fn halved(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..m {
                y[i * m + j] = x[4 * i * m + 2 * j]
                    .max(x[4 * i * m + 2 * j + 1])
                    .max(x[4 * i * m + 2 * m + 2 * j])
                    .max(x[4 * i * m + 2 * m + 2 * j + 1]);
            }
        }
    }

    /// The same with a name for the row.
    #[opt(require_lanes)]
    pub fn thirds(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        let row = 3 * m;
        for i in 0..n {
            for j in 0..m {
                let mut s = 0.0;
                for a in 0..3 {
                    for b in 0..3 {
                        s += x[(3 * i + a) * row + 3 * j + b];
                    }
                }
                y[i * m + j] = s / 9.0;
            }
        }
    }
}

#[test]
fn rows_may_be_several_times_as_long_as_loops() {
    for (n, m) in [(0, 3), (1, 1), (3, 5), (4, 16), (5, 37)] {
        let x: Vec<f64> = (0..9 * n * m).map(noise).collect();
        let y: Vec<f64> = (0..n * m).map(|at| noise(at + 99)).collect();
        let (mut halves, mut parts) = (y.clone(), y.clone());
        halved::reference(n, m, &x, &mut halves);
        thirds::reference(n, m, &x, &mut parts);
        each_variant(halved::variants(), |isa| {
            let mut found = y.clone();
            halved::with(isa, n, m, &x[..4 * n * m], &mut found).unwrap();
            assert_eq!(found, halves, "{n} {m} {isa}");
            thirds::with(isa, n, m, &x, &mut found).unwrap();
            assert!(near(&found, &parts), "{n} {m} {isa}");
        });
    }
}
