//! Fields of structs that a text is given, as variables of their own.
//!
//! ```text
//! fn step(g: &Grid, out: &mut [f64])                 fn step(g: &Grid, out: &mut [f64], g_data: &[f64], g_nx: usize)
//!     … g.data[j * g.nx + i] …                ->         … g_data[j * g_nx + i] …
//! ```
//! The reader knows numbers and arrays of them, and few structs; a nest needs the fields that it names. What runs
//! names the fields again ([`Places::restored`]).

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::skeleton::{element_of_vec, zero};
use super::tokens::{is_bound, is_member, like, with_identifiers, without_lifetimes};
use crate::collections::{HashMap, HashSet};
use crate::syntax::verbatim::words;
use crate::syntax::views;

/// Structs inside each other.
const DEEPEST: usize = 4;

/// The fields that a text names of its parameters.
#[derive(Default)]
pub struct Places {
    fields: Vec<Field>,
}

/// A field of a parameter.
struct Field {
    /// The parameter, and the members that lead to the field.
    path: Vec<String>,
    /// The variable in its place.
    name: Ident,
    /// That variable as a parameter.
    parameter: TokenStream,
}

impl Places {
    /// The fields that a function names of structs of its block.
    pub fn of(function: &syn::ItemFn, items: &[&syn::Item]) -> Places {
        let structs = items.iter().filter_map(|item| match item {
            syn::Item::Struct(own) if own.generics.type_params().next().is_none() => {
                Some((own.ident.to_string(), own))
            }
            _ => None,
        });
        let mut taken = HashSet::default();
        words(function.to_token_stream(), &mut taken);
        let mut search = Search {
            structs: structs.collect(),
            taken,
            fields: Vec::new(),
        };
        for input in &function.sig.inputs {
            if let syn::FnArg::Typed(typed) = input
                && let syn::Pat::Ident(name) = &*typed.pat
            {
                let mutable = name.mutability.is_some();
                let body = function.block.to_token_stream();
                if is_bound(body, &name.ident.to_string()) {
                    continue;
                }
                search.fields_of(&mut vec![name.ident.clone()], &typed.ty, mutable);
            }
        }
        let fields = search.fields;
        Places { fields }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// A function with the fields as parameters behind its own.
    pub fn flat(&self, function: &syn::ItemFn) -> syn::ItemFn {
        let mut flat = function.clone();
        if self.fields.is_empty() {
            return flat;
        }
        let block = self.taken_out(function.block.to_token_stream());
        let Ok(block) = syn::parse2(block) else {
            return flat;
        };
        *flat.block = block;
        let parameters = self.fields.iter().map(|own| &own.parameter);
        let parameters = parameters.filter_map(|own| syn::parse2(own.clone()).ok());
        flat.sig
            .inputs
            .extend::<Vec<syn::FnArg>>(parameters.collect());
        flat
    }

    /// Variables instead of fields.
    fn taken_out(&self, tokens: TokenStream) -> TokenStream {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut result, mut at) = (TokenStream::new(), 0);
        while at < trees.len() {
            let member = is_member(&trees, at);
            let found = self
                .fields
                .iter()
                .find(|own| !member && own.is_at(&trees[at..]));
            match (found, &trees[at]) {
                (Some(field), tree) => {
                    let mut name = field.name.clone();
                    name.set_span(tree.span());
                    result.extend([TokenTree::Ident(name)]);
                    at += 2 * field.path.len() - 1;
                }
                (None, TokenTree::Group(group)) => {
                    let inside = self.taken_out(group.stream());
                    result.extend([like(group, inside)]);
                    at += 1;
                }
                (None, tree) => {
                    result.extend([tree.clone()]);
                    at += 1;
                }
            }
        }
        result
    }

    /// Fields instead of the variables for them.
    pub fn restored(&self, tokens: TokenStream) -> TokenStream {
        if self.fields.is_empty() {
            return tokens;
        }
        with_identifiers(tokens, &mut |name, _| {
            let field = self.fields.iter().find(|own| own.name == name);
            match field {
                Some(field) => {
                    let path = field.path.iter().map(|own| Ident::new(own, name.span()));
                    quote!(#(#path).*)
                }
                None => name.into_token_stream(),
            }
        })
    }
}

impl Field {
    /// Whether some tokens begin with this field, as a value.
    fn is_at(&self, trees: &[TokenTree]) -> bool {
        let length = 2 * self.path.len() - 1;
        let fits = |(at, tree): (usize, &TokenTree)| match tree {
            TokenTree::Ident(name) => at % 2 == 0 && *name == self.path[at / 2],
            TokenTree::Punct(dot) => at % 2 == 1 && dot.as_char() == '.',
            _ => false,
        };
        let calls = matches!(trees.get(length), Some(TokenTree::Group(own)) if own.delimiter() == Delimiter::Parenthesis);
        trees.len() >= length && trees[..length].iter().enumerate().all(fits) && !calls
    }
}

/// The search for fields.
struct Search<'a> {
    structs: HashMap<String, &'a syn::ItemStruct>,
    /// Names that no variable for a field may have.
    taken: HashSet<String>,
    fields: Vec<Field>,
}

impl Search<'_> {
    /// The fields of a place of a type, where that is a struct.
    fn fields_of(&mut self, path: &mut Vec<Ident>, ty: &syn::Type, mutable: bool) {
        let (ty, mutable) = match ty {
            syn::Type::Reference(own) => (&*own.elem, own.mutability.is_some()),
            other => (other, mutable),
        };
        let name = match ty {
            syn::Type::Path(own) if own.qself.is_none() => own.path.segments.last(),
            _ => None,
        };
        let Some(own) = name.and_then(|name| self.structs.get(&name.ident.to_string())) else {
            return;
        };
        for field in &own.fields.clone() {
            let Some(member) = &field.ident else { continue };
            // What the text does not name is no variable.
            let text = member.to_string();
            if !self.taken.contains(&text) || text.starts_with("r#") {
                continue;
            }
            path.push(member.clone());
            match parameter(&field.ty, mutable) {
                Some((is_number, ty)) => self.push(path, (is_number && mutable, ty)),
                None if path.len() <= DEEPEST => self.fields_of(path, &field.ty, mutable),
                None => {}
            }
            path.pop();
        }
    }

    fn push(&mut self, path: &[Ident], (mutable, ty): (bool, TokenStream)) {
        let path: Vec<String> = path.iter().map(ToString::to_string).collect();
        let mut name = path.join("_");
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        let name = Ident::new(&name, proc_macro2::Span::call_site());
        let parameter = match mutable {
            true => quote!(mut #name: #ty),
            false => quote!(#name: #ty),
        };
        self.fields.push(Field {
            path,
            name,
            parameter,
        });
    }
}

/// The type of a parameter for a field, and whether it is passed by value.
fn parameter(ty: &syn::Type, mutable: bool) -> Option<(bool, TokenStream)> {
    let changes = mutable.then(|| quote!(mut));
    if is_number(ty) || matches!(ty, syn::Type::Array(_)) && is_of_numbers(ty) {
        return Some((true, ty.to_token_stream()));
    }
    if let Some(element) = element_of_vec(ty) {
        return is_of_numbers(element).then(|| (false, quote!(& #changes [#element])));
    }
    match ty {
        syn::Type::Reference(own) => {
            let inner = match &*own.elem {
                syn::Type::Slice(slice) => &*slice.elem,
                other => other,
            };
            let (changes, elem) = (&own.mutability, &own.elem);
            is_of_numbers(inner).then(|| (false, quote!(& #changes #elem)))
        }
        syn::Type::Path(own) => {
            views::named(&own.path, &[])?;
            let ty = without_lifetimes(own.to_token_stream());
            Some((false, quote!(& #changes #ty)))
        }
        _ => None,
    }
}

/// Whether a type is a number or a condition.
fn is_number(ty: &syn::Type) -> bool {
    let condition = matches!(ty, syn::Type::Path(own) if own.path.is_ident("bool"));
    condition || matches!(ty, syn::Type::Path(_)) && zero(ty).is_some()
}

/// Whether a type is a number, or an array of such.
fn is_of_numbers(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(own) => is_of_numbers(&own.elem),
        _ => zero(ty).is_some(),
    }
}
