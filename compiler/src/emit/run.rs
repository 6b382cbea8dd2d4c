//! The way into the module of `unsafe` code: the check, then a variant.
//!
//! Calls of few elements take little more than this does. What most calls do not do is in functions of its own, which are
//! called last: there is nothing to keep for them, and no register to save.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::arguments::raw_arguments;
use super::enclosed::{declared, dispatch, generics, pattern, result, turbofish, variable};
use super::{Kernel, limits, public, pure, short, views};
use crate::ir::Element;
use crate::lower::Shortened;
use crate::syntax::ast::{Function, Given, Parameter, Type};

/// Checks the arguments, and runs a variant; where the text is to run instead, whether its accesses have been checked.
pub fn function(kernel: &Kernel) -> TokenStream {
    let declared = Declared::of(kernel);
    let (check, run) = (checked(kernel), run(kernel));
    let (unseen, short) = (limits::unseen(kernel), short::fewer_lanes(kernel));
    let shortened = shortened(kernel, &declared);
    let joint = views::joint(kernel);
    let body = quote!(#unseen #check #joint #short #run);
    let run = declared.function(&quote!(#[inline] pub(super)), "__run", &body);
    quote!(#run #shortened)
}

/// The signature of functions that run variants.
struct Declared {
    generics: TokenStream,
    parameters: TokenStream,
    /// What makes bytes of the conditions among them.
    bytes: TokenStream,
    value: TokenStream,
}

impl Declared {
    fn of(kernel: &Kernel) -> Self {
        let function = kernel.function;
        let parameters = function.parameters.iter().map(|parameter| {
            let variable = &function.variables[parameter.variable.0];
            let ty = match parameter.given {
                Some(Given::Truths(_)) => truths(&variable.ty),
                _ => declared(function, &variable.ty),
            };
            let (name, pattern) = (&variable.name, pattern(&variable.ty));
            quote!(#pattern #name: #ty)
        });
        let pure = pure::parameters(kernel);
        let value = match &function.result {
            Type::Tuple(fields) if fields.is_empty() => quote!(()),
            ty => declared(function, ty),
        };
        Declared {
            generics: generics(function),
            bytes: function
                .parameters
                .iter()
                .map(|own| bytes(function, own))
                .collect(),
            parameters: quote! {
                __isa: __loopwright::Isa,
                __scratch: ::core::option::Option<&mut __loopwright::Scratch>,
                #(#parameters,)*
                #(#pure),*
            },
            value: match kernel.may_run_text() {
                false => value,
                true => quote!(::core::result::Result<#value, bool>),
            },
        }
    }

    fn function(&self, attributes: &TokenStream, name: &str, body: &TokenStream) -> TokenStream {
        let Declared {
            generics,
            parameters,
            bytes,
            value,
        } = self;
        let name = quote::format_ident!("{name}");
        quote! {
            #[track_caller]
            #attributes fn #name #generics (#parameters) -> #value {
                #bytes
                #body
            }
        }
    }
}

/// A type with conditions in place of bytes.
fn truths(ty: &Type) -> TokenStream {
    match ty {
        Type::Reference(inner, true) => {
            let inner = truths(inner);
            quote!(&mut #inner)
        }
        Type::Slice(inner) => {
            let inner = truths(inner);
            quote!([#inner])
        }
        Type::Array(inner, n) => {
            let (inner, n) = (truths(inner), Literal::usize_unsuffixed(*n));
            quote!([#inner; #n])
        }
        _ => quote!(bool),
    }
}

/// The bytes of a parameter that is conditions.
fn bytes(function: &Function, parameter: &Parameter) -> TokenStream {
    let variable = &function.variables[parameter.variable.0];
    let (Some(Given::Truths(_)), Type::Reference(inner, _)) = (&parameter.given, &variable.ty)
    else {
        return TokenStream::new();
    };
    let name = &variable.name;
    let of = match **inner {
        Type::Slice(_) => quote!(truths_mut),
        _ => quote!(truth_mut),
    };
    quote! {
        // SAFETY: each byte that is written is one of another condition, or 0 or 1, by a choice between these.
        let #name = unsafe { __loopwright::record::#of(#name) };
    }
}

/// Runs a variant.
fn run(kernel: &Kernel) -> TokenStream {
    let run = dispatch(kernel);
    match kernel.may_run_text() {
        false => run,
        true => quote!(::core::result::Result::Ok({ #run })),
    }
}

/// The same for arguments that may be shortened where the program is not the text for all of their elements.
fn shortened(kernel: &Kernel, declared: &Declared) -> TokenStream {
    if kernel.shortened.is_empty() {
        return TokenStream::new();
    }
    let all = kernel.shortened.iter();
    let all: TokenStream = all.map(|shortened| shorter(kernel, shortened)).collect();
    let (check, short, run) = (checked(kernel), short::fewer_lanes(kernel), run(kernel));
    let (unseen, joint) = (limits::unseen(kernel), views::joint(kernel));
    let body = quote!(#all #unseen #check #joint #short #run);
    declared.function(&quote!(pub(super)), "__run_shortened", &body)
}

/// What hands over to the text where it is what runs for an instruction set: it takes the parameters as they are, and
/// where nothing can be out of bounds, it makes no difference what was checked.
fn texts(kernel: &Kernel) -> TokenStream {
    let variants = kernel.variants.iter();
    let texts = variants.filter(|variant| variant.text.is_some());
    let paths: Vec<TokenStream> = texts
        .map(|variant| public::isa_path(kernel.krate, variant.isa))
        .collect();
    if paths.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #[cfg(target_arch = "x86_64")]
        if ::core::matches!(__isa, #(#paths)|*) {
            return ::core::result::Result::Err(__checked);
        }
    }
}

/// A parameter without the elements that its loop does not reach.
fn shorter(kernel: &Kernel, shortened: &Shortened) -> TokenStream {
    let left = short::integer(kernel, kernel.lowered, &shortened.left);
    let by = Literal::i128_suffixed(i128::from(shortened.by));
    let array = variable(kernel, shortened.position);
    let name = &array.name;
    let part = match array.ty {
        Type::Reference(_, true) => quote!(&mut #name[..__most as usize]),
        _ => quote!(&#name[..__most as usize]),
    };
    quote! {
        let __left = #left;
        let __most = (__left + #by * (#name.len() as i128)).div_euclid(#by);
        let #name = if __left < 0 && __most >= 0 { #part } else { #name };
    }
}

/// The check, after which the text is handed over to where the program is not the text for these arguments.
fn checked(kernel: &Kernel) -> TokenStream {
    let check = check(kernel);
    if !kernel.is_partial() {
        return quote!(#check;);
    }
    let texts = texts(kernel);
    quote! {
        let __checked = #check;
        #texts
        if !__checked {
            return ::core::result::Result::Err(false);
        }
    }
}

/// The call of the check.
fn check(kernel: &Kernel) -> TokenStream {
    let without = result(kernel).map(|_| kernel.function.parameters.len());
    let arguments = raw_arguments(kernel, Element::Generic, without);
    let turbofish = turbofish(kernel.function);
    quote! {
        // SAFETY: pointers and lengths are those of the arguments.
        unsafe { self::__check #turbofish (#arguments) }
    }
}
