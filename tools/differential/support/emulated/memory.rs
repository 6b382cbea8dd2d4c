//! Loads and stores that know where they must not go.

use std::cell::RefCell;

std::thread_local! {
    static FORBIDDEN: RefCell<Vec<(usize, usize)>> = const { RefCell::new(Vec::new()) };
}

/// A range of addresses that no lane may touch, as long as this lives.
#[derive(Debug)]
pub struct Forbidden(usize, usize);

/// Forbids the addresses from `start` to before `end`.
pub fn forbid(start: usize, end: usize) -> Forbidden {
    FORBIDDEN.with_borrow_mut(|ranges| ranges.push((start, end)));
    Forbidden(start, end)
}

impl Drop for Forbidden {
    fn drop(&mut self) {
        FORBIDDEN.with_borrow_mut(|ranges| {
            if let Some(at) = ranges.iter().position(|r| *r == (self.0, self.1)) {
                ranges.swap_remove(at);
            }
        });
    }
}

/// Panics if a lane is forbidden.
fn touch(address: usize, bytes: usize, what: &str) {
    FORBIDDEN.with_borrow(|ranges| {
        for (start, end) in ranges {
            assert!(
                address + bytes <= *start || *end <= address,
                "a lane of a vector {what} is outside of an argument"
            );
        }
    });
}

/// Reads the active lanes; the others are zero.
///
/// # Safety
/// The active lanes are readable.
pub(super) unsafe fn load_lanes<T: Copy + Default, const LANES: usize>(
    pointer: *const T,
    active: impl Fn(usize) -> bool,
) -> [T; LANES] {
    std::array::from_fn(|lane| {
        if !active(lane) {
            return T::default();
        }
        let pointer = pointer.wrapping_add(lane);
        touch(pointer.addr(), size_of::<T>(), "load");
        // SAFETY: the caller's.
        unsafe { pointer.read_unaligned() }
    })
}

/// Writes the active lanes.
///
/// # Safety
/// The active lanes are writable.
pub(super) unsafe fn store_lanes<T: Copy, const LANES: usize>(
    pointer: *mut T,
    value: [T; LANES],
    active: impl Fn(usize) -> bool,
) {
    for (lane, value) in value.into_iter().enumerate() {
        if active(lane) {
            let pointer = pointer.wrapping_add(lane);
            touch(pointer.addr(), size_of::<T>(), "store");
            // SAFETY: the caller's.
            unsafe { pointer.write_unaligned(value) }
        }
    }
}
