//! The public items: the function, and the module of the same name.

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::{Kernel, before, enclosed, otherwise, pure, results, text};
use crate::syntax::ast::{Given, IsaName, Length, Parameter, Type};
use crate::syntax::silenced;

/// Assembles everything.
pub fn items(kernel: &Kernel, enclosed: &TokenStream) -> TokenStream {
    let krate = kernel.krate;
    let function = kernel.function;
    let (name, visibility, attributes) =
        (&function.name, &function.visibility, &function.attributes);
    let (generics, clause) = (&function.generics, &function.where_clause);
    let (names, declared) = declared(kernel);
    let turbofish = turbofish(kernel);
    let result = &function.result_tokens;
    let title = name.to_string();
    let about = format!("The variants, the reference and the report of [`{title}`](fn@{title}).");
    let given = attribute_names(attributes);
    let missing = |name: &str| !given.iter().any(|(given, _)| given == name);
    let track_caller = missing("track_caller").then(|| quote!(#[track_caller]));
    let inline = missing("inline").then(|| quote!(#[inline]));
    let conditions: TokenStream = given
        .into_iter()
        .filter_map(|(name, attribute)| (name == "cfg").then_some(attribute))
        .collect();
    let (told, run, silenced) = (told(kernel), runs(kernel), silenced());
    let inspector = kernel.inspector.map(|inspector| &inspector.items);
    quote! {
        #attributes
        #track_caller
        #inline
        #visibility fn #name #generics (#(#names: #declared),*) #result #clause {
            match #krate::__private::isa::reaches(#name::__BEST) {
                true => #name::__best #turbofish (#(#names),*),
                false => #name::__select #turbofish (#(#names),*),
            }
        }

        #conditions
        #[doc = #about]
        #silenced
        #visibility mod #name {
            use super::*;
            // What is named wins over what a glob brings.
            use #krate::__private as __loopwright;

            #told
            #run
            #inspector
            #enclosed
        }
    }
}

/// What a kernel's module tells of it: the text, the report, the instruction sets.
fn told(kernel: &Kernel) -> TokenStream {
    let krate = kernel.krate;
    let report = &kernel.report;
    let text = text::items(kernel);
    let isas = isas(kernel);
    let isas = isas.into_iter().map(|isa| isa_path(krate, isa));
    let isas: Vec<TokenStream> = isas.collect();
    let scalar = isa_path(krate, IsaName::Scalar);
    let best = isas.first().unwrap_or(&scalar);
    quote! {
        #text

        /// What was decided, and what it costs.
        pub const REPORT: #krate::__private::Report = #report;

        /// The instruction sets that variants are built for, best first.
        pub fn variants() -> &'static [#krate::__private::Isa] {
            #[cfg(target_arch = "x86_64")]
            { &[#(#isas),*] }
            #[cfg(not(target_arch = "x86_64"))]
            { &[#scalar] }
        }

        pub(super) const __BEST: #krate::__private::Isa = {
            #[cfg(target_arch = "x86_64")]
            { #best }
            #[cfg(not(target_arch = "x86_64"))]
            { #scalar }
        };
    }
}

/// The functions that run a variant: the one that is asked for, or the best.
fn runs(kernel: &Kernel) -> TokenStream {
    let krate = kernel.krate;
    let function = kernel.function;
    let title = function.name.to_string();
    let (generics, clause) = (&function.generics, &function.where_clause);
    let (names, declared) = declared(kernel);
    let turbofish = turbofish(kernel);
    let (patterns, _) = patterns(kernel);
    let result = &function.result_tokens;
    let value = match result.is_empty() {
        true => quote!(()),
        false => result.clone().into_iter().skip(2).collect(),
    };
    let own = run(kernel, None);
    let otherwise = otherwise::functions(kernel);
    let scratch = quote!(::core::option::Option::Some(&mut *__loopwright_scratch));
    let given = run(kernel, Some(&scratch));
    quote! {
        /// Runs the variant for an instruction set.
        ///
        /// # Errors
        /// If it was not built, or the processor lacks it.
        #[track_caller]
        pub fn with #generics (__loopwright_isa: #krate::__private::Isa, #(#names: #declared),*)
            -> ::core::result::Result<#value, #krate::__private::Unavailable> #clause
        {
            if !#krate::__private::is_runnable(__loopwright_isa, self::variants()) {
                return ::core::result::Result::Err(#krate::__private::Unavailable { kernel: #title, isa: __loopwright_isa });
            }
            ::core::result::Result::Ok(self::__dispatch #turbofish (__loopwright_isa, #(#names),*))
        }

        /// Runs the best variant, with memory for large temporaries handed in.
        #[track_caller]
        pub fn with_scratch #generics (__loopwright_scratch: &mut #krate::__private::Scratch, #(#patterns: #declared),*) #result #clause {
            let __loopwright_isa = #krate::__private::select(self::variants());
            #given
        }

        // What runs on most processors stands by itself: it keeps nothing for what the others do, or the first call, which asks
        // what the processor has, and saves no registers for that.
        #[track_caller]
        #[inline(always)]
        pub(super) fn __best #generics (#(#patterns: #declared),*) #result #clause {
            let __loopwright_isa = self::__BEST;
            #own
        }

        #[track_caller]
        #[inline(never)]
        pub(super) fn __select #generics (#(#names: #declared),*) #result #clause {
            self::__dispatch #turbofish (#krate::__private::select(self::variants()), #(#names),*)
        }

        #[track_caller]
        #[inline]
        pub(super) fn __dispatch #generics (__loopwright_isa: #krate::__private::Isa, #(#patterns: #declared),*) #result #clause {
            #own
        }

        #otherwise
    }
}

/// Runs the variant for `__loopwright_isa`, or the text: where there are no variants, and where the program is
/// not the text for these inputs. What runs as written checks its accesses itself, after its inspector.
/// Large temporaries are in `scratch`, or in the thread's own.
fn run(kernel: &Kernel, scratch: Option<&TokenStream>) -> TokenStream {
    let otherwise = match scratch {
        None => otherwise::call(kernel),
        Some(scratch) => otherwise::with_scratch(kernel, scratch),
    };
    let results = results::declared(kernel);
    if kernel.variants.is_empty() {
        return quote!({ #results #otherwise });
    }
    let none = quote!(::core::option::Option::None);
    let run = variant(kernel, &quote!(__run), scratch.unwrap_or(&none));
    let value = value(kernel);
    match (kernel.may_run_text(), &kernel.function.returned) {
        (false, None) => run,
        (false, Some(_)) => quote!({ #results #run; #value }),
        (true, _) => {
            let texts = kernel
                .runs_text_checked()
                .then(|| text::call_checked(kernel));
            // Of a text that computes no integers the accesses are all that may panic, and where integers wrap around, of any.
            let text = match (texts, kernel.inspector) {
                (Some(compiled), Some(_)) => quote! {
                    if !__loopwright_checked || ::core::cfg!(debug_assertions) && self::__inspected::COMPUTES {
                        #otherwise
                    } else { #compiled }
                },
                (Some(compiled), None) => quote! {
                    if __loopwright_checked { #compiled } else { #otherwise }
                },
                (None, _) => otherwise.clone(),
            };
            let run = quote! {
                match #run {
                    ::core::result::Result::Ok(__loopwright_result) => #value,
                    ::core::result::Result::Err(__loopwright_checked) => { #text }
                }
            };
            let run = before::run(kernel, run, &quote!({ #otherwise }));
            quote!({ #results #run })
        }
    }
}

/// The call of a function that runs a variant.
pub fn variant(kernel: &Kernel, name: &TokenStream, scratch: &TokenStream) -> TokenStream {
    let turbofish = enclosed::turbofish(kernel.function);
    let (given, pure) = (given(kernel), pure::paths(kernel));
    quote!(self::__enclosed::#name #turbofish (__loopwright_isa, #scratch, #(#given,)* #(#pure),*))
}

/// The kernel's value, after that.
pub fn value(kernel: &Kernel) -> TokenStream {
    match &kernel.function.returned {
        Some(returned) => results::value(kernel.krate, returned),
        None => quote!(__loopwright_result),
    }
}

/// The call of the text's inspector, if there is one: an expression.
pub fn inspected(kernel: &Kernel) -> Option<TokenStream> {
    kernel.inspector?;
    let (krate, turbofish) = (kernel.krate, enclosed::turbofish(kernel.function));
    let parameters = kernel.function.parameters.iter();
    let of_the_text = |parameter: &&Parameter| {
        !(before::is_computed(parameter) || matches!(parameter.given, Some(Given::Repeated { .. })))
    };
    let own = parameters.filter(of_the_text);
    let arguments = own.map(|parameter| {
        let variable = &kernel.function.variables[parameter.variable.0];
        if let Some(given) = &parameter.given {
            return match (given, &variable.ty) {
                (Given::Value(value), Type::Reference(_, true)) => quote!(&*#value),
                (Given::Value(value), _) => value.clone(),
                (Given::Numbers(of) | Given::Truths(of), Type::Reference(inner, mutable)) => {
                    let of = match mutable {
                        true => quote!(&*(#of)),
                        false => of.clone(),
                    };
                    numbers(krate, &of, inner, false)
                }
                (Given::Numbers(of) | Given::Truths(of), _) => of.clone(),
                (Given::Whole(_) | Given::Repeated { .. }, _) => TokenStream::new(),
            };
        }
        let name = &variable.name;
        let argument = match (&variable.ty, parameter.reference) {
            (Type::Scalar(_), _) => quote!(#name),
            // A table in blocks becomes an array here.
            (Type::Reference(_, false), true) => quote!(#name),
            (_, true) => quote!(&*#name),
            (_, false) => quote!(&#name),
        };
        let Some((rank, _)) = view(&variable.ty) else {
            return argument;
        };
        let rank = Literal::usize_unsuffixed(rank);
        quote!(#krate::__private::view::shared::<_, #rank>(#argument))
    });
    Some(quote!(self::__inspected::__inspect #turbofish (#(#arguments),*)))
}

/// The arguments that leave the user's scope: as they are, or the run time's views of them.
fn given(kernel: &Kernel) -> Vec<TokenStream> {
    let krate = kernel.krate;
    let of = |parameter: &Parameter| {
        let variable = &kernel.function.variables[parameter.variable.0];
        if let Some(given) = &parameter.given {
            return match (given, &variable.ty) {
                (Given::Numbers(of), Type::Reference(inner, mutable)) => {
                    numbers(krate, of, inner, *mutable)
                }
                (Given::Numbers(value) | Given::Truths(value) | Given::Value(value), _) => {
                    value.clone()
                }
                (Given::Repeated { of, period, length }, _) => {
                    let [period, length] =
                        [period, length].map(|of| Literal::usize_unsuffixed(*of));
                    quote!(&#krate::__private::repeated::repeated::<_, _, #length>(#of, #period))
                }
                (Given::Whole(_), _) => {
                    before::name(kernel.function, parameter).into_token_stream()
                }
            };
        }
        let name = &variable.name;
        let Some((rank, mutable)) = view(&variable.ty) else {
            return quote!(#name);
        };
        let rank = Literal::usize_unsuffixed(rank);
        let view = match (mutable, parameter.reference) {
            (true, true) => quote!(mutable::<_, #rank>(&mut *#name)),
            (true, false) => quote!(mutable::<_, #rank>(&mut #name)),
            (false, true) => quote!(shared::<_, #rank>(&*#name)),
            (false, false) => quote!(shared::<_, #rank>(&#name)),
        };
        quote!(#krate::__private::view::#view)
    };
    kernel.function.parameters.iter().map(of).collect()
}

/// The numbers of structs behind a reference.
fn numbers(krate: &TokenStream, of: &TokenStream, inner: &Type, mutable: bool) -> TokenStream {
    let function = match (inner, mutable) {
        (Type::Slice(_), false) => quote!(slice),
        (Type::Slice(_), true) => quote!(slice_mut),
        (_, false) => quote!(one),
        (_, true) => quote!(one_mut),
    };
    quote!(#krate::__private::record::#function(#of))
}

/// The dimensions of a view, and whether it is written.
fn view(ty: &Type) -> Option<(usize, bool)> {
    let Type::Reference(inner, mutable) = ty else {
        return None;
    };
    let (mut rank, mut element) = (0, inner.as_ref());
    while let Type::Open(inner, Length::Axis) = element {
        (rank, element) = (rank + 1, inner);
    }
    (rank > 0).then_some((rank, *mutable))
}

/// Attributes by their first word.
fn attribute_names(attributes: &TokenStream) -> Vec<(String, TokenStream)> {
    let mut result = Vec::new();
    let mut hash = None;
    for tree in attributes.clone() {
        match (&tree, hash.take()) {
            (TokenTree::Punct(p), _) if p.as_char() == '#' => hash = Some(tree),
            (TokenTree::Group(group), Some(hash)) => {
                let name = group.stream().into_iter().next();
                let name = name.map(|n| n.to_string()).unwrap_or_default();
                result.push((name, TokenStream::from_iter([hash, tree])));
            }
            _ => {}
        }
    }
    result
}

/// The names of a kernel's parameters, and their types as written.
pub fn declared(kernel: &Kernel) -> (Vec<Ident>, Vec<TokenStream>) {
    kernel
        .function
        .inputs
        .iter()
        .map(|input| (input.name.clone(), input.type_tokens.clone()))
        .unzip()
}

/// Parameters as our functions declare them, and as the text does: views by value are `mut` where
/// they are written.
pub fn patterns(kernel: &Kernel) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let inputs = kernel.function.inputs.iter();
    let both = inputs.map(|input| (input.pattern.clone(), input.written.clone()));
    both.unzip()
}

/// The generic arguments of a call within the kernel's own functions.
pub fn turbofish(kernel: &Kernel) -> TokenStream {
    let arguments = &kernel.function.generic_arguments;
    if arguments.is_empty() {
        quote!()
    } else {
        quote!(:: #arguments)
    }
}

/// The instruction sets that something is built for, best first; the last is scalar.
pub fn isas(kernel: &Kernel) -> Vec<IsaName> {
    if kernel.variants.is_empty() {
        return kernel.function.options.isa.clone();
    }
    let mut isas: Vec<IsaName> = Vec::new();
    for variant in kernel.variants {
        if !isas.contains(&variant.isa) {
            isas.push(variant.isa);
        }
    }
    isas
}

/// The path of an instruction set's name in expanded code.
pub fn isa_path(krate: &TokenStream, isa: IsaName) -> TokenStream {
    let name = enclosed::isa_variant(isa);
    quote!(#krate::__private::Isa::#name)
}
