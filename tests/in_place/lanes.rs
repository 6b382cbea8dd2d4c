//! What dependence tests let through, in every variant.

use loopwright::{Isa, Report, kernel};

use crate::compare::{EXACT, ROUNDED, SIZES, noise, same, vector};

kernel! {
    pub fn axpby(alpha: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = alpha * y[i] + x[i];
        }
    }

    #[opt(strict)]
    pub fn axpby_strict(alpha: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = alpha * y[i] + x[i];
        }
    }

    #[opt(level = 0)]
    pub fn axpby_as_is(alpha: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = alpha * y[i] + x[i];
        }
    }

    pub fn scaled(alpha: f32, y: &mut [f32]) {
        for i in 0..y.len() {
            y[i] *= alpha;
            y[i] /= 3.0;
        }
    }

    pub fn matrix(s: f64, b: &[[f64; 11]; 7], a: &mut [[f64; 7]; 11]) {
        for i in 0..11 {
            for j in 0..7 {
                a[i][j] = a[i][j] * s + b[j][i];
            }
        }
    }

    pub fn copied(n: usize, u: &mut [f64]) {
        for i in 0..n {
            u[i + n] = u[i];
        }
    }

    #[opt(lanes(i))]
    pub fn odd_to_even(n: usize, x: &mut [f64]) {
        for i in 0..n {
            x[2 * i] = x[2 * i + 1];
        }
    }

    pub fn shifted_down(u: &mut [f64]) {
        for i in 0..u.len() - 1 {
            u[i] = 2.0 * u[i + 1] - u[i];
        }
    }

    pub fn shifted_down_fixed(u: &mut [f64; 30]) {
        for i in 0..27 {
            u[i] = u[i + 3] * 0.5;
        }
    }

    #[opt(lanes(i))]
    pub fn shifted_up_backwards(u: &mut [f64]) {
        for i in (1..u.len()).rev() {
            u[i] = u[i - 1];
        }
    }

    pub fn swapped(a: &mut [f64], b: &mut [f64]) {
        for i in 0..a.len() {
            let t = a[i];
            a[i] = b[i];
            b[i] = t;
        }
    }

    pub fn butterfly(w: &[f64], y: &mut [[f64; 2]]) {
        for e in 0..y.len() {
            let t = w[e] * y[e][1];
            let s = y[e][0];
            y[e][0] = s + t;
            y[e][1] = s - t;
        }
    }

    pub fn chained(x: &[f64], y: &mut [f64], z: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i] * 2.0 + y[i];
            z[i] = y[i] + 1.0;
            y[i] = z[i] * y[i] - x[i];
        }
    }

    pub fn jacobi(f: &[f64], u: &mut [f64], v: &mut [f64]) {
        for i in 0..f.len() - 2 {
            v[i + 1] = 0.5 * (u[i] + u[i + 2] - f[i + 1]);
        }
        for i in 0..f.len() - 2 {
            u[i + 1] = v[i + 1];
        }
    }

    /// Two sums of the same products, of which one changes in between.
    pub fn summed_twice(w: &[f64; 8], v: &[f64; 8], u: &mut [f64; 8], r: &mut [f64; 2]) {
        let mut before = 0.0;
        for q in 0..8 {
            before += w[q] * u[q] + v[q] * w[q];
        }
        for i in 0..8 {
            u[i] += v[i];
        }
        let mut after = 0.0;
        for q in 0..8 {
            after += w[q] * u[q] + 2.0 * (v[q] * w[q]);
        }
        r[0] = before;
        r[1] = after;
    }

    #[opt(lanes(i))]
    pub fn red_black(n: usize, u: &mut [f64]) {
        for i in 0..n {
            u[2 * i + 1] = 0.5 * (u[2 * i] + u[2 * i + 2]);
        }
        for i in 0..n {
            u[2 * i + 2] = 0.5 * (u[2 * i + 1] + u[2 * i + 3]);
        }
    }

    pub fn normalised(p: &mut [[f64; 3]]) {
        for e in 0..p.len() {
            let mut norm = 0.0;
            for k in 0..3 {
                norm += p[e][k] * p[e][k];
            }
            for k in 0..3 {
                p[e][k] /= norm.sqrt();
            }
        }
    }

    pub fn smoothed(a: &mut [[f64; 20]; 9], b: &mut [[f64; 20]; 9]) {
        for i in 0..9 {
            for j in 0..20 {
                b[i][j] = a[i][j] * 3.0;
            }
        }
        for i in 1..8 {
            for j in 1..19 {
                a[i][j] = b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1] - a[i][j];
            }
        }
    }

    #[opt(lanes(i))]
    pub fn halves_reversed(m: usize, u: &mut [f64]) {
        for i in 0..m {
            let t = u[i];
            u[i] = u[2 * m - 1 - i];
            u[2 * m - 1 - i] = t;
        }
    }

    pub fn matvec(a: &[[f64; 6]], x: &[f64; 6], y: &mut [f64]) {
        for e in 0..a.len() {
            y[e] *= 0.5;
            for j in 0..6 {
                y[e] += a[e][j] * x[j];
            }
            y[e] = y[e] * y[e];
        }
    }

    pub fn diagonal_shift(a: &mut [[f64; 12]; 12]) {
        for i in 0..11 {
            for j in 1..12 {
                a[i][j] = a[i + 1][j - 1] * 2.0;
            }
        }
    }

    pub fn first_to_all(y: &mut [f64; 17]) {
        for i in 1..17 {
            y[i] = y[0] + y[i];
        }
    }
}

/// Three instruction sets, and nothing that stopped the compiler.
#[track_caller]
fn assert_vectorised(report: &Report, variants: &[Isa]) {
    assert!(report.notes.is_empty(), "{report}");
    assert_eq!(variants.len(), 3);
    let mut decided = report.passes.iter().flat_map(|pass| pass.decisions);
    let lanes = decided
        .any(|d| d.starts_with("width 4, lanes over `") || d.starts_with("width 8, lanes over `"));
    assert!(lanes, "{report}");
}

#[test]
fn places_of_their_own() {
    for n in SIZES {
        let (x, y) = (vector(n, 0), vector(n + 2, 50));
        same!(axpby(0.75, &x; y), ROUNDED);
        same!(axpby_strict(0.75, &x; y), EXACT);
        same!(axpby_as_is(0.75, &x; y), EXACT);
        let y: Vec<f32> = (0..n).map(|i| noise(i) as f32).collect();
        same!(scaled(1.25; y), 1e-6);
        let p: Vec<[f64; 3]> = (0..n)
            .map(|i| [0, 1, 2].map(|k| noise(3 * i + k)))
            .collect();
        same!(normalised(; p), ROUNDED);
    }
    let b: [[f64; 11]; 7] = std::array::from_fn(|i| std::array::from_fn(|j| noise(11 * i + j)));
    let a: [[f64; 7]; 11] = std::array::from_fn(|i| std::array::from_fn(|j| noise(7 * i + j + 99)));
    same!(matrix(0.5, &b; a), ROUNDED);
    assert_vectorised(&axpby::REPORT, axpby::variants());
    assert_vectorised(&scaled::REPORT, scaled::variants());
    assert_vectorised(&matrix::REPORT, matrix::variants());
    assert_vectorised(&normalised::REPORT, normalised::variants());
    assert!(axpby_strict::REPORT.notes.is_empty());
    assert_eq!(axpby_as_is::REPORT.source, axpby_as_is::REPORT.expansion);
}

#[test]
fn sums_of_what_changes_in_between() {
    let [w, v, u]: [[f64; 8]; 3] = [0, 20, 40].map(|from| std::array::from_fn(|i| noise(i + from)));
    let r = [0.0; 2];
    same!(summed_twice(&w, &v; u, r), ROUNDED);
    assert!(summed_twice::REPORT.notes.is_empty());
}

#[test]
fn places_apart() {
    for n in SIZES {
        let u = vector(2 * n + 3, 0);
        same!(copied(n; u), EXACT);
        same!(odd_to_even(n; u), EXACT);
        same!(red_black(n; u), ROUNDED);
        same!(halves_reversed(n; u), EXACT);
    }
    assert_vectorised(&copied::REPORT, copied::variants());
    assert_vectorised(&odd_to_even::REPORT, odd_to_even::variants());
    assert_vectorised(&red_black::REPORT, red_black::variants());
    assert_vectorised(&halves_reversed::REPORT, halves_reversed::variants());
}

#[test]
fn places_that_are_written_later() {
    for n in SIZES {
        let u = vector(n + 1, 0);
        same!(shifted_down(; u), ROUNDED);
        same!(shifted_up_backwards(; u), EXACT);
    }
    let u: [f64; 30] = std::array::from_fn(noise);
    same!(shifted_down_fixed(; u), EXACT);
    let a: [[f64; 12]; 12] = std::array::from_fn(|i| std::array::from_fn(|j| noise(12 * i + j)));
    same!(diagonal_shift(; a), EXACT);
    let y: [f64; 17] = std::array::from_fn(noise);
    same!(first_to_all(; y), EXACT);
    assert_vectorised(&shifted_down::REPORT, shifted_down::variants());
    assert_vectorised(
        &shifted_up_backwards::REPORT,
        shifted_up_backwards::variants(),
    );
    assert_vectorised(&shifted_down_fixed::REPORT, shifted_down_fixed::variants());
    assert_vectorised(&diagonal_shift::REPORT, diagonal_shift::variants());
    assert_vectorised(&first_to_all::REPORT, first_to_all::variants());
}

#[test]
fn several_statements() {
    for n in SIZES {
        let (a, b) = (vector(n, 0), vector(n + 1, 60));
        same!(swapped(; a, b), EXACT);
        let w = vector(n, 0);
        let y: Vec<[f64; 2]> = (0..n).map(|i| [noise(i), noise(i + 77)]).collect();
        same!(butterfly(&w; y), ROUNDED);
        let (y, z) = (vector(n, 30), vector(n, 60));
        same!(chained(&w; y, z), ROUNDED);
        let rows: Vec<[f64; 6]> = (0..n)
            .map(|e| std::array::from_fn(|j| noise(6 * e + j)))
            .collect();
        let x: [f64; 6] = std::array::from_fn(noise);
        same!(matvec(&rows, &x; y), ROUNDED);
    }
    assert_vectorised(&swapped::REPORT, swapped::variants());
    assert_vectorised(&butterfly::REPORT, butterfly::variants());
    assert_vectorised(&chained::REPORT, chained::variants());
    assert_vectorised(&matvec::REPORT, matvec::variants());
}

#[test]
fn nests_after_each_other() {
    for n in SIZES.map(|n| n + 2) {
        let (f, u, v) = (vector(n, 0), vector(n, 30), vector(n, 60));
        same!(jacobi(&f; u, v), ROUNDED);
    }
    let a: [[f64; 20]; 9] = std::array::from_fn(|i| std::array::from_fn(|j| noise(20 * i + j)));
    let b = a;
    same!(smoothed(; a, b), ROUNDED);
    assert_vectorised(&jacobi::REPORT, jacobi::variants());
    assert_vectorised(&smoothed::REPORT, smoothed::variants());
}

#[test]
fn bounds_are_checked_before_anything_is_written() {
    let mut u = [1.0; 9];
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| copied(5, &mut u)));
    let message = *panic.unwrap_err().downcast::<String>().unwrap();
    for part in ["`copied`", "`u`", "9"] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(u, [1.0; 9]);
}
