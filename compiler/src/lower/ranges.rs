//! Subscripts that leave their array whatever the inputs are.

use super::{Lowerer, Result, problem};
use crate::diagnostics::Span;
use crate::ir::{Access, Affine, Atom, Extent, Program, Role};

impl Lowerer<'_> {
    /// An error for a subscript that is out of range in some iteration of its loops.
    pub(super) fn check_ranges(&self) -> Result<()> {
        for (equation, statement) in self.program.equations.iter().zip(&self.statements) {
            let span = statement.span;
            self.check_access(&equation.target, span)?;
            for (_, access) in self.program.pool.accesses([equation.expr]) {
                self.check_access(access, span)?;
            }
        }
        Ok(())
    }

    fn check_access(&self, access: &Access, span: Span) -> Result<()> {
        let array = self.program.array(access.array);
        if matches!(array.role, Role::Temporary | Role::Counting) {
            return Ok(());
        }
        let viewed = self.array(self.program.viewed(access.array));
        // What the rows of a flat slice are subscripted with, its length alone says something of.
        let subscripts = access.subscripts.iter().zip(&array.shape).enumerate();
        for (axis, (subscript, extent)) in subscripts.skip(viewed.flat_rows()) {
            for (atom, _) in &subscript.terms {
                if let Atom::Map(array, subscripts) = atom {
                    let inner = Access {
                        array: *array,
                        subscripts: subscripts.clone(),
                    };
                    self.check_access(&inner, span)?;
                }
            }
            let (low, high) = range(&self.program, subscript);
            let most = extent.as_constant().map(|n| n as i64 - 1);
            let index = match (low, high, most) {
                (Some(low), ..) if low < 0 => low,
                (_, Some(high), Some(most)) if high > most => high,
                _ => {
                    if let Some(beyond) = beyond(&self.program, subscript, extent) {
                        return problem(
                            span,
                            format!(
                                "the last iteration reaches {beyond} beyond the end of `{}`",
                                array.name
                            ),
                            "end the loop earlier, or give the array's length in another parameter",
                        );
                    }
                    continue;
                }
            };
            let (name, of) = (&array.name, extent_text(extent));
            return problem(
                span,
                format!("index {index} is out of bounds for axis {axis} of `{name}`{of}"),
                "let the loops run over the subscripts that the array has",
            );
        }
        Ok(())
    }
}

fn extent_text(extent: &Extent) -> String {
    match extent {
        Extent::Constant(n) => format!(" with extent {n}"),
        Extent::RunTime(_) => String::new(),
    }
}

/// By how many elements a subscript passes the end of an array in the last iteration of loops that
/// run over that array's own length.
fn beyond(program: &Program, subscript: &Affine, extent: &Extent) -> Option<i64> {
    let Extent::RunTime(extent) = extent else {
        return None;
    };
    let mut last = Affine::constant(subscript.constant);
    for (atom, coefficient) in &subscript.terms {
        let value = match atom {
            Atom::Index(index) if *coefficient > 0 => {
                let end = program.loop_index(*index).extent.affine();
                end.add(&Affine::constant(-1)).scale(*coefficient)
            }
            Atom::Index(_) => return None,
            other => Affine::atom(other.clone()).scale(*coefficient),
        };
        last = last.add(&value);
    }
    let beyond = last.sub(extent).as_constant()?;
    (beyond >= 0).then_some(beyond + 1)
}

/// The smallest and the largest value of a subscript over non-empty loops, where they are known:
/// a loop of run-time length starts at zero and has no known end.
fn range(program: &Program, affine: &Affine) -> (Option<i64>, Option<i64>) {
    let (mut low, mut high) = (Some(affine.constant), Some(affine.constant));
    for (atom, coefficient) in &affine.terms {
        let last = match atom {
            Atom::Index(index) => match &program.loop_index(*index).extent {
                Extent::Constant(n) => Some(*n as i64 - 1),
                Extent::RunTime(_) => None,
            },
            Atom::Scalar(_) | Atom::Length(..) | Atom::Map(..) => return (None, None),
        };
        let end = last.and_then(|last| coefficient.checked_mul(last));
        let add = |sum: Option<i64>, term: Option<i64>| sum?.checked_add(term?);
        if *coefficient > 0 {
            high = add(high, end);
        } else {
            low = add(low, end);
        }
    }
    (low, high)
}
