//! Kernels that no pass understands run as their text says, and the report says why.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Isa, Real, Report, kernel};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};

kernel! {
    /// Each value needs one that is not known how far before it.
    pub fn delayed(s: usize, b: &[f64], u: &mut [f64]) {
        for i in s..b.len() - 1 {
            u[i] = 0.5 * (u[i - s] + u[i + 1] + b[i]);
        }
    }

    pub fn prefix_sum(x: &[f64], y: &mut [f64]) {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i];
            y[i] = sum;
        }
    }

    pub fn shift_in_place(u: &mut [f64]) {
        for i in 1..u.len() {
            u[i] = u[i - 1];
        }
    }

    pub fn triangle(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..i {
                y[i] += x[j];
            }
        }
    }

    pub fn dot(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * y[i];
        }
        sum
    }

    pub fn widen(x: &[f32], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i] as f64 * 2.0;
        }
    }

    #[opt(fallback)]
    pub fn squares(x: &[f64], y: &mut [f64]) {
        for i in 0..3 {
            y[i] = x[i * i];
        }
    }
}

fn assert_noted(report: &Report, reason: &str) {
    assert_eq!(report.source, report.expansion);
    let noted = report
        .notes
        .iter()
        .any(|n| n.contains("runs as written") && n.contains(reason));
    assert!(noted, "{report}");
}

#[test]
fn sequential_loops_stay_sequential() {
    let mut u = [1.0, 0.0, 0.0, 0.0, 5.0];
    delayed(1, &[2.0; 5], &mut u);
    assert_eq!(u, [1.0, 1.5, 1.75, 4.375, 5.0]);
    assert_noted(
        &delayed::REPORT,
        "wrote it in an earlier iteration of `i` (distance s)",
    );

    let mut y = [0.0; 4];
    prefix_sum(&[1.0, 2.0, 3.0, 4.0], &mut y);
    assert_eq!(y, [1.0, 3.0, 6.0, 10.0]);
    assert_noted(
        &prefix_sum::REPORT,
        "`sum` is read inside the loop that sums it up",
    );

    let mut u = [7.0, 1.0, 2.0, 3.0];
    shift_in_place(&mut u);
    assert_eq!(u, [7.0; 4]);
}

#[test]
fn other_shapes() {
    let mut y = [0.0; 4];
    triangle(4, &[1.0, 2.0, 4.0, 8.0], &mut y);
    assert_eq!(y, [0.0, 1.0, 3.0, 7.0]);
    assert_noted(&triangle::REPORT, "change in an outer loop");

    assert_eq!(dot(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]), 32.0);
    assert_eq!(dot::with(Isa::Scalar, &[2.0], &[4.0]), Ok(8.0));
    assert_eq!(dot::reference(&[2.0], &[4.0]), 8.0);

    let mut y = [0.0; 2];
    widen(&[1.5, -2.0], &mut y);
    assert_eq!(y, [3.0, -4.0]);
}

#[test]
fn fallback_takes_what_would_be_an_error() {
    let mut y = [0.0; 3];
    squares(&[1.0, 2.0, 3.0, 4.0, 5.0], &mut y);
    assert_eq!(y, [1.0, 2.0, 5.0]);
    assert_noted(&squares::REPORT, "not affine");
}

kernel! {
    /// One value after another, with helpers: of these the text has both kinds.
    pub fn relaxation(s: usize, b: &[f64], u: &mut [f64]) {
        for i in s..u.len() {
            u[i] = blend(u[i - s], b[i]);
        }
    }

    fn blend(a: f64, b: f64) -> f64 {
        0.5 * (step(a, b) + step(b, a))
    }

    fn step(a: f64, b: f64) -> f64 {
        a.mul_add(0.3, b) * 0.7 + a.max(b) * b.sqrt()
    }

    /// A scalar result, and a type and a `const` parameter.
    pub fn continued<T: Real, const N: usize>(x: &[[T; N]]) -> T {
        let mut value = T::zero();
        for e in 0..x.len() {
            for i in 0..N {
                value = x[e][i] / (T::from_f64(1.5) + value);
            }
        }
        value
    }

    /// Views by value, one of them written.
    pub fn rows(s: usize, x: ArrayView2<f32>, mut y: ArrayViewMut2<f32>) {
        for i in s..y.nrows() {
            for j in 0..y.ncols() {
                y[[i, j]] = y[[i - s, j]] * 0.25 + x[[i, j]];
            }
        }
    }

    /// Where `n` is less than 2 the text runs.
    pub fn ends(n: usize, x: &[f64], y: &mut [f64]) {
        y[0] += x[0] * 3.0;
        for i in 1..n - 1 {
            y[i] += x[i - 1] + x[i + 1];
        }
    }

    #[opt(isa = [avx2])]
    pub fn two(x: &[f64], y: &mut [f64]) {
        for i in 1..y.len() {
            y[i] = x[i] - y[i - 1];
        }
    }
}

/// The instruction sets of this processor.
fn available() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.is_available())
}

#[test]
fn the_text_is_compiled_for_each_instruction_set() {
    let all = [Isa::Avx512, Isa::Avx2, Isa::Scalar];
    for variants in [
        squares::variants(),
        relaxation::variants(),
        continued::variants(),
        rows::variants(),
    ] {
        assert_eq!(variants, all);
    }
    assert_eq!(two::variants(), &all[1..]);
    assert!(two::with(Isa::Avx512, &[1.0; 5], &mut [0.0; 5]).is_err());
    assert_noted(&relaxation::REPORT, "compiled for each instruction set");
}

#[test]
fn no_instruction_set_changes_a_bit() {
    let values = |n: usize| -> Vec<f64> {
        let step = |i: usize| 1.0 + ((i * 7919) % 1000) as f64 / 997.0;
        (0..n).map(step).collect()
    };
    let (b, nested) = (values(101), values(60));
    let x: Vec<[f64; 3]> = nested.chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
    let single: Vec<f32> = b.iter().map(|v| *v as f32).collect();
    let view = ArrayView2::from_shape((10, 10), &single[..100]).unwrap();
    let start = 0.3_f64;
    let mut expected = vec![start; 101];
    relaxation::reference(1, &b, &mut expected);
    let mut expected_rows = Array2::ones((10, 10));
    rows::reference(1, view, expected_rows.view_mut());
    for isa in available() {
        let mut u = vec![start; 101];
        relaxation::with(isa, 1, &b, &mut u).unwrap();
        assert!(
            u.iter()
                .zip(&expected)
                .all(|(a, b)| a.to_bits() == b.to_bits()),
            "{isa}"
        );
        let value = continued::with(isa, &x).unwrap();
        assert_eq!(value.to_bits(), continued::reference(&x).to_bits());
        let mut y = Array2::ones((10, 10));
        rows::with(isa, 1, view, y.view_mut()).unwrap();
        assert_eq!(y, expected_rows);
        let mut y = [0.0; 2];
        ends::with(isa, 1, &[2.0, 1.0], &mut y).unwrap();
        assert_eq!(y, [6.0, 0.0]);
    }
    let mut u = vec![start; 101];
    relaxation(1, &b, &mut u);
    assert_eq!(u, expected);
    assert_eq!(continued(&x), continued::reference(&x));
}
