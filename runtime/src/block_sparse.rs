//! Tables of which whole columns are zero: dense to look up, and a list of blocks to compute with.

use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, Index, Range};

use crate::{AlignedVec, PaddedArray2, Real};

/// A table of `Q` rows and `N` columns, a point of a quadrature rule each and a basis function
/// each, whose non-zero columns are also there as dense blocks.
///
/// Tables of vector-valued and mixed elements have columns that are zero at all points: a function
/// of one component has no part in the others. Sums over the blocks leave these out, without an
/// index per entry, as in section 6.3 of Luporini, Ham and Kelly, *An algorithm for the
/// optimization of finite element integration loops* (2017). A block is a longest range of columns
/// that are non-zero, each in at least one row.
///
/// Looking up is that of a dense table, `t[q][i]`. A column with no entry beyond the tolerance is
/// zero there too, so that a table and its blocks always say the same; entries of the other
/// columns are as given. It dereferences to the nested array, and kernels take a
/// `&BlockSparseTable<f64, Q, N>` as that.
///
/// ```
/// use loopwright_runtime::BlockSparseTable;
///
/// let t = BlockSparseTable::new(
///     &[[0.5, 1e-17, 2.0, 3.0], [0.0, 0.0, 4.0, 0.0]],
///     1e-14,
/// );
/// assert_eq!((t[0][2], t[0][1]), (2.0, 0.0));
///
/// let columns: Vec<_> = t.blocks().iter().map(|block| block.columns()).collect();
/// assert_eq!(columns, [0..1, 2..4]);
/// assert_eq!(t.blocks()[1][1], [4.0, 0.0]);
///
/// // A product with the table reads the blocks alone.
/// let x = [1.0, 10.0, 100.0, 1000.0];
/// let mut y = [0.0; 2];
/// for block in t.blocks() {
///     for (q, y) in y.iter_mut().enumerate() {
///         let terms = block[q].iter().zip(&x[block.columns()]);
///         *y += terms.map(|(t, x)| t * x).sum::<f64>();
///     }
/// }
/// assert_eq!(y, [3200.5, 400.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BlockSparseTable<T: Copy, const Q: usize, const N: usize> {
    rows: AlignedVec<[T; N]>,
    blocks: Vec<Block<T>>,
}

impl<T: Real, const Q: usize, const N: usize> BlockSparseTable<T, Q, N> {
    /// The table with these entries. Those of at most `tolerance` in magnitude make no column
    /// non-zero; a NaN does, and so does every entry if the tolerance is negative or a NaN.
    #[must_use]
    pub fn new(dense: &[[T; N]; Q], tolerance: T) -> Self {
        let mut rows = AlignedVec::from_slice(dense);
        // Written so that a NaN is beyond every tolerance.
        let within = |entry: T| entry.abs() <= tolerance;
        let is_zero = |column: usize| dense.iter().all(|row| within(row[column]));
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for column in 0..N {
            if is_zero(column) {
                for row in &mut rows {
                    row[column] = T::zero();
                }
                continue;
            }
            match ranges.last_mut() {
                Some(last) if last.end == column => last.end += 1,
                _ => ranges.push(column..column + 1),
            }
        }
        let blocks = ranges.into_iter().map(|columns| Block::new(&rows, columns));
        BlockSparseTable {
            blocks: blocks.collect(),
            rows,
        }
    }

    /// The table with these entries, row after row; see [`BlockSparseTable::new`].
    ///
    /// # Errors
    ///
    /// A slice that does not have `Q * N` entries.
    ///
    /// ```
    /// use loopwright_runtime::BlockSparseTable;
    /// let t = BlockSparseTable::<f32, 2, 2>::from_slice(&[0.0, 1.0, 0.0, 2.0], 0.0).unwrap();
    /// assert_eq!(t.blocks()[0].columns(), 1..2);
    ///
    /// let wrong = BlockSparseTable::<f32, 2, 2>::from_slice(&[0.0; 5], 0.0).unwrap_err();
    /// assert_eq!(wrong.to_string(), "5 entries do not make a table of shape [2, 2]");
    /// ```
    pub fn from_slice(entries: &[T], tolerance: T) -> Result<Self, WrongLength> {
        let wrong = WrongLength {
            shape: [Q, N],
            entries: entries.len(),
        };
        if Q.checked_mul(N) != Some(entries.len()) {
            return Err(wrong);
        }
        let row = |q: usize| -> [T; N] { core::array::from_fn(|i| entries[q * N + i]) };
        let rows: AlignedVec<[T; N]> = (0..Q).map(row).collect();
        let dense = rows.as_slice().try_into().map_err(|_| wrong)?;
        Ok(BlockSparseTable::new(dense, tolerance))
    }
}

impl<T: Copy, const Q: usize, const N: usize> BlockSparseTable<T, Q, N> {
    /// The dense table, starting at a multiple of 64 bytes.
    #[must_use]
    #[inline]
    pub fn dense(&self) -> &[[T; N]; Q] {
        let rows = self.rows.as_slice().try_into();
        rows.expect("both constructors make Q rows")
    }

    /// The blocks, by ascending columns. Between two of them is at least one zero column.
    #[must_use]
    pub fn blocks(&self) -> &[Block<T>] {
        &self.blocks
    }
}

impl<T: Copy, const Q: usize, const N: usize> Deref for BlockSparseTable<T, Q, N> {
    type Target = [[T; N]; Q];

    /// The dense table, so that a table is read as one: `t[q][i]`.
    #[inline]
    fn deref(&self) -> &[[T; N]; Q] {
        self.dense()
    }
}

/// Adjacent columns of a [`BlockSparseTable`], none of them zero, as a dense table.
#[derive(Clone, Debug, PartialEq)]
pub struct Block<T: Copy> {
    columns: Range<usize>,
    entries: PaddedArray2<T>,
}

impl<T: Real> Block<T> {
    /// These columns of the rows.
    fn new<const N: usize>(rows: &[[T; N]], columns: Range<usize>) -> Self {
        let mut entries = PaddedArray2::new(rows.len(), columns.len(), T::zero());
        for (q, row) in rows.iter().enumerate() {
            entries.row_mut(q).copy_from_slice(&row[columns.clone()]);
        }
        Block { columns, entries }
    }
}

impl<T: Copy> Block<T> {
    /// Which columns of the table these are.
    #[must_use]
    pub fn columns(&self) -> Range<usize> {
        self.columns.clone()
    }

    /// The entries: as many rows as the table has, a column for each of [`Block::columns`], and
    /// every row at a multiple of 64 bytes.
    #[must_use]
    pub fn entries(&self) -> &PaddedArray2<T> {
        &self.entries
    }
}

impl<T: Copy> Index<usize> for Block<T> {
    type Output = [T];

    /// A row of the block, without padding.
    #[inline]
    #[track_caller]
    fn index(&self, row: usize) -> &[T] {
        self.entries.row(row)
    }
}

/// A slice has not as many entries as the table that it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongLength {
    /// The rows and columns of the table.
    pub shape: [usize; 2],
    /// The entries of the slice.
    pub entries: usize,
}

impl fmt::Display for WrongLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongLength { shape, entries } = self;
        write!(
            f,
            "{entries} entries do not make a table of shape {shape:?}"
        )
    }
}

impl core::error::Error for WrongLength {}

#[cfg(test)]
mod tests;
