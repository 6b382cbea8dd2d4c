//! What stays sequential, and what the report says of it.

use loopwright::{Report, kernel};

use crate::compare::{EXACT, ROUNDED, SIZES, noise, same, vector};

kernel! {
    /// Gauss-Seidel: each value needs the one before it.
    pub fn gauss_seidel(b: &[f64], u: &mut [f64]) {
        for i in 1..b.len() - 1 {
            u[i] = 0.5 * (u[i - 1] + u[i + 1] + b[i]);
        }
    }

    pub fn prefix_sum(u: &mut [f64]) {
        for i in 1..u.len() {
            u[i] += u[i - 1];
        }
    }

    pub fn shifted_up(u: &mut [f64]) {
        for i in 3..u.len() {
            u[i] = u[i - 3];
        }
    }

    pub fn reversed(n: usize, u: &mut [f64]) {
        for i in 0..n {
            u[i] = u[n - 1 - i];
        }
    }

    pub fn transposed(a: &mut [[f64; 5]; 5]) {
        for i in 0..5 {
            for j in 0..5 {
                a[i][j] = a[j][i];
            }
        }
    }

    pub fn pascal(a: &mut [[f64; 8]; 8]) {
        for i in 1..8 {
            for j in 1..8 {
                a[i][j] = a[i - 1][j] + a[i][j - 1];
            }
        }
    }

    pub fn recurrence(x: &[f64], s: &mut f64) {
        for i in 0..x.len() {
            *s = *s * x[i] + 1.0;
        }
    }

    pub fn delayed(x: &[f64], y: &mut [f64], z: &mut [f64]) {
        for i in 1..x.len() {
            z[i] = y[i - 1];
            y[i] = x[i];
        }
    }

    pub fn accumulated_and_read(a: &[[f64; 6]; 6], y: &mut [f64; 6]) {
        for i in 0..6 {
            for j in 0..6 {
                y[i] += a[i][j] * y[j];
            }
        }
    }

    pub fn mapped(map: &[usize], y: &mut [f64]) {
        for i in 0..map.len() {
            y[i] = y[map[i]];
        }
    }
}

#[track_caller]
fn assert_noted(report: &Report, reason: &str) {
    assert_eq!(report.source, report.expansion);
    let [note] = report.notes else {
        panic!("{report}")
    };
    assert!(
        note.contains("runs as written") && note.contains(reason),
        "{note}"
    );
    let line = note
        .split("(line ")
        .nth(1)
        .map(|rest| rest.split([';', ')']).next());
    assert!(
        line.flatten()
            .is_some_and(|line| line.parse::<usize>().is_ok()),
        "{note}"
    );
}

#[test]
fn sequential_loops_stay_sequential() {
    for n in SIZES.map(|n| n + 2) {
        let (b, u, z) = (vector(n, 0), vector(n, 40), vector(n, 80));
        same!(gauss_seidel(&b; u), ROUNDED);
        same!(prefix_sum(; u), EXACT);
        same!(reversed(n; u), EXACT);
        same!(delayed(&b; u, z), EXACT);
        let s = 0.5;
        same!(recurrence(&b; s), EXACT);
        let map: Vec<usize> = (0..n).map(|i| (5 * i + 3) % n).collect();
        same!(mapped(&map; u), EXACT);
        let u = vector(n + 1, 0);
        same!(shifted_up(; u), EXACT);
    }
    let a: [[f64; 5]; 5] = std::array::from_fn(|i| std::array::from_fn(|j| noise(5 * i + j)));
    same!(transposed(; a), EXACT);
    let a: [[f64; 8]; 8] = std::array::from_fn(|i| std::array::from_fn(|j| noise(8 * i + j)));
    same!(pascal(; a), EXACT);
    let a: [[f64; 6]; 6] = std::array::from_fn(|i| std::array::from_fn(|j| noise(6 * i + j)));
    let y: [f64; 6] = std::array::from_fn(noise);
    same!(accumulated_and_read(&a; y), EXACT);
    let mut u = [1.0, 2.0, 3.0, 4.0];
    prefix_sum(&mut u);
    assert_eq!(u, [1.0, 3.0, 6.0, 10.0]);
    reversed(4, &mut u);
    assert_eq!(u, [10.0, 6.0, 6.0, 10.0]);
}

#[test]
fn notes_name_the_dependence() {
    let earlier = |array: &str, index: &str, distance: &str| {
        (
            format!("`{array}` is read where line "),
            format!("wrote it in an earlier iteration of `{index}`{distance}"),
        )
    };
    let check = |report: &Report, (first, second): (String, String)| {
        assert_noted(report, &first);
        assert_noted(report, &second);
    };
    check(&reversed::REPORT, earlier("u", "i", ""));
    check(&transposed::REPORT, earlier("a", "i", ""));
    check(&mapped::REPORT, earlier("y", "i", ""));
    assert_noted(
        &recurrence::REPORT,
        "iterations of `i` assign elements of `s` again",
    );
    assert_noted(&accumulated_and_read::REPORT, "`y` is read where line ");
}
