//! The text form of schedules: prints, and parses to the same schedule.
//!
//! Names are those of the program's text ([`crate::ir::text`]).
//!
//! ```text
//! schedule width 4 lanes e
//! store t: memory[_, 14] lanes
//! store det: register lanes
//! buffer s, t
//!
//! loop e in 0..len(cells) step 4 {
//!   block {
//!     eq 0                // det[e] =
//!     eq 1 @ j+1          // t[e, j + 1] =
//!   }
//!   zero s
//!   reduce q {
//!     eq 2 @ j+0, k+1     // s[e, j, k + 1] +=
//!   }
//!   copy s over j, k into a[e, j, k] +=
//! }
//! ```
//!
//! `_` is a dimension that was contracted away, `ring 4` one whose elements take turns in four
//! places; what is listed after `buffer` takes turns in one; `registers[ring 4]` are local variables that live as long as the call. A step of one is
//! left out; `loop i in 0..96 with k+4` moves `k` along, four ahead of `i`; `loop i in 0..n step 4
//! whole` takes no partial step, `loop i in 0..n step 4 rest` what that leaves, `loop i in 0..n once` the first
//! iteration alone. `lanes i, k` runs lanes over both loops, each in nests of its own. `;` ends a line too.
//! `copy s pipelined over j, k …` copies what the step before has staged, and `advance s` goes on
//! with that; `copy s ready 3 * 16, 5 * 24 over j, k …` copies this step's: the first three times that
//! it is gone on with, 16 elements of each lane are complete, then 24. The comments say what an instance computes, and are not read.

mod parse;
pub mod plan;
mod print;
#[cfg(test)]
mod tests;

pub use crate::ir::text::ParseError;
pub use parse::parse;
pub use print::print;
