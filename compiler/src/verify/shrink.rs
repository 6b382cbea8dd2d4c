//! Large constant extents are shrunk for interpretation: whole steps of the loops are left out,
//! so that main parts and remainders stay as they are.

use std::collections::{BTreeSet, HashMap};

use crate::ir::{
    Access, ArrayId, Blocked, Equation, Expr, Extent, IndexId, Operator, Program, Role, Split,
};
use crate::schedule::tree::{CopyOut, Dimension, Instance, Loop, Node, Schedule, Steps, Storage};

/// Iterations that are left of a loop, at least.
const FEWEST: usize = 3;
/// Blocks that are left of a loop in blocks.
const BLOCKS: usize = 2;

/// For each constant extent that shrinks, how many iterations are left. `compared` has the loops of
/// what the schedule is compared with.
pub fn trips(compared: &Program, program: &Program, schedule: &Schedule) -> HashMap<usize, usize> {
    let mut limits = Limits {
        fixed: apart(compared, program),
        ..Limits::default()
    };
    limits.fixed.extend(joined(program));
    let nests = Nests { program, schedule };
    nests.nodes(&schedule.body, &mut Vec::new(), &mut limits.fixed);
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
    let mut loops: BTreeSet<IndexId> = program.equations.iter().flat_map(|e| e.domain()).collect();
    loops.extend(schedule.copies().into_iter().flat_map(|copy| &copy.loops));
    for blocked in &program.blocked {
        if alone(program, &loops, blocked) {
            let left_out = blocked.count.saturating_sub(BLOCKS);
            result.insert(blocked.whole, blocked.whole - left_out * blocked.size);
            result.insert(blocked.count, blocked.count - left_out);
        }
    }
    result
}

/// The extents of a loop in blocks, and of its parts: none shrinks without the others.
fn in_parts(blocked: &Blocked) -> [usize; 4] {
    let left = blocked.whole - blocked.count * blocked.size;
    [blocked.whole, blocked.count, blocked.size, left]
}

/// Whether the loop over blocks is the only one of its length, and no loop has that of all
/// iterations: then blocks can be left out.
fn alone(program: &Program, loops: &BTreeSet<IndexId>, blocked: &Blocked) -> bool {
    let extents = loops
        .iter()
        .map(|i| program.loop_index(*i).extent.as_constant());
    let of_length = |n: usize| extents.clone().filter(|e| *e == Some(n)).count();
    of_length(blocked.whole) == 0 && of_length(blocked.count) == 1
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

/// Extents that must not shrink, whatever the schedule.
pub fn apart(compared: &Program, program: &Program) -> Vec<usize> {
    // Passes may have left such temporaries out, which the other one still has.
    let both = [compared, program].into_iter();
    let mut result: Vec<usize> = both.clone().flat_map(read_apart).collect();
    result.extend(both.flat_map(added_apart));
    result.extend(&compared.whole);
    result.extend(&program.whole);
    result.extend(program.blocked.iter().flat_map(in_parts));
    // One loop for several of the source, or several for one of it: neither has a counterpart that
    // shrinks alike.
    let (before, after) = (domains(compared), domains(program));
    let different = before.symmetric_difference(&after);
    let splits = program
        .split
        .iter()
        .filter(|split| !compared.split.contains(split));
    let split: Vec<usize> = splits.flat_map(extents_of).collect();
    result.extend(different.filter(|extent| !split.contains(extent)));
    result
}

/// The extents of a loop that was split, and of its parts.
fn extents_of(split: &Split) -> impl Iterator<Item = usize> + '_ {
    std::iter::once(split.whole).chain(split.parts.iter().map(|part| part.count))
}

/// The loops that were split and shrink as their parts do. Where others have the loop's extent, or
/// parts have no loops any more, none of them shrinks: `fixed` learns their extents.
pub fn split<'a>(program: &'a Program, fixed: &mut Vec<usize>) -> Vec<&'a Split> {
    let extents = domains(program);
    let mut result: Vec<&Split> = Vec::new();
    for split in &program.split {
        let same = |other: &&Split| other.whole == split.whole && other.parts != split.parts;
        let alone = !extents.contains(&split.whole)
            && !fixed.contains(&split.whole)
            && !program.split.iter().any(|other| same(&other));
        if alone {
            let gone = split.parts.iter().map(|part| part.count);
            fixed.extend(gone.filter(|count| !extents.contains(count)));
            result.push(split);
        } else {
            fixed.extend(extents_of(split));
        }
    }
    result
}

/// The constant extents that equations have loops over.
fn domains(program: &Program) -> BTreeSet<usize> {
    let indices = program.equations.iter().flat_map(|e| e.domain());
    let extents = indices.filter_map(|i| program.loop_index(i).extent.as_constant());
    extents.collect()
}

/// Extents of temporaries that are not read as they are written, along loops of the same extent:
/// shrunk loops would leave elements out that others read.
fn read_apart(program: &Program) -> Vec<usize> {
    let reads = program.reachable().into_iter();
    let reads = reads.filter_map(|expr| match program.pool.get(expr) {
        Expr::Access(access) => Some(access),
        _ => None,
    });
    reads.flat_map(|access| across(program, access)).collect()
}

/// Extents of temporaries to which something is added elsewhere than along loops of the same extent:
/// shrunk loops would leave elements out that it is added to.
fn added_apart(program: &Program) -> Vec<usize> {
    let added = program.equations.iter();
    let added = added.filter(|equation| equation.operator == Operator::Accumulate);
    added
        .flat_map(|equation| across(program, &equation.target))
        .collect()
}

/// Extents of a temporary's dimensions along which an access has no loop of the same extent.
fn across(program: &Program, access: &Access) -> Vec<usize> {
    let array = program.array(access.array);
    if !matches!(array.role, Role::Temporary) {
        return Vec::new();
    }
    let dimensions = access.subscripts.iter().zip(&array.shape);
    let other = dimensions.filter_map(|(subscript, extent)| {
        let along = subscript.as_index();
        let along = along.map(|index| &program.loop_index(index).extent);
        extent.as_constant().filter(|_| along != Some(extent))
    });
    other.collect()
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

/// What must keep its length, since the loops' structure depends on it.
struct Nests<'a> {
    program: &'a Program,
    schedule: &'a Schedule,
}

impl Nests<'_> {
    fn nodes(&self, nodes: &[Node], open: &mut Vec<IndexId>, fixed: &mut Vec<usize>) {
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    let before = open.len();
                    open.push(l.index);
                    open.extend(l.with.iter().map(|(index, _)| *index));
                    if !l.with.is_empty() {
                        fixed.extend(self.extents(&open[before..]));
                    }
                    self.nodes(&l.body, open, fixed);
                    open.truncate(before);
                }
                Node::Block(instances) | Node::Reduction { instances, .. } => {
                    for instance in instances {
                        self.instance(instance, open, fixed);
                    }
                }
                Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => {}
            }
        }
    }

    /// Loops that hand values on from one iteration to another stay whole, with their prologues;
    /// what is peeled off a loop keeps its place.
    fn instance(&self, instance: &Instance, open: &[IndexId], fixed: &mut Vec<usize>) {
        if self.carries(instance.equation) {
            fixed.extend(self.extents(open));
        }
        let moved = instance.offsets.iter().filter(|(_, offset)| *offset > 0);
        let peeled = moved.map(|(index, _)| *index);
        let peeled: Vec<IndexId> = peeled.filter(|index| !open.contains(index)).collect();
        fixed.extend(self.extents(&peeled));
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

    fn extents<'a>(&'a self, indices: &'a [IndexId]) -> impl Iterator<Item = usize> + 'a {
        let extent = |index: &IndexId| self.program.loop_index(*index).extent.as_constant();
        indices.iter().filter_map(extent)
    }
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
                Node::Block(_) | Node::Reduction { .. } | Node::Advance(_) | Node::Zero(_) => {}
            }
        }
    }

    /// A temporary that is written at other subscripts than plain loops is written as a whole. How
    /// much is summed for each element does not matter.
    fn targets(&mut self, program: &Program) {
        for equation in &program.equations {
            let array = program.array(equation.target.array);
            let mut subscripts = equation.target.subscripts.iter();
            if matches!(array.role, Role::Temporary) && subscripts.any(|s| s.as_index().is_none()) {
                let own = equation.free.iter();
                let own = own.filter_map(|index| program.loop_index(*index).extent.as_constant());
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
        let plain = copy.places.is_none()
            && subscripts.clone().count() == copy.loops.len()
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
