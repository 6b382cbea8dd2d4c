//! What a survey computes with: functions of integers, and entries of arrays.

use super::forms::Form;

/// Functions of integers that are not affine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `a * b`.
    Product,
    /// `a / b`, where `b` is positive.
    Quotient,
    /// `a % b`, where neither is negative and `b` is not zero.
    Remainder,
    /// `a << b`, where no bit is lost.
    Shifted,
    /// The power of a number that is not negative.
    Power,
    /// The smaller one.
    Least,
    /// The larger one.
    Most,
    /// One or the other.
    Either,
    /// An entry of an array with these subscripts.
    Entry(Rows),
}

/// An array of integers that nothing changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The rows, as a slice.
    pub rows: String,
    /// The sizes of the arrays within each other in a row.
    pub sizes: Vec<i128>,
    /// The entries of a row.
    pub row: i128,
}

/// Rows of more entries are looked at together with all of their columns.
const LONGEST_ROW: i128 = 16;

impl Rows {
    /// The place in a row that constant subscripts say, of several.
    pub fn column(&self, at: &[Form]) -> Option<i128> {
        if !(2..=LONGEST_ROW).contains(&self.row) || at.len() != self.sizes.len() {
            return None;
        }
        at.iter().zip(&self.sizes).try_fold(0, |place, (at, size)| {
            let at = at.as_constant().filter(|at| (0..*size).contains(at))?;
            Some(place * size + at)
        })
    }
}

/// The run time's function for the ends of an operation, from those of its operands.
pub fn function(operation: &Operation) -> &'static str {
    match operation {
        Operation::Product => "product",
        Operation::Quotient => "quotient",
        Operation::Remainder => "remainder",
        Operation::Shifted => "shifted",
        Operation::Power => "power",
        Operation::Least => "least",
        Operation::Most => "most",
        Operation::Either | Operation::Entry(_) => "either",
    }
}
