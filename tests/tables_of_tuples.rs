//! Tables whose rows are tuples of numbers: edges, offsets, points with weights.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;
use support::{each_variant, near, noise};

kernel! {
    /// Squares of the edges of tetrahedra.
    pub fn edges(x: &[[f64; 4]], y: &mut [f64]) {
        const EDGES: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        for (x, y) in x.iter().zip(y.iter_mut()) {
            *y = 0.0;
            for (a, b) in EDGES {
                *y += (x[a] - x[b]) * (x[a] - x[b]);
            }
        }
    }

    /// Points with weights, behind a reference.
    pub fn integrals(x: &[f64], y: &mut [f64]) {
        const RULE: &[(f64, f64)] = &[(0.2113248654051871, 0.5), (0.7886751345948129, 0.5)];
        for i in 0..y.len() {
            let mut sum = 0.0;
            for &(t, w) in RULE {
                sum += w * (x[i] * (1.0 - t) + x[i + 1] * t).exp();
            }
            y[i] = sum + RULE[1].1;
        }
    }

    /// Neighbours by their offsets, with lines of them in planes.
    pub fn neighbours(x: &[f32], y: &mut [f32], n: usize) {
        static OFFSETS: [[(u8, u8); 2]; 2] = [[(0, 1), (2, 1)], [(1, 0), (1, 2)]];
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let mut sum = 0.0;
                for line in &OFFSETS {
                    for (a, b) in line.iter() {
                        sum += x[(i + *a as usize - 1) * n + j + *b as usize - 1];
                    }
                }
                y[i * n + j] = sum;
            }
        }
    }

    /// A text that runs.
    pub fn sorted(rows: &mut [[f32; 4]]) {
        const NETWORK: [(usize, usize); 5] = [(0, 2), (1, 3), (0, 1), (2, 3), (1, 2)];
        for row in rows {
            for (a, b) in NETWORK {
                if row[a] > row[b] {
                    row.swap(a, b);
                }
            }
        }
    }

    /// Numbers of two types are no table.
    pub fn mixed(y: &mut [f64]) {
        const MIXED: [(usize, f64); 2] = [(1, 2.0), (0, 3.0)];
        for (at, value) in MIXED {
            y[at] += value;
        }
    }
}

#[test]
fn rows_are_tuples() {
    for count in [1, 2, 7, 8, 30] {
        let x: Vec<[f64; 4]> = (0..count)
            .map(|i| [0, 1, 2, 3].map(|c| noise(4 * i + c)))
            .collect();
        let mut expected = vec![0.0; count];
        edges::reference(&x, &mut expected);
        each_variant(edges::variants(), |isa| {
            let mut y = vec![0.0; count];
            edges::with(isa, &x, &mut y).unwrap();
            assert!(near(&y, &expected), "{count} {isa}");
        });
        let x: Vec<f64> = (0..=count).map(noise).collect();
        integrals::reference(&x, &mut expected);
        each_variant(integrals::variants(), |isa| {
            let mut y = vec![0.0; count];
            integrals::with(isa, &x, &mut y).unwrap();
            assert!(near(&y, &expected), "{count} {isa}");
        });
        let n = count + 2;
        let x: Vec<f32> = (0..n * n).map(|at| noise(at) as f32).collect();
        let mut expected = vec![0.0; n * n];
        neighbours::reference(&x, &mut expected, n);
        let mut y = vec![0.0; n * n];
        neighbours(&x, &mut y, n);
        assert!(y.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5));
    }
    for report in [&edges::REPORT, &integrals::REPORT, &neighbours::REPORT] {
        assert_eq!(report.lanes.len(), 3, "{report}");
    }
}

#[test]
fn texts_have_their_tables() {
    let mut rows = [[3.0, 1.0, 2.0, 0.0], [1.0, 1.0, 0.0, 5.0]];
    sorted(&mut rows);
    assert_eq!(rows, [[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 1.0, 5.0]]);
    let mut y = [1.0, 1.0];
    mixed(&mut y);
    assert_eq!(y, [4.0, 3.0]);
}
