//! Kernels that no pass understands run as their text says, and the report says why.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Isa, Real, Report, kernel};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2};

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

kernel! {
    /// A method has this name, too.
    #[opt(fallback)]
    pub fn outer_iter(mut a: ArrayViewMut2<'_, f64>, x: ArrayView1<'_, f64>) -> usize {
        let mut k = 0;
        while k < a.outer_iter().count().min(3) {
            for mut row in a.rows_mut() { row += &x; }
            k += 1;
        }
        k
    }

    #[opt(fallback)]
    pub fn counted(a: ArrayView2<f64>) -> usize { a.outer_iter().count() }

    /// Steps in time that take turns by a swap of references.
    pub fn steps<'a>(count: usize, m: usize, mut a: &'a mut [f64], mut b: &'a mut [f64]) {
        for _ in 0..count {
            for i in 1..a.len() / m - 1 {
                for j in 1..m - 1 {
                    b[i * m + j] = 0.5 * a[i * m + j]
                        + 0.125 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
                }
            }
            std::mem::swap(&mut a, &mut b);
        }
    }

    /// A solver that ends when it has converged; numbers that loops assign come back from them.
    pub fn conjugate_gradients(n: usize, a: &[f64], b: &[f64], x: &mut [f64]) -> usize {
        let (mut r, mut p) = (b.to_vec(), b.to_vec());
        let mut direction = b.to_vec();
        direction.fill(0.0);
        let mut q = vec![0.0; n];
        let (mut rr, mut moved) = (0.0, 0.0);
        for i in 0..n {
            direction[i] = b[i];
            rr += b[i] * b[i];
        }
        let mut steps = 0;
        while rr > 1e-20 && steps < 3 * n {
            for i in 0..n {
                q[i] = 0.0;
                for j in 0..n {
                    q[i] += a[i * n + j] * direction[j];
                }
            }
            let mut along = 0.0;
            for i in 0..n {
                along += direction[i] * q[i];
            }
            let alpha = rr / along;
            let mut new = 0.0;
            for i in 0..n {
                x[i] += alpha * direction[i];
                r[i] -= alpha * q[i];
                new += r[i] * r[i];
                moved += (alpha * direction[i]).abs();
            }
            let beta = new / rr;
            for i in 0..n {
                direction[i] = r[i] + beta * direction[i];
            }
            rr = new;
            steps += 1;
        }
        p[0] = moved;
        x[0] += 0.0 * p[0];
        steps
    }

    /// Loops whose bounds follow from a loop around them.
    pub fn factorise<T: Real, const N: usize>(a: &mut [[T; N]; N]) {
        for k in 0..N {
            for i in k + 1..N {
                let factor = a[i][k] / a[k][k];
                a[i][k] = factor;
                for j in k + 1..N {
                    a[i][j] -= factor * a[k][j];
                }
            }
        }
    }

    /// The same in rows of run-time width.
    pub fn factorise_flat(n: usize, a: &mut [f32]) {
        for k in 0..n {
            for i in k + 1..n {
                let factor = a[i * n + k] / a[k * n + k];
                a[i * n + k] = factor;
                for j in k + 1..n {
                    a[i * n + j] -= factor * a[k * n + j];
                }
            }
        }
    }

    /// Names that stand for other things than they did before, and loops that leave what is around them.
    pub fn names(n: usize, x: &[f32], y: &mut [f64], z: &mut [f64]) -> f64 {
        let mut n = n;
        let mut total = 0.0;
        while n > 1 {
            n -= 1;
            for i in 0..n {
                y[i] += 0.5 * z[i] + x[i] as f64;
            }
            let x = &z[1..];
            let other: Vec<f64> = x.iter().map(|v| v * 2.0).collect();
            for i in 0..n {
                y[i] -= 0.25 * x[i] + other[i];
            }
            for i in 0..n {
                if y[i] < -1e9 {
                    return y[i];
                }
                total += y[i];
            }
            let n = n / 2;
            for i in 0..n {
                total += 0.125 * y[i];
            }
        }
        total
    }
}

/// Whether a kernel leaves what its text does, for each instruction set.
fn agree<S: Clone>(
    start: &S,
    text: impl Fn(&mut S),
    run: impl Fn(Isa, &mut S),
    values: impl Fn(&S) -> Vec<f64>,
) {
    let mut expected = start.clone();
    text(&mut expected);
    for isa in available() {
        let mut found = start.clone();
        run(isa, &mut found);
        let (found, expected) = (values(&found), values(&expected));
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-4 * (1.0 + b.abs());
        assert!(
            found.iter().zip(&expected).all(close),
            "{isa}: {found:?}, {expected:?}"
        );
    }
}

#[test]
fn nests_are_kernels_of_their_own() {
    let value = |at: usize| ((at * 7919 + 31) % 1000) as f64 / 997.0;
    let values =
        |seed: usize, count: usize| (0..count).map(|at| value(at + seed)).collect::<Vec<f64>>();
    for n in [1, 2, 5, 16, 17, 40] {
        let two = (values(1, 3 * n * n), values(2, 3 * n * n));
        for count in [0, 1, 6] {
            agree(
                &two,
                |s| steps::reference(count, n, &mut s.0, &mut s.1),
                |isa, s| steps::with(isa, count, n, &mut s.0, &mut s.1).unwrap(),
                |s| [s.0.clone(), s.1.clone()].concat(),
            );
        }
        let mut a = values(3, n * n);
        for i in 0..n {
            for j in 0..i {
                a[i * n + j] = a[j * n + i];
            }
            a[i * n + i] += n as f64;
        }
        let b = values(4, n);
        agree(
            &(vec![0.0; n], 0),
            |s| s.1 = conjugate_gradients::reference(n, &a, &b, &mut s.0),
            |isa, s| s.1 = conjugate_gradients::with(isa, n, &a, &b, &mut s.0).unwrap(),
            |s| s.0.clone(),
        );
        let flat: Vec<f32> = a.iter().map(|v| *v as f32).collect();
        agree(
            &flat,
            |s| factorise_flat::reference(n, s),
            |isa, s| factorise_flat::with(isa, n, s).unwrap(),
            |s| s.iter().map(|v| f64::from(*v)).collect(),
        );
        let x: Vec<f32> = b.iter().map(|v| *v as f32).collect();
        agree(
            &(values(5, n), values(6, n + 1), 0.0),
            |s| s.2 = names::reference(n, &x, &mut s.0, &mut s.1),
            |isa, s| s.2 = names::with(isa, n, &x, &mut s.0, &mut s.1).unwrap(),
            |s| [s.0.clone(), s.1.clone(), vec![s.2]].concat(),
        );
    }
    let (mut a, x) = (Array2::zeros((9, 7)), Array1::from_elem(7, 0.5));
    assert_eq!((outer_iter(a.view_mut(), x.view()), a.sum()), (3, 94.5));
    let mut square = [[0.0; 20]; 20];
    for (i, row) in square.iter_mut().enumerate() {
        *row = core::array::from_fn(|j| value(20 * i + j));
        row[i] += 20.0;
    }
    agree(
        &square,
        factorise::reference,
        |isa, s| factorise::with(isa, s).unwrap(),
        |s| s.as_flattened().to_vec(),
    );
    for report in [
        steps::steps_nest_0::REPORT,
        conjugate_gradients::conjugate_gradients_nest_1::REPORT,
        factorise_flat::factorise_flat_nest_0::REPORT,
        names::names_nest_0::REPORT,
    ] {
        assert!(report.lanes.iter().any(|lanes| lanes.width > 1), "{report}");
    }
    assert_noted(&steps::REPORT, "a reference is assigned");
    let notes = steps::REPORT.notes;
    assert!(
        notes
            .iter()
            .any(|note| note.contains("`steps::steps_nest_0`")),
        "{notes:?}"
    );
}
