//! Vectors of `f64`: 256 and 512 bits.

#![allow(non_camel_case_types, reason = "names of `core::arch`")]
#![allow(missing_docs, reason = "documented in `core::arch`")]
#![allow(clippy::too_many_arguments, reason = "signatures of `core::arch`")]

use super::integer::__m256i;
use super::macros::{lanes, masks_as_bits, masks_as_vectors, rounding, vector, widest};
use super::masks::{__mmask8, holds};
use super::{memory, shuffle};

vector! { __m256d, [f64; 4], _mm256_set1_pd _mm256_setzero_pd _mm256_loadu_pd _mm256_storeu_pd }

lanes! {
    __m256d;
    _mm256_add_pd |a, b| a + b;
    _mm256_sub_pd |a, b| a - b;
    _mm256_mul_pd |a, b| a * b;
    _mm256_div_pd |a, b| a / b;
    _mm256_fmadd_pd |a, b, c| a.mul_add(b, c);
    _mm256_fnmadd_pd |a, b, c| (-a).mul_add(b, c);
    _mm256_xor_pd |a, b| f64::from_bits(a.to_bits() ^ b.to_bits());
    _mm256_sqrt_pd |a| a.sqrt();
    // Where one is a NaN, or both are zeros, the second.
    _mm256_min_pd |a, b| if a < b { a } else { b };
    _mm256_max_pd |a, b| if a > b { a } else { b };
    _mm256_andnot_pd |a, b| f64::from_bits(!a.to_bits() & b.to_bits());
    _mm256_and_pd |a, b| f64::from_bits(a.to_bits() & b.to_bits());
    _mm256_or_pd |a, b| f64::from_bits(a.to_bits() | b.to_bits());
    _mm256_floor_pd |a| a.floor();
    _mm256_ceil_pd |a| a.ceil();
}

rounding! { __m256d; _mm256_round_pd }

pub fn _mm256_set_pd(e3: f64, e2: f64, e1: f64, e0: f64) -> __m256d {
    __m256d([e0, e1, e2, e3])
}

pub fn _mm256_unpacklo_pd(a: __m256d, b: __m256d) -> __m256d {
    __m256d(shuffle::unpack(a.0, b.0, false))
}

pub fn _mm256_unpackhi_pd(a: __m256d, b: __m256d) -> __m256d {
    __m256d(shuffle::unpack(a.0, b.0, true))
}

masks_as_vectors! {
    __m256d, f64, |mask: &__m256i, lane: usize| mask.lane::<i64>(lane) < 0;
    _mm256_maskload_pd _mm256_maskstore_pd _mm256_blendv_pd _mm256_cmp_pd _mm256_permute2f128_pd
}

masks_as_bits! {
    __m256d, f64, __mmask8;
    _mm256_maskz_loadu_pd _mm256_mask_storeu_pd _mm256_mask_blend_pd _mm256_cmp_pd_mask
}

vector! { __m512d, [f64; 8], _mm512_set1_pd _mm512_setzero_pd _mm512_loadu_pd _mm512_storeu_pd }

lanes! {
    __m512d;
    _mm512_add_pd |a, b| a + b;
    _mm512_sub_pd |a, b| a - b;
    _mm512_mul_pd |a, b| a * b;
    _mm512_div_pd |a, b| a / b;
    _mm512_fmadd_pd |a, b, c| a.mul_add(b, c);
    _mm512_fnmadd_pd |a, b, c| (-a).mul_add(b, c);
    _mm512_xor_pd |a, b| f64::from_bits(a.to_bits() ^ b.to_bits());
    _mm512_sqrt_pd |a| a.sqrt();
    // Where one is a NaN, or both are zeros, the second.
    _mm512_min_pd |a, b| if a < b { a } else { b };
    _mm512_max_pd |a, b| if a > b { a } else { b };
    _mm512_abs_pd |a| a.abs();
    _mm512_and_pd |a, b| f64::from_bits(a.to_bits() & b.to_bits());
    _mm512_or_pd |a, b| f64::from_bits(a.to_bits() | b.to_bits());
    _mm512_andnot_pd |a, b| f64::from_bits(!a.to_bits() & b.to_bits());
}

pub fn _mm512_set_pd(
    e7: f64,
    e6: f64,
    e5: f64,
    e4: f64,
    e3: f64,
    e2: f64,
    e1: f64,
    e0: f64,
) -> __m512d {
    __m512d([e0, e1, e2, e3, e4, e5, e6, e7])
}

pub fn _mm512_unpacklo_pd(a: __m512d, b: __m512d) -> __m512d {
    __m512d(shuffle::unpack(a.0, b.0, false))
}

pub fn _mm512_unpackhi_pd(a: __m512d, b: __m512d) -> __m512d {
    __m512d(shuffle::unpack(a.0, b.0, true))
}

/// Its upper half is not defined: here not a number, which would be seen.
pub fn _mm512_castpd256_pd512(a: __m256d) -> __m512d {
    let [e0, e1, e2, e3] = a.0;
    let nan = f64::NAN;
    __m512d([e0, e1, e2, e3, nan, nan, nan, nan])
}

pub fn _mm512_insertf64x4<const HALF: i32>(a: __m512d, b: __m256d) -> __m512d {
    let first = 4 * HALF as usize;
    let lane = |k: usize| match k.checked_sub(first) {
        Some(at) if at < 4 => b.0[at],
        _ => a.0[k],
    };
    __m512d(std::array::from_fn(lane))
}

masks_as_bits! {
    __m512d, f64, __mmask8;
    _mm512_maskz_loadu_pd _mm512_mask_storeu_pd _mm512_mask_blend_pd _mm512_cmp_pd_mask
}

widest! { __m512d; _mm512_shuffle_f64x2 _mm512_roundscale_pd }
