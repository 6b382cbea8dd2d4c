//! Types of the subset.

use syn::spanned::Spanned;

use super::Parsed;
use super::ast::{IntegerType, ScalarType, Type};
use super::scope::Reader;
use crate::diagnostics::Fault;

const HELP: &str = "kernels use `f64`, `f32`, integers, a type parameter `T: Scalar`, nested arrays `[[f64; N]; M]`, slices `&[…]`, `&BlockSparseTable<f64, Q, N>`, references and tuples";

impl Reader<'_> {
    /// Reads a type.
    pub fn ty(&mut self, ty: &syn::Type) -> Parsed<Type> {
        match ty {
            syn::Type::Group(group) => self.ty(&group.elem),
            syn::Type::Paren(paren) => self.ty(&paren.elem),
            syn::Type::Path(path) if path.qself.is_none() => {
                let Some(ident) = path.path.get_ident() else {
                    return Err(Fault::on(ty, "this type has no meaning in a kernel", HELP));
                };
                match self.scalar_name(&ident.to_string()) {
                    Some(scalar) => Ok(Type::Scalar(scalar)),
                    None => Err(Fault::on(
                        ty,
                        format!("the type `{ident}` has no meaning in a kernel"),
                        HELP,
                    )),
                }
            }
            syn::Type::Array(array) => {
                let element = self.ty(&array.elem)?;
                let length = self.length(&array.len)?;
                Ok(Type::Array(Box::new(element), length))
            }
            syn::Type::Slice(slice) => Ok(Type::Slice(Box::new(self.ty(&slice.elem)?))),
            syn::Type::Reference(reference) => {
                if let Some(arguments) = block_sparse(&reference.elem) {
                    if reference.mutability.is_some() {
                        return Err(Fault::on(
                            ty,
                            "a `BlockSparseTable` cannot be written to",
                            "its blocks would not follow; take `&BlockSparseTable<…>`",
                        ));
                    }
                    let dense = self.dense(&reference.elem, arguments)?;
                    return Ok(Type::Reference(Box::new(dense), false));
                }
                let inner = self.ty(&reference.elem)?;
                Ok(Type::Reference(
                    Box::new(inner),
                    reference.mutability.is_some(),
                ))
            }
            syn::Type::Tuple(tuple) => tuple
                .elems
                .iter()
                .map(|e| self.ty(e))
                .collect::<Parsed<_>>()
                .map(Type::Tuple),
            _ => Err(Fault::on(ty, "this type has no meaning in a kernel", HELP)),
        }
    }

    /// The dense table that a `BlockSparseTable<T, Q, N>` is read as: behind a reference it
    /// dereferences to one, wherever it is used.
    fn dense(
        &mut self,
        ty: &syn::Type,
        arguments: &syn::AngleBracketedGenericArguments,
    ) -> Parsed<Type> {
        let mut arguments = arguments.args.iter();
        let (Some(syn::GenericArgument::Type(element)), Some(rows), Some(columns), None) = (
            arguments.next(),
            arguments.next(),
            arguments.next(),
            arguments.next(),
        ) else {
            return Err(Fault::on(
                ty,
                "a `BlockSparseTable` of what shape?",
                "write `&BlockSparseTable<f64, ROWS, COLUMNS>`",
            ));
        };
        let element = self.ty(element)?;
        let row = Type::Array(Box::new(element), self.argument_length(columns)?);
        Ok(Type::Array(Box::new(row), self.argument_length(rows)?))
    }

    /// An extent as a generic argument, where the name of a constant looks like a type.
    fn argument_length(&mut self, argument: &syn::GenericArgument) -> Parsed<usize> {
        match argument {
            syn::GenericArgument::Const(length) => self.length(length),
            syn::GenericArgument::Type(syn::Type::Path(name)) if name.qself.is_none() => {
                let (attrs, qself, path) = (Vec::new(), None, name.path.clone());
                self.length(&syn::Expr::Path(syn::ExprPath { attrs, qself, path }))
            }
            _ => Err(Fault::on(
                argument,
                "this is no length",
                "write a literal, or a `const N: usize` of this block",
            )),
        }
    }

    /// A scalar type by its name.
    pub fn scalar_name(&self, name: &str) -> Option<ScalarType> {
        use IntegerType::{I8, I16, I32, I64, Isize, U8, U16, U32, U64, Usize};
        Some(match name {
            "f64" => ScalarType::F64,
            "f32" => ScalarType::F32,
            "bool" => ScalarType::Bool,
            "usize" => ScalarType::Integer(Usize),
            "u64" => ScalarType::Integer(U64),
            "u32" => ScalarType::Integer(U32),
            "u16" => ScalarType::Integer(U16),
            "u8" => ScalarType::Integer(U8),
            "isize" => ScalarType::Integer(Isize),
            "i64" => ScalarType::Integer(I64),
            "i32" => ScalarType::Integer(I32),
            "i16" => ScalarType::Integer(I16),
            "i8" => ScalarType::Integer(I8),
            _ if self.parameter.as_deref() == Some(name) => ScalarType::Generic,
            _ => return None,
        })
    }

    /// An extent: a literal, a constant, or arithmetic on them.
    pub fn length(&mut self, expr: &syn::Expr) -> Parsed<usize> {
        let value = self.constant(expr, ScalarType::F64)?;
        let at = value.first().map(|v| v.to_f64());
        match at {
            Some(v) if value.len() == 1 && v >= 0.0 && v.fract() == 0.0 && v < 1e9 => {
                Ok(v as usize)
            }
            _ => Err(Fault::new(
                expr.span(),
                "this is no length",
                "write a literal, or a `const N: usize` of this block",
            )),
        }
    }
}

/// The generic arguments of a `BlockSparseTable<…>`.
fn block_sparse(ty: &syn::Type) -> Option<&syn::AngleBracketedGenericArguments> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    match &last.arguments {
        syn::PathArguments::AngleBracketed(arguments) if last.ident == "BlockSparseTable" => {
            Some(arguments)
        }
        _ => None,
    }
}

/// The type behind references.
pub fn behind(ty: &Type) -> &Type {
    match ty {
        Type::Reference(inner, _) => behind(inner),
        other => other,
    }
}

/// How a type is written.
pub fn show(ty: &Type) -> String {
    match ty {
        Type::Scalar(scalar) => match scalar {
            ScalarType::F64 => "f64".to_owned(),
            ScalarType::F32 => "f32".to_owned(),
            ScalarType::Generic => "T".to_owned(),
            ScalarType::Bool => "bool".to_owned(),
            ScalarType::Integer(integer) => format!("{integer:?}").to_lowercase(),
        },
        Type::Array(element, n) => format!("[{}; {n}]", show(element)),
        Type::Slice(element) => format!("[{}]", show(element)),
        Type::Reference(inner, true) => format!("&mut {}", show(inner)),
        Type::Reference(inner, false) => format!("&{}", show(inner)),
        Type::Tuple(fields) => format!(
            "({})",
            fields.iter().map(show).collect::<Vec<_>>().join(", ")
        ),
    }
}
