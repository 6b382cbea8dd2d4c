//! What an inspector walks: the ends of ranges, and arrays of nothing.

/// The first and the last value of a range: where whatever follows it in a line, or rises or falls with it,
/// is smallest and largest.
///
/// ```
/// use loopwright_runtime::checks::ends;
/// assert_eq!(ends(3..9_usize).collect::<Vec<_>>(), [3, 8]);
/// assert_eq!(ends((0..=9_u8).rev()).collect::<Vec<_>>(), [9, 0]);
/// assert_eq!(ends((0..9_usize).step_by(3)).collect::<Vec<_>>(), [0, 6]);
/// assert_eq!(ends(4..5_i64).count(), 1);
/// assert_eq!(ends(5..5_i64).count(), 0);
/// ```
#[inline]
pub fn ends<I: DoubleEndedIterator>(range: I) -> impl Iterator<Item = I::Item> {
    ends_or_all(range, false)
}

/// The first and the last value of a range, or all of them.
///
/// ```
/// use loopwright_runtime::checks::ends_or_all;
/// assert_eq!(ends_or_all(3..9_usize, false).collect::<Vec<_>>(), [3, 8]);
/// assert_eq!(ends_or_all(3..6_usize, true).collect::<Vec<_>>(), [3, 4, 5]);
/// assert_eq!(ends_or_all(4..5_i64, false).count(), 1);
/// ```
#[inline]
pub fn ends_or_all<I: DoubleEndedIterator>(
    mut range: I,
    all: bool,
) -> impl Iterator<Item = I::Item> {
    let first = range.next();
    let last = if all { None } else { range.next_back() };
    let between = all.then_some(range).into_iter().flatten();
    first.into_iter().chain(between).chain(last)
}

/// A slice of nothing, as long as one of something: it has the same subscripts.
///
/// ```
/// assert_eq!(loopwright_runtime::checks::hollow::<[(); 3]>(5).len(), 5);
/// ```
///
/// # Panics
/// If the elements are not nothing.
#[inline]
#[must_use]
pub fn hollow<T: 'static>(extent: usize) -> &'static [T] {
    assert!(size_of::<T>() == 0, "elements of nothing have no size");
    // SAFETY: elements without size are wherever a pointer is not null and aligned.
    unsafe { core::slice::from_raw_parts(core::ptr::NonNull::dangling().as_ptr(), extent) }
}
