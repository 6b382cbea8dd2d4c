//! Values that may be missing: `x.first().copied().unwrap_or(0.0)`, `x.iter().max().unwrap()`.
//!
//! The first and the last element, and the smallest and the largest one of integers, are choices by a length and
//! folds. Where iterations end early (`any`, `position`), and where items are compared by a closure (`min_by`), which
//! iterations run, or which item is taken, is the text's own matter: the kernel runs as written.

use super::chains::is_iterator;
use super::loops::closure_name;
use crate::diagnostics::{Fault, Span};
use crate::syntax::Parsed;
use crate::syntax::ast::{
    CompareOperator, Expression, ExpressionKind, FunctionId, IntegerMethod, Pattern, ScalarType,
    Statement, Text, Type,
};
use crate::syntax::expressions::typed;
use crate::syntax::numbers::compare;
use crate::syntax::parts::{element_type, method, number, reference};
use crate::syntax::scope::{Reader, USIZE};
use crate::syntax::statements::strip;
use crate::syntax::types::behind;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

const EARLY: Text = Text {
    message: "an iterator that ends early: numbers decide how many items it takes",
    help: "take all items, with `filter` and `count`, say, to have lanes",
    panics: false,
};
const COMPARED: Text = Text {
    message: "the item that a closure takes for the smallest or the largest one",
    help: "fold, `x.iter().copied().fold(f64::INFINITY, f64::min)`, to have lanes",
    panics: false,
};

/// Methods of iterators that say whether, or which, item is there.
const EARLY_METHODS: [&str; 10] = [
    "position",
    "rposition",
    "find",
    "find_map",
    "next",
    "nth",
    "any",
    "all",
    "is_sorted",
    "last",
];
/// Methods of iterators that take an item by comparing all.
const COMPARING_METHODS: [&str; 7] = [
    "min",
    "max",
    "min_by",
    "max_by",
    "min_by_key",
    "max_by_key",
    "reduce",
];

/// Whether an expression is a value that may be missing, by what it looks like.
fn is_option(expr: &syn::Expr) -> bool {
    let syn::Expr::MethodCall(call) = strip(expr) else {
        return false;
    };
    let name = call.method.to_string();
    let iterator = is_iterator(&call.receiver) && !is_option(&call.receiver);
    match name.as_str() {
        "copied" | "cloned" | "map" | "filter" => is_option(&call.receiver),
        "any" | "all" | "is_sorted" => false,
        "first" | "last" | "get" => !iterator || name == "last",
        other if iterator => EARLY_METHODS.contains(&other) || COMPARING_METHODS.contains(&other),
        _ => false,
    }
}

impl Reader<'_> {
    /// The value of a method of what may be missing, or of a method that ends a loop early, if it is one.
    pub(super) fn of_option(
        &mut self,
        call: &syn::ExprMethodCall,
        expected: Option<&Type>,
    ) -> Parsed<Option<Expression>> {
        let name = call.method.to_string();
        let truth = Type::Scalar(ScalarType::Bool);
        if matches!(name.as_str(), "any" | "all" | "is_sorted") && is_iterator(&call.receiver) {
            return Ok(Some(self.text(call, truth, EARLY)));
        }
        if !is_option(&call.receiver) {
            return Ok(None);
        }
        let arguments: Vec<&syn::Expr> = call.args.iter().collect();
        if let Some(value) = self.end_of_array(call, &arguments, expected)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.extreme_integer(call, &arguments)? {
            return Ok(Some(value));
        }
        let why = match ends_early(&call.receiver) {
            true => EARLY,
            false => COMPARED,
        };
        let ty = match (name.as_str(), arguments.as_slice()) {
            ("is_some" | "is_none" | "is_some_and" | "is_none_or", _) => truth,
            ("unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else", _) => {
                self.option_type(&call.receiver)?
            }
            ("map_or", [otherwise, _]) => self.expression(otherwise, expected)?.ty,
            _ => {
                return Err(Fault::beyond(
                    &call.method,
                    format!("`{name}` of what may be missing"),
                    "give the value that stands for nothing: `.unwrap_or(0)`",
                ));
            }
        };
        Ok(Some(self.text(call, ty, why)))
    }

    /// What only the text knows, of a type.
    pub(in crate::syntax) fn text(
        &mut self,
        of: &impl ToTokens,
        ty: Type,
        why: Text,
    ) -> Expression {
        let tokens = of.to_token_stream();
        // Helpers that stand in it are called.
        for at in 0..self.functions.len() {
            let name = &self.functions[at].sig.ident;
            if names(&tokens, &|word| *word == *name) {
                self.calls.push(FunctionId(at));
            }
        }
        let text = Text {
            panics: may_panic(&tokens),
            ..why
        };
        typed(ExpressionKind::Text(text), ty, Span::of(of))
    }

    /// The type of a value that may be missing.
    fn option_type(&mut self, expr: &syn::Expr) -> Parsed<Type> {
        let syn::Expr::MethodCall(call) = strip(expr) else {
            return Err(Fault::consequence());
        };
        let name = call.method.to_string();
        match name.as_str() {
            "position" | "rposition" => Ok(USIZE),
            "copied" | "cloned" => Ok(behind(&self.option_type(&call.receiver)?).clone()),
            "filter" => self.option_type(&call.receiver),
            "map" => {
                let of = self.option_type(&call.receiver)?;
                self.mapped_type(of, call.args.first(), call)
            }
            "find_map" => Err(Fault::beyond(
                &call.method,
                "an item that a closure finds and maps",
                "write `find` and `map`",
            )),
            "first" | "last" | "get" if !is_iterator(&call.receiver) => {
                let array = self.expression(&call.receiver, None)?;
                let element = element_type(&array.ty).ok_or_else(Fault::consequence)?;
                Ok(Type::Reference(Box::new(element), false))
            }
            _ => self.item_type(&call.receiver),
        }
    }

    /// The type of the items of an iterator.
    fn item_type(&mut self, of: &syn::Expr) -> Parsed<Type> {
        let sequence = self.sequence(of)?;
        let name = closure_name(None, &sequence);
        let mut found = None;
        self.run(sequence, name, |reader, item, header| {
            let span = item.span;
            found = Some(item.ty);
            Ok(reader.numbered(span, header, None))
        })?;
        found.ok_or_else(Fault::consequence)
    }

    /// The type of a closure's value.
    fn mapped_type(
        &mut self,
        of: Type,
        closure: Option<&syn::Expr>,
        call: &syn::ExprMethodCall,
    ) -> Parsed<Type> {
        let closure = self.closure(closure.ok_or_else(Fault::consequence)?)?;
        let span = Span::of(call);
        let item = self.hidden("item", of.clone(), false, span);
        let item = match of {
            // Its parts have names of their own in patterns.
            Type::Tuple(fields) => {
                let parts = fields.iter().map(|ty| {
                    let part = self.hidden("part", ty.clone(), false, span);
                    typed(ExpressionKind::Variable(part), ty.clone(), span)
                });
                let parts = parts.collect();
                typed(ExpressionKind::Tuple(parts), Type::Tuple(fields), span)
            }
            of => typed(ExpressionKind::Variable(item), of, span),
        };
        let mut statements = Vec::new();
        Ok(self
            .applied(&closure, vec![item], None, &mut statements)?
            .ty)
    }

    /// `x.first().copied().unwrap_or(v)`, `x.last().unwrap()`, if it is one of these.
    fn end_of_array(
        &mut self,
        call: &syn::ExprMethodCall,
        arguments: &[&syn::Expr],
        expected: Option<&Type>,
    ) -> Parsed<Option<Expression>> {
        let (inner, copied) = without_copied(&call.receiver);
        let Some(inner) = inner.filter(|inner| !is_iterator(&inner.receiver)) else {
            return Ok(None);
        };
        let array = &inner.receiver;
        let element: syn::Expr = match (inner.method.to_string().as_str(), inner.args.first()) {
            ("first", None) => syn::parse_quote!(#array[0]),
            ("last", None) => syn::parse_quote!(#array[#array.len() - 1]),
            _ => return Ok(None),
        };
        let name = call.method.to_string();
        let value: syn::Expr = match (name.as_str(), arguments, copied) {
            ("unwrap", [], true) | ("expect", [_], true) => element,
            ("unwrap", [], false) | ("expect", [_], false) => syn::parse_quote!(&#element),
            ("unwrap_or", [other], true) => {
                syn::parse_quote!(if #array.is_empty() { #other } else { #element })
            }
            _ => return Ok(None),
        };
        self.expression(&value, expected).map(Some)
    }

    /// `x.iter().copied().max().unwrap_or(v)` of integers, if it is that: a fold, and a choice.
    fn extreme_integer(
        &mut self,
        call: &syn::ExprMethodCall,
        arguments: &[&syn::Expr],
    ) -> Parsed<Option<Expression>> {
        let (Some(inner), copied) = without_copied(&call.receiver) else {
            return Ok(None);
        };
        let least = inner.method == "min";
        let plain = (least || inner.method == "max") && inner.args.is_empty();
        let name = call.method.to_string();
        let takes = matches!(
            (name.as_str(), arguments),
            ("unwrap" | "unwrap_or_default", []) | ("expect" | "unwrap_or", [_])
        );
        if !plain || !takes {
            return Ok(None);
        }
        let item = self.item_type(&inner.receiver)?;
        let Type::Scalar(ScalarType::Integer(ty)) = *behind(&item) else {
            return Ok(None);
        };
        let lent = !copied && matches!(item, Type::Reference(..));
        let sequence = self.sequence(&inner.receiver)?;
        if sequence.items.are_filtered() {
            return Ok(None);
        }
        let sequence = sequence.by_position();
        let Some(length) = sequence.length() else {
            return Ok(None);
        };
        let (span, own) = (Span::of(call), Type::Scalar(ScalarType::Integer(ty)));
        let (operator, first) = match least {
            true => (IntegerMethod::Min, ty.range().1),
            false => (IntegerMethod::Max, ty.range().0),
        };
        let variable = self.hidden("extreme", own.clone(), true, span);
        let place = typed(ExpressionKind::Variable(variable), own.clone(), span);
        let first = typed(ExpressionKind::Integer(first), own.clone(), span);
        let loop_name = closure_name(None, &sequence);
        let folding = self.run(sequence, loop_name, |reader, item, mut header| {
            let operands = vec![place.clone(), item.dereferenced()];
            let kind = ExpressionKind::Integers(operator, operands);
            header.push(Statement::Assign {
                place: place.clone(),
                operator: None,
                value: typed(kind, own.clone(), span),
                span,
            });
            Ok(reader.numbered(span, header, None))
        })?;
        let mut statements = vec![Statement::Let(Pattern::Variable(variable), first), folding];
        let none = compare(
            CompareOperator::Equal,
            length.clone(),
            number(0, span),
            span,
        );
        let value = match (name.as_str(), arguments) {
            ("unwrap" | "expect", _) => {
                let check = method(IntegerMethod::Within, number(0, span), length);
                statements.insert(0, Statement::Let(Pattern::Wildcard, check));
                place
            }
            ("unwrap_or", [other]) => {
                let wanted = match lent {
                    true => Type::Reference(Box::new(own), false),
                    false => own,
                };
                let other = self.expression(other, Some(&wanted))?.dereferenced();
                self.choice(none, other, place, span)
            }
            _ => {
                let zero = typed(ExpressionKind::Integer(0), own, span);
                self.choice(none, zero, place, span)
            }
        };
        let value = self.after(statements, value, span);
        Ok(Some(match lent {
            true => reference(value, false),
            false => value,
        }))
    }
}

/// A method call, without `copied` or `cloned` behind it; whether there was one.
fn without_copied(expr: &syn::Expr) -> (Option<&syn::ExprMethodCall>, bool) {
    match strip(expr) {
        syn::Expr::MethodCall(call) if call.method == "copied" || call.method == "cloned" => {
            (without_copied(&call.receiver).0, true)
        }
        syn::Expr::MethodCall(call) => (Some(call), false),
        _ => (None, false),
    }
}

/// Whether a value that may be missing is found before all items are looked at.
fn ends_early(expr: &syn::Expr) -> bool {
    match strip(expr) {
        syn::Expr::MethodCall(call) => {
            EARLY_METHODS.contains(&call.method.to_string().as_str()) || ends_early(&call.receiver)
        }
        _ => false,
    }
}

/// Whether a word stands among some tokens.
fn names(tokens: &TokenStream, is: &dyn Fn(&proc_macro2::Ident) -> bool) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(word) => is(&word),
        TokenTree::Group(group) => names(&group.stream(), is),
        _ => false,
    })
}

/// Whether some tokens subscript, or assign, or call what panics.
fn may_panic(tokens: &TokenStream) -> bool {
    let calls = |word: &proc_macro2::Ident| {
        let word = word.to_string();
        let sized = ["unwrap", "expect", "step_by", "windows"].contains(&word.as_str());
        sized || word.starts_with("chunks") || word.starts_with("split")
    };
    names(tokens, &calls) || assigns_or_subscripts(tokens)
}

fn assigns_or_subscripts(tokens: &TokenStream) -> bool {
    let mut before = ' ';
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => {
                let bracket = group.delimiter() == proc_macro2::Delimiter::Bracket;
                if bracket || assigns_or_subscripts(&group.stream()) {
                    return true;
                }
                before = ' ';
            }
            TokenTree::Punct(punct) => {
                let next = match trees.get(at + 1) {
                    Some(TokenTree::Punct(next)) => next.as_char(),
                    _ => ' ',
                };
                let compares = "=!<>".contains(before) || "=>".contains(next);
                if punct.as_char() == '=' && !compares {
                    return true;
                }
                before = punct.as_char();
            }
            _ => before = ' ',
        }
    }
    false
}
