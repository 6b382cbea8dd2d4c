//! Structs of numbers as the arrays of these.
//!
//! ```
//! use loopwright_runtime::record::{Record, slice};
//!
//! #[repr(C)]
//! struct Point {
//!     x: f64,
//!     y: f64,
//! }
//!
//! // SAFETY: two numbers in order, without gaps.
//! unsafe impl Record for Point {
//!     type Numbers = [f64; 2];
//! }
//!
//! let points = [Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 }];
//! assert_eq!(slice(&points), [[1.0, 2.0], [3.0, 4.0]]);
//! assert_eq!(points[1].x + points[1].y, 7.0);
//! ```

use core::slice::{from_raw_parts, from_raw_parts_mut};

/// A type that is laid out as an array of numbers.
///
/// # Safety
/// The type has the size and the alignment of `Numbers`; each value of the type is one of `Numbers`, and each of
/// `Numbers` one of the type if `FROM_ANY` says so.
#[diagnostic::on_unimplemented(
    message = "kernels do not know how `{Self}` lies in memory",
    note = "declare structs in the kernel block; for `Complex` of `num-complex` switch the feature `num-complex` of loopwright on"
)]
pub unsafe trait Record {
    /// The array of its numbers.
    type Numbers;

    /// The numbers stand in order: `rustc` says where those of a tuple are.
    const IN_ORDER: bool = true;

    /// Any numbers are a value of the type.
    const FROM_ANY: bool = true;
}

// SAFETY: a condition is a byte that is 0 or 1.
unsafe impl Record for bool {
    type Numbers = u8;

    const FROM_ANY: bool = false;
}

/// A number of one of Rust's own types.
pub trait Number: Copy {}

macro_rules! numbers {
    ($($number:ident)*) => {
        $(impl Number for $number {})*
    };
}

numbers! { f64 f32 u8 u16 u32 u64 usize i8 i16 i32 i64 isize }

macro_rules! tuples {
    ($($count:literal: ($($part:ident)*) ($($at:tt)*))*) => {
        $(
            // SAFETY: numbers of one type, which are in order where that is asserted.
            unsafe impl<T: Number> Record for ($($part,)*) {
                type Numbers = [T; $count];

                const IN_ORDER: bool =
                    $(core::mem::offset_of!(Self, $at) == $at * size_of::<T>())&&*;
            }
        )*
    };
}

tuples! {
    2: (T T) (0 1)
    3: (T T T) (0 1 2)
    4: (T T T T) (0 1 2 3)
    5: (T T T T T) (0 1 2 3 4)
    6: (T T T T T T) (0 1 2 3 4 5)
    7: (T T T T T T T) (0 1 2 3 4 5 6)
    8: (T T T T T T T T) (0 1 2 3 4 5 6 7)
}

// SAFETY: arrays of equal elements are equal.
unsafe impl<T: Record, const N: usize> Record for [T; N] {
    type Numbers = [T::Numbers; N];

    const IN_ORDER: bool = T::IN_ORDER;

    const FROM_ANY: bool = T::FROM_ANY;
}

#[cfg(feature = "num-complex")]
// SAFETY: `repr(C)`, with the real and the imaginary part.
unsafe impl Record for num_complex::Complex<f64> {
    type Numbers = [f64; 2];
}

#[cfg(feature = "num-complex")]
// SAFETY: `repr(C)`, with the real and the imaginary part.
unsafe impl Record for num_complex::Complex<f32> {
    type Numbers = [f32; 2];
}

/// What the trait promises, as far as it can be checked.
const fn alike<T: Record>() {
    assert!(size_of::<T>() == size_of::<T::Numbers>());
    assert!(align_of::<T>() == align_of::<T::Numbers>());
    assert!(T::IN_ORDER);
}

/// The same, where numbers are to become values of the type.
const fn from_any<T: Record>() {
    alike::<T>();
    assert!(T::FROM_ANY);
}

/// The numbers of a slice of structs.
#[inline]
#[must_use]
pub fn slice<T: Record>(of: &[T]) -> &[T::Numbers] {
    const { alike::<T>() };
    // SAFETY: the trait's.
    unsafe { from_raw_parts(of.as_ptr().cast(), of.len()) }
}

/// The same, to be written.
#[inline]
#[must_use]
pub fn slice_mut<T: Record>(of: &mut [T]) -> &mut [T::Numbers] {
    const { from_any::<T>() };
    // SAFETY: the trait's.
    unsafe { from_raw_parts_mut(of.as_mut_ptr().cast(), of.len()) }
}

/// A struct of numbers, or an array of such.
#[inline]
#[must_use]
pub fn made<T: Record>(of: T::Numbers) -> T {
    const { from_any::<T>() };
    let of = core::mem::ManuallyDrop::new(of);
    // SAFETY: the trait's: these are the bytes of a value of this type.
    unsafe { core::ptr::from_ref(&of).cast::<T>().read() }
}

/// The numbers of a struct.
#[inline]
#[must_use]
pub fn one<T: Record>(of: &T) -> &T::Numbers {
    const { alike::<T>() };
    // SAFETY: the trait's.
    unsafe { &*core::ptr::from_ref(of).cast() }
}

/// The same, to be written.
#[inline]
#[must_use]
pub fn one_mut<T: Record>(of: &mut T) -> &mut T::Numbers {
    const { from_any::<T>() };
    // SAFETY: the trait's.
    unsafe { &mut *core::ptr::from_mut(of).cast() }
}

/// The bytes of conditions, to be written.
///
/// # Safety
/// What is written to them is 0 or 1.
#[inline]
#[must_use]
pub unsafe fn truths_mut<T: Record>(of: &mut [T]) -> &mut [T::Numbers] {
    const { alike::<T>() };
    // SAFETY: the trait's, and the caller's.
    unsafe { from_raw_parts_mut(of.as_mut_ptr().cast(), of.len()) }
}

/// The bytes of a condition, or of an array of such, to be written.
///
/// # Safety
/// What is written to them is 0 or 1.
#[inline]
#[must_use]
pub unsafe fn truth_mut<T: Record>(of: &mut T) -> &mut T::Numbers {
    const { alike::<T>() };
    // SAFETY: the trait's, and the caller's.
    unsafe { &mut *core::ptr::from_mut(of).cast() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_bytes() {
        let mut all = [[true, false], [false, true]];
        assert_eq!(slice(&all), [[1, 0], [0, 1]]);
        assert_eq!(one(&all[1]), &[0, 1]);
        // SAFETY: 0 and 1.
        unsafe {
            truths_mut(&mut all)[0] = [0, 1];
            *truth_mut(&mut all[1][1]) = 0;
        }
        assert_eq!(all, [[false, true], [false, false]]);
    }
}
