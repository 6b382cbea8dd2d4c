//! What several iterations have in common.

use loopwright_compiler::analysis::cost;
use loopwright_compiler::ir::text;

use super::pass;

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
