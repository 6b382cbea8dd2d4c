//! Copies of what is staged for a vector of cells, where the cells' matrices begin at different places of
//! a line of the cache.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Isa, kernel};

mod support;
use support::{each_variant, noise};

/// A kernel that writes matrices with rows of degree `$p` and columns of degree `$q`, and a function
/// that compares its variants with the reference wherever the first matrix begins.
macro_rules! matrices {
    ($name:ident, $check:ident, $points:literal, $cell:tt, $axes:literal, $p:literal: $m:literal, $q:literal: $n:literal, $operator:tt) => {
        kernel! {
            #[opt(lanes(e))]
            pub fn $name(scales: &[[f64; $axes]], a: &mut [[[f64; $n]; $m]]) {
                static W: [f64; $points] = tabulate!($cell, quadrature(2), weights);
                static ROWS: [[[f64; $m]; $points]; $axes] =
                    tabulate!($cell, quadrature(2), lagrange($p), gradient);
                static COLUMNS: [[f64; $n]; $points] =
                    tabulate!($cell, quadrature(2), lagrange($q));
                for e in 0..scales.len() {
                    for i in 0..$m {
                        for j in 0..$n {
                            let mut sum = 0.0;
                            for q in 0..$points {
                                for d in 0..$axes {
                                    sum += scales[e][d] * W[q] * ROWS[d][q][i] * COLUMNS[q][j];
                                }
                            }
                            a[e][i][j] $operator sum;
                        }
                    }
                }
            }
        }

        fn $check() {
            for cells in [1, 7, 8, 9, 16, 19, 25] {
                let scales: Vec<[f64; $axes]> = (0..cells)
                    .map(|e| std::array::from_fn(|d| noise(3 * e + d)))
                    .collect();
                let start: Vec<f64> = (0..cells * $m * $n + 8).map(noise).collect();
                for first in 0..8 {
                    let run = |isa: Option<Isa>| -> Vec<f64> {
                        let mut memory = start.clone();
                        let (rows, _) = memory[first..].as_chunks_mut::<$n>();
                        let (matrices, _) = rows.as_chunks_mut::<$m>();
                        let matrices = &mut matrices[..cells];
                        match isa {
                            None => $name::reference(&scales, matrices),
                            Some(isa) => $name::with(isa, &scales, matrices).unwrap(),
                        }
                        memory
                    };
                    let expected = run(None);
                    each_variant($name::variants(), |isa| {
                        let found = run(Some(isa));
                        for (at, (f, e)) in found.iter().zip(&expected).enumerate() {
                            let near = (f - e).abs() <= 1e-12;
                            assert!(
                                near,
                                "{isa:?}, {cells} cells from {first}: {f} at {at}, not {e}"
                            );
                        }
                    });
                }
            }
        }
    };
}

matrices!(by_one, check_by_one, 3, triangle, 2, 1: 3, 4: 15, +=);
matrices!(by_two, check_by_two, 3, triangle, 2, 2: 6, 4: 15, +=);
matrices!(by_three, check_by_three, 3, triangle, 2, 4: 15, 5: 21, =);
matrices!(by_none, check_by_none, 3, triangle, 2, 2: 6, 3: 10, =);
matrices!(long, check_long, 4, tetrahedron, 3, 4: 35, 8: 165, +=);

#[test]
fn each_element_arrives_wherever_matrices_begin() {
    check_by_one();
    check_by_two();
    check_by_three();
    check_by_none();
    check_long();
}

kernel! {
    /// Two results: one of them is copied when all sums are there.
    #[opt(lanes(e))]
    pub fn beside(
        scales: &[[f64; 3]],
        a: &mut [[[f64; 84]; 35]],
        b: &mut [[[f64; 84]; 35]],
    ) {
        static W: [f64; 4] = tabulate!(tetrahedron, quadrature(2), weights);
        static ROWS: [[f64; 35]; 4] = tabulate!(tetrahedron, quadrature(2), lagrange(4));
        static COLUMNS: [[[f64; 84]; 4]; 3] =
            tabulate!(tetrahedron, quadrature(2), lagrange(6), gradient);
        for e in 0..scales.len() {
            for q in 0..4 {
                for i in 0..35 {
                    for j in 0..84 {
                        for d in 0..3 {
                            a[e][i][j] += scales[e][d] * W[q] * ROWS[q][i] * COLUMNS[d][q][j];
                            b[e][i][j] += W[q] * ROWS[q][i] * COLUMNS[d][q][j] / scales[e][d];
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn whole_lines_are_copied_wherever_they_begin() {
    for cells in [1, 8, 11] {
        let scales: Vec<[f64; 3]> = (0..cells)
            .map(|e| std::array::from_fn(|d| 2.0 + noise(3 * e + d)))
            .collect();
        let start: Vec<f64> = (0..cells * 35 * 84 + 8).map(noise).collect();
        for first in 0..8 {
            let run = |isa: Option<Isa>| -> [Vec<f64>; 2] {
                let mut memory = [start.clone(), start.clone()];
                let [a, b] = memory.each_mut().map(|memory| {
                    let (rows, _) = memory[first..].as_chunks_mut::<84>();
                    let (matrices, _) = rows.as_chunks_mut::<35>();
                    &mut matrices[..cells]
                });
                match isa {
                    None => beside::reference(&scales, a, b),
                    Some(isa) => beside::with(isa, &scales, a, b).unwrap(),
                }
                memory
            };
            let expected = run(None);
            each_variant(beside::variants(), |isa| {
                for (found, expected) in run(Some(isa)).iter().zip(&expected) {
                    for (at, (f, e)) in found.iter().zip(expected).enumerate() {
                        let near = (f - e).abs() <= 1e-11;
                        assert!(
                            near,
                            "{isa:?}, {cells} cells from {first}: {f} at {at}, not {e}"
                        );
                    }
                }
            });
        }
    }
}
