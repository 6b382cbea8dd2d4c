//! Subscripts that are known to be inside, for texts whose accesses were looked at before they run.

use core::hint::assert_unchecked;
use core::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// What slices and arrays are subscripted with.
pub trait Subscript: Sized {
    /// Itself; the compiler leaves out that it is looked at again.
    ///
    /// # Safety
    ///
    /// It is inside of what has `length` elements: Rust would not panic.
    ///
    /// ```
    /// use loopwright_runtime::inside::Subscript;
    /// let x = [3.0, 4.0, 5.0];
    /// // SAFETY: there are three.
    /// assert_eq!(x[unsafe { 2.inside(3) }], 5.0);
    /// ```
    #[must_use]
    unsafe fn inside(self, length: usize) -> Self;
}

impl Subscript for usize {
    #[inline(always)]
    unsafe fn inside(self, length: usize) -> usize {
        // SAFETY: as the caller says.
        unsafe { assert_unchecked(self < length) };
        self
    }
}

impl Subscript for Range<usize> {
    #[inline(always)]
    unsafe fn inside(self, length: usize) -> Range<usize> {
        // SAFETY: as the caller says.
        unsafe { assert_unchecked(self.start <= self.end && self.end <= length) };
        self
    }
}

impl Subscript for RangeFrom<usize> {
    #[inline(always)]
    unsafe fn inside(self, length: usize) -> RangeFrom<usize> {
        // SAFETY: as the caller says.
        unsafe { assert_unchecked(self.start <= length) };
        self
    }
}

impl Subscript for RangeTo<usize> {
    #[inline(always)]
    unsafe fn inside(self, length: usize) -> RangeTo<usize> {
        // SAFETY: as the caller says.
        unsafe { assert_unchecked(self.end <= length) };
        self
    }
}

macro_rules! looked_at {
    ($($ty:ty)*) => { $(
        impl Subscript for $ty {
            #[inline(always)]
            unsafe fn inside(self, _: usize) -> $ty {
                self
            }
        }
    )* };
}

// Nothing is gained with these.
looked_at!(RangeInclusive<usize> RangeToInclusive<usize> RangeFull);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subscripts_stay_what_they_are() {
        let x = [1, 2, 3, 4];
        // SAFETY: all of them are inside of four.
        unsafe {
            assert_eq!(x[3.inside(4)], 4);
            assert_eq!(x[(1..3).inside(4)], [2, 3]);
            assert_eq!(x[(4..4).inside(4)], []);
            assert_eq!(x[(2..).inside(4)], [3, 4]);
            assert_eq!(x[(..2).inside(4)], [1, 2]);
            assert_eq!(x[(..).inside(4)], x);
            assert_eq!(x[(1..=2).inside(4)], [2, 3]);
            assert_eq!(x[(..=2).inside(4)], [1, 2, 3]);
        }
    }
}
