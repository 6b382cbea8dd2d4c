//! Accumulations in one place.

use expect_test::expect;

use super::check;

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
fn merge_continues_what_was_assigned() {
    check(
        "merge",
        "program p
index e: len(x)
index i: 4
index k: 4
param 0 x: f64[len(x), 4, 4]
output 1 y: f64[len(x), 4]
output 2 z: f64[len(x), 4]
y[e, i] = sum(k) x[e, i, k]   for e, i
y[e, i] += sum(k) x[e, k, i]   for e, i
z[e, i] = sum(k) x[e, i, k]   for e, i
z[e, 2] += sum(k) x[e, 0, k]   for e
z[e, i] += sum(k) x[e, k, i]   for e, i
",
        [16 + 12 + 12 + 4 + 16, 28 + 12 + 4 + 16],
        &expect![[r#"
            y[e, i] = sum(k) x[e, i, k] + x[e, k, i]   for e, i
            z[e, i] = sum(k) x[e, i, k]   for e, i
            z[e, 2] += sum(k) x[e, 0, k]   for e
            z[e, i] += sum(k) x[e, k, i]   for e, i
        "#]],
    );
}

#[test]
fn merge_keeps_sums_apart_from_what_they_start_from() {
    check(
        "merge",
        "program p
index e: len(x)
index i: 4
index k: 4
param 0 x: f64[len(x), 4, 4]
output 1 y: f64[len(x), 4]
temp t: f64[len(x), 4]
temp s: f64[len(x), 4]
t[e, i] = 1   for e, i
t[e, i] += sum(k) x[e, i, k]   for e, i
s[e, i] = x[e, 0, i]   for e, i
s[e, i] += sum(k) x[e, i, k]   for e, i
s[e, i] += sum(k) x[e, k, i]   for e, i
y[e, i] = t[e, i] * s[e, i]   for e, i
",
        [4 * (4 + 4 + 4 + 1), 4 * (4 + 8 + 1)],
        &expect![[r#"
            t_sum[e, i] = sum(k) x[e, i, k]   for e, i
            t[e, i] = 1 + t_sum[e, i]   for e, i
            s_sum[e, i] = sum(k) x[e, i, k] + x[e, k, i]   for e, i
            s[e, i] = x[e, 0, i] + s_sum[e, i]   for e, i
            y[e, i] = t[e, i] * s[e, i]   for e, i
        "#]],
    );
}
