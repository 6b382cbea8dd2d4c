//! Slices that hold grids, subscripted `u[(k * ny + j) * nx + i]`.

#![allow(missing_docs, reason = "kernels of tests")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright::{Report, kernel};

mod support;
use support::{each_variant, near, noise};

fn has_lanes(report: &Report, over: &str) -> bool {
    let wanted = format!("width 4, lanes over `{over}` (");
    let mut decisions = report.passes.iter().flat_map(|pass| pass.decisions);
    let mut notes = report.notes.iter();
    notes.all(|note| support::is_about_inputs(note)) && decisions.any(|d| d.contains(&wanted))
}

kernel! {
    /// A box, its subscripts written in three ways.
    pub fn scale(nx: usize, ny: usize, nz: usize, w: &[f64], u: &[f64], v: &mut [f64]) {
        let plane = nx * ny;
        for k in 0..nz {
            for j in 0..ny {
                for i in 0..nx {
                    v[(k * ny + j) * nx + i] += w[j] * u[k * plane + j * nx + i] + u[i + nx * (j + ny * k)];
                }
            }
        }
    }

    /// Seven points inside, by distances from the one in the middle.
    pub fn laplace(nx: usize, ny: usize, nz: usize, u: &[f64], v: &mut [f64]) {
        for k in 1..nz - 1 {
            for j in 1..ny - 1 {
                for i in 1..nx - 1 {
                    let c = (k * ny + j) * nx + i;
                    v[c] = u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx] + u[c - nx * ny] + u[c + nx * ny]
                        - 6.0 * u[c];
                }
            }
        }
    }

    /// A star of four points in each direction, by rows and planes from the one in the middle.
    pub fn star(nx: usize, ny: usize, nz: usize, u: &[f64], v: &mut [f64]) {
        for k in 4..nz - 4 {
            for j in 4..ny - 4 {
                for i in 4..nx - 4 {
                    let at = (k * ny + j) * nx + i;
                    let w = [1.6, -0.2, 0.025, -0.0018];
                    let mut s = -8.5 * u[at];
                    for r in 1..5 {
                        s += w[r - 1] * (u[at - r] + u[at + r] + u[at - r * nx] + u[at + r * nx]
                            + u[at - r * nx * ny] + u[at + r * nx * ny]);
                    }
                    v[at] = s;
                }
            }
        }
    }

    /// Rows with a border: their length is a sum.
    pub fn bordered(n: usize, m: usize, u: &[f64], v: &mut [f64]) {
        for i in 0..n {
            for j in 0..m {
                v[i * m + j] = u[(i + 1) * (m + 2) + j + 1] - u[i * (m + 2) + j];
            }
        }
    }

    /// In place, periodic along the rows.
    pub fn shift(rows: usize, row: usize, x: &[f64], y: &mut [f64]) {
        for r in 0..rows {
            for c in 0..row {
                y[r * row + c] = 0.5 * y[r * row + c] + x[r * row + (c + 1) % row];
            }
        }
    }

    pub fn nested(a: &[[f64; 7]; 9], b: &[[f64; 7]; 6], c: &mut [[f64; 6]; 9]) {
        for i in 0..9 {
            for j in 0..6 {
                for k in 0..7 {
                    c[i][j] += a[i][k] * b[j][k];
                }
            }
        }
    }

    /// The same over slices.
    pub fn constant_rows(a: &[f64], b: &[f64], c: &mut [f64]) {
        for i in 0..9 {
            for j in 0..6 {
                for k in 0..7 {
                    c[i * 6 + j] += a[i * 7 + k] * b[j * 7 + k];
                }
            }
        }
    }

    /// Rows of nine of which seven are read: the last one may end there.
    pub fn starts_of_rows(n: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for k in 0..7 {
                y[i] += a[i * 9 + k + 1] * x[k];
            }
        }
    }

    /// What has rows at one place and none at another.
    pub fn rows_and_none(n: usize, a: &[f64], y: &mut [f64]) {
        for i in 0..8 {
            for k in 0..4 {
                y[i] += a[i * 4 + k];
            }
        }
        for i in 0..n {
            y[i % 8] += a[i];
        }
    }

    pub fn matrix_vector(n: usize, m: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..m {
                y[i] += a[i * m + j] * x[j];
            }
        }
    }
}

const BOXES: [(usize, usize, usize); 6] = [
    (0, 2, 3),
    (1, 1, 1),
    (3, 3, 3),
    (4, 3, 5),
    (9, 4, 3),
    (17, 3, 4),
];

#[test]
fn boxes() {
    assert!(has_lanes(&scale::REPORT, "i"), "{}", scale::REPORT);
    assert!(has_lanes(&laplace::REPORT, "i"), "{}", laplace::REPORT);
    for (nx, ny, nz) in BOXES {
        let count = nx * ny * nz;
        let u: Vec<_> = (0..count).map(noise).collect();
        let w: Vec<_> = (0..ny).map(|j| noise(j + 500)).collect();
        let mut scaled = vec![0.5; count];
        scale::reference(nx, ny, nz, &w, &u, &mut scaled);
        let mut inner = vec![0.5; count];
        if nx > 0 {
            laplace::reference(nx, ny, nz, &u, &mut inner);
        }
        each_variant(scale::variants(), |isa| {
            let mut found = vec![0.5; count];
            scale::with(isa, nx, ny, nz, &w, &u, &mut found).unwrap();
            assert!(near(&found, &scaled), "{isa:?}, {nx} {ny} {nz}");
            if nx > 0 {
                let mut found = vec![0.5; count];
                laplace::with(isa, nx, ny, nz, &u, &mut found).unwrap();
                assert!(near(&found, &inner), "{isa:?}, {nx} {ny} {nz}");
            }
        });
    }
}

#[test]
fn stars() {
    assert!(has_lanes(&star::REPORT, "i"), "{}", star::REPORT);
    for (nx, ny, nz) in [(8, 8, 8), (9, 9, 9), (15, 9, 10), (12, 11, 9), (30, 10, 9)] {
        let count = nx * ny * nz;
        let u: Vec<_> = (0..count).map(noise).collect();
        let mut expected = vec![0.5; count];
        star::reference(nx, ny, nz, &u, &mut expected);
        each_variant(star::variants(), |isa| {
            let mut found = vec![0.5; count];
            star::with(isa, nx, ny, nz, &u, &mut found).unwrap();
            assert!(near(&found, &expected), "{isa:?}, {nx} {ny} {nz}");
        });
    }
}

#[test]
fn rows() {
    assert!(has_lanes(&bordered::REPORT, "j"), "{}", bordered::REPORT);
    assert!(has_lanes(&shift::REPORT, "c"), "{}", shift::REPORT);
    assert!(
        has_lanes(&matrix_vector::REPORT, "j"),
        "{}",
        matrix_vector::REPORT
    );
    for (n, m) in [(0, 3), (1, 1), (3, 1), (2, 4), (5, 9), (3, 17)] {
        let u: Vec<_> = (0..(n + 2) * (m + 2)).map(noise).collect();
        let mut expected = [(); 2].map(|()| vec![0.5; n * m]);
        bordered::reference(n, m, &u, &mut expected[0]);
        shift::reference(n, m, &u, &mut expected[1]);
        let mut product = vec![0.5; n];
        matrix_vector::reference(n, m, &u, &u, &mut product);
        each_variant(bordered::variants(), |isa| {
            let mut found = [(); 2].map(|()| vec![0.5; n * m]);
            bordered::with(isa, n, m, &u, &mut found[0]).unwrap();
            shift::with(isa, n, m, &u, &mut found[1]).unwrap();
            let mut sum = vec![0.5; n];
            matrix_vector::with(isa, n, m, &u, &u, &mut sum).unwrap();
            assert!(near(&found[0], &expected[0]), "{isa:?}, {n} by {m}");
            assert!(near(&found[1], &expected[1]), "{isa:?}, {n} by {m}");
            assert!(near(&sum, &product), "{isa:?}, {n} by {m}");
        });
    }
}

/// The panic's message.
fn panics(run: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("it panics");
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| {
        payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
    })
    .unwrap_or_default()
}

#[test]
fn slices_that_are_too_short() {
    let u = vec![1.0; 24];
    for short in [0, 1, 23] {
        let mut v = vec![7.0; short];
        let message = panics(|| scale(2, 3, 4, &[1.0; 3], &u, &mut v));
        assert!(
            message.contains("scale") && message.contains('v'),
            "{message}"
        );
        assert!(v.iter().all(|v| *v == 7.0));
    }
    // As many elements as one row less; a product that no integer holds.
    let message = panics(|| scale(2, 3, 5, &[1.0; 3], &u, &mut [0.0; 30]));
    assert!(message.contains('u'), "{message}");
    let huge = usize::MAX / 2;
    let message = panics(|| scale(huge, huge, huge, &[1.0; 3], &u, &mut [0.0; 30]));
    assert!(message.contains("scale"), "{message}");
}

kernel! {
    /// Nothing says that a row has `m` elements.
    pub fn slanted(n: usize, m: usize, row: usize, u: &[f64], v: &mut [f64]) {
        for i in 0..n {
            for j in 0..m {
                v[i] += u[i * row + j];
            }
        }
    }
}

#[test]
fn unknown_rows_run_as_written() {
    let mut notes = slanted::REPORT.notes.iter();
    assert!(
        notes.any(|note| note.contains("in which row of `u`")),
        "{}",
        slanted::REPORT
    );
    let mut v = [0.0; 2];
    slanted(2, 3, 1, &[1.0, 2.0, 4.0, 8.0], &mut v);
    assert_eq!(v, [7.0, 14.0]);
}

kernel! {
    /// What each element is above those before it in its column and in its stack; where none is before, above 0.
    pub fn rises(l: usize, m: usize, n: usize, u: &[f64], v: &mut [f64]) {
        for k in 0..l {
            for j in 0..m {
                for i in 0..n {
                    let above = if k == 0 { 0.0 } else { u[((k - 1) * m + j) * n + i] };
                    let before = if j == 0 { 0.0 } else { u[(k * m + j - 1) * n + i] };
                    v[(k * m + j) * n + i] = 2.0 * u[(k * m + j) * n + i] - above - before;
                }
            }
        }
    }
}

#[test]
fn first_rows_and_planes_have_the_dimensions_of_all() {
    assert!(has_lanes(&rises::REPORT, "i"), "{}", rises::REPORT);
    for (l, m, n) in [(1, 1, 1), (2, 3, 19), (4, 2, 8), (3, 5, 33), (0, 2, 3)] {
        let u: Vec<f64> = (0..l * m * n)
            .map(|k| f64::from((k * k % 17) as u8))
            .collect();
        let mut expected = vec![0.0; u.len()];
        rises::reference(l, m, n, &u, &mut expected);
        for isa in rises::variants() {
            if isa.is_available() {
                let mut v = vec![0.0; u.len()];
                rises::with(*isa, l, m, n, &u, &mut v).unwrap();
                assert_eq!(v, expected, "{isa:?}, {l} by {m} by {n}");
            }
        }
    }
}

/// Operations, and the width, lanes and cycles of the first schedule of each width.
fn decided(report: &Report) -> (u64, Vec<&'static str>) {
    let schedules = report.passes.iter();
    let schedules = schedules.filter(|pass| pass.name.starts_with("schedule"));
    let decisions = schedules.flat_map(|pass| pass.decisions);
    let decisions = decisions.map(|d| d.split(';').next().unwrap()).collect();
    (report.expansion.operations(), decisions)
}

#[test]
fn constant_rows_are_arrays() {
    assert_eq!(decided(&constant_rows::REPORT), decided(&nested::REPORT));
    let numbers = |count: usize, seed: usize| -> Vec<f64> {
        (0..count).map(|at| noise(100 * seed + at)).collect()
    };
    let (a, b, c) = (numbers(63, 1), numbers(42, 2), numbers(54, 3));
    let mut expected = c.clone();
    constant_rows::reference(&a, &b, &mut expected);
    each_variant(constant_rows::variants(), |isa| {
        let mut found = c.clone();
        constant_rows::with(isa, &a, &b, &mut found).unwrap();
        assert!(near(&found, &expected), "{isa}");
    });
    for (a, b, c) in [(62, 42, 54), (63, 41, 54), (63, 42, 53)] {
        let (a, b, mut c) = (vec![0.0; a], vec![0.0; b], vec![0.0; c]);
        panics(|| constant_rows(&a, &b, &mut c));
    }
}

#[test]
fn last_rows_may_end_early() {
    let x: Vec<f64> = (0..7).map(noise).collect();
    for n in [0, 1, 2, 7, 8, 9, 16, 21] {
        let used = 9 * n - if n > 0 { 1 } else { 0 };
        for length in [used, used + 1, used + 5] {
            let a: Vec<f64> = (0..length).map(|at| noise(at + 7)).collect();
            let y: Vec<f64> = (0..n).map(|at| noise(at + 1000)).collect();
            let mut expected = y.clone();
            starts_of_rows::reference(n, &a, &x, &mut expected);
            each_variant(starts_of_rows::variants(), |isa| {
                let mut found = y.clone();
                starts_of_rows::with(isa, n, &a, &x, &mut found).unwrap();
                assert!(near(&found, &expected), "{n} {length} {isa}");
            });
        }
        if n > 0 {
            let (a, mut y) = (vec![0.0; used - 1], vec![0.0; n]);
            panics(|| starts_of_rows(n, &a, &x, &mut y));
        }
    }
}

#[test]
fn slices_without_rows_stay_flat() {
    let a: Vec<f64> = (0..32).map(noise).collect();
    let (mut found, mut expected) = (vec![1.0; 8], vec![1.0; 8]);
    rows_and_none(19, &a, &mut found);
    rows_and_none::reference(19, &a, &mut expected);
    assert!(near(&found, &expected));
}

kernel! {
    /// Differences against the wind: each branch reads what the other one does not.
    #[opt(require_lanes)]
    pub fn upwind(n: usize, m: usize, x: &[f64], c: &[f64], y: &mut [f64]) {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let at = i * m + j;
                let along = if c[at] > 0.0 { x[at] - x[at - 1] } else { x[at + 1] - x[at] };
                let across = if c[at] > 1.0 { x[at] - x[at - m] } else { x[at + m] - x[at] };
                y[at] = c[at] * along + across;
            }
        }
    }

    /// Four neighbours, numbered.
    #[opt(require_lanes)]
    pub fn quarters(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let mut s = 0.0;
                for q in 0..4 {
                    s += (q as f64 + 1.0) * x[(i - 1 + 2 * (q / 2)) * m + j - 1 + 2 * (q % 2)];
                }
                y[i * m + j] = s;
            }
        }
    }
}

#[test]
fn branches_read_what_need_not_be_there() {
    for (n, m) in [(2, 2), (3, 5), (4, 37), (9, 20)] {
        let (x, y): (Vec<f64>, Vec<f64>) = (0..n * m).map(|at| (noise(at), noise(at + 99))).unzip();
        let c: Vec<f64> = (0..n * m).map(|at| 2.0 * noise(at + 999)).collect();
        // What is not taken need not be there: then the text runs.
        let inside = vec![2.0; n * m];
        for (x, c) in [(&x[..], &c), (&x[..(n - 1) * m], &inside)] {
            let mut expected = y.clone();
            upwind::reference(n, m, x, c, &mut expected);
            each_variant(upwind::variants(), |isa| {
                let mut found = y.clone();
                upwind::with(isa, n, m, x, c, &mut found).unwrap();
                assert!(near(&found, &expected), "{n} {m} {isa}");
            });
        }
        let mut expected = y.clone();
        quarters::reference(n, m, &x, &mut expected);
        each_variant(quarters::variants(), |isa| {
            let mut found = y.clone();
            quarters::with(isa, n, m, &x, &mut found).unwrap();
            assert!(near(&found, &expected), "{n} {m} {isa}");
        });
        if n > 2 {
            // What is read in any case is missing: nothing is written.
            let mut found = y.clone();
            panics(|| upwind(n, m, &x, &c[..m], &mut found));
            assert_eq!(found, y);
        }
    }
}
