//! Conversions between element types, and between vectors and masks.

#![allow(missing_docs, reason = "documented in `core::arch`")]
#![allow(clippy::too_many_arguments, reason = "signatures of `core::arch`")]

use super::double::{__m256d, __m512d};
use super::integer::{__m128i, __m256i};
use super::quarter::__m128;
use super::single::__m256;

pub fn _mm256_cvtps_pd(a: __m128) -> __m256d {
    __m256d(a.0.map(f64::from))
}

pub fn _mm256_cvtpd_ps(a: __m256d) -> __m128 {
    __m128(a.0.map(|lane| lane as f32))
}

pub fn _mm512_cvtps_pd(a: __m256) -> __m512d {
    __m512d(a.0.map(f64::from))
}

pub fn _mm512_cvtpd_ps(a: __m512d) -> __m256 {
    __m256(a.0.map(|lane| lane as f32))
}

pub fn _mm_castsi128_ps(a: __m128i) -> __m128 {
    __m128(a.0.map(f32::from_bits))
}

pub fn _mm_castps_si128(a: __m128) -> __m128i {
    __m128i(a.0.map(f32::to_bits))
}

pub fn _mm256_castpd_si256(a: __m256d) -> __m256i {
    let half = |k: usize| (a.0[k / 2].to_bits() >> (32 * (k % 2))) as u32;
    __m256i(std::array::from_fn(half))
}

pub fn _mm256_castsi256_pd(a: __m256i) -> __m256d {
    __m256d(std::array::from_fn(|k| f64::from_bits(a.quad(k) as u64)))
}

pub fn _mm256_setr_pd(e0: f64, e1: f64, e2: f64, e3: f64) -> __m256d {
    __m256d([e0, e1, e2, e3])
}

pub fn _mm512_setr_pd(
    e0: f64,
    e1: f64,
    e2: f64,
    e3: f64,
    e4: f64,
    e5: f64,
    e6: f64,
    e7: f64,
) -> __m512d {
    __m512d([e0, e1, e2, e3, e4, e5, e6, e7])
}
