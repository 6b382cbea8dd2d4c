//! Each pass as text: a program before it and after it, and the operations that it leaves.

use expect_test::{Expect, expect};
use loopwright_compiler::analysis::cost;
use loopwright_compiler::ir::text;
use loopwright_compiler::passes::{Pass, pipeline};

fn pass(name: &str) -> Pass {
    let passes = pipeline(1, false);
    passes.into_iter().find(|pass| pass.name == name).unwrap()
}

/// Runs a pass on a program; compares the equations it leaves, and the operations.
fn check(name: &str, program: &str, operations: [u64; 2], after: &Expect) {
    let mut program = text::parse(program).unwrap();
    let before = cost::program(&program).each.operations();
    (pass(name).run)(&mut program);
    let text = text::print(&program);
    let equations: Vec<&str> = text.lines().filter(|line| line.contains("= ")).collect();
    after.assert_eq(&(equations.join("\n") + "\n"));
    let left = cost::program(&program).each.operations();
    assert_eq!([before, left], operations, "{text}");
}

#[test]
fn rename_gives_equal_loops_one_index() {
    check(
        "rename",
        "program p
index e: len(x)
index i: 4
index j: 4
param 0 x: f64[len(x), 4]
output 1 y: f64[len(y), 4]
y[e, i] += x[e, i] * 2   for e, i
y[e, j] += x[e, j] * 3   for e, j
",
        [16, 16],
        &expect![[r#"
            y[e, i] += x[e, i] * 2   for e, i
            y[e, i] += x[e, i] * 3   for e, i
        "#]],
    );
}

#[test]
fn merge_joins_accumulations() {
    check(
        "merge",
        "program p
index e: len(x)
index i: 4
param 0 x: f64[len(x), 4]
output 1 y: f64[len(y), 4]
y[e, i] += x[e, i]   for e, i
y[e, i] += x[e, 0] * x[e, i]   for e, i
",
        [12, 12],
        &expect![[r#"
            y[e, i] += x[e, i] + x[e, 0] * x[e, i]   for e, i
        "#]],
    );
}

#[test]
fn normalise_flattens_sums_and_products() {
    check(
        "normalise",
        "program p
index e: len(x)
param 0 x: f64[len(x), 4]
output 1 y: f64[len(y)]
y[e] = ((x[e, 0] + x[e, 1]) + (x[e, 2] - (x[e, 0] - x[e, 3]))) * (x[e, 1] * (x[e, 1] * x[e, 2]))   for e
",
        [7, 5],
        &expect![[r#"
            y[e] = x[e, 1]^2 * x[e, 2] * (x[e, 1] + x[e, 2] + x[e, 3])   for e
        "#]],
    );
}

#[test]
fn code_motion_hoists_from_every_loop() {
    check(
        "code_motion",
        "program p
index e: len(d)
index q: 3
index i: 4
index j: 4
param 0 d: f64[len(d)]
output 1 a: f64[len(a), 4, 4]
table w: f64[3] = [0.5, 0.25, 0.125]
table phi: f64[3, 4] = [
  [1, 2, 3, 4],
  [5, 6, 7, 8],
  [9, 10, 11, 12],
]
a[e, i, j] += sum(q) w[q] * d[e] * phi[q, i] * phi[q, j]   for e, i, j
",
        [192, 108],
        &expect![[r#"
            table w: f64[3] = [0.5, 0.25, 0.125]
            table phi: f64[3, 4] = [
            table w_phi: f64[3, 4] = [
            d_w_phi[e, q, j] = d[e] * w_phi[q, j]   for e, q, j
            a[e, i, j] += sum(q) phi[q, i] * d_w_phi[e, q, j]   for e, i, j
        "#]],
    );
}

#[test]
fn common_subexpressions_become_temporaries() {
    check(
        "common_subexpressions",
        "program p
index e: len(x)
param 0 x: f64[len(x), 4]
output 1 y: f64[len(y), 2]
y[e, 0] = x[e, 0] * sqrt(x[e, 1] + x[e, 2])   for e
y[e, 1] = x[e, 3] - sqrt(x[e, 1] + x[e, 2])   for e
",
        [4, 4],
        &expect![[r#"
            common[e] = sqrt(x[e, 1] + x[e, 2])   for e
            y[e, 0] = x[e, 0] * common[e]   for e
            y[e, 1] = x[e, 3] - common[e]   for e
        "#]],
    );
}
