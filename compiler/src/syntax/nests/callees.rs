//! The functions and methods that nests may have in place of their calls (`inlined.rs`).

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;

use super::tokens::{is_bound, is_punct, leaves, of_struct, with_identifiers};
use crate::collections::{HashMap, HashSet};
use crate::syntax::verbatim::is_hidden;

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

/// Those of some names that a function may bind.
pub fn bound(function: &syn::ItemFn, names: HashSet<String>) -> HashSet<String> {
    let body = function.block.to_token_stream();
    let inside = names
        .into_iter()
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
    /// The names in it that mean what they do where it stands.
    pub free: HashSet<String>,
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
            let own = |tokens: TokenStream| match &of {
                Some(of) => of_struct(tokens, (of, "self")),
                None => tokens,
            };
            let block = own(block.to_token_stream());
            let signature: syn::Signature = syn::parse2(own(signature.to_token_stream())).ok()?;
            (signature.inputs.iter().all(typed)
                && signature.inputs.iter().any(given)
                && !leaves(block.clone())
                && !abbreviates(block.clone()))
            .then(|| Callee {
                free: free(&signature, &block),
                of,
                signature,
                block,
            })
        });
        known.collect()
    }
}

/// The names in the body of a function that neither it nor its signature binds.
fn free(signature: &syn::Signature, block: &TokenStream) -> HashSet<String> {
    let mut own: HashSet<String> = HashSet::from_iter(["self".to_owned()]);
    for input in &signature.inputs {
        if let syn::FnArg::Typed(typed) = input {
            own.extend(super::names(&typed.pat));
        }
    }
    let mut free = values(block.clone());
    free.retain(|name| !own.contains(name) && !is_bound(block.clone(), name));
    free
}

/// Whether a function is the same wherever it stands.
fn is_plain(signature: &syn::Signature, attributes: &[syn::Attribute]) -> bool {
    let conditional = |own: &syn::Attribute| {
        ["cfg", "cfg_attr"]
            .iter()
            .any(|name| own.path().is_ident(name))
    };
    signature.generics.params.is_empty()
        && signature.asyncness.is_none()
        && matches!(signature.safety, syn::Safety::Default)
        && !is_hidden(signature)
        && !attributes.iter().any(conditional)
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
        if !is_punct(pair, Some(1), &['.']) {
            return path;
        }
    }
    Vec::new()
}

/// The names in some tokens that are no members.
fn values(tokens: TokenStream) -> HashSet<String> {
    let mut found = HashSet::default();
    with_identifiers(tokens, &mut |own, is_member| {
        if !is_member {
            found.insert(own.to_string());
        }
        TokenStream::new()
    });
    found
}
