//! Typed stand-ins for the functions of a block that has errors, so that no second error follows
//! where they are used.

use crate::collections::HashSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};

/// For every function of the block whose signature can be read, an item of that signature.
pub fn stubs(krate: &TokenStream, text: TokenStream) -> TokenStream {
    let mut found = Found {
        shallow: super::checks::nesting(&text).is_ok(),
        ..Found::default()
    };
    let read = |input: ParseStream| {
        while !input.is_empty() {
            found.one(input)?;
        }
        Ok(())
    };
    // Every token can be skipped, so this does not fail.
    if read.parse2(text).is_err() {
        return TokenStream::new();
    }
    let mut names = HashSet::default();
    found.functions.retain(|f| names.insert(f.name.to_string()));
    let constants = &found.constants;
    let others = found.others;
    found
        .functions
        .into_iter()
        .map(|function| stub(krate, function, constants))
        .chain([others])
        .collect()
}

#[derive(Default)]
struct Found {
    functions: Vec<Header>,
    /// What the extents in signatures may name.
    constants: Vec<syn::ItemConst>,
    /// Structs, and what belongs to them.
    others: TokenStream,
    /// The text can be parsed recursively.
    shallow: bool,
}

/// A function without its body.
struct Header {
    conditions: Vec<syn::Attribute>,
    visibility: syn::Visibility,
    name: syn::Ident,
    signature: syn::Signature,
}

impl Found {
    /// Reads a function or a constant, or skips a token: there are errors in the block.
    fn one(&mut self, input: ParseStream) -> syn::Result<()> {
        let ahead = input.fork();
        if self.shallow
            && let Ok(constant) = ahead.parse::<syn::ItemConst>()
        {
            self.constants.push(constant);
            input.advance_to(&ahead);
            return Ok(());
        }
        if self.shallow
            && let Ok(item @ (syn::Item::Struct(_) | syn::Item::Impl(_) | syn::Item::Use(_))) =
                input.fork().parse::<syn::Item>()
        {
            input.parse::<syn::Item>()?;
            self.others
                .extend(quote!(#[allow(unused, dead_code)] #item));
            return Ok(());
        }
        if !self.shallow && !is_shallow_header(input) {
            input.parse::<TokenTree>()?;
            return Ok(());
        }
        let ahead = input.fork();
        let header = |ahead: ParseStream| -> syn::Result<Header> {
            let mut conditions = ahead.call(syn::Attribute::parse_outer)?;
            conditions.retain(|attribute| attribute.path().is_ident("cfg"));
            let visibility = ahead.parse()?;
            let signature: syn::Signature = ahead.parse()?;
            Ok(Header {
                conditions,
                visibility,
                name: signature.ident.clone(),
                signature,
            })
        };
        match header(&ahead) {
            Ok(header) => {
                self.functions.push(header);
                input.advance_to(&ahead);
            }
            Err(_) => {
                input.parse::<TokenTree>()?;
            }
        }
        Ok(())
    }
}

/// Whether a function may begin here whose signature can be parsed recursively.
fn is_shallow_header(input: ParseStream) -> bool {
    let begins = |tree: &TokenTree| match tree {
        TokenTree::Ident(word) => {
            word == "pub" || word == "fn" || word == "const" || word == "unsafe"
        }
        TokenTree::Punct(punct) => punct.as_char() == '#',
        _ => false,
    };
    let mut header = TokenStream::new();
    for tree in input.fork().parse::<TokenStream>().unwrap_or_default() {
        if header.is_empty() && !begins(&tree) {
            return false;
        }
        let body = matches!(&tree, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
        header.extend([tree]);
        if body {
            break;
        }
    }
    super::checks::nesting(&header).is_ok()
}

fn stub(krate: &TokenStream, function: Header, constants: &[syn::ItemConst]) -> TokenStream {
    let Header {
        conditions,
        visibility,
        name,
        mut signature,
    } = function;
    // Patterns may be what is wrong, and receivers cannot stand here.
    let types: Vec<syn::Type> = signature
        .inputs
        .iter()
        .filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(with_constants(&typed.ty, constants)),
            syn::FnArg::Receiver(_) => None,
        })
        .collect();
    signature.inputs = types.iter().map(argument).collect();
    signature.variadic = None;
    if let syn::ReturnType::Type(_, ty) = &mut signature.output {
        **ty = match ty.as_ref() {
            syn::Type::ImplTrait(_) => syn::parse_quote!(!),
            other => with_constants(other, constants),
        };
    }
    let (inputs, generics) = (&signature.inputs, &signature.generics);
    let output = &signature.output;
    let value = match output {
        syn::ReturnType::Default => quote!(()),
        syn::ReturnType::Type(_, ty) => quote!(#ty),
    };
    let clause = &signature.generics.where_clause;
    let silent = quote!(#(#conditions)* #[allow(warnings, clippy::all, clippy::pedantic)]);
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
                levels: &[], passes: &[], lanes: &[], traffic: #krate::__private::Traffic { read: 0, written: 0 },
                notes: &[], advice: &[],
            };
        }
    }
}

fn argument(ty: &syn::Type) -> syn::FnArg {
    match ty {
        // No argument could be one.
        syn::Type::Slice(_) => syn::parse_quote!(_: &#ty),
        _ => syn::parse_quote!(_: #ty),
    }
}

/// A type whose extents see the constants of the block.
fn with_constants(ty: &syn::Type, constants: &[syn::ItemConst]) -> syn::Type {
    let literal = |len: &syn::Expr| matches!(len, syn::Expr::Lit(_));
    super::types::map_extents(ty, &mut |len| {
        if constants.is_empty() || literal(len) {
            len.clone()
        } else {
            syn::parse_quote!({ #(#[allow(dead_code)] #constants)* #len })
        }
    })
}
