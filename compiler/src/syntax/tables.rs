//! Constant tables: literals, constant arithmetic, `tabulate!`.

use proc_macro2::{Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream};

use super::Parsed;
use super::ast::{ScalarType, Table, TableId, Type};
use super::scope::{Entry, Reader};
use super::types::show;
use crate::diagnostics::{self, Fault};
use crate::elements::{self, Cell, Tabulated};
use crate::number::Number;

/// Entries that a table may have.
const LARGEST: usize = 1 << 24;

const FORMS: &str = "write `tabulate!(tetrahedron, quadrature(4), weights)`, `…, points)`, `…, lagrange(2))` or `…, lagrange(2), gradient)`; cells are interval, triangle, tetrahedron";

/// Evaluates the tokens inside `tabulate!(…)`.
///
/// # Errors
/// An unknown cell, rule or table.
pub fn tabulate(tokens: TokenStream, end: Span) -> Parsed<Tabulated> {
    let request: Request = parse_until(ungroup(tokens), end, Request::parse)
        .map_err(|e| Fault::new(e.span(), e.to_string(), FORMS))?;
    let Some(cell) = Cell::from_name(&request.cell.to_string()) else {
        return Err(Fault::on(
            &request.cell,
            format!("there is no cell `{}`", request.cell),
            FORMS,
        ));
    };
    let wrong_rule = elements::points_of(cell, request.quadrature).is_none();
    elements::tabulate(cell, request.quadrature, request.table).map_err(|e| {
        let degree = if wrong_rule {
            request.rule_degree
        } else {
            request.table_degree
        };
        Fault::new(degree, e, FORMS)
    })
}

struct Request {
    cell: Ident,
    quadrature: usize,
    /// Where the rule's degree stands.
    rule_degree: Span,
    table: elements::Table,
    /// Where the element's degree stands, or the table's name.
    table_degree: Span,
}

impl Parse for Request {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let cell: Ident = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let rule: Ident = input.parse()?;
        if rule != "quadrature" {
            return Err(syn::Error::new(
                rule.span(),
                "a quadrature rule was expected here",
            ));
        }
        let (quadrature, rule_degree) = degree(input)?;
        input.parse::<syn::Token![,]>()?;
        let what: Ident = input.parse()?;
        let mut table_degree = what.span();
        let table = match what.to_string().as_str() {
            "weights" => elements::Table::Weights,
            "points" => elements::Table::Points,
            "lagrange" => {
                let (degree, span) = degree(input)?;
                table_degree = span;
                if input.peek(syn::Token![,]) && !input.peek2(syn::parse::End) {
                    input.parse::<syn::Token![,]>()?;
                    let derivative: Ident = input.parse()?;
                    if derivative != "gradient" {
                        return Err(syn::Error::new(
                            derivative.span(),
                            "only `gradient` can follow an element",
                        ));
                    }
                    elements::Table::Gradient { degree }
                } else {
                    elements::Table::Values { degree }
                }
            }
            _ => {
                return Err(syn::Error::new(
                    what.span(),
                    format!("there is no table `{what}`"),
                ));
            }
        };
        let _: Option<syn::Token![,]> = input.parse()?;
        if input.is_empty() {
            Ok(Request {
                cell,
                quadrature,
                rule_degree,
                table,
                table_degree,
            })
        } else {
            Err(input.error("nothing more was expected here"))
        }
    }
}

fn degree(input: ParseStream) -> syn::Result<(usize, Span)> {
    let inside;
    syn::parenthesized!(inside in input);
    let refused = |span| syn::Error::new(span, "a degree was expected here: a small integer");
    let literal: syn::LitInt = inside.parse().map_err(|e: syn::Error| refused(e.span()))?;
    match literal.base10_parse() {
        Ok(degree) if inside.is_empty() => Ok((degree, literal.span())),
        _ => Err(refused(literal.span())),
    }
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

impl Reader<'_> {
    /// Reads a `static` or `const`; the tokens of its value for `reference`, where they differ.
    pub fn table(
        &mut self,
        name: &Ident,
        ty: &syn::Type,
        value: &syn::Expr,
    ) -> Parsed<Option<TokenStream>> {
        let table = self.evaluated(name, ty, value);
        if table.is_err() {
            self.declare_broken_name(name);
        }
        let (table, replaced) = table?;
        let id = TableId(self.tables.len());
        self.tables.push(table);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), Entry::Table(id));
        }
        Ok(replaced)
    }

    fn evaluated(
        &mut self,
        name: &Ident,
        ty: &syn::Type,
        value: &syn::Expr,
    ) -> Parsed<(Table, Option<TokenStream>)> {
        let read = self.ty(ty)?;
        let (element, shape) = shape(&read).ok_or_else(|| {
            Fault::on(
                ty,
                format!("`{name}` is no array of numbers"),
                "constants of a kernel are numbers and nested arrays of numbers",
            )
        })?;
        let mut replaced = None;
        let values = match value {
            syn::Expr::Macro(mac) if is_tabulate(&mac.mac) => {
                if matches!(element, ScalarType::Integer(_)) {
                    return Err(Fault::on(
                        ty,
                        "`tabulate!` gives floating-point numbers",
                        "make the elements `f64` or `f32`",
                    ));
                }
                let table = tabulate(mac.mac.tokens.clone(), diagnostics::Span::of(mac).end())?;
                if table.shape != shape {
                    let right = nested(&show(&Type::Scalar(element)), &table.shape);
                    return Err(Fault::on(
                        ty,
                        format!(
                            "`{name}` has the type `{}`, but this table has the shape {:?}",
                            show(&read),
                            table.shape
                        ),
                        format!("write `static {name}: {right}`"),
                    ));
                }
                replaced = Some(byte_string(&table.values, element));
                table.values
            }
            _ => {
                let size = shape
                    .iter()
                    .try_fold(1usize, |n, extent| n.checked_mul(*extent));
                if size.is_none_or(|n| n > LARGEST) {
                    return Err(Fault::on(
                        ty,
                        "this table is too large",
                        format!(
                            "tables have at most {LARGEST} entries; pass larger arrays as parameters"
                        ),
                    ));
                }
                self.constant(value, element, &shape)?
            }
        };
        let table = Table {
            name: name.clone(),
            shape,
            element,
            values,
        };
        Ok((table, replaced))
    }
}

/// Element type and extents of an array type.
fn shape(ty: &Type) -> Option<(ScalarType, Vec<usize>)> {
    let mut extents = Vec::new();
    let mut current = ty;
    loop {
        match current {
            Type::Array(element, n) => {
                extents.push(*n);
                current = element;
            }
            Type::Scalar(ScalarType::Generic | ScalarType::Bool) => return None,
            Type::Scalar(scalar) => return Some((*scalar, extents)),
            _ => return None,
        }
    }
}

/// How an array type is written.
pub fn nested(element: &str, shape: &[usize]) -> String {
    shape
        .iter()
        .rev()
        .fold(element.to_owned(), |inner, n| format!("[{inner}; {n}]"))
}

/// A table as one byte string, in the module of a kernel: a thousand literals cost the user's build
/// seconds.
fn byte_string(values: &[Number], element: ScalarType) -> TokenStream {
    let bytes: Vec<u8> = match element {
        ScalarType::F32 => values
            .iter()
            .flat_map(|v| (v.to_f64() as f32).to_le_bytes())
            .collect(),
        _ => values
            .iter()
            .flat_map(|v| v.to_f64().to_le_bytes())
            .collect(),
    };
    let bytes = Literal::byte_string(&bytes);
    quote!(*__loopwright::table(const { &__loopwright::Aligned(*#bytes) }))
}

/// A table as nested array literals.
pub fn table_tokens(
    values: &[Number],
    shape: &[usize],
    element: ScalarType,
    span: Span,
) -> TokenStream {
    let Some((n, inner)) = shape.split_first() else {
        return values
            .first()
            .map(|v| number_tokens(*v, element, span))
            .unwrap_or_default();
    };
    let size = values.len() / (*n).max(1);
    let parts = values
        .chunks(size.max(1))
        .map(|part| table_tokens(part, inner, element, span));
    quote!([#(#parts),*])
}

fn number_tokens(value: Number, element: ScalarType, span: Span) -> TokenStream {
    let value = value.to_f64();
    let mut literal = match element {
        ScalarType::F32 => Literal::f32_suffixed(value.abs() as f32),
        ScalarType::Integer(_) => Literal::i64_unsuffixed(value.abs() as i64),
        _ => Literal::f64_suffixed(value.abs()),
    };
    literal.set_span(span);
    let mut result = TokenStream::new();
    if value < 0.0 {
        result.extend([TokenTree::Punct(Punct::new('-', Spacing::Alone))]);
    }
    result.extend([TokenTree::Literal(literal)]);
    result
}
