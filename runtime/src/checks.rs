//! The panics of expanded code, out of line, and index maps as numbers.
//!
//! A kernel checks its bounds before it writes anything, and calls one of these where a check
//! fails: the arguments are never touched by a call that panics here.

/// Panics since an index lies outside of an array.
///
/// # Panics
///
/// Always:
///
/// ```should_panic
/// // `helmholtz`: index 12 is out of bounds for axis 0 of `a` with extent 10
/// loopwright_runtime::checks::index_out_of_bounds("helmholtz", "a", 0, 12, 10);
/// ```
#[cold]
#[inline(never)]
#[track_caller]
pub fn index_out_of_bounds(
    kernel: &str,
    array: &str,
    axis: usize,
    index: i128,
    extent: usize,
) -> ! {
    panic!(
        "`{kernel}`: index {index} is out of bounds for axis {axis} of `{array}` \
         with extent {extent}"
    )
}

/// Panics since the kernel reaches `index` along an axis of `array` whose extent is `extent`, and
/// it does so because `other_name` (an array, or the expression of a bound) has `other_extent`.
///
/// # Panics
///
/// Always:
///
/// ```should_panic
/// // `helmholtz`: `a` has extent 3 along axis 0, but the kernel reaches index 4
/// // (extent of `cells`: 5)
/// loopwright_runtime::checks::extent_too_small("helmholtz", "a", 0, 4, 3, "cells", 5);
/// ```
#[cold]
#[inline(never)]
#[track_caller]
pub fn extent_too_small(
    kernel: &str,
    array: &str,
    axis: usize,
    index: i128,
    extent: usize,
    other_name: &str,
    other_extent: usize,
) -> ! {
    panic!(
        "`{kernel}`: `{array}` has extent {extent} along axis {axis}, but the kernel reaches \
         index {index} (extent of `{other_name}`: {other_extent})"
    )
}

/// Panics since a bound of unsigned arithmetic, whose source is `text`, would fall below zero.
///
/// # Panics
///
/// Always:
///
/// ```should_panic
/// // `blur`: the bound `n - 2` underflows
/// loopwright_runtime::checks::bound_underflow("blur", "n - 2");
/// ```
#[cold]
#[inline(never)]
#[track_caller]
pub fn bound_underflow(kernel: &str, text: &str) -> ! {
    panic!("`{kernel}`: the bound `{text}` underflows")
}

/// An integer that an index map may hold, as in `u[cells[e][i]]`.
///
/// ```
/// use loopwright_runtime::MapIndex;
/// assert_eq!(7_u32.to_index(), 7);
/// assert_eq!((-1_i32).to_index(), -1);
/// assert_eq!(u64::MAX.to_index(), i64::MAX);
/// ```
pub trait MapIndex: Copy {
    /// The index. What exceeds `i64::MAX` becomes `i64::MAX`: no array is that long, so that a
    /// bounds check fails for it as it would have for the number itself.
    fn to_index(self) -> i64;
}

macro_rules! map_index {
    (lossless: $($small:ty),*; saturating: $($large:ty),*) => {
        $(impl MapIndex for $small {
            #[inline(always)]
            fn to_index(self) -> i64 {
                i64::from(self)
            }
        })*
        $(impl MapIndex for $large {
            #[inline(always)]
            fn to_index(self) -> i64 {
                i64::try_from(self).unwrap_or(i64::MAX)
            }
        })*
    };
}

// An `isize` has at most 64 bits, so that for it the conversion cannot fail.
map_index!(lossless: u8, u16, u32, i8, i16, i32, i64; saturating: u64, usize, isize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic = "`helmholtz`: index -1 is out of bounds for axis 0 of `a` with extent 10"]
    fn out_of_bounds_names_everything() {
        index_out_of_bounds("helmholtz", "a", 0, -1, 10);
    }

    #[test]
    #[should_panic = "`helmholtz`: `a` has extent 3 along axis 0, but the kernel reaches index 4 \
                      (extent of `cells`: 5)"]
    fn too_small_names_both_extents() {
        extent_too_small("helmholtz", "a", 0, 4, 3, "cells", 5);
    }

    #[test]
    #[should_panic = "`blur`: the bound `n - 2` underflows"]
    fn underflow_quotes_the_bound() {
        bound_underflow("blur", "n - 2");
    }

    #[test]
    fn indices_saturate_and_keep_their_sign() {
        assert_eq!(
            usize::MAX.to_index(),
            i64::try_from(usize::MAX).unwrap_or(i64::MAX)
        );
        assert_eq!((u64::MAX - 5).to_index(), i64::MAX);
        assert_eq!(i64::MIN.to_index(), i64::MIN);
        assert_eq!((-3_isize).to_index(), -3);
        assert_eq!((u8::MAX.to_index(), i16::MIN.to_index()), (255, -32768));
    }
}
