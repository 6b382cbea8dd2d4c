//! Exact constants: a double-double value beside its image in the prime field 2^61 - 1.
//!
//! Every table entry and every literal of a kernel is a [`Number`]. Its value, the unevaluated
//! sum of two `f64`s (about 32 decimal digits), is what gets emitted, rounded once. Its image in
//! the field is what validation computes with: rational arithmetic is exact there, so that two
//! ways to fold the same constants agree in the field whatever they do to the last bits.
//!
//! The two sides never look at each other: a sum that cancels to a rounding error of 1e-33 has a
//! zero image if the exact sum is zero. [`Number::snapped`] brings them together again.

mod field;

pub use field::Field;

use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// The name under which square roots are hashed into the field.
const SQRT: u64 = 0x0000_7371_7274;

/// An exact constant: a double-double value and its image in the prime field.
///
/// Derived equality compares values as `f64` does (`-0.0 == 0.0`, a NaN differs from itself);
/// [`Number::key`] is the total one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    hi: f64,
    lo: f64,
    field: Field,
}

impl Number {
    /// Zero.
    pub const ZERO: Number = Number {
        hi: 0.0,
        lo: 0.0,
        field: Field::ZERO,
    };
    /// One.
    pub const ONE: Number = Number {
        hi: 1.0,
        lo: 0.0,
        field: Field::ONE,
    };

    /// The dyadic rational that `value` is, its sign of zero kept.
    pub fn from_f64(value: f64) -> Number {
        Number {
            hi: value,
            lo: 0.0,
            field: Field::from_f64(value),
        }
    }

    /// The integer `value`, all 64 bits of it.
    pub fn from_i64(value: i64) -> Number {
        Number::from_integer(value.into())
    }

    /// An integer, exactly, up to 2^100.
    pub fn from_integer(value: i128) -> Number {
        let hi = value as f64;
        // The difference is exact in 128 bits, and small.
        let lo = (value - hi as i128) as f64;
        Number {
            hi,
            lo,
            field: Field::from_i128(value),
        }
    }

    /// The integer that it is, exactly up to 2^100; else the nearest one to it but for its last digits.
    pub fn to_integer(self) -> i128 {
        self.hi as i128 + self.lo as i128
    }

    /// The integer that it is, or the one of 64 bits that is nearest to it.
    pub fn to_i64(self) -> i64 {
        let whole = self.to_integer();
        whole.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    /// The quotient of two integers; an infinity or a NaN over zero.
    pub fn ratio(numerator: i64, denominator: i64) -> Number {
        Number::from_i64(numerator) / Number::from_i64(denominator)
    }

    /// The exact sum of two `f64`s, in the field as well.
    pub fn from_parts(a: f64, b: f64) -> Number {
        let (hi, lo) = two_sum(a, b);
        Number::settle(a + b, hi, lo, Field::from_f64(a) + Field::from_f64(b))
    }

    /// The number that has these [`Number::parts`] and this image: reads what was printed.
    pub fn from_raw(hi: f64, lo: f64, field: Field) -> Number {
        Number { hi, lo, field }
    }

    /// A plain decimal such as `-12.5`, or a quotient of two integers such as `2/3`; the image is
    /// that of the rational number written, however many digits it has.
    pub fn from_decimal(text: &str) -> Option<Number> {
        if let Some((numerator, denominator)) = text.split_once('/') {
            let denominator = denominator.parse().ok().filter(|&d| d != 0)?;
            return Some(Number::ratio(numerator.parse().ok()?, denominator));
        }
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let mut value = Number::ZERO;
        for chunk in [whole.as_bytes(), fraction.as_bytes()]
            .into_iter()
            .flat_map(|part| part.chunks(15))
        {
            let text = std::str::from_utf8(chunk).ok()?;
            if !text.bytes().all(|c| c.is_ascii_digit()) {
                return None;
            }
            let scale = Number::from_i64(10_i64.pow(chunk.len() as u32));
            value = value * scale + Number::from_i64(text.parse().ok()?);
        }
        let value = value / Number::from_i64(10).powi(fraction.len() as u32);
        Some(if negative { -value } else { value })
    }

    /// The value, rounded once to the nearest `f64`.
    pub fn to_f64(self) -> f64 {
        self.hi
    }

    /// The leading and the trailing `f64` of the value; the trailing one is at most half a unit
    /// in the last place of the leading one.
    pub fn parts(self) -> (f64, f64) {
        (self.hi, self.lo)
    }

    /// The image in the prime field.
    pub fn field(self) -> Field {
        self.field
    }

    /// The nearest `f32`.
    #[must_use]
    pub fn single(self) -> Number {
        Number::from_f64(f64::from(self.hi as f32))
    }

    /// Whether this is zero, on both sides.
    pub fn is_zero(self) -> bool {
        self.hi == 0.0 && self.field == Field::ZERO
    }

    /// The whole number that it is.
    #[must_use]
    pub fn as_whole(self) -> Option<Number> {
        let whole = Number::from_i64(self.to_f64().round() as i64);
        (whole.field() == self.field()).then_some(whole)
    }

    /// Whether this is one, on both sides.
    pub fn is_one(self) -> bool {
        self == Number::ONE
    }

    /// Whether this is minus one, on both sides.
    pub fn is_minus_one(self) -> bool {
        -self == Number::ONE
    }

    /// A total, deterministic key: the bits of the two parts and the image.
    ///
    /// It tells `-0.0` from `0.0` (adding one of them to a signed zero matters in strict code)
    /// and finds a NaN equal to itself.
    pub fn key(self) -> (u64, u64, u64) {
        // Negation leaves a trailing part of -0.0, which says nothing.
        (
            self.hi.to_bits(),
            (self.lo + 0.0).to_bits(),
            self.field.value(),
        )
    }

    /// The absolute value; its image is that of the sign the value has.
    pub fn abs(self) -> Number {
        if self.hi.is_sign_negative() {
            -self
        } else {
            self
        }
    }

    /// `self` to a power; anything to the power zero is one.
    pub fn powi(self, mut exponent: u32) -> Number {
        let mut result = Number::ONE;
        let mut square = self;
        loop {
            if exponent & 1 == 1 {
                result *= square;
            }
            exponent >>= 1;
            if exponent == 0 {
                return result;
            }
            square = square * square;
        }
    }

    /// The square root.
    ///
    /// A root that is an `f64` exactly (4, 2.25, 0, …) has its true image. Any other root is
    /// taken for irrational, which the field cannot follow: its image is a hash of the operand's
    /// image, so that roots of equal operands agree, and no identity such as `√a·√a = a` holds in
    /// the field. The root of a negative number is NaN.
    pub fn sqrt(self) -> Number {
        let root = self.hi.sqrt();
        if !root.is_finite() || root == 0.0 {
            return match self.is_zero() {
                true => self,
                false => Number::assemble(root, 0.0, self.field.hashed(SQRT)),
            };
        }
        let exact = Number::from_f64(root);
        if exact * exact == self {
            return exact;
        }
        // One step of Newton's iteration doubles the digits of the `f64` root.
        let (square, error) = two_product(root, root);
        let rest = ((self.hi - square) - error) + self.lo;
        let (hi, lo) = two_sum(root, rest / (2.0 * root));
        Number::assemble(hi, lo, self.field.hashed(SQRT))
    }

    /// The nearest integer, exactly, if the value is within `tolerance` of it; `self` otherwise.
    pub fn snapped(self, tolerance: f64) -> Number {
        let nearest = self.hi.round();
        if nearest.abs() <= 9e15 && ((self.hi - nearest) + self.lo).abs() <= tolerance {
            Number::from_i64(nearest as i64)
        } else {
            self
        }
    }

    /// The sum of coefficients times the values at their indices: one entry of a product with a
    /// sparse matrix. As accurate as operators, and much faster in a build without optimisation:
    /// a macro's budget is spent here, hence the plain loop and the postponed reduction.
    pub fn sparse_dot(terms: &[(usize, Number)], values: &[Number]) -> Number {
        let (mut hi, mut lo) = (0.0_f64, 0.0_f64);
        let mut field = 0_u128;
        let mut next = 0;
        while next < terms.len() {
            let (index, a) = &terms[next];
            let b = &values[*index];
            next += 1;
            let product = a.hi * b.hi;
            let error = a.hi.mul_add(b.hi, -product) + (a.hi * b.lo + a.lo * b.hi);
            let sum = hi + product;
            let part = sum - hi;
            let rest = (hi - (sum - part)) + (product - part) + lo + error;
            hi = sum + rest;
            lo = rest - (hi - sum);
            field += (a.field.value() as u128) * (b.field.value() as u128);
            // Each product is below 2^122.
            if next % 16 == 0 {
                field = u128::from(Field::from_u128(field).value());
            }
        }
        Number::assemble(hi, lo, Field::from_u128(field))
    }

    /// The sum of the products of two equally long sequences.
    pub fn dot(pairs: impl Iterator<Item = (Number, Number)>) -> Number {
        let (values, terms): (Vec<Number>, Vec<Number>) = pairs.unzip();
        let terms: Vec<(usize, Number)> = terms.into_iter().enumerate().collect();
        Number::sparse_dot(&terms, &values)
    }

    /// A number of a normalised pair; an infinity or a NaN keeps no trailing part.
    fn assemble(hi: f64, lo: f64, field: Field) -> Number {
        let lo = if hi.is_finite() { lo } else { 0.0 };
        Number { hi, lo, field }
    }

    /// A number of a normalised pair, where `plain` is what `f64` arithmetic gives: that knows
    /// the sign of a zero, and infinities from NaNs.
    fn settle(plain: f64, hi: f64, lo: f64, field: Field) -> Number {
        if plain == 0.0 && hi == 0.0 || !plain.is_finite() {
            return Number::assemble(plain, 0.0, field);
        }
        Number::assemble(hi, lo, field)
    }
}

/// The sum and its rounding error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// The sum and its rounding error, if `a` is the larger one.
fn quick_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// The product and its rounding error.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

impl Add for Number {
    type Output = Number;
    fn add(self, other: Number) -> Number {
        let (plain, error) = two_sum(self.hi, other.hi);
        let (lo, rest) = two_sum(self.lo, other.lo);
        let (hi, error) = quick_two_sum(plain, error + lo);
        let (hi, lo) = quick_two_sum(hi, error + rest);
        Number::settle(plain, hi, lo, self.field + other.field)
    }
}

impl Sub for Number {
    type Output = Number;
    fn sub(self, other: Number) -> Number {
        self + -other
    }
}

impl Mul for Number {
    type Output = Number;
    fn mul(self, other: Number) -> Number {
        let (plain, error) = two_product(self.hi, other.hi);
        let error = error + (self.hi * other.lo + self.lo * other.hi);
        let (hi, lo) = quick_two_sum(plain, error);
        Number::settle(plain, hi, lo, self.field * other.field)
    }
}

impl Div for Number {
    type Output = Number;
    fn div(self, other: Number) -> Number {
        let field = self.field * other.field.inverse();
        let first = self.hi / other.hi;
        if first == 0.0 || !first.is_finite() || !other.hi.is_finite() {
            return Number::assemble(first, 0.0, field);
        }
        // Three quotients: the value after two of them may still be off in its last bits.
        let rest = self.minus_multiple(other, first);
        let second = rest.hi / other.hi;
        let rest = rest.minus_multiple(other, second);
        let third = rest.hi / other.hi;
        let (hi, lo) = quick_two_sum(first, second);
        let (lo, rest) = two_sum(lo, third);
        let (hi, lo) = quick_two_sum(hi, lo);
        Number::assemble(hi, lo + rest, field)
    }
}

impl Number {
    /// `self - divisor * quotient` for division, the value only.
    fn minus_multiple(self, divisor: Number, quotient: f64) -> Number {
        let (hi, error) = two_product(divisor.hi, quotient);
        let (hi, lo) = quick_two_sum(hi, error + divisor.lo * quotient);
        self - Number::assemble(hi, lo, Field::ZERO)
    }
}

impl Neg for Number {
    type Output = Number;
    fn neg(self) -> Number {
        Number {
            hi: -self.hi,
            lo: -self.lo,
            field: -self.field,
        }
    }
}

impl AddAssign for Number {
    fn add_assign(&mut self, other: Number) {
        *self = *self + other;
    }
}

impl SubAssign for Number {
    fn sub_assign(&mut self, other: Number) {
        *self = *self - other;
    }
}

impl MulAssign for Number {
    fn mul_assign(&mut self, other: Number) {
        *self = *self * other;
    }
}

/// The largest integer that divides both; the other one where one is 0.
pub fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => greatest_common_divisor(b, a % b),
    }
}

#[cfg(test)]
mod tests;
