//! A pass that leaves what is no program is named, and users get the passes before it.

#[path = "support/planted.rs"]
mod planted;

use loopwright_compiler::driver::{Defect, InternalErrors};
use loopwright_compiler::passes;
use planted::expansion;

const TEXT: &str = "pub fn k(x: &[[f64; 9]], y: &mut [[f64; 9]]) {
    static W: [f64; 9] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    for e in 0..x.len() { for i in 0..9 { for j in 0..9 {
        y[e][i] += W[j] * x[e][j] * 2.0; } } } }";

fn broken(text: &str, after: Option<&str>, errors: InternalErrors) -> String {
    expansion(text, after, Defect::Structure, errors)
}

fn is_as_written(text: &str) -> bool {
    text.contains("runs as written, compiled for each")
}

#[test]
fn passes_that_break_rules_are_named() {
    let passes = passes::pipeline(3, false);
    let stages = passes.iter().map(|pass| pass.name).chain(["lower"]);
    for stage in stages {
        let error = broken(TEXT, Some(stage), InternalErrors::Strict);
        let wanted = format!(
            "internal compiler error in the pass `{stage}`: the expansion of `k` is no program: the \
             loop `e` is there twice in `y[e, i"
        );
        assert!(
            error.contains("compile_error") && error.contains(&wanted),
            "{error}"
        );
        let text = broken(TEXT, Some(stage), InternalErrors::Recover);
        assert!(!text.contains("compile_error"), "{stage}: {text}");
        assert!(text.contains(&wanted) && text.contains("please report this kernel"));
        assert_eq!(is_as_written(&text), stage == "lower");
    }
}

/// What is out of range in the text is no error of the compiler.
#[test]
fn mistakes_of_the_text_are_not_ours() {
    for text in [
        "pub fn k(y: &mut [f64; 4]) {
            static W: [f64; 3] = [1.0, 2.0, 3.0];
            for i in 0..4 { y[i] = W[i]; } }",
        "pub fn k(n: usize, y: &mut [f64]) {
            static W: [f64; 3] = [1.0, 2.0, 3.0];
            for i in 0..n { y[i] = W[n + 3]; } }",
        "pub fn k(x: &[f64; 40], y: &mut [f64; 40]) {
            let mut t = [0.0; 30];
            for i in 0..40 { t[i] = x[i]; }
            for i in 0..40 { y[i] = t[i]; } }",
        "pub fn k(x: &[f64; 40], y: &mut [f64; 40]) {
            let mut t = [0.0; 40];
            for i in 0..40 { t[i] = x[i]; }
            for i in 0..40 { t[i] = 2.0 * x[i]; }
            for i in 0..20 { t[2 * i] = x[i]; }
            for i in 0..40 { y[i] = t[i]; } }",
        "pub fn k(x: &[f64; 40], y: &mut [f64; 40]) {
            let mut t = [0.0; 40];
            for i in 0..40 { for j in 0..40 { t[i] = x[j]; } }
            for i in 0..40 { y[i] = t[i]; } }",
        "pub fn k(x: &[f64], y: &mut [f64]) {
            for e in 0..x.len() {
                let mut t = [[0.0; 12]; 9];
                for i in 0..9 { for j in 0..12 { t[i][j] += x[e]; } }
                for i in 0..9 { for j in 0..12 { t[i][j + 1] = x[e]; } }
                for i in 0..9 { for j in 0..12 { y[e] += t[i][j]; } }
            } }",
    ] {
        for level in 0..4 {
            let text = format!("#[opt(level = {level})] {text}");
            let found = broken(&text, None, InternalErrors::Strict);
            assert!(
                !found.contains("internal compiler error"),
                "{text}: {found}"
            );
        }
    }
}
