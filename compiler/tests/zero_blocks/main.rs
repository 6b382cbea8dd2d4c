//! Blocks of zeros: programs before and after the pass.

use expect_test::{Expect, expect};
use loopwright_compiler::analysis::cost;
use loopwright_compiler::ir::{Program, text};
use loopwright_compiler::passes;

mod forms;

/// Runs the pass on a program; what it decided.
fn run(program: &mut Program) -> Vec<String> {
    let passes = passes::pipeline(3, false);
    let pass = passes.iter().find(|pass| pass.name == "zero_blocks");
    pass.unwrap().run(program)
}

/// Compares the tables and equations that the pass leaves, and the operations before and after it.
fn check(program: &str, operations: [u64; 2], after: &Expect) {
    let mut program = text::parse(program).unwrap();
    let before = cost::program(&program).operations();
    run(&mut program);
    let text = text::print(&program);
    let start = text.find("table").unwrap();
    after.assert_eq(&text[start..]);
    let left = cost::program(&program).operations();
    assert_eq!([before, left], operations, "{text}");
}

/// A coefficient in the second component of a vector.
#[test]
fn sums_leave_the_other_components_out() {
    check(
        "program p
index e: len(u)
index q: 2
index i: 12
param 0 u: f64[len(u), 12]
output 1 f: f64[len(f), 2]
table phi: f64[3, 2, 12] = [
  [[1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0], [5, 0, 0, 6, 0, 0, 7, 0, 0, 8, 0, 0]],
  [[0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0], [0, 5, 0, 0, 6, 0, 0, 7, 0, 0, 8, 0]],
  [[0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4], [0, 0, 5, 0, 0, 6, 0, 0, 7, 0, 0, 8]],
]
f[e, q] += sum(i) u[e, i] * phi[1, q, i]   for e, q
",
        [48, 16],
        &expect![[r#"
            table phi: f64[3, 2, 12] = [
              [
                [1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0],
                [5, 0, 0, 6, 0, 0, 7, 0, 0, 8, 0, 0],
              ],
              [
                [0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0],
                [0, 5, 0, 0, 6, 0, 0, 7, 0, 0, 8, 0],
              ],
              [
                [0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4],
                [0, 0, 5, 0, 0, 6, 0, 0, 7, 0, 0, 8],
              ],
            ]
            table phi_block: f64[2, 4] = [
              [1, 2, 3, 4],
              [5, 6, 7, 8],
            ]

            f[e, q] += sum(i'2) u[e, 3*i'2 + 1] * phi_block[q, i'2]   for e, q
        "#]],
    );
}

/// What was one sum over all functions, is one over those of a component, in which the others are
/// terms; of the pressure, which has fewer functions, there is another one.
#[test]
fn sums_over_blocks_are_added_up() {
    check(
        "program p
index e: len(u)
index i: 10
param 0 u: f64[len(u), 10]
param 1 g: f64[len(g), 3]
output 2 y: f64[len(y)]
temp f: f64[len(u)]
table phi: f64[3, 10] = [
  [1, 0, 2, 0, 3, 0, 0, 0, 0, 0],
  [0, 1, 0, 2, 0, 3, 0, 0, 0, 0],
  [0, 0, 0, 0, 0, 0, 4, 5, 6, 7],
]
f[e] = sum(i) u[e, i] * (g[e, 0] * phi[0, i] + g[e, 1] * phi[1, i] + g[e, 2] * phi[2, i])   for e
y[e] = f[e] * f[e]   for e
",
        [70, 30],
        &expect![[r#"
            table phi: f64[3, 10] = [
              [1, 0, 2, 0, 3, 0, 0, 0, 0, 0],
              [0, 1, 0, 2, 0, 3, 0, 0, 0, 0],
              [0, 0, 0, 0, 0, 0, 4, 5, 6, 7],
            ]
            table phi_block: f64[3] = [1, 2, 3]
            table phi_block_2: f64[4] = [4, 5, 6, 7]
            temp f_part: f64[len(u)]
            temp f_part_2: f64[len(u)]

            f_part[e] = sum(i'2) g[e, 0] * u[e, 2*i'2] * phi_block[i'2] + g[e, 1] * phi_block[i'2] * u[e, 2*i'2 + 1]   for e
            f_part_2[e] = sum(i'3) g[e, 2] * u[e, i'3 + 6] * phi_block_2[i'3]   for e
            f[e] = f_part[e] + f_part_2[e]   for e
            y[e] = f[e]^2   for e
        "#]],
    );
}

/// The mass matrix of a vector: blocks on the diagonal are all that is left, with one table.
#[test]
fn blocks_that_are_zero_are_left_out() {
    check(
        "program p
index e: len(d)
index q: 2
index i: 8
index j: 8
param 0 d: f64[len(d)]
output 1 a: f64[len(a), 8, 8]
table phi: f64[2, 2, 8] = [
  [[1, 0, 2, 0, 3, 0, 4, 0], [5, 0, 6, 0, 7, 0, 8, 0]],
  [[0, 1, 0, 2, 0, 3, 0, 4], [0, 5, 0, 6, 0, 7, 0, 8]],
]
a[e, i, j] += sum(q) d[e] * (phi[0, q, i] * phi[0, q, j] + phi[1, q, i] * phi[1, q, j])   for e, i, j
",
        [640, 128],
        &expect![[r#"
            table phi: f64[2, 2, 8] = [
              [
                [1, 0, 2, 0, 3, 0, 4, 0],
                [5, 0, 6, 0, 7, 0, 8, 0],
              ],
              [
                [0, 1, 0, 2, 0, 3, 0, 4],
                [0, 5, 0, 6, 0, 7, 0, 8],
              ],
            ]
            table phi_block: f64[2, 4] = [
              [1, 2, 3, 4],
              [5, 6, 7, 8],
            ]

            a[e, 2*i'2, 2*j'2] += sum(q) d[e] * phi_block[q, i'2] * phi_block[q, j'2]   for e, i'2, j'2
            a[e, 2*i'2 + 1, 2*j'2 + 1] += sum(q) d[e] * phi_block[q, i'2] * phi_block[q, j'2]   for e, i'2, j'2
        "#]],
    );
}

/// What is assigned is zero where nothing is left.
#[test]
fn zeros_are_assigned() {
    check(
        "program p
index e: len(d)
index i: 12
param 0 d: f64[len(d)]
output 1 y: f64[len(y), 12]
table phi: f64[12] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]
y[e, i] = exp(d[e]) * d[e] * phi[i]   for e, i
",
        [36, 12],
        &expect![[r#"
            table phi: f64[12] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]
            table phi_block: f64[4] = [1, 2, 3, 4]

            y[e, i'2] = 0   for e, i'2
            y[e, i'3 + 8] = d[e] * exp(d[e]) * phi_block[i'3]   for e, i'3
        "#]],
    );
}

/// A table that a map chooses is zero where all are that it may choose.
#[test]
fn zeros_of_all_choices_count() {
    check(
        "program p
index e: len(d)
index i: 8
param 0 d: f64[len(d)]
param 1 facet: usize[len(facet)]
output 2 y: f64[len(y), 8]
table trace: f64[2, 8] = [
  [1, 0, 2, 0, 0, 0, 0, 0],
  [0, 0, 0, 4, 0, 0, 0, 0],
]
y[e, i] += d[e] * trace[facet[e], i]   for e, i
",
        [16, 8],
        &expect![[r#"
            table trace: f64[2, 8] = [
              [1, 0, 2, 0, 0, 0, 0, 0],
              [0, 0, 0, 4, 0, 0, 0, 0],
            ]
            table trace_block: f64[2, 4] = [
              [1, 0, 2, 0],
              [0, 0, 0, 4],
            ]

            y[e, i'2] += d[e] * trace_block[facet[e], i'2]   for e, i'2
        "#]],
    );
}

/// A value for each function is zero where the table is: what reads it is split as well.
#[test]
fn temporaries_are_seen_through() {
    check(
        "program p
index e: len(d)
index i: 12
index j: 12
param 0 d: f64[len(d)]
output 1 a: f64[len(a), 12, 12]
temp t: f64[len(d), 12]
table phi: f64[12] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]
t[e, i] = d[e] * phi[i]   for e, i
a[e, i, j] += t[e, i] * t[e, j]   for e, i, j
",
        [300, 64],
        &expect![[r#"
            table phi: f64[12] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]
            table phi_block: f64[4] = [1, 2, 3, 4]
            temp t_block: f64[len(d), 4]

            a[e, i'3 + 8, j'3 + 8] += d[e]^2 * phi_block[i'3] * phi_block[j'3]   for e, i'3, j'3
        "#]],
    );
}

/// A sum that is kept for each function is one for each block, also where it is scattered.
#[test]
fn sums_for_each_function_are_kept_by_blocks() {
    check(
        "program p
index e: len(d)
index q: 2
index i: 12
param 0 d: f64[len(d)]
param 1 dofs: usize[len(dofs), 12]
output 2 y: f64[len(y)]
temp t: f64[len(d), 12]
table phi: f64[2, 12] = [
  [0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0],
  [0, 5, 0, 0, 6, 0, 0, 7, 0, 0, 8, 0],
]
t[e, i] = sum(q) d[e] * phi[q, i]   for e, i
y[dofs[e, i]] += t[e, i]   for e, i
",
        [48, 16],
        &expect![[r#"
            table phi: f64[2, 12] = [
              [0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0],
              [0, 5, 0, 0, 6, 0, 0, 7, 0, 0, 8, 0],
            ]
            table phi_block: f64[2, 4] = [
              [1, 2, 3, 4],
              [5, 6, 7, 8],
            ]
            temp t_block: f64[len(d), 4]

            t_block[e, i'2] = sum(q) d[e] * phi_block[q, i'2]   for e, i'2
            y[dofs[e, 3*i'2 + 1]] += t_block[e, i'2]   for e, i'2
        "#]],
    );
}

/// What is read in another order than it is kept in stays as it is.
#[test]
fn sums_that_are_read_elsewhere_stay() {
    let program = "program p
index e: len(d)
index q: 2
index i: 12
param 0 d: f64[len(d)]
output 1 y: f64[len(y), 12]
temp t: f64[len(d), 12]
table phi: f64[2, 12] = [
  [0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0],
  [0, 5, 0, 0, 6, 0, 0, 7, 0, 0, 8, 0],
]
t[e, i] = sum(q) d[e] * phi[q, i]   for e, i
y[e, i] += t[e, 11 - i]   for e, i
";
    let mut program = text::parse(program).unwrap();
    let before = text::print(&program);
    assert!(run(&mut program).is_empty());
    assert_eq!(text::print(&program), before);
}

/// Of iterations that assign one element, the last one is right: they keep their order.
#[test]
fn assignments_to_one_element_stay() {
    let program = "program p
index e: len(d)
index i: 12
param 0 d: f64[len(d)]
param 1 dofs: usize[len(dofs), 12]
output 2 y: f64[len(y)]
table phi: f64[12] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]
y[dofs[e, i]] = d[e] * phi[i]   for e, i
";
    let mut program = text::parse(program).unwrap();
    assert!(run(&mut program).is_empty());
}

/// Linear functions have gradients with zeros, in blocks too short for lanes.
#[test]
fn short_blocks_are_not_split() {
    let program = "program p
index e: len(k)
index i: 4
index j: 4
param 0 k: f64[len(k), 3]
output 1 a: f64[len(a), 4, 4]
table dphi: f64[3, 4] = [[-1, 1, 0, 0], [-1, 0, 1, 0], [-1, 0, 0, 1]]
a[e, i, j] += (k[e, 0] * dphi[0, i] + k[e, 1] * dphi[1, i] + k[e, 2] * dphi[2, i]) * (k[e, 0] * dphi[0, j] + k[e, 1] * dphi[1, j] + k[e, 2] * dphi[2, j])   for e, i, j
";
    let mut program = text::parse(program).unwrap();
    let before = text::print(&program);
    assert!(run(&mut program).is_empty());
    assert_eq!(text::print(&program), before);
}

/// What is divided by a zero of a table stays, and so does what is no product.
#[test]
fn divisors_and_functions_stay() {
    let program = "program p
index e: len(d)
index i: 12
param 0 d: f64[len(d)]
output 1 y: f64[len(y), 12]
table phi: f64[12] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]
y[e, i] += exp(d[e] * phi[i]) + phi[i] / (d[e] + phi[i])   for e, i
";
    let mut program = text::parse(program).unwrap();
    run(&mut program);
    let text = text::print(&program);
    assert!(text.contains("exp(0)"), "{text}");
}
