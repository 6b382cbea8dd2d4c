//! Declarations of variables, in groups where a function has many.
//!
//! Each `let` opens a scope that lasts to the end of its block. rustc nests them, and walks them recursively
//! where it writes debug information: a block of a few thousand overflows its stack. `let (a, b, c,);` declares
//! many in one scope; each is given its value where it stood, `a = …;`.

use std::fmt::Write as _;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use super::printer::{Printer, Value};
use crate::collections::HashSet;
use crate::ir::Element;

/// Where fewer scopes are nested each variable keeps its `let`, which reads better.
const FEW: usize = 256;

/// Variables that are declared together.
const GROUP: usize = 64;

impl Printer<'_> {
    /// Gives some text a name.
    pub fn name(&mut self, base: &str, text: &str) -> String {
        self.declare("", base, text)
    }

    /// Declares a variable that changes.
    pub fn mutable(&mut self, base: &str, text: &str) -> String {
        self.declare("mut ", base, text)
    }

    fn declare(&mut self, kind: &str, base: &str, text: &str) -> String {
        let name = self.fresh(base);
        let _ = writeln!(self.out, "let {kind}{name} = {text};");
        self.declared.insert(name.clone());
        name
    }

    /// Gives a value a name.
    pub fn bind(&mut self, base: &str, text: &str, vector: bool, element: Element) -> Value {
        Value {
            text: self.name(base, text),
            vector,
            element,
        }
    }
}

/// Declares variables in groups, if `text`, of which `body` are the tokens, nests the scopes of many. `names` are those
/// that a block declares once and that have no other meaning in it before.
pub fn grouped(body: TokenStream, text: &str, names: &HashSet<String>) -> TokenStream {
    match names.len() > FEW && nested_scopes(text) > FEW {
        true => block(body, names),
        false => body,
    }
}

/// The most declarations that are in scope together.
fn nested_scopes(text: &str) -> usize {
    let (mut most, mut now, mut around) = (0, 0, Vec::new());
    for line in text.lines() {
        now += line.matches("let ").count();
        most = most.max(now);
        for sign in line.chars() {
            match sign {
                '{' => around.push(now),
                '}' => now = around.pop().unwrap_or(now),
                _ => {}
            }
        }
    }
    most
}

/// A block, with the blocks inside of it.
fn block(body: TokenStream, names: &HashSet<String>) -> TokenStream {
    let mut statements: Vec<Vec<TokenTree>> = vec![Vec::new()];
    for token in body {
        let token = match token {
            TokenTree::Group(group) => TokenTree::Group(nested(&group, names)),
            other => other,
        };
        let ends = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            _ => false,
        };
        if let Some(last) = statements.last_mut() {
            last.push(token);
        }
        if ends {
            statements.push(Vec::new());
        }
    }
    let declare: Vec<usize> = (0..statements.len())
        .filter(|at| declared(&statements[*at], names).is_some())
        .collect();
    if declare.len() > 1 {
        for group in declare.chunks(GROUP) {
            let mut patterns = Vec::new();
            for at in group {
                let name = declared(&statements[*at], names).unwrap_or(0);
                patterns.push(
                    statements[*at][1..=name]
                        .iter()
                        .cloned()
                        .collect::<TokenStream>(),
                );
                statements[*at].drain(..name);
            }
            statements[group[0]].splice(0..0, quote!(let (#(#patterns,)*);));
        }
    }
    statements.into_iter().flatten().collect()
}

/// A group of tokens, with the blocks inside of it.
fn nested(group: &Group, names: &HashSet<String>) -> Group {
    let mut result = Group::new(group.delimiter(), block(group.stream(), names));
    result.set_span(group.span());
    result
}

/// The position of the name in a statement `let name = …;` or `let mut name = …;`.
fn declared(statement: &[TokenTree], names: &HashSet<String>) -> Option<usize> {
    let word = |at: usize| match statement.get(at) {
        Some(TokenTree::Ident(word)) => Some(word.to_string()),
        _ => None,
    };
    let at = match word(1)?.as_str() {
        "mut" => 2,
        _ => 1,
    };
    let own = word(0)? == "let" && names.contains(&word(at)?);
    let value =
        matches!(statement.get(at + 1), Some(TokenTree::Punct(sign)) if sign.as_char() == '=');
    (own && value).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(body: &str, names: &[String]) -> String {
        let names = names.iter().cloned().collect();
        block(body.parse().unwrap(), &names).to_string()
    }

    #[test]
    fn each_block_declares_its_own() {
        let names = ["a", "b", "c", "d"].map(str::to_owned);
        let body =
            "let a = x; let n = 1; let mut b = a + n; while n < m { let c = b; let d = c; y = d; }";
        let expected = "let (a, mut b,); a = x; let n = 1; b = a + n; \
                        while n < m { let (c, d,); c = b; d = c; y = d; }";
        let expected: TokenStream = expected.parse().unwrap();
        assert_eq!(text(body, &names), expected.to_string());
    }

    #[test]
    fn what_has_a_type_or_other_variables_beside_it_stays() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let body = "let a: f64 = x; let (b, e) = y; if let c = z { } let f = 1; let mut g = 2;";
        let body: TokenStream = body.parse().unwrap();
        assert_eq!(text(&body.to_string(), &names), body.to_string());
    }

    #[test]
    fn many_in_one_scope_are_grouped() {
        let names: Vec<String> = (0..GROUP * 5).map(|at| format!("a_{at}")).collect();
        let body: String = names
            .iter()
            .map(|name| format!("let {name} = x;"))
            .collect();
        let set = names.iter().cloned().collect();
        let found = grouped(body.parse().unwrap(), &body, &set).to_string();
        assert_eq!(found.matches("let").count(), 5);
        assert_eq!(found.matches(" = x").count(), GROUP * 5);
        let apart: String = names
            .iter()
            .map(|name| format!("while true {{\nlet {name} = x;\n}}\n"))
            .collect();
        let found = grouped(apart.parse().unwrap(), &apart, &set).to_string();
        let expected: TokenStream = apart.parse().unwrap();
        assert_eq!(found, expected.to_string(), "scopes that are not nested");
    }
}
