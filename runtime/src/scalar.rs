//! The numbers that generic kernels compute with.
//!
//! [`Scalar`] is a field with elementary functions (complex numbers too), [`Real`] adds order.
//! Both are implemented for `f32` and `f64`; implement them for dual numbers, intervals and the
//! like.
//!
//! Without the feature `std` the elementary functions and the roundings (`sqrt`, `exp`, `floor`,
//! …) are not there, since `core` has none of them: a kernel that calls one does not compile.
//! With it each has a default that panics with the names of the type and the function, so that a
//! type needs to define those only that its kernels call, and turning `std` on breaks no
//! implementation.

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// Which type with lanes a [`Scalar`] is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// Any other type: scalar code.
    #[default]
    Other,
}

impl Kind {
    /// What `T` really is, by its type id: nobody can claim another answer, as a wrong
    /// [`Scalar::KIND`] does. The optimiser resolves it at monomorphisation.
    ///
    /// ```
    /// use loopwright_runtime::Kind;
    /// assert_eq!((Kind::of::<f64>(), Kind::of::<u64>()), (Kind::F64, Kind::Other));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn of<T: 'static>() -> Kind {
        if crate::cast::same_type::<T, f64>() {
            Kind::F64
        } else if crate::cast::same_type::<T, f32>() {
            Kind::F32
        } else {
            Kind::Other
        }
    }
}

/// The panic of an elementary function that a type does not define.
#[cfg(feature = "std")]
#[cold]
#[track_caller]
fn undefined<T>(name: &str) -> ! {
    panic!("`{}` does not define `{name}`", core::any::type_name::<T>())
}

/// Elementary functions with their default.
macro_rules! defaults {
    ($($(#[$doc:meta])* $name:ident($($argument:ident),*);)*) => {$(
        $(#[$doc])*
        ///
        /// With the feature `std` only. The default panics.
        #[cfg(feature = "std")]
        #[track_caller]
        #[must_use]
        fn $name(self $(, $argument: Self)*) -> Self {
            let _ = ($($argument,)*);
            undefined::<Self>(stringify!($name))
        }
    )*};
}

/// A field with elementary functions: what kernels generic over `T: Scalar` compute with.
///
/// ```
/// use loopwright_runtime::Scalar;
///
/// fn axpy<T: Scalar>(a: f64, x: &[T], y: &mut [T]) {
///     for i in 0..x.len() {
///         y[i] += T::from_f64(a) * x[i];
///     }
/// }
///
/// let mut y = [1.0_f32, 2.0];
/// axpy(0.5, &[2.0, 4.0], &mut y);
/// assert_eq!(y, [2.0, 4.0]);
/// ```
pub trait Scalar:
    Copy
    + PartialEq
    + Debug
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
{
    /// What the type says it is. Leave the default: code that reinterprets memory must not trust
    /// this, and asks [`Kind::of`] or [`cast`](crate::cast).
    const KIND: Kind = Kind::Other;

    /// The neutral element of addition.
    #[must_use]
    fn zero() -> Self;

    /// The neutral element of multiplication.
    #[must_use]
    fn one() -> Self;

    /// The nearest value to a constant of the kernel's text or of a table.
    #[must_use]
    fn from_f64(value: f64) -> Self;

    /// `self * a + b`. `f32` and `f64` round once (fused) with the feature `std` and twice
    /// without, for `core` has no fused operation; the default rounds as the two operators do.
    #[inline]
    #[must_use]
    fn mul_add(self, a: Self, b: Self) -> Self {
        self * a + b
    }

    /// `1 / self`.
    #[inline]
    #[must_use]
    fn recip(self) -> Self {
        Self::one() / self
    }

    /// `self` to an integer power; the reciprocal of the power where `n` is negative, and one
    /// where it is zero. The default squares repeatedly.
    #[inline]
    #[must_use]
    fn powi(self, n: i32) -> Self {
        let mut rest = n.unsigned_abs();
        let (mut power, mut square) = (Self::one(), self);
        while rest > 0 {
            if rest & 1 == 1 {
                power *= square;
            }
            rest >>= 1;
            if rest > 0 {
                square *= square;
            }
        }
        if n < 0 { power.recip() } else { power }
    }

    defaults! {
        /// The square root.
        sqrt();
        /// The cube root.
        cbrt();
        /// e to the power of `self`.
        exp();
        /// 2 to the power of `self`.
        exp2();
        /// e to the power of `self`, minus one, accurate near zero.
        exp_m1();
        /// The natural logarithm.
        ln();
        /// The natural logarithm of `1 + self`, accurate near zero.
        ln_1p();
        /// The logarithm to base 2.
        log2();
        /// The logarithm to base 10.
        log10();
        /// `self` to the power of `exponent`.
        powf(exponent);
        /// The sine, of radians.
        sin();
        /// The cosine, of radians.
        cos();
        /// The tangent, of radians.
        tan();
        /// The arc sine, in radians.
        asin();
        /// The arc cosine, in radians.
        acos();
        /// The arc tangent, in radians.
        atan();
        /// The hyperbolic sine.
        sinh();
        /// The hyperbolic cosine.
        cosh();
        /// The hyperbolic tangent.
        tanh();
    }
}

/// A [`Scalar`] with order.
///
/// ```
/// use loopwright_runtime::Real;
///
/// fn largest<T: Real>(x: &[T]) -> T {
///     let mut m = T::zero();
///     for i in 0..x.len() {
///         m = m.max(x[i].abs());
///     }
///     m
/// }
///
/// assert_eq!(largest(&[1.0, -3.0, f64::NAN]), 3.0);
/// ```
pub trait Real: Scalar + PartialOrd {
    /// The absolute value.
    #[must_use]
    fn abs(self) -> Self;

    /// The smaller of both. A NaN loses: with one, the result is the other. Which of ±0 wins is
    /// open.
    #[must_use]
    fn min(self, other: Self) -> Self;

    /// The larger of both. A NaN loses: with one, the result is the other. Which of ±0 wins is
    /// open.
    #[must_use]
    fn max(self, other: Self) -> Self;

    /// One with the sign of `self`, also for ±0; a NaN stays.
    #[must_use]
    fn signum(self) -> Self;

    /// The magnitude of `self` with the sign of `sign`.
    #[must_use]
    fn copysign(self, sign: Self) -> Self;

    /// `low` or `high` where `self` is outside of them, `self` otherwise (a NaN stays).
    #[inline]
    #[must_use]
    fn clamp(self, low: Self, high: Self) -> Self {
        if self < low {
            low
        } else if self > high {
            high
        } else {
            self
        }
    }

    defaults! {
        /// The largest integer that is not above `self`.
        floor();
        /// The smallest integer that is not below `self`.
        ceil();
        /// The nearest integer, halves away from zero.
        round();
        /// `self` without its fraction.
        trunc();
        /// The angle of the point (`x`, `self`), in radians.
        atan2(x);
        /// The length of the vector (`self`, `other`).
        hypot(other);
    }
}

/// Methods that forward to the inherent ones of a float.
macro_rules! forward {
    ($float:ident: $($name:ident($($argument:ident),*);)*) => {$(
        #[inline(always)]
        fn $name(self $(, $argument: Self)*) -> Self {
            $float::$name(self $(, $argument)*)
        }
    )*};
}

/// The same, for the methods that come with the feature `std`.
macro_rules! forward_std {
    ($float:ident: $($name:ident($($argument:ident),*);)*) => {$(
        #[cfg(feature = "std")]
        #[inline(always)]
        fn $name(self $(, $argument: Self)*) -> Self {
            $float::$name(self $(, $argument)*)
        }
    )*};
}

macro_rules! float {
    ($float:ident, $kind:ident, $from:expr) => {
        impl Scalar for $float {
            const KIND: Kind = Kind::$kind;

            #[inline(always)]
            fn zero() -> Self {
                0.0
            }

            #[inline(always)]
            fn one() -> Self {
                1.0
            }

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                $from(value)
            }

            #[cfg(feature = "std")]
            #[inline(always)]
            fn powi(self, n: i32) -> Self {
                $float::powi(self, n)
            }

            forward! { $float: recip(); }
            forward_std! { $float:
                mul_add(a, b); sqrt(); cbrt(); exp(); exp2(); exp_m1(); ln(); ln_1p(); log2();
                log10(); powf(exponent); sin(); cos(); tan(); asin(); acos(); atan(); sinh();
                cosh(); tanh();
            }
        }

        impl Real for $float {
            forward! { $float: abs(); min(other); max(other); signum(); copysign(sign); }
            forward_std! { $float:
                floor(); ceil(); round(); trunc(); atan2(x); hypot(other);
            }
        }
    };
}

float!(f64, F64, core::convert::identity);
float!(f32, F32, |value| value as f32);

#[cfg(test)]
mod tests {
    use super::*;

    /// A generic call, so that no inherent method shadows the trait's.
    fn power<T: Scalar>(x: T, n: i32) -> T {
        x.powi(n)
    }

    #[test]
    fn floats_know_what_they_are() {
        assert_eq!(
            (f32::KIND, f64::KIND),
            (Kind::of::<f32>(), Kind::of::<f64>())
        );
        assert_eq!((f32::KIND, f64::KIND), (Kind::F32, Kind::F64));
        assert_eq!(Kind::of::<i64>(), Kind::default());
    }

    #[test]
    fn constants_are_rounded_once() {
        assert_eq!(<f32 as Scalar>::from_f64(0.1), 0.1_f32);
        assert_eq!(<f64 as Scalar>::from_f64(0.1), 0.1_f64);
        assert_eq!(f64::zero() + f64::one(), 1.0);
    }

    #[test]
    fn powers() {
        for n in -5..=5 {
            assert_eq!(power(2.0_f64, n), 2.0_f64.powf(f64::from(n)));
        }
        assert_eq!(power(0.0_f32, 0), 1.0);
    }

    #[test]
    fn nan_loses() {
        fn check<T: Real>(nan: T) {
            let one = T::one();
            assert_eq!((nan.min(one), one.min(nan)), (one, one));
            assert_eq!((nan.max(one), one.max(nan)), (one, one));
            let clamped = nan.clamp(T::zero(), one);
            assert!(clamped != clamped);
        }
        check(f64::NAN);
        check(f32::NAN);
    }

    #[cfg(feature = "std")]
    #[test]
    fn mul_add_is_fused() {
        fn fused<T: Scalar>(a: T, b: T, c: T) -> T {
            a.mul_add(b, c)
        }
        let x = 1.0 + f64::EPSILON;
        assert_eq!(fused(x, x, -(x * x)), x.mul_add(x, -(x * x)));
        assert_ne!(fused(x, x, -(x * x)), 0.0);
    }

    #[cfg(feature = "std")]
    #[test]
    #[allow(clippy::float_cmp)]
    fn elementary_functions_are_those_of_the_float() {
        fn all<T: Real>(x: T) -> [T; 6] {
            [x.sqrt(), x.exp(), x.ln(), x.powf(x), x.floor(), x.atan2(x)]
        }
        let x = 1.75_f64;
        let expected = [x.sqrt(), x.exp(), x.ln(), x.powf(x), 1.0, x.atan2(x)];
        assert_eq!(all(x), expected);
    }
}
