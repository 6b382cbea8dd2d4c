//! The ways of lowering a kernel that are tried, one after the other.

use super::findings::{Finding, Findings};
use super::{Arrays, Lowered, attempt, held_elements, own_rows, repeated, words};
use crate::ir::{Equation, Program};
use crate::lower::problem::{Problem, Result};
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
            own_rows::lowered(module, function, how, stopped)
                .or_else(|stopped| held_elements::lowered(module, function, how, stopped))
                .or_else(|stopped| repeated::step(module, function, how, stopped))
                .or_else(|stopped| in_words(module, function, how, stopped))
        }
        done => done,
    }
}

/// Lowers a kernel, as often as something is found out that it has to begin with.
pub(super) fn attempts(
    module: &Module,
    function: &Function,
    exact: bool,
    (arrays, findings): (Arrays, Findings),
) -> Result<Lowered> {
    let words = has_words(function);
    learning(module, function, exact, (arrays, findings, words))
}

/// Whether the integers of a kernel are words from the start: it writes some.
fn has_words(function: &Function) -> bool {
    let whole = words::writes_integers(function) || function.rounds;
    whole && may_have_words(function)
}

/// The instances of a generic kernel have as many lanes as their numbers, which may be more than integers have.
fn may_have_words(function: &Function) -> bool {
    function.scalar_parameter.is_none()
}

/// The program of a kernel that writes no integers, but sums some up that become numbers, as words: products of bytes that
/// are scaled, say. Where types and the lengths of loops do not show that nothing overflows it has none, nor where the
/// sums are not over loops of known length that are left: what is written out would gather bytes that the text
/// has in registers.
fn in_words(
    module: &Module,
    function: &Function,
    (exact, arrays): (bool, Arrays),
    stopped: Problem,
) -> Result<Lowered> {
    if has_words(function) || !may_have_words(function) {
        return Err(stopped);
    }
    match learning(module, function, exact, (arrays, Findings::default(), true)) {
        Ok(lowered) if sums_words(&lowered.program) => Ok(lowered),
        _ => Err(stopped),
    }
}

/// Whether all sums of integers are over loops of known length, and there are some; no values are limited.
fn sums_words(program: &Program) -> bool {
    let words = |equation: &&Equation| {
        program
            .array(equation.target.array)
            .element
            .as_word()
            .is_some()
    };
    let known = |equation: &Equation| {
        let mut loops = equation.reduction.iter();
        !equation.reduction.is_empty() && loops.all(|index| program.is_constant(*index))
    };
    let mut sums = program.equations.iter().filter(words).peekable();
    program.limited.is_empty() && sums.peek().is_some() && sums.all(known)
}

/// Lowers a kernel, its integers as words or not, as often as something is found out.
fn learning(
    module: &Module,
    function: &Function,
    exact: bool,
    (arrays, mut findings, words): (Arrays, Findings, bool),
) -> Result<Lowered> {
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
