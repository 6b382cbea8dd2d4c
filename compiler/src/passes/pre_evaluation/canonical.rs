//! What the sums of several equations have in common.

use std::rc::Rc;

use super::dissect::Monomial;
use crate::collections::HashMap;
use crate::ir::{ExprId, Factor, IndexId, Program};
use crate::number::Number;

/// A product of tables, and the loops that remain of it.
pub type Name = (ExprId, Vec<IndexId>);

/// Names for the loops of definitions, the n-th of one length has one name in all monomials; and the tensors
/// that were evaluated.
#[derive(Default)]
pub struct Canonical {
    /// By their names and the loops that are summed over.
    pub tensors: HashMap<(Name, Vec<IndexId>), Rc<Vec<Number>>>,
    names: HashMap<(usize, usize), IndexId>,
}

impl Canonical {
    /// A monomial with these names.
    pub fn rename(&mut self, program: &mut Program, monomial: &Monomial) -> Monomial {
        let mut names: HashMap<IndexId, IndexId> = HashMap::default();
        let mut counts: HashMap<usize, usize> = HashMap::default();
        for index in &monomial.sums {
            let Some(extent) = program.loop_index(*index).extent.as_constant() else {
                continue;
            };
            let count = counts.entry(extent).or_insert(0);
            // A name of its own: `index` may be that of another number in this monomial.
            let name = *self
                .names
                .entry((extent, *count))
                .or_insert_with(|| program.add_index_like(*index));
            *count += 1;
            names.insert(*index, name);
        }
        let by = crate::rewrite::rename::substitution(&names);
        let mut known = HashMap::default();
        let mut renamed = |factors: &[Factor]| -> Vec<Factor> {
            let new = |factor: &Factor| Factor {
                expr: program.pool.substitute(factor.expr, &by, &mut known),
                power: factor.power,
            };
            let mut result: Vec<Factor> = factors.iter().map(new).collect();
            result.sort_by_key(|f| (f.expr, f.power));
            result
        };
        let mut sums: Vec<IndexId> = monomial.sums.iter().map(|index| names[index]).collect();
        let (variables, tables) = (renamed(&monomial.variables), renamed(&monomial.tables));
        sums.sort_unstable();
        Monomial {
            variables,
            tables,
            sums,
            ..monomial.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Extent;

    #[test]
    fn two_sums_of_one_monomial_have_two_names() {
        let mut program = Program::default();
        let [x, y] = ["x", "y"].map(|name| program.add_index(name, Extent::Constant(3)));
        let monomial = |sums: &[IndexId]| Monomial {
            number: Number::ONE,
            cell: Vec::new(),
            variables: Vec::new(),
            tables: Vec::new(),
            rest: Vec::new(),
            sums: sums.to_vec(),
        };
        let mut canonical = Canonical::default();
        let first = canonical.rename(&mut program, &monomial(&[x])).sums;
        let second = canonical.rename(&mut program, &monomial(&[y, x])).sums;
        assert_eq!(second.len(), 2);
        assert_eq!(first[0], second[0]);
        assert_ne!(second[0], second[1]);
    }
}
