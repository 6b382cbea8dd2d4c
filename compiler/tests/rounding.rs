//! Rounding errors of what passes leave: the forms of the benchmarks and random kernels, run in `f64`,
//! against the text in twice the precision. No error is larger than four times the text's bound.

#![allow(dead_code, reason = "of each form some instances are run")]

/// The text of a kernel of the suite.
macro_rules! form {
    ($($kernel:tt)*) => { pub const TEXT: &str = stringify!($($kernel)*); };
}
use form;

#[macro_use]
#[path = "../../benches/suite/instances.rs"]
mod instances;

#[path = "../../benches/suite/actions.rs"]
mod actions;
#[path = "../../benches/suite/mod.rs"]
mod suite;

use loopwright_compiler::analysis::rounding::{Bounded, run};
use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::ir::Program;
use loopwright_compiler::number::Number;
use loopwright_compiler::passes::{of_level, whole_sums};
use loopwright_compiler::{lower, syntax};
use loopwright_differential::generator;

/// How much larger an error may be than the text's bound.
const FACTOR: f64 = 4.0;

/// What inputs vary around, and by how much.
const INPUTS: [[f64; 2]; 7] = [
    [0.0, 1.0],
    [300.0, 0.01],
    [101_325.0, 1.0],
    [6.4e6, 1.0],
    [1e8, 1.0],
    [0.0, 1e-8],
    [0.0, 1e8],
];

/// Most operations of a program that is run.
const MOST: u64 = 1 << 22;

/// The programs of a text: as lowered, and as the passes of a level leave it.
fn programs(text: &str, level: u8) -> Option<Vec<[Program; 2]>> {
    let module = syntax::parse(text.parse().ok()?, &mut Diagnostics::new())?;
    let kernels = module.functions.iter().filter(|function| !function.inlined);
    let lowered = kernels.map(|function| {
        let text = lower::lower(&module, function, false).ok()?.program;
        let mut program = text.clone();
        for pass in of_level(level, false).passes {
            pass.run(&mut program);
        }
        Some([text, whole_sums::released(&program)])
    });
    lowered.collect()
}

/// The largest ratio of an error to the text's bound, over blocks of each output; `None` where the
/// programs are not run.
fn ratio([text, program]: &[Program; 2], inputs: [f64; 2], blocks: usize) -> Option<f64> {
    let exact = run::<Number>(text, inputs, MOST)?;
    let bounds = run::<Bounded>(text, inputs, MOST)?;
    let found = run::<f64>(program, inputs, MOST)?;
    let mut largest = 0.0_f64;
    for ((exact, bounds), found) in exact.iter().zip(&bounds).zip(&found) {
        let size = if exact.len() % blocks == 0 {
            exact.len() / blocks
        } else {
            exact.len()
        };
        let block = |at: usize| at * size..(at + 1) * size;
        for block in (0..exact.len() / size.max(1)).map(block) {
            let bound = bounds[block.clone()].iter().map(|value| value.error());
            let bound = bound.fold(0.0, f64::max);
            let errors = block.map(|at| (Number::from_f64(found[at]) - exact[at]).abs().to_f64());
            let error = errors.fold(0.0, f64::max);
            if error > 0.0 && bound.is_finite() {
                largest = largest.max(error / bound);
            }
        }
    }
    Some(largest)
}

#[test]
fn forms_are_as_accurate_as_their_texts() {
    let mut tested = 0;
    let mut check = |name: &str, text: &str| {
        // Each cell has its own matrix, and all add to one vector.
        let blocks = if text.contains("dofs") { 1 } else { 3 };
        for programs in programs(text, 3).unwrap() {
            let ratios = INPUTS.map(|inputs| ratio(&programs, inputs, blocks));
            println!("{name}: {ratios:.2?}");
            for (ratio, inputs) in ratios.into_iter().zip(INPUTS) {
                let Some(ratio) = ratio else { continue };
                assert!(
                    ratio <= FACTOR,
                    "{name}: {ratio} of the bound for {inputs:?}"
                );
                tested += 1;
            }
        }
    };
    macro_rules! check {
        ($form:ident of $module:path: $($instance:ident)*) => {{
            use $module as $form;
            $(
                let name = concat!(stringify!($module), " ", stringify!($instance));
                check(name, $form::$instance::TEXT);
            )*
        }};
    }
    check!(form of suite::mass::level3: q1_nf0 q1_nf1 q1_nf2 q1_nf3 q2_nf0 q2_nf1 q2_nf2);
    check!(form of suite::helmholtz::level3: q1_nf0 q1_nf1 q1_nf2 q1_nf3 q2_nf0 q2_nf1);
    check!(form of suite::elasticity::level3: q1_nf0 q1_nf1 q1_nf2 q1_nf3 q2_nf0);
    check!(form of suite::hyperelasticity::level3: q1_nf0 q1_nf1 q1_nf2 q1_nf3 q2_nf0);
    check!(form of actions::mass: q1_nf0 q1_nf1 q1_nf2 q2_nf0 q2_nf1);
    check!(form of actions::helmholtz: q1_nf0 q1_nf1 q1_nf2 q2_nf0 q2_nf1);
    check!(form of actions::elasticity: q1_nf0 q1_nf1 q1_nf2 q2_nf0);
    check!(form of actions::hyperelasticity: q1_nf0 q1_nf1);
    assert!(tested >= 200, "{tested}");
}

#[test]
fn random_kernels_are_as_accurate_as_their_texts() {
    let (mut tested, mut worst) = (0, 0.0_f64);
    for seed in 0..1000 {
        let case = generator::kernel(seed);
        for level in [2, 3] {
            let Some(programs) = programs(&case.text, level) else {
                continue;
            };
            for programs in programs {
                for inputs in INPUTS {
                    let Some(ratio) = ratio(&programs, inputs, 1) else {
                        continue;
                    };
                    tested += 1;
                    worst = worst.max(ratio);
                    let text = &case.text;
                    assert!(
                        ratio <= FACTOR,
                        "seed {seed}, level {level}: {ratio} for {inputs:?}\n{text}"
                    );
                }
            }
        }
    }
    println!("{tested} runs, at most {worst:.2} of the bound");
    assert!(tested > 1000, "{tested}");
}
