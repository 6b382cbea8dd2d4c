//! Validation finds a wrong rewrite wherever it is made, and names the pass that made it.

use loopwright_compiler::driver::{Plant, Settings, expand_with};

/// A kernel that every pass changes: loops with different names, accumulations into one place,
/// values to hoist and to share.
const TEXT: &str = "
    pub fn stiffness(cells: &[[[f64; 2]; 3]], c: &[f64], a: &mut [[[f64; 3]; 3]]) {
        static W: [f64; 3] = tabulate!(triangle, quadrature(2), weights);
        static PHI: [[f64; 3]; 3] = tabulate!(triangle, quadrature(2), lagrange(1));
        for e in 0..cells.len() {
            let x = &cells[e];
            let det = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1])
                - (x[1][1] - x[0][1]) * (x[2][0] - x[0][0]);
            for q in 0..3 {
                for i in 0..3 {
                    for j in 0..3 {
                        a[e][i][j] += W[q] * c[e] * PHI[q][i] * PHI[q][j] / det;
                    }
                }
            }
            for i in 0..3 {
                for j in 0..3 {
                    a[e][i][j] += c[e] * det * det * (x[i][0] - x[j][0]) + (x[i][0] - x[j][0]);
                }
            }
        }
    }";

/// The expansion with a defect planted after a stage.
fn expansion(options: &str, after: Option<&str>) -> String {
    let settings = Settings {
        plant: Plant {
            after: after.map(str::to_owned),
        },
        ..Settings::default()
    };
    let text = format!("#[opt({options})] {TEXT}");
    expand_with(
        &"::loopwright".parse().unwrap(),
        text.parse().unwrap(),
        &settings,
    )
    .to_string()
}

fn assert_found(options: &str, stage: &str) {
    let text = expansion(options, Some(stage));
    let wanted = format!("internal compiler error in the pass `{stage}`");
    assert!(
        text.contains(&wanted),
        "a defect of `{stage}` under `{options}` was not found: {}",
        &text[..text.len().min(600)]
    );
    // The error stands in for the kernel: nothing of the wrong expansion is emitted.
    assert!(text.contains("compile_error"));
    assert!(!text.contains("target_feature"));
}

#[test]
fn correct_expansions_have_no_error() {
    for options in ["level = 0", "level = 1", "level = 1, strict", "level = 3"] {
        let text = expansion(options, None);
        assert!(!text.contains("compile_error"), "{options}: {text}");
        assert!(text.contains("target_feature"));
    }
}

#[test]
fn a_defect_of_any_stage_is_found_and_attributed() {
    let passes = loopwright_compiler::passes::pipeline(1, false);
    assert!(passes.len() >= 5);
    for stage in passes
        .iter()
        .map(|pass| pass.name)
        .chain(["lower", "schedule"])
    {
        assert_found("level = 1", stage);
    }
}

#[test]
fn defects_of_exact_programs_too() {
    for stage in ["lower", "schedule"] {
        assert_found("level = 0", stage);
    }
    let passes = loopwright_compiler::passes::pipeline(1, true);
    for stage in passes
        .iter()
        .map(|pass| pass.name)
        .chain(["lower", "schedule"])
    {
        assert_found("level = 1, strict", stage);
    }
}

#[test]
fn a_text_always_expands_to_the_same_tokens() {
    for options in ["level = 0", "level = 1", "level = 3"] {
        let first = expansion(options, None);
        for _ in 0..3 {
            assert!(expansion(options, None) == first, "{options}");
        }
    }
}
