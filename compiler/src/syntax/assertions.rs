//! `assert!`, `assert_eq!`, `assert_ne!`, and their siblings of debug builds.
//!
//! What they state is taken for granted; where it does not hold the text runs, which panics as it says.

use syn::punctuated::Punctuated;

use super::Parsed;
use super::ast::{Builds, CompareOperator, ExpressionKind, ScalarType, Statement, Type};
use super::expressions::{only_literals, typed};
use super::scope::Reader;
use super::types::{behind, show};
use crate::diagnostics::{Fault, Span};

/// The name of an assertion, without `debug_`; by its path, too.
fn name(mac: &syn::Macro) -> Option<String> {
    let mut segments = mac.path.segments.iter().map(|segment| &segment.ident);
    let name = segments.next_back()?.to_string();
    let path: Vec<String> = segments.map(ToString::to_string).collect();
    if !path.is_empty() && path != ["core"] && path != ["std"] {
        return None;
    }
    let name = name.strip_prefix("debug_").unwrap_or(&name);
    matches!(name, "assert" | "assert_eq" | "assert_ne").then(|| name.to_owned())
}

/// The builds in which an assertion is looked at.
fn builds(mac: &syn::Macro) -> Builds {
    let name = mac.path.segments.last();
    match name.is_some_and(|segment| segment.ident.to_string().starts_with("debug_")) {
        true => Builds::Debug,
        false => Builds::All,
    }
}

/// Whether a macro call is an assertion.
pub fn is_assertion(mac: &syn::Macro) -> bool {
    name(mac).is_some()
}

impl Reader<'_> {
    /// Reads an assertion. What follows its condition is the message, which the text alone needs.
    pub(super) fn assertion(&mut self, mac: &syn::Macro) -> Parsed<Statement> {
        let parser = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let arguments = mac.parse_body_with(parser).map_err(|error| {
            Fault::new(error.span(), "this is no condition", "write `assert!(c)`")
        })?;
        let arguments: Vec<&syn::Expr> = arguments.iter().collect();
        let operator = match name(mac).as_deref() {
            Some("assert_eq") => CompareOperator::Equal,
            Some("assert_ne") => CompareOperator::NotEqual,
            _ => {
                let Some(condition) = arguments.first() else {
                    return Err(Fault::on(
                        mac,
                        "an assertion of nothing",
                        "write `assert!(c)`",
                    ));
                };
                let condition = self.truth(condition)?;
                return Ok(Statement::Assert(condition, builds(mac)));
            }
        };
        let [left, right, ..] = arguments.as_slice() else {
            return Err(Fault::on(
                mac,
                "a comparison takes two values",
                "write `assert_eq!(a, b)`",
            ));
        };
        let (first, second) = match only_literals(left) {
            true => (right, left),
            false => (left, right),
        };
        let a = self.expression(first, None)?.dereferenced();
        let b = self.expression(second, Some(&a.ty.clone()))?.dereferenced();
        self.agree((first, &a.ty), (second, &b.ty));
        let number = matches!(behind(&a.ty), Type::Scalar(scalar) if *scalar != ScalarType::Bool);
        if a.ty != b.ty || !number {
            return Err(Fault::on(
                mac,
                format!("`{}` is compared with `{}`", show(&a.ty), show(&b.ty)),
                "compare two numbers of one type, such as lengths",
            ));
        }
        let kind = ExpressionKind::Compare(operator, Box::new(a), Box::new(b));
        let ty = Type::Scalar(ScalarType::Bool);
        let condition = typed(kind, ty, Span::of(mac));
        Ok(Statement::Assert(condition, builds(mac)))
    }
}
