//! A scope in which every name that an expansion could mention, and every method that it could call,
//! means something else: what is checked must be what is used all the same.
//!
//! What the text itself would mean by the types that it names, `vec!` and `len()` is compared with Rust's own by
//! what stands beside the kernels: another meaning is an error (`tests/ui/cases/scope_*`), so that no kernel
//! here has it. So are methods of views that are parameters. Not compared are the methods of numbers behind references.
#![allow(
    non_camel_case_types,
    non_upper_case_globals,
    unused_macros,
    dead_code,
    missing_debug_implementations,
    clippy::all,
    clippy::pedantic,
    reason = "names are what is tried"
)]

macro_rules! lie {
    ($($name:ident),*) => {$(
        macro_rules! $name { (nothing but this) => {} }
    )*};
}
lie!(
    vec,
    assert,
    assert_eq,
    debug_assert,
    panic,
    unreachable,
    format,
    write,
    matches,
    concat
);
lie!(
    include_bytes,
    option_env,
    todo,
    unimplemented,
    print,
    eprintln
);

/// Shadow crates and modules.
pub mod core {}
/// Likewise.
pub mod std {}
/// Likewise.
pub mod alloc {}
/// Likewise.
pub mod renamed {}
/// Likewise.
pub mod loopwright {}
/// Likewise.
pub mod __loopwright {}

/// Shadow types of the prelude, and of expansions.
pub enum Option {}
/// Likewise.
pub enum Result {}
/// Likewise.
pub struct Some;
/// Likewise.
pub struct None;
/// Likewise.
pub struct Ok;
/// Likewise.
pub struct Err;
/// Likewise.
pub struct Box;
/// Likewise.
pub struct Vec;
/// Likewise.
pub struct Isa;
/// Likewise.
pub struct View;
/// Likewise.
pub struct AlignedVec;
/// Shadow types that parameters of this module do not have.
pub struct i128;
/// Likewise.
pub struct u128;
/// Likewise.
pub struct isize;
/// Likewise.
pub struct i64;
/// Likewise.
pub struct u64;
/// Likewise.
pub struct i32;
/// Likewise.
pub struct u32;
/// Likewise.
pub struct u8;
/// Likewise.
pub struct f32;
/// Likewise.
pub struct bool;
/// Shadow the names of variables in patterns.
pub const low: usize = 3;
/// Likewise.
pub const high: usize = 3;
/// Likewise.
pub const value: usize = 3;
/// Likewise.
pub const at_0: usize = 3;
/// Likewise.
pub const x_p: usize = 3;
/// Likewise.
pub const x_len: usize = 3;
/// Likewise.
pub const x_1: usize = 3;
/// Likewise.
pub const y_p: usize = 3;
/// Likewise.
pub const map_1: usize = 3;

macro_rules! methods {
    ($($lie:ident $lie_mut:ident $by_value:ident: $($name:ident),*;)*) => {$(
        /// Methods of a lie, by reference.
        pub trait $lie {
            $(
                /// Is found before a method that needs a further step.
                fn $name(&self) -> ::core::primitive::usize { 1 << 40 }
            )*
        }
        impl<T: ?::core::marker::Sized> $lie for &mut T {}
        impl<T: ::core::marker::Sized> $lie for *const T {}
        impl<T: ::core::marker::Sized> $lie for *mut T {}
        impl<T, const N: ::core::primitive::usize> $lie for [T; N] {}
        /// By mutable reference.
        pub trait $lie_mut {
            $(
                /// Likewise.
                fn $name(&mut self) -> ::core::primitive::usize { 1 << 40 }
            )*
        }
        impl<T> $lie_mut for ::std::vec::Vec<T> {}
        impl<T> $lie_mut for ::core::mem::MaybeUninit<T> {}
        impl<T: ::core::marker::Copy> $lie_mut for ::renamed::AlignedVec<T> {}
        /// By value.
        pub trait $by_value: ::core::marker::Sized {
            $(
                /// Likewise.
                fn $name(self) -> ::core::primitive::usize { 1 << 40 }
            )*
        }
        impl $by_value for ::renamed::Isa {}
        impl<S: ::ndarray::RawData, D> $by_value for ::ndarray::ArrayBase<S, D> {}
        impl<S: ::ndarray::RawData, D> $by_value for &::ndarray::ArrayBase<S, D> {}
        impl<S: ::ndarray::RawData, D> $by_value for &mut ::ndarray::ArrayBase<S, D> {}
    )*};
}
methods! {
    Extents ExtentsMut ExtentsByValue: len, shape, strides, as_ptr, as_mut_ptr, pointer, strided, strided_mut, contains;
    Arithmetic ArithmeticMut ArithmeticByValue: add, sub, offset, cast, wrapping_add, wrapping_sub, wrapping_mul;
    Others OthersMut OthersByValue: checked_mul, saturating_sub, expect, unwrap, to_index, is_available, read, write;
    Numbers NumbersMut NumbersByValue: min, max, abs, sqrt, powi, mul_add, zero, from_f64, clone, borrow, deref, into_iter, iter, next;
}

::renamed::kernel! {
    /// Lengths of slices.
    pub fn scale(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            y[i] = 2.0 * x[i];
        }
    }

    /// Index maps, tables, sums, local arrays, memory of its own.
    pub fn assemble(n: usize, map: &[[usize; 3]], x: &[f64], y: &mut [f64]) {
        static W: [f64; 3] = tabulate!(triangle, quadrature(2), weights);
        static PHI: [[f64; 3]; 3] = tabulate!(triangle, quadrature(2), lagrange(1));
        for e in 0..n {
            for i in 0..3 {
                for j in 0..3 {
                    for q in 0..3 {
                        y[map[e][i]] += W[q] * PHI[q][i] * PHI[q][j] * x[map[e][j]];
                    }
                }
            }
        }
    }

    /// Views of any strides.
    pub fn transpose(n: usize, x: ::ndarray::ArrayView2<'_, f64>, mut y: ::ndarray::ArrayViewMut2<'_, f64>) {
        for i in 0..n {
            for j in 0..n {
                y[[j, i]] = 2.0 * x[[i, j]];
            }
        }
    }

    /// What runs as written, after its accesses were made.
    pub fn sweep(n: usize, map: &[usize], x: ::ndarray::ArrayView2<'_, f64>, y: &mut [f64]) {
        for i in 1..n {
            for k in 0..i {
                y[i] += y[i - 1] * x[[k, map[k]]];
            }
        }
    }

    /// A type parameter, a result.
    pub fn dot<T: ::renamed::Real, const N: usize>(x: &[T; N], y: &[[T; N]]) -> T {
        let mut sum = T::from_f64(0.0);
        for i in 0..N {
            sum += x[i] * y[0][i];
        }
        sum
    }
}
