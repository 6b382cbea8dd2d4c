//! The functions and methods that nests may have in place of their calls (`inlined.rs`).

use std::collections::{HashMap, HashSet};

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;

use super::tokens::{identifiers, is_bound, leaves, like};
use crate::syntax::verbatim::words;

/// The struct of a block that a type is, or refers to.
pub fn struct_named(ty: &syn::Type, structs: &HashMap<String, &syn::ItemStruct>) -> Option<String> {
    match ty {
        syn::Type::Reference(own) => struct_named(&own.elem, structs),
        syn::Type::Path(own) => {
            let name = own.path.get_ident()?.to_string();
            structs.contains_key(&name).then_some(name)
        }
        _ => None,
    }
}

/// The names that a function may bind.
pub fn bound(function: &syn::ItemFn) -> HashSet<String> {
    let mut names = HashMap::new();
    identifiers(function.block.to_token_stream(), &mut names);
    let body = function.block.to_token_stream();
    let inside = names
        .into_keys()
        .filter(|name| is_bound(body.clone(), name));
    let mut bound: HashSet<String> = inside.collect();
    for input in &function.sig.inputs {
        if let syn::FnArg::Typed(typed) = input {
            bound.extend(super::names(&typed.pat));
        }
    }
    bound
}

/// A function that may be given structs.
pub struct Callee {
    /// The struct whose method it is.
    pub of: Option<String>,
    /// What it is given.
    pub signature: syn::Signature,
    /// Its body.
    pub block: TokenStream,
}

impl Callee {
    /// Those of a block.
    pub fn all(items: &[&syn::Item], structs: &HashMap<String, &syn::ItemStruct>) -> Vec<Callee> {
        let mut all = Vec::new();
        for item in items {
            match item {
                syn::Item::Fn(own) if is_plain(&own.sig, &own.attrs) => {
                    all.push((None, &own.sig, &*own.block));
                }
                syn::Item::Impl(own) if own.trait_.is_none() && own.generics.params.is_empty() => {
                    let of = struct_named(&own.self_ty, structs);
                    all.extend(own.items.iter().filter_map(|part| match part {
                        syn::ImplItem::Fn(method) if is_plain(&method.sig, &method.attrs) => {
                            Some((Some(of.clone()?), &method.sig, &method.block))
                        }
                        _ => None,
                    }));
                }
                _ => {}
            }
        }
        let known = all.into_iter().filter_map(|(of, signature, block)| {
            let typed = |input: &syn::FnArg| match input {
                syn::FnArg::Receiver(own) => matches!(own.kind, syn::ReceiverKind::Reference(..)),
                syn::FnArg::Typed(own) => {
                    matches!(&*own.pat, syn::Pat::Ident(name) if name.by_ref.is_none())
                }
            };
            let is_method = of.is_some();
            let given = |input: &syn::FnArg| match input {
                syn::FnArg::Receiver(_) => true,
                syn::FnArg::Typed(_) if is_method => true,
                syn::FnArg::Typed(own) => struct_named(&own.ty, structs).is_some(),
            };
            let block = of_struct(block.to_token_stream(), of.as_deref());
            let signature = of_struct(signature.to_token_stream(), of.as_deref());
            let signature: syn::Signature = syn::parse2(signature).ok()?;
            (signature.inputs.iter().all(typed)
                && signature.inputs.iter().any(given)
                && !leaves(block.clone())
                && !abbreviates(block.clone()))
            .then_some(Callee {
                of,
                signature,
                block,
            })
        });
        known.collect()
    }
}

/// Whether a function is the same wherever it stands.
fn is_plain(signature: &syn::Signature, attributes: &[syn::Attribute]) -> bool {
    let mut named = HashSet::new();
    words(signature.to_token_stream(), &mut named);
    let conditional = |own: &syn::Attribute| {
        ["cfg", "cfg_attr"]
            .iter()
            .any(|name| own.path().is_ident(name))
    };
    signature.generics.params.is_empty()
        && signature.asyncness.is_none()
        && matches!(signature.safety, syn::Safety::Default)
        && !named.contains("impl")
        && !attributes.iter().any(conditional)
}

/// Tokens with the name of a struct for `Self`.
pub fn of_struct(tokens: TokenStream, name: Option<&str>) -> TokenStream {
    let Some(name) = name else { return tokens };
    let trees = tokens.into_iter().map(|tree| match tree {
        TokenTree::Ident(own) if own == "Self" => Ident::new(name, own.span()).into(),
        TokenTree::Group(group) => like(&group, of_struct(group.stream(), Some(name))),
        other => other,
    });
    trees.collect()
}

/// Whether names may stand for more than themselves: in `Point { x, y }`, and in `"{x}"`.
fn abbreviates(tokens: TokenStream) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    trees.iter().enumerate().any(|(at, tree)| match tree {
        TokenTree::Group(group) => {
            let before = at.checked_sub(1).map(|at| trees[at].to_string());
            let is_type = before.is_some_and(|own| {
                own.starts_with(char::is_uppercase) && own.contains(char::is_lowercase)
            });
            (is_type && group.delimiter() == Delimiter::Brace) || abbreviates(group.stream())
        }
        TokenTree::Literal(own) => own.to_string().contains('{'),
        _ => false,
    })
}

/// `a.b.c` at the beginning of some tokens.
pub fn path(trees: &[TokenTree]) -> Vec<Ident> {
    let mut path = Vec::new();
    for pair in trees.chunks(2) {
        let Some(TokenTree::Ident(name)) = pair.first() else {
            return Vec::new();
        };
        path.push(name.clone());
        if !matches!(pair.get(1), Some(TokenTree::Punct(dot)) if dot.as_char() == '.') {
            return path;
        }
    }
    Vec::new()
}

/// The names in some tokens that are no members.
pub fn values(tokens: TokenStream, into: &mut HashSet<String>) {
    let mut after_dots = 0;
    for tree in tokens {
        match tree {
            TokenTree::Punct(own) if own.as_char() == '.' => after_dots += 1,
            TokenTree::Ident(own) => {
                if after_dots != 1 {
                    into.insert(own.to_string());
                }
                after_dots = 0;
            }
            TokenTree::Group(group) => {
                values(group.stream(), into);
                after_dots = 0;
            }
            _ => after_dots = 0,
        }
    }
}
