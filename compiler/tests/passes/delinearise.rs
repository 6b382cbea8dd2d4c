//! Local arrays with flat subscripts.

use expect_test::expect;

use super::check;

const ARRAYS: &str = "program p
index e: len(x)
index i: 4
index k: 12
index j: 3
index q: 2
param 0 x: f64[len(x), 4]
param 1 z: f64[len(x), 3, 2]
output 2 a: f64[len(x), 12]
output 3 y: f64[len(x)]
temp m: f64[len(x), 12]
temp t: f64[len(x), 24]
";

#[test]
fn rows_and_columns_are_dimensions() {
    check(
        "delinearise",
        &format!(
            "{ARRAYS}
m[e, 3*i + j] = sum(q) x[e, i] * z[e, j, q]   for e, i, j
a[e, k] += m[e, k]   for e, k
y[e] += sum(k, q) m[e, k] * z[e, 0, q] + m[e, 7]   for e
"
        ),
        [121, 121],
        &expect![[r#"
            m_2[e, i, j] = sum(q) x[e, i] * z[e, j, q]   for e, i, j
            a[e, 3*i + j] += m_2[e, i, j]   for e, i, j
            y[e] += sum(i, j, q) m_2[e, i, j] * z[e, 0, q] + m_2[e, 2, 1]   for e
        "#]],
    );
}

#[test]
fn three_dimensions_are_split_in_turn() {
    check(
        "delinearise",
        &format!(
            "{ARRAYS}
t[e, 6*i + 2*j + q] = x[e, i] * z[e, j, q]   for e, i, j, q
y[e] += sum(i) t[e, 6*i + 5]   for e
"
        ),
        [28, 28],
        &expect![[r#"
            t_2_2[e, i, j, q] = x[e, i] * z[e, j, q]   for e, i, j, q
            y[e] += sum(i) t_2_2[e, i, 2, 1]   for e
        "#]],
    );
}

#[test]
fn what_overlaps_stays() {
    for equations in [
        // Columns beyond the row.
        "m[e, 2*i + j] = x[e, i]   for e, i, j\ny[e] += sum(k) m[e, k]   for e\n",
        // Another shape.
        "m[e, 3*i + j] = x[e, i]   for e, i, j\ny[e] += sum(j) m[e, 4*j + i]   for e, i\n",
        // Neighbours.
        "m[e, 3*i + j] = x[e, i]   for e, i, j\ny[e] += sum(q) m[e, 3*q + j + 1]   for e, j\n",
    ] {
        let mut program = super::text::parse(&format!("{ARRAYS}{equations}")).unwrap();
        let before = super::text::print(&program);
        super::pass("delinearise").run(&mut program);
        assert_eq!(super::text::print(&program), before);
    }
}
