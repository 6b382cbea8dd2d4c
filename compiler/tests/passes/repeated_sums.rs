//! Sums that several read.

use expect_test::expect;

use super::check;

#[test]
fn each_reader_has_a_sum_of_tables() {
    check(
        "repeated_sums",
        "program p
index e: len(d)
index q: 4
index i: 2
index j: 2
param 0 d: f64[len(d)]
output 1 a: f64[len(a), 2, 2]
output 2 b: f64[len(b), 2, 2]
table w: f64[4, 2] = [[1, 2], [3, 4], [5, 6], [7, 8]]
table z: f64[4, 2] = [[1, 1], [3, 1], [5, 1], [7, 1]]
temp m: f64[len(d), 2, 2]
m[e, i, j] = sum(q) d[e] * w[q, i] * z[q, j]   for e, i, j
a[e, i, j] += 3 * m[e, i, j] - m[e, j, i]   for e, i, j
b[e, i, j] = m[e, i, j]   for e, i, j
",
        // The passes that follow evaluate the three sums: then a product is left of each.
        [4 * 11 + 4 * 3, 4 * 12 + 4 * 16 + 4 * 11],
        &expect![[r#"
            table w: f64[4, 2] = [
            table z: f64[4, 2] = [
            a[e, i, j] += sum(q) (-d[e] * w[q, j] * z[q, i]) + 3 * d[e] * w[q, i] * z[q, j]   for e, i, j
            b[e, i, j] = sum(q) d[e] * w[q, i] * z[q, j]   for e, i, j
        "#]],
    );
}

#[test]
fn what_no_table_is_summed_in_is_kept() {
    check(
        "repeated_sums",
        "program p
index e: len(x)
index q: 4
index i: 2
param 0 x: f64[len(x), 4, 2]
output 1 a: f64[len(a), 2]
output 2 b: f64[len(b), 2]
temp m: f64[len(x), 2]
m[e, i] = sum(q) x[e, q, i]   for e, i
a[e, i] += m[e, i]   for e, i
b[e, i] = m[e, i]   for e, i
",
        [2 * 3 + 2, 2 * 3 + 2],
        &expect![[r#"
            m[e, i] = sum(q) x[e, q, i]   for e, i
            a[e, i] += m[e, i]   for e, i
            b[e, i] = m[e, i]   for e, i
        "#]],
    );
}
