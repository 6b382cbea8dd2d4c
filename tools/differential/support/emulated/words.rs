//! Vectors of integers that are computed with: arithmetic, comparisons, functions and narrow stores.

#![allow(non_camel_case_types, reason = "names of `core::arch`")]
#![allow(missing_docs, reason = "documented in `core::arch`")]
#![allow(clippy::too_many_arguments, reason = "signatures of `core::arch`")]

use super::double::{__m256d, __m512d};
use super::integer::{__m128i, __m256i, __m512i, Bits, pairs, sets, shifts};
use super::masks::{__mmask8, __mmask16, __mmask32, __mmask64};
use super::memory::store_lanes;
use super::quarter::__m128;
use super::single::{__m256, __m512};
use super::streams::__m128d;

/// Registers of numbers as ones of integers, and back: the same bits.
macro_rules! casts {
    ($($to:ident $from:ident $numbers:ident $integers:ident $element:ty;)*) => {$(
        pub fn $to(a: $numbers) -> $integers {
            Bits::of(a.0)
        }

        pub fn $from(a: $integers) -> $numbers {
            $numbers(std::array::from_fn(|at| a.lane::<$element>(at)))
        }
    )*};
}

casts! {
    _mm_castpd_si128 _mm_castsi128_pd __m128d __m128i f64;
    _mm512_castps_si512 _mm512_castsi512_ps __m512 __m512i f32;
    _mm512_castpd_si512 _mm512_castsi512_pd __m512d __m512i f64;
}

pub fn _mm256_castps_si256(a: __m256) -> __m256i {
    Bits::of(a.0)
}

sets! {
    _mm_set1_epi64x __m128i [i64; 2];
    _mm512_set1_epi64 __m512i [i64; 8];
    _mm_set1_epi16 __m128i [i16; 8];
    _mm256_set1_epi16 __m256i [i16; 16];
    _mm512_set1_epi16 __m512i [i16; 32];
    _mm_set1_epi8 __m128i [i8; 16];
    _mm256_set1_epi8 __m256i [i8; 32];
    _mm512_set1_epi8 __m512i [i8; 64];
}

/// Lanes of every width of a register.
macro_rules! every_width {
    ($($half:ident $whole:ident $double:ident |$a:ident: $element:ty, $b:ident| $value:expr;)*) => {
        pairs! {$(
            $half __m128i |$a: $element, $b| $value;
            $whole __m256i |$a: $element, $b| $value;
            $double __m512i |$a: $element, $b| $value;
        )*}
    };
}

every_width! {
    _mm_add_epi32 _mm256_add_epi32 _mm512_add_epi32 |a: i32, b| a.wrapping_add(b);
    _mm_sub_epi32 _mm256_sub_epi32 _mm512_sub_epi32 |a: i32, b| a.wrapping_sub(b);
    _mm_mullo_epi32 _mm256_mullo_epi32 _mm512_mullo_epi32 |a: i32, b| a.wrapping_mul(b);
    _mm_min_epi32 _mm256_min_epi32 _mm512_min_epi32 |a: i32, b| a.min(b);
    _mm_max_epi32 _mm256_max_epi32 _mm512_max_epi32 |a: i32, b| a.max(b);
    _mm_min_epu32 _mm256_min_epu32 _mm512_min_epu32 |a: u32, b| a.min(b);
    _mm_max_epu32 _mm256_max_epu32 _mm512_max_epu32 |a: u32, b| a.max(b);
    _mm_add_epi16 _mm256_add_epi16 _mm512_add_epi16 |a: i16, b| a.wrapping_add(b);
    _mm_sub_epi16 _mm256_sub_epi16 _mm512_sub_epi16 |a: i16, b| a.wrapping_sub(b);
    _mm_mullo_epi16 _mm256_mullo_epi16 _mm512_mullo_epi16 |a: i16, b| a.wrapping_mul(b);
    _mm_min_epi16 _mm256_min_epi16 _mm512_min_epi16 |a: i16, b| a.min(b);
    _mm_max_epi16 _mm256_max_epi16 _mm512_max_epi16 |a: i16, b| a.max(b);
    _mm_min_epu16 _mm256_min_epu16 _mm512_min_epu16 |a: u16, b| a.min(b);
    _mm_max_epu16 _mm256_max_epu16 _mm512_max_epu16 |a: u16, b| a.max(b);
    _mm_add_epi8 _mm256_add_epi8 _mm512_add_epi8 |a: i8, b| a.wrapping_add(b);
    _mm_sub_epi8 _mm256_sub_epi8 _mm512_sub_epi8 |a: i8, b| a.wrapping_sub(b);
    _mm_min_epi8 _mm256_min_epi8 _mm512_min_epi8 |a: i8, b| a.min(b);
    _mm_max_epi8 _mm256_max_epi8 _mm512_max_epi8 |a: i8, b| a.max(b);
    _mm_min_epu8 _mm256_min_epu8 _mm512_min_epu8 |a: u8, b| a.min(b);
    _mm_max_epu8 _mm256_max_epu8 _mm512_max_epu8 |a: u8, b| a.max(b);
    _mm_sub_epi64 _mm256_sub_epi64 _mm512_sub_epi64 |a: i64, b| a.wrapping_sub(b);
    _mm_mullo_epi64 _mm256_mullo_epi64 _mm512_mullo_epi64 |a: i64, b| a.wrapping_mul(b);
    _mm_min_epi64 _mm256_min_epi64 _mm512_min_epi64 |a: i64, b| a.min(b);
    _mm_max_epi64 _mm256_max_epi64 _mm512_max_epi64 |a: i64, b| a.max(b);
    _mm_min_epu64 _mm256_min_epu64 _mm512_min_epu64 |a: u64, b| a.min(b);
    _mm_max_epu64 _mm256_max_epu64 _mm512_max_epu64 |a: u64, b| a.max(b);
    _mm_mul_epu32 _mm256_mul_epu32 _mm512_mul_epu32 |a: u64, b| (a << 32 >> 32) * (b << 32 >> 32);
    _mm_srav_epi32 _mm256_srav_epi32 _mm512_srav_epi32 |a: i32, b| a >> (b as u32).min(31);
    _mm_srlv_epi32 _mm256_srlv_epi32 _mm512_srlv_epi32 |a: u32, b| a.checked_shr(b).unwrap_or(0);
    _mm_srav_epi64 _mm256_srav_epi64 _mm512_srav_epi64 |a: i64, b| a >> (b as u64).min(63);
    _mm_srlv_epi64 _mm256_srlv_epi64 _mm512_srlv_epi64 |a: u64, b| {
        a.checked_shr(b.min(64) as u32).unwrap_or(0)
    };
}

pairs! {
    _mm_add_epi64 __m128i |a: i64, b| a.wrapping_add(b);
    _mm512_add_epi64 __m512i |a: i64, b| a.wrapping_add(b);
    _mm_or_si128 __m128i |a: u8, b| a | b;
    _mm512_or_si512 __m512i |a: u8, b| a | b;
    _mm_xor_si128 __m128i |a: u8, b| a ^ b;
    _mm512_xor_si512 __m512i |a: u8, b| a ^ b;
    _mm_cmpgt_epi64 __m128i |a: i64, b| -i64::from(a > b);
    _mm_cmpeq_epi64 __m128i |a: i64, b| -i64::from(a == b);
    _mm_cmpgt_epi16 __m128i |a: i16, b| -i16::from(a > b);
    _mm256_cmpgt_epi16 __m256i |a: i16, b| -i16::from(a > b);
    _mm_cmpgt_epi8 __m128i |a: i8, b| -i8::from(a > b);
    _mm256_cmpgt_epi8 __m256i |a: i8, b| -i8::from(a > b);
    _mm_cmpeq_epi8 __m128i |a: i8, b| -i8::from(a == b);
    _mm256_cmpeq_epi8 __m256i |a: i8, b| -i8::from(a == b);
    _mm_cmpeq_epi16 __m128i |a: i16, b| -i16::from(a == b);
    _mm256_cmpeq_epi16 __m256i |a: i16, b| -i16::from(a == b);
    _mm_cmpeq_epi32 __m128i |a: i32, b| -i32::from(a == b);
    _mm256_cmpeq_epi32 __m256i |a: i32, b| -i32::from(a == b);
}

/// Functions of one vector, lane by lane.
macro_rules! singles {
    ($($name:ident $vector:ident |$a:ident: $element:ty| $value:expr;)*) => {$(
        pub fn $name(a: $vector) -> $vector {
            a.each(|$a: $element| $value)
        }
    )*};
}

singles! {
    _mm_abs_epi32 __m128i |a: i32| a.wrapping_abs();
    _mm256_abs_epi32 __m256i |a: i32| a.wrapping_abs();
    _mm512_abs_epi32 __m512i |a: i32| a.wrapping_abs();
    _mm_abs_epi16 __m128i |a: i16| a.wrapping_abs();
    _mm256_abs_epi16 __m256i |a: i16| a.wrapping_abs();
    _mm512_abs_epi16 __m512i |a: i16| a.wrapping_abs();
    _mm_abs_epi8 __m128i |a: i8| a.wrapping_abs();
    _mm256_abs_epi8 __m256i |a: i8| a.wrapping_abs();
    _mm512_abs_epi8 __m512i |a: i8| a.wrapping_abs();
    _mm_abs_epi64 __m128i |a: i64| a.wrapping_abs();
    _mm256_abs_epi64 __m256i |a: i64| a.wrapping_abs();
    _mm512_abs_epi64 __m512i |a: i64| a.wrapping_abs();
}

shifts! {
    _mm_slli_epi16 __m128i i32, |a: u16, by| a.checked_shl(by).unwrap_or(0);
    _mm256_slli_epi16 __m256i i32, |a: u16, by| a.checked_shl(by).unwrap_or(0);
    _mm512_slli_epi16 __m512i u32, |a: u16, by| a.checked_shl(by).unwrap_or(0);
    _mm_srli_epi16 __m128i i32, |a: u16, by| a.checked_shr(by).unwrap_or(0);
    _mm256_srli_epi16 __m256i i32, |a: u16, by| a.checked_shr(by).unwrap_or(0);
    _mm512_srli_epi16 __m512i u32, |a: u16, by| a.checked_shr(by).unwrap_or(0);
    _mm_srai_epi16 __m128i i32, |a: i16, by| a >> by.min(15);
    _mm256_srai_epi16 __m256i i32, |a: i16, by| a >> by.min(15);
    _mm512_srai_epi16 __m512i u32, |a: i16, by| a >> by.min(15);
    _mm_slli_epi64 __m128i i32, |a: u64, by| a.checked_shl(by).unwrap_or(0);
    _mm256_slli_epi64 __m256i i32, |a: u64, by| a.checked_shl(by).unwrap_or(0);
    _mm512_slli_epi64 __m512i u32, |a: u64, by| a.checked_shl(by).unwrap_or(0);
    _mm_srli_epi64 __m128i i32, |a: u64, by| a.checked_shr(by).unwrap_or(0);
    _mm512_srli_epi64 __m512i u32, |a: u64, by| a.checked_shr(by).unwrap_or(0);
}

/// The lower halves of both.
pub fn _mm_unpacklo_epi64(a: __m128i, b: __m128i) -> __m128i {
    Bits::of([a, b].map(|half| half.lane::<u64>(0)))
}

pub type _MM_CMPINT_ENUM = i32;
pub const _MM_CMPINT_EQ: _MM_CMPINT_ENUM = 0;
pub const _MM_CMPINT_LT: _MM_CMPINT_ENUM = 1;
pub const _MM_CMPINT_LE: _MM_CMPINT_ENUM = 2;
pub const _MM_CMPINT_FALSE: _MM_CMPINT_ENUM = 3;
pub const _MM_CMPINT_NE: _MM_CMPINT_ENUM = 4;
pub const _MM_CMPINT_NLT: _MM_CMPINT_ENUM = 5;
pub const _MM_CMPINT_NLE: _MM_CMPINT_ENUM = 6;

/// Comparisons that give a bit a lane.
macro_rules! comparisons {
    ($($name:ident $vector:ident $element:ty => $mask:ty;)*) => {$(
        pub fn $name<const PREDICATE: _MM_CMPINT_ENUM>(a: $vector, b: $vector) -> $mask {
            let holds = |a: $element, b: $element| match PREDICATE {
                _MM_CMPINT_EQ => a == b,
                _MM_CMPINT_LT => a < b,
                _MM_CMPINT_LE => a <= b,
                _MM_CMPINT_FALSE => false,
                _MM_CMPINT_NE => a != b,
                _MM_CMPINT_NLT => a >= b,
                _MM_CMPINT_NLE => a > b,
                _ => panic!("no expansion compares by the predicate {PREDICATE}"),
            };
            let pairs = a.lanes().zip(b.lanes()).enumerate();
            pairs.fold(0, |mask, (lane, (a, b))| mask | <$mask>::from(holds(a, b)) << lane)
        }
    )*};
}

comparisons! {
    _mm_cmp_epi32_mask __m128i i32 => __mmask8;
    _mm_cmp_epu32_mask __m128i u32 => __mmask8;
    _mm256_cmp_epi32_mask __m256i i32 => __mmask8;
    _mm256_cmp_epu32_mask __m256i u32 => __mmask8;
    _mm512_cmp_epi32_mask __m512i i32 => __mmask16;
    _mm512_cmp_epu32_mask __m512i u32 => __mmask16;
    _mm_cmp_epi64_mask __m128i i64 => __mmask8;
    _mm_cmp_epu64_mask __m128i u64 => __mmask8;
    _mm256_cmp_epi64_mask __m256i i64 => __mmask8;
    _mm256_cmp_epu64_mask __m256i u64 => __mmask8;
    _mm512_cmp_epi64_mask __m512i i64 => __mmask8;
    _mm512_cmp_epu64_mask __m512i u64 => __mmask8;
    _mm_cmp_epi16_mask __m128i i16 => __mmask8;
    _mm_cmp_epu16_mask __m128i u16 => __mmask8;
    _mm256_cmp_epi16_mask __m256i i16 => __mmask16;
    _mm256_cmp_epu16_mask __m256i u16 => __mmask16;
    _mm512_cmp_epi16_mask __m512i i16 => __mmask32;
    _mm512_cmp_epu16_mask __m512i u16 => __mmask32;
    _mm256_cmp_epi8_mask __m256i i8 => __mmask32;
    _mm256_cmp_epu8_mask __m256i u8 => __mmask32;
    _mm512_cmp_epi8_mask __m512i i8 => __mmask64;
    _mm512_cmp_epu8_mask __m512i u8 => __mmask64;
}

/// The lowest bits of each lane next to each other, in a register or, of the lanes whose bits are set, in memory.
macro_rules! narrowings {
    ($($name:ident $store:ident $from:ident $to:ident $old:ty => [$new:ty; $lanes:literal] $mask:ty;)*) => {$(
        pub fn $name(a: $from) -> $to {
            Bits::of(a.lanes().map(|lane: $old| lane as $new))
        }

        /// # Safety
        /// The active lanes are writable.
        pub unsafe fn $store(pointer: *mut i8, mask: $mask, a: $from) {
            let lanes: [$new; $lanes] = std::array::from_fn(|at| a.lane::<$old>(at) as $new);
            // SAFETY: the caller's.
            unsafe { store_lanes(pointer.cast(), lanes, |lane| mask >> lane & 1 == 1) }
        }
    )*};
}

narrowings! {
    _mm_cvtepi32_epi8 _mm_mask_cvtepi32_storeu_epi8 __m128i __m128i i32 => [i8; 4] __mmask8;
    _mm_cvtepi32_epi16 _mm_mask_cvtepi32_storeu_epi16 __m128i __m128i i32 => [i16; 4] __mmask8;
    _mm256_cvtepi32_epi8 _mm256_mask_cvtepi32_storeu_epi8 __m256i __m128i i32 => [i8; 8] __mmask8;
    _mm256_cvtepi32_epi16 _mm256_mask_cvtepi32_storeu_epi16 __m256i __m128i i32 => [i16; 8] __mmask8;
    _mm512_cvtepi32_epi8 _mm512_mask_cvtepi32_storeu_epi8 __m512i __m128i i32 => [i8; 16] __mmask16;
    _mm512_cvtepi32_epi16 _mm512_mask_cvtepi32_storeu_epi16 __m512i __m256i i32 => [i16; 16] __mmask16;
    _mm256_cvtepi16_epi8 _mm256_mask_cvtepi16_storeu_epi8 __m256i __m128i i16 => [i8; 16] __mmask16;
    _mm512_cvtepi16_epi8 _mm512_mask_cvtepi16_storeu_epi8 __m512i __m256i i16 => [i8; 32] __mmask32;
    _mm_cvtepi64_epi8 _mm_mask_cvtepi64_storeu_epi8 __m128i __m128i i64 => [i8; 2] __mmask8;
    _mm_cvtepi64_epi16 _mm_mask_cvtepi64_storeu_epi16 __m128i __m128i i64 => [i16; 2] __mmask8;
    _mm256_cvtepi64_epi8 _mm256_mask_cvtepi64_storeu_epi8 __m256i __m128i i64 => [i8; 4] __mmask8;
    _mm256_cvtepi64_epi16 _mm256_mask_cvtepi64_storeu_epi16 __m256i __m128i i64 => [i16; 4] __mmask8;
    _mm512_cvtepi64_epi8 _mm512_mask_cvtepi64_storeu_epi8 __m512i __m128i i64 => [i8; 8] __mmask8;
    _mm512_cvtepi64_epi16 _mm512_mask_cvtepi64_storeu_epi16 __m512i __m128i i64 => [i16; 8] __mmask8;
}

/// Narrow stores of halves of a lane, which other conversions than those above have too.
macro_rules! halves {
    ($($store:ident $from:ident $lanes:literal $mask:ty;)*) => {$(
        /// # Safety
        /// The active lanes are writable.
        pub unsafe fn $store(pointer: *mut i8, mask: $mask, a: $from) {
            let lanes: [i32; $lanes] = std::array::from_fn(|at| a.lane::<i64>(at) as i32);
            // SAFETY: the caller's.
            unsafe { store_lanes(pointer.cast(), lanes, |lane| mask >> lane & 1 == 1) }
        }
    )*};
}

halves! {
    _mm_mask_cvtepi64_storeu_epi32 __m128i 2 __mmask8;
    _mm256_mask_cvtepi64_storeu_epi32 __m256i 4 __mmask8;
    _mm512_mask_cvtepi64_storeu_epi32 __m512i 8 __mmask8;
}

pub fn _mm_cvtepi64_epi32(a: __m128i) -> __m128i {
    Bits::of(a.lanes().map(|lane: i64| lane as i32))
}

/// Lanes of two registers after each other, the first of the second register first, from a place on.
macro_rules! joined {
    ($($name:ident $vector:ident [$element:ty; $lanes:literal];)*) => {$(
        pub fn $name<const BY: i32>(high: $vector, low: $vector) -> $vector {
            let both = low.lanes().chain(high.lanes());
            Bits::of(both.skip(BY as usize % $lanes).take($lanes).collect::<Vec<$element>>())
        }
    )*};
}

joined! {
    _mm512_alignr_epi32 __m512i [u32; 16];
    _mm512_alignr_epi64 __m512i [u64; 8];
}

/// The same of each 128 bits, by bytes.
pub fn _mm256_alignr_epi8<const BY: i32>(high: __m256i, low: __m256i) -> __m256i {
    let half = |part: usize| {
        let bytes = |of: &__m256i| {
            of.lanes::<u8>()
                .skip(16 * part)
                .take(16)
                .collect::<Vec<u8>>()
        };
        let both = [bytes(&low), bytes(&high), vec![0; 16]].concat();
        both.into_iter().skip(BY as usize).take(16)
    };
    Bits::of([0, 1].into_iter().flat_map(half).collect::<Vec<u8>>())
}

/// Minima and maxima of numbers of which a NaN loses; -0 is below 0.
macro_rules! ranges {
    ($($name:ident $vector:ident $element:ty;)*) => {$(
        pub fn $name<const HOW: i32>(a: $vector, b: $vector) -> $vector {
            let first = |a: $element, b: $element| match HOW {
                0b0100 => a.total_cmp(&b).is_le(),
                0b0101 => a.total_cmp(&b).is_ge(),
                _ => panic!("no expansion takes the range {HOW:#b}"),
            };
            $vector(std::array::from_fn(|lane| match (a.0[lane], b.0[lane]) {
                (a, b) if a.is_nan() => if b.is_nan() { a } else { b },
                (a, b) if b.is_nan() || first(a, b) => a,
                (_, b) => b,
            }))
        }
    )*};
}

ranges! {
    _mm_range_ps __m128 f32;
    _mm256_range_ps __m256 f32;
    _mm512_range_ps __m512 f32;
    _mm_range_pd __m128d f64;
    _mm256_range_pd __m256d f64;
    _mm512_range_pd __m512d f64;
}

/// Bytes of each 128 bits by their places in them; zero where the highest bit of a place is set.
macro_rules! shuffles {
    ($($name:ident $vector:ident;)*) => {$(
        pub fn $name(a: $vector, places: $vector) -> $vector {
            let places = places.lanes().enumerate();
            Bits::of(places.map(|(at, place): (usize, u8)| match place {
                0x80.. => 0,
                place => a.lane::<u8>(at / 16 * 16 + usize::from(place % 16)),
            }))
        }
    )*};
}

shuffles! {
    _mm_shuffle_epi8 __m128i;
    _mm256_shuffle_epi8 __m256i;
    _mm512_shuffle_epi8 __m512i;
}

pub fn _mm256_permute4x64_epi64<const SELECT: i32>(a: __m256i) -> __m256i {
    Bits::of((0..4).map(|at| a.lane::<u64>((SELECT >> (2 * at) & 3) as usize)))
}

/// Lanes that are given one by one.
macro_rules! given {
    ($($name:ident $vector:ident $ty:ty, $($lane:ident)*;)*) => {$(
        pub fn $name($($lane: $ty),*) -> $vector {
            Bits::of([$($lane),*])
        }
    )*};
}

given! {
    _mm_setr_epi8 __m128i i8, a b c d e f g h i j k l m n o p;
    _mm256_setr_epi8 __m256i i8, a b c d e f g h i j k l m n o p
        a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1 m1 n1 o1 p1;
}

/// Lanes that are given one by one, the last one first.
macro_rules! given_backwards {
    ($($name:ident $vector:ident $ty:ty, $($lane:ident)*;)*) => {$(
        pub fn $name($($lane: $ty),*) -> $vector {
            let mut lanes = [$($lane),*];
            lanes.reverse();
            Bits::of(lanes)
        }
    )*};
}

given_backwards! {
    _mm_set_epi32 __m128i i32, a b c d;
    _mm256_set_epi32 __m256i i32, a b c d e f g h;
    _mm512_set_epi32 __m512i i32, a b c d e f g h i j k l m n o p;
    _mm_set_epi64x __m128i i64, a b;
    _mm256_set_epi64x __m256i i64, a b c d;
    _mm512_set_epi64 __m512i i64, a b c d e f g h;
}

/// Stores of whole vectors, or of the first bytes of one.
macro_rules! stores {
    ($($name:ident $vector:ident $to:ty, $bytes:literal;)*) => {$(
        /// # Safety
        /// All bytes are writable.
        pub unsafe fn $name(pointer: *mut $to, a: $vector) {
            let bytes: [u8; $bytes] = std::array::from_fn(|at| a.lane::<u8>(at));
            // SAFETY: the caller's.
            unsafe { store_lanes(pointer.cast(), bytes, |_| true) }
        }
    )*};
}

stores! {
    _mm_storel_epi64 __m128i __m128i, 8;
    _mm_storeu_si128 __m128i __m128i, 16;
    _mm256_storeu_si256 __m256i __m256i, 32;
    _mm512_storeu_si512 __m512i __m512i, 64;
    _mm_storeu_si32 __m128i u8, 4;
}
