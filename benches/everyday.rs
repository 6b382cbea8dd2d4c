//! Kernels as people write them, against the same text compiled for the processor at hand: those of
//! `tests/everyday` and `tests/fields`, with vectors in the first cache, in the second one, and in memory.
//!
//! ```text
//! cargo bench --bench everyday
//! cargo bench --bench everyday -- --quick               # fewer rounds
//! cargo bench --bench everyday -- structs butterfly     # cases with one of these in their name
//! cargo bench --bench everyday -- --size=1000           # vectors of this many numbers
//! ```
//!
//! The texts are a library that this program has Cargo build with `-C target-cpu=native`; compiled for AVX2, which
//! the kernels' variant for AVX2 is compared with, they stand here. All run in one process, in turns, on inputs that
//! are made anew in the same memory, and the table has medians, in nanoseconds a call, as that of the benchmark
//! `cells` has. A call is what users write: it finds out which instruction set is the best one.

#![allow(
    missing_docs,
    dead_code,
    unused_imports,
    unused_mut,
    unused_variables,
    reason = "kernels of a benchmark"
)]
#![allow(
    clippy::all,
    clippy::pedantic,
    reason = "plain functions as people write them"
)]

#[allow(dead_code, reason = "cells are for others")]
#[path = "support/mesh.rs"]
mod mesh;
#[allow(dead_code, reason = "batches are for others")]
#[path = "support/turns.rs"]
mod turns;

#[allow(unused_macros, dead_code, reason = "each benchmark uses a part")]
#[path = "support/variants.rs"]
mod variants;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;

use loopwright::Isa;
use variants::Bench;

/// Memory that begins 16 bytes behind a line of the cache, as that of large vectors does, and large blocks that are
/// handed out again: where vectors lie makes a difference, and it is the same for all.
struct Alike;

/// Bytes from which blocks are kept.
const LARGE: usize = 1 << 18;

/// Sizes and addresses of blocks that are kept, 0 where there is none.
static KEPT: Mutex<[(usize, usize); 64]> = Mutex::new([(0, 0); 64]);

fn with_line(layout: Layout) -> Layout {
    let align = layout.align().max(64);
    Layout::from_size_align(layout.size() + 64, align).expect("a layout")
}

/// Replaces the first entry like one by another; the address of the former.
fn replace(is: impl Fn(&(usize, usize)) -> bool, by: (usize, usize)) -> Option<usize> {
    let mut kept = KEPT.lock().ok()?;
    let entry = kept.iter_mut().find(|entry| is(entry))?;
    Some(std::mem::replace(entry, by).1)
}

// SAFETY: what is handed out lies 16 bytes behind the beginning of a block of the system's that has room for it, and
// nothing else has this block until it is given back.
unsafe impl GlobalAlloc for Alike {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > 16 {
            // SAFETY: that of the caller.
            return unsafe { System.alloc(layout) };
        }
        let size = layout.size();
        if size >= LARGE
            && let Some(kept) = replace(|entry| entry.0 == size, (0, 0))
        {
            return kept as *mut u8;
        }
        // SAFETY: the layout has a size.
        let block = unsafe { System.alloc(with_line(layout)) };
        if block.is_null() {
            return block;
        }
        // SAFETY: the block has 64 bytes more than are asked for.
        unsafe { block.add(16) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if layout.align() > 16 {
            // SAFETY: that of the caller.
            return unsafe { System.dealloc(pointer, layout) };
        }
        let size = layout.size();
        if size >= LARGE && replace(|entry| entry.0 == 0, (size, pointer as usize)).is_some() {
            return;
        }
        // SAFETY: `alloc` added these bytes.
        unsafe { System.dealloc(pointer.sub(16), with_line(layout)) }
    }
}

#[global_allocator]
static MEMORY: Alike = Alike;

/// A text whose function `kernel` is compiled for AVX2.
macro_rules! compiled_for_avx2 {
    ([$($before:tt)*] pub fn kernel $($after:tt)*) => {
        $($before)*
        #[target_feature(enable = "avx2,fma")]
        #[inline(never)]
        pub fn kernel $($after)*
    };
    ([$($before:tt)*] $next:tt $($after:tt)*) => {
        compiled_for_avx2! { [$($before)* $next] $($after)* }
    };
}

/// For each text a module `kernels` of it as kernels, one of the plain functions, and a function that times them.
macro_rules! everyday {
    ($n:ident $($name:ident { $($text:tt)* } with { $($lets:tt)* } $arguments:tt => $outputs:tt)*) => {
        $(pub mod $name {
            pub mod kernels {
                loopwright::kernel! { $($text)* }
            }

            pub mod text_avx2 {
                compiled_for_avx2! { [] $($text)* }
            }

            pub fn measure(bench: &mut crate::Bench, title: &str, $n: usize, native: &dyn Fn(usize) -> f64) {
                use crate::inputs::*;
                use loopwright::Isa;
                use std::hint::black_box;
                use std::time::Instant;

                let kernel = |isa: Isa| everyday!(@ kernel isa { $($lets)* } $arguments);
                let (scalar, avx2, avx512) = (kernel(Isa::Scalar), kernel(Isa::Avx2), kernel(Isa::Avx512));
                let call = everyday!(@ call { $($lets)* } $arguments);
                let text_avx2 = everyday!(@ text { $($lets)* } $arguments);
                let all: [(&str, Isa, &dyn Fn(usize) -> f64); 6] = [
                    ("native text", Isa::Scalar, native),
                    ("call", Isa::Scalar, &call),
                    ("scalar", Isa::Scalar, &scalar),
                    ("avx2", Isa::Avx2, &avx2),
                    ("text avx2", Isa::Avx2, &text_avx2),
                    ("avx512", Isa::Avx512, &avx512),
                ];
                let here = all.into_iter().filter(|(_, isa, _)| isa.is_available());
                let here: Vec<_> = here.map(|(name, _, run)| (name, run)).collect();
                bench.remade(title, &here, &kernels::kernel::REPORT);
            }
        })*

        pub const CASES: &[(&str, crate::Case)] = &[$((stringify!($name), $name::measure)),*];
    };
    (@ kernel $isa:ident $lets:tt ($($argument:expr),*)) => {
        competitor!(kernels $lets kernel::with($isa, $(black_box($argument)),*))
    };
    (@ call $lets:tt ($($argument:expr),*)) => {
        competitor!(kernels $lets kernel($(black_box($argument)),*))
    };
    (@ text $lets:tt ($($argument:expr),*)) => {
        // SAFETY: it is called where the processor has the instructions.
        competitor!(text_avx2 $lets unsafe { kernel($(black_box($argument)),*) })
    };
}

/// Times a kernel on inputs of a size, beside its text, which is told how often to run.
pub type Case = fn(&mut Bench, &str, usize, &dyn Fn(usize) -> f64);

#[macro_use]
#[path = "support/competitor.rs"]
mod competitor;
#[path = "support/suites.rs"]
mod suites;

#[path = "support/native.rs"]
mod native;

use native::Native;
use suites::inputs;

const SIZES: [usize; 3] = [1000, 30_000, 4_000_000];

/// Numbers that are updated in place, again and again, may become subnormal, which takes any code as long.
fn take_subnormal_numbers_for_zero() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the control word is that of this thread alone; only what is computed here depends on it.
    unsafe {
        let mut control: u32 = 0;
        std::arch::asm!("stmxcsr [{}]", in(reg) &mut control);
        control |= 0x8040;
        std::arch::asm!("ldmxcsr [{}]", in(reg) &control);
    }
}

extern "C" fn allocate(size: usize, align: usize) -> *mut u8 {
    let layout = Layout::from_size_align(size, align).expect("a layout");
    // SAFETY: an allocator's caller asks for this layout.
    unsafe { MEMORY.alloc(layout) }
}

extern "C" fn deallocate(pointer: *mut u8, size: usize, align: usize) {
    let layout = Layout::from_size_align(size, align).expect("a layout");
    // SAFETY: the pointer comes from `allocate`, with this layout.
    unsafe { MEMORY.dealloc(pointer, layout) }
}

/// Measures all kernels on inputs of a size.
fn measure(bench: &mut Bench, n: usize, native: &Native) {
    for (name, case) in suites::all() {
        let title = format!("{name} {n}");
        if bench.wants(&title) {
            case(bench, &title, n, &|calls| native.time(&name, n, calls));
        }
    }
}

fn main() {
    take_subnormal_numbers_for_zero();
    let mut bench = Bench::from_arguments();
    let native = Native::built(allocate, deallocate);
    println!("one call, with {}; times are nanoseconds", Isa::best());
    println!(
        "{:32} {:>10} {:>10} {:>10} {:>10} {:>8} {:>8}",
        "", "text", "scalar", "AVX2", "AVX-512", "/ text", "/ AVX2"
    );
    let asked: Vec<usize> = std::env::args()
        .filter_map(|a| a.strip_prefix("--size=")?.parse().ok())
        .collect();
    let sizes = if asked.is_empty() { &SIZES } else { &asked[..] };
    for n in sizes {
        measure(&mut bench, *n, &native);
    }
    bench.print();
}
