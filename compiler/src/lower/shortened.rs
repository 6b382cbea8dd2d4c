//! Arrays that are longer than the loop over them: `for (y, x) in y.iter_mut().zip(x)` ends with the shorter of both.
//!
//! A program is that of a text for inputs where what comes first is the shorter one (`limited.rs`). Where an array is
//! accessed in one such loop alone, by the variable of the loop, and its length ends nothing else, a call with a longer
//! array is one with its first elements: the loop is as long, and meets the same ones.

use super::Lowered;
use crate::ir::{Affine, Atom};
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

/// The parameters of a function that may be shortened until what is assumed of lengths holds.
#[must_use]
pub fn shortened(function: &Function, lowered: &Lowered) -> Vec<Shortened> {
    let program = &lowered.program;
    let mut uses = Uses::default();
    uses.block(&function.body);
    // Parameters by their positions; views have other lengths than slices.
    let given = |atom: &Atom| {
        let (Atom::Length(array, 0) | Atom::Scalar(array)) = atom else {
            return None;
        };
        let array = program.array(*array);
        let position = array.role.position().filter(|_| !array.strided);
        position.filter(|at| *at < function.parameters.len())
    };
    let of = |(left, length): &(Affine, Affine)| {
        let [(atom @ Atom::Length(_, 0), 1)] = length.terms.as_slice() else {
            return None;
        };
        let known = left.terms.iter().all(|(atom, _)| given(atom).is_some());
        let position = given(atom).filter(|_| known && length.constant == 0)?;
        let variable = function.parameters[position].variable;
        let by = left.terms.iter().find(|(other, _)| other == atom)?.1;
        (by < 0 && uses.end_with(variable)).then(|| Shortened {
            position,
            left: left.clone(),
            by: -by,
        })
    };
    lowered.shorter.iter().filter_map(of).collect()
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
                Statement::Let(_, value)
                | Statement::Effect(value)
                | Statement::Assert(value, _) => self.expression(value),
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
