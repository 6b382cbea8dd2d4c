//! Sums over tables.

use expect_test::expect;

use super::check;

#[test]
fn a_tensor_is_multiplied_once() {
    check(
        "pre_evaluation",
        "program p
index e: len(x)
index i: 2
index j: 2
index n: 2
index q: 6
param 0 x: f64[len(x), 2]
param 1 b: f64[len(x), 2, 2]
output 2 a: f64[len(x), 2, 2]
table t: f64[6, 2] = [1, 2, 3, 4, 5, 7, 11, 13, 17, 19, 23, 29]
table u: f64[6, 2] = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233]
temp v: f64[len(x), 6]
v[e, q] = sum(n) u[q, n] * (x[e, 0] * b[e, n, 0] + x[e, 1] * b[e, n, 1])   for e, q
a[e, i, j] += sum(q) v[e, q] * t[q, i] * t[q, j]   for e, i, j
",
        [126, 40],
        &expect![[r#"
            table t: f64[6, 2] = [
            table u: f64[6, 2] = [
            table a_reference: f64[2, 2, 2] = [
            a[e, i, j] += sum(n'3) (x[e, 0] * b[e, n'3, 0] + x[e, 1] * b[e, n'3, 1]) * a_reference[n'3, i, j]   for e, i, j
        "#]],
    );
}
