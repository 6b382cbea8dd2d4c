//! The program that runs the kernels of a batch: their modules, and calls of what is in them.

use std::fmt::Write as _;

use loopwright_runtime::Isa;

use crate::case::{Case, Kind, Parameter};
use crate::expansion::{Built, Run};

/// Text before the kernels.
pub const HEAD: &str = "#![allow(warnings)]
use loopwright::{Counted, Isa, Report};
use support::arguments::Arguments;
use support::kernel::{Call, Kernel};
type Number = support::guarded::Scalar;
pub fn bent(x: f64) -> f64 { if x < 0.0 { 0.25 - 0.5 * x } else { 0.25 + 0.5 * x } }
";

/// A type that a kernel is run with.
struct Instance {
    /// Its name among the tool's types.
    scalar: &'static str,
    /// The end of the functions' names.
    suffix: &'static str,
    /// The type, where functions have a type parameter.
    arguments: &'static str,
}

const INSTANCES: [Instance; 3] = [
    Instance {
        scalar: "F64",
        suffix: "_f64",
        arguments: "::<f64>",
    },
    Instance {
        scalar: "F32",
        suffix: "_f32",
        arguments: "::<f32>",
    },
    Instance {
        scalar: "Counted",
        suffix: "_counted",
        arguments: "::<Counted<f64>>",
    },
];

/// The types that a kernel runs with.
fn instances(case: &Case) -> &'static [Instance] {
    const ALONE: [Instance; 1] = [Instance {
        scalar: "F64",
        suffix: "",
        arguments: "",
    }];
    match case.generic {
        Some(_) => &INSTANCES,
        None => &ALONE,
    }
}

/// The modules of one kernel, the functions that call what is in them, and their description.
pub fn kernel(number: usize, case: &Case, built: &Built) -> String {
    let mut text = String::new();
    for (module, items) in built.modules.iter().enumerate() {
        let _ = writeln!(text, "mod m{number}_{module} {{ {items} }}");
    }
    for instance in instances(case) {
        calls(&mut text, number, case, built, instance);
    }
    if case.counts.is_some() {
        let path = if built.whole { "::kernel" } else { "" };
        let of = |run: &Run| format!("&m{number}_{}{path}::REPORT, ", run.module);
        let reports: String = built.runs.iter().map(of).collect();
        let _ = writeln!(text, "static REPORTS{number}: &[&Report] = &[{reports}];");
    }
    text
}

/// The function that calls the reference or a variant.
fn calls(text: &mut String, number: usize, case: &Case, built: &Built, instance: &Instance) {
    let Instance {
        suffix, arguments, ..
    } = instance;
    let _ = writeln!(
        text,
        "fn call{number}{suffix}(which: usize, a: &Arguments) {{ unsafe {{"
    );
    bindings(text, case);
    let parameters = || case.parameters.iter().enumerate();
    let whole: Vec<String> = parameters().map(argument).collect();
    let mut raw: Vec<String> = parameters().map(raw).collect();
    let (whole, given) = (whole.join(", "), raw.join(", "));
    // The value goes to where other results go too; variants are given the place.
    let mut value = String::new();
    if case.result.is_some() {
        let at = case.parameters.len();
        let _ = write!(text, "let p{at} = a.pointer({at}); ");
        value = format!("*(p{at} as *mut _) = ");
        raw.push(format!("p{at} as _"));
    }
    let raw = raw.join(", ");
    let path = if built.whole { "::kernel" } else { "" };
    // Where a program is not the text for these inputs, its check lets that run.
    let checked = |module: usize| {
        let check = format!("m{number}_{module}::__check{arguments}({given})");
        match built.partial.get(module) {
            Some(true) => format!(
                "if !{check} {{ {value}m{number}_0::reference{arguments}({whole}); return; }} "
            ),
            _ => format!("{check}; "),
        }
    };
    let once = built.runs.iter().all(|run| run.check == 0);
    if once && !built.whole && !built.as_written {
        let _ = writeln!(text, "if which > 0 {{ {} }}", checked(0));
    }
    let _ = writeln!(
        text,
        "match which {{ 0 => {value}m{number}_0{path}::reference{arguments}({whole}),"
    );
    for (at, run) in built.runs.iter().enumerate() {
        let which = at + 1;
        if built.as_written && !built.whole {
            let _ = writeln!(
                text,
                "{which} => {value}m{number}_0::reference{arguments}({whole}),"
            );
        } else if built.whole {
            let (module, isa) = (run.module, run.isa);
            let call =
                format!("m{number}_{module}::kernel::with{arguments}(Isa::{isa:?}, {whole})");
            let _ = writeln!(text, "{which} => {value}{call}.unwrap(),");
        } else if let Some((near, general)) = functions(run, instance) {
            let (module, check) = (run.module, run.check);
            let check = match once {
                true => String::new(),
                false => checked(check),
            };
            let call = |name: &str| {
                let own = name.split("::").next().unwrap_or(name);
                let scratch = match run.scratch.iter().any(|other| other == own) {
                    true => ", &mut support::kernel::scratch()",
                    false => "",
                };
                format!("m{number}_{module}::{name}({raw}{scratch})")
            };
            let call = match general {
                Some(general) => {
                    let (near, condition) = (call(&near), near_condition(case));
                    format!("if {condition} {{ {near} }} else {{ {} }}", call(&general))
                }
                None => call(&near),
            };
            let _ = writeln!(text, "{which} => {{ {check}{call}; }}");
        }
    }
    let _ = writeln!(text, "_ => support::kernel::missing(), }} }} }}");
}

/// What the parameters are in a call: pointers with lengths, and views.
fn bindings(text: &mut String, case: &Case) {
    for (at, parameter) in case.parameters.iter().enumerate() {
        if is_view(parameter) {
            let _ = write!(text, "let p{at} = a.view({at}); ");
            continue;
        }
        let _ = write!(text, "let p{at} = a.pointer({at}); ");
        if has_length(parameter) {
            let numbers = parameter.numbers();
            let _ = write!(text, "let n{at} = a.length({at}, {numbers}); ");
        }
    }
}

/// The function of a variant for a type, with its type argument, and the one for views of any
/// strides if there are two.
fn functions(run: &Run, instance: &Instance) -> Option<(String, Option<String>)> {
    let Instance {
        suffix, arguments, ..
    } = instance;
    let strided = |name: &&String| name.ends_with("_strided");
    let general: Vec<&String> = run.functions.iter().filter(strided).collect();
    let near: Vec<&String> = run.functions.iter().filter(|name| !strided(name)).collect();
    if let Some(name) = near.iter().find(|name| name.ends_with(suffix)) {
        let other = format!("{name}_strided");
        let general = general.into_iter().find(|name| **name == other);
        return Some(((*name).clone(), general.cloned()));
    }
    match near.as_slice() {
        [name] => {
            let general = general.first().map(|name| format!("{name}{arguments}"));
            Some((format!("{name}{arguments}"), general))
        }
        _ => None,
    }
}

/// Whether neighbours are next to each other in all views.
fn near_condition(case: &Case) -> String {
    let parameters = case.parameters.iter().enumerate();
    let views = parameters.filter(|(_, parameter)| is_view(parameter));
    let conditions: Vec<String> = views.map(|(at, _)| format!("p{at}.is_near()")).collect();
    conditions.join(" && ")
}

/// Whether a parameter is a view.
fn is_view(parameter: &Parameter) -> bool {
    matches!(parameter.kind, Kind::View(_) | Kind::IndexView(..))
}

/// A variant as [`support`](crate::support::kernel) reads it.
fn described(case: &Case, built: &Built, run: &Run) -> String {
    let mut words = vec![run.level.to_string(), format!("{:?}", run.isa)];
    let flags = [
        ("exact", is_exact(case, run)),
        ("emulated", run.emulated),
        ("written", built.as_written),
        ("unchecked", built.unchecked.get(run.check) == Some(&true)),
        ("partial", built.partial.get(run.check) == Some(&true)),
    ];
    let set = flags.into_iter().filter(|(_, set)| *set);
    words.extend(set.map(|(name, _)| name.to_owned()));
    words.join(" ")
}

/// Whether functions take a parameter's length.
fn has_length(parameter: &Parameter) -> bool {
    matches!(
        parameter.kind,
        Kind::Slice(_) | Kind::Indices(..) | Kind::Rows(..)
    )
}

/// A parameter's argument.
fn argument((at, parameter): (usize, &Parameter)) -> String {
    let mutable = parameter.within.is_some();
    let (reference, raw) = if mutable {
        ("&mut ", "mut")
    } else {
        ("&", "const")
    };
    match &parameter.kind {
        Kind::Number | Kind::Size(_) | Kind::Integer(_) => format!("*(p{at} as *const _)"),
        Kind::Array | Kind::IndexArray(_) => format!("{reference}*(p{at} as *{raw} _)"),
        Kind::Slice(_) | Kind::Indices(..) | Kind::Rows(..) => {
            let suffix = if mutable { "_mut" } else { "" };
            format!("core::slice::from_raw_parts{suffix}(p{at} as *{raw} _, n{at})")
        }
        Kind::View(_) | Kind::IndexView(..) => match mutable {
            true => format!("p{at}.mutable()"),
            false => format!("p{at}.shared()"),
        },
    }
}

/// A parameter as variants take it.
fn raw((at, parameter): (usize, &Parameter)) -> String {
    match &parameter.kind {
        Kind::Number | Kind::Size(_) | Kind::Integer(_) => format!("*(p{at} as *const _)"),
        Kind::Array | Kind::IndexArray(_) => format!("p{at} as _"),
        Kind::Slice(_) | Kind::Indices(..) | Kind::Rows(..) => format!("p{at} as _, n{at}"),
        Kind::View(lengths) | Kind::IndexView(_, lengths) => {
            let mut text = format!("p{at}.pointer as _");
            for part in ["shape", "strides"] {
                let all = (0..lengths.len()).map(|axis| format!(", p{at}.{part}[{axis}]"));
                text.extend(all);
            }
            text
        }
    }
}

/// What the batch holds of a kernel besides.
pub fn entry(number: usize, case: &Case, built: &Built) -> String {
    let call = |instance: &Instance| {
        let Instance { scalar, suffix, .. } = instance;
        format!("Call {{ scalar: Number::{scalar}, call: call{number}{suffix} }}, ")
    };
    let calls: String = instances(case).iter().map(call).collect();
    let lines = case.text.lines().filter(|line| line.starts_with("// "));
    let description: Vec<&str> = lines.collect();
    let description = description.join("\n");
    let runs: Vec<String> = built
        .runs
        .iter()
        .map(|r| described(case, built, r))
        .collect();
    let runs = runs.join(", ");
    let reports = match case.counts {
        Some(_) => format!("REPORTS{number}"),
        None => "&[]".to_owned(),
    };
    format!(
        "Kernel {{ number: {number}, description: {description:?}, calls: &[{calls}], \
         runs: {runs:?}, reports: {reports} }},\n"
    )
}

/// The function that runs all kernels of a batch, which is built with checks of overflow or without.
pub fn main(entries: &str, wraps: bool) -> String {
    format!(
        "static KERNELS: &[Kernel] = &[\n{entries}];\nfn main() {{ support::compare::run(KERNELS, {wraps}) }}\n"
    )
}

/// Whether results have the reference's bits. At level 1 operations differ by contraction alone, which
/// scalar code does without.
fn is_exact(case: &Case, run: &Run) -> bool {
    let contracts = run.level > 1 || run.isa != Isa::Scalar;
    case.exact || run.level == 0 || !(contracts || case.text.contains("epsilon"))
}
