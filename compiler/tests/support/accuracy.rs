//! Errors of what passes leave, against bounds for the text.

use loopwright_compiler::analysis::rounding::{Bounded, run};
use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::ir::Program;
use loopwright_compiler::number::Number;
use loopwright_compiler::passes::{of_level, whole_sums};
use loopwright_compiler::{lower, syntax};

/// How much larger an error may be than the text's bound.
pub const FACTOR: f64 = 4.0;

/// What inputs vary around, and by how much.
pub const INPUTS: [[f64; 2]; 7] = [
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
pub fn programs(text: &str, level: u8) -> Option<Vec<[Program; 2]>> {
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
pub fn ratio(
    [text, program]: &[Program; 2],
    inputs: impl Fn(usize, usize) -> f64,
    blocks: usize,
) -> Option<f64> {
    let exact = run::<Number>(text, &inputs, MOST)?;
    let bounds = run::<Bounded>(text, &inputs, MOST)?;
    let found = run::<f64>(program, &inputs, MOST)?;
    // A slice that is an array of rows to one of the programs only has another length in each.
    if exact.iter().zip(&found).any(|(a, b)| a.len() != b.len()) {
        return None;
    }
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
