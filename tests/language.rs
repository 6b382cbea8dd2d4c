//! What kernels may say, each construct against `reference` in every variant.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Report, kernel};
use ndarray::{Array2, array};

mod support;
use support::{each_variant, near, noise};

fn as_written(report: &Report, reason: &str) -> bool {
    let mut notes = report.notes.iter();
    notes.any(|note| note.contains("runs as written") && note.contains(reason))
}

const SIZES: [usize; 8] = [0, 1, 3, 4, 7, 8, 9, 17];

mod physics {
    /// A function that the macro cannot see.
    pub fn viscosity(rate: f64, scale: f64) -> f64 {
        scale / (1.0 + rate * rate).cbrt()
    }

    pub static TABLE: [[f64; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    pub const LIMIT: usize = 3;
    pub const GRAVITY: f64 = 9.81;
}

fn local_function(x: f32) -> f32 {
    x * x * 0.5
}

kernel! {
    #[opt(pure(crate::physics::viscosity))]
    pub fn flow(rates: &[f64], scale: f64, y: &mut [f64]) {
        for i in 0..rates.len() {
            y[i] = rates[i] * crate::physics::viscosity(rates[i], 2.0 * scale) + scale;
        }
    }

    #[opt(pure(local_function))]
    pub fn single(x: &[f32], y: &mut [f32]) {
        for i in 0..x.len() {
            y[i] += local_function(x[i] + 1.0) * half(x[i]);
        }
    }

    fn half(x: f32) -> f32 {
        0.5 * local_function(x)
    }
}

#[test]
fn pure_functions() {
    assert!(flow::REPORT.notes.is_empty(), "{}", flow::REPORT);
    for n in SIZES {
        let rates: Vec<_> = (0..n).map(noise).collect();
        let mut expected = vec![0.0; n];
        flow::reference(&rates, 0.75, &mut expected);
        each_variant(flow::variants(), |isa| {
            let mut found = vec![0.0; n];
            flow::with(isa, &rates, 0.75, &mut found).unwrap();
            assert!(near(&found, &expected), "{isa:?}, n = {n}");
        });
        let x: Vec<_> = (0..n).map(|i| noise(i) as f32).collect();
        let mut expected = vec![1.0; n];
        single::reference(&x, &mut expected);
        each_variant(single::variants(), |isa| {
            let mut found = vec![1.0; n];
            single::with(isa, &x, &mut found).unwrap();
            let mut both = found.iter().zip(&expected);
            assert!(both.all(|(a, b)| (a - b).abs() < 1e-6), "{isa:?}, n = {n}");
        });
    }
}

kernel! {
    /// Constants of the block in signatures, tables, bounds and arithmetic, for two kernels.
    const POINTS: usize = 3;
    const ROWS: usize = POINTS - 1;
    const SCALE: f64 = 0.5 * 3.0;
    static WEIGHTS: [[f64; POINTS]; ROWS] = include!("data/included/weights.rs");
    static STRIDES: [usize; 2] = [POINTS, 1];

    pub fn weigh(x: &[[f64; POINTS]], y: &mut [[f64; ROWS]]) {
        for e in 0..x.len() {
            for r in 0..ROWS {
                for q in 0..POINTS {
                    y[e][r] += SCALE * WEIGHTS[r][q] * x[e][q];
                }
            }
        }
    }

    pub fn weigh_one(x: &[f64], y: &mut [f64; ROWS]) {
        const LAST: usize = POINTS - 1;
        for r in 0..ROWS {
            y[r] = WEIGHTS[r][LAST] * x[STRIDES[0] * r + LAST];
        }
    }
}

#[test]
fn constants_of_the_block_and_included_tables() {
    for n in SIZES {
        let x: Vec<_> = (0..n)
            .map(|e| [0, 1, 2].map(|q| noise(3 * e + q)))
            .collect();
        let mut expected = vec![[1.0; 2]; n];
        weigh::reference(&x, &mut expected);
        let third = 1.5 * (2.0 * x.first().map_or(0.0, |x| x[0]));
        if n > 0 {
            let by_hand = 1.0 + third + 1.5 * (0.125 * x[0][1] + x[0][2] / 3.0);
            assert!((expected[0][1] - by_hand).abs() < 1e-14);
        }
        each_variant(weigh::variants(), |isa| {
            let mut found = vec![[1.0; 2]; n];
            weigh::with(isa, &x, &mut found).unwrap();
            assert!(
                near(found.as_flattened(), expected.as_flattened()),
                "{isa:?}, n = {n}"
            );
        });
    }
    each_variant(weigh_one::variants(), |isa| {
        let mut y = [0.0; 2];
        weigh_one::with(isa, &[1.0, 2.0, 4.0, 8.0, 16.0, 3.0], &mut y).unwrap();
        assert_eq!(y, [1.0, 1.0], "{isa:?}");
    });
}

kernel! {
    pub fn opaque_table(x: &[f64], y: &mut [f64]) {
        for q in 0..2 {
            for i in 0..crate::physics::LIMIT {
                y[i] += crate::physics::TABLE[q][i] * x[q] + 2.0 * crate::physics::GRAVITY;
            }
        }
    }
}

kernel! {
    pub fn circles(radii: &[f64], areas: &mut [f64]) {
        for i in 0..radii.len() {
            areas[i] = std::f64::consts::PI * radii[i] * radii[i];
        }
    }
}

#[test]
fn constants_of_the_standard_library_are_known() {
    assert!(circles::REPORT.notes.is_empty(), "{}", circles::REPORT);
    each_variant(circles::variants(), |isa| {
        let mut areas = [0.0; 5];
        circles::with(isa, &[0.0, 1.0, 2.0, 0.5, 3.0], &mut areas).unwrap();
        let expected = [0.0, 1.0, 4.0, 0.25, 9.0].map(|square| square * std::f64::consts::PI);
        assert!(near(&areas, &expected), "{isa:?}");
    });
}

#[test]
fn constants_that_the_macro_cannot_see() {
    let mut y = [0.0; 3];
    opaque_table(&[1.0, 10.0], &mut y);
    let gravity = 4.0 * physics::GRAVITY;
    assert!(near(&y, &[41.0 + gravity, 52.0 + gravity, 63.0 + gravity]));
    assert!(
        as_written(&opaque_table::REPORT, "from outside"),
        "{}",
        opaque_table::REPORT
    );
}

kernel! {
    /// Integers decide in unrolled loops; floating-point numbers everywhere.
    pub fn boundary(x: &[[f64; 3]], y: &mut [[f64; 3]]) {
        for e in 0..x.len() {
            let mut old = [0.0; 3];
            for i in 0..3 {
                let k = if i == 0 { 2 } else { i - 1 };
                old[i] = if i < 2 { x[e][i + 1] } else { x[e][0] };
                let limited = if old[i] > x[e][k] { old[i] } else { 2.0 * x[e][k] };
                y[e][i] += limited + if x[e][0] != x[e][1] { 1.0 } else { -old[i] };
            }
        }
    }

    /// A condition that changes in the loop.
    pub fn upwind(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = if i > 0 { x[i] - x[i - 1] } else { x[i] };
        }
    }

    pub fn interior(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 1..n.saturating_sub(1) {
            y[i] = x[i - 1] + x[i + 1];
        }
    }
}

#[test]
fn choices() {
    assert!(boundary::REPORT.notes.is_empty(), "{}", boundary::REPORT);
    assert!(
        upwind::REPORT.expansion.add == 1 && !as_written(&upwind::REPORT, "a condition"),
        "{}",
        upwind::REPORT
    );
    assert!(interior::REPORT.notes.is_empty(), "{}", interior::REPORT);
    for n in SIZES {
        let x: Vec<_> = (0..n)
            .map(|e| [0, 1, 2].map(|q| noise(3 * e + q)))
            .collect();
        let mut expected = vec![[1.0; 3]; n];
        boundary::reference(&x, &mut expected);
        each_variant(boundary::variants(), |isa| {
            let mut found = vec![[1.0; 3]; n];
            boundary::with(isa, &x, &mut found).unwrap();
            assert!(
                near(found.as_flattened(), expected.as_flattened()),
                "{isa:?}, n = {n}"
            );
        });
        let x: Vec<_> = (0..n).map(noise).collect();
        let mut expected = vec![7.0; n];
        interior::reference(n, &x, &mut expected);
        each_variant(interior::variants(), |isa| {
            let mut found = vec![7.0; n];
            interior::with(isa, n, &x, &mut found).unwrap();
            assert!(near(&found, &expected), "{isa:?}, n = {n}");
        });
    }
    let mut y = [0.0; 3];
    upwind(&[1.0, 4.0, 9.0], &mut y);
    assert_eq!(y, [1.0, 3.0, 5.0]);
}

kernel! {
    /// Temporaries of run-time size, passed to a helper too.
    pub fn smooth(u: &mut [f64]) {
        let n = u.len();
        let mut old = vec![0.0; n];
        let mut pairs = vec![[0.0; 2]; n];
        for i in 0..n {
            old[i] = u[i];
            pairs[i][1] = 2.0 * u[i];
        }
        for i in 1..old.len() - 1 {
            u[i] = mean(&old, i) + pairs[i - 1][1];
        }
    }

    fn mean(x: &[f64], i: usize) -> f64 {
        0.5 * (x[i - 1] + x[i + 1])
    }

    pub fn grid(u: &mut Array2<f64>) {
        let (n, m) = u.dim();
        let mut old = Array2::<f64>::zeros((n, m));
        for i in 0..n {
            for j in 0..m {
                old[[i, j]] = u[[i, j]] + 1.0;
            }
        }
        for i in 0..old.nrows() {
            for j in 0..m {
                u[[i, j]] = 2.0 * old[[n - 1 - i, j]];
            }
        }
    }
}

#[test]
fn temporaries_of_run_time_size() {
    let mut u = [1.0, 2.0, 4.0, 8.0];
    smooth(&mut u);
    assert_eq!(u, [1.0, 4.5, 9.0, 8.0]);
    assert!(smooth::REPORT.notes.is_empty(), "{}", smooth::REPORT);
    let mut u = array![[1.0, 2.0], [3.0, 4.0]];
    grid(&mut u);
    assert_eq!(u, array![[8.0, 10.0], [4.0, 6.0]]);
}

kernel! {
    pub fn hash(keys: &[u32], out: &mut [u32]) {
        for i in 0..keys.len() {
            let mixed = keys[i].wrapping_mul(2654435761).wrapping_add(17);
            out[i] = mixed.max(5) % 1000;
        }
    }

    pub fn count(x: &[i64], least: i64) -> i64 {
        let mut sum = 0_i64;
        for i in 0..x.len() {
            sum += if x[i] > least { x[i] } else { 0 };
        }
        sum
    }
}

#[test]
fn integer_arithmetic() {
    let mut out = [0; 3];
    hash(&[1, 2, u32::MAX], &mut out);
    let expected = [1, 2, u32::MAX]
        .map(|key: u32| key.wrapping_mul(2654435761).wrapping_add(17).max(5) % 1000);
    assert_eq!(out, expected);
    assert!(as_written(
        &hash::REPORT,
        "a quotient of integers that are too large"
    ));
    assert_eq!(count(&[5, -1, 7], 2), 12);
}

kernel! {
    /// Nests that follow each other, with different loops.
    pub fn several(x: &[f64], rows: &[[f64; 4]], y: &mut [f64], z: &mut [[f64; 4]; 3]) {
        for i in 0..x.len() {
            y[i] = 2.0 * x[i];
        }
        for r in 0..3 {
            for c in 0..4 {
                z[r][c] = 0.25 * rows[r][c];
            }
        }
        for e in 3..rows.len() {
            for c in 0..4 {
                z[2][c] += rows[e][c] * x[0];
            }
        }
    }
}

#[test]
fn several_nests() {
    let lanes = |pass: &loopwright::PassReport| {
        let mut decisions = pass.decisions.iter();
        decisions.any(|d| d.contains("width 4, lanes over `"))
    };
    assert!(
        several::REPORT.passes.iter().any(lanes),
        "{}",
        several::REPORT
    );
    for n in [3, 4, 9, 17] {
        let x: Vec<_> = (0..n).map(noise).collect();
        let rows: Vec<_> = (0..n)
            .map(|e| [0, 1, 2, 3].map(|c| noise(4 * e + c)))
            .collect();
        let (mut y, mut z) = (vec![0.0; n], [[1.0; 4]; 3]);
        several::reference(&x, &rows, &mut y, &mut z);
        each_variant(several::variants(), |isa| {
            let (mut found, mut matrix) = (vec![0.0; n], [[1.0; 4]; 3]);
            several::with(isa, &x, &rows, &mut found, &mut matrix).unwrap();
            assert!(near(&found, &y), "{isa:?}, n = {n}");
            assert!(
                near(matrix.as_flattened(), z.as_flattened()),
                "{isa:?}, n = {n}"
            );
        });
    }
}

kernel! {
    /// Lanes over cells: rows of four, of five where two overlap, and of three, which are too short.
    #[opt(lanes(e))]
    pub fn rows(x: &[[f64; 5]], y: &[[[f64; 3]; 4]], z: &[[f64; 3]], f: &[[f32; 4]], u: &mut [f64]) {
        for e in 0..u.len() {
            u[e] += x[e][0] * y[e][3][2] + x[e][4] * y[e][0][0] - x[e][2] * y[e][1][1]
                + z[e][1] * z[e][2] * f[e][3] as f64;
        }
    }

    /// Each lane reads another place of its row.
    #[opt(lanes(k))]
    pub fn diagonal(x: &[[f64; 8]], u: &mut [f64; 8]) {
        for k in 0..8 {
            u[k] += x[k][k];
        }
    }
}

#[test]
fn rows_are_loaded_together() {
    for cells in SIZES {
        let values = |seed: usize, n: usize| -> Vec<f64> {
            (0..n * cells).map(|at| noise(100 * seed + at)).collect()
        };
        let (x, y, z) = (values(1, 5), values(2, 12), values(3, 3));
        let f: Vec<[f32; 4]> = vec![[0.5, 1.5, 2.5, 0.75]; cells];
        let (x, z) = (x.as_chunks().0, z.as_chunks().0);
        let y = y.as_chunks().0.as_chunks().0;
        let mut expected = values(4, 1);
        rows::reference(x, y, z, &f, &mut expected);
        each_variant(rows::variants(), |isa| {
            let mut found = values(4, 1);
            rows::with(isa, x, y, z, &f, &mut found).unwrap();
            assert!(near(&found, &expected), "{cells} cells, {isa}");
        });
    }
    let x: [[f64; 8]; 8] = std::array::from_fn(|i| std::array::from_fn(|j| noise(8 * i + j)));
    each_variant(diagonal::variants(), |isa| {
        let mut found = [0.0; 8];
        diagonal::with(isa, &x, &mut found).unwrap();
        assert_eq!(found, std::array::from_fn(|k| x[k][k]), "{isa}");
    });
}
