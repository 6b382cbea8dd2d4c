//! Vectors of integers, which only hold masks of 256-bit units.

#![allow(non_camel_case_types, reason = "names of `core::arch`")]
#![allow(missing_docs, reason = "documented in `core::arch`")]

/// Eight 32-bit integers or four 64-bit ones.
#[derive(Clone, Copy, Debug)]
pub struct __m256i(pub(super) [u32; 8]);

impl __m256i {
    fn quads(values: [i64; 4]) -> Self {
        let half = |k: usize| (values[k / 2] as u64 >> (32 * (k % 2))) as u32;
        __m256i(std::array::from_fn(half))
    }

    pub(super) fn quad(&self, lane: usize) -> i64 {
        (u64::from(self.0[2 * lane]) | u64::from(self.0[2 * lane + 1]) << 32) as i64
    }
}

/// Four 32-bit integers.
#[derive(Clone, Copy, Debug)]
pub struct __m128i(pub(super) [u32; 4]);

pub fn _mm_setr_epi32(a: i32, b: i32, c: i32, d: i32) -> __m128i {
    __m128i([a, b, c, d].map(|v| v as u32))
}

pub fn _mm_set1_epi32(a: i32) -> __m128i {
    __m128i([a as u32; 4])
}

pub fn _mm_cmpgt_epi32(a: __m128i, b: __m128i) -> __m128i {
    let lane = |k: usize| -i32::from((a.0[k] as i32) > b.0[k] as i32) as u32;
    __m128i(std::array::from_fn(lane))
}

pub fn _mm256_castsi256_si128(a: __m256i) -> __m128i {
    __m128i(std::array::from_fn(|k| a.0[k]))
}

pub fn _mm256_permutevar8x32_epi32(a: __m256i, from: __m256i) -> __m256i {
    __m256i(from.0.map(|k| a.0[k as usize % 8]))
}

pub fn _mm256_cvtepi32_epi64(a: __m128i) -> __m256i {
    __m256i::quads(a.0.map(|value| i64::from(value as i32)))
}

#[allow(clippy::too_many_arguments, reason = "the signature of `core::arch`")]
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
    __m256i([a, b, c, d, e, f, g, h].map(|v| v as u32))
}

pub fn _mm256_setr_epi64x(a: i64, b: i64, c: i64, d: i64) -> __m256i {
    __m256i::quads([a, b, c, d])
}

pub fn _mm256_set1_epi32(a: i32) -> __m256i {
    __m256i([a as u32; 8])
}

pub fn _mm256_set1_epi64x(a: i64) -> __m256i {
    __m256i::quads([a; 4])
}

pub fn _mm256_cmpgt_epi32(a: __m256i, b: __m256i) -> __m256i {
    let lane = |k: usize| -i32::from((a.0[k] as i32) > b.0[k] as i32) as u32;
    __m256i(std::array::from_fn(lane))
}

pub fn _mm256_cmpgt_epi64(a: __m256i, b: __m256i) -> __m256i {
    let lane = |k: usize| -i64::from(a.quad(k) > b.quad(k));
    __m256i::quads(std::array::from_fn(lane))
}
