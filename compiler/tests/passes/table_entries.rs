//! Short loops of which tables make most iterations simple.

use expect_test::expect;

use super::check;

#[test]
fn two_terms_of_a_gradient_are_left() {
    check(
        "table_entries",
        "program p
index e: len(x)
index c: 2
index i: 3
param 0 x: f64[len(x), 3, 2]
table d: f64[3] = [-1, 0, 1]
temp g: f64[len(x), 2]
output 1 y: f64[len(y), 2]
g[e, c] = sum(i) x[e, i, c] * d[i]   for e, c
y[e, c] += g[e, c] * g[e, c]   for e, c
",
        [2 * (3 + 2) + 2 * 2, 2 + 2 * 2],
        &expect![[r#"
            table d: f64[3] = [-1, 0, 1]
            g[e, c] = x[e, 2, c] - x[e, 0, c]   for e, c
            y[e, c] += g[e, c] * g[e, c]   for e, c
        "#]],
    );
}

#[test]
fn each_entry_of_a_temporary_is_written_out() {
    check(
        "table_entries",
        "program p
index e: len(k)
index i: 3
index j: 3
param 0 k: f64[len(k), 2]
table d: f64[2, 3] = [-1, 1, 0, -1, 0, 1]
temp t: f64[len(k), 3]
output 1 a: f64[len(a), 3, 3]
t[e, i] = k[e, 0] * d[0, i] + k[e, 1] * d[1, i]   for e, i
a[e, i, j] += t[e, i] * t[e, j]   for e, i, j
",
        [3 * 3 + 9 * 2, 1 + 9 * 2],
        &expect![[r#"
            table d: f64[2, 3] = [
            t[e, 0] = -k[e, 0] - k[e, 1]   for e
            t[e, 1] = k[e, 0]   for e
            t[e, 2] = k[e, 1]   for e
            a[e, i, j] += t[e, i] * t[e, j]   for e, i, j
        "#]],
    );
}

#[test]
fn entries_that_take_products_stay_in_their_loop() {
    check(
        "table_entries",
        "program p
index e: len(x)
index q: 2
index i: 3
param 0 x: f64[len(x), 3]
table d: f64[3] = [0.5, 0.25, 1]
output 1 y: f64[len(y)]
y[e] += sum(i) x[e, i] * d[i]   for e
",
        [3 + 3, 3 + 3],
        &expect![[r#"
            table d: f64[3] = [0.5, 0.25, 1]
            y[e] += sum(i) x[e, i] * d[i]   for e
        "#]],
    );
}
