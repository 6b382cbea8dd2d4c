//! What a kernel's scope must not give another meaning.
//!
//! By `f64`, `vec!` and `len()` the text, which is `reference`, means what its scope says, while the expansion
//! takes them for Rust's own. Beside the kernels stand functions that nothing calls and that do not
//! compile where the two differ, with the error on the user's tokens:
//!
//! - each name of a primitive type is compared with that type;
//! - `vec!` is called where one glob import brings all that the scope has and another one Rust's own: two
//!   macros of one name are ambiguous;
//! - `len()` is called where a trait of the run time's has a method of that name, which is looked at
//!   last before that of slices. Whatever else is found is a method that hides that of slices, and does not
//!   return what the trait's does. The same is done for methods of views that are parameters.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

use crate::collections::HashSet;
use crate::syntax::ast::{Function, Module, ScalarType, Taken, Type, VariableId};
use crate::syntax::silenced;

/// The names of primitive types that the language of kernels has.
const TYPES: [&str; 13] = [
    "bool", "f32", "f64", "i16", "i32", "i64", "i8", "isize", "u16", "u32", "u64", "u8", "usize",
];

/// The items that do not compile where a name means something else.
pub fn items(krate: &TokenStream, module: &Module, text: &TokenStream) -> TokenStream {
    let mut names = Vec::new();
    types(text.clone(), &mut names);
    let names = names.iter().map(|name| {
        let own = Ident::new(&name.to_string(), Span::call_site());
        let span = name.span();
        quote_spanned!(span=> #krate::__private::scope::is::<::core::primitive::#own, #name>();)
    });
    let mut seen = HashSet::default();
    let functions = module.functions.iter();
    let taken = functions.flat_map(|f| f.taken.iter().map(move |taken| (f, taken)));
    let taken = taken.filter_map(|(function, taken)| {
        let (key, item) = match taken {
            Taken::Vec(name) => (String::new(), vec(krate, name)),
            Taken::Length(name, receiver) => length(krate, name, receiver)?,
            Taken::View { variable, .. } => view(krate, function, (taken, *variable))?,
        };
        seen.insert(key).then_some(item)
    });
    let taken: Vec<TokenStream> = taken.collect();
    let silenced = silenced();
    quote! {
        #silenced
        const _: () = {
            fn __types() {
                #(#names)*
            }
            #(#taken)*
        };
    }
}

/// The names of primitive types in a text, each once.
fn types(text: TokenStream, into: &mut Vec<Ident>) {
    for tree in text {
        match tree {
            TokenTree::Group(group) => types(group.stream(), into),
            TokenTree::Ident(name) => {
                let known = TYPES.iter().any(|ty| name == ty);
                if known && !into.contains(&name) {
                    into.push(name);
                }
            }
            _ => {}
        }
    }
}

/// Calls `vec!` where another one of the scope's would be ambiguous.
fn vec(krate: &TokenStream, name: &Ident) -> TokenStream {
    quote! {
        mod __vec {
            use super::*;
            use #krate::__private::scope::macros::*;

            fn __vec() {
                let _ = #name![0u8; 0];
            }
        }
    }
}

/// Calls `len()` where another one than that of slices would be found first, and a key of what is called.
fn length(krate: &TokenStream, name: &Ident, receiver: &Type) -> Option<(String, TokenStream)> {
    let span = name.span();
    let scope = quote!(#krate::__private::scope);
    let (methods, receiver) = match receiver {
        Type::Reference(inner, true) if matches!(**inner, Type::Slice(_)) => {
            ("OfMutableSlice", ty(receiver))
        }
        // That of slices is found at once.
        Type::Reference(inner, _) if matches!(**inner, Type::Slice(_)) => return None,
        Type::Reference(inner, _) if is_array(inner) => ("OfReferencedArray", ty(receiver)),
        array if is_array(array) => ("OfArray", ty(array)),
        Type::Slice(element) => {
            let element = ty(element);
            ("OfVec", quote!(#scope::Vec<#element>))
        }
        _ => return None,
    };
    let methods = Ident::new(methods, Span::call_site());
    // Variables have the hygiene of the span that they are named with.
    let variable = Ident::new("__receiver", span);
    let called = quote_spanned!(span=> #scope::own(#variable.#name()););
    let key = quote!(#receiver #methods).to_string();
    let item = quote! {
        const _: () = {
            fn __length<__T: #krate::__private::Scalar>(mut #variable: #receiver) {
                use #scope::#methods as _;
                #called
            }
        };
    };
    Some((key, item))
}

/// Calls a method of a view where another one would be found first: of a view by value one that takes it by value, of
/// a mutable reference one that takes that. Behind other references Rust's own is found at once.
fn view(
    krate: &TokenStream,
    function: &Function,
    (taken, variable): (&Taken, VariableId),
) -> Option<(String, TokenStream)> {
    let Taken::View {
        method,
        receiver,
        arguments,
        ..
    } = taken
    else {
        return None;
    };
    let mut parameters = function.parameters.iter();
    parameters.find(|p| p.variable == variable && p.given.is_none())?;
    let name = &function.variables[variable.0].name;
    let input = function.inputs.iter().find(|input| input.name == *name)?;
    let mut ty = input.type_tokens.clone().into_iter();
    let methods = match ty.next() {
        Some(TokenTree::Punct(reference)) if reference.as_char() == '&' => {
            // After a lifetime, if there is one.
            ty.take(3)
                .any(|token| matches!(token, TokenTree::Ident(word) if word == "mut"))
                .then_some("OfMutableView")?
        }
        _ => "OfView",
    };
    let methods = Ident::new(methods, Span::call_site());
    let (generics, clause) = (&function.generics, &function.where_clause);
    let patterns = function.inputs.iter().map(|input| &input.pattern);
    let types = function.inputs.iter().map(|input| &input.type_tokens);
    let scope = quote!(#krate::__private::scope);
    let called = quote_spanned!(method.span()=> #scope::own(#receiver.#method(#arguments)););
    let key = quote!(#method #receiver #arguments).to_string() + &function.name.to_string();
    let item = quote! {
        const _: () = {
            fn __view #generics (#(#patterns: #types),*) #clause {
                use #scope::#methods as _;
                #called
            }
        };
    };
    Some((key, item))
}

fn is_array(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Array(..) | Type::Open(_, crate::syntax::ast::Length::Constant(_))
    )
}

/// A type by names that no scope changes.
fn ty(of: &Type) -> TokenStream {
    match of {
        Type::Scalar(ScalarType::Generic) => quote!(__T),
        Type::Scalar(scalar) => {
            let name = format_ident!("{}", super::variant::scalar_name(*scalar, None));
            quote!(::core::primitive::#name)
        }
        Type::Array(inner, n) => {
            let (inner, n) = (ty(inner), Literal::usize_unsuffixed(*n));
            quote!([#inner; #n])
        }
        // Of any length.
        Type::Open(inner, _) => {
            let inner = ty(inner);
            quote!([#inner; 1])
        }
        Type::Slice(inner) => {
            let inner = ty(inner);
            quote!([#inner])
        }
        Type::Reference(inner, mutable) => {
            let (inner, mutable) = (ty(inner), mutable.then(|| quote!(mut)));
            quote!(&#mutable #inner)
        }
        Type::Record(record) => ty(&record.numbers()),
        Type::Tuple(fields) => {
            let fields = fields.iter().map(ty);
            quote!((#(#fields,)*))
        }
    }
}
