//! Emulated vectors of integers against the processor's own, on random bytes and on the ends of all types.
//!
//! A processor without AVX-512 leaves out what needs it: there each conversion is compared with `as`.

use super as emulated;
use super::super::random::Random;

/// The operands of an instruction: as many bytes as the longest vectors have.
type Operand = [u8; 64];

/// Lanes at the ends of types of integers, and where their numbers begin to be rounded.
fn ends(random: &mut Random) -> Operand {
    let mut bytes = [0; 64];
    let width = random.pick(&[1, 2, 4, 8]);
    for lane in bytes.chunks_exact_mut(width) {
        let bits = 8 * width as u32;
        let power = match random.below(4) {
            0 => 0,
            1 => bits - 1,
            2 => 24.min(bits - 1),
            _ => random.below(bits as usize) as u32,
        };
        let near = (1u64 << power)
            .wrapping_add(random.below(5) as u64)
            .wrapping_sub(2);
        let value = if random.chance(50) {
            near
        } else {
            near.wrapping_neg()
        };
        lane.copy_from_slice(&value.to_le_bytes()[..width]);
    }
    bytes
}

/// Pairs of operands.
fn operands() -> Vec<[Operand; 2]> {
    let mut random = Random::new(23);
    let mut operand = |at: usize| match at % 3 {
        0 => std::array::from_fn(|_| random.below(256) as u8),
        _ => ends(&mut random),
    };
    (0..600)
        .map(|at| [operand(at), operand(at + at / 3)])
        .collect()
}

/// The bytes of a vector, native or emulated.
fn bytes<T: Copy>(vector: T) -> Vec<u8> {
    let start = (&raw const vector).cast::<u8>();
    // SAFETY: vectors are arrays of numbers, without padding.
    unsafe { std::slice::from_raw_parts(start, size_of::<T>()) }.to_vec()
}

/// Named results.
type Results = Vec<(&'static str, Vec<u8>)>;

/// The same text with the processor's intrinsics and with the emulated ones. Results have a name each.
macro_rules! both {
    ($native:ident $emulated:ident, $features:literal, |$a:ident, $b:ident| { $($setup:tt)* } $($name:literal $value:expr;)*) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        unsafe fn $native([$a, $b]: [*const u8; 2]) -> Results {
            use core::arch::x86_64::*;
            // SAFETY: there are 64 bytes each.
            unsafe { $($setup)* vec![$(($name, bytes($value))),*] }
        }
        unsafe fn $emulated([$a, $b]: [*const u8; 2]) -> Results {
            use emulated::*;
            // SAFETY: there are 64 bytes each.
            unsafe { $($setup)* vec![$(($name, bytes($value))),*] }
        }
    };
}

both! {
    native_256 emulated_256, "avx2,fma", |a, b| {
        let (a4, b4) = (_mm_loadu_si128(a.cast()), _mm_loadu_si128(b.cast()));
        let (a8, b8) = (_mm256_loadu_si256(a.cast()), _mm256_loadu_si256(b.cast()));
        let value = a.cast::<i32>().read_unaligned();
    }
    "load 32" _mm_loadu_si32(a);
    "load 64" _mm_loadl_epi64(a.cast());
    "set1 128" _mm_set1_epi32(value);
    "set1 256" _mm256_set1_epi32(value);
    "set1 64" _mm256_set1_epi64x(i64::from(value) << 7);
    "setr" _mm256_setr_epi32(value, 1, 2, value, 4, 5, 6, 7);
    "setr 64" _mm256_setr_epi64x(1, -2, i64::MIN, i64::from(value));
    "setr 128" _mm_setr_epi32(value, 1, 2, -3);
    "set 64 128" _mm_set_epi64x(i64::MIN, i64::from(value));
    "zero" _mm256_setzero_si256();
    "and 128" _mm_and_si128(a4, b4);
    "and" _mm256_and_si256(a8, b8);
    "andnot" _mm256_andnot_si256(a8, b8);
    "or" _mm256_or_si256(a8, b8);
    "xor" _mm256_xor_si256(a8, b8);
    "add" _mm256_add_epi64(a8, b8);
    "greater 128" _mm_cmpgt_epi32(a4, b4);
    "greater" _mm256_cmpgt_epi32(a8, b8);
    "greater 64" _mm256_cmpgt_epi64(a8, b8);
    "greater 64 128" _mm_cmpgt_epi64(a4, b4);
    "load f64 128" _mm_maskload_pd(a.cast(), _mm_cmpgt_epi64(a4, b4));
    "equal 64" _mm256_cmpeq_epi64(a8, _mm256_blend_epi32::<0x3>(b8, a8));
    "shift left 128" _mm_slli_epi32::<24>(a4);
    "shift left" _mm256_slli_epi32::<16>(a8);
    "shift out" _mm256_slli_epi32::<32>(a8);
    "shift signs 128" _mm_srai_epi32::<24>(a4);
    "shift signs" _mm256_srai_epi32::<16>(a8);
    "shift signs out" _mm256_srai_epi32::<40>(a8);
    "shift right 128" _mm_srli_epi32::<16>(a4);
    "shift right" _mm256_srli_epi32::<16>(a8);
    "shift right 64" _mm256_srli_epi64::<54>(a8);
    "shift right by half" _mm256_srli_epi64::<32>(a8);
    "blend 16 128" _mm_blend_epi16::<0xaa>(a4, b4);
    "blend 16" _mm256_blend_epi16::<0xa6>(a8, b8);
    "blend 32" _mm256_blend_epi32::<0x9a>(a8, b8);
    "blend bytes" _mm256_blendv_epi8(a8, b8, _mm256_cmpgt_epi64(a8, b8));
    "permute" _mm256_permutevar8x32_epi32(a8, b8);
    "low half" _mm256_castsi256_si128(a8);
    "half" _mm256_extracti128_si256::<1>(a8);
    "halves" _mm256_set_m128i(a4, b4);
    "halves of numbers" _mm256_set_m128(_mm_castsi128_ps(a4), _mm_castsi128_ps(b4));
    "i8 128" _mm_cvtepi8_epi32(a4);
    "u8 128" _mm_cvtepu8_epi32(a4);
    "i16 128" _mm_cvtepi16_epi32(a4);
    "u16 128" _mm_cvtepu16_epi32(a4);
    "i8" _mm256_cvtepi8_epi32(a4);
    "u8" _mm256_cvtepu8_epi32(a4);
    "i16" _mm256_cvtepi16_epi32(a4);
    "u16" _mm256_cvtepu16_epi32(a4);
    "i32" _mm256_cvtepi32_epi64(a4);
    "u32" _mm256_cvtepu32_epi64(a4);
    "f32 128" _mm_cvtepi32_ps(a4);
    "f32" _mm256_cvtepi32_ps(a8);
    "f64" _mm256_cvtepi32_pd(a4);
    "cut off 128" _mm_cvttps_epi32(_mm_castsi128_ps(a4));
    "cut off" _mm256_cvttps_epi32(_mm256_castsi256_ps(a8));
    "cut off f64" _mm256_cvttpd_epi32(_mm256_castsi256_pd(a8));
    "bits 128" _mm_castps_si128(_mm_castsi128_ps(a4));
    "bits 32" _mm256_castsi256_ps(a8);
    "bits 64" _mm256_castpd_si256(_mm256_castsi256_pd(a8));
}

both! {
    native_512 emulated_512, "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma", |a, b| {
        let (a8, b8) = (_mm256_loadu_si256(a.cast()), _mm256_loadu_si256(b.cast()));
        let (a16, b16) = (_mm512_loadu_si512(a.cast()), _mm512_loadu_si512(b.cast()));
        let a4 = _mm_loadu_si128(a.cast());
        let mask = b.cast::<u16>().read_unaligned();
    }
    "load 8" _mm_maskz_loadu_epi8(mask, a.cast());
    "load 16 128" _mm_maskz_loadu_epi16(mask as u8, a.cast());
    "load 16" _mm256_maskz_loadu_epi16(mask, a.cast());
    "load 32 128" _mm_maskz_loadu_epi32(mask as u8, a.cast());
    "load 32 256" _mm256_maskz_loadu_epi32(mask as u8, a.cast());
    "load 32" _mm512_maskz_loadu_epi32(mask, a.cast());
    "load 64 256" _mm256_maskz_loadu_epi64(mask as u8, a.cast());
    "load 64" _mm512_maskz_loadu_epi64(mask as u8, a.cast());
    "load f64" _mm256_maskz_loadu_pd(mask as u8, a.cast());
    "load f32" _mm256_maskz_loadu_ps(mask as u8, a.cast());
    "load f32 128" _mm_maskz_loadu_ps(mask as u8, a.cast());
    "blend f64" _mm256_mask_blend_pd(mask as u8, _mm256_castsi256_pd(a8), _mm256_castsi256_pd(b8));
    "blend f32" _mm256_mask_blend_ps(mask as u8, _mm256_castsi256_ps(a8), _mm256_castsi256_ps(b8));
    "blend f32 128" _mm_mask_blend_ps(mask as u8, _mm_castsi128_ps(a4), _mm_set1_ps(1.0));
    "less f64" _mm256_cmp_pd_mask::<_CMP_LT_OQ>(_mm256_castsi256_pd(a8), _mm256_castsi256_pd(b8));
    "unordered f32" _mm256_cmp_ps_mask::<_CMP_UNORD_Q>(_mm256_castsi256_ps(a8), _mm256_castsi256_ps(b8));
    "greater f32 128" _mm_cmp_ps_mask::<_CMP_GT_OQ>(_mm_castsi128_ps(a4), _mm_set1_ps(1.0));
    "cut off 512" _mm512_cvttps_epi32(_mm512_castsi512_ps(a16));
    "cut off f64 512" _mm512_cvttpd_epi32(_mm512_castsi512_pd(a16));
    "set1" _mm512_set1_epi32(i32::from(mask) << 9);
    "and" _mm512_and_si512(a16, b16);
    "shift left" _mm512_slli_epi32::<24>(a16);
    "shift signs" _mm512_srai_epi32::<24>(a16);
    "shift right" _mm512_srli_epi32::<16>(a16);
    "low half" _mm512_castsi512_si256(a16);
    "half" _mm512_extracti64x4_epi64::<1>(a16);
    "halves" _mm512_inserti64x4::<1>(_mm512_castsi256_si512(a8), b8);
    "other half" _mm512_inserti64x4::<0>(a16, b8);
    "halves of numbers" _mm512_insertf32x8::<1>(
        _mm512_castps256_ps512(_mm256_castsi256_ps(a8)),
        _mm256_castsi256_ps(b8)
    );
    "i8 i32" _mm512_cvtepi8_epi32(a4);
    "u8 i32" _mm512_cvtepu8_epi32(a4);
    "i16 i32" _mm512_cvtepi16_epi32(a8);
    "u16 i32" _mm512_cvtepu16_epi32(a8);
    "i32 i64" _mm512_cvtepi32_epi64(a8);
    "u32 i64" _mm512_cvtepu32_epi64(a8);
    "i64 i32 256" _mm256_cvtepi64_epi32(a8);
    "i64 i32" _mm512_cvtepi64_epi32(a16);
    "i32 f32" _mm512_cvtepi32_ps(a16);
    "u32 f32" _mm512_cvtepu32_ps(a16);
    "i32 f64" _mm512_cvtepi32_pd(a8);
    "u32 f64 256" _mm256_cvtepu32_pd(a4);
    "u32 f64" _mm512_cvtepu32_pd(a8);
    "i64 f64 256" _mm256_cvtepi64_pd(a8);
    "i64 f64" _mm512_cvtepi64_pd(a16);
    "u64 f64 256" _mm256_cvtepu64_pd(a8);
    "u64 f64" _mm512_cvtepu64_pd(a16);
    "i64 f32 256" _mm256_cvtepi64_ps(a8);
    "i64 f32" _mm512_cvtepi64_ps(a16);
    "u64 f32 256" _mm256_cvtepu64_ps(a8);
    "u64 f32" _mm512_cvtepu64_ps(a16);
}

both! {
    native_words_256 emulated_words_256, "avx2,fma", |a, b| {
        let (a4, b4) = (_mm_loadu_si128(a.cast()), _mm_loadu_si128(b.cast()));
        let (a8, b8) = (_mm256_loadu_si256(a.cast()), _mm256_loadu_si256(b.cast()));
        let (mut half, mut quarter) = (_mm_set1_epi64x(7), _mm_set1_epi64x(9));
        _mm_storel_epi64(&raw mut half, a4);
        _mm_storeu_si32((&raw mut quarter).cast(), b4);
    }
    "store half" half;
    "store quarter" quarter;
    "numbers" _mm_castpd_si128(_mm_castsi128_pd(a4));
    "add" _mm256_add_epi32(a8, b8);
    "subtract 128" _mm_sub_epi64(a4, b4);
    "multiply" _mm256_mullo_epi32(a8, b8);
    "multiply halves" _mm256_mul_epu32(a8, b8);
    "least" _mm256_min_epi32(a8, b8);
    "largest without sign" _mm_max_epu32(a4, b4);
    "shift signs" _mm256_srav_epi32(a8, b8);
    "shift" _mm256_srlv_epi32(a8, b8);
    "shift 64" _mm256_srlv_epi64(a8, b8);
    "shift left 64" _mm256_slli_epi64::<32>(a8);
    "absolute" _mm256_abs_epi32(a8);
    "least of 16 bits" _mm256_min_epu16(a8, b8);
    "largest of 8 bits" _mm256_max_epi8(a8, b8);
    "multiply 16" _mm256_mullo_epi16(a8, _mm256_set1_epi16(-7));
    "subtract 8" _mm_sub_epi8(a4, _mm_set1_epi8(5));
    "shift signs of 16 bits" _mm256_srai_epi16::<3>(a8);
    "lower halves" _mm_unpacklo_epi64(a4, b4);
    "absolute 16" _mm256_abs_epi16(a8);
    "equal" _mm256_cmpeq_epi32(a8, _mm256_blend_epi32::<0x3>(b8, a8));
    "shuffle" _mm256_shuffle_epi8(a8, b8);
    "permute" _mm256_permute4x64_epi64::<0b1000>(a8);
    "set" _mm256_set_epi64x(1, -2, i64::MIN, 4);
"joined" _mm256_alignr_epi8::<12>(a8, b8);
    "equal bytes" _mm256_cmpeq_epi8(a8, b8);
    "greater bytes" _mm256_cmpgt_epi8(a8, b8);
    "bytes as words" _mm256_cvtepi8_epi16(a4);
    "bytes without sign as words" _mm256_cvtepu8_epi16(a4);
    "signs" _mm256_movemask_epi8(a8);
    "shift all signs of 16 bits" _mm256_sra_epi16(a8, _mm_set_epi64x(7, 5));
    "shift all signs far" _mm256_sra_epi16(a8, b4);
    "set words" _mm256_setr_epi16(1, -2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, -16);
    "lowest" _mm_cvtsi128_si32(a4);
    "two halves" _mm256_broadcastsi128_si256(a4);
    "set bytes" _mm_setr_epi8(1, -2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, -16);
}

both! {
    native_words_512 emulated_words_512, "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma", |a, b| {
        let (a8, b8) = (_mm256_loadu_si256(a.cast()), _mm256_loadu_si256(b.cast()));
        let (a16, b16) = (_mm512_loadu_si512(a.cast()), _mm512_loadu_si512(b.cast()));
        let a4 = _mm_loadu_si128(a.cast());
        let mask = b.cast::<u16>().read_unaligned();
        let wide = a.cast::<u64>().read_unaligned();
        let mut narrow = b16;
        _mm512_mask_storeu_epi16((&raw mut narrow).cast(), wide as u32, a16);
        _mm512_mask_storeu_epi8((&raw mut narrow).cast(), wide >> 7, b16);
        let number = |a| _mm512_cvtepi64_pd(a);
        let (mut bytes, mut words) = (_mm256_set1_epi32(-3), _mm256_set1_epi32(-5));
        _mm512_mask_cvtepi32_storeu_epi8((&raw mut bytes).cast(), mask, a16);
        _mm512_mask_cvtepi64_storeu_epi32((&raw mut words).cast(), mask as u8, a16);
    }
    "store bytes" bytes;
    "store halves" words;
    "numbers" _mm512_castpd_si512(_mm512_castsi512_pd(a16));
    "multiply 64" _mm512_mullo_epi64(a16, b16);
    "least 64" _mm256_min_epi64(a8, b8);
    "largest 64 without sign" _mm512_max_epu64(a16, b16);
    "shift signs 64" _mm512_srav_epi64(a16, b16);
    "absolute 64" _mm512_abs_epi64(a16);
    "or" _mm512_or_si512(a16, b16);
    "exclusive or" _mm512_xor_si512(a16, b16);
    "less" _mm512_cmp_epi32_mask::<_MM_CMPINT_LT>(a16, b16);
    "less or equal 64" _mm512_cmp_epi64_mask::<_MM_CMPINT_LE>(a16, b16);
    "greater without sign" _mm512_cmp_epu32_mask::<_MM_CMPINT_NLE>(a16, b16);
    "not less 64 without sign" _mm256_cmp_epu64_mask::<_MM_CMPINT_NLT>(a8, b8);
    "bytes" _mm512_cvtepi32_epi8(a16);
    "words" _mm512_cvtepi32_epi16(a16);
    "bytes of 64" _mm256_cvtepi64_epi8(a8);
    "joined" _mm512_alignr_epi64::<3>(a16, b16);
    "joined 32" _mm512_alignr_epi32::<5>(a16, b16);
    "lesser" _mm512_range_pd::<0b0100>(number(a16), number(b16));
    "greater" _mm512_range_pd::<0b0101>(number(a16), number(b16));
    "greater or a number" _mm512_range_pd::<0b0101>(number(a16), _mm512_set1_pd(f64::NAN));
    "lesser or a number" _mm512_range_pd::<0b0100>(_mm512_set1_pd(f64::NAN), number(b16));
    "lesser zero" _mm512_range_pd::<0b0100>(_mm512_set1_pd(0.0), _mm512_set1_pd(-0.0));
    "less of 16 bits" _mm512_cmp_epi16_mask::<_MM_CMPINT_LT>(a16, b16);
    "less of bytes without sign" _mm512_cmp_epu8_mask::<_MM_CMPINT_LE>(a16, b16);
    "chosen words" _mm512_mask_blend_epi16(wide as u32, a16, b16);
    "chosen bytes" _mm512_mask_blend_epi8(wide, a16, b16);
    "bytes of words" _mm512_cvtepi16_epi8(a16);
    "words of bytes" _mm512_cvtepu8_epi16(a8);
    "shift signs of 16 bits" _mm512_srav_epi16(a16, b16);
    "joined bytes" _mm512_alignr_epi8::<5>(a16, b16);
    "four parts" _mm512_broadcast_i32x4(a4);
    "parts" _mm512_shuffle_i64x2::<0x1b>(a16, b16);
    "loaded bytes" _mm512_maskz_loadu_epi8(wide, (&raw const narrow).cast());
    "stored words" narrow;
    "set1" _mm512_set1_epi64(i64::MIN + 3);
    "set" _mm512_set_epi64(1, 2, 3, 4, 5, -6, 7, 8);
}

/// Results that must be equal.
fn compare(native: &Results, emulated: &Results, operands: &[Operand; 2]) {
    for ((name, native), (_, emulated)) in native.iter().zip(emulated) {
        assert_eq!(native, emulated, "{name} of {operands:?}");
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn vectors_of_256_bits_are_the_processors() {
    if !std::arch::is_x86_feature_detected!("avx2") {
        println!("skipped: the processor has no AVX2");
        return;
    }
    for pair in operands() {
        let pointers = pair.each_ref().map(|operand| operand.as_ptr());
        // SAFETY: the processor has the instructions, and operands have 64 bytes.
        unsafe {
            compare(&native_256(pointers), &emulated_256(pointers), &pair);
            compare(
                &native_words_256(pointers),
                &emulated_words_256(pointers),
                &pair,
            );
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn vectors_of_512_bits_are_the_processors() {
    if !loopwright_runtime::Isa::Avx512.is_available() {
        println!("skipped: the processor has no AVX-512");
        return;
    }
    for pair in operands() {
        let pointers = pair.each_ref().map(|operand| operand.as_ptr());
        // SAFETY: the processor has the instructions, and operands have 64 bytes.
        unsafe {
            compare(&native_512(pointers), &emulated_512(pointers), &pair);
            compare(
                &native_words_512(pointers),
                &emulated_words_512(pointers),
                &pair,
            );
        }
    }
}

/// What `as` makes of the first lanes of an operand.
macro_rules! converted {
    ($operand:expr, $lanes:literal $old:ty => $new:ty) => {{
        let lanes = $operand.chunks_exact(size_of::<$old>()).take($lanes);
        let of = |lane: &[u8]| <$old>::from_le_bytes(lane.try_into().expect("a lane"));
        lanes
            .flat_map(|lane| (of(lane) as $new).to_le_bytes())
            .collect()
    }};
}

#[test]
fn conversions_of_512_bits_are_casts() {
    for pair in operands() {
        let pointers = pair.each_ref().map(|operand| operand.as_ptr());
        let a = &pair[0];
        let wanted: Results = vec![
            ("i8 i32", converted!(a, 16 i8 => i32)),
            ("u8 i32", converted!(a, 16 u8 => i32)),
            ("i16 i32", converted!(a, 16 i16 => i32)),
            ("u16 i32", converted!(a, 16 u16 => i32)),
            ("i32 i64", converted!(a, 8 i32 => i64)),
            ("u32 i64", converted!(a, 8 u32 => i64)),
            ("i64 i32 256", converted!(a, 4 i64 => i32)),
            ("i64 i32", converted!(a, 8 i64 => i32)),
            ("i32 f32", converted!(a, 16 i32 => f32)),
            ("u32 f32", converted!(a, 16 u32 => f32)),
            ("i32 f64", converted!(a, 8 i32 => f64)),
            ("u32 f64 256", converted!(a, 4 u32 => f64)),
            ("u32 f64", converted!(a, 8 u32 => f64)),
            ("i64 f64 256", converted!(a, 4 i64 => f64)),
            ("i64 f64", converted!(a, 8 i64 => f64)),
            ("u64 f64 256", converted!(a, 4 u64 => f64)),
            ("u64 f64", converted!(a, 8 u64 => f64)),
            ("i64 f32 256", converted!(a, 4 i64 => f32)),
            ("i64 f32", converted!(a, 8 i64 => f32)),
            ("u64 f32 256", converted!(a, 4 u64 => f32)),
            ("u64 f32", converted!(a, 8 u64 => f32)),
        ];
        // SAFETY: operands have 64 bytes.
        let found = unsafe { emulated_512(pointers) };
        let casts = found.iter().skip_while(|(name, _)| *name != "i8 i32");
        compare(&wanted, &casts.cloned().collect(), &pair);
    }
}

#[test]
fn integers_beside_an_argument_are_not_loaded() {
    let values: [u8; 12] = std::array::from_fn(|at| at as u8);
    let start = values.as_ptr().wrapping_add(4).addr();
    let guard = emulated::forbid(start, start + 8);
    // SAFETY: the lanes are inside of the array.
    unsafe {
        let four = emulated::_mm_cvtepu8_epi32(emulated::_mm_loadu_si32(values.as_ptr()));
        assert_eq!(four, emulated::_mm_setr_epi32(0, 1, 2, 3));
        let masked = emulated::_mm_maskz_loadu_epi8(0b11, values.as_ptr().cast());
        let two = emulated::_mm_cvtepu8_epi32(masked);
        assert_eq!(two, emulated::_mm_setr_epi32(0, 1, 0, 0));
    }
    // SAFETY: as above.
    let outside =
        std::panic::catch_unwind(|| unsafe { emulated::_mm_loadl_epi64(values.as_ptr().cast()) });
    assert!(outside.is_err());
    drop(guard);
}
