//! Defects planted on purpose, to show that validation finds them.

use std::rc::Rc;

use crate::collections::HashMap;
use crate::ir::{Affine, Equation, Expr, ExprId, Extent, IndexId, Program, Role, Term};
use crate::number::Number;
use crate::schedule::Scheduled;
use crate::schedule::tree::{Node, Steps};

/// A defect.
#[derive(Clone, Debug, Default)]
pub struct Plant {
    /// After the pass of this name (or `lower`, or `schedule`), the program is changed wrongly.
    pub after: Option<String>,
    /// How.
    pub defect: Defect,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Defect {
    /// The last equation's value is doubled; of a schedule, its last instance is left out.
    #[default]
    Value,
    /// The innermost loop around the last equation, of those of run-time length if there are any, has
    /// one iteration less.
    LastIteration,
    /// What the last equation writes is written one element further.
    Subscript,
    /// Two loops of different lengths have each other's.
    Extents,
    /// Two loops of one length have each other's place in the value of the last equation that has such.
    Exchanged,
    /// The last equation is left out.
    Store,
    /// A value that follows a condition no longer does: it is always that of the first branch, or always
    /// that of the other one.
    Branch(bool),
    /// A conversion of integers to another type of integers is left out.
    Conversion,
    /// The last entry of each table that is not zero is doubled.
    Entry,
    /// A loop that was split has other parts, and the program says so.
    Parts(Parts),
    /// The last equation has its first loop twice, which is no program.
    Structure,
    /// Of nests that take turns, all that are ahead of the last one are a row less ahead.
    Behind,
    /// The compiler panics.
    Panic,
}

/// What is wrong with the last part of a loop that was split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// Its last iteration is left out.
    Dropped,
    /// It begins one iteration later.
    Shifted,
    /// It has one iteration more.
    Repeated,
    /// It is left out.
    Missing,
}

impl Plant {
    /// Whether validation has to find it: the structural verifier is for others.
    pub fn is_for_validation(&self) -> bool {
        self.after.is_some() && self.defect != Defect::Structure
    }

    /// Panics at a stage that has no program, if that is the defect.
    pub fn at(&self, stage: &str) {
        if self.defect == Defect::Panic && self.after.as_deref() == Some(stage) {
            panic!("a defect was planted");
        }
    }

    /// Changes the program that a stage left, if the defect is there.
    pub fn after(&self, stage: &str, program: &mut Program) {
        if self.after.as_deref() == Some(stage) {
            self.plant(program);
        }
    }

    /// Changes a schedule, if the defect is there.
    pub fn after_schedule(&self, scheduled: &mut Scheduled) {
        let (program, schedule) = (&mut scheduled.program, &mut scheduled.schedule);
        if self.after.as_deref() != Some("schedule") {
            return;
        }
        match self.defect {
            Defect::Value | Defect::Store => {
                drop_instance(&mut schedule.body);
            }
            Defect::LastIteration => {
                shorten(&mut schedule.body);
            }
            Defect::Extents => swap_ends(&mut schedule.body),
            Defect::Subscript
            | Defect::Exchanged
            | Defect::Branch(_)
            | Defect::Conversion
            | Defect::Entry
            | Defect::Parts(_)
            | Defect::Structure
            | Defect::Panic => self.plant(program),
            Defect::Behind => {
                if let Some(large) = &mut scheduled.large {
                    bring_nearer(&mut large.schedule.body);
                }
            }
        }
    }

    fn plant(&self, program: &mut Program) {
        match self.defect {
            Defect::Value => double_last(program),
            Defect::LastIteration => shorten_last(program),
            Defect::Subscript => {
                let last = program.equations.last_mut();
                if let Some(subscript) = last.and_then(|e| e.target.subscripts.first_mut()) {
                    subscript.constant += 1;
                }
            }
            Defect::Extents => swap_extents(program),
            Defect::Exchanged => exchange(program),
            Defect::Store => {
                program.equations.pop();
            }
            Defect::Branch(first) => decide(program, first),
            Defect::Conversion => drop_conversion(program),
            Defect::Entry => double_entries(program),
            Defect::Parts(parts) => change_parts(program, parts),
            Defect::Structure => {
                if let Some(last) = program.equations.last_mut() {
                    last.free.extend(last.free.first().copied());
                }
            }
            Defect::Behind => {}
            Defect::Panic => panic!("a defect was planted"),
        }
    }
}

/// Takes one from what loops in strips are ahead of others.
fn bring_nearer(nodes: &mut [Node]) {
    for node in nodes {
        if let Node::Loop(l) = node {
            if l.steps == Steps::Strips {
                let ahead = l.with.iter_mut().map(|(_, ahead)| ahead);
                ahead.for_each(|ahead| *ahead = ahead.saturating_sub(1));
            }
            bring_nearer(&mut l.body);
        }
    }
}

/// Doubles an entry of each table.
fn double_entries(program: &mut Program) {
    for array in program.arrays.iter_mut() {
        if let Role::Table(values) = &mut array.role {
            let values = Rc::make_mut(values);
            if let Some(entry) = values.iter_mut().rfind(|value| value.to_f64() != 0.0) {
                *entry += *entry;
            }
        }
    }
}

/// Changes the last loop that is a part of others, and what it says of itself.
fn change_parts(program: &mut Program, how: Parts) {
    let used: Vec<IndexId> = program.equations.iter().flat_map(|e| e.domain()).collect();
    let length = |index: &IndexId| program.loop_index(*index).extent.as_constant();
    let is_part = |index: &IndexId| {
        let mut parts = program.loop_index(*index).parts.iter();
        parts.any(|part| length(index) < length(&part.of))
    };
    let Some(of_part) = used.into_iter().filter(is_part).max() else {
        return;
    };
    let Some(old) = length(&of_part) else { return };
    if how == Parts::Missing {
        let without = |equation: &Equation| !equation.domain().any(|index| index == of_part);
        program.equations.retain(without);
        return;
    }
    let index = &mut program.indices[of_part.0 as usize];
    index.extent = Extent::Constant(match how {
        Parts::Repeated => old + 1,
        _ => old - 1,
    });
    if how == Parts::Shifted {
        for part in &mut index.parts {
            part.start += part.stride;
        }
        let by = |index| match index == of_part {
            true => Affine::index(index).add(&Affine::constant(1)),
            false => Affine::index(index),
        };
        for equation in &mut program.equations {
            let known = &mut HashMap::default();
            equation.expr = program.pool.substitute(equation.expr, &by, known);
            for subscript in &mut equation.target.subscripts {
                *subscript = subscript.substitute(&by);
            }
        }
    }
}

/// Doubles the value of the last equation.
fn double_last(program: &mut Program) {
    let Some(at) = program.equations.len().checked_sub(1) else {
        return;
    };
    let expr = program.equations[at].expr;
    let element = program.pool.element(expr);
    let term = Term {
        coefficient: Number::ONE,
        expr,
    };
    program.equations[at].expr = program.pool.add(Expr::Sum(vec![term, term]), element);
}

/// Some iterations less.
fn less(extent: &Extent, by: usize) -> Extent {
    match extent {
        Extent::Constant(n) => Extent::Constant(n.saturating_sub(by)),
        Extent::RunTime(affine) => Extent::RunTime(affine.sub(&Affine::constant(by as i64))),
    }
}

/// Takes one iteration from a loop around the last equation.
fn shorten_last(program: &mut Program) {
    let Some(last) = program.equations.last() else {
        return;
    };
    let domain: Vec<IndexId> = last.domain().collect();
    let mut run_time = domain.iter().rev();
    let run_time = run_time.find(|index| !program.is_constant(**index));
    if let Some(index) = run_time.or(domain.last()) {
        let index = &mut program.indices[index.0 as usize];
        index.extent = less(&index.extent, 1);
    }
}

/// Exchanges the lengths of two loops that equations have.
fn swap_extents(program: &mut Program) {
    let loops: Vec<IndexId> = program.equations.iter().flat_map(|e| e.domain()).collect();
    let extent = |index: &IndexId| program.loop_index(*index).extent.clone();
    let run_time = |index: &&IndexId| !program.is_constant(**index);
    let Some(first) = loops.iter().find(run_time) else {
        return;
    };
    let mut others = loops.iter().filter(run_time);
    let Some(other) = others.find(|other| extent(other) != extent(first)) else {
        return;
    };
    let extents = (extent(other), extent(first));
    program.indices[first.0 as usize].extent = extents.0;
    program.indices[other.0 as usize].extent = extents.1;
}

/// Exchanges two loops of one length in the value of an equation.
fn exchange(program: &mut Program) {
    let pair = |equation: &Equation| {
        let loops: Vec<IndexId> = equation
            .domain()
            .filter(|i| program.is_constant(*i))
            .collect();
        let extent = |index: &IndexId| &program.loop_index(*index).extent;
        loops.iter().enumerate().find_map(|(n, one)| {
            let other = loops[n + 1..]
                .iter()
                .find(|other| extent(other) == extent(one));
            other.map(|other| (*one, *other))
        })
    };
    let pairs: Vec<_> = program.equations.iter().map(pair).collect();
    for (at, pair) in pairs.into_iter().enumerate().rev() {
        let Some((one, other)) = pair else { continue };
        let by = |index| match index {
            index if index == one => Affine::index(other),
            index if index == other => Affine::index(one),
            index => Affine::index(index),
        };
        let expr = program.equations[at].expr;
        let exchanged = program.pool.substitute(expr, &by, &mut HashMap::default());
        if exchanged != expr {
            program.equations[at].expr = exchanged;
            return;
        }
    }
}

/// Decides the last condition.
fn decide(program: &mut Program, first: bool) {
    let branch = |expr: &ExprId| match program.pool.get(*expr) {
        Expr::Select(_, then, otherwise) => Some((*expr, if first { *then } else { *otherwise })),
        _ => None,
    };
    if let Some(decided) = program.reachable().iter().rev().find_map(branch) {
        replace(program, decided);
    }
}

/// Leaves out the last conversion of integers to integers.
fn drop_conversion(program: &mut Program) {
    let integers = |expr: ExprId| match program.pool.get(expr) {
        Expr::Cast(to, from) if to.is_integer() && program.pool.element(*from).is_integer() => {
            Some(*from)
        }
        _ => None,
    };
    let around = |expr: &ExprId| match program.pool.get(*expr) {
        Expr::Cast(to, inner) => Some((*expr, *to, integers(*inner)?)),
        _ => None,
    };
    if let Some((expr, to, from)) = program.reachable().iter().rev().find_map(around) {
        let without = program.pool.add(Expr::Cast(to, from), to);
        replace(program, (expr, without));
    }
}

/// Puts one value in the place of another.
fn replace(program: &mut Program, (old, new): (ExprId, ExprId)) {
    for at in 0..program.equations.len() {
        let expr = program.equations[at].expr;
        let mut known = HashMap::from_iter([(old, new)]);
        program.equations[at].expr = program.pool.replace(expr, &mut known);
    }
}

/// Leaves out the last instance of the tree.
fn drop_instance(nodes: &mut [Node]) -> bool {
    nodes.iter_mut().rev().any(|node| match node {
        Node::Loop(l) => drop_instance(&mut l.body),
        Node::Block(instances) | Node::Reduction { instances, .. } => instances.pop().is_some(),
        Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => false,
    })
}

/// Exchanges the ends of two loops of the tree.
fn swap_ends(nodes: &mut [Node]) {
    fn ends<'n>(nodes: &'n mut [Node], into: &mut Vec<&'n mut Extent>) {
        for node in nodes {
            if let Node::Loop(l) = node {
                into.extend(l.end.run_time().is_some().then_some(&mut l.end));
                ends(&mut l.body, into);
            }
        }
    }
    let mut all = Vec::new();
    ends(nodes, &mut all);
    let different = all.iter().position(|end| **end != *all[0]);
    if let Some(at) = different {
        let (first, others) = all.split_at_mut(at);
        std::mem::swap(first[0], others[0]);
    }
}

/// Takes the last iteration from the last loop of the tree.
fn shorten(nodes: &mut [Node]) -> bool {
    nodes.iter_mut().rev().any(|node| match node {
        Node::Loop(l) => {
            if !shorten(&mut l.body) {
                l.end = less(&l.end, l.step);
            }
            true
        }
        _ => false,
    })
}
