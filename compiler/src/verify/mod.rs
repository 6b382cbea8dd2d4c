//! Validation of every expansion: source, program and scheduled program are interpreted on random
//! inputs in the prime field 2^61 - 1, where sums and products are exact. Two different
//! polynomials of degree d agree by chance with a probability below d / 2^61.
//!
//! What is compared is counted: each block of the text that has a program, each equation and each part
//! of a loop tree must run on some of the inputs, loops in steps with whole steps and without. More
//! inputs are tried until they have. What none of them reaches is not validated.

mod apart;
mod coverage;
mod inputs;
pub mod memory;
mod results;
pub mod samples;
pub mod scheduled;
mod shrink;
pub mod source;
mod subject;
mod trials;
pub mod uninterpreted;

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

use crate::collections::HashMap;
use crate::ir::{IndexId, Part, Program, Role};
use crate::schedule::strips;
use crate::schedule::tree::Schedule;
use apart::{Apart, apart};
use coverage::{Nodes, Points};
use inputs::{Inputs, Size};
use memory::Memory;
use results::{compare, differences, same_tables};
use samples::Iterations;
use shrink::{Loops, Runs, TextLoop};
pub use subject::{Subject, Work};
use trials::{Progress, until_met};

/// Steps that one interpretation may take, and how many more each token of the text allows. Extents are
/// shrunk long before this is reached, unless many loops stand inside each other.
const BUDGET: u64 = 4_000_000;
const BUDGET_PER_TOKEN: u64 = 16_000;
/// How many times the steps of a program a loop tree may take: vectors count whole, whatever is left of a loop.
const OF_LANES: u64 = 4;
/// Steps of programs that are compared without a text.
const EQUIVALENT: u64 = 400_000_000;
/// What using that up is called.
const TOO_LARGE: &str = "too large to validate";

/// Compares a scheduled program with the source.
///
/// # Errors
/// What differs.
pub fn validate(subject: &Subject, program: &Program, schedule: &Schedule) -> Result<(), String> {
    Validation::new(subject, schedule.width)
        .validate(program, schedule)
        .map_err(Refusal::reason)
}

/// Why a scheduled program is not emitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No inputs were found on which the source runs without an access out of bounds, or it takes
    /// too long.
    Unchecked(String),
    /// No inputs were found that reach a part of it.
    Unmet(String),
    /// It is not the source.
    Different(String),
}

impl Refusal {
    /// That no budget is left is no difference.
    fn of(reason: String) -> Refusal {
        match reason == TOO_LARGE {
            true => Refusal::Unchecked(reason),
            false => Refusal::Different(reason),
        }
    }

    fn reason(self) -> String {
        match self {
            Refusal::Unchecked(reason) | Refusal::Unmet(reason) | Refusal::Different(reason) => {
                reason
            }
        }
    }
}

/// What the schedules of one kernel are compared with: its results are kept.
///
/// The optimised program is compared with the source once, on iterations of long loops that are not the
/// same for all inputs ([`samples`]). Schedules have main loops and remainders, which run with the first
/// iterations; they are compared with the optimised program, which takes less to interpret than the source.
/// Where later passes cut loops, which then are no longer shrunk, the source is compared with a program
/// before these, and that with the optimised one.
pub struct Validation<'a, 'm> {
    subject: &'a Subject<'m>,
    optimised: &'a Program,
    /// Programs between the source and the optimised one.
    between: Vec<&'a Program>,
    /// Whether the optimised program is the source, once that is known, and what was met of it.
    agrees: Option<Result<Points, Refusal>>,
    /// Iterations of loops of run-time extent.
    size: usize,
    /// Whether each equation has to be computed at all points of its domain, whatever its values are.
    whole: bool,
    /// Whether lengths are told apart: loops that run in steps are as long as these need, and others short.
    apart: bool,
    expected: HashMap<Key, (Memory, Points)>,
}

/// What the results depend on: how many iterations run, and the inputs.
type Key = (Shrunk, usize);

/// Iterations of loops of run-time extent, and those of other loops that shrank.
type Shrunk = (Size, Vec<Listed>);

/// The iterations of a loop that run, where others are left out.
type Listed = (IndexId, Iterations);

impl<'a, 'm> Validation<'a, 'm> {
    /// Whether so many steps are left that also what the kernel can do without is validated.
    pub fn has_plenty(&self) -> bool {
        self.subject.has_plenty()
    }

    /// Nothing interpreted yet; `width` is the largest number of lanes.
    pub fn new(subject: &'a Subject<'m>, width: usize) -> Self {
        Validation {
            subject,
            optimised: subject.lowered,
            between: Vec::new(),
            agrees: None,
            size: width + 1,
            whole: false,
            apart: false,
            expected: HashMap::default(),
        }
    }

    /// By way of the optimised program, and of others between the source and that, in order.
    #[must_use]
    pub fn by_way_of(self, optimised: &'a Program, between: Vec<&'a Program>) -> Self {
        Validation {
            optimised,
            between,
            ..self
        }
    }

    /// Whether there are inputs to compare on.
    ///
    /// # Errors
    /// Why there are none.
    pub fn possible(&self) -> Result<(), String> {
        let inputs = self.subject.inputs();
        inputs.memory(&Size::of(self.size), 0).map(|_| ())
    }

    /// See [`validate`]. Where arrays of fixed extents have no room for that many iterations, there
    /// are fewer.
    ///
    /// # Errors
    /// What differs, or why there is nothing to compare with.
    pub fn validate(&mut self, program: &Program, schedule: &Schedule) -> Result<(), Refusal> {
        if self.agrees.is_none() {
            self.agrees = Some(self.subject.agrees(&self.between, self.optimised));
        }
        let known = self.agrees.clone().unwrap_or(Ok(Points::default()))?;
        same_tables(self.optimised, program)?;
        let schedule = &strips::shrunk(program, schedule);
        if let Some(apart) = apart(program, schedule)
            && self.validate_apart(&apart, &known).is_ok()
        {
            return Ok(());
        }
        self.validate_in_few(program, schedule, &known)
    }

    /// The same with lengths told apart.
    fn validate_apart(&self, apart: &Apart, known: &Points) -> Result<(), Refusal> {
        let met = self
            .subject
            .equal((self.optimised, known), &apart.ordered)?;
        let subject = self.subject.of(&apart.before);
        let mut validation = Validation {
            size: self.size,
            whole: self.whole,
            apart: true,
            ..Validation::new(&subject, 1)
        };
        validation.validate_in_few(&apart.program, &apart.schedule, &met)
    }

    /// The same with few iterations of loops of constant length; with all of them, where there is a difference.
    fn validate_in_few(
        &mut self,
        program: &Program,
        schedule: &Schedule,
        known: &Points,
    ) -> Result<(), Refusal> {
        let (loops, left_out) = shrink::left_out(self.optimised, program, schedule);
        let less = |index| left_out.get(&loops.class(index)).copied().unwrap_or(0);
        let few = self.in_sizes(
            (program, schedule),
            (&self.shrunk(&loops, &less), known),
            &less,
        );
        match few {
            // What belongs together is not believed.
            Err(Refusal::Different(found)) if left_out.values().any(|less| *less > 0) => match self
                .in_sizes((program, schedule), (&[], known), &|_| 0)
            {
                Err(Refusal::Unchecked(_) | Refusal::Unmet(_)) => Err(Refusal::Different(found)),
                all => all,
            },
            few => few,
        }
    }

    /// The same of a loop tree that nobody has built, also without leaving out iterations of loops of constant length,
    /// if that does not take too long. Each equation is computed at all points of its domain: what is added might be
    /// zero for all inputs that are tried, as an entry of a table is.
    ///
    /// # Errors
    /// As of [`validate`](Self::validate).
    pub fn validate_in_full(
        &mut self,
        program: &Program,
        schedule: &Schedule,
    ) -> Result<(), Refusal> {
        self.whole = true;
        let few = self.validate(program, schedule);
        let known = self.agrees.clone().unwrap_or(Ok(Points::default()));
        let all =
            few.and_then(
                |()| match self.in_sizes((program, schedule), (&[], &known?), &|_| 0) {
                    Err(Refusal::Unchecked(_) | Refusal::Unmet(_)) => Ok(()),
                    found => found,
                },
            );
        self.whole = false;
        all
    }

    /// The iterations of the optimised program's loops that have others left out.
    fn shrunk(&self, loops: &Loops, less: &dyn Fn(IndexId) -> usize) -> Vec<Listed> {
        let mut indices: Vec<IndexId> = (self.optimised.equations.iter())
            .flat_map(|equation| equation.domain())
            .collect();
        indices.sort_unstable();
        indices.dedup();
        let left = |class: usize| loops.length(class).unwrap_or(0);
        let shrunk = indices.into_iter().filter_map(|index| {
            let n = self.optimised.loop_index(index).extent.as_constant()?;
            let (_, Runs::Parts(parts)) = loops.runs(index) else {
                let less = less(index);
                return (less > 0).then(|| (index, Iterations::First(n - less)));
            };
            let of_part = |(class, part): &(usize, Part)| {
                let less = less(IndexId(*class as u32));
                let values: Vec<usize> = (0..left(*class) - less).collect();
                part.iterations(&values).collect::<Vec<_>>()
            };
            let all: BTreeSet<usize> = parts.iter().flat_map(of_part).collect();
            let some = all.len() < n;
            some.then(|| (index, Iterations::Listed(all.into_iter().collect())))
        });
        shrunk.collect()
    }

    /// Compares with as many iterations of loops of run-time length as there is room for.
    fn in_sizes(
        &mut self,
        (program, schedule): (&Program, &Schedule),
        (shrunk, known): (&[Listed], &Points),
        less: &dyn Fn(IndexId) -> usize,
    ) -> Result<(), Refusal> {
        // Two steps of unrolled loops, and all that they may leave.
        let unrolled = shrink::unrolled(&schedule.body);
        let mut most = self.size.max((3 * unrolled).saturating_sub(1));
        // Whole steps over the lanes, and one that is not.
        most = most.max((2 * shrink::wide(&schedule.body)).saturating_sub(1));
        most = most.max(shrink::moving(&schedule.body));
        let mut halved = 0;
        loop {
            let size = most >> halved;
            let mut long = shrink::in_steps(program, &schedule.body);
            long.iter_mut().flatten().for_each(|(_, needed)| {
                *needed = if self.apart {
                    (*needed >> halved).max(1)
                } else {
                    size
                };
            });
            let size_of = Size {
                long,
                short: self.apart,
                ..Size::of(size)
            };
            let key = (size_of, shrunk.to_vec());
            match self.compared((program, schedule), (&key, known), less) {
                Err(Refusal::Unchecked(reason)) if size > 1 && reason != TOO_LARGE => {
                    halved += 1;
                    self.size = self.size.min(size / 2);
                }
                other => return other,
            }
        }
    }

    /// Compares on inputs of a size until both sides are met.
    fn compared(
        &mut self,
        (program, schedule): (&Program, &Schedule),
        (shrunk, known): (&Shrunk, &Points),
        less: &dyn Fn(IndexId) -> usize,
    ) -> Result<(), Refusal> {
        let (subject, optimised) = (self.subject, self.optimised);
        let listed: HashMap<IndexId, Iterations> = shrunk.1.iter().cloned().collect();
        let runs = |index: IndexId| {
            let own = listed.get(&index);
            own.cloned().unwrap_or(Iterations::ALL)
        };
        let (mut met, mut nodes) = (Points::default(), Nodes::default());
        until_met(subject, &shrunk.0, &mut |at, inputs| {
            let key = (shrunk.clone(), at);
            let (expected, parts) = match self.expected.entry(key) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let run = |budget: &mut _| run_program(optimised, inputs, &runs, budget);
                    let found = subject.within(1, run);
                    new.insert(found.map_err(Refusal::Unchecked)?)
                }
            };
            met.extend(parts);
            let mut found = inputs.clone();
            let run = subject.within(OF_LANES, |budget| {
                scheduled::run(program, schedule, &mut found, less, budget)
            });
            let run = run.and_then(|run| compare(subject, expected, &found).map(|()| run));
            let run = run.and_then(
                |mut run| match run.miscounted.take().filter(|_| self.whole) {
                    Some(miscounted) => Err(miscounted),
                    None => Ok(run),
                },
            );
            nodes.extend(run.map_err(Refusal::of)?);
            let missing = met.missing(optimised).or_else(|| met.less_than(known));
            Ok(Progress {
                missing: missing.or_else(|| nodes.missing(program, schedule)),
                complete: nodes.all_steps(&schedule.body),
                zero: met.has_zero(optimised),
            })
        })
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
    let inputs = Inputs::new(source, &[], &[], &[]);
    let inputs = inputs.memory(&Size::of(size), 0)?;
    let mut expected = inputs.clone();
    scheduled::run_unscheduled(source, &mut expected, &|_| Iterations::ALL, &mut {
        EQUIVALENT
    })?;
    let mut found = inputs;
    scheduled::run(program, schedule, &mut found, &|_| 0, &mut { EQUIVALENT })?;
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
    check_unscheduled(subject, program).map_err(Refusal::reason)
}

/// As [`validate_unscheduled`].
///
/// # Errors
/// What differs, or why there is nothing to compare with.
pub fn check_unscheduled(subject: &Subject, program: &Program) -> Result<(), Refusal> {
    subject::agree(subject, program).map(|_| ())
}

fn run_program(
    program: &Program,
    inputs: &Memory,
    runs: &dyn Fn(IndexId) -> Iterations,
    budget: &mut u64,
) -> Result<(Memory, Points), String> {
    let mut found = inputs.clone();
    let met = scheduled::run_unscheduled(program, &mut found, runs, budget)?;
    Ok((found, met))
}

fn run_source(
    subject: &Subject,
    inputs: &Memory,
    runs: &dyn Fn(TextLoop) -> Iterations,
    budget: &mut u64,
) -> Result<(Memory, Points), String> {
    let mut expected = inputs.clone();
    let (module, function) = (subject.module, subject.function);
    let met = source::run(module, function, &mut expected, runs, budget)?;
    Ok((expected, met))
}
