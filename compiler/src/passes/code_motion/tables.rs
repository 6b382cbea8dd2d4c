//! Expressions of tables, evaluated now.

use std::rc::Rc;

use super::naming::name;
use super::{Motion, grouping};
use crate::collections::HashMap;
use crate::ir::{Access, Affine, Expr, ExprId, Extent, IndexId, Role};
use crate::rewrite::evaluate::{extents, tabulate};
use crate::rewrite::rename::substitution;

/// Entries of a table that is small.
const SMALL_TABLE: usize = 4096;

impl Motion<'_> {
    /// A table of the values of an expression of tables that some loops around it do not change, if
    /// it is small or not larger than the largest of these.
    pub(super) fn evaluate(&mut self, expr: ExprId, depends: &[IndexId]) -> Option<ExprId> {
        let extents = extents(self.program, depends)?;
        let size: usize = extents.iter().product();
        let most = grouping::largest_table(self.program, expr).max(SMALL_TABLE);
        if self.program.exact || size > most {
            return None;
        }
        let names = self.classes.rename(self.program, depends);
        let canonical =
            self.program
                .pool
                .substitute(expr, &substitution(&names), &mut HashMap::default());
        let free: Vec<IndexId> = depends.iter().map(|index| names[index]).collect();
        let key = (canonical, free.clone(), Vec::new());
        let array = match self.temporaries.get(&key) {
            Some(array) => *array,
            None => {
                let values = tabulate(self.program, canonical, &free)?;
                let element = self.program.pool.element(expr);
                let shape = extents.iter().map(|n| Extent::Constant(*n)).collect();
                let name = name(self.program, expr);
                let array =
                    self.program
                        .add_array(&name, element, shape, Role::Table(Rc::new(values)));
                self.temporaries.insert(key, array);
                self.evaluated += 1;
                array
            }
        };
        let subscripts = depends.iter().map(|index| Affine::index(*index)).collect();
        let element = self.program.pool.element(expr);
        Some(
            self.program
                .pool
                .add(Expr::Access(Access { array, subscripts }), element),
        )
    }
}
