//! Sums whose terms may cancel, kept whole: `f64(…)` is a value that nothing looks through.

use expect_test::expect;

use super::check;

#[test]
fn squares_of_differences_are_kept() {
    check(
        "whole_sums",
        "program p
index e: len(x)
index q: 2
index i: 2
param 0 x: f64[len(x), 2]
param 1 c: f64
output 2 y: f64[len(x), 2]
table p: f64[2, 2] = [0.5, 0.5, 0.25, 0.75]
y[e, i] += sum(q) p[q, i] * (x[e, q] - c) * (x[e, q] - c)   for e, i
",
        [16, 16],
        &expect![[r#"
            table p: f64[2, 2] = [
            y[e, i] += sum(q) p[q, i] * f64(x[e, q] - c) * f64(x[e, q] - c)   for e, i
        "#]],
    );
}

#[test]
fn sums_of_products_over_functions_values_are_multiplied_out() {
    // The values of linear functions at two points know each of them; the differences do not know
    // constants.
    check(
        "whole_sums",
        "program p
index e: len(x)
index q: 2
index k: 2
index i: 2
param 0 x: f64[len(x), 2]
param 1 z: f64[len(x), 2]
output 2 y: f64[len(x), 2]
table p: f64[2, 2] = [0.75, 0.25, 0.25, 0.75]
table d: f64[2, 2] = [-1.5, 1.5, -0.5, 0.5]
temp f: f64[len(x), 2]
temp g: f64[len(x), 2]
temp h: f64[len(x), 2]
f[e, q] = sum(k) p[q, k] * x[e, k]   for e, q
g[e, q] = sum(k) p[q, k] * z[e, k]   for e, q
h[e, q] = sum(k) d[q, k] * z[e, k]   for e, q
y[e, i] += sum(q) f[e, q] * g[e, q] * p[q, i]   for e, i
y[e, i] += sum(q) f[e, q] * h[e, q] * p[q, i]   for e, i
y[e, i] += sum(q) h[e, q] * h[e, q] * p[q, i]   for e, i
",
        [54, 54],
        &expect![[r#"
            table p: f64[2, 2] = [
            table d: f64[2, 2] = [
            f[e, q] = sum(k) p[q, k] * x[e, k]   for e, q
            g[e, q] = sum(k) p[q, k] * z[e, k]   for e, q
            h[e, q] = sum(k) d[q, k] * z[e, k]   for e, q
            y[e, i] += sum(q) f[e, q] * g[e, q] * p[q, i]   for e, i
            y[e, i] += sum(q) f[e, q] * h[e, q] * p[q, i]   for e, i
            y[e, i] += sum(q) f64(h[e, q]) * f64(h[e, q]) * p[q, i]   for e, i
        "#]],
    );
}

#[test]
fn differences_stay_together_in_longer_sums() {
    check(
        "whole_sums",
        "program p
index i: len(x)
param 0 x: f64[len(x)]
param 1 z: f64[len(x)]
output 2 y: f64[len(x)]
y[i] = z[i] * z[i] + (x[i] - z[i])   for i
y[i] = ((x[i] + z[i]) + x[i] * x[i]) - z[i] * z[i]   for i
y[i] = (x[i] - z[i]) + z[i] * z[i]   for i
",
        [8, 8],
        &expect![[r#"
            y[i] = z[i] * z[i] + f64(x[i] - z[i])   for i
            y[i] = x[i] + z[i] + x[i] * x[i] - z[i] * z[i]   for i
            y[i] = f64(x[i] - z[i]) + z[i] * z[i]   for i
        "#]],
    );
}
