//! Constant tables: literals, constant arithmetic, and what `tabulate!` evaluates.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::spanned::Spanned;

use super::Parsed;
use super::ast::{ScalarType, Table, TableId, Type};
use super::scope::{Entry, Reader};
use super::tabulate::{is_tabulate, tabulate};
use super::types::show;
use crate::diagnostics::Fault;
use crate::number::Number;

impl Reader<'_> {
    /// Reads a `static` or `const`; the tokens of its value for `reference`, where they differ.
    pub fn table(
        &mut self,
        name: &Ident,
        ty: &syn::Type,
        value: &syn::Expr,
    ) -> Parsed<Option<TokenStream>> {
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
                let table = tabulate(mac.mac.tokens.clone(), mac.span())?;
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
                let values = self.constant(value, element)?;
                let expected: usize = shape.iter().product();
                if values.len() != expected {
                    return Err(Fault::on(
                        ty,
                        format!(
                            "`{name}` has {} values, but its type `{}` holds {expected}",
                            values.len(),
                            show(&read)
                        ),
                        "give the type the shape of the values",
                    ));
                }
                values
            }
        };
        let id = TableId(self.tables.len());
        self.tables.push(Table {
            name: name.clone(),
            shape,
            element,
            values,
        });
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), Entry::Table(id));
        }
        Ok(replaced)
    }

    /// The values of a constant expression, row-major, rounded as `element` rounds.
    pub fn constant(&mut self, expr: &syn::Expr, element: ScalarType) -> Parsed<Vec<Number>> {
        let refuse = |message: &str| {
            Err(Fault::on(
                expr,
                message,
                "constants are literals, arithmetic on constants of this block, arrays of them, and `tabulate!`",
            ))
        };
        match expr {
            syn::Expr::Group(group) => self.constant(&group.expr, element),
            syn::Expr::Paren(paren) => self.constant(&paren.expr, element),
            syn::Expr::Lit(literal) => match &literal.lit {
                syn::Lit::Float(float) => match rounded(float.base10_digits(), element) {
                    Some(number) => Ok(vec![number]),
                    None => refuse("this number is too large"),
                },
                syn::Lit::Int(int) => match int.base10_parse::<i64>() {
                    Ok(value) => Ok(vec![Number::from_i64(value)]),
                    Err(_) => refuse("this integer is too large"),
                },
                _ => refuse("this is no number"),
            },
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => Ok(self
                .constant(&unary.expr, element)?
                .into_iter()
                .map(|v| -v)
                .collect()),
            syn::Expr::Binary(binary) => {
                let l = self.constant(&binary.left, element)?;
                let r = self.constant(&binary.right, element)?;
                let ([l], [r]) = (l.as_slice(), r.as_slice()) else {
                    return refuse("arithmetic on whole arrays");
                };
                // Rust rounds each operation on constants; so do we. An `f32` operation is the `f64`
                // one rounded once more: a double has more than twice the digits.
                let (a, b) = (l.to_f64(), r.to_f64());
                let value = match binary.op {
                    syn::BinOp::Add(_) => a + b,
                    syn::BinOp::Sub(_) => a - b,
                    syn::BinOp::Mul(_) => a * b,
                    syn::BinOp::Div(_) if is_integer(&binary.left) && is_integer(&binary.right) => {
                        if b == 0.0 {
                            return refuse("a division by zero");
                        }
                        (a / b).trunc()
                    }
                    syn::BinOp::Div(_) => a / b,
                    _ => return refuse("this operator has no meaning in a constant"),
                };
                let value = match element {
                    ScalarType::F32 => f64::from(value as f32),
                    _ => value,
                };
                if value.is_finite() {
                    Ok(vec![Number::from_f64(value)])
                } else {
                    refuse("this constant is not finite")
                }
            }
            syn::Expr::Array(array) => {
                let mut result = Vec::new();
                for entry in &array.elems {
                    result.extend(self.constant(entry, element)?);
                }
                Ok(result)
            }
            syn::Expr::Repeat(repeat) => {
                let entry = self.constant(&repeat.expr, element)?;
                let n = self.length(&repeat.len)?;
                if entry.len().saturating_mul(n) > 1 << 24 {
                    return refuse("this table is too large");
                }
                Ok(entry.repeat(n))
            }
            syn::Expr::Path(path) => match path
                .path
                .get_ident()
                .and_then(|i| self.find(&i.to_string()))
            {
                Some(Entry::Table(id)) => Ok(self.tables[id.0].values.clone()),
                Some(Entry::Wrong) => Err(Fault::consequence()),
                _ => refuse("this constant is not one of this block"),
            },
            syn::Expr::Macro(mac) if is_tabulate(&mac.mac) => {
                refuse("`tabulate!` must be the whole value of a `static` or `const`")
            }
            _ => refuse("this is no constant that a kernel can evaluate"),
        }
    }
}

/// A decimal literal as its type reads it: the nearest number, where that is finite.
fn rounded(digits: &str, element: ScalarType) -> Option<Number> {
    let value = match element {
        ScalarType::F32 => f64::from(digits.parse::<f32>().ok()?),
        _ => digits.parse().ok()?,
    };
    value.is_finite().then(|| Number::from_f64(value))
}

fn is_integer(expr: &syn::Expr) -> bool {
    matches!(expr, syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::Int(_)))
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

fn nested(element: &str, shape: &[usize]) -> String {
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
