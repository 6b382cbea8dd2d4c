//! Constant tables: literals, constant arithmetic, included files, and what `tabulate!` evaluates.

use std::rc::Rc;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::Parsed;
use super::ast::{Expression, ExpressionKind, ScalarType, Table, TableId, Type};
use super::composed;
use super::expressions::typed;
use super::include::{self, is_include};
use super::parts::reference;
use super::records::element_of_slice;
use super::scope::{Entry, Reader};
use super::statements::strip;
use super::tabulate::{Wanted, is_tabulate, tabulate};
use super::types::show;
use crate::diagnostics::{self, Fault, Span};
use crate::elements::MAX_ENTRIES;
use crate::number::Number;

/// Entries that an included table may have.
const LARGEST: usize = 1 << 24;

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

    /// What a name of a table stands for.
    pub(super) fn table_value(&self, id: TableId, span: Span) -> Expression {
        let table = &self.tables[id.0];
        let (row, extents) = match &table.tuples {
            Some(row) => (row.clone(), &table.shape[..table.shape.len() - 1]),
            None => (Type::Scalar(table.element), &table.shape[..]),
        };
        let ty = extents
            .iter()
            .rev()
            .fold(row, |inner, n| Type::Array(Box::new(inner), *n));
        if table.shape.is_empty() {
            let value = table.values[0];
            let kind = match table.element {
                ScalarType::Integer(_) => ExpressionKind::Integer(value.to_integer()),
                _ => ExpressionKind::Float(value),
            };
            return typed(kind, ty, span);
        }
        let value = typed(ExpressionKind::Table(id), ty, span);
        match table.reference {
            true => reference(value, false),
            false => value,
        }
    }

    /// A table, and the tokens of its value for `reference`, where they differ.
    pub(super) fn evaluated(
        &mut self,
        name: &Ident,
        ty: &syn::Type,
        value: &syn::Expr,
    ) -> Parsed<(Table, Option<TokenStream>)> {
        let (read, value, reference) = behind_reference(self.ty(ty)?, value);
        let (element, shape, tuples) = shape(&read).ok_or_else(|| {
            Fault::beyond(
                ty,
                format!("`{name}` is no array of numbers"),
                "constants of a kernel are numbers, nested arrays of numbers or of tuples of numbers of one type, and references to these",
            )
        })?;
        if let (Some(_), syn::Expr::Macro(mac)) = (&tuples, value) {
            return Err(Fault::beyond(
                mac,
                "a table of tuples that is not written here",
                "write its values, or make it a table of arrays",
            ));
        }
        let mut replaced = None;
        let mut product = None;
        let values = match value {
            syn::Expr::Macro(mac) if is_tabulate(&mac.mac) => {
                if matches!(element, ScalarType::Integer(_)) {
                    return Err(Fault::on(
                        ty,
                        "`tabulate!` gives floating-point numbers",
                        "make the elements `f64` or `f32`",
                    ));
                }
                let wanted = Wanted {
                    shape: Some(&shape),
                    most: self.left(),
                };
                let end = diagnostics::Span::of(mac).end();
                let table = tabulate(mac.mac.tokens.clone(), end, wanted)?;
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
                product = table.product.map(Rc::new);
                table.values
            }
            syn::Expr::Macro(mac) if is_include(&mac.mac) => {
                bounded(ty, &shape, LARGEST)?;
                let text = include::read(&mac.mac)?;
                let values = self.constant(&text, element, &shape);
                let values = values.map_err(|fault| include::at(&mac.mac, fault))?;
                if !shape.is_empty() && !matches!(element, ScalarType::Integer(_)) {
                    let (tracked, table) =
                        (include::tracked(&mac.mac), byte_string(&values, element));
                    replaced = Some(quote!({ #tracked #table }));
                }
                values
            }
            _ => {
                bounded(ty, &shape, self.left())?;
                self.constant(value, element, &shape)?
            }
        };
        let table = Table {
            name: name.clone(),
            shape,
            element,
            values,
            tabulated: matches!(value, syn::Expr::Macro(mac) if is_tabulate(&mac.mac)),
            product,
            reference,
            tuples,
        };
        Ok((table, replaced))
    }

    /// Entries that the tables of the block may still have: a short text can say many of them.
    fn left(&self) -> usize {
        let entries = self.tables.iter().map(|table| table.values.len());
        MAX_ENTRIES.saturating_sub(entries.sum())
    }
}

/// Refuses tables that are too large.
fn bounded(ty: &syn::Type, shape: &[usize], most: usize) -> Parsed<()> {
    let mut extents = shape.iter();
    let size = extents.try_fold(1usize, |n, extent| n.checked_mul(*extent));
    match size {
        Some(size) if size <= most => Ok(()),
        _ => Err(Fault::on(
            ty,
            "this table is too large",
            format!(
                "those of a block have at most {MAX_ENTRIES} entries together, included ones {LARGEST} each; pass larger arrays as parameters"
            ),
        )),
    }
}

/// What a constant that is a reference leads to, type and value: `&[f64]` has as many elements as are written.
fn behind_reference(ty: Type, value: &syn::Expr) -> (Type, &syn::Expr, bool) {
    let Type::Reference(inner, false) = ty else {
        return (ty, value, false);
    };
    let value = match strip(value) {
        syn::Expr::Reference(reference) => strip(&reference.expr),
        other => other,
    };
    let inner = match (*inner, written(value)) {
        (Type::Slice(element), Some(length)) => Type::Array(element, length),
        (inner, _) => inner,
    };
    (inner, value, true)
}

/// How many elements an array has that is written one by one.
fn written(value: &syn::Expr) -> Option<usize> {
    match value {
        syn::Expr::Array(array) => Some(array.elems.len()),
        other => composed::byte_string(other).map(|bytes| bytes.len()),
    }
}

/// Element type and extents of an array type, and the type of its rows where these are tuples.
fn shape(ty: &Type) -> Option<(ScalarType, Vec<usize>, Option<Type>)> {
    let mut extents = Vec::new();
    let mut current = ty;
    loop {
        match current {
            Type::Array(element, n) => {
                extents.push(*n);
                current = element;
            }
            Type::Scalar(ScalarType::Generic | ScalarType::Bool) => return None,
            Type::Scalar(scalar) => return Some((*scalar, extents, None)),
            Type::Tuple(_) | Type::Record(_) if !extents.is_empty() => {
                let row = element_of_slice(current.clone());
                let Type::Record(record) = &row else {
                    return None;
                };
                if !record.tuple {
                    return None;
                }
                extents.push(record.size);
                return Some((record.element, extents, Some(row)));
            }
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

/// A table in the module of a kernel.
fn byte_string(values: &[Number], element: ScalarType) -> TokenStream {
    let aligned = aligned_bytes(&quote!(__loopwright), values, element);
    quote!(*__loopwright::table(#aligned))
}

/// A table of `f64`s anywhere, as an expression that has its type whatever is around it.
pub fn expression(krate: &TokenStream, values: &[Number], shape: &[usize]) -> TokenStream {
    let private = quote!(#krate::__private);
    let aligned = aligned_bytes(&private, values, ScalarType::F64);
    let number = quote!(::core::primitive::f64);
    let array = shape
        .iter()
        .rev()
        .map(|&n| Literal::usize_suffixed(n))
        .fold(number, |inner, n| quote!([#inner; #n]));
    quote!(*#private::table::<#array, _>(#aligned))
}

/// The entries as one byte string: a thousand literals cost the user's build seconds.
fn aligned_bytes(private: &TokenStream, values: &[Number], element: ScalarType) -> TokenStream {
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
    quote!(const { &#private::Aligned(*#bytes) })
}
