//! `x as T`.

use super::Parsed;
use super::ast::{Expression, ExpressionKind, ScalarType, Type};
use super::expressions::{only_literals, typed};
use super::scope::Reader;
use super::spans;
use super::types::show;
use crate::diagnostics::Fault;

impl Reader<'_> {
    /// `x as T`.
    pub(super) fn cast(&mut self, cast: &syn::ExprCast) -> Parsed<Expression> {
        let ty = self.ty(&cast.ty)?;
        // A literal takes the type that it is converted to, if it can.
        let float = matches!(ty, Type::Scalar(ScalarType::F64 | ScalarType::F32));
        let literal = float && only_literals(&cast.expr) && is_decimal(&cast.expr);
        let wanted = literal.then_some(&ty);
        if let Some(value) = self.outside_as(&cast.expr, &ty) {
            return Ok(value);
        }
        let operand = self.expression(&cast.expr, wanted)?;
        if let (Type::Scalar(ScalarType::Bool), Type::Scalar(ScalarType::Integer(_))) =
            (super::types::behind(&operand.ty), &ty)
        {
            return Ok(self.truth_as_number(operand.dereferenced(), &ty));
        }
        let from = self.scalar_type(&operand, &cast.expr)?;
        let number = |t: &Type| {
            matches!(
                t,
                Type::Scalar(ScalarType::F64 | ScalarType::F32 | ScalarType::Integer(_))
            )
        };
        if !number(&from) || !number(&ty) {
            return Err(Fault::beyond(
                cast,
                format!(
                    "`{}` cannot be converted to `{}` here",
                    show(&from),
                    show(&ty)
                ),
                "convert between numbers; in generic code use `T::from_f64(x)`",
            ));
        }
        Ok(typed(
            ExpressionKind::Cast(Box::new(operand)),
            ty,
            spans::cast(cast),
        ))
    }
}

/// Whether a literal is written as a decimal.
fn is_decimal(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Float(_)),
        syn::Expr::Paren(paren) => is_decimal(&paren.expr),
        syn::Expr::Group(group) => is_decimal(&group.expr),
        syn::Expr::Unary(unary) => is_decimal(&unary.expr),
        _ => false,
    }
}
