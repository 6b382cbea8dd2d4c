//! The emulation against the processor, where it has the instructions.

use super as emulated;

const A: [f64; 4] = [1.5, -2.25, 0.0, f64::NAN];
const B: [f64; 4] = [-0.5, 3.0, -0.0, 7.0];
const C: [f32; 16] = [
    0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0,
];

#[cfg(target_arch = "x86_64")]
mod against_the_processor {
    use super::{A, B, C};
    use core::arch::x86_64 as native;

    /// Runs the same text with the processor's intrinsics and with the emulated ones.
    macro_rules! both {
        ($($name:ident)*) => {{
            #[target_feature(enable = "avx2,fma")]
            unsafe fn on_processor() -> Vec<[u64; 4]> {
                use native::*;
                // SAFETY: the pointers are those of arrays of four.
                unsafe { both!(@body $($name)*) }
            }
            fn in_software() -> Vec<[u64; 4]> {
                use super::emulated::*;
                // SAFETY: the pointers are those of arrays of four.
                unsafe { both!(@body $($name)*) }
            }
            // SAFETY: the caller has looked for the instructions.
            (unsafe { on_processor() }, in_software())
        }};
        (@body $($name:ident)*) => {{
            let (a, b) = (_mm256_loadu_pd(A.as_ptr()), _mm256_loadu_pd(B.as_ptr()));
            let mask = _mm256_cmpgt_epi64(_mm256_set1_epi64x(3), _mm256_setr_epi64x(0, 5, 1, 7));
            let all = [
                $($name(a, b),)*
                _mm256_fmadd_pd(a, b, b),
                _mm256_fnmadd_pd(a, b, b),
                _mm256_blendv_pd(a, b, b),
                _mm256_cmp_pd::<_CMP_LT_OQ>(a, b),
                _mm256_cmp_pd::<_CMP_NEQ_UQ>(a, b),
                _mm256_cmp_pd::<_CMP_UNORD_Q>(a, b),
                _mm256_permute2f128_pd::<0x20>(a, b),
                _mm256_permute2f128_pd::<0x31>(a, b),
                _mm256_permute4x64_pd::<0x1b>(a),
                _mm256_blend_pd::<0b1010>(a, b),
                _mm256_permute4x64_pd::<0xd8>(b),
                _mm256_maskload_pd(A.as_ptr(), mask),
                _mm256_set_pd(1.0, 2.0, 3.0, 4.0),
                _mm256_floor_pd(a),
                _mm256_ceil_pd(a),
            ];
            all.iter()
                .map(|vector| {
                    let mut lanes = [0.0; 4];
                    _mm256_storeu_pd(lanes.as_mut_ptr(), *vector);
                    lanes.map(f64::to_bits)
                })
                .collect()
        }};
    }

    /// What takes streams apart, with some intrinsics.
    macro_rules! streams {
        () => {{
            let (a, b) = (_mm256_loadu_pd(A.as_ptr()), _mm256_loadu_pd(B.as_ptr()));
            let doubles = [
                _mm256_shuffle_pd::<0b0110>(a, b),
                _mm256_shuffle_pd::<0b1001>(b, a),
                _mm256_set_m128d(_mm_load_sd(A.as_ptr()), _mm_load_sd(B.as_ptr())),
                _mm256_zextpd128_pd256(_mm_loadu_pd(A.as_ptr().add(1))),
                _mm256_insertf128_pd::<1>(a, _mm_load_sd(B.as_ptr())),
            ];
            let of = |first: usize| _mm256_loadu_ps(C.as_ptr().add(first));
            let (c, d) = (_mm_loadu_ps(C.as_ptr()), _mm_loadu_ps(C.as_ptr().add(7)));
            let pair = _mm_castpd_ps(_mm_load_sd(C.as_ptr().add(3).cast::<f64>()));
            let singles = [
                _mm256_permute_ps::<0x93>(of(2)),
                _mm256_unpacklo_ps(of(0), of(8)),
                _mm256_set_m128(_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d)),
                _mm256_set_m128(_mm_load_ss(C.as_ptr().add(5)), pair),
                _mm256_zextps128_ps256(_mm_movelh_ps(pair, _mm_load_ss(C.as_ptr().add(5)))),
            ];
            let mut result = Vec::new();
            for vector in doubles {
                let mut lanes = [0.0; 4];
                _mm256_storeu_pd(lanes.as_mut_ptr(), vector);
                result.extend(lanes.map(f64::to_bits));
            }
            for vector in singles {
                let mut lanes = [0.0; 8];
                _mm256_storeu_ps(lanes.as_mut_ptr(), vector);
                result.extend(lanes.map(|lane| u64::from(lane.to_bits())));
            }
            result
        }};
    }

    #[test]
    fn streams() {
        #[target_feature(enable = "avx2,fma")]
        unsafe fn on_processor() -> Vec<u64> {
            use native::*;
            // SAFETY: the arrays have as many numbers.
            unsafe { streams!() }
        }
        fn in_software() -> Vec<u64> {
            use super::emulated::*;
            // SAFETY: the arrays have as many numbers.
            unsafe { streams!() }
        }
        if !std::arch::is_x86_feature_detected!("avx2") {
            println!("skipped: the processor has no AVX2");
            return;
        }
        // SAFETY: the processor has the instructions.
        assert_eq!(unsafe { on_processor() }, in_software());
    }

    #[test]
    fn doubles_of_256_bits() {
        if !std::arch::is_x86_feature_detected!("avx2") {
            println!("skipped: the processor has no AVX2");
            return;
        }
        let (native, software) = both! {
            _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd _mm256_min_pd _mm256_max_pd
            _mm256_xor_pd _mm256_andnot_pd _mm256_unpacklo_pd _mm256_unpackhi_pd
        };
        for (at, (native, software)) in native.iter().zip(&software).enumerate() {
            let same = |(n, s): (&u64, &u64)| {
                n == s || (f64::from_bits(*n).is_nan() && f64::from_bits(*s).is_nan())
            };
            assert!(
                native.iter().zip(software).all(same),
                "the instruction {at}: {native:x?} and {software:x?}"
            );
        }
    }
}

#[test]
fn inactive_lanes_are_not_touched() {
    let mut values = [1.0; 12];
    let start = values.as_ptr().wrapping_add(3).addr();
    let guard = emulated::forbid(start, start + 8 * 9);
    // SAFETY: the active lanes are inside.
    unsafe {
        let loaded = emulated::_mm512_maskz_loadu_pd(0b111, values.as_ptr());
        assert_eq!(loaded.0, [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        emulated::_mm512_mask_storeu_pd(values.as_mut_ptr(), 0b101, emulated::_mm512_set1_pd(2.0));
    }
    // SAFETY: the lanes are inside of the array.
    let outside = std::panic::catch_unwind(|| unsafe {
        emulated::_mm256_loadu_pd([0.0; 4].as_ptr());
        emulated::_mm256_loadu_pd(values.as_ptr())
    });
    assert!(outside.is_err());
    drop(guard);
    assert_eq!(values[..4], [2.0, 1.0, 2.0, 1.0]);
}

#[test]
fn comparisons_of_512_bits_are_bits() {
    let a = emulated::_mm512_set_ps(
        15.0, 14.0, 13.0, 12.0, 11.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0,
    );
    let mask =
        emulated::_mm512_cmp_ps_mask::<{ emulated::_CMP_LT_OQ }>(a, emulated::_mm512_set1_ps(3.0));
    assert_eq!(mask, 0b111);
    let blended = emulated::_mm512_mask_blend_ps(mask, a, emulated::_mm512_setzero_ps());
    assert_eq!(blended.0[..4], [0.0, 0.0, 0.0, 3.0]);
}
