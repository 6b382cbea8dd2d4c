//! Conditions as values: `a != b` and `a ^ b` of two conditions, `matches!(x, …)`, `(a..b).contains(&x)`.

use super::Parsed;
use super::ast::{Expression, ExpressionKind, LogicalOperator, ScalarType, Type};
use super::expressions::typed;
use super::scope::Reader;
use super::spans;
use super::statements::strip;
use super::types::behind;
use crate::diagnostics::{Fault, Span};

const TRUTH: Type = Type::Scalar(ScalarType::Bool);

/// Whether a macro call is a `matches!`.
pub fn is_matches(mac: &syn::Macro) -> bool {
    mac.path.is_ident("matches")
}

fn logical(operator: LogicalOperator, l: Expression, r: Expression, span: Span) -> Expression {
    typed(
        ExpressionKind::Logical(operator, Box::new(l), Box::new(r)),
        TRUTH,
        span,
    )
}

fn not(of: Expression, span: Span) -> Expression {
    typed(ExpressionKind::Not(Box::new(of)), TRUTH, span)
}

/// An operator of two conditions, where it has a meaning.
pub fn of_truths(
    binary: &syn::ExprBinary,
    left: &Expression,
    right: &Expression,
) -> Option<Expression> {
    if *behind(&left.ty) != TRUTH || *behind(&right.ty) != TRUTH {
        return None;
    }
    let span = spans::binary(binary);
    let (l, r) = (left.clone().dereferenced(), right.clone().dereferenced());
    let either = |l: Expression, r: Expression| logical(LogicalOperator::Or, l, r, span);
    let both = |l: Expression, r: Expression| logical(LogicalOperator::And, l, r, span);
    Some(match binary.op {
        syn::BinOp::BitAnd(_) => both(l, r),
        // What does not hold is less than what does.
        syn::BinOp::Lt(_) => both(not(l, span), r),
        syn::BinOp::Le(_) => either(not(l, span), r),
        syn::BinOp::Gt(_) => both(l, not(r, span)),
        syn::BinOp::Ge(_) => either(l, not(r, span)),
        syn::BinOp::BitOr(_) => either(l, r),
        syn::BinOp::Ne(_) | syn::BinOp::BitXor(_) => {
            let (first, second) = (not(r.clone(), span), not(l.clone(), span));
            either(both(l, first), both(second, r))
        }
        syn::BinOp::Eq(_) => {
            let (first, second) = (not(l.clone(), span), not(r.clone(), span));
            either(both(l, r), both(first, second))
        }
        _ => return None,
    })
}

/// `(a, b) == (c, d)` as comparisons of the parts.
pub fn of_tuples(binary: &syn::ExprBinary) -> Option<syn::Expr> {
    let (syn::Expr::Tuple(left), syn::Expr::Tuple(right)) =
        (strip(&binary.left), strip(&binary.right))
    else {
        return None;
    };
    let operator = binary.op;
    let pairs = left.elems.iter().zip(&right.elems);
    let parts = pairs.map(|(l, r)| syn::parse_quote!(((#l) #operator (#r))));
    let same = left.elems.len() == right.elems.len();
    match operator {
        syn::BinOp::Eq(_) if same => parts.reduce(|l, r: syn::Expr| syn::parse_quote!(#l && #r)),
        syn::BinOp::Ne(_) if same => parts.reduce(|l, r: syn::Expr| syn::parse_quote!(#l || #r)),
        _ => None,
    }
}

impl Reader<'_> {
    /// `matches!(x, PATTERN)`: a `match` whose values are conditions.
    pub(super) fn matches(&mut self, mac: &syn::Macro) -> Parsed<Expression> {
        let tokens = &mac.tokens;
        let mut scrutinee = proc_macro2::TokenStream::new();
        let mut rest = tokens.clone().into_iter();
        for tree in rest.by_ref() {
            if matches!(&tree, proc_macro2::TokenTree::Punct(p) if p.as_char() == ',') {
                break;
            }
            scrutinee.extend([tree]);
        }
        let mut pattern: Vec<_> = rest.collect();
        if matches!(pattern.last(), Some(proc_macro2::TokenTree::Punct(p)) if p.as_char() == ',') {
            pattern.pop();
        }
        let pattern: proc_macro2::TokenStream = pattern.into_iter().collect();
        let choice = quote::quote!(match #scrutinee { #pattern => true, _ => false });
        let mut choice: syn::ExprMatch = syn::parse2(choice).map_err(|error| {
            Fault::new(
                error.span(),
                "this is no pattern",
                "write `matches!(x, 1..=3)`",
            )
        })?;
        let value = self.matched(&mut choice, Some(&TRUTH))?;
        Ok(Expression {
            span: Span::of(mac),
            ..value
        })
    }

    /// `(a..b).contains(&x)`, if it is that.
    pub(super) fn contains(&mut self, call: &syn::ExprMethodCall) -> Parsed<Option<Expression>> {
        let (syn::Expr::Range(range), Some(of)) = (strip(&call.receiver), call.args.first()) else {
            return Ok(None);
        };
        if call.method != "contains" || call.args.len() != 1 {
            return Ok(None);
        }
        let of: syn::Expr = match strip(of) {
            syn::Expr::Reference(reference) => reference.expr.as_ref().clone(),
            other => syn::parse_quote!(*#other),
        };
        let first = range.start.as_ref();
        let first: Option<syn::Expr> = first.map(|start| syn::parse_quote!(#of >= #start));
        let last: Option<syn::Expr> = range.end.as_ref().map(|end| match range.limits {
            syn::RangeLimits::Closed(_) => syn::parse_quote!(#of <= #end),
            syn::RangeLimits::HalfOpen(_) => syn::parse_quote!(#of < #end),
        });
        let condition: syn::Expr = match (first, last) {
            (Some(first), Some(last)) => syn::parse_quote!(#first && #last),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => syn::parse_quote!(true),
        };
        let span = Span::of(call);
        self.truth(&condition)
            .map(|value| Some(Expression { span, ..value }))
    }
}
