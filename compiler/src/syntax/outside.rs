//! Constants that the macro cannot see: paths such as `crate::G`, and names in upper case that the block does
//! not have. Numbers among them are parameters of the program that the text does not have.
//!
//! Of arrays, `crate::PHI[q][i]`, nothing is known but that the text reads them: a kernel that does runs as
//! written.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::Parsed;
use super::ast::{Expression, ExpressionKind, IntegerType, ScalarType, Type};
use super::expressions::{only_literals, typed};
use super::scope::{Reader, USIZE};
use super::statements::strip;
use super::types::behind;
use crate::diagnostics::{Fault, Span};
use crate::number::Number;

/// The path at the root of subscripts.
fn rooted(expr: &syn::Expr) -> Option<(&syn::ExprPath, Vec<&syn::Expr>)> {
    let mut subscripts = Vec::new();
    let mut root = strip(expr);
    loop {
        match root {
            syn::Expr::Index(index) => {
                subscripts.push(index.index.as_ref());
                root = strip(&index.expr);
            }
            syn::Expr::Path(path) if path.qself.is_none() => {
                subscripts.reverse();
                return Some((path, subscripts));
            }
            _ => return None,
        }
    }
}

/// Whether a path is written as those of constants are.
pub fn is_value(path: &syn::Path) -> bool {
    let last = path.segments.last().map(|last| last.ident.to_string());
    last.is_some_and(|name| is_upper(&name))
}

/// `UPPER_CASE`.
fn is_upper(name: &str) -> bool {
    name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}

impl Reader<'_> {
    /// Whether an expression is a constant from outside of the block, subscripted perhaps: a path, or a name in
    /// upper case that the block does not have.
    pub(super) fn is_outside(&self, expr: &syn::Expr) -> bool {
        let Some((path, _)) = rooted(expr) else {
            return false;
        };
        match path.path.get_ident().map(ToString::to_string) {
            None => !self.is_constant_of_struct(&path.path),
            Some(name) => self.find(&name).is_none() && is_upper(&name),
        }
    }

    /// A constant from outside of the block; it has the type that is expected.
    pub fn outside(&mut self, expr: &syn::Expr, expected: Option<&Type>) -> Parsed<Expression> {
        let Some((path, subscripts)) = rooted(expr) else {
            return Err(Fault::consequence());
        };
        absolute(&path.path)?;
        if let (Some(value), true) = (
            self.complex_constant(&path.path, expected, Span::of(expr)),
            subscripts.is_empty(),
        ) {
            return Ok(value);
        }
        let full = self.imports.full(&path.path);
        let span = Span::of(expr);
        if let (Some((value, ty)), true) = (limit(&full), subscripts.is_empty()) {
            let ty = Type::Scalar(ScalarType::Integer(ty));
            return Ok(typed(ExpressionKind::Integer(value), ty, span));
        }
        if let (Some((value, scalar)), true) = (standard(&full), subscripts.is_empty()) {
            let kind = ExpressionKind::Float(Number::from_f64(value));
            return Ok(typed(kind, Type::Scalar(scalar), span));
        }
        if let (Some(ty @ (Type::Array(..) | Type::Record(_))), true) =
            (expected.map(behind), subscripts.is_empty())
        {
            return Err(Fault::beyond(
                expr,
                format!("`{}` from outside of the block", super::types::show(ty)),
                "declare it in the block, to have lanes: kernels see the values of no other constants but numbers",
            ));
        }
        let scalar = match (full.as_slice(), expected.map(behind)) {
            ([ty, _], _) if ty == "f64" => ScalarType::F64,
            ([ty, _], _) if ty == "f32" => ScalarType::F32,
            (_, Some(Type::Scalar(scalar))) => *scalar,
            _ => {
                if subscripts.is_empty() {
                    self.inference.guess(unknown(expr));
                }
                self.float
            }
        };
        let ty = Type::Scalar(scalar);
        let is_number = !matches!(scalar, ScalarType::Generic | ScalarType::Bool);
        if subscripts.is_empty() && is_number {
            let name = full.last().cloned().unwrap_or_default();
            return Ok(self.given((&name, self.seen_from_outside(path)), ty, span));
        }
        let mut integers = Vec::new();
        for subscript in subscripts {
            integers.push(self.integer(subscript, Some(&USIZE))?);
        }
        Ok(typed(ExpressionKind::Outside(integers), ty, span))
    }

    /// A path as it is written where the kernel is called: `Self` is the struct that a function belongs to.
    pub(super) fn seen_from_outside(&self, path: &syn::ExprPath) -> TokenStream {
        let mut path = path.clone();
        if let (Some(own), Some(first)) = (&self.own, path.path.segments.first_mut())
            && first.ident == "Self"
        {
            first.ident = proc_macro2::Ident::new(&own.name, first.ident.span());
        }
        path.to_token_stream()
    }

    /// A constant from outside as a number of another type.
    pub(super) fn outside_as(&mut self, expr: &syn::Expr, ty: &Type) -> Option<Expression> {
        self.outside_through(expr, ty, |path, scalar| quote!((#path as #scalar)))
    }

    /// `f64::from(crate::G)`: the conversion is made where the kernel is called.
    pub(super) fn outside_from(&mut self, expr: &syn::Expr, ty: &Type) -> Option<Expression> {
        self.outside_through(
            expr,
            ty,
            |path, scalar| quote!(<#scalar as ::core::convert::From<_>>::from(#path)),
        )
    }

    /// What a constant from outside, of a type that only `rustc` knows, is converted to.
    fn outside_through(
        &mut self,
        expr: &syn::Expr,
        ty: &Type,
        converted: impl FnOnce(TokenStream, Ident) -> TokenStream,
    ) -> Option<Expression> {
        let (path, subscripts) = rooted(expr)?;
        if !self.has_unknown_type(expr) || !subscripts.is_empty() {
            return None;
        }
        let scalar = Ident::new(&super::types::show(ty), Span::of(expr).start());
        let name = self.imports.full(&path.path).pop().unwrap_or_default();
        let given = converted(self.seen_from_outside(path), scalar);
        Some(self.given((&name, given), ty.clone(), Span::of(expr)))
    }

    /// Whether an expression is a constant from outside of a type that only `rustc` knows.
    pub(super) fn has_unknown_type(&self, expr: &syn::Expr) -> bool {
        let Some((path, _)) = rooted(expr) else {
            return false;
        };
        let full = self.imports.full(&path.path);
        let float = matches!(full.as_slice(), [ty, _] if ty == "f64" || ty == "f32");
        let known = float || limit(&full).is_some() || standard(&full).is_some();
        !known && self.is_outside(expr)
    }

    /// Whether an expression is made of literals and of constants from outside, so that it does not say its type.
    pub(super) fn says_no_type(&self, expr: &syn::Expr) -> bool {
        match strip(expr) {
            syn::Expr::Unary(unary) => self.says_no_type(&unary.expr),
            syn::Expr::Binary(binary) => {
                self.says_no_type(&binary.left) && self.says_no_type(&binary.right)
            }
            other => only_literals(other) || self.is_outside(other),
        }
    }

    /// A constant of an unknown type among what says no type.
    pub(super) fn unknown_among(&self, expr: &syn::Expr) -> Option<Fault> {
        match strip(expr) {
            syn::Expr::Unary(unary) => self.unknown_among(&unary.expr),
            syn::Expr::Binary(binary) => {
                let left = self.unknown_among(&binary.left);
                left.or_else(|| self.unknown_among(&binary.right))
            }
            other => self.has_unknown_type(other).then(|| unknown(other)),
        }
    }

    /// Whether the text of a helper may read constants from outside, which are parameters of the kernel.
    pub(super) fn reads_outside(&self, item: &syn::ItemFn) -> bool {
        let mut words = crate::collections::HashSet::default();
        super::verbatim::words(item.block.to_token_stream(), &mut words);
        let generics = &item.sig.generics;
        let own = |name: &str| {
            let types = generics.type_params().map(|p| p.ident.to_string());
            let constants = generics.const_params().map(|p| p.ident.to_string());
            types.chain(constants).any(|own| own == name)
        };
        let block = &self.scopes[0];
        let reads = |name: &String| {
            is_upper(name) && !block.contains_key(name) && !own(name) && constant(name).is_none()
        };
        words.contains("clamp") || words.iter().any(reads)
    }
}

/// What is said where a kernel is compiled for a type that the constant may not have.
fn unknown(expr: &syn::Expr) -> Fault {
    Fault::beyond(
        expr,
        "a constant from outside, of a type that nothing says here",
        "say it, to have lanes: `let g: f64 = crate::G;`",
    )
}

/// The smallest or the largest integer of a type: `usize::MAX`.
pub fn limit(path: &[String]) -> Option<(i128, IntegerType)> {
    let [ty, name] = path else {
        return None;
    };
    let ty = IntegerType::named(ty)?;
    match name.as_str() {
        "MIN" => Some((ty.range().0, ty)),
        "MAX" => Some((ty.range().1, ty)),
        "BITS" => Some((ty.bits().into(), IntegerType::U32)),
        _ => None,
    }
}

/// A constant of the standard library that is no NaN.
pub fn standard(path: &[String]) -> Option<(f64, ScalarType)> {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    match path.as_slice() {
        ["std" | "core", "f64", "consts", name] => Some((constant(name)?.0, ScalarType::F64)),
        ["std" | "core", "f32", "consts", name] => {
            Some((f64::from(constant(name)?.1), ScalarType::F32))
        }
        ["f64", name] => Some((of_f64(name)?, ScalarType::F64)),
        ["f32", name] => Some((f64::from(of_f32(name)?), ScalarType::F32)),
        _ => None,
    }
}

fn of_f64(name: &str) -> Option<f64> {
    Some(match name {
        "EPSILON" => f64::EPSILON,
        "MIN" => f64::MIN,
        "MAX" => f64::MAX,
        "MIN_POSITIVE" => f64::MIN_POSITIVE,
        "INFINITY" => f64::INFINITY,
        "NEG_INFINITY" => f64::NEG_INFINITY,
        _ => return None,
    })
}

fn of_f32(name: &str) -> Option<f32> {
    Some(match name {
        "EPSILON" => f32::EPSILON,
        "MIN" => f32::MIN,
        "MAX" => f32::MAX,
        "MIN_POSITIVE" => f32::MIN_POSITIVE,
        "INFINITY" => f32::INFINITY,
        "NEG_INFINITY" => f32::NEG_INFINITY,
        _ => return None,
    })
}

/// A constant of the modules `consts`, for `f64` and `f32`.
fn constant(name: &str) -> Option<(f64, f32)> {
    use std::{f32::consts as single, f64::consts as double};
    Some(match name {
        "PI" => (double::PI, single::PI),
        "TAU" => (double::TAU, single::TAU),
        "E" => (double::E, single::E),
        "SQRT_2" => (double::SQRT_2, single::SQRT_2),
        "FRAC_1_SQRT_2" => (double::FRAC_1_SQRT_2, single::FRAC_1_SQRT_2),
        "FRAC_PI_2" => (double::FRAC_PI_2, single::FRAC_PI_2),
        "FRAC_PI_3" => (double::FRAC_PI_3, single::FRAC_PI_3),
        "FRAC_PI_4" => (double::FRAC_PI_4, single::FRAC_PI_4),
        "FRAC_PI_6" => (double::FRAC_PI_6, single::FRAC_PI_6),
        "FRAC_PI_8" => (double::FRAC_PI_8, single::FRAC_PI_8),
        "FRAC_1_PI" => (double::FRAC_1_PI, single::FRAC_1_PI),
        "FRAC_2_PI" => (double::FRAC_2_PI, single::FRAC_2_PI),
        "FRAC_2_SQRT_PI" => (double::FRAC_2_SQRT_PI, single::FRAC_2_SQRT_PI),
        "LN_2" => (double::LN_2, single::LN_2),
        "LN_10" => (double::LN_10, single::LN_10),
        "LOG2_10" => (double::LOG2_10, single::LOG2_10),
        "LOG2_E" => (double::LOG2_E, single::LOG2_E),
        "LOG10_2" => (double::LOG10_2, single::LOG10_2),
        "LOG10_E" => (double::LOG10_E, single::LOG10_E),
        _ => return None,
    })
}

/// A kernel's text moves into a module: only a path from the crate's root keeps its meaning.
pub fn absolute(path: &syn::Path) -> Parsed<()> {
    let first = path.segments.first().map(|first| first.ident.to_string());
    match first.as_deref() {
        Some("self" | "super") => Err(Fault::beyond(
            path,
            "a path from the module around",
            "write the path from `crate`: the expansion stands in a module of its own",
        )),
        _ => Ok(()),
    }
}
