//! The arguments of the check and of variants, taken out of the parameters.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::Kernel;
use super::variant::{self, element_name, parameters};
use crate::ir::{Array, Element, Extent, Role};
use crate::syntax::ast::{Type, Variable};

/// The arguments of a variant: pointers, lengths, strides and scalars of the kernel's parameters,
/// the one at position `without` left out.
pub fn raw_arguments(kernel: &Kernel, of: Element, without: Option<usize>) -> TokenStream {
    let parameter = kernel
        .function
        .scalar_parameter
        .as_ref()
        .map(ToString::to_string);
    let parts = parameters(kernel.lowered)
        .into_iter()
        .filter(|(position, _)| Some(*position) != without)
        .filter(|parameter| !variant::is_constant(kernel.function, parameter))
        .map(|(position, array)| {
            let Some(declared) = kernel.function.parameters.get(position) else {
                let of = variant::instance(array.element, of);
                let ty = type_of(of, parameter.as_deref());
                return quote!(::core::ptr::from_mut(&mut __result).cast::<#ty>());
            };
            let variable = &kernel.function.variables[declared.variable.0];
            argument(variable, array, of, parameter.as_deref())
        });
    quote!(#(#parts),*)
}

/// An element type as tokens.
fn type_of(element: Element, parameter: Option<&str>) -> TokenStream {
    match element {
        Element::Word(ty) => {
            let ty = format_ident!("{}", variant::integer_name(ty));
            quote!(::core::num::Wrapping<#ty>)
        }
        other => {
            let ty = format_ident!("{}", element_name(other, parameter));
            quote!(#ty)
        }
    }
}

fn argument(
    variable: &Variable,
    array: &Array,
    of: Element,
    parameter: Option<&str>,
) -> TokenStream {
    let element = variant::instance(array.element, of);
    let ty = type_of(element, parameter);
    let output = matches!(array.role, Role::Output(_));
    let name = &variable.name;
    if array.strided {
        let axes = (0..array.shape.len()).map(Literal::usize_unsuffixed);
        let strides = axes.clone();
        return quote! {
            #name.pointer().cast::<#ty>(), #(#name.shape()[#axes],)* #(#name.strides()[#strides]),*
        };
    }
    match array.shape.first() {
        None if output => quote!(::core::ptr::from_mut(&mut *#name).cast::<#ty>()),
        None if array.element == Element::Generic && of != Element::Generic => {
            quote!(__loopwright::cast::value(#name).expect("the types were compared"))
        }
        None => {
            if matches!(variable.ty, Type::Reference(..)) {
                quote!(*#name)
            } else {
                quote!(#name)
            }
        }
        Some(Extent::RunTime(_)) if output => quote!(#name.as_mut_ptr().cast::<#ty>(), #name.len()),
        Some(Extent::RunTime(_)) => quote!(#name.as_ptr().cast::<#ty>(), #name.len()),
        Some(_) if output => quote!(::core::ptr::from_mut(&mut *#name).cast::<#ty>()),
        Some(_) => quote!(::core::ptr::from_ref(&*#name).cast::<#ty>()),
    }
}
