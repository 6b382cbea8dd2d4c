//! What an interpretation has met, and what none has: that was not validated.

use std::cmp::Ordering;

use crate::collections::HashSet;
use crate::ir::{Affine, Expr, ExprId, Extent, Program, Role};
use crate::number::Field;
use crate::schedule::tree::{Loop, Node, Schedule, Steps};

use super::scheduled::iterations;

/// Numbered parts that interpretations met: blocks of the text, or equations and after them the branches of
/// conditions; and expressions that were not zero, of those that look up tables.
#[derive(Clone, Debug, Default)]
pub struct Points {
    met: Vec<bool>,
    not_zero: HashSet<ExprId>,
}

impl Points {
    /// Meets a part.
    pub fn mark(&mut self, at: usize) {
        if at >= self.met.len() {
            self.met.resize(at + 1, false);
        }
        self.met[at] = true;
    }

    /// Meets a value of an expression that looks up tables.
    pub fn look_up(&mut self, expr: ExprId, value: Field) {
        if value != Field::ZERO {
            self.not_zero.insert(expr);
        }
    }

    /// Whether a part was met.
    pub fn has(&self, at: usize) -> bool {
        self.met.get(at).copied().unwrap_or(false)
    }

    /// Takes all that others met.
    pub fn extend(&mut self, other: &Points) {
        for (at, _) in other.met.iter().enumerate().filter(|(_, met)| **met) {
            self.mark(at);
        }
        self.not_zero.extend(&other.not_zero);
    }

    /// Whether an expression that looks up a table was zero on all inputs: what becomes of it was not seen then.
    pub fn has_zero(&self, program: &Program) -> bool {
        let look_ups = look_ups(program);
        if !look_ups.contains(&true) {
            return false;
        }
        let of_them = program.reachable().into_iter();
        let mut of_them = of_them.filter(|expr| look_ups[expr.0 as usize]);
        of_them.any(|expr| !self.not_zero.contains(&expr))
    }

    /// What was met once and was not met now: a branch that can be taken.
    pub fn less_than(&self, earlier: &Points) -> Option<String> {
        let mut met = earlier.met.iter().enumerate().filter(|(_, met)| **met);
        met.any(|(at, _)| !self.has(at))
            .then(|| "all branches of the optimised program".to_owned())
    }

    /// The first equation with iterations that was not met.
    pub fn missing(&self, program: &Program) -> Option<String> {
        let empty = |index| program.loop_index(index).extent == Extent::Constant(0);
        let mut equations = program.equations.iter().enumerate();
        let found = equations.find(|(at, e)| !self.has(*at) && !e.domain().any(empty));
        let name = |target| &program.array(target).name;
        found.map(|(_, e)| format!("the computation of `{}`", name(e.target.array)))
    }
}

/// The number of a branch of a program.
pub fn branch(program: &Program, select: ExprId, first: bool) -> usize {
    program.equations.len() + 2 * select.0 as usize + usize::from(first)
}

/// By expression, whether it is an entry of a table that data chooses, or a sum or product of some: tables have zeros,
/// where what is computed wrong is not seen, unlike random numbers.
pub fn look_ups(program: &Program) -> Vec<bool> {
    let mut found = vec![false; program.pool.len()];
    // Operands have smaller numbers.
    for at in 0..found.len() {
        let of = |operand: &ExprId| found[operand.0 as usize];
        found[at] = match program.pool.get(ExprId(at as u32)) {
            Expr::Access(access) => {
                let table = matches!(program.array(access.array).role, Role::Table(_));
                table && access.subscripts.iter().any(Affine::is_mapped)
            }
            Expr::Sum(terms) => terms.iter().any(|term| of(&term.expr)),
            Expr::Product(factors) => factors.iter().any(|factor| of(&factor.expr)),
            Expr::Constant(_) | Expr::Call(..) | Expr::Compare(..) => false,
            Expr::Select(..) | Expr::Cast(..) => false,
        };
    }
    found
}

/// The nodes of a loop tree that were met.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    /// Nodes, by where they are.
    met: HashSet<*const Node>,
    /// Loops by where they are that ran whole steps, and those that ran less than one.
    steps: HashSet<(*const Loop, bool)>,
    /// That an equation was computed less often than its domain has points, or adds more often.
    pub miscounted: Option<String>,
}

/// How often each equation was computed: as a whole, and one term of its sum alone.
#[derive(Debug)]
pub struct Computed(Vec<[u64; 2]>);

impl Computed {
    /// Nothing of so many equations yet.
    pub fn none(equations: usize) -> Self {
        Computed(vec![[0; 2]; equations])
    }

    /// Computes one at a point.
    pub fn mark(&mut self, equation: usize, term: bool) {
        self.0[equation][usize::from(term)] += 1;
    }

    /// Whether an equation was computed more or less often than so many times, each time of so many terms.
    pub fn compared(&self, equation: usize, (times, terms): (u64, u64)) -> Ordering {
        let [whole, single] = self.0[equation];
        let found = whole.saturating_mul(terms).saturating_add(single);
        found.cmp(&times.saturating_mul(terms))
    }
}

impl Nodes {
    /// Meets a node.
    pub fn mark(&mut self, node: &Node) {
        self.met.insert(std::ptr::from_ref(node));
    }

    /// Meets a step of a loop, a whole one or what is left of one.
    pub fn step(&mut self, of: &Loop, whole: bool) {
        if of.step > 1 {
            self.steps.insert((std::ptr::from_ref(of), whole));
        }
    }

    /// Takes all that others met.
    pub fn extend(&mut self, other: Nodes) {
        self.met.extend(other.met);
        self.steps.extend(other.steps);
    }

    /// The first computation of a tree that was not met.
    pub fn missing(&self, program: &Program, schedule: &Schedule) -> Option<String> {
        self.missing_of(program, &schedule.body)
    }

    fn missing_of(&self, program: &Program, nodes: &[Node]) -> Option<String> {
        nodes.iter().find_map(|node| match node {
            Node::Loop(inner) if is_empty(inner) => None,
            Node::Loop(inner) => self.missing_of(program, &inner.body),
            _ if self.met.contains(&std::ptr::from_ref(node)) => None,
            Node::Block(instances) | Node::Reduction { instances, .. } => {
                let instance = instances.first()?;
                let target = program.equations[instance.equation].target.array;
                let name = &program.array(target).name;
                Some(format!("a part of the computation of `{name}`"))
            }
            Node::CopyOut(copy) => {
                let name = &program.array(copy.target.array).name;
                Some(format!("a copy to `{name}`"))
            }
            Node::Advance(_) | Node::Zero(_) => None,
        })
    }

    /// Whether all loops in steps whose length is known when the kernel runs had both whole steps and
    /// one that was not. Of some lengths there is no such thing.
    pub fn all_steps(&self, nodes: &[Node]) -> bool {
        nodes.iter().all(|node| match node {
            Node::Loop(inner) => {
                let steps = matches!(inner.steps, Steps::All | Steps::Strips)
                    && inner.step > 1
                    && inner.end.as_constant().is_none();
                let both = [true, false].map(|whole| {
                    let at = (std::ptr::from_ref(inner), whole);
                    self.steps.contains(&at)
                });
                (!steps || both == [true; 2]) && self.all_steps(&inner.body)
            }
            _ => true,
        })
    }
}

/// A loop without iterations, whatever the inputs are.
fn is_empty(inner: &Loop) -> bool {
    match &inner.end {
        Extent::Constant(end) => iterations(inner, inner.start, *end).len() == 0,
        // What whole steps leave of a multiple of them.
        Extent::RunTime(end) => {
            let (start, step) = (inner.start as i64, inner.step.max(1) as i64);
            let whole = |n: i64| n % step == 0;
            inner.steps == Steps::Rest
                && whole(end.constant - start)
                && end.terms.iter().all(|(_, c)| whole(*c))
        }
    }
}
