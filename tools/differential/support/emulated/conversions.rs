//! Conversions between types of floating-point numbers.

#![allow(missing_docs, reason = "documented in `core::arch`")]
#![allow(clippy::too_many_arguments, reason = "signatures of `core::arch`")]

use super::double::{__m256d, __m512d};
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
