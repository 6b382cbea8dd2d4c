//! Vectors of `f32`: 256 and 512 bits.

#![allow(non_camel_case_types, reason = "names of `core::arch`")]
#![allow(missing_docs, reason = "documented in `core::arch`")]
#![allow(clippy::too_many_arguments, reason = "signatures of `core::arch`")]

use super::integer::__m256i;
use super::macros::{lanes, masks_as_bits, masks_as_vectors, rounding, vector, widest};
use super::masks::{__mmask8, __mmask16, holds};
use super::{memory, shuffle};

vector! { __m256, [f32; 8], _mm256_set1_ps _mm256_setzero_ps _mm256_loadu_ps _mm256_storeu_ps }

lanes! {
    __m256;
    _mm256_add_ps |a, b| a + b;
    _mm256_sub_ps |a, b| a - b;
    _mm256_mul_ps |a, b| a * b;
    _mm256_div_ps |a, b| a / b;
    _mm256_fmadd_ps |a, b, c| a.mul_add(b, c);
    _mm256_fnmadd_ps |a, b, c| (-a).mul_add(b, c);
    _mm256_xor_ps |a, b| f32::from_bits(a.to_bits() ^ b.to_bits());
    _mm256_sqrt_ps |a| a.sqrt();
    // Where one is a NaN, or both are zeros, the second.
    _mm256_min_ps |a, b| if a < b { a } else { b };
    _mm256_max_ps |a, b| if a > b { a } else { b };
    _mm256_andnot_ps |a, b| f32::from_bits(!a.to_bits() & b.to_bits());
    _mm256_and_ps |a, b| f32::from_bits(a.to_bits() & b.to_bits());
    _mm256_or_ps |a, b| f32::from_bits(a.to_bits() | b.to_bits());
    _mm256_floor_ps |a| a.floor();
    _mm256_ceil_ps |a| a.ceil();
}

rounding! { __m256; _mm256_round_ps }

pub fn _mm256_set_ps(
    e7: f32,
    e6: f32,
    e5: f32,
    e4: f32,
    e3: f32,
    e2: f32,
    e1: f32,
    e0: f32,
) -> __m256 {
    __m256([e0, e1, e2, e3, e4, e5, e6, e7])
}

pub fn _mm256_unpacklo_ps(a: __m256, b: __m256) -> __m256 {
    __m256(shuffle::unpack(a.0, b.0, false))
}

pub fn _mm256_unpackhi_ps(a: __m256, b: __m256) -> __m256 {
    __m256(shuffle::unpack(a.0, b.0, true))
}

pub fn _mm256_shuffle_ps<const SELECT: i32>(a: __m256, b: __m256) -> __m256 {
    __m256(shuffle::within(a.0, b.0, SELECT))
}

masks_as_bits! {
    __m256, f32, __mmask8;
    _mm256_maskz_loadu_ps _mm256_mask_storeu_ps _mm256_mask_blend_ps _mm256_cmp_ps_mask
}

masks_as_vectors! {
    __m256, f32, |mask: &__m256i, lane: usize| mask.lane::<i32>(lane) < 0;
    _mm256_maskload_ps _mm256_maskstore_ps _mm256_blendv_ps _mm256_cmp_ps _mm256_permute2f128_ps
}

vector! { __m512, [f32; 16], _mm512_set1_ps _mm512_setzero_ps _mm512_loadu_ps _mm512_storeu_ps }

lanes! {
    __m512;
    _mm512_add_ps |a, b| a + b;
    _mm512_sub_ps |a, b| a - b;
    _mm512_mul_ps |a, b| a * b;
    _mm512_div_ps |a, b| a / b;
    _mm512_fmadd_ps |a, b, c| a.mul_add(b, c);
    _mm512_fnmadd_ps |a, b, c| (-a).mul_add(b, c);
    _mm512_xor_ps |a, b| f32::from_bits(a.to_bits() ^ b.to_bits());
    _mm512_sqrt_ps |a| a.sqrt();
    // Where one is a NaN, or both are zeros, the second.
    _mm512_min_ps |a, b| if a < b { a } else { b };
    _mm512_max_ps |a, b| if a > b { a } else { b };
    _mm512_abs_ps |a| a.abs();
    _mm512_and_ps |a, b| f32::from_bits(a.to_bits() & b.to_bits());
    _mm512_or_ps |a, b| f32::from_bits(a.to_bits() | b.to_bits());
    _mm512_andnot_ps |a, b| f32::from_bits(!a.to_bits() & b.to_bits());
}

pub fn _mm512_set_ps(
    e15: f32,
    e14: f32,
    e13: f32,
    e12: f32,
    e11: f32,
    e10: f32,
    e9: f32,
    e8: f32,
    e7: f32,
    e6: f32,
    e5: f32,
    e4: f32,
    e3: f32,
    e2: f32,
    e1: f32,
    e0: f32,
) -> __m512 {
    __m512([
        e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15,
    ])
}

pub fn _mm512_unpacklo_ps(a: __m512, b: __m512) -> __m512 {
    __m512(shuffle::unpack(a.0, b.0, false))
}

pub fn _mm512_unpackhi_ps(a: __m512, b: __m512) -> __m512 {
    __m512(shuffle::unpack(a.0, b.0, true))
}

pub fn _mm512_shuffle_ps<const SELECT: i32>(a: __m512, b: __m512) -> __m512 {
    __m512(shuffle::within(a.0, b.0, SELECT))
}

masks_as_bits! {
    __m512, f32, __mmask16;
    _mm512_maskz_loadu_ps _mm512_mask_storeu_ps _mm512_mask_blend_ps _mm512_cmp_ps_mask
}

widest! { __m512; _mm512_shuffle_f32x4 _mm512_roundscale_ps }
