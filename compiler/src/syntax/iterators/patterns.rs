//! Names for items.

use crate::diagnostics::Fault;
use crate::syntax::Parsed;
use crate::syntax::ast::{Expression, ExpressionKind, Pattern, Statement, Type};
use crate::syntax::expressions::typed;
use crate::syntax::parts::{element, number};
use crate::syntax::scope::{Entry, Reader};
use crate::syntax::types::{behind, show};

impl Reader<'_> {
    /// Binds a pattern to an item: names stand for places where they can, and for values that are
    /// computed by statements that go to `into` otherwise.
    pub fn bind(
        &mut self,
        pattern: &syn::Pat,
        item: Expression,
        into: &mut Vec<Statement>,
    ) -> Parsed<()> {
        match pattern {
            syn::Pat::Wild(_) => Ok(()),
            syn::Pat::Paren(paren) => self.bind(&paren.pat, item, into),
            syn::Pat::Type(annotated) => {
                let ty = self.ty(&annotated.ty)?;
                let alike = match (&ty, &item.ty) {
                    // An item may be handed out as `&mut` and taken as `&`.
                    (Type::Reference(a, false), Type::Reference(b, _)) => a == b,
                    (a, b) => a == b,
                };
                if !alike {
                    return Err(Fault::beyond(
                        &annotated.ty,
                        format!("this is `{}`", show(&item.ty)),
                        "leave the type out, or make the two agree",
                    ));
                }
                self.bind(&annotated.pat, item, into)
            }
            syn::Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                self.unused(&name.ident)?;
                // `for mut row in a.rows_mut()`: the row is written through its name.
                let mutable =
                    name.mutability.is_some() && !matches!(item.ty, Type::Reference(_, true));
                let item = match mutable {
                    true => item,
                    false => self.nameable(item, &name.ident, into),
                };
                self.name_for(&name.ident, item, mutable, into);
                Ok(())
            }
            syn::Pat::Reference(reference) => match &item.ty {
                Type::Reference(..) => self.bind(&reference.pat, one_less(item), into),
                _ => Err(Fault::on(
                    pattern,
                    format!("`{}` is no reference", show(&item.ty)),
                    "remove the `&`",
                )),
            },
            syn::Pat::Tuple(tuple) => {
                let patterns: Vec<&syn::Pat> = tuple.elems.iter().collect();
                let item = self.taken_apart(item, into);
                let Some(parts) = parts(&item, patterns.len()) else {
                    return Err(Fault::on(
                        pattern,
                        format!("`{}` is no tuple of that many parts", show(&item.ty)),
                        "bind it to one name",
                    ));
                };
                let mut pairs = patterns.into_iter().zip(parts);
                pairs.try_for_each(|(pattern, part)| self.bind(pattern, part, into))
            }
            syn::Pat::Slice(slice) => self.bind_slice(slice, item, into),
            syn::Pat::Struct(pattern) => self.bind_record(pattern, item, into),
            _ => Err(Fault::beyond(
                pattern,
                "this pattern has no meaning in a kernel",
                "bind names, `_`, references, tuples and arrays of them",
            )),
        }
    }

    /// `[a, b, c]`.
    fn bind_slice(
        &mut self,
        slice: &syn::PatSlice,
        item: Expression,
        into: &mut Vec<Statement>,
    ) -> Parsed<()> {
        let count = slice.elems.len();
        match behind(&item.ty) {
            Type::Array(_, n) if *n == count => {}
            other => {
                return Err(Fault::beyond(
                    slice,
                    format!("`{}` is no array of {count} elements", show(other)),
                    "give each element of an array a name, or subscript it",
                ));
            }
        }
        let mutable = match item.ty {
            Type::Reference(_, mutable) => Some(mutable),
            _ => None,
        };
        let whole = match mutable {
            Some(_) => item,
            None => self.named_value(item, "items", into),
        };
        for (at, pattern) in slice.elems.iter().enumerate() {
            let part = element(&whole, number(at as i128, whole.span));
            let part = match mutable {
                Some(mutable) => crate::syntax::parts::reference(part, mutable),
                None => part,
            };
            self.bind(pattern, part, into)?;
        }
        Ok(())
    }

    /// An item that a name can stand for: what is computed is, once.
    fn nameable(
        &mut self,
        item: Expression,
        name: &proc_macro2::Ident,
        into: &mut Vec<Statement>,
    ) -> Expression {
        let (ty, span) = (item.ty.clone(), item.span);
        match item.kind {
            ExpressionKind::Tuple(parts) => {
                let parts = parts
                    .into_iter()
                    .map(|part| self.nameable(part, name, into));
                typed(ExpressionKind::Tuple(parts.collect()), ty, span)
            }
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Reference(_) => item,
            ExpressionKind::Variable(variable) if !self.variables[variable.0].mutable => item,
            _ => self.named_value(item, &name.to_string(), into),
        }
    }

    /// A name that the text does not have, for a value that is computed once.
    fn named_value(
        &mut self,
        value: Expression,
        name: &str,
        into: &mut Vec<Statement>,
    ) -> Expression {
        let (ty, span) = (value.ty.clone(), value.span);
        let variable = self.hidden(name.trim_start_matches("r#"), ty.clone(), false, span);
        into.push(Statement::Let(Pattern::Variable(variable), value));
        typed(ExpressionKind::Variable(variable), ty, span)
    }

    /// Makes a name stand for an item.
    pub fn name_for(
        &mut self,
        name: &proc_macro2::Ident,
        item: Expression,
        mutable: bool,
        into: &mut Vec<Statement>,
    ) {
        if mutable {
            let variable = self.declare(name, item.ty.clone(), true);
            into.push(Statement::Let(Pattern::Variable(variable), item));
            return;
        }
        let entry = match item.kind {
            ExpressionKind::Variable(variable) => Entry::Variable(variable),
            _ => {
                self.aliases.push(item);
                Entry::Alias(self.aliases.len() - 1)
            }
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), entry);
        }
    }
}

/// What a reference leads to.
pub fn one_less(expression: Expression) -> Expression {
    let span = expression.span;
    match (expression.kind, expression.ty) {
        (ExpressionKind::Reference(inner), _) => *inner,
        (kind, Type::Reference(inner, mutable)) => {
            let reference = typed(kind, Type::Reference(inner.clone(), mutable), span);
            typed(
                ExpressionKind::Dereference(Box::new(reference)),
                *inner,
                span,
            )
        }
        (kind, ty) => typed(kind, ty, span),
    }
}

/// The parts of a tuple, or of one behind a reference.
fn parts(item: &Expression, count: usize) -> Option<Vec<Expression>> {
    match (&item.kind, &item.ty) {
        (ExpressionKind::Tuple(parts), _) => (parts.len() == count).then(|| parts.clone()),
        (_, Type::Tuple(types)) if types.len() == count => {
            let part = |(at, ty): (usize, &Type)| {
                let kind = ExpressionKind::Field(Box::new(item.clone()), at);
                typed(kind, ty.clone(), item.span)
            };
            Some(types.iter().enumerate().map(part).collect())
        }
        (ExpressionKind::Reference(inner), Type::Reference(_, mutable)) => {
            let all = parts(inner, count)?;
            let reference = |part| crate::syntax::parts::reference(part, *mutable);
            Some(all.into_iter().map(reference).collect())
        }
        _ => None,
    }
}
