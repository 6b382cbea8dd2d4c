//! The structs of a block.

use proc_macro2::Ident;

use super::{Records, beside, methods};
use crate::diagnostics::Diagnostics;
use crate::syntax::ast::{ScalarType, Struct, Table};
use crate::syntax::functions::reader;
use crate::syntax::imports::Imports;
use crate::syntax::items::Scope;

/// The structs of a block, in an order in which each knows those that it is made of.
pub fn of_block<'a>(
    file: &'a syn::File,
    (imports, scope): (&Imports, &Scope),
    tables: &mut Vec<Table>,
    diagnostics: &mut Diagnostics,
) -> (Records<'a>, Vec<Struct>) {
    let mut records = Records::default();
    let structs = || {
        let items = file.items.iter();
        items.filter_map(|item| match item {
            syn::Item::Struct(item) => Some(item),
            _ => None,
        })
    };
    for _ in structs() {
        for item in structs() {
            if records.types.iter().any(|known| item.ident == known.name) {
                continue;
            }
            let known = Records {
                types: records.types.clone(),
                unknown: records.unknown.clone(),
                ..Records::default()
            };
            let mut reader = reader(
                tables,
                (&[], &[]),
                (imports, &known),
                (None, Vec::new()),
                ScalarType::F64,
                scope.clone(),
                diagnostics,
            );
            let record = reader.record(item);
            let name = item.ident.to_string();
            records.unknown.retain(|(unknown, _)| *unknown != name);
            match record {
                Ok(record) => records.types.push(record.into()),
                Err(fault) => records.unknown.push((name, fault)),
            }
        }
    }
    for item in &file.items {
        if let syn::Item::Impl(item) = item {
            methods(item, &mut records, diagnostics);
        }
    }
    let known = |name: &Ident| records.types.iter().find(|record| *name == record.name);
    let shown = structs().map(|item| beside(item, known(&item.ident).map(AsRef::as_ref)));
    let shown = shown.collect();
    (records, shown)
}
