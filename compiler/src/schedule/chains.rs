//! Sums over loops of run-time length with few accumulators, which get several each.
//!
//! Each addition to an accumulator waits for the one before. Where other accumulators do not fill that time, iterations
//! are added to several of them in turns, which are added up in the end.
//!
//! Before: `reduce k { y[i] += }`. After: `reduce k chains 4 { y[i] += }`.
//! Holds: what is computed, but for the order of sums.

use super::model;
use super::tree::{Instance, Node, Schedule};
use crate::ir::{Extent, IndexId, Program};

/// Most chains of an accumulator: what steps leave is added one by one.
const MOST: usize = 4;
/// Most accumulators of a sum: half of the registers that all processors have.
const ACCUMULATORS: usize = 8;

/// Gives sums as many chains as they have use for.
pub fn run(program: &Program, schedule: &mut Schedule) {
    let mut body = std::mem::take(&mut schedule.body);
    nodes(program, schedule, &mut body);
    schedule.body = body;
}

fn nodes(program: &Program, schedule: &Schedule, all: &mut [Node]) {
    for node in all {
        let waits = match node {
            Node::Reduction { .. } => model::waits(program, schedule, node),
            _ => 1.0,
        };
        match node {
            Node::Loop(l) => nodes(program, schedule, &mut l.body),
            Node::Reduction {
                instances,
                loops,
                chains,
            } => *chains = of((program, schedule), (instances, loops), waits),
            _ => {}
        }
    }
}

/// How many chains the sums of a node have use for, that wait so many times as long as they are issued.
pub fn of(
    (program, schedule): (&Program, &Schedule),
    (instances, loops): (&[Instance], &[IndexId]),
    waits: f64,
) -> usize {
    let long = |index: &IndexId| match &program.loop_index(*index).extent {
        // How long rows are that data chooses nobody knows; most are short.
        Extent::RunTime(extent) => !extent.is_mapped(),
        Extent::Constant(_) => false,
    };
    let fits = |chains: &usize| *chains <= MOST && chains * instances.len() <= ACCUMULATORS;
    let lanes = loops.iter().any(|index| schedule.is_lane(*index));
    // Without lanes nothing is executed that the text does not have.
    let scalar = schedule.width == 1;
    if program.exact || lanes || scalar || !loops.last().is_some_and(long) {
        return 1;
    }
    let powers = (0..).map(|power| 1_usize << power).take_while(fits);
    let enough = powers.clone().find(|chains| *chains as f64 >= waits);
    enough.or(powers.last()).unwrap_or(1)
}
