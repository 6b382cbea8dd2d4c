use super::{parse, print};
use crate::ir::text::random::{Random, program};
use crate::ir::{Access, ArrayId, Combining, Extent, IndexId, Program};
use crate::schedule::tree::{
    CopyOut, Dimension, Instance, Loop, Node, Pipelined, Schedule, Steps, Storage,
};

const PROGRAM: &str = "\
program tiles
index e: len(x)
index j: 5
index q: 3
param 0 x: f64[len(x), 5]
output 1 y: f64[len(y), 5]
temp d: f64[len(x)]
temp s: f64[len(x), 5]
d[e] = 2 x[e, 0] for e
s[e, j] = sum(q) d[e] * x[e, q] for e, j
y[e, j] += s[e, j] for e, j
";

const SCHEDULE: &str = "\
schedule width 4 lanes e
store d: register lanes
store s: memory[_, 5] lanes

loop e in 0..len(x) step 4 {
  block {
    eq 0   // d[e] =
  }
  zero s
  loop j in 0..4 step 2 {
    reduce q {
      eq 1 @ j+0   // s[e, j] =
      eq 1 @ j+1   // s[e, j + 1] =
    }
  }
  reduce {
    eq 1 @ j+4, q+2   // s[e, 4] =
  }
  block {}
  copy s over j into y[e, j] +=
  copy d into y[e, 0] =
}
loop j in 4..(5) {}
";

#[test]
fn a_schedule_reads_as_it_prints() {
    let program = crate::ir::text::parse(PROGRAM).unwrap();
    let schedule = parse(SCHEDULE, &program).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(print(&program, &schedule), SCHEDULE);
    let short = "schedule width 1\nloop e in 0..(len(x)) { block { eq 0; eq 1 @ j+1 }; zero s }";
    let schedule = parse(short, &program).unwrap_or_else(|error| panic!("{error}"));
    let Node::Loop(outer) = &schedule.body[0] else {
        panic!("no loop")
    };
    assert_eq!((outer.step, outer.body.len()), (1, 2));
}

#[test]
fn mistakes_are_located() {
    let program = crate::ir::text::parse(PROGRAM).unwrap();
    for (line, expected) in [
        (
            "lop e",
            "expected `loop`, `block`, `reduce`, `copy`, `advance`, `zero` or `}`, found `lop`",
        ),
        ("loop f in", "no index is declared as `f`"),
        ("loop e in 0..5 step { }", "expected the step, found `{`"),
        (
            "block { eq 3 }",
            "the program has 3 equations, counted from 0",
        ),
        ("block { eq 0 @ j }", "expected `+`, found `}`"),
        ("block { y }", "expected `eq` or `}`, found `y`"),
        ("store s: memory[5]", "this array has 2 dimensions, not 1"),
        (
            "store s: disk",
            "expected `register`, `registers` or `memory`, found `disk`",
        ),
        (
            "copy s over j into y[j] +=",
            "this array has 2 dimensions, not 1",
        ),
        (
            "copy s into y[e, 0]",
            "expected `=` or `+=`, found the end of the line",
        ),
        (
            "zero s }",
            "expected `loop`, `block`, `reduce`, `copy` or `zero`, found `}`",
        ),
        (
            "loop e in 0..5 {",
            "expected `}`, found the end of the text",
        ),
    ] {
        let error = parse(&format!("schedule width 1\n{line}"), &program).unwrap_err();
        assert_eq!(error.message, expected, "{line}");
        assert!(error.line >= 2);
    }
    let error = parse("schedule width 0", &program).unwrap_err();
    assert_eq!(error.message, "expected a number of lanes, found `0`");
}

fn index(random: &mut Random, program: &Program) -> IndexId {
    IndexId(random.below(program.indices.len()) as u32)
}

fn indices(random: &mut Random, program: &Program) -> Vec<IndexId> {
    let count = random.below(3);
    (0..count).map(|_| index(random, program)).collect()
}

fn array(random: &mut Random, program: &Program) -> ArrayId {
    ArrayId(random.below(program.arrays.len()) as u32)
}

fn instances(random: &mut Random, program: &Program) -> Vec<Instance> {
    let count = match program.equations.len() {
        0 => 0,
        _ => random.below(3),
    };
    let one = |random: &mut Random| Instance {
        equation: random.below(program.equations.len()),
        offsets: indices(random, program)
            .into_iter()
            .map(|i| (i, random.below(4)))
            .collect(),
    };
    (0..count).map(|_| one(random)).collect()
}

fn nodes(random: &mut Random, program: &Program, depth: usize) -> Vec<Node> {
    let count = random.below(4);
    let one = |random: &mut Random| match random.below(if depth > 0 { 7 } else { 5 }) {
        0 => Node::Block(instances(random, program)),
        1 => {
            let loops = indices(random, program);
            let chains = match loops.is_empty() {
                true => 1,
                false => 1 + random.below(3),
            };
            Node::Reduction {
                instances: instances(random, program),
                loops,
                chains,
            }
        }
        2 => Node::Zero(array(random, program)),
        3 => {
            let target = match program.equations.first() {
                Some(equation) => equation.target.clone(),
                None => Access {
                    array: ArrayId(0),
                    subscripts: Vec::new(),
                },
            };
            let places = program
                .equations
                .first()
                .and_then(|e| e.target.subscripts.first().cloned());
            Node::CopyOut(CopyOut {
                staged: array(random, program),
                loops: indices(random, program),
                places: places.filter(|_| random.below(2) == 0),
                target,
                accumulate: (random.below(2) == 0).then_some(Combining::Add),
                pipelined: match random.below(3) {
                    0 => Pipelined::No,
                    1 => Pipelined::NextVector,
                    _ => {
                        let parts =
                            (0..1 + random.below(3)).map(|_| (random.below(9), random.below(99)));
                        Pipelined::SameVector(parts.collect())
                    }
                },
            })
        }
        4 => Node::Advance(array(random, program)),
        _ => {
            let index = index(random, program);
            let end = match random.below(2) {
                0 => Extent::Constant(random.below(9)),
                _ => program.loop_index(index).extent.clone(),
            };
            let with = (0..random.below(3)).map(|_| (indices(random, program), random.below(9)));
            let with = with.filter_map(|(some, ahead)| Some((*some.first()?, ahead)));
            Node::Loop(Loop {
                index,
                with: with.collect(),
                steps: random.one(&[
                    Steps::All,
                    Steps::Whole,
                    Steps::Rest,
                    Steps::Once,
                    Steps::First(2),
                    Steps::Last(3),
                    Steps::Skewed { over: index, by: 1 },
                ]),
                start: random.below(3),
                end,
                step: random.below(3) + 1,
                body: nodes(random, program, depth - 1),
            })
        }
    };
    (0..count).map(|_| one(random)).collect()
}

#[test]
fn random_schedules_come_back() {
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let program = program(&mut random);
        let count = random.below(program.arrays.len());
        let storage = (0..count).map(|at| {
            let lanes = random.below(2) == 0;
            let shape = program.arrays[at].shape.iter();
            let choices = [
                Dimension::CONTRACTED,
                Dimension::Kept(3),
                Dimension::Ring(4),
            ];
            let extents = shape.map(|_| random.one(&choices)).collect();
            let storage = match random.below(3) {
                0 => Storage::Register { lanes },
                1 => Storage::Registers { extents, lanes },
                _ => Storage::Memory { extents, lanes },
            };
            (ArrayId(at as u32), storage)
        });
        let schedule = Schedule {
            storage: storage.collect(),
            buffers: match random.below(2) {
                0 => Vec::new(),
                _ => vec![vec![ArrayId(0)], vec![ArrayId(2), ArrayId(1)]],
            },
            width: random.below(8) + 1,
            others: Vec::new(),
            lanes: random.one(&[None, Some(IndexId(0))]),
            body: nodes(&mut random, &program, 3),
        };
        let text = print(&program, &schedule);
        let back = parse(&text, &program).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        assert_eq!(format!("{back:?}"), format!("{schedule:?}"), "{text}");
        assert_eq!(print(&program, &back), text);
        // Indices have the same names in a program that was read.
        let program = crate::ir::text::parse(&crate::ir::text::print(&program)).unwrap();
        assert_eq!(print(&program, &back), text);
    }
}
