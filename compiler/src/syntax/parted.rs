//! `let mut c = (0.0, 0.0);`: a variable for each part of a tuple that may change, and the name for all of them.

use super::Parsed;
use super::ast::{Expression, ExpressionKind, Pattern, Statement, Type};
use super::expressions::typed;
use super::scope::{Entry, Reader};
use super::statements::strip;
use crate::diagnostics::Span;

/// The name of a pattern that is one name, of what may change.
fn changing(pattern: &syn::Pat) -> Option<&syn::PatIdent> {
    match pattern {
        syn::Pat::Ident(name)
            if name.mutability.is_some() && name.by_ref.is_none() && name.subpat.is_none() =>
        {
            Some(name)
        }
        _ => None,
    }
}

/// A name for a tuple that may change, as a pattern of as many parts as its value has.
pub fn by_parts(pattern: &syn::Pat, value: &syn::Expr) -> Option<syn::Pat> {
    let name = changing(pattern)?;
    let syn::Expr::Tuple(tuple) = strip(value) else {
        return None;
    };
    let parts = tuple.elems.iter().map(|value| {
        let pattern = syn::Pat::Ident(name.clone());
        by_parts(&pattern, value).unwrap_or(pattern)
    });
    let parts = parts.collect();
    Some(syn::Pat::Tuple(syn::PatTuple {
        attrs: Vec::new(),
        paren_token: tuple.paren_token,
        elems: parts,
    }))
}

impl Reader<'_> {
    /// The variables of a tuple that may change; nothing where a pattern binds something else.
    pub(super) fn parted(&mut self, pattern: &syn::Pat, ty: &Type) -> Parsed<Option<Pattern>> {
        let (Some(name), Type::Tuple(_)) = (changing(pattern), ty) else {
            return Ok(None);
        };
        self.unused(&name.ident)?;
        let (pattern, whole) = self.parts_of_variable(&name.ident, ty);
        self.aliases.push(whole);
        let entry = Entry::Alias(self.aliases.len() - 1);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.ident.to_string(), entry);
        }
        Ok(Some(pattern))
    }

    /// Variables for the parts of a type, and the value that they are together.
    fn parts_of_variable(&mut self, name: &proc_macro2::Ident, ty: &Type) -> (Pattern, Expression) {
        let span = Span::of(name);
        if let Type::Tuple(types) = ty {
            let parts = types.iter().map(|ty| self.parts_of_variable(name, ty));
            let (patterns, values) = parts.unzip();
            let whole = typed(ExpressionKind::Tuple(values), ty.clone(), span);
            return (Pattern::Tuple(patterns), whole);
        }
        let variable = self.hidden(&name.to_string(), ty.clone(), true, span);
        let value = typed(ExpressionKind::Variable(variable), ty.clone(), span);
        (Pattern::Variable(variable), value)
    }

    /// Assigns a value to the variables of a tuple, after all of it is computed.
    pub(super) fn assigned_by_parts(
        &mut self,
        place: Expression,
        value: Expression,
        span: Span,
    ) -> Statement {
        let mut statements = Vec::new();
        let value = self.once(value, "assigned", &mut statements);
        assign(place, value, span, &mut statements);
        Statement::Block(self.numbered(span, statements, None))
    }
}

fn assign(place: Expression, value: Expression, span: Span, into: &mut Vec<Statement>) {
    match place.kind {
        ExpressionKind::Tuple(parts) => {
            for (at, part) in parts.into_iter().enumerate() {
                let kind = ExpressionKind::Field(Box::new(value.clone()), at);
                let value = typed(kind, part.ty.clone(), value.span);
                assign(part, value, span, into);
            }
        }
        _ => into.push(Statement::Assign {
            place,
            operator: None,
            value,
            span,
        }),
    }
}
