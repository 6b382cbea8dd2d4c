//! Loops of one length that passes treat differently: what is validated, and defects that validation finds.

#[path = "support/planted.rs"]
mod planted;

use loopwright_compiler::driver::{Defect, InternalErrors, Parts};
use planted::{assert_found, expansion};

/// Of two loops over thirty functions, one is split by components, and the other one stays.
const SPLIT: &str = "
    pub fn split(u: &[[f64; 30]], v: &[[f64; 30]], y: &mut [[f64; 30]]) {
        static W: [f64; 14] = tabulate!(tetrahedron, quadrature(4), weights);
        static V: [[[f64; 30]; 14]; 3] =
            tabulate!(tetrahedron, quadrature(4), vector(lagrange(2)));
        for e in 0..u.len() {
            for q in 0..14 {
                let mut f = 0.0;
                for k in 0..30 {
                    f += V[0][q][k] * u[e][k] * u[e][k];
                }
                for i in 0..30 {
                    y[e][i] += W[q] * f * f * v[e][i].exp();
                }
            }
        }
    }";

/// Of three loops with as many iterations, one is over points, whose sum a table holds in the end.
const SUMMED: &str = "
    pub fn summed(c: &[[f64; 25]], a: &mut [[[f64; 25]; 15]]) {
        static W: [f64; 25] = tabulate!(triangle, quadrature(9, gauss_jacobi), weights);
        static PHI: [[f64; 15]; 25] = tabulate!(triangle, quadrature(9, gauss_jacobi), lagrange(4));
        for e in 0..c.len() {
            for q in 0..25 {
                for i in 0..15 {
                    for j in 0..25 {
                        a[e][i][j] += c[e][j] * W[q] * PHI[q][i] * PHI[q][3];
                    }
                }
            }
        }
    }";

/// Two loops that change places in one of two sums.
const TRANSPOSED: &str = "
    pub fn transposed(x: &[[[f64; 24]; 24]], w: &[[f64; 24]], a: &mut [[[f64; 24]; 24]]) {
        for e in 0..x.len() {
            for i in 0..24 {
                for j in 0..24 {
                    let mut s = 0.0;
                    for k in 0..24 {
                        s += x[e][k][j] * w[e][k];
                    }
                    a[e][i][j] += x[e][j][i] * w[e][i] + s;
                }
            }
        }
    }";

/// The expansion of a text without a defect.
fn sound(text: &str, level: usize) -> String {
    let text = format!("#[opt(level = {level})] {text}");
    expansion(&text, None, Defect::Value, InternalErrors::Strict)
}

#[test]
fn sound_kernels_have_no_error() {
    for text in [SPLIT, SUMMED, TRANSPOSED] {
        for level in 0..4 {
            let found = sound(text, level);
            assert!(!found.contains("compile_error"), "{found}");
            assert!(!found.contains("runs as written, compiled for each"));
        }
    }
    // What this is about happens.
    let changed = |text, pass: &str| sound(text, 3).contains(pass);
    assert!(changed(SPLIT, "operations in the end, against"));
    assert!(changed(SUMMED, "a_reference"));
}

#[test]
fn defects_are_found() {
    let defects = [
        (Defect::Value, ["merge", "schedule"]),
        (Defect::LastIteration, ["lower", "schedule"]),
        (Defect::Subscript, ["normalise", "code_motion"]),
        (Defect::Store, ["merge", "schedule"]),
    ];
    for text in [SPLIT, SUMMED, TRANSPOSED] {
        for (defect, stages) in defects {
            for stage in stages {
                assert_found(text, stage, defect);
            }
        }
    }
    for parts in [
        Parts::Dropped,
        Parts::Shifted,
        Parts::Repeated,
        Parts::Missing,
    ] {
        assert_found(SPLIT, "zero_blocks", Defect::Parts(parts));
    }
    for stage in ["pre_evaluation", "schedule"] {
        assert_found(SUMMED, stage, Defect::Entry);
    }
}

#[test]
fn exchanged_loops_are_found() {
    for stage in ["lower", "rename", "normalise"] {
        assert_found(TRANSPOSED, stage, Defect::Exchanged);
    }
    for stage in ["lower", "merge"] {
        assert_found(
            SUMMED.replace("PHI[q][3]", "c[e][q]").as_str(),
            stage,
            Defect::Exchanged,
        );
    }
}

/// Products with more iterations than an interpretation may have steps: of each loop some run.
#[test]
fn large_products_are_validated() {
    let text = "
        pub fn product(a: &[[f64; 256]; 256], b: &[[f64; 256]; 256], c: &mut [[f64; 256]; 256]) {
            for i in 0..256 {
                for j in 0..256 {
                    for k in 0..256 {
                        c[i][j] += a[i][k] * b[k][j];
                    }
                }
            }
        }";
    for level in [0, 3] {
        let found = sound(text, level);
        assert!(!found.contains("compile_error"), "{found}");
        assert!(!found.contains("runs as written, compiled for each"));
    }
    for stage in ["lower", "merge", "schedule"] {
        assert_found(text, stage, Defect::Value);
    }
    assert_found(text, "normalise", Defect::Exchanged);
}

/// Nests that take turns where arrays are large, with and without a time loop: in rows, and in lines of planes.
#[test]
fn nests_that_are_too_near_are_found() {
    let step = "
        for i in 2..n - 2 { for j in 1..m - 1 { b[i * m + j] = a[(i + 1) * m + j] - a[(i - 2) * m + j - 1]; } }
        for i in 2..n - 2 { for j in 1..m - 1 { a[i * m + j] = b[(i + 1) * m + j] - b[(i - 1) * m + j]; } }";
    let planes = "
        for i in 1..n - 1 { for j in 1..m - 1 { for k in 0..l {
            b[(i * m + j) * l + k] = a[((i + 1) * m + j) * l + k] - a[(i * m + j - 1) * l + k];
        } } }
        for i in 1..n - 1 { for j in 1..m - 1 { for k in 0..l {
            a[(i * m + j) * l + k] = b[(i * m + j + 1) * l + k] - b[((i + 1) * m + j) * l + k];
        } } }";
    let kernel = |of: &str, body: String| {
        format!("pub fn k(steps: usize, {of}, a: &mut [f64], b: &mut [f64]) {{ {body} }}")
    };
    let repeated = |body: &str| format!("for _ in 0..steps {{ {body} }}");
    for text in [
        kernel("n: usize, m: usize", step.to_owned()),
        kernel("n: usize, m: usize", repeated(step)),
        kernel("n: usize, m: usize, l: usize", planes.to_owned()),
        kernel("n: usize, m: usize, l: usize", repeated(planes)),
    ] {
        let found = sound(&text, 3);
        assert!(found.contains("stream :: leaves"), "{text}");
        assert_found(&text, "schedule", Defect::Behind);
    }
    for (defect, stage) in [
        (Defect::Value, "merge"),
        (Defect::Subscript, "schedule"),
        (Defect::LastIteration, "schedule"),
    ] {
        assert_found(&kernel("n: usize, m: usize", repeated(step)), stage, defect);
    }
}
