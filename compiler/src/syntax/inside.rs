//! A text that knows that its subscripts are inside, for where its inspector found them so.
//!
//! What runs as written checks each subscript again, although its inspector, or a survey of ranges, has just found that none is
//! outside: in loops over the entries of sparse rows that is a third of the time. So the text stands there
//! once more, where subscripts of parameters tell the compiler what is known of them:
//!
//! ```text
//! y[i] += values[k] * x[columns[k]]
//! y[inside(i, y.len())] += values[inside(k, values.len())] * x[inside(columns[inside(k, …)], x.len())]
//! ```
//!
//! That is all that differs. Only parameters that are slices or arrays are looked at, where the text gives their names to nothing
//! else, so that a name that is subscripted is the parameter, and not in calls of macros, whose tokens may be no expressions.

use crate::collections::HashSet;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::ast::{Function, Parameter};
use super::verbatim::words;

/// How many rows or entries there are, as a type says.
enum Length {
    Slice { mutable: bool },
    Array(TokenStream),
}

/// A parameter, and the lengths of it and of its rows, from the outside, as far as its type says them.
struct Subscripted {
    name: String,
    lengths: Vec<Length>,
}

/// The body of a text where all that it subscripts is inside; nothing where it would be the same.
pub fn inside(krate: &TokenStream, function: &Function) -> Option<TokenStream> {
    let mut told = Told {
        krate,
        parameters: subscripted(function),
        any: false,
    };
    let body = told.tokens(function.body_tokens.clone());
    told.any.then_some(body)
}

/// The parameters whose subscripts are looked at.
fn subscripted(function: &Function) -> Vec<Subscripted> {
    let mut bound = HashSet::default();
    names(function.body_tokens.clone(), &mut bound);
    let own = |parameter: &&Parameter| parameter.given.is_none();
    let parameters = function.parameters.iter().filter(own).filter_map(|own| {
        let name = &function.variables[own.variable.0].name;
        let input = function.inputs.iter().find(|input| input.name == *name)?;
        let ty = syn::parse2::<syn::Type>(input.type_tokens.clone()).ok()?;
        let (name, lengths) = (name.to_string(), lengths(&ty));
        let own = !bound.contains(&name) && !lengths.is_empty();
        own.then_some(Subscripted { name, lengths })
    });
    parameters.collect()
}

/// The names that patterns and items of a text give, and maybe others: of `let`, `for`, closures and arms, tables and functions.
/// Those of parts of arrays are no variables, so that only the tokens tell.
fn names(tokens: TokenStream, into: &mut HashSet<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let sign =
        |at: usize, of: char| matches!(&trees[at], TokenTree::Punct(own) if own.as_char() == of);
    let word = |at: usize, of: &str| matches!(&trees[at], TokenTree::Ident(own) if own == of);
    let find = |from: usize, ends: &dyn Fn(usize) -> bool| (from..trees.len()).find(|at| ends(*at));
    let braces = |at: usize| matches!(&trees[at], TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let item = |at: usize| {
        ["static", "const", "fn", "use"]
            .into_iter()
            .any(|own| word(at, own))
    };
    for at in 0..trees.len() {
        let pattern = if word(at, "let") {
            at..find(at, &|at| sign(at, '=') || sign(at, ';')).unwrap_or(trees.len())
        } else if item(at) {
            // To the value, or with the body, whose names are its own.
            let ends = |at: usize| sign(at, '=') || sign(at, ';') || braces(at);
            at..find(at + 1, &ends).map_or(trees.len(), |end| end + 1)
        } else if word(at, "for") {
            at..find(at, &|at| word(at, "in")).unwrap_or(at)
        } else if sign(at, '|') {
            at..find(at + 1, &|at| sign(at, '|')).unwrap_or(at)
        } else if sign(at, '>') && at > 0 && sign(at - 1, '=') {
            let before = (0..at).rev().find(|at| sign(*at, ','));
            before.unwrap_or(0)..at
        } else {
            at..at
        };
        words(trees[pattern].iter().cloned().collect(), into);
    }
    for tree in trees {
        if let TokenTree::Group(group) = tree {
            names(group.stream(), into);
        }
    }
}

/// The lengths that a type says; a slice has one behind the reference that a parameter is, alone.
fn lengths(ty: &syn::Type) -> Vec<Length> {
    let (mut ty, mut lengths) = (ty, Vec::new());
    if let syn::Type::Reference(reference) = ty {
        ty = &reference.elem;
        if let syn::Type::Slice(slice) = ty {
            lengths.push(Length::Slice {
                mutable: reference.mutability.is_some(),
            });
            ty = &slice.elem;
        }
    }
    while let syn::Type::Array(array) = ty {
        lengths.push(Length::Array(array.len.to_token_stream()));
        ty = &array.elem;
    }
    lengths
}

/// Tokens of which subscripts are told what they are below.
struct Told<'a> {
    krate: &'a TokenStream,
    parameters: Vec<Subscripted>,
    any: bool,
}

impl Told<'_> {
    fn tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let mut all = tokens.into_iter().peekable();
        let (mut out, mut before) = (Vec::<TokenTree>::new(), [None, None]);
        while let Some(tree) = all.next() {
            let named = match &tree {
                TokenTree::Ident(name) if !is_member(&before) => self.parameter(name),
                _ => None,
            };
            let macros = before == [Some('i'), Some('!')];
            before = [before[1], Some(kind(&tree))];
            match (tree, named) {
                (TokenTree::Ident(name), Some(parameter)) => {
                    out.push(name.clone().into());
                    for axis in 0..self.parameters[parameter].lengths.len() {
                        let next = all.next_if(is_subscript);
                        let Some(TokenTree::Group(group)) = next else {
                            break;
                        };
                        before = [None, None];
                        out.push(self.subscript(&name, group, (parameter, axis)));
                    }
                }
                (TokenTree::Group(group), _) if !macros => {
                    let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inner.set_span(group.span());
                    out.push(inner.into());
                }
                (other, _) => out.push(other),
            }
        }
        TokenStream::from_iter(out)
    }

    fn parameter(&self, name: &Ident) -> Option<usize> {
        let parameters = self.parameters.iter();
        parameters
            .enumerate()
            .find_map(|(at, parameter)| (*name == parameter.name).then_some(at))
    }

    /// A subscript along an axis of a parameter, which is below the length.
    fn subscript(
        &mut self,
        name: &Ident,
        group: Group,
        (parameter, axis): (usize, usize),
    ) -> TokenTree {
        let (krate, at) = (self.krate, self.tokens(group.stream()));
        let length = match &self.parameters[parameter].lengths[axis] {
            // The part of a slice is borrowed before it is known which one.
            Length::Slice { mutable: true } if is_range(&group) => None,
            Length::Slice { .. } => Some(quote!(<[_]>::len(&*#name))),
            Length::Array(length) => Some(quote!({ #length })),
        };
        self.any |= length.is_some();
        let told = match length {
            None => at,
            Some(length) => quote! {
                match #at {
                    // SAFETY: the inspector found it inside.
                    __at => unsafe { #krate::__private::inside::Subscript::inside(__at, #length) },
                }
            },
        };
        let mut told = Group::new(Delimiter::Bracket, told);
        told.set_span(group.span());
        told.into()
    }
}

/// Whether a subscript is a range as it stands there.
fn is_range(group: &Group) -> bool {
    let kinds: Vec<char> = group.stream().into_iter().map(|tree| kind(&tree)).collect();
    kinds.windows(2).any(|pair| pair == ['.', '.'])
}

fn is_subscript(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket)
}

/// What a token is, as far as it matters for what follows it: any name, or the sign that it is.
fn kind(tree: &TokenTree) -> char {
    match tree {
        TokenTree::Ident(_) => 'i',
        TokenTree::Punct(sign) => sign.as_char(),
        TokenTree::Group(_) | TokenTree::Literal(_) => ' ',
    }
}

/// Whether a name follows that is a field, a method, or a part of a path: after one dot, of which a range has two, or colons.
fn is_member(before: &[Option<char>; 2]) -> bool {
    match before {
        [first, Some('.')] => *first != Some('.'),
        [first, Some(':')] => *first == Some(':'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arrays `x` of rows, `y` and `k`.
    fn told(body: &str) -> String {
        let lengths = |ty: &str| lengths(&syn::parse_str(ty).expect("this is a type"));
        let named = [
            ("x", "&[[f64; 3]]"),
            ("y", "&mut [f64]"),
            ("k", "[usize; N]"),
        ];
        let parameters = named.map(|(name, ty)| Subscripted {
            name: name.to_owned(),
            lengths: lengths(ty),
        });
        let krate = TokenStream::new();
        let mut told = Told {
            krate: &krate,
            parameters: parameters.into(),
            any: false,
        };
        let text = told.tokens(body.parse().expect("these are tokens"));
        let text = text.to_string().replace(' ', "");
        let begin = "matchI{__at=>unsafe{::__private::inside::Subscript::inside(__at,";
        let begins: Vec<&str> = begin.split('I').collect();
        assert_eq!(told.any, text.contains(begins[1]), "{text}");
        text.replace(begins[1], "<")
            .replace("<[_]>::len(&*x)", "x.len")
            .replace("<[_]>::len(&*y)", "y.len")
            .replace(")},}", ">")
            .replace("match", "")
    }

    #[test]
    fn subscripts_of_parameters_are_told_their_lengths() {
        assert_eq!(told("y[i] += 1.0;"), "y[i<y.len>]+=1.0;");
        assert_eq!(told("x[k[i]][1]"), "x[k[i<{N}>]<x.len>][1<{3}>]");
        assert_eq!(told("0..k[i] .. k[i + 1]"), "0..k[i<{N}>]..k[i+1<{N}>]");
        assert_eq!(told("&x[a..b]"), "&x[a..b<x.len>]");
        assert_eq!(told("&mut y[a..k[0]]"), "&muty[a..k[0<{N}>]]");
    }

    #[test]
    fn names_that_patterns_give_are_found() {
        for text in [
            "let mut x = &y[1..];",
            "for (i, [x, _]) in y {}",
            "y.map(|&x| x[0])",
            "{ if let Some(x) = y {} }",
            "match y { 0 | 1 => 2, x => 3 }",
            "match y { x if x > 0 => 3 }",
            "static x: [f64; 2] = [1.0, 2.0];",
            "{ const x: &[f64] = &[1.0]; }",
            "fn f(x: &[f64; 3]) -> f64 { x[0] }",
            "use m::{x, z};",
        ] {
            let mut found = HashSet::default();
            names(text.parse().expect("these are tokens"), &mut found);
            assert!(found.contains("x"), "{text}");
        }
        let mut found = HashSet::default();
        let text = "let z = x[0] | k[1]; for i in x { y[i] = f(x, k) * x[i]; }";
        names(text.parse().expect("these are tokens"), &mut found);
        assert!(
            !["x", "y", "k"].iter().any(|name| found.contains(*name)),
            "{found:?}"
        );
    }

    #[test]
    fn what_is_no_subscript_of_a_parameter_stays() {
        for text in [
            "z[i]",
            "p.x[i]",
            "m::y[i]",
            "assert!(y[i]>0)",
            "[y,k]",
            "y.len()",
        ] {
            assert_eq!(told(text), text);
        }
        // Beyond what the type says.
        assert_eq!(told("x[i][j][l]"), "x[i<x.len>][j<{3}>][l]");
    }
}
