//! Runs a kernel's variants, and compares what they did with what the reference did.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright_runtime::{Cost, Counted, Isa, Report};

use super::case::Case;
use super::guarded::{Number, Scalar};
use super::kernel::{Call, Kernel, Run};
use super::trial::{TRIALS, Trial};

/// How far bounds of errors are from true: they take each rounding as bad as it can be, but count
/// few of those that sums in another order add.
const SAFETY: f64 = 16.0;

/// What a call did.
#[derive(Debug)]
struct Outcome {
    panic: Option<String>,
    outputs: Vec<Output>,
    cost: Cost,
}

/// An output after a call.
#[derive(Debug)]
struct Output {
    scalar: Scalar,
    values: Vec<Number>,
    intact: bool,
}

/// Bytes of the stack that kernels run on: without optimisation each value of thousands has a place of its own there.
const STACK: usize = 1 << 28;

/// Runs all kernels of a batch, and says on the standard output what came of them.
///
/// # Panics
/// If there is no thread for them.
pub fn run(kernels: &'static [Kernel], wraps: bool) {
    std::panic::set_hook(Box::new(|_| {}));
    let builder = std::thread::Builder::new().stack_size(STACK);
    let thread = builder
        .spawn(move || run_here(kernels, wraps))
        .map(|thread| thread.join());
    assert!(matches!(thread, Ok(Ok(()))), "kernels run");
}

fn run_here(kernels: &[Kernel], wraps: bool) {
    for kernel in kernels {
        println!("at {}", kernel.number);
        if let Err(difference) = compared(kernel, wraps) {
            println!("difference {} {difference}", kernel.number);
        }
    }
    println!("done");
}

/// The first difference.
fn compared(kernel: &Kernel, wraps: bool) -> Result<(), String> {
    let case = Case::parse(kernel.description)?;
    let runs: Result<Vec<Run>, String> = kernel.runs.split(',').map(Run::parse).collect();
    let runs = runs?;
    for call in kernel.calls {
        for number in 0..case.trials.unwrap_or(TRIALS) {
            one((kernel, &runs), &case, call, (number, wraps))?;
        }
    }
    Ok(())
}

fn one(
    (kernel, runs): (&Kernel, &[Run]),
    case: &Case,
    call: &Call,
    (number, wraps): (usize, bool),
) -> Result<(), String> {
    let mut trial = Trial::new(case.seed, number);
    let sizes = format!("trial {number} (n = {}, m = {})", trial.n, trial.m);
    let (wrong, special) = (trial.wrong, trial.special);
    let iterations = case.counts.as_deref().and_then(|text| trial.evaluate(text));
    let arguments = trial.arguments(case, call.scalar)?;
    let attempt = |which: Option<usize>| {
        let fresh = arguments.fresh();
        let call = AssertUnwindSafe(|| which.into_iter().for_each(|at| (call.call)(at, &fresh)));
        let (result, cost) = Counted::<f64>::count(|| catch_unwind(call).map_err(|e| message(&*e)));
        let outputs = fresh.outputs().map(|buffer| Output {
            scalar: buffer.scalar(),
            values: buffer.numbers(),
            intact: buffer.intact(),
        });
        Outcome {
            panic: result.err(),
            outputs: outputs.collect(),
            cost,
        }
    };
    let (before, expected) = (attempt(None), attempt(Some(0)));
    let outputs = case.parameters.iter().chain(&case.result);
    let within: Vec<f64> = outputs.filter_map(|p| p.within).collect();
    for (at, run) in runs.iter().enumerate() {
        if !run.is_for(call.scalar) {
            continue;
        }
        let found = attempt(Some(at + 1));
        // What leads out of an array in integers that do not wrap around panics in every build.
        let (panic, none) = (found.panic.as_deref(), expected.panic.is_none());
        let leaves = panic.is_some_and(|message| message.contains(" is out of bounds for axis "));
        if wraps && none && leaves && !run.as_written && untouched(&before, &found) {
            continue;
        }
        let bounds = (!special).then_some(within.as_slice());
        let error = difference(run, bounds, [&before, &expected, &found]).or_else(|| {
            let counted = call.scalar == Scalar::Counted && !wrong;
            let iterations = iterations.filter(|n| counted && *n > 0)?;
            let report = kernel.reports.get(at).filter(|_| run.isa == Isa::Scalar)?;
            // The text itself, for inputs of which the program is not the text.
            if run.partial && found.cost == expected.cost {
                return None;
            }
            miscounted(report, iterations as u64, &expected, &found)
        });
        if let Some(error) = error {
            let (real, level) = (call.scalar, run.level);
            let emulated = if run.emulated { ", emulated" } else { "" };
            let which = format!("{real:?}, level {level}, {:?}{emulated}", run.isa);
            return Err(format!("{which}, {sizes}: {error}"));
        }
    }
    Ok(())
}

fn message(payload: &dyn std::any::Any) -> String {
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string))
        .unwrap_or_default()
}

/// Compares counted operations with the report, for a kernel that runs `iterations` times what the
/// report counts.
fn miscounted(
    report: &Report,
    iterations: u64,
    reference: &Outcome,
    expansion: &Outcome,
) -> Option<String> {
    if reference.panic.is_some() {
        return None;
    }
    let operations = |cost: Cost| Cost {
        temporary_bytes: 0,
        table_bytes: 0,
        ..cost
    };
    let stated = report.expansion * iterations + report.once;
    let checks = [
        ("the reference", reference.cost, report.source * iterations),
        ("the expansion", expansion.cost, stated),
    ];
    let wrong = |(_, found, stated): &(&str, Cost, Cost)| *found != operations(*stated);
    let (what, found, stated) = checks.into_iter().find(wrong)?;
    Some(format!(
        "{what} costs {found}, the report says {} in {iterations} iterations",
        operations(stated)
    ))
}

/// What differs. Without bounds of the errors, only results that have the reference's bits are compared.
fn difference(
    run: &Run,
    within: Option<&[f64]>,
    [before, expected, found]: [&Outcome; 3],
) -> Option<String> {
    if found.outputs.iter().any(|output| !output.intact) {
        return Some("something beside an output was overwritten".to_owned());
    }
    let kept = run.exact || run.as_written;
    let (exact, stopped) = match (&expected.panic, &found.panic) {
        (None, None) => (kept, false),
        (Some(_), Some(_)) if untouched(before, found) => return None,
        // Of a text whose accesses are not made before, each one is checked where it stands, but those of a nest that is
        // a kernel of its own are checked before the nest writes, which the text itself may have done before it panics.
        (Some(_), Some(_)) if run.unchecked => (kept, true),
        // Integers that lead to no access are not looked at before.
        (Some(_), Some(message)) if is_arithmetic(message) => (kept, false),
        (Some(_), Some(message)) => {
            return Some(format!("it has written before it panics: {message}"));
        }
        (None, Some(message)) => return Some(format!("a panic: {message}")),
        (Some(message), None) => return Some(format!("no panic, the reference's is: {message}")),
    };
    let outputs = expected.outputs.iter().zip(&found.outputs);
    for (at, ((wanted, found), before)) in outputs.zip(&before.outputs).enumerate() {
        let tolerance = match within {
            Some(within) => found.scalar.rounding() * SAFETY * within[at],
            None if exact => 0.0,
            None => continue,
        };
        let pairs = wanted.values.iter().zip(&found.values).enumerate();
        for (element, (wanted, found)) in pairs {
            let unwritten = stopped && same(before.values[element], *found, true, 0.0);
            if !unwritten && !same(*wanted, *found, exact, tolerance) {
                return Some(format!(
                    "number {element} of output {at} is {found:?} for {wanted:?}, within {tolerance:e}"
                ));
            }
        }
    }
    None
}

/// Whether Rust's own arithmetic panics, in an access, or in what leads to none, or what the text states does not hold.
fn is_arithmetic(message: &str) -> bool {
    message.starts_with("attempt to ") || message.starts_with("assertion ")
}

/// Whether nothing was written.
fn untouched(before: &Outcome, found: &Outcome) -> bool {
    let mut outputs = before.outputs.iter().zip(&found.outputs);
    outputs.all(|(before, found)| {
        let mut values = before.values.iter().zip(&found.values);
        values.all(|(before, found)| same(*before, *found, true, 0.0))
    })
}

fn same(wanted: Number, found: Number, exact: bool, tolerance: f64) -> bool {
    let (Number::Real(wanted), Number::Real(found)) = (wanted, found) else {
        return wanted == found;
    };
    if wanted.is_nan() || found.is_nan() {
        return wanted.is_nan() && found.is_nan();
    }
    if exact {
        return wanted.to_bits() == found.to_bits();
    }
    wanted == found || (wanted - found).abs() <= tolerance
}
