//! Buffers whose memory starts at a multiple of 64 bytes.

use alloc::alloc::{alloc, dealloc, handle_alloc_error};
use alloc::vec::Vec;
use core::alloc::Layout;
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut, Index, IndexMut};
use core::ptr::NonNull;

use crate::Aligned;

/// Bytes of a cache line and of the widest register: what everything here is aligned to.
pub const ALIGNMENT: usize = 64;

/// A vector of fixed length whose first element lies at a multiple of 64 bytes.
///
/// It is a slice by `Deref`. Every constructor panics if the length in bytes exceeds
/// `isize::MAX`, and stops the program as `Vec` does when memory runs out.
///
/// ```
/// use loopwright_runtime::AlignedVec;
/// let mut x = AlignedVec::filled(1.0_f64, 100);
/// x[7] = 2.0;
/// assert_eq!(x.iter().sum::<f64>(), 101.0);
/// assert_eq!(x.as_ptr().addr() % 64, 0);
/// ```
pub struct AlignedVec<T: Copy> {
    pointer: NonNull<T>,
    len: usize,
    owns: PhantomData<T>,
}

// SAFETY: the vector owns its elements, as a `Vec<T>` does, and shares them with nobody.
unsafe impl<T: Copy + Send> Send for AlignedVec<T> {}
// SAFETY: a shared vector gives out only `&[T]`.
unsafe impl<T: Copy + Sync> Sync for AlignedVec<T> {}

impl<T: Copy> AlignedVec<T> {
    /// No elements, no memory.
    #[must_use]
    pub const fn new() -> Self {
        // The alignment of this array of none is the larger of 64 and that of T.
        let pointer = NonNull::<Aligned<[T; 0]>>::dangling().cast();
        AlignedVec {
            pointer,
            len: 0,
            owns: PhantomData,
        }
    }

    /// `len` copies of `value`.
    #[must_use]
    pub fn filled(value: T, len: usize) -> Self {
        // SAFETY: all `len` elements are written before anything else happens.
        Self::initialised(len, |start| unsafe {
            for i in 0..len {
                start.add(i).write(value);
            }
        })
    }

    /// `len` times the default value: zeros, for numbers.
    ///
    /// ```
    /// let x = loopwright_runtime::AlignedVec::<f32>::with_default(3);
    /// assert_eq!(*x, [0.0; 3]);
    /// ```
    #[must_use]
    pub fn with_default(len: usize) -> Self
    where
        T: Default,
    {
        Self::filled(T::default(), len)
    }

    /// A copy of the slice.
    #[must_use]
    pub fn from_slice(slice: &[T]) -> Self {
        // SAFETY: the new memory holds `slice.len()` elements, and no other memory overlaps it.
        Self::initialised(slice.len(), |start| unsafe {
            start.copy_from_nonoverlapping(slice.as_ptr(), slice.len());
        })
    }

    /// The elements; the same as by `Deref`.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        self
    }

    /// The elements; the same as by `DerefMut`.
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self
    }

    /// The memory of `len` elements; `None` where it is empty and so not allocated.
    fn layout(len: usize) -> Option<Layout> {
        let layout = Layout::array::<T>(len)
            .and_then(|layout| layout.align_to(ALIGNMENT))
            .expect("capacity overflow");
        (layout.size() > 0).then_some(layout)
    }

    /// Allocates `len` elements and has `write`, which must not panic, write them all.
    fn initialised(len: usize, write: impl FnOnce(*mut T)) -> Self {
        let pointer = match Self::layout(len) {
            None => Self::new().pointer,
            Some(layout) => {
                // SAFETY: the layout's size is not zero.
                let memory = unsafe { alloc(layout) };
                match NonNull::new(memory.cast::<T>()) {
                    None => handle_alloc_error(layout),
                    Some(pointer) => pointer,
                }
            }
        };
        write(pointer.as_ptr());
        AlignedVec {
            pointer,
            len,
            owns: PhantomData,
        }
    }
}

impl<T: Copy> AlignedVec<MaybeUninit<T>> {
    /// `len` elements that are yet to be written: what is written before it is read need not be
    /// filled first.
    ///
    /// ```
    /// use core::mem::MaybeUninit;
    /// use loopwright_runtime::AlignedVec;
    /// let mut x = AlignedVec::<MaybeUninit<f64>>::uninit(3);
    /// assert_eq!(x.len(), 3);
    /// assert_eq!(*x[1].write(2.0), 2.0);
    /// ```
    #[must_use]
    pub fn uninit(len: usize) -> Self {
        Self::initialised(len, |_| {})
    }
}

impl<T: Copy> Drop for AlignedVec<T> {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.len) {
            // SAFETY: `initialised` allocated the memory with this very layout, since the length
            // never changes; elements that are `Copy` need no drop.
            unsafe { dealloc(self.pointer.as_ptr().cast(), layout) }
        }
    }
}

impl<T: Copy> Deref for AlignedVec<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the pointer is aligned, and good for `len` initialised elements (dangling only
        // where these have no bytes); the vector is borrowed as long as the slice is.
        unsafe { core::slice::from_raw_parts(self.pointer.as_ptr(), self.len) }
    }
}

impl<T: Copy> DerefMut for AlignedVec<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`, and the borrow of the vector is exclusive.
        unsafe { core::slice::from_raw_parts_mut(self.pointer.as_ptr(), self.len) }
    }
}

impl<T: Copy> Clone for AlignedVec<T> {
    fn clone(&self) -> Self {
        Self::from_slice(self)
    }
}

impl<T: Copy> Default for AlignedVec<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy + fmt::Debug> fmt::Debug for AlignedVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Copy + PartialEq> PartialEq for AlignedVec<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Copy> From<&[T]> for AlignedVec<T> {
    fn from(slice: &[T]) -> Self {
        Self::from_slice(slice)
    }
}

impl<T: Copy> FromIterator<T> for AlignedVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::from_slice(&items.into_iter().collect::<Vec<T>>())
    }
}

impl<'a, T: Copy> IntoIterator for &'a AlignedVec<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Copy> IntoIterator for &'a mut AlignedVec<T> {
    type Item = &'a mut T;
    type IntoIter = core::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

/// A two-dimensional array, row-major, each row of which starts at a multiple of 64 bytes.
///
/// ```
/// use loopwright_runtime::PaddedArray2;
/// let mut a = PaddedArray2::new(3, 5, 0.0_f64);
/// a[[2, 4]] = 1.0;
/// a.row_mut(1).fill(2.0);
/// assert_eq!(a.row(2), [0.0, 0.0, 0.0, 0.0, 1.0]);
/// assert_eq!(a.row_stride(), 8);
/// assert_eq!(a.row(1).as_ptr().addr() % 64, 0);
/// ```
#[derive(Clone)]
pub struct PaddedArray2<T: Copy> {
    data: AlignedVec<T>,
    rows: usize,
    columns: usize,
    stride: usize,
}

impl<T: Copy> PaddedArray2<T> {
    /// `rows` by `columns` copies of `fill`; the padding holds `fill` too.
    ///
    /// # Panics
    ///
    /// If the array in bytes, padding included, exceeds `isize::MAX`.
    #[must_use]
    pub fn new(rows: usize, columns: usize, fill: T) -> Self {
        // The fewest elements that make whole lines: 64 / gcd(64, size). Only the powers of two in
        // the size count, so that their number is the size's trailing zero bits.
        let line = ALIGNMENT
            >> size_of::<T>()
                .trailing_zeros()
                .min(ALIGNMENT.trailing_zeros());
        let stride = columns
            .checked_next_multiple_of(line)
            .expect("capacity overflow");
        let len = rows.checked_mul(stride).expect("capacity overflow");
        PaddedArray2 {
            data: AlignedVec::filled(fill, len),
            rows,
            columns,
            stride,
        }
    }

    /// The number of rows.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns, without padding.
    #[inline]
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The distance between the starts of two rows, in elements: a multiple of 64 bytes.
    #[inline]
    #[must_use]
    pub fn row_stride(&self) -> usize {
        self.stride
    }

    /// Row `i`, without padding.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`rows`](Self::rows).
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn row(&self, i: usize) -> &[T] {
        let start = self.row_start(i);
        &self.data[start..start + self.columns]
    }

    /// Row `i`, without padding.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`rows`](Self::rows).
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn row_mut(&mut self, i: usize) -> &mut [T] {
        let start = self.row_start(i);
        &mut self.data[start..start + self.columns]
    }

    /// Everything, padding included: entry (i, j) is at `i * row_stride() + j`.
    #[inline]
    #[must_use]
    pub fn as_padded_slice(&self) -> &[T] {
        &self.data
    }

    /// Everything, padding included: entry (i, j) is at `i * row_stride() + j`.
    #[inline]
    #[must_use]
    pub fn as_padded_mut_slice(&mut self) -> &mut [T] {
        &mut self.data
    }

    #[inline]
    #[track_caller]
    fn row_start(&self, i: usize) -> usize {
        assert!(
            i < self.rows,
            "row {i} is out of bounds for {} rows",
            self.rows
        );
        i * self.stride
    }
}

impl<T: Copy> Index<[usize; 2]> for PaddedArray2<T> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, [i, j]: [usize; 2]) -> &T {
        &self.row(i)[j]
    }
}

impl<T: Copy> IndexMut<[usize; 2]> for PaddedArray2<T> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, [i, j]: [usize; 2]) -> &mut T {
        &mut self.row_mut(i)[j]
    }
}

/// Equal where the shapes and the entries are; padding does not count.
impl<T: Copy + PartialEq> PartialEq for PaddedArray2<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.rows, self.columns) == (other.rows, other.columns)
            && (0..self.rows).all(|i| self.row(i) == other.row(i))
    }
}

impl<T: Copy + fmt::Debug> fmt::Debug for PaddedArray2<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries((0..self.rows).map(|i| self.row(i)))
            .finish()
    }
}

#[cfg(test)]
mod tests;
