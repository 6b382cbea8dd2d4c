//! Sums over loops that may have no iteration.
//!
//! Where an inner loop is empty, the text does not touch what it would add to, and the check of bounds asks
//! nothing of that. A sum that is kept until its loop ends is added once even if there is nothing to add.
//! So the text runs for such inputs.

use crate::analysis::subscripts::open;
use crate::ir::{Access, Affine, Equation, Program, Role};

/// Functions of the inputs that are negative where a sum has no term that is added to an element of an output which need not be
/// there: the output's length is not known, or which element it is, as where index maps say that.
pub fn terms(program: &Program) -> Vec<Affine> {
    let adds = |equation: &&Equation| equation.operator.accumulated().is_some();
    let mut result: Vec<Affine> = Vec::new();
    for equation in program.equations.iter().filter(adds) {
        if !is_open(program, &equation.target) {
            continue;
        }
        let loops = equation.still().map(|index| program.loop_index(index));
        for extent in loops.filter_map(|index| index.extent.run_time()) {
            let last = extent.add(&Affine::constant(-1));
            result.extend((!result.contains(&last)).then_some(last));
        }
    }
    result
}

/// Whether an access is to an output, and need not be in range, whatever the inputs are.
fn is_open(program: &Program, target: &Access) -> bool {
    let array = program.array(program.viewed(target.array));
    matches!(array.role, Role::Output(_)) && !open(program, target).is_empty()
}
