//! Buffers with a guard before and after them.

use loopwright_runtime::Counted;

use super::emulated::{Forbidden, forbid};
use super::pages::Pages;

/// A NaN as one `f64` and as two `f32`, and an index beyond every array.
const GUARD: u64 = 0x7ff8_1234_7fc0_0001;

/// Bytes of a guard at least, where no page begins or ends: more than the longest vector.
const LEAST: usize = 128;

/// A type of numbers that kernels are run with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `f64`.
    F64,
    /// `f32`.
    F32,
    /// `Counted<f64>`.
    Counted,
    /// A signed integer of so many bytes.
    Signed(usize),
    /// An integer without sign of so many bytes.
    Unsigned(usize),
}

/// A number of any of these types.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A floating-point number, as a double, exactly.
    Real(f64),
    /// An integer.
    Integer(i128),
}

impl Scalar {
    /// The type of a name; `generic` is what `T` stands for.
    pub fn of(name: &str, generic: Scalar) -> Option<Scalar> {
        Some(match name {
            "f64" => Scalar::F64,
            "f32" => Scalar::F32,
            "T" => generic,
            "usize" | "u64" => Scalar::Unsigned(8),
            "u32" => Scalar::Unsigned(4),
            "u16" => Scalar::Unsigned(2),
            "u8" => Scalar::Unsigned(1),
            "isize" | "i64" => Scalar::Signed(8),
            "i32" => Scalar::Signed(4),
            "i16" => Scalar::Signed(2),
            "i8" => Scalar::Signed(1),
            _ => return None,
        })
    }

    /// What one rounding may change, relative to the value.
    pub fn rounding(self) -> f64 {
        match self {
            Scalar::F32 => f64::from(f32::EPSILON),
            _ => f64::EPSILON,
        }
    }

    /// Whether it is a floating-point type.
    pub fn is_real(self) -> bool {
        matches!(self, Scalar::F64 | Scalar::F32 | Scalar::Counted)
    }

    /// Bytes of a number.
    pub fn bytes(self) -> usize {
        match self {
            Scalar::F64 => 8,
            Scalar::F32 => 4,
            Scalar::Counted => size_of::<Counted<f64>>(),
            Scalar::Signed(bytes) | Scalar::Unsigned(bytes) => bytes,
        }
    }

    /// Writes the nearest number; of integers, the lowest bytes.
    ///
    /// # Safety
    /// So many bytes are writable.
    unsafe fn write(self, to: *mut u8, value: Number) {
        // SAFETY: the caller's, who has aligned buffers of this type.
        unsafe {
            match (self, value) {
                (Scalar::F64, Number::Real(value)) => to.cast::<f64>().write(value),
                (Scalar::F32, Number::Real(value)) => to.cast::<f32>().write(value as f32),
                (Scalar::Counted, Number::Real(value)) => {
                    to.cast::<Counted<f64>>().write(Counted::new(value))
                }
                (_, Number::Real(value)) => self.write(to, Number::Integer(value as i128)),
                (_, Number::Integer(value)) if self.is_real() => {
                    self.write(to, Number::Real(value as f64));
                }
                (_, Number::Integer(value)) => {
                    let bytes = value.to_le_bytes();
                    to.copy_from_nonoverlapping(bytes.as_ptr(), self.bytes());
                }
            }
        }
    }

    /// Reads a number.
    ///
    /// # Safety
    /// There is one.
    unsafe fn read(self, from: *const u8) -> Number {
        // SAFETY: the caller's.
        unsafe {
            match self {
                Scalar::F64 => Number::Real(from.cast::<f64>().read()),
                Scalar::F32 => Number::Real(f64::from(from.cast::<f32>().read())),
                Scalar::Counted => Number::Real(from.cast::<Counted<f64>>().read().value()),
                Scalar::Signed(count) | Scalar::Unsigned(count) => {
                    let mut bytes = [0; 16];
                    bytes.as_mut_ptr().copy_from_nonoverlapping(from, count);
                    let unused = 128 - 8 * count;
                    let shifted = u128::from_le_bytes(bytes) << unused;
                    Number::Integer(match self {
                        Scalar::Signed(_) => shifted as i128 >> unused,
                        _ => (shifted >> unused) as i128,
                    })
                }
            }
        }
    }
}

/// Some numbers, exactly as many as were asked for, with guards around them. The first one begins a page, or the last
/// one ends one, beside which there is no memory.
#[derive(Debug)]
pub struct Guarded {
    /// Kernels write there too.
    pages: Pages,
    /// Bytes before the first number.
    start: usize,
    count: usize,
    scalar: Scalar,
    _forbidden: [Forbidden; 2],
}

impl Guarded {
    /// `count` numbers, which `value` makes one by one. They begin a page where `shift` is a multiple of 4, and end
    /// one elsewhere, so that the first one has any distance from a multiple of a vector's length.
    pub fn new(
        scalar: Scalar,
        count: usize,
        shift: usize,
        mut value: impl FnMut() -> Number,
    ) -> Guarded {
        let bytes = count * scalar.bytes();
        let pages = Pages::new(bytes + LEAST);
        let start = match shift % 4 {
            0 => 0,
            _ => pages.bytes() - bytes,
        };
        let result = Guarded::filled(scalar, count, start, pages);
        for at in 0..count {
            // SAFETY: this is one of the numbers.
            unsafe { scalar.write(result.pointer().add(at * scalar.bytes()), value()) }
        }
        result
    }

    /// Guards alone.
    fn filled(scalar: Scalar, count: usize, start: usize, pages: Pages) -> Guarded {
        let words = pages.pointer().cast::<u64>();
        // SAFETY: the pages, which begin and end at multiples of a word.
        let all = unsafe { std::slice::from_raw_parts_mut(words, pages.bytes() / 8) };
        all.fill(GUARD);
        let base = words.addr();
        let (first, end) = (base + start, base + start + count * scalar.bytes());
        let result = Guarded {
            _forbidden: [forbid(base, first), forbid(end, base + pages.bytes())],
            pages,
            start,
            count,
            scalar,
        };
        result.poison(true);
        result
    }

    /// Tells AddressSanitizer that nothing may touch the guards, or that something may again.
    fn poison(&self, _guards: bool) {
        #[cfg(feature = "sanitised")]
        {
            unsafe extern "C" {
                fn __asan_poison_memory_region(at: *const u8, bytes: usize);
                fn __asan_unpoison_memory_region(at: *const u8, bytes: usize);
            }
            let words = self.pages.pointer();
            let end = self.start + self.count * self.scalar.bytes();
            // SAFETY: the allocation, of which these are parts.
            unsafe {
                __asan_unpoison_memory_region(words, self.pages.bytes());
                if _guards {
                    __asan_poison_memory_region(words, self.start);
                    __asan_poison_memory_region(words.add(end), self.pages.bytes() - end);
                }
            }
        }
    }

    /// The first number.
    pub fn pointer(&self) -> *mut u8 {
        // SAFETY: it is inside of the allocation.
        unsafe { self.pages.pointer().add(self.start) }
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The type of the numbers.
    pub fn scalar(&self) -> Scalar {
        self.scalar
    }

    /// All numbers in it.
    pub fn numbers(&self) -> Vec<Number> {
        let (first, bytes) = (self.pointer(), self.scalar.bytes());
        // SAFETY: these are the numbers.
        let read = |at: usize| unsafe { self.scalar.read(first.add(at * bytes)) };
        (0..self.count).map(read).collect()
    }

    /// Whether the guards are as they were.
    pub fn intact(&self) -> bool {
        let inside = self.start..self.start + self.count * self.scalar.bytes();
        let guard = GUARD.to_ne_bytes();
        let size = self.pages.bytes();
        // SAFETY: the allocation, which nothing else uses now.
        let bytes = unsafe { std::slice::from_raw_parts(self.pages.pointer(), size) };
        let fine = |at: usize| bytes[at] == guard[at % 8];
        self.poison(false);
        let intact = (0..inside.start).all(fine) && (inside.end..size).all(fine);
        self.poison(true);
        intact
    }
}

impl Clone for Guarded {
    fn clone(&self) -> Guarded {
        let bytes = self.pages.bytes();
        let copy = Guarded::filled(self.scalar, self.count, self.start, Pages::new(bytes));
        self.poison(false);
        copy.poison(false);
        // SAFETY: both are so long.
        unsafe {
            copy.pages
                .pointer()
                .copy_from_nonoverlapping(self.pages.pointer(), bytes)
        }
        self.poison(true);
        copy.poison(true);
        copy
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.poison(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_beside_the_elements_are_seen() {
        let buffer = Guarded::new(Scalar::F32, 15, 0, || Number::Real(1.0));
        assert_eq!(buffer.numbers(), [Number::Real(1.0); 15]);
        let singles = buffer.pointer().cast::<f32>();
        // SAFETY: the last number.
        unsafe { singles.add(14).write(2.0) }
        assert!(buffer.intact());
        assert_eq!(buffer.numbers()[14], Number::Real(2.0));
        // SAFETY: the guard belongs to the buffer.
        unsafe { singles.add(15).write(0.0) }
        assert!(!buffer.intact());
        assert!(!buffer.clone().intact());
    }

    #[test]
    fn integers_have_signs() {
        for scalar in ["i8", "u8", "i32", "u64", "isize"] {
            let scalar = Scalar::of(scalar, Scalar::F64).expect("a type");
            let value = Number::Integer(-3);
            let read = Guarded::new(scalar, 1, 1, || value).numbers()[0];
            let signed = matches!(scalar, Scalar::Signed(_));
            assert_eq!(read == value, signed, "{scalar:?}");
        }
    }
}
