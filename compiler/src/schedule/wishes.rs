//! Whether a loop tree does what the user asked for.

use super::tree::{Loop, Node, Schedule};
use super::{Scheduled, Target, Wishes};
use crate::ir::{Equation, IndexId, Program};

/// A wish that a loop tree does not fulfil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The loop that was named.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// The first wish that was not fulfilled. What lowering wrote out, of the loops in `lowered`, is unrolled
/// as far as it can be. A target with several lanes has them, or the wish for them is not fulfilled.
pub fn ignored(
    (scheduled, target): (&Scheduled, Target),
    wishes: &Wishes,
    lowered: &Program,
) -> Option<Ignored> {
    let Scheduled {
        program, schedule, ..
    } = scheduled;
    let over = schedule.lanes.map(|lane| &program.loop_index(lane).name);
    if let Some(name) = &wishes.lanes
        && target.width > 1
        && over != Some(name)
    {
        return Some(Ignored {
            name: name.clone(),
            reason: no_lanes(program, name),
        });
    }
    wishes.unroll.iter().find_map(|(name, factor)| {
        let written_out = named(lowered, name).is_empty();
        let indices = named(program, name);
        let unrolled = indices.iter().any(|index| {
            let wanted = least(program, schedule, *index, *factor);
            unrolled(&schedule.body, *index) == wanted * unit(schedule, *index)
        });
        (!written_out && !unrolled).then(|| Ignored {
            name: name.clone(),
            reason: not_unrolled(program, &indices),
        })
    })
}

/// The loops of a name that equations have.
fn named(program: &Program, name: &str) -> Vec<IndexId> {
    let all = program.equations.iter().flat_map(|e| e.domain());
    let mut indices: Vec<IndexId> = all
        .filter(|index| program.loop_index(*index).name == name)
        .collect();
    indices.sort_unstable();
    indices.dedup();
    indices
}

/// Iterations that one step of a loop takes that is not unrolled.
fn unit(schedule: &Schedule, index: IndexId) -> usize {
    match schedule.is_lane(index) {
        true => schedule.width,
        false => 1,
    }
}

/// The factor that is possible: a loop is not unrolled by more than it has steps.
fn least(program: &Program, schedule: &Schedule, index: IndexId, factor: usize) -> usize {
    let extent = program.loop_index(index).extent.as_constant();
    let steps = extent.map(|extent| extent.div_ceil(unit(schedule, index)));
    steps.map_or(factor, |steps| factor.min(steps))
}

/// The largest step of the loops over an index; where there is none, the iterations that are written out.
fn unrolled(nodes: &[Node], index: IndexId) -> usize {
    let mut result = 0;
    for node in nodes {
        let found = match node {
            Node::Loop(Loop {
                index: own,
                step,
                body,
                ..
            }) => match *own == index {
                true => *step,
                false => unrolled(body, index),
            },
            Node::Block(instances) | Node::Reduction { instances, .. } => {
                let offsets = instances.iter().flat_map(|instance| &instance.offsets);
                let own = offsets.filter(|(other, _)| *other == index);
                own.map(|(_, offset)| offset + 1).max().unwrap_or(0)
            }
            Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => 0,
        };
        result = result.max(found);
    }
    result
}

fn no_lanes(program: &Program, name: &str) -> String {
    let indices = named(program, name);
    let Some(index) = indices.first() else {
        return format!("no loop over `{name}` is left");
    };
    let summed = |equation: &Equation| equation.reduction.contains(index);
    if program.exact && program.equations.iter().any(summed) {
        return "results would be added up in another order".to_owned();
    }
    match program.is_constant(*index) {
        true => "of the loops of constant length, lanes can run over one that is the innermost of those that the subscripts of outputs follow, in all that it runs, or along which all that it runs are sums that fill a vector".to_owned(),
        false => "of the loops of run-time length, lanes can run over one that has no other one inside of it".to_owned(),
    }
}

fn not_unrolled(program: &Program, indices: &[IndexId]) -> String {
    match indices.iter().find(|index| !program.is_constant(**index)) {
        Some(_) => "its length is known at run time only".to_owned(),
        None if indices.is_empty() => "it is not left by the passes".to_owned(),
        None => "no elements along it are held in registers together".to_owned(),
    }
}
