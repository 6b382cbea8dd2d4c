//! Short sums of products that stay loops.
//!
//! A loop of few iterations is unrolled where no target knows it, and then its sum is one expression. Where
//! it sums a product of several arrays, some of which it does not run along, the order of products and sums
//! decides how many operations they take (Lam 1999, section 2), and what is unrolled has lost it. So such
//! loops may stay.

use super::swept::is_short;
use crate::collections::HashSet;
use crate::syntax::ast::{
    BinaryOperator, Block, Expression, ExpressionKind, ForLoop, Function, Statement, VariableId,
};

/// Fewest arrays of a product: two are multiplied in one order.
const FEWEST: usize = 3;

/// The variables of loops of few iterations that sum products of several arrays.
pub fn short_sums(function: &Function) -> HashSet<VariableId> {
    let mut walk = Walk::default();
    walk.block(&function.body);
    walk.found
}

#[derive(Default)]
struct Walk {
    /// Variables of short loops around.
    short: Vec<VariableId>,
    found: HashSet<VariableId>,
}

impl Walk {
    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            match statement {
                Statement::For(inner) => self.for_loop(inner),
                Statement::Block(inner) => self.block(inner),
                Statement::Assign {
                    place,
                    operator: Some(BinaryOperator::Add | BinaryOperator::Subtract),
                    value,
                    ..
                } => self.sum(place, value),
                Statement::Effect(choice) => {
                    let blocks = choice.blocks().into_iter();
                    blocks.for_each(|block| self.block(block));
                }
                Statement::Let(..) | Statement::Assign { .. } | Statement::Assert(..) => {}
            }
        }
    }

    fn for_loop(&mut self, for_loop: &ForLoop) {
        let short = is_short(for_loop);
        if short {
            self.short.push(for_loop.variable);
        }
        self.block(&for_loop.body);
        if short {
            self.short.pop();
        }
    }

    fn sum(&mut self, place: &Expression, value: &Expression) {
        let mut factors = Vec::new();
        if !is_product(value, &mut factors) || factors.len() < FEWEST {
            return;
        }
        for variable in &self.short {
            let along = factors
                .iter()
                .filter(|factor| factor.mentions(*variable))
                .count();
            if along > 0 && along < factors.len() && !place.mentions(*variable) {
                self.found.insert(*variable);
            }
        }
    }
}

/// Whether an expression is a product of elements of arrays and of numbers; the elements.
fn is_product<'a>(expression: &'a Expression, factors: &mut Vec<&'a Expression>) -> bool {
    match &expression.kind {
        ExpressionKind::Binary(BinaryOperator::Multiply, a, b) => {
            is_product(a, factors) && is_product(b, factors)
        }
        ExpressionKind::Index(..) => {
            factors.push(expression);
            true
        }
        ExpressionKind::Float(_) | ExpressionKind::Variable(_) => true,
        ExpressionKind::Dereference(inner) => matches!(inner.kind, ExpressionKind::Variable(_)),
        _ => false,
    }
}
