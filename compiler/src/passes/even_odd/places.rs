//! What stands for loops: others, or places in their order.

use crate::collections::HashMap;
use crate::ir::{Access, Affine, Atom, ExprId, IndexId, Program};

/// For some loops, functions of others.
#[derive(Clone, Debug, Default)]
pub struct Places(Vec<(IndexId, Affine)>);

impl Places {
    /// The iteration in the middle of a loop.
    pub fn middle(index: IndexId, extent: usize) -> Places {
        Places(vec![(index, Affine::constant(extent as i64 / 2))])
    }

    /// Puts a function in a loop's place.
    pub fn put(&mut self, index: IndexId, place: Affine) {
        self.0.push((index, place));
    }

    /// What stands for a loop.
    pub fn of(&self, index: IndexId) -> Affine {
        let known = self.0.iter().find(|(other, _)| *other == index);
        known.map_or_else(|| Affine::index(index), |(_, place)| place.clone())
    }

    /// The loops that run where these did, each in the place of its own.
    pub fn loops(&self, of: &[IndexId]) -> Vec<IndexId> {
        let loops = of.iter().map(|index| self.of(*index).terms);
        let loops = loops.filter_map(|terms| match terms.as_slice() {
            [(Atom::Index(index), _)] => Some(*index),
            _ => None,
        });
        loops.collect()
    }

    /// An access in the loops' places.
    pub fn access(&self, access: &Access) -> Access {
        access.substitute(&|index| self.of(index))
    }

    /// An expression in the loops' places.
    pub fn expr(&self, program: &mut Program, expr: ExprId) -> ExprId {
        (program.pool).substitute(expr, &|index| self.of(index), &mut HashMap::default())
    }
}
