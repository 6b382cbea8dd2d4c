//! What a kernel that runs as it is written expands to.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::{Compiled, Verbatim, words};
use crate::collections::HashSet;
use crate::syntax::ast::{IsaName, constant_argument};
use crate::syntax::nests::{ISA, Nested};
use crate::syntax::options;

impl Verbatim {
    /// The kernel's name.
    pub fn name(&self) -> &Ident {
        &self.item.sig.ident
    }

    /// Its signature, and its body.
    pub fn text(&self) -> (TokenStream, TokenStream) {
        let syn::ItemFn {
            vis, sig, block, ..
        } = &self.item;
        (quote!(#vis #sig), quote!(#block))
    }

    /// What the module of the kernel does not have.
    pub fn missing(&self) -> Option<&'static str> {
        match self.arguments() {
            Some(_) => None,
            None => Some("it has no `with`, since its arguments cannot be handed on"),
        }
    }

    /// Names for the parameters, if a function of plain ones can hand them on.
    fn arguments(&self) -> Option<Vec<Ident>> {
        let signature = &self.item.sig;
        let plain = is_plain(signature);
        let inputs = signature.inputs.iter().enumerate();
        let names = inputs.map(|(at, input)| match input {
            syn::FnArg::Typed(typed) if !is_hidden(&typed.ty) => Some(format_ident!("__input{at}")),
            _ => None,
        });
        names.collect::<Option<Vec<Ident>>>().filter(|_| plain)
    }

    /// The kernel and its module, with the report.
    pub fn items(
        &self,
        krate: &TokenStream,
        report: &TokenStream,
        compiled: &[Compiled],
        nested: Option<&Nested>,
    ) -> TokenStream {
        let syn::ItemFn {
            vis, sig, block, ..
        } = &self.item;
        let (name, needed) = (&sig.ident, &self.needed);
        let attributes: Vec<&syn::Attribute> = (self.item.attrs.iter())
            .filter(|a| !options::is_opt(a))
            .collect();
        let conditions = attributes.iter().filter(|a| a.path().is_ident("cfg"));
        let reference = renamed(sig, "reference");
        let imports = quote! {
            #[allow(unused_imports)]
            use #krate::tabulate;
        };
        let (function, inside) = match self.arguments() {
            Some(names) => self.handed_on(krate, &names, compiled, nested),
            None => {
                let statements = &block.stmts;
                let nested = quote!(#sig { #imports #needed #(#statements)* });
                let scalar = quote!(#krate::__private::Isa::Scalar);
                let variants = variants(krate, &[scalar]);
                let reference = quote! {
                    /// The text as it is written.
                    pub #reference #block
                };
                (nested, quote!(#reference #variants))
            }
        };
        let silenced = silenced();
        let title = name.to_string();
        let about = format!("The reference and the report of [`{title}`](fn@{title}).");
        quote! {
            #(#attributes)*
            #vis #function

            #(#conditions)*
            #[doc = #about]
            #silenced
            #vis mod #name {
                use super::*;
                #imports
                #needed

                /// What was decided, and what it costs.
                pub const REPORT: #krate::__private::Report = #report;

                #inside
            }
        }
    }

    /// The function that calls the text, and what the module has for that: the text, compiled for each instruction
    /// set, and `with`. Where nests of the text are kernels of their own, the text that runs calls them.
    fn handed_on(
        &self,
        krate: &TokenStream,
        names: &[Ident],
        compiled: &[Compiled],
        nested: Option<&Nested>,
    ) -> (TokenStream, TokenStream) {
        let signature = &self.item.sig;
        let title = signature.ident.to_string();
        let types = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(&typed.ty),
            syn::FnArg::Receiver(_) => None,
        });
        let inputs: Vec<TokenStream> = (names.iter().zip(types))
            .map(|(name, ty)| quote!(#name: #ty))
            .collect();
        let (generics, clause) = (&signature.generics, &signature.generics.where_clause);
        let turbofish = turbofish(generics);
        let output = &signature.output;
        let value = match output {
            syn::ReturnType::Default => quote!(()),
            syn::ReturnType::Type(_, ty) => quote!(#ty),
        };
        let isa = format_ident!("{ISA}");
        let set = quote!(#isa: #krate::__private::Isa);
        // Texts whose nests are kernels run these for the instruction set. Others have all registers for arguments.
        let given = nested.map(|_| quote!(#set,));
        let arguments = match nested {
            Some(_) => quote!((#isa, #(#names),*)),
            None => quote!((#(#names),*)),
        };
        let function = self.calling(krate, (&inputs, names), compiled);
        let (functions, arms) = vectors(
            compiled,
            |Compiled { name, features, .. }| {
                quote! {
                    /// # Safety
                    /// The processor has the instruction set.
                    #features
                    unsafe fn #name #generics (#given #(#inputs),*) #output #clause {
                        self::__text #turbofish #arguments
                    }
                }
            },
            &quote!(#turbofish #arguments),
        );
        let paths: Vec<TokenStream> = compiled.iter().map(|set| set.path.clone()).collect();
        let variants = variants(krate, &paths);
        let texts = self.texts((given.as_ref(), inputs.as_slice()), &arguments, nested);
        let inside = quote! {
            #texts

            #functions

            #[inline(always)]
            pub(super) fn __run #generics (#set, #(#inputs),*) #output #clause {
                match #isa { #arms _ => self::__text_scalar #turbofish #arguments }
            }

            #[inline(never)]
            pub(super) fn __select #generics (#(#inputs),*) #output #clause {
                self::__run #turbofish (#krate::__private::select(self::variants()), #(#names),*)
            }

            #variants

            /// Runs the text as it is compiled for an instruction set.
            ///
            /// # Errors
            /// If it was not built, or the processor lacks it.
            pub fn with #generics (#set, #(#inputs),*)
                -> ::core::result::Result<#value, #krate::__private::Unavailable> #clause
            {
                if !#krate::__private::is_runnable(#isa, self::variants()) {
                    return ::core::result::Result::Err(#krate::__private::Unavailable { kernel: #title, isa: #isa });
                }
                ::core::result::Result::Ok(self::__run #turbofish (#isa, #(#names),*))
            }
        };
        (function, inside)
    }

    /// The kernel: it calls the best text, and saves no registers for what others, or the first call, which asks what
    /// the processor has, do.
    fn calling(
        &self,
        krate: &TokenStream,
        (inputs, names): (&[TokenStream], &[Ident]),
        compiled: &[Compiled],
    ) -> TokenStream {
        let syn::Signature {
            ident: name,
            generics,
            output,
            ..
        } = &self.item.sig;
        let clause = &generics.where_clause;
        let turbofish = turbofish(generics);
        let best = compiled.first().map(|set| set.path.clone());
        let best = best.unwrap_or_else(|| quote!(#krate::__private::Isa::Scalar));
        quote! {
            fn #name #generics (#(#inputs),*) #output #clause {
                match #krate::__private::isa::reaches(#best) {
                    true => #name::__run #turbofish (#best, #(#names),*),
                    false => #name::__select #turbofish (#(#names),*),
                }
            }
        }
    }

    /// The text that runs, and `reference`, which is the text as it is written.
    fn texts(
        &self,
        (given, inputs): (Option<&TokenStream>, &[TokenStream]),
        arguments: &TokenStream,
        nested: Option<&Nested>,
    ) -> TokenStream {
        let (signature, body) = (&self.item.sig, &self.item.block);
        let (generics, clause) = (&signature.generics, &signature.generics.where_clause);
        let (turbofish, output) = (turbofish(generics), &signature.output);
        let written: Vec<&syn::FnArg> = signature.inputs.iter().collect();
        let (run, items) = match nested {
            None => (body.to_token_stream(), None),
            Some(Nested {
                body,
                items,
                needed,
                ..
            }) => (body.clone(), Some(quote!(#needed #items))),
        };
        // Where the text that runs is another one, the text stands twice.
        let (own_inputs, own) = match nested {
            None => {
                let run = quote!({ self::__text_scalar #turbofish #arguments });
                (quote!(#(#inputs),*), run)
            }
            Some(_) => (quote!(#(#written),*), body.to_token_stream()),
        };
        quote! {
            #[inline(always)]
            fn __text #generics (#given #(#written),*) #output #clause #run

            // What only other processors run has no part in what a call saves registers for.
            #[cfg_attr(target_arch = "x86_64", inline(never))]
            fn __text_scalar #generics (#given #(#inputs),*) #output #clause {
                self::__text #turbofish #arguments
            }

            /// The text as it is written.
            pub fn reference #generics (#own_inputs) #output #clause #own

            #items
        }
    }
}

/// What no lint says of code that is written here: a user's own lints are for the user's code.
pub fn silenced() -> TokenStream {
    quote! {
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
    }
}

/// The functions of instruction sets with registers of several numbers, and the arms that call them.
fn vectors(
    compiled: &[Compiled],
    function: impl Fn(&Compiled) -> TokenStream,
    arguments: &TokenStream,
) -> (TokenStream, TokenStream) {
    let sets = compiled.iter().filter(|set| set.isa != IsaName::Scalar);
    let arms = sets.clone().map(|Compiled { name, pattern, .. }| {
        quote! {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the instruction set is there.
            #pattern => unsafe { self::#name #arguments },
        }
    });
    (sets.map(function).collect(), arms.collect())
}

/// `variants()`.
fn variants(krate: &TokenStream, paths: &[TokenStream]) -> TokenStream {
    quote! {
        /// The instruction sets that variants are built for, best first.
        pub fn variants() -> &'static [#krate::__private::Isa] {
            &[#(#paths),*]
        }
    }
}

/// A signature with another name.
fn renamed(signature: &syn::Signature, name: &str) -> syn::Signature {
    let mut renamed = signature.clone();
    renamed.ident = format_ident!("{name}", span = signature.ident.span());
    renamed
}

/// Generic arguments that hand a function's own parameters on.
pub fn turbofish(generics: &syn::Generics) -> Option<TokenStream> {
    let given: Vec<TokenStream> = (generics.params.iter())
        .filter_map(|parameter| match parameter {
            syn::GenericParam::Type(ty) => Some(ty.ident.to_token_stream()),
            syn::GenericParam::Const(constant) => Some(constant_argument(&constant.ident)),
            syn::GenericParam::Lifetime(_) => None,
        })
        .collect();
    (!given.is_empty()).then(|| quote!(::<#(#given),*>))
}

/// Whether a function is called as any other.
pub fn is_plain(signature: &syn::Signature) -> bool {
    signature.asyncness.is_none()
        && signature.constness.is_none()
        && signature.abi.is_none()
        && signature.variadic.is_none()
        && matches!(signature.safety, syn::Safety::Default)
}

/// Whether types say less than they are: no generic argument can be given where they stand.
pub fn is_hidden(types: &impl ToTokens) -> bool {
    let mut names = HashSet::default();
    words(types.to_token_stream(), &mut names);
    names.contains("impl")
}
