//! Which copies go into which loops.

use expect_test::{Expect, expect};

use crate::schedule::tree::{Node, Pipelined};
use crate::schedule::{Scheduled, Target, Wishes, check, schedule, text};

/// A schedule of results that are sums of three products each, for as many registers.
fn scheduled(results: usize, registers: usize) -> Scheduled {
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
        ..Wishes::default()
    };
    schedule(&program, target, &wishes).unwrap()
}

/// Its loop tree.
fn tree(results: usize, registers: usize) -> String {
    let scheduled = scheduled(results, registers);
    let text = text::print(&scheduled.program, &scheduled.schedule);
    let nodes = text.split_once("\n\n").map_or("", |(_, nodes)| nodes);
    let said = scheduled.decision.contains("vector's sums");
    let pipelined = nodes.contains("pipelined") || nodes.contains("ready");
    assert_eq!(said, pipelined);
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

/// What the copy in the loop over the lanes says of the parts that are complete.
fn parts(scheduled: &mut Scheduled) -> &mut Vec<(usize, usize)> {
    let Some(Node::Loop(cells)) = scheduled.schedule.body.first_mut() else {
        panic!("no loop over cells");
    };
    let copies = cells.body.iter_mut().filter_map(|node| match node {
        Node::CopyOut(copy) => Some(&mut copy.pipelined),
        _ => None,
    });
    match copies.last() {
        Some(Pipelined::SameVector(parts)) => parts,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_same_vector_copies_what_is_staged_in_a_large_array() {
    let mut scheduled = scheduled(1100, 32);
    let parts = parts(&mut scheduled);
    // Five results each time, rounded down to eight.
    assert_eq!(parts[..4], [(1, 0), (2, 8), (1, 16), (2, 24)]);
    let times: usize = parts.iter().map(|(times, _)| times).sum();
    assert_eq!(times, 1100 / 5);
    assert!(scheduled.decision.contains("during the same vector's sums"));
}

#[test]
fn nothing_is_copied_before_it_is_staged() {
    let mut scheduled = scheduled(1100, 32);
    check::check(&scheduled.program, &scheduled.schedule).unwrap();
    parts(&mut scheduled)[3].1 += 8;
    let refused = check::check(&scheduled.program, &scheduled.schedule).unwrap_err();
    assert!(refused.contains("before they are complete"), "{refused}");
    let mut other = scheduled.clone();
    parts(&mut other)[3].1 -= 8;
    parts(&mut other).pop();
    check::check(&other.program, &other.schedule).unwrap_err();
}
