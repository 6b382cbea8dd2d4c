//! Large constant extents are shrunk for interpretation: whole steps of the loops are left out,
//! so that main parts and remainders stay as they are.

use std::collections::HashMap;

use crate::ir::{ArrayId, Equation, Expr, Extent, IndexId, Program, Role};
use crate::schedule::tree::{CopyOut, Loop, Node, Schedule};

/// Iterations that are left of a loop, at least.
const FEWEST: usize = 3;

/// For each constant extent that shrinks, how many iterations are left.
pub fn trips(program: &Program, schedule: &Schedule) -> HashMap<usize, usize> {
    let mut limits = Limits {
        fixed: read_apart(program),
        ..Limits::default()
    };
    limits.fixed.extend(joined(program));
    limits.nodes(program, &schedule.body);
    limits.targets(program);
    let mut result = HashMap::new();
    for index in &program.indices {
        let Extent::Constant(n) = index.extent else {
            continue;
        };
        if limits.fixed.contains(&n) {
            continue;
        }
        let (step, removable) = limits.steps.get(&n).copied().unwrap_or((1, n));
        let most = removable.min(n.saturating_sub(FEWEST)) / step;
        result.insert(n, n - most * step);
    }
    result
}

/// Extents of temporaries that are not read as they are written, along loops of the same extent:
/// shrunk loops would leave elements out that others read.
pub fn read_apart(program: &Program) -> Vec<usize> {
    let mut result = Vec::new();
    for expr in program.reachable() {
        let Expr::Access(access) = program.pool.get(expr) else {
            continue;
        };
        let array = program.array(access.array);
        if !matches!(array.role, Role::Temporary) {
            continue;
        }
        for (subscript, extent) in access.subscripts.iter().zip(&array.shape) {
            let along = subscript.as_index();
            let along = along.map(|index| &program.loop_index(index).extent);
            if let (Extent::Constant(n), false) = (extent, along == Some(extent)) {
                result.push(*n);
            }
        }
    }
    result
}

/// Extents of loops that were joined into one, and of that: arrays viewed with their last two
/// dimensions joined tell them. The source has the two, the schedule has the one.
fn joined(program: &Program) -> Vec<usize> {
    let mut result = Vec::new();
    for (at, view) in program.arrays.iter().enumerate() {
        let id = ArrayId(at as u32);
        let first = program.viewed(id);
        // A state has the shape of its output.
        if view.shape.len() < program.array(first).shape.len() {
            let shape = program.array(first).shape.iter().rev().take(2);
            result.extend(
                shape
                    .chain(view.shape.last())
                    .filter_map(Extent::as_constant),
            );
        }
    }
    result
}

#[derive(Default)]
struct Limits {
    /// Common step, and iterations that every loop can spare, by extent.
    steps: HashMap<usize, (usize, usize)>,
    fixed: Vec<usize>,
}

impl Limits {
    fn nodes(&mut self, program: &Program, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    self.one(program, l);
                    self.nodes(program, &l.body);
                }
                Node::CopyOut(copy) => {
                    let in_domain = |index| {
                        program
                            .equations
                            .iter()
                            .any(|e| e.domain().any(|i| i == index))
                    };
                    if copy.loops.iter().all(|index| in_domain(*index)) {
                        continue;
                    }
                    // Staged as a whole, every element must be written. Where the subscripts are
                    // plain loops, these and the copy's shrink alike.
                    for equation in &program.equations {
                        if equation.target.array == copy.staged {
                            self.staged(program, copy, equation);
                        }
                    }
                }
                Node::Block(_) | Node::Reduction { .. } | Node::Zero(_) => {}
            }
        }
    }

    /// A temporary that is written at other subscripts than plain loops is written as a whole.
    fn targets(&mut self, program: &Program) {
        for equation in &program.equations {
            let array = program.array(equation.target.array);
            let mut subscripts = equation.target.subscripts.iter();
            if matches!(array.role, Role::Temporary) && subscripts.any(|s| s.as_index().is_none()) {
                let own = equation
                    .domain()
                    .filter_map(|index| program.loop_index(index).extent.as_constant());
                self.fixed.extend(own);
                self.fixed
                    .extend(array.shape.iter().filter_map(Extent::as_constant));
            }
        }
    }

    fn staged(&mut self, program: &Program, copy: &CopyOut, equation: &Equation) {
        let extent = |index: IndexId| program.loop_index(index).extent.as_constant();
        // The first dimension is that of the lanes.
        let subscripts = equation.target.subscripts.iter().skip(1);
        let plain = subscripts.clone().count() == copy.loops.len()
            && subscripts.zip(&copy.loops).all(|(subscript, of)| {
                subscript
                    .as_index()
                    .is_some_and(|i| extent(i) == extent(*of))
            });
        if !plain {
            let indices = equation.free.iter().chain(&copy.loops);
            self.fixed
                .extend(indices.filter_map(|index| extent(*index)));
        }
    }

    fn one(&mut self, program: &Program, l: &Loop) {
        let (Extent::Constant(n), Extent::Constant(end)) =
            (&program.loop_index(l.index).extent, &l.end)
        else {
            return;
        };
        if l.start > 0 {
            return;
        }
        let iterations = end.div_ceil(l.step);
        let spare = iterations.saturating_sub(1) * l.step;
        let entry = self.steps.entry(*n).or_insert((l.step, spare));
        entry.0 = least_common_multiple(entry.0, l.step);
        entry.1 = entry.1.min(spare);
    }
}

fn least_common_multiple(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
