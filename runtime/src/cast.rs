//! From a generic type to the concrete type that it happens to be.
//!
//! A kernel generic over `T` takes its lane variants when `T` is `f64`. These functions are the
//! safe way there: they compare types, which the optimiser resolves at monomorphisation, so that
//! neither branch nor copy is left.
//!
//! ```
//! use loopwright_runtime::cast;
//!
//! fn scale<T: Copy + core::ops::MulAssign + 'static>(x: &mut [[T; 2]], by: T) {
//!     if let (Some(x), Some(by)) = (cast::slice_mut::<_, [f64; 2]>(x), cast::value(by)) {
//!         return scale_f64(x, by);
//!     }
//!     x.as_flattened_mut().iter_mut().for_each(|x| *x *= by);
//! }
//!
//! fn scale_f64(x: &mut [[f64; 2]], by: f64) {
//!     x.as_flattened_mut().iter_mut().for_each(|x| *x *= by);
//! }
//!
//! let mut x = [[1.0, 2.0]];
//! scale(&mut x, 3.0);
//! assert_eq!(x, [[3.0, 6.0]]);
//! ```

use core::any::TypeId;

/// Whether `A` and `B` are one type.
#[inline(always)]
#[must_use]
pub fn same_type<A: 'static, B: 'static>() -> bool {
    TypeId::of::<A>() == TypeId::of::<B>()
}

/// The value as a `B`, if that is what it is.
#[inline(always)]
#[must_use]
pub fn value<A: Copy + 'static, B: Copy + 'static>(value: A) -> Option<B> {
    reference(&value).copied()
}

/// The reference as one to a `B`, if that is what it refers to.
#[inline(always)]
#[must_use]
pub fn reference<A: 'static, B: 'static>(reference: &A) -> Option<&B> {
    if !same_type::<A, B>() {
        return None;
    }
    // SAFETY: A and B are the same type, by their ids; the lifetime is that of the argument.
    Some(unsafe { &*core::ptr::from_ref(reference).cast::<B>() })
}

/// The reference as one to a `B`, if that is what it refers to.
#[inline(always)]
#[must_use]
pub fn reference_mut<A: 'static, B: 'static>(reference: &mut A) -> Option<&mut B> {
    if !same_type::<A, B>() {
        return None;
    }
    // SAFETY: A and B are the same type, by their ids; the lifetime is that of the argument, whose
    // exclusive borrow the result takes over.
    Some(unsafe { &mut *core::ptr::from_mut(reference).cast::<B>() })
}

/// The slice as one of `B`, if that is what it holds; arrays as elements are fine.
#[inline(always)]
#[must_use]
pub fn slice<A: 'static, B: 'static>(slice: &[A]) -> Option<&[B]> {
    if !same_type::<A, B>() {
        return None;
    }
    // SAFETY: A and B are the same type, by their ids: the pointer is valid and aligned for
    // `len` elements, during the lifetime of the argument.
    Some(unsafe { core::slice::from_raw_parts(slice.as_ptr().cast::<B>(), slice.len()) })
}

/// The slice as one of `B`, if that is what it holds; arrays as elements are fine.
#[inline(always)]
#[must_use]
pub fn slice_mut<A: 'static, B: 'static>(slice: &mut [A]) -> Option<&mut [B]> {
    if !same_type::<A, B>() {
        return None;
    }
    // SAFETY: A and B are the same type, by their ids: the pointer is valid and aligned for `len`
    // elements, during the lifetime of the argument, whose exclusive borrow the result takes over.
    Some(unsafe { core::slice::from_raw_parts_mut(slice.as_mut_ptr().cast::<B>(), slice.len()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_type_passes() {
        assert!(same_type::<f64, f64>() && !same_type::<f64, u64>());
        assert!(!same_type::<[f64; 2], [f64; 3]>());
        assert_eq!(value::<f64, f64>(1.5), Some(1.5));
        assert_eq!(value::<f64, u64>(1.5), None);
        assert_eq!(slice::<f32, f32>(&[1.0, 2.0]), Some(&[1.0_f32, 2.0][..]));
        assert_eq!(slice::<f32, u32>(&[1.0]), None);
    }

    #[test]
    fn writes_go_through() {
        let mut x = [1_i32, 2];
        slice_mut::<i32, i32>(&mut x).unwrap()[1] = 5;
        *reference_mut::<[i32; 2], [i32; 2]>(&mut x).unwrap() = [x[1], x[0]];
        assert_eq!(reference::<_, [i32; 2]>(&x), Some(&[5, 1]));
        assert!(reference_mut::<[i32; 2], [u32; 2]>(&mut x).is_none());
        assert!(slice_mut::<i32, u32>(&mut x).is_none());
    }
}
