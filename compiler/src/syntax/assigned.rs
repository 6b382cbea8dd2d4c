//! Assignments that are others: `x ^= y` is `x = x ^ y`, and `(a, b) = (b, a)` is one for each part.

use super::Parsed;
use super::ast::{Expression, ExpressionKind, Statement, Type};
use super::expressions::typed;
use super::parts::{element, number};
use super::scope::Reader;
use super::statements::strip;
use super::types::show;
use crate::diagnostics::{Fault, Span};

/// Whether several are assigned at once.
pub fn is_several(place: &syn::Expr) -> bool {
    matches!(strip(place), syn::Expr::Tuple(_) | syn::Expr::Array(_))
}

impl Reader<'_> {
    /// `PLACE OP= VALUE` of an operator that only integers have, or of a remainder.
    pub(super) fn assigned_by(
        &mut self,
        binary: &syn::ExprBinary,
        span: Span,
    ) -> Parsed<Statement> {
        let mut operation = binary.clone();
        operation.op = match binary.op {
            syn::BinOp::RemAssign(_) => syn::BinOp::Rem(syn::Token![%](span.start())),
            syn::BinOp::BitXorAssign(_) => syn::BinOp::BitXor(syn::Token![^](span.start())),
            syn::BinOp::BitAndAssign(_) => syn::BinOp::BitAnd(syn::Token![&](span.start())),
            syn::BinOp::BitOrAssign(_) => syn::BinOp::BitOr(syn::Token![|](span.start())),
            syn::BinOp::ShlAssign(_) => syn::BinOp::Shl(syn::Token![<<](span.start())),
            _ => syn::BinOp::Shr(syn::Token![>>](span.start())),
        };
        let value = syn::Expr::Binary(operation);
        self.assignment((&binary.left, None, &value), span)
    }

    /// `(a, b) = VALUE`: the value is computed before any of its parts is assigned.
    pub(super) fn several(&mut self, assign: &syn::ExprAssign, span: Span) -> Parsed<Statement> {
        let ty = self.type_of(&assign.left)?;
        let value = self.expression(&assign.right, ty.as_ref())?;
        let mut statements = Vec::new();
        let value = self.once(value, "assigned", &mut statements);
        self.spread(&assign.left, value, &mut statements)?;
        Ok(Statement::Block(self.numbered(span, statements, None)))
    }

    /// The type of what is assigned, where all of it is a place.
    fn type_of(&mut self, place: &syn::Expr) -> Parsed<Option<Type>> {
        match strip(place) {
            syn::Expr::Infer(_) => Ok(None),
            syn::Expr::Tuple(tuple) => {
                let types = tuple.elems.iter().map(|part| self.type_of(part));
                let types: Option<Vec<Type>> = types.collect::<Parsed<_>>()?;
                Ok(types.map(Type::Tuple))
            }
            syn::Expr::Array(array) => {
                let first = array.elems.first().map(|part| self.type_of(part));
                let first = first.transpose()?.flatten();
                Ok(first.map(|ty| Type::Array(Box::new(ty), array.elems.len())))
            }
            other => Ok(Some(super::types::behind(&self.place(other)?.ty).clone())),
        }
    }

    /// Assigns the parts of a value.
    fn spread(
        &mut self,
        place: &syn::Expr,
        value: Expression,
        into: &mut Vec<Statement>,
    ) -> Parsed<()> {
        let count = |n: usize| {
            Fault::on(
                place,
                format!("`{}` has not {n} parts", show(&value.ty)),
                "assign as many as the value has",
            )
        };
        match strip(place) {
            syn::Expr::Infer(_) => Ok(()),
            syn::Expr::Tuple(tuple) => {
                let Type::Tuple(types) = value.ty.clone() else {
                    return Err(count(tuple.elems.len()));
                };
                if types.len() != tuple.elems.len() {
                    return Err(count(tuple.elems.len()));
                }
                for (at, (place, ty)) in tuple.elems.iter().zip(types).enumerate() {
                    let kind = ExpressionKind::Field(Box::new(value.clone()), at);
                    self.spread(place, typed(kind, ty, value.span), into)?;
                }
                Ok(())
            }
            syn::Expr::Array(array) => {
                if !matches!(&value.ty, Type::Array(_, n) if *n == array.elems.len()) {
                    return Err(count(array.elems.len()));
                }
                for (at, place) in array.elems.iter().enumerate() {
                    let part = element(&value, number(at as i128, value.span));
                    self.spread(place, part, into)?;
                }
                Ok(())
            }
            other => {
                let target = self.place(other)?;
                if *super::types::behind(&target.ty) != value.ty {
                    return Err(Fault::on(
                        other,
                        format!(
                            "this is `{}`, but `{}` is assigned",
                            show(&target.ty),
                            show(&value.ty)
                        ),
                        "make the types agree",
                    ));
                }
                let span = value.span;
                into.push(Statement::Assign {
                    place: target,
                    operator: None,
                    value,
                    span,
                });
                Ok(())
            }
        }
    }
}
