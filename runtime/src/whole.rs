//! Integers that a call computes before a kernel runs: nothing where Rust would panic, or wrap around.

use crate::view::View;

/// Any integer as a `usize`.
#[must_use]
#[inline]
pub fn converted<T>(value: T) -> Option<usize>
where
    usize: TryFrom<T>,
{
    usize::try_from(value).ok()
}

/// The length of a slice.
#[must_use]
#[inline]
pub fn length<T>(of: &[T]) -> Option<usize> {
    Some(of.len())
}

/// The extent of a view along an axis.
#[must_use]
#[inline]
pub fn extent<T, const RANK: usize>(of: &View<'_, T, RANK>, axis: usize) -> Option<usize> {
    of.shape().get(axis).copied()
}

/// `a + b`.
#[must_use]
#[inline]
pub fn sum(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a?.checked_add(b?)
}

/// `a - b`.
#[must_use]
#[inline]
pub fn difference(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a?.checked_sub(b?)
}

/// `a * b`.
#[must_use]
#[inline]
pub fn product(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a?.checked_mul(b?)
}

/// `a / b`.
#[must_use]
#[inline]
pub fn quotient(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a?.checked_div(b?)
}

/// `a % b`.
#[must_use]
#[inline]
pub fn remainder(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a?.checked_rem(b?)
}

/// `a / b`, of which nothing is left.
#[must_use]
#[inline]
pub fn times(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    let (a, b) = (a?, b?);
    a.checked_div(b).filter(|times| times * b == a)
}

/// The smaller of two.
#[must_use]
#[inline]
pub fn lesser(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    Some(a?.min(b?))
}

/// The larger of two.
#[must_use]
#[inline]
pub fn greater(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    Some(a?.max(b?))
}

/// What is left of `a` without `b`, or zero.
#[must_use]
#[inline]
pub fn excess(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    Some(a?.saturating_sub(b?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_nothing_where_rust_panics_or_wraps_around() {
        let (some, none) = (Some, None::<usize>);
        assert_eq!(quotient(length(&[1.0; 7]), some(2)), some(3));
        // SAFETY: two rows of three of six numbers.
        let view = unsafe { View::new([1.0; 6].as_ptr(), [2, 3], [3, 1]) };
        assert_eq!(
            [0, 1, 2].map(|at| extent(&view, at)),
            [some(2), some(3), none]
        );
        assert_eq!(quotient(some(7), some(0)), none);
        assert_eq!(remainder(some(7), some(0)), none);
        assert_eq!(remainder(some(7), some(4)), some(3));
        assert_eq!(difference(some(1), some(2)), none);
        assert_eq!(excess(some(1), some(2)), some(0));
        assert_eq!(sum(some(usize::MAX), some(1)), none);
        assert_eq!(product(some(usize::MAX), some(2)), none);
        assert_eq!(lesser(some(2), greater(some(1), some(3))), some(2));
        assert_eq!(sum(none, some(1)), none);
        assert_eq!(converted(-1_i32), none);
        assert_eq!(converted(5_u64), some(5));
    }
}
