//! What a pass makes of a program, weighed by the schedules that it leads to.

use std::collections::BTreeSet;

use super::variants;
use crate::analysis::cost;
use crate::ir::Program;
use crate::passes::{Pass, Rewrite, whole_sums};
use crate::schedule;
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
    let weigh = |program: &Program| {
        let mut program = program.clone();
        for pass in later {
            pass.run(&mut program);
        }
        let released = whole_sums::released(&program);
        let cycles = variants::cycles(function, &released).unwrap_or(f64::INFINITY);
        (cycles, cost::nominal_operations(&program))
    };
    let weighed: Vec<(f64, u64)> = candidates.iter().map(|(p, _)| weigh(p)).collect();
    let least = weighed.iter().map(|(cycles, _)| *cycles);
    let most = least.fold(f64::INFINITY, f64::min) * PRECISION;
    let mut best = 0;
    for (at, (cycles, operations)) in weighed.iter().enumerate() {
        let key = |(own, operations): (f64, u64)| (own > most, operations, own);
        if key((*cycles, *operations)) < key(weighed[best]) {
            best = at;
        }
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
