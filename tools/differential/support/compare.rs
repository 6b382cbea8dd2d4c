//! Runs a kernel's variants, and compares what they did with what the reference did.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright_runtime::{Cost, Counted, Isa, Report};

use super::guarded::{Guarded, Number};
use super::trial::Trial;

/// How far bounds of errors are from true: they take each rounding as bad as it can be, but count
/// few of those that sums in another order add.
const SAFETY: f64 = 16.0;

/// Which code runs.
#[derive(Clone, Copy, Debug)]
pub enum How {
    /// None: the outputs stay as they are.
    Nothing,
    /// The kernel's text.
    Reference,
    /// A variant, on this processor.
    Native(Isa),
    /// A variant, on emulated vector units.
    Emulated(Isa),
}

/// Which variants run on emulated vector units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emulate {
    /// No variant has vectors.
    None,
    /// Those that this processor cannot run.
    Missing,
    /// All that have vectors.
    All,
}

/// What a kernel's text promises.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// The kernel's number in the batch.
    pub kernel: usize,
    /// Results have the reference's bits.
    pub exact: bool,
    /// What is emulated.
    pub emulated: Emulate,
    /// For each output, how many roundings of a number near one its error may be.
    pub errors: &'static [f64],
    /// Operations are counted and compared with the report.
    pub report: &'static Report,
}

/// What a call did.
#[derive(Debug)]
pub struct Outcome {
    panic: Option<String>,
    outputs: Vec<Output>,
    cost: Cost,
}

/// An output after a call.
#[derive(Debug)]
pub struct Output {
    values: Vec<f64>,
    intact: bool,
}

/// An output's contents.
pub fn output<T: Copy, S: Number>(buffer: &Guarded<T>) -> Output {
    Output {
        values: buffer.doubles::<S>(),
        intact: buffer.intact(),
    }
}

/// The result of a call: its panic, and its cost.
pub fn attempt(call: impl FnOnce()) -> (Option<String>, Cost) {
    let (result, cost) =
        Counted::<f64>::count(|| catch_unwind(AssertUnwindSafe(call)).map_err(|e| message(&*e)));
    (result.err(), cost)
}

fn message(payload: &dyn std::any::Any) -> String {
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string))
        .unwrap_or_default()
}

impl Outcome {
    /// A call's result and its outputs.
    pub fn new((panic, cost): (Option<String>, Cost), outputs: Vec<Output>) -> Outcome {
        Outcome {
            panic,
            outputs,
            cost,
        }
    }
}

/// Runs all variants on the inputs of a trial; prints the first difference.
pub fn variants<S: Number>(
    promise: &Promise,
    trial: &Trial,
    built: &[Isa],
    run: &dyn Fn(How) -> Outcome,
) -> bool {
    let (before, expected) = (run(How::Nothing), run(How::Reference));
    let native = built.iter().filter(|isa| isa.is_available());
    let emulated = built.iter().filter(|isa| match promise.emulated {
        _ if !S::VECTORS => false,
        Emulate::None => false,
        Emulate::Missing => !isa.is_available(),
        Emulate::All => **isa != Isa::Scalar,
    });
    let all = native
        .map(|isa| How::Native(*isa))
        .chain(emulated.map(|isa| How::Emulated(*isa)));
    for how in all {
        let found = run(how);
        if let Some(difference) = difference::<S>(promise, &before, &expected, &found) {
            let (kernel, number) = (promise.kernel, trial.number);
            let real = std::any::type_name::<S>();
            let sizes = format!("n = {}, m = {}", trial.n, trial.m);
            println!("difference {kernel} {real}, {how:?}, trial {number} ({sizes}): {difference}");
            return false;
        }
    }
    true
}

/// Compares counted operations with the report, for a kernel that runs `iterations` times what the
/// report counts.
pub fn counts(
    promise: &Promise,
    trial: &Trial,
    iterations: i64,
    run: &dyn Fn(How) -> Outcome,
) -> bool {
    if trial.wrong || iterations < 1 {
        return true;
    }
    let (reference, expansion) = (run(How::Reference), run(How::Native(Isa::Scalar)));
    if reference.panic.is_some() {
        return true;
    }
    let report = promise.report;
    let operations = |cost: Cost| Cost {
        temporary_bytes: 0,
        table_bytes: 0,
        ..cost
    };
    let times = iterations as u64;
    let checks = [
        ("the reference", reference.cost, report.source * times),
        (
            "the expansion",
            expansion.cost,
            report.expansion * times + report.once,
        ),
    ];
    for (what, found, stated) in checks {
        if found != operations(stated) {
            let (kernel, number) = (promise.kernel, trial.number);
            println!(
                "difference {kernel} counts, trial {number}: {what} costs {found}, the report says {} in {times} iterations",
                operations(stated)
            );
            return false;
        }
    }
    true
}

fn difference<S: Number>(
    promise: &Promise,
    before: &Outcome,
    expected: &Outcome,
    found: &Outcome,
) -> Option<String> {
    if found.outputs.iter().any(|output| !output.intact) {
        return Some("something beside an output was overwritten".to_owned());
    }
    let mut notes = promise.report.notes.iter();
    let as_written = notes.any(|note| note.starts_with("runs as written"));
    let (wanted, exact) = match (&expected.panic, &found.panic) {
        (None, None) => (expected, promise.exact || as_written),
        // A kernel without a program checks each access where it stands.
        (Some(_), Some(_)) if as_written => (expected, true),
        (Some(_), Some(_)) => (before, true),
        (None, Some(message)) => return Some(format!("a panic: {message}")),
        (Some(message), None) => return Some(format!("no panic, the reference's is: {message}")),
    };
    for (at, (wanted, found)) in wanted.outputs.iter().zip(&found.outputs).enumerate() {
        let tolerance = S::ROUNDING * SAFETY * promise.errors[at];
        let pairs = wanted.values.iter().zip(&found.values).enumerate();
        for (element, (wanted, found)) in pairs {
            if !same(*wanted, *found, exact, tolerance) {
                return Some(format!(
                    "number {element} of output {at} is {found:e} for {wanted:e}, within {tolerance:e}"
                ));
            }
        }
    }
    None
}

fn same(wanted: f64, found: f64, exact: bool, tolerance: f64) -> bool {
    if wanted.is_nan() || found.is_nan() {
        return wanted.is_nan() && found.is_nan();
    }
    if exact {
        return wanted.to_bits() == found.to_bits();
    }
    wanted == found || (wanted - found).abs() <= tolerance
}
