//! The ways of lowering a kernel that are tried, one after the other.

use super::findings::{Finding, Findings};
use super::{Arrays, Lowered, attempt, held_elements, repeated, words};
use crate::lower::problem::Result;
use crate::syntax::ast::{Function, Module};

/// Lowers one kernel, its small local arrays as scalars. With `exact`, the program's floating-point
/// operations and their order are those of the source, so that executing the equations in source
/// order has its bits.
///
/// # Errors
/// The first construct that has no place in a program.
pub fn lower(module: &Module, function: &Function, exact: bool) -> Result<Lowered> {
    lower_with(module, function, exact, Arrays::Large)
}

/// As [`lower`], where local arrays are what `arrays` says.
///
/// # Errors
/// The first construct that has no place in a program.
pub fn lower_with(
    module: &Module,
    function: &Function,
    exact: bool,
    arrays: Arrays,
) -> Result<Lowered> {
    match attempts(module, function, exact, (arrays, Findings::default())) {
        Err(stopped) if stopped.opaque => {
            let how = (exact, arrays);
            held_elements::lowered(module, function, how, stopped)
                .or_else(|stopped| repeated::step(module, function, how, stopped))
        }
        done => done,
    }
}

/// Lowers a kernel, as often as something is found out that it has to begin with.
pub(super) fn attempts(
    module: &Module,
    function: &Function,
    exact: bool,
    (arrays, mut findings): (Arrays, Findings),
) -> Result<Lowered> {
    // The instances of a generic kernel have as many lanes as their numbers, which may be more than integers have.
    let whole = words::writes_integers(function) || function.rounds;
    let words = whole && function.scalar_parameter.is_none();
    // Why the text runs as written, if what was found leads to nothing better.
    let mut stopped = None;
    let mut steps = 0;
    loop {
        let from = (findings.clone(), &mut steps);
        let mut problem = match attempt(module, function, exact, (arrays, words), from) {
            Err(problem) => problem,
            lowered => return lowered,
        };
        let finding = problem.finding.take();
        let unrolls = matches!(
            finding.as_deref(),
            Some(Finding::Unroll { .. } | Finding::Carry { .. } | Finding::Limit { .. })
        );
        if !finding.is_some_and(|finding| findings.learn(*finding)) && !findings.flatten() {
            return Err(stopped.unwrap_or(problem));
        }
        if unrolls {
            stopped.get_or_insert(problem);
        }
    }
}
