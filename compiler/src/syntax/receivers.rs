//! Methods that are kernels.
//!
//! ```text
//! impl Grid {                                              fn grid_step(this: &mut Grid, dt: f64) { …this.u… }
//!     pub fn step(&mut self, dt: f64) { …self.u… }   ->    impl Grid {
//! }                                                            pub fn step(&mut self, dt: f64) { grid_step(self, dt) }
//!                                                          }
//! ```
//! A method with loops over what is as long as a call says is a function of its receiver, and so are methods that have
//! options. The others are helpers: they take less than a call does, and are read where they are called.

use crate::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

use super::nests::{element_of_vec, of_struct};
use super::options::is_opt;
use super::verbatim::{is_hidden, is_plain, name, turbofish, words};
use super::views;

/// What says that a text has loops.
const LOOPS: [&str; 9] = [
    "for",
    "while",
    "loop",
    "iter",
    "iter_mut",
    "windows",
    "chunks",
    "chunks_exact",
    "fill",
];

/// A block with its methods that are kernels as functions, which the methods call.
pub fn as_functions(text: TokenStream) -> TokenStream {
    let mut trees = text.clone().into_iter();
    if !trees.any(|tree| matches!(&tree, TokenTree::Ident(own) if own == "impl")) {
        return text;
    }
    let Ok(mut file) = syn::parse2::<syn::File>(text.clone()) else {
        return text;
    };
    let structs: Vec<syn::ItemStruct> = (file.items.iter())
        .filter_map(|item| match item {
            syn::Item::Struct(own) => Some(own.clone()),
            _ => None,
        })
        .collect();
    let taken: HashSet<String> = file.items.iter().filter_map(name).collect();
    let mut functions = Vec::new();
    for item in &mut file.items {
        let syn::Item::Impl(block) = item else {
            continue;
        };
        let Some(of) = struct_of(block, &structs) else {
            continue;
        };
        for part in &mut block.items {
            if let syn::ImplItem::Fn(method) = part
                && !taken.contains(&kernel_of(of, method).to_string())
                && is_kernel(method, of, &structs)
            {
                functions.extend(function(method, of));
            }
        }
    }
    if functions.is_empty() {
        return text;
    }
    let items = &file.items;
    quote!(#(#functions)* #(#items)*)
}

/// The struct whose own methods a block has.
fn struct_of<'a>(
    block: &syn::ItemImpl,
    structs: &'a [syn::ItemStruct],
) -> Option<&'a syn::ItemStruct> {
    let syn::Type::Path(path) = &*block.self_ty else {
        return None;
    };
    let name = path.path.get_ident()?;
    let own = structs.iter().find(|own| own.ident == *name)?;
    let plain = block.trait_.is_none() && block.generics.params.is_empty();
    (plain && own.generics.params.is_empty()).then_some(own)
}

/// Whether a method is a kernel.
fn is_kernel(method: &syn::ImplItemFn, of: &syn::ItemStruct, all: &[syn::ItemStruct]) -> bool {
    let signature = &method.sig;
    // What is returned may borrow what a receiver says it does.
    let borrows = (signature.output.to_token_stream().into_iter())
        .any(|tree| matches!(tree, TokenTree::Punct(own) if own.as_char() == '&'));
    let hidden = |input: &syn::FnArg| match input {
        syn::FnArg::Receiver(own) => !is_borrowed_or_given(own),
        syn::FnArg::Typed(own) => is_hidden(&own.ty),
    };
    let plain = is_plain(signature) && !borrows && !is_hidden(&signature.output);
    if !plain || signature.inputs.iter().any(hidden) {
        return false;
    }
    if method.attrs.iter().any(is_opt) {
        return true;
    }
    let mut named = HashSet::default();
    words(method.block.to_token_stream(), &mut named);
    let runs_over = |input: &syn::FnArg| match input {
        syn::FnArg::Receiver(_) => has_run_time_length(&of.fields, all, 0),
        syn::FnArg::Typed(own) => is_of_run_time_length(&own.ty, all, 0),
    };
    !matches!(method.vis, syn::Visibility::Inherited)
        && signature.receiver().is_some()
        && LOOPS.iter().any(|word| named.contains(*word))
        && signature.inputs.iter().any(runs_over)
}

/// `self`, `&self` or `&mut self`.
fn is_borrowed_or_given(receiver: &syn::Receiver) -> bool {
    match &receiver.kind {
        syn::ReceiverKind::Reference(_, lifetime, _) => lifetime.is_none(),
        syn::ReceiverKind::Value => true,
        _ => false,
    }
}

fn has_run_time_length(fields: &syn::Fields, all: &[syn::ItemStruct], depth: usize) -> bool {
    (fields.iter()).any(|field| is_of_run_time_length(&field.ty, all, depth + 1))
}

/// Whether a call says how long something of a type is.
fn is_of_run_time_length(ty: &syn::Type, all: &[syn::ItemStruct], depth: usize) -> bool {
    match ty {
        syn::Type::Reference(own) => is_of_run_time_length(&own.elem, all, depth),
        syn::Type::Paren(own) => is_of_run_time_length(&own.elem, all, depth),
        syn::Type::Array(own) => is_of_run_time_length(&own.elem, all, depth),
        syn::Type::Slice(_) => true,
        syn::Type::Path(path) => {
            let known = |own: &&syn::ItemStruct| path.path.is_ident(&own.ident);
            let nested = all.iter().find(known).filter(|_| depth <= all.len());
            element_of_vec(ty).is_some()
                || views::named(&path.path, &[]).is_some()
                || nested.is_some_and(|own| has_run_time_length(&own.fields, all, depth))
        }
        _ => false,
    }
}

/// A method as a function; the method calls it then.
fn function(method: &mut syn::ImplItemFn, of: &syn::ItemStruct) -> Option<syn::ItemFn> {
    let name = &of.ident;
    let mut taken = HashSet::default();
    words(method.to_token_stream(), &mut taken);
    let mut this = String::from("this");
    while taken.contains(&this) {
        this.push('_');
    }
    let of_type = name.to_string();
    let renamed = |tokens: TokenStream| of_struct(tokens, (&of_type, &this));
    let kernel = kernel_of(of, method);
    let turbofish = turbofish(&method.sig.generics);
    let mut arguments = Vec::new();
    let mut inputs = Vec::new();
    for (at, input) in method.sig.inputs.iter_mut().enumerate() {
        match input {
            syn::FnArg::Receiver(own) => {
                let own_name = Ident::new(&this, own.self_token.span);
                let (changes, borrowed) = match &own.kind {
                    syn::ReceiverKind::Reference(_, _, changes) => (None, Some(quote!(& #changes))),
                    _ => (own.mutability, None),
                };
                inputs.push(quote!(#changes #own_name: #borrowed #name));
                own.mutability = None;
                arguments.push(own.self_token.to_token_stream());
            }
            syn::FnArg::Typed(own) => {
                inputs.push(renamed(own.to_token_stream()));
                let argument = match &*own.pat {
                    syn::Pat::Ident(pattern) => pattern.ident.clone(),
                    _ => format_ident!("__input{at}"),
                };
                *own.pat = syn::Pat::Ident(syn::PatIdent {
                    attrs: Vec::new(),
                    by_ref: None,
                    mutability: None,
                    ident: argument.clone(),
                    subpat: None,
                });
                arguments.push(argument.to_token_stream());
            }
        }
    }
    let block = renamed(method.block.to_token_stream());
    let output = renamed(method.sig.output.to_token_stream());
    let generics = &method.sig.generics;
    let clause = renamed(generics.where_clause.to_token_stream());
    let visibility = visibility(&method.vis, &of.vis);
    let attributes = (method.attrs.iter()).filter(|own| is_opt(own) || own.path().is_ident("cfg"));
    let about = format!("The kernel that `{name}::{}` calls.", method.sig.ident);
    let function = quote! {
        #[doc = #about]
        #(#attributes)*
        #visibility fn #kernel #generics (#(#inputs),*) #output #clause #block
    };
    let function = syn::parse2(function).ok()?;
    method.attrs.retain(|own| !is_opt(own));
    method.block = syn::parse2(quote!({ #kernel #turbofish (#(#arguments),*) })).ok()?;
    Some(function)
}

/// The name of a method as a function.
fn kernel_of(of: &syn::ItemStruct, method: &syn::ImplItemFn) -> Ident {
    let name = &method.sig.ident;
    format_ident!("{}_{name}", snake(&of.ident), span = name.span())
}

/// Who may call the function: no more than know its struct. What has no other visibility is a kernel all the same.
fn visibility(method: &syn::Visibility, of: &syn::Visibility) -> TokenStream {
    match (method, of) {
        (syn::Visibility::Public(_), syn::Visibility::Inherited) => quote!(pub(self)),
        (syn::Visibility::Inherited, _) => quote!(pub(self)),
        (syn::Visibility::Public(_), of) => of.to_token_stream(),
        (method, _) => method.to_token_stream(),
    }
}

/// A type's name as functions have them: `heat_grid` of `HeatGrid`.
fn snake(name: &Ident) -> String {
    let mut result = String::new();
    let mut before: Option<char> = None;
    let text = name.to_string();
    for letter in text.trim_start_matches("r#").chars() {
        if letter.is_uppercase() && before.is_some_and(|own| own.is_lowercase() || own.is_numeric())
        {
            result.push('_');
        }
        result.extend(letter.to_lowercase());
        before = Some(letter);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        as_functions(text.parse().unwrap()).to_string()
    }

    #[test]
    fn methods_with_loops_of_run_time_length_are_functions() {
        let text = of("pub struct HeatGrid { u: Vec<f64> } impl HeatGrid {
            pub fn scale(&mut self, (a, b): (f64, f64)) { for u in &mut self.u { *u *= a + b; } } }");
        let function = "pub (self) fn heat_grid_scale (this : & mut HeatGrid , (a , b) : (f64 , f64)) { for u in & mut this . u";
        assert!(
            !text.contains(function) && text.contains(&function.replace("pub (self)", "pub")),
            "{text}"
        );
        let method = "pub fn scale (& mut self , __input1 : (f64 , f64)) { heat_grid_scale (self , __input1) }";
        assert!(text.contains(method), "{text}");
    }

    #[test]
    fn helpers_stay() {
        for method in [
            "pub fn at(&self, i: usize) -> f64 { self.u[i] }",
            "fn sum(&self) -> f64 { let mut s = 0.0; for u in &self.u { s += u; } s }",
            "pub fn first(&self) -> &f64 { for u in &self.u { return u; } &self.u[0] }",
            "pub fn new(n: usize) -> Grid { for _ in 0..n {} Grid { u: vec![0.0; n] } }",
        ] {
            let text = format!("pub struct Grid {{ u: Vec<f64> }} impl Grid {{ {method} }}");
            assert!(!of(&text).contains("grid_"), "{method}");
        }
        let text = "pub struct P { x: [f64; 3] } impl P {
            pub fn sum(&self) -> f64 { let mut s = 0.0; for x in self.x { s += x; } s } }";
        assert!(!of(text).contains("p_sum"));
        assert!(
            of(&text.replace("pub fn", "#[opt(level = 2)] pub fn"))
                .contains("# [opt (level = 2)] pub fn p_sum (this : & P)")
        );
    }
}
