//! Arrays that are longer than the loop over them: `for (y, x) in y.iter_mut().zip(x)` ends with the shorter of both.
//!
//! A program is that of a text for inputs where what comes first is the shorter one (`limited.rs`). Where an array is
//! accessed in one such loop alone, by the variable of the loop, and its length ends nothing else, a call with a longer
//! array is one with its first elements: the loop is as long, and meets the same ones.

use crate::ir::{Affine, Atom, Program};
use crate::syntax::ast::{
    Block, Expression, ExpressionKind, ForLoop, Function, IntegerMethod, Statement, VariableId,
};

/// A parameter that may be longer than the loop over it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// Its position.
    pub position: usize,
    /// What is negative where it is too long.
    pub left: Affine,
    /// How much less that is with each element.
    pub by: i64,
}

/// The parameters of a function that may be shortened until what is `assumed` holds.
#[must_use]
pub fn shortened(function: &Function, program: &Program, assumed: &[Affine]) -> Vec<Shortened> {
    let mut uses = Uses::default();
    uses.block(&function.body);
    let of = |left: &Affine| {
        let known = |atom: &Atom| match atom {
            Atom::Length(array, 0) => program.array(*array).role.position(),
            Atom::Scalar(array) => program.array(*array).role.position(),
            _ => None,
        };
        let inside = |position: usize| position < function.parameters.len();
        let mut atoms = left.terms.iter().map(|(atom, _)| known(atom));
        if !atoms.all(|position| position.is_some_and(inside)) {
            return None;
        }
        left.terms.iter().find_map(|(atom, factor)| {
            let Atom::Length(array, 0) = atom else {
                return None;
            };
            let position = known(atom)?;
            let variable = function.parameters[position].variable;
            let long = *factor < 0 && !program.array(*array).strided && uses.end_with(variable);
            long.then(|| Shortened {
                position,
                left: left.clone(),
                by: -factor,
            })
        })
    };
    assumed.iter().filter_map(of).collect()
}

/// Where variables stand.
#[derive(Default)]
struct Uses {
    /// Subscripted by another variable.
    subscripted: Vec<(VariableId, VariableId)>,
    /// Limits of the loop over a variable.
    limits: Vec<(VariableId, VariableId)>,
    /// Anywhere else.
    elsewhere: Vec<VariableId>,
}

impl Uses {
    /// Whether an array ends one loop, and is subscripted by its variable and nowhere else.
    fn end_with(&self, array: VariableId) -> bool {
        let mut limits = self.limits.iter().filter(|(limit, _)| *limit == array);
        let (Some((_, index)), None) = (limits.next(), limits.next()) else {
            return false;
        };
        let mut subscripted = self.subscripted.iter().filter(|(of, _)| *of == array);
        subscripted.all(|(_, at)| at == index) && !self.elsewhere.contains(&array)
    }

    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            match statement {
                Statement::Let(_, value) | Statement::Effect(value) | Statement::Assert(value) => {
                    self.expression(value)
                }
                Statement::Assign { place, value, .. } => {
                    self.expression(place);
                    self.expression(value);
                }
                Statement::For(for_loop) => self.for_loop(for_loop),
                Statement::Block(inner) => self.block(inner),
            }
        }
        if let Some(value) = &block.value {
            self.expression(value);
        }
    }

    fn for_loop(&mut self, for_loop: &ForLoop) {
        let from_zero = matches!(for_loop.start.kind, ExpressionKind::Integer(0));
        match from_zero && for_loop.adaptors.is_empty() && !for_loop.inclusive {
            true => self.limit(&for_loop.end, for_loop.variable),
            false => {
                self.expression(&for_loop.start);
                self.expression(&for_loop.end);
            }
        }
        self.block(&for_loop.body);
    }

    /// The end of a loop: the smallest of some lengths.
    fn limit(&mut self, end: &Expression, index: VariableId) {
        match &end.kind {
            ExpressionKind::Integers(IntegerMethod::Min, limits) => {
                limits.iter().for_each(|limit| self.limit(limit, index));
            }
            ExpressionKind::Length(array, 0) => match variable(array) {
                Some(array) => self.limits.push((array, index)),
                None => self.expression(array),
            },
            _ => self.expression(end),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Variable(variable) => self.elsewhere.push(*variable),
            ExpressionKind::Index(array, at) => match (variable(array), variable(at)) {
                (Some(array), Some(at)) => self.subscripted.push((array, at)),
                _ => {
                    self.expression(array);
                    self.expression(at);
                }
            },
            _ => {
                for operand in expression.operands() {
                    self.expression(operand);
                }
            }
        }
        for block in expression.blocks() {
            self.block(block);
        }
    }
}

/// The variable that an expression is, behind references.
fn variable(expression: &Expression) -> Option<VariableId> {
    match &expression.kind {
        ExpressionKind::Variable(variable) => Some(*variable),
        ExpressionKind::Reference(inner) | ExpressionKind::Dereference(inner) => variable(inner),
        _ => None,
    }
}
