//! Random bodies whose values depend on where they are read: whatever is lowered, and what passes and
//! schedules make of it, is the source.

mod generator;
#[path = "../support/random.rs"]
mod random;

use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::lower::{Arrays, Lowered};
use loopwright_compiler::schedule::{self, Target, Wishes};
use loopwright_compiler::syntax::ast::{FunctionId, Module};
use loopwright_compiler::verify::{self, Subject};
use loopwright_compiler::{ir, lower, passes, syntax};
use random::Random;

/// What became of a kernel at a level.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// It was compared with the source.
    Right,
    /// It runs as written, or is an error.
    Left,
    /// What differs.
    Wrong(String),
}

/// Compares what passes and schedules make of a program with the source, the first time after each
/// pass if `slowly`: to say which of them it is.
fn compare(module: &Module, lowered: &Lowered, level: u8, slowly: bool) -> Outcome {
    let subject = Subject::new(module, FunctionId(0), lowered);
    let mut program = lowered.program.clone();
    let mut outcome = Outcome::Left;
    let mut last = "lower";
    let passes = passes::pipeline(level, level == 0);
    for at in 0..=passes.len() {
        if slowly || at == passes.len() {
            for width in if level == 0 { vec![1] } else { vec![1, 8] } {
                match scheduled(&subject, &program, width) {
                    Outcome::Left => {}
                    Outcome::Wrong(reason) => {
                        let text = ir::text::print(&program);
                        return Outcome::Wrong(format!(
                            "after {last}, width {width}: {reason}\n{text}"
                        ));
                    }
                    Outcome::Right => outcome = Outcome::Right,
                }
            }
        }
        if let Some(pass) = passes.get(at) {
            pass.run(&mut program);
            last = pass.name;
        }
    }
    outcome
}

fn scheduled(subject: &Subject, program: &ir::Program, width: usize) -> Outcome {
    let wishes = Wishes {
        lanes: None,
        ..Wishes::default()
    };
    let target = Target {
        width,
        registers: 16,
    };
    // Too much to keep: it runs as written.
    let Ok(built) = schedule::schedule(program, target, &wishes) else {
        return Outcome::Left;
    };
    let mut validation = verify::Validation::new(subject, width).by_way_of(program, Vec::new());
    match validation.validate(&built.program, &built.schedule) {
        Ok(()) => Outcome::Right,
        Err(verify::Refusal::Unchecked(_) | verify::Refusal::Unmet(_)) => Outcome::Left,
        Err(verify::Refusal::Different(reason)) => Outcome::Wrong(reason),
    }
}

/// How many programs were compared with the source, and how many were not.
fn check(text: &str) -> [usize; 2] {
    let mut diagnostics = Diagnostics::new();
    let Some(module) = syntax::parse(text.parse().unwrap(), &mut diagnostics) else {
        panic!("{text}");
    };
    let errors = diagnostics.into_compile_error();
    assert!(errors.is_empty(), "{errors}\n{text}");
    let mut counts = [0; 2];
    for arrays in Arrays::choices(&module, &module.functions[0]) {
        for level in [3, 2, 1, 0] {
            let lowered = lower::lower_with(&module, &module.functions[0], level == 0, arrays);
            let outcome = match &lowered {
                Ok(lowered) => match compare(&module, lowered, level, false) {
                    Outcome::Wrong(_) => compare(&module, lowered, level, true),
                    outcome => outcome,
                },
                Err(_) => Outcome::Left,
            };
            match outcome {
                Outcome::Right => counts[0] += 1,
                Outcome::Left => counts[1] += 1,
                Outcome::Wrong(reason) => panic!("level {level}, {arrays:?}, {reason}\n{text}"),
            }
        }
    }
    counts
}

/// Kernels from one seed on; a panic names the one that is wrong.
fn kernels(seed: u64, count: usize) {
    let mut random = Random(seed);
    let (mut taken, mut left) = (0, 0);
    for _ in 0..count {
        let [right, other] = check(&generator::kernel(&mut random));
        taken += right;
        left += other;
    }
    // Neither all nor none of them.
    println!("{taken} taken, {left} left as written");
    assert!(
        taken > count && left > count / 4,
        "{taken} taken, {left} left"
    );
}

#[test]
fn what_becomes_of_values_is_the_source() {
    kernels(0x9e37_79b9_7f4a_7c15, 60);
}
