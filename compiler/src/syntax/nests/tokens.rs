//! What the tokens of a nest say.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};

use crate::collections::{HashMap, HashSet};
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

/// How some tokens use the elements of an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// They are assigned, or added to.
    pub assigned: bool,
    /// They are read otherwise.
    pub read: bool,
}

/// How some tokens use the elements of an array of a name.
pub fn uses(tokens: TokenStream, name: &str) -> Uses {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Uses::default();
    let mut at = 0;
    while at < trees.len() {
        match &trees[at] {
            TokenTree::Ident(ident) if ident == name => {
                let subscripts = |tree: &TokenTree| matches!(tree, TokenTree::Group(own) if own.delimiter() == Delimiter::Bracket);
                let mut end = at + 1;
                while trees.get(end).is_some_and(subscripts) {
                    end += 1;
                }
                let after = puncts(&trees[end..]);
                let is_target = end > at + 1 && assigns(&after);
                found.assigned |= is_target;
                found.read |= !is_target;
            }
            TokenTree::Group(group) => {
                let inside = uses(group.stream(), name);
                found.assigned |= inside.assigned;
                found.read |= inside.read;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The punctuation that some tokens begin with.
fn puncts(trees: &[TokenTree]) -> String {
    let rest = trees.iter().map_while(|tree| match tree {
        TokenTree::Punct(punct) => Some(punct.as_char()),
        _ => None,
    });
    rest.collect()
}

/// Whether what begins with this punctuation assigns what is before it.
fn assigns(after: &str) -> bool {
    let operator = after.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']);
    let compares = after.starts_with("<=") || after.starts_with(">=");
    let equals = operator.starts_with('=') && !operator.starts_with("==");
    equals && !operator.starts_with("=>") && !compares
}

/// Whether a name is assigned in some tokens. Where another form of assignment is met, the nest is no
/// function, since the variable cannot be changed in it.
pub fn is_assigned(tokens: TokenStream, name: &str) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    trees.iter().enumerate().any(|(at, tree)| match tree {
        TokenTree::Ident(ident) if ident == name => {
            let field =
                at > 0 && matches!(&trees[at - 1], TokenTree::Punct(own) if own.as_char() == '.');
            assigns(&puncts(&trees[at + 1..])) && !field
        }
        TokenTree::Group(group) => {
            let several = puncts(&trees[at + 1..]);
            let begins = match at.checked_sub(1).map(|before| &trees[before]) {
                None => true,
                Some(TokenTree::Punct(punct)) => punct.as_char() == ';',
                Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
                Some(_) => false,
            };
            let several = begins && several.starts_with('=') && !several.starts_with("==");
            let mut parts = HashSet::default();
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

/// Whether one of some characters stands at a place, if that is one.
pub fn is_punct(trees: &[TokenTree], at: Option<usize>, of: &[char]) -> bool {
    let tree = at.and_then(|at| trees.get(at));
    matches!(tree, Some(TokenTree::Punct(own)) if of.contains(&own.as_char()))
}

/// Whether a member is named at a place: behind one dot.
pub fn is_member(trees: &[TokenTree], at: usize) -> bool {
    let dot = |back: usize| is_punct(trees, at.checked_sub(back), &['.']);
    dot(1) && !dot(2)
}

/// Tokens with others for their identifiers, of which some name members.
pub fn with_identifiers(
    tokens: TokenStream,
    other: &mut impl FnMut(Ident, bool) -> TokenStream,
) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut result = TokenStream::new();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(own) => result.extend(other(own.clone(), is_member(&trees, at))),
            TokenTree::Group(group) => {
                result.extend([like(group, with_identifiers(group.stream(), other))]);
            }
            plain => result.extend([plain.clone()]),
        }
    }
    result
}

/// Tokens with the name of a struct for `Self`, and with another one for `self`.
pub fn of_struct(tokens: TokenStream, (name, this): (&str, &str)) -> TokenStream {
    with_identifiers(tokens, &mut |own, _| {
        let name = match own.to_string().as_str() {
            "Self" => Ident::new(name, own.span()),
            "self" => Ident::new(this, own.span()),
            _ => own,
        };
        TokenTree::Ident(name).into()
    })
}

/// A group of other tokens.
pub fn like(group: &Group, inside: TokenStream) -> TokenTree {
    let mut other = Group::new(group.delimiter(), inside);
    other.set_span(group.span());
    TokenTree::Group(other)
}

/// A type with the lifetimes of its parameters left to the compiler.
pub fn without_lifetimes(tokens: TokenStream) -> TokenStream {
    let mut in_lifetime = false;
    let trees = tokens.into_iter().map(|tree| match tree {
        TokenTree::Punct(own) => {
            in_lifetime = own.as_char() == '\'';
            TokenTree::Punct(own)
        }
        TokenTree::Ident(own) if std::mem::take(&mut in_lifetime) && own != "static" => {
            TokenTree::Ident(Ident::new("_", own.span()))
        }
        TokenTree::Group(group) => like(&group, without_lifetimes(group.stream())),
        other => other,
    });
    trees.collect()
}

/// Whether some tokens may bind a name.
pub fn is_bound(tokens: TokenStream, name: &str) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let punct = |at: usize, of: char| is_punct(&trees, Some(at), &[of]);
    let ends = |tree: &TokenTree| match tree {
        TokenTree::Ident(own) => own == "in",
        TokenTree::Punct(own) => ['=', ';', ':'].contains(&own.as_char()),
        _ => false,
    };
    let names = |trees: &[TokenTree]| {
        let mut inside = HashSet::default();
        words(trees.iter().cloned().collect(), &mut inside);
        inside.contains(name)
    };
    let declared = trees.iter().enumerate().any(|(at, tree)| {
        let begins = matches!(tree, TokenTree::Ident(own) if own == "let" || own == "for");
        let end = trees[at..]
            .iter()
            .position(ends)
            .map_or(trees.len(), |end| at + end);
        begins && names(&trees[at..end])
    });
    // Names of closures, and of branches of a `match`.
    let closes =
        (0..trees.len()).any(|at| punct(at, '|') || (punct(at, '=') && punct(at + 1, '>')));
    let alone = trees.iter().enumerate().any(|(at, tree)| match tree {
        TokenTree::Ident(own) => own == name && !punct(at + 1, '.'),
        TokenTree::Group(own) => {
            own.delimiter() == Delimiter::Parenthesis && names(std::slice::from_ref(tree))
        }
        _ => false,
    });
    let inside = trees.iter().any(|tree| match tree {
        TokenTree::Group(own) => is_bound(own.stream(), name),
        _ => false,
    });
    declared || (closes && alone) || inside
}

/// Whether tokens name a variable for its elements and methods alone.
pub fn is_part_alone(tokens: TokenStream, name: &Ident) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    trees.iter().enumerate().all(|(at, tree)| match tree {
        TokenTree::Ident(own) if own == name => is_part(&trees, at),
        TokenTree::Group(own) => is_part_alone(own.stream(), name),
        _ => true,
    })
}

/// Whether an element or a method is named of what stands at a place.
fn is_part(trees: &[TokenTree], at: usize) -> bool {
    let element = matches!(trees.get(at + 1), Some(TokenTree::Group(own)) if own.delimiter() == Delimiter::Bracket);
    element || is_punct(trees, Some(at + 1), &['.'])
}

/// Whether tokens name an array for a copy of it: neither for a part, nor for a reference.
pub fn is_copied(tokens: TokenStream, name: &Ident) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    trees.iter().enumerate().any(|(at, tree)| match tree {
        TokenTree::Ident(own) if own == name => {
            let mutable = at > 0 && matches!(&trees[at - 1], TokenTree::Ident(own) if own == "mut");
            let borrow = at.checked_sub(if mutable { 2 } else { 1 });
            let is_borrowed = is_punct(&trees, borrow, &['&']);
            !(is_part(&trees, at) || is_member(&trees, at) || is_borrowed)
        }
        TokenTree::Group(own) => is_copied(own.stream(), name),
        _ => false,
    })
}

/// Whether a name stands behind `mut`.
pub fn is_lent(tokens: TokenStream, name: &str) -> bool {
    let mut behind = false;
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(own) => std::mem::replace(&mut behind, own == "mut") && own == name,
        TokenTree::Group(group) => {
            behind = false;
            is_lent(group.stream(), name)
        }
        _ => {
            behind = false;
            false
        }
    })
}

/// Tokens in which names of arrays are those of references to them: `&x` is `&*x`, and `&mut x` is `&mut *x`, but where
/// a name may be that of something else, `for x in &x { … }`.
pub fn borrowed_again(tokens: TokenStream, arrays: &HashSet<String>) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_punct = |at: usize, of: &[char]| is_punct(&trees, Some(at), of);
    let mut seen = arrays.clone();
    hide(&mut seen, named_beside(&trees));
    let (mut result, mut begun) = (TokenStream::new(), None);
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(own) if own == "let" || own == "for" => {
                begun = Some((own == "for", pattern(&trees[at..])));
                result.extend([tree.clone()]);
            }
            TokenTree::Ident(name) if seen.contains(&name.to_string()) => {
                let is_mutable =
                    at > 0 && matches!(&trees[at - 1], TokenTree::Ident(own) if own == "mut");
                let borrow = at.checked_sub(if is_mutable { 2 } else { 1 });
                let is_borrowed = borrow.is_some_and(|at| is_punct(at, &['&']));
                let is_whole = match trees.get(at + 1) {
                    None => true,
                    Some(TokenTree::Group(own)) => own.delimiter() == Delimiter::Brace,
                    Some(_) => is_punct(at + 1, &[',', ';']),
                };
                if is_borrowed && is_whole {
                    result.extend([TokenTree::from(Punct::new('*', Spacing::Alone))]);
                }
                result.extend([tree.clone()]);
            }
            TokenTree::Group(group) => {
                let mut inside = seen.clone();
                if group.delimiter() == Delimiter::Brace
                    && let Some((in_loop, names)) = begun.take()
                {
                    hide(&mut inside, names);
                    if !in_loop {
                        seen.clone_from(&inside);
                    }
                }
                result.extend([like(group, borrowed_again(group.stream(), &inside))]);
            }
            _ => {
                if is_punct(at, &[';'])
                    && let Some((_, names)) = begun.take()
                {
                    hide(&mut seen, names);
                }
                result.extend([tree.clone()]);
            }
        }
    }
    result
}

fn hide(names: &mut HashSet<String>, hidden: HashSet<String>) {
    names.retain(|name| !hidden.contains(name));
}

/// The names in what `let` and `for` declare.
fn pattern(trees: &[TokenTree]) -> HashSet<String> {
    let ends = |tree: &TokenTree| match tree {
        TokenTree::Ident(own) => own == "in",
        TokenTree::Punct(own) => ['=', ';', ':'].contains(&own.as_char()),
        _ => false,
    };
    let end = trees.iter().position(ends).unwrap_or(trees.len());
    let mut names = HashSet::default();
    words(trees[..end].iter().cloned().collect(), &mut names);
    names
}

/// Names that parameters of closures may have, or what branches of a `match` bind.
fn named_beside(trees: &[TokenTree]) -> HashSet<String> {
    let punct = |at: usize, of: char| is_punct(trees, Some(at), &[of]);
    let bars: Vec<usize> = (0..trees.len()).filter(|at| punct(*at, '|')).collect();
    let mut names = HashSet::default();
    if let (Some(first), Some(last)) = (bars.first(), bars.last()) {
        words(trees[*first..*last].iter().cloned().collect(), &mut names);
    }
    for arrow in (0..trees.len()).filter(|at| punct(*at, '=') && punct(at + 1, '>')) {
        let is_other = |at: usize| match &trees[at] {
            TokenTree::Punct(own) => own.as_char() == ',',
            TokenTree::Group(own) => own.delimiter() == Delimiter::Brace && at + 1 < arrow,
            _ => false,
        };
        let from = (0..arrow).rev().find(|at| is_other(*at));
        let branch = &trees[from.map_or(0, |at| at + 1)..arrow];
        words(branch.iter().cloned().collect(), &mut names);
    }
    names
}
