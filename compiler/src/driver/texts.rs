//! Texts as candidates beside what becomes of them.

use crate::analysis::cost;
use crate::ir::{IndexId, Program};
use crate::machine::register_bits;
use crate::passes::code_motion;
use crate::schedule::Compiled;
use crate::syntax::ast::{Function, IsaName};

/// Whether the text may be faster than what became of it: the passes saved little of what is lowered, or of what is
/// written, nothing says how its loops are to run or what memory they may take, and no operations are counted.
pub fn competes(function: &Function, (text, program): (&Program, &Program), written: u64) -> bool {
    let options = &function.options;
    let free = options.on_loops().is_none() && options.pipeline.is_none();
    // A sum of run-time length that is assigned has an addition less, which is one of many.
    let assigned = |program: &Program| {
        let equations = program.equations.iter();
        let sums = equations.filter(|equation| equation.operator.accumulated().is_none());
        let long = |index: &IndexId| !program.is_constant(*index);
        sums.filter(|sum| sum.reduction.iter().any(long)).count() as u64
    };
    let operations = |program| cost::program(program).operations() + assigned(program);
    free && options.require_lanes.is_none()
        && options.memory.is_none()
        && function.scalar_parameter.is_none()
        && operations(program).saturating_mul(4)
            >= operations(text)
                .min(written + assigned(text))
                .saturating_mul(3)
}

/// The text as LLVM compiles it, as far as the model knows: what no loop changes stands before it in the text, or LLVM
/// moves it there.
pub fn compiled(text: &Program) -> Option<Compiled> {
    let mut text = text.clone();
    code_motion::run(&mut text);
    Compiled::of(&text)
}

/// The instruction set that the text is compiled for instead of loops which take some cycles, if it takes no more, and
/// the part of these that it takes. Where LLVM would scatter, it is one that cannot.
pub fn instead(text: Option<&Compiled>, isa: IsaName, cycles: f64) -> Option<(f64, IsaName)> {
    let text = text.filter(|_| isa != IsaName::Scalar)?;
    let part = text.cycles(register_bits(isa)) / cycles;
    let compiled_for = if text.scatters() { IsaName::Avx2 } else { isa };
    (part <= 1.0).then_some((part, compiled_for))
}
