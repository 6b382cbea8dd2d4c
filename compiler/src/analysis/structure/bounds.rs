//! Subscripts within the extents of what the kernel owns: tables and temporaries.
//!
//! Integers that count have no end. An access of a parameter out of its bounds is the text's, and is checked
//! when the kernel runs; so is one at a number that is given then, unless the extent is too.

use super::Finder;
use crate::analysis::dependence::Facts;
use crate::ir::{Access, Affine, Atom, Expr, Extent, Program, Role};

impl Finder<'_> {
    /// Finds subscripts that some iteration has out of range, whatever the inputs are.
    pub(super) fn bounds(&mut self) {
        let program = self.program;
        let mut accesses: Vec<(usize, &Access)> = Vec::new();
        for (at, equation) in program.equations.iter().enumerate() {
            accesses.push((at, &equation.target));
        }
        for (expr, at) in &self.used {
            if let Expr::Access(access) = program.pool.get(*expr) {
                accesses.push((*at, access));
            }
        }
        for (at, access) in accesses {
            let array = program.array(access.array);
            if !matches!(array.role, Role::Table(_) | Role::Temporary) {
                continue;
            }
            let dimensions = access.subscripts.iter().zip(&array.shape);
            for (dimension, (subscript, extent)) in dimensions.enumerate() {
                if let Some(message) = outside(program, subscript, extent) {
                    let name = &array.name;
                    self.wrong(
                        at,
                        format!("`{name}` is accessed {message} in dimension {dimension}"),
                    );
                }
            }
        }
    }
}

/// Whether an access is within the extents of its array in all iterations, for all inputs, as far as that is known.
pub fn is_inside(program: &Program, access: &Access) -> bool {
    let shape = &program.array(access.array).shape;
    let mut dimensions = access.subscripts.iter().zip(shape);
    dimensions.all(|(subscript, extent)| {
        let mut facts = Facts::default();
        let Some([least, most]) = ends(program, subscript, &mut facts) else {
            return false;
        };
        let last = extent.affine().sub(&Affine::constant(1));
        facts.know(program, &last);
        facts.at_least(&least, 0) && facts.at_least(&last.sub(&most), 0)
    })
}

/// How a subscript leaves its dimension in some iteration, if that is sure.
fn outside(program: &Program, subscript: &Affine, extent: &Extent) -> Option<String> {
    // By far most of them.
    if let Some(index) = subscript.as_index()
        && program.loop_index(index).extent == *extent
    {
        return None;
    }
    let mut facts = Facts::default();
    let [least, most] = ends(program, subscript, &mut facts)?;
    // Such a number is the text's: it is checked when the kernel runs.
    let given = |end: &Affine| end.as_constant().is_none();
    if extent.as_constant().is_some() && (given(&least) || given(&most)) {
        return None;
    }
    if facts.at_least(&least.scale(-1), 1) {
        return Some(format!("at {}", program.describe(&least)));
    }
    let extent = extent.affine();
    facts.know(program, &extent);
    facts
        .at_least(&most.sub(&extent), 0)
        .then(|| format!("at {}", program.describe(&most)))
}

/// The least and the largest value of a function in the iterations of its loops; `None` if it is not known as
/// an affine function of what is the same in all of them, or there is no iteration. All of the loops have
/// one, else nothing is accessed.
fn ends(program: &Program, affine: &Affine, facts: &mut Facts) -> Option<[Affine; 2]> {
    facts.know(program, affine);
    for (atom, _) in &affine.terms {
        if let Atom::Index(index) = atom {
            let extent = program.loop_index(*index).extent.affine();
            let last = extent.sub(&Affine::constant(1));
            facts.assume(program, last.clone());
            if last.as_constant().is_some_and(|last| last < 0) {
                return None;
            }
        }
    }
    program.ends(affine)
}
