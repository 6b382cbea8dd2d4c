//! Views of `ndarray` as parameters, in every layout, and `const` parameters.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Real, kernel};
use ndarray::{
    Array, Array1, Array2, Array3, Array6, ArrayView1, ArrayView2, ArrayView3, ArrayView6,
    ArrayViewMut1, ArrayViewMut2, ArrayViewMut3, ArrayViewMut6, Axis, Dimension, s,
};

mod support;
use support::{each_variant, noise};

#[path = "support/layouts.rs"]
mod layouts;
use layouts::{SIZES, layouts, matrix};

kernel! {
    pub fn laplace(u: ArrayView2<'_, f64>, mut v: ArrayViewMut2<f64>, h: f64) {
        let (n, m) = u.dim();
        for i in 1..n.saturating_sub(1) {
            for j in 1..m.saturating_sub(1) {
                v[[i, j]] += h
                    * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]
                        - 4.0 * u[[i, j]]);
            }
        }
    }

    /// The other index innermost, and every way to ask for an extent.
    pub fn across(u: &Array2<f64>, scale: &ArrayView1<'_, f64>, v: &mut ArrayViewMut2<'_, f64>) {
        for j in 0..u.shape()[1] {
            for i in 0..u.len_of(Axis(0)) {
                v[(i, j)] = scale[i] * u[(i, j)] - scale[[i]];
            }
        }
        for i in 0..v.nrows() {
            for j in 0..v.ncols() {
                v[[i, j]] += 2.0 * scale[scale.len() - 1];
            }
        }
    }
}

#[test]
fn matrices_of_all_layouts() {
    for (rows, columns) in SIZES {
        for (from, mut u, read) in layouts(rows, columns) {
            for (to, v, write) in layouts(rows, columns) {
                let u = read(u.view_mut());
                let mut expected = v.clone();
                laplace::reference(u.view(), write(expected.view_mut()), 0.25);
                each_variant(laplace::variants(), |isa| {
                    let mut found = v.clone();
                    laplace::with(isa, u.view(), write(found.view_mut()), 0.25).unwrap();
                    let mut both = found.iter().zip(&expected);
                    let near = both.all(|(a, b)| (a - b).abs() < 1e-14);
                    assert!(near, "{isa:?}, {from} to {to}, {rows} by {columns}");
                });
            }
        }
    }
    assert!(laplace::REPORT.notes.is_empty(), "{}", laplace::REPORT);
}

#[test]
fn columns_innermost_and_extents() {
    let scale = Array1::from_shape_fn(20, noise);
    for (rows, columns) in SIZES {
        let scale = scale.slice(s![..rows.max(1);-1]);
        let u = matrix(rows, columns);
        for (to, v, write) in layouts(rows, columns) {
            let mut expected = v.clone();
            across::reference(&u, &scale, &mut write(expected.view_mut()));
            each_variant(across::variants(), |isa| {
                let mut found = v.clone();
                across::with(isa, &u, &scale, &mut write(found.view_mut())).unwrap();
                let mut both = found.iter().zip(&expected);
                let near = both.all(|(a, b)| (a - b).abs() < 1e-14);
                assert!(near, "{isa:?}, {to}, {rows} by {columns}");
            });
        }
    }
}

#[test]
#[should_panic(expected = "`v`")]
fn bounds_are_checked_before_anything_is_written() {
    let mut v = matrix(4, 4);
    laplace(matrix(6, 6).view(), v.view_mut(), 1.0);
}

#[test]
fn nothing_is_written_where_a_check_fails() {
    let (u, before) = (matrix(6, 6), matrix(4, 4));
    let mut v = before.clone();
    let run = std::panic::AssertUnwindSafe(|| laplace(u.view(), v.view_mut(), 1.0));
    assert!(std::panic::catch_unwind(run).is_err());
    assert_eq!(v, before);
}

kernel! {
    /// A sum over two dimensions, and a map in a view.
    pub fn weighted(map: ArrayView1<usize>, w: ArrayView2<f64>, x: ArrayView1<f64>) -> f64 {
        let mut sum = 0.0;
        for i in 0..w.nrows() {
            for j in 0..w.ncols() {
                sum += w[[i, j]] * x[map[j]];
            }
        }
        sum
    }

    /// Rank 3 with a constant inner loop, single precision, and slices beside views.
    pub fn smooth(x: ArrayView3<f32>, w: &[f32; 3], mut y: ArrayViewMut3<f32>) {
        let (n, m, l) = y.dim();
        for i in 0..n {
            for j in 0..m {
                for k in 0..l {
                    let mut sum = 0.0;
                    for d in 0..3 {
                        sum += w[d] * x[[i, j, k + d]];
                    }
                    y[[i, j, k]] = sum;
                }
            }
        }
    }

    /// Generic, rank 1.
    pub fn axpy<T: Real>(a: T, x: ArrayView1<T>, mut y: ArrayViewMut1<T>) {
        for i in 0..x.len() {
            y[i] += a * x[i];
        }
    }

    pub fn six(x: ArrayView6<f64>, mut y: ArrayViewMut6<f64>) {
        let (a, b, c, d, e, f) = x.dim();
        for i in 0..a {
            for j in 0..b {
                for k in 0..c {
                    for l in 0..d {
                        for m in 0..e {
                            for n in 0..f {
                                y[[i, j, k, l, m, n]] = 2.0 * x[[i, j, k, l, m, n]];
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn sums_of_views() {
    for (rows, columns) in SIZES {
        for (from, mut w, read) in layouts(rows, columns) {
            let w = read(w.view_mut());
            let x = Array1::from_shape_fn(14, noise);
            let x = x.slice(s![..;-2]);
            let map = Array1::from_shape_fn(2 * columns, |j| (j * j) % 7);
            let map = map.slice(s![..;2]);
            let expected = weighted::reference(map, w.view(), x);
            each_variant(weighted::variants(), |isa| {
                let found = weighted::with(isa, map, w.view(), x).unwrap();
                assert!(
                    (found - expected).abs() < 1e-12,
                    "{isa:?}, {from}, {rows} by {columns}"
                );
            });
        }
    }
}

#[test]
fn three_dimensions_in_single_precision() {
    for last in [0, 1, 7, 8, 9, 18] {
        let x = Array3::from_shape_fn((2, 3, last + 2), |(i, j, k)| {
            noise(100 * i + 30 * j + k) as f32
        });
        let w = [0.5, -2.0, 0.25];
        let mut expected = Array3::zeros((2, 3, last));
        smooth::reference(x.view(), &w, expected.view_mut());
        each_variant(smooth::variants(), |isa| {
            let mut found = Array3::zeros((2, 3, last));
            smooth::with(isa, x.view(), &w, found.view_mut()).unwrap();
            let mut both = found.iter().zip(&expected);
            assert!(both.all(|(a, b)| (a - b).abs() < 1e-5), "{isa:?}, {last}");
            // The other way around, the innermost dimension outside.
            let mut found = Array3::zeros((last, 3, 2));
            smooth::with(isa, x.view(), &w, found.view_mut().reversed_axes()).unwrap();
            let mut both = found.view().reversed_axes().into_iter().zip(&expected);
            assert!(both.all(|(a, b)| (a - b).abs() < 1e-5), "{isa:?}, {last}");
        });
    }
}

#[test]
fn generic_views_and_six_dimensions() {
    let x = Array1::from_shape_fn(40, noise);
    for step in [1, 2, -3] {
        let x = x.slice(s![..;step]);
        each_variant(axpy::variants(), |isa| {
            let mut y = Array1::<f64>::ones(x.len());
            axpy::with(isa, 2.0, x, y.view_mut()).unwrap();
            assert!(
                y.iter()
                    .zip(x)
                    .all(|(y, x)| (y - 1.0 - 2.0 * x).abs() < 1e-14),
                "{isa:?}"
            );
            let x = x.mapv(|x| x as f32);
            let mut y = Array1::<f32>::ones(2 * x.len());
            axpy::with(isa, 2.0, x.view(), y.slice_mut(s![..;2])).unwrap();
            let y = y.slice(s![..;2]);
            assert!(
                y.iter()
                    .zip(&x)
                    .all(|(y, x)| (y - 1.0 - 2.0 * x).abs() < 1e-6),
                "{isa:?}"
            );
        });
    }
    let x = Array6::from_shape_fn((2, 1, 2, 3, 2, 5), |(i, j, k, l, m, n)| {
        noise(i + 3 * (j + k) + 7 * l + 31 * m + 100 * n)
    });
    each_variant(six::variants(), |isa| {
        let mut y = Array6::zeros(x.dim());
        six::with(isa, x.view(), y.view_mut()).unwrap();
        assert_eq!(y, 2.0 * &x, "{isa:?}");
    });
}

kernel! {
    pub fn multiply<const N: usize, const M: usize>(
        a: &[[[f64; M]; N]],
        x: &[[f64; M]],
        y: &mut [[f64; N]],
    ) {
        for e in 0..a.len() {
            for i in 0..N {
                let mut sum = 0.0;
                for j in 0..M {
                    sum += a[e][i][j] * x[e][j];
                }
                y[e][i] += sum;
            }
        }
    }

    /// Behind a reference itself, lanes over `N`, with a table and a result.
    pub fn scaled<const N: usize>(x: &[f64; N], y: &mut [[f64; N]; 2]) -> f64 {
        static W: [f64; 2] = [0.5, 3.0];
        let mut sum = 0.0;
        for i in 0..x.len() {
            for k in 0..2 {
                y[k][i] = W[k] * x[i];
            }
            sum += x[i];
        }
        sum
    }

    pub fn generic<T: Real, const N: usize>(x: &[[T; N]], y: &mut [[T; N]]) {
        for e in 0..x.len() {
            for i in 1..N {
                y[e][i] = x[e][i] + x[e][i - 1];
            }
        }
    }
}

fn check_multiply<const N: usize, const M: usize>() {
    for n in [0, 1, 5] {
        let a: Vec<[[f64; M]; N]> = (0..n)
            .map(|e| std::array::from_fn(|i| std::array::from_fn(|j| noise(90 * e + 9 * i + j))))
            .collect();
        let x: Vec<[f64; M]> = (0..n)
            .map(|e| std::array::from_fn(|j| noise(e + 40 * j)))
            .collect();
        let mut expected = vec![[1.0; N]; n];
        multiply::reference(&a, &x, &mut expected);
        each_variant(multiply::variants(), |isa| {
            let mut found = vec![[1.0; N]; n];
            multiply::with(isa, &a, &x, &mut found).unwrap();
            let mut both = found.as_flattened().iter().zip(expected.as_flattened());
            assert!(
                both.all(|(a, b)| (a - b).abs() < 1e-13),
                "{isa:?}, {n} of {N} by {M}"
            );
        });
    }
}

fn check_scaled<const N: usize>() {
    let x: [f64; N] = std::array::from_fn(noise);
    let mut expected = [[0.0; N]; 2];
    let sum = scaled::reference(&x, &mut expected);
    each_variant(scaled::variants(), |isa| {
        let mut found = [[0.0; N]; 2];
        let result = scaled::with(isa, &x, &mut found).unwrap();
        assert!((result - sum).abs() < 1e-13, "{isa:?}, N = {N}");
        assert_eq!(found, expected, "{isa:?}, N = {N}");
    });
    let x = [x; 3];
    let mut expected = [[0.0; N]; 3];
    generic::reference(&x, &mut expected);
    each_variant(generic::variants(), |isa| {
        let mut found = [[0.0; N]; 3];
        generic::with(isa, &x, &mut found).unwrap();
        assert_eq!(found, expected, "{isa:?}, N = {N}");
    });
}

#[test]
fn const_parameters_are_extents() {
    for report in [&multiply::REPORT, &scaled::REPORT, &generic::REPORT] {
        assert!(report.notes.is_empty(), "{report}");
    }
    check_multiply::<1, 1>();
    check_multiply::<3, 4>();
    check_multiply::<5, 9>();
    check_multiply::<2, 17>();
    check_scaled::<1>();
    check_scaled::<4>();
    check_scaled::<7>();
    check_scaled::<16>();
    check_scaled::<19>();
}

kernel! {
    /// In place, with another view's transpose.
    pub fn updated(a: ArrayView2<f64>, x: ArrayView1<f64>, mut v: ArrayViewMut2<f64>) {
        for i in 0..v.nrows() {
            for j in 0..v.ncols() {
                v[[i, j]] = v[[i, j]] * x[i] + a[[j, i]];
            }
        }
    }

    pub fn products(a: ArrayView2<f64>, b: ArrayView2<f64>, mut v: ArrayViewMut2<f64>) {
        for i in 0..v.nrows() {
            for j in 0..v.ncols() {
                let mut sum = 0.0;
                for k in 0..a.ncols() {
                    sum += a[[i, k]] * b[[j, k]];
                }
                v[[i, j]] = sum;
            }
        }
    }
    pub fn smoothed(a: ArrayView3<f64>, mut b: ArrayViewMut3<f64>) {
        let (n, m, l) = b.dim();
        for i in 1..n.saturating_sub(1) {
            for j in 0..m {
                for k in 0..l {
                    b[[i, j, k]] += (a[[i - 1, j, k]] - a[[i + 1, j, k]]).exp();
                }
            }
        }
    }
}

fn is_near<D: Dimension>(a: &Array<f64, D>, b: &Array<f64, D>) -> bool {
    let mut both = a.iter().zip(b);
    both.all(|(a, b)| (a - b).abs() <= 1e-13 * (1.0 + b.abs()))
}

#[test]
fn updates_and_sums_in_all_layouts() {
    for (rows, columns) in [(0, 3), (1, 1), (3, 5), (9, 2), (9, 17), (17, 33)] {
        let x = Array1::from_shape_fn(rows, noise);
        for (from, mut a, read) in layouts(columns, rows) {
            for (to, v, write) in layouts(rows, columns) {
                let a = read(a.view_mut());
                let mut expected = v.clone();
                updated::reference(a.view(), x.view(), write(expected.view_mut()));
                each_variant(updated::variants(), |isa| {
                    let mut found = v.clone();
                    updated::with(isa, a.view(), x.view(), write(found.view_mut())).unwrap();
                    assert!(is_near(&found, &expected), "{isa:?}, {from} to {to}");
                });
                let (at, bt) = (a.t(), matrix(rows, columns));
                let mut expected = matrix(rows, rows);
                products::reference(at.view(), bt.view(), expected.view_mut());
                each_variant(products::variants(), |isa| {
                    let mut found = matrix(rows, rows);
                    products::with(isa, at.view(), bt.view(), found.view_mut()).unwrap();
                    assert!(
                        is_near(&found, &expected),
                        "{isa:?}, {from}, {rows} by {columns}"
                    );
                });
            }
        }
    }
}

#[test]
fn axes_in_any_order() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
        let array = || Array3::from_shape_fn((5, 11, 18), |(i, j, k)| noise(500 * i + 20 * j + k));
        let (a, mut expected) = (array().permuted_axes(order), array().permuted_axes(order));
        smoothed::reference(a.view(), expected.view_mut());
        each_variant(smoothed::variants(), |isa| {
            let mut found = array().permuted_axes(order);
            smoothed::with(isa, a.view(), found.view_mut()).unwrap();
            assert!(is_near(&found, &expected), "{isa:?}, {order:?}");
        });
    }
}
