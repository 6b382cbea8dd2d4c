//! Assignments. Some are others: `x ^= y` is `x = x ^ y`, and `(a, b) = (b, a)` is one for each part.

use super::Parsed;
use super::ast::{BinaryOperator, Expression, ExpressionKind, Statement, Type};
use super::expressions::typed;
use super::parts::{element, number};
use super::records::is_record;
use super::scope::Reader;
use super::statements::strip;
use super::types::{behind, show};
use super::views::rank;
use crate::diagnostics::{Fault, Span};

/// Whether a place is a view or a row of one, which have operators of their own; slices have none.
fn is_view(place: &Expression) -> bool {
    match &place.kind {
        _ if rank(behind(&place.ty)) > 0 => true,
        ExpressionKind::Reference(inner) | ExpressionKind::Dereference(inner) => is_view(inner),
        ExpressionKind::Index(base, _) => {
            matches!(behind(&place.ty), Type::Slice(_)) && rank(behind(&base.ty)) > 0
        }
        _ => false,
    }
}

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
            other => Ok(Some(behind(&self.place(other)?.ty).clone())),
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
                if *behind(&target.ty) != value.ty {
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

    /// `PLACE OP VALUE`.
    pub(super) fn assignment(
        &mut self,
        (place, operator, value): (&syn::Expr, Option<BinaryOperator>, &syn::Expr),
        span: Span,
    ) -> Parsed<Statement> {
        let target = self.place(place)?;
        if let (true, Some(operator)) = (is_record(&target.ty), operator) {
            let whole = binary(place, operator, value, span);
            return self.record_assigned(&whole, operator, &target, span);
        }
        if let (true, Some(operator)) = (is_view(&target), operator) {
            self.writable(&target, place)?;
            return self.whole_assigned(target, operator, value, span);
        }
        let value = self.value_for((place, &target), operator, value)?;
        if let ExpressionKind::Tuple(_) = target.kind {
            return Ok(self.assigned_by_parts(target, value, span));
        }
        if let ExpressionKind::Part { .. } = super::parts::place(target.clone()).kind {
            return Ok(self.assign_numbers(&target, operator, value, span));
        }
        let place = target;
        Ok(Statement::Assign {
            place,
            operator,
            value,
            span,
        })
    }

    fn value_for(
        &mut self,
        (place_tokens, place): (&syn::Expr, &Expression),
        operator: Option<BinaryOperator>,
        expr: &syn::Expr,
    ) -> Parsed<Expression> {
        if let Type::Reference(..) = place.ty {
            return Err(Fault::beyond_at(
                place.span,
                "a reference is assigned",
                "assign to what it refers to: `*x = …`, `*x += …`",
            ));
        }
        let wanted = behind(&place.ty).clone();
        let value = self.expression(expr, Some(&wanted))?;
        // `x += &y` is Rust, `x = &y` is not.
        let value = match operator {
            Some(_) => value.dereferenced(),
            None => value,
        };
        self.agree((place_tokens, &wanted), (expr, &value.ty));
        if value.ty != wanted {
            return Err(Fault::on(
                expr,
                format!(
                    "this is `{}`, but the target is `{}`",
                    show(&value.ty),
                    show(&wanted)
                ),
                match &value.ty {
                    Type::Reference(to, _) if matches!(**to, Type::Scalar(_)) => {
                        "take what the reference leads to, with `*`"
                    }
                    Type::Scalar(_) => "convert it with `as`, or annotate the variable's type",
                    _ => "make the types agree: subscript arrays to their elements",
                },
            ));
        }
        Ok(value)
    }
}

/// `place operator value`.
fn binary(
    place: &syn::Expr,
    operator: BinaryOperator,
    value: &syn::Expr,
    span: Span,
) -> syn::ExprBinary {
    let at = span.start();
    let op = match operator {
        BinaryOperator::Add => syn::BinOp::Add(syn::Token![+](at)),
        BinaryOperator::Subtract => syn::BinOp::Sub(syn::Token![-](at)),
        BinaryOperator::Multiply => syn::BinOp::Mul(syn::Token![*](at)),
        BinaryOperator::Divide => syn::BinOp::Div(syn::Token![/](at)),
        BinaryOperator::Remainder => syn::BinOp::Rem(syn::Token![%](at)),
    };
    let (left, right) = (Box::new(place.clone()), Box::new(value.clone()));
    let attrs = Vec::new();
    syn::ExprBinary {
        attrs,
        left,
        op,
        right,
    }
}
