//! Kernels that once met a defect of the compiler: each expands, and nothing of it is an error.

use loopwright_compiler::driver::expand;

const KERNELS: [&str; 13] = [
    // Entries of a map that have a lower bound.
    "pub fn k(m: &[usize], x: &[f64], y: &mut [f64]) {
        for i in 0..m.len() { y[i] += x[m[i] - 1]; }
    }",
    // A subscript that counts back from an integer.
    "pub fn k(n: usize, x: &[f64], y: &mut [f64]) { for i in 0..n { y[i] += x[i + n - 20]; } }",
    // Loops of different lengths over one temporary.
    "pub fn k(x: &[f64], y: &mut [f64]) {
        let mut t = [0.0; 100];
        for e in 0..100 { t[e] = x[e]; }
        for e in 0..99 { y[e] += t[e + 1]; }
    }",
    "pub fn k(x: &[f64], y: &mut [f64]) {
        let mut t = [0.0; 100];
        for e in 0..50 { t[2 * e] = x[e]; }
        for e in 0..99 { y[e] += t[e + 1]; }
    }",
    // A table as a map.
    "const M: [[u8; 2]; 2] = [[0, 1], [1, 0]];
    pub fn k(x: &[f64], y: &mut [f64]) {
        for e in 0..x.len() { for i in 0..2 { y[M[1][i] as usize] += x[e]; } }
    }",
    // A map whose entries are never in range.
    "pub fn k(m: &[[usize; 3]], x: &[f64; 4], y: &mut [f64]) {
        for e in 0..m.len() { for i in 0..3 { y[e] += x[m[e][i] + 4]; } }
    }",
    // Entries that are subtracted.
    "pub fn k(m: &[usize], x: &[f64; 6], y: &mut [f64]) {
        for i in 0..m.len() { y[i] += x[5 - m[i]]; }
    }",
    // Two maps in one subscript.
    "pub fn k(m: &[[usize; 2]], x: &[f64; 6], y: &mut [f64; 4]) {
        for i in 0..m.len() { y[m[i][0] + 1 - m[i][1]] += x[m[i][0] + m[i][1]]; }
    }",
    // Subscripts that are in range for few inputs: not to be validated, so it runs as written.
    "pub fn k(n: usize, x: &[f64], y: &mut [f64]) { for i in 0..x.len() { y[i] = x[i - n]; } }",
    "pub fn k(x: &[f64], y: &mut [f64]) { for i in 1..x.len() { y[1 - i] += x[i]; } }",
    // A table that is cleaned of noise.
    "pub fn k(x: &[[f64; 30]], y: &mut [[f64; 30]]) {
        static W: [f64; 3] = [0.3, 0.30000000000000004, 1e-17];
        for e in 0..x.len() { for q in 0..3 { for i in 0..30 { y[e][i] += W[q] * x[e][i]; } } }
    }",
    // A loop that starts late.
    "pub fn k(n: usize, x: &[f64], y: &mut [f64]) { for i in 20..n { y[i] = x[i - 20]; } }",
    // A map that chooses along a dimension of whose length there is no loop, in one of two sums.
    "pub fn k(m: &[usize; 4], c: &[f64; 5], x: &[f64], y: &mut [f64]) {
        static T: [[f64; 2]; 5] =
            [[0.0, 2.0], [0.5, -1.0], [0.0, 2.0], [0.0, 1.0], [0.0, -1.0]];
        static W: [f64; 5] = [0.0, 1.0, 2.0, 0.0, 2.0];
        for e in 0..x.len() {
            for j in 0..5 { y[e] += W[j] * ((T[j][m[0]] + c[j]) * x[e]) - T[j][1]; }
        }
    }",
];

#[test]
fn regressions_expand() {
    for kernel in KERNELS {
        for options in [
            "",
            "#[opt(level = 0)]",
            "#[opt(level = 2)]",
            "#[opt(strict)]",
        ] {
            let text = match kernel.split_once("pub fn") {
                Some((before, after)) => format!("::loopwright; {before} {options} pub fn {after}"),
                None => unreachable!("every text has a kernel"),
            };
            let found = expand(text.parse().unwrap()).to_string();
            assert!(!found.contains("compile_error"), "{text}\n{found}");
        }
    }
}

/// How often the expansion of a kernel adds or multiplies in lanes.
fn vector_operations(options: &str, kernel: &str) -> usize {
    let text = format!("::loopwright; #[opt({options})] {kernel}");
    let found = expand(text.parse().unwrap()).to_string();
    assert!(!found.contains("compile_error"), "{text}\n{found}");
    let names = ["_mm256_add_pd", "_mm256_mul_pd", "_mm256_fmadd_pd"];
    names.iter().map(|name| found.matches(name).count()).sum()
}

#[test]
fn lanes_keep_the_order_of_the_text_up_to_level_1() {
    let each = "pub fn k(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] += 2.0 * x[i] * x[i]; }
    }";
    let sum = "pub fn k(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() { s += x[i] * x[i]; }
        s
    }";
    // One statement writes what the other writes in another iteration.
    let apart = "pub fn k(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() { y[i] += x[i]; y[i + 1] += 2.0 * x[i]; }
    }";
    for options in ["level = 0", "level = 1", "strict"] {
        assert!(vector_operations(options, each) > 0, "{options}");
        for kernel in [sum, apart] {
            assert_eq!(vector_operations(options, kernel), 0, "{options}: {kernel}");
        }
    }
    assert!(vector_operations("level = 3", sum) > 0);
}

#[test]
fn rows_whose_length_is_that_of_a_type_hand_over_where_they_are_short() {
    let text =
        "pub fn k<const R: usize, const C: usize>(a: &[[f64; C]; R], t: &mut [[f64; R]; C]) {
        for i in 0..R { for j in 0..C { t[j][i] = a[i][j]; } }
    }";
    let expanded = expand(format!("::loopwright; {text}").parse().unwrap()).to_string();
    // Lanes run along the rows of the result. Rust knows their length, and keeps one of the two.
    assert!(expanded.contains("Isa :: Avx512 if ((0i128) + (1i128) * (R as i128)) <"));
}
