//! Tables as arrays of the program.

use std::rc::Rc;

use super::{Lowerer, Result, opaque, problem};
use crate::ir::{Affine, ArrayId, Element, Extent, Program, Role};
use crate::number::Number;
use crate::syntax::ast::{ScalarType, TableId};

/// The value of a table at constant subscripts.
pub fn table_entry(program: &Program, array: ArrayId, subscripts: &[Affine]) -> Option<Number> {
    let array = program.array(array);
    let Role::Table(values) = &array.role else {
        return None;
    };
    let mut flat = 0;
    for (subscript, extent) in subscripts.iter().zip(&array.shape) {
        let extent = extent.as_constant()?;
        let at = usize::try_from(subscript.as_constant()?)
            .ok()
            .filter(|at| *at < extent)?;
        flat = flat * extent + at;
    }
    values.get(flat).copied()
}

impl Lowerer<'_> {
    /// The program's array for a table.
    pub(super) fn table(&mut self, id: TableId) -> Result<ArrayId> {
        let table = &self.module.tables[id.0];
        // The program's integers are those that a number holds exactly.
        let wide = |value: &Number| value.to_integer().unsigned_abs() > 1 << 53;
        if matches!(table.element, ScalarType::Integer(_)) && table.values.iter().any(wide) {
            return opaque(
                table.name.span(),
                "a table of integers above 2^53",
                "compute with smaller integers",
            );
        }
        match self.element_of(table.element) {
            Some(element) => Ok(self.table_of(id, element)),
            None => problem(table.name.span(), "a table of bools", "tables hold numbers"),
        }
    }

    /// The program's array for a table whose entries are converted where they are read.
    pub(super) fn table_of(&mut self, id: TableId, element: Element) -> ArrayId {
        if let Some(array) = self.tables.get(&(id, element)) {
            return *array;
        }
        let table = &self.module.tables[id.0];
        let own = self.element_of(table.element) == Some(element);
        let shape = table.shape.iter().map(|n| Extent::Constant(*n)).collect();
        let values = match own {
            true => table.values.clone(),
            false => table.values.iter().map(|value| value.single()).collect(),
        };
        let name = table.name.to_string().to_lowercase();
        let role = Role::Table(Rc::new(values));
        let array = self.program.add_array(&name, element, shape, role);
        if own {
            let product = table.product.clone();
            self.program.arrays[array.0 as usize].product = product;
        }
        self.tables.insert((id, element), array);
        array
    }
}
