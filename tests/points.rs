//! Operations that stencils in two and three dimensions execute for each point, however their sums are written.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Counted, Real, kernel};

kernel! {
    /// Thirteen points: sums of neighbours at equal distances are scaled.
    pub fn biharmonic<T: Real>(x: &[T], y: &mut [T], n: usize, m: usize) {
        for j in 2..n - 2 {
            for i in 2..m - 2 {
                y[j * m + i] = T::from_f64(20.0) * x[j * m + i]
                    - T::from_f64(8.0) * (x[(j - 1) * m + i] + x[(j + 1) * m + i] + x[j * m + i - 1] + x[j * m + i + 1])
                    + T::from_f64(2.0) * (x[(j - 1) * m + i - 1] + x[(j - 1) * m + i + 1]
                        + x[(j + 1) * m + i - 1] + x[(j + 1) * m + i + 1])
                    + x[(j - 2) * m + i] + x[(j + 2) * m + i] + x[j * m + i - 2] + x[j * m + i + 2];
            }
        }
    }

    /// The same with a weight in front of each point, line by line.
    pub fn flat<T: Real>(x: &[T], y: &mut [T], n: usize, m: usize) {
        for j in 2..n - 2 {
            for i in 2..m - 2 {
                y[j * m + i] = x[(j - 2) * m + i]
                    + T::from_f64(2.0) * x[(j - 1) * m + i - 1] - T::from_f64(8.0) * x[(j - 1) * m + i] + T::from_f64(2.0) * x[(j - 1) * m + i + 1]
                    + x[j * m + i - 2] - T::from_f64(8.0) * x[j * m + i - 1] + T::from_f64(20.0) * x[j * m + i]
                    - T::from_f64(8.0) * x[j * m + i + 1] + x[j * m + i + 2]
                    + T::from_f64(2.0) * x[(j + 1) * m + i - 1] - T::from_f64(8.0) * x[(j + 1) * m + i] + T::from_f64(2.0) * x[(j + 1) * m + i + 1]
                    + x[(j + 2) * m + i];
            }
        }
    }

    /// Two derivatives, each a sum with differences in it.
    pub fn edges<T: Real>(x: &[T], y: &mut [T], n: usize, m: usize) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                let gx = x[(j - 1) * m + i + 1] + T::from_f64(2.0) * x[j * m + i + 1] + x[(j + 1) * m + i + 1]
                    - x[(j - 1) * m + i - 1] - T::from_f64(2.0) * x[j * m + i - 1] - x[(j + 1) * m + i - 1];
                let gy = x[(j + 1) * m + i - 1] + T::from_f64(2.0) * x[(j + 1) * m + i] + x[(j + 1) * m + i + 1]
                    - x[(j - 1) * m + i - 1] - T::from_f64(2.0) * x[(j - 1) * m + i] - x[(j - 1) * m + i + 1];
                y[j * m + i] = (gx * gx + gy * gy).sqrt();
            }
        }
    }

    /// Scharr's derivatives: other weights, written as differences.
    pub fn scharr<T: Real>(x: &[T], y: &mut [T], n: usize, m: usize) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                let gx = T::from_f64(3.0) * (x[(j - 1) * m + i + 1] - x[(j - 1) * m + i - 1])
                    + T::from_f64(10.0) * (x[j * m + i + 1] - x[j * m + i - 1])
                    + T::from_f64(3.0) * (x[(j + 1) * m + i + 1] - x[(j + 1) * m + i - 1]);
                let gy = T::from_f64(3.0) * (x[(j + 1) * m + i - 1] - x[(j - 1) * m + i - 1])
                    + T::from_f64(10.0) * (x[(j + 1) * m + i] - x[(j - 1) * m + i])
                    + T::from_f64(3.0) * (x[(j + 1) * m + i + 1] - x[(j - 1) * m + i + 1]);
                y[j * m + i] = gx * gx + gy * gy;
            }
        }
    }

    /// Rings of neighbours with weights that are known at run time.
    pub fn rings<T: Real>(x: &[T], w: &[T; 4], y: &mut [T], n: usize, m: usize) {
        for j in 2..n - 2 {
            for i in 2..m - 2 {
                y[j * m + i] = w[0] * x[j * m + i]
                    + w[1] * (x[(j - 1) * m + i] + x[(j + 1) * m + i] + x[j * m + i - 1] + x[j * m + i + 1])
                    + w[2] * (x[(j - 1) * m + i - 1] + x[(j - 1) * m + i + 1]
                        + x[(j + 1) * m + i - 1] + x[(j + 1) * m + i + 1])
                    + w[3] * (x[(j - 2) * m + i] + x[(j + 2) * m + i] + x[j * m + i - 2] + x[j * m + i + 2]);
            }
        }
    }

    /// Differences of neighbours stay differences: nearly constant fields lose no digits.
    pub fn fluxes<T: Real>(x: &[T], w: &[T; 2], y: &mut [T], n: usize, m: usize) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                y[j * m + i] = w[0] * (x[j * m + i + 1] - x[j * m + i - 1]) + w[1] * (x[(j + 1) * m + i] - x[(j - 1) * m + i]);
            }
        }
    }

    /// Windows of nine in both directions.
    pub fn windows<T: Real>(x: &[T], y: &mut [T], n: usize, m: usize) {
        for j in 4..n - 4 {
            for i in 4..m - 4 {
                let mut s = T::zero();
                for k in 0..9 {
                    for l in 0..9 {
                        s += x[(j + k - 4) * m + i + l - 4];
                    }
                }
                y[j * m + i] = s;
            }
        }
    }

    /// Twenty-seven points, weights by the distance, three of them in one line of the text each.
    pub fn classes<T: Real>(x: &[T], w: &[T; 4], y: &mut [T], l: usize, n: usize, m: usize) {
        for k in 1..l - 1 {
            for j in 1..n - 1 {
                for i in 1..m - 1 {
                    y[(k * n + j) * m + i] = w[0] * x[(k * n + j) * m + i]
                        + w[1] * (x[(k * n + j) * m + i - 1] + x[(k * n + j) * m + i + 1]
                            + x[(k * n + j - 1) * m + i] + x[(k * n + j + 1) * m + i]
                            + x[((k - 1) * n + j) * m + i] + x[((k + 1) * n + j) * m + i])
                        + w[2] * (x[(k * n + j - 1) * m + i - 1] + x[(k * n + j - 1) * m + i + 1]
                            + x[(k * n + j + 1) * m + i - 1] + x[(k * n + j + 1) * m + i + 1]
                            + x[((k - 1) * n + j) * m + i - 1] + x[((k - 1) * n + j) * m + i + 1]
                            + x[((k + 1) * n + j) * m + i - 1] + x[((k + 1) * n + j) * m + i + 1]
                            + x[((k - 1) * n + j - 1) * m + i] + x[((k - 1) * n + j + 1) * m + i]
                            + x[((k + 1) * n + j - 1) * m + i] + x[((k + 1) * n + j + 1) * m + i])
                        + w[3] * (x[((k - 1) * n + j - 1) * m + i - 1] + x[((k - 1) * n + j - 1) * m + i + 1]
                            + x[((k - 1) * n + j + 1) * m + i - 1] + x[((k - 1) * n + j + 1) * m + i + 1]
                            + x[((k + 1) * n + j - 1) * m + i - 1] + x[((k + 1) * n + j - 1) * m + i + 1]
                            + x[((k + 1) * n + j + 1) * m + i - 1] + x[((k + 1) * n + j + 1) * m + i + 1]);
                }
            }
        }
    }
}

fn filled(count: usize) -> Vec<f64> {
    let value = |k: usize| ((k * 7919) % 1013) as f64 / 1013.0 - 0.3;
    (0..count).map(value).collect()
}

fn counted(values: &[f64]) -> Vec<Counted<f64>> {
    values.iter().copied().map(Counted::new).collect()
}

fn close(name: &str, found: &[f64], expected: &[f64]) {
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs();
        assert!(
            error <= 1e-13 * (1.0 + expected.abs()),
            "{name} at {at}: {found} {expected}"
        );
    }
}

/// Rows and columns: as few as the stencils need, and those that no vector divides.
const SIZES: [(usize, usize); 7] = [(4, 4), (4, 9), (5, 5), (6, 20), (9, 37), (12, 70), (7, 101)];

/// Compares all variants with the text, and the operations of a point with those that are wanted.
macro_rules! image {
    ($name:ident, $halo:expr, $wanted:expr $(, $weights:expr)?) => {
        for (n, m) in SIZES.into_iter().filter(|(n, m)| *n.min(m) >= 2 * $halo) {
            let x = filled(n * m);
            let mut expected = vec![0.0; n * m];
            $name::reference(&x, $(&$weights,)? &mut expected, n, m);
            for isa in $name::variants() {
                let mut y = vec![0.0; n * m];
                if $name::with(*isa, &x, $(&$weights,)? &mut y, n, m).is_ok() {
                    close(stringify!($name), &y, &expected);
                }
            }
        }
        let (n, m) = (50, 200);
        let x = counted(&filled(n * m));
        let mut y = x.clone();
        let ((), cost) =
            Counted::<f64>::count(|| $name(&x, $(&$weights.map(Counted::new),)? &mut y, n, m));
        let points = ((n - 2 * $halo) * (m - 2 * $halo)) as f64;
        let each = cost.operations() as f64 / points;
        // Rows have some more sums than points.
        println!("{}: {each:.2} operations a point", stringify!($name));
        assert!(each <= f64::from($wanted) + 0.2, "{}: {each}", stringify!($name));
    };
}

#[test]
fn images_share_sums_of_neighbours() {
    image!(biharmonic, 2, 12);
    image!(flat, 2, 12);
    image!(edges, 1, 11);
    image!(scharr, 1, 13);
    image!(rings, 2, 14, [0.7, 0.3, -0.2, 0.11]);
    image!(fluxes, 1, 5, [0.7, -0.3]);
    image!(windows, 4, 8.4);
}

#[test]
fn volumes_share_sums_of_neighbours() {
    let w = [0.7, 0.3, -0.2, 0.11];
    for (l, n, m) in [(3, 3, 3), (3, 4, 9), (5, 4, 20), (4, 5, 37)] {
        let x = filled(l * n * m);
        let mut expected = vec![0.0; l * n * m];
        classes::reference(&x, &w, &mut expected, l, n, m);
        for isa in classes::variants() {
            let mut y = vec![0.0; l * n * m];
            if classes::with(*isa, &x, &w, &mut y, l, n, m).is_ok() {
                close("classes", &y, &expected);
            }
        }
    }
    let (l, n, m) = (10, 20, 130);
    let x = counted(&filled(l * n * m));
    let mut y = x.clone();
    let ((), cost) = Counted::<f64>::count(|| classes(&x, &w.map(Counted::new), &mut y, l, n, m));
    let each = cost.operations() as f64 / ((l - 2) * (n - 2) * (m - 2)) as f64;
    println!("classes: {each:.2} operations a point");
    assert!(each <= 16.2, "{each}");
}
