//! Loops over items.

use super::{Access, Items, Sequence, Size, Slices};
use crate::diagnostics::{Fault, Span};
use crate::syntax::Parsed;
use crate::syntax::ast::{
    BinaryOperator, Block, Expression, ExpressionKind, ForLoop, IntegerMethod, LoopId, Statement,
    Type,
};
use crate::syntax::branches::Tail;
use crate::syntax::checks::is_written_through;
use crate::syntax::expressions::typed;
use crate::syntax::parts::{computed, element, element_type, method, number, part, reference};
use crate::syntax::scope::Reader;
use crate::syntax::statements::strip;
use crate::syntax::types::show;

impl Reader<'_> {
    /// `for PATTERN in ITEMS { … }`.
    pub fn loop_over_items(&mut self, for_loop: &mut syn::ExprForLoop) -> Parsed<Statement> {
        if let Some(items) = self.references_in_turn(&for_loop.expr)? {
            return self.item_by_item(for_loop, items);
        }
        let sequence = self.sequence(&for_loop.expr);
        let sequence = match sequence {
            Ok(sequence) => sequence,
            Err(fault) => {
                // What is wrong inside is told, too.
                self.scopes.push(crate::collections::HashMap::default());
                self.declare_broken(&for_loop.pat);
                let body = self.iteration(&mut for_loop.body);
                self.scopes.pop();
                if let Err(inner) = body {
                    self.diagnostics.push(inner);
                }
                return Err(fault);
            }
        };
        let (pattern, body) = (for_loop.pat.as_ref(), &mut for_loop.body);
        if let Some((whole, condition)) = sequence.in_whole_slices().filter(|_| !self.cut) {
            let whole = self.iterations(whole, pattern, &mut body.clone())?;
            self.cut = true;
            let any = self.iterations(sequence, pattern, body);
            self.cut = false;
            return Ok(self.either(condition, whole, any?));
        }
        self.iterations(sequence, pattern, body)
    }

    /// A loop over items that a pattern names.
    fn iterations(
        &mut self,
        sequence: Sequence,
        pattern: &syn::Pat,
        body: &mut syn::Block,
    ) -> Parsed<Statement> {
        let name = loop_name(pattern, &sequence.items);
        self.run(sequence, name, |reader, item, mut header| {
            let bound = reader.bind(pattern, item, &mut header);
            if bound.is_err() {
                reader.declare_broken(pattern);
            }
            let block = reader.iteration(body);
            bound?;
            let mut block = block?;
            block.statements.splice(0..0, header);
            Ok(block)
        })
    }

    /// The items of `[r, g, b]`, where these are references that are written through: no array holds such.
    fn references_in_turn(&mut self, expr: &syn::Expr) -> Parsed<Option<Vec<Expression>>> {
        let array = match strip(expr) {
            syn::Expr::MethodCall(call) if call.method == "into_iter" => strip(&call.receiver),
            other => other,
        };
        let syn::Expr::Array(array) = array else {
            return Ok(None);
        };
        let Some(first) = array.elems.first() else {
            return Ok(None);
        };
        let before = self.before.len();
        let first = self.expression(first, None);
        if !first.is_ok_and(|first| is_written_through(&first.ty)) {
            self.before.truncate(before);
            return Ok(None);
        }
        self.before.truncate(before);
        let items = array.elems.iter();
        let items: Vec<Expression> = items
            .map(|item| self.expression(item, None))
            .collect::<Parsed<_>>()?;
        let alike = items.iter().all(|item| item.ty == items[0].ty);
        Ok(alike.then_some(items))
    }

    /// A loop whose iterations are written out.
    fn item_by_item(
        &mut self,
        for_loop: &mut syn::ExprForLoop,
        items: Vec<Expression>,
    ) -> Parsed<Statement> {
        let span = Span::of(&for_loop.expr);
        let last = items.len() - 1;
        let mut iterations = Vec::new();
        for (at, item) in items.into_iter().enumerate() {
            self.scopes.push(crate::collections::HashMap::default());
            let mut header = Vec::new();
            let bound = self.bind(&for_loop.pat, item, &mut header);
            // Tables in the body are taken out of the text once.
            let block = match bound {
                Ok(()) if at == last => self.iteration(&mut for_loop.body),
                Ok(()) => self.iteration(&mut for_loop.body.clone()),
                Err(fault) => Err(fault),
            };
            self.scopes.pop();
            let mut block = block?;
            block.statements.splice(0..0, header);
            iterations.push(Statement::Block(block));
        }
        Ok(Statement::Block(self.numbered(span, iterations, None)))
    }

    /// The body of a loop, of which `continue` leaves an iteration and `return` all of them.
    pub fn iteration(&mut self, body: &mut syn::Block) -> Parsed<Block> {
        let tail = self.tail.replace(Tail::Iteration);
        let read = self.block(body, None);
        self.tail = tail;
        read
    }

    /// A loop over items; `body` gets each, and what has to stand before it.
    pub(super) fn run(
        &mut self,
        sequence: Sequence,
        name: proc_macro2::Ident,
        body: impl FnOnce(&mut Self, Expression, Vec<Statement>) -> Parsed<Block>,
    ) -> Parsed<Statement> {
        let span = sequence.span;
        let Some(length) = sequence.length() else {
            return Err(Fault::beyond_at(
                span,
                "a loop without an end",
                "write both ends: `a..b`, or `take(n)`",
            ));
        };
        let (start, end, inclusive, items) = match sequence.range {
            Some((start, end, inclusive)) => {
                let items = from_zero(sequence.items);
                (start, end, inclusive, items)
            }
            None => (number(0, span), length, false, sequence.items),
        };
        let id = LoopId(self.loops.len());
        self.loops.push(name.clone());
        let ty = end.ty.clone();
        let variable = self.hidden(
            name.to_string().trim_start_matches("r#"),
            ty.clone(),
            false,
            name.span().into(),
        );
        let position = typed(ExpressionKind::Variable(variable), ty, name.span().into());
        self.scopes.push(crate::collections::HashMap::default());
        let before = std::mem::take(&mut self.before);
        let around = std::mem::take(&mut self.filters);
        let mut header = Vec::new();
        let item = self.item(&items, position, &mut header);
        let filters = std::mem::replace(&mut self.filters, around);
        let body = item.and_then(|item| self.filtered(filters, header, |s, h| body(s, item, h)));
        self.before = before;
        self.scopes.pop();
        Ok(Statement::For(Box::new(ForLoop {
            id,
            variable,
            start,
            end,
            inclusive,
            adaptors: sequence.adaptors,
            body: body?,
            span,
        })))
    }

    /// The item at a position; what has to stand before it goes to `into`.
    pub(super) fn item(
        &mut self,
        items: &Items,
        at: Expression,
        into: &mut Vec<Statement>,
    ) -> Parsed<Expression> {
        use BinaryOperator as Operator;
        let span = at.span;
        Ok(match items {
            Items::Integers(first) => computed(Operator::Add, first.clone(), at),
            Items::Elements(array, access) => {
                let place = element(array, at);
                match access {
                    Access::Shared => reference(place, false),
                    Access::Mutable => reference(place, true),
                    Access::Value => place,
                }
            }
            Items::Slices(slices) => {
                let Slices {
                    array,
                    step,
                    size,
                    mutable,
                } = slices.as_ref();
                let start = computed(Operator::Multiply, at, step.clone());
                let length = match size {
                    Size::Each(size) => size.clone(),
                    Size::UpTo(size, all) => {
                        let left = computed(Operator::Subtract, all.clone(), start.clone());
                        let least = method(IntegerMethod::Min, size.clone(), left);
                        let before = std::mem::take(&mut self.before);
                        let least = self.stable(least, "length");
                        into.append(&mut self.before);
                        self.before = before;
                        least
                    }
                };
                reference(part(array, start, length), *mutable)
            }
            Items::Columns(view, mutable) => reference(column(view, at), *mutable),
            Items::Zip(first, second) => {
                let first = self.item(first, at.clone(), into)?;
                let second = self.item(second, at, into)?;
                let ty = Type::Tuple(vec![first.ty.clone(), second.ty.clone()]);
                typed(ExpressionKind::Tuple(vec![first, second]), ty, span)
            }
            Items::From(inner, first) => {
                let at = computed(Operator::Add, at, first.clone());
                self.item(inner, at, into)?
            }
            Items::Backwards(inner, length) => {
                let last = computed(Operator::Subtract, length.clone(), number(1, span));
                let at = computed(Operator::Subtract, last, at);
                self.item(inner, at, into)?
            }
            Items::Every(inner, step) => {
                let at = computed(Operator::Multiply, at, step.clone());
                self.item(inner, at, into)?
            }
            Items::Values(inner) => {
                let item = self.item(inner, at, into)?;
                if !matches!(item.ty, Type::Reference(..)) {
                    return Err(Fault::beyond_at(
                        span,
                        format!("copies of `{}`, which is no reference", show(&item.ty)),
                        "leave `copied()` out",
                    ));
                }
                super::patterns::one_less(item)
            }
            Items::Mapped(inner, closure) => {
                let item = self.item(inner, at, into)?;
                self.applied(closure, vec![item], None, into)?
            }
            Items::Filtered(inner, closure) => {
                let item = self.item(inner, at, into)?;
                self.filter(closure, &item, into)?;
                item
            }
        })
    }
}

/// A column of a view.
pub fn column(view: &Expression, at: Expression) -> Expression {
    let span = at.span;
    let ty = element_type(&view.ty).unwrap_or(Type::Tuple(Vec::new()));
    let view = Box::new(crate::syntax::parts::place(view.clone()));
    typed(ExpressionKind::Column(view, Box::new(at)), ty, span)
}

/// The items of a range by its values instead of positions.
fn from_zero(items: Items) -> Items {
    match items {
        Items::Integers(first) => Items::Integers(number(0, first.span)),
        Items::Mapped(inner, closure) => Items::Mapped(Box::new(from_zero(*inner)), closure),
        Items::Filtered(inner, closure) => Items::Filtered(Box::new(from_zero(*inner)), closure),
        other => other,
    }
}

/// What a loop is called: its counter, or the first thing that has a name.
fn loop_name(pattern: &syn::Pat, items: &Items) -> proc_macro2::Ident {
    if let (syn::Pat::Tuple(tuple), Items::Zip(first, second)) = (pattern, items)
        && tuple.elems.len() == 2
    {
        let nested = |at: usize, items: &Items| {
            named(&tuple.elems[at]).map(|_| loop_name(&tuple.elems[at], items))
        };
        if matches!(**first, Items::Integers(_))
            && let Some(name) = nested(0, first)
        {
            return name;
        }
        if matches!(**second, Items::Integers(_))
            && let Some(name) = nested(1, second)
        {
            return name;
        }
        if let Some(name) = nested(0, first) {
            return name;
        }
        if let Some(name) = nested(1, second) {
            return name;
        }
    }
    named(pattern).unwrap_or_else(|| {
        let span = syn::spanned::Spanned::span(pattern);
        proc_macro2::Ident::new("iteration", span)
    })
}

/// The first name in a pattern.
fn named(pattern: &syn::Pat) -> Option<proc_macro2::Ident> {
    match pattern {
        syn::Pat::Ident(name) => Some(name.ident.clone()),
        syn::Pat::Paren(paren) => named(&paren.pat),
        syn::Pat::Type(typed) => named(&typed.pat),
        syn::Pat::Reference(reference) => named(&reference.pat),
        syn::Pat::Tuple(tuple) => tuple.elems.iter().find_map(named),
        syn::Pat::Slice(slice) => slice.elems.iter().find_map(named),
        syn::Pat::Struct(all) => all.fields.iter().find_map(|field| named(&field.pat)),
        syn::Pat::TupleStruct(all) => all.elems.iter().find_map(named),
        _ => None,
    }
}

/// The name of a loop that a closure's argument, or nothing, names.
pub(super) fn closure_name(pattern: Option<&syn::Pat>, sequence: &Sequence) -> proc_macro2::Ident {
    let inner = |items: &Items| match items {
        Items::Mapped(inner, closure) | Items::Filtered(inner, closure) => closure
            .parameters
            .first()
            .map(|pattern| loop_name(pattern, inner)),
        _ => None,
    };
    inner(&sequence.items)
        .or_else(|| pattern.map(|pattern| loop_name(pattern, &sequence.items)))
        .unwrap_or_else(|| proc_macro2::Ident::new("item", sequence.span.start()))
}
