//! What runs as written makes its accesses before it writes anything: it panics where its text does, and
//! nowhere else, and then nothing was written.
#![allow(missing_docs, reason = "kernels of tests")]

#[macro_use]
#[path = "support/inspected.rs"]
mod support;

use loopwright::kernel;
use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use support::{Numbers, is_inspected, panics};

kernel! {
    pub fn anchored(n: usize, b: &[f64], u: &mut [f64]) {
        for i in 1..n - 1 {
            u[i] = 0.5 * (u[1] + u[i + 1] + b[i]);
        }
    }

    pub fn prefix_sum(n: usize, x: &[f64], y: &mut [f64]) {
        let mut sum = 0.0;
        for i in 0..n {
            sum += x[i];
            y[i] = sum;
        }
    }

    pub fn backwards(n: usize, x: &[f64], y: &mut [f64]) {
        for i in (0..n).rev() {
            y[i] = x[n - i] + y[n - 1];
        }
    }

    pub fn every_third(n: usize, x: &[f64], y: &mut [f64]) {
        for i in (1..n).step_by(3) {
            y[i] = x[i - 1] + y[1];
        }
    }

    pub fn inclusive(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 1..=n {
            y[i] = x[i] + y[1];
        }
    }

    pub fn lower_triangle(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..i {
                y[i] += x[2 * j + 1] * y[j];
            }
        }
    }

    pub fn shrinking(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in i..n - i {
                y[i + j] += x[2 * i + 3];
            }
        }
    }

    pub fn strides(n: usize, s: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..3 {
                y[i * s + j] = x[j * n + i] + y[i];
            }
        }
    }

    pub fn middles(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            y[i] = x[i / 2] + x[i % 3] + x[i * i / 4] + x[i & 5] + x[i >> 1] + x[(i + 1) / 2 + n / 3];
        }
    }

    pub fn hill(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            y[i] = x[i * (n - i)];
        }
    }

    pub fn rows(n: usize, start: &[usize], column: &[u32], a: &[f64], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for k in start[i]..start[i + 1] {
                y[i] += a[k] * x[column[k] as usize];
            }
        }
    }

    pub fn narrow(n: usize, m: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            y[i] = x[m[i] as u8 as usize];
        }
    }

    pub fn corners(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..m {
                let left = if i > j { x[i - j - 1] } else { x[j] };
                y[i * m + j] = left + y[i];
            }
        }
    }

    pub fn clamped(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            let before = if i > 2 { i - 2 } else { 0 };
            y[i] = x[before] + y[i.min(5)] + x[i.saturating_sub(3)];
        }
    }

    pub fn running(n: usize, step: usize, x: &[f64], y: &mut [f64]) {
        let mut at = 0;
        for i in 0..n {
            y[i] = x[at] + y[0];
            at += step;
        }
    }

    pub fn largest(n: usize, x: &[f64], y: &mut [f64]) {
        let mut most = x[0];
        for i in 0..n {
            most = if x[i] > most { x[i] } else { most };
            y[i] = 2.0 * most;
        }
    }

    pub fn window(n: usize, x: &[[f64; 3]], y: &mut [f64]) {
        let mut kept = [0.0; 4];
        for i in 0..n {
            kept[i % 4] = third(&x[i], i);
            y[i] = kept[(i + 1) % 4];
        }
    }

    fn third(row: &[f64; 3], at: usize) -> f64 {
        row[at / 4]
    }

    pub fn swept(n: usize, x: &[f64], y: &mut [f64]) {
        let mut t = vec![0.0; n + 1];
        for i in 0..x.len() {
            t[i + 1] = t[1] + x[i];
            y[i] = t[i + 1];
        }
    }

    pub fn signed(n: i64, d: i64, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            y[i as usize] = x[(i + d) as usize] + y[0];
        }
    }

    pub fn local_map(n: usize, x: &[f64], y: &mut [f64]) {
        let mut map = [0usize; 4];
        for i in 0..4 {
            map[i] = i * n;
        }
        for i in 0..n {
            y[i] = x[map[i % 4]] + y[0];
        }
    }

    pub fn view(n: usize, x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        for i in 0..n {
            for j in 1..x.ncols() {
                y[[i, j]] = y[[i, 1]] + x[[j, i]];
            }
        }
    }

    pub fn masked(n: usize, mask: &[u8], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            y[i] = if mask[i] > 1 { x[2 * i] } else { y[0] };
        }
    }

    pub fn bytes(n: usize, x: &[u8], y: &mut [u8]) {
        for i in 0..n {
            y[i] = x[i + 1] - x[i];
        }
    }
}

kernel! {
    /// What is written decides what is read.
    pub fn chain(n: usize, next: &mut [usize], x: &mut [f64]) {
        for i in 0..n {
            next[i] = next[next[i]];
            x[i] = x[next[i]];
        }
    }

    pub fn threshold(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            y[i] = if y[i] > 1.0 { x[i] } else { y[0] };
        }
    }

    #[opt(fallback)]
    pub fn doubling(x: &[f64], y: &mut [f64]) {
        let mut i = 1;
        while i < y.len() {
            y[i] = x[i];
            i *= 2;
        }
    }
}

#[test]
fn loops_along_arrays() {
    // A bound that underflows ends no loop.
    compare!(anchored, r, r.vector(12), |y, run| run(
        1 + r.below(14),
        &r.vector(14),
        y
    ));
    compare!(prefix_sum, r, r.vector(9), |y, run| run(
        r.below(9),
        &r.vector(9),
        y
    ));
    compare!(backwards, r, r.vector(12), |y, run| run(
        r.below(9),
        &r.vector(12),
        y
    ));
    compare!(every_third, r, r.vector(12), |y, run| run(
        r.below(14),
        &r.vector(14),
        y
    ));
    compare!(inclusive, r, r.vector(12), |y, run| run(
        r.below(9),
        &r.vector(12),
        y
    ));
    compare!(lower_triangle, r, r.vector(12), |y, run| run(
        r.below(8),
        &r.vector(20),
        y
    ));
    compare!(shrinking, r, r.vector(12), |y, run| run(
        r.below(9),
        &r.vector(14),
        y
    ));
}

#[test]
fn computed_subscripts() {
    compare!(strides, r, r.vector(40), |y, run| run(
        r.below(7),
        r.below(7),
        &r.vector(30),
        y
    ));
    compare!(middles, r, r.vector(12), |y, run| run(
        r.below(9),
        &r.vector(20),
        y
    ));
    compare!(hill, r, r.vector(12), |y, run| run(
        r.below(9),
        &r.vector(30),
        y
    ));
    compare!(rows, r, r.vector(6), |y, run| {
        let start: Vec<usize> = (0..4).map(|_| r.below(9)).collect();
        let column: Vec<u32> = (0..8).map(|_| r.below(5) as u32).collect();
        run(r.below(5), &start, &column, &r.vector(14), &r.vector(9), y)
    });
    compare!(narrow, r, r.vector(6), |y, run| {
        let map: Vec<u32> = (0..5)
            .map(|_| 256 * r.below(3) as u32 + r.below(5) as u32)
            .collect();
        run(r.below(5), &map, &r.vector(9), y)
    });
}

#[test]
fn conditions_and_what_changes() {
    compare!(corners, r, r.vector(30), |y, run| run(
        r.below(6),
        r.below(6),
        &r.vector(9),
        y
    ));
    compare!(clamped, r, r.vector(14), |y, run| run(
        r.below(12),
        &r.vector(12),
        y
    ));
    compare!(running, r, r.vector(14), |y, run| run(
        r.below(6),
        r.below(4),
        &r.vector(18),
        y
    ));
    compare!(largest, r, r.vector(14), |y, run| run(
        r.below(12),
        &r.vector(12),
        y
    ));
    compare!(window, r, r.vector(24), |y, run| {
        let x = vec![[1.0, 2.0, 3.0]; r.below(24)];
        run(r.below(20), &x, y)
    });
    compare!(swept, r, r.vector(14), |y, run| run(
        r.below(12),
        &r.vector(12),
        y
    ));
    compare!(signed, r, r.vector(9), |y, run| {
        run(
            r.below(9) as i64 - 1,
            r.below(5) as i64 - 2,
            &r.vector(12),
            y,
        )
    });
    compare!(local_map, r, r.vector(9), |y, run| run(
        r.below(9),
        &r.vector(22),
        y
    ));
}

#[test]
fn views_and_integers_as_data() {
    compare!(
        view,
        r,
        Array2::from_elem((r.below(6), r.below(6)), 1.0),
        |y, run| {
            let x = Array2::from_elem((r.below(6), r.below(6)), 2.0);
            run(r.below(5), x.view(), y.view_mut())
        }
    );
    compare!(masked, r, r.vector(9), |y, run| {
        let mask: Vec<u8> = (0..8).map(|_| r.below(3) as u8).collect();
        run(r.below(9), &mask, &r.vector(14), y)
    });
    compare!(bytes, r, vec![1_u8; r.below(9)], |y, run| {
        run(r.below(9), &vec![9; r.below(9)], y)
    });
}

#[test]
fn reports_say_what_is_not_known_before_the_text_runs() {
    for (report, why) in [
        (chain::REPORT, "entries of `next`, which the kernel writes"),
        (
            threshold::REPORT,
            "an access under a condition that follows from what is computed",
        ),
    ] {
        let note = report
            .notes
            .iter()
            .find(|note| note.starts_with("runs as written"));
        assert!(note.is_some_and(|note| note.contains(why)), "{report}");
        assert!(!is_inspected(&report));
    }
    assert!(!is_inspected(&doubling::REPORT));
}

mod arrays_that_change {
    use loopwright::kernel;

    kernel! {
        /// A shorter one takes the place of a longer one.
        pub fn swapped(n: usize, x: &[f64], y: &mut [f64]) {
            let mut all = vec![0.0; n];
            let mut some = vec![0.0; n / 2];
            for i in 0..n {
                all[i] = x[i];
            }
            for i in 0..n / 2 {
                some[i] = all[2 * i];
            }
            std::mem::swap(&mut all, &mut some);
            for i in 0..all.len() / 2 {
                y[i] = all[2 * i];
            }
        }

        pub fn assigned(n: usize, x: &[f64], y: &mut [f64]) {
            let mut all = vec![1.0; n];
            all[0] = x[0];
            all = vec![2.0; n / 2];
            for i in 0..all.len() {
                y[i] = all[i] + x[i];
            }
        }
    }

    #[test]
    fn lengths_of_other_arrays_are_not_taken_for_those_of_the_first() {
        for n in 1..9 {
            let x: Vec<f64> = (0..n).map(|i| i as f64).collect();
            let (mut found, mut expected) = (vec![0.0; n / 4], vec![0.0; n / 4]);
            swapped::reference(n, &x, &mut expected);
            swapped(n, &x, &mut found);
            assert_eq!(found, expected, "{n}");
            let (mut found, mut expected) = (vec![0.0; n / 2], vec![0.0; n / 2]);
            assigned::reference(n, &x, &mut expected);
            assigned(n, &x, &mut found);
            assert_eq!(found, expected, "{n}");
        }
    }
}
