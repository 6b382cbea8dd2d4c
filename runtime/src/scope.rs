//! What a kernel's scope must not give another meaning: expansions have functions that nothing calls and that do
//! not compile where it does.

#![allow(
    clippy::len_without_is_empty,
    reason = "the methods are there for their names"
)]

pub use alloc::vec::Vec;

#[cfg(feature = "ndarray")]
mod views;

#[cfg(feature = "ndarray")]
pub use views::{OfMutableView, OfView};

/// Macros that scopes are compared with.
pub mod macros {
    pub use alloc::vec;
}

/// The type that a name means in a scope is Rust's own.
#[diagnostic::on_unimplemented(
    message = "`{Own}` is `{Self}` in this scope",
    label = "not Rust's own `{Own}`, for which the kernel is expanded",
    note = "give the type of the scope another name, or the kernel a module without it"
)]
pub trait Is<Own> {}

impl<T> Is<T> for T {}

/// Compiles if two types are the same.
pub fn is<Own, Named: Is<Own>>() {}

/// What the methods below return, and no other method does.
#[derive(Clone, Copy, Debug)]
pub struct Own;

/// A value that the methods below return.
#[diagnostic::on_unimplemented(
    message = "a trait in this scope has a method of this name that hides the one of slices, arrays or views",
    label = "returns `{Self}` here, by the trait's method",
    note = "the kernel is expanded for the length that this one hides; give the trait's method another name, or the kernel a module without the trait"
)]
pub trait Returned {}

impl Returned for Own {}

/// Compiles if a method that was called is one of those below.
pub fn own<T: Returned>(_: T) {}

/// Found last before the length that a mutable slice has.
pub trait OfMutableSlice {
    /// Hides it.
    fn len(&mut self) -> Own {
        Own
    }
}

impl<T> OfMutableSlice for &mut [T] {}

/// Found last before the length that an array has behind a reference.
pub trait OfReferencedArray {
    /// Hides it.
    fn len(&self) -> Own {
        Own
    }
}

impl<T, const N: usize> OfReferencedArray for [T; N] {}

/// Found last before the length that an array has.
pub trait OfArray {
    /// Hides it.
    fn len(&mut self) -> Own {
        Own
    }
}

impl<T, const N: usize> OfArray for [T; N] {}

/// Found last before the length that a vector has.
pub trait OfVec: Sized {
    /// Hides it.
    fn len(self) -> Own {
        Own
    }
}

impl<T> OfVec for Vec<T> {}
