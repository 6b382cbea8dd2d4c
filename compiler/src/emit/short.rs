//! Rows that are too short for lanes: the text runs instead of a variant.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Kernel;
use super::enclosed::integer;
use super::public::isa_path;
use crate::ir::{Affine, Atom, Program};

/// What hands over to the text where all rows of a variant are short.
pub fn rows(kernel: &Kernel) -> TokenStream {
    if !kernel.may_run_text() {
        return TokenStream::new();
    }
    let arms = kernel.variants.iter().filter_map(|variant| {
        let short = variant.short.as_ref().filter(|_| variant.text.is_none())?;
        let least = Literal::i128_suffixed(short.least as i128);
        let lengths = short.lengths.iter();
        let lengths: Option<Vec<TokenStream>> = lengths
            .map(|length| value(kernel, &variant.program, length))
            .collect();
        let (lengths, isa) = (lengths?, isa_path(kernel.krate, variant.isa));
        Some(quote! {
            #[cfg(target_arch = "x86_64")]
            #isa if #(#lengths < #least)&&* => return ::core::option::Option::None,
        })
    });
    let arms: Vec<TokenStream> = arms.collect();
    match arms.is_empty() {
        true => TokenStream::new(),
        false => quote!(match __isa { #(#arms)* _ => {} }),
    }
}

/// A length, from the parameters of the kernel; nothing where it is that of an axis.
fn value(kernel: &Kernel, program: &Program, length: &Affine) -> Option<TokenStream> {
    let simple = |(atom, _): &(Atom, i64)| match atom {
        Atom::Scalar(_) => true,
        Atom::Length(array, axis) => *axis == 0 && !program.array(*array).strided,
        Atom::Index(_) | Atom::Map(..) => false,
    };
    let all = length.terms.iter().all(simple);
    all.then(|| integer(kernel, program, length))
}
