//! Sums with terms in common.

use expect_test::expect;

use super::check;

#[test]
fn what_two_sums_share_is_summed_once() {
    check(
        "shared_sums",
        "program p
index e: len(x)
index q: 4
index i: 2
index j: 2
param 0 x: f64[len(x), 4, 2]
param 1 y: f64[len(x), 4, 2]
param 2 w: f64[len(x), 4]
output 3 a: f64[len(x), 2, 2]
output 4 b: f64[len(x), 2, 2]
temp u: f64[len(x), 4, 2]
temp s: f64[len(x), 2, 2]
temp t: f64[len(x), 2, 2]
u[e, q, j] = w[e, q] * x[e, q, j]   for e, q, j
s[e, i, j] = sum(q) w[e, q] * (x[e, q, i] * x[e, q, j] + y[e, q, i] * y[e, q, j]) + x[e, q, i] * u[e, q, j]   for e, i, j
t[e, i, j] = sum(q) w[e, q] * (x[e, q, i] * x[e, q, j] + y[e, q, i] * y[e, q, j])   for e, i, j
a[e, i, j] += s[e, i, j]   for e, i, j
b[e, i, j] += t[e, i, j]   for e, i, j
",
        // Six operations and four in each iteration, and the sums; then one and one, of what is computed
        // before.
        [
            8 + 4 * (4 * 6 + 3) + 4 * (4 * 4 + 3) + 8,
            8 + 8 + 2 * 4 * (4 + 3) + 4 * (2 + 1) + 8,
        ],
        &expect![[r#"
            u_2[e, q, j] = w[e, q] * x[e, q, j]   for e, q, j
            s_total_3[e, i, j] = sum(q) x[e, q, i] * u_2[e, q, j]   for e, i, j
            w_y[e, q, j] = w[e, q] * y[e, q, j]   for e, q, j
            s_total_2_2[e, i, j] = sum(q) y[e, q, i] * w_y[e, q, j]   for e, i, j
            s_2[e, i, j] = s_total_2_2[e, i, j] + 2 * s_total_3[e, i, j]   for e, i, j
            t_2[e, i, j] = s_total_2_2[e, i, j] + s_total_3[e, i, j]   for e, i, j
            a[e, i, j] += s_2[e, i, j]   for e, i, j
            b[e, i, j] += t_2[e, i, j]   for e, i, j
        "#]],
    );
}

#[test]
fn sums_without_common_terms_stay() {
    check(
        "shared_sums",
        "program p
index e: len(x)
index q: 4
index i: 2
param 0 x: f64[len(x), 4, 2]
param 1 y: f64[len(x), 4, 2]
output 2 a: f64[len(x), 2]
temp s: f64[len(x), 2]
temp t: f64[len(x), 2]
s[e, i] = sum(q) x[e, q, i] * y[e, q, i]   for e, i
t[e, i] = sum(q) x[e, q, i] * x[e, q, i]   for e, i
a[e, i] += s[e, i] * t[e, i]   for e, i
",
        [2 * 2 * 7 + 4, 2 * 2 * 7 + 4],
        &expect![[r#"
            s[e, i] = sum(q) x[e, q, i] * y[e, q, i]   for e, i
            t[e, i] = sum(q) x[e, q, i] * x[e, q, i]   for e, i
            a[e, i] += s[e, i] * t[e, i]   for e, i
        "#]],
    );
}

#[test]
fn factors_outside_of_the_loops_stand_before_common_sums() {
    check(
        "shared_sums",
        "program p
index e: len(x)
index q: 4
index n: 6
param 0 x: f64[len(x), 2, 2]
param 1 u: f64[len(x), 6]
output 2 y: f64[len(x), 4]
table d: f64[2, 4, 6] = [
  [
    [1, 2, 3, 4, 5, 6],
    [2, 3, 4, 5, 6, 7],
    [3, 4, 5, 6, 7, 8],
    [4, 5, 6, 7, 8, 9],
  ],
  [
    [6, 5, 4, 3, 2, 1],
    [7, 6, 5, 4, 3, 2],
    [8, 7, 6, 5, 4, 3],
    [9, 8, 7, 6, 5, 4],
  ],
]
temp k: f64[len(x), 6]
temp g: f64[len(x), 4]
temp h: f64[len(x), 4]
k[e, n] = x[e, 0, 0] * u[e, n]   for e, n
g[e, q] = sum(n) k[e, n] * d[0, q, n] + x[e, 0, 1] * u[e, n] * d[1, q, n]   for e, q
h[e, q] = sum(n) x[e, 1, 0] * u[e, n] * d[0, q, n] + x[e, 1, 1] * u[e, n] * d[1, q, n]   for e, q
y[e, q] += g[e, q] * h[e, q]   for e, q
",
        // Products and sums of all factors; then of two, and combinations of what these give.
        [
            6 + 4 * (6 * 4 + 5) + 4 * (6 * 5 + 5) + 4 * 2,
            2 * 4 * (6 + 5) + 2 * 4 * 3 + 4 * 2,
        ],
        &expect![[r#"
            table d: f64[2, 4, 6] = [
            g_total[e, q] = sum(n) u[e, n] * d[0, q, n]   for e, q
            g_total_2[e, q] = sum(n) u[e, n] * d[1, q, n]   for e, q
            g[e, q] = x[e, 0, 0] * g_total[e, q] + x[e, 0, 1] * g_total_2[e, q]   for e, q
            h[e, q] = x[e, 1, 0] * g_total[e, q] + x[e, 1, 1] * g_total_2[e, q]   for e, q
            y[e, q] += g[e, q] * h[e, q]   for e, q
        "#]],
    );
}

#[test]
fn parts_of_a_temporary_share_sums_over_multiples_of_a_table() {
    check(
        "shared_sums",
        "program p
index e: len(x)
index r: 4
index p: 3
param 0 x: f64[len(x), 4]
param 1 g: f64[len(x), 3]
output 2 a: f64[len(x), 6]
temp s: f64[len(x), 6]
table t: f64[4, 3] = [1, 2, 3, 4, 5, 7, 11, 13, 17, 19, 23, 29]
table u: f64[4, 3] = [-2, -4, -6, -8, -10, -14, -22, -26, -34, -38, -46, -58]
s[e, p] = sum(r) g[e, 0] * x[e, r] * t[r, p]   for e, p
s[e, p + 3] = sum(r) g[e, 1] * x[e, r] * u[r, p]   for e, p
a[e, p] += s[e, p] + s[e, p + 3]   for e, p
",
        // Two products in each iteration of two sums; then one of one sum, and two products with it, one of
        // which has a coefficient of its own.
        [2 * (3 * (4 * 2 + 3)) + 6, 3 * (4 + 3) + 1 + 3 * (1 + 1) + 6],
        &expect![[r#"
            table t: f64[4, 3] = [
            table u: f64[4, 3] = [
            s_total_2[e, p] = sum(r) x[e, r] * t[r, p]   for e, p
            s[e, p] = g[e, 0] * s_total_2[e, p]   for e, p
            g_2[e] = -2 * g[e, 1]   for e
            s[e, p + 3] = s_total_2[e, p] * g_2[e]   for e, p
            a[e, p] += s[e, p] + s[e, p + 3]   for e, p
        "#]],
    );
}

#[test]
fn a_multiple_with_fewer_factors_does_not_stand_for_its_form() {
    check(
        "shared_sums",
        "program p
index e: len(x)
index r: 4
index p: 3
param 0 x: f64[len(x), 4]
param 1 y: f64[len(x), 4]
param 2 g: f64[len(x), 3]
output 3 a: f64[len(x), 3]
temp v: f64[len(x), 4]
temp s: f64[len(x), 3]
temp z: f64[len(x), 3]
table t: f64[4, 3] = [1, 2, 3, 4, 5, 7, 11, 13, 17, 19, 23, 29]
table u: f64[4, 3] = [-2, -4, -6, -8, -10, -14, -22, -26, -34, -38, -46, -58]
v[e, r] = x[e, r] * y[e, r]   for e, r
s[e, p] = sum(r) x[e, r] * y[e, r] * t[r, p]   for e, p
z[e, p] = sum(r) v[e, r] * u[r, p]   for e, p
a[e, p] += g[e, 0] * s[e, p] + g[e, 1] * z[e, p]   for e, p
",
        // Products and sums, the product of x and y once before, too; then one sum, and its multiple.
        [
            4 + 3 * (4 * 2 + 3) + 3 * (4 + 3) + 3 * 4,
            4 + 3 * (4 + 3) + 3 + 3 * 4,
        ],
        &expect![[r#"
            table t: f64[4, 3] = [
            table u: f64[4, 3] = [
            x_y[e, r] = x[e, r] * y[e, r]   for e, r
            s_total_2[e, p] = sum(r) t[r, p] * x_y[e, r]   for e, p
            s_2[e, p] = s_total_2[e, p]   for e, p
            z_2[e, p] = -2 * s_total_2[e, p]   for e, p
            a[e, p] += g[e, 0] * s_2[e, p] + g[e, 1] * z_2[e, p]   for e, p
        "#]],
    );
}
