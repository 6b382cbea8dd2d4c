//! Random kernels that read what they write: whatever is lowered and scheduled is the source.

#[path = "support/random.rs"]
mod random;

use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::schedule::{self, Target, Wishes};
use loopwright_compiler::syntax::ast::FunctionId;
use loopwright_compiler::verify::{self, Subject};
use loopwright_compiler::{ir, lower, passes, syntax};
use random::Random;

/// A subscript that is never negative.
fn subscript(random: &mut Random, variable: &str) -> String {
    match random.below(10) {
        0 => random.one(&["0", "1", "2"]).to_owned(),
        1 => format!("2 * {variable} + {}", random.below(2)),
        2 => format!("n + 8 - {variable}"),
        3 => format!("{variable} + n"),
        _ => format!("{variable} + {}", random.below(3)),
    }
}

fn element(random: &mut Random, [outer, inner]: [&str; 2]) -> String {
    let array = random.one(&["u", "v", "a", "r"]);
    let variable = [outer, inner, inner][random.below(3)];
    let first = subscript(random, variable);
    match array {
        // Fixed extents, and subscripts that fit.
        "a" => format!(
            "a[{outer} + {}][{inner} + {}]",
            random.below(2),
            random.below(2)
        ),
        "r" => format!("r[{first}][{}]", random.below(2)),
        _ => format!("{array}[{first}]"),
    }
}

/// A sum of products, of which others may have the same.
fn total(random: &mut Random, name: &str) -> String {
    let mut product = || {
        let left = random.one(&["u[q]", "u[q + 1]", "a[q][0]"]);
        let right = random.one(&["v[q]", "a[q][1]"]);
        format!("{left} * {right}")
    };
    let (first, second) = (product(), product());
    format!("let mut {name} = 0.0;\nfor q in 0..4 {{\n{name} += {first} + 2.0 * ({second});\n}}\n")
}

/// A kernel of some nests with some statements each.
fn kernel(random: &mut Random) -> String {
    let mut body = String::new();
    let mut totals = Vec::new();
    for nest in 0..1 + random.below(2) {
        if random.below(2) == 0 {
            let name = format!("s{nest}");
            body.push_str(&total(random, &name));
            totals.push(name);
        }
        let deep = random.below(2) == 0;
        let (outer, inner) = match deep {
            true => (format!("i{nest}"), format!("j{nest}")),
            false => (format!("i{nest}"), format!("i{nest}")),
        };
        let constant = deep || random.below(3) == 0;
        let range = match constant {
            true => random.one(&["0..5", "1..5", "(0..5).rev()"]),
            false => random.one(&["0..n", "0..n", "(0..n).rev()"]),
        };
        body.push_str(&format!("for {outer} in {range} {{\n"));
        if deep {
            body.push_str(&format!("for {inner} in 0..9 {{\n"));
        }
        let names = [outer.as_str(), inner.as_str()];
        let mut values = [&["x".to_owned()], &*totals].concat();
        for statement in 0..1 + random.below(3) {
            let read = |random: &mut Random, values: &[String]| match random.below(4) {
                0 => values[random.below(values.len())].clone(),
                _ => element(random, names),
            };
            let name = format!("t{nest}{statement}");
            if random.below(3) == 0 {
                let value = read(random, &values);
                body.push_str(&format!("let {name} = {value} * 3.0;\n"));
                values.push(name);
            }
            let (left, right) = (read(random, &values), read(random, &values));
            let target = element(random, names);
            let operator = random.one(&["=", "=", "=", "+=", "*="]);
            body.push_str(&format!("{target} {operator} {left} * 2.0 + {right};\n"));
        }
        body.push_str(if deep { "}\n}\n" } else { "}\n" });
    }
    // Of fixed extents only where all loops have them.
    format!(
        "pub fn k(n: usize, x: f64, u: &mut [f64], v: &mut [f64], r: &mut [[f64; 2]], \
         a: &mut [[f64; 10]; 60]) {{\n{body}}}"
    )
}

/// How many schedules were compared with the source; none if the kernel runs as written.
fn check(text: &str, level: u8) -> usize {
    let mut diagnostics = Diagnostics::new();
    let Some(module) = syntax::parse(text.parse().unwrap(), &mut diagnostics) else {
        panic!("{text}");
    };
    assert!(diagnostics.is_empty(), "{text}");
    let exact = level <= 1;
    let Ok(lowered) = lower::lower(&module, &module.functions[0], exact) else {
        return 0;
    };
    let subject = Subject::new(&module, FunctionId(0), &lowered);
    let mut program = lowered.program.clone();
    for pass in passes::pipeline(level, exact) {
        pass.run(&mut program);
    }
    let mut compared = 0;
    for width in [1, 4, 8] {
        for lanes in [None, Some("i0"), Some("j0"), Some("i1"), Some("j1")] {
            let wishes = Wishes {
                lanes: lanes.map(str::to_owned),
                ..Wishes::default()
            };
            let target = Target {
                width,
                registers: 16,
            };
            // Too much to keep: it runs as written.
            let Ok(built) = schedule::schedule(&program, target, &wishes) else {
                continue;
            };
            let mut validation =
                verify::Validation::new(&subject, width).by_way_of(&program, Vec::new());
            match validation.validate(&built.program, &built.schedule) {
                Ok(()) => compared += 1,
                Err(verify::Refusal::Unchecked(_) | verify::Refusal::Unmet(_)) => {}
                Err(verify::Refusal::Different(reason)) => panic!(
                    "{reason}\n{text}\n{}\n{}\n{}",
                    ir::text::print(&lowered.program),
                    ir::text::print(&built.program),
                    schedule::text::print(&built.program, &built.schedule)
                ),
            }
        }
    }
    compared
}

#[test]
fn what_is_lowered_is_the_source() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut taken, mut left) = (0, 0);
    for _ in 0..600 {
        let text = kernel(&mut random);
        for level in [3, 2, 1, 0] {
            match check(&text, level) {
                0 => left += 1,
                _ => taken += 1,
            }
        }
    }
    // Neither all nor none of them.
    println!("{taken} taken, {left} left as written");
    assert!(taken > 200 && left > 200, "{taken} taken, {left} left");
}
