//! How many iterations of a loop tree's loops can be left out: whole steps of the loops, so that main parts and
//! remainders stay as they are.

use std::collections::{BTreeMap, BTreeSet};

use super::{Loops, Runs};
use crate::collections::HashMap;
use crate::ir::{Affine, Equation, Extent, IndexId, Program, Role};
use crate::schedule::front;
use crate::schedule::tree::{CopyOut, Dimension, Instance, Loop, Node, Schedule, Steps, Storage};

/// Iterations that are left of a loop, at least.
const FEWEST: usize = 3;
/// Blocks that are left of a loop over blocks.
const BLOCKS: usize = 2;

/// The loops of a program and of the scheduled one, and for each class how many iterations are left out.
pub fn left_out(
    compared: &Program,
    program: &Program,
    schedule: &Schedule,
) -> (Loops, HashMap<usize, usize>) {
    let mut limits = Limits {
        compared,
        program,
        schedule,
        same: Vec::new(),
        whole: Vec::new(),
        steps: Vec::new(),
    };
    limits.nests(&schedule.body, &mut Vec::new());
    limits.nodes(&schedule.body);
    limits.targets();
    let given = (limits.same.as_slice(), limits.whole.as_slice());
    let loops = Loops::with(compared, program, None, given);
    // Common step, and iterations that every loop can spare, by class.
    let mut steps: HashMap<usize, (usize, usize)> = HashMap::default();
    for (index, step, spare) in &limits.steps {
        let entry = steps.entry(loops.class(*index)).or_insert((*step, *spare));
        entry.0 = least_common_multiple(entry.0, *step);
        entry.1 = entry.1.min(*spare);
    }
    let blocks: BTreeSet<usize> = (loops.split.values().flatten())
        .filter(|(_, part)| part.width > 1)
        .map(|(class, _)| *class)
        .collect();
    let mut result = HashMap::default();
    for class in &loops.used(compared) | &loops.used(program) {
        let (Some(n), Runs::Any | Runs::First) = (loops.length(class), loops.runs_of(class).1)
        else {
            continue;
        };
        let fewest = if blocks.contains(&class) {
            BLOCKS
        } else {
            FEWEST
        };
        let (step, removable) = steps.get(&class).copied().unwrap_or((1, n));
        let most = removable.min(n.saturating_sub(fewest)) / step;
        result.insert(class, most * step);
    }
    (loops, result)
}

/// The longest step of loops that run whole steps only; zero if there are none.
pub fn unrolled(nodes: &[Node]) -> usize {
    let loops = nodes.iter().filter_map(|node| match node {
        Node::Loop(l) => Some(l),
        _ => None,
    });
    let steps = loops.map(|l| {
        let own = if l.steps == Steps::Whole { l.step } else { 0 };
        own.max(unrolled(&l.body))
    });
    steps.max().unwrap_or(0)
}

/// The longest step of loops over lanes in strips of others; zero if there are none.
pub fn wide(nodes: &[Node]) -> usize {
    let loops = nodes.iter().filter_map(|node| match node {
        Node::Loop(l) => Some(l),
        _ => None,
    });
    let steps = loops.map(|l| match l.steps {
        Steps::Strips if l.with.is_empty() => longest(&l.body),
        _ => wide(&l.body),
    });
    steps.max().unwrap_or(0)
}

/// Iterations with which loops in strips, some of which move along ahead of others, have a first strip, a last one
/// and others between; zero if there are none.
pub fn moving(nodes: &[Node]) -> usize {
    let loops = nodes.iter().filter_map(|node| match node {
        Node::Loop(l) => Some(l),
        _ => None,
    });
    let needed = loops.map(|l| {
        let ahead = l.with.iter().map(|(_, ahead)| *ahead).max();
        let own = match (l.steps, ahead) {
            (Steps::Strips, Some(ahead)) => ahead + 3 * l.step,
            _ => 0,
        };
        own.max(moving(&l.body))
    });
    needed.max().unwrap_or(0)
}

/// The longest step of loops that take all of their values.
fn longest(nodes: &[Node]) -> usize {
    let loops = nodes.iter().filter_map(|node| match node {
        Node::Loop(l) => Some(l),
        _ => None,
    });
    let steps = loops.map(|l| match l.steps {
        Steps::All => l.step.max(longest(&l.body)),
        _ => longest(&l.body),
    });
    steps.max().unwrap_or(0)
}

/// What must keep its length, since the loops' structure depends on it, and what is one loop.
struct Limits<'a> {
    compared: &'a Program,
    program: &'a Program,
    schedule: &'a Schedule,
    same: Vec<(IndexId, IndexId)>,
    whole: Vec<IndexId>,
    /// Steps of loops, and the iterations that they can spare.
    steps: Vec<(IndexId, usize, usize)>,
}

impl Limits<'_> {
    fn nests(&mut self, nodes: &[Node], open: &mut Vec<IndexId>) {
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    let before = open.len();
                    open.push(l.index);
                    open.extend(l.with.iter().map(|(index, _)| *index));
                    if !l.with.is_empty() {
                        self.whole.extend(&open[before..]);
                    }
                    self.nests(&l.body, open);
                    open.truncate(before);
                }
                Node::Block(instances) | Node::Reduction { instances, .. } => {
                    for instance in instances {
                        self.instance(instance, open);
                    }
                }
                Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => {}
            }
        }
    }

    /// Loops that hand values on from one iteration to another stay whole, with their prologues;
    /// what is peeled off a loop keeps its place.
    fn instance(&mut self, instance: &Instance, open: &[IndexId]) {
        if self.carries(instance.equation) {
            self.whole.extend(open);
        }
        let moved = instance.offsets.iter().filter(|(_, offset)| *offset > 0);
        let peeled = moved.map(|(index, _)| *index);
        self.whole
            .extend(peeled.filter(|index| !open.contains(index)));
    }

    fn carries(&self, equation: usize) -> bool {
        let target = self.program.equations[equation].target.array;
        match self.schedule.storage_of(target) {
            Some(Storage::Registers { .. }) => true,
            Some(Storage::Memory { extents, .. }) => extents
                .iter()
                .any(|d| matches!(d, Dimension::Ring(depth) if *depth > 1)),
            Some(Storage::Register { .. }) | None => false,
        }
    }

    fn nodes(&mut self, nodes: &[Node]) {
        let program = self.program;
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    self.one(l);
                    self.nodes(&l.body);
                }
                Node::CopyOut(copy) => {
                    self.placed(copy);
                    let in_domain = |index: &IndexId| {
                        let mut equations = program.equations.iter();
                        equations.any(|e| e.domain().any(|i| i == *index))
                    };
                    if copy.loops.iter().all(in_domain) {
                        continue;
                    }
                    // Staged as a whole, every element must be written. Where the subscripts are
                    // plain loops, these and the copy's shrink alike.
                    for equation in &program.equations {
                        if equation.target.array == copy.staged {
                            self.staged(copy, equation);
                        }
                    }
                }
                Node::Block(_) | Node::Reduction { .. } | Node::Advance(_) | Node::Zero(_) => {}
            }
        }
    }

    /// What is copied from where temporaries hold it already is copied at once.
    fn placed(&mut self, copy: &CopyOut) {
        if copy.places.is_none() {
            return;
        }
        let output = self.program.array(copy.target.array).role.position();
        for equation in &self.compared.equations {
            let target = self.compared.array(equation.target.array);
            if target.role.position() == output {
                self.whole.extend(&equation.free);
            }
        }
    }

    /// A temporary that is written at other subscripts than plain loops is written as a whole. How
    /// much is summed for each element does not matter.
    fn targets(&mut self) {
        let program = self.program;
        let other = |equation: &&Equation| {
            let mut subscripts = equation.target.subscripts.iter();
            let temporary = matches!(program.array(equation.target.array).role, Role::Temporary);
            temporary && subscripts.any(|s| s.as_index().is_none())
        };
        let others = program.equations.iter().filter(other);
        let arrays: BTreeSet<_> = others.map(|equation| equation.target.array).collect();
        for equation in program.equations.iter() {
            if arrays.contains(&equation.target.array) {
                self.whole.extend(&equation.free);
            }
        }
        let values = program.equations.iter().map(|equation| equation.expr);
        for (_, access) in program.pool.accesses(values) {
            if arrays.contains(&access.array) {
                let plain = access.subscripts.iter().filter_map(Affine::as_index);
                self.whole.extend(plain);
            }
        }
    }

    fn staged(&mut self, copy: &CopyOut, equation: &Equation) {
        let extent = |index: IndexId| self.program.loop_index(index).extent.as_constant();
        // The first dimension is that of the lanes.
        let subscripts = equation.target.subscripts.iter().skip(1);
        let pairs: Option<Vec<(IndexId, IndexId)>> = (subscripts.clone().zip(&copy.loops))
            .map(|(subscript, of)| {
                let own = subscript.as_index();
                own.filter(|own| extent(*own) == extent(*of))
                    .map(|own| (own, *of))
            })
            .collect();
        let plain = copy.places.is_none() && subscripts.count() == copy.loops.len();
        match pairs.filter(|_| plain) {
            Some(pairs) => self.same.extend(pairs),
            None => self.whole.extend(equation.free.iter().chain(&copy.loops)),
        }
    }

    fn one(&mut self, l: &Loop) {
        let (Extent::Constant(_), Extent::Constant(end)) =
            (&self.program.loop_index(l.index).extent, &l.end)
        else {
            return;
        };
        if l.start > 0 {
            return;
        }
        let iterations = end.div_ceil(l.step);
        let spare = iterations.saturating_sub(1) * l.step;
        self.steps.push((l.index, l.step, spare));
    }
}

fn least_common_multiple(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// The numbers of iterations, known when the kernel runs, of loops that run in steps, and how many each needs for whole steps and
/// what these leave: those of each nest.
pub fn in_steps(program: &Program, nodes: &[Node]) -> Vec<Vec<(Affine, usize)>> {
    let nests = nodes.iter().map(|node| {
        let mut all = BTreeMap::new();
        add_steps(program, std::slice::from_ref(node), &mut all);
        all.into_iter().collect::<Vec<_>>()
    });
    nests.filter(|all| !all.is_empty()).collect()
}

fn add_steps(program: &Program, nodes: &[Node], result: &mut BTreeMap<Affine, usize>) {
    for node in nodes {
        let Node::Loop(inner) = node else { continue };
        let ahead = inner.with.iter().map(|(_, ahead)| *ahead).max();
        let needed = match (inner.steps, ahead) {
            (Steps::Strips, Some(ahead)) => ahead + 3 * inner.step,
            (Steps::Strips, None) => inner.step + inner.step / 2 + 1,
            (Steps::Whole | Steps::Rest, _) => 3 * inner.step - 1,
            // Each row has columns alone, and beside all others.
            (Steps::Skewed { over, by }, _) => by * front::rows(inner, over) + 1,
            _ => inner.step + 1,
        };
        let moving = inner.with.iter().map(|(index, _)| *index);
        let moving = moving.filter(|_| inner.steps == Steps::Strips);
        let skewed = matches!(inner.steps, Steps::Skewed { .. });
        let own = std::iter::once(inner.index).filter(|_| inner.step > 1 || skewed);
        for index in own.chain(moving) {
            if let Some(length) = program.loop_index(index).extent.run_time() {
                let most = result.entry(length.clone()).or_default();
                *most = needed.max(*most);
            }
        }
        add_steps(program, &inner.body, result);
    }
}
