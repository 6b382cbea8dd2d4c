//! Copies of staged results, moved into the sums of the next vector of lanes.
//!
//! Sums keep the arithmetic units busy, and copies the stores and shuffles. One after the other, each
//! waits for the other: the processor looks some hundred instructions ahead, and a copy has
//! thousands. So each iteration of the loops that stage results also copies some of those of the
//! vector before (software pipelining). The staging array has two halves, that take turns; the last
//! vector's results are copied after the loop.
//!
//! Before: `loop e step 8 { loop i { s[i] = … } copy s into a[e, i] }`. After:
//! `loop e step 8 { loop i { s[i] = …; advance s } copy s pipelined into a[e, i] }`.
//! Holds: what is copied, and to where; the order in which elements of different cells are written
//! changes, and nothing else of the loop reads or writes these.

use super::Target;
use super::model;
use super::runs::Run;
use super::tree::{self, CopyOut, Loop, Node, Schedule, Steps, instances};
use crate::ir::{ArrayId, Extent, Program};

/// Registers that sums and a copy need at once. With sixteen, what one has in registers the other
/// pushes out, and nothing is gained.
const REGISTERS: usize = 32;

/// Iterations of a loop that Rust's compiler writes out: as straight-line code it is better off
/// without the branch.
pub const FEW: usize = 4;

/// Part of a loop's cycles that a copy must take.
const PART: f64 = 0.125;

/// Pipelines the longest copy in each loop over vectors of lanes, where that pays; the names of
/// their targets.
pub fn run(program: &Program, schedule: &mut Schedule, target: Target) -> Vec<String> {
    if target.registers < REGISTERS || program.is_in_place() {
        return Vec::new();
    }
    let chosen = schedule.body.iter().map(|node| match node {
        Node::Loop(inner) => candidate(program, schedule, inner),
        _ => None,
    });
    let chosen: Vec<Option<(usize, usize)>> = chosen.collect();
    let width = schedule.width;
    let loops = schedule.body.iter_mut().zip(chosen);
    let pipelined = loops.filter_map(|(node, chosen)| match (node, chosen) {
        (Node::Loop(inner), Some(chosen)) => pipeline(program, width, inner, chosen),
        _ => None,
    });
    let names = pipelined.map(|target| program.array(target).name.clone());
    names.collect()
}

/// Whether each step of a loop is one vector of lanes, the last one perhaps a part of one.
pub fn is_over_vectors(schedule: &Schedule, inner: &Loop) -> bool {
    schedule.width > 1
        && schedule.lanes == Some(inner.index)
        && inner.steps == Steps::All
        && inner.start == 0
        && inner.step == schedule.width
        && matches!(inner.end, Extent::RunTime(_))
}

/// The pipelined copies of a loop.
pub fn copies(inner: &Loop) -> impl Iterator<Item = &CopyOut> {
    let copies = inner.body.iter().filter_map(|node| match node {
        Node::CopyOut(copy) => Some(copy),
        _ => None,
    });
    copies.filter(|copy| copy.pipelined)
}

/// The copy of a loop that takes longest: its position, and the elements of each lane.
fn candidate(program: &Program, schedule: &Schedule, inner: &Loop) -> Option<(usize, usize)> {
    if !is_over_vectors(schedule, inner) {
        return None;
    }
    let copies = inner.body.iter().enumerate();
    let runs = copies.filter_map(|(at, node)| match node {
        Node::CopyOut(copy) => Some((at, copy, Run::of(program, schedule, copy)?.count)),
        _ => None,
    });
    let long = runs.filter(|(_, _, count)| *count >= schedule.width);
    let (at, copy, count) = long.max_by_key(|(_, _, count)| *count)?;
    let part = model::part_of(program, schedule, &inner.body[at], &inner.body);
    let alone = is_alone(program, &inner.body, copy);
    (alone && part >= PART).then_some((at, count))
}

/// Whether nothing else of a loop reads or writes what a copy writes.
fn is_alone(program: &Program, body: &[Node], copy: &CopyOut) -> bool {
    let target = program.viewed(copy.target.array);
    let is_target = |array: ArrayId| program.viewed(array) == target;
    let equations = instances(body).into_iter();
    let equations = equations.map(|instance| &program.equations[instance.equation]);
    let mut touched = equations.flat_map(|equation| {
        let reads = program.pool.accesses([equation.expr]).into_iter();
        let reads = reads.map(|(_, access)| access.array);
        reads.chain([equation.target.array])
    });
    let others = tree::copies(body).into_iter();
    let others = others.filter(|other| is_target(other.target.array)).count();
    others == 1 && !touched.any(is_target)
}

/// Divides a copy among the innermost loops that stage what it copies; `None` if these have too few
/// iterations.
fn pipeline(
    program: &Program,
    width: usize,
    inner: &mut Loop,
    (at, count): (usize, usize),
) -> Option<ArrayId> {
    let (before, rest) = inner.body.split_at_mut(at);
    let Some(Node::CopyOut(copy)) = rest.first_mut() else {
        return None;
    };
    let staged = copy.staged;
    let stages = |node: &Node| {
        let nodes = instances(std::slice::from_ref(node)).into_iter();
        let mut targets = nodes.map(|i| program.equations[i.equation].target.array);
        targets.any(|array| array == staged)
    };
    // With less than half of the copy in these loops, it is not worth the second half of the array.
    if 2 * steps(before, &stages, 1) < count / width {
        return None;
    }
    advance(before, &stages, &Node::Advance(staged));
    copy.pipelined = true;
    Some(copy.target.array)
}

/// Whether a loop stages results, is not short, and has no such loop inside.
fn is_innermost(inner: &Loop, stages: &impl Fn(&Node) -> bool) -> bool {
    is_long(inner) && inner.body.iter().any(stages) && !has_long(&inner.body, stages)
}

fn is_long(inner: &Loop) -> bool {
    inner.iterations().is_some_and(|n| n > FEW)
}

fn has_long(nodes: &[Node], stages: &impl Fn(&Node) -> bool) -> bool {
    nodes.iter().any(|node| match node {
        Node::Loop(inner) => is_long(inner) && stages(node) || has_long(&inner.body, stages),
        _ => false,
    })
}

/// Iterations of the innermost loops that stage results, of nodes that run `times` times.
fn steps(nodes: &[Node], stages: &impl Fn(&Node) -> bool, times: usize) -> usize {
    let loops = nodes.iter().map(|node| match node {
        Node::Loop(inner) => {
            let times = times * inner.iterations().unwrap_or(0);
            match is_innermost(inner, stages) {
                true => times,
                false => steps(&inner.body, stages, times),
            }
        }
        _ => 0,
    });
    loops.sum()
}

/// Adds a node to the ends of the innermost loops that stage results.
fn advance(nodes: &mut [Node], stages: &impl Fn(&Node) -> bool, node: &Node) {
    for outer in nodes {
        if let Node::Loop(inner) = outer {
            match is_innermost(inner, stages) {
                true => inner.body.push(node.clone()),
                false => advance(&mut inner.body, stages, node),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::schedule::{Target, Wishes, schedule, text};

    /// The loop tree of results that are sums of three products each, for as many registers.
    fn tree(results: usize, registers: usize) -> String {
        let row = |k: usize| {
            let entries: Vec<String> = (0..results).map(|i| (9 * i + k + 1).to_string()).collect();
            format!("  [{}],\n", entries.join(", "))
        };
        let rows: String = (0..3).map(row).collect();
        let program = format!(
            "program p\n\nindex e: len(x)\nindex i: {results}\n\n\
             param 0 x: f64[len(x), 3]\noutput 1 a: f64[len(a), {results}]\n\
             table t: f64[3, {results}] = [\n{rows}]\n\n\
             a[e, i] += x[e, 0] * t[0, i] + x[e, 1] * t[1, i] + x[e, 2] * t[2, i]   for e, i\n"
        );
        let program = crate::ir::text::parse(&program).unwrap();
        let target = Target {
            width: 8,
            registers,
        };
        let wishes = Wishes {
            lanes: Some("e".to_owned()),
            unroll: Vec::new(),
        };
        let scheduled = schedule(&program, target, &wishes).unwrap();
        let text = text::print(&scheduled.program, &scheduled.schedule);
        let nodes = text.split_once("\n\n").map_or("", |(_, nodes)| nodes);
        let said = scheduled.decision.contains("during the next vector's sums");
        assert_eq!(said, nodes.contains("pipelined"));
        nodes.to_owned()
    }

    fn check(results: usize, registers: usize, expected: &Expect) {
        expected.assert_eq(&tree(results, registers));
    }

    #[test]
    fn copies_go_into_the_loops_that_stage() {
        check(
            50,
            32,
            &expect![[r#"
            loop e in 0..len(x) step 8 {
              loop k in 0..3 step 3 {
                block {
                  eq 0         // x_packed[e, k] =
                  eq 0 @ k+1   // x_packed[e, k + 1] =
                  eq 0 @ k+2   // x_packed[e, k + 2] =
                }
              }
              loop i in 0..50 step 5 {
                block {
                  eq 1         // a_cells[e, i] =
                  eq 1 @ i+1   // a_cells[e, i + 1] =
                  eq 1 @ i+2   // a_cells[e, i + 2] =
                  eq 1 @ i+3   // a_cells[e, i + 3] =
                  eq 1 @ i+4   // a_cells[e, i + 4] =
                }
                advance a_cells
              }
              copy a_cells pipelined over row0 into a[e, row0] +=
            }
        "#]],
        );
    }

    #[test]
    fn neither_sixteen_registers_nor_short_loops_have_room() {
        assert!(!tree(50, 16).contains("pipelined"));
        assert!(!tree(12, 32).contains("pipelined"));
    }
}
