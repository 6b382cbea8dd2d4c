//! Sums whose terms may cancel, kept whole.
//!
//! Other passes multiply out, and what they make of a product of sums may be a sum of terms that are
//! much larger than it: `(u - v) * (u - v)` as `u * u - 2 * u * v + v * v`. This pass decides for all of
//! them which sums stay as they are, and keeps these behind a node that no rewrite looks through
//! ([`Pool::kept`](crate::ir::Pool::kept)); [`released`] takes the nodes out again.
//!
//! Errors are bounded as running error analysis does (Higham 2002, section 3.3), for an operation that
//! rounds by `eps`: `E(a + b) = E(a) + E(b) + eps |a + b|`, `E(a b) = |a| E(b) + |b| E(a) + eps |a b|`,
//! and `E` of what is loaded is zero. Let `M(v)` be the sum of the magnitudes of the products that a
//! value becomes when it is multiplied out; the error is about `eps M(v)` then. That is within a small
//! factor of `E(v)`, the bound of the text, where
//!
//! - each sum has at most one *exact* term, one that is loaded and not computed: the others have errors
//!   relative to their own size. Not so the difference of two loaded values, which the text computes with
//!   an error relative to the difference (`exact`);
//! - of the sums that are multiplied with each other all but one are *well-conditioned*: as large as the
//!   sum of the magnitudes of their terms, if not at each point, then over all of them. `E(s t)` has terms
//!   `|s| E(t)` and `|t| E(s)`, and the former is about `eps M(s) M(t)` if `|s|` is about `M(s)`. Sums of
//!   tables with unknown coefficients are well-conditioned if no combination of the tables is nearly zero
//!   (`condition`): the values of an element are, its gradients, which do not see constants, are not.
//!
//! Sums that are ill-conditioned by themselves may be well-conditioned together with the others of the same
//! output, whose largest error counts: in short rows of a triangle, say. What
//! [`conditioned_sums`](super::conditioned_sums) has written otherwise need not be kept.
//!
//! Before: `y[e, i] += sum(q) w[q] * (u[e, q] - v[e]) * (u[e, q] - v[e]) * phi[q, i]`, where
//! `u[e, q] = sum(k) phi[q, k] * x[e, k]`. After: the same, `u[e, q] - v[e]` being kept.
//! Holds: values are equal, bit by bit.

mod columns;
mod condition;
mod exact;
mod points;
mod regroup;

use std::cell::RefCell;

use crate::analysis::uses::uses;
use crate::collections::{HashMap, HashSet};
use crate::ir::{Equation, Expr, ExprId, IndexId, Program, Role, Term};
use crate::rewrite::evaluate::only_tables;
use crate::rewrite::replace::release;
use condition::Conditions;
use exact::Exact;
use points::{Basis, Placing};

/// The name of the pass.
pub const NAME: &str = "whole_sums";

/// What becomes of sums whose terms may cancel and that are multiplied with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// They are kept whole.
    Keep,
    /// Their terms are put together by the entries of tables in them, where that is enough.
    Group,
    /// They become combinations of their own values at some points, where that is enough.
    Points,
}

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact {
        return Vec::new();
    }
    let count = remedied(program, Remedy::Keep);
    vec![format!("{count} sums kept whole, whose terms may cancel")]
}

/// Applies a remedy; to how many sums.
pub fn remedied(program: &mut Program, remedy: Remedy) -> usize {
    let mut keeping = Keeping {
        remedy,
        exact: Exact::of(program),
        conditions: Conditions::of(program),
        uses: uses(program),
        known: HashMap::default(),
        kept: HashSet::default(),
        others: HashMap::default(),
        written: written(program),
        added: Vec::new(),
        opened: RefCell::default(),
        program,
    };
    keeping.note();
    let mut at = 0;
    while at < keeping.program.equations.len() {
        keeping.equation(at);
        let added = std::mem::take(&mut keeping.added);
        let count = added.len();
        keeping.program.equations.splice(at..at, added);
        at += count + 1;
    }
    keeping.kept.len()
}

/// The loops that choose elements of outputs.
fn written(program: &Program) -> HashSet<IndexId> {
    let output = |array| matches!(program.array(array).role, Role::Output(_));
    let equations = program.equations.iter();
    let outputs = equations.filter(|equation| output(equation.target.array));
    outputs
        .flat_map(|equation| &equation.free)
        .copied()
        .collect()
}

/// A program where nothing is kept any more.
pub fn released(program: &Program) -> Program {
    let mut program = program.unforeseen();
    let mut known = HashMap::default();
    for at in 0..program.equations.len() {
        let expr = program.equations[at].expr;
        program.equations[at].expr = release(&mut program.pool, expr, &mut known);
    }
    program
}

/// Rebuilds values with sums kept.
struct Keeping<'p> {
    remedy: Remedy,
    program: &'p mut Program,
    exact: Exact,
    conditions: Conditions,
    uses: HashMap<ExprId, usize>,
    known: HashMap<ExprId, ExprId>,
    kept: HashSet<ExprId>,
    /// What stands in the place of sums whose terms may cancel.
    others: HashMap<ExprId, Option<ExprId>>,
    /// The loops that choose elements of outputs.
    written: HashSet<IndexId>,
    /// Equations that come before the one that is rebuilt.
    added: Vec<Equation>,
    /// Whether other passes may put a sum in the place of a value: values have parts in common.
    opened: RefCell<HashMap<ExprId, bool>>,
}

impl Keeping<'_> {
    /// Notes which sums are multiplied with others in each output.
    fn note(&mut self) {
        for equation in self.program.equations.clone() {
            let output = equation.target.array;
            if !matches!(self.program.array(output).role, Role::Output(_)) {
                continue;
            }
            let mut seen = HashSet::default();
            let mut stack = vec![equation.expr];
            while let Some(expr) = stack.pop() {
                if !seen.insert(expr) {
                    continue;
                }
                let mut opened = Vec::new();
                self.opened(expr, &mut opened);
                for (factor, _) in opened {
                    self.conditions.note(factor, output);
                }
                stack.extend(self.program.pool.operands(expr));
            }
        }
    }

    fn equation(&mut self, at: usize) {
        let equation = self.program.equations[at].clone();
        let mut expr = self.value(equation.expr);
        // Nothing multiplies what an output is assigned, and no loop sums it.
        let target = &self.program.array(equation.target.array).role;
        let outside = equation.reduction.is_empty() && !matches!(target, Role::Temporary);
        if outside && let Some(inside) = self.program.pool.inside_kept(expr) {
            expr = inside;
        }
        self.program.equations[at].expr = expr;
    }

    /// A value with the sums in it kept that have to be, itself among them.
    fn value(&mut self, expr: ExprId) -> ExprId {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let result = match self.program.pool.get(expr).clone() {
            Expr::Cast(..) if self.program.pool.inside_kept(expr).is_some() => self.inside(expr),
            Expr::Sum(_) if self.remedy == Remedy::Keep => self.sum(expr),
            Expr::Product(_) => self.product(expr),
            _ => {
                let operands = self.program.pool.operands(expr);
                let new: HashMap<ExprId, ExprId> = (operands.into_iter())
                    .map(|operand| (operand, self.value(operand)))
                    .collect();
                (self.program.pool).map_operands(expr, &mut |_, operand| new[&operand])
            }
        };
        self.known.insert(expr, result);
        result
    }

    /// What is kept, with the sums in it kept: nothing is twice.
    fn inside(&mut self, expr: ExprId) -> ExprId {
        let inside = self.program.pool.inside_kept(expr).unwrap_or(expr);
        let value = self.value(inside);
        match self.program.pool.inside_kept(value) {
            Some(_) => value,
            None => self.program.pool.kept(value),
        }
    }

    fn sum(&mut self, expr: ExprId) -> ExprId {
        let element = self.program.pool.element(expr);
        let terms = self.chain(expr);
        let whole = self.exact.cancels(self.program, &terms)
            && !element.is_integer()
            && element.as_word().is_none()
            && !only_tables(self.program, expr);
        let terms = terms.into_iter().map(|term| Term {
            expr: self.value(term.expr),
            ..term
        });
        let terms = terms.collect();
        let sum = self.program.pool.add(Expr::Sum(terms), element);
        if whole { self.keep(sum) } else { sum }
    }

    /// The terms of a sum with those of its first operands, as `a + b + c` has them: the order stays. The
    /// difference of two exact values stays one term.
    fn chain(&self, expr: ExprId) -> Vec<Term> {
        let pool = &self.program.pool;
        let Expr::Sum(terms) = pool.get(expr) else {
            return Vec::new();
        };
        let first = terms[0];
        let once = self.uses.get(&first.expr).copied().unwrap_or(1) <= 1;
        if !once || !first.coefficient.is_one() || !matches!(pool.get(first.expr), Expr::Sum(_)) {
            return terms.clone();
        }
        let inner = self.chain(first.expr);
        let signs = inner.iter().any(|term| !term.coefficient.is_one());
        if signs && self.exact.cancels(self.program, &inner) {
            return terms.clone();
        }
        [inner.as_slice(), &terms[1..]].concat()
    }

    fn keep(&mut self, expr: ExprId) -> ExprId {
        self.kept.insert(expr);
        self.program.pool.kept(expr)
    }

    fn product(&mut self, expr: ExprId) -> ExprId {
        let mut opened: Vec<(ExprId, i32)> = Vec::new();
        self.opened(expr, &mut opened);
        let closed = self.closed(&opened);
        self.with_closed(expr, &closed)
    }

    /// The factors of a product, and of products in it that are used here alone, that other passes may
    /// multiply out, with their powers.
    fn opened(&self, expr: ExprId, into: &mut Vec<(ExprId, i32)>) {
        let Expr::Product(factors) = self.program.pool.get(expr) else {
            return;
        };
        for factor in factors {
            let inner = matches!(self.program.pool.get(factor.expr), Expr::Product(_));
            if inner && factor.power == 1 && self.uses.get(&factor.expr).copied() == Some(1) {
                self.opened(factor.expr, into);
            } else if factor.power > 0 && self.is_opened(factor.expr) {
                match into.iter_mut().find(|(other, _)| *other == factor.expr) {
                    Some((_, power)) => *power += factor.power,
                    None => into.push((factor.expr, factor.power)),
                }
            }
        }
    }

    /// Whether other passes may put a sum in the place of a value: it is one that loops change, or a
    /// temporary that holds one.
    fn is_opened(&self, expr: ExprId) -> bool {
        if let Some(known) = self.opened.borrow().get(&expr) {
            return *known;
        }
        let result = self.opens(expr);
        self.opened.borrow_mut().insert(expr, result);
        result
    }

    fn opens(&self, expr: ExprId) -> bool {
        if only_tables(self.program, expr) {
            return false;
        }
        let pool = &self.program.pool;
        match pool.get(expr) {
            Expr::Sum(terms) => {
                let changed = self.conditions.is_changed(&self.program.pool, expr)
                    || terms.iter().any(|term| self.is_opened(term.expr));
                let terms = self.chain(expr);
                terms.len() > 1 && changed && !self.exact.cancels(self.program, &terms)
                    || terms.len() == 1 && self.is_opened(terms[0].expr)
            }
            Expr::Product(factors) => {
                let mut factors = factors.iter();
                factors.any(|factor| factor.power > 0 && self.is_opened(factor.expr))
            }
            Expr::Access(access) => {
                let Some(definition) = self.conditions.definition(access.array) else {
                    return false;
                };
                !definition.reduction.is_empty() || self.is_opened(definition.expr)
            }
            _ => false,
        }
    }

    /// What stands in the place of those factors whose terms may cancel: they are kept, or have their
    /// terms put together.
    fn closed(&mut self, opened: &[(ExprId, i32)]) -> HashMap<ExprId, ExprId> {
        let count: i32 = opened.iter().map(|(_, power)| power).sum();
        let mut closed = HashMap::default();
        if count < 2 {
            return closed;
        }
        let mut cancelling: Vec<(ExprId, i32)> = Vec::new();
        for (expr, power) in opened {
            if !self.is_well_conditioned(*expr) {
                cancelling.push((*expr, *power));
            }
        }
        let free = self.free(&cancelling);
        let kept = cancelling.len() - usize::from(free.is_some());
        let free = match self.remedy {
            Remedy::Keep => free,
            // Where nothing would be kept, all are put together by other passes.
            Remedy::Group if kept == 0 => return closed,
            Remedy::Group | Remedy::Points => None,
        };
        for (expr, _) in cancelling {
            if Some(expr) != free
                && let Some(value) = self.in_place_of(expr)
            {
                closed.insert(expr, value);
            }
        }
        closed
    }

    /// What stands in the place of a sum whose terms may cancel.
    fn in_place_of(&mut self, expr: ExprId) -> Option<ExprId> {
        if let Some(known) = self.others.get(&expr) {
            return *known;
        }
        let result = match self.remedy {
            Remedy::Keep => {
                let value = self.value(expr);
                Some(self.keep(value))
            }
            Remedy::Group => self.grouped(expr),
            Remedy::Points => self.combined(expr),
        };
        self.kept.extend(result);
        self.others.insert(expr, result);
        result
    }

    /// The sum whose terms may cancel that may be multiplied out: of those that are there once, that which
    /// the most loops change.
    fn free(&self, cancelling: &[(ExprId, i32)]) -> Option<ExprId> {
        let changing = |(expr, _): &&(ExprId, i32)| {
            let indices = self.program.pool.indices(*expr).iter();
            indices
                .filter(|index| self.program.is_constant(**index))
                .count()
        };
        let single = cancelling.iter().filter(|(_, power)| *power == 1);
        single.max_by_key(changing).map(|(expr, _)| *expr)
    }

    fn is_well_conditioned(&mut self, expr: ExprId) -> bool {
        self.conditions.is_well_conditioned(&self.exact, expr)
    }

    /// A sum with its terms put together by the tables in them, if these are well-conditioned then. Sums in
    /// it come first: what becomes of them is shared by all that have them, and has fewer terms.
    fn grouped(&mut self, expr: ExprId) -> Option<ExprId> {
        if self.value(expr) != expr {
            return None;
        }
        let mut dissection = self.conditions.groups(self.program, &self.exact);
        let grouped = regroup::regrouped(&mut dissection, expr)?;
        let conditions = &self.conditions;
        conditions
            .is_new_well_conditioned(self.program, &self.exact, grouped)
            .then(|| self.value(grouped))
    }

    /// A sum as a combination of its own values at some points.
    fn combined(&mut self, expr: ExprId) -> Option<ExprId> {
        let matrix = self.conditions.matrix(&self.exact, expr)?;
        // Only loops that sum have values at fewer points than they have: an output has all of them.
        if matrix.rows.len() != 1 || self.written.contains(&matrix.rows[0]) {
            return None;
        }
        let basis = Basis::of(self.program, &matrix)?;
        let mut placing = Placing {
            program: self.program,
            definitions: self.conditions.definitions(),
            equations: &mut self.added,
        };
        placing.combined(expr, &basis)
    }

    /// A product with something in the place of some factors.
    fn with_closed(&mut self, expr: ExprId, closed: &HashMap<ExprId, ExprId>) -> ExprId {
        let operands = self.program.pool.operands(expr);
        let mut new: HashMap<ExprId, ExprId> = HashMap::default();
        for operand in operands {
            let inner = matches!(self.program.pool.get(operand), Expr::Product(_))
                && self.uses.get(&operand).copied() == Some(1);
            let value = match closed.get(&operand) {
                Some(value) => *value,
                None if inner => self.with_closed(operand, closed),
                None => self.value(operand),
            };
            new.insert(operand, value);
        }
        (self.program.pool).map_operands(expr, &mut |_, operand| new[&operand])
    }
}
