//! Factors that a sum's loops do not change.

use expect_test::expect;

use super::check;

#[test]
fn factors_leave_the_sum() {
    check(
        "reduction_invariants",
        "program p
index e: len(g)
index q: 3
index i: 2
index j: 2
param 0 g: f64[len(g), 2, 2]
param 1 f: f64[len(f), 3]
param 2 s: f64[3, 2]
output 3 a: f64[len(a), 2, 2]
a[e, i, j] += sum(q) f[e, q] * (g[e, i, j] + s[q, i] * s[q, j])   for e, i, j
",
        [48, 46],
        &expect![[r#"
            a_total[e] = sum(q) f[e, q]   for e
            a[e, i, j] += sum(q) f[e, q] * s[q, i] * s[q, j]   for e, i, j
            a[e, i, j] += g[e, i, j] * a_total[e]   for e, i, j
        "#]],
    );
}

#[test]
fn products_inside_products_leave_it_too() {
    check(
        "reduction_invariants",
        "program p
index e: len(g)
index q: 3
index i: 2
index j: 2
param 0 g: f64[len(g), 2]
param 1 f: f64[len(f), 3]
output 2 a: f64[len(a), 2, 2]
a[e, i, j] += sum(q) g[e, i] * ((f[e, q] * 0.5) * g[e, j])   for e, i, j
",
        [3 * 4 * 4, 2 + 4 * 4],
        &expect![[r#"
            a_total[e] = sum(q) f[e, q]   for e
            a[e, i, j] += (g[e, i] * g[e, j]) * (0.5 * a_total[e])   for e, i, j
        "#]],
    );
}

#[test]
fn a_total_is_computed_once_and_scaled_once() {
    check(
        "reduction_invariants",
        "program p
index e: len(g)
index q: 3
index i: 2
param 0 g: f64[len(g), 2]
param 1 f: f64[len(f), 3]
param 2 d: f64[len(d)]
param 3 h: f64[len(h)]
output 4 a: f64[len(a), 2]
a[e, i] += sum(q) f[e, q] * d[e] * g[e, i] + f[e, q] * h[e] * (g[e, i] + 1)   for e, i
",
        [3 * 2 * 7, 2 + 2 * 7],
        &expect![[r#"
            a_total[e] = sum(q) f[e, q]   for e
            a[e, i] += g[e, i] * (d[e] * a_total[e]) + (g[e, i] + 1) * (h[e] * a_total[e])   for e, i
        "#]],
    );
}
