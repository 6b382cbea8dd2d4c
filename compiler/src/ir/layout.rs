//! Which dimensions of an array a caller says the extents of.

use super::program::Array;

impl Array {
    /// The axes whose extents a caller says by the array itself: of a flat slice all its rows are one axis.
    pub fn given_axes(&self) -> impl Iterator<Item = usize> + use<> {
        let rows = match self.flat {
            true => 1..self.rows(),
            false => 0..0,
        };
        (0..self.shape.len()).filter(move |axis| !rows.contains(axis))
    }

    /// How many dimensions one subscript of a flat slice says: the first ones.
    pub fn rows(&self) -> usize {
        self.shape.len() - self.inner
    }
}
