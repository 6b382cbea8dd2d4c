//! Which dimensions of an array a caller says the extents of.

use super::program::Array;

impl Array {
    /// The axes whose extents a caller says by the array itself: of a flat slice all its rows are one axis.
    pub fn given_axes(&self) -> impl Iterator<Item = usize> + use<> {
        let rows = 1..self.flat_rows();
        (0..self.shape.len()).filter(move |axis| !rows.contains(axis))
    }

    /// How many dimensions one subscript of a flat slice says: the first ones.
    pub fn rows(&self) -> usize {
        self.shape.len() - self.inner
    }

    /// The same where the array is such a slice, and none where it is not.
    pub fn flat_rows(&self) -> usize {
        if self.flat { self.rows() } else { 0 }
    }

    /// Whether rows of such a slice have a length that is known when the kernel runs.
    pub fn has_run_time_rows(&self) -> bool {
        let mut inner = self.shape.iter().take(self.rows()).skip(1);
        inner.any(|extent| extent.as_constant().is_none())
    }
}
