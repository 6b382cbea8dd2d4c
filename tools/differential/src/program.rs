//! The program that runs the kernels of a batch.

use std::fmt::Write as _;

use crate::case::{Case, Kind, Parameter};

/// Text before the kernels.
pub const HEAD: &str = "#![allow(warnings)]
use loopwright::{Counted, Real, Scalar};
use support::compare::{Emulate, How, Outcome, Promise, attempt, counts, output, variants};
use support::guarded::Number;
use support::trial::{TRIALS, Trial};
";

/// The modules and the function of one kernel; `everything` runs all variants of `emulated`, not
/// only those that the processor cannot run.
pub fn kernel(
    number: usize,
    case: &Case,
    native: &str,
    emulated: Option<&str>,
    everything: bool,
) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "mod native{number} {{ {native} }}");
    let copy = match (emulated, everything) {
        (Some(emulated), everything) => {
            let _ = writeln!(text, "mod emulated{number} {{ {emulated} }}");
            if everything { "All" } else { "Missing" }
        }
        (None, _) => "None",
    };
    let (generics, real) = match &case.generic {
        Some(bound) => (format!("<T: {bound} + Number>"), "T"),
        None => {
            let outputs = case.parameters.iter().filter(|p| p.within.is_some());
            let real = outputs.map(Parameter::scalar).next().unwrap_or("f64");
            (String::new(), real)
        }
    };
    let errors: Vec<String> = case
        .parameters
        .iter()
        .filter_map(|p| p.within.map(|bound| format!("{bound:?}")))
        .collect();
    let exact = case.exact;
    let _ = writeln!(
        text,
        "static PROMISE{number}: Promise = Promise {{ kernel: {number}, exact: {exact}, \
         emulated: Emulate::{copy}, errors: &[{}], report: &native{number}::kernel::REPORT }};",
        errors.join(", ")
    );
    let _ = writeln!(
        text,
        "fn run{number}{generics}(count: bool) {{ for number in 0..TRIALS {{ \
         let mut trial = Trial::new({}, number); let (n, m) = (trial.n, trial.m);",
        case.seed
    );
    for parameter in &case.parameters {
        let _ = writeln!(text, "let {} = {};", parameter.name, made(parameter));
    }
    let _ = writeln!(text, "let run = |how: How| -> Outcome {{");
    calls(&mut text, number, case, emulated.is_some());
    let iterations = case.counts.as_deref().unwrap_or("0");
    let _ = writeln!(
        text,
        "}};\nlet fine = if count {{ counts(&PROMISE{number}, &trial, {iterations}, &run) }} \
         else {{ variants::<{real}>(&PROMISE{number}, &trial, native{number}::kernel::variants(), &run) }};\n\
         if !fine {{ return; }} }} }}"
    );
    text
}

/// The expression that makes a parameter.
fn made(parameter: &Parameter) -> String {
    let (ty, scalar) = (&parameter.ty, parameter.scalar());
    match &parameter.kind {
        Kind::Number => format!("trial.number::<{ty}>()"),
        Kind::Size(size) => format!("({size}) as usize"),
        Kind::Slice(lengths) => format!("trial.slice::<{ty}, {scalar}>(&[{lengths}])"),
        Kind::Array => format!("trial.array::<{ty}, {scalar}>()"),
        Kind::Indices(limit, lengths) => {
            format!("trial.indices::<{ty}, {scalar}>({limit}, &[{lengths}])")
        }
        Kind::IndexArray(limit) => format!("trial.index_array::<{ty}, {scalar}>({limit})"),
    }
}

/// The body of the closure that runs the kernel one way.
fn calls(text: &mut String, number: usize, case: &Case, emulated: bool) {
    let outputs = || case.parameters.iter().filter(|p| p.within.is_some());
    for parameter in outputs() {
        let name = &parameter.name;
        let _ = writeln!(text, "let mut {name} = {name}.clone();");
    }
    let arguments: Vec<String> = case
        .parameters
        .iter()
        .map(|parameter| {
            let name = &parameter.name;
            match (&parameter.kind, parameter.within.is_some()) {
                (Kind::Number | Kind::Size(_), _) => name.clone(),
                (Kind::Slice(_) | Kind::Indices(..), false) => format!("{name}.slice()"),
                (Kind::Array | Kind::IndexArray(_), false) => format!("&{name}.slice()[0]"),
                (Kind::Array, true) => format!("&mut {name}.slice_mut()[0]"),
                (_, true) => format!("{name}.slice_mut()"),
            }
        })
        .collect();
    let arguments = arguments.join(", ");
    let copy = if emulated {
        format!("emulated{number}::kernel::with(isa, {arguments}).unwrap()")
    } else {
        "unreachable!()".to_owned()
    };
    let _ = writeln!(
        text,
        "let result = attempt(|| match how {{ How::Nothing => (), \
         How::Reference => native{number}::kernel::reference({arguments}), \
         How::Native(isa) => native{number}::kernel::with(isa, {arguments}).unwrap(), \
         How::Emulated(isa) => {copy}, }});"
    );
    let contents: Vec<String> = outputs()
        .map(|p| format!("output::<{}, {}>(&{})", p.ty, p.scalar(), p.name))
        .collect();
    let _ = writeln!(text, "Outcome::new(result, vec![{}])", contents.join(", "));
}

/// The function that runs all kernels of a batch.
pub fn main(kernels: &[(usize, &Case)]) -> String {
    let mut text = "fn main() { std::panic::set_hook(Box::new(|_| {}));\n".to_owned();
    for (number, case) in kernels {
        let _ = write!(text, "println!(\"at {number}\"); ");
        if case.generic.is_some() {
            let _ = write!(
                text,
                "run{number}::<f64>(false); run{number}::<f32>(false); \
                 run{number}::<Counted<f64>>(false); "
            );
            if case.counts.is_some() {
                let _ = write!(text, "run{number}::<Counted<f64>>(true); ");
            }
        } else {
            let _ = write!(text, "run{number}(false); ");
        }
        text.push('\n');
    }
    text.push_str("println!(\"done\"); }\n");
    text
}
