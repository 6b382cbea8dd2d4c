//! Registers of which the first lanes are given and the others are zero, and those made of parts.

#![allow(non_camel_case_types, reason = "names of `core::arch`")]
#![allow(missing_docs, reason = "documented in `core::arch`")]

use super::double::{__m256d, __m512d};
use super::quarter::__m128;
use super::single::{__m256, __m512};
use super::streams::__m128d;

fn widened<T: Copy + Default, const N: usize, const M: usize>(part: [T; N]) -> [T; M] {
    std::array::from_fn(|lane| part.get(lane).copied().unwrap_or_default())
}

pub fn _mm256_zextpd128_pd256(a: __m128d) -> __m256d {
    __m256d(widened(a.0))
}

pub fn _mm256_zextps128_ps256(a: __m128) -> __m256 {
    __m256(widened(a.0))
}

pub fn _mm512_zextpd128_pd512(a: __m128d) -> __m512d {
    __m512d(widened(a.0))
}

pub fn _mm512_zextps128_ps512(a: __m128) -> __m512 {
    __m512(widened(a.0))
}

pub fn _mm512_zextpd256_pd512(a: __m256d) -> __m512d {
    __m512d(widened(a.0))
}

pub fn _mm512_zextps256_ps512(a: __m256) -> __m512 {
    __m512(widened(a.0))
}

/// `b` in the upper half, or the lower one.
pub fn _mm256_insertf128_pd<const HALF: i32>(a: __m256d, b: __m128d) -> __m256d {
    __m256d(std::array::from_fn(|lane| {
        let inserted = lane / 2 == (HALF & 1) as usize;
        if inserted { b.0[lane % 2] } else { a.0[lane] }
    }))
}

pub fn _mm_movelh_ps(a: __m128, b: __m128) -> __m128 {
    __m128([a.0[0], a.0[1], b.0[0], b.0[1]])
}
