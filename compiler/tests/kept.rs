//! Elements that stay the same in a loop over lanes, in the text of expansions.

use loopwright_compiler::driver::expand;

/// The function for AVX-512.
#[track_caller]
fn avx512(text: &str) -> String {
    let input = format!("::loopwright; {text}");
    let all = expand(input.parse().unwrap()).to_string();
    let (_, from) = all.split_once("unsafe fn __avx512 ").unwrap();
    let end = from.find("unsafe fn").unwrap_or(from.len());
    from[..end].to_owned()
}

/// How often a pointer is read through before the first loop, and in all.
fn reads(text: &str, pointer: &str) -> (usize, usize) {
    let count = |part: &str| part.matches(&format!("* {pointer} . add")).count();
    let (before, _) = text.split_once("while ").unwrap();
    (count(before), count(text))
}

#[test]
fn coefficients_are_read_before_the_loop() {
    let found = avx512(
        "pub fn kernel(taps: &[f32; 8], x: &[f32], y: &mut [f32]) {
            for (out, w) in y.iter_mut().zip(x.windows(16)) {
                *out = (0..8).map(|k| taps[k] * (w[k] + w[15 - k])).sum();
            }
        }",
    );
    assert_eq!(reads(&found, "taps_p"), (8, 8), "{found}");
}

#[test]
fn what_may_not_be_there_is_read_where_the_loop_runs() {
    let found = avx512(
        "pub fn kernel(a: &[f64], x: &[f64], y: &mut [f64]) {
            let m = x.len();
            for i in 0..a.len() {
                for j in 0..m {
                    y[i * m + j] += a[i] * x[j];
                }
            }
        }",
    );
    let guarded = "if j < j_end { * a_p . add (i) } else { 0.0f64 }";
    assert!(found.contains(guarded), "{found}");
    assert_eq!(
        found.matches("* a_p . add").count(),
        found.matches(guarded).count(),
        "{found}"
    );
}

#[test]
fn what_moves_is_read_in_the_loop() {
    // Elements that move along a sum are read in it, those of results where they stand.
    let found = avx512(
        "pub fn kernel(n: usize, m: usize, b: &[f64; 2], c: &[f64], x: &[f64], y: &mut [f64]) {
            for i in 0..n {
                let mut s = 0.0;
                for k in 0..m {
                    s += c[k] * x[k * n + i];
                }
                y[i] = y[i] * b[0] + s * b[1];
            }
        }",
    );
    let (before, _) = found.split_once("while ").unwrap();
    assert!(!before.contains("c_p . add"), "{found}");
    assert!(!before.contains("y_p . add (0"), "{found}");
    assert_eq!(reads(&found, "b_p"), (2, 2), "{found}");
}

#[test]
fn what_a_sum_without_terms_would_not_read_is_read_in_it() {
    // Where `m` is 0, nothing says that `b` has an element.
    let found = avx512(
        "pub fn kernel(n: usize, m: usize, b: &[f64], x: &[f64], y: &mut [f64]) {
            for i in 0..n {
                let mut s = 0.0;
                for k in 0..m {
                    s += (b[3] * x[k * n + i]).sqrt();
                }
                y[i] = s;
            }
        }",
    );
    let (before, _) = found.split_once("for k in").unwrap();
    assert!(
        !before.contains("b_p . add"),
        "{}",
        &before[..before.len().min(2000)]
    );
}
