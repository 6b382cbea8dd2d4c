//! Kernels that no pass understands run as their text says, and the report says why.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Isa, Report, kernel};

kernel! {
    /// Gauss-Seidel: each value needs the one before it.
    pub fn gauss_seidel(b: &[f64], u: &mut [f64]) {
        for i in 1..b.len() - 1 {
            u[i] = 0.5 * (u[i - 1] + u[i + 1] + b[i]);
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
    gauss_seidel(&[2.0; 5], &mut u);
    assert_eq!(u, [1.0, 1.5, 1.75, 4.375, 5.0]);
    assert_noted(
        &gauss_seidel::REPORT,
        "wrote it in an earlier iteration of `i` (distance 1)",
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
    assert_eq!(squares::variants(), &[Isa::Scalar]);
    assert!(squares::with(Isa::Avx2, &[1.0; 5], &mut y).is_err());
}
