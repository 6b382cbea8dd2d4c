//! Numbers that carry a bound on their rounding error.

use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::{Real, Scalar};

/// The unit roundoff of `f64`.
const UNIT: f64 = f64::EPSILON / 2.0;

/// An `f64` with a bound on how far it is from the exact value of the same expression.
///
/// It is running error analysis: `E(a + b) = E(a) + E(b) + u |a + b|` and
/// `E(a * b) = |a| E(b) + |b| E(a) + E(a) E(b) + u |a * b|`, where `u` is the unit roundoff, 2^-53, and
/// what a kernel is given is exact. Sums of three terms or more have a bound that does not depend on
/// their order: n - 1 times `u` times the sum of the terms' magnitudes. A sum is what additions to a left
/// operand make: `a + b + c`, or `s += x[i]` in a loop; adding to zero is no operation.
///
/// A generic kernel run with it bounds its own error: `kernel::reference` with `Bounded` numbers bounds
/// the error of the text. The bound of elementary functions is that of a result that is off by two units
/// in the last place, and for the error of the argument the change of the function over it.
///
// The compiler has the arithmetic once more (`analysis/rounding.rs`), and says why.
/// ```
/// use loopwright_runtime::{Bounded, Scalar};
///
/// fn variance<T: Scalar>(u: T, mean: T) -> T {
///     (u - mean) * (u - mean)
/// }
///
/// fn expanded<T: Scalar>(u: T, mean: T) -> T {
///     u * u - u * mean - mean * u + mean * mean
/// }
///
/// let (u, mean) = (Bounded::new(1e8 + 1.0), Bounded::new(1e8));
/// assert!(variance(u, mean).error() < 1e-15);
/// assert!(expanded(u, mean).error() > 1.0);
/// ```
#[derive(Clone, Copy, Default)]
pub struct Bounded {
    value: f64,
    /// Of the terms of the sum that this is; of anything else, all of it.
    error: f64,
    /// Of the terms, added up.
    magnitude: f64,
    /// How many terms were added to the first.
    additions: u32,
}

impl Bounded {
    /// An exact number.
    #[must_use]
    pub const fn new(value: f64) -> Self {
        Bounded {
            value,
            error: 0.0,
            magnitude: value.abs(),
            additions: 0,
        }
    }

    /// The number.
    #[must_use]
    pub fn value(self) -> f64 {
        self.value
    }

    /// How far it is at most from the exact value.
    #[must_use]
    pub fn error(self) -> f64 {
        self.error
            + match self.additions {
                0 => 0.0,
                1 => UNIT * self.value.abs(),
                more => UNIT * f64::from(more) * self.magnitude,
            }
    }

    /// A result with an error that is no sum.
    fn of(value: f64, error: f64) -> Self {
        Bounded {
            error,
            ..Bounded::new(value)
        }
    }

    /// A result that is off by `error` and by some units in the last place.
    fn rounded(value: f64, error: f64, units: f64) -> Self {
        Bounded::of(value, error + units * UNIT * value.abs())
    }

    /// The value of a function, whose results are two units off.
    fn call(self, function: impl Fn(f64) -> f64) -> Self {
        let (value, error) = (function(self.value), self.error());
        let change = |to: f64| match (to - value).abs() {
            change if change.is_nan() => f64::INFINITY,
            change => change,
        };
        let [below, above] = [-error, error].map(|by| change(function(self.value + by)));
        let error = if error == 0.0 { 0.0 } else { below.max(above) };
        Bounded::rounded(value, error, 4.0)
    }

    /// The same for a function of two arguments.
    fn call2(self, other: Self, function: impl Fn(f64, f64) -> f64) -> Self {
        let first = self.call(|value| function(value, other.value));
        let second = other.call(|value| function(self.value, value));
        Bounded::of(first.value, first.error + second.error)
    }

    fn is_zero(self) -> bool {
        self.value == 0.0 && self.error() == 0.0
    }
}

impl From<f64> for Bounded {
    fn from(value: f64) -> Self {
        Bounded::new(value)
    }
}

impl fmt::Debug for Bounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} ± {:e}", self.value, self.error())
    }
}

impl fmt::Display for Bounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ± {:e}", self.value, self.error())
    }
}

impl Add for Bounded {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        if self.is_zero() {
            return other;
        }
        if other.is_zero() {
            return self;
        }
        Bounded {
            value: self.value + other.value,
            error: self.error + other.error(),
            magnitude: self.magnitude + other.value.abs(),
            additions: self.additions.saturating_add(1),
        }
    }
}

impl Neg for Bounded {
    type Output = Self;

    fn neg(self) -> Self {
        Bounded {
            value: -self.value,
            ..self
        }
    }
}

impl Sub for Bounded {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Bounded {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let [left, right] = [self, other].map(|factor| (factor.value.abs(), factor.error()));
        let error = left.0 * right.1 + right.0 * left.1 + left.1 * right.1;
        Bounded::rounded(self.value * other.value, error, 1.0)
    }
}

impl Div for Bounded {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let (value, error) = (self.value / other.value, other.error());
        let least = other.value.abs() - error;
        let error = match least > 0.0 || error == 0.0 {
            true => (self.error() + value.abs() * error) / least,
            false => f64::INFINITY,
        };
        Bounded::rounded(value, error, 1.0)
    }
}

macro_rules! assign {
    ($($trait:ident::$method:ident, $operator:tt;)*) => {$(
        impl $trait for Bounded {
            fn $method(&mut self, other: Self) {
                *self = *self $operator other;
            }
        }
    )*};
}

assign! {
    AddAssign::add_assign, +;
    SubAssign::sub_assign, -;
    MulAssign::mul_assign, *;
    DivAssign::div_assign, /;
}

/// Of the values.
impl PartialEq for Bounded {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// Of the values.
impl PartialOrd for Bounded {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

macro_rules! calls {
    ($($name:ident;)*) => {$(
        fn $name(self) -> Self {
            self.call(f64::$name)
        }
    )*};
}

impl Scalar for Bounded {
    fn zero() -> Self {
        Bounded::new(0.0)
    }

    fn one() -> Self {
        Bounded::new(1.0)
    }

    fn from_f64(value: f64) -> Self {
        Bounded::new(value)
    }

    calls! {
        sqrt; cbrt; exp; exp2; exp_m1; ln; ln_1p; log2; log10; sin; cos; tan; asin; acos; atan; sinh;
        cosh; tanh;
    }

    fn powf(self, exponent: Self) -> Self {
        self.call2(exponent, f64::powf)
    }
}

impl Real for Bounded {
    fn abs(self) -> Self {
        Bounded {
            value: self.value.abs(),
            ..self
        }
    }

    fn min(self, other: Self) -> Self {
        let error = self.error().max(other.error());
        Bounded::of(self.value.min(other.value), error)
    }

    fn max(self, other: Self) -> Self {
        let error = self.error().max(other.error());
        Bounded::of(self.value.max(other.value), error)
    }

    fn signum(self) -> Self {
        // Of a value that may be on either side of zero nothing is known.
        let error = if self.error() < self.value.abs() {
            0.0
        } else {
            2.0
        };
        Bounded::of(self.value.signum(), error)
    }

    fn copysign(self, sign: Self) -> Self {
        let value = self.value.copysign(sign.value);
        let error = match sign.signum().error() == 0.0 {
            true => self.error(),
            false => self.error() + 2.0 * value.abs(),
        };
        Bounded::of(value, error)
    }

    calls! { floor; ceil; round; trunc; }

    fn atan2(self, x: Self) -> Self {
        self.call2(x, f64::atan2)
    }

    fn hypot(self, other: Self) -> Self {
        self.call2(other, f64::hypot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers<const N: usize>(values: [f64; N]) -> [Bounded; N] {
        values.map(Bounded::new)
    }

    #[test]
    fn differences_are_bounded_relative_to_themselves() {
        let [a, b, c] = numbers([1e8 + 1.0, 1e8, 3.0]);
        assert_eq!((a - b).error(), UNIT);
        assert_eq!(((a - b) * c).error(), 3.0 * UNIT + 3.0 * UNIT);
        // In any order.
        assert_eq!((a - b + c).error(), 2.0 * UNIT * (2e8 + 4.0));
        assert_eq!((c + (a - b)).error(), UNIT + 4.0 * UNIT);
    }

    #[test]
    fn adding_to_zero_is_no_operation() {
        let [a, b] = numbers([3.0, -2.0]);
        let mut sum = Bounded::zero();
        sum += a;
        assert_eq!(sum.error(), 0.0);
        sum += b;
        assert_eq!((sum.value(), sum.error()), (1.0, UNIT));
    }

    #[test]
    fn quotients_by_what_may_be_zero_have_no_bound() {
        let [a, b] = numbers([1e8 + 1.0, 1e8]);
        let rounded = a * a - b * b - Bounded::new(2e8 + 1.0);
        assert!(rounded.error() >= rounded.value().abs());
        assert_eq!((a / rounded).error(), f64::INFINITY);
        assert_eq!((a / b).error(), UNIT * (1e8 + 1.0) / 1e8);
    }

    #[test]
    fn functions_carry_the_error_of_their_argument() {
        let [a, b] = numbers([2.0, 7.0]);
        let product = a * b;
        let root = product.sqrt();
        let derivative = 0.5 / 14.0_f64.sqrt();
        assert!(root.error() > product.error() * derivative);
        assert!(root.error() < product.error() * derivative * 1.5 + 8.0 * UNIT * root.value());
        assert_eq!(product.abs().min(a).error(), product.error());
        assert_eq!((-product).signum().error(), 0.0);
    }

    #[test]
    fn errors_are_within_their_bounds() {
        // Dyadic numbers whose exact results are known.
        let x = 1.0 + 2.0_f64.powi(-30);
        let square = Bounded::new(x) * Bounded::new(x);
        let exact = 2.0_f64.powi(-60);
        let found = square.value() - (1.0 + 2.0_f64.powi(-29));
        assert!((found - exact).abs() <= square.error());
    }
}
