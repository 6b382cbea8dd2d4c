//! What a call comes to where no variant runs on its arguments as they are: a variant for shorter ones, or the text.
//!
//! Calls of few elements take little more than the way to a variant does. All of this stands in functions of its own, one an
//! instruction set, with the parameters of the kernel: they are called last, in the place of the kernel, so that it
//! keeps nothing for them and saves no registers.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::public::{declared, isa_path, isas, patterns, turbofish, value, variant};
use super::{Kernel, before, limits, results, text};
use crate::syntax::ast::IsaName;

/// Whether this is more than to call the text.
fn is_more(kernel: &Kernel) -> bool {
    text::runs(kernel) && (kernel.inspector.is_some() || !kernel.shortened.is_empty())
}

/// The call, for `__loopwright_isa`.
pub fn call(kernel: &Kernel) -> TokenStream {
    if !is_more(kernel) {
        return text::call(kernel);
    }
    let (names, _) = declared(kernel);
    let turbofish = turbofish(kernel);
    let arms = vectors(kernel).map(|isa| {
        let (path, name) = (isa_path(kernel.krate, isa), name(isa));
        quote! {
            #[cfg(target_arch = "x86_64")]
            #path => self::#name #turbofish (#(#names),*),
        }
    });
    let scalar = name(IsaName::Scalar);
    quote!(match __loopwright_isa { #(#arms)* _ => self::#scalar #turbofish (#(#names),*) })
}

/// The same in a function of its own, with memory for large temporaries.
pub fn with_scratch(kernel: &Kernel, scratch: &TokenStream) -> TokenStream {
    match kernel.shortened {
        [] => call(kernel),
        _ => body(kernel, scratch),
    }
}

/// The functions.
pub fn functions(kernel: &Kernel) -> TokenStream {
    if !is_more(kernel) {
        return TokenStream::new();
    }
    let (generics, clause) = (&kernel.function.generics, &kernel.function.where_clause);
    let (_, declared) = declared(kernel);
    let (patterns, _) = patterns(kernel);
    let result = &kernel.function.result_tokens;
    let none = quote!(::core::option::Option::None);
    let all = vectors(kernel).chain([IsaName::Scalar]).map(|isa| {
        let (name, path) = (name(isa), isa_path(kernel.krate, isa));
        let vectors = (isa != IsaName::Scalar).then(|| quote!(#[cfg(target_arch = "x86_64")]));
        let body = match limits::runs_unseen(kernel, isa) {
            true => as_text(kernel),
            false => body(kernel, &none),
        };
        quote! {
            #vectors
            #[track_caller]
            #[inline(never)]
            fn #name #generics (#(#patterns: #declared),*) #result #clause {
                let __loopwright_isa = #path;
                #body
            }
        }
    });
    all.collect()
}

/// The text, after its inspector.
fn as_text(kernel: &Kernel) -> TokenStream {
    let (results, compiled) = (results::declared(kernel), text::call_inspected(kernel));
    quote!(#results #compiled)
}

/// Runs a variant on fewer elements, if these are all that an assumption does not hold for; or else the text.
fn body(kernel: &Kernel, scratch: &TokenStream) -> TokenStream {
    if kernel.shortened.is_empty() {
        return as_text(kernel);
    }
    let compiled = text::call_inspected(kernel);
    let (results, value) = (results::declared(kernel), value(kernel));
    let run = variant(kernel, &quote!(__run_shortened), scratch);
    let run = quote!({
        if let ::core::result::Result::Ok(__loopwright_result) = #run {
            return #value;
        }
    });
    let run = before::run(kernel, run, &quote!({}));
    quote!(#results #run #compiled)
}

/// The instruction sets with registers of several numbers.
fn vectors(kernel: &Kernel) -> impl Iterator<Item = IsaName> {
    let isas = isas(kernel).into_iter();
    isas.filter(|isa| *isa != IsaName::Scalar)
}

fn name(isa: IsaName) -> Ident {
    format_ident!("__otherwise_{}", isa.name())
}
