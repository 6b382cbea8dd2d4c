//! Sums in even and odd halves of their loops.

use expect_test::expect;
use loopwright_compiler::analysis::cost;
use loopwright_compiler::ir::text;

use super::{check, pass};

/// A program of an equation, with a table.
fn program(table: &str, equation: &str) -> String {
    let rows: Vec<&str> = table.lines().collect();
    let columns = rows[0].split(',').count();
    let rows: Vec<String> = rows.iter().map(|row| format!("[{}]", row.trim())).collect();
    format!(
        "program p
index e: len(x)
index q: {}
index i: {columns}
param 0 x: f64[len(x), {columns}]
param 1 w: f64[{columns}]
output 2 y: f64[len(x), {}]
table b: f64[{}, {columns}] = [{}]
temp t: f64[len(x), {}]
{equation}   for e, q
",
        rows.len(),
        rows.len(),
        rows.len(),
        rows.join(", "),
        rows.len(),
    )
}

const SUM: &str = "t[e, q] = sum(i) b[q, i] * x[e, i]";

/// Symmetric under reversal of both axes.
const EVEN: &str = "8, 5, 2, 3
3, 9, 5, 6
6, 5, 9, 3
3, 2, 5, 8";

#[test]
fn both_axes() {
    let operations = [16 + 12, 4 + 2 * (4 + 2) + 4];
    check(
        "even_odd",
        &program(EVEN, SUM),
        operations,
        &expect![[r#"
        table b: f64[4, 4] = [
        table even_part: f64[2, 2] = [
        table odd_part: f64[2, 2] = [
        opposite_sum_0[e] = x[e, 0] + x[e, 3]   for e
        opposite_sum_1[e] = x[e, 1] + x[e, 2]   for e
        opposite_difference_0[e] = x[e, 0] - x[e, 3]   for e
        opposite_difference_1[e] = x[e, 1] - x[e, 2]   for e
        t_even_0[e] = 5.5 * opposite_sum_0[e] + 3.5 * opposite_sum_1[e]   for e
        t_even_1[e] = 4.5 * opposite_sum_0[e] + 7 * opposite_sum_1[e]   for e
        t_odd_0[e] = 2.5 * opposite_difference_0[e] + 1.5 * opposite_difference_1[e]   for e
        t_odd_1[e] = -1.5 * opposite_difference_0[e] + 2 * opposite_difference_1[e]   for e
        t[e, 0] = t_even_0[e] + t_odd_0[e]   for e
        t[e, 1] = t_even_1[e] + t_odd_1[e]   for e
        t[e, 3] = t_even_0[e] - t_odd_0[e]   for e
        t[e, 2] = t_even_1[e] - t_odd_1[e]   for e
    "#]],
    );
}

/// Entries in the middle of what changes its sign are zero.
#[test]
fn odd_lengths_and_tables_that_change_their_sign() {
    let table = "5, 2, 9
4, 0, -4
-9, -2, -5";
    let operations = [9 + 6, 2 + 2 + (2 + 1) + 2];
    check(
        "even_odd",
        &program(table, SUM),
        operations,
        &expect![[r#"
        table b: f64[3, 3] = [
        table even_part: f64[1, 2] = [
        table odd_part: f64[2, 1] = [
        opposite_sum_0[e] = x[e, 0] + x[e, 2]   for e
        opposite_sum_1[e] = x[e, 1]   for e
        opposite_difference_0[e] = x[e, 0] - x[e, 2]   for e
        t_even_0[e] = -2 * opposite_difference_0[e]   for e
        t_even_1[e] = 4 * opposite_difference_0[e]   for e
        t_odd_0[e] = 7 * opposite_sum_0[e] + 2 * opposite_sum_1[e]   for e
        t[e, 0] = t_even_0[e] + t_odd_0[e]   for e
        t[e, 2] = t_even_0[e] - t_odd_0[e]   for e
        t[e, 1] = t_even_1[e]   for e
    "#]],
    );
}

/// Several results share the sums of opposite terms.
#[test]
fn the_axis_of_the_terms_alone() {
    let table = "3, 2, 2, 3
5, 3, 3, 5
4, 7, 7, 4";
    let operations = [12 + 9, 2 + 6 + 3];
    check(
        "even_odd",
        &program(table, SUM),
        operations,
        &expect![[r#"
        table b: f64[3, 4] = [
        table even_part: f64[3, 2] = [
        opposite_sum_0[e] = x[e, 0] + x[e, 3]   for e
        opposite_sum_1[e] = x[e, 1] + x[e, 2]   for e
        t[e, q] = opposite_sum_0[e] * even_part[q, 0] + opposite_sum_1[e] * even_part[q, 1]   for e, q
    "#]],
    );
}

#[test]
fn the_axis_of_the_results_alone() {
    let table = "1, 2, 3
4, 6, 5
-4, -6, -5
-1, -2, -3";
    let operations = [12 + 8, 6 + 4];
    check(
        "even_odd",
        &program(table, SUM),
        operations,
        &expect![[r#"
        table b: f64[4, 3] = [
        table half_table: f64[2, 3] = [
        t_odd_0[e] = sum(i) x[e, i] * half_table[0, i]   for e
        t_odd_1[e] = sum(i) x[e, i] * half_table[1, i]   for e
        t[e, 0] = t_odd_0[e]   for e
        t[e, 1] = t_odd_1[e]   for e
        t[e, 3] = -t_odd_0[e]   for e
        t[e, 2] = -t_odd_1[e]   for e
    "#]],
    );
}

/// Outputs are written by loops of their own.
#[test]
fn what_is_added_to_an_output_is_a_temporary_first() {
    let sum = "y[e, q] += sum(i) b[q, i] * w[i] * x[e, i]";
    let operations = [2 * 16 + 12 + 4, 4 + 4 + 2 * (4 + 2) + 4 + 4];
    check(
        "even_odd",
        &program(EVEN, sum),
        operations,
        &expect![[r#"
        table b: f64[4, 4] = [
        table even_part: f64[2, 2] = [
        table odd_part: f64[2, 2] = [
        opposite_sum_0[e] = w[0] * x[e, 0] + w[3] * x[e, 3]   for e
        opposite_sum_1[e] = w[1] * x[e, 1] + w[2] * x[e, 2]   for e
        opposite_difference_0[e] = w[0] * x[e, 0] - w[3] * x[e, 3]   for e
        opposite_difference_1[e] = w[1] * x[e, 1] - w[2] * x[e, 2]   for e
        y_even_0[e] = 5.5 * opposite_sum_0[e] + 3.5 * opposite_sum_1[e]   for e
        y_even_1[e] = 4.5 * opposite_sum_0[e] + 7 * opposite_sum_1[e]   for e
        y_odd_0[e] = 2.5 * opposite_difference_0[e] + 1.5 * opposite_difference_1[e]   for e
        y_odd_1[e] = -1.5 * opposite_difference_0[e] + 2 * opposite_difference_1[e]   for e
        y_sum[e, 0] = y_even_0[e] + y_odd_0[e]   for e
        y_sum[e, 1] = y_even_1[e] + y_odd_1[e]   for e
        y_sum[e, 3] = y_even_0[e] - y_odd_0[e]   for e
        y_sum[e, 2] = y_even_1[e] - y_odd_1[e]   for e
        y[e, q] += y_sum[e, q]   for e, q
    "#]],
    );
}

#[test]
fn other_tables_and_sums_stay() {
    let other = EVEN.replace("8", "7.5").replacen("7.5", "8", 1);
    for (table, equation) in [
        // One entry differs.
        (other.as_str(), SUM),
        // What is multiplied follows both loops.
        (EVEN, "t[e, q] = sum(i) b[q, i] * x[e, i] * x[e, q]"),
        // Not the sum of the products, but the largest.
        (EVEN, "y[e, q] max= over(i) b[q, i] * x[e, i]"),
    ] {
        let mut program = text::parse(&program(table, equation)).unwrap();
        let before = program.equations.clone();
        pass("even_odd").run(&mut program);
        assert_eq!(program.equations, before, "{equation}");
    }
}

/// Halves of more than eight iterations are not written out.
#[test]
fn long_loops_stay_loops() {
    let entry = |q: i64, i: i64| (q - i).abs() + 3 * (q + i - 17).abs() + 1;
    let row = |q: i64| {
        let row: Vec<String> = (0..18).map(|i| entry(q, i).to_string()).collect();
        row.join(", ")
    };
    let table: Vec<String> = (0..18).map(row).collect();
    let mut program = text::parse(&program(&table.join("\n"), SUM)).unwrap();
    let before = cost::program(&program).each.operations();
    pass("even_odd").run(&mut program);
    let after = cost::program(&program).each.operations();
    assert_eq!([before, after], [18 * 35, 18 + 2 * 9 * 17 + 18]);
    assert!(program.equations.len() < 8, "{}", text::print(&program));
}
