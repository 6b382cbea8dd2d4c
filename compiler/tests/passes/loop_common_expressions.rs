//! What several iterations have in common.

use expect_test::expect;
use loopwright_compiler::analysis::cost;
use loopwright_compiler::ir::text;

use super::{check, pass};

/// A window of seven, doubled.
#[test]
fn windows_are_sums_of_windows() {
    check(
        "loop_common_expressions",
        "program p
index i: len(y)
param 0 x: f64[len(x)]
output 1 y: f64[len(y)]
y[i] = x[i] + x[i + 1] + x[i + 2] + x[i + 3] + x[i + 4] + x[i + 5] + x[i + 6] + x[i + 7]   for i
",
        [7, 3],
        &expect![[r#"
            x_shared[i'2] = x[i'2] + x[i'2 + 1]   for i'2
            x_shared_2[i'3] = x_shared[i'3] + x_shared[i'3 + 2]   for i'3
            y[i] = x_shared_2[i] + x_shared_2[i + 4]   for i
        "#]],
    );
}

#[test]
fn expressions_of_other_iterations_are_computed_once() {
    check(
        "loop_common_expressions",
        "program p
index i: len(y)
param 0 x: f64[len(x)]
output 1 y: f64[len(y)]
y[i] = sin(x[i]) * exp(sin(x[i + 3]))   for i
",
        [4, 3],
        &expect![[r#"
            x_shared[i'2] = sin(x[i'2])   for i'2
            y[i] = x_shared[i] * exp(x_shared[i + 3])   for i
        "#]],
    );
}

/// Weights of rank one: columns, and then rows of their sums.
#[test]
fn weights_of_rank_one_are_columns_and_rows() {
    check(
        "loop_common_expressions",
        "program p
index j: len(y)
index i: len(y, 1)
param 0 x: f64[len(x), len(x, 1)]
output 1 y: f64[len(y), len(y, 1)]
y[j, i] = x[j, i] + 2 * x[j, i + 1] + x[j, i + 2] + 2 * x[j + 1, i] + 4 * x[j + 1, i + 1] + 2 * x[j + 1, i + 2] + x[j + 2, i] + 2 * x[j + 2, i + 1] + x[j + 2, i + 2]   for j, i
",
        [13, 4],
        &expect![[r#"
            x_shared[j'2, i'2] = x[j'2, i'2] + x[j'2, i'2 + 1]   for j'2, i'2
            x_shared_2[j'2, i] = x_shared[j'2, i] + x_shared[j'2, i + 1]   for j'2, i
            x_shared_3[j'3, i] = x_shared_2[j'3, i] + x_shared_2[j'3 + 1, i]   for j'3, i
            y[j, i] = x_shared_3[j, i] + x_shared_3[j + 1, i]   for j, i
        "#]],
    );
}

/// Nothing is shared where that takes more loads and stores than it saves operations.
#[test]
fn what_takes_as_much_to_keep_stays() {
    let source = "program p
index i: len(y)
param 0 x: f64[len(x)]
output 1 y: f64[len(y)]
y[i] = x[i] * x[i] + x[i + 5] * x[i + 5]   for i
";
    let mut program = text::parse(source).unwrap();
    pass("loop_common_expressions").run(&mut program);
    assert_eq!(program.equations.len(), 1);
    assert!(program.assumed.is_empty());
}

/// Operations a point of the sum of some terms, `weight * x[j + dj, i + di]`.
fn operations(terms: &[(f64, usize, usize)]) -> u64 {
    let terms: Vec<String> = (terms.iter())
        .map(|(weight, j, i)| format!("{weight} * x[j + {j}, i + {i}]"))
        .collect();
    let source = format!(
        "program p
index j: len(y)
index i: len(y, 1)
param 0 x: f64[len(x), len(x, 1)]
output 1 y: f64[len(y), len(y, 1)]
y[j, i] = {}   for j, i
",
        terms.join(" + ")
    );
    let mut program = text::parse(&source).unwrap();
    pass("normalise").run(&mut program);
    pass("loop_common_expressions").run(&mut program);
    cost::program(&program).each.operations()
}

fn grid(rows: &[&[f64]]) -> u64 {
    let mut terms = Vec::new();
    for (j, row) in rows.iter().enumerate() {
        let row = row.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        terms.extend(row.map(|(i, weight)| (*weight, j, i)));
    }
    operations(&terms)
}

/// Sums of windows of w take at most 2 log w additions (Ernst 1995, section 3.3).
#[test]
fn operations_are_within_the_bounds_of_the_paper() {
    for width in [2usize, 3, 5, 7, 9, 15, 17, 31, 33, 64] {
        let bound = 2 * u64::from(width.ilog2());
        let count = grid(&[&vec![1.0; width]]);
        let plain = width as u64 - 1;
        // Short ones take as many loads and stores as they save.
        assert!(
            count <= bound || (width < 9 && count <= plain),
            "{width}: {count}"
        );
    }
    assert_eq!(grid(&[&[1.0; 17]]), 5);
    assert!(grid(&[&[1.0; 15][..]; 15]) <= 12);
    assert!(grid(&[&[1.0, 4.0, 1.0], &[4.0, -20.0, 4.0], &[1.0, 4.0, 1.0]]) <= 9);
    let row = [1.0, 4.0, 6.0, 4.0, 1.0];
    let rows = row.map(|r| row.map(|c| r * c));
    let rows: Vec<&[f64]> = rows.iter().map(<[f64; 5]>::as_slice).collect();
    assert!(grid(&rows) <= 12);
}
