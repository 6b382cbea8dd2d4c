//! Loops with `while` that count: those that are loops over a range.
//!
//! ```text
//! while i < n { …; i += 1; }      is      for i in i..n { … }  i += n.saturating_sub(i);
//! ```
//!
//! And iterations that are counted, by a variable that the loop does nothing else with:
//!
//! ```text
//! for x in items { …; n += 1; }   is      n += items.len();  for x in items { … }
//! ```
//!
//! The text is left as it is; this is how the compiler reads it.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use super::Parsed;
use super::ast::{
    Adaptor, BinaryOperator, Expression, ExpressionKind, ForLoop, IntegerMethod, ScalarType,
    Statement, Type, VariableId,
};
use super::expressions::{only_literals, typed};
use super::parts::{computed, known, method, number};
use super::scope::{Entry, Reader, USIZE};
use super::statements::strip;
use super::types::behind;
use crate::diagnostics::{Fault, Span};

/// The error of a loop that does not count.
pub fn unknown_length(expr: &impl ToTokens) -> Fault {
    Fault::beyond(
        expr,
        "a loop whose length is not known before it runs",
        "write `for i in a..b`",
    )
}

/// A variable that counts iterations.
pub(super) struct Counter {
    /// Which statement of the body counts.
    pub(super) at: usize,
    /// That statement.
    pub(super) statement: syn::Stmt,
    variable: VariableId,
    by: i128,
}

impl Reader<'_> {
    /// The variables that count all iterations of a loop, and that its body does not use otherwise.
    pub(super) fn counters(&mut self, of: &syn::ExprForLoop) -> Vec<Counter> {
        let items = of.expr.to_token_stream();
        let others = ["filter", "filter_map", "map_while", "take_while", "step_by"];
        let all = self.counters_in(of, &items);
        let none = all.is_empty() || others.iter().any(|name| mentions(&items, name));
        match none || self.has_other_end(&of.expr) {
            true => Vec::new(),
            false => all,
        }
    }

    /// Whether a range ends at an integer of another type than lengths have.
    fn has_other_end(&mut self, of: &syn::Expr) -> bool {
        match strip(of) {
            syn::Expr::MethodCall(call) => self.has_other_end(&call.receiver),
            syn::Expr::Range(range) => match range.end.as_deref() {
                Some(end) if !only_literals(end) => {
                    let end = self.expression(end, None);
                    !end.is_ok_and(|end| *behind(&end.ty) == USIZE)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn counters_in(&self, of: &syn::ExprForLoop, items: &TokenStream) -> Vec<Counter> {
        let counter = |(at, statement): (usize, &syn::Stmt)| {
            let syn::Stmt::Expr(syn::Expr::Binary(step), Some(_)) = statement else {
                return None;
            };
            let name = name_of(&step.left)?;
            let syn::BinOp::AddAssign(_) = step.op else {
                return None;
            };
            let syn::Expr::Lit(literal) = strip(&step.right) else {
                return None;
            };
            let syn::Lit::Int(by) = &literal.lit else {
                return None;
            };
            let Some(Entry::Variable(variable)) = self.find(&name.to_string()) else {
                return None;
            };
            let ty = &self.variables[variable.0].ty;
            // Narrower ones may overflow on the way.
            let integer = matches!(ty, Type::Scalar(ScalarType::Integer(ty)) if ty.bits() >= 32);
            let others = of.body.stmts.iter().enumerate();
            let mut others = others.filter(|(other, _)| *other != at);
            let text = name.to_string();
            let used = others.any(|(_, other)| {
                let tokens = other.to_token_stream();
                mentions(&tokens, &text) || jumps_or_assigns(tokens, &name)
            });
            let around = mentions(items, &text) || mentions(&of.pat.to_token_stream(), &text);
            (integer && !used && !around).then_some(Counter {
                at,
                statement: statement.clone(),
                variable,
                by: by.base10_parse().ok()?,
            })
        };
        let all = of.body.stmts.iter().enumerate();
        all.filter_map(counter).collect()
    }

    /// What variables count, and the loop without that.
    pub(super) fn with_counters(
        &mut self,
        counters: Vec<Counter>,
        looped: Statement,
        at: Span,
    ) -> Parsed<Statement> {
        let plain = match &looped {
            Statement::For(inner) => iterations(inner).map(|count| (count, inner.span)),
            _ => None,
        };
        let Some((count, span)) = plain else {
            return Err(Fault::beyond_at(
                at,
                "iterations that are counted, of a loop whose length is not plain",
                "count them by the length of what the loop runs over",
            ));
        };
        let mut statements = Vec::new();
        for counter in counters {
            let ty = self.variables[counter.variable.0].ty.clone();
            let all = match count.ty == ty {
                true => count.clone(),
                false => typed(
                    ExpressionKind::Cast(Box::new(count.clone())),
                    ty.clone(),
                    span,
                ),
            };
            let by = typed(ExpressionKind::Integer(counter.by), ty.clone(), span);
            let all = match counter.by {
                1 => all,
                _ => typed(
                    ExpressionKind::Binary(BinaryOperator::Multiply, Box::new(all), Box::new(by)),
                    ty.clone(),
                    span,
                ),
            };
            let place = ExpressionKind::Variable(counter.variable);
            statements.push(Statement::Assign {
                place: typed(place, ty.clone(), span),
                operator: Some(BinaryOperator::Add),
                value: all,
                span,
            });
        }
        statements.push(looped);
        Ok(Statement::Block(self.numbered(span, statements, None)))
    }

    /// `while i < n { …; i += 1; }`.
    pub(super) fn counting_loop(&mut self, counting: &syn::ExprWhile) -> Parsed<Statement> {
        let Some((name, end, body)) = self.counter(counting) else {
            return Err(unknown_length(counting));
        };
        let span = Span::of(counting.while_token);
        let range: syn::Expr = syn::parse_quote!(#name..#end);
        let mut over_range: syn::ExprForLoop = syn::parse_quote!(for #name in #range #body);
        over_range.for_token.span = counting.while_token.span;
        let looped = self.for_loop(&mut over_range)?;
        let left: syn::Expr = syn::parse_quote!(#name += (#end).saturating_sub(#name));
        let left = self.expression_statement(&left)?;
        let before = std::mem::take(&mut self.before);
        let statements = [looped].into_iter().chain(before).chain([left]).collect();
        Ok(Statement::Block(self.numbered(span, statements, None)))
    }

    /// The variable that counts, what it stays below, and the rest of the body.
    fn counter(
        &self,
        counting: &syn::ExprWhile,
    ) -> Option<(proc_macro2::Ident, syn::Expr, syn::Block)> {
        let syn::Expr::Binary(condition) = strip(&counting.cond) else {
            return None;
        };
        let syn::BinOp::Lt(_) = condition.op else {
            return None;
        };
        let name = name_of(&condition.left)?;
        let Some(Entry::Variable(id)) = self.find(&name.to_string()) else {
            return None;
        };
        let counts = matches!(
            self.variables[id.0].ty,
            Type::Scalar(ScalarType::Integer(_))
        );
        let mut body = counting.body.clone();
        let Some(syn::Stmt::Expr(syn::Expr::Binary(step), _)) = body.stmts.pop() else {
            return None;
        };
        let by_one = matches!(step.op, syn::BinOp::AddAssign(_))
            && name_of(&step.left).as_ref() == Some(&name)
            && step.right.to_token_stream().to_string() == "1";
        let whole = !jumps_or_assigns(body.to_token_stream(), &name);
        // A literal has no type of its own, and how far it counts says nothing of the variable's.
        let typed = !only_literals(&condition.right);
        let plain = counting.label.is_none() && typed && self.stays(&condition.right);
        (counts && by_one && whole && plain).then(|| (name, condition.right.as_ref().clone(), body))
    }

    /// Whether a loop's end is what it was, whatever the loop does.
    fn stays(&self, end: &syn::Expr) -> bool {
        match strip(end) {
            syn::Expr::Lit(_) => true,
            syn::Expr::Path(path) => match path.path.get_ident() {
                Some(name) => match self.find(&name.to_string()) {
                    Some(Entry::Variable(id)) => !self.variables[id.0].mutable,
                    Some(_) => false,
                    None => true,
                },
                None => false,
            },
            syn::Expr::Binary(binary) => self.stays(&binary.left) && self.stays(&binary.right),
            syn::Expr::MethodCall(call) => {
                let known = ["len", "nrows", "ncols", "min", "max", "saturating_sub"];
                known.iter().any(|known| call.method == known)
                    && self.stays(&call.receiver)
                    && call.args.iter().all(|argument| self.stays(argument))
            }
            _ => false,
        }
    }
}

/// How many iterations a loop has, where its bounds say so without a sign.
fn iterations(of: &ForLoop) -> Option<Expression> {
    let plain = of
        .adaptors
        .iter()
        .all(|adaptor| matches!(adaptor, Adaptor::Reverse));
    if let (Some(start), Some(end)) = (known(&of.start), known(&of.end)) {
        let count = end - start + i128::from(of.inclusive);
        return plain.then(|| number(count.max(0), of.span));
    }
    let end = match of.inclusive {
        true => computed(BinaryOperator::Add, of.end.clone(), number(1, of.span)),
        false => of.end.clone(),
    };
    let count = match known(&of.start) {
        Some(0) => end,
        _ => method(IntegerMethod::SaturatingSub, end, of.start.clone()),
    };
    (plain && of.end.ty == USIZE).then_some(count)
}

/// Whether a word stands among tokens.
fn mentions(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(word) => word == name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

/// A name alone.
fn name_of(expr: &syn::Expr) -> Option<proc_macro2::Ident> {
    match strip(expr) {
        syn::Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    }
}

/// Whether tokens leave a loop, or may change a variable.
fn jumps_or_assigns(tokens: TokenStream, name: &proc_macro2::Ident) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |at: usize, punctuation: &[char]| match trees.get(at) {
        Some(TokenTree::Punct(punct)) => punctuation.contains(&punct.as_char()),
        _ => false,
    };
    // `=` that is neither `==` nor `=>`.
    let assigns = |at: usize| is(at, &['=']) && !is(at + 1, &['=', '>']);
    let operators = ['+', '-', '*', '/', '%', '&', '|', '^', '<', '>'];
    trees.iter().enumerate().any(|(at, tree)| match tree {
        TokenTree::Ident(word) if word == "break" || word == "continue" || word == "return" => true,
        TokenTree::Ident(word) if word == name => {
            let shifted = is(at + 1, &['<', '>']) && is(at + 2, &['<', '>']) && assigns(at + 3);
            let changed = is(at + 1, &operators) && assigns(at + 2);
            let borrowed =
                at > 0 && matches!(&trees[at - 1], TokenTree::Ident(word) if word == "mut");
            assigns(at + 1) || changed || shifted || borrowed
        }
        TokenTree::Group(group) => {
            let several = matches!(
                group.delimiter(),
                proc_macro2::Delimiter::Parenthesis | proc_macro2::Delimiter::Bracket
            );
            let inside = group.stream().into_iter();
            let has = inside
                .into_iter()
                .any(|tree| matches!(tree, TokenTree::Ident(word) if word == *name));
            (several && has && at_start(&trees, at) && assigns(at + 1))
                || jumps_or_assigns(group.stream(), name)
        }
        _ => false,
    })
}

/// Whether a group begins a statement, so that it is no subscript.
fn at_start(trees: &[TokenTree], at: usize) -> bool {
    at.checked_sub(1).is_none_or(|before| match &trees[before] {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == proc_macro2::Delimiter::Brace,
        _ => false,
    })
}
