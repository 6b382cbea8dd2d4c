//! Passes over an image that the text makes one after the other, through temporaries: in each variant, for sizes
//! from none on.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]
#![allow(clippy::needless_range_loop, reason = "texts of kernels")]

mod support;

use loopwright::kernel;
use ndarray::{Array2, Array3, ArrayView2, ArrayView3, ArrayViewMut2, ArrayViewMut3};
use support::each_variant;

kernel! {
    /// Rows, then columns.
    pub fn blur(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let n = x.nrows();
        let m = x.ncols();
        let mut t = Array2::zeros((n, m));
        for j in 0..n {
            for i in 1..m - 1 {
                t[[j, i]] = x[[j, i - 1]] + 2.0 * x[[j, i]] + x[[j, i + 1]];
            }
        }
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                y[[j, i]] = (t[[j - 1, i]] + 2.0 * t[[j, i]] + t[[j + 1, i]]) / 16.0;
            }
        }
    }

    /// Rows of known length, which a slice has.
    pub fn rows(x: &[[f32; 70]], y: &mut [[f32; 70]]) {
        let mut t = vec![[0.0; 70]; x.len()];
        for j in 0..x.len() {
            for i in 0..68 {
                t[j][i] = x[j][i] - x[j][i + 2];
            }
        }
        for j in 0..x.len() - 4 {
            for i in 0..68 {
                y[j][i] = t[j][i] * t[j + 4][i];
            }
        }
    }

    /// A chain of three, of which the last one reads both of the others.
    pub fn chain(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let n = x.nrows();
        let m = x.ncols();
        let mut t = Array2::zeros((n, m));
        let mut u = Array2::zeros((n, m));
        for j in 0..n {
            for i in 1..m - 1 {
                t[[j, i]] = x[[j, i - 1]] + x[[j, i + 1]];
            }
        }
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                u[[j, i]] = t[[j - 1, i]] + t[[j + 1, i]];
            }
        }
        for j in 2..n - 3 {
            for i in 2..m - 2 {
                y[[j, i]] = u[[j - 1, i - 1]] - t[[j + 3, i]] + u[[j + 1, i + 1]];
            }
        }
    }

    /// Planes, in which columns are read.
    pub fn planes(x: ArrayView3<f64>, mut y: ArrayViewMut3<f64>) {
        let (l, n, m) = x.dim();
        let mut t = Array3::zeros((l, n, m));
        for k in 0..l {
            for j in 0..n {
                for i in 0..m {
                    t[[k, j, i]] = x[[k, j, i]] * x[[k, j, i]];
                }
            }
        }
        for k in 1..l - 1 {
            for j in 1..n - 1 {
                for i in 0..m {
                    y[[k, j, i]] = t[[k - 1, j, i]] + t[[k + 1, j, i]] + t[[k, j - 1, i]] + t[[k, j + 1, i]];
                }
            }
        }
    }

    /// Zeros that were never written are read at the edges: nothing is left out.
    pub fn padded(x: &[f64], y: &mut [f64]) {
        let n = y.len();
        let mut t = vec![0.0; n + 2];
        for i in 0..n {
            t[i + 1] = x[i];
        }
        for i in 0..n {
            y[i] = t[i] + t[i + 2];
        }
    }

    /// In one dimension, with loops of two lengths: both have lanes.
    pub fn line(x: &[f64], y: &mut [f64]) {
        let n = y.len();
        let mut t = vec![0.0; n + 2];
        for i in 0..n + 2 {
            t[i] = x[i] + x[i + 1];
        }
        for i in 0..n {
            y[i] = t[i] + t[i + 2];
        }
    }

    /// What is read is written meanwhile: the loops stay apart.
    pub fn in_place(mut x: ArrayViewMut2<f64>) {
        let n = x.nrows();
        let m = x.ncols();
        let mut t = Array2::zeros((n, m));
        for j in 0..n {
            for i in 0..m {
                t[[j, i]] = x[[j, i]] + 1.0;
            }
        }
        for j in 0..n - 1 {
            for i in 0..m {
                x[[j + 1, i]] = t[[j, i]] * t[[j + 1, i]];
            }
        }
    }
}

const LENGTHS: [usize; 10] = [0, 1, 2, 3, 4, 7, 8, 17, 33, 71];

fn image(n: usize, m: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, m), |(j, i)| ((i * 7 + j * 13) % 31) as f64)
}

#[test]
fn images_are_those_of_the_text() {
    for n in LENGTHS {
        for m in LENGTHS {
            let x = image(n, m);
            let mut expected = x.clone();
            if n >= 2 && m >= 2 {
                blur::reference(x.view(), expected.view_mut());
                each_variant(blur::variants(), |isa| {
                    let mut y = x.clone();
                    blur::with(isa, x.view(), y.view_mut()).unwrap();
                    assert_eq!(y, expected, "{n} * {m}");
                });
            }
            if n >= 5 && m >= 4 {
                chain::reference(x.view(), expected.view_mut());
                each_variant(chain::variants(), |isa| {
                    let mut y = x.clone();
                    chain::with(isa, x.view(), y.view_mut()).unwrap();
                    chain::reference(x.view(), expected.view_mut());
                    assert_eq!(
                        y.slice(ndarray::s![2..n - 3, 2..m - 2]),
                        expected.slice(ndarray::s![2..n - 3, 2..m - 2])
                    );
                });
            }
            if n >= 1 {
                let mut expected = x.clone();
                in_place::reference(expected.view_mut());
                each_variant(in_place::variants(), |isa| {
                    let mut y = x.clone();
                    in_place::with(isa, y.view_mut()).unwrap();
                    assert_eq!(y, expected, "{n} * {m}");
                });
            }
        }
    }
}

#[test]
fn rows_of_known_length() {
    for n in LENGTHS.into_iter().filter(|n| *n >= 4) {
        let x: Vec<[f32; 70]> = (0..n)
            .map(|j| std::array::from_fn(|i| ((i * 5 + j * 3) % 17) as f32))
            .collect();
        let mut expected = x.clone();
        rows::reference(&x, &mut expected);
        each_variant(rows::variants(), |isa| {
            let mut y = x.clone();
            rows::with(isa, &x, &mut y).unwrap();
            assert_eq!(y, expected, "{n}");
        });
    }
}

#[test]
fn volumes() {
    for (l, n, m) in [
        (2, 2, 0),
        (2, 3, 5),
        (3, 3, 9),
        (4, 5, 1),
        (7, 4, 19),
        (3, 2, 8),
    ] {
        let x = Array3::from_shape_fn((l, n, m), |(k, j, i)| ((i * 7 + j * 13 + k) % 31) as f64);
        let mut expected = x.clone();
        planes::reference(x.view(), expected.view_mut());
        each_variant(planes::variants(), |isa| {
            let mut y = x.clone();
            planes::with(isa, x.view(), y.view_mut()).unwrap();
            assert_eq!(y, expected, "{l} * {n} * {m}");
        });
    }
}

#[test]
fn lines() {
    for n in 0..70 {
        let x: Vec<f64> = (0..n + 3).map(|i| (i * 7 % 13) as f64).collect();
        let mut expected = vec![0.5; n];
        line::reference(&x, &mut expected);
        each_variant(line::variants(), |isa| {
            let mut y = vec![0.5; n];
            line::with(isa, &x, &mut y).unwrap();
            assert_eq!(y, expected, "{n}");
        });
        padded::reference(&x, &mut expected);
        each_variant(padded::variants(), |isa| {
            let mut y = vec![0.5; n];
            padded::with(isa, &x, &mut y).unwrap();
            assert_eq!(y, expected, "{n}");
        });
    }
}

/// What only a few rows are kept of is not allocated.
#[test]
fn reports_name_the_rings() {
    for report in [blur::REPORT, chain::REPORT] {
        let said = report.to_string();
        assert!(
            said.contains("in rings, computed ahead of what reads them"),
            "{said}"
        );
    }
}
