//! Registers of `f64` lanes: what the functions are written with, for AVX2 and AVX-512.

use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A register of `f64`. A value of such a type exists where the processor has the instruction set
/// alone, since `new` is unsafe: that is what makes every other operation safe.
///
/// Everything is inlined into functions that have the instruction set enabled.
pub trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The register.
    type Register;
    /// A condition a lane.
    type Mask: Copy;

    /// The lanes of a register.
    ///
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn new(register: Self::Register) -> Self;
    /// The register that holds the lanes.
    fn register(self) -> Self::Register;
    /// A constant in all lanes.
    fn splat(self, constant: f64) -> Self;
    /// `self * a + b`, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// `b - self * a`, rounded once.
    fn neg_mul_add(self, a: Self, b: Self) -> Self;
    /// `self * a - b`, rounded once.
    fn mul_sub(self, a: Self, b: Self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// The magnitude.
    fn abs(self) -> Self;
    /// The sign bits, all others zero.
    fn sign(self) -> Self;
    /// Sign bits turned where those of another register are set, which has no other bits.
    fn turned(self, signs: Self) -> Self;
    /// The nearest integer, even ones in the middle.
    fn round(self) -> Self;
    /// The largest integer not above.
    fn floor(self) -> Self;
    /// The larger one; a NaN of `self` stays.
    fn at_least(self, other: Self) -> Self;
    /// The smaller one; a NaN of `self` stays.
    fn at_most(self, other: Self) -> Self;
    /// `self < other`; not for NaN.
    fn below(self, other: Self) -> Self::Mask;
    /// `self == other`; not for NaN.
    fn equals(self, other: Self) -> Self::Mask;
    /// `!(self >= other)`.
    fn not_at_least(self, other: Self) -> Self::Mask;
    /// Whether one of them is NaN.
    fn unordered(self, other: Self) -> Self::Mask;
    /// Whether a bit of the lane's representation is set.
    fn bit<const BIT: u32>(self) -> Self::Mask;
    /// A bit of the representation as the sign, all others zero; `FROM` is 63 less the bit.
    fn bit_as_sign<const FROM: u32>(self) -> Self;
    /// Both.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Either or both.
    fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Not.
    fn not(a: Self::Mask) -> Self::Mask;
    /// Whether there is a lane.
    fn any(a: Self::Mask) -> bool;
    /// `then` in the lanes of the mask, `self` in others.
    fn or(self, mask: Self::Mask, then: Self) -> Self;
    /// `self` times 2ⁿ, rounded once, for whole numbers n from -2000 to 2000 and `self` from 1/4 to 4,
    /// or zero or NaN.
    fn scaled(self, n: Self) -> Self;
    /// 2ⁿ for whole numbers n from -1022 to 1023.
    fn power_of_two(n: Self) -> Self;
    /// k and m from 1 to 2 with `self = 2ᵏ m`, for positive finite numbers; anything for others.
    fn parts(self) -> (Self, Self);
    /// `by` of each lane in the mask, in place of the result there.
    fn patched(self, result: Self, mask: Self::Mask, by: fn(f64) -> f64) -> Self;
}

/// Where the lanes of a mask have bits, results of a function one after another. Rare.
#[cold]
#[inline(never)]
fn patch(arguments: &[f64], results: &mut [f64], mask: u32, by: fn(f64) -> f64) {
    for (lane, (result, argument)) in results.iter_mut().zip(arguments).enumerate() {
        if mask >> lane & 1 == 1 {
            *result = by(*argument);
        }
    }
}

/// 2⁵² + 2⁵¹: what is added to it is rounded to an integer, which the lowest bits hold.
pub const MAGIC: f64 = 6_755_399_441_055_744.0;
const SIGN: i64 = i64::MIN;
const MANTISSA: i64 = (1 << 52) - 1;
const ONE: i64 = 1023 << 52;

/// Four lanes in a register of 256 bits.
#[derive(Clone, Copy)]
pub struct F64x4(__m256d);

/// Eight lanes in a register of 512 bits.
#[derive(Clone, Copy)]
pub struct F64x8(__m512d);

/// Methods that are one expression of intrinsics.
macro_rules! operations {
    ($($name:ident($($argument:ident),*) $(<$constant:ident>)? -> $result:ty: $body:expr;)*) => {$(
        #[inline(always)]
        fn $name$(<const $constant: u32>)?($($argument: Self),*) -> $result {
            // SAFETY: a lane exists, so that the processor has the instruction set; see `Lanes`.
            unsafe { $body }
        }
    )*};
}

/// Functions of masks.
macro_rules! masks {
    ($($name:ident($($argument:ident),*) -> $result:ty: $body:expr;)*) => {$(
        #[inline(always)]
        fn $name($($argument: Self::Mask),*) -> $result {
            // SAFETY: as of lanes, out of which masks come.
            unsafe { $body }
        }
    )*};
}

macro_rules! arithmetic {
    ($lanes:ident: $($operator:ident $name:ident $intrinsic:ident;)*) => {$(
        impl $operator for $lanes {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                // SAFETY: a lane exists, so that the processor has the instruction set; see `Lanes`.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )*};
}

arithmetic! { F64x4: Add add _mm256_add_pd; Sub sub _mm256_sub_pd; Mul mul _mm256_mul_pd; Div div _mm256_div_pd; }
arithmetic! { F64x8: Add add _mm512_add_pd; Sub sub _mm512_sub_pd; Mul mul _mm512_mul_pd; Div div _mm512_div_pd; }

macro_rules! negative {
    ($($lanes:ident)*) => {$(
        impl Neg for $lanes {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                self.turned(self.splat(-0.0))
            }
        }
    )*};
}

negative! { F64x4 F64x8 }

impl F64x4 {
    #[inline(always)]
    fn bits(self) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_castpd_si256(self.0) }
    }

    #[inline(always)]
    fn of_bits(bits: __m256i) -> Self {
        // SAFETY: bits come from lanes.
        Self(unsafe { _mm256_castsi256_pd(bits) })
    }
}

impl Lanes for F64x4 {
    type Register = __m256d;
    type Mask = __m256d;

    #[inline(always)]
    unsafe fn new(register: __m256d) -> Self {
        Self(register)
    }

    #[inline(always)]
    fn register(self) -> __m256d {
        self.0
    }

    #[inline(always)]
    fn splat(self, constant: f64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_set1_pd(constant) })
    }

    operations! {
        mul_add(self, a, b) -> Self: Self(_mm256_fmadd_pd(self.0, a.0, b.0));
        neg_mul_add(self, a, b) -> Self: Self(_mm256_fnmadd_pd(self.0, a.0, b.0));
        mul_sub(self, a, b) -> Self: Self(_mm256_fmsub_pd(self.0, a.0, b.0));
        sqrt(self) -> Self: Self(_mm256_sqrt_pd(self.0));
        abs(self) -> Self: Self(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0));
        sign(self) -> Self: Self(_mm256_and_pd(_mm256_set1_pd(-0.0), self.0));
        turned(self, signs) -> Self: Self(_mm256_xor_pd(self.0, signs.0));
        round(self) -> Self: Self(_mm256_round_pd::<0x08>(self.0));
        floor(self) -> Self: Self(_mm256_floor_pd(self.0));
        at_least(self, other) -> Self: Self(_mm256_max_pd(other.0, self.0));
        at_most(self, other) -> Self: Self(_mm256_min_pd(other.0, self.0));
        below(self, other) -> __m256d: _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0);
        equals(self, other) -> __m256d: _mm256_cmp_pd::<_CMP_EQ_OQ>(self.0, other.0);
        not_at_least(self, other) -> __m256d: _mm256_cmp_pd::<_CMP_NGE_UQ>(self.0, other.0);
        unordered(self, other) -> __m256d: _mm256_cmp_pd::<_CMP_UNORD_Q>(self.0, other.0);
        // What selects by a mask looks at the sign alone, but masks are combined too.
        bit(self) <BIT> -> __m256d: {
            let bit = _mm256_and_si256(self.bits(), _mm256_set1_epi64x(1 << BIT));
            _mm256_castsi256_pd(_mm256_cmpeq_epi64(bit, _mm256_set1_epi64x(1 << BIT)))
        };
        power_of_two(n) -> Self: {
            // The integer stands in the lowest bits, which are shifted to the exponent.
            let biased = n + n.splat(MAGIC + 1023.0);
            Self::of_bits(_mm256_slli_epi64::<52>(biased.bits()))
        };
        parts(self) -> (Self, Self): {
            let small = self.below(self.splat(f64::MIN_POSITIVE));
            let (up, down) = (self.splat(18_014_398_509_481_984.0), self.splat(-54.0));
            let x = self.or(small, self * up);
            let mantissa = _mm256_and_si256(x.bits(), _mm256_set1_epi64x(MANTISSA));
            let m = Self::of_bits(_mm256_or_si256(mantissa, _mm256_set1_epi64x(ONE)));
            // The exponent in the lowest bits of 2⁵².
            let exponent = _mm256_srli_epi64::<52>(x.bits());
            let k = Self::of_bits(_mm256_or_si256(exponent, _mm256_set1_epi64x((52 + 1023) << 52)));
            let k = k - k.splat(4_503_599_627_370_496.0 + 1023.0);
            (k.or(small, k + down), m)
        };
    }

    masks! {
        both(a, b) -> __m256d: _mm256_and_pd(a, b);
        either(a, b) -> __m256d: _mm256_or_pd(a, b);
        not(a) -> __m256d: _mm256_xor_pd(a, _mm256_castsi256_pd(_mm256_set1_epi64x(-1)));
        any(a) -> bool: _mm256_movemask_pd(a) != 0;
    }

    #[inline(always)]
    fn scaled(self, n: Self) -> Self {
        // In two steps, of which the second alone rounds: n / 2 is in range, the rest too.
        let half = (n * n.splat(0.5)).floor();
        self * Self::power_of_two(half) * Self::power_of_two(n - half)
    }

    #[inline(always)]
    fn bit_as_sign<const FROM: u32>(self) -> Self {
        // SAFETY: as above.
        let shifted = unsafe { _mm256_sll_epi64(self.bits(), _mm_cvtsi32_si128(FROM as i32)) };
        Self::of_bits(shifted).sign()
    }

    #[inline(always)]
    fn or(self, mask: __m256d, then: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_blendv_pd(self.0, then.0, mask) })
    }

    #[inline(always)]
    fn patched(self, result: Self, mask: __m256d, by: fn(f64) -> f64) -> Self {
        let (mut arguments, mut results) = ([0.0; 4], [0.0; 4]);
        // SAFETY: as above; the arrays have four elements.
        unsafe {
            _mm256_storeu_pd(arguments.as_mut_ptr(), self.0);
            _mm256_storeu_pd(results.as_mut_ptr(), result.0);
            let mask = _mm256_movemask_pd(mask) as u32;
            patch(&arguments, &mut results, mask, by);
            Self(_mm256_loadu_pd(results.as_ptr()))
        }
    }
}

impl Lanes for F64x8 {
    type Register = __m512d;
    type Mask = __mmask8;

    #[inline(always)]
    unsafe fn new(register: __m512d) -> Self {
        Self(register)
    }

    #[inline(always)]
    fn register(self) -> __m512d {
        self.0
    }

    #[inline(always)]
    fn splat(self, constant: f64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_set1_pd(constant) })
    }

    operations! {
        mul_add(self, a, b) -> Self: Self(_mm512_fmadd_pd(self.0, a.0, b.0));
        neg_mul_add(self, a, b) -> Self: Self(_mm512_fnmadd_pd(self.0, a.0, b.0));
        mul_sub(self, a, b) -> Self: Self(_mm512_fmsub_pd(self.0, a.0, b.0));
        sqrt(self) -> Self: Self(_mm512_sqrt_pd(self.0));
        abs(self) -> Self: Self(_mm512_abs_pd(self.0));
        sign(self) -> Self: Self(_mm512_and_pd(_mm512_set1_pd(-0.0), self.0));
        turned(self, signs) -> Self: Self(_mm512_xor_pd(self.0, signs.0));
        round(self) -> Self: Self(_mm512_roundscale_pd::<0x08>(self.0));
        floor(self) -> Self: Self(_mm512_roundscale_pd::<0x09>(self.0));
        at_least(self, other) -> Self: Self(_mm512_max_pd(other.0, self.0));
        at_most(self, other) -> Self: Self(_mm512_min_pd(other.0, self.0));
        below(self, other) -> __mmask8: _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0);
        equals(self, other) -> __mmask8: _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(self.0, other.0);
        not_at_least(self, other) -> __mmask8: _mm512_cmp_pd_mask::<_CMP_NGE_UQ>(self.0, other.0);
        unordered(self, other) -> __mmask8: _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(self.0, other.0);
        bit(self) <BIT> -> __mmask8: {
            _mm512_test_epi64_mask(_mm512_castpd_si512(self.0), _mm512_set1_epi64(1 << BIT))
        };
        scaled(self, n) -> Self: Self(_mm512_scalef_pd(self.0, n.0));
        power_of_two(n) -> Self: Self(_mm512_scalef_pd(_mm512_set1_pd(1.0), n.0));
        parts(self) -> (Self, Self): {
            let m = _mm512_getmant_pd::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_SRC>(self.0);
            (Self(_mm512_getexp_pd(self.0)), Self(m))
        };
    }

    #[inline(always)]
    fn bit_as_sign<const FROM: u32>(self) -> Self {
        // SAFETY: as above.
        unsafe {
            let bits = _mm512_castpd_si512(self.0);
            let shifted = _mm512_slli_epi64::<FROM>(bits);
            let sign = _mm512_and_si512(shifted, _mm512_set1_epi64(SIGN));
            Self(_mm512_castsi512_pd(sign))
        }
    }

    #[inline(always)]
    fn both(a: __mmask8, b: __mmask8) -> __mmask8 {
        a & b
    }

    #[inline(always)]
    fn either(a: __mmask8, b: __mmask8) -> __mmask8 {
        a | b
    }

    #[inline(always)]
    fn not(a: __mmask8) -> __mmask8 {
        !a
    }

    #[inline(always)]
    fn any(a: __mmask8) -> bool {
        a != 0
    }

    #[inline(always)]
    fn or(self, mask: __mmask8, then: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_mask_blend_pd(mask, self.0, then.0) })
    }

    #[inline(always)]
    fn patched(self, result: Self, mask: __mmask8, by: fn(f64) -> f64) -> Self {
        let (mut arguments, mut results) = ([0.0; 8], [0.0; 8]);
        // SAFETY: as above; the arrays have eight elements.
        unsafe {
            _mm512_storeu_pd(arguments.as_mut_ptr(), self.0);
            _mm512_storeu_pd(results.as_mut_ptr(), result.0);
            patch(&arguments, &mut results, mask.into(), by);
            Self(_mm512_loadu_pd(results.as_ptr()))
        }
    }
}
