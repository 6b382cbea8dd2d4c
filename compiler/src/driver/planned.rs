//! Loop trees that the option `plan` hands in, instead of what a search finds.
//!
//! A plan may add temporaries and other equations. It is taken for right no more than what passes and the scheduler make:
//! it must keep the rules of programs, and it is compared with the source.

use crate::analysis::structure;
use crate::collections::HashSet;
use crate::diagnostics::Fault;
use crate::emit::Covered;
use crate::ir::{Access, Equation, Program, Role};
use crate::schedule::text::{ParseError, plan};
use crate::schedule::tree::Schedule;
use crate::schedule::{Scheduled, Target, handed_in};
use crate::syntax::ast::{Function, IsaName, PlanText};
use crate::verify::{self, Validation};

use super::variants::Refusal;
use super::{in_order, inside, numbers};

const HELP: &str = "`cargo loopwright plan` prints the plan that the search finds, to begin with";

/// The plans of a kernel.
pub struct Plans<'f> {
    all: Vec<Planned<'f>>,
}

/// A plan.
pub struct Planned<'f> {
    text: &'f PlanText,
    scheduled: Scheduled,
}

impl<'f> Plans<'f> {
    /// Reads the plans of a kernel whose passes left a program; `lowered` is that before them.
    ///
    /// # Errors
    /// A plan that cannot be read, that breaks a rule of programs, that writes where the kernel does not, or
    /// that no instruction set of the kernel has as many lanes as.
    pub fn read(
        function: &'f Function,
        (lowered, program): (&Program, &Program),
        targets: &[(IsaName, Target)],
    ) -> Result<Self, Refusal> {
        let texts = function.options.plan.iter();
        let all: Vec<Planned> = texts
            .map(|text| Planned::read(text, (lowered, program)))
            .collect::<Result<_, Fault>>()
            .map_err(Refusal::Ignored)?;
        let plans = Plans { all };
        let taken = |own: &Planned| {
            let mut targets = targets.iter();
            targets.any(|(isa, target)| plans.of(*isa, *target).is_some_and(|plan| plan.is(own)))
        };
        match plans.all.iter().find(|own| !taken(own)) {
            None => Ok(plans),
            Some(idle) => {
                let widths = targets.iter().map(|(_, target)| target.width.to_string());
                let mut widths: Vec<String> = widths.collect();
                widths.dedup();
                Err(Refusal::Ignored(Fault::new(
                    idle.text.span,
                    format!(
                        "no instruction set takes this plan of width {}: theirs are {}",
                        idle.scheduled.schedule.width,
                        widths.join(", ")
                    ),
                    "give one plan for each width",
                )))
            }
        }
    }

    /// The plan of an instruction set: that with as many lanes, or, for AVX-512, with half of them.
    pub fn of(&self, isa: IsaName, target: Target) -> Option<&Planned<'f>> {
        let width = |width| {
            self.all
                .iter()
                .find(|own| own.scheduled.schedule.width == width)
        };
        let half = || width(target.width / 2).filter(|_| isa == IsaName::Avx512);
        width(target.width).or_else(half)
    }
}

impl<'f> Planned<'f> {
    fn read(text: &'f PlanText, (lowered, base): (&Program, &Program)) -> Result<Self, Fault> {
        let fault = |message: String| Fault::new(text.span, message, HELP);
        let read = plan::parse(&text.text, base);
        let (program, schedule) = read.map_err(|error: ParseError| {
            let ParseError {
                line,
                column,
                message,
                ..
            } = error;
            fault(format!(
                "line {line} of the plan, column {column}: {message}"
            ))
        })?;
        match problem((lowered, base), &program, &schedule) {
            None => Ok(Planned {
                text,
                scheduled: handed_in(program, schedule),
            }),
            Some(problem) => Err(fault(problem)),
        }
    }

    /// Its loop tree, with what the model estimates.
    pub fn scheduled(&self) -> Scheduled {
        self.scheduled.clone()
    }

    /// Compares what became of it with the source.
    pub fn validate(
        &self,
        validation: &mut Validation<'_, '_>,
        (program, schedule): (&Program, &Schedule),
    ) -> Result<(), Refusal> {
        let message = match validation.validate_in_full(program, schedule) {
            Ok(()) => return Ok(()),
            Err(verify::Refusal::Different(difference)) => {
                format!("the plan is not the kernel: {difference}")
            }
            Err(verify::Refusal::Unchecked(reason) | verify::Refusal::Unmet(reason)) => {
                format!("the plan cannot be compared with the kernel: {reason}")
            }
        };
        Err(Refusal::Ignored(Fault::new(self.text.span, message, HELP)))
    }

    fn is(&self, other: &Planned) -> bool {
        std::ptr::eq(self, other)
    }
}

/// Why a plan is not safe to try: comparing runs some sizes, and memory must be safe for all.
fn problem(
    (lowered, base): (&Program, &Program),
    program: &Program,
    schedule: &Schedule,
) -> Option<String> {
    if let Some(violation) = structure::scheduled(program).first() {
        return Some(format!("the plan is no program: {violation}"));
    }
    if let Some(number) = numbers::unknown(&[lowered, base], program) {
        return Some(format!(
            "the plan has `{number}`, which is no number of the kernel"
        ));
    }
    let covered = Covered::new(lowered, &[]);
    let is_own = |access: &Access| {
        let role = &program.array(access.array).role;
        matches!(role, Role::Temporary | Role::Table(_))
    };
    let known: HashSet<Access> = (base.equations.iter())
        .flat_map(|equation| accesses(base, equation))
        .collect();
    for equation in &program.equations {
        for access in accesses(program, equation).into_iter().filter(is_own) {
            if !known.contains(&access) && !structure::is_inside(program, &access) {
                let name = named(program, &access);
                return Some(format!("`{name}` of the plan may be outside of its array"));
            }
        }
        let copies = schedule.copies().into_iter();
        let copies = copies.filter(|copy| copy.staged == equation.target.array);
        let targets = copies.map(|copy| &copy.target).chain([&equation.target]);
        for target in targets.filter(|target| !is_own(target)) {
            let domain: Vec<_> = equation.domain().collect();
            if !covered.covers(program, &domain, target) {
                let name = named(program, target);
                return Some(format!(
                    "the plan writes `{name}`, which the kernel may not"
                ));
            }
        }
    }
    inside::outside(program, schedule).or_else(|| in_order::out_of_order(program, schedule))
}

/// An access in words.
fn named(program: &Program, access: &Access) -> String {
    let subscripts = access.subscripts.iter();
    let subscripts: Vec<String> = subscripts.map(|s| program.describe(s)).collect();
    format!(
        "{}[{}]",
        program.array(access.array).name,
        subscripts.join(", ")
    )
}

/// What an equation writes and reads.
fn accesses(program: &Program, equation: &Equation) -> Vec<Access> {
    let read = program.pool.accesses([equation.expr]).into_iter();
    let read = read.map(|(_, access)| access.clone());
    read.chain([equation.target.clone()]).collect()
}
