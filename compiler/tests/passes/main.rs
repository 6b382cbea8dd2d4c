//! Each pass as text: a program before it and after it, and the operations that it leaves.

mod array_blocks;
mod delinearise;
mod even_odd;
mod forwarding;
mod loop_common_expressions;
mod merge;
mod normalise;
mod pre_evaluation;
mod reduction_invariants;
mod repeated_sums;
mod scalar_replacement;
mod shared_sums;
mod table_entries;
mod whole_sums;

use expect_test::{Expect, expect};
use loopwright_compiler::analysis::cost;
use loopwright_compiler::ir::text;
use loopwright_compiler::passes::{Pass, pipeline};

fn pass(name: &str) -> Pass {
    let passes = pipeline(3, false);
    passes.into_iter().find(|pass| pass.name == name).unwrap()
}

/// Runs a pass on a program; compares the equations it leaves, and the operations.
fn check(name: &str, program: &str, operations: [u64; 2], after: &Expect) {
    let mut program = text::parse(program).unwrap();
    let before = cost::program(&program).each.operations();
    pass(name).run(&mut program);
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

/// A mass matrix: the sum over its points is a table.
#[test]
fn pre_evaluation_sums_tables() {
    check(
        "pre_evaluation",
        "program p
index e: len(d)
index q: 2
index i: 2
index j: 2
param 0 d: f64[len(d)]
output 1 a: f64[len(a), 2, 2]
table w: f64[2] = [0.5, 0.25]
table phi: f64[2, 2] = [[1, 2], [3, 4]]
a[e, i, j] += sum(q) w[q] * d[e] * phi[q, i] * phi[q, j]   for e, i, j
",
        [32, 8],
        &expect![[r#"
            table w: f64[2] = [0.5, 0.25]
            table phi: f64[2, 2] = [
            table a_reference: f64[2, 2] = [
            a[e, i, j] += d[e] * a_reference[i, j]   for e, i, j
        "#]],
    );
}

/// Three tensors, symmetric as the products are that they come from: six entries are distinct.
#[test]
fn pre_evaluation_computes_equal_entries_once() {
    check(
        "pre_evaluation",
        "program p
index e: len(k)
index q: 6
index i: 3
index j: 3
param 0 k: f64[len(k), 2]
output 1 a: f64[len(a), 3, 3]
table x: f64[6, 3] = [[1, 2, 5], [3, 4, 7], [2, 1, 3], [5, 9, 8], [1, 1, 2], [2, 3, 3]]
table y: f64[6, 3] = [[2, 1, 3], [5, 9, 8], [4, 2, 1], [1, 1, 7], [0, 1, 2], [6, 3, 3]]
a[e, i, j] += sum(q) (k[e, 0] * x[q, i] + k[e, 1] * y[q, i]) * (k[e, 0] * x[q, j] + k[e, 1] * y[q, j])   for e, i, j
",
        [432, 57],
        &expect![[r#"
            table x: f64[6, 3] = [
            table y: f64[6, 3] = [
            table a_reference: f64[6] = [44, 68, 80, 112, 124, 160]
            table a_reference_2: f64[6] = [84, 99, 155, 118, 206, 286]
            table a_reference_3: f64[6] = [82, 74, 75, 97, 95, 136]
            table a_entries_which: usize[3, 3] = [
            a_entries[e, p] = k[e, 0]^2 * a_reference[p] + k[e, 0] * k[e, 1] * a_reference_2[p] + k[e, 1]^2 * a_reference_3[p]   for e, p
            a[e, i, j] += a_entries[e, a_entries_which[i, j]]   for e, i, j
        "#]],
    );
}

/// The sum that defines a coefficient function moves to the front of the tensor.
#[test]
fn pre_evaluation_puts_definitions_in() {
    check(
        "pre_evaluation",
        "program p
index e: len(c)
index q: 6
index r: 2
index i: 3
index j: 3
param 0 c: f64[len(c), 2]
output 1 a: f64[len(a), 3, 3]
temp f: f64[len(c), 6]
table psi: f64[6, 2] = [[1, 0], [0, 1], [2, 1], [1, 2], [3, 1], [1, 3]]
table phi: f64[6, 3] = [[1, 2, 5], [3, 4, 7], [2, 1, 3], [5, 9, 8], [1, 1, 2], [2, 3, 3]]
f[e, q] = sum(r) c[e, r] * psi[q, r]   for e, q
a[e, i, j] += sum(q) f[e, q] * phi[q, i] * phi[q, j]   for e, i, j
",
        [180, 36],
        &expect![[r#"
            table psi: f64[6, 2] = [
            table phi: f64[6, 3] = [
            table a_reference: f64[2, 3, 3] = [
            a[e, i, j] += sum(r'3) c[e, r'3] * a_reference[r'3, i, j]   for e, i, j
        "#]],
    );
}

/// What does not fit the bound of memory is not evaluated.
#[test]
fn pre_evaluation_respects_the_bound_of_memory() {
    let text = "program p
index e: len(d)
index q: 2
index i: 4
index j: 4
param 0 d: f64[len(d)]
output 1 a: f64[len(a), 4, 4]
table phi: f64[2, 4] = [[1, 2, 5, 3], [3, 4, 1, 9]]
a[e, i, j] += sum(q) d[e] * phi[q, i] * phi[q, j]   for e, i, j
";
    // Four cells share a load.
    for (memory, taken) in [(15, false), (32, true)] {
        let mut program = text::parse(text).unwrap();
        program.memory = Some(memory);
        pass("pre_evaluation").run(&mut program);
        assert_eq!(
            text::print(&program).contains("reference"),
            taken,
            "{memory} bytes"
        );
    }
}

#[test]
fn temporaries_of_invariant_tables_lose_dimensions() {
    check(
        "invariant_tables",
        "program p
index e: len(u)
index q: 2
index i: 2
param 0 u: f64[len(u), 2]
output 1 a: f64[len(u), 2]
table d: f64[2, 2] = [
  [1, 3],
  [1, 3],
]
temp g: f64[len(u), 2]
temp h: f64[len(u), 2]
g[e, q] = sum(i) u[e, i] * d[q, i]   for e, q
h[e, q] = 2 * g[e, q]   for e, q
a[e, q] += h[e, q]   for e, q
",
        [10, 6],
        &expect![[r#"
            table d: f64[2, 2] = [
            table d_row: f64[2] = [1, 3]
            g_2[e] = sum(i) u[e, i] * d_row[i]   for e
            h_2[e] = 2 * g_2[e]   for e
            a[e, q] += h_2[e]   for e, q
        "#]],
    );
}

#[test]
fn invariant_tables_lose_dimensions() {
    check(
        "invariant_tables",
        "program p
index q: 2
index i: 3
output 0 a: f64[3]
table w: f64[2] = [0.5, 0.25]
table t: f64[2, 3] = [
  [1, 2, 3],
  [1, 2, 3],
]
table c: f64[2] = [4, 4]
a[i] += sum(q) w[q] * t[q, i] * c[q]   for i
",
        [18, 18],
        &expect![[r#"
            table w: f64[2] = [0.5, 0.25]
            table t: f64[2, 3] = [
            table c: f64[2] = [4, 4]
            table t_row: f64[3] = [1, 2, 3]
            a[i] += sum(q) w[q] * t_row[i] * 4   for i
        "#]],
    );
}

/// Runs a symmetric program through two passes: what is found, and what becomes of it.
#[test]
fn symmetry_computes_half() {
    let mut program = text::parse(
        "program p
index e: len(c)
index q: 3
index i: 3
index j: 3
param 0 c: f64[len(c), 3]
param 1 s: f64[3, 3]
output 2 a: f64[len(a), 3, 3]
a[e, i, j] += sum(q) c[e, q] * s[q, i] * s[q, j]   for e, i, j
",
    )
    .unwrap();
    assert_eq!(pass("symmetry_detection").run(&mut program).len(), 1);
    let before = cost::program(&program).each.operations();
    pass("symmetry").run(&mut program);
    let after = cost::program(&program).each.operations();
    // Six sums of three terms, of which each takes two products; and nine additions.
    assert_eq!([before, after], [9 * 9, 6 * (2 + 6) + 9]);
    let text = text::print(&program);
    let equations: Vec<&str> = text.lines().filter(|line| line.contains("= ")).collect();
    expect![[r#"
        a_half[e, i'2, j] = sum(q) c[e, q] * s[q, i'2] * s[q, j]   for e, i'2, j
        a[e, i'2, j] += a_half[e, i'2, j]   for e, i'2, j
        a[e, i'3 + 1, j'2] += a_half[e, j'2, i'3 + 1]   for e, i'3, j'2
        a_half_2[e, i'4, j'3] = sum(q) c[e, q] * s[q, i'4 + 1] * s[q, j'3 + 1]   for e, i'4, j'3
        a[e, i'4 + 1, j'3 + 1] += a_half_2[e, i'4, j'3]   for e, i'4, j'3
        a[e, i'5 + 2, j'4 + 1] += a_half_2[e, j'4, i'5 + 1]   for e, i'5, j'4
        a_half_3[e, i'5, j'5] = sum(q) c[e, q] * s[q, i'5 + 2] * s[q, j'5 + 2]   for e, i'5, j'5
        a[e, i'5 + 2, j'5 + 2] += a_half_3[e, i'5, j'5]   for e, i'5, j'5
    "#]]
    .assert_eq(&(equations.join("\n") + "\n"));
}

#[test]
fn blocks_that_are_transposed_are_computed_once() {
    let mut program = text::parse(
        "program p
index e: len(c)
index q: 3
index i: 2
index j: 2
param 0 c: f64[len(c), 3]
param 1 s: f64[3, 2]
param 2 t: f64[3, 2]
output 3 a: f64[len(a), 4, 4]
a[e, 2*i, 2*j + 1] += sum(q) c[e, q] * s[q, i] * t[q, j]   for e, i, j
a[e, 2*i + 1, 2*j] += sum(q) c[e, q] * t[q, i] * s[q, j]   for e, i, j
a[e, 2*i, 2*j] += sum(q) c[e, q] * t[q, i] * s[q, j] * s[q, i]   for e, i, j
",
    )
    .unwrap();
    pass("symmetry_detection").run(&mut program);
    assert_eq!(program.mirrors.len(), 1);
    assert_ne!(program.mirrors[0].from, program.mirrors[0].to);
    pass("symmetry").run(&mut program);
    let text = text::print(&program);
    let sums = text.lines().filter(|line| line.contains("sum("));
    assert_eq!(sums.count(), 2, "{text}");
}

/// (c u + d v) u + d u v, with the factors on different loops, is symmetric; that shows when it is
/// multiplied out.
#[test]
fn products_need_not_be_multiplied_out_to_be_symmetric() {
    let symmetric = |value: &str| {
        let text = format!(
            "program p
index e: len(c)
index i: 3
index j: 3
index q: 2
param 0 c: f64[len(c)]
param 1 d: f64[len(c)]
param 2 u: f64[2, 3]
param 3 v: f64[2, 3]
output 4 a: f64[len(a), 3, 3]
a[e, i, j] += sum(q) {value}   for e, i, j
"
        );
        let mut program = text::parse(&text).unwrap();
        pass("symmetry_detection").run(&mut program);
        program.mirrors.len() == 1
    };
    let left = "(c[e] * u[q, i] + d[e] * v[q, i]) * u[q, j]";
    assert!(symmetric(&format!("{left} + d[e] * u[q, i] * v[q, j]")));
    assert!(!symmetric(left));
    assert!(!symmetric(&format!("{left} - d[e] * u[q, i] * v[q, j]")));
}

/// Gradients are sums of tables; operands that are sums of gradients share them as symbols: two
/// products are left, one for each gradient. Operands or tables as symbols would leave three.
#[test]
fn sharing_elimination_keeps_the_smallest_sums() {
    let g = |at: usize, index: &str| {
        let term = |r: usize| format!("k[e, {at}, {r}] * t[{r}, q, {index}]");
        format!("({} + {} + {})", term(0), term(1), term(2))
    };
    let (u0, u1, v0, v1) = (g(0, "j"), g(1, "j"), g(0, "i"), g(1, "i"));
    let program = format!(
        "program p
index e: len(f)
index q: 5
index i: 7
index j: 7
param 0 k: f64[len(f), 2, 3]
param 1 f: f64[len(f), 5, 2]
param 2 t: f64[3, 5, 7]
output 3 a: f64[len(a), 7, 7]
a[e, i, j] += sum(q) {u0} * {v0} + {u1} * {v1} + (f[e, q, 0] * {u0} + f[e, q, 1] * {u1}) * (f[e, q, 0] * {v0} + f[e, q, 1] * {v1})   for e, i, j
"
    );
    let mut program = text::parse(&program).unwrap();
    let decisions = pass("sharing_elimination").run(&mut program);
    expect![[r#"
        `a`: strategy 2 (2 of 4 products by integer program), 1915 operations against 1925 of strategy 1 (counted: 2370 with 0 of 2 sets of operands kept, 2495 with 1 of 2 sets of operands kept, 2320 with 1 of 2 sets of operands kept, 1915 with the smallest sums kept)
        `k_t_2`: strategy 1, 1915 operations (strategy 2: 1915 with 0 of 0 sets of operands kept)
    "#]].assert_eq(&(decisions.join("\n") + "\n"));
    pass("code_motion").run(&mut program);
    let text = text::print(&program);
    let equations: Vec<&str> = text.lines().filter(|line| line.contains("= ")).collect();
    expect![[r#"
        k_t[e, q, j] = k[e, 0, 0] * t[0, q, j] + k[e, 0, 1] * t[1, q, j] + k[e, 0, 2] * t[2, q, j]   for e, q, j
        f_2[e, q] = 1 + f[e, q, 0]^2   for e, q
        f_3[e, q] = f[e, q, 0] * f[e, q, 1]   for e, q
        k_t_f[e, q, j] = (k[e, 0, 0] * t[0, q, j] + k[e, 0, 1] * t[1, q, j] + k[e, 0, 2] * t[2, q, j]) * f_2[e, q] + (k[e, 1, 0] * t[0, q, j] + k[e, 1, 1] * t[1, q, j] + k[e, 1, 2] * t[2, q, j]) * f_3[e, q]   for e, q, j
        k_t_2[e, q, j] = k[e, 1, 0] * t[0, q, j] + k[e, 1, 1] * t[1, q, j] + k[e, 1, 2] * t[2, q, j]   for e, q, j
        f_4[e, q] = 1 + f[e, q, 1]^2   for e, q
        k_t_f_2[e, q, j] = (k[e, 0, 0] * t[0, q, j] + k[e, 0, 1] * t[1, q, j] + k[e, 0, 2] * t[2, q, j]) * f_3[e, q] + (k[e, 1, 0] * t[0, q, j] + k[e, 1, 1] * t[1, q, j] + k[e, 1, 2] * t[2, q, j]) * f_4[e, q]   for e, q, j
        a[e, i, j] += sum(q) k_t[e, q, i] * k_t_f[e, q, j] + k_t_2[e, q, i] * k_t_f_2[e, q, j]   for e, i, j
    "#]]
    .assert_eq(&(equations.join("\n") + "\n"));
}
