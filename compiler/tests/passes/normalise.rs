//! Normal forms.

use expect_test::expect;

use super::check;

#[test]
fn normalise_flattens_sums_and_products() {
    check(
        "normalise",
        "program p
index e: len(x)
param 0 x: f64[len(x), 4]
output 1 y: f64[len(y)]
y[e] = ((x[e, 0] + x[e, 1]) + (x[e, 2] - (x[e, 0] - x[e, 3]))) * (x[e, 1] * (x[e, 1] * x[e, 2]))   for e
",
        [7, 5],
        &expect![[r#"
            y[e] = x[e, 1]^2 * x[e, 2] * (x[e, 1] + x[e, 2] + x[e, 3])   for e
        "#]],
    );
}

#[test]
fn normalise_drops_what_adds_nothing() {
    check(
        "normalise",
        "program p
index e: len(x)
index q: 4
param 0 x: f64[len(x), 4]
output 1 y: f64[len(x)]
output 2 z: f64[len(x)]
y[e] += sum(q) 0 * x[e, q]   for e
z[e] = sum(q) x[e, q] * 0   for e
z[e] += x[e, 0]   for e
",
        [4 * 2 + 4 * 2 - 1 + 1, 1],
        &expect![[r#"
            z[e] = 0   for e
            z[e] += x[e, 0]   for e
        "#]],
    );
}
