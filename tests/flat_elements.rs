//! Slices of arrays that hold grids, `f[y * nx + x][q]`, and index maps that do.

#![allow(missing_docs, reason = "kernels of tests")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright::{Report, kernel};

mod support;
use support::{each_variant, is_about_inputs, near, noise};

/// Whether a kernel has a program; that lanes pay is not asked.
fn has_a_program(report: &Report) -> bool {
    let mut notes = report.notes.iter();
    notes.all(|note| is_about_inputs(note)) && !report.levels.is_empty()
}

kernel! {
    /// A metric at the points of cells, as many in each as the table has, times gradients.
    pub fn metric(phi: &[[f64; 3]], geo: &[[[f64; 3]; 3]], dofs: &[[u32; 4]], x: &[f64], y: &mut [f64]) {
        let points = phi.len();
        for e in 0..dofs.len() {
            for q in 0..points {
                for a in 0..4 {
                    for c in 0..3 {
                        for d in 0..3 {
                            y[dofs[e][a] as usize] += geo[e * points + q][c][d] * phi[q][c] * phi[q][d] * x[e];
                        }
                    }
                }
            }
        }
    }

    /// A relaxation of nine populations towards their mean.
    pub fn collide(f: &[[f64; 9]], out: &mut [[f64; 9]], nx: usize, ny: usize, omega: f64) {
        for y in 0..ny {
            for x in 0..nx {
                let at = y * nx + x;
                let mut rho = 0.0;
                for q in 0..9 {
                    rho += f[at][q];
                }
                for q in 0..9 {
                    out[at][q] = f[at][q] - omega * (f[at][q] - rho / 9.0);
                }
            }
        }
    }

    /// What of a map has rows of run-time length, reached through one.
    pub fn gather(map: &[[u32; 2]], rows: &[u16], x: &[[f64; 2]], y: &mut [[f64; 2]], nx: usize, ny: usize) {
        for j in 0..ny {
            for i in 0..nx {
                for c in 0..2 {
                    y[j * nx + i][c] += x[map[rows[j] as usize * nx + i][c] as usize][c];
                }
            }
        }
    }
}

const GRIDS: [(usize, usize); 8] = [
    (1, 1),
    (2, 3),
    (3, 2),
    (3, 3),
    (5, 4),
    (9, 3),
    (17, 6),
    (40, 5),
];

fn values<const N: usize>(count: usize, seed: usize) -> Vec<[f64; N]> {
    let one = |at: usize| std::array::from_fn(|c| noise(seed + at * N + c));
    (0..count).map(one).collect()
}

fn flat<const N: usize>(values: &[[f64; N]]) -> &[f64] {
    values.as_flattened()
}

#[test]
fn kernels_have_programs() {
    let reports = [&metric::REPORT, &collide::REPORT, &gather::REPORT];
    for report in reports {
        assert!(has_a_program(report), "{report}");
    }
}

#[test]
fn points_of_cells() {
    for (cells, points) in [(0, 3), (1, 1), (4, 0), (3, 5), (9, 4), (21, 2)] {
        let phi = values::<3>(points, 3);
        let geo: Vec<[[f64; 3]; 3]> = (0..cells * points)
            .map(|at| std::array::from_fn(|c| std::array::from_fn(|d| noise(at * 9 + c * 3 + d))))
            .collect();
        let nodes = cells + 4;
        let dofs: Vec<[u32; 4]> = (0..cells)
            .map(|e| std::array::from_fn(|a| ((e * 7 + a * 3) % nodes) as u32))
            .collect();
        let x: Vec<f64> = (0..cells).map(noise).collect();
        let mut expected = vec![0.5; nodes];
        metric::reference(&phi, &geo, &dofs, &x, &mut expected);
        each_variant(metric::variants(), |isa| {
            let mut found = vec![0.5; nodes];
            metric::with(isa, &phi, &geo, &dofs, &x, &mut found).unwrap();
            assert!(near(&found, &expected), "{isa:?}, {cells} by {points}");
        });
    }
}

#[test]
fn maps_with_rows() {
    for (nx, ny) in GRIDS {
        let rows: Vec<u16> = (0..ny).map(|j| ((j * 5 + 1) % ny) as u16).collect();
        let map: Vec<[u32; 2]> = (0..nx * ny)
            .map(|at| [(at * 3 % 11) as u32, (at * 7 % 11) as u32])
            .collect();
        let x = values::<2>(11, 5);
        let mut expected = vec![[0.5; 2]; nx * ny];
        gather::reference(&map, &rows, &x, &mut expected, nx, ny);
        each_variant(gather::variants(), |isa| {
            let mut found = vec![[0.5; 2]; nx * ny];
            gather::with(isa, &map, &rows, &x, &mut found, nx, ny).unwrap();
            assert!(near(flat(&found), flat(&expected)), "{isa:?}, {nx} by {ny}");
        });
    }
}

fn panics(run: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(run)).is_err()
}

#[test]
fn nothing_is_written_where_a_slice_is_too_short() {
    let (nx, ny) = (6, 4);
    let f = values::<9>(nx * ny, 1);
    let mut out = vec![[7.0; 9]; nx * ny - 1];
    assert!(panics(|| collide(&f, &mut out, nx, ny, 0.7)));
    assert!(out.iter().flatten().all(|v| *v == 7.0));
    let mut out = vec![[7.0; 9]; nx * ny];
    assert!(panics(|| collide(&f[1..], &mut out, nx, ny, 0.7)));
    assert!(out.iter().flatten().all(|v| *v == 7.0));
    collide(&f, &mut out, nx, ny, 0.7);
    // A row that no map may choose, and an element that is not there.
    let map = vec![[0_u32, 1]; nx * ny];
    let x = values::<2>(2, 5);
    let mut y = vec![[7.0; 2]; nx * ny];
    assert!(panics(|| gather(&map, &[0, 1, 2, 4], &x, &mut y, nx, ny)));
    assert!(panics(|| gather(
        &map,
        &[0, 1, 2, 3],
        &x[1..],
        &mut y,
        nx,
        ny
    )));
    assert!(y.iter().flatten().all(|v| *v == 7.0));
    gather(&map, &[0, 1, 2, 3], &x, &mut y, nx, ny);
}
