//! Tables of what was evaluated, equal ones once.

use std::rc::Rc;

use crate::collections::HashMap;
use crate::ir::{ArrayId, Element, Extent, Program, Role};
use crate::number::{Field, Number};

/// The tables that were made for a program.
#[derive(Clone, Default)]
pub struct Tables(HashMap<(Element, Vec<Extent>, Vec<Field>), ArrayId>);

impl Tables {
    /// The table of some values, row-major: an equal one that was made before, or a new one of a name.
    pub fn table(
        &mut self,
        program: &mut Program,
        name: &str,
        (element, shape): (Element, Vec<Extent>),
        values: Vec<Number>,
    ) -> ArrayId {
        let images = values.iter().map(|value| value.field()).collect();
        let key = (element, shape.clone(), images);
        let new = || program.add_array(name, element, shape, Role::Table(Rc::new(values)));
        *self.0.entry(key).or_insert_with(new)
    }
}
