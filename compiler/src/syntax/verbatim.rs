//! Kernels whose text lies outside of the subset: whatever may be Rust, or with the option `fallback` whatever it
//! is, runs as it is written, compiled for each instruction set.
//!
//! Such a kernel has the items of its block that it names in its own module, beside `reference`, which is
//! the text itself. Types, and all else that its signature may name, stay beside the kernel.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

use super::ast::{IsaName, Options};
use super::{checks, options};
use crate::diagnostics::{Diagnostics, Fault};

/// A block without the kernels that run as they are written, and these.
pub struct Split {
    /// What is left of the block.
    pub rest: TokenStream,
    /// Types, traits and imports that the block has.
    pub items: TokenStream,
    /// The kernels.
    pub kernels: Vec<Verbatim>,
}

/// An instruction set that a text is compiled for.
pub struct Compiled {
    /// Which one.
    pub isa: IsaName,
    /// The name of the function that is compiled for it.
    pub name: Ident,
    /// The attributes of this function.
    pub features: TokenStream,
    /// The path of the instruction set in expanded code.
    pub path: TokenStream,
    /// When this function is called, as the pattern of an arm after those of better instruction sets.
    pub pattern: TokenStream,
}

/// A kernel that runs as it is written.
pub struct Verbatim {
    /// Why.
    pub reason: Fault,
    /// Instruction sets that the text is compiled for, best first.
    pub isa: Vec<IsaName>,
    /// Whether the option `fallback` asked for this.
    pub asked: bool,
    item: syn::ItemFn,
    /// The functions and constants of the block that it names, with what these name.
    needed: TokenStream,
}

/// Takes the kernels out of a block that lie outside of the subset, and what only they need; `None` if there
/// are none.
pub fn split(text: TokenStream) -> Option<Split> {
    checks::nesting(&text).ok()?;
    let file: syn::File = syn::parse2(text).ok()?;
    // The items that kernels may need, by name, and those that stay beside them.
    let (beside, inside): (Vec<&syn::Item>, Vec<&syn::Item>) =
        file.items.iter().partition(|item| name(item).is_none());
    let mut refused: HashSet<String> = HashSet::new();
    let mut kernels = Vec::new();
    for item in &inside {
        let syn::Item::Fn(function) = item else {
            continue;
        };
        let options = options_of(function);
        let helper = !is_kernel(function) && is_named(function, &inside);
        // What options ask of loops is done, or an error says why not.
        let ordered = options.on_loops().is_some();
        let stays = options.require_lanes.is_some() || (ordered && !options.fallback);
        if helper || stays {
            continue;
        }
        let needed = needed(function, &inside);
        let own = needed.iter().map(|item| item.to_token_stream());
        let own: TokenStream = own.chain([function.to_token_stream()]).collect();
        let mut diagnostics = Diagnostics::new();
        // A kernel of a block with types has none in the subset, wherever it names them.
        let block = beside.iter().map(|item| item.to_token_stream());
        let block: TokenStream = block.chain([own]).collect();
        let read = super::parse(block, &mut diagnostics);
        let Some(reason) = diagnostics.pop_first(|fault| fault.beyond || options.fallback) else {
            continue;
        };
        if read.is_some() || options_are_wrong(function) {
            continue;
        }
        refused.insert(function.sig.ident.to_string());
        kernels.push(Verbatim {
            reason,
            isa: options.isa,
            asked: options.fallback,
            item: function.clone(),
            needed: needed
                .iter()
                .map(|item| quote!(#[allow(dead_code)] #item))
                .collect(),
        });
    }
    if kernels.is_empty() {
        return None;
    }
    let rest = left(&inside, &refused);
    // What the kernels that are left know stands beside them.
    let (known, other): (Vec<&syn::Item>, Vec<&syn::Item>) = beside.into_iter().partition(|item| {
        let known = matches!(
            item,
            syn::Item::Use(_) | syn::Item::Struct(_) | syn::Item::Impl(_)
        );
        known && !rest.is_empty()
    });
    Some(Split {
        rest: known
            .into_iter()
            .chain(rest)
            .map(ToTokens::to_token_stream)
            .collect(),
        items: other.into_iter().map(ToTokens::to_token_stream).collect(),
        kernels,
    })
}

/// What is left of a block: the other kernels, and what they need.
fn left<'a>(inside: &[&'a syn::Item], refused: &HashSet<String>) -> Vec<&'a syn::Item> {
    let mut rest: Vec<&syn::Item> = Vec::new();
    for item in inside {
        let kernel = matches!(item, syn::Item::Fn(f) if is_kernel(f));
        let gone = name(item).is_some_and(|name| refused.contains(&name));
        let only = |kernel: &syn::ItemFn| self::needed(kernel, inside);
        let others = inside.iter().filter_map(|other| match other {
            syn::Item::Fn(f) if is_kernel(f) && !refused.contains(&f.sig.ident.to_string()) => {
                Some(f)
            }
            _ => None,
        });
        let used = others
            .flat_map(only)
            .any(|needed| name(needed) == name(item));
        if !gone && (kernel || used) {
            rest.push(item);
        }
    }
    rest
}

/// Whether a function is one that is called from outside.
fn is_kernel(function: &syn::ItemFn) -> bool {
    let visible = !matches!(function.vis, syn::Visibility::Inherited);
    visible || function.attrs.iter().any(options::is_opt)
}

/// Whether another function names this one.
fn is_named(function: &syn::ItemFn, items: &[&syn::Item]) -> bool {
    let name = function.sig.ident.to_string();
    items.iter().any(|item| {
        let other = self::name(item).is_some_and(|other| other != name);
        let mut names = HashSet::new();
        words(item.to_token_stream(), &mut names);
        other && names.contains(&name)
    })
}

fn options_of(function: &syn::ItemFn) -> Options {
    let mut options = options::defaults();
    for attribute in function.attrs.iter().filter(|a| options::is_opt(a)) {
        let _ = options::parse(attribute, &mut options);
    }
    options
}

/// Options are not Rust: what is wrong with them stays an error.
fn options_are_wrong(function: &syn::ItemFn) -> bool {
    let mut options = options::defaults();
    let mut all = function.attrs.iter().filter(|a| options::is_opt(a));
    all.any(|attribute| options::parse(attribute, &mut options).is_err())
}

/// The name of a function or constant; other items stay beside the kernels.
fn name(item: &syn::Item) -> Option<String> {
    match item {
        syn::Item::Fn(function) => Some(function.sig.ident.to_string()),
        syn::Item::Static(table) => Some(table.ident.to_string()),
        syn::Item::Const(table) => Some(table.ident.to_string()),
        _ => None,
    }
}

/// The functions and constants that one names, in the order of the block.
fn needed<'a>(function: &syn::ItemFn, items: &[&'a syn::Item]) -> Vec<&'a syn::Item> {
    let mut known: HashSet<String> = HashSet::new();
    let mut stack = vec![function.to_token_stream()];
    while let Some(tokens) = stack.pop() {
        let mut names = HashSet::new();
        words(tokens, &mut names);
        for item in items {
            let Some(name) = name(item) else { continue };
            if names.contains(&name) && function.sig.ident != name && known.insert(name) {
                stack.push(item.to_token_stream());
            }
        }
    }
    let is_known = |item: &&&syn::Item| name(item).is_some_and(|name| known.contains(&name));
    items.iter().filter(is_known).copied().collect()
}

/// The identifiers of some tokens.
pub(super) fn words(tokens: TokenStream, into: &mut HashSet<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) => {
                into.insert(ident.to_string());
            }
            TokenTree::Group(group) => words(group.stream(), into),
            _ => {}
        }
    }
}

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
        let plain = signature.asyncness.is_none()
            && signature.constness.is_none()
            && signature.abi.is_none()
            && signature.variadic.is_none()
            && matches!(signature.safety, syn::Safety::Default);
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
            Some(names) => self.handed_on(krate, &names, compiled),
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
        let title = name.to_string();
        let about = format!("The reference and the report of [`{title}`](fn@{title}).");
        quote! {
            #(#attributes)*
            #vis #function

            #(#conditions)*
            #[doc = #about]
            #[allow(warnings, unused, clippy::all, clippy::pedantic)]
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
    /// set, and `with`.
    fn handed_on(
        &self,
        krate: &TokenStream,
        names: &[Ident],
        compiled: &[Compiled],
    ) -> (TokenStream, TokenStream) {
        let (signature, body) = (&self.item.sig, &self.item.block);
        let (name, title) = (&signature.ident, signature.ident.to_string());
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
        let function = quote! {
            fn #name #generics (#(#inputs),*) #output #clause {
                #name::__run #turbofish (#krate::__private::select(#name::variants()), #(#names),*)
            }
        };
        let arguments = quote!((#(#names),*));
        let (functions, arms) = vectors(
            compiled,
            |Compiled { name, features, .. }| {
                quote! {
                    /// # Safety
                    /// The processor has the instruction set.
                    #features
                    unsafe fn #name #generics (#(#inputs),*) #output #clause {
                        self::__text #turbofish #arguments
                    }
                }
            },
            &quote!(#turbofish #arguments),
        );
        let paths: Vec<TokenStream> = compiled.iter().map(|set| set.path.clone()).collect();
        let (variants, text) = (variants(krate, &paths), renamed(signature, "__text"));
        let inside = quote! {
            #[inline(always)]
            #text #body

            /// The text as it is written.
            pub fn reference #generics (#(#inputs),*) #output #clause {
                self::__text #turbofish #arguments
            }

            #functions

            #[inline]
            pub(super) fn __run #generics (__isa: #krate::__private::Isa, #(#inputs),*) #output #clause {
                match __isa { #arms _ => self::__text #turbofish #arguments }
            }

            #variants

            /// Runs the text as it is compiled for an instruction set.
            ///
            /// # Errors
            /// If it was not built, or the processor lacks it.
            pub fn with #generics (__isa: #krate::__private::Isa, #(#inputs),*)
                -> ::core::result::Result<#value, #krate::__private::Unavailable> #clause
            {
                if !#krate::__private::is_runnable(__isa, self::variants()) {
                    return ::core::result::Result::Err(#krate::__private::Unavailable { kernel: #title, isa: __isa });
                }
                ::core::result::Result::Ok(self::__run #turbofish (__isa, #(#names),*))
            }
        };
        (function, inside)
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
fn turbofish(generics: &syn::Generics) -> Option<TokenStream> {
    let given: Vec<&Ident> = (generics.params.iter())
        .filter_map(|parameter| match parameter {
            syn::GenericParam::Type(ty) => Some(&ty.ident),
            syn::GenericParam::Const(constant) => Some(&constant.ident),
            syn::GenericParam::Lifetime(_) => None,
        })
        .collect();
    (!given.is_empty()).then(|| quote!(::<#(#given),*>))
}

/// Types that say less than they are: no generic argument can be given where they stand.
fn is_hidden(ty: &syn::Type) -> bool {
    let mut names = HashSet::new();
    words(ty.to_token_stream(), &mut names);
    names.contains("impl")
}
