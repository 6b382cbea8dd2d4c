//! The text as it stands, compiled for each instruction set.
//!
//! What runs as written has its speed from `rustc` alone, which without being told so uses what the
//! oldest processor has. The text stands once, in a function that is always inlined; around it are
//! `reference`, and a function an instruction set. Where nests of the text are kernels of their own, the text that runs
//! calls these, and `reference` is the text. Where an inspector found all accesses inside, the text runs without looking
//! at them again (`inside`). No instruction set changes a bit of it: nothing
//! is reassociated or contracted that does not stand there, and `mul_add` is rounded once everywhere.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Kernel;
use super::public::{self, declared, inspected, isa_path, patterns, turbofish};
use super::variant::features;
use crate::syntax::ast::IsaName;
use crate::syntax::nests::ISA;
use crate::syntax::{self, Compiled, looks_up, looks_up_narrow};

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
    let (given, isa) = given(kernel);
    let text = quote!(self::__text #turbofish (#isa #(#names),*));
    let compiled = vectors(kernel).map(|isa| {
        let (name, features) = (name(isa), compiled_for(kernel, isa));
        quote! {
            /// # Safety
            /// The processor has the instruction set.
            #features
            #[track_caller]
            unsafe fn #name #generics (#given #(#names: #declared),*) #result #clause {
                #text
            }
        }
    });
    let inside = inside(kernel).map(|body| inside_items(kernel, body));
    let run = kernel.nested.map_or(body, |nested| &nested.body);
    let items = kernel.nested.map(|nested| &nested.items);
    let reference = match kernel.nested {
        None => {
            quote!((#(#names: #declared),*) #result #clause { self::__text_scalar #turbofish (#(#names),*) })
        }
        Some(_) => quote!((#(#written: #declared),*) #result #clause { #shared #body }),
    };
    quote! {
        #[inline(always)]
        #[track_caller]
        fn __text #generics (#given #(#written: #declared),*) #result #clause {
            #shared
            #run
        }

        #[doc = #about]
        #[track_caller]
        pub fn reference #generics #reference

        // What only other processors run has no part in what a call saves registers for.
        #[cfg_attr(target_arch = "x86_64", inline(never))]
        #[track_caller]
        fn __text_scalar #generics (#given #(#names: #declared),*) #result #clause {
            #text
        }

        #(#compiled)*
        #inside

        #items
    }
}

/// The body of the text that knows that what it subscripts is inside: its inspector may have found that, or the check of
/// the program, which has all accesses of the text.
fn inside<'a>(kernel: &'a Kernel) -> Option<&'a TokenStream> {
    let wanted = kernel.nested.is_none() && (proves(kernel) || is_told(kernel));
    let told = || syntax::inside(kernel.krate, kernel.function);
    wanted.then(|| kernel.told.get_or_init(told).as_ref())?
}

/// Whether the text's inspector may find that all that it subscripts is inside.
fn proves(kernel: &Kernel) -> bool {
    kernel.inspector.is_some_and(|own| own.proves)
}

/// Whether a text that runs after its program's check knows what that found: where it looks numbers up, LLVM would gather them, which
/// takes longer than one after the other (sums of four on Zen 5: twice as long).
fn is_told(kernel: &Kernel) -> bool {
    kernel.runs_text_checked() && !looks_up(kernel.function)
}

/// What that is compiled to for each instruction set.
fn inside_items(kernel: &Kernel, body: &TokenStream) -> TokenStream {
    let function = kernel.function;
    let (generics, clause) = (&function.generics, &function.where_clause);
    let (_, declared) = declared(kernel);
    let (_, written) = patterns(kernel);
    let (shared, result) = (&kernel.module.shared_items, &function.result_tokens);
    let compiled = vectors(kernel).map(|isa| {
        let (name, features) = (inside_name(isa), compiled_for(kernel, isa));
        quote! {
            /// # Safety
            /// The processor has the instruction set, and all that the text subscripts is inside.
            #features
            #[track_caller]
            unsafe fn #name #generics (#(#written: #declared),*) #result #clause {
                #shared
                #body
            }
        }
    });
    compiled.collect()
}

/// The attributes of a text that runs for an instruction set.
fn compiled_for(kernel: &Kernel, isa: IsaName) -> TokenStream {
    let own = kernel.variants.iter().find(|variant| variant.isa == isa);
    let narrow = || looks_up_narrow(kernel.function).then_some(IsaName::Avx2);
    let instead = own.and_then(|variant| variant.text);
    let instead = instead.or_else(|| narrow().filter(|_| isa == IsaName::Avx512));
    text_features(instead.unwrap_or(isa))
}

/// Runs the text as it is compiled for `__loopwright_isa`, on the kernel's parameters.
pub fn call(kernel: &Kernel) -> TokenStream {
    call_one(kernel, name)
}

/// The same where the check of the program has found that all accesses are inside.
pub fn call_checked(kernel: &Kernel) -> TokenStream {
    match inside(kernel) {
        Some(_) if is_told(kernel) => call_one(kernel, inside_name),
        _ => call(kernel),
    }
}

/// The same after the text's inspector, which may have found that no access is looked at again.
pub fn call_inspected(kernel: &Kernel) -> TokenStream {
    let text = call(kernel);
    match (inspected(kernel), inside(kernel)) {
        (None, _) => text,
        (Some(inspected), Some(_)) if proves(kernel) => {
            let inside = call_one(kernel, inside_name);
            quote!(if #inspected { #inside } else { #text })
        }
        (Some(inspected), _) => quote!(#inspected; #text),
    }
}

/// Runs one of the functions that the text is compiled to, by their names.
fn call_one(kernel: &Kernel, name: impl Fn(IsaName) -> Ident) -> TokenStream {
    let turbofish = turbofish(kernel);
    let (names, _) = declared(kernel);
    let (_, given) = given(kernel);
    let isa = format_ident!("{ISA}");
    let arms = vectors(kernel).map(|set| {
        let (pattern, name) = (pattern(kernel.krate, set), name(set));
        quote! {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the instruction set is there.
            #pattern => unsafe { self::#name #turbofish (#given #(#names),*) },
        }
    });
    quote!(match #isa { #(#arms)* _ => self::__text_scalar #turbofish (#given #(#names),*) })
}

/// The instruction set, as texts declare it and as they are given it: those whose nests are kernels, which run for it.
/// Others have all of the registers that arguments are passed in.
fn given(kernel: &Kernel) -> (Option<TokenStream>, Option<TokenStream>) {
    let (isa, krate) = (format_ident!("{ISA}"), kernel.krate);
    let nested = kernel.nested.map(|_| {
        let declared = quote!(#isa: #krate::__private::Isa,);
        (declared, quote!(#isa,))
    });
    nested.unzip()
}

/// What a text is compiled for that runs for an instruction set: for AVX-512, with all that processors have by now which
/// run wide registers at full speed. Others have the text for AVX2, as a compiler decides that knows them.
fn text_features(isa: IsaName) -> TokenStream {
    match isa {
        IsaName::Scalar | IsaName::Avx2 => features(isa),
        IsaName::Avx512 => quote! {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx512cd,avx512ifma,avx512vbmi,avx512vbmi2")]
            #[target_feature(enable = "avx512bitalg,avx512vnni,avx512vpopcntdq,avx2,fma,bmi1,bmi2,gfni,lzcnt,movbe,popcnt")]
        },
    }
}

/// When a text that was compiled for an instruction set is called, best first.
fn pattern(krate: &TokenStream, isa: IsaName) -> TokenStream {
    let path = isa_path(krate, isa);
    let wide = isa_path(krate, IsaName::Avx512);
    match isa {
        IsaName::Scalar => path,
        IsaName::Avx2 => quote!(#path | #wide),
        IsaName::Avx512 => quote!(#path if #krate::__private::isa::has_bytes_of_avx512()),
    }
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
        features: text_features(*isa),
        path: isa_path(krate, *isa),
        pattern: pattern(krate, *isa),
    };
    isas.iter().map(of).collect()
}

fn name(isa: IsaName) -> Ident {
    format_ident!("__text_{}", isa.name())
}

fn inside_name(isa: IsaName) -> Ident {
    format_ident!("__inside_{}", isa.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_texts_are_compiled_for_is_asked_for() {
        let asked = include_str!("../../../runtime/src/isa.rs");
        let text = text_features(IsaName::Avx512).to_string();
        let lists = text.split('"').filter(|part| part.contains("avx512"));
        let all: Vec<&str> = lists.flat_map(|list| list.split(',')).collect();
        assert!(all.contains(&"gfni") && all.contains(&"movbe"), "{text}");
        for feature in all {
            assert!(asked.contains(&format!("\"{feature}\"")), "{feature}");
        }
    }
}
