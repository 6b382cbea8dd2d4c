//! Elements of arrays that a loop writes and reads again, as local variables: steps in time of points whose state is in
//! arrays.
//!
//! ```text
//! for i in 0..n {
//!     for _ in 0..steps { x[i] += dt * v[i]; v[i] -= dt * x[i]; }
//! }
//! ```
//! assigns each element again for each step, which no equation does. But the inner loop knows one element of each array:
//!
//! ```text
//! for i in 0..n {
//!     let (mut a, mut b) = (x[i], v[i]);
//!     for _ in 0..steps { a += dt * b; b -= dt * a; }
//!     (x[i], v[i]) = (a, b);
//! }
//! ```
//! which are numbers that iterations [hand on](super::carried).
//!
//! Holds: all that the loop does with the array is done with that element, and which one it is does not change in it. A
//! loop without iterations would touch no element: that it has some is assumed.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::Findings;
use super::{Arrays, Lowered, Problem, Result, attempts};
use crate::collections::HashSet;
use crate::syntax::ast::{
    Block, Expression, ExpressionKind, ForLoop, Function, LoopId, Module, Pattern, Statement, Type,
    Variable, VariableId,
};
use crate::syntax::is_same;

/// The program of a kernel whose inner loops hold elements in local variables; `stopped` if there is nothing to hold, or
/// that has none either.
pub(super) fn lowered(
    module: &Module,
    function: &Function,
    (exact, arrays): (bool, Arrays),
    stopped: Problem,
) -> Result<Lowered> {
    let mut holding = Holding {
        variables: function.variables.clone(),
        held: BTreeSet::new(),
    };
    let mut body = function.body.clone();
    holding.block(&mut body, false);
    if holding.held.is_empty() {
        return Err(stopped);
    }
    let function = Function {
        variables: holding.variables,
        body,
        ..function.clone()
    };
    let findings = Findings {
        held: holding.held,
        ..Findings::default()
    };
    attempts(module, &function, exact, (arrays, findings)).or(Err(stopped))
}

/// Rewrites a kernel.
struct Holding {
    variables: Vec<Variable>,
    /// The loops that hold elements.
    held: BTreeSet<LoopId>,
}

impl Holding {
    fn block(&mut self, block: &mut Block, inside: bool) {
        let mut statements = Vec::new();
        for mut statement in std::mem::take(&mut block.statements) {
            let mut after = Vec::new();
            match &mut statement {
                Statement::For(inner) => {
                    let held = inside && self.holds(inner, &mut statements, &mut after);
                    if !held {
                        self.block(&mut inner.body, true);
                    }
                }
                Statement::Block(inner) => self.block(inner, inside),
                _ => {}
            }
            statements.push(statement);
            statements.extend(after);
        }
        block.statements = statements;
    }

    /// Holds what a loop can hold, from what is said before it to what is said after it; whether there is such.
    fn holds(
        &mut self,
        inner: &mut ForLoop,
        before: &mut Vec<Statement>,
        after: &mut Vec<Statement>,
    ) -> bool {
        let mut uses = Uses::default();
        uses.changed.insert(inner.variable);
        uses.block(&inner.body);
        let found = uses.places.iter().filter_map(|(root, places)| {
            let element = uses.element(*root, places, &self.variables)?;
            Some((*root, element))
        });
        let found: Vec<(VariableId, Expression)> = found.collect();
        // Sums alone are no state. Those of what is one stand beside it.
        let read = |root: &VariableId| uses.read.contains(root);
        let state = found.iter().any(|(root, _)| read(root));
        for (root, element) in found.into_iter().filter(|_| state) {
            let name = &self.variables[root.0].name;
            let held = VariableId(self.variables.len());
            self.variables.push(Variable {
                name: name.clone(),
                ty: element.ty.clone(),
                mutable: true,
            });
            replace(&mut inner.body, &element, held);
            let value = Expression {
                kind: ExpressionKind::Variable(held),
                ..element.clone()
            };
            before.push(Statement::Let(Pattern::Variable(held), element.clone()));
            after.push(Statement::Assign {
                span: element.span,
                place: element,
                operator: None,
                value,
            });
        }
        let some = !after.is_empty();
        if some {
            self.held.insert(inner.id);
        }
        some
    }
}

/// What a loop does with variables.
#[derive(Default)]
struct Uses {
    /// The places of each variable.
    places: BTreeMap<VariableId, Vec<Expression>>,
    /// Those of which a part is assigned, and those of which one is read.
    assigned: HashSet<VariableId>,
    read: HashSet<VariableId>,
    /// The variables that are declared or assigned as a whole.
    changed: HashSet<VariableId>,
}

impl Uses {
    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            match statement {
                Statement::Let(pattern, value) => {
                    self.pattern(pattern);
                    self.expression(value);
                }
                Statement::Assign {
                    place,
                    operator,
                    value,
                    ..
                } => {
                    if let Some(root) = root(place) {
                        if matches!(place.kind, ExpressionKind::Variable(_)) {
                            self.changed.insert(root);
                        }
                        // What is added to is a sum, which is not read.
                        if operator.is_none() {
                            self.read.insert(root);
                        }
                        self.assigned.insert(root);
                    }
                    self.place(place);
                    self.expression(value);
                }
                Statement::For(inner) => {
                    self.changed.insert(inner.variable);
                    self.expression(&inner.start);
                    self.expression(&inner.end);
                    self.block(&inner.body);
                }
                Statement::Block(inner) => self.block(inner),
                Statement::Effect(value) | Statement::Assert(value, _) => self.expression(value),
            }
        }
        if let Some(value) = &block.value {
            self.expression(value);
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Variable(variable) => {
                self.changed.insert(*variable);
            }
            Pattern::Wildcard => {}
            Pattern::Tuple(all) => all.iter().for_each(|one| self.pattern(one)),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match root(expression) {
            Some(root) => {
                self.read.insert(root);
                self.place(expression);
            }
            // What is asked is how long all of it is.
            None if matches!(expression.kind, ExpressionKind::Length(..)) => {}
            None => {
                let operands = expression.operands().into_iter();
                operands.for_each(|operand| self.expression(operand));
                let blocks = expression.blocks().into_iter();
                blocks.for_each(|block| self.block(block));
            }
        }
    }

    /// A place of a variable.
    fn place(&mut self, place: &Expression) {
        if let Some(root) = root(place) {
            self.places.entry(root).or_default().push(place.clone());
        }
        for step in steps(place) {
            if let ExpressionKind::Index(_, at) = &step.kind {
                self.expression(at);
            }
        }
    }

    /// The largest part of an array from outside of the loop that all places are parts of, and that iterations neither
    /// change nor leave as it is.
    fn element(
        &self,
        root: VariableId,
        places: &[Expression],
        variables: &[Variable],
    ) -> Option<Expression> {
        let outside = matches!(variables[root.0].ty, Type::Reference(_, true))
            && !self.changed.contains(&root);
        if !(outside && self.assigned.contains(&root)) {
            return None;
        }
        let all: Vec<Vec<&Expression>> = places.iter().map(steps).collect();
        let (first, others) = all.split_first()?;
        let common = first.iter().enumerate().take_while(|(depth, step)| {
            self.stays(step)
                && others
                    .iter()
                    .all(|other| other.get(*depth).is_some_and(|own| is_same(own, step)))
        });
        let (_, element) = common.last()?;
        is_numbers(&element.ty).then(|| (*element).clone())
    }

    /// Whether a part is the same one in all iterations.
    fn stays(&self, step: &Expression) -> bool {
        match &step.kind {
            ExpressionKind::Index(_, at) => self.is_fixed(at),
            _ => true,
        }
    }

    fn is_fixed(&self, at: &Expression) -> bool {
        match &at.kind {
            ExpressionKind::Variable(variable) => !self.changed.contains(variable),
            ExpressionKind::Integer(_) => true,
            ExpressionKind::Binary(..) | ExpressionKind::Cast(_) => {
                at.operands().into_iter().all(|part| self.is_fixed(part))
            }
            _ => false,
        }
    }
}

/// Numbers that a variable may hold.
fn is_numbers(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => true,
        Type::Array(inner, _) => is_numbers(inner),
        _ => false,
    }
}

/// The variable that a place is a part of.
fn root(place: &Expression) -> Option<VariableId> {
    match &place.kind {
        ExpressionKind::Variable(variable) => Some(*variable),
        ExpressionKind::Index(base, _)
        | ExpressionKind::Field(base, _)
        | ExpressionKind::Dereference(base)
        | ExpressionKind::Reference(base) => root(base),
        _ => None,
    }
}

/// The elements and fields that lead to a place, from its variable on.
fn steps(place: &Expression) -> Vec<&Expression> {
    match &place.kind {
        ExpressionKind::Index(base, _) | ExpressionKind::Field(base, _) => {
            let mut all = steps(base);
            all.push(place);
            all
        }
        ExpressionKind::Dereference(base) | ExpressionKind::Reference(base) => steps(base),
        _ => Vec::new(),
    }
}

/// Puts a variable in the place of an element.
fn replace(block: &mut Block, element: &Expression, held: VariableId) {
    let (expressions, blocks) = block.parts_mut();
    for expression in expressions {
        replace_in(expression, element, held);
    }
    for inner in blocks {
        replace(inner, element, held);
    }
}

fn replace_in(expression: &mut Expression, element: &Expression, held: VariableId) {
    let part = matches!(
        expression.kind,
        ExpressionKind::Index(..) | ExpressionKind::Field(..)
    );
    if part && is_same(expression, element) {
        expression.kind = ExpressionKind::Variable(held);
        return;
    }
    for operand in expression.operands_mut() {
        replace_in(operand, element, held);
    }
    for block in expression.blocks_mut() {
        replace(block, element, held);
    }
}
