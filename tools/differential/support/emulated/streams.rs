//! What takes streams of components apart, in parts of 128 bits, and reads the first lanes of one.

#![allow(non_camel_case_types, reason = "names of `core::arch`")]
#![allow(missing_docs, reason = "documented in `core::arch`")]

use super::double::__m256d;
use super::integer::__m128i;
use super::macros::{lanes, masks_as_bits, vector};
use super::masks::{__mmask8, holds};
use super::quarter::__m128;
use super::single::__m256;
use super::{memory, shuffle};

vector! { __m128d, [f64; 2], _mm_set1_pd _mm_setzero_pd _mm_loadu_pd _mm_storeu_pd }

lanes! {
    __m128d;
    _mm_add_pd |a, b| a + b;
    _mm_mul_pd |a, b| a * b;
    _mm_min_pd |a, b| if a < b { a } else { b };
    _mm_max_pd |a, b| if a > b { a } else { b };
}

masks_as_bits! {
    __m128d, f64, __mmask8;
    _mm_maskz_loadu_pd _mm_mask_storeu_pd _mm_mask_blend_pd _mm_cmp_pd_mask
}

/// # Safety
/// The active lanes are readable.
pub unsafe fn _mm_maskload_pd(pointer: *const f64, mask: __m128i) -> __m128d {
    // SAFETY: the caller's.
    __m128d(unsafe { memory::load_lanes(pointer, |lane| mask.lane::<i64>(lane) < 0) })
}

/// # Safety
/// One lane is readable.
pub unsafe fn _mm_load_sd(pointer: *const f64) -> __m128d {
    // SAFETY: the caller's.
    __m128d(unsafe { memory::load_lanes(pointer, |lane| lane == 0) })
}

/// # Safety
/// One lane is readable.
pub unsafe fn _mm_load_ss(pointer: *const f32) -> __m128 {
    // SAFETY: the caller's.
    __m128(unsafe { memory::load_lanes(pointer, |lane| lane == 0) })
}

pub fn _mm_castpd_ps(a: __m128d) -> __m128 {
    let bits = a.0.map(f64::to_bits);
    __m128(std::array::from_fn(|lane| {
        f32::from_bits((bits[lane / 2] >> (lane % 2 * 32)) as u32)
    }))
}

pub fn _mm256_set_m128d(high: __m128d, low: __m128d) -> __m256d {
    __m256d([low.0[0], low.0[1], high.0[0], high.0[1]])
}

/// Within each part, a lane of `a` and one of `b`.
pub fn _mm256_shuffle_pd<const SELECT: i32>(a: __m256d, b: __m256d) -> __m256d {
    __m256d(std::array::from_fn(|lane| {
        let from = lane / 2 * 2 + (SELECT >> lane & 1) as usize;
        if lane % 2 == 0 { a.0[from] } else { b.0[from] }
    }))
}

pub fn _mm256_permute_ps<const SELECT: i32>(a: __m256) -> __m256 {
    __m256(shuffle::within(a.0, a.0, SELECT))
}

pub fn _mm_unpacklo_ps(a: __m128, b: __m128) -> __m128 {
    __m128(shuffle::unpack(a.0, b.0, false))
}

pub fn _mm_unpackhi_ps(a: __m128, b: __m128) -> __m128 {
    __m128(shuffle::unpack(a.0, b.0, true))
}
