//! The program that runs the emitted code of a nest, in every instruction set, against the source
//! nest.

use std::fmt::Write as _;

use loopwright_compiler::ir::{Array, Extent, Program, Role};

use crate::columns::COLUMNS;

/// Length of slices.
const LENGTH: usize = 23;

/// Parameters in order, with whether they are written.
fn arrays(program: &Program) -> Vec<(&Array, bool)> {
    let mut result: Vec<(usize, (&Array, bool))> = program
        .arrays
        .iter()
        .filter_map(|array| match array.role {
            Role::Parameter(position) => Some((position, (array, false))),
            Role::Output(position) => Some((position, (array, true))),
            Role::State(_) | Role::Table(_) | Role::Counting | Role::Temporary => None,
        })
        .collect();
    result.sort_by_key(|(position, _)| *position);
    result.into_iter().map(|(_, parameter)| parameter).collect()
}

/// The type behind a parameter's reference; of a slice, that of its elements.
fn ty(shape: &[Extent]) -> String {
    shape
        .iter()
        .rev()
        .fold("f64".to_owned(), |inner, extent| match extent {
            Extent::Constant(n) => format!("[{inner}; {n}]"),
            Extent::RunTime(_) => inner,
        })
}

fn is_slice(array: &Array) -> bool {
    matches!(array.shape.first(), Some(Extent::RunTime(_)))
}

/// Parameters as a function declares them.
pub fn parameters(program: &Program) -> String {
    let one = |(array, written): &(&Array, bool)| {
        let (name, ty) = (&array.name, ty(&array.shape));
        let reference = if *written { "&mut " } else { "&" };
        match (is_slice(array), array.shape.is_empty()) {
            (_, true) => format!("{name}: {ty}"),
            (true, _) => format!("{name}: {reference}[{ty}]"),
            (false, _) => format!("{name}: {reference}{ty}"),
        }
    };
    let texts: Vec<String> = arrays(program).iter().map(one).collect();
    texts.join(", ")
}

/// A call's arguments: the parameters lie in vectors of their names, with `columns` of them.
fn arguments(program: &Program, columns: Option<usize>) -> String {
    let one = |(array, written): &(&Array, bool)| {
        let name = &array.name;
        let mut shape = array.shape.clone();
        shape.extend(columns.map(Extent::Constant));
        let ty = ty(&shape);
        match (is_slice(array), shape.is_empty(), written) {
            (_, true, _) => format!("{name}[0]"),
            (true, _, true) => format!(
                "unsafe {{ std::slice::from_raw_parts_mut({name}.as_mut_ptr().cast::<{ty}>(), {LENGTH}) }}"
            ),
            (true, _, false) => format!(
                "unsafe {{ std::slice::from_raw_parts({name}.as_ptr().cast::<{ty}>(), {LENGTH}) }}"
            ),
            (false, _, true) => {
                format!("unsafe {{ &mut *{name}.as_mut_ptr().cast::<{ty}>() }}")
            }
            (false, _, false) => format!("unsafe {{ &*{name}.as_ptr().cast::<{ty}>() }}"),
        }
    };
    let texts: Vec<String> = arrays(program).iter().map(one).collect();
    texts.join(", ")
}

/// Elements of a parameter.
fn count(array: &Array) -> usize {
    let extent = |extent: &Extent| extent.as_constant().unwrap_or(LENGTH);
    array.shape.iter().map(extent).product()
}

/// The functions that fill the parameters, call one variant and compare, and those that call all.
pub fn main(program: &Program) -> String {
    let mut text = HEAD.to_owned();
    for (function, columns, module) in [
        ("plain", None, "plain"),
        ("columns", Some(COLUMNS), "columns"),
    ] {
        let width = columns.unwrap_or(1);
        for module in [module.to_owned(), format!("{module}_emulated")] {
            let _ = writeln!(text, "fn run_{module}(isa: Isa) {{");
            for (at, (array, _)) in arrays(program).iter().enumerate() {
                let (name, count) = (&array.name, count(array) * width);
                let _ = writeln!(text, "let mut {name} = filled({at}, {count});");
            }
            expected(&mut text, program, width);
            let arguments = arguments(program, columns);
            let _ = writeln!(
                text,
                "if {module}::nest::with(isa, {arguments}).is_err() {{ return; }}"
            );
            for (array, written) in arrays(program) {
                if written {
                    let name = &array.name;
                    let _ = writeln!(
                        text,
                        "compare(\"{module}\", isa, &{name}, &{name}_expected);"
                    );
                }
            }
            let _ = writeln!(text, "println!(\"equal {function} {{isa:?}}\"); }}");
        }
    }
    let _ = writeln!(text, "fn main() {{");
    for module in ["plain", "plain_emulated", "columns", "columns_emulated"] {
        let _ = writeln!(
            text,
            "for isa in [Isa::Scalar, Isa::Avx2, Isa::Avx512] {{ run_{module}(isa); }}"
        );
    }
    text + "}\n"
}

/// The results of the source nest, column by column.
fn expected(text: &mut String, program: &Program, width: usize) {
    for (array, written) in arrays(program) {
        if written {
            let name = &array.name;
            let _ = writeln!(text, "let mut {name}_expected = {name}.clone();");
        }
    }
    let _ = writeln!(text, "for column in 0..{width} {{");
    for (array, _) in arrays(program) {
        let name = &array.name;
        let _ = writeln!(
            text,
            "let mut {name}: Vec<f64> = {name}.iter().skip(column).step_by({width}).copied().collect();"
        );
    }
    let arguments = arguments(program, None);
    let _ = writeln!(text, "plain::nest::reference({arguments});");
    for (array, written) in arrays(program) {
        if written {
            let name = &array.name;
            let _ = writeln!(
                text,
                "for (k, value) in {name}.iter().enumerate() {{ {name}_expected[k * {width} + column] = *value; }}"
            );
        }
    }
    text.push_str("}\n");
}

const HEAD: &str = "
use loopwright::Isa;

fn filled(parameter: usize, count: usize) -> Vec<f64> {
    (0..count).map(|k| ((k * 7919 + parameter * 104729 + 13) % 1009) as f64 / 512.0 - 0.75).collect()
}

fn compare(module: &str, isa: Isa, found: &[f64], expected: &[f64]) {
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs();
        assert!(error <= 1e-11 * expected.abs().max(1.0), \"{module}, {isa:?}: element {k} is {found}, not {expected}\");
    }
}
";
