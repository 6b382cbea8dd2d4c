//! What code expanded by `loopwright` needs at run time, and what its callers see of it.
//!
//! | module | holds |
//! |---|---|
//! | [`isa`] | instruction sets: detection, selection |
//! | [`report`] | operation counts and what each pass did |
//! | [`scalar`] | the number types of generic kernels |
//! | `complex` | complex numbers in generic kernels (with the feature `num-complex`) |
//! | [`cast`] | from a generic type to the concrete one that it is |
//! | `bounded` | numbers that bound their rounding errors (with the feature `std`) |
//! | `counted` | numbers that count their operations (with the feature `std`) |
//! | [`buffer`] | aligned vectors and padded arrays |
//! | `inside` | subscripts that are known to be inside |
//! | `scope` | what the scope of a kernel must not give another meaning |
//! | [`scratch`] | memory for large temporaries, kept from call to call |
//! | [`stream`] | when results are written past the caches |
//! | [`tables`] | constant tables out of byte strings |
//! | [`view`] | memory with strides: arrays of `ndarray` (with the feature `ndarray`) |
//! | [`block_sparse`] | tables with zero columns, as dense blocks |
//! | `lanes` | elementary functions of all lanes of a register (with the feature `std`) |
//! | [`checks`] | the panics of failed bounds checks, index maps |
//! | [`record`] | structs of numbers as arrays of these |
//! | `repeated` | arrays that are repeated before a kernel runs |
//! | [`whole`] | integers that a call computes before a kernel runs |
//! | [`ranges`] | what integers lie between, for checks before a text runs |
//!
//! Without the feature `std` (a default) the crate is `no_std` with `alloc`; see [`isa`] and
//! [`scalar`] for what that costs.

#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod block_sparse;
#[cfg(feature = "std")]
pub mod bounded;
pub mod buffer;
pub mod cast;
pub mod checks;
#[cfg(feature = "num-complex")]
pub mod complex;
#[cfg(feature = "std")]
pub mod counted;
#[doc(hidden)]
pub mod inside;
pub mod isa;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub mod lanes;
pub mod ranges;
pub mod record;
#[doc(hidden)]
pub mod repeated;
pub mod report;
pub mod scalar;
#[doc(hidden)]
pub mod scope;
pub mod scratch;
pub mod stream;
pub mod tables;
pub mod view;
pub mod whole;

pub use block_sparse::{Block, BlockSparseTable, WrongLength};
#[cfg(feature = "std")]
pub use bounded::Bounded;
pub use buffer::{AlignedVec, PaddedArray2};
pub use checks::MapIndex;
#[cfg(feature = "std")]
pub use counted::Counted;
pub use isa::{Isa, Unavailable, is_runnable, select};
pub use report::{Cost, Lanes, Level, OtherLanes, PassReport, Report, Traffic, cost};
pub use scalar::{Kind, Real, Scalar};
pub use scratch::{Borrowed, Scratch};
pub use tables::{Aligned, TableEntry, f32_table, f64_table, table};
