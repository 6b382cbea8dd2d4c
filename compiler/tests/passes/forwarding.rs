//! Sums that are kept for one reader.

use expect_test::expect;

use super::check;

#[test]
fn sums_are_added_where_they_are_read() {
    check(
        "forwarding",
        "program p
index e: len(x)
index q: 4
index i: 3
index j: 3
param 0 x: f64[len(x), 4, 3]
param 1 d: f64[len(d)]
output 2 a: f64[len(a), 3, 3]
output 3 y: f64[len(y), 3]
table w: f64[4] = [0.5, 0.25, 0.75, 2]
temp s: f64[len(x), 3, 3]
temp t: f64[len(x), 3, 3]
temp u: f64[len(x), 3]
s[e, i, j] = sum(q) w[q] * x[e, q, i] * x[e, q, j]   for e, i, j
t[e, i, j] = sum(q) w[q] * x[e, q, i]   for e, i, j
u[e, i] = sum(q) x[e, q, i]   for e, i
a[e, j, i] += d[e] * (2 * s[e, j, i] - t[e, j, i])   for e, i, j
y[e, i] = d[e] - u[e, i]   for e, i
",
        // Factors go into the sums, until the next pass takes them out.
        [
            9 * 11 + 9 * 7 + 3 * 3 + 9 * 4 + 3,
            9 * 4 * 3 + 9 * 4 * 5 + 3 * 4,
        ],
        &expect![[r#"
            table w: f64[4] = [0.5, 0.25, 0.75, 2]
            a[e, j, i] += sum(q) -d[e] * (w[q] * x[e, q, j])   for e, i, j
            a[e, j, i] += sum(q) 2 * d[e] * (w[q] * x[e, q, j] * x[e, q, i])   for e, i, j
            y[e, i] = d[e]   for e, i
            y[e, i] += sum(q) -x[e, q, i]   for e, i
        "#]],
    );
}

#[test]
fn loops_that_are_open_already_are_not_taken_twice() {
    check(
        "forwarding",
        "program p
index i: 4
index j: 4
param 0 a: f64[4, 4]
param 1 x: f64[4]
output 2 y: f64[4]
temp s: f64[4]
s[i] = sum(j) a[i, j] * x[j]   for i
y[j] += s[j]   for j
",
        [4 * 7 + 4, 4 * 8],
        &expect![[r#"
            y[j] += sum(j'2) a[j, j'2] * x[j'2]   for j
        "#]],
    );
}

#[test]
fn what_several_read_or_others_multiply_stays() {
    let program = "program p
index e: len(x)
index q: 4
index i: 3
param 0 x: f64[len(x), 4]
output 1 y: f64[len(y), 3]
output 2 z: f64[len(z)]
temp squared: f64[len(x)]
temp wide: f64[len(x)]
temp read_twice: f64[len(x)]
temp left: f64[len(x)]
temp right: f64[len(x)]
temp inside: f64[len(x)]
temp scaled: f64[len(x)]
squared[e] = sum(q) x[e, q]   for e
wide[e] = sum(q) x[e, q]   for e
read_twice[e] = sum(q) x[e, q]   for e
left[e] = sum(q) x[e, q]   for e
right[e] = sum(q) x[e, q]   for e
inside[e] = sum(q) x[e, q]   for e
scaled[e] = sum(q) x[e, q]   for e
z[e] += squared[e] * squared[e]   for e
z[e] += read_twice[e] * 2   for e
z[e] += read_twice[e] * 3   for e
z[e] += left[e] * right[e]   for e
z[e] += x[e, 0] * scaled[e]   for e
z[e] += sum(q) inside[e] * x[e, q]   for e
y[e, i] += wide[e]   for e, i
";
    let operations = 7 * 3 + 5 * 2 + 4 * 2 + 3;
    check(
        "forwarding",
        program,
        [operations, operations],
        &expect![[r#"
            squared[e] = sum(q) x[e, q]   for e
            wide[e] = sum(q) x[e, q]   for e
            read_twice[e] = sum(q) x[e, q]   for e
            left[e] = sum(q) x[e, q]   for e
            right[e] = sum(q) x[e, q]   for e
            inside[e] = sum(q) x[e, q]   for e
            scaled[e] = sum(q) x[e, q]   for e
            z[e] += squared[e] * squared[e]   for e
            z[e] += read_twice[e] * 2   for e
            z[e] += read_twice[e] * 3   for e
            z[e] += left[e] * right[e]   for e
            z[e] += x[e, 0] * scaled[e]   for e
            z[e] += sum(q) inside[e] * x[e, q]   for e
            y[e, i] += wide[e]   for e, i
        "#]],
    );
}

#[test]
fn multiples_of_sums_may_be_added_up_in_brackets() {
    check(
        "forwarding",
        "program p
index e: len(d)
index q: 3
index i: 2
param 0 d: f64[len(d)]
param 1 dt: f64
param 2 kappa: f64
output 3 a: f64[len(a), 2]
table w: f64[3, 2] = [[1, 2], [3, 4], [5, 6]]
temp s: f64[len(d), 2]
temp t: f64[len(d), 2]
s[e, i] = sum(q) w[q, i]   for e, i
t[e, i] = sum(q) d[e] * w[q, i]   for e, i
a[e, i] = d[e] * (s[e, i] / dt + kappa * t[e, i])   for e, i
",
        // The pass that takes factors out of sums follows.
        [2 * 2 + 2 * 5 + 2 * 4, 2 * (3 * 3 + 2) + 2 * (3 * 2 + 3)],
        &expect![[r#"
            table w: f64[3, 2] = [
            a[e, i] = sum(q) d[e] * (d[e] * w[q, i]) * kappa   for e, i
            a[e, i] += sum(q) w[q, i] * d[e] / dt   for e, i
        "#]],
    );
}
