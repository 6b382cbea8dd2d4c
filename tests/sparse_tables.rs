//! Products with tables of which most entries are 0, 1 or -1, wherever these lie: terms of the other entries are all
//! that is left, and what rows have in common is computed once.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::{Real, kernel};

mod support;
use support::{counted, counting, each_variant, near_to, numbers};

/// Rows of numbers, more than vectors have lanes.
const ROWS: usize = 19;

/// A product of a table with each row of numbers, and its test.
macro_rules! product {
    ($name:ident, $rows:literal, $columns:literal, $most:literal, $table:expr) => {
        mod $name {
            use super::*;

            kernel! {
                pub fn product<T: Real>(x: &[[T; $columns]], y: &mut [[T; $rows]]) {
                    static M: [[f64; $columns]; $rows] = $table;
                    for e in 0..x.len() {
                        for i in 0..$rows {
                            for j in 0..$columns {
                                y[e][i] += T::from_f64(M[i][j]) * x[e][j];
                            }
                        }
                    }
                }
            }

            #[test]
            fn is_its_reference() {
                let (x, start) = (numbers(1, $columns * ROWS), numbers(2, $rows * ROWS));
                let x = x.as_chunks().0;
                let mut expected = start.clone();
                product::reference(x, expected.as_chunks_mut().0);
                each_variant(product::variants(), |isa| {
                    let mut found = start.clone();
                    product::with(isa, x, found.as_chunks_mut().0).unwrap();
                    assert!(near_to(&found, &expected, 1e-13), "{isa}");
                });
                let operations = counted(&product::REPORT, ROWS, |rows| {
                    let x = counting(&numbers(1, $columns * rows));
                    let mut y = counting(&numbers(2, $rows * rows));
                    product(x.as_chunks().0, y.as_chunks_mut().0);
                });
                assert!(operations <= $most, "{operations}");
            }
        }
    };
}

// Twelve entries, of which four are 1 or -1: eight products, and a sum each.
product!(
    scattered,
    6,
    7,
    20,
    [
        [0.0, 0.0, 2.5, 0.0, 0.0, -1.0, 0.0],
        [0.75, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0],
        [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, -0.125, 7.0, 0.0, 0.0],
        [0.0, 4.5, 0.0, 0.0, 0.0, 0.0, -1.0],
        [0.5, 0.0, 0.0, 0.0, 0.0, 1.0, 1.5],
    ]
);

// Rows have sums and differences in common: 24 in three stages, and one for each result.
product!(
    hadamard,
    8,
    8,
    32,
    [
        [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0],
        [1.0, 1.0, -1.0, -1.0, 1.0, 1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0],
        [1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0],
        [1.0, -1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0],
        [1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0],
        [1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0],
    ]
);

// A graph's Laplacian: a cycle of five and a chord.
product!(
    laplacian,
    5,
    5,
    22,
    [
        [3.0, -1.0, -1.0, 0.0, -1.0],
        [-1.0, 2.0, -1.0, 0.0, 0.0],
        [-1.0, -1.0, 3.0, -1.0, 0.0],
        [0.0, 0.0, -1.0, 2.0, -1.0],
        [-1.0, 0.0, 0.0, -1.0, 2.0],
    ]
);

// Of a permutation nothing but the sums with what was there.
product!(
    permutation,
    4,
    4,
    4,
    [
        [0.0, 0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0, 0.0],
    ]
);
