//! Which integer variables accesses depend on.

use std::collections::HashSet;

use crate::syntax::ast::{
    Block, Expression, ExpressionKind, Function, Pattern, ScalarType, Statement, Type, VariableId,
};

/// The variables of a function that subscripts, bounds, conditions and extents are computed from, and
/// those that are handed to helpers.
pub fn relevant(function: &Function) -> HashSet<VariableId> {
    let mut search = Search::default();
    search.block(&function.body);
    let mut open: Vec<VariableId> = search.used.iter().copied().collect();
    while let Some(variable) = open.pop() {
        let made = search.made.iter().filter(|(of, _)| *of == variable);
        let from: Vec<VariableId> = made.flat_map(|(_, from)| from).copied().collect();
        open.extend(from.into_iter().filter(|v| search.used.insert(*v)));
    }
    search.used
}

#[derive(Default)]
struct Search {
    used: HashSet<VariableId>,
    /// What is assigned to a variable is made of others.
    made: Vec<(VariableId, Vec<VariableId>)>,
}

impl Search {
    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            match statement {
                Statement::Let(pattern, value) => {
                    self.made(&mut bound(pattern), value);
                    self.expression(value);
                }
                Statement::Assign { place, value, .. } => {
                    self.made(&mut variables(place).into_iter().take(1).collect(), value);
                    self.expression(place);
                    self.expression(value);
                }
                Statement::For(inner) => {
                    for end in [&inner.start, &inner.end] {
                        self.uses(end);
                        self.expression(end);
                    }
                    self.block(&inner.body);
                }
                Statement::Block(inner) => self.block(inner),
                Statement::Effect(value) => self.expression(value),
                Statement::Assert(condition) => {
                    self.uses(condition);
                    self.expression(condition);
                }
            }
        }
        if let Some(value) = &block.value {
            self.expression(value);
        }
    }

    fn made(&mut self, targets: &mut Vec<VariableId>, value: &Expression) {
        let from = variables(value);
        let all = targets.drain(..).map(|target| (target, from.clone()));
        self.made.extend(all);
    }

    fn uses(&mut self, expression: &Expression) {
        self.used.extend(variables(expression));
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Index(_, index) => self.uses(index),
            ExpressionKind::If(condition, ..) => self.uses(condition),
            ExpressionKind::Allocate(parts) => parts.iter().for_each(|part| self.uses(part)),
            ExpressionKind::Helper(_, arguments) => {
                let scalar = |ty: &Type| {
                    let ty = crate::syntax::behind(ty);
                    matches!(ty, Type::Scalar(ScalarType::F64 | ScalarType::F32))
                };
                let integers = arguments.iter().filter(|argument| !scalar(&argument.ty));
                integers.for_each(|argument| self.uses(argument));
            }
            _ => {}
        }
        for operand in expression.operands() {
            self.expression(operand);
        }
        let blocks = expression.blocks().into_iter();
        blocks.for_each(|block| self.block(block));
    }
}

/// All variables of an expression, in the order of the text.
fn variables(expression: &Expression) -> Vec<VariableId> {
    let mut result = Vec::new();
    let mut open = vec![expression];
    while let Some(top) = open.pop() {
        if let ExpressionKind::Variable(variable) = &top.kind {
            result.push(*variable);
        }
        open.extend(top.operands().into_iter().rev());
        for block in top.blocks() {
            open.extend(block.value.as_deref());
            let values = block
                .statements
                .iter()
                .filter_map(|statement| match statement {
                    Statement::Let(_, value) | Statement::Assign { value, .. } => Some(value),
                    Statement::Effect(value) | Statement::Assert(value) => Some(value),
                    Statement::For(_) | Statement::Block(_) => None,
                });
            open.extend(values);
        }
    }
    result
}

/// The variables that a pattern binds.
fn bound(pattern: &Pattern) -> Vec<VariableId> {
    match pattern {
        Pattern::Variable(variable) => vec![*variable],
        Pattern::Wildcard => Vec::new(),
        Pattern::Tuple(parts) => parts.iter().flat_map(bound).collect(),
    }
}
