//! Types that a block names.
//!
//! ```text
//! type Point = [f64; 3];                                   type Point = [f64; 3];
//! pub fn norms(x: &[Point], y: &mut [f64]) { … }    ->     pub fn norms(x: &[[f64; 3]], y: &mut [f64]) { … }
//! ```
//! The types stay in the block for the scope around it.

use crate::collections::HashSet;

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::verbatim::words;

/// Names for types, with what they stand for.
type Names = [(Ident, TokenStream)];

/// A block with each name of a type as that type. Where names may mean something else somewhere, as they are
/// parameters of a function, say, it stays as it is, and what they stand for is known to `rustc` alone.
pub fn spelled_out(text: TokenStream) -> TokenStream {
    let mut trees = text.clone().into_iter();
    if !trees.any(|tree| matches!(&tree, TokenTree::Ident(own) if own == "type")) {
        return text;
    }
    let Ok(file) = syn::parse2::<syn::File>(text.clone()) else {
        return text;
    };
    let names: Option<Vec<(Ident, TokenStream)>> = (file.items.iter())
        .filter_map(|item| match item {
            syn::Item::Type(own) => Some(stands_for(own)),
            _ => None,
        })
        .collect();
    let Some(mut names) = names.filter(|names| !names.is_empty()) else {
        return text;
    };
    // Types may be made of others; those that are made of themselves are none.
    for _ in 0..names.len() {
        let before = names.clone();
        for (_, ty) in &mut names {
            let Some(new) = replaced(ty.clone(), &before) else {
                return text;
            };
            *ty = new;
        }
    }
    let again = |(_, ty): &(Ident, TokenStream)| {
        let mut named = HashSet::default();
        words(ty.clone(), &mut named);
        names
            .iter()
            .any(|(name, _)| named.contains(&name.to_string()))
    };
    if names.iter().any(again) || file.items.iter().any(|item| has_parameter(item, &names)) {
        return text;
    }
    let items = file.items.iter().map(|item| match item {
        syn::Item::Type(_) => Some(item.to_token_stream()),
        _ => replaced(item.to_token_stream(), &names),
    });
    items.collect::<Option<TokenStream>>().unwrap_or(text)
}

/// A name and its type, where it has no parameters and the type is one of numbers, arrays, tuples, slices, references to
/// these and paths, which may stand wherever a name may.
fn stands_for(own: &syn::ItemType) -> Option<(Ident, TokenStream)> {
    fn is_plain(ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Array(own) => is_plain(&own.elem),
            syn::Type::Slice(own) => is_plain(&own.elem),
            syn::Type::Paren(own) => is_plain(&own.elem),
            syn::Type::Reference(own) => is_plain(&own.elem),
            syn::Type::Tuple(own) => own.elems.iter().all(is_plain),
            syn::Type::Path(own) => own.qself.is_none(),
            _ => false,
        }
    }
    let documented =
        |own: &syn::Attribute| own.path().is_ident("doc") || own.path().is_ident("allow");
    let plain = own.generics.params.is_empty() && own.generics.where_clause.is_none();
    let plain = plain && own.attrs.iter().all(documented) && is_plain(&own.ty);
    plain.then(|| (own.ident.clone(), own.ty.to_token_stream()))
}

/// Tokens with types for their names; `None` where a name is declared there, or is one of another scope.
fn replaced(tokens: TokenStream, names: &Names) -> Option<TokenStream> {
    /// What stands before a name that is declared, and before a field.
    const DECLARED: [&str; 12] = [
        "struct", "enum", "union", "trait", "type", "mod", "fn", "let", "mut", "const", "static",
        ".",
    ];
    let mut result = TokenStream::new();
    let mut before = [String::new(), String::new()];
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let [first, last] = &before;
        let of_another = DECLARED.contains(&last.as_str()) || (first == ":" && last == ":");
        let last = last.clone();
        before = [last.clone(), tree.to_string()];
        match tree {
            TokenTree::Group(own) => {
                let mut group = Group::new(own.delimiter(), replaced(own.stream(), names)?);
                group.set_span(own.span());
                result.extend([TokenTree::Group(group)]);
            }
            TokenTree::Ident(own) => match names.iter().find(|(name, _)| *name == own) {
                Some(_) if of_another => return None,
                Some((_, ty)) => {
                    let next = match trees.peek() {
                        Some(TokenTree::Punct(next)) if next.as_char() == ':' => {
                            Next::Colon(next.spacing() == Spacing::Joint)
                        }
                        Some(TokenTree::Group(next))
                            if next.delimiter() == Delimiter::Brace && last != ">" =>
                        {
                            Next::Braces
                        }
                        _ => Next::Other,
                    };
                    result.extend(in_place(ty, next)?);
                }
                None => result.extend([own]),
            },
            own => result.extend([own]),
        }
    }
    Some(result)
}

/// What stands behind a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// `::`, or the `:` of something that is declared.
    Colon(bool),
    /// The fields of a value.
    Braces,
    Other,
}

/// A type where its name stood: a path in expressions has `::<…>`, and other types have `<…>` around them. `None` where
/// the name is one of a variable or a field.
fn in_place(ty: &TokenStream, next: Next) -> Option<TokenStream> {
    let path = syn::parse2::<syn::Path>(ty.clone());
    match (next, path) {
        (Next::Colon(false), _) => None,
        (Next::Other, _) => Some(ty.clone()),
        (_, Ok(mut path)) => {
            for segment in &mut path.segments {
                if let syn::PathArguments::AngleBracketed(own) = &mut segment.arguments {
                    own.colon2_token = Some(Default::default());
                }
            }
            Some(path.to_token_stream())
        }
        (Next::Colon(true), Err(_)) => Some(quote!(<#ty>)),
        (Next::Braces, Err(_)) => Some(ty.clone()),
    }
}

/// Whether an item has a parameter of such a name.
fn has_parameter(item: &syn::Item, names: &Names) -> bool {
    let generics = match item {
        syn::Item::Fn(own) => vec![&own.sig.generics],
        syn::Item::Struct(own) => vec![&own.generics],
        syn::Item::Impl(own) => {
            let methods = own.items.iter().filter_map(|part| match part {
                syn::ImplItem::Fn(method) => Some(&method.sig.generics),
                _ => None,
            });
            methods.chain([&own.generics]).collect()
        }
        _ => Vec::new(),
    };
    let mut parameters = generics.into_iter().flat_map(|own| own.type_params());
    parameters.any(|own| names.iter().any(|(name, _)| *name == own.ident))
}
