//! What loops without lanes wait for: several iterations of theirs are in flight.

use super::model;
use super::tree::{Node, Schedule, instances};
use crate::analysis::cost::{NOMINAL, nominal};
use crate::ir::{Element, Equation, IndexId, Program};
use crate::machine::{ISSUED, LATENCY, WINDOW};

/// Cycles without lanes. Iterations of loops of run-time length are computed side by side, as many as are in flight, so that
/// sums over loops of known length inside of these wait for their terms the less the fewer there are.
pub fn scalar(program: &Program, schedule: &Schedule, node: &Node) -> f64 {
    let node = std::slice::from_ref(node);
    let (waited, issued) = (
        model::cycles(program, schedule, node),
        model::side_by_side(program, schedule, node),
    );
    let iterations = instances(node).into_iter().map(|instance| {
        let equation = &program.equations[instance.equation];
        iterations(program, equation)
    });
    let each = issued / iterations.fold(1.0, f64::max);
    issued + (waited - issued) * (each * ISSUED / WINDOW).min(1.0)
}

/// How often the loops of run-time length around an equation run.
pub fn iterations(program: &Program, equation: &Equation) -> f64 {
    let run = equation.domain();
    let run = run.map(|index| &program.loop_index(index).extent);
    let run = run.filter(|extent| extent.as_constant().is_none());
    run.map(|extent| nominal(program, extent) as f64).product()
}

/// Cycles that floating-point numbers which are added up in order wait for each other, over loops of run-time length.
/// What short loops inside of these add up, component by component, waits side by side.
pub fn chain(program: &Program, equation: &Equation) -> f64 {
    let summed = equation.reduction.iter().copied();
    let long = summed.filter(|index| !program.is_constant(*index)).min();
    let Some(long) = long.filter(|_| is_float(program.array(equation.target.array).element)) else {
        return 0.0;
    };
    let inside = |index: &IndexId| program.is_constant(*index) && *index > long;
    let free = equation.free.iter().copied();
    let waiting = free.filter(|index| !inside(index));
    let waiting = waiting.chain(equation.reduction.iter().copied());
    let extents = waiting.map(|index| {
        let extent = &program.loop_index(index).extent;
        extent.as_constant().unwrap_or(NOMINAL) as f64
    });
    LATENCY * extents.product::<f64>()
}

/// Whether an element is a floating-point number.
pub fn is_float(element: Element) -> bool {
    matches!(element, Element::F64 | Element::F32 | Element::Generic)
}
