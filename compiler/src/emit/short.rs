//! Loops that are too short for the lanes of a variant: one with fewer runs instead, or the text. Lengths as expressions of
//! what is passed.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::enclosed::variable;
use super::public::isa_path;
use super::{Kernel, Variant, views};
use crate::ir::{Affine, Atom, Program};
use crate::schedule::short_rows::Instead;
use crate::syntax::ast::Type;

/// What hands over to another variant, or to the text, where all loops of one are short.
pub fn fewer_lanes(kernel: &Kernel) -> TokenStream {
    let variants = kernel.variants.iter();
    let variants = variants.filter(|variant| variant.text.is_none());
    // Of each layout of views the lanes run over other loops.
    let layouts = variants.flat_map(Variant::by_layout);
    let arms = layouts.flat_map(|variant| {
        let near = views::condition(kernel, variant);
        let near = near.map(|near| quote!(#near &&));
        let arms = variant.short.iter().filter_map(|short| {
            let least = Literal::i128_suffixed(short.least as i128);
            let lengths = short.lengths.iter();
            let lengths: Option<Vec<TokenStream>> = lengths
                .map(|length| value(kernel, &variant.program, length))
                .collect();
            let isa = isa_path(kernel.krate, variant.isa);
            let instead = match short.instead {
                Instead::Variant(instead) => isa_path(kernel.krate, instead),
                Instead::Text => quote!(return ::core::result::Result::Err(true)),
            };
            let lengths = lengths?;
            Some(quote! {
                #[cfg(target_arch = "x86_64")]
                #isa if #near #(#lengths < #least)&&* => #instead,
            })
        });
        arms.collect::<Vec<TokenStream>>()
    });
    let arms: Vec<TokenStream> = arms.collect();
    match arms.is_empty() {
        true => TokenStream::new(),
        false => quote!(let __isa = match __isa { #(#arms)* __isa => __isa };),
    }
}

/// A length, from the parameters of the kernel; nothing where it is that of an axis of anything but a view.
fn value(kernel: &Kernel, program: &Program, length: &Affine) -> Option<TokenStream> {
    let simple = |(atom, _): &(Atom, i64)| match atom {
        Atom::Scalar(_) => true,
        Atom::Length(array, axis) => *axis == 0 || program.array(*array).strided,
        Atom::Index(_) | Atom::Map(..) => false,
    };
    let all = length.terms.iter().all(simple);
    all.then(|| integer(kernel, program, length))
}

/// A function of lengths of slices, of axes of views and of integer parameters of a program.
pub fn integer(kernel: &Kernel, program: &Program, affine: &Affine) -> TokenStream {
    let terms = affine.terms.iter().filter_map(|(atom, factor)| {
        let factor = Literal::i128_suffixed(i128::from(*factor));
        let (Atom::Length(array, _) | Atom::Scalar(array)) = atom else {
            return None;
        };
        let array = program.array(*array);
        if array.is_const {
            let name = format_ident!("{}", array.name);
            return Some(quote!(+ (#factor) * (#name as i128)));
        }
        let variable = variable(kernel, array.role.position()?);
        let name = &variable.name;
        let value = match (atom, &variable.ty) {
            (Atom::Length(_, axis), _) if array.strided => {
                let axis = Literal::usize_unsuffixed(*axis);
                quote!(#name.shape()[#axis])
            }
            (Atom::Length(..), _) => quote!(#name.len()),
            (_, Type::Reference(..)) => quote!(*#name),
            _ => quote!(#name),
        };
        Some(quote!(+ (#factor) * (#value as i128)))
    });
    let constant = Literal::i128_suffixed(i128::from(affine.constant));
    quote!(((#constant) #(#terms)*))
}
