//! Stencils: what iterations have in common is computed once, whatever their extents are.

use loopwright::kernel;
use ndarray::{Array2, Array3, ArrayView2, ArrayView3, ArrayViewMut2, ArrayViewMut3, ShapeBuilder};

kernel! {
    /// Windows of seventeen.
    pub fn window(x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in 0..17 {
                s += x[i + k];
            }
            y[i] = s;
        }
    }

    /// Windows of twelve, scaled.
    pub fn single(x: &[f32], y: &mut [f32]) {
        for i in 0..y.len() {
            y[i] = (x[i] + x[i + 1] + x[i + 2] + x[i + 3] + x[i + 4] + x[i + 5] + x[i + 6]
                + x[i + 7] + x[i + 8] + x[i + 9] + x[i + 10] + x[i + 11]) * 0.25;
        }
    }

    /// Windows that are wider than all lanes of two vectors.
    pub fn wide(x: &[f32], y: &mut [f32]) {
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in 0..45 {
                s += x[i + k];
            }
            y[i] = s / 45.0;
        }
    }

    /// Two results, one of which is a difference of what the other one adds.
    pub fn several(x: &[f64], y: &mut [f64], z: &mut [f64]) {
        for i in 2..y.len() - 2 {
            y[i] = x[i - 2] + x[i - 1] + x[i] + x[i + 1] + x[i + 2];
            z[i] = (x[i + 1] + x[i + 2]) - (x[i - 2] + x[i - 1]);
        }
    }

    /// Rows of a flat slice.
    pub fn flat(x: &[f64], y: &mut [f64], n: usize, m: usize) {
        static W: [f64; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];
        for j in 2..n - 2 {
            for i in 2..m - 2 {
                let mut s = 0.0;
                for k in 0..5 {
                    for l in 0..5 {
                        s += W[k] * W[l] * x[(j + k - 2) * m + i + l - 2];
                    }
                }
                y[j * m + i] = s / 256.0;
            }
        }
    }

    /// Rows of views, which may have any strides.
    pub fn views(x: ArrayView2<f32>, mut y: ArrayViewMut2<f32>) {
        let (n, m) = x.dim();
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                y[[j, i]] = x[[j - 1, i - 1]] + x[[j - 1, i + 1]] + x[[j + 1, i - 1]] + x[[j + 1, i + 1]]
                    + 4.0 * (x[[j - 1, i]] + x[[j + 1, i]] + x[[j, i - 1]] + x[[j, i + 1]])
                    - 20.0 * x[[j, i]];
            }
        }
    }

    /// Weights by the distance, in three dimensions.
    pub fn classes(x: ArrayView3<f64>, mut y: ArrayViewMut3<f64>) {
        static C: [f64; 4] = [0.5, 0.25, 0.125, 0.0625];
        let (l, n, m) = x.dim();
        for k in 1..l - 1 {
            for j in 1..n - 1 {
                for i in 1..m - 1 {
                    let mut s = 0.0;
                    for a in 0..3 {
                        for b in 0..3 {
                            for c in 0..3 {
                                s += C[(a + 1) % 2 + (b + 1) % 2 + (c + 1) % 2]
                                    * x[[k + a - 1, j + b - 1, i + c - 1]];
                            }
                        }
                    }
                    y[[k, j, i]] = s;
                }
            }
        }
    }

    /// A function of two neighbours.
    pub fn functions(x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = x[i].exp() / (1.0 + x[i + 3].exp());
        }
    }

    /// Weights of rank one.
    pub fn gauss(x: &[[f64; 40]], y: &mut [[f64; 36]]) {
        static W: [f64; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];
        for j in 0..y.len() {
            for i in 0..36 {
                let mut s = 0.0;
                for k in 0..5 {
                    for l in 0..5 {
                        s += W[k] * W[l] * x[j + k][i + l];
                    }
                }
                y[j][i] = s / 256.0;
            }
        }
    }

    /// Windows in two dimensions.
    pub fn square(x: &[[f64; 40]], y: &mut [[f64; 31]]) {
        for j in 0..y.len() {
            for i in 0..31 {
                let mut s = 0.0;
                for k in 0..10 {
                    for l in 0..10 {
                        s += x[j + k][i + l];
                    }
                }
                y[j][i] = s;
            }
        }
    }

    /// Two derivatives, and their length.
    pub fn edges(x: &[[f64; 40]], y: &mut [[f64; 38]]) {
        for j in 0..y.len() {
            for i in 0..38 {
                let gx = x[j][i + 2] + 2.0 * x[j + 1][i + 2] + x[j + 2][i + 2]
                    - x[j][i] - 2.0 * x[j + 1][i] - x[j + 2][i];
                let gy = x[j + 2][i] + 2.0 * x[j + 2][i + 1] + x[j + 2][i + 2]
                    - x[j][i] - 2.0 * x[j][i + 1] - x[j][i + 2];
                y[j][i] = (gx * gx + gy * gy).sqrt();
            }
        }
    }

    /// What flows out of a cell flows into the next one: differences of either sign.
    pub fn diffusion(x: &[[f64; 40]], y: &mut [[f64; 38]]) {
        for j in 0..y.len() {
            for i in 0..38 {
                let c = x[j + 1][i + 1];
                let (n, s) = (x[j][i + 1] - c, x[j + 2][i + 1] - c);
                let (w, e) = (x[j + 1][i] - c, x[j + 1][i + 2] - c);
                y[j][i] = c + 0.2 * (n / (1.0 + n * n) + s / (1.0 + s * s) + w.tanh() + e.tanh());
            }
        }
    }
}

fn filled(count: usize) -> Vec<f64> {
    let value = |k: usize| ((k * 7919) % 1013) as f64 / 1013.0 - 0.3;
    (0..count).map(value).collect()
}

fn close(name: &str, found: &[f64], expected: &[f64], eps: f64) {
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs();
        assert!(
            error <= eps * (1.0 + expected.abs()),
            "{name} at {at}: {found} {expected}"
        );
    }
}

/// Lengths: none, one, less than the stencils, and whatever whole steps of vectors, and halves of these, may leave.
const LENGTHS: std::ops::Range<usize> = 0..290;

macro_rules! lines {
    ($name:ident, $halo:expr, $type:ty, $eps:expr) => {
        for n in LENGTHS {
            // No element more than the text reads, and none at all where it reads none.
            let count = if n == 0 { 0 } else { n + $halo };
            let x: Vec<$type> = filled(count).into_iter().map(|x| x as $type).collect();
            let mut expected = vec![0.0; n];
            $name::reference(&x, &mut expected);
            for isa in $name::variants() {
                let mut y = vec![0.0; n];
                if $name::with(*isa, &x, &mut y).is_ok() {
                    let wide = |values: &[$type]| -> Vec<f64> {
                        values.iter().map(|value| f64::from(*value)).collect()
                    };
                    close(stringify!($name), &wide(&y), &wide(&expected), $eps);
                }
            }
        }
    };
}

#[test]
fn lines_of_any_length() {
    lines!(window, 16, f64, 1e-13);
    lines!(single, 11, f32, 1e-5);
    lines!(wide, 44, f32, 1e-5);
    lines!(functions, 3, f64, 1e-13);
}

#[test]
fn several_results() {
    for n in LENGTHS.filter(|n| *n > 3) {
        let x = filled(n);
        let (mut y, mut z) = (vec![0.0; n], vec![0.0; n]);
        several::reference(&x, &mut y, &mut z);
        for isa in several::variants() {
            let (mut own_y, mut own_z) = (vec![0.0; n], vec![0.0; n]);
            if several::with(*isa, &x, &mut own_y, &mut own_z).is_ok() {
                close("several", &own_y, &y, 1e-13);
                close("several", &own_z, &z, 1e-13);
            }
        }
    }
}

/// Rows and columns: as few as the stencils need, and those that no vector divides.
const SIZES: [(usize, usize); 7] = [(4, 4), (4, 9), (5, 5), (6, 20), (9, 37), (12, 70), (7, 101)];

#[test]
fn rows_of_any_length() {
    for (n, m) in SIZES.into_iter().chain((4..150).map(|m| (5, m))) {
        let x = filled(n * m);
        let mut expected = vec![0.0; n * m];
        flat::reference(&x, &mut expected, n, m);
        for isa in flat::variants() {
            let mut y = vec![0.0; n * m];
            if flat::with(*isa, &x, &mut y, n, m).is_ok() {
                close("flat", &y, &expected, 1e-13);
            }
        }
    }
}

#[test]
fn views_of_any_strides() {
    for (n, m) in SIZES {
        for columns in [false, true] {
            let shape = (n, m).set_f(columns);
            let x = Array2::from_shape_fn(shape, |(j, i)| filled(n * m)[j * m + i] as f32);
            let mut expected = Array2::zeros((n, m));
            views::reference(x.view(), expected.view_mut());
            for isa in views::variants() {
                let mut y = Array2::zeros((n, m));
                if views::with(*isa, x.view(), y.view_mut()).is_ok() {
                    let wide =
                        |a: &Array2<f32>| -> Vec<f64> { a.iter().map(|x| f64::from(*x)).collect() };
                    close("views", &wide(&y), &wide(&expected), 1e-5);
                }
            }
        }
        let values = filled(n * n * m);
        let x = Array3::from_shape_fn((n, n, m), |(k, j, i)| values[(k * n + j) * m + i]);
        let mut expected = Array3::zeros((n, n, m));
        classes::reference(x.view(), expected.view_mut());
        for isa in classes::variants() {
            let mut y = Array3::zeros((n, n, m));
            if classes::with(*isa, x.view(), y.view_mut()).is_ok() {
                let own: Vec<f64> = y.iter().copied().collect();
                let expected: Vec<f64> = expected.iter().copied().collect();
                close("classes", &own, &expected, 1e-13);
            }
        }
    }
}

macro_rules! images {
    ($name:ident, $halo:expr, $width:expr) => {
        for n in [0, 1, 2, 5, 9, 20] {
            let count = if n == 0 { 0 } else { n + $halo };
            let x: Vec<[f64; 40]> = (0..count)
                .map(|j| std::array::from_fn(|i| filled(count * 40)[j * 40 + i]))
                .collect();
            let mut expected = vec![[0.0; $width]; n];
            $name::reference(&x, &mut expected);
            for isa in $name::variants() {
                let mut y = vec![[0.0; $width]; n];
                if $name::with(*isa, &x, &mut y).is_ok() {
                    let (y, expected) = (y.as_flattened(), expected.as_flattened());
                    close(stringify!($name), y, expected, 1e-13);
                }
            }
        }
    };
}

#[test]
fn images_of_any_height() {
    images!(gauss, 4, 36);
    images!(square, 9, 31);
    images!(edges, 2, 38);
    images!(diffusion, 2, 38);
}

#[test]
fn fluxes_of_either_sign_are_computed_once() {
    // Of rows of 38 points: two of each a point in the text.
    let row = diffusion::REPORT.expansion;
    assert_eq!((row.div, row.call), (38, 39), "{}", diffusion::REPORT);
}

#[test]
#[should_panic(expected = "x")]
fn arrays_that_are_too_short_are_met_before_anything_is_written() {
    window(&[1.0; 20], &mut [0.0; 5]);
}

#[test]
fn results_larger_than_the_caches() {
    // More than the caches of most processors, at addresses and in rows that no register divides.
    let (n, m) = (2051, 2507);
    let x = filled(n * m + 3);
    let mut expected = vec![0.0; n * m + 3];
    flat::reference(&x[1..], &mut expected[1..], n, m);
    for isa in flat::variants() {
        let mut y = vec![0.0; n * m + 3];
        if flat::with(*isa, &x[1..], &mut y[1..], n, m).is_ok() {
            close("flat", &y, &expected, 1e-13);
        }
    }
    let count = n * m;
    let x: Vec<f32> = filled(count + 50).into_iter().map(|x| x as f32).collect();
    let mut expected = vec![0.0; count + 5];
    wide::reference(&x, &mut expected[5..]);
    for isa in wide::variants() {
        let mut y = vec![0.0; count + 5];
        if wide::with(*isa, &x, &mut y[5..]).is_ok() {
            let wide =
                |values: &[f32]| -> Vec<f64> { values.iter().map(|x| f64::from(*x)).collect() };
            close("wide", &wide(&y), &wide(&expected), 1e-4);
        }
    }
}
