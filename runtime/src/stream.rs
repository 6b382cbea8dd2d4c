//! When results are written past the caches.
//!
//! A store reads the line of memory that it writes a part of, and puts it into the caches. Results that no cache
//! holds until they are read need neither: stores that write whole lines past the caches take two thirds of the
//! memory's time. For results that stay in a cache they take longer.

use core::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of the largest cache, and of the last one of one core; 0 while unknown.
static LARGEST: AtomicUsize = AtomicUsize::new(0);
static PRIVATE: AtomicUsize = AtomicUsize::new(0);

/// What is taken for the largest cache where the processor does not tell, and for the last one of one core.
const UNKNOWN: usize = 32 << 20;
const UNKNOWN_PRIVATE: usize = 1 << 20;

/// No cache that is the largest one of its processor holds less; short calls ask no further.
const LEAST: usize = 1 << 20;

/// Whether results of so many bytes are more than the largest cache holds.
#[inline]
#[must_use]
pub fn pays(elements: usize, bytes: usize) -> bool {
    let bytes = elements.saturating_mul(bytes);
    bytes > LEAST && leaves_all(bytes)
}

/// Whether so many bytes are more than the largest cache holds.
#[inline(never)]
fn leaves_all(bytes: usize) -> bool {
    bytes > known(&LARGEST, || largest(u32::MAX).unwrap_or(UNKNOWN))
}

/// Whether arrays of so many bytes together leave the caches that are one core's: what goes over them several times
/// waits for memory, or for a cache that others use, too.
#[must_use]
pub fn leaves(bytes: usize) -> bool {
    bytes > known(&PRIVATE, || largest(2).unwrap_or(UNKNOWN_PRIVATE))
}

/// A number that is found out once.
fn known(kept: &AtomicUsize, find: impl Fn() -> usize) -> usize {
    match kept.load(Ordering::Relaxed) {
        0 => {
            let found = find();
            kept.store(found, Ordering::Relaxed);
            found
        }
        known => known,
    }
}

/// Bytes of the largest cache up to a level, as the processor tells.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn largest(level: u32) -> Option<usize> {
    use core::arch::x86_64::__cpuid_count;
    const AMD: u32 = 0x8000_001d;
    const INTEL: u32 = 4;
    let sizes = |leaf: u32| {
        let caches = (0..8).map_while(move |at| {
            // SAFETY: all processors of this architecture have the instruction.
            #[allow(
                unused_unsafe,
                reason = "it is a safe function in later versions of Rust"
            )]
            let found = unsafe { __cpuid_count(leaf, at) };
            (found.eax & 31 != 0).then_some(found)
        });
        let near = caches.filter(|cache| cache.eax >> 5 & 7 <= level);
        let bytes = near.map(|cache| {
            let of = |value: u32| value as usize + 1;
            of(cache.ebx >> 22)
                * of((cache.ebx >> 12) & 0x3ff)
                * of(cache.ebx & 0xfff)
                * of(cache.ecx)
        });
        bytes.max()
    };
    // SAFETY: as above.
    #[allow(
        unused_unsafe,
        reason = "it is a safe function in later versions of Rust"
    )]
    let [plain, extended] = unsafe { [__cpuid_count(0, 0).eax, __cpuid_count(0x8000_0000, 0).eax] };
    let amd = (extended >= AMD).then(|| sizes(AMD)).flatten();
    amd.or_else(|| (plain >= INTEL).then(|| sizes(INTEL)).flatten())
}

/// Other processors have no code that asks, and Miri has no caches.
#[cfg(any(not(target_arch = "x86_64"), miri))]
fn largest(_: u32) -> Option<usize> {
    Some(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::{leaves, pays};

    #[test]
    fn small_results_stay_in_caches() {
        assert!(!pays(1000, 8) && !leaves(8000));
        assert!(pays(usize::MAX, 8) || cfg!(any(not(target_arch = "x86_64"), miri)));
    }
}
