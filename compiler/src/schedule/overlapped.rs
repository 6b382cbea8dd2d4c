//! Temporaries along the lanes in registers: overlapped tiles of a loop over vectors.
//!
//! What several iterations of a loop have in common is computed in loops of their own, which keep it in memory.
//! Where lanes run over these loops, as few vectors of each as some vectors of the result need are computed
//! beside these, and stay in registers: what is read between two vectors is shifted out of both. The vectors that
//! the next step needs too are handed on to it, one for each time that readers cross the end of a vector.
//!
//! Before:
//! ```text
//! loop k in 0..n + 2 step 8 { block { t[k] = } }
//! loop i in 0..n step 8 { block { y[i] = t[i] … t[i + 2] } }
//! ```
//! After, with two vectors a step:
//! ```text
//! loop i in 0..n step 16 with k { block { t[k] = ; t[k + 8] = ; y[i] = ; t[k + 16] = ; y[i + 8] = } }
//! ```
//! Loops over as many elements that run ahead of the others, and keep rows for these in a ring, take the same steps where all
//! that is read of the ring is at the readers' own lanes: what they read of rows, and what the others write, then comes from
//! memory side by side, and what is for them alone stays in registers, too.
//!
//! Holds: what is computed (Ernst 1995, section 3.2, with vectors in the place of elements).

use std::collections::BTreeSet;

use super::dependence::reads;
use super::pipelining::is_over_vectors;
use super::shorter::{first_vectors, of_instances};
use super::tree::{Dimension, Instance, Loop, Node, Schedule, Steps, Storage, instances};
use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, Affine, ArrayId, Element, Expr, ExprId, IndexId, Operator, Program, Role};

/// Vectors of the result that may take a step together.
pub const VECTORS: [usize; 4] = [1, 2, 4, 8];

/// Most instances of a step.
const MOST: usize = 96;

/// Puts loops over vectors together, with so many vectors of the results a step; what is in registers then, or `None` if no
/// loops are put together.
pub fn run(program: &Program, schedule: &mut Schedule, vectors: usize) -> Option<Vec<String>> {
    if schedule.width < 2 || !has_one_type(program) {
        return None;
    }
    let mut tiling = Tiling {
        program,
        schedule,
        vectors,
        reads: reads(program),
        used: instances(&schedule.body)
            .into_iter()
            .map(|own| own.equation)
            .collect(),
        stored: HashSet::default(),
        kept: BTreeSet::new(),
        steps: 0,
    };
    let body = loop {
        (tiling.steps, tiling.kept) = (0, BTreeSet::new());
        let body = tiling.nodes(tiling.schedule.body.clone());
        match tiling.read_elsewhere(&body) {
            Some(array) => tiling.stored.insert(array),
            None => break body,
        };
    };
    if tiling.steps == 0 {
        return None;
    }
    let kept = tiling.kept;
    schedule.body = body;
    for (array, storage) in &mut schedule.storage {
        if kept.contains(array) {
            *storage = Storage::Register { lanes: true };
        }
    }
    let names = kept.iter().map(|array| program.array(*array).name.clone());
    Some(names.collect())
}

/// Shuffles that an element in a register takes: its lanes may be those of two registers.
pub fn shuffles(schedule: &Schedule, access: &Access) -> f64 {
    let between = |subscript: &Affine| {
        let moves = schedule.lane_loops().any(|lane| subscript.depends_on(lane));
        moves && subscript.constant % schedule.width as i64 != 0
    };
    f64::from(u8::from(access.subscripts.iter().any(between)))
}

/// What a step of single vectors computes that the one before it has computed, and hands on: all vectors of temporaries
/// but the last.
pub fn handed_on(one: &Loop) -> Vec<Instance> {
    let all = instances(&one.body).into_iter();
    let moving = one.with.iter().map(|(index, _)| *index);
    let moving: Vec<IndexId> = moving.chain([one.index]).collect();
    let apart = |instance: &Instance| {
        let offsets = instance.offsets.iter().copied();
        let (along, rows): (Vec<_>, Vec<_>) =
            offsets.partition(|(index, _)| moving.contains(index));
        let at = along.iter().map(|(_, offset)| *offset).max();
        (instance.equation, rows, at.unwrap_or(0))
    };
    let last = |own: &Instance| {
        let (equation, rows, at) = apart(own);
        let mut others = instances(&one.body).into_iter().map(apart);
        !others.any(|(other, of, later)| other == equation && of == rows && later > at)
    };
    all.filter(|own| !last(own)).cloned().collect()
}

/// A step over vectors that several indices share, without what the one before it hands on; `None` of other loops.
pub fn steady(schedule: &Schedule, l: &Loop) -> Option<Loop> {
    let vectors = schedule.width > 1 && schedule.is_lane(l.index) && l.steps == Steps::All;
    if l.with.is_empty() || !vectors {
        return None;
    }
    let known = handed_on(&first_vectors(l, 1, schedule.width));
    Some(of_instances(l, &|own| !known.contains(own)))
}

/// Whether all that is computed is of one type, and fills registers: elements of arrays may be converted to it as they are read,
/// and results from it as they are written.
fn has_one_type(program: &Program) -> bool {
    let results: HashSet<ExprId> = program.equations.iter().map(|own| own.expr).collect();
    let arrays = |expr: &ExprId| match program.pool.get(*expr) {
        Expr::Access(access) => matches!(program.array(access.array).role, Role::Parameter(_)),
        _ => false,
    };
    let converted = program.reachable().into_iter().filter_map(|expr| {
        let Expr::Cast(_, from) = *program.pool.get(expr) else {
            return None;
        };
        let [read, written] = [arrays(&from), results.contains(&expr)];
        Some((read || written).then_some(if read { from } else { expr }))
    });
    let Some(converted) = converted.collect::<Option<HashSet<ExprId>>>() else {
        return false;
    };
    // Minima of integers have narrow lanes as it is, and shared along them as sums are they take more operations.
    let mut all = program.reachable().into_iter();
    if !converted.is_empty() && all.any(|expr| matches!(program.pool.get(expr), Expr::Call(..))) {
        return false;
    }
    let computed = program.reachable().into_iter();
    let computed = computed.filter(|expr| !converted.contains(expr));
    let mut types = computed.map(|expr| program.pool.element(expr));
    let first = types.next();
    let fills = |first: Element| {
        let narrower = |expr: &ExprId| program.pool.element(*expr).bits() <= first.bits();
        !first.is_integer() && converted.iter().all(narrower)
    };
    first.is_none_or(|first| fills(first) && types.all(|other| other == first))
}

struct Tiling<'a> {
    program: &'a Program,
    schedule: &'a Schedule,
    vectors: usize,
    /// The temporaries that each equation reads.
    reads: Vec<Vec<Access>>,
    /// The equations that have instances.
    used: HashSet<usize>,
    /// Temporaries that have to stay in memory.
    stored: HashSet<ArrayId>,
    /// Temporaries that are in registers.
    kept: BTreeSet<ArrayId>,
    /// Loops that are one for several.
    steps: usize,
}

/// The first vector of an equation that a step needs, and the one after the last.
type Need = HashMap<usize, (usize, usize)>;

impl Tiling<'_> {
    fn nodes(&mut self, mut nodes: Vec<Node>) -> Vec<Node> {
        for node in &mut nodes {
            if let Node::Loop(l) = node
                && !self.schedule.is_lane(l.index)
            {
                l.body = self.nodes(std::mem::take(&mut l.body));
            }
        }
        let mut last = nodes.len();
        while last > 1 {
            last -= 1;
            let Some(first) = self.first(&nodes[..=last]) else {
                continue;
            };
            if let Some(tiled) = self.tiled(&nodes[first..=last]) {
                nodes.splice(first..=last, [Node::Loop(tiled)]);
                self.steps += 1;
                last = first;
            }
        }
        nodes
    }

    /// A temporary that is in registers and is read where it is not computed: registers are not handed on to other blocks.
    fn read_elsewhere(&self, nodes: &[Node]) -> Option<ArrayId> {
        let read = |own: &Instance, beside: &[Instance]| {
            let mut reads = self.reads[own.equation].iter().map(|access| access.array);
            reads.find(|array| {
                let written = |other: &Instance| {
                    self.program.equations[other.equation].target.array == *array
                };
                self.kept.contains(array) && !beside.iter().any(written)
            })
        };
        nodes.iter().find_map(|node| match node {
            Node::Loop(l) => self.read_elsewhere(&l.body),
            Node::Block(block) => block.iter().find_map(|own| read(own, block)),
            Node::Reduction { instances, .. } => instances.iter().find_map(|own| read(own, &[])),
            _ => None,
        })
    }

    /// Equations of a loop over vectors that is one block.
    fn block(&self, node: &Node) -> Option<(IndexId, Vec<usize>)> {
        let Node::Loop(l) = node else { return None };
        let [Node::Block(instances)] = l.body.as_slice() else {
            return None;
        };
        let plain = |instance: &Instance| {
            let equation = &self.program.equations[instance.equation];
            instance.offsets.is_empty()
                && equation.reduction.is_empty()
                && self.schedule.lane_of(equation) == Some(l.index)
        };
        let fits = is_over_vectors(self.schedule, l)
            && l.with.is_empty()
            && Some(&l.end) == Some(&self.program.loop_index(l.index).extent)
            && instances.iter().all(plain);
        fits.then(|| (l.index, instances.iter().map(|i| i.equation).collect()))
    }

    /// The first of the loops that can share one with the last of some nodes.
    fn first(&self, nodes: &[Node]) -> Option<usize> {
        let (last, before) = nodes.split_last()?;
        let mut inside = self.block(last)?.1;
        let mut first = before.len();
        for node in before.iter().rev() {
            let Some((_, own)) = self.block(node) else {
                break;
            };
            if !self.is_for(&own, &inside) || self.overwrite(&inside, &own) {
                break;
            }
            inside.extend(own);
            first -= 1;
        }
        (first < before.len()).then_some(first)
    }

    /// Whether some equations may be computed beside others, which come after them: all that they compute is for themselves
    /// and the others, or what the others read of it is at their own lanes.
    fn is_for(&self, own: &[usize], others: &[usize]) -> bool {
        own.iter().all(|equation| {
            let of = &self.program.equations[*equation];
            let target = of.target.array;
            let temporary = matches!(self.program.array(target).role, Role::Temporary);
            temporary
                && of.operator == Operator::Assign
                && self.program.sole_writer(target) == Some(*equation)
                && (self.is_for_alone(*equation, (own, others))
                    || self.is_aligned(*equation, (own, others)))
        })
    }

    /// Whether a temporary may be in registers, and all that is read of it is for some equations, at places that are known.
    fn is_for_alone(&self, equation: usize, (own, others): (&[usize], &[usize])) -> bool {
        let target = self.program.equations[equation].target.array;
        let stored = match self.schedule.storage_of(target) {
            Some(Storage::Memory { lanes, .. }) => !lanes && !self.is_ring(target),
            Some(Storage::Register { lanes }) => *lanes,
            _ => false,
        };
        stored
            && !self.stored.contains(&target)
            && self.readers(target).all(|(reader, access)| {
                let here = own.contains(&reader) || others.contains(&reader);
                here && self.shift(access, (equation, reader)).is_some()
            })
    }

    /// Whether a temporary waits in memory, and some equations read it at their own lanes only, in loops as long as its own.
    fn is_aligned(&self, equation: usize, (own, others): (&[usize], &[usize])) -> bool {
        let target = &self.program.equations[equation].target;
        let end = |equation: usize| {
            let lane = self.schedule.lane_of(&self.program.equations[equation])?;
            Some(&self.program.loop_index(lane).extent)
        };
        let here = |reader: &usize| own.contains(reader) || others.contains(reader);
        let mut readers = self
            .readers(target.array)
            .filter(|(reader, _)| here(reader));
        let last = others.first().and_then(|other| end(*other));
        self.is_ring(target.array)
            && end(equation) == last
            && readers.all(|(reader, access)| self.is_at_lanes(access, (equation, reader)))
    }

    /// Whether a reader needs the elements of a temporary that are at its own lanes, of whichever row.
    fn is_at_lanes(&self, access: &Access, (writer, reader): (usize, usize)) -> bool {
        let [writer, reader] = [writer, reader].map(|at| &self.program.equations[at]);
        let lanes = (self.schedule.lane_of(writer), self.schedule.lane_of(reader));
        let (Some(written), Some(read)) = lanes else {
            return false;
        };
        let mut pairs = access.subscripts.iter().zip(&writer.target.subscripts);
        pairs.all(|(at, target)| match *target == Affine::index(written) {
            true => *at == Affine::index(read),
            false => !at.depends_on(read) && !target.depends_on(written),
        })
    }

    /// Whether rows of a temporary wait for later iterations.
    fn is_ring(&self, array: ArrayId) -> bool {
        let storage = self.schedule.storage_of(array);
        let waits =
            |extents: &[Dimension]| extents.iter().any(|d| matches!(d, Dimension::Ring(2..)));
        matches!(storage, Some(Storage::Memory { extents, lanes: false }) if waits(extents))
    }

    /// Whether some equations write what others before them read.
    fn overwrite(&self, others: &[usize], own: &[usize]) -> bool {
        let read: HashSet<ArrayId> = (self.program.pool)
            .accesses(own.iter().map(|at| self.program.equations[*at].expr))
            .into_iter()
            .map(|(_, access)| self.program.viewed(access.array))
            .collect();
        let mut written = others
            .iter()
            .map(|at| self.program.equations[*at].target.array);
        written.any(|array| read.contains(&self.program.viewed(array)))
    }

    /// The equations that read a temporary, and where.
    fn readers(&self, array: ArrayId) -> impl Iterator<Item = (usize, &Access)> {
        let all = self.reads.iter().enumerate();
        let all = all.flat_map(|(at, reads)| reads.iter().map(move |access| (at, access)));
        all.filter(move |(reader, access)| access.array == array && self.used.contains(reader))
    }

    /// How many lanes behind its own a reader needs the element of a temporary.
    fn shift(&self, access: &Access, (writer, reader): (usize, usize)) -> Option<usize> {
        let [writer, reader] = [writer, reader].map(|at| &self.program.equations[at]);
        let written = self.schedule.lane_of(writer)?;
        let read = self.schedule.lane_of(reader)?;
        let mut shift = None;
        for (at, target) in access.subscripts.iter().zip(&writer.target.subscripts) {
            if *target == Affine::index(written) {
                let by = at.sub(&Affine::index(read)).as_constant()?;
                shift = Some(usize::try_from(by).ok()?);
            } else if at != target || target.depends_on(written) {
                return None;
            }
        }
        shift
    }

    /// One loop for some.
    fn tiled(&mut self, nodes: &[Node]) -> Option<Loop> {
        let loops: Vec<(IndexId, Vec<usize>)> = nodes
            .iter()
            .map(|node| self.block(node))
            .collect::<Option<_>>()?;
        let order: Vec<usize> = loops.iter().flat_map(|(_, all)| all.clone()).collect();
        let (index, _) = *loops.last().as_ref()?;
        let width = self.schedule.width;
        let mut done: HashMap<usize, usize> = HashMap::default();
        let mut body = Vec::new();
        for vector in 0..self.vectors {
            let need = self.need(&order, vector + 1);
            for equation in &order {
                let (first, end) = *need.get(equation)?;
                let lane = self.schedule.lane_of(&self.program.equations[*equation])?;
                let next = done.entry(*equation).or_insert(first);
                for at in *next..end {
                    body.push(Instance {
                        equation: *equation,
                        offsets: (at > 0).then_some((lane, at * width)).into_iter().collect(),
                    });
                }
                *next = end;
            }
        }
        if body.len() > MOST {
            return None;
        }
        let mut with: Vec<(IndexId, usize)> = Vec::new();
        for (other, equations) in &loops {
            if *other != *index && !with.contains(&(*other, 0)) {
                with.push((*other, 0));
            }
            let last = nodes.len() > 1 && std::ptr::eq(equations, &loops.last()?.1);
            let targets = equations
                .iter()
                .map(|at| self.program.equations[*at].target.array);
            let registers = |array: &ArrayId| {
                let memory = self.schedule.storage_of(*array);
                !last && !self.is_ring(*array) && matches!(memory, Some(Storage::Memory { .. }))
            };
            let targets: Vec<ArrayId> = targets.filter(registers).collect();
            self.kept.extend(targets);
        }
        let Node::Loop(l) = nodes.last()? else {
            return None;
        };
        Some(Loop {
            with,
            step: self.vectors * width,
            body: vec![Node::Block(body)],
            ..l.clone()
        })
    }

    /// What each equation computes for so many vectors of what is not for others.
    fn need(&self, order: &[usize], vectors: usize) -> Need {
        let width = self.schedule.width;
        let mut need = Need::default();
        for writer in order.iter().rev() {
            let target = self.program.equations[*writer].target.array;
            let mut own: Option<(usize, usize)> = None;
            for reader in order {
                let Some((first, end)) = need.get(reader).copied() else {
                    continue;
                };
                let accesses = self.reads[*reader].iter();
                for access in accesses.filter(|access| access.array == target) {
                    let Some(by) = self.shift(access, (*writer, *reader)) else {
                        continue;
                    };
                    let range = (first + by / width, end + by.div_ceil(width));
                    own = Some(match own {
                        None => range,
                        Some(known) => (known.0.min(range.0), known.1.max(range.1)),
                    });
                }
            }
            need.insert(*writer, own.unwrap_or((0, vectors)));
        }
        need
    }
}

#[cfg(test)]
#[path = "overlapped_tests.rs"]
mod tests;
