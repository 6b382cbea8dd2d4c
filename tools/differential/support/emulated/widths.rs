//! Conversions between lanes of integers, and of these to floating point. Every one rounds to the nearest
//! number, as `as` does.

#![allow(missing_docs, reason = "documented in `core::arch`")]

use super::double::{__m256d, __m512d};
use super::integer::{__m128i, __m256i, __m512i, Bits};
use super::quarter::__m128;
use super::single::{__m256, __m512};

/// Lanes of one type as lanes of another: of wider ones, the first.
macro_rules! casts {
    ($($name:ident $from:ident $to:ident, $old:ty => $new:ty;)*) => {$(
        pub fn $name(a: $from) -> $to {
            Bits::of(a.lanes().map(|lane: $old| lane as $new))
        }
    )*};
}

casts! {
    _mm_cvtepi8_epi16 __m128i __m128i, i8 => i16;
    _mm_cvtepu8_epi16 __m128i __m128i, u8 => i16;
    _mm256_cvtepi8_epi16 __m128i __m256i, i8 => i16;
    _mm256_cvtepu8_epi16 __m128i __m256i, u8 => i16;
    _mm512_cvtepi8_epi16 __m256i __m512i, i8 => i16;
    _mm512_cvtepu8_epi16 __m256i __m512i, u8 => i16;
    _mm_cvtepi8_epi32 __m128i __m128i, i8 => i32;
    _mm_cvtepu8_epi32 __m128i __m128i, u8 => i32;
    _mm_cvtepi16_epi32 __m128i __m128i, i16 => i32;
    _mm_cvtepu16_epi32 __m128i __m128i, u16 => i32;
    _mm256_cvtepi8_epi32 __m128i __m256i, i8 => i32;
    _mm256_cvtepu8_epi32 __m128i __m256i, u8 => i32;
    _mm256_cvtepi16_epi32 __m128i __m256i, i16 => i32;
    _mm256_cvtepu16_epi32 __m128i __m256i, u16 => i32;
    _mm512_cvtepi8_epi32 __m128i __m512i, i8 => i32;
    _mm512_cvtepu8_epi32 __m128i __m512i, u8 => i32;
    _mm512_cvtepi16_epi32 __m256i __m512i, i16 => i32;
    _mm512_cvtepu16_epi32 __m256i __m512i, u16 => i32;
    _mm256_cvtepi32_epi64 __m128i __m256i, i32 => i64;
    _mm256_cvtepu32_epi64 __m128i __m256i, u32 => i64;
    _mm512_cvtepi32_epi64 __m256i __m512i, i32 => i64;
    _mm512_cvtepu32_epi64 __m256i __m512i, u32 => i64;
    _mm256_cvtepi64_epi32 __m256i __m128i, i64 => i32;
    _mm512_cvtepi64_epi32 __m512i __m256i, i64 => i32;
}

/// Lanes of integers as numbers.
macro_rules! numbers {
    ($($name:ident $from:ident $to:ident, $old:ty => $new:ty;)*) => {$(
        pub fn $name(a: $from) -> $to {
            $to(std::array::from_fn(|at| a.lane::<$old>(at) as $new))
        }
    )*};
}

numbers! {
    _mm_cvtepi32_ps __m128i __m128, i32 => f32;
    _mm256_cvtepi32_ps __m256i __m256, i32 => f32;
    _mm512_cvtepi32_ps __m512i __m512, i32 => f32;
    _mm512_cvtepu32_ps __m512i __m512, u32 => f32;
    _mm256_cvtepi32_pd __m128i __m256d, i32 => f64;
    _mm512_cvtepi32_pd __m256i __m512d, i32 => f64;
    _mm256_cvtepu32_pd __m128i __m256d, u32 => f64;
    _mm512_cvtepu32_pd __m256i __m512d, u32 => f64;
    _mm256_cvtepi64_pd __m256i __m256d, i64 => f64;
    _mm512_cvtepi64_pd __m512i __m512d, i64 => f64;
    _mm256_cvtepu64_pd __m256i __m256d, u64 => f64;
    _mm512_cvtepu64_pd __m512i __m512d, u64 => f64;
    _mm256_cvtepi64_ps __m256i __m128, i64 => f32;
    _mm512_cvtepi64_ps __m512i __m256, i64 => f32;
    _mm256_cvtepu64_ps __m256i __m128, u64 => f32;
    _mm512_cvtepu64_ps __m512i __m256, u64 => f32;
}

/// The same bits as numbers.
macro_rules! bits {
    ($($name:ident $from:ident $to:ident $element:ty;)*) => {$(
        pub fn $name(a: $from) -> $to {
            $to(std::array::from_fn(|at| a.lane::<$element>(at)))
        }
    )*};
}

bits! {
    _mm_castsi128_ps __m128i __m128 f32;
    _mm256_castsi256_ps __m256i __m256 f32;
    _mm256_castsi256_pd __m256i __m256d f64;
}

pub fn _mm_castps_si128(a: __m128) -> __m128i {
    Bits::of(a.0)
}

pub fn _mm256_castpd_si256(a: __m256d) -> __m256i {
    Bits::of(a.0)
}

pub fn _mm256_castsi256_si128(a: __m256i) -> __m128i {
    Bits::of(a.lanes::<u8>())
}

pub fn _mm512_castsi512_si256(a: __m512i) -> __m256i {
    Bits::of(a.lanes::<u8>())
}

/// Its upper half is not defined: here what is no small integer, which would be seen.
pub fn _mm512_castsi256_si512(a: __m256i) -> __m512i {
    Bits::of(a.lanes::<u8>().chain([0x5a; 32]))
}

/// Its upper half is not defined: here not a number, which would be seen.
pub fn _mm512_castps256_ps512(a: __m256) -> __m512 {
    __m512(std::array::from_fn(|at| {
        a.0.get(at).copied().unwrap_or(f32::NAN)
    }))
}

pub fn _mm256_extracti128_si256<const HALF: i32>(a: __m256i) -> __m128i {
    Bits::of(a.lanes::<u8>().skip(16 * HALF as usize))
}

pub fn _mm512_extracti64x4_epi64<const HALF: i32>(a: __m512i) -> __m256i {
    Bits::of(a.lanes::<u8>().skip(32 * HALF as usize))
}

pub fn _mm256_set_m128i(high: __m128i, low: __m128i) -> __m256i {
    Bits::of(low.lanes::<u8>().chain(high.lanes()))
}

pub fn _mm512_inserti64x4<const HALF: i32>(a: __m512i, b: __m256i) -> __m512i {
    let (low, high): (__m256i, __m256i) = match HALF {
        0 => (b, _mm512_extracti64x4_epi64::<1>(a)),
        _ => (_mm512_castsi512_si256(a), b),
    };
    Bits::of(low.lanes::<u8>().chain(high.lanes()))
}

pub fn _mm256_set_m128(high: __m128, low: __m128) -> __m256 {
    let [e0, e1, e2, e3] = low.0;
    let [e4, e5, e6, e7] = high.0;
    __m256([e0, e1, e2, e3, e4, e5, e6, e7])
}

pub fn _mm512_insertf32x8<const HALF: i32>(a: __m512, b: __m256) -> __m512 {
    let first = 8 * HALF as usize;
    let lane = |at: usize| match at.checked_sub(first) {
        Some(at) if at < 8 => b.0[at],
        _ => a.0[at],
    };
    __m512(std::array::from_fn(lane))
}
