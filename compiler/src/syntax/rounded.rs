//! Kernels that make integers of floating-point numbers.
//!
//! ```text
//! for (o, v) in out.iter_mut().zip(x) { *o = (v * 255.0 + 0.5) as u8; }
//! ```
//!
//! A number that is rounded otherwise may become another integer. So such kernels keep each operation of the text, as they
//! do where `strict` stands.

use super::ast::{Block, Expression, ExpressionKind, Function, ScalarType, Statement, Type};

/// Says of kernels that make integers of floating-point numbers that they do, and that results are those of the text.
pub fn mark(functions: &mut [Function]) {
    for at in 0..functions.len() {
        let rounds = makes_integers(functions, at);
        let function = &mut functions[at];
        function.rounds = rounds && function.options.pipeline.is_none();
        function.options.strict |= function.rounds;
    }
}

/// Whether a function makes integers of such numbers, or a helper that it calls.
fn makes_integers(functions: &[Function], at: usize) -> bool {
    let mut search = Search {
        functions,
        seen: vec![false; functions.len()],
    };
    search.function(at)
}

struct Search<'a> {
    functions: &'a [Function],
    seen: Vec<bool>,
}

impl Search<'_> {
    fn function(&mut self, at: usize) -> bool {
        let new = !std::mem::replace(&mut self.seen[at], true);
        new && self.block(&self.functions[at].body)
    }

    fn block(&mut self, block: &Block) -> bool {
        let mut statements = block.statements.iter();
        statements.any(|statement| match statement {
            Statement::Let(_, value)
            | Statement::Effect(value)
            | Statement::Assert(value, _)
            | Statement::Assign { value, .. } => self.expression(value),
            Statement::For(inner) => self.block(&inner.body),
            Statement::Block(inner) => self.block(inner),
        }) || block.value.iter().any(|value| self.expression(value))
    }

    fn expression(&mut self, expression: &Expression) -> bool {
        let rounds = match &expression.kind {
            ExpressionKind::Cast(inner) => {
                is_float(&inner.ty) && matches!(expression.ty, Type::Scalar(ScalarType::Integer(_)))
            }
            ExpressionKind::Helper(function, _) => self.function(function.0),
            _ => false,
        };
        let mut operands = expression.operands().into_iter();
        rounds
            || operands.any(|operand| self.expression(operand))
            || (expression.blocks().into_iter()).any(|block| self.block(block))
    }
}

fn is_float(ty: &Type) -> bool {
    let ty = super::types::behind(ty);
    matches!(ty, Type::Scalar(ScalarType::F32 | ScalarType::F64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Diagnostics;

    #[test]
    fn numbers_become_integers_in_helpers_too() {
        let makes = |text: &str| {
            let mut diagnostics = Diagnostics::default();
            let module = crate::syntax::parse(text.parse().unwrap(), &mut diagnostics);
            makes_integers(&module.unwrap().functions, 0)
        };
        assert!(makes(
            "pub fn f(x: &[f32], y: &mut [u8]) { for i in 0..y.len() { y[i] = (x[i] * 255.0) as u8; } }"
        ));
        assert!(makes(
            "pub fn f(x: &[f32], y: &mut [u8]) { for i in 0..y.len() { y[i] = byte(x[i]); } } \
             fn byte(x: f32) -> u8 { (x * 255.0) as u8 }"
        ));
        assert!(!makes(
            "pub fn f(x: &[u8], y: &mut [f32]) { for i in 0..y.len() { y[i] = x[i] as f32; } }"
        ));
    }
}
