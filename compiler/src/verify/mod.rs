//! Validation of every expansion: source, program and scheduled program are interpreted on random
//! inputs in the prime field 2^61 - 1, where sums and products are exact. Two different
//! polynomials of degree d agree by chance with a probability below d / 2^61.

mod inputs;
pub mod memory;
pub mod scheduled;
mod shrink;
pub mod source;
pub mod uninterpreted;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::analysis::cost::{self, Cost};
use crate::ir::{Affine, Equation, Program, Role};
use crate::lower::Reached;
use crate::passes::code_motion;
use crate::schedule::tree::Schedule;
use crate::syntax;
use crate::syntax::ast::{FunctionId, LoopId, Module};
use memory::{Data, Memory};

/// Steps that one interpretation may take. Extents are shrunk long before this is reached.
const BUDGET: u64 = 400_000_000;

/// Iterations that must run in full from which a program is not compared with the source itself.
const LONG: usize = 1 << 12;

/// What using that up is called.
const TOO_LARGE: &str = "too large to validate";

/// What is validated.
pub struct Subject<'a> {
    /// The block.
    pub module: &'a Module,
    /// The kernel.
    pub function: FunctionId,
    /// The program as lowered: its accesses say how large inputs must be.
    pub lowered: &'a Program,
    /// What the text subscripts beyond that.
    pub reached: &'a [Reached],
    /// What must not be negative for the program to be the source.
    pub assumed: &'a [Affine],
    /// The loops that the lowering kept: only these are shrunk.
    pub kept: HashSet<(FunctionId, LoopId)>,
}

impl Subject<'_> {
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

    fn inputs(&self, size: usize) -> Result<Memory, String> {
        inputs::inputs(self.lowered, self.reached, self.assumed, size)
    }
}

/// Compares a scheduled program with the source.
///
/// # Errors
/// What differs.
pub fn validate(subject: &Subject, program: &Program, schedule: &Schedule) -> Result<(), String> {
    Validation::new(subject, program, schedule.width)
        .validate(program, schedule)
        .map_err(Refusal::reason)
}

/// Why a scheduled program is not emitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No inputs were found on which the source runs without an access out of bounds, or it takes
    /// too long.
    Unchecked(String),
    /// It is not the source.
    Different(String),
}

impl Refusal {
    fn reason(self) -> String {
        match self {
            Refusal::Unchecked(reason) | Refusal::Different(reason) => reason,
        }
    }
}

/// What the schedules of one kernel are compared with: the source's results are kept, since
/// interpreting it takes longest.
///
/// Where passes have run whole loops of the source, or scheduling has split long ones into blocks, the
/// source is interpreted on few iterations of all others and compared with the optimised program, and
/// schedules are compared with that, later ones too that would not need it. Where later passes cut
/// loops, which then are no longer shrunk, the source is compared with the program before these, and
/// that with the optimised one.
pub struct Validation<'a, 'm> {
    subject: &'a Subject<'m>,
    optimised: &'a Program,
    /// The program after the pass that ran loops of the source, before those that follow.
    evaluated: Option<&'a Program>,
    /// Whether the optimised program is the source, once that is known.
    agrees: Option<Result<(), Refusal>>,
    /// Iterations of loops of run-time extent.
    size: usize,
    expected: HashMap<Key, Memory>,
}

/// What the results depend on: whose they are, the optimised program's or the source's, iterations of
/// loops of run-time extent, and those of other extents that shrank.
type Key = (bool, usize, Vec<(usize, usize)>);

impl<'a, 'm> Validation<'a, 'm> {
    /// Nothing interpreted yet; `width` is the largest number of lanes.
    pub fn new(subject: &'a Subject<'m>, optimised: &'a Program, width: usize) -> Self {
        Validation {
            subject,
            optimised,
            evaluated: None,
            agrees: None,
            size: width + 1,
            expected: HashMap::new(),
        }
    }

    /// With the program after the pass that ran loops of the source, if one did.
    #[must_use]
    pub fn by_way_of(self, evaluated: Option<&'a Program>) -> Self {
        Validation { evaluated, ..self }
    }

    /// Whether there are inputs to compare on.
    ///
    /// # Errors
    /// Why there are none.
    pub fn possible(&self) -> Result<(), String> {
        self.subject.inputs(self.size).map(|_| ())
    }

    /// See [`validate`]. Where arrays of fixed extents have no room for that many iterations, there
    /// are fewer.
    ///
    /// # Errors
    /// What differs, or why there is nothing to compare with.
    pub fn validate(&mut self, program: &Program, schedule: &Schedule) -> Result<(), Refusal> {
        // Also where that was done for an earlier schedule: it takes less than the source does.
        let through = self.agrees.is_some()
            || !self.optimised.evaluated.is_empty()
            || !self.optimised.split.is_empty()
            || !program.blocked.is_empty();
        let compared = if through {
            let agree = || self.subject.agrees(self.evaluated, self.optimised);
            self.agrees.get_or_insert_with(agree).clone()?;
            self.optimised
        } else {
            self.subject.lowered
        };
        let shrunk = shrink::trips(compared, program, schedule);
        let trips = |n: usize| shrunk.get(&n).copied().unwrap_or(n);
        // Two steps of unrolled loops, and all that they may leave.
        let unrolled = shrink::unrolled(&schedule.body);
        let mut size = self.size.max((3 * unrolled).saturating_sub(1));
        let mut extents: Vec<(usize, usize)> = shrunk.iter().map(|(n, left)| (*n, *left)).collect();
        extents.sort_unstable();
        let (key, mut found) = loop {
            let key = (through, size, extents.clone());
            match self.source(&key, &trips) {
                Ok(inputs) => break (key, inputs),
                Err(reason) if size > 1 && reason != TOO_LARGE => {
                    size /= 2;
                    self.size = self.size.min(size);
                }
                Err(reason) => return Err(Refusal::Unchecked(reason)),
            }
        };
        let mut budget = BUDGET;
        let run = scheduled::run(program, schedule, &mut found, &trips, &mut budget);
        match run.and_then(|()| compare(self.subject, &self.expected[&key], &found)) {
            Err(reason) if budget == 0 => Err(Refusal::Unchecked(reason)),
            result => result.map_err(Refusal::Different),
        }
    }

    /// Inputs, after what schedules are compared with has run on them.
    fn source(&mut self, key: &Key, trips: &dyn Fn(usize) -> usize) -> Result<Memory, String> {
        let (through, size, _) = *key;
        let inputs = self.subject.inputs(size)?;
        if let Entry::Vacant(new) = self.expected.entry(key.clone()) {
            new.insert(if through {
                run_program(self.optimised, &inputs, trips)?
            } else {
                run_source(self.subject, &inputs, &|n, k| k < trips(n))?
            });
        }
        Ok(inputs)
    }
}

/// Compares a scheduled program with another program, whose equations are executed one after the
/// other: `size` is how often loops of run-time extent run.
///
/// # Errors
/// What differs, or why a program cannot be executed.
pub fn equivalent(
    source: &Program,
    program: &Program,
    schedule: &Schedule,
    size: usize,
) -> Result<(), String> {
    let inputs = inputs::inputs(source, &[], &[], size)?;
    let mut expected = inputs.clone();
    scheduled::run_unscheduled(source, &mut expected, &|n| n, &mut { BUDGET })?;
    let mut found = inputs;
    scheduled::run(program, schedule, &mut found, &|n| n, &mut { BUDGET })?;
    let name = |position: usize| {
        let parameter = |role: &Role| role.position() == Some(position);
        let array = source.arrays.iter().find(|array| parameter(&array.role));
        array.map(|array| array.name.clone())
    };
    differences(&expected, &found, &name)
}

/// Compares a program, its equations executed one after the other, with the source.
///
/// # Errors
/// What differs.
pub fn validate_unscheduled(subject: &Subject, program: &Program) -> Result<(), String> {
    agree(subject, program).map_err(Refusal::reason)
}

/// Iterations of loops of run-time extent where programs are compared without schedules.
const CELLS: usize = 2;
/// Most iterations of other loops that are not kept whole.
const SHRUNK: usize = 4;

impl Subject<'_> {
    /// Compares a program with the source, by way of an earlier one if more can be left out then.
    fn agrees(&self, earlier: Option<&Program>, program: &Program) -> Result<(), Refusal> {
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
        let inputs = self.inputs(CELLS).or_else(|_| self.inputs(1));
        let inputs = inputs.map_err(Refusal::Unchecked)?;
        let run = |program| run_program(program, &inputs, &trips);
        run(earlier)
            .and_then(|expected| compare(self, &expected, &run(program)?))
            .map_err(Refusal::Different)
    }
}

/// Compares a program with the source; where loops that must run in full are long, by way of the lowered
/// program with what loops do not change moved out of them, if that takes less to interpret: source and
/// that one are compared on few iterations.
fn agree(subject: &Subject, program: &Program) -> Result<(), Refusal> {
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
    let runs = |n: usize, k: usize| match split.iter().find(|split| split.whole == n) {
        Some(split) => split.parts.iter().any(|part| {
            let mut iterations = part.iterations().take(trips(part.count));
            iterations.any(|iteration| iteration == k)
        }),
        None => k < trips(n),
    };
    let started = |cells| {
        let inputs = subject.inputs(cells)?;
        let expected = run_source(subject, &inputs, &runs)?;
        Ok((inputs, expected))
    };
    let (inputs, expected) = started(CELLS)
        .or_else(|_| started(1))
        .map_err(Refusal::Unchecked)?;
    run_program(program, &inputs, &trips)
        .and_then(|found| compare(subject, &expected, &found))
        .map_err(Refusal::Different)
}

fn run_program(
    program: &Program,
    inputs: &Memory,
    trips: &dyn Fn(usize) -> usize,
) -> Result<Memory, String> {
    let mut found = inputs.clone();
    scheduled::run_unscheduled(program, &mut found, trips, &mut { BUDGET })?;
    Ok(found)
}

fn run_source(
    subject: &Subject,
    inputs: &Memory,
    runs: &dyn Fn(usize, usize) -> bool,
) -> Result<Memory, String> {
    let mut expected = inputs.clone();
    source::run(
        subject.module,
        subject.function,
        &subject.kept,
        &mut expected,
        runs,
        &mut { BUDGET },
    )?;
    Ok(expected)
}

fn compare(subject: &Subject, expected: &Memory, found: &Memory) -> Result<(), String> {
    let function = &subject.module.functions[subject.function.0];
    let name = |position: usize| {
        let parameter = function.parameters.get(position)?;
        Some(function.variables[parameter.variable.0].name.to_string())
    };
    differences(expected, found, &name)
}

/// The first element that differs, with the name of its parameter: the result has none.
fn differences(
    expected: &Memory,
    found: &Memory,
    name: &dyn Fn(usize) -> Option<String>,
) -> Result<(), String> {
    let both = expected.parameters.iter().zip(&found.parameters);
    for (position, (e, f)) in both.enumerate() {
        let (Data::Field(e), Data::Field(f)) = (&e.data, &f.data) else {
            continue;
        };
        if let Some(at) = e.iter().zip(f).position(|(a, b)| a != b) {
            let what = match name(position) {
                Some(name) => format!("element {at} of `{name}`"),
                None => "the result".to_owned(),
            };
            return Err(format!("{what} differs from the source's"));
        }
    }
    Ok(())
}
