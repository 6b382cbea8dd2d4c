//! Structs beside the kernels, with what proves how they lie in memory.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::variant::scalar_name;
use crate::syntax::ast::{Numbers, Struct};
use crate::syntax::silenced;

/// The structs of a block.
pub fn items(krate: &TokenStream, structs: &[Struct]) -> TokenStream {
    structs.iter().map(|item| one(krate, item)).collect()
}

fn one(krate: &TokenStream, item: &Struct) -> TokenStream {
    let (name, text) = (&item.name, &item.tokens);
    let Some(numbers) = &item.numbers else {
        return text.clone();
    };
    let layout = (!item.laid_out).then(|| quote!(#[repr(C)]));
    let Numbers {
        element,
        count,
        fields,
    } = numbers;
    let number = format_ident!("{}", scalar_name(*element, None));
    let count = Literal::usize_unsuffixed(*count);
    let offsets = fields.iter().map(|(member, before)| {
        let before = Literal::usize_unsuffixed(*before);
        quote! {
            ::core::assert!(
                ::core::mem::offset_of!(#name, #member)
                    == #before * ::core::mem::size_of::<::core::primitive::#number>()
            );
        }
    });
    let silenced = silenced();
    quote! {
        #layout
        #text

        #silenced
        const _: () = {
            #(#offsets)*
            ::core::assert!(
                ::core::mem::size_of::<#name>()
                    == ::core::mem::size_of::<[::core::primitive::#number; #count]>()
            );
            // SAFETY: the numbers stand in order and without gaps, as was just asserted.
            unsafe impl #krate::__private::record::Record for #name {
                type Numbers = [::core::primitive::#number; #count];
            }
        };
    }
}
