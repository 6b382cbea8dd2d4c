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

#[test]
fn mirrored_entries_come_from_halves() {
    check(
        "pre_evaluation",
        "program p
index e: len(g)
index i: 3
index j: 3
index q: 4
param 0 g: f64[len(g), 3]
output 1 a: f64[len(g), 3, 3]
table t: f64[4, 3] = [1, 2, 3, 4, 5, 7, 11, 13, 17, 19, 23, 29]
table u: f64[4, 3] = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144]
a[e, i, j] += sum(q) g[e, 0] * t[q, i] * u[q, j] + g[e, 1] * u[q, i] * t[q, j] + g[e, 2] * u[q, i] * u[q, j]   for e, i, j
",
        [324, 42],
        &expect![[r#"
            table t: f64[4, 3] = [
            table u: f64[4, 3] = [
            table a_reference: f64[3] = [1697, 2492, 3387]
            table a_reference_2: f64[3] = [5184, 8388, 13572]
            table a_reference_3: f64[3] = [246, 652, 411]
            table a_reference_4: f64[3] = [1201, 2347, 4816]
            table a_reference_5: f64[3] = [3204, 8388, 21960]
            table a_entries_which: usize[3, 3] = [
            a_symmetric[e, j] = (g[e, 0] + g[e, 1]) * a_reference[j] + g[e, 2] * a_reference_2[j]   for e, j
            a_antisymmetric[e, j] = (g[e, 0] - g[e, 1]) * a_reference_3[j]   for e, j
            a_entries[e, j] = a_symmetric[e, j] + a_antisymmetric[e, j]   for e, j
            a_entries[e, j + 3] = a_symmetric[e, j] - a_antisymmetric[e, j]   for e, j
            a_entries[e, j + 6] = (g[e, 0] + g[e, 1]) * a_reference_4[j] + g[e, 2] * a_reference_5[j]   for e, j
            a[e, i, j] += a_entries[e, a_entries_which[i, j]]   for e, i, j
        "#]],
    );
}
