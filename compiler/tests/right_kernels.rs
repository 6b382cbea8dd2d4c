//! Right kernels that passes or validation once stumbled over: each expands, with its bits kept and at the highest level.

use loopwright_compiler::driver::{Settings, expand_with};

/// The expansion of a kernel under options.
fn expansion(options: &str, kernel: &str) -> String {
    let text = format!("#[opt({options})] {kernel}");
    let krate = "::loopwright".parse().unwrap();
    expand_with(&krate, text.parse().unwrap(), &Settings::default()).to_string()
}

/// A kernel is taken, and optimised.
fn taken(kernel: &str) {
    for options in ["strict", "level = 3"] {
        let expansion = expansion(options, kernel);
        let wrong = [
            "compile_error",
            "runs as written",
            "taken back",
            "please report",
        ];
        let found = wrong.iter().find(|wrong| expansion.contains(**wrong));
        assert_eq!(found, None, "{options}: {kernel}\n{expansion:.600}");
    }
}

/// Matrices of which rows are never written, read as they are and transposed.
#[test]
fn local_matrices_may_be_written_in_part() {
    for (first, entry) in [
        ("0.0", "m[i][j] * d[e] + m[j][i]"),
        ("0.0", "m[i][j] + m[j][i]"),
        ("1.0", "m[i][j] * d[e] - m[j][i]"),
        ("0.0", "m[j][i] * m[0][j]"),
    ] {
        for fill in [
            "for i in 0..3 { for j in 0..6 { m[i][j] += w[e][i] * w[e][j]; } }",
            "for i in 0..3 { for j in 0..6 { m[i + 3][j] = w[e][i] * w[e][j]; } }",
            "for i in 0..3 { for j in 0..6 { m[2 * i][j] += w[e][i] * w[e][j]; } }",
            "for q in 0..3 { for i in 0..3 { for j in 0..6 { m[i][j] += w[e][i] * w[e][j] * d[q]; } } }",
            "for q in 0..3 { for i in 0..3 { for j in 0..6 { m[i][j] += W[q] * P[q][i] * P[q][j] * w[e][0]; } } }",
            "for q in 0..3 { let mut g = [0.0; 6]; for i in 0..6 { g[i] += w[e][q] * P[q][i]; } \
             for i in 0..3 { for j in 0..6 { m[i][j] += g[i] * g[j]; } } }",
        ] {
            taken(&format!(
                "pub fn k(w: &[[f64; 6]], d: &[f64], a: &mut [[[f64; 6]; 6]]) {{
                    static W: [f64; 3] = [0.2, 0.3, 0.5];
                    static P: [[f64; 6]; 3] = [
                        [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
                        [0.7, 0.1, 0.25, 0.35, 0.45, 0.55],
                        [0.9, 0.8, 0.15, 0.65, 0.75, 0.85]];
                    for e in 0..w.len() {{
                        let mut m = [[{first}; 6]; 6];
                        {fill}
                        for i in 0..6 {{ for j in 0..6 {{ a[e][i][j] = {entry}; }} }}
                    }}
                }}"
            ));
        }
    }
}

/// Rows of a matrix that is evaluated beforehand, each read by several others.
#[test]
fn evaluated_matrices_may_be_read_at_remainders() {
    for (nodes, points, degrees) in [(6, 6, (4, 2)), (10, 12, (6, 3))] {
        for rows in [nodes, nodes - 1] {
            for entry in [
                "row * m[i % 3][j]",
                "m[i % 3][j] * det[e]",
                "row * m[1][j] + m[j][i]",
            ] {
                let (rule, degree) = degrees;
                taken(&format!(
                    "pub fn k(det: &[f64], a: &mut [[[f64; {nodes}]; {nodes}]]) {{
                        static W: [f64; {points}] = tabulate!(triangle, quadrature({rule}), weights);
                        static PHI: [[f64; {nodes}]; {points}] =
                            tabulate!(triangle, quadrature({rule}), lagrange({degree}));
                        for e in 0..det.len() {{
                            let mut m = [[0.0; {nodes}]; {nodes}];
                            for q in 0..{points} {{ for i in 0..{nodes} {{ for j in 0..{nodes} {{
                                m[i][j] += W[q] * det[e] * PHI[q][i] * PHI[q][j];
                            }} }} }}
                            for i in 0..{rows} {{
                                let mut row = 0.0;
                                for k in 0..{nodes} {{ row += m[i][k]; }}
                                for j in 0..{nodes} {{ a[e][i][j] += {entry}; }}
                            }}
                        }}
                    }}"
                ));
            }
        }
    }
}

/// One helper, whose loop is unrolled where its argument is a local array and stays elsewhere.
#[test]
fn loops_may_be_unrolled_in_one_place_and_not_in_another() {
    taken(
        "pub fn k(x: &[[f64; 12]], y: &mut [f64]) {
            for e in 0..x.len() {
                let mut local = [0.0; 12];
                for i in 0..12 { local[i] = 2.0 * x[e][i]; }
                y[e] = total(&x[e]) * total(&local);
            }
        }
        fn total(of: &[f64; 12]) -> f64 {
            let mut s = 0.0;
            for i in 0..12 { s += of[i] * of[i]; }
            s
        }",
    );
}

/// Totals of two types in the same loops, and sums over nothing but numbers.
#[test]
fn numbers_of_two_types_stay_apart() {
    for value in [
        "x[i].exp() * (x[q] - t as f64)",
        "(x[i] + 1.0) * t as f64",
        "2.0 * (t as f64)",
    ] {
        taken(&format!(
            "pub fn k(n: usize, x: &[f64; 10], y: &mut [f64; 5]) {{
                for e in 0..n {{
                    let mut t: f32 = 0.5;
                    for q in 0..10 {{ t += (x[q] as f32 + 0.7) * 3.0; }}
                    for i in 0..5 {{ for q in 0..10 {{ y[i] += {value}; }} }}
                }}
            }}"
        ));
    }
}

/// What a loop does not change is read before it, also where it has no iteration and its subscript is nothing
/// that was checked.
#[test]
fn reads_before_empty_loops_may_be_out_of_range() {
    taken(
        "pub fn k(m: usize, n: usize, x: &[f32], y: &mut [f32], z: &[[f32; 2]; 5], map: &[i32; 5]) {
            for j in m..n { y[j] += x[j]; }
            for k in 1..m { y[k] += ((z[map[4] as usize][0] * 2.0).abs() + 0.25).sqrt(); }
        }",
    );
    taken(
        "pub fn k(m: usize, n: usize, x: &[f32], y: &mut [f32], z: &[[f32; 2]; 5], map: &[i32; 5]) {
            for j in m..n { for q in 0..6 { y[j] += x[j] * x[q] - x[2 * q]; } }
            for i in 0..3 { y[i] += x[i + 1]; }
            for k in 1..m { y[k] += ((z[map[4] as usize][0] * 2.0).abs() + 0.25).sqrt(); }
        }",
    );
}

/// Powers of one entry of a table, or of a number, that are summed as often as arrays are long.
#[test]
fn powers_of_numbers_may_be_summed_as_they_are() {
    for (number, element) in [("T[1]", "f64"), ("T[1]", "f32"), ("0.3_f64", "f64")] {
        for value in [
            format!("{number}.powi(3)"),
            format!("{number}.powi(2) * x[0]"),
            format!("1.0 / {number}.powi(2)"),
            format!("x[e] + {number}.powi(4)"),
        ] {
            taken(&format!(
                "pub fn k(x: &[{element}]) -> {element} {{
                    const T: [{element}; 3] = [-1.765, -1.768, 0.0];
                    let mut total: {element} = 0.0;
                    for e in 1..x.len() {{ total += {value}; }}
                    total
                }}"
            ));
        }
    }
}
