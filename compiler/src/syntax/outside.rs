//! Constants that the macro cannot see: paths such as `crate::PHI[q][i]`.
//!
//! Nothing is known of them but that the text reads them: a kernel that does runs as written.

use super::Parsed;
use super::ast::{Expression, ExpressionKind, IntegerType, ScalarType, Type};
use super::expressions::typed;
use super::scope::{Reader, USIZE};
use super::statements::strip;
use super::types::behind;
use crate::diagnostics::{Fault, Span};
use crate::number::Number;

/// The path at the root of subscripts, and these, if it leads out of the block.
pub fn outside(expr: &syn::Expr) -> Option<(&syn::ExprPath, Vec<&syn::Expr>)> {
    let mut subscripts = Vec::new();
    let mut root = strip(expr);
    loop {
        match root {
            syn::Expr::Index(index) => {
                subscripts.push(index.index.as_ref());
                root = strip(&index.expr);
            }
            syn::Expr::Path(path) if path.path.segments.len() > 1 && path.qself.is_none() => {
                subscripts.reverse();
                return Some((path, subscripts));
            }
            _ => return None,
        }
    }
}

impl Reader<'_> {
    /// A constant from outside of the block; it has the type that is expected.
    pub fn outside(&mut self, expr: &syn::Expr, expected: Option<&Type>) -> Parsed<Expression> {
        let Some((path, subscripts)) = outside(expr) else {
            return Err(Fault::consequence());
        };
        absolute(&path.path)?;
        if let (Some((value, ty)), true) = (limit(&path.path), subscripts.is_empty()) {
            let ty = Type::Scalar(ScalarType::Integer(ty));
            return Ok(typed(ExpressionKind::Integer(value), ty, Span::of(expr)));
        }
        if let (Some(value), true) = (standard(&path.path), subscripts.is_empty()) {
            let kind = ExpressionKind::Float(Number::from_f64(value));
            let ty = Type::Scalar(ScalarType::F64);
            return Ok(typed(kind, ty, Span::of(expr)));
        }
        let mut integers = Vec::new();
        for subscript in subscripts {
            integers.push(self.integer(subscript, Some(&USIZE))?);
        }
        let ty = match expected.map(behind) {
            Some(Type::Scalar(scalar)) => Type::Scalar(*scalar),
            _ => Type::Scalar(self.float),
        };
        Ok(typed(ExpressionKind::Outside(integers), ty, Span::of(expr)))
    }
}

/// The smallest or the largest integer of a type: `usize::MAX`.
pub fn limit(path: &syn::Path) -> Option<(i128, IntegerType)> {
    let mut segments = path.segments.iter().map(|s| s.ident.to_string());
    let (ty, name) = (segments.next()?, segments.next()?);
    let ty = IntegerType::named(&ty).filter(|_| segments.next().is_none())?;
    match name.as_str() {
        "MIN" => Some((ty.range().0, ty)),
        "MAX" => Some((ty.range().1, ty)),
        _ => None,
    }
}

/// A constant of the standard library.
fn standard(path: &syn::Path) -> Option<f64> {
    use std::f64::consts;
    let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    match segments.as_slice() {
        ["std" | "core", "f64", "consts", name] => Some(match *name {
            "PI" => consts::PI,
            "TAU" => consts::TAU,
            "E" => consts::E,
            "SQRT_2" => consts::SQRT_2,
            "FRAC_1_SQRT_2" => consts::FRAC_1_SQRT_2,
            "FRAC_PI_2" => consts::FRAC_PI_2,
            "FRAC_PI_4" => consts::FRAC_PI_4,
            "LN_2" => consts::LN_2,
            "LN_10" => consts::LN_10,
            _ => return None,
        }),
        _ => None,
    }
}

/// A kernel's text moves into a module: only a path from the crate's root keeps its meaning.
pub fn absolute(path: &syn::Path) -> Parsed<()> {
    let first = path.segments.first().map(|first| first.ident.to_string());
    match first.as_deref() {
        Some("self" | "super") => Err(Fault::on(
            path,
            "a path from the module around",
            "write the path from `crate`: the expansion stands in a module of its own",
        )),
        _ => Ok(()),
    }
}
