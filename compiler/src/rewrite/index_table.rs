//! Tables of integers that subscripts are taken from.

use std::rc::Rc;

use crate::ir::{ArrayId, Element, Extent, Program, Role};
use crate::number::Number;
use crate::syntax::ast::IntegerType;

/// Adds a table of subscripts, row-major.
pub fn index_table(
    program: &mut Program,
    name: &str,
    shape: Vec<Extent>,
    entries: impl IntoIterator<Item = usize>,
) -> ArrayId {
    let entries = entries
        .into_iter()
        .map(|entry| Number::from_i64(entry as i64));
    let role = Role::Table(Rc::new(entries.collect()));
    program.add_array(name, Element::Integer(IntegerType::Usize), shape, role)
}
