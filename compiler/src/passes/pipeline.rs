//! Lists of passes: those of a level, those that a kernel names, and what the later ones make of a candidate.

use super::order::{ALL, EXACT, Pass, former};
use super::{clean_tables, conditioned_sums, reciprocals, whole_sums};
use crate::analysis::cost;
use crate::ir::{Foreseen, Program, Step};

/// The highest level.
pub const HIGHEST: u8 = 3;

/// What is done to a program.
#[derive(Clone, Debug, Default)]
pub struct Pipeline {
    /// Tables are cleaned of noise, before lowering.
    pub cleans_tables: bool,
    /// The passes, in order.
    pub passes: Vec<Pass>,
}

/// What is wrong with a list of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongPipeline {
    /// Which name.
    pub position: usize,
    /// Why.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

/// The passes of an optimisation level, in order. Level 0, and `strict` programs, whose
/// operations keep their order, have only those that move whole expressions.
pub fn pipeline(level: u8, strict: bool) -> Vec<Pass> {
    let runs = |pass: &Pass| pass.level <= level && (pass.is_exact() || !strict);
    ALL.into_iter().filter(runs).collect()
}

/// A program with what the passes after one make of it.
pub(super) struct Weighed {
    /// Operations in the end.
    pub operations: u64,
    /// What the passes did.
    pub foreseen: Foreseen,
}

/// Runs the passes that follow one at the highest level, but for those that weigh candidates themselves.
pub(super) fn weighed(program: &Program, name: &str) -> Weighed {
    let mut later = program.clone();
    let mut steps = Vec::new();
    for pass in following(name).filter(|pass| !pass.weighs) {
        let before = later.unforeseen();
        let decisions = pass.run(&mut later);
        steps.push(Step {
            pass: pass.name,
            before,
            after: later.unforeseen(),
            decisions,
        });
    }
    Weighed {
        operations: cost::program(&later).operations(),
        foreseen: Foreseen::of(steps),
    }
}

/// Takes what a pass made of a program, if that has fewer operations in the end. These are before and
/// after it; or the decision that there are no fewer, `how` saying what was tried.
pub fn take_if_fewer(
    program: &mut Program,
    candidate: Program,
    (pass, how): (&str, &str),
) -> Result<[u64; 2], String> {
    let [before, after] = [&*program, &candidate].map(|program| weighed(program, pass));
    let counts = [before.operations, after.operations];
    if after.operations >= before.operations {
        program.foreseen = before.foreseen;
        let [before, after] = counts;
        return Err(format!(
            "nothing: {before} operations against {after} {how}"
        ));
    }
    *program = candidate;
    program.foreseen = after.foreseen;
    Ok(counts)
}

/// The passes that follow one at the highest level.
pub fn following(name: &str) -> impl Iterator<Item = Pass> {
    let passes = ALL.into_iter().skip_while(move |pass| pass.name != name);
    passes.skip(1)
}

/// What a level does. The values of tables are those of the text where each operation is.
pub fn of_level(level: u8, strict: bool) -> Pipeline {
    Pipeline {
        cleans_tables: level > EXACT && !strict,
        passes: pipeline(level, strict),
    }
}

/// The passes of some names.
///
/// # Errors
/// A name that no pass has, a pass that is named twice or `strict` excludes, and an order in which a
/// pass undoes or hides what others do.
pub fn named(names: &[String], strict: bool) -> Result<Pipeline, WrongPipeline> {
    let mut result = Pipeline::default();
    for (position, name) in names.iter().enumerate() {
        let wrong = |message: String| WrongPipeline {
            position,
            message,
            help: orders(),
        };
        if names[..position]
            .iter()
            .any(|other| former(other) == former(name))
        {
            return Err(wrong(format!("the pass `{name}` is named twice")));
        }
        let name = former(name);
        let pass = ALL.iter().find(|pass| pass.name == name);
        let is_exact = pass.is_some_and(Pass::is_exact);
        let cleans = name == clean_tables::NAME;
        if !cleans && pass.is_none() {
            return Err(wrong(format!("there is no pass `{name}`")));
        }
        if strict && !is_exact {
            let message = format!("`strict` keeps every bit of the results, and `{name}` does not");
            return Err(wrong(message));
        }
        let phase = pass.map_or(0, |pass| pass.phase);
        if let Some(later) = result.passes.iter().find(|other| other.phase > phase) {
            let message = format!("the pass `{name}` cannot run after `{}`", later.name);
            return Err(wrong(message));
        }
        result.cleans_tables |= cleans;
        let Some(pass) = pass else { continue };
        let ran = |needed: &&str| result.passes.iter().any(|other| other.name == *needed);
        if let Some(needed) = pass.needs.filter(|needed| !ran(needed)) {
            let message = format!("the pass `{name}` needs `{needed}` before it");
            return Err(wrong(message));
        }
        result.passes.push(*pass);
    }
    result.keep_sums();
    result.scale_reciprocals();
    Ok(result)
}

impl Pipeline {
    /// Adds the pass that keeps sums whole before the first one that multiplies out.
    fn keep_sums(&mut self) {
        let named = self.passes.iter().any(|pass| pass.name == whole_sums::NAME);
        let before = ALL.iter().take_while(|pass| pass.name != whole_sums::NAME);
        let before: Vec<&str> = before.map(|pass| pass.name).collect();
        let multiplies = |pass: &Pass| !pass.is_exact() && !before.contains(&pass.name);
        let at = self.passes.iter().position(multiplies);
        let pass = ALL.iter().find(|pass| pass.name == whole_sums::NAME);
        if let (false, Some(at), Some(pass)) = (named, at, pass) {
            self.passes.insert(at, *pass);
        }
    }

    /// Adds the pass that scales reciprocals after those that make any.
    fn scale_reciprocals(&mut self) {
        let named = self
            .passes
            .iter()
            .any(|pass| pass.name == reciprocals::NAME);
        let makes = self.passes.iter().any(|pass| pass.name == "normalise");
        let pass = ALL.iter().find(|pass| pass.name == reciprocals::NAME);
        self.passes.extend(pass.filter(|_| makes && !named));
    }

    /// The passes without the one that keeps sums whole: their terms may cancel.
    #[must_use]
    pub fn cancelling(mut self) -> Pipeline {
        let keeping = [whole_sums::NAME, conditioned_sums::NAME];
        self.passes.retain(|pass| !keeping.contains(&pass.name));
        self
    }
}

/// The names of all passes in the orders that are legal.
fn orders() -> String {
    let mut phases = vec![format!("`{}`", clean_tables::NAME)];
    let mut last = 0;
    for pass in ALL {
        let name = format!("`{}`", pass.name);
        match phases.last_mut() {
            Some(phase) if pass.phase == last => {
                phase.push_str(" and ");
                phase.push_str(&name);
            }
            _ => phases.push(name),
        }
        last = pass.phase;
    }
    format!(
        "the passes are {}, in this order; those joined by `and` in any order",
        phases.join(", then ")
    )
}

#[cfg(test)]
mod tests;
