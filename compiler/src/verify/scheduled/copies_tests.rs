//! Pipelined copies are executed as they will be: one vector of lanes later.

use super::run;
use super::tests::{POINTS, all, expected, fields, kernel, memory, staged};
use crate::schedule::tree::{CopyOut, Node, Pipelined, Schedule};

/// Changes what stands in the loop over the lanes.
fn inside(schedule: &mut Schedule, change: impl FnOnce(&mut Vec<Node>)) {
    let Some(Node::Loop(cells)) = schedule.body.first_mut() else {
        panic!("no loop over cells");
    };
    change(&mut cells.body);
}

fn copy(body: &mut [Node]) -> &mut CopyOut {
    let copies = body.iter_mut().filter_map(|node| match node {
        Node::CopyOut(copy) => Some(copy),
        _ => None,
    });
    copies.last().expect("a copy")
}

/// Pipelines the copy, in the loop at a position of the body.
fn pipeline(schedule: &mut Schedule, at: usize) {
    inside(schedule, |body| {
        copy(body).pipelined = Pipelined::NextVector;
        let staged = copy(body).staged;
        if let Node::Loop(rows) = &mut body[at] {
            rows.body.push(Node::Advance(staged));
        }
    });
}

#[test]
fn all_vectors_arrive() {
    for at in [1, 2] {
        for count in [0, 1, 4, 6, 8, 11] {
            let mut kernel = kernel();
            let mut schedule = staged(&mut kernel, 4);
            pipeline(&mut schedule, at);
            let mut found = memory(count);
            run(&kernel.program, &schedule, &mut found, &all, &mut 200_000).unwrap();
            assert_eq!(fields(&found, 1), expected(count, POINTS));
        }
    }
}

#[test]
fn a_half_is_not_read_before_it_is_written() {
    let mut kernel = kernel();
    let mut schedule = staged(&mut kernel, 4);
    pipeline(&mut schedule, 1);
    // The second vector's half has nothing in it.
    inside(&mut schedule, |body| {
        body.retain(|node| !matches!(node, Node::Loop(_)))
    });
    let result = run(
        &kernel.program,
        &schedule,
        &mut memory(8),
        &all,
        &mut 100_000,
    );
    assert!(result.unwrap_err().contains("`y_cells` is read before"));
}

#[test]
fn only_vectors_leave_copies_to_the_next() {
    let refused = |steps: usize, change: &dyn Fn(&mut Vec<Node>)| {
        let mut kernel = kernel();
        let mut schedule = staged(&mut kernel, steps);
        pipeline(&mut schedule, 1);
        inside(&mut schedule, change);
        run(
            &kernel.program,
            &schedule,
            &mut memory(8),
            &all,
            &mut 100_000,
        )
        .unwrap_err()
    };
    let none = refused(8, &|_| {});
    assert!(none.contains("no copy of `y_cells`"), "{none}");
    let plain = refused(4, &|body| copy(body).pipelined = Pipelined::No);
    assert!(plain.contains("no copy of `y_cells`"), "{plain}");
}
