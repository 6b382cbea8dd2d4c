//! Typed stand-ins for the functions of a block that has errors, so that no second error follows
//! where they are used.

use proc_macro2::TokenStream;
use quote::quote;

/// For every function of the block, an item of its signature.
pub fn stubs(krate: &TokenStream, text: TokenStream) -> TokenStream {
    let Ok(file) = syn::parse2::<syn::File>(text) else {
        return TokenStream::new();
    };
    file.items
        .iter()
        .filter_map(|item| match item {
            syn::Item::Fn(function) => Some(stub(krate, function)),
            _ => None,
        })
        .collect()
}

fn stub(krate: &TokenStream, function: &syn::ItemFn) -> TokenStream {
    let (visibility, signature) = (&function.vis, &function.sig);
    let (name, inputs, generics) = (&signature.ident, &signature.inputs, &signature.generics);
    let clause = &signature.generics.where_clause;
    let silent = quote!(#[allow(warnings, clippy::all, clippy::pedantic)]);
    quote! {
        #silent
        #visibility #signature { ::core::unimplemented!() }
        #silent
        #visibility mod #name {
            use super::*;
            pub fn reference #generics (#inputs) #clause { ::core::unimplemented!() }
            pub fn variants() -> &'static [#krate::__private::Isa] { &[] }
            pub fn with #generics (_: #krate::__private::Isa, #inputs)
                -> ::core::result::Result<(), #krate::__private::Unavailable> #clause { ::core::unimplemented!() }
            pub const REPORT: #krate::__private::Report = #krate::__private::Report {
                kernel: "", per: "",
                source: #krate::__private::Cost::ZERO, expansion: #krate::__private::Cost::ZERO, once: #krate::__private::Cost::ZERO,
                passes: &[], notes: &[],
            };
        }
    }
}
