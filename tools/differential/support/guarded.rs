//! Buffers with a guard before and after them.

use std::marker::PhantomData;

use super::emulated::{Forbidden, forbid};

/// A NaN as one `f64` and as two `f32`, and an index beyond every array.
const GUARD: u64 = 0x7ff8_1234_7fc0_0001;

/// Words of a guard: more than the longest vector.
const WORDS: usize = 16;

/// A floating-point type that kernels are run with.
pub trait Number: Copy {
    /// What one rounding may change, relative to the value.
    const ROUNDING: f64;

    /// Whether variants have vectors of it.
    const VECTORS: bool = true;

    /// The nearest number.
    fn of(value: f64) -> Self;

    /// The number as a double, exactly.
    fn double(self) -> f64;
}

impl Number for f64 {
    const ROUNDING: f64 = f64::EPSILON;

    fn of(value: f64) -> f64 {
        value
    }

    fn double(self) -> f64 {
        self
    }
}

impl Number for f32 {
    const ROUNDING: f64 = f32::EPSILON as f64;

    fn of(value: f64) -> f32 {
        value as f32
    }

    fn double(self) -> f64 {
        f64::from(self)
    }
}

impl Number for loopwright_runtime::Counted<f64> {
    const ROUNDING: f64 = f64::EPSILON;
    const VECTORS: bool = false;

    fn of(value: f64) -> Self {
        Self::new(value)
    }

    fn double(self) -> f64 {
        self.value()
    }
}

/// Some `T`, exactly as many as were asked for, with guards around them.
#[derive(Debug)]
pub struct Guarded<T> {
    words: Vec<u64>,
    /// Bytes before the first element.
    start: usize,
    length: usize,
    _forbidden: [Forbidden; 2],
    element: PhantomData<T>,
}

impl<T: Copy> Guarded<T> {
    /// `length` elements of arrays of `S`, which `value` makes one by one. `shift` moves the first
    /// one away from a multiple of a vector's length.
    pub fn new<S: Copy>(length: usize, shift: usize, mut value: impl FnMut() -> S) -> Self {
        let bytes = length * size_of::<T>();
        let start = 8 * WORDS + shift % 16 * align_of::<T>();
        let words = vec![GUARD; 2 * WORDS + 16 + bytes.div_ceil(8)];
        let mut result: Self = Guarded::over(words, start, length);
        let first = result.slice_mut().as_mut_ptr().cast::<S>();
        for at in 0..bytes / size_of::<S>() {
            // SAFETY: `T` is an array of `S`, and this is one inside of the buffer.
            unsafe { first.add(at).write(value()) }
        }
        result
    }

    fn over(words: Vec<u64>, start: usize, length: usize) -> Self {
        let base = words.as_ptr().addr();
        let (first, end) = (base + start, base + start + length * size_of::<T>());
        Guarded {
            _forbidden: [forbid(base, first), forbid(end, base + 8 * words.len())],
            words,
            start,
            length,
            element: PhantomData,
        }
    }

    /// The elements.
    pub fn slice(&self) -> &[T] {
        let first = self.words.as_ptr().cast::<u8>().wrapping_add(self.start);
        // SAFETY: the elements are inside of `words`, aligned, and of plain numbers.
        unsafe { std::slice::from_raw_parts(first.cast(), self.length) }
    }

    /// The elements.
    pub fn slice_mut(&mut self) -> &mut [T] {
        let start = self.start;
        let first = self.words.as_mut_ptr().cast::<u8>().wrapping_add(start);
        // SAFETY: as for `slice`.
        unsafe { std::slice::from_raw_parts_mut(first.cast(), self.length) }
    }

    /// All numbers in it.
    pub fn doubles<S: Number>(&self) -> Vec<f64> {
        let count = self.length * size_of::<T>() / size_of::<S>();
        // SAFETY: `T` is an array of `S`.
        let all = unsafe { std::slice::from_raw_parts(self.slice().as_ptr().cast::<S>(), count) };
        all.iter().map(|value| value.double()).collect()
    }

    /// Whether the guards are as they were.
    pub fn intact(&self) -> bool {
        let inside = self.start..self.start + self.length * size_of::<T>();
        let guard = GUARD.to_ne_bytes();
        let bytes = self.words.iter().flat_map(|word| word.to_ne_bytes());
        bytes
            .enumerate()
            .all(|(at, byte)| inside.contains(&at) || byte == guard[at % 8])
    }
}

impl<T: Copy> Clone for Guarded<T> {
    fn clone(&self) -> Self {
        Guarded::over(self.words.clone(), self.start, self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_beside_the_elements_are_seen() {
        let mut buffer = Guarded::<[f32; 3]>::new(5, 3, || 1.0_f32);
        assert_eq!(buffer.slice(), [[1.0; 3]; 5]);
        buffer.slice_mut()[4][2] = 2.0;
        assert!(buffer.intact());
        assert_eq!(buffer.doubles::<f32>()[14], 2.0);
        let after = (buffer.start + 60) / 4;
        let singles = buffer.words.as_mut_ptr().cast::<f32>();
        // SAFETY: the guard belongs to the buffer.
        unsafe { singles.add(after).write(0.0) }
        assert!(!buffer.intact());
    }
}
