//! Loops with `while` that count: those that are loops over a range.
//!
//! ```text
//! while i < n { …; i += 1; }      is      for i in i..n { … }  i += n.saturating_sub(i);
//! ```
//!
//! The text is left as it is; this is how the compiler reads it.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use super::Parsed;
use super::ast::{ScalarType, Statement, Type};
use super::expressions::only_literals;
use super::scope::{Entry, Reader};
use super::statements::strip;
use crate::diagnostics::{Fault, Span};

/// The error of a loop that does not count.
pub fn unknown_length(expr: &impl ToTokens) -> Fault {
    Fault::beyond(
        expr,
        "a loop whose length is not known before it runs",
        "write `for i in a..b`",
    )
}

impl Reader<'_> {
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
