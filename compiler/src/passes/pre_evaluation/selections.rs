//! Tables of which a map chooses one for each cell: facets with a local number.
//!
//! While sums are evaluated, what the map may choose is a loop like others; then the map chooses
//! among the results.
//!
//! Before: `trace[facet[e], q, i]`. After: `trace[f, q, i]`, where `f` runs over the facets of a
//! cell.

use crate::collections::HashMap;
use crate::ir::{Access, Affine, Atom, Expr, ExprId, Extent, IndexId, Program, Role};

/// Loops over what maps may choose, with what they choose.
#[derive(Debug, Default)]
pub struct Selections(Vec<(IndexId, Affine)>);

impl Selections {
    /// Replaces choices in the subscripts of tables by loops.
    pub fn open(program: &mut Program) -> Selections {
        let mut selections = Selections::default();
        let exprs: Vec<ExprId> = program.equations.iter().map(|e| e.expr).collect();
        let mut known: HashMap<ExprId, ExprId> = HashMap::default();
        let accesses: Vec<(ExprId, Access)> = (program.pool.accesses(exprs).into_iter())
            .filter(|(_, access)| matches!(program.array(access.array).role, Role::Table(_)))
            .map(|(id, access)| (id, access.clone()))
            .collect();
        for (id, mut access) in accesses {
            let shape = program.array(access.array).shape.clone();
            let mut chosen = false;
            for (subscript, extent) in access.subscripts.iter_mut().zip(shape) {
                if is_choice(program, subscript) {
                    *subscript = Affine::index(selections.index(program, subscript, extent));
                    chosen = true;
                }
            }
            if chosen {
                let element = program.pool.element(id);
                known.insert(id, program.pool.add(Expr::Access(access), element));
            }
        }
        if !known.is_empty() {
            for equation in &mut program.equations {
                equation.expr = program.pool.replace(equation.expr, &mut known);
            }
        }
        selections
    }

    /// The loop over what a subscript may choose.
    fn index(&mut self, program: &mut Program, choice: &Affine, extent: Extent) -> IndexId {
        let equal = self
            .0
            .iter()
            .find(|(index, other)| other == choice && program.loop_index(*index).extent == extent);
        if let Some((index, _)) = equal {
            return *index;
        }
        let index = program.add_index("choice", extent);
        self.0.push((index, choice.clone()));
        index
    }

    /// The loops.
    pub fn indices(&self) -> impl Iterator<Item = IndexId> + '_ {
        self.0.iter().map(|(index, _)| *index)
    }

    /// Puts the choices back.
    pub fn close(&self, program: &mut Program) {
        if self.0.is_empty() {
            return;
        }
        let by = |index| {
            let choice = self.0.iter().find(|(other, _)| *other == index);
            choice.map_or_else(|| Affine::index(index), |(_, affine)| affine.clone())
        };
        let mut known = HashMap::default();
        for equation in &mut program.equations {
            equation.expr = program.pool.substitute(equation.expr, &by, &mut known);
        }
    }
}

/// Whether a subscript is an entry of a map that no loop of constant length changes.
fn is_choice(program: &Program, subscript: &Affine) -> bool {
    let mut indices = Vec::new();
    subscript.collect_indices(&mut indices);
    let outer = |index: &IndexId| !program.is_constant(*index);
    let map = matches!(subscript.terms.as_slice(), [(Atom::Map(..), 1)]);
    map && subscript.constant == 0 && indices.iter().all(outer)
}
