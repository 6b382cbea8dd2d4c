//! What is validated, and comparisons of programs without schedules.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::coverage::Points;
use super::inputs::{Inputs, Size};
use super::memory::Memory;
use super::results::compare;
use super::samples::{Iterations, Samples};
use super::shrink::{Kept, Loops};
use super::trials::{Progress, until_met};
use super::{BUDGET, BUDGET_PER_TOKEN, Refusal, TOO_LARGE, run_program, run_source};
use crate::analysis::cost::{self, Cost};
use crate::diagnostics::Span;
use crate::ir::{Equation, IndexId, Program};
use crate::lower::Lowered;
use crate::syntax;
use crate::syntax::ast::{BlockId, FunctionId, Module};

/// Iterations that must run in full from which a program is not compared with the source itself.
const LONG: usize = 8;
/// Iterations of loops of run-time extent where programs are compared without schedules.
pub(super) const CELLS: usize = 2;

/// How many times the steps of another interpretation two programs between the text and the result may take: where
/// one has loops over the axes of the other's, all iterations of both run.
const IN_FULL: u64 = 12;

/// How many times the steps of one interpretation all of a kernel's may take; and how many steps of programs take as
/// long as one of a text or of a loop tree.
const IN_ALL: u64 = 7;
const OF_PROGRAMS: u64 = 3;
/// How many of these are left where also what the kernel can do without is validated.
const PLENTY: u64 = 5;

/// What is validated.
pub struct Subject<'a> {
    /// The block.
    pub module: &'a Module,
    /// The kernel.
    pub function: FunctionId,
    /// The program as lowered: its accesses say how large inputs must be.
    pub lowered: &'a Program,
    /// The loops that the lowering kept: only these are shrunk.
    kept: &'a Kept,
    /// The blocks of the text that the program is of.
    run: &'a BTreeMap<BlockId, Span>,
    inputs: Inputs<'a>,
    /// What leaves a program with its values, and less to interpret.
    shorten: Option<Shorten>,
    work: Rc<Work>,
}

/// Steps of all interpretations of a kernel, whatever of it they are of: it may be lowered in several ways, and nests of
/// it may be kernels of their own.
#[derive(Debug, Default)]
pub struct Work {
    steps: Cell<u64>,
    /// The same in steps that take as long as those of a text.
    taken: Cell<u64>,
    /// Whether the text takes too many steps unless each loop of run-time extent has one iteration.
    long: Cell<bool>,
}

/// See [`Subject::by_way_of`].
type Shorten = fn(&mut Program);

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
            shorten: None,
            work: Rc::default(),
        }
    }

    /// With what makes a program shorter to interpret. Nothing is believed of it: the program that it leaves
    /// is compared with the source, on few iterations, and stands for the source where long loops run in
    /// full.
    #[must_use]
    pub fn by_way_of(self, shorten: Shorten) -> Self {
        Subject {
            shorten: Some(shorten),
            ..self
        }
    }

    /// With the steps of what else the kernel has been validated as.
    #[must_use]
    pub fn after(self, work: &Rc<Work>) -> Self {
        let work = Rc::clone(work);
        Subject { work, ..self }
    }

    /// The same for another program, which nothing is compared with but what was made from it.
    pub(super) fn of<'b>(&self, lowered: &'b Program) -> Subject<'b>
    where
        'a: 'b,
    {
        Subject {
            module: self.module,
            function: self.function,
            lowered,
            kept: self.kept,
            run: self.run,
            inputs: Inputs::new(lowered, &[], &[], &[]),
            shorten: None,
            work: Rc::clone(&self.work),
        }
    }

    /// Inputs to compare on.
    pub(super) fn inputs(&self) -> &Inputs<'a> {
        &self.inputs
    }

    /// Steps that one interpretation may take.
    pub(super) fn budget(&self) -> u64 {
        let tokens = u64::try_from(self.module.length).unwrap_or(u64::MAX);
        BUDGET.saturating_add(tokens.saturating_mul(BUDGET_PER_TOKEN))
    }

    /// Steps of all interpretations until now.
    pub(super) fn spent(&self) -> u64 {
        self.work.steps.get()
    }

    /// Steps that are left of those that all interpretations of a kernel may take.
    fn left(&self) -> u64 {
        let all = IN_ALL.saturating_mul(self.budget());
        all.saturating_sub(self.work.taken.get())
    }

    /// Whether so much is left that also what the kernel can do without is validated.
    pub(super) fn has_plenty(&self) -> bool {
        self.left() >= PLENTY.saturating_mul(self.budget())
    }

    /// Interprets something that may take the steps of so many interpretations, as far as these are left.
    pub(super) fn within<T>(&self, times: u64, interpret: impl FnOnce(&mut u64) -> T) -> T {
        self.limited((times, 1), interpret)
    }

    /// As [`within`](Self::within), for programs.
    fn within_full<T>(&self, interpret: impl FnOnce(&mut u64) -> T) -> T {
        self.limited((IN_FULL, OF_PROGRAMS), interpret)
    }

    /// Interprets something of which so many steps take as long as one of the text.
    fn limited<T>(&self, (times, as_long): (u64, u64), interpret: impl FnOnce(&mut u64) -> T) -> T {
        let left = self.left().saturating_mul(as_long);
        let most = left.min(times.saturating_mul(self.budget()));
        let mut budget = most;
        let result = interpret(&mut budget);
        let (Work { steps, taken, .. }, own) = (&*self.work, most - budget);
        steps.set(steps.get() + own);
        taken.set(taken.get() + own / as_long);
        result
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

    /// Compares a program with the source, by way of one of those between them if more can be left out then.
    pub(super) fn agrees(
        &self,
        between: &[&Program],
        program: &Program,
    ) -> Result<Points, Refusal> {
        let loops = Loops::new(self.lowered, program, Some(self.kept));
        let whole = self.whole(&loops);
        if whole > 1 {
            // The first one in which most loops have been run.
            let counts = between.iter().map(|earlier| {
                let loops = Loops::new(self.lowered, earlier, Some(self.kept));
                (*earlier, self.whole(&loops))
            });
            let fewer: Vec<(&Program, usize)> = counts
                .filter(|(_, count)| *count > 1 && *count < whole)
                .collect();
            if let Some((earlier, _)) = fewer.first() {
                let met = agree(self, earlier)?;
                return self.equal((earlier, &met), program);
            }
        }
        agree(self, program)
    }

    /// How many iterations of the text's loops run in full at most, those inside of each other multiplied.
    fn whole(&self, loops: &Loops) -> usize {
        let product = |equation: &Equation| -> usize {
            let whole = equation.domain().filter(|index| loops.is_whole(*index));
            let extents = whole.filter_map(|i| self.lowered.loop_index(i).extent.as_constant());
            extents.product()
        };
        self.lowered
            .equations
            .iter()
            .map(product)
            .max()
            .unwrap_or(1)
    }

    /// Compares two programs, the second one of which was made from the first one, on inputs that meet what
    /// others met of that.
    pub(super) fn equal(
        &self,
        (earlier, met): (&Program, &Points),
        program: &Program,
    ) -> Result<Points, Refusal> {
        believed(Loops::new(earlier, program, None), |loops| {
            let (mut before, mut after) = (Points::default(), Points::default());
            until_met(self, &Size::of(CELLS), &mut |at, inputs| {
                let samples = Samples::new(at, loops);
                let runs = |index| samples.of(index);
                let (own, others) = self.within_full(|budget| {
                    let run = run_program(earlier, inputs, &runs, budget);
                    let (expected, own) = run.map_err(Refusal::Unchecked)?;
                    let others = self.runs_as(program, (inputs, &expected), &runs, budget)?;
                    Ok((own, others))
                })?;
                before.extend(&own);
                after.extend(&others);
                let missing = before.missing(earlier);
                let missing = missing.or_else(|| before.less_than(met));
                Ok(Progress {
                    missing: missing.or_else(|| after.missing(program)),
                    complete: samples.all(program),
                    zero: before.has_zero(earlier),
                })
            })?;
            Ok(after)
        })
    }

    /// The equations that run on inputs from which a program makes what is expected.
    fn runs_as(
        &self,
        program: &Program,
        (inputs, expected): (&Memory, &Memory),
        runs: &dyn Fn(IndexId) -> Iterations,
        budget: &mut u64,
    ) -> Result<Points, Refusal> {
        let found = run_program(program, inputs, runs, budget);
        let same = found.and_then(|(found, met)| compare(self, expected, &found).map(|()| met));
        same.map_err(Refusal::of)
    }
}

/// Compares with some iterations of loops; with all of them, where there is a difference: what belongs together
/// is not believed.
fn believed(
    loops: Loops,
    mut compared: impl FnMut(&Loops) -> Result<Points, Refusal>,
) -> Result<Points, Refusal> {
    match compared(&loops) {
        Err(Refusal::Different(found)) => match compared(&loops.in_full()) {
            Err(Refusal::Unchecked(_)) => Err(Refusal::Different(found)),
            all => all,
        },
        few => few,
    }
}

/// Compares a program with the source; where loops that must run in full are long, by way of a shorter
/// program ([`Subject::by_way_of`]), if that takes less to interpret than the text.
pub(super) fn agree(subject: &Subject, program: &Program) -> Result<Points, Refusal> {
    let loops = Loops::new(subject.lowered, program, Some(subject.kept));
    if let Some(shorten) = subject.shorten
        && subject.whole(&loops) > LONG
    {
        let mut short = subject.lowered.clone();
        shorten(&mut short);
        if cost::program(&short).operations() <= subject.operations() {
            let loops = Loops::new(subject.lowered, &short, Some(subject.kept));
            let met = agreed(subject, &short, loops)?;
            return subject.equal((&short, &met), program);
        }
    }
    agreed(subject, program, loops)
}

/// Compares a program with the source alone; what was met of it.
fn agreed(subject: &Subject, program: &Program, loops: Loops) -> Result<Points, Refusal> {
    // Whether the text alone took too many steps.
    let long = Cell::new(false);
    let compared = |loops: &Loops, size| {
        let (mut text, mut equations) = (Points::default(), Points::default());
        until_met(subject, &Size::of(size), &mut |at, inputs| {
            let samples = Samples::new(at, loops);
            let of_text = |own| samples.of_text(own);
            let runs = |index| samples.of(index);
            let (blocks, own) = subject.within(1, |budget| {
                let run = run_source(subject, inputs, &of_text, budget);
                if run.as_ref().is_err_and(|reason| reason == TOO_LARGE) {
                    long.set(true);
                }
                let (expected, blocks) = run.map_err(Refusal::Unchecked)?;
                let own = subject.runs_as(program, (inputs, &expected), &runs, budget)?;
                Ok((blocks, own))
            })?;
            text.extend(&blocks);
            equations.extend(&own);
            let missing = subject.missing(&text);
            Ok(Progress {
                missing: missing.or_else(|| equations.missing(program)),
                complete: samples.all(program),
                zero: equations.has_zero(program),
            })
        })?;
        Ok(equations)
    };
    let mut in_full = false;
    believed(loops, |loops| {
        // What was too long before another pass, or as another nest, is not begun again.
        if subject.work.long.get() {
            return compared(loops, 1);
        }
        let found = compared(loops, CELLS);
        if !std::mem::replace(&mut in_full, true) && long.get() {
            subject.work.long.set(true);
        }
        match found {
            Err(Refusal::Unchecked(_)) => compared(loops, 1),
            other => other,
        }
    })
}
