//! Subscripts that are inside whatever the entries of arrays are that they are computed from: bins of histograms. No look
//! at these entries comes before the text, but where it divides by some, which may panic.
#![allow(missing_docs, reason = "kernels of tests")]

#[macro_use]
#[path = "support/inspected.rs"]
mod support;

use loopwright::kernel;
use support::{Numbers, is_inspected, panics};

kernel! {
    pub fn bins(map: &[u32], by: &[u32], bins: &mut [u32; 8]) {
        for (at, m) in map.iter().enumerate() {
            bins[(m.wrapping_mul(7) >> 29) as usize] += 1;
            bins[(m & 6) as usize + 1] += 1;
            bins[(m / by[at]).min(7) as usize] += 1;
        }
    }
}

kernel! {
    pub fn bins_of_any(keys: &[u64], bins: &mut [u32; 8]) {
        for pair in keys.windows(2) {
            bins[pair[0].wrapping_sub(pair[1]).min(7) as usize] += 1;
            bins[(pair[0] % 8) as usize] += 1;
            bins[(pair[1] >> 62) as usize + 4] += 1;
            bins[(pair[0] & 3) as usize * 2] += 1;
        }
    }
}

/// Entries of maps, a few of which may be far off.
fn map<T: TryFrom<usize>>(r: &mut Numbers, entries: usize, below: usize) -> Vec<T> {
    let far = r.below(8);
    let entry = |r: &mut Numbers| match far == 0 && r.below(4) == 0 {
        true => below + r.below(100),
        false => r.below(below),
    };
    let all = (0..entries).map(|_| T::try_from(entry(r)).ok());
    all.collect::<Option<_>>().unwrap()
}

#[test]
fn bins_that_are_there_whatever_the_keys_are() {
    compare!(bins, r, [3; 8], |y, run| {
        let m: Vec<u32> = map(&mut r, 90, 1000);
        let least = u32::from(r.below(3) > 0);
        let by: Vec<u32> = map(&mut r, 90, 90);
        let by: Vec<u32> = by.iter().map(|by| by + least).collect();
        let n = m.len().min(by.len() + r.below(2));
        run(&m[..n], &by, y)
    });
    for n in 0..40_u64 {
        let keys: Vec<u64> = (0..n)
            .map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        let (mut one, mut other) = ([1; 8], [1; 8]);
        bins_of_any(&keys, &mut one);
        bins_of_any::reference(&keys, &mut other);
        assert_eq!(one, other);
    }
}
