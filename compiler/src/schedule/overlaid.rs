//! Loads of parts of vectors that wait for what was stored a moment ago.
//!
//! Where lanes run over three components, registers of four have one to spare. What is stored in parts and loaded as one
//! register, or under a mask whose other lanes lie where something was stored, is loaded when that has arrived in the
//! cache:
//!
//! ```text
//! for p { v[p, 0..3] += a[p, 0..3];  x[p, 0..3] += v[p, 0..3]; }
//! ```
//!
//! Equations of one loop around wait so for each other, and not for themselves: they go on to other elements.

use std::collections::BTreeSet;

use super::model;
use super::tree::{Instance, Loop, Node, Schedule, instances};
use crate::analysis::cost::{NOMINAL, nominal};
use crate::collections::HashMap;
use crate::ir::{Access, ArrayId, IndexId, Program};
use crate::machine::{LATENCY, OVERLAID, STORES, THROUGH_MEMORY};

/// The cycles in which instances of equations wait for stores of others.
pub fn waits(program: &Program, schedule: &Schedule) -> HashMap<usize, f64> {
    let mut result = HashMap::default();
    let lane = schedule.lanes.filter(|_| schedule.width > 1);
    let parted = |lane: &IndexId| {
        let length = program.loop_index(*lane).extent.as_constant();
        length.is_some_and(|length| length % schedule.width != 0)
    };
    let Some(lane) = lane.filter(parted) else {
        return result;
    };
    let follows = |access: &Access| access.subscripts.iter().any(|s| s.depends_on(lane));
    for node in &schedule.body {
        let Node::Loop(_) = node else { continue };
        let all = instances(std::slice::from_ref(node)).into_iter();
        let equations: BTreeSet<usize> = all.map(|instance| instance.equation).collect();
        let mut stored: BTreeSet<ArrayId> = BTreeSet::new();
        for at in equations {
            let equation = &program.equations[at];
            let reads = program.pool.accesses([equation.expr]).into_iter();
            let own = equation.operator.accumulated().map(|_| &equation.target);
            let reads = reads.map(|(_, access)| access).chain(own);
            let waiting = reads
                .filter(|access| follows(access) && stored.contains(&program.viewed(access.array)));
            result.insert(at, OVERLAID * waiting.count() as f64);
            if follows(&equation.target) && schedule.storage_of(equation.target.array).is_none() {
                stored.insert(program.viewed(equation.target.array));
            }
        }
    }
    result
}

/// Cycles in which the end of a row is stored in parts of a vector: a half, a quarter, and so on.
pub fn in_halves(schedule: &Schedule) -> f64 {
    (schedule.width as f64).log2() / STORES
}

/// Cycles that the end of a row along the lanes takes longer where an equation adds to it in memory. It is stored in parts of
/// a vector, which the next row waits for that loads the same elements: where the loop `around`, which goes from row to row,
/// moves nothing. Without one, a store under a mask is what the next load waits for, which lies there or beside it.
pub fn added_to(
    program: &Program,
    schedule: &Schedule,
    own: &Instance,
    around: Option<IndexId>,
) -> f64 {
    let equation = &program.equations[own.equation];
    let target = &equation.target;
    let held = schedule.storage_of(target.array).is_some();
    if held || equation.operator.accumulated().is_none() {
        return 0.0;
    }
    match around.is_some_and(|around| target.depends_on(around)) {
        true => in_halves(schedule),
        false => 2.0 * OVERLAID,
    }
}

/// Cycles that an iteration of a loop takes longer for what short loops over lanes add up in memory: those in its body, whose
/// rows it goes through, or where it is one, those of loops inside of it.
pub fn masked(program: &Program, schedule: &Schedule, l: &Loop) -> f64 {
    if schedule.width == 1 {
        return 0.0;
    }
    if is_short(program, schedule, l) {
        return in_parts(program, schedule, &l.body);
    }
    let rows = l.body.iter().map(|node| match node {
        Node::Loop(row) if is_short(program, schedule, row) => {
            most_added_to(program, schedule, &row.body, Some(l.index))
        }
        _ => 0.0,
    });
    rows.sum()
}

/// Whether a loop runs over lanes, and has few iterations, whose number is known when a kernel runs only.
fn is_short(program: &Program, schedule: &Schedule, l: &Loop) -> bool {
    let short = l.end.run_time().is_some() && nominal(program, &l.end) < NOMINAL;
    short && schedule.is_lane(l.index)
}

/// What the blocks among some nodes wait for, which do so at the same time.
fn most_added_to(
    program: &Program,
    schedule: &Schedule,
    nodes: &[Node],
    around: Option<IndexId>,
) -> f64 {
    let blocks = nodes.iter().filter_map(|node| match node {
        Node::Block(instances) => Some(instances),
        _ => None,
    });
    let each = blocks.flatten();
    let each = each.map(|own| added_to(program, schedule, own, around));
    each.fold(0.0, f64::max)
}

/// What loops inside of such a loop wait for.
fn in_parts(program: &Program, schedule: &Schedule, nodes: &[Node]) -> f64 {
    let loops = nodes.iter().filter_map(|node| match node {
        Node::Loop(l) => Some(l),
        _ => None,
    });
    let each = loops.map(|l| {
        let own = most_added_to(program, schedule, &l.body, None);
        model::steps(program, l) * (own + in_parts(program, schedule, &l.body))
    });
    each.sum()
}

/// Cycles that an iteration of a loop takes at least where it adds to elements that the one before has added to, in
/// memory: a store, the load of what it has stored, and an addition wait for each other.
pub fn summed(program: &Program, schedule: &Schedule, l: &Loop) -> f64 {
    let adds = |own: &&Instance| {
        let equation = &program.equations[own.equation];
        let target = &equation.target;
        // What loops that were fused add to a temporary stays near.
        let memory = schedule.storage_of(target.array).is_none();
        let added = !equation.reduction.is_empty() || equation.operator.accumulated().is_some();
        let again = equation.domain().any(|index| index == l.index) && !target.depends_on(l.index);
        memory && added && again
    };
    match instances(&l.body).iter().any(adds) {
        true => LATENCY + THROUGH_MEMORY,
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::text;
    use crate::schedule::tree::Node;
    use crate::schedule::{Target, Wishes, schedule};

    #[test]
    fn what_a_long_loop_adds_to_a_few_elements_is_in_registers() {
        let program = text::parse(
            "program p\n\nindex t: len(tokens)\nindex o: 8\n\nparam 0 table: f32[len(table), 8]\n\
             param 1 tokens: u32[len(tokens)]\noutput 2 out: f32[8]\n\n\
             out[o] += table[tokens[t], o]   for t, o",
        )
        .unwrap();
        for (width, registers) in [(8, 16), (16, 32)] {
            let target = Target { width, registers };
            let scheduled = schedule(&program, target, &Wishes::default()).unwrap();
            let [Node::Loop(l)] = scheduled.schedule.body.as_slice() else {
                panic!("{:?}", scheduled.schedule.body);
            };
            assert!(matches!(l.body.as_slice(), [Node::Reduction { .. }]));
        }
    }

    #[test]
    fn rows_of_few_elements_are_not_added_up_in_memory() {
        let mut program = text::parse(
            "program p\n\nindex i: m\nindex k: n\nindex j: m\n\nparam 0 m: usize\nparam 1 n: usize\n\
             param 2 a: f64[m, n]\nparam 3 b: f64[n, m]\noutput 4 w: f64[m, m]\ntemp t: f64[n, m]\n\n\
             t[k, j] = -2 * b[k, j]   for j, k\nw[i, j] += sum(k) a[i, k] * t[k, j]   for i, j",
        )
        .unwrap();
        for array in program.arrays.iter_mut() {
            array.is_const = matches!(array.name.as_str(), "m" | "n");
        }
        for (width, registers) in [(4, 16), (8, 32)] {
            let target = Target { width, registers };
            let found = schedule(&program, target, &Wishes::default()).unwrap();
            let text = crate::schedule::text::print(&found.program, &found.schedule);
            assert!(text.contains("reduce "), "{text}");
        }
    }
}
