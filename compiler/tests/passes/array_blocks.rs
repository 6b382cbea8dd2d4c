//! Local arrays that are zero in blocks.

use expect_test::expect;

use super::check;

const ARRAYS: &str = "program p
index e: len(x)
index r: 3
index s: 3
index i: 8
index j: 8
index n: 4
param 0 x: f64[len(x), 4]
param 1 z: f64[len(x), 4]
param 2 u: f64[len(x), 8]
param 3 d: f64[3, 3]
output 4 a: f64[len(a), 8, 8]
output 5 y: f64[len(y)]
temp b: f64[len(x), 3, 8]
temp db: f64[len(x), 3, 8]
temp t: f64[len(x), 8]
";

#[test]
fn blocks_that_are_written_are_arrays_and_loops_run_over_them() {
    check(
        "array_blocks",
        &format!(
            "{ARRAYS}
b[e, r, i] = 0   for e, r, i
b[e, 0, 2*n] = x[e, n]   for e, n
b[e, 1, 2*n + 1] = z[e, n]   for e, n
b[e, 2, 2*n] = z[e, n]   for e, n
b[e, 2, 2*n + 1] = x[e, n]   for e, n
db[e, r, j] = sum(s) d[r, s] * b[e, s, j]   for e, r, j
a[e, i, j] += sum(r) b[e, r, i] * db[e, r, j]   for e, i, j
"
        ),
        [504, 328],
        &expect![[r#"
            b_block[e, j'2] = x[e, j'2]   for e, j'2
            b_block_2[e, j'2] = z[e, j'2]   for e, j'2
            b_block_3[e, j'2] = z[e, j'2]   for e, j'2
            b_block_4[e, j'2] = x[e, j'2]   for e, j'2
            db_block[e, r, j'2] = d[r, 0] * b_block[e, j'2] + d[r, 2] * b_block_3[e, j'2]   for e, r, j'2
            db_block_2[e, r, j'2] = d[r, 1] * b_block_2[e, j'2] + d[r, 2] * b_block_4[e, j'2]   for e, r, j'2
            a[e, 2*i'2, 2*j'2] += b_block[e, i'2] * db_block[e, 0, j'2] + b_block_3[e, i'2] * db_block[e, 2, j'2]   for e, i'2, j'2
            a[e, 2*i'2, 2*j'2 + 1] += b_block[e, i'2] * db_block_2[e, 0, j'2] + b_block_3[e, i'2] * db_block_2[e, 2, j'2]   for e, i'2, j'2
            a[e, 2*i'2 + 1, 2*j'2] += b_block_2[e, i'2] * db_block[e, 1, j'2] + b_block_4[e, i'2] * db_block[e, 2, j'2]   for e, i'2, j'2
            a[e, 2*i'2 + 1, 2*j'2 + 1] += b_block_2[e, i'2] * db_block_2[e, 1, j'2] + b_block_4[e, i'2] * db_block_2[e, 2, j'2]   for e, i'2, j'2
        "#]],
    );
}

#[test]
fn what_is_added_to_zeros_and_what_is_read_at_constants() {
    check(
        "array_blocks",
        &format!(
            "{ARRAYS}
t[e, i] = 0   for e, i
t[e, n + 2] += x[e, n]   for e, n
y[e] += sum(i) t[e, i] * u[e, i]   for e
y[e] += t[e, 7] + t[e, 3]   for e
"
        ),
        [22, 9],
        &expect![[r#"
            t_block[e, i'3] = x[e, i'3]   for e, i'3
            y[e] += sum(i'3) t_block[e, i'3] * u[e, i'3 + 2]   for e
            y[e] += t_block[e, 1]   for e
        "#]],
    );
}

#[test]
fn what_is_read_elsewhere_in_a_block_stays() {
    for equations in [
        // At a neighbour.
        "t[e, 2*n] = x[e, n]   for e, n
y[e] += sum(n) t[e, n] * t[e, n + 1]   for e
",
        // Between two writes.
        "t[e, 2*n] = x[e, n]   for e, n
y[e] += sum(i) t[e, i] * z[e, 0]   for e
t[e, 2*n + 1] = x[e, n]   for e, n
y[e] += sum(i) t[e, i] * z[e, 1]   for e
",
        // Nothing stays zero.
        "t[e, 2*n] = x[e, n]   for e, n
t[e, 2*n + 1] = z[e, n]   for e, n
y[e] += sum(i) t[e, i] * z[e, 0]   for e
",
    ] {
        let equations = format!("t[e, i] = 0   for e, i\n{equations}");
        let mut program = super::text::parse(&format!("{ARRAYS}{equations}")).unwrap();
        let before = super::text::print(&program);
        super::pass("array_blocks").run(&mut program);
        assert_eq!(super::text::print(&program), before);
    }
}
