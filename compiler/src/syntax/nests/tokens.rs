//! What the tokens of a nest say.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::syntax::verbatim::{each_identifier, words};

/// The identifiers of some tokens, each where it stands first: names that a macro makes would be others.
pub fn identifiers(tokens: TokenStream, into: &mut HashMap<String, Ident>) {
    each_identifier(tokens, &mut |ident| {
        into.entry(ident.to_string()).or_insert(ident);
    });
}

/// Whether something in some tokens leaves a function or a loop that may be around them.
pub fn leaves(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ["return", "await", "tabulate", "yield"]
            .iter()
            .any(|own| ident == own),
        TokenTree::Punct(punct) => ['?', '\''].contains(&punct.as_char()),
        TokenTree::Group(group) => leaves(group.stream()),
        TokenTree::Literal(_) => false,
    })
}

/// Whether a name is assigned in some tokens. Where another form of assignment is met, the nest is no
/// function, since the variable cannot be changed in it.
pub fn is_assigned(tokens: TokenStream, name: &str) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let puncts = |at: usize| -> String {
        let rest = trees[at..].iter().map_while(|tree| match tree {
            TokenTree::Punct(punct) => Some(punct.as_char()),
            _ => None,
        });
        rest.collect()
    };
    trees.iter().enumerate().any(|(at, tree)| match tree {
        TokenTree::Ident(ident) if ident == name => {
            let after = puncts(at + 1);
            let operator =
                after.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']);
            let compares = after.starts_with("<=") || after.starts_with(">=");
            let field =
                at > 0 && matches!(&trees[at - 1], TokenTree::Punct(own) if own.as_char() == '.');
            operator.starts_with('=')
                && !operator.starts_with("==")
                && !operator.starts_with("=>")
                && !compares
                && !field
        }
        TokenTree::Group(group) => {
            let several = puncts(at + 1);
            let begins = match at.checked_sub(1).map(|before| &trees[before]) {
                None => true,
                Some(TokenTree::Punct(punct)) => punct.as_char() == ';',
                Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
                Some(_) => false,
            };
            let several = begins && several.starts_with('=') && !several.starts_with("==");
            let mut parts = HashSet::new();
            words(group.stream(), &mut parts);
            let part = several && parts.contains(name);
            part || is_assigned(group.stream(), name)
        }
        _ => false,
    })
}

/// Whether an array or a slice of tuples stands in some tokens, as a type or as a value.
pub fn has_tuples_in_arrays(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => {
            let first = group.stream().into_iter().next();
            let tuple = match first {
                Some(TokenTree::Group(first)) if first.delimiter() == Delimiter::Parenthesis => {
                    let mut inside = first.stream().into_iter();
                    inside.any(|tree| matches!(tree, TokenTree::Punct(own) if own.as_char() == ','))
                }
                _ => false,
            };
            let in_array = tuple && group.delimiter() == Delimiter::Bracket;
            in_array || has_tuples_in_arrays(group.stream())
        }
        _ => false,
    })
}
