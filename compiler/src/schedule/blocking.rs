//! Long sums in blocks, so that what a block needs stays in a near cache.
//!
//! ```text
//! t[e, q, j] = f[e, q] * phi[q, j]
//! a[e, i, j] += sum over q of t[e, q, j] * phi[q, i]
//! ```
//! keeps `t` for all points `q` of a cell, since the sums are held in registers tile by tile. With
//! blocks of `n` points it becomes
//! ```text
//! t[e, b, p, j] = f[e, b, p] * phi[n b + p, j]
//! a[e, i, j] += sum over p of t[e, b, p, j] * phi[n b + p, i]
//! ```
//! where the loop over `b` stands around both, so that `t` loses that dimension. If whole blocks leave
//! points over, these come first and have equations of their own; the blocks begin after them.
//!
//! Holds: every temporary along the loop is written and read at the loop's own index.

use std::ops::RangeInclusive;

use super::Plan;
use super::model::bytes;
use super::tree::Schedule;
use crate::collections::{HashMap, HashSet};
use crate::ir::{
    self, Access, Affine, ArrayId, Equation, Expr, ExprId, Extent, IndexId, Operator, Program, Role,
};
use crate::machine::{NEAR, SECOND};
use crate::number::Number;

/// Bytes that the temporaries of a block may take: they are to stay in a second-level cache, of which the operands
/// of the sums have the larger part.
const MOST: usize = SECOND / 8;
/// Iterations of a block: as many as fit. Fewer do not pay for loading and storing the sums, more gain
/// nothing.
const SIZES: RangeInclusive<usize> = 4..=16;

/// A loop over blocks, and where it and the loops in a block stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// The loop over blocks.
    pub index: IndexId,
    /// It is around this loop, and inside of what is around that.
    around: IndexId,
    /// The loop that was split.
    split: IndexId,
    /// The loops that stand where that stood: in a block, and over what whole blocks leave.
    inner: Vec<IndexId>,
}

impl Plan {
    /// Sorts some loops of an equation, the outermost first.
    pub fn sort(&self, equation: &Equation, loops: &mut [IndexId]) {
        let domain: Vec<IndexId> = equation.domain().collect();
        loops.sort_unstable_by_key(|index| self.place(&domain, *index));
    }

    /// The outermost one of some loops of an equation.
    pub fn first(
        &self,
        equation: &Equation,
        loops: impl Iterator<Item = IndexId>,
    ) -> Option<IndexId> {
        let domain: Vec<IndexId> = equation.domain().collect();
        loops.min_by_key(|index| self.place(&domain, *index))
    }

    /// Whether all other loops of constant length that an equation has stand inside of one.
    pub fn is_around(&self, program: &Program, outer: IndexId, equation: &Equation) -> bool {
        let domain: Vec<IndexId> = equation.domain().collect();
        let around = self.place(&domain, outer);
        let mut others = equation.free.iter().filter(|index| **index != outer);
        others.all(|index| !program.is_constant(*index) || self.place(&domain, *index) > around)
    }

    /// What the loops of a domain are ordered by. Loops of run-time length that change places take
    /// those of each other: loops of constant length that were inside of all of them stay there.
    fn place(&self, domain: &[IndexId], index: IndexId) -> (IndexId, bool, IndexId) {
        match &self.blocks {
            Some(blocks) if blocks.index == index => (blocks.around, false, index),
            Some(blocks) if blocks.inner.contains(&index) => (blocks.split, true, index),
            _ => {
                let index = self.home(domain, index).unwrap_or(index);
                (index, true, index)
            }
        }
    }

    /// The loop in whose place another one stands.
    fn home(&self, domain: &[IndexId], index: IndexId) -> Option<IndexId> {
        let own = self.places.get(&index)?;
        let moved = |other: &&IndexId| self.places.contains_key(other);
        let earlier = |other: &&IndexId| self.places.get(other).is_some_and(|place| place < own);
        let before = domain.iter().filter(earlier).count();
        let mut homes: Vec<IndexId> = domain.iter().filter(moved).copied().collect();
        homes.sort_unstable();
        homes.get(before).copied()
    }

    /// Whether a loop is the one over blocks.
    pub fn is_block(&self, index: IndexId) -> bool {
        let blocks = self.blocks.as_ref();
        blocks.is_some_and(|blocks| blocks.index == index)
    }
}

/// The programs and plans that have a sum in blocks, for a program whose schedule keeps too much.
pub fn alternatives(program: &Program, plan: &Plan, schedule: &Schedule) -> Vec<(Program, Plan)> {
    let mut result = Vec::new();
    for (index, kept) in long(program, plan, schedule) {
        let Some(extent) = program.loop_index(index).extent.as_constant() else {
            continue;
        };
        let fits = |size: &usize, most: usize| 2 * size <= extent && size * kept / extent <= most;
        // Rather a block that takes twice as much than none, or a short one that takes more.
        let within = |most: usize| SIZES.rev().find(|size| fits(size, most));
        let short = || SIZES.clone().find(|size| fits(size, SECOND));
        let size = within(MOST).or_else(|| within(2 * MOST)).or_else(short);
        result.extend(size.and_then(|size| split(program, plan, index, size)));
    }
    result
}

/// The loops of sums along which temporaries are kept that do not fit a near cache, and the bytes
/// of these.
fn long(program: &Program, plan: &Plan, schedule: &Schedule) -> Vec<(IndexId, usize)> {
    let summed = program.equations.iter().flat_map(|e| &e.reduction);
    let mut summed: Vec<IndexId> = summed.copied().filter(|i| Some(*i) != plan.lanes).collect();
    summed.sort_unstable();
    summed.dedup();
    let kept = |index: IndexId| -> usize {
        let along = |equation: &&Equation| {
            let subscripts = equation.target.subscripts.iter();
            temporary(program, &equation.target)
                && subscripts.filter_map(Affine::as_index).any(|i| i == index)
        };
        let arrays: HashSet<ArrayId> = program
            .equations
            .iter()
            .filter(along)
            .map(|e| e.target.array)
            .collect();
        let storage = schedule.storage.iter();
        let own = storage.filter(|(array, _)| arrays.contains(array));
        own.map(|own| bytes(program, own, plan.width)).sum()
    };
    let sizes = summed.into_iter().map(|index| (index, kept(index)));
    sizes.filter(|(_, bytes)| *bytes > NEAR).collect()
}

fn temporary(program: &Program, access: &Access) -> bool {
    matches!(program.array(access.array).role, Role::Temporary)
}

/// The program with the sums over `index` in blocks of some size, where that is possible.
fn split(program: &Program, plan: &Plan, index: IndexId, size: usize) -> Option<(Program, Plan)> {
    let along = along(program, index)?;
    let extent = program.loop_index(index).extent.as_constant()?;
    let (count, left) = (extent / size, extent % size);
    let mut program = program.clone();
    let name = program.loop_index(index).name.clone();
    let block = program.add_index(&format!("{name}_block"), Extent::Constant(count));
    let part_of = |start, stride, width| ir::Part {
        of: index,
        start,
        stride,
        width,
    };
    program.is_part(block, part_of(left, size, size));
    let mut part = |block: Option<IndexId>, first: Affine, extent: usize| Part {
        index,
        along: along.clone(),
        first,
        block,
        inner: program.add_index(&name, Extent::Constant(extent)),
        arrays: HashMap::default(),
    };
    let rest = (left > 0).then(|| part(None, Affine::constant(0), left));
    let begin = Affine::index(block).scale(size as i64);
    let blocks = part(Some(block), begin.add(&Affine::constant(left as i64)), size);
    if let Some(rest) = &rest {
        program.is_part(rest.inner, part_of(0, 1, 1));
    }
    let mut parts: Vec<Part> = rest.into_iter().chain([blocks]).collect();
    let around = around(&program, index)?;
    for equation in std::mem::take(&mut program.equations) {
        if !equation.domain().any(|i| i == index) {
            program.equations.push(equation);
            continue;
        }
        let sum = equation.reduction.contains(&index);
        if sum && equation.operator == Operator::Assign {
            let zero = zero(&mut program, &equation);
            program.equations.push(zero);
        }
        for part in &mut parts {
            let equation = part.equation(&mut program, &equation);
            program.equations.push(equation);
        }
    }
    let blocks = Blocks {
        index: block,
        around,
        split: index,
        inner: parts.iter().map(|part| part.inner).collect(),
    };
    let plan = Plan {
        blocks: Some(blocks),
        ..plan.clone()
    };
    Some((program, plan))
}

/// The outermost loop of constant extent around the sums over an index, or that index.
fn around(program: &Program, index: IndexId) -> Option<IndexId> {
    let constant = |i: &IndexId| program.is_constant(*i);
    let sums = program.equations.iter();
    let sums = sums.filter(|e| e.reduction.contains(&index));
    sums.flat_map(|e| e.domain()).filter(constant).min()
}

/// The temporaries along a loop, each with the dimension that is, if the equations over that loop
/// are these and sums that can be added up block by block.
fn along(program: &Program, index: IndexId) -> Option<HashMap<ArrayId, usize>> {
    let mut result = HashMap::default();
    for equation in &program.equations {
        let target = &equation.target;
        if equation.free.contains(&index) {
            if !temporary(program, target) || result.contains_key(&target.array) {
                return None;
            }
            result.insert(target.array, dimension(target, index)?);
        } else if equation.reduction.contains(&index)
            && equation.operator == Operator::Assign
            && !temporary(program, target)
        {
            return None;
        }
    }
    let written = |e: &Equation| result.contains_key(&e.target.array);
    let mut others = program
        .equations
        .iter()
        .filter(|e| !e.free.contains(&index));
    if others.any(written) {
        return None;
    }
    let exprs = program.equations.iter().map(|e| e.expr);
    let elsewhere = |access: &Access| {
        let axis = result.get(&access.array);
        axis.is_some_and(|axis| dimension(access, index) != Some(*axis))
    };
    if (program.pool.accesses(exprs).iter()).any(|(_, access)| elsewhere(access)) {
        return None;
    }
    Some(result)
}

/// The only dimension whose subscript has an index in it, if it is that index.
fn dimension(access: &Access, index: IndexId) -> Option<usize> {
    let has = |at: &usize| access.subscripts[*at].depends_on(index);
    let mut own = (0..access.subscripts.len()).filter(has);
    let first = own.next()?;
    let plain = access.subscripts[first].as_index() == Some(index);
    (plain && own.next().is_none()).then_some(first)
}

/// What a sum is before its first block.
pub fn zero(program: &mut Program, sum: &Equation) -> Equation {
    let element = program.array(sum.target.array).element;
    Equation {
        reduction: Vec::new(),
        expr: program.pool.constant(Number::ZERO, element),
        ..sum.clone()
    }
}

/// The iterations of whole blocks, or what they leave.
struct Part {
    /// The loop that is split.
    index: IndexId,
    /// The temporaries along it.
    along: HashMap<ArrayId, usize>,
    /// The first iteration of a block.
    first: Affine,
    /// The loop over blocks.
    block: Option<IndexId>,
    /// The loop in a block.
    inner: IndexId,
    /// This part of each temporary.
    arrays: HashMap<ArrayId, ArrayId>,
}

impl Part {
    fn equation(&mut self, program: &mut Program, equation: &Equation) -> Equation {
        let sum = equation.reduction.contains(&self.index);
        let inner = |indices: &[IndexId]| -> Vec<IndexId> {
            let own = |i: &IndexId| if *i == self.index { self.inner } else { *i };
            indices.iter().map(own).collect()
        };
        let (mut free, reduction) = (inner(&equation.free), inner(&equation.reduction));
        free.extend(self.block);
        Equation {
            expr: self.expression(program, equation.expr),
            target: self.access(program, &equation.target),
            operator: match sum {
                true => Operator::Accumulate(equation.operator.combining()),
                false => equation.operator,
            },
            free,
            reduction,
        }
    }

    fn expression(&mut self, program: &mut Program, expr: ExprId) -> ExprId {
        let accesses = program.pool.accesses([expr]).into_iter();
        let accesses: Vec<(ExprId, Access)> = accesses.map(|(e, a)| (e, a.clone())).collect();
        let mut known = HashMap::default();
        for (read, access) in accesses {
            let element = program.pool.element(read);
            let access = self.access(program, &access);
            known.insert(read, program.pool.add(Expr::Access(access), element));
        }
        program.pool.replace(expr, &mut known)
    }

    fn access(&mut self, program: &mut Program, access: &Access) -> Access {
        if let Some(axis) = self.along.get(&access.array).copied() {
            let mut subscripts = access.subscripts.clone();
            let own = self.block.into_iter().chain([self.inner]);
            subscripts.splice(axis..=axis, own.map(Affine::index));
            let array = self.array(program, access.array, axis);
            return Access { array, subscripts };
        }
        let by = |index: IndexId| match index == self.index {
            true => self.first.add(&Affine::index(self.inner)),
            false => Affine::index(index),
        };
        access.substitute(&by)
    }

    /// This part of a temporary.
    fn array(&mut self, program: &mut Program, array: ArrayId, axis: usize) -> ArrayId {
        if let Some(known) = self.arrays.get(&array) {
            return *known;
        }
        let whole = program.array(array).clone();
        let mut shape = whole.shape;
        let own = self.block.into_iter().chain([self.inner]);
        let extents: Vec<Extent> = own.map(|i| program.loop_index(i).extent.clone()).collect();
        shape.splice(axis..=axis, extents);
        let part = program.add_array(&whole.name, whole.element, shape, Role::Temporary);
        self.arrays.insert(array, part);
        part
    }
}
