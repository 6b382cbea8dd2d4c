//! An option is obeyed, or it is an error that says why.

use loopwright_compiler::driver::expand;
use loopwright_compiler::{Settings, expand_under};

/// The expansion, or what is wrong with it.
fn expansion(text: &str) -> String {
    let input = format!("::loopwright; {text}").parse().expect("tokens");
    expand(input).to_string()
}

const PRODUCT: &str = "pub fn k(n: usize, a: &[[f64; 8]], b: &[[f64; 8]; 8], c: &mut [[f64; 8]]) {
    for i in 0..n { for j in 0..8 { for l in 0..8 { c[i][l] += a[i][j] * b[j][l]; } } }
}";

/// The sums have fewer terms than vectors of AVX-512 have lanes.
const SHORT: &str = "pub fn k(n: usize, a: &[[f64; 5]], b: &[[f64; 8]; 5], c: &mut [[f64; 8]]) {
    for i in 0..n { for j in 0..5 { for l in 0..8 { c[i][l] += a[i][j] * b[j][l]; } } }
}";

const ROW: &str = "pub fn k(x: &[f64], y: &mut [f64]) {
    for i in 0..y.len() { y[i] = x[i] + x[i + 1]; }
}";

const STENCIL: &str = "pub fn k(u: &[[f64; 68]; 36], v: &mut [[f64; 64]; 32]) {
    for i in 0..32 { for j in 0..64 { v[i][j] = u[i][j + 1] + u[i + 2][j + 1] + u[i + 1][j]; } }
}";

const REVERSED: &str = "pub fn k(u: &mut [f64]) {
    for i in 0..u.len() { u[i] = u[u.len() - 1 - i]; }
}";

const SUM: &str = "pub fn k(x: &[f64]) -> f64 {
    let mut s = 0.0; for i in 0..x.len() { s += x[i]; } s
}";

fn assert_refused(options: &str, text: &str, reason: &str) {
    let found = expansion(&format!("#[opt({options})] {text}"));
    let shown: String = found.chars().take(400).collect();
    assert!(found.contains("compile_error"), "{options}: {shown}");
    assert!(found.contains(reason), "{options}: {shown}");
}

#[test]
fn lanes_run_over_the_loop_that_is_named_or_it_is_an_error() {
    for (options, text) in [
        ("lanes(i)", PRODUCT),
        // Sums over rows that fill vectors.
        ("lanes(j)", PRODUCT),
        ("lanes(i)", ROW),
        ("lanes(j)", STENCIL),
    ] {
        let found = expansion(&format!("#[opt({options})] {text}"));
        assert!(!found.contains("compile_error"), "{options}: {text}");
        let name = &options[6..options.len() - 1];
        assert!(
            found.contains(&format!("lanes over `{name}` (")),
            "{options}: {text}"
        );
    }
    assert_refused(
        "lanes(j)",
        SHORT,
        "lanes do not run over `j`: of the loops of constant",
    );
    assert_refused(
        "lanes(i)",
        REVERSED,
        "cannot be obeyed, since the kernel runs as written",
    );
    assert_refused("lanes(i), isa = [scalar]", ROW, "scalar code has none");
    for exact in ["strict", "level = 0", "level = 1"] {
        let options = format!("{exact}, lanes(i)");
        assert_refused(&options, SUM, "added up in another order");
    }
}

#[test]
fn loops_are_unrolled_as_often_as_they_are_to_be_or_it_is_an_error() {
    assert_refused(
        "unroll(i = 4)",
        ROW,
        "`i` is not unrolled: its length is known at run time only",
    );
    assert_refused(
        "unroll(i = 4)",
        REVERSED,
        "cannot be obeyed, since the kernel runs as written",
    );
    let found = expansion(&format!("#[opt(unroll(i = 4), lanes(j))] {STENCIL}"));
    assert!(!found.contains("compile_error"), "{}", &found[..400]);
    let with = expansion(&format!("#[opt(lanes(i), fallback)] {REVERSED}"));
    assert!(!with.contains("compile_error"), "{}", &with[..400]);
}

#[test]
fn kernels_that_run_as_they_are_written_have_their_errors_all_the_same() {
    let settings = Settings {
        as_written: true,
        ..Settings::default()
    };
    let expansion = |text: &str| {
        let input = format!("::loopwright; {text}").parse().expect("tokens");
        expand_under(input, &settings).to_string()
    };
    for option in ["level = 3", "lanes(j)", "require_lanes"] {
        let items = expansion(&format!("#[opt({option})] {STENCIL}"));
        assert!(!items.contains("compile_error"), "{}", &items[..400]);
        assert!(items.contains("the environment asks for it"));
        assert!(!items.contains("_mm256"));
    }
    let wrong = expansion(&STENCIL.replace("u[i + 1][j]", "u[i + 1]"));
    assert!(wrong.contains("compile_error"));
    let wrong = expansion(&ROW.replace("x[i + 1]", "x[i + 1] + w"));
    assert!(wrong.contains("compile_error"));
}
