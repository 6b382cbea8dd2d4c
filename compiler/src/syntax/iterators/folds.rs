//! Folds: a variable that each item changes.

use super::loops::closure_name;
use crate::collections::HashMap;
use crate::diagnostics::{Fault, Span};
use crate::syntax::Parsed;
use crate::syntax::ast::{Block, Expression, ExpressionKind, Pattern, Statement, Type, VariableId};
use crate::syntax::branches::Tail;
use crate::syntax::closures::Closure;
use crate::syntax::expressions::{only_literals, typed};
use crate::syntax::scope::{Entry, Reader};
use crate::syntax::statements::strip;
use crate::syntax::types::show;

impl Reader<'_> {
    /// `.fold(init, |a, x| …)`.
    pub(super) fn fold(
        &mut self,
        call: &syn::ExprMethodCall,
        (init, closure): (&syn::Expr, &syn::Expr),
        expected: Option<&Type>,
    ) -> Parsed<Expression> {
        let span = Span::of(call);
        let sequence = self.sequence(&call.receiver)?;
        let init_value = self.expression(init, expected)?;
        let open = only_literals(init) && expected.is_none();
        let closure = self.fold_closure(closure)?;
        let pattern = closure.parameters[0].clone();
        // Values of the accumulator's parts, each a variable of its own.
        let mut accumulators = Vec::new();
        let mut statements = Vec::new();
        let name = closure_name(closure.parameters.get(1), &sequence);
        let guess = match (&init_value.ty, open) {
            (Type::Scalar(_), true) => self.item_scalar(&sequence),
            _ => None,
        };
        let init_value = match guess {
            Some(ty) => self.expression(init, Some(&ty))?,
            None => init_value,
        };
        let whole = self.accumulators(&pattern, init_value, &mut accumulators, &mut statements)?;
        let folded = self.run(sequence, name, |reader, item, mut header| {
            let body = reader.folded(&closure, (&accumulators, item), &mut header, span)?;
            header.push(Statement::Block(body));
            Ok(reader.numbered(span, header, None))
        })?;
        statements.push(folded);
        Ok(self.after(statements, whole, span))
    }

    fn fold_closure(&mut self, closure: &syn::Expr) -> Parsed<Closure> {
        let read = self.closure(closure)?;
        if read.parameters.len() == 2 {
            return Ok(read.as_ref().clone());
        }
        // A function by its name: `fold(0.0, f64::max)`.
        let syn::Expr::Path(path) = strip(closure) else {
            return Err(Fault::beyond(
                closure,
                "a closure that does not take two arguments",
                "write `|a, x| …`",
            ));
        };
        let at = Span::of(path).start();
        let (a, x) = (
            proc_macro2::Ident::new("accumulator", at),
            proc_macro2::Ident::new("item", at),
        );
        Ok(Closure {
            parameters: vec![syn::parse_quote!(#a), syn::parse_quote!(#x)],
            body: syn::parse_quote!(#path(#a, #x)),
            ..read.as_ref().clone()
        })
    }

    /// The type of the numbers that a sequence has, if it can be told without reading closures.
    fn item_scalar(&mut self, sequence: &super::Sequence) -> Option<Type> {
        fn of(items: &super::Items) -> Option<Type> {
            match items {
                super::Items::Integers(first) => Some(first.ty.clone()),
                super::Items::Elements(array, _) => crate::syntax::parts::element_type(&array.ty),
                super::Items::Values(inner)
                | super::Items::From(inner, _)
                | super::Items::Backwards(inner, _)
                | super::Items::Every(inner, _)
                | super::Items::Filtered(inner, _) => of(inner),
                _ => None,
            }
        }
        of(&sequence.items).filter(|ty| matches!(ty, Type::Scalar(_)))
    }

    /// Variables for the parts of an accumulator; the whole of it.
    fn accumulators(
        &mut self,
        pattern: &syn::Pat,
        init: Expression,
        variables: &mut Vec<(proc_macro2::Ident, VariableId)>,
        statements: &mut Vec<Statement>,
    ) -> Parsed<Expression> {
        match (pattern, init.kind, init.ty) {
            (syn::Pat::Paren(paren), kind, ty) => {
                let init = typed(kind, ty, init.span);
                self.accumulators(&paren.pat, init, variables, statements)
            }
            (syn::Pat::Type(annotated), kind, ty) => {
                let init = typed(kind, ty, init.span);
                self.accumulators(&annotated.pat, init, variables, statements)
            }
            (syn::Pat::Tuple(tuple), ExpressionKind::Tuple(parts), ty)
                if tuple.elems.len() == parts.len() =>
            {
                let all = tuple.elems.iter().zip(parts);
                let all = all
                    .map(|(pattern, part)| self.accumulators(pattern, part, variables, statements));
                let all = all.collect::<Parsed<Vec<_>>>()?;
                Ok(typed(ExpressionKind::Tuple(all), ty, init.span))
            }
            (syn::Pat::Ident(name), kind, ty) if name.subpat.is_none() => {
                if !matches!(ty, Type::Scalar(_)) {
                    return Err(Fault::beyond(
                        pattern,
                        format!("a fold into `{}`", show(&ty)),
                        "fold into numbers, or tuples of them with a name each: `|(a, b), x| …`",
                    ));
                }
                let text = name.ident.to_string();
                let text = text.trim_start_matches("r#");
                let variable = self.hidden(text, ty.clone(), true, init.span);
                let value = typed(kind, ty.clone(), init.span);
                statements.push(Statement::Let(Pattern::Variable(variable), value));
                variables.push((name.ident.clone(), variable));
                Ok(typed(ExpressionKind::Variable(variable), ty, init.span))
            }
            _ => Err(Fault::beyond(
                pattern,
                "this accumulator has no meaning in a kernel",
                "fold into numbers, or tuples of them with a name each: `|(a, b), x| …`",
            )),
        }
    }

    /// One step of a fold: the accumulator is assigned the closure's value.
    fn folded(
        &mut self,
        closure: &Closure,
        (accumulators, item): (&[(proc_macro2::Ident, VariableId)], Expression),
        header: &mut Vec<Statement>,
        span: Span,
    ) -> Parsed<Block> {
        let mut scopes: HashMap<String, Entry> = HashMap::default();
        for (name, variable) in accumulators {
            scopes.insert(name.to_string(), Entry::Variable(*variable));
        }
        let mut own = closure.clone();
        own.parameters.remove(0);
        own.enter(scopes);
        let (values, inner) = split_value(&closure.body, accumulators.len())?;
        self.inside(&own, vec![item], header, |reader, header| {
            for statement in inner {
                let read = reader.statement(&mut statement.clone())?;
                header.append(&mut reader.before);
                header.extend(read);
            }
            let mut statements = Vec::new();
            let apart = accumulators.len() > 1;
            let mut held = Vec::new();
            for ((name, variable), value) in accumulators.iter().zip(values) {
                let others = accumulators.iter().filter(|(other, _)| other != name);
                let reads = others.clone().any(|(other, _)| mentions(value, other));
                if apart && reads {
                    // All parts are of the accumulator as it was.
                    let ty = reader.variables[variable.0].ty.clone();
                    let value = reader.expression(value, Some(&ty))?;
                    statements.append(&mut reader.before);
                    let next = reader.hidden("next", ty.clone(), false, span);
                    statements.push(Statement::Let(Pattern::Variable(next), value));
                    let place = typed(ExpressionKind::Variable(*variable), ty.clone(), span);
                    let value = typed(ExpressionKind::Variable(next), ty, span);
                    held.push(Statement::Assign {
                        place,
                        operator: None,
                        value,
                        span,
                    });
                    continue;
                }
                let assign: syn::Expr = syn::parse_quote!(#name = #value);
                let step = reader.expression_statement(&assign)?;
                let before = std::mem::take(&mut reader.before);
                held.extend(before.into_iter().chain([step]));
            }
            statements.extend(held);
            Ok(reader.numbered(span, statements, None))
        })
    }

    /// `.for_each(|x| …)`.
    pub(super) fn for_each(
        &mut self,
        call: &syn::ExprMethodCall,
        closure: &syn::Expr,
    ) -> Parsed<Statement> {
        let sequence = self.sequence(&call.receiver)?;
        let closure = self.closure(closure)?;
        let name = closure_name(closure.parameters.first(), &sequence);
        self.run(sequence, name, |reader, item, mut header| {
            let body = closure.body.clone();
            let read =
                reader.inside(&closure, vec![item], &mut header, |reader, _| {
                    match strip(&body) {
                        syn::Expr::Block(block) => {
                            let mut block = block.block.clone();
                            reader.tail = Some(Tail::Function);
                            let read = reader.block(&mut block, None)?;
                            Ok(Statement::Block(read))
                        }
                        other => reader.expression_statement(other),
                    }
                })?;
            match read {
                Statement::Block(mut block) => {
                    block.statements.splice(0..0, header);
                    Ok(block)
                }
                other => {
                    header.push(other);
                    Ok(reader.numbered(call_span(call), header, None))
                }
            }
        })
    }
}

fn call_span(call: &syn::ExprMethodCall) -> Span {
    Span::of(call)
}

/// The values that a closure's body gives to so many accumulators, and the statements before.
fn split_value(body: &syn::Expr, count: usize) -> Parsed<(Vec<&syn::Expr>, &[syn::Stmt])> {
    let (value, before) = match strip(body) {
        syn::Expr::Block(block) if block.label.is_none() => match block.block.stmts.split_last() {
            Some((syn::Stmt::Expr(value, None), before)) => (strip(value), before),
            _ => {
                return Err(Fault::beyond(
                    body,
                    "this closure has no value",
                    "end it with the accumulator's new value",
                ));
            }
        },
        other => (other, &[][..]),
    };
    match (count, value) {
        (1, value) => Ok((vec![value], before)),
        (_, syn::Expr::Tuple(tuple)) if tuple.elems.len() == count => {
            Ok((tuple.elems.iter().collect(), before))
        }
        _ => Err(Fault::beyond(
            value,
            "this is not one value for each part of the accumulator",
            "end the closure with a tuple: `(a + x, b.max(x))`",
        )),
    }
}

/// Whether a name stands in an expression.
fn mentions(expr: &syn::Expr, name: &proc_macro2::Ident) -> bool {
    fn has(tokens: proc_macro2::TokenStream, name: &proc_macro2::Ident) -> bool {
        tokens.into_iter().any(|tree| match tree {
            proc_macro2::TokenTree::Ident(ident) => ident == *name,
            proc_macro2::TokenTree::Group(group) => has(group.stream(), name),
            _ => false,
        })
    }
    has(quote::ToTokens::to_token_stream(expr), name)
}
