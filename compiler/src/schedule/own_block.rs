//! What an array has for each lane.

use crate::ir::{Access, Extent, IndexId, Program};

/// The extents of the block of constant shape that an array has for each lane, next to each other in
/// memory, if an access reads from it at a place that the lanes' loop does not change.
pub fn own_block(program: &Program, access: &Access, lane: IndexId) -> Option<Vec<usize>> {
    let array = program.array(access.array);
    let (first, inner) = access.subscripts.split_first()?;
    let apart = first.as_index() == Some(lane) && !inner.iter().any(|s| s.depends_on(lane));
    if array.flat || array.strided || !apart {
        return None;
    }
    array.shape[1..].iter().map(Extent::as_constant).collect()
}
