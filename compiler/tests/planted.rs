//! Validation finds a wrong rewrite wherever it is made, and names the pass that made it.

#[path = "support/planted.rs"]
mod planted;

use loopwright_compiler::driver::{Defect, InternalErrors};

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

/// A kernel whose loops over nodes run in full to be compared, all of them: what they do not change is
/// moved out of them first.
const LONG: &str = "
    pub fn coupled(cells: &[[[f64; 2]; 3]], w0: &[[f64; 15]], a: &mut [[[f64; 30]; 30]]) {
        static W: [f64; 25] = tabulate!(triangle, quadrature(9, gauss_jacobi), weights);
        static PHI: [[f64; 15]; 25] = tabulate!(triangle, quadrature(9, gauss_jacobi), lagrange(4));
        static DPHI: [[[f64; 15]; 25]; 2] =
            tabulate!(triangle, quadrature(9, gauss_jacobi), lagrange(4), gradient);
        for e in 0..cells.len() {
            let x = &cells[e];
            let k = [[x[1][0] - x[0][0], x[1][1] - x[0][1]], [x[2][0] - x[0][0], x[2][1] - x[0][1]]];
            for q in 0..25 {
                let mut f = 0.0;
                for r in 0..15 {
                    f += w0[e][r] * PHI[q][r];
                }
                for i in 0..15 {
                    for j in 0..15 {
                        let mut du = [0.0; 2];
                        let mut dv = [0.0; 2];
                        for d in 0..2 {
                            for r in 0..2 {
                                du[d] += k[r][d] * DPHI[r][q][j];
                                dv[d] += k[r][d] * DPHI[r][q][i];
                            }
                        }
                        for m in 0..2 {
                            for n in 0..2 {
                                a[e][2 * i + m][2 * j + n] += W[q] * f * du[m] * dv[n];
                            }
                        }
                    }
                }
            }
        }
    }";

fn expansion_of(kernel: &str, options: &str) -> String {
    let text = format!("#[opt({options})] {kernel}");
    planted::expansion(&text, None, Defect::Value, InternalErrors::Strict)
}

fn assert_found(options: &str, stage: &str) {
    assert_found_in(TEXT, options, stage);
}

fn assert_found_in(kernel: &str, options: &str, stage: &str) {
    let text = format!("#[opt({options})] {kernel}");
    let text = planted::assert_found(&text, stage, Defect::Value);
    // The error stands in for the kernel: nothing of the wrong expansion is emitted.
    assert!(text.contains("compile_error"));
    assert!(!text.contains("target_feature"));
}

#[test]
fn correct_expansions_have_no_error() {
    for options in ["level = 0", "level = 1", "level = 1, strict", "level = 3"] {
        let text = expansion_of(TEXT, options);
        assert!(!text.contains("compile_error"), "{options}: {text}");
        assert!(!text.contains("runs as written, compiled for each"));
    }
}

#[test]
fn a_defect_of_any_stage_is_found_and_attributed() {
    let passes = loopwright_compiler::passes::pipeline(2, false);
    assert!(passes.len() >= 5);
    for stage in passes
        .iter()
        .map(|pass| pass.name)
        .chain(["lower", "schedule"])
    {
        assert_found("level = 2", stage);
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
        assert_found("level = 3, strict", stage);
    }
}

#[test]
fn defects_of_long_loops_too() {
    let text = expansion_of(LONG, "level = 3");
    assert!(!text.contains("compile_error"), "{text}");
    for stage in [
        "lower",
        "merge",
        "pre_evaluation",
        "shared_sums",
        "schedule",
    ] {
        assert_found_in(LONG, "level = 3", stage);
    }
}

#[test]
fn a_text_always_expands_to_the_same_tokens() {
    for options in ["level = 0", "level = 1", "level = 3"] {
        let first = expansion_of(TEXT, options);
        for _ in 0..3 {
            assert!(expansion_of(TEXT, options) == first, "{options}");
        }
    }
}
