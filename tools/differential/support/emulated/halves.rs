//! Halves of registers: taken out, stored, and in registers of twice the bits whose upper lanes are anything.

#![allow(non_camel_case_types, reason = "names of `core::arch`")]
#![allow(missing_docs, reason = "documented in `core::arch`")]

use super::double::{__m256d, __m512d};
use super::quarter::__m128;
use super::single::{__m256, __m512};
use super::streams::__m128d;

fn half<T: Copy, const N: usize, const M: usize>(a: [T; N], upper: usize) -> [T; M] {
    std::array::from_fn(|lane| a[upper * M + lane])
}

pub fn _mm256_castpd256_pd128(a: __m256d) -> __m128d {
    __m128d(half(a.0, 0))
}

pub fn _mm256_castps256_ps128(a: __m256) -> __m128 {
    __m128(half(a.0, 0))
}

pub fn _mm512_castpd512_pd256(a: __m512d) -> __m256d {
    __m256d(half(a.0, 0))
}

pub fn _mm512_castps512_ps256(a: __m512) -> __m256 {
    __m256(half(a.0, 0))
}

pub fn _mm256_extractf128_pd<const UPPER: i32>(a: __m256d) -> __m128d {
    __m128d(half(a.0, UPPER as usize))
}

pub fn _mm256_extractf128_ps<const UPPER: i32>(a: __m256) -> __m128 {
    __m128(half(a.0, UPPER as usize))
}

pub fn _mm512_extractf64x4_pd<const UPPER: i32>(a: __m512d) -> __m256d {
    __m256d(half(a.0, UPPER as usize))
}

pub fn _mm512_extractf32x8_ps<const UPPER: i32>(a: __m512) -> __m256 {
    __m256(half(a.0, UPPER as usize))
}

pub fn _mm256_castpd128_pd256(a: __m128d) -> __m256d {
    super::parts::_mm256_zextpd128_pd256(a)
}

pub fn _mm256_castps128_ps256(a: __m128) -> __m256 {
    super::parts::_mm256_zextps128_ps256(a)
}

pub fn _mm_unpackhi_pd(a: __m128d, b: __m128d) -> __m128d {
    __m128d([a.0[1], b.0[1]])
}

pub fn _mm_movehl_ps(a: __m128, b: __m128) -> __m128 {
    __m128([b.0[2], b.0[3], a.0[2], a.0[3]])
}

/// The first lane.
///
/// # Safety
/// There is room for it.
pub unsafe fn _mm_store_sd(to: *mut f64, a: __m128d) {
    unsafe { to.write_unaligned(a.0[0]) }
}

/// The first lane.
///
/// # Safety
/// There is room for it.
pub unsafe fn _mm_store_ss(to: *mut f32, a: __m128) {
    unsafe { to.write_unaligned(a.0[0]) }
}

pub fn _mm_cvtsd_f64(a: __m128d) -> f64 {
    a.0[0]
}

pub fn _mm_cvtss_f32(a: __m128) -> f32 {
    a.0[0]
}

pub fn _mm_movehdup_ps(a: __m128) -> __m128 {
    __m128([a.0[1], a.0[1], a.0[3], a.0[3]])
}
