//! Where expressions begin and end, without printing what is inside: that would take time, and stack, for
//! each level of a long one.

use crate::diagnostics::Span;

/// From the first to the last token.
pub fn of(expr: &syn::Expr) -> Span {
    Span::between(start(expr), end(expr))
}

/// The first token.
pub fn start(mut expr: &syn::Expr) -> proc_macro2::Span {
    loop {
        expr = match expr {
            syn::Expr::Binary(binary) => &binary.left,
            syn::Expr::MethodCall(call) => &call.receiver,
            syn::Expr::Call(call) => &call.func,
            syn::Expr::Index(index) => &index.expr,
            syn::Expr::Field(field) => &field.base,
            syn::Expr::Cast(cast) => &cast.expr,
            syn::Expr::Assign(assign) => &assign.left,
            syn::Expr::Paren(paren) => return paren.paren_token.span.open(),
            syn::Expr::Array(array) => return array.bracket_token.span.open(),
            syn::Expr::Tuple(tuple) => return tuple.paren_token.span.open(),
            syn::Expr::Repeat(repeat) => return repeat.bracket_token.span.open(),
            other => return Span::of(other).start(),
        };
    }
}

/// The last token.
pub fn end(mut expr: &syn::Expr) -> proc_macro2::Span {
    loop {
        expr = match expr {
            syn::Expr::Binary(binary) => &binary.right,
            syn::Expr::Unary(unary) => &unary.expr,
            syn::Expr::Reference(reference) => &reference.expr,
            syn::Expr::Assign(assign) => &assign.right,
            syn::Expr::MethodCall(call) => return call.paren_token.span.close(),
            syn::Expr::Call(call) => return call.paren_token.span.close(),
            syn::Expr::Index(index) => return index.bracket_token.span.close(),
            syn::Expr::Cast(cast) => return Span::of(&cast.ty).end(),
            syn::Expr::Field(field) => return Span::of(&field.member).end(),
            syn::Expr::Paren(paren) => return paren.paren_token.span.close(),
            syn::Expr::Array(array) => return array.bracket_token.span.close(),
            syn::Expr::Tuple(tuple) => return tuple.paren_token.span.close(),
            syn::Expr::Repeat(repeat) => return repeat.bracket_token.span.close(),
            other => return Span::of(other).end(),
        };
    }
}

/// As [`of`].
pub fn tuple(tuple: &syn::ExprTuple) -> Span {
    let token = tuple.paren_token.span;
    Span::between(token.open(), token.close())
}

/// As [`of`].
pub fn array(array: &syn::ExprArray) -> Span {
    let token = array.bracket_token.span;
    Span::between(token.open(), token.close())
}

/// As [`of`].
pub fn index(index: &syn::ExprIndex) -> Span {
    Span::between(start(&index.expr), index.bracket_token.span.close())
}

/// As [`of`].
pub fn field(field: &syn::ExprField) -> Span {
    Span::between(start(&field.base), Span::of(&field.member).end())
}

/// As [`of`].
pub fn binary(binary: &syn::ExprBinary) -> Span {
    Span::between(start(&binary.left), end(&binary.right))
}

/// As [`of`].
pub fn method(call: &syn::ExprMethodCall) -> Span {
    Span::between(start(&call.receiver), call.paren_token.span.close())
}

/// As [`of`].
pub fn cast(cast: &syn::ExprCast) -> Span {
    Span::between(start(&cast.expr), Span::of(&cast.ty).end())
}
