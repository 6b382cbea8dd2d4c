//! Sizes of the types of variables.

use super::Parsed;
use super::ast::Expression;
use super::scope::Reader;
use super::types::{LONGEST, parts, size};
use crate::diagnostics::Fault;

/// Parts that the type of a variable is made of.
const MOST_PARTS: usize = 64;

impl Reader<'_> {
    /// Refuses values of types that a few lines can make as large as they like: `let a = (a, a);`.
    pub(super) fn small(&self, value: &Expression, expr: &syn::Expr) -> Parsed<()> {
        if parts(&value.ty) <= MOST_PARTS && size(&value.ty) <= LONGEST {
            return Ok(());
        }
        Err(Fault::beyond(
            expr,
            "this value has too many parts",
            format!("types are made of at most {MOST_PARTS} others; use arrays with a length"),
        ))
    }
}
