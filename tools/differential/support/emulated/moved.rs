//! Lanes moved to other places of a register.

#![allow(missing_docs, reason = "documented in `core::arch`")]
#![allow(clippy::too_many_arguments, reason = "signatures of `core::arch`")]

use super::double::{__m256d, __m512d};
use super::integer::{__m256i, __m512i};
use super::memory::load_lanes;
use super::quarter::__m128;
use super::shuffle;
use super::single::{__m256, __m512};

pub fn _mm512_setr_epi64(
    a: i64,
    b: i64,
    c: i64,
    d: i64,
    e: i64,
    f: i64,
    g: i64,
    h: i64,
) -> __m512i {
    __m512i::of([a, b, c, d, e, f, g, h])
}

pub fn _mm512_setr_epi32(
    a: i32,
    b: i32,
    c: i32,
    d: i32,
    e: i32,
    f: i32,
    g: i32,
    h: i32,
    i: i32,
    j: i32,
    k: i32,
    l: i32,
    m: i32,
    n: i32,
    o: i32,
    p: i32,
) -> __m512i {
    __m512i::of([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p])
}

pub fn _mm512_permutexvar_pd(from: __m512i, a: __m512d) -> __m512d {
    __m512d(std::array::from_fn(|lane| {
        a.0[from.lane::<u64>(lane) as usize % 8]
    }))
}

pub fn _mm512_permutexvar_ps(from: __m512i, a: __m512) -> __m512 {
    __m512(std::array::from_fn(|lane| {
        a.0[from.lane::<u32>(lane) as usize % 16]
    }))
}

pub fn _mm512_permutex2var_pd(a: __m512d, from: __m512i, b: __m512d) -> __m512d {
    __m512d(std::array::from_fn(|lane| {
        match from.lane::<u64>(lane) as usize % 16 {
            at @ ..8 => a.0[at],
            at => b.0[at - 8],
        }
    }))
}

pub fn _mm512_permutex2var_ps(a: __m512, from: __m512i, b: __m512) -> __m512 {
    __m512(std::array::from_fn(|lane| {
        match from.lane::<u32>(lane) as usize % 32 {
            at @ ..16 => a.0[at],
            at => b.0[at - 16],
        }
    }))
}

pub fn _mm256_blend_pd<const SECOND: i32>(a: __m256d, b: __m256d) -> __m256d {
    __m256d(blended(a.0, b.0, SECOND))
}

pub fn _mm256_blend_ps<const SECOND: i32>(a: __m256, b: __m256) -> __m256 {
    __m256(blended(a.0, b.0, SECOND))
}

pub fn _mm_blend_ps<const SECOND: i32>(a: __m128, b: __m128) -> __m128 {
    __m128(blended(a.0, b.0, SECOND))
}

pub fn _mm_shuffle_ps<const SELECT: i32>(a: __m128, b: __m128) -> __m128 {
    __m128(shuffle::within(a.0, b.0, SELECT))
}

/// The lanes of `b` that are chosen by a bit each, and the others of `a`.
fn blended<T: Copy, const N: usize>(a: [T; N], b: [T; N], second: i32) -> [T; N] {
    std::array::from_fn(|lane| {
        if second >> lane & 1 == 1 {
            b[lane]
        } else {
            a[lane]
        }
    })
}

pub fn _mm256_permute4x64_pd<const SELECT: i32>(a: __m256d) -> __m256d {
    __m256d(selected(a.0, SELECT))
}

pub fn _mm_permute_ps<const SELECT: i32>(a: __m128) -> __m128 {
    __m128(selected(a.0, SELECT))
}

pub fn _mm256_permutevar8x32_ps(a: __m256, from: __m256i) -> __m256 {
    __m256(std::array::from_fn(|lane| {
        a.0[from.lane::<u32>(lane) as usize % 8]
    }))
}

/// Four lanes by two bits for each.
fn selected<T: Copy>(a: [T; 4], select: i32) -> [T; 4] {
    std::array::from_fn(|lane| a[(select >> (2 * lane) & 3) as usize])
}

/// # Safety
/// Two lanes are readable at each place.
pub unsafe fn _mm256_loadu2_m128d(high: *const f64, low: *const f64) -> __m256d {
    // SAFETY: the caller's.
    let [low, high]: [[f64; 2]; 2] =
        unsafe { [load_lanes(low, |_| true), load_lanes(high, |_| true)] };
    __m256d([low[0], low[1], high[0], high[1]])
}

/// # Safety
/// Four lanes are readable at each place.
pub unsafe fn _mm256_loadu2_m128(high: *const f32, low: *const f32) -> __m256 {
    // SAFETY: the caller's.
    let [low, high]: [[f32; 4]; 2] =
        unsafe { [load_lanes(low, |_| true), load_lanes(high, |_| true)] };
    __m256(std::array::from_fn(|lane| {
        if lane < 4 { low[lane] } else { high[lane - 4] }
    }))
}
