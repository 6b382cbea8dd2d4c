//! Validation finds defects of several kinds whatever a loop's range is made of: integers, lengths, their
//! sums and differences, several loops and conditions. What no inputs reach is not validated, and what
//! cannot be recovered from is an error only where errors are asked for.

#[path = "support/planted.rs"]
mod planted;

use std::collections::BTreeMap;

use loopwright_compiler::driver::{Defect, InternalErrors};
use loopwright_compiler::passes;
use planted::expansion;

/// The defects that apply to every kernel.
const DEFECTS: [Defect; 4] = [
    Defect::Value,
    Defect::LastIteration,
    Defect::Subscript,
    Defect::Store,
];

fn plain(text: &str) -> String {
    expansion(text, None, Defect::Value, InternalErrors::Strict)
}

fn strict(text: &str, after: &str, defect: Defect) -> String {
    expansion(text, Some(after), defect, InternalErrors::Strict)
}

/// Whether the kernel runs as written.
fn is_as_written(expansion: &str) -> bool {
    expansion.contains("runs as written, compiled for each")
}

/// The stages of the highest level.
fn stages() -> Vec<&'static str> {
    let passes = passes::pipeline(3, false);
    let names = passes.iter().map(|pass| pass.name);
    ["lower", "schedule"].into_iter().chain(names).collect()
}

/// Whether a defect is found: it is named where it was planted. One that the kernel has no place for
/// changes nothing.
fn is_found(text: &str, sound: &str, stage: &str, defect: Defect) -> bool {
    let planted = strict(text, stage, defect);
    let error = format!("internal compiler error in the pass `{stage}`");
    let found = planted.contains(&error);
    assert!(
        found || planted == *sound,
        "{defect:?} after {stage} is not found in {text}\n{}",
        &planted[..planted.len().min(600)]
    );
    found
}

/// Kernels over all pairs of a start and an end, upwards and downwards.
fn ranges() -> Vec<String> {
    let starts = ["0", "1", "n", "n + 1", "2 * n"];
    let ends = [
        "m",
        "m - 1",
        "m + l",
        "2 * m",
        "x.len()",
        "x.len() - 1",
        "x.len() - l",
        "y.len() - x.len()",
        "=m",
        "m.saturating_sub(l)",
    ];
    let mut result = Vec::new();
    for start in starts {
        for end in ends {
            // Rust takes the difference of the two lengths at any start that is below it.
            let range = format!("({start}..{end})");
            let reversed = if result.len() % 3 == 1 { ".rev()" } else { "" };
            let (x, y) = match end {
                // Where the lengths differ, what is subscripted is as long as the loop needs it.
                "y.len() - x.len()" => ("w", "y"),
                _ => ("x", "y"),
            };
            let integer = ["usize", "u32", "i32"][result.len() % 3];
            let range = match integer {
                "usize" => range,
                _ => as_usize(&range),
            };
            result.push(format!(
                "pub fn k(n: {integer}, m: {integer}, l: {integer}, x: &[[f64; 3]], w: &[[f64; 3]], \
                 y: &mut [[f64; 3]]) {{ \
                 static W: [[f64; 3]; 2] = [[0.5, 0.25, 0.75], [0.3, 0.1, 0.7]]; \
                 for i in {range}{reversed} {{ for q in 0..2 {{ for j in 0..3 {{ \
                 {y}[i][j] += W[q][j] * {x}[i][j] * ({x}[i][0] + 1.0); }} }} }} }}"
            ));
        }
    }
    result
}

/// The integers of a range converted.
fn as_usize(range: &str) -> String {
    let convert = |c: char| match c {
        'n' | 'm' | 'l' => format!("({c} as usize)"),
        other => other.to_string(),
    };
    let mut result = String::new();
    let mut word = String::new();
    for c in range.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some(one), None) => result.push_str(&convert(one)),
            _ => result.push_str(&word),
        }
        word.clear();
        result.push(c);
    }
    result
}

#[test]
fn defects_are_found_over_all_ranges() {
    let stages = stages();
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let kernels = ranges();
    for (at, text) in kernels.iter().enumerate() {
        let sound = plain(text);
        assert!(!sound.contains("compile_error"), "{text}\n{sound}");
        if is_as_written(&sound) {
            // The one form that has no program: its start may be beyond the saturated end.
            assert!(text.contains("saturating_sub"), "{sound}");
            assert!(
                !text.contains("in (0..") && !text.contains("in (1.."),
                "{text}"
            );
            continue;
        }
        for (turn, defect) in DEFECTS.into_iter().enumerate() {
            // In the end each defect was planted after each stage.
            let first = 2 * at + turn * 5;
            let lower = (at % DEFECTS.len() == turn).then_some("lower");
            for stage in lower.into_iter().chain([stages[first % stages.len()]]) {
                let was = is_found(text, &sound, stage, defect);
                *found.entry(format!("{defect:?} {stage}")).or_default() += usize::from(was);
            }
        }
    }
    let all: usize = found.values().sum();
    assert!(all >= 4 * kernels.len(), "only {all} were planted");
    let never: Vec<&String> = found
        .iter()
        .filter(|(_, n)| **n == 0)
        .map(|(k, _)| k)
        .collect();
    assert!(never.is_empty(), "never found: {never:?}");
}

/// Kernels of several loops of different lengths.
const NESTED: [&str; 6] = [
    "pub fn k(n: usize, m: usize, u: ArrayView2<f64>, y: &mut ArrayViewMut2<f64>) {
        for i in 0..n { for j in 0..m { y[[i, j]] += 2.0 * u[[i, j]]; } } }",
    "pub fn k(u: ArrayView2<f64>, x: &[f64], y: &mut ArrayViewMut2<f64>) {
        for i in 0..u.nrows() { for j in 1..x.len() - 1 { y[[i, j]] = u[[i, j - 1]] * x[j + 1]; } } }",
    "pub fn k(n: usize, m: usize, l: usize, a: ArrayView2<f64>, b: ArrayView2<f64>, c: &mut ArrayViewMut2<f64>) {
        for i in 0..n { for j in 0..m { for k in 0..l { c[[i, j]] += a[[i, k]] * b[[k, j]]; } } } }",
    "pub fn k(n: usize, m: usize, x: &[[f64; 12]; 12], y: &mut [[f64; 12]; 12]) {
        for i in 0..n { for j in 0..m { y[i][j] = x[j][i] + 1.0; } } }",
    "pub fn k(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n { for j in 0..m { y[i * m + j] = x[i * m + j] + x[j]; } } }",
    "pub fn k(n: usize, m: usize, at: &[usize], x: &[f64], y: &mut [f64], z: &mut [f64]) {
        for i in n..m { y[i] = 3.0 * x[at[i]]; } for j in 0..n { z[j] = x[j] + x[j + m]; } }",
];

#[test]
fn defects_are_found_in_nests_and_lengths_that_are_mixed_up() {
    let mut mixed = 0;
    for text in NESTED {
        let sound = plain(text);
        assert!(!is_as_written(&sound), "runs as written: {text}");
        for stage in ["lower", "merge", "code_motion", "schedule"] {
            for defect in DEFECTS {
                assert!(
                    is_found(text, &sound, stage, defect),
                    "{defect:?} {stage} {text}"
                );
            }
            mixed += usize::from(is_found(text, &sound, stage, Defect::Extents));
        }
    }
    assert!(mixed >= 4 * NESTED.len() - 4, "{mixed}");
}

#[test]
fn nests_that_never_run_together_are_both_validated() {
    let first = "for i in 0..n.saturating_sub(m) { y[i] += 2.0 * x[i]; }";
    let second = "for i in 0..m.saturating_sub(n) { z[i] += 3.0 * x[i]; }";
    for [one, other] in [[first, second], [second, first]] {
        let text = format!(
            "pub fn k(n: usize, m: usize, x: &[f64], y: &mut [f64], z: &mut [f64]) {{ {one} {other} }}"
        );
        let sound = plain(&text);
        assert!(!is_as_written(&sound), "{sound}");
        for stage in ["lower", "code_motion"] {
            for defect in DEFECTS {
                assert!(is_found(&text, &sound, stage, defect), "{defect:?} {stage}");
            }
        }
    }
}

/// Values that follow conditions: of elements and of parameters, on what is never negative, on equality.
const CONDITIONS: [&str; 4] = [
    "y[i] = if x[i] > 0.0 { x[i] * 2.0 } else { x[i] + 1.0 };",
    "let t = x[i]; y[i] = if a < 1000.0 { t } else { t + 1.0 };",
    "let t = x[i].sqrt(); y[i] = if t < 0.5 { t } else { 1.0 };",
    "let t = x[i]; y[i] = if a == 0.0 { t } else { t / a };",
];

#[test]
fn both_branches_are_validated() {
    for condition in CONDITIONS {
        let text = format!(
            "pub fn k(a: f64, n: usize, x: &[f64], y: &mut [f64]) {{ for i in 0..n {{ {condition} }} }}"
        );
        let sound = plain(&text);
        assert!(!is_as_written(&sound), "{condition}: {sound}");
        for stage in ["lower", "code_motion", "schedule"] {
            for first in [true, false] {
                assert!(
                    is_found(&text, &sound, stage, Defect::Branch(first)),
                    "{stage} {text}"
                );
            }
        }
    }
}

/// A type, and the one that its values are converted to on their way to a number: most values of the one
/// have others in the other.
const CONVERSIONS: [(&str, &str); 8] = [
    ("u8", "i8"),
    ("i8", "u8"),
    ("i32", "u32"),
    ("u16", "u8"),
    ("i64", "i32"),
    ("u64", "i64"),
    ("u32", "i16"),
    ("usize", "u8"),
];

#[test]
fn conversions_of_integers_are_validated() {
    for (from, to) in CONVERSIONS {
        let values = [
            format!(
                "m: &[{from}], x: &[f64], y: &mut [f64]) {{ for i in 0..n {{ y[i] = x[i] * (m[i] as {to} as f64); }} }}"
            ),
            format!(
                "m: {from}, x: &[f64], y: &mut [f64]) {{ for i in 0..n {{ y[i] = x[i] * (m as {to} as f64); }} }}"
            ),
        ];
        for value in values {
            let text = format!("pub fn k(n: usize, {value}");
            let sound = plain(&text);
            assert!(!is_as_written(&sound), "{sound}");
            for stage in ["lower", "code_motion"] {
                assert!(
                    is_found(&text, &sound, stage, Defect::Conversion),
                    "{stage} {text}"
                );
            }
        }
    }
}

#[test]
fn what_no_inputs_reach_runs_as_written() {
    let text = "pub fn k(n: usize, x: &[f64], y: &mut [f64]) { for i in 0..n {
        y[i] = if x[i] > 0.0 { if x[i] > 0.0 { x[i] } else { 2.0 } } else { 1.0 }; } }";
    let sound = plain(text);
    assert!(sound.contains("no inputs were found that reach the block that begins in line 2"));
    assert!(is_as_written(&sound) && !sound.contains("compile_error"));
    // Parts that cannot run are no obstacle.
    let text = "pub fn k(n: usize, x: &[f64], y: &mut [f64]) { for i in 0..n {
        for j in 3..3 { y[i] += x[j]; } y[i] = if 1 < 2 { x[i] } else { 2.0 }; } }";
    assert!(!is_as_written(&plain(text)));
}

const SIMPLE: &str = "pub fn k(n: usize, x: &[f64], y: &mut [f64]) {
    for i in 0..n { for j in 0..n { y[i] += x[j] * x[i] * 2.0; } } }";

#[test]
fn users_get_the_passes_before_a_defect() {
    for defect in DEFECTS {
        for stage in stages() {
            let text = expansion(SIMPLE, Some(stage), defect, InternalErrors::Recover);
            assert!(!text.contains("compile_error"), "{stage}: {text}");
            syn::parse_str::<syn::File>(&text).unwrap();
            let wrong = strict(SIMPLE, stage, defect).contains("compile_error");
            let note = format!("internal compiler error in the pass `{stage}`");
            assert_eq!(text.contains(&note), wrong, "{stage} {defect:?}");
            assert!(!wrong || text.contains("please report this kernel"));
            // Without a schedule that is right, or a program, the text runs.
            let as_written = ["lower", "schedule"].contains(&stage);
            let variants = !is_as_written(&text);
            assert_eq!(variants, !(wrong && as_written), "{stage} {defect:?}");
        }
    }
}

#[test]
fn a_panic_of_the_compiler_is_no_worse() {
    for stage in ["lower", "code_motion", "schedule"] {
        let error = strict(SIMPLE, stage, Defect::Panic);
        assert!(error.contains("compile_error") && error.contains("a defect was planted"));
        let text = expansion(SIMPLE, Some(stage), Defect::Panic, InternalErrors::Recover);
        assert!(!text.contains("compile_error"));
        assert!(is_as_written(&text) && text.contains("a defect was planted"));
    }
    // Before there are kernels, none can run; those who call them see one error.
    let text = expansion(
        SIMPLE,
        Some("syntax"),
        Defect::Panic,
        InternalErrors::Recover,
    );
    assert!(text.contains("compile_error") && text.contains("a defect was planted"));
    assert_eq!(text.matches("compile_error").count(), 1);
    assert!(text.contains("pub fn"));
}
