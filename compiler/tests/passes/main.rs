//! What single passes make of programs: as files of text, and what these cannot say.

mod files;
mod loop_common_expressions;

use expect_test::expect;
use loopwright_compiler::ir::text;
use loopwright_compiler::passes::{Pass, pipeline};

fn pass(name: &str) -> Pass {
    let passes = pipeline(3, false);
    passes.into_iter().find(|pass| pass.name == name).unwrap()
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
