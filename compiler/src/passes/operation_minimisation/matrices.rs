//! Square tables as products of others.

use crate::number::{Field, Number};

/// How much smaller than the largest entry a pivot must be to be nothing.
const NOTHING: f64 = 1e-9;
/// How much larger than a table's entries the terms may be whose sums they are.
const MOST: f64 = 6.0;

/// A square matrix, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Rows and columns.
    pub size: usize,
    /// All entries.
    pub entries: Vec<Number>,
}

impl Matrix {
    fn at(&self, row: usize, column: usize) -> Number {
        self.entries[row * self.size + column]
    }

    fn transposed(&self) -> Matrix {
        let size = self.size;
        let entries = (0..size * size).map(|at| self.at(at % size, at / size));
        Matrix {
            size,
            entries: entries.collect(),
        }
    }

    /// Whether two have the same entries.
    pub fn is(&self, other: &Matrix) -> bool {
        let mut pairs = self.entries.iter().zip(&other.entries);
        self.size == other.size && pairs.all(|(a, b)| a.field() == b.field())
    }

    /// Whether other tables follow from it.
    pub fn is_invertible(&self) -> bool {
        solved(self.clone(), self.clone()).is_some()
    }

    /// The largest sum of magnitudes of a row.
    fn norm(&self) -> f64 {
        let row = |row: &[Number]| row.iter().map(|value| value.to_f64().abs()).sum();
        self.entries.chunks(self.size).map(row).fold(0.0, f64::max)
    }

    fn times(&self, other: &Matrix) -> Matrix {
        let entry = |at: usize| {
            let (row, column) = (at / self.size, at % self.size);
            let terms = (0..self.size).map(|k| self.at(row, k) * other.at(k, column));
            terms.fold(Number::ZERO, |sum, term| sum + term)
        };
        Matrix {
            size: self.size,
            entries: (0..self.entries.len()).map(entry).collect(),
        }
    }

    fn magnitudes(&self) -> Matrix {
        Matrix {
            size: self.size,
            entries: self.entries.iter().map(|value| value.abs()).collect(),
        }
    }
}

/// What multiplies `base` from the left to give `table`, if that is accurate.
pub fn after(table: &Matrix, base: &Matrix) -> Option<Matrix> {
    let found = solved(base.transposed(), table.transposed())?.transposed();
    let largest = found.magnitudes().times(&base.magnitudes()).norm();
    (found.times(base).is(table) && largest <= MOST * table.norm()).then_some(found)
}

/// What `base` multiplies from the left to give `table`, if that is accurate.
pub fn before(table: &Matrix, base: &Matrix) -> Option<Matrix> {
    after(&table.transposed(), &base.transposed()).map(|found| found.transposed())
}

/// The solution of `matrix * x = right`, by Gauss and Jordan with the largest pivots.
fn solved(mut matrix: Matrix, mut right: Matrix) -> Option<Matrix> {
    let size = matrix.size;
    let sizes = matrix.entries.iter().map(|value| value.to_f64().abs());
    let largest = sizes.fold(0.0, f64::max);
    for column in 0..size {
        let magnitude = |row: &usize| matrix.at(*row, column).to_f64().abs();
        let pivot = (column..size).max_by(|a, b| magnitude(a).total_cmp(&magnitude(b)))?;
        let divisor = matrix.at(pivot, column);
        if divisor.to_f64().abs() <= NOTHING * largest || divisor.field() == Field::ZERO {
            return None;
        }
        for side in [&mut matrix, &mut right] {
            for at in 0..size {
                side.entries.swap(pivot * size + at, column * size + at);
                let value = side.at(column, at) / divisor;
                side.entries[column * size + at] = value;
            }
        }
        for row in (0..size).filter(|row| *row != column) {
            let times = matrix.at(row, column);
            for side in [&mut matrix, &mut right] {
                for at in 0..size {
                    let value = side.at(row, at) - times * side.at(column, at);
                    side.entries[row * size + at] = value;
                }
            }
        }
    }
    // What is zero in the field is zero.
    for value in &mut right.entries {
        if value.field() == Field::ZERO && value.to_f64().abs() <= NOTHING {
            *value = Number::ZERO;
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(size: usize, entries: &[i64]) -> Matrix {
        let entries = entries.iter().copied().map(Number::from_i64).collect();
        Matrix { size, entries }
    }

    #[test]
    fn tables_are_products() {
        let base = matrix(3, &[4, 1, 0, 1, 3, 1, 0, 1, 2]);
        let other = matrix(3, &[1, 0, -1, 2, 1, 0, 0, 1, 3]);
        let right = after(&other.times(&base), &base).unwrap();
        assert!(right.is(&other));
        let left = before(&base.times(&other), &base).unwrap();
        assert!(left.is(&other));
    }

    #[test]
    fn what_cancels_is_not_taken() {
        // Nearly singular: the product's terms are far larger than its entries.
        let base = matrix(2, &[1000, 1001, 1001, 1003]);
        assert_eq!(after(&matrix(2, &[1, 0, 0, 1]), &base), None);
        assert_eq!(
            after(&matrix(2, &[1, 0, 0, 1]), &matrix(2, &[1, 2, 2, 4])),
            None
        );
    }
}
