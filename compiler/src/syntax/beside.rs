//! Items that stand beside the kernels of a block.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::verbatim::words;

/// What stands beside the kernels as it is written: imports, functions of structs, and what these name.
pub fn beside(file: &syn::File) -> TokenStream {
    let (mut named, mut kept) = (std::collections::HashSet::new(), TokenStream::new());
    for item in &file.items {
        if let syn::Item::Impl(_) = item {
            words(item.to_token_stream(), &mut named);
        }
    }
    let mut rest: Vec<&syn::Item> = file.items.iter().collect();
    loop {
        let before = rest.len();
        rest.retain(|item| {
            let (name, public) = match item {
                syn::Item::Use(_) | syn::Item::Impl(_) => {
                    kept.extend(item.to_token_stream());
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
            let item = item.to_token_stream();
            words(item.clone(), &mut named);
            kept.extend(quote!(#[allow(dead_code)] #item));
            false
        });
        if rest.len() == before {
            return kept;
        }
    }
}

/// Whether an item is seen from outside.
pub fn is_public(visibility: &syn::Visibility) -> bool {
    !matches!(visibility, syn::Visibility::Inherited)
}
