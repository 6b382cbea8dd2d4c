//! Texts as candidates beside what becomes of them.

use crate::analysis::cost::{self, nominal};
use crate::analysis::traffic::Traffic;
use crate::ir::{Affine, ArrayId, Expr, ExprId, IndexId, Program};
use crate::machine::{MEMORY, NEXT, register_bits};
use crate::passes::code_motion;
use crate::report::Facts;
use crate::schedule::Compiled;
use crate::syntax::ast::{Function, IsaName};

/// Whether something else may run than the loops that a variant is scheduled in: no option says how they are to run or
/// what memory they may take, and no operations are counted.
pub fn is_free(function: &Function) -> bool {
    let options = &function.options;
    options.on_loops().is_none()
        && options.pipeline.is_none()
        && options.require_lanes.is_none()
        && options.memory.is_none()
        && function.scalar_parameter.is_none()
}

/// Whether the text may be faster than what became of it: the passes saved little of what is lowered, or of what is
/// written, or integers have to be looked at before it runs; it divides no positions; nothing says how its loops are to run or what memory they
/// may take, and no operations are counted.
fn competes(function: &Function, (text, program): (&Program, &Program), facts: &Facts) -> bool {
    let written = facts.source.operations();
    // A sum of run-time length that is assigned has an addition less, which is one of many.
    let assigned = |program: &Program| {
        let equations = program.equations.iter();
        let sums = equations.filter(|equation| equation.operator.accumulated().is_none());
        let long = |index: &IndexId| !program.is_constant(*index);
        sums.filter(|sum| sum.reduction.iter().any(long)).count() as u64
    };
    // What begins with zero has one for nothing.
    let begun = |program: &Program| {
        let zero = |expr: &ExprId| match program.pool.get(*expr) {
            Expr::Sum(terms) => terms.iter().any(|term| program.pool.is_zero(term.expr)),
            _ => false,
        };
        program.reachable().iter().filter(|expr| zero(expr)).count() as u64
    };
    let operations = |program| cost::program(program).operations() + assigned(program);
    let before = operations(text).min(written + assigned(text));
    let before = before.saturating_sub(begun(text));
    is_free(function)
        && !function.periodic
        && (!text.limited.is_empty()
            || operations(program).saturating_mul(4) >= before.saturating_mul(3))
}

/// The text as LLVM compiles it, where it may be faster, as far as the model knows: what no loop changes stands before
/// it in the text, or LLVM moves it there.
pub fn compiled(
    function: &Function,
    (text, program): (&Program, &Program),
    facts: &Facts,
) -> Option<Compiled> {
    if !competes(function, (text, program), facts) {
        return None;
    }
    let mut text = text.clone();
    code_motion::run(&mut text);
    Compiled::of(&text)
}

/// What it takes to look at the integers that a program limits, before it runs.
#[derive(Debug, Default)]
pub struct Looking {
    /// Cycles where they are in the caches of a core.
    near: f64,
    /// Cycles where they come from memory.
    far: f64,
    /// Cycles in which all that the program reads and writes comes from there, and goes there.
    moved: f64,
}

impl Looking {
    /// At what a program limits.
    pub fn of(program: &Program, moved: &Traffic) -> Looking {
        if program.limited.is_empty() {
            return Looking::default();
        }
        let long = |index: &IndexId| !program.is_constant(*index);
        let times = |loops: Vec<IndexId>| {
            let loops = loops.into_iter().filter(long);
            let extents = loops.map(|index| program.loop_index(index).extent.clone());
            let extents = extents.map(|extent| nominal(program, &extent) as f64);
            extents.product::<f64>()
        };
        let bytes = |array: ArrayId| {
            let shape = &program.array(array).shape;
            let own = shape.iter().map(|extent| nominal(program, extent) as f64);
            let mut most = own.product::<f64>();
            for equation in &program.equations {
                for (_, access) in program.pool.accesses([equation.expr]) {
                    if program.viewed(access.array) == array {
                        most = most.max(times(Affine::indices_of(&access.subscripts)));
                    }
                }
            }
            most * program.array(array).element.bits() as f64 / 8.0
        };
        let limited = program.limited.iter();
        let looked: f64 = limited.map(|(array, _)| bytes(*array)).sum();
        let equations = program.equations.iter();
        let iterations = equations.map(|equation| times(equation.domain().collect()));
        let iterations = iterations.fold(1.0, f64::max);
        // Lines that are written are read before.
        let each = (moved.read + 2 * moved.written) as f64;
        Looking {
            near: looked / NEXT,
            far: looked / MEMORY,
            moved: each * iterations / MEMORY,
        }
    }

    /// The instruction set that the text is compiled for instead of loops which take some cycles, if it takes no more,
    /// and the part of these that it takes: a smaller one where LLVM would scatter with the larger one, or gather for
    /// longer than that saves. And whether it takes no more where what is looked at comes from memory.
    pub fn instead(
        &self,
        text: Option<&Compiled>,
        isa: IsaName,
        cycles: f64,
    ) -> (Option<(f64, IsaName)>, bool) {
        let Some(text) = text.filter(|_| isa != IsaName::Scalar) else {
            return (None, false);
        };
        let of = |isa| (text.cycles(register_bits(isa)), isa);
        let smaller = of(IsaName::Avx2);
        let (own, compiled_for) = match of(isa) {
            larger if larger.0 <= smaller.0 && !text.scatters() => larger,
            _ => smaller,
        };
        let taken = (own <= cycles + self.near).then_some((own / cycles, compiled_for));
        let far = own.max(self.moved) <= cycles.max(self.moved) + self.far;
        (taken, far && self.far > 0.0)
    }
}
