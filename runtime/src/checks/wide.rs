//! The smallest and the largest of 64-bit integers in registers, of which LLVM keeps blocks in memory.

use core::arch::x86_64::{
    __m512i, _mm512_loadu_si512, _mm512_max_epi64, _mm512_max_epu64, _mm512_min_epi64,
    _mm512_min_epu64, _mm512_reduce_max_epi64, _mm512_reduce_max_epu64, _mm512_reduce_min_epi64,
    _mm512_reduce_min_epu64,
};

/// Integers in a register.
pub(super) const LANES: usize = 8;
/// Registers that wait for nothing of each other.
const TOGETHER: usize = 4;

/// The bits of the smallest and of the largest entry of 64 bits, of as many as a register holds at least. The last ones are
/// looked at again, which changes nothing. Nothing for fewer, or others.
#[target_feature(enable = "avx512f")]
pub(super) fn ends<T: super::MapIndex, const SIGNED: bool>(entries: &[T]) -> Option<(u64, u64)> {
    if size_of::<T>() != size_of::<u64>() {
        return None;
    }
    // SAFETY: these are integers of 64 bits.
    let entries: &[u64] =
        unsafe { core::slice::from_raw_parts(entries.as_ptr().cast(), entries.len()) };
    let least = |a, b| match SIGNED {
        true => _mm512_min_epi64(a, b),
        false => _mm512_min_epu64(a, b),
    };
    let most = |a, b| match SIGNED {
        true => _mm512_max_epi64(a, b),
        false => _mm512_max_epu64(a, b),
    };
    let last = register(entries.last_chunk()?);
    let (mut low, mut high) = (last, last);
    let (blocks, rest) = entries.as_chunks::<{ LANES * TOGETHER }>();
    if !blocks.is_empty() {
        let (mut lows, mut highs) = ([last; TOGETHER], [last; TOGETHER]);
        for block in blocks {
            let (registers, _) = block.as_chunks();
            for (at, eight) in registers.iter().enumerate() {
                let eight = register(eight);
                lows[at] = least(lows[at], eight);
                highs[at] = most(highs[at], eight);
            }
        }
        low = least(least(lows[0], lows[1]), least(lows[2], lows[3]));
        high = most(most(highs[0], highs[1]), most(highs[2], highs[3]));
    }
    for eight in rest.as_chunks().0 {
        let eight = register(eight);
        (low, high) = (least(low, eight), most(high, eight));
    }
    Some(match SIGNED {
        true => {
            let (low, high) = (_mm512_reduce_min_epi64(low), _mm512_reduce_max_epi64(high));
            (low.cast_unsigned(), high.cast_unsigned())
        }
        false => (_mm512_reduce_min_epu64(low), _mm512_reduce_max_epu64(high)),
    })
}

#[inline]
#[target_feature(enable = "avx512f")]
fn register(of: &[u64; LANES]) -> __m512i {
    // SAFETY: there are eight of them, wherever they are.
    unsafe { _mm512_loadu_si512(of.as_ptr().cast()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_those_of_all_entries() {
        if !std::arch::is_x86_feature_detected!("avx512f") {
            std::println!("skipped: the processor has no AVX-512");
            return;
        }
        let mut state = 1_u64;
        for count in LANES..100 {
            let next = |_| {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                state
            };
            let entries: alloc::vec::Vec<u64> = (0..count).map(next).collect();
            let signed = || entries.iter().map(|entry| entry.cast_signed());
            let (least, most) = (entries.iter().min(), entries.iter().max());
            // SAFETY: the processor has it.
            let (own, as_signed) =
                unsafe { (ends::<_, false>(&entries), ends::<_, true>(&entries)) };
            assert_eq!(own, least.copied().zip(most.copied()), "{count}");
            let as_signed = as_signed.map(|(low, high)| (low.cast_signed(), high.cast_signed()));
            assert_eq!(as_signed, signed().min().zip(signed().max()), "{count}");
        }
    }
}
