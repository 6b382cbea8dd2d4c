//! Results that are copied from where temporaries hold them.

use expect_test::{Expect, expect};

use crate::ir::Role;
use crate::schedule::{over_cells, text};

const ARRAYS: &str = "\
program p

index e: len(x)
index i: 2
index j: 2
index k: 3

param 0 x: f64[len(x), 4]
output 1 a: f64[len(a), 2, 2]
temp t: f64[len(x), 3]
table m: usize[2, 2] = [
  [0, 1],
  [1, 2],
]

";

/// The places and the copy of a program with lanes over cells.
fn check(equations: &str, expected: &Expect) {
    let scheduled = over_cells(&format!("{ARRAYS}{equations}"));
    let program = &scheduled.program;
    let mut found = String::new();
    for array in &program.arrays {
        if let (Role::Table(values), "a_places") = (&array.role, array.name.as_str()) {
            let places: Vec<String> = values.iter().map(|v| v.to_f64().to_string()).collect();
            found.push_str(&format!("a_places: {}\n", places.join(", ")));
        }
    }
    for line in text::print(program, &scheduled.schedule).lines() {
        if ["copy", "eq", "store"]
            .iter()
            .any(|word| line.trim().starts_with(word))
        {
            found.push_str(line.trim());
            found.push('\n');
        }
    }
    expected.assert_eq(&found);
}

#[test]
fn equal_entries_are_copied_from_where_they_are() {
    check(
        "t[e, k] = x[e, k] * x[e, k + 1]   for e, k\n\
         a[e, i, j] += t[e, m[i, j]]   for e, i, j\n",
        &expect![[r#"
            a_places: 0, 1, 1, 2
            store t: memory[_, 3] lanes
            eq 0         // t[e, k] =
            eq 0 @ k+1   // t[e, k + 1] =
            eq 0 @ k+2   // t[e, k + 2] =
            copy t at a_places[row0, row1] over row0, row1 into a[e, row0, row1] +=
        "#]],
    );
}

#[test]
fn halves_and_what_is_computed_for_the_block_become_one() {
    check(
        "t[e, k] = x[e, k] * x[e, k + 1]   for e, k\n\
         a[e, 0, j] += t[e, j]   for e, j\n\
         a[e, 1, 0] += t[e, 1]   for e\n\
         a[e, 1, 1] += x[e, 3]   for e\n",
        &expect![[r#"
            a_places: 0, 1, 1, 3
            store a_parts: memory[_, 4] lanes
            eq 0         // a_parts[e, k] =
            eq 0 @ k+1   // a_parts[e, k + 1] =
            eq 0 @ k+2   // a_parts[e, k + 2] =
            eq 1   // a_parts[e, 3] =
            copy a_parts at a_places[row0, row1] over row0, row1 into a[e, row0, row1] +=
        "#]],
    );
}

#[test]
fn what_goes_through_a_map_is_copied_from_where_it_is() {
    let scheduled = over_cells(
        "program p

index e: len(x)
index i: 2
index j: 2
index n: 4

param 0 x: f64[len(x), 2]
param 1 dofs: usize[len(dofs), 4]
output 2 y: f64[len(y)]
temp t: f64[len(x), 2, 2]
table px: usize[4] = [0, 1, 1, 0]
table py: usize[4] = [1, 1, 0, 0]

t[e, i, j] = x[e, i] * x[e, j]   for e, i, j
y[dofs[e, n]] += t[e, px[n], py[n]]   for e, n
",
    );
    let program = &scheduled.program;
    let places = program.arrays.iter().find(|array| array.name == "y_places");
    let Some(Role::Table(values)) = places.map(|array| &array.role) else {
        panic!("there is a table");
    };
    let values: Vec<f64> = values.iter().map(|value| value.to_f64()).collect();
    assert_eq!(values, [1.0, 3.0, 2.0, 0.0]);
    let printed = text::print(program, &scheduled.schedule);
    let copy = printed.lines().find(|line| line.trim().starts_with("copy"));
    let expected = expect!["copy y_parts at y_places[n] over n into y[dofs[e, n]] +="];
    expected.assert_eq(copy.unwrap_or(&printed).trim());
}

#[test]
fn what_others_read_stays() {
    check(
        "t[e, k] = x[e, k] * x[e, k + 1]   for e, k\n\
         a[e, 0, j] += t[e, j]   for e, j\n\
         a[e, 1, j] += t[e, j + 1] * t[e, j]   for e, j\n",
        &expect![[r#"
            store t: memory[_, 3] lanes
            store a_cells: memory[_, 2, 2] lanes
            eq 0   // t[e, k] =
            eq 1         // a_cells[e, 0, j] =
            eq 1 @ j+1   // a_cells[e, 0, j + 1] =
            eq 2         // a_cells[e, 1, j] =
            eq 2 @ j+1   // a_cells[e, 1, j + 1] =
            copy a_cells over row0, row1 into a[e, row0, row1] +=
        "#]],
    );
}
