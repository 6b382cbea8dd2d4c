//! The prime field of p = 2^61 - 1.

use std::ops::{Add, Mul, Neg, Sub};

/// The modulus 2^61 - 1, a Mersenne prime.
const P: u64 = (1 << 61) - 1;

/// An element of the prime field of p = 2^61 - 1.
///
/// The representative is always in `0..p`, so equality of elements is equality of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Field(u64);

impl Field {
    /// The neutral element of addition.
    pub const ZERO: Field = Field(0);
    /// The neutral element of multiplication.
    pub const ONE: Field = Field(1);

    /// What elements are multiplied with, and what is added then, for an order of them in which zero and one are
    /// like any other.
    const ORDER: (Field, Field) = (Field(0x1e37_79b9_7f4a_7c15), Field(0x0b58_476d_1ce4_e5b9));

    /// Where it stands in that order: minima and maxima are those of these places.
    fn place(self) -> u64 {
        (self * Field::ORDER.0 + Field::ORDER.1).0
    }

    fn at_place(place: u64) -> Field {
        (Field(place) - Field::ORDER.1) * Field::ORDER.0.inverse()
    }

    /// The smaller one of two, in an order of no meaning.
    pub fn lesser(self, other: Field) -> Field {
        if other.place() < self.place() {
            other
        } else {
            self
        }
    }

    /// The larger one of two, in the order of [`lesser`](Field::lesser).
    pub fn greater(self, other: Field) -> Field {
        if other.place() > self.place() {
            other
        } else {
            self
        }
    }

    /// The smallest element in that order.
    pub fn least() -> Field {
        Field::at_place(0)
    }

    /// The largest element in that order.
    pub fn greatest() -> Field {
        Field::at_place(P - 1)
    }

    /// The element with the residue of `value`.
    pub const fn from_u64(value: u64) -> Field {
        let folded = (value & P) + (value >> 61);
        Field(if folded >= P { folded - P } else { folded })
    }

    /// The element with the residue of `value`.
    pub fn from_i64(value: i64) -> Field {
        let magnitude = Field::from_u64(value.unsigned_abs());
        if value < 0 { -magnitude } else { magnitude }
    }

    /// The element with the residue of `value`.
    pub fn from_i128(value: i128) -> Field {
        // Below the prime, which is less than 2^61.
        Field::from_u64(value.rem_euclid(i128::from(P)) as u64)
    }

    /// The exact image of a finite `value`, a dyadic rational (2 has an inverse in the field).
    ///
    /// Infinities and NaNs have no image; they map to a hash of their bits, so that two equal
    /// ones agree and nothing else does.
    pub fn from_f64(value: f64) -> Field {
        let bits = value.to_bits();
        if !value.is_finite() {
            return Field::from_u64(bits).hashed(0x6e6f_6e66_696e_6974);
        }
        let exponent = ((bits >> 52) & 0x7ff) as i64;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, power) = match exponent {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, exponent - 1075),
        };
        // 2^61 = 1, so the power of two is a shift by its residue modulo 61.
        let power = Field(1 << power.rem_euclid(61));
        let magnitude = Field::from_u64(mantissa) * power;
        if value < 0.0 { -magnitude } else { magnitude }
    }

    /// The representative in `0..p`.
    pub const fn value(self) -> u64 {
        self.0
    }

    /// What carries some bits where a value of the field is expected: nothing is computed with it.
    pub const fn carrying(bits: u64) -> Field {
        Field(bits)
    }

    /// `self` to a power; anything to the power zero is one.
    pub fn pow(self, mut exponent: u64) -> Field {
        let mut result = Field::ONE;
        let mut square = self;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result * square;
            }
            square = square * square;
            exponent >>= 1;
        }
        result
    }

    /// `self` to a power of either sign; a negative one of zero is zero.
    pub fn powi(self, exponent: i32) -> Field {
        let result = self.pow(u64::from(exponent.unsigned_abs()));
        match exponent {
            ..0 => result.inverse(),
            _ => result,
        }
    }

    /// The multiplicative inverse; zero, which has none, maps to zero.
    pub fn inverse(self) -> Field {
        self.pow(P - 2)
    }

    /// A well-mixed element that depends on `self` and `tag` only: the value of an uninterpreted
    /// function named `tag`.
    pub fn hashed(self, tag: u64) -> Field {
        let mut x = self.0 ^ tag.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for _ in 0..2 {
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^= x >> 31;
        }
        Field::from_u64(x)
    }

    /// The residue of a 128-bit number below 2^127.
    pub(crate) fn from_u128(value: u128) -> Field {
        let low = (value as u64) & P;
        let middle = ((value >> 61) as u64) & P;
        let high = (value >> 122) as u64;
        Field::from_u64(low + middle + high)
    }
}

impl Add for Field {
    type Output = Field;
    fn add(self, other: Field) -> Field {
        let sum = self.0 + other.0;
        Field(if sum >= P { sum - P } else { sum })
    }
}

impl Sub for Field {
    type Output = Field;
    fn sub(self, other: Field) -> Field {
        self + -other
    }
}

impl Mul for Field {
    type Output = Field;
    fn mul(self, other: Field) -> Field {
        Field::from_u128(u128::from(self.0) * u128::from(other.0))
    }
}

impl Neg for Field {
    type Output = Field;
    fn neg(self) -> Field {
        Field(if self.0 == 0 { 0 } else { P - self.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_reduce_and_wrap() {
        assert_eq!(Field::from_u64(P), Field::ZERO);
        assert_eq!(Field::from_u64(u64::MAX).value(), 7);
        assert_eq!(Field::from_i64(-1) + Field::ONE, Field::ZERO);
        assert_eq!(
            Field::from_i64(i64::MIN) + Field::from_u64(1 << 63),
            Field::ZERO
        );
        assert_eq!(Field::from_i64(-1) * Field::from_i64(-1), Field::ONE);
        let big = Field::from_u64(P - 1);
        assert_eq!(big * big, Field::ONE);
    }

    #[test]
    fn inverse_undoes_multiplication() {
        assert_eq!(Field::ZERO.inverse(), Field::ZERO);
        for n in [1_i64, 2, 3, -7, 1 << 40, i64::MAX] {
            let x = Field::from_i64(n);
            assert_eq!(x * x.inverse(), Field::ONE);
            assert_eq!(x.pow(0), Field::ONE);
            assert_eq!(x.pow(3), x * x * x);
        }
    }

    #[test]
    fn dyadic_images_are_exact() {
        let half = Field::from_f64(0.5);
        assert_eq!(half + half, Field::ONE);
        assert_eq!(
            Field::from_f64(-3.25) * Field::from_i64(4),
            Field::from_i64(-13)
        );
        assert_eq!(Field::from_f64(-0.0), Field::ZERO);
        let tiny = Field::from_f64(f64::from_bits(1));
        assert_eq!(tiny * Field::from_i64(2).pow(1074), Field::ONE);
        assert_eq!(Field::from_f64(f64::MAX), {
            Field::from_i64((1 << 53) - 1) * Field::from_i64(2).pow(971)
        });
        assert_ne!(
            Field::from_f64(f64::INFINITY),
            Field::from_f64(f64::NEG_INFINITY)
        );
    }
}
