//! Kernels that read what they write: their programs and schedules as text, and what validation
//! says of schedules that write too early.

use expect_test::{Expect, expect};
use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::ir::{self, Program};
use loopwright_compiler::schedule::{self, Target, Wishes};
use loopwright_compiler::syntax::ast::FunctionId;
use loopwright_compiler::verify::{self, Subject};
use loopwright_compiler::{lower, passes, syntax};

/// Runs `use_it` on the lowered kernel.
fn with_kernel(text: &str, use_it: impl FnOnce(&Subject)) {
    let mut diagnostics = Diagnostics::new();
    let module = syntax::parse(text.parse().unwrap(), &mut diagnostics).unwrap();
    assert!(diagnostics.is_empty());
    let lowered = lower::lower(&module, &module.functions[0], false)
        .unwrap_or_else(|problem| panic!("{}", problem.message));
    use_it(&Subject::new(&module, FunctionId(0), &lowered));
}

/// The equations of a program's text.
fn equations(program: &Program) -> String {
    let text = ir::text::print(program);
    let found = text.rsplit("\n\n").next();
    found.unwrap_or_default().to_owned()
}

fn lowered(text: &str, expected: &Expect) {
    with_kernel(text, |subject| {
        expected.assert_eq(&equations(subject.lowered));
        verify::validate_unscheduled(subject, subject.lowered).unwrap();
    });
}

/// The loops of a kernel's schedule for vectors of four.
fn scheduled(text: &str, expected: &Expect) {
    with_kernel(text, |subject| {
        let mut program = subject.lowered.clone();
        for pass in passes::pipeline(2, false) {
            pass.run(&mut program);
        }
        let target = Target {
            width: 4,
            registers: 16,
        };
        let wishes = Wishes {
            lanes: Some("i".to_owned()),
            ..Wishes::default()
        };
        let built = schedule::schedule(&program, target, &wishes).unwrap();
        verify::validate(subject, &built.program, &built.schedule).unwrap();
        let text = schedule::text::print(&built.program, &built.schedule);
        expected.assert_eq(text.split_once("\n\n").map_or("", |(_, body)| body));
    });
}

#[test]
fn old_values_are_kept_where_they_are_overwritten() {
    lowered(
        "pub fn swap(a: &mut [f64], b: &mut [f64]) {
            for i in 0..a.len() {
                let t = a[i];
                a[i] = b[i];
                b[i] = t;
            }
        }",
        &expect![[r#"
            a_kept[i] = a_held[i]   for i
            a[i] = b_held[i]   for i
            b[i] = a_kept[i]   for i
        "#]],
    );
    lowered(
        "pub fn butterfly(y: &mut [[f64; 2]]) {
            for e in 0..y.len() {
                let (s, t) = (y[e][0], y[e][1]);
                y[e][0] = s + t;
                y[e][1] = s - t;
            }
        }",
        &expect![[r#"
            y_kept[e] = y_held[e, 0]   for e
            y[e, 0] = y_held[e, 0] + y_held[e, 1]   for e
            y[e, 1] = y_kept[e] - y_held[e, 1]   for e
        "#]],
    );
}

#[test]
fn copies_of_arrays_are_copies() {
    lowered(
        "pub fn turned(y: &mut [[f64; 2]]) {
            for e in 0..y.len() {
                let x = y[e];
                y[e][0] = x[1];
                y[e][1] = x[0];
            }
        }",
        &expect![[r#"
            y_kept[e] = y_held[e, 0]   for e
            y[e, 0] = y_held[e, 1]   for e
            y[e, 1] = y_kept[e]   for e
        "#]],
    );
}

#[test]
fn new_values_are_not_read_back() {
    lowered(
        "pub fn chained(x: &[f64], y: &mut [f64], z: &mut [f64]) {
            for i in 0..x.len() {
                y[i] = x[i] - y[i];
                z[i] = y[i] * 3.0;
                y[i] *= z[i];
            }
        }",
        &expect![[r#"
            y_value[i] = x[i] - y_held[i]   for i
            y[i] = y_value[i]   for i
            z_value[i] = y_value[i] * 3   for i
            z[i] = z_value[i]   for i
            y[i] = y_value[i] * z_value[i]   for i
        "#]],
    );
}

#[test]
fn what_another_iteration_reads_is_read_in_time_or_kept() {
    lowered(
        "pub fn shift(u: &mut [f64; 9]) {
            for i in 0..8 {
                u[i] = u[i + 1];
            }
        }",
        &expect![[r#"
            u[i] = u_held[i + 1]   for i
        "#]],
    );
    lowered(
        "pub fn skewed(a: &mut [[f64; 9]; 9]) {
            for i in 0..8 {
                for j in 1..9 {
                    a[i][j] = a[i + 1][j - 1];
                }
            }
        }",
        &expect![[r#"
            a_kept[i, j] = a_held[i + 1, j]   for i, j
            a[i, j + 1] = a_kept[i, j]   for i, j
        "#]],
    );
}

#[test]
fn nests_share_loops_where_no_iteration_needs_a_later_one() {
    scheduled(
        "pub fn joined(x: &[f64], u: &mut [f64], v: &mut [f64]) {
            for i in 0..x.len() {
                u[i + 1] = 2.0 * x[i];
            }
            for i in 0..x.len() {
                v[i] = u[i] + u[i + 1];
            }
        }",
        &expect![[r#"
            loop i in 0..len(x) step 16 {
              block {
                eq 0   // u[i + 1] =
                eq 1   // v[i] =
              }
              block {
                eq 0 @ i+4   // u[i + 5] =
                eq 1 @ i+4   // v[i + 4] =
              }
              block {
                eq 0 @ i+8   // u[i + 9] =
                eq 1 @ i+8   // v[i + 8] =
              }
              block {
                eq 0 @ i+12   // u[i + 13] =
                eq 1 @ i+12   // v[i + 12] =
              }
            }
        "#]],
    );
    scheduled(
        "pub fn apart(x: &[f64], u: &mut [f64], v: &mut [f64]) {
            for i in 0..x.len() {
                u[i] = 2.0 * x[i];
            }
            for i in 0..x.len() {
                v[i] = u[i] + u[i + 1];
            }
        }",
        &expect![[r#"
            loop i in 0..len(x) step 16 {
              block {
                eq 0   // u[i] =
              }
              block {
                eq 0 @ i+4   // u[i + 4] =
              }
              block {
                eq 0 @ i+8   // u[i + 8] =
              }
              block {
                eq 0 @ i+12   // u[i + 12] =
              }
            }
            loop i in 0..len(x) step 16 {
              block {
                eq 1   // v[i] =
              }
              block {
                eq 1 @ i+4   // v[i + 4] =
              }
              block {
                eq 1 @ i+8   // v[i + 8] =
              }
              block {
                eq 1 @ i+12   // v[i + 12] =
              }
            }
        "#]],
    );
}

#[test]
fn staged_results_are_copied_before_they_are_read() {
    scheduled(
        "pub fn staged(x: &[f64], u: &mut [[f64; 2]], v: &mut [f64]) {
            for i in 0..x.len() {
                u[i][0] = 2.0 * x[i];
                u[i][1] = 3.0 * x[i] * x[i];
            }
            for i in 0..x.len() {
                v[i] = u[i][0] + u[i][1];
            }
        }",
        &expect![[r#"
            loop i in 0..len(x) step 4 {
              block {
                eq 0   // u_cells[i, 0] =
                eq 1   // u_cells[i, 1] =
              }
              copy u_cells over row0 into u[i, row0] =
            }
            loop i in 0..len(x) step 16 {
              block {
                eq 2   // v[i] =
              }
              block {
                eq 2 @ i+4   // v[i + 4] =
              }
              block {
                eq 2 @ i+8   // v[i + 8] =
              }
              block {
                eq 2 @ i+12   // v[i + 12] =
              }
            }
        "#]],
    );
}

/// The schedule's body over a lowered program: whether it is the source.
fn check(subject: &Subject, head: &str, body: &str) -> Result<(), String> {
    let text = format!("schedule {head}\n{body}");
    let schedule = schedule::text::parse(&text, subject.lowered)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify::validate(subject, subject.lowered, &schedule)
}

#[test]
fn validation_finds_reads_that_come_too_late() {
    let text = "pub fn shift(u: &mut [f64; 16], v: &mut [f64; 16]) {
        for i in 0..12 {
            v[i] = u[i + 1];
        }
        for j in 0..12 {
            u[j + 2] = v[j] * 3.0;
        }
    }";
    with_kernel(text, |subject| {
        let read = "loop i in 0..12 step 1 { block { eq 0 } }";
        let write = "loop j in 0..12 step 1 { block { eq 1 } }";
        check(subject, "width 1", &format!("{read}\n{write}")).unwrap();
        check(subject, "width 1", &format!("{write}\n{read}")).unwrap_err();
    });
}

#[test]
fn validation_finds_tiles_that_write_too_early() {
    let text = "pub fn shift(u: &mut [f64; 16]) {
        for i in 0..12 {
            u[i] = u[i + 1];
        }
    }";
    with_kernel(text, |subject| {
        let tile = |first: &str, second: &str| {
            let body = format!("loop i in 0..12 step 2 {{ block {{ {first}; {second} }} }}");
            check(subject, "width 1", &body)
        };
        tile("eq 0", "eq 0 @ i+1").unwrap();
        tile("eq 0 @ i+1", "eq 0").unwrap_err();
        let lanes = "loop i in 0..12 step 4 { block { eq 0 } }";
        check(subject, "width 4 lanes i", lanes).unwrap();
    });
}

/// All lanes are read before one is written: upwards, each iteration would take what the one before
/// it wrote, but not in one vector.
#[test]
fn validation_knows_that_lanes_run_at_once() {
    let text = "pub fn shift(u: &mut [f64; 5]) {
        for i in (0..4).rev() {
            u[i + 1] = u[i];
        }
    }";
    let upwards = "
        program shift
        index i: 4
        output 0 u: f64[5]
        state 0 u_held: f64[5]
        u[i + 1] = u_held[i] for i";
    with_kernel(text, |subject| {
        let program = ir::text::parse(upwards).unwrap();
        let run = |head: &str, step: usize| {
            let text =
                format!("schedule {head}\nloop i in 0..4 step {step} {{ block {{ eq 0 }} }}");
            let schedule = schedule::text::parse(&text, &program).unwrap();
            verify::validate(subject, &program, &schedule)
        };
        run("width 1", 1).unwrap_err();
        run("width 2 lanes i", 2).unwrap_err();
        run("width 4 lanes i", 4).unwrap();
        // The program itself reads before it writes.
        verify::validate_unscheduled(subject, &program).unwrap();
    });
}
