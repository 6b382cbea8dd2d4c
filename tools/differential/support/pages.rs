//! Memory between two pages that nothing may touch.

use std::ffi::{c_int, c_void};

/// Bytes of a page, or of several.
const PAGE: usize = if cfg!(target_arch = "x86_64") {
    1 << 12
} else {
    1 << 16
};

unsafe extern "C" {
    fn mmap(
        at: *mut c_void,
        bytes: usize,
        kind: c_int,
        flags: c_int,
        file: c_int,
        offset: isize,
    ) -> *mut c_void;
    fn mprotect(at: *mut c_void, bytes: usize, kind: c_int) -> c_int;
    fn munmap(at: *mut c_void, bytes: usize) -> c_int;
}

const NONE: c_int = 0;
const READ_AND_WRITE: c_int = 3;
/// Private, and of no file.
const FLAGS: c_int = if cfg!(target_os = "linux") {
    0x22
} else {
    0x1002
};

/// Whole pages, and one before and one after them: the processor stops whatever reads or writes there, also code
/// that is not emulated.
#[derive(Debug)]
pub struct Pages {
    first: *mut u8,
    bytes: usize,
}

impl Pages {
    /// At least so many bytes, all zero.
    ///
    /// # Panics
    /// If there is no memory.
    pub fn new(bytes: usize) -> Pages {
        let bytes = bytes.max(1).next_multiple_of(PAGE);
        let all = bytes + 2 * PAGE;
        // SAFETY: new memory, which nothing else has.
        let base = unsafe { mmap(std::ptr::null_mut(), all, NONE, FLAGS, -1, 0) };
        assert!(base.addr() != usize::MAX, "there is memory");
        // SAFETY: pages inside of it.
        let first = unsafe { base.cast::<u8>().add(PAGE) };
        // SAFETY: those pages.
        let opened = unsafe { mprotect(first.cast(), bytes, READ_AND_WRITE) };
        assert_eq!(opened, 0, "its pages can be opened");
        Pages { first, bytes }
    }

    /// The first byte.
    pub fn pointer(&self) -> *mut u8 {
        self.first
    }

    /// How many there are.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: what was mapped, as a whole.
        unsafe { munmap(self.first.sub(PAGE).cast(), self.bytes + 2 * PAGE) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Set in a process that is to end.
    const BESIDE: &str = "LOOPWRIGHT_BESIDE_PAGES";

    #[test]
    fn nothing_can_be_read_beside_them() {
        let pages = Pages::new(100);
        if let Ok(at) = std::env::var(BESIDE) {
            let at = at.parse().expect("a distance");
            // SAFETY: none: the processor stops it.
            let read = unsafe { pages.pointer().offset(at).read_volatile() };
            println!("{read}");
            return;
        }
        let bytes = pages.bytes() as isize;
        let name = "support::pages::tests::nothing_can_be_read_beside_them";
        for (at, ends) in [(0, true), (bytes - 1, true), (-1, false), (bytes, false)] {
            let mut own = std::process::Command::new(std::env::current_exe().expect("a path"));
            own.args([name, "--exact"]).env(BESIDE, at.to_string());
            let output = own.output().expect("it starts");
            assert_eq!(output.status.success(), ends, "{at}: {output:?}");
        }
    }
}
