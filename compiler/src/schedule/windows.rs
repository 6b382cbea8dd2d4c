//! Neighbours along the lanes out of one load.
//!
//! A register that begins anywhere lies on two lines of the cache, mostly, and takes two loads' time. What a window reads
//! along the lanes is loaded once, as a temporary; the others are shifted out of two registers of it
//! ([`overlapped`](super::overlapped)), where the cost model says that this takes fewer cycles.
//!
//! Before: `loop i step 8 { block { y[i] = x[i] + x[i + 1] + x[i + 3] } }`. After: `loop k step 8 { block { t[k] = x[k] } }
//! loop i step 8 { block { y[i] = t[i] + t[i + 1] + t[i + 3] } }`, to begin with.
//!
//! Holds: what is computed. The longer loop reads what the loop of the text reads, since it is there only where that has
//! iterations.

use std::collections::BTreeMap;

use super::executed;
use super::lie::{self, Lie};
use super::pipelining::is_over_vectors;
use super::same_rows::{Place, SameRows};
use super::tree::{Dimension, Instance, Loop, Node, Schedule, Storage, instances};
use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, Affine, Equation, Expr, ExprId, Extent, IndexId, Operator, Program, Role};
use crate::machine::LINE;
use crate::rewrite::replace::replace_accesses;

/// Vectors that the elements of a window may be apart.
const MOST_VECTORS: i64 = 4;

/// Accesses that differ in how far along the lanes they are: the first one of them.
struct Window {
    first: Access,
    /// Elements from the first to the last.
    span: i64,
}

/// Where what is loaded along the lanes begins, in some code.
#[derive(Default)]
pub struct Begun {
    first: HashMap<Access, i64>,
    /// Values of inputs, of whichever row.
    same: Option<SameRows>,
    places: HashSet<Place>,
}

impl Begun {
    /// At the start of some instances.
    pub fn of(program: &Program, schedule: &Schedule, instances: &[Instance]) -> Begun {
        Begun {
            same: SameRows::of(program, schedule, instances),
            ..Begun::default()
        }
    }

    /// The parts of an instance's value that are not in `seen`, but for those of inputs that another row has read or computed.
    pub fn unread(
        &mut self,
        program: &Program,
        instance: &Instance,
        seen: &mut HashSet<executed::Value>,
    ) -> Vec<ExprId> {
        let (same, places) = (&mut self.same, &mut self.places);
        executed::unseen_but(program, instance, seen, &mut |expr| {
            let value = (expr, &instance.offsets);
            let same = same.as_mut();
            same.is_some_and(|same| !same.is_new(program, value, places))
        })
    }

    /// How many loads more a register takes that lies on two lines of the cache: of those that begin at different
    /// places, all but one.
    pub fn across_lines(&mut self, program: &Program, schedule: &Schedule, expr: ExprId) -> f64 {
        let Expr::Access(access) = program.pool.get(expr) else {
            return 0.0;
        };
        let mut lanes = schedule.lane_loops();
        let input = schedule.storage_of(access.array).is_none();
        let along = schedule.width > 1 && lanes.any(|lane| access.depends_on(lane));
        if !input || !along || lie::of(program, schedule, access) != Lie::Together {
            return 0.0;
        }
        let (key, at) = apart(access);
        let first = *self.first.entry(key).or_insert(at);
        match (at - first) % schedule.width as i64 {
            0 => 0.0,
            _ => bytes(program, schedule, access) as f64 / LINE as f64,
        }
    }
}

/// Bytes of a register of what is accessed.
fn bytes(program: &Program, schedule: &Schedule, access: &Access) -> usize {
    schedule.width * program.array(access.array).element.bytes()
}

/// Loads windows once, in loops before those that read them; whether there are any. Registers of fewer bits than a line
/// has lie on one line more often, and take several shuffles to shift.
pub fn run(program: &mut Program, schedule: &mut Schedule) -> bool {
    let body = std::mem::take(&mut schedule.body);
    let mut count = vec![0; program.equations.len()];
    for instance in instances(&body) {
        count[instance.equation] += 1;
    }
    let mut found = false;
    schedule.body = nodes((program, schedule), (body, &count), &[], &mut found);
    found
}

fn nodes(
    (program, schedule): (&mut Program, &mut Schedule),
    (old, count): (Vec<Node>, &[usize]),
    around: &[IndexId],
    found: &mut bool,
) -> Vec<Node> {
    let mut result = Vec::new();
    for mut node in old {
        if let Node::Loop(l) = &mut node {
            if is_over_vectors(schedule, l) {
                let before = loads((program, schedule), (l, count), around);
                *found |= !before.is_empty();
                result.extend(before);
            } else {
                let inside = [around, &[l.index]].concat();
                let body = std::mem::take(&mut l.body);
                l.body = nodes((program, schedule), (body, count), &inside, found);
            }
        }
        result.push(node);
    }
    result
}

/// The loops that load what a loop over vectors reads in windows.
fn loads(
    (program, schedule): (&mut Program, &mut Schedule),
    (l, count): (&Loop, &[usize]),
    around: &[IndexId],
) -> Vec<Node> {
    let [Node::Block(block)] = l.body.as_slice() else {
        return Vec::new();
    };
    let plain = block.iter().all(|instance| {
        instance.offsets.is_empty()
            && count.get(instance.equation) == Some(&1)
            && program.equations[instance.equation].reduction.is_empty()
    });
    if !plain || !l.with.is_empty() {
        return Vec::new();
    }
    let equations: Vec<usize> = block.iter().map(|own| own.equation).collect();
    let mut before = Vec::new();
    for window in windows((program, schedule), &equations, l.index) {
        let free: Vec<IndexId> = around
            .iter()
            .copied()
            .filter(|index| window.first.depends_on(*index))
            .collect();
        before.push(load((program, schedule), (l, &equations), (window, &free)));
    }
    before
}

/// The windows that some equations read along the lanes.
fn windows(
    (program, schedule): (&Program, &Schedule),
    equations: &[usize],
    lane: IndexId,
) -> Vec<Window> {
    let exprs = equations.iter().map(|at| program.equations[*at].expr);
    let mut read: Vec<&Access> = (program.pool.accesses(exprs).into_iter())
        .map(|(_, access)| access)
        .collect();
    read.sort();
    let mut found: BTreeMap<Access, Vec<i64>> = BTreeMap::new();
    for access in read {
        let array = program.array(access.array);
        let own = matches!(array.role, Role::Parameter(_)) && !array.element.is_integer();
        let together = bytes(program, schedule, access) == LINE
            && access.depends_on(lane)
            && access.subscripts.last().map(|last| last.coefficient(lane)) == Some(1)
            && lie::of(program, schedule, access) == Lie::Together;
        if own && together {
            let (key, at) = apart(access);
            found.entry(key).or_default().push(at);
        }
    }
    let mut result = Vec::new();
    for (mut first, mut places) in found {
        places.sort_unstable();
        places.dedup();
        let (least, most) = (places[0], places[places.len() - 1]);
        let near = most - least <= MOST_VECTORS * schedule.width as i64;
        if places.len() > 1 && near {
            move_by(&mut first, least);
            result.push(Window {
                first,
                span: most - least,
            });
        }
    }
    result
}

/// An access without what is added to its last subscript, and that.
fn apart(access: &Access) -> (Access, i64) {
    let mut key = access.clone();
    let at = key.subscripts.last().map_or(0, |last| last.constant);
    move_by(&mut key, -at);
    (key, at)
}

fn move_by(access: &mut Access, by: i64) {
    if let Some(last) = access.subscripts.last_mut() {
        last.constant += by;
    }
}

/// The loop that loads a window, which equations then read as a temporary.
fn load(
    (program, schedule): (&mut Program, &mut Schedule),
    (l, equations): (&Loop, &[usize]),
    (window, free): (Window, &[IndexId]),
) -> Node {
    let Window { first, span } = window;
    let name = program.loop_index(l.index).name.clone();
    let extent = program.loop_index(l.index).extent.longer(span as usize);
    let own = program.add_index(&name, extent.clone());
    let element = program.array(first.array).element;
    let name = format!("{}_loaded", program.array(first.array).name);
    let loops: Vec<IndexId> = free.iter().copied().chain([own]).collect();
    let target = program.add_temporary(&name, &loops, element);
    let along = |index: IndexId| match index == l.index {
        true => Affine::index(own),
        false => Affine::index(index),
    };
    let from = first.substitute(&along);
    let expr = program.pool.add(Expr::Access(from), element);
    let array = target.array;
    program.equations.push(Equation {
        target: target.clone(),
        operator: Operator::Assign,
        free: loops,
        reduction: Vec::new(),
        expr,
    });
    let (key, least) = apart(&first);
    for at in equations {
        let expr = program.equations[*at].expr;
        program.equations[*at].expr =
            replace_accesses(program, expr, |program, access, element| {
                let (own_key, at) = apart(access);
                (own_key == key).then(|| {
                    let mut read = target.clone();
                    if let Some(last) = read.subscripts.last_mut() {
                        *last = Affine::index(l.index).add(&Affine::constant(at - least));
                    }
                    program.pool.add(Expr::Access(read), element)
                })
            });
    }
    let mut extents = vec![Dimension::CONTRACTED; free.len()];
    extents.push(match extent {
        Extent::Constant(n) => Dimension::Kept(n),
        Extent::RunTime(_) => Dimension::RunTime,
    });
    let storage = Storage::Memory {
        extents,
        lanes: false,
    };
    schedule.storage.push((array, storage));
    schedule.others.push(own);
    let instance = Instance {
        equation: program.equations.len() - 1,
        offsets: Vec::new(),
    };
    Node::Loop(Loop {
        index: own,
        end: extent,
        with: Vec::new(),
        body: vec![Node::Block(vec![instance])],
        ..l.clone()
    })
}

#[cfg(test)]
mod tests {
    use crate::ir::text::parse;
    use crate::schedule::{Target, Wishes, schedule, text};
    use expect_test::{Expect, expect};

    /// The loop tree of three neighbours of a row and one of the row below, with vectors of so many lanes.
    fn check(width: usize, expected: &Expect) {
        let program = "program rows\nindex j: n\nindex i: m\nparam 0 x: f64[n + 1, m + 3]\noutput 1 y: f64[n, m]\n\
             param 2 n: usize\nparam 3 m: usize\n\
             y[j, i] = x[j, i] + x[j, i + 1] + x[j, i + 3] + x[j + 1, i + 1]   for j, i\n";
        let target = Target {
            width,
            registers: 32,
        };
        let found = schedule(&parse(program).unwrap(), target, &Wishes::default()).unwrap();
        expected.assert_eq(&text::print(&found.program, &found.schedule));
    }

    #[test]
    fn neighbours_are_shifted_out_of_long_registers() {
        check(
            8,
            &expect![[r#"
            schedule width 8 lanes i, i'2
            store x_loaded: register lanes

            loop j in 0..n {
              loop i in 0..m step 64 with i'2+0 {
                block {
                  eq 1            // x_loaded[j, i'2] =
                  eq 1 @ i'2+8    // x_loaded[j, i'2 + 8] =
                  eq 0            // y[j, i] =
                  eq 1 @ i'2+16   // x_loaded[j, i'2 + 16] =
                  eq 0 @ i+8      // y[j, i + 8] =
                  eq 1 @ i'2+24   // x_loaded[j, i'2 + 24] =
                  eq 0 @ i+16     // y[j, i + 16] =
                  eq 1 @ i'2+32   // x_loaded[j, i'2 + 32] =
                  eq 0 @ i+24     // y[j, i + 24] =
                  eq 1 @ i'2+40   // x_loaded[j, i'2 + 40] =
                  eq 0 @ i+32     // y[j, i + 32] =
                  eq 1 @ i'2+48   // x_loaded[j, i'2 + 48] =
                  eq 0 @ i+40     // y[j, i + 40] =
                  eq 1 @ i'2+56   // x_loaded[j, i'2 + 56] =
                  eq 0 @ i+48     // y[j, i + 48] =
                  eq 1 @ i'2+64   // x_loaded[j, i'2 + 64] =
                  eq 0 @ i+56     // y[j, i + 56] =
                }
              }
            }
        "#]],
        );
    }

    #[test]
    fn short_registers_are_loaded() {
        check(
            4,
            &expect![[r#"
                schedule width 4 lanes i

                loop j in 0..n step 4 whole {
                  loop i in 0..m step 4 {
                    block {
                      eq 0         // y[j, i] =
                      eq 0 @ j+1   // y[j + 1, i] =
                      eq 0 @ j+2   // y[j + 2, i] =
                      eq 0 @ j+3   // y[j + 3, i] =
                    }
                  }
                }
                loop j in 0..n step 4 rest {
                  loop i in 0..m step 8 {
                    block {
                      eq 0   // y[j, i] =
                    }
                    block {
                      eq 0 @ i+4   // y[j, i + 4] =
                    }
                  }
                }
            "#]],
        );
    }
}
