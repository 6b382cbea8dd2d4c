//! A level takes no more than the one that only moves operations.

use loopwright_compiler::driver::expand;

#[track_caller]
fn expanded(text: &str) -> String {
    let input = format!("::loopwright; {text}");
    expand(input.parse().unwrap()).to_string()
}

/// Additions, multiplications, divisions, comparisons and calls that an iteration executes.
#[track_caller]
fn operations(options: &str, text: &str) -> Vec<u64> {
    let all = expanded(&format!("{options} {text}"));
    let (_, from) = all.split_once("expansion : ").unwrap();
    let (_, from) = from.split_once('[').unwrap();
    let (counts, _) = from.split_once(']').unwrap();
    let numbers = counts.split(',').take(5);
    let number = |n: &str| n.trim().trim_end_matches("u64").parse::<u64>().unwrap();
    numbers.map(number).collect()
}

const POTENTIAL: &str =
    "pub fn kernel(epsilon: f64, sigma: f64, r2: &[f64], v: &mut [f64], f: &mut [f64]) {
    for i in 0..r2.len() {
        let s2 = sigma * sigma / r2[i];
        let s6 = s2 * s2 * s2;
        v[i] = 4.0 * epsilon * s6 * (s6 - 1.0);
        f[i] = 24.0 * epsilon * s6 * (2.0 * s6 - 1.0) / r2[i];
    }
}";

#[test]
fn powers_that_the_text_names_stay_shared() {
    // In normal form, factors of each product come together, and no two products share one.
    assert_eq!(operations("", POTENTIAL), [2, 7, 2, 0, 0]);
    assert_eq!(operations("#[opt(level = 1)]", POTENTIAL), [2, 7, 2, 0, 0]);
    // Passes that are named run.
    let named = "#[opt(pipeline = [normalise, code_motion, common_subexpressions])]";
    assert_eq!(operations(named, POTENTIAL), [2, 10, 2, 0, 0]);
}

#[test]
fn two_quotients_stay_such() {
    let text = "pub fn kernel(a: &[f64], b: &[f64], r: &[f64], v: &mut [f64], f: &mut [f64]) {
        for i in 0..r.len() {
            v[i] = a[i] / r[i];
            f[i] = b[i] / r[i];
        }
    }";
    assert_eq!(operations("", text), [0, 0, 2, 0, 0]);
}

#[test]
fn what_is_never_small_has_one_reciprocal() {
    let text = "pub fn kernel(a: &[f64], b: &[f64], r: &[f64], v: &mut [f64], f: &mut [f64]) {
        for i in 0..r.len() {
            let d = 1.0 + r[i] * r[i];
            v[i] = a[i] / d;
            f[i] = b[i] / d;
        }
    }";
    assert_eq!(operations("", text), [1, 3, 1, 0, 0]);
}

#[test]
fn many_quotients_are_products() {
    let text = "pub fn kernel(x: &[[f64; 6]], r: &[f64], y: &mut [[f64; 6]]) {
        for i in 0..r.len() {
            for c in 0..6 {
                y[i][c] = x[i][c] / r[i];
            }
        }
    }";
    let found = operations("", text);
    assert_eq!(found[2], 1, "{found:?}");
}

#[test]
fn short_recurrences_are_values() {
    let horner = "pub fn kernel(c: &[f64; 6], x: &[f64], y: &mut [f64]) {
        for (y, &x) in y.iter_mut().zip(x) {
            *y = c.iter().rev().fold(0.0, |s, c| s * x + c);
        }
    }";
    assert_eq!(operations("", horner), [5, 5, 0, 0, 0]);
    // Those of two variables: what is handed on twice is computed once.
    let clenshaw = "pub fn kernel(c: &[f64; 8], x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let (mut b1, mut b2) = (0.0, 0.0);
            for k in (1..8).rev() {
                let t = 2.0 * x[i] * b1 - b2 + c[k];
                b2 = b1;
                b1 = t;
            }
            y[i] = x[i] * b1 - b2 + c[0];
        }
    }";
    assert_eq!(operations("", clenshaw), [12, 8, 0, 0, 0]);
}

/// A recurrence over loops of two lengths.
fn nested(j: usize, k: usize) -> String {
    format!(
        "pub fn kernel(a: &[[f64; {k}]; {j}], x: &[f64], y: &mut [f64]) {{
            for i in 0..x.len() {{
                let mut s = x[i];
                for j in 0..{j} {{
                    for k in 0..{k} {{
                        s = s * x[i] + a[j][k];
                    }}
                }}
                y[i] = s;
            }}
        }}"
    )
}

#[test]
fn recurrences_over_several_short_loops_are_values() {
    assert_eq!(operations("", &nested(2, 4)), [8, 8, 0, 0, 0]);
    assert!(expanded(&nested(2, 4)).contains("fn __avx512"));
}

#[test]
fn long_recurrences_stay_loops() {
    let all = expanded(&nested(1, 40));
    let (_, from) = all.split_once("unsafe fn __avx512 ").unwrap();
    assert!(from.contains("for k in 0 .. 40usize"));
}
