//! The order of the passes, on one page.
//!
//! The passes have phases: forms that the later ones rely on, blocks of zeros, factors of sums, sums in
//! steps, facts about symmetry, sums over tables, sharing, code motion with entries of tables, halves
//! of what is symmetric, what sums have in common, halves of loops, what iterations have, what terms and
//! products have, and reciprocals that stay in range. Each undoes what those after it do, or no longer finds what they hid, so that phases follow
//! one another; passes of one phase may run in any order. A line before each pass says why it stands where it
//! does.

use std::collections::BTreeSet;

use super::{
    array_blocks, code_motion, common_pairs, common_subexpressions, conditioned_sums, delinearise,
    even_odd, factorisation, forwarding, invariant_tables, local_arrays, loop_common_expressions,
    merge, operation_minimisation, pre_evaluation, reciprocals, reduction_invariants,
    repeated_sums, scalar_replacement, shared_sums, sharing_elimination, symmetry,
    symmetry_detection, table_entries, whole_sums, zero_blocks,
};
use crate::ir::{IndexId, Program};
use crate::rewrite::{normalise, rename, turns};

/// All passes, in the order of the levels.
pub const ALL: [Pass; 28] = [
    // Before all others: what is an array that the text allocates is to none of them a temporary.
    Pass::new("local_arrays", local_arrays::run, 1, 1),
    // First, since equal loops must have one name for equal expressions to be equal.
    Pass::new("rename", rename_loops, 2, 1),
    // Before whatever compares subscripts: those of flat arrays say little.
    Pass::new("delinearise", delinearise::run, 2, 1),
    // Before sums are looked at: what no point changes is then seen to be invariant.
    Pass::new("invariant_tables", invariant_tables::run, 1, 1),
    // Statements that add to one output are one sum from here on.
    Pass::new("merge", merge::run, 2, 1),
    // Needs whole arrays: the next pass takes them apart.
    Pass::new("array_blocks", array_blocks::run, 3, 1)
        .after("merge")
        .weighing(),
    // Elements of small arrays are values of their own to all that follows.
    Pass::new("scalar_replacement", scalar_replacement::run, 2, 1),
    // Before sums are kept whole: those that are put together so that they do not cancel need not be.
    Pass::new(conditioned_sums::NAME, conditioned_sums::run, 3, 1)
        .after("merge")
        .weighing(),
    // Before anything is multiplied out.
    Pass::new(whole_sums::NAME, whole_sums::run, 2, 1),
    // Sums become those of the results, of which the later passes know most.
    Pass::new("forwarding", forwarding::run, 2, 1).after("merge"),
    // The same for sums with several readers, which pays only where tables are summed in the end.
    Pass::new("repeated_sums", repeated_sums::run, 3, 1)
        .after("merge")
        .weighing(),
    // The form that all passes below expect: flat, ordered, equal terms together.
    Pass::new("normalise", normalised, 2, 1),
    // Before sums are split: blocks without zeros have shorter loops, and so other minima.
    Pass::new("zero_blocks", zero_blocks::run, 3, 2)
        .after("normalise")
        .weighing(),
    // Factors leave a sum before the order of sums is searched for.
    Pass::new("reduction_invariants", reduction_invariants::run, 2, 3).after("normalise"),
    // Sums over several loops in steps; what is left is one sum a step.
    Pass::new("operation_minimisation", operation_minimisation::run, 3, 4).after("normalise"),
    // Of the sums in their final number, before tables take their place.
    Pass::new("symmetry_detection", symmetry_detection::run, 3, 5).after("normalise"),
    // Sums over tables alone are evaluated; what remains is for sharing elimination (Luporini 2017,
    // Algorithm 3, has the two in this order).
    Pass::new("pre_evaluation", pre_evaluation::run, 3, 6).after("normalise"),
    // Factorises and expands with code motion in view, which comes next.
    Pass::new("sharing_elimination", sharing_elimination::run, 2, 7).after("normalise"),
    // Everything out of the loops that do not change it.
    Pass::new("code_motion", code_motion::run, 1, 8),
    // Entries that are 0 and 1, once it is known which loops are left.
    Pass::new("table_entries", table_entries::run, 2, 8).after("normalise"),
    // Equal values that the passes above have made.
    Pass::new("common_subexpressions", common_subexpressions::run, 1, 8),
    // Half of what is symmetric, when nothing rewrites the sums any more.
    Pass::new(symmetry::NAME, symmetry::run, 3, 9).after("symmetry_detection"),
    // What the sums that are left have in common.
    Pass::new("shared_sums", shared_sums::run, 3, 10).after("normalise"),
    // Of the sums that are left: halves of loops look like any others to the passes above.
    Pass::new(even_odd::NAME, even_odd::run, 3, 11).after("normalise"),
    // Last, since temporaries over longer loops look like any others to the passes above, which would undo
    // them; those that weigh candidates need not know them.
    Pass::new(
        loop_common_expressions::NAME,
        loop_common_expressions::run,
        1,
        12,
    )
    .weighing(),
    // When nothing looks for equal terms or shifted sums any more: what is taken out of them hides these.
    Pass::new("factorisation", factorisation::run, 2, 13).after("normalise"),
    // Of what is left of the terms: factors that are taken out of a sum are in fewer pairs.
    Pass::new(common_pairs::NAME, common_pairs::run, 2, 14).after("normalise"),
    // After all that makes, moves and shares reciprocals: what is scaled would be whole to those, and costs each
    // candidate the same.
    Pass::new(reciprocals::NAME, reciprocals::run, 2, 15).weighing(),
];

/// Names that passes had before, which `pipeline` takes too.
const FORMER: [(&str, &str); 4] = [
    ("flat_arrays", "delinearise"),
    ("split_arrays", "scalar_replacement"),
    ("direct_sums", "forwarding"),
    ("mirrors", "symmetry_detection"),
];

/// The name of a pass, by whichever of its names.
pub fn former(name: &str) -> &str {
    let found = FORMER.iter().find(|(former, _)| *former == name);
    found.map_or(name, |(_, name)| name)
}

/// The level of the passes that move operations and change none.
pub const EXACT: u8 = 1;

/// What a pass does to a program; what it decided among which alternatives, for the report.
pub type Rewrite = fn(&mut Program) -> Vec<String>;

/// A pass: its name and what it does to a program.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name: the file's.
    pub name: &'static str,
    /// What it does.
    pub(super) rewrite: Rewrite,
    /// The lowest level that has it. Those of level 1 keep each operation with its operands, and so the
    /// bits of results.
    pub(super) level: u8,
    pub(super) phase: u8,
    /// A pass without which it finds nothing.
    pub needs: Option<&'static str>,
    /// Whether it runs the later passes to weigh candidates. A pass before it, which weighs candidates
    /// too, leaves it out for that: each of them would multiply the work.
    pub(super) weighs: bool,
}

impl Pass {
    const fn new(name: &'static str, rewrite: Rewrite, level: u8, phase: u8) -> Pass {
        Pass {
            name,
            rewrite,
            level,
            phase,
            needs: None,
            weighs: false,
        }
    }

    const fn after(self, needed: &'static str) -> Pass {
        Pass {
            needs: Some(needed),
            ..self
        }
    }

    const fn weighing(self) -> Pass {
        Pass {
            weighs: true,
            ..self
        }
    }

    /// Runs it; what it decided among which alternatives, for the report.
    pub fn run(&self, program: &mut Program) -> Vec<String> {
        if let Some((after, decisions)) = program.after(self.name) {
            *program = after;
            return decisions;
        }
        let decisions = (self.rewrite)(program);
        turns::settle(program);
        decisions
    }

    /// What else it could make of a program, where the driver compares the schedules of that, of what it made and
    /// of the program as it was.
    pub fn alternatives(&self, program: &Program) -> Option<&'static [Rewrite]> {
        match self.name {
            symmetry::NAME if symmetry::has_matrices(program) => {
                Some(&[symmetry::in_low_blocks, symmetry::in_high_blocks])
            }
            loop_common_expressions::NAME => Some(&[
                loop_common_expressions::in_rows,
                loop_common_expressions::in_planes,
                loop_common_expressions::across_rows,
                loop_common_expressions::written,
                loop_common_expressions::running_outside,
                loop_common_expressions::running_in_vectors,
                loop_common_expressions::running_anywhere,
            ]),
            // Of tables of 0 and ±1 rows take less than halves.
            even_odd::NAME => Some(&[table_entries::sparse::run]),
            common_pairs::NAME => Some(&[]),
            _ => None,
        }
    }

    /// The later passes that candidates are weighed with, if it weighs them so: all that weigh none by schedules.
    pub fn later(&self, following: &[Pass]) -> Vec<Pass> {
        let weighs = |pass: &Pass| pass.weighs || pass.name == common_pairs::NAME;
        let passes = following.iter().filter(|pass| self.weighs && !weighs(pass));
        passes.copied().collect()
    }

    /// Whether it keeps the bits of results.
    pub(super) fn is_exact(&self) -> bool {
        self.level == EXACT
    }
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
