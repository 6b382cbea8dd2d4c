//! Values that are not like others: NaNs, infinities, zeros of both signs.

use super::{noise, numbers};

/// Lengths of all kinds.
pub const LENGTHS: [usize; 9] = [0, 1, 2, 7, 15, 64, 65, 127, 1000];

/// Values among which are those that are not like others.
pub fn special(seed: usize, count: usize) -> Vec<f64> {
    let each = (0..count).map(|at| match (at * 7 + seed * 3) % 23 {
        0 => f64::NAN,
        1 => -0.0,
        2 => 0.0,
        3 if seed % 2 == 1 => f64::INFINITY,
        4 if seed % 2 == 1 => f64::NEG_INFINITY,
        _ => noise(seed * 5000 + at),
    });
    each.collect()
}

/// Values like others.
pub fn ordinary(seed: usize, count: usize) -> Vec<f64> {
    numbers(7 * seed, count)
}

/// Inputs of a length: ordinary ones, special ones, and nothing but NaNs.
pub fn inputs(count: usize) -> Vec<Vec<f64>> {
    let special = (0..4).map(|seed| special(seed, count));
    special
        .chain([ordinary(1, count), vec![f64::NAN; count]])
        .collect()
}

/// The same value: of two zeros either.
pub fn same(found: f64, expected: f64) -> bool {
    found == expected || (found.is_nan() && expected.is_nan())
}

pub fn all_same(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| same(*a, *b))
}
