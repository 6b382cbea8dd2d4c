//! Whether what is finally stored keeps the bound on memory that a kernel asks for.
//!
//! The search weighs loop trees by the bytes of their temporaries; lanes make blocks of these, an element a lane, so that
//! the smallest loop tree with lanes may take more than the bound where the one without keeps it. That one is taken then.
//! Where none keeps it the report says so.

use crate::schedule::{Scheduled, buffers};
use crate::syntax::ast::{Function, IsaName};

/// Bytes of the temporaries of a loop tree above the bound.
fn above(function: &Function, scheduled: &Scheduled) -> Option<(u64, usize)> {
    let bound = function.options.memory?;
    let stored = buffers::stored(&scheduled.program, &scheduled.schedule);
    (stored > bound as u64).then_some((stored, bound))
}

/// The loop tree without lanes in the place of one with lanes, if only that keeps the bound, and nothing asks for lanes.
pub fn kept(function: &Function, scheduled: Scheduled, without: Option<&Scheduled>) -> Scheduled {
    let options = &function.options;
    let asked = options.require_lanes.is_some() || options.lanes.is_some();
    if asked || above(function, &scheduled).is_none() {
        return scheduled;
    }
    let smaller = without.filter(|without| above(function, without).is_none());
    smaller.cloned().unwrap_or(scheduled)
}

/// What the report says of a loop tree that takes more than the bound.
pub fn note(function: &Function, isa: IsaName, scheduled: &Scheduled) -> Option<String> {
    let (stored, bound) = above(function, scheduled)?;
    let isa = format!("{isa:?}").to_lowercase();
    Some(format!(
        "`memory`: no loops were found whose temporaries take {bound} bytes; in `{isa}` they take {stored}"
    ))
}
