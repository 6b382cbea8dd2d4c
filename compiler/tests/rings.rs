//! Loops that run ahead of those that read what they compute: loop trees before and after, and faults that
//! validation finds.

use expect_test::{Expect, expect};
use loopwright_compiler::ir::Program;
use loopwright_compiler::ir::text::parse;
use loopwright_compiler::schedule::{Scheduled, Target, Wishes, schedule, text};
use loopwright_compiler::verify;

/// Rows of three, then columns of three.
const BLUR: &str = "program blur
index k: n + 2
index j: n
index i: m
param 0 x: f64[len(x), len(x, 1)] strided
output 1 y: f64[len(y), len(y, 1)] strided
param 2 n: usize
param 3 m: usize
temp t: f64[n + 2, m]
t[k, i] = x[k, i] + x[k, i + 1] + x[k, i + 2]   for k, i
y[j, i] = t[j, i] + t[j + 1, i] + t[j + 2, i]   for j, i
";

/// A chain: differences of sums, of rows that reach further.
const CHAIN: &str = "program chain
index k: n + 3
index l: n + 1
index j: n
index i: m
index h: m + 1
param 0 x: f64[len(x), len(x, 1)] strided
output 1 y: f64[len(y), len(y, 1)] strided
param 2 n: usize
param 3 m: usize
temp t: f64[n + 3, m + 1]
temp s: f64[n + 1, m]
t[k, h] = x[k, h] * x[k, h]   for k, h
s[l, i] = t[l, i] + t[l + 2, i + 1]   for l, i
y[j, i] = s[j, i] - s[j + 1, i] + t[j + 1, i]   for j, i
";

fn scheduled(program: &str, width: usize) -> (Program, Scheduled) {
    let program = parse(program).unwrap();
    let target = Target {
        width,
        registers: 16,
    };
    let scheduled = schedule(&program, target, &Wishes::default()).unwrap();
    (program, scheduled)
}

/// The loop tree, which has the program's results, and has a text that says all of it.
fn check(program: &str, width: usize, expected: &Expect) {
    let (program, found) = scheduled(program, width);
    for size in [1, 2, 5, 11] {
        verify::equivalent(&program, &found.program, &found.schedule, size).unwrap();
    }
    let printed = text::print(&found.program, &found.schedule);
    let back = text::parse(&printed, &found.program).unwrap();
    assert_eq!(text::print(&found.program, &back), printed);
    expected.assert_eq(&printed);
}

/// What validation says of the loop tree with a part replaced by another.
fn planted(program: &str, right: &str, wrong: &str) -> String {
    let (program, found) = scheduled(program, 4);
    let printed = text::print(&found.program, &found.schedule);
    assert!(printed.contains(right), "{printed}");
    let other = printed.replacen(right, wrong, 1);
    let other = text::parse(&other, &found.program).unwrap();
    verify::equivalent(&program, &found.program, &other, 11).unwrap_err()
}

#[test]
fn a_loop_runs_ahead_of_its_reader() {
    check(
        BLUR,
        4,
        &expect![[r#"
            schedule width 4 lanes i
            store t: memory[ring 3, run]
            buffer t

            loop j in 0..n once {
              loop k in 0..2 {
                loop i in 0..m step 8 {
                  block {
                    eq 0   // t[k, i] =
                  }
                  block {
                    eq 0 @ i+4   // t[k, i + 4] =
                  }
                }
              }
            }
            loop j in 0..n with k+2 {
              loop i in 0..m step 32 {
                block {
                  eq 0          // t[k, i] =
                  eq 1          // y[j, i] =
                  eq 0 @ i+4    // t[k, i + 4] =
                  eq 1 @ i+4    // y[j, i + 4] =
                  eq 0 @ i+8    // t[k, i + 8] =
                  eq 1 @ i+8    // y[j, i + 8] =
                  eq 0 @ i+12   // t[k, i + 12] =
                  eq 1 @ i+12   // y[j, i + 12] =
                  eq 0 @ i+16   // t[k, i + 16] =
                  eq 1 @ i+16   // y[j, i + 16] =
                  eq 0 @ i+20   // t[k, i + 20] =
                  eq 1 @ i+20   // y[j, i + 20] =
                  eq 0 @ i+24   // t[k, i + 24] =
                  eq 1 @ i+24   // y[j, i + 24] =
                  eq 0 @ i+28   // t[k, i + 28] =
                  eq 1 @ i+28   // y[j, i + 28] =
                }
              }
            }
        "#]],
    );
}

#[test]
fn a_chain_begins_with_what_is_furthest_ahead() {
    check(
        CHAIN,
        1,
        &expect![[r#"
        schedule width 1
        store t: memory[ring 3, run]
        store s: memory[ring 2, run]
        buffer t
        buffer s

        loop j in 0..n once {
          loop k in 0..2 {
            loop h in 0..m + 1 {
              block {
                eq 0   // t[k, h] =
              }
            }
          }
          loop l in 0..1 with k+2 {
            loop h in 0..m + 1 {
              block {
                eq 0   // t[k, h] =
              }
            }
            loop i in 0..m {
              block {
                eq 1   // s[l, i] =
              }
            }
          }
        }
        loop j in 0..n with k+3, l+1 {
          loop h in 0..m + 1 {
            block {
              eq 0   // t[k, h] =
            }
          }
          loop i in 0..m {
            block {
              eq 1   // s[l, i] =
            }
          }
          loop i in 0..m {
            block {
              eq 2   // y[j, i] =
            }
          }
        }
    "#]],
    );
}

/// Sums over the loop that the other statement shares.
const SUMS: &str = "program sums
index e: len(x)
index j: 2
index q: 2
index i: 2
index k: 2
param 0 x: f64[len(x), 2, 2, 2]
param 1 w: f64[2, 2]
output 2 y: f64[len(x), 2, 2, 2]
temp t: f64[len(x), 2, 2, 2]
t[e, j, i, k] = sum(q) w[q, j] * x[e, q, i, k]   for e, j, i, k
y[e, q, i, k] += sum(j) w[j, k] * t[e, q, i, j]   for e, q, i, k
";

#[test]
fn a_shared_loop_has_an_index_of_its_own() {
    check(
        SUMS,
        1,
        &expect![[r#"
        schedule width 1
        store t: memory[_, _, 2, 2]

        loop e in 0..len(x) {
          loop q'2 in 0..2 with j'2+0 {
            loop i in 0..2 step 2 {
              loop k in 0..2 step 2 {
                reduce q {
                  eq 0              // t[e, j'2, i, k] =
                  eq 0 @ k+1        // t[e, j'2, i, k + 1] =
                  eq 0 @ i+1        // t[e, j'2, i + 1, k] =
                  eq 0 @ i+1, k+1   // t[e, j'2, i + 1, k + 1] =
                }
              }
            }
            loop i in 0..2 step 2 {
              loop k in 0..2 step 2 {
                reduce j {
                  eq 1              // y[e, q'2, i, k] +=
                  eq 1 @ k+1        // y[e, q'2, i, k + 1] +=
                  eq 1 @ i+1        // y[e, q'2, i + 1, k] +=
                  eq 1 @ i+1, k+1   // y[e, q'2, i + 1, k + 1] +=
                }
              }
            }
          }
        }
    "#]],
    );
}

#[test]
fn an_index_has_one_loop() {
    let found = [
        planted(SUMS, "loop i in 0..2", "loop q in 0..2"),
        planted(SUMS, "loop i in 0..2", "loop e in 0..2"),
    ];
    expect![[r#"
        a sum runs over an index that has a loop around it
        an index has two loops, one inside of the other"#]]
    .assert_eq(&found.join("\n"));
}

#[test]
fn what_reads_rows_that_are_not_there_stays_apart() {
    // One row less than is read: another loop fills the last one.
    let program = BLUR
        .replace("index k: n + 2", "index k: n + 1")
        .replace("y[j, i] =", "t[n + 1, i] = x[n + 1, i]   for i\ny[j, i] =");
    let (_, found) = scheduled(&program, 4);
    let printed = text::print(&found.program, &found.schedule);
    assert!(!printed.contains("ring"), "{printed}");
}

#[test]
fn faults_are_found() {
    let found = [
        planted(BLUR, "ring 3", "ring 2"),
        planted(BLUR, "loop k in 0..2 {", "loop k in 0..1 {"),
        planted(BLUR, "loop k in 0..2 {", "loop k in 1..2 {"),
        planted(BLUR, "with k+2", "with k+1"),
        planted(CHAIN, "ring 3", "ring 2"),
        planted(CHAIN, "with k+2 {", "with k+1 {"),
        planted(
            CHAIN,
            "loop l in 0..1 with k+2 {",
            "loop l in 0..0 with k+2 {",
        ),
    ];
    expect![[r#"
        `t[0, 0]` is read where its place holds another element
        `t` is read before it is written
        `t` is read before it is written
        `t` is read before it is written
        `t[0, 0]` is read where its place holds another element
        `t` is read before it is written
        `s` is read before it is written"#]]
    .assert_eq(&found.join("\n"));
}
