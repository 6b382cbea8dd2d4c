//! Local arrays that are read at constants.

use expect_test::expect;

use super::check;

#[test]
fn each_constant_has_an_array_of_its_own() {
    check(
        "scalar_replacement",
        "program p
index e: len(x)
index i: 4
index j: 4
index d: 2
param 0 x: f64[len(x), 4, 2]
output 1 a: f64[len(a), 4, 4]
temp g: f64[len(x), 4, 2]
temp h: f64[len(x), 2, 3, 4]
g[e, i, d] = 2 * x[e, i, d]   for e, i, d
h[e, 0, 2, i] = x[e, i, 0]   for e, i
h[e, 1, 2, i] = x[e, i, 1]   for e, i
a[e, i, j] = g[e, i, 0] * g[e, j, 1] + h[e, 0, 2, i] * h[e, 1, 2, j]   for e, i, j
",
        [8 + 16 * 3, 8 + 16 * 3],
        &expect![[r#"
            g_0[e, i] = 2 * x[e, i, 0]   for e, i
            g_1[e, i] = 2 * x[e, i, 1]   for e, i
            h_0_2[e, i] = x[e, i, 0]   for e, i
            h_1_2[e, i] = x[e, i, 1]   for e, i
            a[e, i, j] = g_0[e, i] * g_1[e, j] + h_0_2[e, i] * h_1_2[e, j]   for e, i, j
        "#]],
    );
}

#[test]
fn what_a_loop_reads_stays_together() {
    check(
        "scalar_replacement",
        "program p
index e: len(x)
index i: 4
index d: 2
param 0 x: f64[len(x), 4, 2]
output 1 a: f64[len(a), 4]
output 2 b: f64[len(b), 4]
temp g: f64[len(x), 4, 2]
g[e, i, d] = x[e, i, d]   for e, i, d
a[e, i] += g[e, i, d]   for e, i, d
b[e, i] = g[e, i, 0]   for e, i
",
        [8, 8],
        &expect![[r#"
            g[e, i, d] = x[e, i, d]   for e, i, d
            a[e, i] += g[e, i, d]   for e, i, d
            b[e, i] = g[e, i, 0]   for e, i
        "#]],
    );
}
