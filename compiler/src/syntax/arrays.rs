//! Arrays made element by element: `a.map(|x| …)`, `std::array::from_fn(|i| …)`.

use super::Parsed;
use super::ast::{Expression, ExpressionKind, Statement, Type};
use super::closures::Closure;
use super::expressions::typed;
use super::iterators::is_iterator;
use super::parts::{element, number};
use super::scope::Reader;
use super::types::behind;
use crate::diagnostics::{Fault, Span};

/// Elements that are written out.
const MOST: usize = 64;

impl Reader<'_> {
    /// `a.map(|x| …)` of an array, if it is that.
    pub(super) fn mapped_array(
        &mut self,
        call: &syn::ExprMethodCall,
        expected: Option<&Type>,
    ) -> Parsed<Option<Expression>> {
        let (true, Some(closure)) = (call.method == "map", call.args.first()) else {
            return Ok(None);
        };
        if is_iterator(&call.receiver) {
            return Ok(None);
        }
        let array = self.expression(&call.receiver, None)?;
        let Type::Array(_, n) = *behind(&array.ty) else {
            return Ok(None);
        };
        let array = self.stable_place(array);
        let items = (0..n).map(|at| element(&array, number(at as i128, array.span)));
        let closure = self.closure(closure)?;
        let value = self.array_of(&closure, items.collect(), expected, Span::of(call))?;
        Ok(Some(value))
    }

    /// `std::array::from_fn(|i| …)`, of the length that is expected or written.
    pub(super) fn generated_array(
        &mut self,
        call: &syn::ExprCall,
        expected: Option<&Type>,
    ) -> Parsed<Option<Expression>> {
        let syn::Expr::Path(path) = call.func.as_ref() else {
            return Ok(None);
        };
        let names: Vec<String> = self.imports.full(&path.path);
        let known = names.ends_with(&["array".to_owned(), "from_fn".to_owned()]);
        let (true, Some(closure)) = (known, call.args.first()) else {
            return Ok(None);
        };
        let written = path
            .path
            .segments
            .last()
            .and_then(|last| match &last.arguments {
                syn::PathArguments::AngleBracketed(arguments) => {
                    arguments.args.iter().find_map(|argument| match argument {
                        syn::GenericArgument::Const(length) => Some(length.clone()),
                        _ => None,
                    })
                }
                _ => None,
            });
        let n = match (written, expected.map(behind)) {
            (Some(length), _) => self.length(&length)?,
            (None, Some(Type::Array(_, n))) => *n,
            _ => {
                return Err(Fault::beyond(
                    call,
                    "an array whose length is not known here",
                    "write its type: `let a: [f64; 3] = std::array::from_fn(|i| …);`",
                ));
            }
        };
        let span = Span::of(call);
        let items = (0..n).map(|at| number(at as i128, span));
        let closure = self.closure(closure)?;
        self.array_of(&closure, items.collect(), expected, span)
            .map(Some)
    }

    /// The array of a closure's values.
    fn array_of(
        &mut self,
        closure: &Closure,
        items: Vec<Expression>,
        expected: Option<&Type>,
        span: Span,
    ) -> Parsed<Expression> {
        if items.is_empty() || items.len() > MOST {
            return Err(Fault::beyond_at(
                span,
                format!("an array of {} elements made by a closure", items.len()),
                "write a loop over its elements",
            ));
        }
        let wanted = match expected.map(behind) {
            Some(Type::Array(inner, _)) => Some(inner.as_ref().clone()),
            _ => None,
        };
        let mut statements: Vec<Statement> = Vec::new();
        let mut values = Vec::new();
        let count = items.len();
        for item in items {
            let value = self.applied(closure, vec![item], wanted.as_ref(), &mut statements)?;
            values.push(value.dereferenced());
        }
        let ty = Type::Array(Box::new(values[0].ty.clone()), count);
        let array = typed(ExpressionKind::Array(values), ty, span);
        Ok(self.after(statements, array, span))
    }
}
