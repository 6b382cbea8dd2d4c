//! The request inside `tabulate!(…)`.
//!
//! Its grammar is a list of terms, `name` or `name(argument, …)` with terms and numbers as
//! arguments, so that a word that is wrong is an error on itself, whatever stands around it.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;

use super::Parsed;
use crate::diagnostics::Fault;
use crate::elements::{
    self, Cell, Derivative, Element, Family, Part, Quadrature, Table, Tabulated,
};

const FORMS: &str = "write `tabulate!(CELL, quadrature(DEGREE), WHAT)`, for example `tabulate!(tetrahedron, quadrature(4), lagrange(2), gradient)`";
const CELLS: &str = "cells are interval, triangle, tetrahedron, quadrilateral and hexahedron";
const RULES: &str = "write `quadrature(4)`, `quadrature(4, gauss_jacobi)` or `quadrature(4, symmetric)`; the number is the degree of exactness";
const TABLES: &str = "write `weights`, `points`, `lagrange(2)`, `vector(lagrange(2))` or `mixed(vector(lagrange(2)), lagrange(1))`; elements can be followed by `gradient` or `hessian`";
const VECTORS: &str =
    "write `vector(lagrange(2))`, or `vector(lagrange(2), 2)` for two components on any cell";

const MIXED: &str = "write `mixed(vector(lagrange(2)), lagrange(1))`: elements `lagrange(DEGREE)` and `vector(lagrange(DEGREE))`, as many as you like";

/// What a mixed element is called.
const MIXED_NAME: &str = "mixed";

/// What is asked of a table.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Its shape; a table of another one is not evaluated, it has no values.
    pub shape: Option<&'a [usize]>,
    /// The most entries.
    pub most: usize,
}

/// Evaluates the tokens inside `tabulate!(…)`; `end` is where what is missing is missed.
///
/// # Errors
/// An unknown cell, rule or table, or one of too many entries.
pub fn tabulate(tokens: TokenStream, end: Span, wanted: Wanted) -> Parsed<Tabulated> {
    let List(terms) = parse_until(ungroup(tokens), end, List::parse)
        .map_err(|e| Fault::new(e.span(), e.to_string(), FORMS))?;
    let [cell, rule, what, rest @ ..] = terms.as_slice() else {
        return Err(Fault::new(
            end,
            "a cell, a rule and a table are expected",
            FORMS,
        ));
    };
    let derivative = match rest {
        [] => None,
        [derivative] => Some(derivative),
        [_, more, ..] => {
            return Err(Fault::new(
                more.name.span(),
                "nothing more is expected here",
                FORMS,
            ));
        }
    };
    let cell = read_cell(cell)?;
    let quadrature = read_rule(rule)?;
    let table = read_table(what, derivative, cell)?;
    let evaluated = || {
        let shape = elements::shape(cell, quadrature, &table, wanted.most)?;
        match wanted.shape.is_some_and(|wanted| wanted != shape) {
            true => Ok(Tabulated {
                shape,
                values: Vec::new(),
                product: None,
            }),
            false => elements::tabulate(cell, quadrature, table.clone()),
        }
    };
    evaluated().map_err(|refusal| {
        let at = match refusal.part {
            Part::Quadrature => rule,
            Part::Element(position) => match what.arguments.get(position) {
                Some(Argument::Term(member)) if what.name == MIXED_NAME => member,
                _ => what,
            },
            Part::Whole => return Fault::new(end, refusal.message, refusal.help),
        };
        Fault::new(at.end(), refusal.message, refusal.help)
    })
}

/// A name, and what stands in parentheses behind it.
struct Term {
    name: Ident,
    arguments: Vec<Argument>,
}

enum Argument {
    Number(syn::LitInt),
    Term(Term),
}

struct List(Vec<Term>);

impl Parse for List {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let terms = Punctuated::<Term, syn::Token![,]>::parse_terminated(input)?;
        Ok(List(terms.into_iter().collect()))
    }
}

impl Parse for Term {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.parse()?;
        let mut arguments = Vec::new();
        if input.peek(syn::token::Paren) {
            let inside;
            syn::parenthesized!(inside in input);
            let list = Punctuated::<Argument, syn::Token![,]>::parse_terminated(&inside)?;
            arguments.extend(list);
        }
        Ok(Term { name, arguments })
    }
}

impl Parse for Argument {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if input.peek(syn::LitInt) {
            input.parse().map(Argument::Number)
        } else {
            input.parse().map(Argument::Term)
        }
    }
}

impl Term {
    /// The word that this is, if it has no arguments.
    fn word(&self) -> Option<String> {
        self.arguments.is_empty().then(|| self.name.to_string())
    }

    /// The span of the last argument, or of the name.
    fn end(&self) -> Span {
        match self.arguments.last() {
            None => self.name.span(),
            Some(Argument::Number(number)) => number.span(),
            Some(Argument::Term(term)) => term.end(),
        }
    }

    fn fault(&self, message: String, help: &str) -> Fault {
        Fault::new(self.name.span(), message, help)
    }
}

fn read_cell(term: &Term) -> Parsed<Cell> {
    let cell = term.word().and_then(|word| Cell::from_name(&word));
    cell.ok_or_else(|| term.fault(format!("there is no cell `{}`", term.name), CELLS))
}

fn read_rule(term: &Term) -> Parsed<Quadrature> {
    let (degree, family) = match term.arguments.as_slice() {
        _ if term.name != "quadrature" => {
            return Err(term.fault("a quadrature rule is expected here".to_owned(), RULES));
        }
        [Argument::Number(degree)] => (degree, Family::Preferred),
        [Argument::Number(degree), Argument::Term(family)] => {
            let known = match family.word().as_deref() {
                Some("gauss_jacobi") => Family::GaussJacobi,
                Some("symmetric") => Family::Symmetric,
                _ => {
                    let message = format!("there are no rules `{}`", family.name);
                    return Err(family.fault(message, RULES));
                }
            };
            (degree, known)
        }
        _ => return Err(term.fault("a rule needs its degree".to_owned(), RULES)),
    };
    Ok(Quadrature {
        degree: number(degree)?,
        family,
    })
}

fn read_table(what: &Term, derivative: Option<&Term>, cell: Cell) -> Parsed<Table> {
    let name = what.name.to_string();
    let table = match name.as_str() {
        "weights" if what.arguments.is_empty() => Table::Weights,
        "points" if what.arguments.is_empty() => Table::Points,
        "lagrange" | "vector" => Table::Basis(read_element(what, cell)?, Derivative::Values),
        MIXED_NAME => Table::Mixed(read_mixed(what, cell)?, Derivative::Values),
        "weights" | "points" => {
            return Err(what.fault(format!("`{name}` takes no arguments"), TABLES));
        }
        _ => return Err(what.fault(format!("there is no table `{name}`"), TABLES)),
    };
    let Some(derivative) = derivative else {
        return Ok(table);
    };
    let order = match derivative.word().as_deref() {
        Some("gradient") => Ok(Derivative::Gradient),
        Some("hessian") => Ok(Derivative::Hessian),
        _ => {
            let message = "only `gradient` or `hessian` can follow an element";
            Err(derivative.fault(message.to_owned(), TABLES))
        }
    };
    match table {
        Table::Basis(element, _) => Ok(Table::Basis(element, order?)),
        Table::Mixed(elements, _) => Ok(Table::Mixed(elements, order?)),
        Table::Weights | Table::Points => {
            Err(derivative.fault(format!("`{name}` have no derivatives"), TABLES))
        }
    }
}

/// The elements of `mixed(ELEMENT, …)`.
fn read_mixed(term: &Term, cell: Cell) -> Parsed<Vec<Element>> {
    if term.arguments.is_empty() {
        return Err(term.fault("a mixed element of what?".to_owned(), MIXED));
    }
    let member = |argument: &Argument| match argument {
        Argument::Term(member) if member.name == "lagrange" || member.name == "vector" => {
            read_element(member, cell)
        }
        Argument::Term(other) => {
            Err(other.fault(format!("there is no element `{}`", other.name), MIXED))
        }
        Argument::Number(number) => Err(Fault::new(
            number.span(),
            "an element is expected here",
            MIXED,
        )),
    };
    term.arguments.iter().map(member).collect()
}

/// The element `lagrange(n)`, or a vector.
fn read_element(term: &Term, cell: Cell) -> Parsed<Element> {
    if term.name == "vector" {
        return read_vector(term, cell);
    }
    Ok(Element {
        degree: lagrange_degree(term)?,
        components: None,
    })
}

/// The element `vector(lagrange(n))` or `vector(lagrange(n), m)`.
fn read_vector(term: &Term, cell: Cell) -> Parsed<Element> {
    let (scalar, components) = match term.arguments.as_slice() {
        [Argument::Term(scalar)] => (scalar, cell.dimension()),
        [Argument::Term(scalar), Argument::Number(components)] => (scalar, number(components)?),
        _ => return Err(term.fault("a vector of what?".to_owned(), VECTORS)),
    };
    if scalar.name != "lagrange" {
        return Err(scalar.fault(format!("there is no element `{}`", scalar.name), VECTORS));
    }
    Ok(Element {
        degree: lagrange_degree(scalar)?,
        components: Some(components),
    })
}

fn lagrange_degree(term: &Term) -> Parsed<usize> {
    match term.arguments.as_slice() {
        [Argument::Number(degree)] => number(degree),
        _ => Err(term.fault("an element needs its degree".to_owned(), TABLES)),
    }
}

fn number(literal: &syn::LitInt) -> Parsed<usize> {
    let parsed = literal.base10_parse();
    let refused = "a small integer is expected here";
    parsed.map_err(|_| Fault::new(literal.span(), refused, RULES))
}

/// Parses tokens; what is missing after the last of them is missed at `end`.
pub fn parse_until<T>(
    tokens: TokenStream,
    end: Span,
    parser: impl FnOnce(ParseStream) -> syn::Result<T>,
) -> syn::Result<T> {
    let mut group = proc_macro2::Group::new(proc_macro2::Delimiter::Parenthesis, tokens);
    group.set_span(end);
    let inside_group = |input: ParseStream| {
        let inside;
        syn::parenthesized!(inside in input);
        parser(&inside)
    };
    syn::parse::Parser::parse2(inside_group, TokenTree::Group(group).into())
}

/// Tokens without invisible groups, which literals that pass through `macro_rules!` arrive in.
pub fn ungroup(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .flat_map(|tree| match tree {
            TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::None => {
                ungroup(group.stream())
            }
            TokenTree::Group(group) => {
                let mut inner = proc_macro2::Group::new(group.delimiter(), ungroup(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner).into()
            }
            other => other.into(),
        })
        .collect()
}

/// Whether a macro is `tabulate!`.
pub fn is_tabulate(mac: &syn::Macro) -> bool {
    mac.path
        .segments
        .last()
        .is_some_and(|s| s.ident == "tabulate")
}
