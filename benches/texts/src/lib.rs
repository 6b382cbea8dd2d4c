//! The texts of the benchmark `everyday` as plain functions. The benchmark has this library built with
//! `-C target-cpu=native`, which Cargo does for whole builds alone, and times what is in it in turns with kernels.

#![allow(
    missing_docs,
    dead_code,
    unused_imports,
    unused_mut,
    unused_variables,
    reason = "functions of a benchmark"
)]
#![allow(
    clippy::all,
    clippy::pedantic,
    reason = "plain functions as people write them"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;

/// Functions that hand memory of the benchmark out and take it back, with sizes and alignments.
type Allocate = unsafe extern "C" fn(usize, usize) -> *mut u8;
type Deallocate = unsafe extern "C" fn(*mut u8, usize, usize);

static MEMORY_OF_BENCHMARK: OnceLock<(Allocate, Deallocate)> = OnceLock::new();

/// Memory of the benchmark's, so that inputs of all lie at the same places.
struct Lent;

// SAFETY: the benchmark's functions are those of its own allocator, and are told before anything else is called.
unsafe impl GlobalAlloc for Lent {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match MEMORY_OF_BENCHMARK.get() {
            // SAFETY: that of the caller.
            Some((allocate, _)) => unsafe { allocate(layout.size(), layout.align()) },
            // SAFETY: that of the caller.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        match MEMORY_OF_BENCHMARK.get() {
            // SAFETY: that of the caller.
            Some((_, deallocate)) => unsafe { deallocate(pointer, layout.size(), layout.align()) },
            // SAFETY: that of the caller.
            None => unsafe { System.dealloc(pointer, layout) },
        }
    }
}

#[global_allocator]
static MEMORY: Lent = Lent;

/// A text whose function `kernel` is called as one of another crate is, without options of kernels.
macro_rules! called {
    ([$($before:tt)*] #[loopwright::opt $options:tt] $($after:tt)*) => {
        called! { [$($before)*] $($after)* }
    };
    ([$($before:tt)*] pub fn kernel $($after:tt)*) => {
        $($before)*
        #[inline(never)]
        pub fn kernel $($after)*
    };
    ([$($before:tt)*] $next:tt $($after:tt)*) => {
        called! { [$($before)* $next] $($after)* }
    };
}

/// For each text a module of it, and the function that times it.
macro_rules! everyday {
    ($n:ident $($name:ident { $($text:tt)* } with { $($lets:tt)* } ($($argument:expr),*) => $outputs:tt)*) => {
        $(pub mod $name {
            pub mod text {
                called! { [] $($text)* }
            }

            pub fn time($n: usize, calls: usize) -> f64 {
                use crate::inputs::*;
                use std::hint::black_box;
                use std::time::Instant;

                competitor!(text { $($lets)* } kernel($(black_box($argument)),*))(calls)
            }
        })*

        pub const CASES: &[(&str, crate::Case)] = &[$((stringify!($name), $name::time)),*];
    };
}

/// Takes a size and the number of calls; the nanoseconds of one.
pub type Case = fn(usize, usize) -> f64;

#[path = "../../support/competitor.rs"]
#[macro_use]
mod competitor;
#[path = "../../support/suites.rs"]
mod suites;

use suites::inputs;

/// Takes memory from the benchmark from now on.
#[unsafe(no_mangle)]
pub extern "C" fn use_memory(allocate: Allocate, deallocate: Deallocate) {
    let _ = MEMORY_OF_BENCHMARK.set((allocate, deallocate));
}

/// The nanoseconds of a call of the text of this name, or -1 where there is none.
///
/// # Safety
/// The name is `length` bytes of UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn time(name: *const u8, length: usize, n: usize, calls: usize) -> f64 {
    // SAFETY: that of the caller.
    let name = unsafe { std::slice::from_raw_parts(name, length) };
    let mut all = suites::all().into_iter();
    all.find(|(kernel, _)| kernel.as_bytes() == name)
        .map_or(-1.0, |(_, case)| case(n, calls))
}
