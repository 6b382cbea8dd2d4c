//! Which passes run, and in which order.
//!
//! The passes have phases: forms that the later ones rely on, blocks of zeros, factors of sums, sums in
//! steps, facts about symmetry, sums over tables, sharing, code motion with entries of tables, halves
//! of what is symmetric, and what sums have in common. Each undoes what those after it do, or no longer
//! finds what they hid, so that phases follow one another; passes of one phase may run in any order.

use std::collections::BTreeSet;

use super::zero_blocks;
use super::{
    array_blocks, clean_tables, code_motion, common_subexpressions, conditioned_sums, direct_sums,
    flat_arrays, invariant_tables, merge,
};
use super::{mirrors, operation_minimisation, pre_evaluation, reduction_invariants, repeated_sums};
use super::{shared_sums, sharing_elimination, split_arrays, symmetry, table_entries, whole_sums};
use crate::analysis::cost;
use crate::ir::{Foreseen, IndexId, Program, Step};
use crate::rewrite::{normalise, rename};

/// The highest level.
pub const HIGHEST: u8 = 3;

/// A pass: its name and what it does to a program.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name: the file's.
    pub name: &'static str,
    /// What it does; what it decided among which alternatives, for the report.
    rewrite: fn(&mut Program) -> Vec<String>,
    /// The lowest level that has it. Those of level 1 keep each operation with its operands, and so the
    /// bits of results.
    level: u8,
    phase: u8,
    /// A pass without which it finds nothing.
    pub needs: Option<&'static str>,
    /// Whether it runs the later passes to weigh candidates. A pass before it, which weighs candidates
    /// too, leaves it out for that: each of them would multiply the work.
    weighs: bool,
}

impl Pass {
    /// Runs it; what it decided among which alternatives, for the report.
    pub fn run(&self, program: &mut Program) -> Vec<String> {
        if let Some((after, decisions)) = program.after(self.name) {
            *program = after;
            return decisions;
        }
        (self.rewrite)(program)
    }

    /// Whether it keeps the bits of results.
    fn is_exact(&self) -> bool {
        self.level == EXACT
    }
}

/// The level of the passes that move operations and change none.
const EXACT: u8 = 1;

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

/// All passes, in the order of the levels.
const ALL: [Pass; 22] = [
    Pass {
        name: "rename",
        rewrite: rename_loops,
        level: 2,
        phase: 1,
        needs: None,
        weighs: false,
    },
    Pass {
        name: "flat_arrays",
        rewrite: flat_arrays::run,
        level: 2,
        phase: 1,
        needs: None,
        weighs: false,
    },
    Pass {
        name: "invariant_tables",
        rewrite: invariant_tables::run,
        level: 1,
        phase: 1,
        needs: None,
        weighs: false,
    },
    Pass {
        name: "merge",
        rewrite: merge::run,
        level: 2,
        phase: 1,
        needs: None,
        weighs: false,
    },
    Pass {
        name: "array_blocks",
        rewrite: array_blocks::run,
        level: 3,
        phase: 1,
        needs: Some("merge"),
        weighs: true,
    },
    Pass {
        name: "split_arrays",
        rewrite: split_arrays::run,
        level: 2,
        phase: 1,
        needs: None,
        weighs: false,
    },
    Pass {
        name: conditioned_sums::NAME,
        rewrite: conditioned_sums::run,
        level: 3,
        phase: 1,
        needs: Some("merge"),
        weighs: true,
    },
    Pass {
        name: whole_sums::NAME,
        rewrite: whole_sums::run,
        level: 2,
        phase: 1,
        needs: None,
        weighs: false,
    },
    Pass {
        name: "direct_sums",
        rewrite: direct_sums::run,
        level: 2,
        phase: 1,
        needs: Some("merge"),
        weighs: false,
    },
    Pass {
        name: "repeated_sums",
        rewrite: repeated_sums::run,
        level: 3,
        phase: 1,
        needs: Some("merge"),
        weighs: true,
    },
    Pass {
        name: "normalise",
        rewrite: normalised,
        level: 2,
        phase: 1,
        needs: None,
        weighs: false,
    },
    Pass {
        name: "zero_blocks",
        rewrite: zero_blocks::run,
        level: 3,
        phase: 2,
        needs: Some("normalise"),
        weighs: true,
    },
    Pass {
        name: "reduction_invariants",
        rewrite: reduction_invariants::run,
        level: 2,
        phase: 3,
        needs: Some("normalise"),
        weighs: false,
    },
    Pass {
        name: "operation_minimisation",
        rewrite: operation_minimisation::run,
        level: 3,
        phase: 4,
        needs: Some("normalise"),
        weighs: false,
    },
    Pass {
        name: "mirrors",
        rewrite: mirrors::run,
        level: 3,
        phase: 5,
        needs: Some("normalise"),
        weighs: false,
    },
    Pass {
        name: "pre_evaluation",
        rewrite: pre_evaluation::run,
        level: 3,
        phase: 6,
        needs: Some("normalise"),
        weighs: false,
    },
    Pass {
        name: "sharing_elimination",
        rewrite: sharing_elimination::run,
        level: 2,
        phase: 7,
        needs: Some("normalise"),
        weighs: false,
    },
    Pass {
        name: "code_motion",
        rewrite: code_motion::run,
        level: 1,
        phase: 8,
        needs: None,
        weighs: false,
    },
    Pass {
        name: "table_entries",
        rewrite: table_entries::run,
        level: 2,
        phase: 8,
        needs: Some("normalise"),
        weighs: false,
    },
    Pass {
        name: "common_subexpressions",
        rewrite: common_subexpressions::run,
        level: 1,
        phase: 8,
        needs: None,
        weighs: false,
    },
    Pass {
        name: "symmetry",
        rewrite: symmetry::run,
        level: 3,
        phase: 9,
        needs: Some("mirrors"),
        weighs: false,
    },
    Pass {
        name: "shared_sums",
        rewrite: shared_sums::run,
        level: 3,
        phase: 10,
        needs: Some("normalise"),
        weighs: false,
    },
];

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
        if names[..position].contains(name) {
            return Err(wrong(format!("the pass `{name}` is named twice")));
        }
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

/// Gives loops that are equal the same name.
fn rename_loops(program: &mut Program) -> Vec<String> {
    let before = loops(program);
    rename::unify(program);
    vec![format!("{before} loops have {} names", loops(program))]
}

fn loops(program: &Program) -> usize {
    let all = program.equations.iter().flat_map(|e| e.domain());
    all.collect::<BTreeSet<IndexId>>().len()
}

/// Flattens sums and products, and orders what is in them.
fn normalised(program: &mut Program) -> Vec<String> {
    let before: Vec<_> = program.equations.iter().map(|e| e.expr).collect();
    normalise::normalise(program);
    let after = program.equations.iter().map(|e| e.expr);
    let changed = before.iter().zip(after).filter(|(a, b)| *a != b).count();
    vec![format!(
        "the right sides of {changed} of {} equations put in normal form",
        before.len()
    )]
}

#[cfg(test)]
mod tests;
