//! What is validated, and comparisons of programs without schedules.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::coverage::Points;
use super::inputs::{Inputs, Size};
use super::memory::Memory;
use super::source::Iterations;
use super::{
    BUDGET, BUDGET_PER_TOKEN, Progress, Refusal, compare, run_program, run_source, shrink,
    until_met,
};
use crate::analysis::cost::{self, Cost};
use crate::diagnostics::Span;
use crate::ir::{Equation, Program};
use crate::lower::Lowered;
use crate::passes::code_motion;
use crate::syntax;
use crate::syntax::ast::{BlockId, FunctionId, LoopId, Module};

/// Iterations that must run in full from which a program is not compared with the source itself.
const LONG: usize = 1 << 12;
/// Iterations of loops of run-time extent where programs are compared without schedules.
const CELLS: usize = 2;
/// Most iterations of other loops that are not kept whole.
const SHRUNK: usize = 4;

/// What is validated.
pub struct Subject<'a> {
    /// The block.
    pub module: &'a Module,
    /// The kernel.
    pub function: FunctionId,
    /// The program as lowered: its accesses say how large inputs must be.
    pub lowered: &'a Program,
    /// The loops that the lowering kept: only these are shrunk.
    pub(super) kept: &'a HashSet<(FunctionId, LoopId)>,
    /// The blocks of the text that the program is of.
    run: &'a BTreeMap<BlockId, Span>,
    inputs: Inputs<'a>,
}

impl<'a> Subject<'a> {
    /// A kernel that was lowered.
    pub fn new(module: &'a Module, function: FunctionId, lowered: &'a Lowered) -> Self {
        let (reached, bounds) = (&lowered.reached, &lowered.bounds);
        Subject {
            module,
            function,
            lowered: &lowered.program,
            kept: &lowered.kept,
            run: &lowered.run,
            inputs: Inputs::new(&lowered.program, reached, bounds, &lowered.assumed),
        }
    }

    /// Inputs to compare on.
    pub(super) fn inputs(&self) -> &Inputs<'a> {
        &self.inputs
    }

    /// Steps that one interpretation may take.
    pub(super) fn budget(&self) -> u64 {
        let tokens = u64::try_from(syntax::length(self.module)).unwrap_or(u64::MAX);
        BUDGET.saturating_add(tokens.saturating_mul(BUDGET_PER_TOKEN))
    }

    /// Operations of the text.
    fn operations(&self) -> u64 {
        let function = &self.module.functions[self.function.0];
        let cost = syntax::cost::cost(self.module, function);
        [cost.each, cost.once]
            .map(Cost::from)
            .iter()
            .map(Cost::operations)
            .sum()
    }

    /// The first block of the text that the program is of and that did not run.
    pub(super) fn missing(&self, met: &Points) -> Option<String> {
        let mut run = self.run.iter();
        let block = run.find(|(block, _)| !met.has(block.0));
        block.map(|(_, span)| format!("the block that begins in line {}", span.line()))
    }

    /// Compares a program with the source, by way of an earlier one if more can be left out then.
    pub(super) fn agrees(
        &self,
        earlier: Option<&Program>,
        program: &Program,
    ) -> Result<(), Refusal> {
        let Some(earlier) = earlier else {
            return agree(self, program);
        };
        let before = shrink::apart(self.lowered, earlier);
        let fixed = shrink::apart(self.lowered, program);
        if fixed.iter().all(|extent| before.contains(extent)) {
            return agree(self, program);
        }
        agree(self, earlier)?;
        self.equal(earlier, program)
    }

    /// Compares two programs whose loops have the lengths that they have in the other.
    fn equal(&self, earlier: &Program, program: &Program) -> Result<(), Refusal> {
        let mut fixed = shrink::apart(earlier, program);
        fixed.extend(shrink::apart(program, earlier));
        // Loops that the passes between the two ran.
        fixed.extend(program.evaluated.iter().skip(earlier.evaluated.len()));
        let trips = |n: usize| if fixed.contains(&n) { n } else { n.min(SHRUNK) };
        let (mut before, mut after) = (Points::default(), Points::default());
        let most = self.budget();
        until_met(self, &Size::of(CELLS), &mut |_, inputs| {
            let mut budget = most;
            let run = run_program(earlier, inputs, &trips, &mut budget);
            let (expected, met) = run.map_err(Refusal::Unchecked)?;
            before.extend(&met);
            let met = self.runs_as(program, (inputs, &expected), &trips, &mut budget)?;
            after.extend(&met);
            let missing = before.missing(earlier);
            Ok(Progress {
                spent: most - budget,
                missing: missing.or_else(|| after.missing(program)),
                complete: true,
            })
        })
    }

    /// The equations that run on inputs from which a program makes what is expected.
    fn runs_as(
        &self,
        program: &Program,
        (inputs, expected): (&Memory, &Memory),
        trips: &dyn Fn(usize) -> usize,
        budget: &mut u64,
    ) -> Result<Points, Refusal> {
        let found = run_program(program, inputs, trips, budget);
        let same = found.and_then(|(found, met)| compare(self, expected, &found).map(|()| met));
        same.map_err(Refusal::of)
    }
}

/// Compares a program with the source; where loops that must run in full are long, by way of the lowered
/// program with what loops do not change moved out of them, if that takes less to interpret: source and
/// that one are compared on few iterations.
pub(super) fn agree(subject: &Subject, program: &Program) -> Result<(), Refusal> {
    let mut fixed = shrink::apart(subject.lowered, program);
    fixed.extend(&program.evaluated);
    let long = |equation: &Equation| {
        let extents = equation.domain().map(|index| {
            let extent = subject.lowered.loop_index(index).extent.as_constant();
            extent.filter(|extent| fixed.contains(extent))
        });
        extents.flatten().product::<usize>() > LONG
    };
    // Some iterations of loops that were split have no counterpart in it.
    if program.split.is_empty() && subject.lowered.equations.iter().any(long) {
        let mut moved = subject.lowered.clone();
        code_motion::run(&mut moved);
        if cost::program(&moved).operations() <= subject.operations() {
            agreed(subject, &moved)?;
            return subject.equal(&moved, program);
        }
    }
    agreed(subject, program)
}

/// Compares a program with the source alone.
fn agreed(subject: &Subject, program: &Program) -> Result<(), Refusal> {
    let mut fixed = shrink::apart(subject.lowered, program);
    fixed.extend(&program.evaluated);
    let split = shrink::split(program, &mut fixed);
    let trips = |n: usize| if fixed.contains(&n) { n } else { n.min(SHRUNK) };
    // Of a loop that was split, the iterations that its parts run.
    let parts: HashMap<usize, Rc<[usize]>> = split
        .iter()
        .map(|split| {
            let parts = split.parts.iter();
            let all = parts.flat_map(|part| part.iterations().take(trips(part.count)));
            (split.whole, BTreeSet::from_iter(all).into_iter().collect())
        })
        .collect();
    let runs = |n: usize| match parts.get(&n) {
        Some(listed) => Iterations::Listed(listed.clone()),
        None => Iterations::First(trips(n)),
    };
    let compared = |size| {
        let (mut text, mut equations) = (Points::default(), Points::default());
        let most = subject.budget();
        until_met(subject, &Size::of(size), &mut |_, inputs| {
            let mut budget = most;
            let run = run_source(subject, inputs, &runs, &mut budget);
            let (expected, met) = run.map_err(Refusal::Unchecked)?;
            text.extend(&met);
            let met = subject.runs_as(program, (inputs, &expected), &trips, &mut budget)?;
            equations.extend(&met);
            let missing = subject.missing(&text);
            Ok(Progress {
                spent: most - budget,
                missing: missing.or_else(|| equations.missing(program)),
                complete: true,
            })
        })
    };
    match compared(CELLS) {
        Err(Refusal::Unchecked(_)) => compared(1),
        other => other,
    }
}
