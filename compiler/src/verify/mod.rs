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

use crate::ir::Program;
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
    Validation::new(subject, schedule.width).validate(program, schedule)
}

/// What the schedules of one kernel are compared with: the source's results are kept, since
/// interpreting it takes longest.
pub struct Validation<'a, 'm> {
    subject: &'a Subject<'m>,
    /// Iterations of loops of run-time extent.
    size: usize,
    expected: HashMap<Vec<(usize, usize)>, Memory>,
}

impl<'a, 'm> Validation<'a, 'm> {
    /// Nothing interpreted yet; `width` is the largest number of lanes.
    pub fn new(subject: &'a Subject<'m>, width: usize) -> Self {
        Validation {
            subject,
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
        let shrunk = shrink::trips(program, schedule);
        let trips = |n: usize| shrunk.get(&n).copied().unwrap_or(n);
        let inputs = inputs::inputs(self.subject.lowered, self.subject.reached, self.size)?;
        let mut key: Vec<(usize, usize)> = shrunk.iter().map(|(n, left)| (*n, *left)).collect();
        key.sort_unstable();
        let expected = match self.expected.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(run_source(self.subject, &inputs, &trips)?),
        };
        let mut found = inputs;
        scheduled::run(program, schedule, &mut found, &trips, &mut { BUDGET })?;
        compare(self.subject, expected, &found)
    }
}

/// Compares a program, its equations executed one after the other, with the source.
///
/// # Errors
/// What differs.
pub fn validate_unscheduled(subject: &Subject, program: &Program) -> Result<(), String> {
    const CELLS: usize = 2;
    const SHRUNK: usize = 4;
    let fixed = shrink::read_apart(program);
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
    for (position, (e, f)) in expected
        .parameters
        .iter()
        .zip(&found.parameters)
        .enumerate()
    {
        let (Data::Field(e), Data::Field(f)) = (&e.data, &f.data) else {
            continue;
        };
        if let Some(at) = e.iter().zip(f).position(|(a, b)| a != b) {
            let what = match function.parameters.get(position) {
                Some(parameter) => {
                    let name = &function.variables[parameter.variable.0].name;
                    format!("element {at} of `{name}`")
                }
                None => "the result".to_owned(),
            };
            return Err(format!("{what} differs from the source's"));
        }
    }
    Ok(())
}
