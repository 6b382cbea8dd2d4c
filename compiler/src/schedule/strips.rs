//! Loop trees with strips, made short for validation; and rings that whole vectors of lanes lie in.

use super::tree::{Dimension, Node, Schedule, Steps, Storage};
use crate::collections::HashMap;
use crate::ir::{Affine, IndexId, Program};

/// The loop tree with strips that are a few steps of the loops inside of them, and rings as deep as these: whatever
/// holds of it holds of longer strips.
pub fn shrunk(program: &Program, schedule: &Schedule) -> Schedule {
    let mut sizes = Sizes::default();
    strips(&schedule.body, &mut sizes);
    if sizes.is_empty() {
        return schedule.clone();
    }
    let mut result = schedule.clone();
    resize(&mut result.body, &sizes);
    for equation in &program.equations {
        let target = &equation.target;
        let mut storage = result.storage.iter_mut();
        let own = storage.find(|(array, _)| *array == target.array);
        let Some((_, Storage::Memory { extents, .. })) = own else {
            continue;
        };
        for (dimension, subscript) in extents.iter_mut().zip(&target.subscripts) {
            if let (Dimension::Ring(depth), Some(index)) = (&mut *dimension, subscript.as_index())
                && let Some(less) = sizes.get(&(index, *depth))
            {
                *depth = *less;
            }
        }
    }
    result
}

/// The sizes of strips, with smaller ones: loops over one index may have strips of several sizes, each in a nest of its own.
type Sizes = HashMap<(IndexId, usize), usize>;

fn strips(nodes: &[Node], sizes: &mut Sizes) {
    for node in nodes {
        let Node::Loop(l) = node else { continue };
        if l.steps == Steps::Strips {
            let few = if l.with.is_empty() { 4 } else { 2 };
            let less = (2 * longest(&l.body, l.index)).max(few).min(l.step);
            let most = sizes.entry((l.index, l.step)).or_insert(less);
            *most = less.max(*most);
        }
        strips(&l.body, sizes);
    }
}

/// The longest step of loops over an index.
fn longest(nodes: &[Node], index: IndexId) -> usize {
    let loops = nodes.iter().filter_map(|node| match node {
        Node::Loop(l) => Some(l),
        _ => None,
    });
    let steps = loops.map(|l| {
        let own = if l.index == index { l.step } else { 1 };
        own.max(longest(&l.body, index))
    });
    steps.max().unwrap_or(1)
}

fn resize(nodes: &mut [Node], sizes: &Sizes) {
    for node in nodes {
        let Node::Loop(l) = node else { continue };
        if let (Steps::Strips, Some(less)) = (l.steps, sizes.get(&(l.index, l.step))) {
            l.step = *less;
        }
        resize(&mut l.body, sizes);
    }
}

/// Whether the elements of a vector lie together in a ring, with a subscript along its lanes.
pub fn holds_vectors(depth: usize, subscript: &Affine, (lane, width): (IndexId, usize)) -> bool {
    let away = subscript.sub(&Affine::index(lane)).as_constant();
    depth.is_multiple_of(width) && away.is_some_and(|away| away % width as i64 == 0)
}
