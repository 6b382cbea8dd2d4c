//! Finds nests that are products of matrices, or have their form: sums of what one part that moves with a loop over rows
//! and not along the lanes, and another part that moves along the lanes alone, are combined to.

use super::jamming::has_rows_of_sums;
use super::parts::Parts;
use super::tree::{Dimension, Instance, Loop, Node, Schedule, Storage, instances};
use crate::analysis::dependence::{apart, beyond};
use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, ArrayId, Element, IndexId, Program};

/// A nest that is a product of matrices.
pub struct Nest {
    /// The loop over rows.
    pub rows: IndexId,
    /// The loop over columns, which has the lanes.
    pub columns: IndexId,
    /// The innermost loop of the sum.
    pub terms: IndexId,
    /// Loops of the sum around that over its terms.
    pub outer: Vec<IndexId>,
    /// The equation.
    pub equation: usize,
    /// What does not move along the lanes, and what does.
    pub parts: Parts,
    /// Whether lanes stage it, since its elements do not lie together: a copy has them in the same iteration.
    pub staged: bool,
}

/// Products that have rows in common, and what is computed of elements between: each stage may run for all rows before the
/// next one.
pub struct Nests {
    /// The loop over rows.
    pub rows: IndexId,
    /// The stages, in their order.
    pub stages: Vec<Stage>,
    /// Temporaries that one stage writes and another one reads.
    pub kept: Vec<Access>,
}

/// A stage of a loop over rows.
pub enum Stage {
    /// What is computed of each element, in a loop over columns.
    Each(IndexId, Vec<Node>),
    /// A sum.
    Sum(Nest),
}

impl Nests {
    fn sums(self) -> impl Iterator<Item = Nest> {
        let sum = |stage| match stage {
            Stage::Sum(nest) => Some(nest),
            Stage::Each(..) => None,
        };
        self.stages.into_iter().filter_map(sum)
    }
}

/// How many nests of a loop tree are products of matrices, and how many of these write neighbours.
pub fn count(program: &Program, schedule: &Schedule) -> (usize, usize) {
    let mut all = Vec::new();
    find(program, schedule, &schedule.body, &mut all);
    let near = |nest: &&Nest| {
        let target = &program.equations[nest.equation].target;
        let last = target.subscripts.last();
        last.is_some_and(|last| last.as_index() == Some(nest.columns))
    };
    (all.len(), all.iter().filter(near).count())
}

/// The equations of such nests.
pub fn equations(program: &Program, schedule: &Schedule) -> HashSet<usize> {
    let mut all = Vec::new();
    find(program, schedule, &schedule.body, &mut all);
    all.iter().map(|nest| nest.equation).collect()
}

fn find(program: &Program, schedule: &Schedule, nodes: &[Node], found: &mut Vec<Nest>) {
    for node in nodes {
        if let Node::Loop(l) = node {
            match nests(program, schedule, l) {
                Some(nests) => found.extend(nests.sums()),
                None => find(program, schedule, &l.body, found),
            }
        }
    }
}

/// The products that a loop over rows is.
pub fn nests(program: &Program, schedule: &Schedule, l: &Loop) -> Option<Nests> {
    if !has_rows_of_sums(program, schedule, l) {
        return None;
    }
    let rows = l.index;
    let mut stages = Vec::new();
    let mut uses = Uses::default();
    for (part, node) in l.body.iter().enumerate() {
        let Node::Loop(inner) = node else { continue };
        let loops = [rows, inner.index];
        for node in &inner.body {
            if let Node::Reduction {
                instances: sums,
                loops: terms,
                ..
            } = node
            {
                for sum in sums {
                    stages.push(Stage::Sum(nest(program, schedule, (loops, terms, sum))?));
                    uses.add(program, (stages.len(), part), &[sum]);
                }
                continue;
            }
            // What follows from each other at once stays together.
            match stages.last_mut() {
                Some(Stage::Each(_, body)) if uses.part == part => body.push(node.clone()),
                _ => stages.push(Stage::Each(inner.index, vec![node.clone()])),
            }
            let at = (stages.len(), part);
            match node {
                Node::CopyOut(copy) if !copy.loops.is_empty() => return None,
                Node::CopyOut(copy) => uses.write(program, at, &copy.target),
                _ => uses.add(program, at, &instances(std::slice::from_ref(node))),
            }
        }
    }
    let any = stages.iter().any(|stage| matches!(stage, Stage::Sum(_)));
    let kept = between(program, schedule, (rows, &stages, &uses))?;
    any.then_some(Nests { rows, stages, kept })
}

/// The product that a sum is, over these rows and columns, and these terms.
fn nest(
    program: &Program,
    schedule: &Schedule,
    ([rows, columns], terms, instance): ([IndexId; 2], &[IndexId], &Instance),
) -> Option<Nest> {
    let (terms, outer) = terms.split_last()?;
    let equation = &program.equations[instance.equation];
    let everywhere = instances(&schedule.body);
    let mut same = everywhere
        .iter()
        .filter(|i| i.equation == instance.equation);
    let once = same.next().is_some() && same.next().is_none() && instance.offsets.is_empty();
    let numbers = matches!(
        program.pool.element(equation.expr),
        Element::F64 | Element::F32 | Element::Generic
    );
    if !(once && numbers) {
        return None;
    }
    Some(Nest {
        rows,
        columns,
        terms: *terms,
        outer: outer.to_vec(),
        equation: instance.equation,
        parts: Parts::of(&program.pool, equation.expr, [rows, columns, *terms])?,
        staged: matches!(
            schedule.storage_of(equation.target.array),
            Some(Storage::Memory { lanes: true, .. })
        ),
    })
}

/// Accesses of the stages of a loop over rows.
#[derive(Default)]
struct Uses<'a> {
    /// Those to each memory.
    all: HashMap<ArrayId, Vec<Use<'a>>>,
    /// Those that write.
    written: Vec<Use<'a>>,
    /// The loop over columns whose stages were added last.
    part: usize,
}

/// An access in a stage of a loop over columns, each by its number.
#[derive(Clone, Copy)]
struct Use<'a> {
    stage: usize,
    part: usize,
    access: &'a Access,
}

impl<'a> Uses<'a> {
    fn add(&mut self, program: &'a Program, (stage, part): (usize, usize), all: &[&Instance]) {
        self.part = part;
        for instance in all {
            let equation = &program.equations[instance.equation];
            let reads = program.pool.accesses([equation.expr]).into_iter();
            for (_, access) in reads {
                let memory = program.viewed(access.array);
                let own = Use {
                    stage,
                    part,
                    access,
                };
                self.all.entry(memory).or_default().push(own);
            }
            self.write(program, (stage, part), &equation.target);
        }
    }

    fn write(&mut self, program: &Program, (stage, part): (usize, usize), access: &'a Access) {
        let own = Use {
            stage,
            part,
            access,
        };
        let memory = program.viewed(access.array);
        self.all.entry(memory).or_default().push(own);
        self.written.push(own);
    }
}

/// The temporaries that some stages write and others read, if each stage may run for all rows before the next one: what
/// one of them writes of a row, others access in that row alone, and in the same loop over columns in that column alone.
/// Sums are kept where their strips find them.
fn between(
    program: &Program,
    schedule: &Schedule,
    (rows, stages, uses): (IndexId, &[Stage], &Uses),
) -> Option<Vec<Access>> {
    let is = |access: &Access, at: usize, index: IndexId| {
        access.subscripts[at].as_index() == Some(index)
    };
    let mut kept: Vec<Access> = Vec::new();
    for own in &uses.written {
        let (target, storage) = (own.access, schedule.storage_of(own.access.array));
        let never = |other: &Access| {
            let [first, second] = [&other.subscripts, &target.subscripts];
            storage.is_none() && (apart(first, second) || beyond(program, first, second))
        };
        let memory = &uses.all[&program.viewed(target.array)];
        let others = memory
            .iter()
            .filter(|other| other.stage != own.stage && !never(other.access));
        let others: Vec<&Use> = others.collect();
        let (sum, columns) = match &stages[own.stage - 1] {
            Stage::Sum(nest) => (true, nest.columns),
            Stage::Each(columns, _) => (false, *columns),
        };
        let pinned = |other: &Use, index: IndexId| {
            let mut axes = 0..target.subscripts.len();
            axes.any(|at| is(target, at, index) && is(other.access, at, index))
        };
        let follows = |other: &&Use| {
            let same = other.access.subscripts == target.subscripts && pinned(other, columns);
            pinned(other, rows) && (other.part != own.part || same)
        };
        match storage {
            // It has a temporary of its own.
            Some(Storage::Memory { lanes: true, .. }) if sum && others.is_empty() => {}
            _ if !others.iter().all(follows) => return None,
            Some(Storage::Memory { lanes: false, .. } | Storage::Register { .. })
                if !others.is_empty() =>
            {
                let known = kept.iter().any(|own| own.array == target.array);
                kept.extend((!known).then(|| target.clone()));
            }
            Some(storage) if sum || !others.is_empty() => is_whole(storage).then_some(())?,
            _ => {}
        }
    }
    Some(kept)
}

/// Whether strips of a sum find it where the one before left it.
fn is_whole(storage: &Storage) -> bool {
    // A loop around all of the nest may have no dimension.
    let kept = |dimension: &Dimension| {
        let own = matches!(dimension, Dimension::Kept(_) | Dimension::RunTime);
        own || *dimension == Dimension::CONTRACTED
    };
    match storage {
        Storage::Memory { extents, lanes } => !lanes && extents.iter().all(kept),
        _ => false,
    }
}
