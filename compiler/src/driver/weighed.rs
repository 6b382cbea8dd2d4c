//! What a pass makes of a program, weighed by the schedules that it leads to.

use std::collections::BTreeSet;

use super::variants;
use crate::analysis::cost;
use crate::ir::Program;
use crate::passes::{Pass, Rewrite, whole_sums};
use crate::schedule::{self, Wishes};
use crate::syntax::ast::Function;

/// Cycles that differ by less than this factor are taken for the same: the model is no more precise than that.
const PRECISION: f64 = 1.03;

/// Runs a pass that has alternatives on each nest of a program by itself, since what pays in the long nest of a grid's
/// inside need not in those at its sides, and on what some later passes make of each; what the report says of it.
pub fn run(
    function: &Function,
    (pass, alternatives, later): (&Pass, &[Rewrite], &[Pass]),
    program: &mut Program,
) -> Vec<String> {
    let before = program.equations.clone();
    let nests = match program.recurrence() {
        Some(_) => vec![(0..before.len()).collect()],
        None => schedule::nests(program),
    };
    let mut decisions = Vec::new();
    let mut equations = Vec::new();
    let mut changed = false;
    for nest in &nests {
        let own = nest.iter().map(|at: &usize| before[*at].clone());
        program.equations = own.collect();
        if nests.len() > 1 {
            schedule::rename_in_order(program, &BTreeSet::new());
        }
        let unchanged = program.clone();
        let mut said = pass.run(program);
        let others = (&unchanged, alternatives, later);
        choose(function, others, program, &mut said);
        for said in said {
            if !decisions.contains(&said) {
                decisions.push(said);
            }
        }
        changed |= program.equations != unchanged.equations;
        equations.append(&mut program.equations);
    }
    program.equations = if changed { equations } else { before };
    decisions
}

/// Puts what takes the fewest cycles, and of what takes about as many the fewest operations, in the place of what a pass
/// has made of a program: that, what it could have made otherwise, or the program itself; what the report says of it.
/// Operations come before loads: rows of stencils are weighed one by one first, and together where that costs none.
fn choose(
    function: &Function,
    (unchanged, alternatives, later): (&Program, &[Rewrite], &[Pass]),
    made: &mut Program,
    decisions: &mut Vec<String>,
) {
    let mut candidates = Vec::new();
    if made.equations != unchanged.equations {
        candidates.push((made.clone(), decisions.clone()));
    }
    for rewrite in alternatives {
        let mut other = unchanged.clone();
        let said = rewrite(&mut other);
        let known = candidates
            .iter()
            .any(|(p, _)| p.equations == other.equations);
        if !known && other.equations != unchanged.equations {
            candidates.push((other, said));
        }
    }
    if candidates.is_empty() {
        return;
    }
    candidates.push((unchanged.clone(), Vec::new()));
    let weigh = |at: usize, rows_alone: bool| {
        let mut program = candidates[at].0.clone();
        for pass in later {
            pass.run(&mut program);
        }
        let released = whole_sums::released(&program);
        let cycles = cycles(function, &released, rows_alone).unwrap_or(f64::INFINITY);
        (cycles, cost::nominal_operations(&program))
    };
    let weighed: Vec<(f64, u64)> = (0..candidates.len()).map(|at| weigh(at, true)).collect();
    let mut best = best_of(&weighed);
    // What rows load together makes up for no operations: it counts where there are no more of them.
    let fewer = |at: &usize| weighed[*at].1 <= weighed[best].1;
    let fewer: Vec<usize> = (0..candidates.len()).filter(fewer).collect();
    if fewer.len() > 1 {
        let together: Vec<(f64, u64)> = fewer.iter().map(|at| weigh(*at, false)).collect();
        best = fewer[best_of(&together)];
    }
    let texts: Vec<String> = weighed
        .iter()
        .map(|(cycles, _)| format!("{cycles:.0}"))
        .collect();
    let texts = texts.join(", ");
    let (program, said) = candidates.swap_remove(best);
    *decisions = said;
    decisions.push(match program.equations == unchanged.equations {
        true => format!("nothing: it takes more cycles than it saves ({texts})"),
        false => format!("cycles, the last number without: {texts}"),
    });
    *made = program;
}

/// Of what takes about the fewest cycles the one with the fewest operations.
fn best_of(weighed: &[(f64, u64)]) -> usize {
    let cycles = weighed.iter().map(|(cycles, _)| *cycles);
    let most = cycles.fold(f64::INFINITY, f64::min) * PRECISION;
    let key = |at: usize| {
        let (cycles, operations) = weighed[at];
        (cycles > most, operations, cycles)
    };
    let mut best = 0;
    for at in 1..weighed.len() {
        if key(at) < key(best) {
            best = at;
        }
    }
    best
}

/// Cycles that a program takes by the cost model, with the most lanes, where stencils take row after row or as many rows a
/// step as is best; `None` if it has no schedule.
fn cycles(function: &Function, program: &Program, rows_alone: bool) -> Option<f64> {
    let targets = variants::wanted(function, program).into_iter();
    let (_, widest) = targets
        .map(|(element, isa)| (isa, variants::target(isa, element)))
        .max_by_key(|(_, target)| target.width)?;
    let wishes = Wishes {
        rows_alone,
        ..variants::wishes(function)
    };
    let scheduled = schedule::schedule(program, widest, &wishes).ok()?;
    Some(scheduled.cycles + schedule::leaving(&scheduled.program, &scheduled.schedule))
}
