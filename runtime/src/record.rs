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
/// The type has the size and the alignment of `Numbers`; each value of one is a value of the other.
#[diagnostic::on_unimplemented(
    message = "kernels do not know how `{Self}` lies in memory",
    note = "declare structs in the kernel block; for `Complex` of `num-complex` switch the feature `num-complex` of loopwright on"
)]
pub unsafe trait Record {
    /// The array of its numbers.
    type Numbers;
}

// SAFETY: arrays of equal elements are equal.
unsafe impl<T: Record, const N: usize> Record for [T; N] {
    type Numbers = [T::Numbers; N];
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
    const { alike::<T>() };
    // SAFETY: the trait's.
    unsafe { from_raw_parts_mut(of.as_mut_ptr().cast(), of.len()) }
}

/// A struct of numbers, or an array of such.
#[inline]
#[must_use]
pub fn made<T: Record>(of: T::Numbers) -> T {
    const { alike::<T>() };
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
    const { alike::<T>() };
    // SAFETY: the trait's.
    unsafe { &mut *core::ptr::from_mut(of).cast() }
}
