//! Whether the instances of a plan stay inside of the loops that their equations have.
//!
//! What a program accesses in the iterations of its loops is checked, or known to be in range; what a loop tree adds to them is
//! not, and validation runs no more than some sizes.

use crate::ir::{Extent, IndexId, Program};
use crate::schedule::tree::{Instance, Loop, Node, Schedule, Steps, offset};

/// The iterations of an index that are in reach of an instance at an offset.
#[derive(Clone, Copy)]
enum Reach {
    /// Offsets below a number.
    Below(usize),
    /// Any: each lane is compared with the end of its own loop.
    Masked,
}

/// The first instance, or loop, that may leave the iterations of its equation.
pub fn outside(program: &Program, schedule: &Schedule) -> Option<String> {
    nodes((program, schedule), &schedule.body, &mut Vec::new())
}

fn nodes(
    of: (&Program, &Schedule),
    body: &[Node],
    open: &mut Vec<(IndexId, Reach)>,
) -> Option<String> {
    for node in body {
        let count = open.len();
        let found = match node {
            Node::Loop(own) => match entered(of, own, open) {
                Some(problem) => Some(problem),
                None => nodes(of, &own.body, open),
            },
            Node::Block(instances) => all(of.0, instances, open),
            Node::Reduction {
                instances, loops, ..
            } => {
                open.extend(loops.iter().map(|index| (*index, Reach::Below(1))));
                all(of.0, instances, open)
            }
            Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => None,
        };
        open.truncate(count);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Opens a loop over an index, and those that move along.
fn entered(
    (program, schedule): (&Program, &Schedule),
    own: &Loop,
    open: &mut Vec<(IndexId, Reach)>,
) -> Option<String> {
    let index = program.loop_index(own.index);
    let fits = match (index.extent.as_constant(), own.end.as_constant()) {
        (Some(length), Some(end)) => end <= length,
        (None, None) => own.end == index.extent,
        _ => false,
    };
    if !fits {
        return Some(format!(
            "`{}` runs to `{}` in the plan, and to `{}` in the program",
            index.name,
            program.describe(&own.end.affine()),
            program.describe(&index.extent.affine())
        ));
    }
    let whole = |end: usize| end.saturating_sub(own.start).is_multiple_of(own.step);
    if !schedule.is_lane(own.index) && own.end.as_constant().is_some_and(|end| !whole(end)) {
        return Some(format!("`{}` takes a step beyond its end", index.name));
    }
    let moving = own.with.iter().copied();
    for (index, ahead) in std::iter::once((own.index, 0)).chain(moving) {
        let extent = program.loop_index(index).extent.affine();
        let more = extent.sub(&own.end.affine()).as_constant();
        let masked = schedule.is_lane(index) && own.end.as_constant().is_none();
        let reach = match own.steps {
            Steps::All if masked && !own.with.is_empty() => Reach::Masked,
            _ if more.is_none_or(|more| more < ahead as i64) => {
                let name = &program.loop_index(index).name;
                return Some(format!("`{name}` moves beyond its end"));
            }
            Steps::Rest | Steps::Once | Steps::Strips | Steps::First(_) | Steps::Last(_) => {
                Reach::Below(1)
            }
            Steps::All | Steps::Whole | Steps::Skewed { .. } => {
                Reach::Below(own.step + more.unwrap_or(0) as usize - ahead)
            }
        };
        open.push((index, reach));
    }
    None
}

/// The first instance that is outside of the loops that are open.
fn all(program: &Program, instances: &[Instance], open: &[(IndexId, Reach)]) -> Option<String> {
    instances.iter().find_map(|instance| {
        let equation = &program.equations[instance.equation];
        equation.domain().find_map(|index| {
            let offset = offset(&instance.offsets, index);
            let around = open.iter().rev().find(|(other, _)| *other == index);
            let length = match &program.loop_index(index).extent {
                Extent::Constant(length) => *length,
                Extent::RunTime(_) => 0,
            };
            let inside = match around {
                Some((_, Reach::Masked)) => true,
                Some((_, Reach::Below(end))) => offset < *end,
                // A number that stands for its only iteration.
                None => offset < length,
            };
            (!inside).then(|| {
                let target = &program.array(equation.target.array).name;
                let name = &program.loop_index(index).name;
                format!("`{target}` at `{name} + {offset}` is outside of its loops")
            })
        })
    })
}
