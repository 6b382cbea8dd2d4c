//! Types that are no arrays of numbers of one type: structs whose fields have several, pairs and slices in slices. A
//! kernel that has such runs as written.

use super::ast::{Function, ScalarType, Type};
use super::types::has_record;
use crate::diagnostics::Span;

/// The first variable of a function with such a type, and what it is.
pub fn of(function: &Function) -> Option<(Span, &'static str)> {
    let parameters = function.parameters.iter().map(|p| p.variable.0);
    for at in parameters {
        let variable = &function.variables[at];
        if let Some(what) = pairs(&variable.ty, false) {
            return Some((variable.name.span().into(), what));
        }
    }
    let variables = function.variables.iter();
    let mut types = variables.map(|variable| (variable.name.span().into(), &variable.ty));
    let (name, result) = (function.name.span().into(), &function.result);
    types
        .find(|(_, ty)| is_mixed(ty))
        .or_else(|| is_mixed(result).then_some((name, result)))
        .map(|(span, _)| (span, "a struct whose fields are numbers of several types"))
}

/// Whether structs of numbers of several types stand in a type.
pub fn is_mixed(ty: &Type) -> bool {
    has_record(ty, |record| record.mixed)
}

/// Pairs, references or conditions in a parameter's memory.
fn pairs(ty: &Type, inside: bool) -> Option<&'static str> {
    match ty {
        Type::Reference(inner, _) if inside && matches!(**inner, Type::Slice(_)) => {
            Some("slices in a slice, whose elements lie anywhere")
        }
        Type::Scalar(ScalarType::Bool) => Some("a parameter that is a condition"),
        Type::Tuple(_) if inside => Some("tuples in an array"),
        Type::Array(inner, _) | Type::Slice(inner) | Type::Open(inner, _) => pairs(inner, true),
        Type::Reference(inner, _) => pairs(inner, true),
        Type::Tuple(_) | Type::Record(_) | Type::Scalar(_) => None,
    }
}
