//! What integers lie between, for checks that look at ranges: the ends of operations from those of their
//! operands, and the smallest and the largest entry of a part of an array.
//!
//! All is in `i128`, where no sum, difference or quotient of two integers of any type overflows.

use crate::MapIndex;

/// Far beyond what any type of integers holds, and small enough for multiples and sums of it.
const FAR: i128 = 1 << 70;

/// Loops over slices of so many elements together take no longer to walk than what lies between these does to find out, in
/// 128 bits. Debug builds always find out, so that tests do.
pub const WALKED: usize = if cfg!(debug_assertions) { 0 } else { 32 };

fn hull(values: [i128; 4]) -> (i128, i128) {
    let [a, b, c, d] = values.map(|value| value.clamp(-FAR, FAR));
    (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)))
}

/// The same in fewer bits, where that takes no more: what is computed with them takes a tenth of the time.
#[inline]
fn short<T: Copy + TryFrom<i128>>(values: [i128; 4]) -> Option<[T; 4]> {
    let [a, b, c, d] = values.map(|value| T::try_from(value).ok());
    Some([a?, b?, c?, d?])
}

/// The ends of `a * b`, from the smallest and the largest `a` and the smallest and the largest `b`.
///
/// ```
/// use loopwright_runtime::ranges::product;
/// assert_eq!(product([-2, 3, 4, 5]), (-10, 15));
/// assert!(product([0, u64::MAX.into(), 0, u64::MAX.into()]).1 > u64::MAX.into());
/// ```
#[inline]
#[must_use]
pub fn product([a, b, c, d]: [i128; 4]) -> (i128, i128) {
    // Of what is no longer than arrays are, no product takes more than 64 bits.
    if let Some([a, b, c, d]) = short::<i32>([a, b, c, d]) {
        let times = |a: i32, b: i32| i64::from(a) * i64::from(b);
        let [p, q, r, s] = [times(a, c), times(a, d), times(b, c), times(b, d)];
        return (p.min(q).min(r.min(s)).into(), p.max(q).max(r.max(s)).into());
    }
    far_product([a, b, c, d])
}

/// The same of any numbers.
#[cold]
fn far_product([a, b, c, d]: [i128; 4]) -> (i128, i128) {
    let times = |a: i128, b: i128| a.saturating_mul(b);
    hull([times(a, c), times(a, d), times(b, c), times(b, d)])
}

/// The ends of `a / b`, which is rounded towards zero; anything where `b` may be zero or negative.
///
/// ```
/// use loopwright_runtime::ranges::quotient;
/// assert_eq!(quotient([-7, 9, 2, 4]), (-3, 4));
/// assert!(quotient([3, 3, 0, 1]).0 < i64::MIN.into());
/// ```
#[inline]
#[must_use]
pub fn quotient([a, b, c, d]: [i128; 4]) -> (i128, i128) {
    if c <= 0 || d <= 0 {
        return (-FAR, FAR);
    }
    if let Some([a, b, c, d]) = short::<i64>([a, b, c, d]) {
        let low = a / if a < 0 { c } else { d };
        let high = b / if b < 0 { d } else { c };
        return (low.into(), high.into());
    }
    hull([a / c, a / d, b / c, b / d])
}

/// The ends of `a % b`; anything where `a` may be negative, or `b` zero or negative.
///
/// ```
/// use loopwright_runtime::ranges::remainder;
/// assert_eq!(remainder([0, 9, 4, 4]), (0, 3));
/// assert_eq!(remainder([0, 2, 4, 4]), (0, 2));
/// assert!(remainder([-1, 2, 4, 4]).1 > u64::MAX.into());
/// ```
#[inline]
#[must_use]
pub fn remainder([a, b, c, d]: [i128; 4]) -> (i128, i128) {
    match a >= 0 && c > 0 && d > 0 {
        true => (0, b.min(d - 1)),
        false => (-FAR, FAR),
    }
}

/// The ends of `a << b`, whose bits are all kept; anything where `b` may be negative.
///
/// ```
/// use loopwright_runtime::ranges::shifted;
/// assert_eq!(shifted([1, 3, 2, 5]), (4, 96));
/// assert_eq!(shifted([-1, 1, 0, 3]), (-8, 8));
/// assert!(shifted([0, 1, 64, 200]).1 > u64::MAX.into());
/// ```
#[inline]
#[must_use]
pub fn shifted([a, b, c, d]: [i128; 4]) -> (i128, i128) {
    let two = |by: i128| 1_i128 << by.clamp(0, 80);
    match c >= 0 {
        true => product([a, b, two(c), two(d)]),
        false => (-FAR, FAR),
    }
}

/// The ends of `a` to the power of `b`; anything where one of them may be negative.
///
/// ```
/// use loopwright_runtime::ranges::power;
/// assert_eq!(power([0, 3, 2, 4]), (0, 81));
/// assert_eq!(power([2, 2, 0, 10]), (1, 1024));
/// assert!(power([0, 10, 0, 100]).1 > u64::MAX.into());
/// ```
#[inline]
#[must_use]
pub fn power([a, b, c, d]: [i128; 4]) -> (i128, i128) {
    let by = |by: i128| u32::try_from(by).unwrap_or(u32::MAX);
    let to = |of: i128, power: i128| of.saturating_pow(by(power)).min(FAR);
    match a >= 0 && c >= 0 {
        // Nothing to the power of nothing is one.
        true if a == 0 => (0, to(b, d).max(1)),
        true => (to(a, c), to(b, d)),
        false => (-FAR, FAR),
    }
}

/// The ends of the smaller one of two.
///
/// ```
/// assert_eq!(loopwright_runtime::ranges::least([0, 9, 4, 5]), (0, 5));
/// ```
#[inline]
#[must_use]
pub fn least([a, b, c, d]: [i128; 4]) -> (i128, i128) {
    (a.min(c), b.min(d))
}

/// The ends of the larger one of two.
///
/// ```
/// assert_eq!(loopwright_runtime::ranges::most([0, 9, 4, 5]), (4, 9));
/// ```
#[inline]
#[must_use]
pub fn most([a, b, c, d]: [i128; 4]) -> (i128, i128) {
    (a.max(c), b.max(d))
}

/// The ends of what is one of two.
///
/// ```
/// assert_eq!(loopwright_runtime::ranges::either([0, 3, 4, 5]), (0, 5));
/// ```
#[inline]
#[must_use]
pub fn either([a, b, c, d]: [i128; 4]) -> (i128, i128) {
    (a.min(c), b.max(d))
}

/// The part of an array that was read last, and what its entries are between.
#[derive(Clone, Copy, Debug, Default)]
pub struct Read {
    first: usize,
    end: usize,
    range: (i128, i128),
    by_type: bool,
}

impl Read {
    /// Whether narrow entries are what their type says, which takes no time, or read.
    #[inline]
    pub fn ask_type(&mut self, by_type: bool) {
        self.by_type = by_type;
    }
}

/// So many entries are read by themselves: that takes no time, and says more.
const FEW: usize = 64;

/// What the entries from `first` to before `end` are between, and what was read before if that meets
/// them: only what is new is read. Anything where some of the entries are not there.
///
/// ```
/// use loopwright_runtime::ranges::{Read, read};
/// let (mut part, entries) = (Read::default(), [3_u32, 8, 5, 9]);
/// assert_eq!(read(&mut part, &entries, 0, 3), (3, 8));
/// assert_eq!(read(&mut part, &entries, 3, 4), (9, 9));
/// assert_eq!(read(&mut part, &entries, 2, 2), (0, 0));
/// assert!(read(&mut part, &entries, 2, 5).1 > u64::MAX.into());
/// ```
#[inline]
#[must_use]
pub fn read<T: MapIndex>(part: &mut Read, entries: &[T], first: i128, end: i128) -> (i128, i128) {
    let first = first.max(0);
    if end <= first {
        return (0, 0);
    }
    if end > entries.len() as i128 {
        return (-FAR, FAR);
    }
    if let (Some(any), true) = (T::ANY, part.by_type) {
        return any;
    }
    let (first, end) = (first as usize, end as usize);
    let meets = part.first < part.end && part.first <= end && first <= part.end;
    if end - first <= FEW || !meets {
        let range = T::range(&entries[first..end]);
        if end - first > FEW {
            *part = Read {
                first,
                end,
                range,
                ..*part
            };
        }
        return range;
    }
    let mut new = |from: usize, to: usize| {
        if from < to {
            let (low, high) = T::range(&entries[from..to]);
            part.range = (part.range.0.min(low), part.range.1.max(high));
        }
    };
    new(first, part.first);
    new(part.end, end);
    part.first = part.first.min(first);
    part.end = part.end.max(end);
    part.range
}

/// The rows of an array that were read last, and what their columns are between.
#[derive(Clone, Copy, Debug)]
pub struct Columns<const N: usize> {
    first: usize,
    end: usize,
    ranges: [(i128, i128); N],
    by_type: bool,
}

impl<const N: usize> Default for Columns<N> {
    fn default() -> Self {
        Columns {
            first: 0,
            end: 0,
            ranges: [(0, 0); N],
            by_type: false,
        }
    }
}

impl<const N: usize> Columns<N> {
    /// Whether narrow entries are what their type says, which takes no time, or read.
    #[inline]
    pub fn ask_type(&mut self, by_type: bool) {
        self.by_type = by_type;
    }
}

/// What the entries of a column are between, of the rows from `first` to before `end` and maybe others, out of `entries` row by row:
/// all columns are read at once. Anything where some of the rows are not there.
///
/// ```
/// use loopwright_runtime::ranges::{Columns, column};
/// let (mut rows, entries) = (Columns::<2>::default(), [3_u32, 800, 5, 900]);
/// assert_eq!(column(&mut rows, &entries, 0, 0, 2), (3, 5));
/// assert_eq!(column(&mut rows, &entries, 1, 0, 2), (800, 900));
/// assert!(column(&mut rows, &entries, 1, 0, 3).1 > u64::MAX.into());
/// ```
#[inline]
#[must_use]
pub fn column<T: MapIndex, const N: usize>(
    part: &mut Columns<N>,
    entries: &[T],
    column: usize,
    first: i128,
    end: i128,
) -> (i128, i128) {
    let rows = entries.as_chunks::<N>().0;
    let first = first.max(0);
    if end <= first {
        return (0, 0);
    }
    if end > rows.len() as i128 {
        return (-FAR, FAR);
    }
    if let (Some(any), true) = (T::ANY, part.by_type) {
        return any;
    }
    let (first, end) = (first as usize, end as usize);
    if first < part.first || end > part.end {
        *part = Columns {
            first,
            end,
            ranges: T::columns(&rows[first..end]),
            ..*part
        };
    }
    part.ranges[column]
}

/// Whether no entry from `first` to before `end` is smaller than the one before it, of those in this range; not so where some are
/// not there.
///
/// ```
/// use loopwright_runtime::ranges::rises;
/// let entries = [9_u32, 3, 5, 5, 8, 2];
/// assert!(rises(&entries, 1, 5) && !rises(&entries, 0, 5) && !rises(&entries, 1, 6));
/// assert!(rises(&entries, 4, 4) && !rises(&entries, 1, 7));
/// ```
#[inline]
#[must_use]
pub fn rises<T: MapIndex>(entries: &[T], first: i128, end: i128) -> bool {
    if end <= first {
        return true;
    }
    let inside = first >= 0 && end <= entries.len() as i128;
    inside && T::rises(&entries[first as usize..end as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_not_read_again() {
        let entries: alloc::vec::Vec<i64> = (0..1000).map(|i| (i * 37) % 101 - 50).collect();
        let mut part = Read::default();
        let all = |first: usize, end: usize| {
            let part = &entries[first..end];
            let ends = (*part.iter().min().unwrap(), *part.iter().max().unwrap());
            (i128::from(ends.0), i128::from(ends.1))
        };
        assert_eq!(read(&mut part, &entries, 200, 300), all(200, 300));
        assert_eq!((part.first, part.end), (200, 300));
        assert_eq!(read(&mut part, &entries, 201, 301), all(200, 301));
        assert_eq!(read(&mut part, &entries, 100, 400), all(100, 400));
        assert_eq!((part.first, part.end), (100, 400));
        // Few entries, and some elsewhere, are read by themselves.
        assert_eq!(read(&mut part, &entries, 150, 152), all(150, 152));
        assert_eq!((part.first, part.end), (100, 400));
        assert_eq!(read(&mut part, &entries, 500, 700), all(500, 700));
        assert_eq!((part.first, part.end), (500, 700));
        assert_eq!(read(&mut part, &entries, -3, 1000), all(0, 1000));
        assert_eq!(read(&mut part, &entries, 0, 1001), (-FAR, FAR));
    }

    #[test]
    fn narrow_entries_are_what_their_type_says() {
        let (mut part, bytes, words) = (Read::default(), [3_u8; 100], [3_u32; 100]);
        part.ask_type(true);
        assert_eq!(read(&mut part, &bytes, 0, 100), (0, 255));
        assert_eq!(read(&mut part, &bytes, 0, 101), (-FAR, FAR));
        assert_eq!(read(&mut part, &words, 0, 100), (3, 3));
        let mut part = Read::default();
        assert_eq!(read(&mut part, &bytes, 0, 100), (3, 3));
    }

    #[test]
    fn ends_are_those_of_all_values() {
        let ranges = [(-3, -1), (-2, 4), (0, 0), (0, 5), (1, 3), (2, 2)];
        for (a, b) in ranges {
            for (c, d) in ranges {
                let inside = |of: fn(i128, i128) -> i128, ends: (i128, i128)| {
                    let all = (a..=b).flat_map(|l| (c..=d).map(move |r| (l, r)));
                    let mut all = all.filter(|(_, r)| c > 0 || *r != 0);
                    all.all(|(l, r)| (ends.0..=ends.1).contains(&of(l, r)))
                };
                let of = [a, b, c, d];
                assert!(inside(|l, r| l * r, product(of)), "{of:?}");
                assert!(inside(|l, r| l / r, quotient(of)), "{of:?}");
                assert!(inside(|l, r| l % r, remainder(of)), "{of:?}");
                assert!(inside(i128::min, least(of)) && inside(i128::max, most(of)));
                assert!(inside(|l, _| l, either(of)) && inside(|_, r| r, either(of)));
            }
        }
    }
}
