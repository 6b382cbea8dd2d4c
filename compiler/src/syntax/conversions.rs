//! `x as T`, and whether the type of `x` is certain.
//!
//! A literal whose type nothing says is of the type that the kernel's parameters have. `rustc` looks at
//! all uses of a variable to find its type, and takes `f64` where they do not tell. The two agree,
//! unless the kernel has numbers of `f32` and the only use is a conversion.

use super::Parsed;
use super::ast::{Block, Expression, ExpressionKind, Pattern, ScalarType, Type};
use super::expressions::{only_literals, typed};
use super::scope::Reader;
use super::types::show;
use crate::diagnostics::{Fault, Span};

impl Reader<'_> {
    /// `x as T`.
    pub(super) fn cast(&mut self, cast: &syn::ExprCast) -> Parsed<Expression> {
        let ty = self.ty(&cast.ty)?;
        // A literal takes the type that it is converted to, if it can.
        let float = matches!(ty, Type::Scalar(ScalarType::F64 | ScalarType::F32));
        let literal = float && only_literals(&cast.expr) && is_decimal(&cast.expr);
        let wanted = literal.then_some(&ty);
        let operand = self.expression(&cast.expr, wanted)?;
        let from = self.scalar_type(&operand, &cast.expr)?;
        let number = |t: &Type| {
            matches!(
                t,
                Type::Scalar(ScalarType::F64 | ScalarType::F32 | ScalarType::Integer(_))
            )
        };
        if !number(&from) || !number(&ty) {
            return Err(Fault::on(
                cast,
                format!(
                    "`{}` cannot be converted to `{}` here",
                    show(&from),
                    show(&ty)
                ),
                "convert between numbers; in generic code use `T::from_f64(x)`",
            ));
        }
        self.certain(&operand, &cast.expr)?;
        Ok(typed(
            ExpressionKind::Cast(Box::new(operand)),
            ty,
            Span::of(cast),
        ))
    }

    /// Refuses to convert a number whose type was guessed.
    pub(super) fn certain(
        &self,
        operand: &Expression,
        tokens: &impl quote::ToTokens,
    ) -> Parsed<()> {
        let literal = matches!(operand.kind, ExpressionKind::Float(_));
        match self.is_guessed(operand) && !literal && !is_suffixed(tokens) {
            false => Ok(()),
            true => Err(Fault::on(
                tokens,
                "the type of this number is not certain where it is converted",
                "write the type of the variable: `let h: f64 = 0.1;`",
            )),
        }
    }

    /// Takes down that the type of a variable is a guess, if its value does not say it.
    pub(super) fn guess_of(
        &mut self,
        pattern: &Pattern,
        value: &Expression,
        tokens: &impl quote::ToTokens,
    ) {
        if !is_suffixed(tokens) {
            self.guess(pattern, value);
        }
    }

    fn guess(&mut self, pattern: &Pattern, value: &Expression) {
        match (pattern, &value.kind) {
            (Pattern::Variable(variable), _) if self.is_guessed(value) => {
                self.guessed.insert(*variable);
            }
            (Pattern::Tuple(patterns), ExpressionKind::Tuple(values)) => {
                let both = patterns.iter().zip(values);
                both.for_each(|(pattern, value)| self.guess(pattern, value));
            }
            _ => {}
        }
    }

    /// An assignment of a number whose type is certain says the variable's.
    pub(super) fn settle(&mut self, place: &Expression, value: &Expression) {
        match &place.kind {
            ExpressionKind::Index(base, _) => self.settle(base, value),
            ExpressionKind::Variable(variable) if !self.is_guessed(value) => {
                self.guessed.remove(variable);
            }
            _ => {}
        }
    }

    /// Whether nothing in an expression says its type: of a kernel whose literals are not `f64`.
    fn is_guessed(&self, expression: &Expression) -> bool {
        if self.float != ScalarType::F32 || !is_single(&expression.ty) {
            return false;
        }
        let value = |block: &Block| match &block.value {
            Some(value) => self.is_guessed(value),
            None => false,
        };
        match &expression.kind {
            ExpressionKind::Float(_) => true,
            ExpressionKind::Variable(variable) => self.guessed.contains(variable),
            ExpressionKind::Negate(inner)
            | ExpressionKind::Index(inner, _)
            | ExpressionKind::Repeat(inner, _) => self.is_guessed(inner),
            ExpressionKind::Binary(_, left, right) => {
                self.is_guessed(left) && self.is_guessed(right)
            }
            ExpressionKind::Call(_, arguments) | ExpressionKind::Array(arguments) => {
                arguments.iter().all(|a| self.is_guessed(a))
            }
            ExpressionKind::If(_, then, otherwise) => value(then) && value(otherwise),
            ExpressionKind::Block(block) => value(block),
            _ => false,
        }
    }
}

/// Whether a literal says its type: `0.1_f32`.
fn is_suffixed(tokens: &impl quote::ToTokens) -> bool {
    let text = tokens.to_token_stream().to_string();
    text.contains("f32") || text.contains("f64")
}

/// `f32`, or an array of it.
fn is_single(ty: &Type) -> bool {
    match ty {
        Type::Scalar(scalar) => *scalar == ScalarType::F32,
        Type::Array(inner, _) => is_single(inner),
        _ => false,
    }
}

/// Whether a literal is written as a decimal.
fn is_decimal(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Float(_)),
        syn::Expr::Paren(paren) => is_decimal(&paren.expr),
        syn::Expr::Group(group) => is_decimal(&group.expr),
        syn::Expr::Unary(unary) => is_decimal(&unary.expr),
        syn::Expr::Binary(binary) => is_decimal(&binary.left) && is_decimal(&binary.right),
        _ => false,
    }
}
