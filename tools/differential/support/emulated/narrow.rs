//! Lanes of 8 and of 16 bits: what other lanes have no instructions like.

#![allow(missing_docs, reason = "documented in `core::arch`")]
#![allow(clippy::too_many_arguments, reason = "signatures of `core::arch`")]

use super::integer::{__m128i, __m256i, __m512i, Bits};
use super::masks::{__mmask32, __mmask64, holds};
use super::memory::store_lanes;
use super::streams::__m128d;

/// Lanes of one of two vectors, by the bits of a mask, and stores of those whose bits are set.
macro_rules! masked {
    ($($blend:ident $store:ident $vector:ident [$element:ty; $lanes:literal] $mask:ty;)*) => {$(
        pub fn $blend(mask: $mask, a: $vector, b: $vector) -> $vector {
            let pairs = a.lanes().zip(b.lanes()).enumerate();
            let chosen = |(lane, (a, b)): (usize, ($element, $element))| {
                if mask >> lane & 1 == 1 { b } else { a }
            };
            Bits::of(pairs.map(chosen))
        }

        /// # Safety
        /// The active lanes are writable.
        pub unsafe fn $store(pointer: *mut $element, mask: $mask, a: $vector) {
            let lanes: [$element; $lanes] = std::array::from_fn(|at| a.lane(at));
            // SAFETY: the caller's.
            unsafe { store_lanes(pointer, lanes, |lane| mask >> lane & 1 == 1) }
        }
    )*};
}

masked! {
    _mm256_mask_blend_epi8 _mm256_mask_storeu_epi8 __m256i [i8; 32] __mmask32;
    _mm512_mask_blend_epi8 _mm512_mask_storeu_epi8 __m512i [i8; 64] __mmask64;
    _mm512_mask_blend_epi16 _mm512_mask_storeu_epi16 __m512i [i16; 32] __mmask32;
}

/// A bit a lane, its sign.
pub fn _mm256_movemask_epi8(a: __m256i) -> i32 {
    let signs = a.lanes::<i8>().enumerate();
    signs.fold(0, |mask, (lane, a)| mask | i32::from(a < 0) << lane)
}

/// All lanes by one number of places, that of the lowest 64 bits.
pub fn _mm256_sra_epi16(a: __m256i, by: __m128i) -> __m256i {
    let by = by.lane::<u64>(0).min(15);
    Bits::of(a.lanes().map(|lane: i16| lane >> by))
}

/// Each lane by its own number of places.
pub fn _mm512_srav_epi16(a: __m512i, by: __m512i) -> __m512i {
    let pairs = a.lanes().zip(by.lanes());
    Bits::of(pairs.map(|(a, by): (i16, u16)| a >> by.min(15)))
}

/// Bytes of two registers after each other, the first of the second register first, of each 128 bits.
pub fn _mm512_alignr_epi8<const BY: i32>(high: __m512i, low: __m512i) -> __m512i {
    let part = |part: usize| {
        let bytes = |of: &__m512i| -> Vec<u8> { of.lanes().skip(16 * part).take(16).collect() };
        let both = [bytes(&low), bytes(&high), vec![0; 16]].concat();
        both.into_iter().skip(BY as usize).take(16)
    };
    Bits::of((0..4).flat_map(part).collect::<Vec<u8>>())
}

/// The same 128 bits in each part.
pub fn _mm256_broadcastsi128_si256(a: __m128i) -> __m256i {
    Bits::of((0..32).map(|at| a.lane::<u8>(at % 16)))
}

pub fn _mm512_broadcast_i32x4(a: __m128i) -> __m512i {
    Bits::of((0..64).map(|at| a.lane::<u8>(at % 16)))
}

/// Parts of 128 bits, two of each register.
pub fn _mm512_shuffle_i64x2<const SELECT: i32>(a: __m512i, b: __m512i) -> __m512i {
    let part = |at: usize| {
        let of = if at < 2 { &a } else { &b };
        let from = (SELECT >> (2 * at) & 3) as usize;
        of.lanes::<u64>().skip(2 * from).take(2)
    };
    Bits::of((0..4).flat_map(part).collect::<Vec<u64>>())
}

pub fn _mm256_setr_epi16(
    a: i16,
    b: i16,
    c: i16,
    d: i16,
    e: i16,
    f: i16,
    g: i16,
    h: i16,
    i: i16,
    j: i16,
    k: i16,
    l: i16,
    m: i16,
    n: i16,
    o: i16,
    p: i16,
) -> __m256i {
    Bits::of([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p])
}

pub fn _mm_cvtsi128_si32(a: __m128i) -> i32 {
    a.lane(0)
}

pub fn _mm_blendv_pd(a: __m128d, b: __m128d, mask: __m128d) -> __m128d {
    __m128d(std::array::from_fn(|lane| {
        match mask.0[lane].is_sign_negative() {
            true => b.0[lane],
            false => a.0[lane],
        }
    }))
}

pub fn _mm_cmp_pd<const PREDICATE: i32>(a: __m128d, b: __m128d) -> __m128d {
    let lane = |lane: usize| match holds(PREDICATE, a.0[lane], b.0[lane]) {
        true => f64::from_bits(!0),
        false => 0.0,
    };
    __m128d(std::array::from_fn(lane))
}
