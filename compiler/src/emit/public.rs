//! The public items: the function, and the module of the same name.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::arguments::{raw_arguments, unit_strides};
use super::text;
use super::variant::{self, element_name};
use super::{Kernel, Variant};
use crate::ir::{Array, Element, Role};
use crate::syntax::ast::{IsaName, Length, Type};

/// Assembles everything.
pub fn items(
    kernel: &Kernel,
    check: &TokenStream,
    tables: &TokenStream,
    variants: &[TokenStream],
) -> TokenStream {
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
    let (told, run) = (told(kernel), runs(kernel));
    quote! {
        #attributes
        #track_caller
        #inline
        #visibility fn #name #generics (#(#names: #declared),*) #result #clause {
            #name::__dispatch #turbofish (#(#names),*)
        }

        #conditions
        #[doc = #about]
        #[allow(
            warnings,
            unused,
            unsafe_code,
            missing_docs,
            nonstandard_style,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction
        )]
        #visibility mod #name {
            use super::*;
            use #krate::__private as __loopwright;

            #told
            #run
            #check
            #tables
            #(#variants)*
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
    let scalar = isa_path(krate, IsaName::Scalar);
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
    }
}

/// The functions that run a variant: the one that is asked for, or the best.
fn runs(kernel: &Kernel) -> TokenStream {
    let krate = kernel.krate;
    let function = kernel.function;
    let title = function.name.to_string();
    let (generics, clause) = (&function.generics, &function.where_clause);
    let (names, declared) = declared(kernel);
    let (patterns, _) = patterns(kernel);
    let turbofish = turbofish(kernel);
    let check = check_call(kernel);
    let result = &function.result_tokens;
    let value = match &function.result {
        Type::Tuple(fields) if fields.is_empty() => quote!(()),
        _ => result.clone().into_iter().skip(2).collect(),
    };
    let dispatch = dispatch(kernel);
    quote! {
        /// Runs the variant for an instruction set.
        ///
        /// # Errors
        /// If it was not built, or the processor lacks it.
        #[track_caller]
        pub fn with #generics (__isa: #krate::__private::Isa, #(#patterns: #declared),*)
            -> ::core::result::Result<#value, #krate::__private::Unavailable> #clause
        {
            if !__isa.is_available() || !self::variants().contains(&__isa) {
                return ::core::result::Result::Err(#krate::__private::Unavailable { kernel: #title, isa: __isa });
            }
            ::core::result::Result::Ok(self::__run #turbofish (__isa, ::core::option::Option::None, #(#names),*))
        }

        /// Runs the best variant, with memory for large temporaries handed in.
        #[track_caller]
        pub fn with_scratch #generics (__scratch: &mut #krate::__private::Scratch, #(#patterns: #declared),*) #result #clause {
            let __isa = #krate::__private::select(self::variants());
            self::__run #turbofish (__isa, ::core::option::Option::Some(__scratch), #(#names),*)
        }

        #[track_caller]
        pub(super) fn __dispatch #generics (#(#patterns: #declared),*) #result #clause {
            self::__run #turbofish (#krate::__private::select(self::variants()), ::core::option::Option::None, #(#names),*)
        }

        #[track_caller]
        fn __run #generics (__isa: #krate::__private::Isa, __scratch: ::core::option::Option<&mut #krate::__private::Scratch>, #(#patterns: #declared),*) #result #clause {
            #check
            #dispatch
        }
    }
}

/// The check of all bounds; what runs as written checks its accesses itself, and so does the text of
/// a program that is not right for these inputs.
fn check_call(kernel: &Kernel) -> TokenStream {
    if kernel.variants.is_empty() {
        return TokenStream::new();
    }
    let without = result(kernel).map(|_| kernel.function.parameters.len());
    let arguments = raw_arguments(kernel, Element::Generic, without);
    let turbofish = instance_turbofish(kernel);
    let check = quote! {
        // SAFETY: pointers and lengths are those of the arguments.
        unsafe { self::__check #turbofish (#arguments) }
    };
    match kernel.assumed {
        [] => quote!(#check;),
        _ => {
            let text = text::call(kernel);
            quote!(if !(#check) { return #text; })
        }
    }
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
        .parameters
        .iter()
        .map(|p| {
            (
                kernel.function.variables[p.variable.0].name.clone(),
                p.type_tokens.clone(),
            )
        })
        .unzip()
}

/// Parameters as our functions declare them, and as the text does: views by value are `mut` where
/// they are written.
pub fn patterns(kernel: &Kernel) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let parameters = kernel.function.parameters.iter();
    let both = parameters.map(|parameter| {
        let variable = &kernel.function.variables[parameter.variable.0];
        let name = &variable.name;
        let view = match &variable.ty {
            Type::Reference(inner, true) => matches!(**inner, Type::Open(_, Length::Axis)),
            _ => false,
        };
        let written = match parameter.mutable {
            true => quote!(mut #name),
            false => quote!(#name),
        };
        let pattern = match view && !parameter.reference {
            true => quote!(mut #name),
            false => quote!(#name),
        };
        (pattern, written)
    });
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

/// The generic arguments of functions that take pointers: `const` parameters are passed as numbers.
fn instance_turbofish(kernel: &Kernel) -> TokenStream {
    match kernel.function.scalar_parameter {
        Some(_) => turbofish(kernel),
        None => TokenStream::new(),
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
    let name = match isa {
        IsaName::Scalar => format_ident!("Scalar"),
        IsaName::Avx2 => format_ident!("Avx2"),
        IsaName::Avx512 => format_ident!("Avx512"),
    };
    quote!(#krate::__private::Isa::#name)
}

fn dispatch(kernel: &Kernel) -> TokenStream {
    let krate = kernel.krate;
    if kernel.variants.is_empty() {
        return text::call(kernel);
    }
    let (scratch, run) = (scratch(kernel), instances(kernel));
    let Some(result) = result(kernel) else {
        return quote!(#scratch #run);
    };
    let parameter = kernel.function.scalar_parameter.as_ref();
    let parameter = parameter.map(ToString::to_string);
    let ty = format_ident!("{}", element_name(result.element, parameter.as_deref()));
    quote! {
        let mut __result: #ty = <#ty as #krate::__private::Scalar>::zero();
        #scratch
        #run
        __result
    }
}

/// The scratch memory that is handed in, or the thread's, where a variant needs any.
fn scratch(kernel: &Kernel) -> TokenStream {
    if !kernel.variants.iter().any(variant::has_buffers) {
        return TokenStream::new();
    }
    let krate = kernel.krate;
    quote! {
        let mut __own;
        let __scratch = match __scratch {
            ::core::option::Option::Some(__scratch) => __scratch,
            ::core::option::Option::None => {
                __own = #krate::__private::Borrowed::new();
                &mut *__own
            }
        };
    }
}

/// The kernel's value, if it has one.
pub fn result<'a>(kernel: &Kernel<'a>) -> Option<&'a Array> {
    let of = |array: &&Array| matches!(array.role, Role::Output(position) if position == kernel.function.parameters.len());
    let mut arrays = kernel.lowered.arrays.iter();
    arrays.find(|array| !array.allocated && of(array))
}

/// The call of a variant, for the element type at hand.
fn instances(kernel: &Kernel) -> TokenStream {
    let krate = kernel.krate;
    if kernel.function.scalar_parameter.is_none() {
        return arms(
            kernel,
            kernel.variants.iter().collect(),
            kernel.lowered_element(),
            None,
        );
    }
    let of = |element: Element| -> Vec<&Variant> {
        kernel
            .variants
            .iter()
            .filter(|v| v.element == element)
            .collect()
    };
    let generic = kernel
        .variants
        .iter()
        .find(|v| v.element == Element::Generic);
    let double = arms(kernel, of(Element::F64), Element::F64, generic);
    let single = arms(kernel, of(Element::F32), Element::F32, generic);
    let other = generic.map(|v| call(kernel, v, Element::Generic));
    let parameter = &kernel.function.scalar_parameter;
    quote! {
        match #krate::__private::Kind::of::<#parameter>() {
            #krate::__private::Kind::F64 => { #double }
            #krate::__private::Kind::F32 => { #single }
            #krate::__private::Kind::Other => { #other }
        }
    }
}

/// A match over instruction sets.
fn arms(
    kernel: &Kernel,
    variants: Vec<&Variant>,
    element: Element,
    fallback: Option<&Variant>,
) -> TokenStream {
    let krate = kernel.krate;
    let mut arms = TokenStream::new();
    let mut last = fallback.map(|v| call(kernel, v, Element::Generic));
    for variant in variants {
        let code = call(kernel, variant, element);
        if variant.isa == IsaName::Scalar {
            last = Some(code);
            continue;
        }
        let isa = isa_path(krate, variant.isa);
        arms.extend(quote!(#[cfg(target_arch = "x86_64")] #isa => { #code }));
    }
    quote!(match __isa { #arms _ => { #last } })
}

fn call(kernel: &Kernel, variant: &Variant, element: Element) -> TokenStream {
    let name = variant::name(kernel, variant);
    let arguments = raw_arguments(kernel, element, None);
    let turbofish = if variant.element == Element::Generic {
        instance_turbofish(kernel)
    } else {
        quote!()
    };
    let scratch = variant::has_buffers(variant).then(|| quote!(__scratch));
    let comma = (scratch.is_some() && !arguments.is_empty()).then(|| quote!(,));
    let run = |name: &Ident| {
        quote! {
            // SAFETY: the instruction set is there, and every access was checked.
            unsafe { self::#name #turbofish (#arguments #comma #scratch) }
        }
    };
    let unit = run(&name);
    let Some(general) = variant::any_strides(kernel, variant) else {
        return unit;
    };
    let (general, near) = (run(&general), unit_strides(kernel));
    quote!(if #near { #unit } else { #general })
}

impl Kernel<'_> {
    /// The element type that variants of a kernel without type parameter have.
    fn lowered_element(&self) -> Element {
        self.variants.first().map_or(Element::F64, |v| v.element)
    }
}
