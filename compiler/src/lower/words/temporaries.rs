//! Temporaries of what narrow integers in memory are made of.

use super::Lowerer;
use crate::collections::HashMap;
use crate::ir::{Access, ArrayId, Element, Expr, ExprId, Role};

impl Lowerer<'_> {
    /// Lets temporaries of narrow integers be ones of words: values are cut off where they are read.
    ///
    /// Before: `kept[i] = x[i]`, read as `kept[i]`, of `i16`. After: `kept[i] = i32(x[i])`, read as `i16(kept[i])`.
    /// Holds: temporaries have elements that are computed with, whoever made them: of values that are read after their
    /// place was written again, that are read back, or that iterations hand on.
    pub(in crate::lower) fn hold_words(&mut self) {
        let mut held: HashMap<ArrayId, (ArrayId, Element)> = HashMap::default();
        for at in 0..self.program.arrays.len() {
            let array = self.program.arrays[at].clone();
            if let (Element::Integer(ty), Role::Temporary) = (array.element, &array.role) {
                let word = Element::Word(ty.word());
                let (name, shape) = (&array.name, array.shape.clone());
                let new = self.program.add_array(name, word, shape, array.role);
                held.insert(ArrayId(at as u32), (new, array.element));
                // Nothing reads it any more.
                self.program.arrays[at].element = word;
            }
        }
        if held.is_empty() {
            return;
        }
        let values = self.program.equations.iter().map(|e| e.expr);
        let reads = self.program.pool.accesses(values).into_iter();
        let reads = reads.filter(|(_, access)| held.contains_key(&access.array));
        let reads: Vec<(ExprId, Access)> = reads.map(|(read, of)| (read, of.clone())).collect();
        let mut known = HashMap::default();
        for (read, mut access) in reads {
            let (array, narrow) = held[&access.array];
            access.array = array;
            let word = self.array(array).element;
            let value = self.program.pool.add(Expr::Access(access), word);
            let cut = self.program.pool.add(Expr::Cast(narrow, value), narrow);
            known.insert(read, cut);
        }
        for at in 0..self.program.equations.len() {
            let equation = &self.program.equations[at];
            let (target, expr) = (equation.target.array, equation.expr);
            let mut expr = self.program.pool.replace(expr, &mut known);
            if let Some((array, _)) = held.get(&target) {
                expr = self.loaded(expr);
                self.program.equations[at].target.array = *array;
            }
            self.program.equations[at].expr = expr;
        }
    }
}
