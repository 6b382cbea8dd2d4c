//! The variables that are in scope where markers stand.

use super::skeleton::MARKER;
use crate::collections::HashMap;
use crate::syntax::ast::{
    Block, Expression, ExpressionKind, Function, Pattern, Statement, VariableId,
};

/// The variables in scope at a place, outermost first.
pub type InScope = Vec<VariableId>;

/// The variables in scope at each marker of a function, by its number.
pub fn at_markers(function: &Function) -> HashMap<usize, InScope> {
    let mut walk = Walk {
        function,
        scope: function.parameters.iter().map(|p| p.variable).collect(),
        found: HashMap::default(),
    };
    walk.block(&function.body);
    walk.found
}

struct Walk<'a> {
    function: &'a Function,
    scope: InScope,
    found: HashMap<usize, InScope>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        let outside = self.scope.len();
        for statement in &block.statements {
            self.statement(statement);
        }
        self.scope.truncate(outside);
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let(pattern, value) => {
                self.expression(value);
                self.bind(pattern);
            }
            Statement::For(own) => {
                self.scope.push(own.variable);
                self.block(&own.body);
                self.scope.pop();
            }
            Statement::Block(block) => self.block(block),
            Statement::Effect(value) => self.expression(value),
            Statement::Assign { .. } | Statement::Assert(..) => {}
        }
    }

    fn bind(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Variable(id) => {
                let name = self.function.variables[id.0].name.to_string();
                let marker = name.strip_prefix(MARKER).and_then(|at| at.parse().ok());
                match marker {
                    Some(at) => {
                        self.found.insert(at, self.scope.clone());
                    }
                    None => self.scope.push(*id),
                }
            }
            Pattern::Tuple(all) => all.iter().for_each(|own| self.bind(own)),
            Pattern::Wildcard => {}
        }
    }

    fn expression(&mut self, value: &Expression) {
        match &value.kind {
            ExpressionKind::If(_, first, second) => {
                self.block(first);
                self.block(second);
            }
            ExpressionKind::Block(block) => self.block(block),
            _ => {}
        }
    }
}
