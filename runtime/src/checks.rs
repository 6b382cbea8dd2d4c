//! The panics of expanded code, out of line, and index maps as numbers.
//!
//! A kernel checks its bounds before it writes anything, and calls one of these where a check
//! fails: the arguments are never touched by a call that panics here.

mod walked;
#[cfg(target_arch = "x86_64")]
mod wide;

pub use walked::{ends, ends_or_all, hollow};

/// Panics since an index lies outside of an array.
///
/// # Panics
///
/// Always:
///
/// ```should_panic
/// // `helmholtz`: index 12 is out of bounds for axis 0 of `a` with extent 10
/// loopwright_runtime::checks::index_out_of_bounds("helmholtz", "a", 0, 12, 10);
/// ```
#[cold]
#[inline(never)]
#[track_caller]
pub fn index_out_of_bounds(
    kernel: &str,
    array: &str,
    axis: usize,
    index: i128,
    extent: usize,
) -> ! {
    panic!(
        "`{kernel}`: index {index} is out of bounds for axis {axis} of `{array}` \
         with extent {extent}"
    )
}

/// Panics since the kernel reaches `index` along an axis of `array` whose extent is `extent`, and
/// it does so because `other_name` (the expression of a bound) has `other_extent`.
///
/// # Panics
///
/// Always:
///
/// ```should_panic
/// // `helmholtz`: `a` has extent 3 along axis 0, but the kernel reaches index 4
/// // (`cells.len()`: 5)
/// loopwright_runtime::checks::extent_too_small("helmholtz", "a", 0, 4, 3, "cells.len()", 5);
/// ```
#[cold]
#[inline(never)]
#[track_caller]
pub fn extent_too_small(
    kernel: &str,
    array: &str,
    axis: usize,
    index: i128,
    extent: usize,
    other_name: &str,
    other_extent: usize,
) -> ! {
    panic!(
        "`{kernel}`: `{array}` has extent {extent} along axis {axis}, but the kernel reaches \
         index {index} (`{other_name}`: {other_extent})"
    )
}

/// Panics since a bound of unsigned arithmetic, whose source is `text`, would fall below zero.
///
/// # Panics
///
/// Always:
///
/// ```should_panic
/// // `blur`: the bound `n - 2` underflows
/// loopwright_runtime::checks::bound_underflow("blur", "n - 2");
/// ```
#[cold]
#[inline(never)]
#[track_caller]
pub fn bound_underflow(kernel: &str, text: &str) -> ! {
    panic!("`{kernel}`: the bound `{text}` underflows")
}

/// The place `row * extent + column` of an element in rows, or one as far from all arrays as there is. Numbers that `i64`
/// holds, as all of those are that lead to an element, are multiplied in one instruction.
///
/// ```
/// use loopwright_runtime::checks::place;
/// assert_eq!(place(3, 5, 2), 17);
/// assert_eq!(place(-3, 1 << 62, 2), 2 - (3 << 62));
/// assert_eq!(place(1 << 100, 1 << 100, -1), i128::MAX - 1);
/// assert_eq!(place(-(1 << 100), 1 << 100, -1), i128::MIN);
/// ```
#[inline(always)]
#[must_use]
pub fn place(row: i128, extent: i128, column: i128) -> i128 {
    let (near, narrow) = (row as i64, extent as i64);
    if i128::from(near) == row && i128::from(narrow) == extent {
        (i128::from(near) * i128::from(narrow)).saturating_add(column)
    } else {
        far(row, extent, column)
    }
}

/// The same of any numbers.
#[cold]
fn far(row: i128, extent: i128, column: i128) -> i128 {
    row.saturating_mul(extent).saturating_add(column)
}

/// Panics unless subscripts are below extents, as subscripting an array of these does.
///
/// # Panics
/// If one is not:
///
/// ```should_panic
/// loopwright_runtime::checks::inside([1, 3], [2, 3]);
/// ```
#[inline]
#[track_caller]
pub fn inside<const RANK: usize>(subscripts: [usize; RANK], extents: [usize; RANK]) {
    for axis in 0..RANK {
        let (index, extent) = (subscripts[axis], extents[axis]);
        assert!(
            index < extent,
            "index {index} is out of bounds for axis {axis} with extent {extent}"
        );
    }
}

/// A subscript of a part of an array that has so many elements.
///
/// # Panics
/// If it has fewer:
///
/// ```should_panic
/// loopwright_runtime::checks::within(3, 3);
/// ```
#[inline]
#[track_caller]
#[must_use]
pub fn within(index: usize, extent: usize) -> usize {
    assert!(
        index < extent,
        "index {index} is out of bounds of a slice of {extent} elements"
    );
    index
}

/// An integer that an index map may hold, as in `u[cells[e][i]]`.
pub trait MapIndex: Copy {
    /// The smallest and the largest of some entries; both 0 where there are none.
    ///
    /// ```
    /// use loopwright_runtime::MapIndex;
    /// assert_eq!(i16::range(&[3, -2, 7]), (-2, 7));
    /// assert_eq!(u64::range(&[u64::MAX, 1]), (1, 18_446_744_073_709_551_615));
    /// ```
    fn range(entries: &[Self]) -> (i128, i128);

    /// The smallest and the largest entry of each column; both 0 where there are no rows.
    ///
    /// ```
    /// use loopwright_runtime::MapIndex;
    /// assert_eq!(i16::columns(&[[3, -2], [7, -5]]), [(3, 7), (-5, -2)]);
    /// ```
    fn columns<const N: usize>(rows: &[[Self; N]]) -> [(i128, i128); N];

    /// Whether no entry is smaller than the one before it.
    ///
    /// ```
    /// use loopwright_runtime::MapIndex;
    /// assert!(i16::rises(&[-2, 3, 3, 7]) && !u8::rises(&[1, 0, 2]));
    /// ```
    fn rises(entries: &[Self]) -> bool;

    /// What any value of the type is between, where that says something: of up to 16 bits.
    ///
    /// ```
    /// use loopwright_runtime::MapIndex;
    /// assert_eq!(u8::ANY, Some((0, 255)));
    /// assert_eq!(u32::ANY, None);
    /// ```
    const ANY: Option<(i128, i128)>;
}

/// The smallest and the largest entry of a part of an index map, found by the best instruction set.
#[inline]
#[must_use]
pub fn entries<T: MapIndex>(entries: &[T]) -> (i128, i128) {
    T::range(entries)
}

/// So many entries take no longer one after the other than a vector takes to be loaded and halved until one is left.
const ONE_BY_ONE: usize = 8;

/// Rows that are looked at together.
const ROWS: usize = 16;

/// The smallest and the largest entry of each column, of so many rows at least, which are looked at together, so that lanes run
/// over what lies next to each other; `none` are those of no entries. The last rows are looked at again, which changes nothing.
#[inline(always)]
fn folded<T: Copy + PartialOrd, const N: usize, const MANY: usize>(
    rows: &[[T; N]],
    none: (T, T),
) -> ([T; N], [T; N]) {
    let (mut low, mut high) = ([[none.0; N]; MANY], [[none.1; N]; MANY]);
    let mut take = |block: &[[T; N]; MANY]| {
        let ends = low.as_flattened_mut().iter_mut();
        let ends = ends.zip(high.as_flattened_mut());
        for ((low, high), &entry) in ends.zip(block.as_flattened()) {
            *low = if entry < *low { entry } else { *low };
            *high = if entry > *high { entry } else { *high };
        }
    };
    rows.as_chunks().0.iter().for_each(&mut take);
    rows.last_chunk().into_iter().for_each(&mut take);
    let mut half = MANY;
    while half > 1 {
        half /= 2;
        for at in 0..half {
            for column in 0..N {
                let (a, b) = (low[at + half][column], high[at + half][column]);
                low[at][column] = if a < low[at][column] {
                    a
                } else {
                    low[at][column]
                };
                high[at][column] = if b > high[at][column] {
                    b
                } else {
                    high[at][column]
                };
            }
        }
    }
    (low[0], high[0])
}

/// Calls what is compiled for the best instruction set.
macro_rules! best {
    ($plain:ident $avx2:ident $avx512:ident ($of:expr)) => {{
        #[cfg(target_arch = "x86_64")]
        let value = match crate::Isa::best() {
            // SAFETY: the processor has what it says.
            crate::Isa::Avx512 => unsafe { $avx512($of) },
            // SAFETY: likewise.
            crate::Isa::Avx2 => unsafe { $avx2($of) },
            crate::Isa::Scalar => $plain($of),
        };
        #[cfg(not(target_arch = "x86_64"))]
        let value = $plain($of);
        value
    }};
}

macro_rules! map_index {
    ($($ty:ident),*) => {$(
        impl MapIndex for $ty {
            const ANY: Option<(i128, i128)> = match $ty::BITS {
                ..=16 => Some(($ty::MIN as i128, $ty::MAX as i128)),
                _ => None,
            };

            #[inline]
            fn range(entries: &[$ty]) -> (i128, i128) {
                let (low, high) = match entries.len() {
                    ..=ONE_BY_ONE => {
                        let first = entries.first().copied().unwrap_or_default();
                        let wider = |(low, high): ($ty, $ty), &entry: &$ty| (entry.min(low), entry.max(high));
                        entries.iter().fold((first, first), wider)
                    }
                    _ => many(entries),
                };
                return (low as i128, high as i128);

                /// Compiled for the instruction set of what it is inlined into.
                #[inline(always)]
                fn plain(entries: &[$ty]) -> ($ty, $ty) {
                    const MANY: usize = 128 / size_of::<$ty>();
                    const FEW: usize = 32 / size_of::<$ty>();
                    let (rows, none) = (entries.as_chunks().0, ($ty::MAX, $ty::MIN));
                    // LLVM keeps blocks of 64 bits in memory (`wide`).
                    let ([low], [high]) = match entries.len() {
                        MANY.. if $ty::BITS < 64 => folded::<_, 1, MANY>(rows, none),
                        FEW.. if $ty::BITS < 64 => folded::<_, 1, FEW>(rows, none),
                        _ => folded::<_, 1, 1>(rows, none),
                    };
                    (low, high)
                }

                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2,fma")]
                fn avx2(entries: &[$ty]) -> ($ty, $ty) {
                    plain(entries)
                }

                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
                fn avx512(entries: &[$ty]) -> ($ty, $ty) {
                    let wide = wide::ends::<$ty, { $ty::MIN != 0 }>(entries);
                    wide.map_or_else(|| plain(entries), |(low, high)| (low as $ty, high as $ty))
                }

                #[inline(never)]
                fn many(entries: &[$ty]) -> ($ty, $ty) {
                    best!(plain avx2 avx512 (entries))
                }
            }

            #[inline(never)]
            fn columns<const N: usize>(rows: &[[$ty; N]]) -> [(i128, i128); N] {
                /// Compiled for the instruction set of what it is inlined into.
                #[inline(always)]
                fn plain<const N: usize>(rows: &[[$ty; N]]) -> ([$ty; N], [$ty; N]) {
                    let none = ($ty::MAX, $ty::MIN);
                    match rows.len() {
                        ROWS.. => folded::<_, N, ROWS>(rows, none),
                        4.. => folded::<_, N, 4>(rows, none),
                        _ => folded::<_, N, 1>(rows, none),
                    }
                }

                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2,fma")]
                fn avx2<const N: usize>(rows: &[[$ty; N]]) -> ([$ty; N], [$ty; N]) {
                    plain(rows)
                }

                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
                fn avx512<const N: usize>(rows: &[[$ty; N]]) -> ([$ty; N], [$ty; N]) {
                    plain(rows)
                }

                if rows.is_empty() {
                    return [(0, 0); N];
                }
                let (low, high) = best!(plain avx2 avx512 (rows));
                core::array::from_fn(|column| (low[column] as i128, high[column] as i128))
            }

            #[inline(never)]
            fn rises(entries: &[$ty]) -> bool {
                /// Compiled for the instruction set of what it is inlined into.
                #[inline(always)]
                fn plain(entries: &[$ty]) -> bool {
                    let next = entries.get(1..).unwrap_or_default();
                    // No early end: then there are lanes.
                    entries.iter().zip(next).fold(true, |all, (a, b)| all & (a <= b))
                }

                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2,fma")]
                fn avx2(entries: &[$ty]) -> bool {
                    plain(entries)
                }

                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
                fn avx512(entries: &[$ty]) -> bool {
                    plain(entries)
                }

                best!(plain avx2 avx512 (entries))
            }
        }
    )*};
}

map_index!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic = "`helmholtz`: index -1 is out of bounds for axis 0 of `a` with extent 10"]
    fn out_of_bounds_names_everything() {
        index_out_of_bounds("helmholtz", "a", 0, -1, 10);
    }

    #[test]
    #[should_panic = "`helmholtz`: `a` has extent 3 along axis 0, but the kernel reaches index 4 \
                      (`cells.len()`: 5)"]
    fn too_small_names_both_extents() {
        extent_too_small("helmholtz", "a", 0, 4, 3, "cells.len()", 5);
    }

    #[test]
    #[should_panic = "`blur`: the bound `n - 2` underflows"]
    fn underflow_quotes_the_bound() {
        bound_underflow("blur", "n - 2");
    }

    #[test]
    fn ranges_are_exact() {
        for count in 0..70_usize {
            let entries: alloc::vec::Vec<i64> =
                (0..count as i64).map(|i| (i * 37) % 101 - 50).collect();
            let range = (
                entries.iter().min().copied().unwrap_or(0).into(),
                entries.iter().max().copied().unwrap_or(0).into(),
            );
            assert_eq!(super::entries(&entries), range, "{count}");
        }
        assert_eq!(
            super::entries(&[u64::MAX, u64::MAX - 5]),
            (u64::MAX as i128 - 5, u64::MAX as i128)
        );
        assert_eq!(
            super::entries(&[i64::MIN, i64::MAX]),
            (i64::MIN.into(), i64::MAX.into())
        );
        for count in 1..300_usize {
            let entries: alloc::vec::Vec<i16> =
                (0..count as i16).map(|i| (i * 77) ^ 0x155).collect();
            let ends = (
                *entries.iter().min().unwrap(),
                *entries.iter().max().unwrap(),
            );
            assert_eq!(
                super::entries(&entries),
                (ends.0.into(), ends.1.into()),
                "{count}"
            );
        }
        assert_eq!(super::entries(&[u8::MAX, 3]), (3, 255));
        assert_eq!(super::entries::<usize>(&[]), (0, 0));
    }

    #[test]
    fn columns_are_apart() {
        for count in 0..70_i64 {
            let rows: alloc::vec::Vec<[i64; 3]> =
                (0..count).map(|i| [i * 37 % 101, -i, 5]).collect();
            let column =
                |at: usize| -> alloc::vec::Vec<i64> { rows.iter().map(|row| row[at]).collect() };
            let expected = [0, 1, 2].map(|at| super::entries(&column(at)));
            assert_eq!(i64::columns(&rows), expected, "{count}");
        }
    }
}
