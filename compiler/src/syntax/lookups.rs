//! Texts that look narrow integers up in tables, by values that they read.
//!
//! ```text
//! for p in pixels.iter_mut() { *p = curve[*p as usize]; }
//! ```
//!
//! No processor gathers integers of 8 or 16 bits. For AVX-512 LLVM puts vectors of them together lane by lane, which takes
//! twice as long as one number after the other, as it is compiled for AVX2.

use crate::collections::HashSet;

use super::ast::{
    Block, Expression, ExpressionKind, Function, Pattern, ScalarType, Statement, Type, VariableId,
};
use super::types::behind;

/// Whether a function reads such tables.
#[must_use]
pub fn looks_up_narrow(function: &Function) -> bool {
    let narrow = |ty: &Type| matches!(ty, Type::Scalar(ScalarType::Integer(ty)) if ty.bits() < 32);
    Lookups::of(&narrow).block(&function.body)
}

/// Whether a function reads elements by integers that it reads, of whatever type, which LLVM may gather.
#[must_use]
pub fn looks_up(function: &Function) -> bool {
    Lookups::of(&|_| true).block(&function.body)
}

/// The types of elements that are asked for, and the variables that hold elements of slices, so far.
struct Lookups<'a>(&'a dyn Fn(&Type) -> bool, HashSet<VariableId>);

impl<'a> Lookups<'a> {
    fn of(types: &'a dyn Fn(&Type) -> bool) -> Self {
        Lookups(types, HashSet::default())
    }

    fn block(&mut self, block: &Block) -> bool {
        let statements = block.statements.iter();
        let found = statements.fold(false, |found, statement| {
            found
                | match statement {
                    Statement::Let(pattern, value) => {
                        if let (Pattern::Variable(id), true) = (pattern, self.reads(value)) {
                            self.1.insert(*id);
                        }
                        self.expression(value)
                    }
                    Statement::Effect(value)
                    | Statement::Assert(value, _)
                    | Statement::Assign { value, .. } => self.expression(value),
                    Statement::For(inner) => self.block(&inner.body),
                    Statement::Block(inner) => self.block(inner),
                }
        });
        found || block.value.iter().any(|value| self.expression(value))
    }

    fn expression(&mut self, expression: &Expression) -> bool {
        let looked_up = match &expression.kind {
            ExpressionKind::Index(_, at) => self.0(&expression.ty) && self.reads(at),
            _ => false,
        };
        let operands = expression.operands().into_iter();
        let inside = operands.fold(looked_up, |found, operand| found | self.expression(operand));
        let blocks = expression.blocks().into_iter();
        blocks.fold(inside, |found, block| found | self.block(block))
    }

    /// Whether a value is made of elements of slices.
    fn reads(&self, value: &Expression) -> bool {
        match &value.kind {
            ExpressionKind::Variable(id) => self.1.contains(id),
            ExpressionKind::Index(base, _) if matches!(behind(&base.ty), Type::Slice(_)) => true,
            ExpressionKind::Length(..) => false,
            _ => value.operands().into_iter().any(|part| self.reads(part)),
        }
    }
}

/// Whether all elements of arrays that a function names are there whatever it computes, as those that iterators hand out are.
#[must_use]
pub fn are_inside(function: &Function) -> bool {
    all(&function.body, &|expression| match &expression.kind {
        ExpressionKind::Index(base, at) => {
            let known = matches!(
                (behind(&base.ty), &at.kind),
                (Type::Array(_, n), ExpressionKind::Integer(at)) if *at < *n as i128
            );
            expression.inside || known
        }
        ExpressionKind::Helper(..) => false,
        _ => true,
    })
}

/// Whether something holds of all expressions of a block.
fn all(block: &Block, holds: &dyn Fn(&Expression) -> bool) -> bool {
    let of = |expression: &Expression| all_of(expression, holds);
    let statements = block.statements.iter().all(|statement| match statement {
        Statement::Let(_, value) | Statement::Effect(value) | Statement::Assert(value, _) => {
            of(value)
        }
        Statement::Assign { place, value, .. } => of(place) && of(value),
        Statement::For(inner) => all(&inner.body, holds),
        Statement::Block(inner) => all(inner, holds),
    });
    statements && block.value.iter().all(|value| of(value))
}

fn all_of(expression: &Expression, holds: &dyn Fn(&Expression) -> bool) -> bool {
    let operands = expression.operands();
    let blocks = expression.blocks();
    holds(expression)
        && operands.into_iter().all(|operand| all_of(operand, holds))
        && blocks.into_iter().all(|block| all(block, holds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Diagnostics;

    fn looks_up(text: &str) -> bool {
        let mut diagnostics = Diagnostics::default();
        let module = crate::syntax::parse(text.parse().unwrap(), &mut diagnostics);
        looks_up_narrow(&module.unwrap().functions[0])
    }

    #[test]
    fn tables_of_bytes_are_looked_up_by_what_is_read() {
        assert!(looks_up(
            "fn f(t: &[u8; 256], x: &[u8], y: &mut [u8]) { for i in 0..x.len() { let at = usize::from(x[i]); y[i] = t[at]; } }"
        ));
        // By a gather.
        assert!(!looks_up(
            "fn f(t: &[f32; 256], x: &[u8], y: &mut [f32]) { for i in 0..x.len() { y[i] = t[usize::from(x[i])]; } }"
        ));
        assert!(!looks_up(
            "fn f(x: &[u8], y: &mut [u8]) { for i in 0..x.len() { for d in [0, 2] { y[i] = x[i + d]; } } }"
        ));
    }
}
