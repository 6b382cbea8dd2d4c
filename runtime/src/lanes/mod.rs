//! Elementary functions of all lanes of a register at once: what kernels call at levels 2 and 3.
//!
//! A module a register: [`f64x4`] and [`f32x8`] for AVX2 with FMA, and [`f32x4`] beside four `f64`;
//! [`f64x8`] and [`f32x16`] for AVX-512. Each function takes the place of the method of its name, over
//! its whole range: subnormal numbers, infinities, NaN and signs of zeros are as with that. Which NaN it is
//! is open. Results do not depend on the lane, nor on what is in others.
//!
//! Errors are below, in units of the last place of the result (1 is the distance of two neighbours, a
//! correctly rounded result has at most .5); `runtime/tests/lanes.rs` tests them against 128 bits. The two
//! instruction sets differ by them, as they do from the standard library.
//!
//! | function | `f64` | `f32` |
//! |---|---|---|
//! | `exp`, `exp2`, `ln`, `log2`, `log10`, `ln_1p`, `sin`, `cos`, `sin_cos` | 1 | .6 |
//! | `powf`, `cbrt`, `hypot` | 1 | .6 |
//! | `exp_m1`, `sinh`, `cosh`, `tanh`, `tan`, `atan`, `atan2`, `asin`, `acos` | 2.5 | .6 |
//!
//! Of sine, cosine and tangent, lanes with |x| > 2⁴⁰ are left to the standard library, one after another,
//! and have its errors; nothing else branches. Lanes of `f32` are computed as `f64`, with shorter polynomials.

#![allow(
    clippy::missing_safety_doc,
    reason = "functions are safe, where their instruction set is enabled"
)]

mod coefficients;
mod exponential;
mod inverse;
mod logarithm;
mod power;
mod trigonometric;
mod vector;

use coefficients as of;
use vector::Lanes;

/// c₀ + c₁ x + c₂ x² + …: even and odd powers apart, so that half as many operations wait for each
/// other.
#[inline(always)]
fn polynomial<V: Lanes, const N: usize>(x: V, c: &[f64; N]) -> V {
    let pair = |at: usize| match c.get(at + 1) {
        Some(next) => x.splat(*next).mul_add(x, x.splat(c[at])),
        None => x.splat(c[at]),
    };
    let square = x * x;
    let mut at = (N - 1) / 2 * 2;
    let mut sum = pair(at);
    while at > 0 {
        at -= 2;
        sum = sum.mul_add(square, pair(at));
    }
    sum
}

/// Hands all functions to a macro: the name, the operands, and what is called for `f64` and for `f32`.
macro_rules! with_functions {
    ($macro:ident $($of:tt)*) => {
        $macro! {
            $($of)*
            exp(x) exponential::exp(&of::EXP), exponential::exp(&of::EXP_SINGLE);
            exp2(x) exponential::exp2(&of::EXP), exponential::exp2(&of::EXP_SINGLE);
            exp_m1(x) exponential::exp_m1(&of::EXP), exponential::exp_m1(&of::EXP_SINGLE);
            sinh(x) exponential::sinh(&of::EXP), exponential::sinh(&of::EXP_SINGLE);
            cosh(x) exponential::cosh(&of::EXP), exponential::cosh(&of::EXP_SINGLE);
            tanh(x) exponential::tanh(&of::EXP), exponential::tanh(&of::EXP_SINGLE);
            ln(x) logarithm::ln(&of::LN), logarithm::ln(&of::LN_SINGLE);
            ln_1p(x) logarithm::ln_1p(&of::LN), logarithm::ln_1p(&of::LN_SINGLE);
            log2(x) logarithm::log2(&of::LN), logarithm::log2(&of::LN_SINGLE);
            log10(x) logarithm::log10(&of::LN), logarithm::log10(&of::LN_SINGLE);
            sin(x) trigonometric::sin((&of::SIN, &of::COS), false),
                trigonometric::sin((&of::SIN_SINGLE, &of::COS_SINGLE), true);
            cos(x) trigonometric::cos((&of::SIN, &of::COS), false),
                trigonometric::cos((&of::SIN_SINGLE, &of::COS_SINGLE), true);
            tan(x) trigonometric::tan((&of::SIN, &of::COS), false),
                trigonometric::tan((&of::SIN_SINGLE, &of::COS_SINGLE), true);
            atan(x) inverse::atan(&of::ATAN), inverse::atan(&of::ATAN_SINGLE);
            atan2(y, x) inverse::atan2(&of::ATAN), inverse::atan2(&of::ATAN_SINGLE);
            asin(x) inverse::asin(&of::ASIN), inverse::asin(&of::ASIN_SINGLE);
            acos(x) inverse::acos(&of::ASIN), inverse::acos(&of::ASIN_SINGLE);
            powf(x, y) power::powf(&of::EXP),
                power::powf_single((&of::EXP_SINGLE, &of::LN_SINGLE));
            cbrt(x) power::cbrt(), power::cbrt();
            hypot(x, y) power::hypot(), power::hypot_single();
        }
    };
}

/// A module of functions of a register of `f64`.
macro_rules! double {
    (
        $features:literal $lanes:ident $register:ident
        $($name:ident($($x:ident),*) $room:ident::$double:ident($($d:expr),*),
            $other:ident::$single:ident($($s:expr),*);)*
    ) => {
        use super::*;
        use core::arch::x86_64::$register;
        use vector::$lanes as L;

        $(
            #[doc = concat!("`", stringify!($name), "` of each lane; see the [module](super).")]
            #[target_feature(enable = $features)]
            #[must_use]
            pub fn $name($($x: $register),*) -> $register {
                // SAFETY: a caller has the instruction set, or says that the processor has it.
                $room::$double($(unsafe { L::new($x) },)* $($d),*).register()
            }
        )*

        /// `sin_cos` of each lane; see the [module](super).
        #[target_feature(enable = $features)]
        #[must_use]
        pub fn sin_cos(x: $register) -> ($register, $register) {
            // SAFETY: as above.
            let x = unsafe { L::new(x) };
            let (s, c) = trigonometric::sin_cos(x, (&of::SIN, &of::COS), false);
            (s.register(), c.register())
        }
    };
}

/// A module of functions of a register of `f32`, which `$parts` takes apart and `$whole` puts together.
macro_rules! single {
    (
        $features:literal $lanes:ident $register:ident $parts:expr, $whole:ident;
        $($name:ident($($x:ident),*) $room:ident::$double:ident($($d:expr),*),
            $other:ident::$single:ident($($s:expr),*);)*
    ) => {
        use super::*;
        use core::arch::x86_64::*;
        use vector::$lanes as L;

        $(
            #[doc = concat!("`", stringify!($name), "` of each lane; see the [module](super).")]
            #[target_feature(enable = $features)]
            #[must_use]
            pub fn $name($($x: $register),*) -> $register {
                $(let $x = $parts($x);)*
                let part = |part: usize| {
                    // SAFETY: a caller has the instruction set, or says that the processor has it.
                    $other::$single($(unsafe { L::new($x[part]) },)* $($s),*).register()
                };
                $whole!(part)
            }
        )*

        /// `sin_cos` of each lane; see the [module](super).
        #[target_feature(enable = $features)]
        #[must_use]
        pub fn sin_cos(x: $register) -> ($register, $register) {
            (sin(x), cos(x))
        }
    };
}

pub mod f64x4 {
    //! Four `f64`, with AVX2 and FMA.
    with_functions! { double "avx2,fma" F64x4 __m256d }
}

pub mod f64x8 {
    //! Eight `f64`, with AVX-512.
    with_functions! { double "avx2,fma,avx512f,avx512vl,avx512dq,avx512bw" F64x8 __m512d }
}

pub mod f32x4 {
    //! Four `f32` beside four `f64`, with AVX2 and FMA.
    macro_rules! whole {
        ($part:ident) => {
            _mm256_cvtpd_ps($part(0))
        };
    }
    with_functions! { single "avx2,fma" F64x4 __m128 |x| [_mm256_cvtps_pd(x)], whole; }
}

pub mod f32x8 {
    //! Eight `f32`, with AVX2 and FMA.
    macro_rules! whole {
        ($part:ident) => {
            _mm256_set_m128(_mm256_cvtpd_ps($part(1)), _mm256_cvtpd_ps($part(0)))
        };
    }
    with_functions! {
        single "avx2,fma" F64x4 __m256
            |x| [
                _mm256_cvtps_pd(_mm256_castps256_ps128(x)),
                _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(x)),
            ],
            whole;
    }
}

pub mod f32x16 {
    //! Sixteen `f32`, with AVX-512.
    macro_rules! whole {
        ($part:ident) => {
            _mm512_insertf32x8::<1>(
                _mm512_castps256_ps512(_mm512_cvtpd_ps($part(0))),
                _mm512_cvtpd_ps($part(1)),
            )
        };
    }
    with_functions! {
        single "avx2,fma,avx512f,avx512vl,avx512dq,avx512bw" F64x8 __m512
            |x| [
                _mm512_cvtps_pd(_mm512_castps512_ps256(x)),
                _mm512_cvtps_pd(_mm512_extractf32x8_ps::<1>(x)),
            ],
            whole;
    }
}
