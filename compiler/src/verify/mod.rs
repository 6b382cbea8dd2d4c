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

use crate::ir::{Program, Role};
use crate::lower::Reached;
use crate::schedule::tree::Schedule;
use crate::syntax::ast::{FunctionId, LoopId, Module};
use memory::{Data, Memory};

/// Steps that one interpretation may take. Extents are shrunk long before this is reached.
const BUDGET: u64 = 400_000_000;

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
    /// The loops that the lowering kept: only these are shrunk.
    pub kept: HashSet<(FunctionId, LoopId)>,
}

/// Compares a scheduled program with the source.
///
/// # Errors
/// What differs.
pub fn validate(subject: &Subject, program: &Program, schedule: &Schedule) -> Result<(), String> {
    Validation::new(subject, program, schedule.width).validate(program, schedule)
}

/// What the schedules of one kernel are compared with: the source's results are kept, since
/// interpreting it takes longest.
///
/// Where passes have run whole loops of the source, it is interpreted on few iterations of all
/// others and compared with the optimised program, and schedules are compared with that.
pub struct Validation<'a, 'm> {
    subject: &'a Subject<'m>,
    optimised: &'a Program,
    /// Whether the optimised program is the source, once that is known.
    agrees: Option<Result<(), String>>,
    /// Iterations of loops of run-time extent.
    size: usize,
    expected: HashMap<Key, Memory>,
}

/// What the source's results depend on: iterations of loops of run-time extent, and those of other
/// extents that shrank.
type Key = (usize, Vec<(usize, usize)>);

impl<'a, 'm> Validation<'a, 'm> {
    /// Nothing interpreted yet; `width` is the largest number of lanes.
    pub fn new(subject: &'a Subject<'m>, optimised: &'a Program, width: usize) -> Self {
        Validation {
            subject,
            optimised,
            agrees: None,
            size: width + 1,
            expected: HashMap::new(),
        }
    }

    /// Whether there are inputs to compare on.
    ///
    /// # Errors
    /// Why there are none.
    pub fn possible(&self) -> Result<(), String> {
        inputs::inputs(self.subject.lowered, self.subject.reached, self.size).map(|_| ())
    }

    /// See [`validate`].
    ///
    /// # Errors
    /// What differs.
    pub fn validate(&mut self, program: &Program, schedule: &Schedule) -> Result<(), String> {
        let through = !self.optimised.evaluated.is_empty();
        let compared = if through {
            self.optimised
        } else {
            self.subject.lowered
        };
        let shrunk = shrink::trips(compared, program, schedule);
        let trips = |n: usize| shrunk.get(&n).copied().unwrap_or(n);
        // Two steps of unrolled loops, and all that they may leave.
        let unrolled = shrink::unrolled(&schedule.body);
        let size = self.size.max((3 * unrolled).saturating_sub(1));
        let inputs = inputs::inputs(self.subject.lowered, self.subject.reached, size)?;
        let mut key: Vec<(usize, usize)> = shrunk.iter().map(|(n, left)| (*n, *left)).collect();
        key.sort_unstable();
        if through {
            let validate = || validate_unscheduled(self.subject, self.optimised);
            self.agrees.get_or_insert_with(validate).clone()?;
        }
        let expected = match self.expected.entry((size, key)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) if through => {
                let mut expected = inputs.clone();
                scheduled::run_unscheduled(self.optimised, &mut expected, &trips, &mut { BUDGET })?;
                new.insert(expected)
            }
            Entry::Vacant(new) => new.insert(run_source(self.subject, &inputs, &trips)?),
        };
        let mut found = inputs;
        scheduled::run(program, schedule, &mut found, &trips, &mut { BUDGET })?;
        compare(self.subject, expected, &found)
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
    let inputs = inputs::inputs(source, &[], size)?;
    let mut expected = inputs.clone();
    scheduled::run_unscheduled(source, &mut expected, &|n| n, &mut { BUDGET })?;
    let mut found = inputs;
    scheduled::run(program, schedule, &mut found, &|n| n, &mut { BUDGET })?;
    let name = |position: usize| {
        let parameter = |role: &Role| match role {
            Role::Parameter(at) | Role::Output(at) => *at == position,
            Role::Table(_) | Role::Temporary => false,
        };
        let array = source.arrays.iter().find(|array| parameter(&array.role));
        array.map_or(String::new(), |array| array.name.clone())
    };
    differences(&expected, &found, &name)
}

/// Compares a program, its equations executed one after the other, with the source.
///
/// # Errors
/// What differs.
pub fn validate_unscheduled(subject: &Subject, program: &Program) -> Result<(), String> {
    const CELLS: usize = 2;
    const SHRUNK: usize = 4;
    let mut fixed = shrink::apart(subject.lowered, program);
    fixed.extend(&program.evaluated);
    let trips = |n: usize| if fixed.contains(&n) { n } else { n.min(SHRUNK) };
    let inputs = inputs::inputs(subject.lowered, subject.reached, CELLS)?;
    let expected = run_source(subject, &inputs, &trips)?;
    let mut found = inputs;
    scheduled::run_unscheduled(program, &mut found, &trips, &mut { BUDGET })?;
    compare(subject, &expected, &found)
}

fn run_source(
    subject: &Subject,
    inputs: &Memory,
    trips: &dyn Fn(usize) -> usize,
) -> Result<Memory, String> {
    let mut expected = inputs.clone();
    source::run(
        subject.module,
        subject.function,
        &subject.kept,
        &mut expected,
        trips,
        &mut { BUDGET },
    )?;
    Ok(expected)
}

fn compare(subject: &Subject, expected: &Memory, found: &Memory) -> Result<(), String> {
    let function = &subject.module.functions[subject.function.0];
    let name = |position: usize| {
        let variable = function.parameters[position].variable;
        function.variables[variable.0].name.to_string()
    };
    differences(expected, found, &name)
}

/// The first element that differs, with the name of its parameter.
fn differences(
    expected: &Memory,
    found: &Memory,
    name: &dyn Fn(usize) -> String,
) -> Result<(), String> {
    let both = expected.parameters.iter().zip(&found.parameters);
    for (position, (e, f)) in both.enumerate() {
        let (Data::Field(e), Data::Field(f)) = (&e.data, &f.data) else {
            continue;
        };
        if let Some(at) = e.iter().zip(f).position(|(a, b)| a != b) {
            let name = name(position);
            return Err(format!(
                "element {at} of `{name}` differs from the source's"
            ));
        }
    }
    Ok(())
}
