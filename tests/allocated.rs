//! Arrays that kernels allocate, against `reference` in every variant.

#![allow(missing_docs, clippy::too_many_arguments, reason = "kernels of tests")]

use loopwright::{Report, Scalar, kernel};
use ndarray::Array2;

mod support;
use support::{each_variant, near, noise};

fn has_lanes(report: &Report) -> bool {
    let mut decisions = report.passes.iter().flat_map(|pass| pass.decisions);
    let mut notes = report.notes.iter();
    notes.all(|note| support::is_about_inputs(note))
        && decisions.any(|d| d.contains("width 4, lanes over `"))
}

const SIZES: [usize; 8] = [0, 1, 2, 4, 7, 8, 9, 17];

kernel! {
    /// Old values, kept in a vector, and pairs of them.
    pub fn smooth(u: &mut [f64]) {
        let n = u.len();
        let mut old = vec![0.0; n];
        let mut pairs = vec![[0.5; 2]; n];
        for i in 0..n {
            old[i] = u[i];
            pairs[i][1] += 2.0 * u[i];
        }
        for i in 0..old.len() {
            let left = if i > 0 { old[i - 1] } else { old[0] };
            u[i] = 0.5 * (left + mean(&old, i)) + pairs[i][1] * pairs[i][0];
        }
    }

    fn mean(x: &[f64], i: usize) -> f64 {
        0.25 * (x[i] + x[0])
    }

    /// Both directions one after the other.
    pub fn separable(n: usize, m: usize, u: &Array2<f64>, v: &mut Array2<f64>) {
        let mut rows = Array2::<f64>::zeros((n, m + 2));
        for i in 0..n {
            for j in 0..m + 2 {
                rows[[i, j]] = u[[i, j]] + 2.0 * u[[i + 1, j]] + u[[i + 2, j]];
            }
        }
        for i in 0..rows.nrows() {
            for j in 0..m {
                v[[i, j]] += rows[[i, j]] + 2.0 * rows[[i, j + 1]] + rows[[i, j + 2]];
            }
        }
    }

    /// In generic text, and in single precision.
    pub fn reverse<T: Scalar>(x: &mut [T]) {
        let n = x.len();
        let mut copy = vec![T::one(); n];
        for i in 0..n {
            copy[i] += x[i];
        }
        for i in 0..n {
            x[i] = copy[n - 1 - i] * copy[i];
        }
    }
}

#[test]
fn vectors() {
    assert!(has_lanes(&smooth::REPORT), "{}", smooth::REPORT);
    assert!(has_lanes(&reverse::REPORT), "{}", reverse::REPORT);
    for n in SIZES {
        let u: Vec<_> = (0..n).map(noise).collect();
        let mut expected = [u.clone(), u.clone()];
        smooth::reference(&mut expected[0]);
        reverse::reference(&mut expected[1]);
        each_variant(smooth::variants(), |isa| {
            let mut found = [u.clone(), u.clone()];
            smooth::with(isa, &mut found[0]).unwrap();
            reverse::with(isa, &mut found[1]).unwrap();
            for (found, expected) in found.iter().zip(&expected) {
                assert!(near(found, expected), "{isa:?}, n = {n}");
            }
            let mut single: Vec<_> = u.iter().map(|x| *x as f32).collect();
            reverse::with(isa, &mut single).unwrap();
            let mut both = single.iter().zip(&expected[1]);
            assert!(
                both.all(|(a, b)| (f64::from(*a) - b).abs() < 1e-5),
                "{isa:?}, n = {n}"
            );
        });
    }
}

#[test]
fn arrays_of_two_dimensions() {
    assert!(has_lanes(&separable::REPORT), "{}", separable::REPORT);
    for (n, m) in [(0, 3), (1, 1), (3, 8), (4, 17), (5, 2)] {
        let u = Array2::from_shape_fn((n + 2, m + 2), |(i, j)| noise(i * (m + 2) + j));
        let mut expected = Array2::from_elem((n, m), 0.25);
        separable::reference(n, m, &u, &mut expected);
        each_variant(separable::variants(), |isa| {
            let mut found = Array2::from_elem((n, m), 0.25);
            separable::with(isa, n, m, &u, &mut found).unwrap();
            let both = (found.as_slice().unwrap(), expected.as_slice().unwrap());
            assert!(near(both.0, both.1), "{isa:?}, {n} by {m}");
        });
    }
}

kernel! {
    /// Allocated anew in every iteration.
    pub fn anew(x: &mut [[f64; 3]]) {
        for e in 0..x.len() {
            let mut t = vec![0.0; 3];
            for i in 0..3 {
                t[i] = x[e][2 - i];
            }
            for i in 0..3 {
                x[e][i] = t[i];
            }
        }
    }
}

#[test]
fn allocated_in_a_loop_is_a_temporary() {
    assert_eq!(anew::REPORT.notes, [""; 0], "{}", anew::REPORT);
    for n in [0, 1, 2, 7, 33] {
        each_variant(anew::variants(), |isa| {
            let mut x = vec![[1.0, 2.0, 3.0]; n];
            anew::with(isa, &mut x).unwrap();
            assert_eq!(x, vec![[3.0, 2.0, 1.0]; n], "{isa}");
        });
    }
}

kernel! {
    /// Two products, one after the other, over vectors whose lengths are products, in either order.
    pub fn sequence<T: Scalar>(
        n: usize, m: usize, l: usize, a: &[T], b: &[T], c: &[T], y: &mut [T], z: &mut [T],
    ) {
        let mut t = vec![T::zero(); n * m];
        let mut u = vec![T::zero(); l * n];
        for i in 0..n {
            for j in 0..m {
                for k in 0..l {
                    t[i * m + j] += a[i * l + k] * b[k * m + j];
                }
            }
        }
        for i in 0..n {
            for k in 0..l {
                for j in 0..m {
                    u[i * l + k] += t[i * m + j] * c[k * m + j];
                }
                y[i * l + k] += u[i * l + k];
            }
        }
        for i in 0..n {
            for j in 0..m {
                z[i * m + j] = t[i * m + j] * t[i * m + j];
            }
        }
    }

    /// Subscripts do not say which rows the vector has.
    pub fn unshaped(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        let mut t = vec![0.0; n * m];
        for i in 0..x.len() {
            t[i] = 2.0 * x[i];
        }
        for i in 0..x.len() {
            y[i] += t[i] * t[i];
        }
    }
}

#[test]
fn vectors_whose_lengths_are_products() {
    assert!(has_lanes(&sequence::REPORT));
    let numbers = |n: usize| -> Vec<f64> {
        (0..n)
            .map(|at| (at * 37 % 101) as f64 / 50.0 - 1.0)
            .collect()
    };
    for n in [
        [1, 1, 1],
        [3, 5, 2],
        [2, 17, 9],
        [0, 4, 3],
        [3, 0, 2],
        [2, 3, 0],
        [11, 8, 16],
    ] {
        let [rows, columns, depth] = n;
        let (a, b, c) = (
            numbers(rows * depth),
            numbers(depth * columns),
            numbers(depth * columns),
        );
        let (y, z) = (numbers(rows * depth), numbers(rows * columns));
        let mut expected = (y.clone(), z.clone());
        sequence::reference(
            rows,
            columns,
            depth,
            &a,
            &b,
            &c,
            &mut expected.0,
            &mut expected.1,
        );
        for isa in sequence::variants().iter().filter(|isa| isa.is_available()) {
            let mut found = (y.clone(), z.clone());
            sequence::with(
                *isa,
                rows,
                columns,
                depth,
                &a,
                &b,
                &c,
                &mut found.0,
                &mut found.1,
            )
            .unwrap();
            for (found, expected) in [(&found.0, &expected.0), (&found.1, &expected.1)] {
                let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12 * (1.0 + b.abs());
                assert!(found.iter().zip(expected).all(near), "{isa} {n:?}");
            }
        }
    }
    let x = numbers(12);
    let (mut y, mut expected) = (x.clone(), x.clone());
    unshaped(3, 4, &x, &mut y);
    unshaped::reference(3, 4, &x, &mut expected);
    assert_eq!(y, expected);
}
