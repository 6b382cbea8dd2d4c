//! The machine that programs and loop trees are weighed for: ports, latencies, caches and registers, in one place.
//!
//! What runs a kernel is known when it is called only, so that there is one machine for all: what an x86-64 core of
//! the last ten years has at least, Intel's from Skylake on and AMD's from Zen 2 on. Numbers of ports and latencies
//! are those on which the tables of Agner Fog ("Instruction tables", 2025) agree for these cores, or the smaller ones
//! where they do not; those of Zen 4 that no table has were measured by the benchmark that stands beside each. How far
//! predictions and times agree, the benchmarks `forms`, `cells`, `loops` and `everyday` print.
//!
//! Thresholds of passes and of the scheduler follow from these numbers; other constants there limit work.

mod functions;

pub use functions::{CALL, elementary, instructions};

use crate::syntax::ast::IsaName;

/// Micro-operations of a cycle: four are issued on Skylake, more on later cores.
pub const ISSUED: f64 = 4.0;
/// Additions, multiplications, comparisons of vectors a cycle: two ports on all.
pub const ARITHMETIC: f64 = 2.0;
/// Loads of vectors a cycle.
pub const LOADS: f64 = 2.0;
/// Stores of vectors a cycle.
pub const STORES: f64 = 1.0;
/// Shuffles of vectors a cycle: on Intel's cores one port has them.
pub const SHUFFLES: f64 = 1.0;
/// Cycles between two divisions or square roots of four numbers of 64 bits: 8 on Skylake, 5 on Zen 4, of which other
/// instructions hide a part.
pub const DIVISION: f64 = 4.0;
/// Cycles from an addition, a multiplication or both at once to an instruction that takes what it gives.
pub const LATENCY: f64 = 4.0;
/// Micro-operations that are in flight: 224 on Skylake and Zen 2, more on later cores.
pub const WINDOW: f64 = 224.0;
/// Cycles from a store to what loads the same element: 4 to 5 on all.
pub const THROUGH_MEMORY: f64 = 5.0;
/// Cycles in which a load waits for parts of it that were stored a moment ago: 11 to 19 from Sandy Bridge to Zen 4
/// (Fog, The microarchitecture of Intel, AMD and VIA CPUs), of which other instructions hide a part.
pub const OVERLAID: f64 = 10.0;
/// Cycles of a loop's own instructions: a counter and a branch.
pub const LOOP: f64 = 1.0;
/// Instructions that the caches of decoded ones hold of one body beside others, 1.5 thousand micro-operations and
/// more: a body of more is fetched and decoded in each iteration.
pub const DECODED: f64 = 600.0;
/// Cycles in which a vector goes to or from places that are apart, transposed in registers: two shuffles, two loads,
/// an addition and a store (Zen 4, `cargo bench --bench cells`).
pub const TRANSPOSED: f64 = 2.2;
/// Cycles that a kernel takes beside its loops where a text calls one for a nest: the check of bounds, the choice of what
/// runs, and vectors that are not full (Xeon with AVX-512, triangular products by rows and columns).
pub const ENTERED: f64 = 40.0;
/// The same where a call waits for what was written before it, with all of that: no other call is computed beside it, parts
/// of its vectors were stored a moment ago, and lanes are added up in the end (triangular solves).
pub const WAITED: f64 = 120.0;

/// Bytes of a line of the cache.
pub const LINE: usize = 64;
/// Bytes of a first-level cache.
pub const FIRST: usize = 32 << 10;
/// Bytes of a second-level cache: that of Zen 2 and 3. Skylake has 256 KiB or 1 MiB, Zen 4 1 MiB.
pub const SECOND: usize = 512 << 10;
/// Bytes of a first-level cache that temporaries may take: inputs and outputs pass through the rest.
pub const NEAR: usize = FIRST / 4 * 3;
/// Bytes a cycle from a second-level cache.
pub const NEXT: f64 = 32.0;
/// Bytes a cycle between a core and memory, where other cores are idle (Zen 4, `cargo bench --bench everyday`).
pub const MEMORY: f64 = 8.0;

/// How much longer a load takes in the mean where so many bytes of temporaries are read again and again: the
/// bandwidths of caches are 64, 32 and 10 to 16 bytes a cycle (Zen 4), and half of what is loaded is loaded from
/// nearer.
#[must_use]
pub fn loading(all: usize, near: usize) -> f64 {
    if all > 4 * SECOND {
        5.0
    } else if all > SECOND / 2 {
        2.5
    } else if near > NEAR {
        1.4
    } else {
        1.0
    }
}

/// Vector registers of an instruction set.
#[must_use]
pub fn registers(isa: IsaName) -> usize {
    match isa {
        IsaName::Scalar | IsaName::Avx2 => 16,
        IsaName::Avx512 => 32,
    }
}

/// Bits of a vector register of an instruction set; of one number of 64 bits where there are no vectors.
#[must_use]
pub fn register_bits(isa: IsaName) -> usize {
    match isa {
        IsaName::Scalar => 64,
        IsaName::Avx2 => 256,
        IsaName::Avx512 => 512,
    }
}
