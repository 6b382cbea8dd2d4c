//! Structs of numbers, while the text is read.
//!
//! ```text
//! struct Body { position: [f64; 3], mass: f64 }      bodies: &[Body]      bodies[j].position[c]
//! ```
//!
//! is read as `bodies: &[[f64; 4]]` and `bodies[j][c]`: a struct is the array of its numbers, and a field a part of
//! that array. All numbers of a struct have one type, and stand in memory in the order of the text: what is
//! emitted for the struct says so to `rustc` (`repr(C)`) and lets it prove that it is so. Nothing after the reader
//! knows structs ([`erase`]).

mod access;
mod block;
mod complex;
mod constants;
mod erase;
mod methods;
mod tuples;

use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

pub use access::{element_of_part, is_record};
pub use block::of_block;
pub use complex::named as complex_named;
pub use erase::{erase, erased};
pub use methods::{Method, methods};
pub use tuples::{element as element_of_slice, has_tuples, types as types_of_tuple};

use super::Parsed;
use super::ast::{ScalarType, Type};
use super::foreign::is_mixed;
use super::nests::element_of_vec;
use super::scope::Reader;
use super::types::size;
use crate::diagnostics::Fault;

/// A struct of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// The type of all of its numbers.
    pub element: ScalarType,
    /// Its fields in order.
    pub fields: Vec<Field>,
    /// How many numbers it has.
    pub size: usize,
    /// Its numbers have several types, `element` being one of them.
    pub mixed: bool,
    /// It is `num_complex::Complex`.
    pub complex: bool,
    /// It is a tuple, as an element of a slice.
    pub tuple: bool,
}

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, or its number.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// How many numbers of the struct stand before it.
    pub offset: usize,
}

/// The structs of a block, and what `impl` gives them.
#[derive(Default)]
pub struct Records<'a> {
    /// The structs.
    pub types: Vec<Rc<Record>>,
    /// Functions in `impl` blocks.
    pub methods: Vec<Method<'a>>,
    /// Constants in `impl` blocks, with the names of what has them.
    pub constants: Vec<(&'a Ident, &'a syn::ImplItemConst)>,
    /// Structs that kernels do not know, and why.
    pub unknown: Vec<(String, Fault)>,
}

/// A struct as it stands beside the kernels.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Its name.
    pub name: Ident,
    /// Its text.
    pub tokens: TokenStream,
    /// The text says how it is laid out.
    pub laid_out: bool,
    /// What it is an array of, where kernels know it.
    pub numbers: Option<Numbers>,
}

/// The numbers of a struct.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// Their type.
    pub element: ScalarType,
    /// How many there are.
    pub count: usize,
    /// The fields, and the numbers before each.
    pub fields: Vec<(TokenStream, usize)>,
}

impl Record {
    /// The array of its numbers.
    pub fn numbers(&self) -> Type {
        Type::Array(Box::new(Type::Scalar(self.element)), self.size)
    }

    /// The field of a name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The field that a text names.
    ///
    /// # Errors
    /// There is none.
    pub fn member(&self, member: &syn::Member) -> Parsed<&Field> {
        let name = match member {
            syn::Member::Named(name) => name.to_string(),
            syn::Member::Unnamed(at) => at.index.to_string(),
        };
        let fields = self.fields.iter();
        let names: Vec<&str> = fields.map(|field| field.name.as_str()).collect();
        self.field(&name).ok_or_else(|| {
            Fault::on(
                member,
                format!("`{}` has no field `{name}`", self.name),
                format!("its fields are {}", names.join(", ")),
            )
        })
    }
}

/// `Complex<f64>` or `Complex<f32>`.
pub fn complex(element: ScalarType) -> Rc<Record> {
    let field = |name: &str, offset: usize| Field {
        name: name.to_owned(),
        ty: Type::Scalar(element),
        offset,
    };
    Rc::new(Record {
        name: format!("Complex<{}>", super::types::show(&Type::Scalar(element))),
        element,
        fields: vec![field("re", 0), field("im", 1)],
        size: 2,
        mixed: false,
        complex: true,
        tuple: false,
    })
}

/// The type of the numbers in a type, where all have one.
fn element(ty: &Type) -> Option<ScalarType> {
    match ty {
        Type::Scalar(scalar) => Some(*scalar),
        Type::Array(inner, _) => element(inner),
        Type::Record(record) => Some(record.element),
        _ => None,
    }
}

impl Reader<'_> {
    /// Reads a struct.
    pub fn record(&mut self, item: &syn::ItemStruct) -> Parsed<Record> {
        let help = "fields are numbers, arrays of them, and structs of them";
        if !item.generics.params.is_empty() {
            return Err(Fault::beyond(
                &item.generics,
                "a struct with parameters",
                help,
            ));
        }
        let mut fields: Vec<Field> = Vec::new();
        let (mut offset, mut common, mut mixed) = (0, None, false);
        for (at, field) in item.fields.iter().enumerate() {
            if element_of_vec(&field.ty).is_some() {
                let help =
                    "kernels are given such fields where that is all that they need of a struct";
                return Err(Fault::beyond(
                    &field.ty,
                    "a struct with a vector in it",
                    help,
                ));
            }
            let ty = self.ty(&field.ty)?;
            let Some(own) = element(&ty) else {
                return Err(Fault::beyond(&field.ty, "a field that is no number", help));
            };
            let other = *common.get_or_insert(own) != own;
            mixed |= other || own == ScalarType::Bool || is_mixed(&ty);
            let name = field
                .ident
                .as_ref()
                .map_or(at.to_string(), ToString::to_string);
            let numbers = size(&ty) as usize;
            fields.push(Field { name, ty, offset });
            offset += numbers;
        }
        match common {
            Some(element) if offset > 0 => Ok(Record {
                name: item.ident.to_string(),
                element,
                fields,
                size: offset,
                mixed,
                complex: false,
                tuple: false,
            }),
            _ => Err(Fault::beyond(item, "a struct without numbers", help)),
        }
    }

    /// The struct of a name.
    pub(super) fn record_named(&self, name: &str) -> Option<Type> {
        if name == "Self"
            && let Some(own) = &self.own
        {
            return Some(Type::Record(own.clone()));
        }
        let found = self.records.types.iter().find(|record| record.name == name);
        found.cloned().map(Type::Record)
    }
}

/// A struct as it stands beside the kernels.
pub fn beside(item: &syn::ItemStruct, record: Option<&Record>) -> Struct {
    let numbers = record.filter(|record| !record.mixed);
    let numbers = numbers.map(|record| Numbers {
        element: record.element,
        count: record.size,
        fields: item
            .fields
            .members()
            .zip(&record.fields)
            .map(|(member, field)| (member.to_token_stream(), field.offset))
            .collect(),
    });
    Struct {
        name: item.ident.clone(),
        tokens: item.to_token_stream(),
        laid_out: item.attrs.iter().any(|a| a.path().is_ident("repr")),
        numbers,
    }
}
