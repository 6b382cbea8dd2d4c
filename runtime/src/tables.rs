//! Constant tables: one aligned byte string, read as an array of numbers without a copy.
//!
//! A thousand float tokens cost the user's build seconds, one literal costs nothing. So the
//! expansion holds a table as the little-endian bytes of its entries in row-major order.
//!
//! The reference to the bytes must live as long as the table: that of a `static`, or of a
//! `const { … }` block as in the examples (a plain `&Aligned(*b"…")` is a temporary).

/// A value aligned to 64 bytes: a cache line, and the widest register.
///
/// ```
/// use loopwright_runtime::Aligned;
/// let row = Aligned([0.0_f32; 3]);
/// assert_eq!(core::ptr::from_ref(&row.0).addr() % 64, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Aligned<T>(pub T);

mod sealed {
    /// Types without padding of which every pattern of bits is a value.
    ///
    /// # Safety
    ///
    /// The implementing type must be so, and aligned to at most 64 bytes.
    pub unsafe trait Plain: Copy + 'static {}
}

/// What a table may hold: floats, integers, and arrays of them, nested anyhow. Sealed.
pub trait TableEntry: sealed::Plain {}

macro_rules! plain {
    ($($number:ty),*) => {$(
        // SAFETY: primitive numbers have no padding, any bits are one, and they are aligned to
        // at most 16 bytes.
        unsafe impl sealed::Plain for $number {}
        impl TableEntry for $number {}
    )*};
}

plain!(f64, f32, usize, u64, u32, u16, u8, isize, i64, i32, i16, i8);

// SAFETY: an array has its entries side by side, nothing between them, and their alignment.
unsafe impl<T: sealed::Plain, const N: usize> sealed::Plain for [T; N] {}
impl<T: TableEntry, const N: usize> TableEntry for [T; N] {}

/// The bytes as a table of any shape, without a copy.
///
/// It is a compile-time error (a failed assertion while the call is monomorphised) where `T` does
/// not have exactly `B` bytes, or where the target is big-endian.
///
/// ```
/// use loopwright_runtime::{Aligned, table};
/// static BYTES: Aligned<[u8; 16]> = Aligned(*b"\x01\0\0\0\x02\0\0\0\x03\0\0\0\x04\0\0\0");
/// static MAP: &[[u32; 2]; 2] = table(&BYTES);
/// assert_eq!(MAP, &[[1, 2], [3, 4]]);
/// ```
#[inline(always)]
#[must_use]
pub const fn table<T: TableEntry, const B: usize>(bytes: &Aligned<[u8; B]>) -> &T {
    const {
        assert!(
            size_of::<T>() == B,
            "the byte string is not as long as the table"
        );
        assert!(
            align_of::<T>() <= 64,
            "the table needs more than 64 bytes of alignment"
        );
        assert!(
            cfg!(target_endian = "little"),
            "tables are little-endian bytes: big-endian targets are not supported"
        );
    }
    // SAFETY: the sizes agree and the alignment suffices (asserted above, `Aligned` gives 64);
    // `TableEntry` is sealed to types without padding that any bits are a value of.
    unsafe { &*core::ptr::from_ref(&bytes.0).cast::<T>() }
}

/// The bytes as a flat table of `N` numbers; `B` must be `8 * N`. See [`table`].
///
/// ```
/// use loopwright_runtime::{Aligned, f64_table};
/// static ONE_TWO: &[f64; 2] =
///     f64_table(const { &Aligned(*b"\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40") });
/// assert_eq!(ONE_TWO, &[1.0, 2.0]);
/// ```
///
/// ```compile_fail
/// use loopwright_runtime::{Aligned, f64_table};
/// static WRONG: &[f64; 2] = f64_table(const { &Aligned(*b"\0\0\0\0\0\0\xf0\x3f") });
/// assert_eq!(WRONG[0], 1.0);
/// ```
#[inline(always)]
#[must_use]
pub const fn f64_table<const N: usize, const B: usize>(bytes: &Aligned<[u8; B]>) -> &[f64; N] {
    table(bytes)
}

/// The bytes as a flat table of `N` numbers; `B` must be `4 * N`. See [`table`].
///
/// ```
/// use loopwright_runtime::{Aligned, f32_table};
/// const HALF: &[f32; 1] = f32_table(const { &Aligned(*b"\0\0\0\x3f") });
/// assert_eq!(HALF, &[0.5]);
/// ```
#[inline(always)]
#[must_use]
pub const fn f32_table<const N: usize, const B: usize>(bytes: &Aligned<[u8; B]>) -> &[f32; N] {
    table(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    static BYTES: Aligned<[u8; 16]> = Aligned(*b"\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\x04\xc0");
    static COLUMN: &[[f64; 1]; 2] = table(&BYTES);
    const FLAT: &[f64; 2] =
        f64_table(const { &Aligned(*b"\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\x04\xc0") });
    static EMPTY: &[f64; 0] = f64_table(const { &Aligned(*b"") });

    #[test]
    fn tables_read_their_bytes_in_place() {
        assert_eq!(COLUMN, &[[1.0], [-2.5]]);
        assert_eq!(FLAT, &[1.0, -2.5]);
        assert!(EMPTY.is_empty());
        assert_eq!(
            core::ptr::from_ref(COLUMN).addr(),
            core::ptr::from_ref(&BYTES).addr()
        );
        assert_eq!(FLAT.as_ptr().addr() % 64, 0);
    }

    #[test]
    fn aligned_pads_to_whole_lines() {
        assert_eq!(align_of::<Aligned<u8>>(), 64);
        assert_eq!(size_of::<Aligned<[f64; 9]>>(), 128);
    }
}
