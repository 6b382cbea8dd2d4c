//! Stores past the caches: those of memory, to addresses that are multiples of a vector.

#![allow(non_camel_case_types, reason = "names of `core::arch`")]
#![allow(missing_docs, reason = "documented in `core::arch`")]

use super::double::{__m256d, __m512d};
use super::memory;
use super::single::{__m256, __m512};

macro_rules! streams {
    ($($name:ident($vector:ident, $element:ty);)*) => { $(
        /// # Safety
        /// All lanes are writable.
        ///
        /// # Panics
        /// If the address is not that of an aligned vector: a processor stops there.
        pub unsafe fn $name(pointer: *mut $element, value: $vector) {
            assert_eq!(pointer.addr() % size_of::<$vector>(), 0, "a store past the caches is not aligned");
            // SAFETY: the caller's.
            unsafe { memory::store_lanes(pointer, value.0, |_| true) }
        }
    )* };
}

streams! {
    _mm256_stream_pd(__m256d, f64);
    _mm256_stream_ps(__m256, f32);
    _mm512_stream_pd(__m512d, f64);
    _mm512_stream_ps(__m512, f32);
}

/// What was stored is there: it always is.
pub fn _mm_sfence() {}
