//! A nest as a function, and the call of it.

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

use super::steps::Callable;
use super::tokens::{borrowed_again, uses};
use super::variables::Variables;
use super::{ISA, Pays};
use crate::collections::HashSet;
use crate::syntax::options;
use crate::syntax::statements::strip;
use crate::syntax::verbatim::{turbofish, words};

/// Some loops, one after the other.
pub struct Nest {
    pub name: Ident,
    /// The line where they begin.
    pub line: usize,
    /// How many iterations its outermost loop has, where the text says that.
    pub worth: Option<TokenStream>,
    /// The loops.
    pub statements: TokenStream,
    /// What holds of the variables around it.
    pub facts: TokenStream,
    /// The closures that it calls, as they stand before it.
    pub closures: TokenStream,
    /// The variables that it names.
    pub given: Vec<Given>,
    /// The type of its value, where it is a whole text that has one.
    pub result: Option<TokenStream>,
}

/// A variable that a nest names.
pub struct Given {
    pub name: Ident,
    pub kind: Kind,
}

/// How a variable is handed to a nest.
pub enum Kind {
    /// By value, and back where it is assigned.
    Number { ty: TokenStream, is_assigned: bool },
    /// As an integer.
    Condition,
    /// By reference: its type, the place that it refers to, and whether that may be changed.
    Array {
        ty: TokenStream,
        place: TokenStream,
        may_change: bool,
    },
}

impl Nest {
    /// The nest as a kernel in a block. Where `written` says which arrays it writes, the others are read only.
    pub fn block(&self, variables: &Variables, written: Option<&HashSet<String>>) -> TokenStream {
        let item = variables.item;
        let options = item.attrs.iter().filter(|own| options::is_opt(own));
        let mut generics = item.sig.generics.clone();
        generics.params = (generics.params.into_iter())
            .filter(|own| !matches!(own, syn::GenericParam::Lifetime(_)))
            .collect();
        let clause = &generics.where_clause;
        let parameters = self.given.iter().map(|own| {
            let name = &own.name;
            match &own.kind {
                Kind::Number {
                    ty,
                    is_assigned: true,
                } => {
                    let before = before(name);
                    quote!(#before: #ty)
                }
                Kind::Number { ty, .. } => quote!(#name: #ty),
                Kind::Condition => {
                    let before = before(name);
                    quote!(#before: u8)
                }
                Kind::Array { ty, .. } => match own.is_changed(written) {
                    true => quote!(#name: &mut #ty),
                    false => quote!(#name: &#ty),
                },
            }
        });
        let conditions = self
            .given
            .iter()
            .filter(|own| matches!(own.kind, Kind::Condition));
        let conditions = conditions.map(|own| {
            let (name, before) = (&own.name, before(&own.name));
            quote!(let #name = #before != 0;)
        });
        let results: Vec<(&Ident, &TokenStream)> = self.results().collect();
        let begun = results.iter().map(|(name, _)| {
            let before = before(name);
            quote!(let mut #name = #before;)
        });
        let types: Vec<&TokenStream> = results.iter().map(|(_, ty)| *ty).collect();
        let names: Vec<&Ident> = results.iter().map(|(name, _)| *name).collect();
        let (result, value) = match (types.as_slice(), names.as_slice()) {
            ([], _) => (self.result.as_ref().map(|ty| quote!(-> #ty)), None),
            ([ty], [name]) => (Some(quote!(-> #ty)), Some(quote!(#name))),
            _ => (Some(quote!(-> (#(#types),*))), Some(quote!((#(#names),*)))),
        };
        let (name, needed) = (&self.name, variables.needed);
        let arrays = self.given.iter();
        let arrays = arrays.filter(|own| matches!(own.kind, Kind::Array { .. }));
        let arrays: HashSet<String> = arrays.map(|own| own.name.to_string()).collect();
        let (facts, closures) = (&self.facts, &self.closures);
        let statements = borrowed_again(self.statements.clone(), &arrays);
        quote! {
            #needed
            #(#options)*
            pub fn #name #generics (#(#parameters),*) #result #clause {
                #facts
                #(#conditions)*
                #(#begun)*
                #closures
                #statements
                #value
            }
        }
    }

    /// Whether it has a value or assigns numbers, and not both; a text that returns where it likes assigns none.
    pub fn returns_one(&self) -> bool {
        let assigns = self.results().next().is_some();
        let mut names = HashSet::default();
        words(self.statements.clone(), &mut names);
        !assigns || (self.result.is_none() && !names.contains("return"))
    }

    /// Whether it reads elements of arrays that some tokens write.
    pub fn reads_of(&self, tokens: &TokenStream) -> bool {
        self.given.iter().any(|own| {
            let name = own.name.to_string();
            let array = matches!(own.kind, Kind::Array { .. });
            array
                && uses(self.statements.clone(), &name).read
                && uses(tokens.clone(), &name).assigned
        })
    }

    /// The numbers that it assigns, and their types.
    fn results(&self) -> impl Iterator<Item = (&Ident, &TokenStream)> {
        self.given.iter().filter_map(|own| match &own.kind {
            Kind::Number {
                ty,
                is_assigned: true,
            } => Some((&own.name, ty)),
            _ => None,
        })
    }

    /// What stands in the text instead of the loops.
    pub fn call(
        &self,
        variables: &Variables,
        written: &HashSet<String>,
        pays: Pays,
    ) -> TokenStream {
        let (name, isa) = (&self.name, format_ident!("{ISA}"));
        let turbofish = turbofish(&variables.item.sig.generics);
        let arguments = self.given.iter().map(|own| match &own.kind {
            Kind::Number { .. } => own.name.to_token_stream(),
            Kind::Condition => {
                let name = &own.name;
                quote!(::core::primitive::u8::from(#name))
            }
            Kind::Array { place, .. } => match own.is_changed(Some(written)) {
                true => quote!(&mut #place),
                false => quote!(&#place),
            },
        });
        let call = quote!(self::#name::__dispatch #turbofish (#isa, #(#arguments),*));
        let assigned: Vec<&Ident> = self.results().map(|(name, _)| name).collect();
        let call = match assigned.as_slice() {
            [] if self.result.is_some() => call,
            [] => quote!(#call;),
            [one] => quote!(#one = #call;),
            all => {
                let parts: Vec<Ident> = all.iter().map(|name| before(name)).collect();
                quote!(let (#(#parts),*) = #call; #(#all = #parts;)*)
            }
        };
        let statements = &self.statements;
        // As many in each loop as in the outermost one.
        let least = (pays.iterations as f64).powf(1.0 / pays.depth.max(1) as f64);
        let least = Literal::usize_unsuffixed(least.ceil() as usize);
        match &self.worth {
            Some(count) => quote!(if #count >= #least { #call } else { #statements }),
            None => quote!({ #call }),
        }
    }
}

impl Given {
    fn is_changed(&self, written: Option<&HashSet<String>>) -> bool {
        let may = matches!(
            self.kind,
            Kind::Array {
                may_change: true,
                ..
            }
        );
        may && written.is_none_or(|written| written.contains(&self.name.to_string()))
    }
}

/// The name of what a variable is before a nest, or after it.
fn before(name: &Ident) -> Ident {
    format_ident!("__{name}")
}

/// How many iterations the deepest of some loops has; where there are calls alone, how many elements the first array that they
/// are given. Nothing where that is not known of calls.
pub fn worth(
    loops: &[syn::Stmt],
    callable: &Callable,
    given: &[Given],
) -> Option<Option<TokenStream>> {
    let for_loops = loops.iter().filter_map(|own| match own {
        syn::Stmt::Expr(syn::Expr::ForLoop(of), _) => Some((callable.depth(own), of)),
        _ => None,
    });
    let Some((_, own)) = for_loops.max_by_key(|(depth, _)| *depth) else {
        let array = given.iter().find_map(|own| match &own.kind {
            Kind::Array { ty, .. }
                if matches!(ty.clone().into_iter().next(), Some(TokenTree::Group(_))) =>
            {
                Some(&own.name)
            }
            _ => None,
        })?;
        return Some(Some(quote!(#array.len())));
    };
    let values = &own.expr;
    Some(is_counted(values).then(|| {
        let values = quote!(::core::iter::IntoIterator::into_iter(#values));
        quote!(::core::iter::Iterator::size_hint(&#values).0)
    }))
}

/// Whether what a loop runs over may be made twice: a range, or what borrows arrays.
fn is_counted(values: &syn::Expr) -> bool {
    match strip(values) {
        syn::Expr::Range(range) => range.end.is_some(),
        syn::Expr::MethodCall(call) => {
            const BORROW: [&str; 6] = [
                "iter",
                "iter_mut",
                "windows",
                "chunks",
                "chunks_exact",
                "chunks_exact_mut",
            ];
            let borrows = BORROW.iter().any(|name| call.method == name);
            borrows || (is_counted(&call.receiver) && call.args.iter().all(is_counted_or_plain))
        }
        _ => false,
    }
}

/// Whether an argument may be made twice.
fn is_counted_or_plain(argument: &syn::Expr) -> bool {
    match strip(argument) {
        syn::Expr::Reference(own) => own.mutability.is_none(),
        syn::Expr::Lit(_) => true,
        other => is_counted(other),
    }
}
