//! Types of the subset.

use super::Parsed;
use super::ast::{IntegerType, Length, Record, ScalarType, Type};
use super::records;
use super::scope::Reader;
use super::views;
use crate::diagnostics::Fault;

const HELP: &str = "kernels use `f64`, `f32`, integers, a type parameter `T: Scalar`, nested arrays `[[f64; N]; M]`, slices `&[…]`, `ArrayView2<f64>` and its like, `&BlockSparseTable<f64, Q, N>`, references and tuples";

/// Elements that an array may have: their bytes must be countable.
pub const LONGEST: f64 = (1u64 << 40) as f64;

impl Reader<'_> {
    /// Reads a type.
    pub fn ty(&mut self, ty: &syn::Type) -> Parsed<Type> {
        match ty {
            syn::Type::Group(group) => self.ty(&group.elem),
            syn::Type::Paren(paren) => self.ty(&paren.elem),
            syn::Type::Path(path) if path.qself.is_none() => self.named_type(ty, path),
            syn::Type::Array(array) => {
                let element = self.ty(&array.elem)?;
                if let Some(at) = self.constant_parameter(&array.len) {
                    return Ok(Type::Open(Box::new(element), Length::Constant(at)));
                }
                let length = self.length(&array.len)?;
                let read = Type::Array(Box::new(element), length);
                if size(&read) > LONGEST {
                    return Err(Fault::on(
                        ty,
                        "this array is too large for any memory",
                        "use a slice `&[…]`, whose length is known when the kernel runs",
                    ));
                }
                Ok(read)
            }
            syn::Type::Slice(_) => Err(Fault::on(
                ty,
                "a slice without a reference",
                "write `&[f64]`, or `&mut [f64]` for what the kernel writes",
            )),
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
                if let syn::Type::Path(path) = reference.elem.as_ref()
                    && let Some((owner, rank, of)) = views::named(&path.path, &self.storages)
                {
                    let mutable = reference.mutability.is_some();
                    return self.view(ty, (owner, rank, &of), Some(mutable));
                }
                let inner = match reference.elem.as_ref() {
                    syn::Type::Slice(slice) => {
                        let element = records::element_of_slice(self.ty(&slice.elem)?);
                        Type::Slice(Box::new(element))
                    }
                    other => self.ty(other)?,
                };
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
            _ => Err(Fault::beyond(
                ty,
                "this type has no meaning in a kernel",
                HELP,
            )),
        }
    }

    /// A type of a name.
    fn named_type(&mut self, ty: &syn::Type, path: &syn::TypePath) -> Parsed<Type> {
        if let Some((owner, rank, of)) = views::named(&path.path, &self.storages) {
            return self.view(ty, (owner, rank, &of), None);
        }
        if let Some(complex) = records::complex_named(&path.path, self.imports, |ty| self.ty(ty))? {
            return Ok(complex);
        }
        if let Some(fault) = vector(path) {
            return Err(fault);
        }
        let Some(ident) = path.path.get_ident() else {
            return Err(Fault::beyond(
                ty,
                "this type has no meaning in a kernel",
                HELP,
            ));
        };
        if let Some(record) = self.record_named(&ident.to_string()) {
            return Ok(record);
        }
        let unknown = self.records.unknown.iter();
        if let Some((_, fault)) = unknown.clone().find(|(name, _)| ident == name) {
            return Err(fault.clone());
        }
        match self.scalar_name(&ident.to_string()) {
            Some(scalar) => Ok(Type::Scalar(scalar)),
            None => Err(Fault::beyond(
                ty,
                format!("the type `{ident}` has no meaning in a kernel"),
                HELP,
            )),
        }
    }

    /// The `const` parameter that an extent is.
    pub fn constant_parameter(&self, length: &syn::Expr) -> Option<usize> {
        let syn::Expr::Path(path) = super::statements::strip(length) else {
            return None;
        };
        let name = path.path.get_ident()?;
        self.constants.iter().position(|constant| constant == name)
    }

    /// A type for places that do not see the constants of the block.
    pub fn closed(&mut self, ty: &syn::Type) -> syn::Type {
        map_extents(ty, &mut |len| {
            let literal = matches!(len, syn::Expr::Lit(_));
            match self.length(len) {
                Ok(length) if !literal => {
                    let mut digits = proc_macro2::Literal::usize_suffixed(length);
                    digits.set_span(syn::spanned::Spanned::span(len));
                    syn::parse_quote!(#digits)
                }
                _ => len.clone(),
            }
        })
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

    /// An extent as a generic argument.
    fn argument_length(&mut self, argument: &syn::GenericArgument) -> Parsed<usize> {
        match extent_of(argument) {
            Some(length) => self.length(&length),
            None => Err(Fault::beyond(
                argument,
                "this is no length",
                "write a literal, or a `const N: usize` of this block",
            )),
        }
    }

    /// A scalar type by its name.
    pub fn scalar_name(&self, name: &str) -> Option<ScalarType> {
        if let Some(ty) = IntegerType::named(name) {
            return Some(ScalarType::Integer(ty));
        }
        if let Some((_, scalar)) = self.instances.iter().rev().find(|(own, _)| own == name) {
            return Some(*scalar);
        }
        Some(match name {
            "f64" => ScalarType::F64,
            "f32" => ScalarType::F32,
            "bool" => ScalarType::Bool,
            _ if self.parameter.as_ref().is_some_and(|p| p.name == name) => ScalarType::Generic,
            _ => return None,
        })
    }

    /// An extent: a literal, a constant, or arithmetic on them.
    pub fn length(&mut self, expr: &syn::Expr) -> Parsed<usize> {
        let usize = ScalarType::Integer(IntegerType::Usize);
        let value = self.constant(expr, usize, &[])?;
        let length = value.first().map_or(0.0, |v| v.to_f64());
        if length > LONGEST {
            return Err(Fault::on(
                expr,
                format!("an array of {length} elements is too long"),
                "use a slice `&[f64]`, whose length is known when the kernel runs",
            ));
        }
        Ok(length as usize)
    }
}

/// What to write instead of a vector, or a box of a slice.
fn vector(path: &syn::TypePath) -> Option<Fault> {
    let last = path.path.segments.last()?;
    let name = last.ident.to_string();
    let syn::PathArguments::AngleBracketed(given) = &last.arguments else {
        return None;
    };
    let syn::GenericArgument::Type(of) = given.args.first()? else {
        return None;
    };
    let element = match (name.as_str(), of) {
        ("Vec", of) => of,
        ("Box", syn::Type::Slice(slice)) => &slice.elem,
        _ => return None,
    };
    let message = format!("`{name}` as a parameter or a result");
    if let syn::Type::Path(inner) = element
        && vector(inner).is_some()
    {
        let help = "take an `ArrayView2<f64>` of `ndarray`, or the rows one after the other in a slice, `a[i * n + j]`";
        return Some(Fault::beyond(path, message, help));
    }
    let element = quote::ToTokens::to_token_stream(element).to_string();
    let element = element
        .replace(" ; ", "; ")
        .replace("[ ", "[")
        .replace(" ]", "]");
    Some(Fault::beyond(
        path,
        message,
        format!(
            "take a slice, `&[{element}]` or `&mut [{element}]`: vectors are passed as `&x` and `&mut x`, for results too"
        ),
    ))
}

/// A type with other extents of its arrays.
pub fn map_extents(ty: &syn::Type, by: &mut impl FnMut(&syn::Expr) -> syn::Expr) -> syn::Type {
    let mut result = ty.clone();
    match &mut result {
        syn::Type::Array(array) => {
            *array.elem = map_extents(&array.elem, by);
            array.len = by(&array.len);
        }
        syn::Type::Slice(slice) => *slice.elem = map_extents(&slice.elem, by),
        syn::Type::Reference(reference) => *reference.elem = map_extents(&reference.elem, by),
        syn::Type::Paren(paren) => *paren.elem = map_extents(&paren.elem, by),
        syn::Type::Group(group) => *group.elem = map_extents(&group.elem, by),
        syn::Type::Tuple(tuple) => {
            for element in &mut tuple.elems {
                *element = map_extents(element, by);
            }
        }
        syn::Type::Path(_) => {
            for argument in block_sparse_extents(&mut result) {
                if let Some(extent) = extent_of(argument) {
                    *argument = syn::GenericArgument::Const(by(&extent));
                }
            }
        }
        _ => {}
    }
    result
}

/// How many scalars a type has: exact as long as arrays are no longer than they may be.
pub fn size(ty: &Type) -> f64 {
    match ty {
        Type::Array(element, n) => *n as f64 * size(element),
        Type::Tuple(fields) => fields.iter().map(size).sum(),
        Type::Record(record) => record.size as f64,
        _ => 1.0,
    }
}

/// The parts that a type is made of.
pub fn parts(ty: &Type) -> usize {
    1 + match ty {
        Type::Array(inner, _)
        | Type::Slice(inner)
        | Type::Open(inner, _)
        | Type::Reference(inner, _) => parts(inner),
        Type::Tuple(fields) => fields.iter().map(parts).sum(),
        Type::Scalar(_) | Type::Record(_) => 0,
    }
}

/// The help for a subscript that is out of range.
pub fn valid_subscripts(extent: usize) -> String {
    match extent {
        0 => "an empty array has no elements to subscript".to_owned(),
        1 => "the only valid subscript is 0".to_owned(),
        _ => format!("valid subscripts are 0 to {}", extent - 1),
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

/// The extents among the generic arguments of a `BlockSparseTable<…>`.
fn block_sparse_extents(ty: &mut syn::Type) -> impl Iterator<Item = &mut syn::GenericArgument> {
    let is_one = block_sparse(ty).is_some();
    let last = match ty {
        syn::Type::Path(path) if is_one => path.path.segments.last_mut(),
        _ => None,
    };
    let arguments = last.and_then(|segment| match &mut segment.arguments {
        syn::PathArguments::AngleBracketed(arguments) => Some(arguments.args.iter_mut().skip(1)),
        _ => None,
    });
    arguments.into_iter().flatten()
}

/// An extent as a generic argument, where the name of a constant looks like a type.
fn extent_of(argument: &syn::GenericArgument) -> Option<syn::Expr> {
    match argument {
        syn::GenericArgument::Const(length) => Some(length.clone()),
        syn::GenericArgument::Type(syn::Type::Path(name)) if name.qself.is_none() => {
            let (attrs, qself, path) = (Vec::new(), None, name.path.clone());
            Some(syn::Expr::Path(syn::ExprPath { attrs, qself, path }))
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

/// Whether a type has structs that a condition holds for.
pub fn has_record(ty: &Type, holds: fn(&Record) -> bool) -> bool {
    match ty {
        Type::Record(record) => holds(record),
        Type::Array(inner, _)
        | Type::Slice(inner)
        | Type::Open(inner, _)
        | Type::Reference(inner, _) => has_record(inner, holds),
        Type::Tuple(fields) => fields.iter().any(|field| has_record(field, holds)),
        Type::Scalar(_) => false,
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
        Type::Open(element, Length::Constant(_)) => format!("[{}; _]", show(element)),
        Type::Open(element, Length::Axis) => {
            let mut scalar = element.as_ref();
            while let Type::Open(inner, _) = scalar {
                scalar = inner;
            }
            format!("ArrayView{}<{}>", views::rank(ty), show(scalar))
        }
        Type::Record(record) => record.name.clone(),
        Type::Reference(inner, true) => format!("&mut {}", show(inner)),
        Type::Reference(inner, false) => format!("&{}", show(inner)),
        Type::Tuple(fields) => format!(
            "({})",
            fields.iter().map(show).collect::<Vec<_>>().join(", ")
        ),
    }
}
