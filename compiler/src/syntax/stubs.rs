//! Typed stand-ins for the functions of a block that has errors, so that no second error follows
//! where they are used.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// For every function of the block, an item of its signature.
pub fn stubs(krate: &TokenStream, text: TokenStream) -> TokenStream {
    let Ok(file) = syn::parse2::<syn::File>(text) else {
        return TokenStream::new();
    };
    file.items
        .iter()
        .filter_map(|item| match item {
            syn::Item::Fn(function) if function.sig.receiver().is_none() => {
                Some(stub(krate, function))
            }
            _ => None,
        })
        .collect()
}

fn stub(krate: &TokenStream, function: &syn::ItemFn) -> TokenStream {
    let (visibility, signature) = (&function.vis, &function.sig);
    let (name, generics) = (&signature.ident, &signature.generics);
    // Names may be what is wrong.
    let types = signature.inputs.iter().map(|input| match input {
        syn::FnArg::Typed(typed) => typed.ty.to_token_stream(),
        syn::FnArg::Receiver(_) => TokenStream::new(),
    });
    let inputs = quote!(#(_: #types),*);
    let clause = &signature.generics.where_clause;
    let output = &signature.output;
    let value = match output {
        syn::ReturnType::Default => quote!(()),
        syn::ReturnType::Type(_, ty) => quote!(#ty),
    };
    let silent = quote!(#[allow(warnings, clippy::all, clippy::pedantic)]);
    quote! {
        #silent
        #visibility fn #name #generics (#inputs) #output #clause { ::core::unimplemented!() }
        #silent
        #visibility mod #name {
            use super::*;
            pub fn reference #generics (#inputs) #output #clause { ::core::unimplemented!() }
            pub fn variants() -> &'static [#krate::__private::Isa] { &[] }
            pub fn with #generics (_: #krate::__private::Isa, #inputs)
                -> ::core::result::Result<#value, #krate::__private::Unavailable> #clause { ::core::unimplemented!() }
            pub const REPORT: #krate::__private::Report = #krate::__private::Report {
                kernel: "", per: "",
                source: #krate::__private::Cost::ZERO, expansion: #krate::__private::Cost::ZERO, once: #krate::__private::Cost::ZERO,
                passes: &[], notes: &[],
            };
        }
    }
}
