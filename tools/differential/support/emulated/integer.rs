//! Vectors of integers: masks of 256-bit units, and elements of arrays of integers on their way to numbers.

#![allow(non_camel_case_types, reason = "names of `core::arch`")]
#![allow(missing_docs, reason = "documented in `core::arch`")]
#![allow(clippy::too_many_arguments, reason = "signatures of `core::arch`")]

use super::masks::{__mmask8, __mmask16, __mmask32, __mmask64};
use super::memory::load_lanes;

/// A vector of so many bytes. What its lanes are, each instruction says anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits<const BYTES: usize>([u8; BYTES]);

pub type __m128i = Bits<16>;
pub type __m256i = Bits<32>;
pub type __m512i = Bits<64>;

/// What a lane holds.
pub(super) trait Lane: Copy + Default {
    const BYTES: usize;
    fn read(from: &[u8]) -> Self;
    fn write(self, to: &mut [u8]);
}

macro_rules! lane {
    ($($ty:ident)*) => {$(
        impl Lane for $ty {
            const BYTES: usize = size_of::<$ty>();

            fn read(from: &[u8]) -> $ty {
                let mut bytes = [0; size_of::<$ty>()];
                bytes.copy_from_slice(from);
                $ty::from_le_bytes(bytes)
            }

            fn write(self, to: &mut [u8]) {
                to.copy_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

lane! { u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 }

impl<const BYTES: usize> Bits<BYTES> {
    /// The vector of these lanes; what they leave of it is zero.
    pub(super) fn of<T: Lane>(lanes: impl IntoIterator<Item = T>) -> Self {
        let mut bytes = [0; BYTES];
        for (place, lane) in bytes.chunks_exact_mut(T::BYTES).zip(lanes) {
            lane.write(place);
        }
        Bits(bytes)
    }

    /// All lanes, of some type.
    pub(super) fn lanes<T: Lane>(&self) -> impl Iterator<Item = T> {
        self.0.chunks_exact(T::BYTES).map(T::read)
    }

    pub(super) fn lane<T: Lane>(&self, at: usize) -> T {
        T::read(&self.0[at * T::BYTES..(at + 1) * T::BYTES])
    }

    /// The vector of what a function makes of each lane.
    pub(super) fn each<T: Lane>(self, value: impl Fn(T) -> T) -> Self {
        Bits::of(self.lanes().map(value))
    }

    /// The vector of what a function makes of each pair of lanes.
    pub(super) fn with<T: Lane>(self, other: Self, value: impl Fn(T, T) -> T) -> Self {
        let pairs = self.lanes().zip(other.lanes());
        Bits::of(pairs.map(|(a, b)| value(a, b)))
    }
}

/// Vectors of equal lanes.
macro_rules! sets {
    ($($name:ident $vector:ident [$element:ty; $lanes:literal];)*) => {$(
        pub fn $name(value: $element) -> $vector {
            Bits::of([value; $lanes])
        }
    )*};
}

sets! {
    _mm_set1_epi32 __m128i [i32; 4];
    _mm256_set1_epi32 __m256i [i32; 8];
    _mm512_set1_epi32 __m512i [i32; 16];
    _mm256_set1_epi64x __m256i [i64; 4];
}

pub fn _mm256_setzero_si256() -> __m256i {
    Bits([0; 32])
}

/// Functions of two vectors, lane by lane.
macro_rules! pairs {
    ($($name:ident $vector:ident |$a:ident: $element:ty, $b:ident| $value:expr;)*) => {$(
        pub fn $name(a: $vector, b: $vector) -> $vector {
            a.with(b, |$a: $element, $b: $element| $value)
        }
    )*};
}

pairs! {
    _mm_and_si128 __m128i |a: u8, b| a & b;
    _mm256_and_si256 __m256i |a: u8, b| a & b;
    _mm512_and_si512 __m512i |a: u8, b| a & b;
    _mm256_andnot_si256 __m256i |a: u8, b| !a & b;
    _mm256_or_si256 __m256i |a: u8, b| a | b;
    _mm256_xor_si256 __m256i |a: u8, b| a ^ b;
    _mm256_add_epi64 __m256i |a: i64, b| a.wrapping_add(b);
    _mm_cmpgt_epi32 __m128i |a: i32, b| -i32::from(a > b);
    _mm256_cmpgt_epi32 __m256i |a: i32, b| -i32::from(a > b);
    _mm256_cmpgt_epi64 __m256i |a: i64, b| -i64::from(a > b);
    _mm256_cmpeq_epi64 __m256i |a: i64, b| -i64::from(a == b);
}

/// Shifts by a constant; by more bits than there are, all are shifted out.
macro_rules! shifts {
    ($($name:ident $vector:ident $count:ty, |$a:ident: $element:ty, $by:ident| $value:expr;)*) => {$(
        pub fn $name<const BY: $count>(a: $vector) -> $vector {
            let $by = u32::from(BY as u8);
            a.each(|$a: $element| $value)
        }
    )*};
}

shifts! {
    _mm_slli_epi32 __m128i i32, |a: u32, by| a.checked_shl(by).unwrap_or(0);
    _mm256_slli_epi32 __m256i i32, |a: u32, by| a.checked_shl(by).unwrap_or(0);
    _mm512_slli_epi32 __m512i u32, |a: u32, by| a.checked_shl(by).unwrap_or(0);
    _mm_srai_epi32 __m128i i32, |a: i32, by| a >> by.min(31);
    _mm256_srai_epi32 __m256i i32, |a: i32, by| a >> by.min(31);
    _mm512_srai_epi32 __m512i u32, |a: i32, by| a >> by.min(31);
    _mm_srli_epi32 __m128i i32, |a: u32, by| a.checked_shr(by).unwrap_or(0);
    _mm256_srli_epi32 __m256i i32, |a: u32, by| a.checked_shr(by).unwrap_or(0);
    _mm512_srli_epi32 __m512i u32, |a: u32, by| a.checked_shr(by).unwrap_or(0);
    _mm256_srli_epi64 __m256i i32, |a: u64, by| a.checked_shr(by).unwrap_or(0);
}

/// Lanes of the second vector where a bit of the constant is set. Of lanes of 16 bits each 128 bits have
/// the same eight.
macro_rules! blends {
    ($($name:ident $vector:ident $element:ty;)*) => {$(
        pub fn $name<const MASK: i32>(a: $vector, b: $vector) -> $vector {
            let pairs = a.lanes().zip(b.lanes()).enumerate();
            Bits::of(pairs.map(|(at, (a, b)): (usize, ($element, $element))| {
                if MASK >> (at % 8) & 1 == 1 { b } else { a }
            }))
        }
    )*};
}

blends! {
    _mm_blend_epi16 __m128i u16;
    _mm256_blend_epi16 __m256i u16;
    _mm256_blend_epi32 __m256i u32;
}

/// Bytes of the second vector where the highest bit of the mask's byte is set.
pub fn _mm256_blendv_epi8(a: __m256i, b: __m256i, mask: __m256i) -> __m256i {
    let pairs = a.lanes().zip(b.lanes()).zip(mask.lanes());
    Bits::of(pairs.map(|((a, b), mask): ((u8, u8), i8)| if mask < 0 { b } else { a }))
}

pub fn _mm_setr_epi32(a: i32, b: i32, c: i32, d: i32) -> __m128i {
    Bits::of([a, b, c, d])
}

pub fn _mm256_setr_epi32(
    a: i32,
    b: i32,
    c: i32,
    d: i32,
    e: i32,
    f: i32,
    g: i32,
    h: i32,
) -> __m256i {
    Bits::of([a, b, c, d, e, f, g, h])
}

pub fn _mm256_setr_epi64x(a: i64, b: i64, c: i64, d: i64) -> __m256i {
    Bits::of([a, b, c, d])
}

pub fn _mm256_permutevar8x32_epi32(a: __m256i, from: __m256i) -> __m256i {
    Bits::of(from.lanes().map(|k: u32| a.lane::<u32>(k as usize % 8)))
}

pub(super) use {pairs, sets, shifts};

/// Loads of whole vectors, or of the first eight bytes of one.
macro_rules! loads {
    ($($name:ident $vector:ident $bytes:literal;)*) => {$(
        /// # Safety
        /// All bytes are readable.
        pub unsafe fn $name(pointer: *const $vector) -> $vector {
            // SAFETY: the caller's.
            let bytes: [u8; $bytes] = unsafe { load_lanes(pointer.cast(), |_| true) };
            Bits::of(bytes)
        }
    )*};
}

loads! {
    _mm_loadl_epi64 __m128i 8;
    _mm_loadu_si128 __m128i 16;
    _mm256_loadu_si256 __m256i 32;
    _mm512_loadu_si512 __m512i 64;
}

/// # Safety
/// Four bytes are readable.
pub unsafe fn _mm_loadu_si32(pointer: *const u8) -> __m128i {
    // SAFETY: the caller's.
    let bytes: [u8; 4] = unsafe { load_lanes(pointer, |_| true) };
    Bits::of(bytes)
}

/// Loads of the lanes whose bits are set; the others are zero.
macro_rules! masked_loads {
    ($($name:ident $vector:ident [$element:ty; $lanes:literal] $mask:ty;)*) => {$(
        /// # Safety
        /// The active lanes are readable.
        pub unsafe fn $name(mask: $mask, pointer: *const $element) -> $vector {
            // SAFETY: the caller's.
            let lanes: [$element; $lanes] =
                unsafe { load_lanes(pointer, |lane| mask >> lane & 1 == 1) };
            Bits::of(lanes)
        }
    )*};
}

masked_loads! {
    _mm_maskz_loadu_epi8 __m128i [i8; 16] __mmask16;
    _mm256_maskz_loadu_epi8 __m256i [i8; 32] __mmask32;
    _mm512_maskz_loadu_epi8 __m512i [i8; 64] __mmask64;
    _mm_maskz_loadu_epi16 __m128i [i16; 8] __mmask8;
    _mm256_maskz_loadu_epi16 __m256i [i16; 16] __mmask16;
    _mm512_maskz_loadu_epi16 __m512i [i16; 32] __mmask32;
    _mm_maskz_loadu_epi32 __m128i [i32; 4] __mmask8;
    _mm256_maskz_loadu_epi32 __m256i [i32; 8] __mmask8;
    _mm512_maskz_loadu_epi32 __m512i [i32; 16] __mmask16;
    _mm256_maskz_loadu_epi64 __m256i [i64; 4] __mmask8;
    _mm512_maskz_loadu_epi64 __m512i [i64; 8] __mmask8;
}
