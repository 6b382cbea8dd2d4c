//! What a pass makes of a program, weighed by the schedules that it leads to.

use std::collections::BTreeSet;

use super::variants;
use crate::analysis::cost;
use crate::ir::Program;
use crate::passes::{Pass, Rewrite, whole_sums};
use crate::schedule::{self, Wishes, jamming, same_rows};
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
    let passed = candidates.iter().map(|(program, _)| {
        let mut program = program.clone();
        for pass in later {
            pass.run(&mut program);
        }
        let operations = cost::nominal_operations(&program);
        (whole_sums::released(&program), operations)
    });
    let (best, cycles) = best(function, &passed.collect::<Vec<_>>());
    let texts: Vec<String> = cycles.iter().map(|own| format!("{own:.0}")).collect();
    let texts = texts.join(", ");
    let (program, said) = candidates.swap_remove(best);
    *decisions = said;
    decisions.push(match program.equations == unchanged.equations {
        true => format!("nothing: it takes more cycles than it saves ({texts})"),
        false => format!("cycles, the last number without: {texts}"),
    });
    *made = program;
}

/// Of programs with as many operations as each other, the one that takes the fewest cycles, and those of each.
pub fn fastest(function: &Function, programs: &[&Program]) -> (usize, Vec<f64>) {
    let programs = programs.iter().map(|program| {
        let operations = cost::nominal_operations(program);
        (whole_sums::released(program), operations)
    });
    best(function, &programs.collect::<Vec<_>>())
}

/// The best of some programs with their operations, and the cycles that each takes step by step. Operations come before loads:
/// what steps load together, rows of stencils and vectors that are handed on, makes up for none. It counts among what has no
/// more of them than what is best step by step. What rows compute together are operations less.
fn best(function: &Function, programs: &[(Program, u64)]) -> (usize, Vec<f64>) {
    let weigh = |apart| -> Vec<Weight> {
        let all = programs.iter();
        all.map(|(program, operations)| Weight::of(function, (program, *operations), apart))
            .collect()
    };
    let cycles = |weighed: &[Weight]| weighed.iter().map(|own| own.cycles).collect();
    let together = weigh(false);
    if !together.iter().any(|own| own.rows) {
        return (lightest(&together), cycles(&together));
    }
    let apart = weigh(true);
    let most = apart[lightest(&apart)].operations;
    let fewer = (0..programs.len()).filter(|at| together[*at].left <= most);
    let fewer: Vec<usize> = fewer.collect();
    let kept: Vec<Weight> = fewer.iter().map(|at| together[*at]).collect();
    (fewer[lightest(&kept)], cycles(&apart))
}

/// What a program takes by the cost model, with the most lanes.
#[derive(Clone, Copy)]
struct Weight {
    cycles: f64,
    operations: u64,
    /// Those that rows have in common once.
    left: u64,
    /// Whether rows of stencils take a step together.
    rows: bool,
}

impl Weight {
    fn of(function: &Function, (program, operations): (&Program, u64), apart: bool) -> Weight {
        let wishes = Wishes {
            apart,
            ..variants::wishes(function)
        };
        let all = variants::wanted(function, program).into_iter();
        let all = all.map(|(element, isa)| variants::target(isa, element));
        let widest = all.max_by_key(|target| target.width);
        let found = widest.and_then(|target| schedule::schedule(program, target, &wishes).ok());
        let cycles = found.as_ref().map_or(f64::INFINITY, |found| {
            found.cycles + schedule::leaving(&found.program, &found.schedule)
        });
        let left = found.as_ref().map_or(1.0, |found| {
            same_rows::left(&found.program, &found.schedule)
        });
        Weight {
            cycles,
            operations,
            left: (operations as f64 * left).round() as u64,
            rows: found.is_some_and(|found| jamming::has_stencils(&found.schedule.body)),
        }
    }
}

/// Of what takes about the fewest cycles the one with the fewest operations.
fn lightest(weighed: &[Weight]) -> usize {
    let cycles = weighed.iter().map(|own| own.cycles);
    let most = cycles.fold(f64::INFINITY, f64::min) * PRECISION;
    let key = |at: usize| {
        let own = &weighed[at];
        (own.cycles > most, own.operations, own.cycles)
    };
    let mut best = 0;
    for at in 1..weighed.len() {
        if key(at) < key(best) {
            best = at;
        }
    }
    best
}
