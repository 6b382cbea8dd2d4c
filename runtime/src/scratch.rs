//! Memory for the large temporaries of kernels, which lives on from call to call.
//!
//! What is allocated in each call is given back to the system and comes back in pages that have to
//! be cleared first: for kernels that take microseconds this was most of the time.

use core::fmt;
use core::ops::{Deref, DerefMut};

use crate::AlignedVec;
use crate::buffer::ALIGNMENT;

/// Memory that kernels keep large temporaries in: it grows when one needs more, and never shrinks.
///
/// Kernels find one by themselves: with the feature `std` each thread has one, which the first call
/// that needs it allocates; without, each call allocates its own. To share one over threads that come
/// and go, or without `std` over calls, hand it in: each kernel has a function `with_scratch` beside
/// its `with`.
///
/// ```
/// use loopwright_runtime::Scratch;
/// let mut scratch = Scratch::new();
/// assert_eq!(scratch.bytes(), 0);
/// scratch.reserve(1000, 8);
/// assert!(scratch.bytes() >= 1000);
/// ```
#[derive(Default)]
pub struct Scratch {
    memory: AlignedVec<u8>,
}

impl Scratch {
    /// No memory yet.
    #[must_use]
    pub const fn new() -> Self {
        Scratch {
            memory: AlignedVec::new(),
        }
    }

    /// The bytes that it has, which is what the largest request so far took.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.memory.len()
    }

    /// Memory of that many bytes, all of them initialised, that starts at a multiple of `alignment`, a
    /// power of two, and of 64. What it holds is what the last user left.
    ///
    /// The pointer is good until the next call, or until the scratch memory is dropped.
    ///
    /// # Panics
    ///
    /// If that is more than `isize::MAX` bytes; where memory runs out, the program stops as `Vec`
    /// does.
    #[inline]
    pub fn reserve(&mut self, bytes: usize, alignment: usize) -> *mut u8 {
        // What is aligned to 64 bytes may have to start later.
        let more = match alignment > ALIGNMENT {
            true => alignment,
            false => 0,
        };
        let needed = bytes.checked_add(more).expect("capacity overflow");
        if self.memory.len() < needed {
            self.grow(needed);
        }
        let start = self.memory.as_mut_ptr();
        match more {
            0 => start,
            _ => start.wrapping_add(start.addr().wrapping_neg() & (alignment - 1)),
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, needed: usize) {
        // Not both at once.
        self.memory = AlignedVec::new();
        self.memory = AlignedVec::filled(0, needed);
    }

    /// This thread's, which then has none until a kernel needs it again: to hand it in elsewhere, or
    /// to drop it, which gives its memory back.
    ///
    /// ```
    /// use loopwright_runtime::Scratch;
    /// drop(Scratch::take_of_thread());
    /// assert_eq!(Scratch::take_of_thread().bytes(), 0);
    /// ```
    #[cfg(feature = "std")]
    #[must_use]
    pub fn take_of_thread() -> Scratch {
        // A thread that ends may have dropped it already.
        let taken = of_thread::CELL.try_with(core::cell::Cell::take);
        taken.unwrap_or_default()
    }
}

/// The elements of a temporary: `known` times its extents. One that has more than `usize` can say has
/// `usize::MAX`, for which there is no [`room`].
///
/// ```
/// use loopwright_runtime::scratch::places;
/// assert_eq!(places(3, &[5, 7]), 105);
/// assert_eq!(places(3, &[usize::MAX, 0]), 0);
/// ```
#[inline]
#[must_use]
pub fn places(known: usize, extents: &[usize]) -> usize {
    let mut places = known;
    for extent in extents {
        // Of no rows there are no elements, however long they are.
        if *extent == 0 {
            return 0;
        }
        places = places.saturating_mul(*extent);
    }
    places
}

/// Where a temporary of so many elements ends, in bytes, that starts `start` bytes behind the beginning of
/// scratch memory: a multiple of `alignment`, a power of two.
///
/// ```
/// use loopwright_runtime::scratch::room;
/// assert_eq!(room(64, 9, 8, 64), 192);
/// ```
///
/// # Panics
///
/// If that is more than `isize::MAX` bytes.
#[inline]
#[must_use]
pub fn room(start: usize, elements: usize, size: usize, alignment: usize) -> usize {
    let bytes = elements.checked_mul(size);
    let end = bytes.and_then(|bytes| bytes.checked_add(start));
    let end = end.and_then(|end| end.checked_next_multiple_of(alignment));
    end.filter(|end| isize::try_from(*end).is_ok())
        .expect("capacity overflow")
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scratch")
            .field("bytes", &self.bytes())
            .finish()
    }
}

#[cfg(feature = "std")]
mod of_thread {
    use super::Scratch;
    use core::cell::Cell;

    std::thread_local! {
        pub static CELL: Cell<Scratch> = const { Cell::new(Scratch::new()) };
    }
}

/// The thread's scratch memory while a kernel has it, without `std` the kernel's own.
///
/// It is the kernel's alone: another one that is called meanwhile, by a function that the first one
/// calls, finds none and allocates. Of the two the thread keeps the larger.
#[derive(Debug)]
pub struct Borrowed(Scratch);

impl Borrowed {
    /// Takes the thread's.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        #[cfg(feature = "std")]
        return Borrowed(Scratch::take_of_thread());
        #[cfg(not(feature = "std"))]
        Borrowed(Scratch::new())
    }
}

impl Default for Borrowed {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for Borrowed {
    type Target = Scratch;

    #[inline]
    fn deref(&self) -> &Scratch {
        &self.0
    }
}

impl DerefMut for Borrowed {
    #[inline]
    fn deref_mut(&mut self) -> &mut Scratch {
        &mut self.0
    }
}

#[cfg(feature = "std")]
impl Drop for Borrowed {
    #[inline]
    fn drop(&mut self) {
        let mine = core::mem::take(&mut self.0);
        // Where the thread ends and has dropped its own, nobody needs it any more.
        let _ = of_thread::CELL.try_with(|cell| {
            let other = cell.replace(mine);
            if other.bytes() > 0 {
                keep_larger(cell, other);
            }
        });
    }
}

/// A kernel inside of this one had its own.
#[cfg(feature = "std")]
#[cold]
fn keep_larger(cell: &core::cell::Cell<Scratch>, other: Scratch) {
    let mine = cell.take();
    let (kept, _dropped) = match other.bytes() > mine.bytes() {
        true => (other, mine),
        false => (mine, other),
    };
    cell.set(kept);
}

#[cfg(test)]
mod tests {
    use super::{Borrowed, Scratch};

    #[test]
    fn memory_is_aligned_and_kept() {
        let mut scratch = Scratch::new();
        for (bytes, alignment) in [(10, 1), (1000, 8), (500, 256), (4000, 4096), (20, 64)] {
            let before = scratch.bytes();
            let start = scratch.reserve(bytes, alignment);
            assert_eq!(start.addr() % alignment.max(64), 0);
            assert!(scratch.bytes() >= before.max(bytes));
            // SAFETY: that much was reserved.
            unsafe { start.write_bytes(7, bytes) }
        }
        let (first, second) = (scratch.reserve(4000, 8), scratch.reserve(10, 8));
        assert_eq!(first, second);
    }

    #[cfg(feature = "std")]
    #[test]
    fn a_thread_keeps_the_largest() {
        drop(Scratch::take_of_thread());
        let mut outer = Borrowed::new();
        outer.reserve(1000, 8);
        for bytes in [100, 2000] {
            let mut inner = Borrowed::new();
            assert!(inner.bytes() <= 100, "the outer one is not there");
            assert_ne!(inner.reserve(bytes, 8), outer.reserve(1000, 8));
        }
        drop(outer);
        assert_eq!(Scratch::take_of_thread().bytes(), 2000);
        assert_eq!(Borrowed::new().bytes(), 0);
    }

    #[cfg(feature = "std")]
    #[test]
    fn a_panic_gives_it_back() {
        drop(Scratch::take_of_thread());
        let panics = || {
            let mut own = Borrowed::new();
            own.reserve(300, 8);
            panic!("in a kernel");
        };
        assert!(std::panic::catch_unwind(panics).is_err());
        assert_eq!(Scratch::take_of_thread().bytes(), 300);
    }
}
