//! Results of several numbers: tuples, arrays, structs.
//!
//! ```text
//! fn range(x: &[f64]) -> (f64, f64) { …; (low, high) }
//! ```
//!
//! is read as a function with a parameter for each part, `&mut f64` and `&mut f64`, to which the value's parts are
//! assigned at the end. What is emitted declares them, passes them, and makes the value of the text's type out of
//! them. Nothing after the reader knows results of several numbers.

use proc_macro2::Ident;
use quote::{format_ident, quote};

use super::ast::{Block, ExpressionKind, Given, Parameter, Pattern, ScalarType, Statement, Type};
use super::expressions::typed;
use super::foreign::is_mixed;
use super::records::erased;
use super::scope::Reader;
use crate::diagnostics::Span;

/// How the value of the text is made of what the program writes.
#[derive(Clone, Debug)]
pub enum Returned {
    /// What the program wrote to this name: a number, or an array of such.
    Part {
        /// The name, outside of the program.
        name: Ident,
        /// Its type there.
        ty: Type,
        /// It is the numbers of structs.
        numbers: bool,
    },
    /// A tuple of such.
    Tuple(Vec<Returned>),
}

impl Returned {
    /// Whether a result of this type is several numbers that a program can write.
    pub fn is_of(ty: &Type) -> bool {
        match ty {
            _ if is_mixed(ty) => false,
            Type::Array(..) | Type::Open(..) | Type::Record(_) => written(ty),
            Type::Tuple(fields) => !fields.is_empty() && fields.iter().all(written),
            Type::Scalar(_) | Type::Slice(_) | Type::Reference(..) => false,
        }
    }
}

/// Whether a program can write values of a type.
fn written(ty: &Type) -> bool {
    match ty {
        Type::Scalar(scalar) => *scalar != ScalarType::Bool,
        Type::Array(inner, n) => *n > 0 && written(inner) && !matches!(**inner, Type::Tuple(_)),
        Type::Record(_) => true,
        Type::Tuple(fields) => !fields.is_empty() && fields.iter().all(written),
        Type::Open(..) | Type::Slice(_) | Type::Reference(..) => false,
    }
}

impl Reader<'_> {
    /// Lets a body write its value to parameters of their own, which are put behind the others.
    pub(super) fn returned(
        &mut self,
        ty: &Type,
        body: &mut Block,
        parameters: &mut Vec<Parameter>,
    ) -> Option<Returned> {
        let value = body.value.take_if(|value| value.ty == *ty)?;
        let (span, mut assigned) = (value.span, Vec::new());
        let (pattern, returned) = self.part(ty, span, parameters, &mut assigned);
        body.statements.push(Statement::Let(pattern, *value));
        body.statements.append(&mut assigned);
        Some(returned)
    }

    /// One part of the value: the name that it is bound to, and its assignment to a parameter.
    fn part(
        &mut self,
        ty: &Type,
        span: Span,
        parameters: &mut Vec<Parameter>,
        assigned: &mut Vec<Statement>,
    ) -> (Pattern, Returned) {
        if let Type::Tuple(fields) = ty {
            let parts = fields
                .iter()
                .map(|field| self.part(field, span, parameters, assigned));
            let (patterns, parts) = parts.unzip();
            return (Pattern::Tuple(patterns), Returned::Tuple(parts));
        }
        let name = format_ident!("__result{}", parameters.len(), span = span.start());
        let bound = self.hidden("value", ty.clone(), false, span);
        let behind = Type::Reference(Box::new(ty.clone()), true);
        let variable = self.hidden("result", behind.clone(), false, span);
        parameters.push(Parameter {
            variable,
            reference: true,
            given: Some(Given::Value(quote!(&mut #name))),
        });
        let reference = typed(ExpressionKind::Variable(variable), behind, span);
        let place = ExpressionKind::Dereference(Box::new(reference));
        assigned.push(Statement::Assign {
            place: typed(place, ty.clone(), span),
            operator: None,
            value: typed(ExpressionKind::Variable(bound), ty.clone(), span),
            span,
        });
        let part = erased(ty);
        let numbers = part != *ty;
        let part = Returned::Part {
            name,
            ty: part,
            numbers,
        };
        (Pattern::Variable(bound), part)
    }
}
