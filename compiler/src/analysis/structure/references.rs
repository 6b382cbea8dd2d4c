//! Whether all that a program names exists: indices, arrays, dimensions, expressions.

use super::Finder;
use crate::ir::{Access, Affine, ArrayId, Atom, Expr, Extent, IndexId, Program};

impl Finder<'_> {
    /// Finds numbers that are none, and accesses of other ranks than their arrays'.
    pub(super) fn references(&mut self) {
        let program = self.program;
        let extents = program
            .indices
            .iter()
            .map(|index| (&index.name, &index.extent));
        let shapes = program.arrays.iter();
        let shapes =
            shapes.flat_map(|array| array.shape.iter().map(|extent| (&array.name, extent)));
        for (name, extent) in extents.chain(shapes) {
            let Extent::RunTime(affine) = extent else {
                continue;
            };
            if let Some(message) = wrong_affine(program, affine) {
                self.wrong_declaration(format!("{message} in an extent of `{name}`"));
            } else if !Affine::indices_of([affine]).is_empty() {
                let message =
                    format!("an extent of `{name}` is another one in each iteration of a loop");
                self.wrong_declaration(message);
            }
        }
        // An expression's operands come before it, or the pool would not have taken it.
        for (at, equation) in program.equations.iter().enumerate() {
            if equation.expr.0 as usize >= program.pool.len() {
                self.wrong_declaration(format!("equation {at} has no value"));
            }
            if let Some(index) = equation.domain().find(|index| !exists(program, *index)) {
                self.wrong_declaration(format!("there is no loop {} for equation {at}", index.0));
            }
            if let Some(message) = wrong_access(program, &equation.target) {
                self.wrong_declaration(format!("{message} in the target of equation {at}"));
            }
        }
        for (expr, at) in &self.used.clone() {
            if let Expr::Access(access) = program.pool.get(*expr)
                && let Some(message) = wrong_access(program, access)
            {
                self.wrong_declaration(format!("{message} in the value of equation {at}"));
            }
        }
        for mirror in &program.mirrors {
            let accesses = [&mirror.from, &mirror.to].into_iter();
            let wrong = accesses.filter_map(|access| wrong_access(program, access));
            let mut loops = [mirror.first, mirror.second].into_iter();
            let none = loops.find(|index| !exists(program, *index));
            let none = none.map(|index| format!("there is no loop {}", index.0));
            for message in wrong.chain(none).collect::<Vec<_>>() {
                self.wrong_declaration(format!("{message} in a mirror"));
            }
        }
    }
}

fn exists(program: &Program, index: IndexId) -> bool {
    (index.0 as usize) < program.indices.len()
}

/// What is wrong with an access.
fn wrong_access(program: &Program, access: &Access) -> Option<String> {
    wrong_element(program, access.array, &access.subscripts)
}

fn wrong_element(program: &Program, array: ArrayId, subscripts: &[Affine]) -> Option<String> {
    let Some(of) = program.arrays.get(array.0 as usize) else {
        return Some(format!("there is no array {}", array.0));
    };
    let (own, given) = (of.shape.len(), subscripts.len());
    if own != given {
        return Some(format!("`{}` has {own} dimensions, not {given}", of.name));
    }
    let mut subscripts = subscripts.iter();
    subscripts.find_map(|subscript| wrong_affine(program, subscript))
}

/// What is wrong with a subscript or an extent: all that is in it is an integer, and known where the kernel
/// begins but for loops and entries of maps.
fn wrong_affine(program: &Program, affine: &Affine) -> Option<String> {
    let array = |id: &ArrayId| program.arrays.get(id.0 as usize);
    affine.terms.iter().find_map(|(atom, _)| match atom {
        Atom::Index(index) if exists(program, *index) => None,
        Atom::Index(index) => Some(format!("there is no loop {}", index.0)),
        Atom::Scalar(id) | Atom::Length(id, _) | Atom::Map(id, _) if array(id).is_none() => {
            Some(format!("there is no array {}", id.0))
        }
        Atom::Scalar(id) => {
            let fits = |a: &crate::ir::Array| {
                a.shape.is_empty() && a.element.is_integer() && a.role.position().is_some()
            };
            let wrong = array(id).filter(|array| !fits(array))?;
            Some(format!("`{}` is no integer parameter", wrong.name))
        }
        Atom::Length(id, axis) => {
            let fits = |a: &crate::ir::Array| a.role.position().is_some() && *axis < a.shape.len();
            let wrong = array(id).filter(|array| !fits(array))?;
            Some(format!("`{}` has no length along axis {axis}", wrong.name))
        }
        Atom::Map(id, subscripts) => {
            let wrong = array(id).filter(|array| !array.element.is_integer());
            let wrong = wrong.map(|array| format!("`{}` is no index map", array.name));
            wrong.or_else(|| wrong_element(program, *id, subscripts))
        }
    })
}
