//! Conversions between types of floating-point numbers, and of these to integers.

#![allow(missing_docs, reason = "documented in `core::arch`")]
#![allow(clippy::too_many_arguments, reason = "signatures of `core::arch`")]

use super::double::{__m256d, __m512d};
use super::integer::{__m128i, __m256i, __m512i, Bits};
use super::quarter::__m128;
use super::single::{__m256, __m512};

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

/// A number cut off, or the smallest integer where it is beyond the ends of the type, or none.
fn cut_off(lane: f64) -> i32 {
    let inside = lane.trunc() >= f64::from(i32::MIN) && lane.trunc() <= f64::from(i32::MAX);
    if inside { lane as i32 } else { i32::MIN }
}

macro_rules! cut_off {
    ($($name:ident $from:ident $to:ident;)*) => {$(
        pub fn $name(a: $from) -> $to {
            Bits::of(a.0.map(|lane| cut_off(lane.into())))
        }
    )*};
}

cut_off! {
    _mm_cvttps_epi32 __m128 __m128i;
    _mm256_cvttps_epi32 __m256 __m256i;
    _mm512_cvttps_epi32 __m512 __m512i;
    _mm256_cvttpd_epi32 __m256d __m128i;
    _mm512_cvttpd_epi32 __m512d __m256i;
}
