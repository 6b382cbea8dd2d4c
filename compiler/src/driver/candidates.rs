//! The programs that a kernel's text may become: local arrays that loops sweep are scalars, which live
//! in registers, or arrays, whose loops the passes see; short sums are unrolled, or stay. The one with the fewest operations is taken.

use super::Settings;
use super::stages::{self, Stages};
use crate::lower::{self, Arrays, Lowered, Problem};
use crate::passes::Pipeline;
use crate::report::Clock;
use crate::rewrite::forwards;
use crate::syntax::ast::{Function, Module};

/// A program and what the passes made of it.
pub struct Candidate {
    arrays: Arrays,
    /// The program.
    pub lowered: Lowered,
    /// The passes.
    pub stages: Stages,
}

impl Candidate {
    fn operations(&self) -> u64 {
        self.stages.facts.expansion.operations()
    }

    fn describe(&self) -> String {
        let how = match self.arrays {
            Arrays::Large => "as scalars",
            Arrays::Swept => "in memory",
            Arrays::ShortSums => "as scalars, short sums in loops",
        };
        format!("{how}: {} operations", self.operations())
    }
}

/// The programs of a kernel, the best one first; why there is none. `cleaned` is what was changed in
/// tables.
pub fn candidates(
    module: &Module,
    function: &Function,
    (pipeline, cleaned): (&Pipeline, Option<&[String]>),
    settings: &Settings,
    clock: &mut Clock,
) -> Result<Vec<Candidate>, Problem> {
    let exact = function.options.keeps_operations();
    let choices = match exact {
        true => vec![Arrays::Large],
        false => Arrays::choices(module, function),
    };
    let mut result = Vec::new();
    let mut problem = None;
    for arrays in choices {
        match lower::lower_with(module, function, exact, arrays) {
            Ok(mut lowered) => {
                forwards::run(&mut lowered.program);
                clock.lap("lower");
                let mut facts = stages::source_facts(module, function);
                facts
                    .notes
                    .extend(stages::limits(function, &pipeline.passes));
                facts
                    .notes
                    .extend(super::partial::assumptions(function, &lowered));
                facts
                    .passes
                    .push(stages::lowered_facts(&facts, &lowered, &pipeline.passes));
                let cleaned = cleaned.map(<[String]>::to_vec);
                let cost = facts.passes.last().map(|pass| pass.after);
                let cleaned = cleaned.map(|d| stages::cleaned_facts(cost.unwrap_or_default(), d));
                facts.passes.extend(cleaned);
                let facts = (facts, settings);
                let stages = Stages::run(function, &lowered, &pipeline.passes, facts, clock);
                let assumed = stages.last().map(|program| program.assumed.clone());
                lowered.assumed.extend(assumed.into_iter().flatten());
                result.push(Candidate {
                    arrays,
                    lowered,
                    stages,
                });
            }
            Err(other) => problem = problem.or(Some(other)),
        }
    }
    if let (true, Some(problem)) = (result.is_empty(), problem) {
        return Err(problem);
    }
    choose(&mut result);
    Ok(result)
}

/// Puts the candidate with the fewest operations first, of equal ones that with scalars.
fn choose(candidates: &mut [Candidate]) {
    candidates.sort_by_key(Candidate::operations);
    if candidates.len() < 2 {
        return;
    }
    let all: Vec<String> = candidates.iter().map(Candidate::describe).collect();
    let decision = format!("local arrays {}", all.join("; "));
    for candidate in candidates {
        if let Some(lower) = candidate.stages.facts.passes.first_mut() {
            lower.decisions.push(decision.clone());
        }
    }
}
