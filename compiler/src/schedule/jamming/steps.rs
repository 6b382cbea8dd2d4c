//! Rows of a loop that take a step together.

use super::{Instance, Loop, Node, Steps};
use crate::ir::{Extent, IndexId};

/// Steps of so many rows, and what they leave. Of a loop of known length all steps are as long as can be, and what is left
/// is one.
pub fn in_steps(l: Loop, rows: usize) -> Vec<Loop> {
    let steps = |own: Loop, rows: usize| {
        let mut result = Loop { step: rows, ..own };
        together(&mut result.body, (result.index, rows));
        result
    };
    let Some(all) = l.end.as_constant() else {
        let whole = Loop {
            steps: Steps::Whole,
            ..l.clone()
        };
        let rest = Loop {
            steps: Steps::Rest,
            step: rows,
            ..l
        };
        return vec![steps(whole, rows), rest];
    };
    let rows = all.div_ceil(all.div_ceil(rows));
    let whole = all - all % rows;
    let first = Loop {
        end: Extent::Constant(whole),
        ..l.clone()
    };
    let last = Loop { start: whole, ..l };
    let mut result = vec![steps(first, rows)];
    result.extend((whole < all).then(|| steps(last, all - whole)));
    result
}

/// Puts each statement's instances of all rows together.
fn together(nodes: &mut [Node], (index, rows): (IndexId, usize)) {
    for node in nodes {
        match node {
            Node::Loop(inner) => together(&mut inner.body, (index, rows)),
            Node::Reduction { instances, .. } => {
                let each = (0..rows).flat_map(|row| {
                    let own = instances.iter().cloned();
                    own.map(move |instance| moved(instance, (index, row)))
                });
                *instances = each.collect();
            }
            // What rows have in common is next to each other.
            Node::Block(instances) => {
                let each = std::mem::take(instances)
                    .into_iter()
                    .flat_map(|own| (0..rows).map(move |row| moved(own.clone(), (index, row))));
                *instances = each.collect();
            }
            _ => {}
        }
    }
}

/// An instance some rows later.
pub fn moved(mut instance: Instance, (index, row): (IndexId, usize)) -> Instance {
    instance.offsets.extend((row > 0).then_some((index, row)));
    instance
}

/// Whether a loop has several iterations and runs from its first one to its last one.
pub fn is_plain(l: &Loop) -> bool {
    l.takes_each() && l.end.as_constant().is_none_or(|end| end > 1)
}

/// Whether a loop has a run-time length.
pub fn is_long(l: &Loop) -> bool {
    matches!(l.end, Extent::RunTime(_))
}

/// Whether all nodes are sums, or what is computed at once.
pub fn are_at_once(body: &[Node]) -> bool {
    body.iter()
        .all(|node| matches!(node, Node::Reduction { .. } | Node::Block(_)))
}
