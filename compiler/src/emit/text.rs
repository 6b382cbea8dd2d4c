//! The text as it stands, compiled for each instruction set.
//!
//! What runs as written has its speed from `rustc` alone, which without being told so uses what the
//! oldest processor has. The text stands once, in a function that is always inlined; around it are
//! `reference`, and a function an instruction set. No instruction set changes a bit of it: nothing
//! is reassociated or contracted that does not stand there, and `mul_add` is rounded once everywhere.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Kernel;
use super::public::{self, declared, isa_path, patterns, turbofish};
use super::variant::features;
use crate::syntax::Compiled;
use crate::syntax::ast::IsaName;

/// Whether the text may be what runs: there is no program, one that does not hold for all inputs, or one that is
/// slower.
pub fn runs(kernel: &Kernel) -> bool {
    kernel.variants.is_empty() || kernel.may_run_text()
}

/// `reference`, and where the text may run, what it is compiled to for each instruction set.
pub fn items(kernel: &Kernel) -> TokenStream {
    let function = kernel.function;
    let (generics, clause) = (&function.generics, &function.where_clause);
    let (names, declared) = declared(kernel);
    let (_, written) = patterns(kernel);
    let (shared, body) = (&kernel.module.shared_items, &function.body_tokens);
    let result = &function.result_tokens;
    let about = "The kernel's text as written, compiled as it stands.";
    if !runs(kernel) {
        return quote! {
            #[doc = #about]
            #[track_caller]
            pub fn reference #generics (#(#written: #declared),*) #result #clause {
                #shared
                #body
            }
        };
    }
    let turbofish = turbofish(kernel);
    let text = quote!(self::__text #turbofish (#(#names),*));
    let compiled = vectors(kernel).map(|isa| {
        let own = kernel.variants.iter().find(|variant| variant.isa == isa);
        let instead = own.and_then(|variant| variant.text);
        let (name, features) = (name(isa), features(instead.unwrap_or(isa)));
        quote! {
            /// # Safety
            /// The processor has the instruction set.
            #features
            #[track_caller]
            unsafe fn #name #generics (#(#names: #declared),*) #result #clause {
                #text
            }
        }
    });
    quote! {
        #[inline(always)]
        #[track_caller]
        fn __text #generics (#(#written: #declared),*) #result #clause {
            #shared
            #body
        }

        #[doc = #about]
        #[track_caller]
        pub fn reference #generics (#(#names: #declared),*) #result #clause {
            #text
        }

        #(#compiled)*
    }
}

/// Runs the text as it is compiled for `__loopwright_isa`, on the kernel's parameters.
pub fn call(kernel: &Kernel) -> TokenStream {
    let turbofish = turbofish(kernel);
    let (names, _) = declared(kernel);
    let arms = vectors(kernel).map(|isa| {
        let (path, name) = (isa_path(kernel.krate, isa), name(isa));
        quote! {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the instruction set is there.
            #path => unsafe { self::#name #turbofish (#(#names),*) },
        }
    });
    quote!(match __loopwright_isa { #(#arms)* _ => self::reference #turbofish (#(#names),*) })
}

/// The instruction sets with registers of several numbers that the text is compiled for.
fn vectors(kernel: &Kernel) -> impl Iterator<Item = IsaName> {
    let isas = public::isas(kernel).into_iter();
    isas.filter(|isa| *isa != IsaName::Scalar)
}

/// What a text is compiled for that no program was made of.
pub fn compiled(krate: &TokenStream, isas: &[IsaName]) -> Vec<Compiled> {
    let of = |isa: &IsaName| Compiled {
        isa: *isa,
        name: name(*isa),
        features: features(*isa),
        path: isa_path(krate, *isa),
    };
    isas.iter().map(of).collect()
}

fn name(isa: IsaName) -> Ident {
    format_ident!("__text_{}", isa.name())
}
