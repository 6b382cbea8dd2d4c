//! The module of an expansion that sees nothing of the user's scope: checks, tables and variants.
//!
//! Whatever a scope has may stand in front of a name or a method of Rust's own: a type called `f64`,
//! a macro called `vec`, a trait whose `len` is found before that of slices. Checks that believe these
//! would let `unsafe` code write anywhere. So all `unsafe` code stands in a module without
//! `use super::*`, where the crate's own items, `::core` and the prelude are all there is; what comes
//! in passes through a signature that is spelled here, and is of these types or does not compile.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::arguments::raw_arguments;
use super::variant::integer_name;
use super::variant::{self, element_name, scalar_name};
use super::{Kernel, Variant, pure, run, views};
use crate::ir::{Array, Element, Role};
use crate::syntax::ast::{Function, IsaName, Length, Type, Variable, constant_argument};

/// The module, given the check, the tables and the variants.
pub fn module(
    kernel: &Kernel,
    check: &TokenStream,
    tables: &TokenStream,
    variants: &[TokenStream],
) -> TokenStream {
    let krate = kernel.krate;
    let run = run::function(kernel);
    quote! {
        mod __enclosed {
            use #krate::__private as __loopwright;

            #run
            #check
            #tables
            #(#variants)*
        }
    }
}

/// The generic parameters of functions in the module.
pub fn generics(function: &Function) -> TokenStream {
    instance_generics(function, Element::Generic)
}

/// Those of functions for an element type.
pub fn instance_generics(function: &Function, of: Element) -> TokenStream {
    let bound = match function.ordered {
        true => quote!(__loopwright::Real),
        false => quote!(__loopwright::Scalar),
    };
    let scalar = function.scalar_parameter.iter();
    let scalar = scalar.filter(|_| of == Element::Generic);
    let scalar = scalar.map(|name| quote!(#name: #bound));
    let constants = function.constants.iter().map(|constant| {
        let name = &function.variables[constant.0].name;
        quote!(const #name: usize)
    });
    let all: Vec<TokenStream> = scalar.chain(constants).collect();
    match all.is_empty() {
        true => TokenStream::new(),
        false => quote!(<#(#all),*>),
    }
}

/// The arguments for these parameters.
pub fn turbofish(function: &Function) -> TokenStream {
    instance_turbofish(function, Element::Generic)
}

/// The arguments for those of functions for an element type.
pub fn instance_turbofish(function: &Function, of: Element) -> TokenStream {
    let constants = function.constants.iter();
    let constants = constants.map(|own| constant_argument(&function.variables[own.0].name));
    let scalar = function.scalar_parameter.iter();
    let scalar = scalar.filter(|_| of == Element::Generic);
    let scalar = scalar.map(ToTokens::to_token_stream);
    let all: Vec<TokenStream> = scalar.chain(constants).collect();
    match all.is_empty() {
        true => TokenStream::new(),
        false => quote!(::<#(#all),*>),
    }
}

/// The variable of a parameter.
pub fn variable<'a>(kernel: &Kernel<'a>, position: usize) -> &'a Variable {
    let parameter = &kernel.function.parameters[position];
    &kernel.function.variables[parameter.variable.0]
}

/// Views that are written are asked for their pointer.
pub fn pattern(ty: &Type) -> TokenStream {
    match ty {
        Type::Reference(inner, true) if matches!(**inner, Type::Open(_, Length::Axis)) => {
            quote!(mut)
        }
        _ => TokenStream::new(),
    }
}

/// A type as this module declares it.
pub fn declared(function: &Function, ty: &Type) -> TokenStream {
    let of = |inner: &Type| declared(function, inner);
    match ty {
        Type::Scalar(scalar) => {
            let parameter = function.scalar_parameter.as_ref().map(ToString::to_string);
            let name = format_ident!("{}", scalar_name(*scalar, parameter.as_deref()));
            quote!(#name)
        }
        Type::Array(inner, n) => {
            let (inner, n) = (of(inner), Literal::usize_unsuffixed(*n));
            quote!([#inner; #n])
        }
        Type::Slice(inner) => {
            let inner = of(inner);
            quote!([#inner])
        }
        Type::Open(inner, Length::Constant(at)) => {
            let inner = of(inner);
            let constant = function.constants.get(*at);
            let name = constant.map(|v| &function.variables[v.0].name);
            quote!([#inner; #name])
        }
        Type::Open(..) => view(function, ty, false),
        Type::Reference(inner, mutable) if matches!(**inner, Type::Open(_, Length::Axis)) => {
            view(function, inner, *mutable)
        }
        Type::Reference(inner, true) => {
            let inner = of(inner);
            quote!(&mut #inner)
        }
        Type::Reference(inner, false) => {
            let inner = of(inner);
            quote!(&#inner)
        }
        Type::Record(record) => of(&record.numbers()),
        Type::Tuple(fields) => {
            let fields = fields.iter().map(of);
            quote!((#(#fields),*))
        }
    }
}

/// The run time's view of a parameter that is one.
fn view(function: &Function, ty: &Type, mutable: bool) -> TokenStream {
    let (mut rank, mut element) = (0, ty);
    while let Type::Open(inner, Length::Axis) = element {
        (rank, element) = (rank + 1, inner);
    }
    let (rank, element) = (Literal::usize_unsuffixed(rank), declared(function, element));
    match mutable {
        true => quote!(__loopwright::view::ViewMut<'_, #element, #rank>),
        false => quote!(__loopwright::view::View<'_, #element, #rank>),
    }
}

/// Runs the variant for `__isa`; its value is that of the kernel.
pub fn dispatch(kernel: &Kernel) -> TokenStream {
    let run = instances(kernel);
    let Some(result) = result(kernel) else {
        return run;
    };
    let parameter = kernel.function.scalar_parameter.as_ref();
    let parameter = parameter.map(ToString::to_string);
    let (ty, zero) = match result.element {
        Element::Word(ty) | Element::Integer(ty) => (integer_name(ty).to_owned(), quote!(0)),
        element => {
            let name = element_name(element, parameter.as_deref());
            let ty = format_ident!("{name}");
            (name, quote!(<#ty as __loopwright::Scalar>::zero()))
        }
    };
    // Lanes hold words: the text's type may be another one of as many bits, `usize`.
    let own = declared(kernel.function, &kernel.function.result);
    let value = match own.to_string() == ty {
        true => quote!(__result),
        false => quote!(__result as #own),
    };
    let ty = format_ident!("{ty}");
    quote! {
        let mut __result: #ty = #zero;
        #run
        #value
    }
}

/// The scratch memory that is handed in, or the thread's. It is for the variants that need some: taking the
/// thread's costs more than a small kernel does.
fn scratch(variant: &Variant) -> TokenStream {
    match variant::has_buffers(variant) {
        true => taken(),
        false => TokenStream::new(),
    }
}

/// Takes the scratch memory that may be handed in, or else the thread's.
pub fn taken() -> TokenStream {
    quote! {
        let mut __own;
        let __scratch = match __scratch {
            ::core::option::Option::Some(__scratch) => __scratch,
            ::core::option::Option::None => {
                __own = __loopwright::Borrowed::new();
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
        match __loopwright::Kind::of::<#parameter>() {
            __loopwright::Kind::F64 => { #double }
            __loopwright::Kind::F32 => { #single }
            __loopwright::Kind::Other => { #other }
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
    let mut arms = TokenStream::new();
    let mut last = fallback.map(|v| call(kernel, v, Element::Generic));
    // Processors without the instructions that count have the variant for AVX2, as they have texts for it.
    let counting = variants
        .iter()
        .any(|variant| variant.all().into_iter().any(variant::counts_bits));
    for variant in variants {
        let code = call(kernel, variant, element);
        if variant.isa == IsaName::Scalar {
            last = Some(code);
            continue;
        }
        let isa = isa_variant(variant.isa);
        let pattern = match (variant.isa, counting) {
            (IsaName::Avx512, true) => {
                quote!(__loopwright::Isa::#isa if __loopwright::isa::has_bytes_of_avx512())
            }
            (IsaName::Avx2, true) => quote!(__loopwright::Isa::#isa | __loopwright::Isa::Avx512),
            _ => quote!(__loopwright::Isa::#isa),
        };
        arms.extend(quote!(#[cfg(target_arch = "x86_64")] #pattern => { #code }));
    }
    quote!(match __isa { #arms _ => { #last } })
}

/// The name of an instruction set in the run time.
pub fn isa_variant(isa: IsaName) -> Ident {
    match isa {
        IsaName::Scalar => format_ident!("Scalar"),
        IsaName::Avx2 => format_ident!("Avx2"),
        IsaName::Avx512 => format_ident!("Avx512"),
    }
}

/// The call of a variant, or of what runs where neighbours of views lie otherwise.
fn call(kernel: &Kernel, variant: &Variant, element: Element) -> TokenStream {
    if variant.text.is_some() {
        return quote!(return ::core::result::Result::Err(true););
    }
    let mut last = TokenStream::new();
    let mut result = TokenStream::new();
    // One that takes nothing for granted may be the one for rows, if that has no lanes.
    for variant in variant.by_layout() {
        let call = one_call(kernel, variant, element);
        match views::condition(kernel, variant) {
            Some(near) => result.extend(quote!(if #near { #call } else)),
            None => last = call,
        }
    }
    match result.is_empty() {
        true => last,
        false => quote!(#result { #last }),
    }
}

fn one_call(kernel: &Kernel, variant: &Variant, element: Element) -> TokenStream {
    let name = variant::name(kernel, variant);
    let mut arguments = raw_arguments(kernel, element, None);
    let mut others = pure::arguments(variant);
    if variant::may_have_buffers(variant) {
        others.insert(0, quote!(__scratch));
    }
    for other in others {
        let comma = (!arguments.is_empty()).then(|| quote!(,));
        arguments.extend(quote!(#comma #other));
    }
    let turbofish = instance_turbofish(kernel.function, variant.element);
    let scratch = scratch(variant);
    quote! {
        #scratch
        // SAFETY: the instruction set is there, and every access was checked.
        unsafe { self::#name #turbofish (#arguments) }
    }
}

impl Kernel<'_> {
    /// The element type that variants of a kernel without type parameter have.
    fn lowered_element(&self) -> Element {
        self.variants.first().map_or(Element::F64, |v| v.element)
    }
}
