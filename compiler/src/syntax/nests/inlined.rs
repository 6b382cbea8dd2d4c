//! Calls of functions that are given structs, and of their methods, as the blocks of these.
//!
//! ```text
//! fn at(&self, x: usize, y: usize) -> f64 { self.data[y * self.w + x] }
//!
//! g.at(x - 1, y)   ->   ({ let x_1: usize = x - 1; g.data[y * g.w + x_1] })
//! ```
//! A nest is given the fields of a struct, and not the struct: what is done with that has to stand in the nest.
//!
//! Holds: each argument is evaluated once, in the order of the text, and no name in a block means another thing than it
//! does where the function stands. Where that is not known, the call stays.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;

use super::callees::{Callee, bound, path, struct_named};
use super::tokens::{identifiers, is_bound, is_member, is_punct, like, with_identifiers};
use crate::collections::{HashMap, HashSet};
use crate::syntax::items::count;
use crate::syntax::statements::strip;

/// Calls inside each other.
const DEEPEST: usize = 8;

/// How many tokens calls may add to a function: a limit of work.
const MOST: usize = 1 << 14;

/// A function with calls of what is given structs of its block as blocks.
pub fn inlined(function: &syn::ItemFn, items: &[&syn::Item]) -> syn::ItemFn {
    let structs = items.iter().filter_map(|item| match item {
        syn::Item::Struct(own) if own.generics.params.is_empty() => {
            Some((own.ident.to_string(), own))
        }
        _ => None,
    });
    let structs: HashMap<String, &syn::ItemStruct> = structs.collect();
    if structs.is_empty() {
        return function.clone();
    }
    let mut taken = HashMap::default();
    identifiers(function.to_token_stream(), &mut taken);
    let body = function.block.to_token_stream();
    let types = function.sig.inputs.iter().filter_map(|input| {
        let syn::FnArg::Typed(typed) = input else {
            return None;
        };
        let syn::Pat::Ident(name) = &*typed.pat else {
            return None;
        };
        let name = name.ident.to_string();
        let own = struct_named(&typed.ty, &structs)?;
        (!is_bound(body.clone(), &name)).then_some((name, own))
    });
    let callees = Callee::all(items, &structs);
    let mut free = HashSet::default();
    for own in &callees {
        free.extend(own.free.iter().cloned());
        identifiers(own.block.clone(), &mut taken);
    }
    let mut inliner = Inliner {
        types: types.collect(),
        callees,
        bound: bound(function, free),
        taken: taken.into_keys().collect(),
        structs,
        left: MOST,
        calls: 0,
        around: Vec::new(),
    };
    let mut result = function.clone();
    let block = inliner.tokens(body, 0);
    if inliner.calls > 0
        && let Ok(block) = syn::parse2(block)
    {
        *result.block = block;
    }
    result
}

/// What stands for a parameter.
enum Given {
    /// A place that is named.
    Place(TokenStream),
    /// A value, which has a name of its own.
    Value(Ident),
}

struct Inliner<'a> {
    /// The structs that parameters are.
    types: HashMap<String, String>,
    structs: HashMap<String, &'a syn::ItemStruct>,
    callees: Vec<Callee>,
    /// Names that the function binds, of those that are free in others.
    bound: HashSet<String>,
    /// Names that stand somewhere.
    taken: HashSet<String>,
    /// How many tokens may come.
    left: usize,
    calls: usize,
    /// The functions that are read now, outermost first.
    around: Vec<usize>,
}

impl Inliner<'_> {
    fn tokens(&mut self, tokens: TokenStream, depth: usize) -> TokenStream {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |at: Option<usize>, of: &[char]| is_punct(&trees, at, of);
        let (mut result, mut at) = (TokenStream::new(), 0);
        while at < trees.len() {
            let before = at.checked_sub(1);
            let is_fn =
                before.is_some_and(|at| matches!(&trees[at], TokenTree::Ident(own) if own == "fn"));
            let in_path = is(before, &[':']) && is(at.checked_sub(2), &[':']);
            let begins = !is_member(&trees, at) && !in_path && !is_fn;
            let (path, end) = match self.associated(&trees[at..]) {
                _ if !begins => (Vec::new(), at),
                Some(path) => (path.to_vec(), at + 4),
                None => {
                    let path = path(&trees[at..]);
                    let length = (2 * path.len()).saturating_sub(1);
                    (path, at + length)
                }
            };
            if let Some(TokenTree::Group(group)) = trees.get(end)
                && !path.is_empty()
                && group.delimiter() == Delimiter::Parenthesis
                && let Some(block) = self.call(&path, group.stream(), depth)
            {
                // A statement is a block, and a value is in parentheses, so that it ends where the call ended.
                let is_first = before.is_none_or(|at| match &trees[at] {
                    TokenTree::Group(own) => own.delimiter() == Delimiter::Brace,
                    _ => is(Some(at), &[';']),
                });
                let is_last = end + 1 == trees.len() || is(Some(end + 1), &[';']);
                let is_statement = is_first && is_last;
                result.extend(if is_statement {
                    block
                } else {
                    quote!((#block))
                });
                at = end + 1;
                continue;
            }
            match &trees[at] {
                TokenTree::Group(group) => {
                    let inside = self.tokens(group.stream(), depth);
                    result.extend([like(group, inside)]);
                }
                tree => result.extend([tree.clone()]),
            }
            at += 1;
        }
        result
    }

    /// `Grid::function` of a struct of the block at the beginning of some tokens.
    fn associated(&self, trees: &[TokenTree]) -> Option<[Ident; 2]> {
        let [
            TokenTree::Ident(of),
            TokenTree::Punct(first),
            TokenTree::Punct(second),
            TokenTree::Ident(name),
            TokenTree::Group(_),
            ..,
        ] = trees
        else {
            return None;
        };
        let is_path = first.as_char() == ':' && second.as_char() == ':';
        let known = is_path && self.structs.contains_key(&of.to_string());
        known.then(|| [of.clone(), name.clone()])
    }

    /// The struct that a place is.
    fn type_of(&self, path: &[Ident]) -> Option<String> {
        let (root, members) = path.split_first()?;
        let mut of = self.types.get(&root.to_string())?.clone();
        for member in members {
            let fields = &self.structs.get(&of)?.fields;
            let field = fields
                .iter()
                .find(|own| own.ident.as_ref() == Some(member))?;
            of = struct_named(&field.ty, &self.structs)?;
        }
        Some(of)
    }

    /// The block of a call, if it may stand there.
    fn call(
        &mut self,
        path: &[Ident],
        arguments: TokenStream,
        depth: usize,
    ) -> Option<TokenStream> {
        if depth > DEEPEST {
            return None;
        }
        let (name, receiver) = path.split_last()?;
        let of = match receiver {
            [] => None,
            [one] if self.structs.contains_key(&one.to_string()) => Some(one.to_string()),
            _ => Some(self.type_of(receiver)?),
        };
        let is_type = receiver.first().map(ToString::to_string) == of;
        let fits = |own: &&Callee| own.of == of && own.signature.ident == *name;
        let mut fitting = (0..self.callees.len()).filter(|at| fits(&&self.callees[*at]));
        let (number, None) = (fitting.next()?, fitting.next()) else {
            return None;
        };
        // What calls itself stays.
        if self.around.contains(&number) {
            return None;
        }
        let callee = &self.callees[number];
        if !callee.free.is_disjoint(&self.bound) {
            return None;
        }
        let (signature, body) = (callee.signature.clone(), callee.block.clone());
        self.left = self.left.checked_sub(count(&body))?;
        let arguments = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated.parse2(arguments);
        let mut values = arguments.ok()?.into_iter();
        let has_receiver = signature.receiver().is_some();
        if is_type == has_receiver && of.is_some() {
            return None;
        }
        let (mut given, mut begun): (HashMap<String, Given>, _) =
            (HashMap::default(), TokenStream::new());
        for input in &signature.inputs {
            match input {
                syn::FnArg::Receiver(_) => {
                    let root = receiver.first()?.to_string();
                    if is_bound(body.clone(), &root) {
                        return None;
                    }
                    given.insert("self".to_owned(), Given::Place(quote!(#(#receiver).*)));
                }
                syn::FnArg::Typed(typed) => {
                    let value = values.next()?;
                    let (name, own) = self.argument(typed, &value, &body)?;
                    if let Given::Value(own) = &own {
                        let (ty, value) =
                            (&typed.ty, self.tokens(value.to_token_stream(), depth + 1));
                        let changes = match &*typed.pat {
                            syn::Pat::Ident(pattern) => pattern.mutability,
                            _ => None,
                        };
                        begun.extend(quote!(let #changes #own: #ty = #value;));
                    }
                    given.insert(name, own);
                }
            }
        }
        if values.next().is_some() {
            return None;
        }
        self.around.push(number);
        let body = self.tokens(replaced(body, &given), depth + 1);
        self.around.pop();
        self.calls += 1;
        if begun.is_empty() {
            return Some(body);
        }
        // The block of a function is one group.
        let inside = body.into_iter().map(|tree| match tree {
            TokenTree::Group(own) => own.stream(),
            other => other.into(),
        });
        let inside: TokenStream = inside.collect();
        Some(quote!({ #begun #inside }))
    }

    /// What stands for a parameter in a call.
    fn argument(
        &mut self,
        typed: &syn::PatType,
        value: &syn::Expr,
        body: &TokenStream,
    ) -> Option<(String, Given)> {
        let syn::Pat::Ident(pattern) = &*typed.pat else {
            return None;
        };
        let name = pattern.ident.to_string();
        if is_bound(body.clone(), &name) {
            return None;
        }
        let place = match strip(value) {
            syn::Expr::Reference(own) => strip(&own.expr),
            other => other,
        };
        let path = path(&place.to_token_stream().into_iter().collect::<Vec<_>>());
        let is_place = !path.is_empty()
            && quote!(#(#path).*).to_string() == place.to_token_stream().to_string();
        if struct_named(&typed.ty, &self.structs).is_some() {
            let root = path.first().filter(|_| is_place)?;
            self.type_of(&path)?;
            let is_reference = matches!(&*typed.ty, syn::Type::Reference(_));
            let own = is_reference && !is_bound(body.clone(), &root.to_string());
            return own.then(|| (name, Given::Place(quote!(#(#path).*))));
        }
        // Arrays are handed on by their names, so that a nest is given what they stand for.
        if let (syn::Expr::Path(own), syn::Type::Reference(_)) = (strip(value), &*typed.ty)
            && let Some(own) = own.path.get_ident()
            && pattern.mutability.is_none()
            && !is_bound(body.clone(), &own.to_string())
        {
            return Some((name, Given::Place(own.to_token_stream())));
        }
        let mut fresh = String::new();
        for number in 1.. {
            fresh = format!("{name}_{number}");
            if self.taken.insert(fresh.clone()) {
                break;
            }
        }
        Some((
            name,
            Given::Value(format_ident!("{fresh}", span = pattern.ident.span())),
        ))
    }
}

/// Tokens with what stands for parameters.
fn replaced(tokens: TokenStream, given: &HashMap<String, Given>) -> TokenStream {
    with_identifiers(tokens, &mut |own, is_member| {
        let given = given.get(&own.to_string()).filter(|_| !is_member);
        match given {
            Some(Given::Place(place)) => place.clone(),
            Some(Given::Value(value)) => {
                Ident::new(&value.to_string(), own.span()).into_token_stream()
            }
            None => own.into_token_stream(),
        }
    })
}
