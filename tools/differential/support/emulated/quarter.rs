//! Vectors of `f32` of 128 bits: lanes beside four of `f64`.

#![allow(non_camel_case_types, reason = "names of `core::arch`")]
#![allow(missing_docs, reason = "documented in `core::arch`")]

use super::integer::__m128i;
use super::macros::{lanes, masks_as_bits, rounding, vector};
use super::masks::{__mmask8, holds};
use super::memory;

vector! { __m128, [f32; 4], _mm_set1_ps _mm_setzero_ps _mm_loadu_ps _mm_storeu_ps }

lanes! {
    __m128;
    _mm_add_ps |a, b| a + b;
    _mm_sub_ps |a, b| a - b;
    _mm_mul_ps |a, b| a * b;
    _mm_div_ps |a, b| a / b;
    _mm_fmadd_ps |a, b, c| a.mul_add(b, c);
    _mm_fnmadd_ps |a, b, c| (-a).mul_add(b, c);
    _mm_xor_ps |a, b| f32::from_bits(a.to_bits() ^ b.to_bits());
    _mm_sqrt_ps |a| a.sqrt();
    _mm_min_ps |a, b| if a < b { a } else { b };
    _mm_max_ps |a, b| if a > b { a } else { b };
    _mm_andnot_ps |a, b| f32::from_bits(!a.to_bits() & b.to_bits());
    _mm_and_ps |a, b| f32::from_bits(a.to_bits() & b.to_bits());
    _mm_or_ps |a, b| f32::from_bits(a.to_bits() | b.to_bits());
    _mm_floor_ps |a| a.floor();
    _mm_ceil_ps |a| a.ceil();
    _mm_blendv_ps |a, b, mask| if mask.is_sign_negative() { b } else { a };
}

masks_as_bits! {
    __m128, f32, __mmask8;
    _mm_maskz_loadu_ps _mm_mask_storeu_ps _mm_mask_blend_ps _mm_cmp_ps_mask
}

rounding! { __m128; _mm_round_ps }

pub fn _mm_set_ps(e3: f32, e2: f32, e1: f32, e0: f32) -> __m128 {
    __m128([e0, e1, e2, e3])
}

pub fn _mm_cmp_ps<const PREDICATE: i32>(a: __m128, b: __m128) -> __m128 {
    __m128(std::array::from_fn(|lane| {
        if holds(PREDICATE, a.0[lane], b.0[lane]) {
            f32::from_bits(!0)
        } else {
            0.0
        }
    }))
}

/// # Safety
/// The active lanes are readable.
pub unsafe fn _mm_maskload_ps(pointer: *const f32, mask: __m128i) -> __m128 {
    // SAFETY: the caller's.
    __m128(unsafe { memory::load_lanes(pointer, |lane| mask.lane::<i32>(lane) < 0) })
}

/// # Safety
/// The active lanes are writable.
pub unsafe fn _mm_maskstore_ps(pointer: *mut f32, mask: __m128i, value: __m128) {
    // SAFETY: the caller's.
    unsafe { memory::store_lanes(pointer, value.0, |lane| mask.lane::<i32>(lane) < 0) }
}
