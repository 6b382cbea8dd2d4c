//! Views in every layout.

use super::support::noise;
use ndarray::{Array2, ArrayViewMut2, s};

/// Values without a pattern.
pub fn matrix(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| noise(100 * i + j))
}

/// Views of one shape: row-major, column-major, every second element, reversed along each axis.
pub fn layouts(rows: usize, columns: usize) -> Vec<(&'static str, Array2<f64>, Layout)> {
    vec![
        ("rows", matrix(rows, columns), |a| a),
        ("columns", matrix(columns, rows), |a| a.reversed_axes()),
        ("second", matrix(2 * rows, 2 * columns), |a| {
            a.slice_move(s![..;2, ..;2])
        }),
        ("gaps", matrix(rows, columns + 5), |a| {
            let columns = a.ncols() - 5;
            a.slice_move(s![.., 3..columns + 3])
        }),
        ("upwards", matrix(rows, columns), |a| {
            a.slice_move(s![..;-1, ..])
        }),
        ("backwards", matrix(rows, columns), |a| {
            a.slice_move(s![.., ..;-1])
        }),
        ("both ways", matrix(columns, rows), |a| {
            a.reversed_axes().slice_move(s![..;-1, ..;-1])
        }),
    ]
}

/// A view of a matrix.
pub type Layout = for<'a> fn(ArrayViewMut2<'a, f64>) -> ArrayViewMut2<'a, f64>;

/// Rows and columns.
pub const SIZES: [(usize, usize); 9] = [
    (0, 3),
    (3, 0),
    (1, 1),
    (2, 4),
    (3, 5),
    (4, 8),
    (5, 9),
    (2, 17),
    (9, 2),
];
