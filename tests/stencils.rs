//! Stencils: what iterations have in common is computed once, whatever their extents are.

use loopwright::kernel;

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

/// Lengths: none, one, less than the stencils, and those that no vector divides.
const LENGTHS: [usize; 9] = [0, 1, 2, 5, 8, 17, 31, 64, 100];

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
    lines!(functions, 3, f64, 1e-13);
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
}

#[test]
#[should_panic(expected = "x")]
fn arrays_that_are_too_short_are_met_before_anything_is_written() {
    window(&[1.0; 20], &mut [0.0; 5]);
}
