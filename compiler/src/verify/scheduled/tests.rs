use std::rc::Rc;

use super::*;
use crate::ir::{
    Access, Affine, ArrayId, Atom, Combining, Element, Equation, Expr, ExprId, Factor, Operator,
    Role,
};
use crate::number::Number;
use crate::schedule::tree::{self, CopyOut, Loop, Pipelined};
use crate::verify::memory::{Data, Parameter};

const ROWS: usize = 5;
pub(super) const POINTS: usize = 3;

pub(super) struct Kernel {
    pub(super) program: Program,
    cell: IndexId,
    row: IndexId,
    column: IndexId,
    point: IndexId,
    scale: ArrayId,
    output: ArrayId,
}

fn access(program: &mut Program, array: ArrayId, subscripts: Vec<Affine>) -> ExprId {
    let access = Access { array, subscripts };
    program.pool.add(Expr::Access(access), Element::F64)
}

fn product(program: &mut Program, factors: &[ExprId]) -> ExprId {
    let factors = factors.iter().map(|e| Factor { expr: *e, power: 1 });
    let product = Expr::Product(factors.collect());
    program.pool.add(product, Element::F64)
}

/// `s[e] = 2 x[e, 0]`, `y[e, i, j] += sum over q of w[q, i] x[e, j] s[e]`.
pub(super) fn kernel() -> Kernel {
    let mut program = Program::default();
    let (x, y) = (ArrayId(0), ArrayId(1));
    let cells = Extent::RunTime(Affine::atom(Atom::Length(x, 0)));
    let four = Extent::Constant(4);
    program.add_array(
        "x",
        Element::F64,
        vec![cells.clone(), four.clone()],
        Role::Parameter(0),
    );
    let shape = vec![cells.clone(), Extent::Constant(ROWS), four.clone()];
    program.add_array("y", Element::F64, shape, Role::Output(1));
    let table = (0..POINTS * ROWS).map(|k| Number::from_i64(k as i64 + 1));
    let shape = vec![Extent::Constant(POINTS), Extent::Constant(ROWS)];
    let w = program.add_array(
        "w",
        Element::F64,
        shape,
        Role::Table(Rc::new(table.collect())),
    );
    let scale = program.add_array("s", Element::F64, vec![cells.clone()], Role::Temporary);
    let cell = program.add_index("e", cells);
    let row = program.add_index("i", Extent::Constant(ROWS));
    let column = program.add_index("j", four);
    let point = program.add_index("q", Extent::Constant(POINTS));
    let [e, i, j, q] = [cell, row, column, point].map(Affine::index);
    let two = program.pool.constant(Number::from_i64(2), Element::F64);
    let first = access(&mut program, x, vec![e.clone(), Affine::constant(0)]);
    let doubled = product(&mut program, &[two, first]);
    let factors = [
        access(&mut program, w, vec![q, i.clone()]),
        access(&mut program, x, vec![e.clone(), j.clone()]),
        access(&mut program, scale, vec![e.clone()]),
    ];
    let value = product(&mut program, &factors);
    program.equations = vec![
        Equation {
            target: Access {
                array: scale,
                subscripts: vec![e.clone()],
            },
            operator: Operator::Assign,
            free: vec![cell],
            reduction: Vec::new(),
            expr: doubled,
        },
        Equation {
            target: Access {
                array: y,
                subscripts: vec![e, i, j],
            },
            operator: Operator::ADD,
            free: vec![cell, row, column],
            reduction: vec![point],
            expr: value,
        },
    ];
    Kernel {
        program,
        cell,
        row,
        column,
        point,
        scale,
        output: y,
    }
}

pub(super) fn memory(cells: usize) -> Memory {
    let field = |n: usize, from: i64| {
        let values = (0..n as i64).map(|k| Field::from_i64(k * k + from));
        Data::Field(Rc::new(values.collect()))
    };
    Memory {
        parameters: vec![
            Parameter {
                shape: vec![cells, 4],
                data: field(cells * 4, 3),
            },
            Parameter {
                shape: vec![cells, ROWS, 4],
                data: field(cells * ROWS * 4, 7),
            },
        ],
    }
}

pub(super) fn fields(memory: &Memory, parameter: usize) -> &[Field] {
    match &memory.parameters[parameter].data {
        Data::Field(values) => values,
        Data::Integer(_) => panic!("integers"),
    }
}

/// The kernel's result, written down by hand.
pub(super) fn expected(cells: usize, points: usize) -> Vec<Field> {
    let memory = memory(cells);
    let (x, mut y) = (fields(&memory, 0).to_vec(), fields(&memory, 1).to_vec());
    for (at, value) in y.iter_mut().enumerate() {
        let (e, i, j) = (at / (ROWS * 4), at / 4 % ROWS, at % 4);
        for q in 0..points {
            let w = Field::from_u64((q * ROWS + i + 1) as u64);
            *value = *value + w * x[e * 4 + j] * (x[e * 4] + x[e * 4]);
        }
    }
    y
}

fn block(equation: usize) -> Node {
    Node::Block(vec![Instance {
        equation,
        offsets: Vec::new(),
    }])
}

/// A loop with constant bounds.
fn range(index: IndexId, (start, end, step): (usize, usize, usize), body: Vec<Node>) -> Node {
    let end = Extent::Constant(end);
    Node::Loop(Loop {
        index,
        with: Vec::new(),
        steps: tree::Steps::All,
        start,
        end,
        step,
        body,
    })
}

/// The sums as register tiles of two rows, with a remainder.
fn tiles(kernel: &Kernel, equation: usize) -> Vec<Node> {
    let sums = |count: usize| {
        let instance = |k| Instance {
            equation,
            offsets: vec![(kernel.row, k)],
        };
        let instances = (0..count).map(instance).collect();
        let sums = Node::Reduction {
            instances,
            loops: vec![kernel.point],
            chains: 1,
        };
        range(kernel.column, (0, 4, 1), vec![sums])
    };
    vec![
        range(kernel.row, (0, 4, 2), vec![sums(2)]),
        range(kernel.row, (4, ROWS, 1), vec![sums(1)]),
    ]
}

fn cells(kernel: &Kernel, step: usize, body: Vec<Node>) -> Node {
    let end = kernel.program.loop_index(kernel.cell).extent.clone();
    Node::Loop(Loop {
        index: kernel.cell,
        with: Vec::new(),
        steps: tree::Steps::All,
        start: 0,
        end,
        step,
        body,
    })
}

fn scalar(kernel: &Kernel) -> Schedule {
    let mut body = vec![block(0)];
    body.extend(tiles(kernel, 1));
    Schedule {
        width: 1,
        lanes: None,
        others: Vec::new(),
        storage: vec![(kernel.scale, tree::Storage::Register { lanes: false })],
        buffers: Vec::new(),
        body: vec![cells(kernel, 1, body)],
    }
}

/// Lanes over cells, results staged and copied out.
pub(super) fn staged(kernel: &mut Kernel, steps: usize) -> Schedule {
    let program = &mut kernel.program;
    let shape = program.array(kernel.output).shape.clone();
    let array = program.add_array("y_cells", Element::F64, shape, Role::Temporary);
    let rows = [
        program.add_index("row0", Extent::Constant(ROWS)),
        program.add_index("row1", Extent::Constant(4)),
    ];
    program.equations[1].target.array = array;
    program.equations[1].operator = Operator::Assign;
    let mut subscripts = vec![Affine::index(kernel.cell)];
    subscripts.extend(rows.map(Affine::index));
    let copy = CopyOut {
        staged: array,
        loops: rows.to_vec(),
        places: None,
        target: Access {
            array: kernel.output,
            subscripts,
        },
        accumulate: Some(Combining::Add),
        pipelined: Pipelined::No,
    };
    let mut body = vec![block(0)];
    body.extend(tiles(kernel, 1));
    body.push(Node::CopyOut(copy));
    Schedule {
        width: 4,
        lanes: Some(kernel.cell),
        others: Vec::new(),
        buffers: Vec::new(),
        storage: vec![
            (kernel.scale, tree::Storage::Register { lanes: true }),
            (
                array,
                tree::Storage::Memory {
                    extents: vec![
                        tree::Dimension::CONTRACTED,
                        tree::Dimension::Kept(ROWS),
                        tree::Dimension::Kept(4),
                    ],
                    lanes: true,
                },
            ),
        ],
        body: vec![cells(kernel, steps, body)],
    }
}

/// No iterations less.
pub(super) fn all(_: IndexId) -> usize {
    0
}

#[test]
fn equations_one_by_one() {
    let mut found = memory(2);
    run_unscheduled(
        &kernel().program,
        &mut found,
        &|_| Iterations::ALL,
        &mut 10_000,
    )
    .unwrap();
    assert_eq!(fields(&found, 1), expected(2, POINTS));
}

#[test]
fn register_tiles_without_lanes() {
    let kernel = kernel();
    let mut found = memory(3);
    run(
        &kernel.program,
        &scalar(&kernel),
        &mut found,
        &all,
        &mut 10_000,
    )
    .unwrap();
    assert_eq!(fields(&found, 1), expected(3, POINTS));
}

#[test]
fn staged_lanes_with_a_partial_step() {
    for count in [0, 1, 4, 6] {
        let mut kernel = kernel();
        let schedule = staged(&mut kernel, 4);
        let mut found = memory(count);
        run(&kernel.program, &schedule, &mut found, &all, &mut 100_000).unwrap();
        assert_eq!(fields(&found, 1), expected(count, POINTS));
    }
}

#[test]
fn wrong_schedules_are_found() {
    // A step of eight leaves lanes out.
    let mut wide = kernel();
    let schedule = staged(&mut wide, 8);
    let mut found = memory(6);
    let result = run(&wide.program, &schedule, &mut found, &all, &mut 100_000);
    assert!(
        result
            .unwrap_err()
            .contains("a step over `e` takes 8 iterations")
    );
    // The temporary is read before it is written.
    let kernel = kernel();
    let mut schedule = scalar(&kernel);
    if let Node::Loop(l) = &mut schedule.body[0] {
        l.body.rotate_left(1);
    }
    let result = run(
        &kernel.program,
        &schedule,
        &mut memory(2),
        &all,
        &mut 10_000,
    );
    assert!(result.unwrap_err().contains("`s` is read before"));
}

#[test]
fn shrunk_loops_keep_their_remainder() {
    // Rows 0 and 1 by the tile and row 2 by the remainder; two points of three.
    let kernel = kernel();
    let less = |index: IndexId| match kernel.program.loop_index(index).extent {
        Extent::Constant(ROWS) => ROWS - 3,
        Extent::Constant(POINTS) => POINTS - 2,
        _ => 0,
    };
    let (mut a, mut b) = (memory(2), memory(2));
    run(
        &kernel.program,
        &scalar(&kernel),
        &mut a,
        &less,
        &mut 10_000,
    )
    .unwrap();
    let runs = |index| {
        let extent = kernel.program.loop_index(index).extent.as_constant();
        Iterations::First(extent.unwrap_or(usize::MAX) - less(index))
    };
    run_unscheduled(&kernel.program, &mut b, &runs, &mut 10_000).unwrap();
    assert_eq!(fields(&a, 1), fields(&b, 1));
    let (whole, before) = (expected(2, 2), memory(2));
    for (at, value) in fields(&a, 1).iter().enumerate() {
        let left = if at / 4 % ROWS < 3 {
            &whole[..]
        } else {
            fields(&before, 1)
        };
        assert_eq!(*value, left[at]);
    }
}

#[test]
fn the_budget_ends_a_run() {
    let result = run_unscheduled(
        &kernel().program,
        &mut memory(9),
        &|_| Iterations::ALL,
        &mut 100,
    );
    assert_eq!(result.unwrap_err(), "too large to validate");
}

#[test]
fn lanes_over_a_constant_extent_stop_at_it() {
    let mut program = Program::default();
    let seven = Extent::Constant(7);
    let x = program.add_array("x", Element::F64, vec![seven.clone()], Role::Parameter(0));
    let y = program.add_array("y", Element::F64, vec![seven.clone()], Role::Output(1));
    let j = program.add_index("j", seven);
    let expr = access(&mut program, x, vec![Affine::index(j)]);
    let target = Access {
        array: y,
        subscripts: vec![Affine::index(j)],
    };
    let free = vec![j];
    let operator = Operator::Assign;
    program.equations = vec![Equation {
        target,
        operator,
        free,
        reduction: Vec::new(),
        expr,
    }];
    let instances = [0, 4].map(|k| Instance {
        equation: 0,
        offsets: vec![(j, k)],
    });
    let tile = Node::Block(instances.to_vec());
    let schedule = Schedule {
        buffers: Vec::new(),
        width: 4,
        lanes: Some(j),
        others: Vec::new(),
        storage: Vec::new(),
        body: vec![range(j, (0, 7, 8), vec![tile])],
    };
    let one = |k: i64| Parameter {
        shape: vec![7],
        data: Data::Field(Rc::new(
            (0..7).map(|i| Field::from_i64(k * (i + 1))).collect(),
        )),
    };
    let mut found = Memory {
        parameters: vec![one(1), one(0)],
    };
    run(&program, &schedule, &mut found, &all, &mut 100).unwrap();
    assert_eq!(fields(&found, 1), fields(&found, 0));
    let mut found = Memory {
        parameters: vec![one(1), one(0)],
    };
    run(&program, &schedule, &mut found, &|_| 2, &mut 100).unwrap();
    assert_eq!(fields(&found, 1)[..5], fields(&found, 0)[..5]);
    assert_eq!(fields(&found, 1)[5..], [Field::ZERO; 2]);
}
