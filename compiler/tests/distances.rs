//! Expansions of kernels with rows of run-time length: what addresses ask for is computed once, and what steps of several rows
//! leave stands there once.

use loopwright_compiler::driver::expand;

const PRODUCT: &str = "::loopwright; pub fn k(n: usize, m: usize, l: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..n { for j in 0..m { for k in 0..l { c[i * m + j] += a[i * l + k] * b[k * m + j]; } } }
}";

fn code() -> String {
    expand(PRODUCT.parse().unwrap()).to_string()
}

#[test]
fn distances_between_rows_are_computed_once() {
    let code = code();
    let products = code.matches("1isize . wrapping_mul").count();
    let declared = code.matches("let between_").count();
    assert!(declared > 0);
    assert_eq!(products, declared);
}

#[test]
fn rows_that_steps_leave_are_a_loop() {
    let code = code();
    // What is packed for large arrays is in rings, whose places each row that is left knows.
    let plain = |own: &&str| !own.starts_with("__avx512_large") && !own.starts_with("__avx2_large");
    let code: String = code.split("unsafe fn ").filter(plain).collect();
    assert!(code.contains("+ 4 <= i"), "steps of four rows");
    assert!(!code.contains("+ 1 < i"), "each row that is left");
}

#[test]
fn steps_along_rows_of_const_length_are_short() {
    let product = PRODUCT
        .replace("(n: usize, m: usize, l: usize, ", "<const N: usize>(")
        .replace("&[f64]", "&[[f64; N]; N]")
        .replace("&mut [f64]", "&mut [[f64; N]; N]");
    let product = product
        .replace(
            "c[i * m + j] += a[i * l + k] * b[k * m + j]",
            "c[i][j] += a[i][k] * b[k][j]",
        )
        .replace("..n", "..N")
        .replace("..m", "..N")
        .replace("..l", "..N");
    let code = expand(product.parse().unwrap()).to_string();
    // Two vectors of eight numbers, as `N` is taken for eight, and not four or eight of them.
    assert!(code.contains("+ 16 <= j"), "steps of two vectors");
    assert!(!code.contains("+ 32 <= j"), "steps of four");
}

#[test]
fn short_rows_of_views_go_without_lanes_by_their_own_axis() {
    let text = "::loopwright; pub fn k(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>) {
        let (h, w) = b.dim();
        for i in 0..h { for j in 0..w { b[[i, j]] += a[[i, j]]; } }
    }";
    let code = expand(text.parse().unwrap()).to_string();
    let choice = |axis: usize| {
        let near = format!("a . strides () [{axis}] == 1)");
        let short = format!("b . shape () [{axis}] as i128))");
        let mut arms = code.split("=>");
        arms.any(|arm| arm.contains(&near) && arm.contains(&short))
    };
    assert!(choice(1), "in rows");
    assert!(choice(0), "in columns");
}
