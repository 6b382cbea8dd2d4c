//! Constants in `impl` blocks, `Point::ORIGIN`, `Self::WEIGHTS[i]`: their values, where these can be read.

use proc_macro2::Ident;
use quote::format_ident;

use crate::diagnostics::Span;
use crate::syntax::Parsed;
use crate::syntax::ast::{Expression, ScalarType, Table, TableId, Type};
use crate::syntax::records::methods::record_of;
use crate::syntax::scope::Reader;

impl<'a> Reader<'a> {
    /// The constant of an `impl` block that a path names, and the name of the struct that has it.
    fn constant_named(&self, path: &syn::Path) -> Option<(&'a Ident, &'a syn::ImplItemConst)> {
        let mut segments = path.segments.iter();
        let (Some(first), Some(last), None) = (segments.next(), segments.next(), segments.next())
        else {
            return None;
        };
        let of = match (first.ident == "Self", &self.own) {
            (true, Some(own)) => own.name.clone(),
            _ => first.ident.to_string(),
        };
        let mut all = self.records.constants.iter().copied();
        all.find(|(ty, item)| **ty == of && item.ident == last.ident)
    }

    /// Whether a path names a constant of an `impl` block.
    pub(in crate::syntax) fn is_constant_of_struct(&self, path: &syn::Path) -> bool {
        self.constant_named(path).is_some()
    }

    /// The table, or the number, that such a constant is.
    pub(in crate::syntax) fn table_of_struct(&mut self, path: &syn::Path) -> Option<TableId> {
        let (of, item) = self.constant_named(path)?;
        let name = format_ident!("{of}_{}", item.ident);
        let table = self.in_struct(of, |reader| reader.evaluated(&name, &item.ty, &item.expr));
        let (table, _) = table.ok()?;
        let is_same = |known: &Table| {
            known.name == name && known.shape == table.shape && known.values == table.values
        };
        let known = self.tables.iter().position(is_same);
        Some(TableId(known.unwrap_or_else(|| {
            self.tables.push(table);
            self.tables.len() - 1
        })))
    }

    /// The value of such a constant.
    pub(in crate::syntax) fn constant_of_struct(
        &mut self,
        path: &syn::ExprPath,
        span: Span,
    ) -> Option<Parsed<Expression>> {
        let (of, item) = self.constant_named(&path.path)?;
        if let Some(table) = self.table_of_struct(&path.path) {
            return Some(Ok(self.table_value(table, span)));
        }
        let count = (self.before.len(), self.diagnostics.len());
        let mut declared = None;
        let value = self.in_struct(of, |reader| {
            let ty = reader.ty(&item.ty)?;
            declared = Some(ty.clone());
            reader.expression(&item.expr, Some(&ty))
        });
        let value = value.map(|value| Expression { span, ..value });
        match (value, declared) {
            (Ok(value), _) => Some(Ok(value)),
            // What only `rustc` can evaluate is a number that the call is given.
            (Err(_), Some(ty @ Type::Scalar(scalar))) if scalar != ScalarType::Bool => {
                self.before.truncate(count.0);
                self.diagnostics.truncate(count.1);
                let name = item.ident.to_string();
                Some(Ok(self.given(
                    (&name, self.seen_from_outside(path)),
                    ty,
                    span,
                )))
            }
            (fault, _) => Some(fault),
        }
    }

    /// Reads what stands in an `impl` block.
    fn in_struct<T>(&mut self, of: &Ident, read: impl FnOnce(&mut Self) -> T) -> T {
        let own = self.record_named(&of.to_string());
        let own = own.as_ref().and_then(record_of);
        let own = std::mem::replace(&mut self.own, own);
        let block = self.scopes[..1].to_vec();
        let scopes = std::mem::replace(&mut self.scopes, block);
        let value = read(self);
        self.scopes = scopes;
        self.own = own;
        value
    }
}
