//! Unroll and jam: several iterations of a loop of run-time length around one over vectors of lanes, whose
//! sums go through their loops together, so that what they have in common is loaded once for all.
//!
//! Before:
//! ```text
//! loop i in 0..n { loop j in 0..m step 8 { reduce k { y[i, j] += } } }
//! ```
//! After, with two rows:
//! ```text
//! loop i in 0..n step 2 whole { loop j in 0..m step 8 { reduce k { y[i, j] += ; y[i + 1, j] += } } }
//! loop i in 0..n step 2 rest { loop j in 0..m step 8 { reduce k { y[i, j] += } } }
//! ```
//! Holds: what is computed, and the order of each sum.

use super::pipelining::is_over_vectors;
use super::tree::{Instance, Loop, Node, Schedule, Steps};
use crate::ir::{Extent, IndexId, Program};

/// Rows that are worth an estimate.
pub const ROWS: [usize; 3] = [1, 2, 4];

/// Puts so many rows together, wherever that can be; whether it can be anywhere.
pub fn run(program: &Program, schedule: &mut Schedule, rows: usize) -> bool {
    if rows < 2 || program.exact {
        return false;
    }
    let body = schedule.body.clone();
    let mut found = false;
    schedule.body = nodes(program, schedule, body, (rows, &mut found));
    found
}

fn nodes(
    program: &Program,
    schedule: &Schedule,
    all: Vec<Node>,
    (rows, found): (usize, &mut bool),
) -> Vec<Node> {
    let mut result = Vec::new();
    for node in all {
        match node {
            Node::Loop(l) if is_jammable(program, schedule, &l) => {
                *found = true;
                result.push(Node::Loop(jammed(&l, rows)));
                result.push(Node::Loop(Loop {
                    steps: Steps::Rest,
                    step: rows,
                    ..l
                }));
            }
            Node::Loop(mut l) => {
                l.body = nodes(program, schedule, l.body, (rows, found));
                result.push(Node::Loop(l));
            }
            other => result.push(other),
        }
    }
    result
}

/// Whether the body of a loop is a loop over vectors of lanes with sums over loops of run-time length, that
/// read nothing which other iterations write.
pub fn is_jammable(program: &Program, schedule: &Schedule, l: &Loop) -> bool {
    let plain = l.steps == Steps::All && l.step == 1 && l.start == 0 && l.with.is_empty();
    let long = matches!(l.end, Extent::RunTime(_));
    let [Node::Loop(inner)] = l.body.as_slice() else {
        return false;
    };
    let [Node::Reduction { instances, loops }] = inner.body.as_slice() else {
        return false;
    };
    let sums = loops.iter().all(|index| !program.is_constant(*index));
    let apart = instances.iter().all(|instance| {
        let equation = &program.equations[instance.equation];
        let written = program.viewed(equation.target.array);
        let accesses = program.pool.accesses([equation.expr]).into_iter();
        let mut read = accesses.map(|(_, access)| program.viewed(access.array));
        equation.free.contains(&l.index) && !read.any(|array| array == written)
    });
    plain && long && sums && apart && is_over_vectors(schedule, inner)
}

/// Whole steps of so many rows.
fn jammed(l: &Loop, rows: usize) -> Loop {
    let mut result = l.clone();
    (result.step, result.steps) = (rows, Steps::Whole);
    for node in &mut result.body {
        let Node::Loop(inner) = node else { continue };
        for node in &mut inner.body {
            let Node::Reduction { instances, .. } = node else {
                continue;
            };
            let each = (0..rows).flat_map(|row| {
                let own = instances.iter().cloned();
                own.map(move |instance| moved(instance, (l.index, row)))
            });
            *instances = each.collect();
        }
    }
    result
}

fn moved(mut instance: Instance, (index, row): (IndexId, usize)) -> Instance {
    instance.offsets.extend((row > 0).then_some((index, row)));
    instance
}

#[cfg(test)]
mod tests {
    use crate::ir::text::parse;
    use crate::schedule::{Target, Wishes, schedule, text};
    use expect_test::{Expect, expect};

    /// The loop tree of a program for AVX2.
    fn scheduled(program: &str, expected: &Expect) {
        let target = Target {
            width: 4,
            registers: 16,
        };
        let scheduled = schedule(&parse(program).unwrap(), target, &Wishes::default()).unwrap();
        expected.assert_eq(&text::print(&scheduled.program, &scheduled.schedule));
    }

    #[test]
    fn rows_of_a_product_share_what_they_are_multiplied_with() {
        scheduled(
            "program product\nindex i: len(y)\nindex j: n\nindex k: n\n\
             param 0 a: f64[len(a), n]\nparam 1 b: f64[len(b), n]\n\
             output 2 y: f64[len(y), n]\nparam 3 n: usize\n\
             y[i, j] += a[i, k]*b[k, j]   for i, j, k\n",
            &expect![[r#"
                schedule width 4 lanes j

                loop i in 0..len(y) step 2 whole {
                  loop j in 0..n step 16 {
                    reduce k {
                      eq 0               // y[i, j] +=
                      eq 0 @ i+1         // y[i + 1, j] +=
                      eq 0 @ j+4         // y[i, j + 4] +=
                      eq 0 @ i+1, j+4    // y[i + 1, j + 4] +=
                      eq 0 @ j+8         // y[i, j + 8] +=
                      eq 0 @ i+1, j+8    // y[i + 1, j + 8] +=
                      eq 0 @ j+12        // y[i, j + 12] +=
                      eq 0 @ i+1, j+12   // y[i + 1, j + 12] +=
                    }
                  }
                }
                loop i in 0..len(y) step 2 rest {
                  loop j in 0..n step 32 {
                    reduce k {
                      eq 0          // y[i, j] +=
                      eq 0 @ j+4    // y[i, j + 4] +=
                      eq 0 @ j+8    // y[i, j + 8] +=
                      eq 0 @ j+12   // y[i, j + 12] +=
                      eq 0 @ j+16   // y[i, j + 16] +=
                      eq 0 @ j+20   // y[i, j + 20] +=
                      eq 0 @ j+24   // y[i, j + 24] +=
                      eq 0 @ j+28   // y[i, j + 28] +=
                    }
                  }
                }
            "#]],
        );
    }

    #[test]
    fn rows_that_read_what_others_write_are_left_alone() {
        scheduled(
            "program weighted\nindex i: len(y)\nindex j: n\nindex k: n\n\
             param 0 a: f64[len(a), n]\noutput 1 y: f64[len(y), n]\nstate 1 y_held: f64[len(y), n]\n\
             param 2 n: usize\n\
             y[i, j] += sum(k) a[i, k]*a[k, j]*y_held[i, j]   for i, j\n",
            &expect![[r#"
                schedule width 4 lanes k
                store y_lanes: memory[_, _, _] lanes

                loop i in 0..len(y) {
                  loop j in 0..n {
                    zero y_lanes
                    loop k in 0..n step 8 {
                      block {
                        eq 0   // y_lanes[i, j, k] +=
                      }
                      block {
                        eq 0 @ k+4   // y_lanes[i, j, k + 4] +=
                      }
                    }
                    reduce k {
                      eq 1   // y[i, j] +=
                    }
                  }
                }
            "#]],
        );
    }
}
