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

use super::candidates::each_lane_keeps_its_order;
use super::pipelining::is_over_vectors;
use super::tree::{
    Dimension, Instance, Loop, Node, Pipelined, Schedule, Steps, Storage, instances, offset,
};
use super::wavefront;
use crate::collections::HashSet;
use crate::ir::{Access, Affine, ArrayId, IndexId, Program};
use std::collections::BTreeSet;

/// Rows that are worth an estimate.
pub const ROWS: [usize; 3] = [1, 2, 4];

/// Puts so many rows together, wherever that can be; whether it can be anywhere.
/// Rows of stencils are among these where there are registers for them.
pub fn run(
    program: &Program,
    schedule: &mut Schedule,
    (rows, registers): (usize, Option<usize>),
) -> bool {
    if rows < 2 {
        return false;
    }
    let mut found = wavefront::run(program, schedule, rows);
    let body = std::mem::take(&mut schedule.body);
    let fits = |l: &Loop| {
        let sums = || is_jammable(program, schedule, l) && !inside(program, schedule, l);
        let stencils = |registers| stencils::have_rows(program, schedule, (l, rows), registers);
        each_lane_keeps_its_order(program, l.index) && (sums() || registers.is_some_and(stencils))
    };
    let body = nodes(body, &fits, (rows, &mut found));
    schedule.body = body;
    found
}

/// Whether rows of stencils take a step together anywhere.
pub fn has_stencils(body: &[Node]) -> bool {
    body.iter().any(|node| match node {
        Node::Loop(l) => {
            (l.steps == Steps::Whole && are_stencils(&l.body)) || has_stencils(&l.body)
        }
        _ => false,
    })
}

/// Whether what rows have in common is what they read, not what sums or chains of theirs wait for.
pub fn are_stencils(body: &[Node]) -> bool {
    body.iter().all(|node| match node {
        Node::Loop(l) => !matches!(l.steps, Steps::Skewed { .. }) && are_stencils(&l.body),
        Node::Reduction { .. } => false,
        _ => true,
    })
}

/// Whether a loop takes whole steps of the rows that another one takes one by one, which have elements in common.
pub fn are_rows(whole: &Loop, rest: &Loop) -> bool {
    let same = whole.index == rest.index && whole.start == 0 && whole.step == rest.step;
    let loops = rest.body.iter().all(|node| matches!(node, Node::Loop(_)));
    // Steps along the lanes may have different lengths.
    let computed = |l: &Loop| -> BTreeSet<(usize, usize)> {
        let all = instances(&l.body).into_iter();
        all.map(|own| (own.equation, offset(&own.offsets, l.index)))
            .collect()
    };
    let each = |(equation, _)| (0..whole.step).map(move |row| (equation, row));
    same && (whole.steps, rest.steps) == (Steps::Whole, Steps::Rest)
        && loops
        && are_stencils(&whole.body)
        && computed(whole) == computed(rest).into_iter().flat_map(each).collect()
}

/// The same in a loop tree without lanes: the iterations of the loops around sums of run-time length.
pub fn sums(program: &Program, schedule: &mut Schedule, rows: usize) {
    let body = std::mem::take(&mut schedule.body);
    let fits =
        |l: &Loop| is_long(l) && is_plain(l) && is_sums(program, schedule, (&l.body, l.index));
    let body = match schedule.width > 1 || program.exact {
        true => body,
        false => nodes(body, &fits, (rows, &mut false)),
    };
    schedule.body = body;
}

fn nodes(
    all: Vec<Node>,
    fits: &dyn Fn(&Loop) -> bool,
    (rows, found): (usize, &mut bool),
) -> Vec<Node> {
    let mut result = Vec::new();
    for node in all {
        match node {
            Node::Loop(l) if fits(&l) => {
                *found = true;
                result.extend(in_steps(l, rows).into_iter().map(Node::Loop));
            }
            Node::Loop(mut l) => {
                l.body = nodes(l.body, fits, (rows, found));
                result.push(Node::Loop(l));
            }
            other => result.push(other),
        }
    }
    result
}

/// Whether the body of a loop is loops over vectors of lanes, in others or not, with sums over loops of run-time length
/// and what follows from these at once, that read nothing which other iterations write.
pub fn is_jammable(program: &Program, schedule: &Schedule, l: &Loop) -> bool {
    let alike = shared(program, schedule, l) > 0;
    is_nest_of_sums(program, schedule, (&l.body, alike))
        && (alike || is_long(l))
        && has_rows_apart(program, schedule, l)
}

/// Whether all iterations of a loop can be together: none reads what others write, and what one of the loops inside leaves
/// to the next has a place for each iteration.
fn has_rows_apart(program: &Program, schedule: &Schedule, l: &Loop) -> bool {
    let kept = |instance: &&Instance| {
        let target = &program.equations[instance.equation].target;
        let own = |(at, subscript): (usize, &Affine)| {
            let contracted = match schedule.storage_of(target.array) {
                Some(Storage::Memory { extents, .. }) => extents[at] == Dimension::CONTRACTED,
                _ => false,
            };
            subscript.as_index() == Some(l.index) && contracted
        };
        !target.subscripts.iter().enumerate().any(own)
    };
    is_plain(l)
        && instances(&l.body).iter().all(kept)
        && is_apart(program, schedule, (&l.body, l.index))
}

/// Whether the body of a loop is loops over vectors of lanes, one after the other, with such sums, what else is computed at
/// once, and copies of what lanes stage, that read nothing which other iterations write.
pub fn has_rows_of_sums(program: &Program, schedule: &Schedule, l: &Loop) -> bool {
    let own = |node: &Node| match node {
        Node::CopyOut(copy) => copy.pipelined == Pipelined::No,
        other => are_sums(program, std::slice::from_ref(other)),
    };
    let fits = |node: &Node| match node {
        Node::Loop(inner) => is_over_vectors(schedule, inner) && inner.body.iter().all(own),
        _ => false,
    };
    let own = is_long(l) && is_plain(l) && l.body.iter().all(fits);
    own && is_apart(program, schedule, (&l.body, l.index))
}

/// Whether rows of a loop inside of one share more of what lies along the lanes than rows of this one do.
fn inside(program: &Program, schedule: &Schedule, l: &Loop) -> bool {
    let own = shared(program, schedule, l);
    let mut body = l.body.as_slice();
    while let [Node::Loop(inner)] = body {
        if is_jammable(program, schedule, inner) && shared(program, schedule, inner) > own {
            return true;
        }
        body = &inner.body;
    }
    false
}

/// How many accesses along the lanes are the same in all iterations of a loop.
fn shared(program: &Program, schedule: &Schedule, l: &Loop) -> usize {
    let all = instances(&l.body).into_iter();
    let exprs = all.map(|instance| program.equations[instance.equation].expr);
    let accesses = program.pool.accesses(exprs).into_iter();
    let moves = |access: &Access| schedule.lane_loops().any(|lane| access.depends_on(lane));
    let own = accesses.filter(|(_, access)| moves(access) && !access.depends_on(l.index));
    own.count()
}

/// Whether some nodes are loops over vectors of lanes, in others or not, with sums: of any length where rows have what is along
/// the lanes in common.
fn is_nest_of_sums(program: &Program, schedule: &Schedule, (body, alike): (&[Node], bool)) -> bool {
    let sums = |own: &[Node]| are_sums(program, own) || (alike && are_at_once(own));
    let fits = |node: &Node| match node {
        Node::Loop(inner) if is_over_vectors(schedule, inner) => sums(&inner.body),
        Node::Loop(inner) => {
            let long = is_long(inner) || alike;
            long && is_plain(inner) && is_nest_of_sums(program, schedule, (&inner.body, alike))
        }
        _ => false,
    };
    body.iter().all(fits) && body.iter().any(has_sums)
}

fn has_sums(node: &Node) -> bool {
    match node {
        Node::Reduction { .. } => true,
        Node::Loop(inner) => inner.body.iter().any(has_sums),
        _ => false,
    }
}

/// Whether some nodes are sums over loops of run-time length and what follows from these at once.
fn is_sums(program: &Program, schedule: &Schedule, (body, index): (&[Node], IndexId)) -> bool {
    are_sums(program, body)
        && body.iter().any(has_sums)
        && is_apart(program, schedule, (body, index))
}

/// Whether all nodes are sums over loops of run-time length, or what is computed at once.
fn are_sums(program: &Program, body: &[Node]) -> bool {
    let long = |loops: &[IndexId]| loops.iter().all(|index| !program.is_constant(*index));
    let fits = |node: &Node| match node {
        Node::Reduction { loops, .. } => long(loops),
        Node::Block(_) => true,
        _ => false,
    };
    body.iter().all(fits)
}

/// Whether the iterations of a loop read nothing that other ones write: of what they write they read values that are in
/// registers until they end, and elements that are their own.
fn is_apart(program: &Program, schedule: &Schedule, (body, index): (&[Node], IndexId)) -> bool {
    let kept = |array| matches!(schedule.storage_of(array), Some(Storage::Register { .. }));
    let all = instances(body).into_iter();
    let mut equations = all.map(|instance| &program.equations[instance.equation]);
    equations.all(|equation| equation.free.contains(&index))
        && reads_its_own(program, (body, index), &kept)
}

/// Whether what nodes read of what they write are elements that are an iteration's own, but for arrays that are kept
/// otherwise.
pub fn reads_its_own(
    program: &Program,
    (body, index): (&[Node], IndexId),
    kept: &dyn Fn(ArrayId) -> bool,
) -> bool {
    let all = instances(body).into_iter();
    let equations = all.map(|instance| &program.equations[instance.equation]);
    let targets = equations.clone().map(|equation| &equation.target);
    let written: Vec<&Access> = targets.filter(|target| !kept(target.array)).collect();
    let arrays: HashSet<ArrayId> = (written.iter())
        .map(|target| program.viewed(target.array))
        .collect();
    let own = |access: &Access| {
        let array = program.viewed(access.array);
        let mut same = written
            .iter()
            .filter(|own| program.viewed(own.array) == array);
        let mut subscripts = access.subscripts.iter();
        !arrays.contains(&array)
            || (subscripts.any(|own| own.as_index() == Some(index))
                && same.all(|own| own.subscripts == access.subscripts))
    };
    let mut exprs = equations.map(|equation| equation.expr);
    exprs.all(|expr| {
        let accesses = program.pool.accesses([expr]).into_iter();
        accesses.map(|(_, access)| access).all(own)
    })
}

mod stencils;
mod steps;
pub use stencils::{gain_far, of_near_rows};
pub use steps::moved;
use steps::{are_at_once, in_steps, is_long, is_plain};

#[cfg(test)]
pub(super) mod tests {
    use crate::schedule::tree_for_avx2;
    use expect_test::{Expect, expect};

    /// The loop tree of a program for AVX2.
    pub fn scheduled(program: &str, expected: &Expect) {
        expected.assert_eq(&tree_for_avx2(program));
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

                loop i in 0..len(y) step 4 whole {
                  loop j in 0..n step 8 {
                    reduce k {
                      eq 0              // y[i, j] +=
                      eq 0 @ i+1        // y[i + 1, j] +=
                      eq 0 @ i+2        // y[i + 2, j] +=
                      eq 0 @ i+3        // y[i + 3, j] +=
                      eq 0 @ j+4        // y[i, j + 4] +=
                      eq 0 @ i+1, j+4   // y[i + 1, j + 4] +=
                      eq 0 @ i+2, j+4   // y[i + 2, j + 4] +=
                      eq 0 @ i+3, j+4   // y[i + 3, j + 4] +=
                    }
                  }
                }
                loop i in 0..len(y) step 4 rest {
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
    fn sums_in_sums_have_rows_too() {
        let program = "program nested\nindex i: ni\nindex j: nj\nindex s: r\nindex k: nk\n\
             param 0 x: f64[len(x), nj, nk] flat\nparam 1 b: f64[len(b), r]\nparam 2 c: f64[len(c), r]\n\
             output 3 m: f64[len(m), r]\nparam 4 ni: usize\nparam 5 nj: usize\nparam 6 nk: usize\n\
             param 7 r: usize\ntemp t: f64[ni, nj, r]\n\
             t[i, j, s] = sum(k) x[i, j, k]*c[k, s]   for i, j, s\n\
             m[i, s] += sum(j) b[j, s]*t[i, j, s]   for i, s\n";
        let tree = tree_for_avx2(program);
        expect![[r#"
            schedule width 4 lanes s'2
            store t: register lanes

            loop i'2 in 0..ni step 4 whole {
              loop j'2 in 0..nj {
                loop s'2 in 0..r step 8 {
                  reduce k'2 {
                    eq 0                  // t[i'2, j'2, s'2] =
                    eq 0 @ i'2+1          // t[i'2 + 1, j'2, s'2] =
                    eq 0 @ i'2+2          // t[i'2 + 2, j'2, s'2] =
                    eq 0 @ i'2+3          // t[i'2 + 3, j'2, s'2] =
                    eq 0 @ s'2+4          // t[i'2, j'2, s'2 + 4] =
                    eq 0 @ i'2+1, s'2+4   // t[i'2 + 1, j'2, s'2 + 4] =
                    eq 0 @ i'2+2, s'2+4   // t[i'2 + 2, j'2, s'2 + 4] =
                    eq 0 @ i'2+3, s'2+4   // t[i'2 + 3, j'2, s'2 + 4] =
                  }"#]]
        .assert_eq(&tree.lines().take(16).collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn rows_that_read_what_others_write_are_left_alone() {
        scheduled(
            "program weighted\nindex i: len(y)\nindex j: n\nindex k: n\n\
             param 0 a: f64[len(a), n]\noutput 1 y: f64[len(y), n]\nstate 1 y_held: f64[len(y), n]\n\
             param 2 n: usize\n\
             y[i, j] += sum(k) a[i, k]*a[k, j]*y_held[i, j]   for i, j\n",
            &expect![[r#"
                schedule width 4 lanes j

                loop i in 0..len(y) step 4 whole {
                  loop j in 0..n step 8 {
                    reduce k {
                      eq 0              // y[i, j] +=
                      eq 0 @ i+1        // y[i + 1, j] +=
                      eq 0 @ i+2        // y[i + 2, j] +=
                      eq 0 @ i+3        // y[i + 3, j] +=
                      eq 0 @ j+4        // y[i, j + 4] +=
                      eq 0 @ i+1, j+4   // y[i + 1, j + 4] +=
                      eq 0 @ i+2, j+4   // y[i + 2, j + 4] +=
                      eq 0 @ i+3, j+4   // y[i + 3, j + 4] +=
                    }
                  }
                }
                loop i in 0..len(y) step 4 rest {
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
    fn rows_of_known_number_share_columns_of_run_time_number() {
        scheduled(
            "program small\nindex e: len(a)\nindex i: 7\nindex j: n\nindex k: 5\n\
             param 0 a: f64[len(a), 7, 5]\nparam 1 b: f64[len(b), 5, n]\n\
             output 2 y: f64[len(y), 7, n]\nparam 3 n: usize\n\
             y[e, i, j] = sum(k) a[e, i, k] * b[e, k, j]   for e, i, j\n",
            &expect![[r#"
                schedule width 4 lanes j

                loop e in 0..len(a) {
                  loop i in 0..4 step 4 {
                    loop j in 0..n step 4 {
                      reduce k {
                        eq 0         // y[e, i, j] =
                        eq 0 @ i+1   // y[e, i + 1, j] =
                        eq 0 @ i+2   // y[e, i + 2, j] =
                        eq 0 @ i+3   // y[e, i + 3, j] =
                      }
                    }
                  }
                  loop i in 4..7 step 3 {
                    loop j in 0..n step 4 {
                      reduce k {
                        eq 0         // y[e, i, j] =
                        eq 0 @ i+1   // y[e, i + 1, j] =
                        eq 0 @ i+2   // y[e, i + 2, j] =
                      }
                    }
                  }
                }
            "#]],
        );
    }
}
