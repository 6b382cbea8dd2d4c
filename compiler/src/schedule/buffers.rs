//! Large temporaries that are not alive together take turns in one buffer.
//!
//! A temporary is alive from where it is first written to where it is last read, in the order in
//! which the tree is executed. Inside a loop around all of its uses it dies with each iteration,
//! unless what it holds is of several: where an element's place moves along with the loop, or where
//! it is read before it is written. The largest temporaries choose first, each the smallest buffer
//! in which nothing is alive when it is.

use std::ops::RangeInclusive;

use super::dependence::reads;
use super::lane_reduction::folded;
use super::tree::{Dimension, Loop, Node, Schedule, Storage};
use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, Affine, ArrayId, IndexId, Program};

/// Largest temporary on the stack, in bytes.
const ON_STACK: usize = 16 << 10;

/// All temporaries on the stack.
const ALL_ON_STACK: usize = 64 << 10;

/// Decides which temporaries live in buffers, and which of them in the same; says what there is to
/// say.
pub fn run(program: &Program, schedule: &mut Schedule) -> Option<String> {
    schedule.buffers = Vec::new();
    let large = large(program, schedule);
    if large.is_empty() {
        return None;
    }
    let (count, alone) = (large.len(), stored(program, schedule));
    let mut open = large.clone();
    open.retain(|array| !is_bounded(schedule, *array));
    schedule.buffers = share(program, schedule, large);
    let (buffers, together) = (schedule.buffers.len(), stored(program, schedule));
    let mut said = Vec::new();
    if open.len() < count {
        said.push(format!(
            "{count} large temporaries in {buffers} buffers: {together} bytes, {alone} in one each"
        ));
    }
    for array in open {
        let name = &program.array(array).name;
        let elements = elements(program, schedule, array);
        said.push(format!(
            "`{name}` keeps {elements} elements in scratch memory"
        ));
    }
    Some(said.join("; "))
}

/// Gives each large temporary that lives in no buffer one of its own.
pub fn complete(program: &Program, schedule: &mut Schedule) {
    if schedule.buffers.is_empty() {
        run(program, schedule);
        return;
    }
    let mut missing = large(program, schedule);
    missing.retain(|array| schedule.buffer_of(*array).is_none());
    schedule
        .buffers
        .extend(missing.into_iter().map(|array| vec![array]));
}

/// How many elements a temporary has, in the names of the text.
fn elements(program: &Program, schedule: &Schedule, array: ArrayId) -> String {
    let extents = schedule.storage_of(array).map_or(&[][..], Storage::extents);
    let shape = program.array(array).shape.iter();
    let mut factors = Vec::new();
    for (dimension, extent) in extents.iter().zip(shape) {
        match (dimension.places(), extent.run_time()) {
            (None, Some(extent)) => factors.push(program.describe(extent)),
            (Some(places), _) if places > 1 => factors.push(places.to_string()),
            _ => {}
        }
    }
    factors.join(" * ")
}

/// Temporaries in as few bytes as can be: those of one buffer are not alive together.
pub fn share(program: &Program, schedule: &Schedule, large: Vec<ArrayId>) -> Vec<Vec<ArrayId>> {
    let spans = spans(program, schedule, &large);
    let size = |array: ArrayId| bytes(program, schedule, array);
    let mut order = large;
    order.sort_by_key(|array| (std::cmp::Reverse(size(*array)), *array));
    let mut buffers: Vec<Vec<ArrayId>> = Vec::new();
    for array in order {
        let free = |buffer: &&mut Vec<ArrayId>| {
            let element = |array: ArrayId| program.array(array).element;
            buffer.iter().all(|other| {
                element(*other) == element(array) && apart(spans.get(other), spans.get(&array))
            })
        };
        // The first of each buffer is the largest of it, and no larger than that of the one before.
        match buffers.iter_mut().rev().find(free) {
            Some(buffer) => buffer.push(array),
            None => buffers.push(vec![array]),
        }
    }
    buffers
}

/// The bytes that temporaries in memory take at once, of those whose extents are known.
pub fn stored(program: &Program, schedule: &Schedule) -> u64 {
    let size = |array: &ArrayId| match is_bounded(schedule, *array) {
        true => bytes(program, schedule, *array) as u64,
        false => 0,
    };
    let sharing = schedule.buffers.iter();
    let shared = sharing.map(|buffer| buffer.iter().map(size).max().unwrap_or(0));
    let alone = schedule.storage.iter().map(|(array, _)| array);
    let alone = alone.filter(|array| schedule.buffer_of(**array).is_none());
    shared.sum::<u64>() + alone.map(size).sum::<u64>()
}

/// Whether two are not alive together; what has no span is alive always.
fn apart(one: Option<&RangeInclusive<usize>>, other: Option<&RangeInclusive<usize>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.end() < other.start() || other.end() < one.start(),
        _ => false,
    }
}

/// The bytes of a temporary in memory; a number of unknown type has 8, and an extent that is not known
/// is that of the cost model.
fn bytes(program: &Program, schedule: &Schedule, array: ArrayId) -> usize {
    let Some(storage @ Storage::Memory { lanes, .. }) = schedule.storage_of(array) else {
        return 0;
    };
    let each = program.array(array).element.bytes();
    let lanes = if *lanes { schedule.width } else { 1 };
    let halves = if schedule.is_halved(array) { 2 } else { 1 };
    storage
        .likely(program, array)
        .saturating_mul(lanes * halves * each)
}

/// Whether it is known now how many places a temporary has.
fn is_bounded(schedule: &Schedule, array: ArrayId) -> bool {
    let storage = schedule.storage_of(array);
    storage.is_none_or(|storage| storage.places().is_some())
}

/// Temporaries that have no room on the stack.
fn large(program: &Program, schedule: &Schedule) -> Vec<ArrayId> {
    let mut stack = 0;
    let mut result = Vec::new();
    for (array, _) in &schedule.storage {
        let size = bytes(program, schedule, *array);
        if !is_bounded(schedule, *array) || size > ON_STACK || stack + size > ALL_ON_STACK {
            result.push(*array);
        } else {
            stack += size;
        }
    }
    result
}

/// Where temporaries are alive, as positions in the order of execution; those that always are have
/// none.
fn spans(
    program: &Program,
    schedule: &Schedule,
    of: &[ArrayId],
) -> HashMap<ArrayId, RangeInclusive<usize>> {
    let always = folded(program, schedule);
    let mut walk = Walk {
        program,
        reads: reads(program),
        position: 0,
        open: Vec::new(),
        loops: Vec::new(),
        uses: HashMap::default(),
    };
    walk.nodes(&schedule.body);
    let mut result = HashMap::default();
    for array in of {
        if always.contains(array) || schedule.is_halved(*array) {
            continue;
        }
        if let (Some(uses), Some(storage)) = (walk.uses.get(array), schedule.storage_of(*array)) {
            result.insert(*array, walk.span(uses, storage));
        }
    }
    result
}

/// A use of a temporary.
struct Use {
    position: usize,
    /// The loops around it, outermost first.
    path: Vec<usize>,
    /// It defines what it writes: it neither reads nor adds.
    defines: bool,
    /// The element; none where it is all of them.
    subscripts: Vec<Affine>,
}

/// A loop of the tree: its indices, and its positions.
struct Span {
    indices: HashSet<IndexId>,
    positions: RangeInclusive<usize>,
}

/// Goes through a tree in the order of execution.
struct Walk<'a> {
    program: &'a Program,
    reads: Vec<Vec<Access>>,
    position: usize,
    open: Vec<usize>,
    loops: Vec<Span>,
    uses: HashMap<ArrayId, Vec<Use>>,
}

impl Walk<'_> {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Loop(inner) => self.one(inner),
                Node::Block(instances) => {
                    for instance in instances {
                        self.equation(instance.equation, false);
                    }
                }
                Node::Reduction { instances, .. } => {
                    // All are evaluated, then all are stored.
                    let start = self.position;
                    for instance in instances {
                        self.position = start;
                        self.equation(instance.equation, true);
                    }
                }
                Node::CopyOut(copy) => {
                    self.meet(copy.staged, false, &copy.subscripts());
                    self.meet(copy.target.array, false, &copy.target.subscripts);
                }
                Node::Advance(staged) => self.meet(*staged, false, &[]),
                Node::Zero(array) => self.meet(*array, true, &[]),
            }
            self.position += 1;
        }
    }

    fn one(&mut self, inner: &Loop) {
        let at = self.loops.len();
        let with = inner.with.iter().map(|(index, _)| *index);
        self.loops.push(Span {
            indices: with.chain([inner.index]).collect(),
            positions: self.position..=self.position,
        });
        self.open.push(at);
        let start = self.position;
        self.nodes(&inner.body);
        self.open.pop();
        self.loops[at].positions = start..=self.position;
    }

    /// What an instance of an equation reads, and then what it writes: at once, or as `whole` sums.
    fn equation(&mut self, at: usize, whole: bool) {
        let equation = &self.program.equations[at];
        for access in self.reads[at].clone() {
            self.meet(access.array, false, &access.subscripts);
        }
        self.position += 1;
        let sum = !whole && !equation.reduction.is_empty();
        let defines = !sum && equation.operator.accumulated().is_none();
        self.meet(equation.target.array, defines, &equation.target.subscripts);
    }

    fn meet(&mut self, array: ArrayId, defines: bool, subscripts: &[Affine]) {
        self.uses.entry(array).or_default().push(Use {
            position: self.position,
            path: self.open.clone(),
            defines,
            subscripts: subscripts.to_vec(),
        });
    }

    /// Where a temporary is alive.
    fn span(&self, uses: &[Use], storage: &Storage) -> RangeInclusive<usize> {
        let first = uses.iter().map(|one| &one.path);
        let common = first.clone().fold(None, |common: Option<&[usize]>, path| {
            let common = common.unwrap_or(path);
            let same = common.iter().zip(path).take_while(|(a, b)| a == b).count();
            Some(&common[..same])
        });
        let common = common.unwrap_or_default();
        let start = uses.iter().map(|one| one.position).min().unwrap_or(0);
        let defined = uses.iter().any(|one| one.position == start && one.defines)
            && uses.iter().all(|one| one.position > start || one.defines);
        let kept = common
            .iter()
            .find(|around| !defined || self.moves(uses, storage, **around));
        if let Some(around) = kept {
            return self.loops[*around].positions.clone();
        }
        let ends = uses.iter().map(|one| match one.path.get(common.len()) {
            Some(inner) => self.loops[*inner].positions.clone(),
            None => one.position..=one.position,
        });
        let both = ends.reduce(|a, b| *a.start().min(b.start())..=*a.end().max(b.end()));
        both.unwrap_or(start..=start)
    }

    /// Whether the places of elements change with a loop.
    fn moves(&self, uses: &[Use], storage: &Storage, around: usize) -> bool {
        let Storage::Memory { extents, .. } = storage else {
            return true;
        };
        let indices = &self.loops[around].indices;
        uses.iter().any(|one| {
            // Of a copy the subscripts are those of the dimensions that are kept.
            let all = one.subscripts.len() == extents.len();
            let axes = one.subscripts.iter().enumerate();
            let mut placed =
                axes.filter(|(axis, _)| !all || extents[*axis] != Dimension::CONTRACTED);
            placed.any(|(_, subscript)| indices.iter().any(|index| subscript.depends_on(*index)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{large, run};
    use crate::ir::text::parse;
    use crate::ir::{ArrayId, Program};
    use crate::schedule::tree::Schedule;
    use crate::schedule::{Target, Wishes, schedule};
    use std::fmt::Write as _;

    fn scheduled(program: &Program, width: usize) -> (Program, Schedule) {
        let target = Target {
            width,
            registers: 16,
        };
        let scheduled = schedule(program, target, &Wishes::default()).unwrap();
        (scheduled.program, scheduled.schedule)
    }

    #[test]
    fn a_chain_takes_two_buffers() {
        let mut text = "program p\nindex i: 3000\nindex k: 3000\nparam 0 x: f64[3000]\n\
                        output 1 y: f64[3000]\n"
            .to_owned();
        for name in ["a", "b", "c", "d"] {
            let _ = writeln!(text, "temp {name}: f64[3000]");
        }
        text.push_str("a[i] = sum(k) x[k]*x[i]   for i\n");
        for (from, to) in [("a", "b"), ("b", "c"), ("c", "d")] {
            let _ = writeln!(text, "{to}[i] = sum(k) {from}[k]*x[i]   for i");
        }
        text.push_str("y[i] += sum(k) d[k]*x[i]   for i\n");
        let (program, mut schedule) = scheduled(&parse(&text).unwrap(), 1);
        let name = |array: &ArrayId| program.array(*array).name.clone();
        let names = |buffer: &Vec<ArrayId>| buffer.iter().map(name).collect::<String>();
        let buffers: Vec<String> = schedule.buffers.iter().map(names).collect();
        assert_eq!(buffers, ["ac", "bd"]);
        assert_eq!(large(&program, &schedule).len(), 4);
        let said = run(&program, &mut schedule).unwrap();
        assert_eq!(
            said,
            "4 large temporaries in 2 buffers: 48000 bytes, 96000 in one each"
        );
    }
}
