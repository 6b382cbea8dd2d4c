//! Items that stand beside the kernels of a block.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::verbatim::words;

/// What stands beside the kernels as it is written: imports, functions of structs, names of types, and what these name.
pub fn beside(file: &syn::File) -> TokenStream {
    let (mut named, mut kept) = (crate::collections::HashSet::default(), TokenStream::new());
    for item in &file.items {
        if let syn::Item::Impl(_) | syn::Item::Type(_) = item {
            words(item.to_token_stream(), &mut named);
        }
    }
    let mut rest: Vec<&syn::Item> = file.items.iter().collect();
    loop {
        let before = rest.len();
        rest.retain(|item| {
            let (name, public) = match item {
                syn::Item::Use(_) | syn::Item::Impl(_) => {
                    kept.extend(inlined(item));
                    return false;
                }
                syn::Item::Type(_) => {
                    kept.extend(quote!(#[allow(dead_code)] #item));
                    return false;
                }
                syn::Item::Fn(item) => (&item.sig.ident, is_public(&item.vis)),
                syn::Item::Const(item) => (&item.ident, false),
                syn::Item::Static(item) => (&item.ident, false),
                _ => return true,
            };
            if public || !named.contains(&name.to_string()) {
                return true;
            }
            words(item.to_token_stream(), &mut named);
            let item = inlined(item);
            kept.extend(quote!(#[allow(dead_code)] #item));
            false
        });
        if rest.len() == before {
            return kept;
        }
    }
}

/// An item whose functions are compiled where they are called, so that they are for the instruction set of the text that
/// calls them.
pub fn inlined(item: &syn::Item) -> TokenStream {
    let mut item = item.clone();
    match &mut item {
        syn::Item::Fn(function) => inline(&mut function.attrs),
        syn::Item::Impl(block) => block.items.iter_mut().for_each(|item| {
            if let syn::ImplItem::Fn(function) = item {
                inline(&mut function.attrs);
            }
        }),
        _ => {}
    }
    item.to_token_stream()
}

fn inline(attributes: &mut Vec<syn::Attribute>) {
    let says = |attribute: &syn::Attribute| {
        let path = attribute.path();
        let own = ["inline", "cold", "target_feature", "cfg_attr"];
        own.iter().any(|name| path.is_ident(name))
    };
    if !attributes.iter().any(says) {
        attributes.push(syn::parse_quote!(#[inline(always)]));
    }
}

/// Whether an item is seen from outside.
pub fn is_public(visibility: &syn::Visibility) -> bool {
    !matches!(visibility, syn::Visibility::Inherited)
}
