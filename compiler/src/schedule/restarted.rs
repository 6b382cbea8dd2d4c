//! What is handed on begins anew after some iterations, so that errors of rounding do not add up for longer (Ernst 1995,
//! chapter 4).

use super::carried::{Carried, refused};
use super::shifted::equations;
use super::tree::{Loop, Node, Schedule, Steps};
use crate::collections::HashMap;
use crate::ir::{Affine, Equation, IndexId, Program};
use crate::rewrite::replace;

/// Lets what is handed on begin anew after some iterations, in strips of the loops.
///
/// Before: `loop p { s[p] = }  loop j in 0..n { … }`. After: `loop j in 0..n step 64 strips { loop j once { loop p {
/// s[j + p] = } }  loop j in 0..n { … } }`.
///
/// # Errors
/// If what the first iterations find does not stand beside the loop.
pub fn run(program: &mut Program, schedule: &mut Schedule, after: usize) -> Result<(), String> {
    let all = Carried::of(program)?;
    let floating = |carried: &&Carried| program.array(carried.array).element.as_word().is_none();
    let mut starts: HashMap<usize, (IndexId, usize)> = HashMap::default();
    for carried in all.iter().filter(floating) {
        for at in 0..carried.equations.start {
            if program.equations[at].target.array == carried.array {
                starts.insert(at, (carried.index, carried.axis));
            }
        }
    }
    if let Some(lanes) = all
        .iter()
        .filter(floating)
        .find(|own| schedule.is_lane(own.index))
    {
        return Err(refused(program, lanes.array));
    }
    let body = std::mem::take(&mut schedule.body);
    let mut moved = Vec::new();
    schedule.body = in_strips(body, (&starts, after), &mut moved);
    if moved.len() < starts.len() {
        let array = all.first().map(|carried| refused(program, carried.array));
        return Err(array.unwrap_or_default());
    }
    for at in moved {
        let (index, axis) = starts[&at];
        let Equation { target, free, .. } = &program.equations[at];
        let Some(start) = target.subscripts[axis].as_index() else {
            return Err(refused(program, target.array));
        };
        assert!(free.contains(&start));
        let by = |own: IndexId| match own == start {
            true => Affine::index(own).add(&Affine::index(index)),
            false => Affine::index(own),
        };
        let equation = &mut program.equations[at];
        replace::substitute(&mut program.pool, equation, &by);
        equation.free.insert(0, index);
    }
    Ok(())
}

/// Nodes with loops in strips, each after what its first iterations find, if that stands before it; `moved` notes
/// the equations of that.
fn in_strips(
    nodes: Vec<Node>,
    (starts, after): (&HashMap<usize, (IndexId, usize)>, usize),
    moved: &mut Vec<usize>,
) -> Vec<Node> {
    let mut result: Vec<Node> = Vec::new();
    for node in nodes {
        let Node::Loop(mut l) = node else {
            result.push(node);
            continue;
        };
        l.body = in_strips(l.body, (starts, after), moved);
        let index = l.index;
        let begins = |node: &Node| {
            let own = equations(node);
            let along = |at: &usize| starts.get(at).is_some_and(|(along, _)| *along == index);
            !own.is_empty() && own.iter().all(along)
        };
        let (before, others): (Vec<Node>, Vec<Node>) = result.into_iter().partition(begins);
        result = others;
        if before.is_empty() || l.steps != Steps::All {
            result.extend(before);
            result.push(Node::Loop(l));
            continue;
        }
        moved.extend(before.iter().flat_map(equations));
        let once = Loop {
            steps: Steps::Once,
            with: Vec::new(),
            body: before,
            ..l.clone()
        };
        let strips = Loop {
            steps: Steps::Strips,
            with: Vec::new(),
            step: after,
            ..l.clone()
        };
        result.push(Node::Loop(Loop {
            body: vec![Node::Loop(once), Node::Loop(l)],
            ..strips
        }));
    }
    result
}
