//! Defects planted on purpose, to show that validation finds them.

use std::collections::HashMap;

use crate::ir::{Affine, Expr, ExprId, Extent, IndexId, Program, Term};
use crate::number::Number;
use crate::schedule::tree::{Node, Schedule};

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
    /// The last equation is left out.
    Store,
    /// A value that follows a condition no longer does: it is always that of the first branch, or always
    /// that of the other one.
    Branch(bool),
    /// The compiler panics.
    Panic,
}

impl Plant {
    /// Changes the program that a stage left, if the defect is there.
    pub fn after(&self, stage: &str, program: &mut Program) {
        if self.after.as_deref() == Some(stage) {
            self.plant(program);
        }
    }

    /// Changes a schedule, if the defect is there.
    pub fn after_schedule(&self, program: &mut Program, schedule: &mut Schedule) {
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
            Defect::Subscript | Defect::Branch(_) | Defect::Panic => self.plant(program),
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
            Defect::Store => {
                program.equations.pop();
            }
            Defect::Branch(first) => decide(program, first),
            Defect::Panic => panic!("a defect was planted"),
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

/// Decides the last condition.
fn decide(program: &mut Program, first: bool) {
    let branch = |expr: &ExprId| match program.pool.get(*expr) {
        Expr::Select(_, then, otherwise) => Some((*expr, if first { *then } else { *otherwise })),
        _ => None,
    };
    let Some(decided) = program.reachable().iter().rev().find_map(branch) else {
        return;
    };
    for at in 0..program.equations.len() {
        let expr = program.equations[at].expr;
        let mut known = HashMap::from([decided]);
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
