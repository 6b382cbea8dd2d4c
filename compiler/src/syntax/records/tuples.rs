//! Tuples of numbers of one type as elements of slices: `points: &[(f64, f64)]`.
//!
//! In memory they are the arrays of their numbers, as structs are; values that are computed with are tuples of
//! expressions, as others are. One becomes the other where the text takes a tuple apart, or puts one together.

use std::rc::Rc;

use super::access::{component, made, scalars};
use super::{Field, Record};
use crate::syntax::ast::{Expression, ExpressionKind, ScalarType, Statement, Type};
use crate::syntax::expressions::typed;
use crate::syntax::parts::{number, place, reference};
use crate::syntax::scope::Reader;
use crate::syntax::types::{behind, has_record, show};

/// Numbers of a tuple that the run time knows how to find.
const MOST: usize = 8;

/// The type of a slice's elements: tuples are structs there, if their numbers have one type.
pub fn element(ty: Type) -> Type {
    let Type::Tuple(fields) = &ty else {
        return ty;
    };
    let Some(Type::Scalar(element)) = fields.first() else {
        return ty;
    };
    let number = matches!(
        element,
        ScalarType::F64 | ScalarType::F32 | ScalarType::Integer(_)
    );
    let alike = fields.iter().all(|field| *field == Type::Scalar(*element));
    if !number || !alike || !(2..=MOST).contains(&fields.len()) {
        return ty;
    }
    let own = fields.iter().enumerate().map(|(at, ty)| Field {
        name: at.to_string(),
        ty: ty.clone(),
        offset: at,
    });
    Type::Record(Rc::new(Record {
        name: show(&ty),
        element: *element,
        fields: own.collect(),
        size: fields.len(),
        mixed: false,
        complex: false,
        tuple: true,
    }))
}

/// The struct that a tuple in a slice is, or one behind a reference.
fn of(ty: &Type) -> Option<&Rc<Record>> {
    match behind(ty) {
        Type::Record(record) => Some(record).filter(|record| record.tuple),
        _ => None,
    }
}

/// Whether there are tuples of slices in a type.
pub fn has_tuples(ty: &Type) -> bool {
    has_record(ty, |record| record.tuple)
}

/// The types of the parts of a tuple that is expected.
pub fn types(expected: &Type) -> Option<Vec<Type>> {
    match expected {
        Type::Tuple(types) => Some(types.clone()),
        other => {
            let record = of(other)?;
            Some(vec![Type::Scalar(record.element); record.size])
        }
    }
}

impl Reader<'_> {
    /// A value where another type is expected: of a tuple in memory, the tuple of its numbers, and the other way round.
    pub(in crate::syntax) fn agreeing(&mut self, value: Expression, expected: &Type) -> Expression {
        match (expected, &value.ty) {
            (Type::Record(record), Type::Tuple(_))
                if record.tuple && types(expected).as_ref() == types(&value.ty).as_ref() =>
            {
                let span = value.span;
                let mut statements = Vec::new();
                let parts = match value.kind {
                    ExpressionKind::Tuple(parts) => parts,
                    _ => {
                        let whole = self.once(value, "value", &mut statements);
                        let scalar = Type::Scalar(record.element);
                        let part = |at| {
                            let kind = ExpressionKind::Field(Box::new(whole.clone()), at);
                            typed(kind, scalar.clone(), span)
                        };
                        (0..record.size).map(part).collect()
                    }
                };
                self.after(statements, made(record, parts, span), span)
            }
            (Type::Tuple(_), Type::Record(record)) if record.tuple => {
                let span = value.span;
                let mut statements = Vec::new();
                let value = self.taken_apart(value, &mut statements);
                self.after(statements, value, span)
            }
            _ => value,
        }
    }

    /// A tuple in memory, or a reference to one, as the tuple of its numbers or of references to these.
    pub(in crate::syntax) fn taken_apart(
        &mut self,
        value: Expression,
        into: &mut Vec<Statement>,
    ) -> Expression {
        let Some(record) = of(&value.ty).cloned() else {
            return value;
        };
        let span = value.span;
        let parts = match value.ty {
            Type::Reference(_, mutable) => {
                let scalar = Type::Scalar(record.element);
                let part = |at: usize| component(&value, number(at as i128, span), &scalar);
                let parts = (0..record.size).map(part);
                parts.map(|part| reference(part, mutable)).collect()
            }
            _ => self.numbers(value, into),
        };
        tuple(parts, span)
    }

    /// A value that a pattern takes apart: each of its tuples in memory as the tuple of its numbers.
    pub(in crate::syntax) fn for_pattern(pattern: &syn::Pat, value: Expression) -> Expression {
        let syn::Pat::Tuple(patterns) = pattern else {
            return value;
        };
        let span = value.span;
        match value.kind {
            ExpressionKind::Tuple(parts) if parts.len() == patterns.elems.len() => {
                let pairs = patterns.elems.iter().zip(parts);
                let parts = pairs.map(|(pattern, part)| Self::for_pattern(pattern, part));
                tuple(parts.collect(), span)
            }
            ExpressionKind::Index(..)
            | ExpressionKind::Variable(_)
            | ExpressionKind::Part { .. }
            | ExpressionKind::Dereference(_)
                if matches!(&value.ty, Type::Record(record) if record.tuple) =>
            {
                tuple(scalars(&place(value)), span)
            }
            _ => value,
        }
    }
}

fn tuple(parts: Vec<Expression>, span: crate::diagnostics::Span) -> Expression {
    let ty = Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
    typed(ExpressionKind::Tuple(parts), ty, span)
}
