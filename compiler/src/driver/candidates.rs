//! The programs that a kernel's text may become: local arrays that loops sweep are scalars, which live
//! in registers, or arrays, whose loops the passes see; short sums are unrolled, or stay. The one with the fewest operations is
//! taken, of equal ones the one with the fewest cycles.

use std::fmt::Write;

use super::stages::{self, Stages};
use super::{Settings, weighed};
use crate::analysis::cost::{self, Cost};
use crate::ir::Program;
use crate::lower::{self, Arrays, Lowered, Problem};
use crate::machine::{ARITHMETIC, DIVISION};
use crate::passes::{EXACT, Pipeline, of_level};
use crate::report::Clock;
use crate::rewrite::forwards;
use crate::syntax::ast::{Function, Module};

/// Equations and expressions of a program in which local arrays are scalars, beyond which it is not looked at where they
/// may be in memory: each pass takes time for each of them, and what is emitted is as long.
const MOST: usize = 2048;

/// A program is looked at in any case where no other one has fewer than one in so many of its equations and expressions.
const LARGER: usize = 8;

/// A program and what the passes made of it.
pub struct Candidate {
    arrays: Arrays,
    /// The program.
    pub lowered: Lowered,
    /// The passes, if they have run.
    stages: Option<Stages>,
}

/// What programs are made of.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The block.
    pub module: &'a Module,
    /// The kernel.
    pub function: &'a Function,
    /// The passes.
    pub pipeline: &'a Pipeline,
    /// What was changed in tables.
    pub cleaned: Option<&'a [String]>,
    /// What does not stand in the text.
    pub settings: &'a Settings,
}

impl Candidate {
    /// What the passes make of it: they run where they have not yet.
    pub fn passed(&mut self, source: Source, clock: &mut Clock) -> Stages {
        match self.stages.take() {
            Some(stages) => stages,
            None => source.run(&mut self.lowered, clock),
        }
    }

    /// How many operations it takes in the end, if that is known.
    fn operations(&self) -> Option<u64> {
        let stages = self.stages.as_ref()?;
        Some(stages.facts.expansion.operations())
    }

    /// How large it is.
    fn size(&self) -> usize {
        let program = &self.lowered.program;
        program.equations.len() + program.reachable().len()
    }

    fn describe(&self) -> String {
        let how = match self.arrays {
            Arrays::Large => "as scalars",
            Arrays::Swept => "in memory",
            Arrays::ShortSums => "as scalars, short sums in loops",
        };
        match self.operations() {
            Some(operations) => format!("{how}: {operations} operations"),
            None => format!(
                "{how}: {} equations and expressions, not tried",
                self.size()
            ),
        }
    }
}

impl Source<'_> {
    /// Runs the passes on a program.
    fn run(self, lowered: &mut Lowered, clock: &mut Clock) -> Stages {
        let (function, passes) = (self.function, &self.pipeline.passes);
        let mut facts = stages::source_facts(self.module, function);
        facts.notes.extend(stages::limits(function, passes));
        let assumptions = super::partial::assumptions(function, lowered);
        facts.notes.extend(assumptions);
        let own = stages::lowered_facts(&facts, lowered, passes);
        let cleaned = self.cleaned.map(<[String]>::to_vec);
        let cleaned = cleaned.map(|decisions| stages::cleaned_facts(own.after, decisions));
        facts.passes.push(own);
        facts.passes.extend(cleaned);
        let stages = Stages::run(function, lowered, passes, (facts, self.settings), clock);
        let assumed = stages.last().map(|program| program.assumed.clone());
        lowered.assumed.extend(assumed.into_iter().flatten());
        stages
    }

    /// Takes the passes that only move operations where all of the kernel's level lead to more than there were before
    /// them: sums and products in normal form share other parts than the text names, which may be fewer.
    fn at_least_as_good(self, best: &mut Candidate, clock: &mut Clock) {
        let exact = of_level(EXACT, self.function.options.strict);
        // Passes that are named run.
        let of_level = self.function.options.pipeline.is_none();
        // Planted faults are in a pass that this would leave out.
        let more = of_level
            && !self.settings.plant.is_for_validation()
            && self.pipeline.passes.len() > exact.passes.len();
        let Some(stages) = best.stages.as_mut().filter(|_| more) else {
            return;
        };
        let before = stages
            .facts
            .passes
            .first()
            .map(|lower| weight(&lower.after));
        let found = weight(&stages.facts.expansion);
        if before.is_none_or(|before| found <= before) {
            return;
        }
        let assumed = best.lowered.assumed.clone();
        let fewer = Source {
            pipeline: &exact,
            ..self
        };
        let other = fewer.run(&mut best.lowered, clock);
        match taken(&other) < taken(stages) {
            true => {
                let all = stages.facts.expansion.operations();
                *stages = other;
                let alone = stages.facts.expansion.operations();
                let said = format!(
                    "the passes that only move operations, alone: {alone} operations; all passes: {all}"
                );
                if let Some(lower) = stages.facts.passes.first_mut() {
                    lower.decisions.push(said);
                }
            }
            false => best.lowered.assumed = assumed,
        }
    }
}

/// The programs of a kernel, the best one first; why there is none.
pub fn candidates(source: Source, clock: &mut Clock) -> Result<Vec<Candidate>, Problem> {
    let (module, function) = (source.module, source.function);
    let exact = function.options.keeps_operations();
    let choices = match exact {
        true => vec![Arrays::Large],
        false => Arrays::choices(module, function),
    };
    let mut result: Vec<Candidate> = Vec::new();
    let mut problem = None;
    for arrays in choices {
        match lower::lower_with(module, function, exact, arrays) {
            Ok(mut lowered) => {
                forwards::run(&mut lowered.program);
                clock.lap("lower");
                let mut others = result.iter().map(|other| &other.lowered.program);
                if !others.any(|other| other.is_same(&lowered.program)) {
                    result.push(Candidate {
                        arrays,
                        lowered,
                        stages: None,
                    });
                }
            }
            Err(other) => problem = problem.or(Some(other)),
        }
    }
    if let (true, Some(problem)) = (result.is_empty(), problem) {
        return Err(problem);
    }
    let fewest = result.iter().map(Candidate::size).min();
    let most = fewest.map_or(MOST, |fewest| MOST.max(LARGER * fewest));
    for candidate in &mut result {
        if candidate.size() <= most {
            candidate.stages = Some(source.run(&mut candidate.lowered, clock));
        }
    }
    choose(function, &mut result);
    if let Some(best) = result.first_mut() {
        source.at_least_as_good(best, clock);
    }
    Ok(result)
}

/// What a program takes in the end, over all iterations.
fn taken(stages: &Stages) -> u64 {
    let cost = stages.last().map(cost::nominal_cost);
    cost.map_or(u64::MAX, |cost| {
        weight(&cost.each).saturating_add(weight(&cost.once))
    })
}

/// Operations, where a division counts as those that take as long.
fn weight(cost: &Cost) -> u64 {
    let each = (DIVISION * ARITHMETIC) as u64;
    let divisions = cost.div.saturating_mul(each.saturating_sub(1));
    cost.operations().saturating_add(divisions)
}

/// Puts the candidate with the fewest operations first, of equal ones the one that takes the fewest cycles, and those that
/// were not tried last.
fn choose(function: &Function, candidates: &mut [Candidate]) {
    candidates.sort_by_key(|candidate| candidate.operations().unwrap_or(u64::MAX));
    let Some(fewest) = candidates.first().and_then(Candidate::operations) else {
        return;
    };
    if candidates.len() < 2 {
        return;
    }
    let mut decision: Vec<String> = candidates.iter().map(Candidate::describe).collect();
    let equal = candidates.iter();
    let equal = equal.take_while(|candidate| candidate.operations() == Some(fewest));
    let programs = equal.filter_map(|candidate| candidate.stages.as_ref()?.last());
    let programs: Vec<&Program> = programs.collect();
    if programs.len() > 1 {
        let (best, cycles) = weighed::fastest(function, &programs);
        for (said, cycles) in decision.iter_mut().zip(cycles) {
            let _ = write!(said, " in {cycles:.0} cycles");
        }
        candidates[..=best].rotate_right(1);
        decision[..=best].rotate_right(1);
    }
    let decision = format!("local arrays {}", decision.join("; "));
    let stages = candidates
        .iter_mut()
        .flat_map(|candidate| &mut candidate.stages);
    for stages in stages {
        if let Some(lower) = stages.facts.passes.first_mut() {
            lower.decisions.push(decision.clone());
        }
    }
}
