//! Temporaries along the lanes in registers: overlapped tiles of a loop over vectors.
//!
//! What several iterations of a loop have in common is computed in loops of their own, which keep it in memory.
//! Where lanes run over these loops, as few vectors of each as some vectors of the result need are computed
//! beside these, and stay in registers: what is read between two vectors is shifted out of both. The vectors that
//! the next step needs too are handed on to it, one for each time that readers cross the end of a vector.
//!
//! Before:
//! ```text
//! loop k in 0..n + 2 step 8 { block { t[k] = } }
//! loop i in 0..n step 8 { block { y[i] = t[i] … t[i + 2] } }
//! ```
//! After, with two vectors a step:
//! ```text
//! loop i in 0..n step 16 with k { block { t[k] = ; t[k + 8] = ; y[i] = ; t[k + 16] = ; y[i + 8] = } }
//! ```
//! Holds: what is computed (Ernst 1995, section 3.2, with vectors in the place of elements).

use std::collections::HashMap;

use super::dependence::reads;
use super::pipelining::is_over_vectors;
use super::shorter::{first_vectors, of_instances};
use super::tree::{Dimension, Instance, Loop, Node, Schedule, Steps, Storage, instances};
use crate::ir::{Access, Affine, ArrayId, Expr, IndexId, Operator, Program, Role};

/// Vectors of the result that may take a step together.
pub const VECTORS: [usize; 4] = [1, 2, 4, 8];

/// Most instances of a step.
const MOST: usize = 96;

/// Puts loops over vectors together, with so many vectors of the results a step; what is in registers then.
pub fn run(program: &Program, schedule: &mut Schedule, vectors: usize) -> Vec<String> {
    if schedule.width < 2 || !has_one_type(program) {
        return Vec::new();
    }
    let body = std::mem::take(&mut schedule.body);
    let mut count = HashMap::new();
    for instance in instances(&body) {
        *count.entry(instance.equation).or_insert(0) += 1;
    }
    let mut tiling = Tiling {
        program,
        schedule,
        vectors,
        reads: reads(program),
        count,
        kept: Vec::new(),
    };
    let body = tiling.nodes(body);
    let kept = std::mem::take(&mut tiling.kept);
    schedule.body = body;
    for (array, storage) in &mut schedule.storage {
        if kept.contains(array) {
            *storage = Storage::Register { lanes: true };
        }
    }
    let names = kept.iter().map(|array| program.array(*array).name.clone());
    names.collect()
}

/// Shuffles that an element in a register takes: its lanes may be those of two registers.
pub fn shuffles(schedule: &Schedule, access: &Access) -> f64 {
    let between = |subscript: &Affine| {
        let moves = schedule.lane_loops().any(|lane| subscript.depends_on(lane));
        moves && subscript.constant % schedule.width as i64 != 0
    };
    f64::from(u8::from(access.subscripts.iter().any(between)))
}

/// What a step of single vectors computes that the one before it has computed, and hands on: all vectors of temporaries
/// but the last.
pub fn handed_on(one: &Loop) -> Vec<Instance> {
    let all = instances(&one.body).into_iter();
    let moving = one.with.iter().map(|(index, _)| *index);
    let moving: Vec<IndexId> = moving.chain([one.index]).collect();
    let apart = |instance: &Instance| {
        let offsets = instance.offsets.iter().copied();
        let (along, rows): (Vec<_>, Vec<_>) =
            offsets.partition(|(index, _)| moving.contains(index));
        let at = along.iter().map(|(_, offset)| *offset).max();
        (instance.equation, rows, at.unwrap_or(0))
    };
    let last = |own: &Instance| {
        let (equation, rows, at) = apart(own);
        let mut others = instances(&one.body).into_iter().map(apart);
        !others.any(|(other, of, later)| other == equation && of == rows && later > at)
    };
    all.filter(|own| !last(own)).cloned().collect()
}

/// A step over vectors that several indices share, without what the one before it hands on; `None` of other loops.
pub fn steady(schedule: &Schedule, l: &Loop) -> Option<Loop> {
    let vectors = schedule.width > 1 && schedule.is_lane(l.index) && l.steps == Steps::All;
    if l.with.is_empty() || !vectors {
        return None;
    }
    let known = handed_on(&first_vectors(l, 1, schedule.width));
    Some(of_instances(l, &|own| !known.contains(own)))
}

/// Whether all numbers are of one type: registers then have one number of lanes.
fn has_one_type(program: &Program) -> bool {
    let mut types = program.reachable().into_iter().map(|expr| {
        let cast = matches!(program.pool.get(expr), Expr::Cast(..));
        (program.pool.element(expr), cast)
    });
    let first = types.next();
    first.is_none_or(|first| !first.1 && !first.0.is_integer() && types.all(|other| other == first))
}

struct Tiling<'a> {
    program: &'a Program,
    schedule: &'a Schedule,
    vectors: usize,
    /// The temporaries that each equation reads.
    reads: Vec<Vec<Access>>,
    /// How many instances each equation has.
    count: HashMap<usize, usize>,
    /// Temporaries that are in registers.
    kept: Vec<ArrayId>,
}

/// The first vector of an equation that a step needs, and the one after the last.
type Need = HashMap<usize, (usize, usize)>;

impl Tiling<'_> {
    fn nodes(&mut self, mut nodes: Vec<Node>) -> Vec<Node> {
        for node in &mut nodes {
            if let Node::Loop(l) = node
                && !self.schedule.is_lane(l.index)
            {
                l.body = self.nodes(std::mem::take(&mut l.body));
            }
        }
        let mut last = nodes.len();
        while last > 1 {
            last -= 1;
            let Some(first) = self.first(&nodes[..=last]) else {
                continue;
            };
            if let Some(tiled) = self.tiled(&nodes[first..=last]) {
                nodes.splice(first..=last, [Node::Loop(tiled)]);
                last = first;
            }
        }
        nodes
    }

    /// Equations of a loop over vectors that is one block, each once.
    fn block(&self, node: &Node) -> Option<(IndexId, Vec<usize>)> {
        let Node::Loop(l) = node else { return None };
        let [Node::Block(instances)] = l.body.as_slice() else {
            return None;
        };
        let plain = |instance: &Instance| {
            let equation = &self.program.equations[instance.equation];
            instance.offsets.is_empty()
                && self.count.get(&instance.equation) == Some(&1)
                && equation.reduction.is_empty()
                && self.schedule.lane_of(equation) == Some(l.index)
        };
        let fits = is_over_vectors(self.schedule, l)
            && l.with.is_empty()
            && Some(&l.end) == Some(&self.program.loop_index(l.index).extent)
            && instances.iter().all(plain);
        fits.then(|| (l.index, instances.iter().map(|i| i.equation).collect()))
    }

    /// The first of the loops that can share one with the last of some nodes.
    fn first(&self, nodes: &[Node]) -> Option<usize> {
        let (last, before) = nodes.split_last()?;
        let mut inside = self.block(last)?.1;
        let mut first = before.len();
        for node in before.iter().rev() {
            let Some((_, own)) = self.block(node) else {
                break;
            };
            if !self.is_for(&own, &inside) {
                break;
            }
            inside.extend(own);
            first -= 1;
        }
        (first < before.len()).then_some(first)
    }

    /// Whether all that some equations compute is for themselves and some others, at places that are known.
    fn is_for(&self, own: &[usize], others: &[usize]) -> bool {
        own.iter().all(|equation| {
            let target = &self.program.equations[*equation].target;
            let temporary = matches!(self.program.array(target.array).role, Role::Temporary);
            let stored = match self.schedule.storage_of(target.array) {
                Some(Storage::Memory { extents, lanes }) => {
                    !lanes && !extents.iter().any(|d| matches!(d, Dimension::Ring(2..)))
                }
                Some(Storage::Register { lanes }) => *lanes,
                _ => false,
            };
            let assigned = self.program.equations[*equation].operator == Operator::Assign
                && self.program.sole_writer(target.array) == Some(*equation);
            let readers = self.reads.iter().enumerate();
            let mut read = readers.flat_map(|(at, reads)| reads.iter().map(move |r| (at, r)));
            temporary
                && stored
                && assigned
                && read.all(|(reader, access)| {
                    let here = own.contains(&reader) || others.contains(&reader);
                    access.array != target.array
                        || !self.count.contains_key(&reader)
                        || (here && self.shift(access, (*equation, reader)).is_some())
                })
        })
    }

    /// How many lanes behind its own a reader needs the element of a temporary.
    fn shift(&self, access: &Access, (writer, reader): (usize, usize)) -> Option<usize> {
        let [writer, reader] = [writer, reader].map(|at| &self.program.equations[at]);
        let written = self.schedule.lane_of(writer)?;
        let read = self.schedule.lane_of(reader)?;
        let mut shift = None;
        for (at, target) in access.subscripts.iter().zip(&writer.target.subscripts) {
            if *target == Affine::index(written) {
                let by = at.sub(&Affine::index(read)).as_constant()?;
                shift = Some(usize::try_from(by).ok()?);
            } else if at != target || target.depends_on(written) {
                return None;
            }
        }
        shift
    }

    /// One loop for some.
    fn tiled(&mut self, nodes: &[Node]) -> Option<Loop> {
        let loops: Vec<(IndexId, Vec<usize>)> = nodes
            .iter()
            .map(|node| self.block(node))
            .collect::<Option<_>>()?;
        let order: Vec<usize> = loops.iter().flat_map(|(_, all)| all.clone()).collect();
        let (index, _) = *loops.last().as_ref()?;
        let width = self.schedule.width;
        let mut done: HashMap<usize, usize> = HashMap::new();
        let mut body = Vec::new();
        for vector in 0..self.vectors {
            let need = self.need(&order, vector + 1);
            for equation in &order {
                let (first, end) = *need.get(equation)?;
                let lane = self.schedule.lane_of(&self.program.equations[*equation])?;
                let next = done.entry(*equation).or_insert(first);
                for at in *next..end {
                    body.push(Instance {
                        equation: *equation,
                        offsets: (at > 0).then_some((lane, at * width)).into_iter().collect(),
                    });
                }
                *next = end;
            }
        }
        if body.len() > MOST {
            return None;
        }
        let mut with: Vec<(IndexId, usize)> = Vec::new();
        for (other, equations) in &loops {
            if *other != *index && !with.contains(&(*other, 0)) {
                with.push((*other, 0));
            }
            let last = nodes.len() > 1 && std::ptr::eq(equations, &loops.last()?.1);
            let targets = equations
                .iter()
                .map(|at| self.program.equations[*at].target.array);
            let targets = targets.filter(|array| {
                let memory = self.schedule.storage_of(*array);
                !last && matches!(memory, Some(Storage::Memory { .. }))
            });
            self.kept.extend(targets);
        }
        let Node::Loop(l) = nodes.last()? else {
            return None;
        };
        Some(Loop {
            with,
            step: self.vectors * width,
            body: vec![Node::Block(body)],
            ..l.clone()
        })
    }

    /// What each equation computes for so many vectors of what is not for others.
    fn need(&self, order: &[usize], vectors: usize) -> Need {
        let width = self.schedule.width;
        let mut need = Need::new();
        for writer in order.iter().rev() {
            let target = self.program.equations[*writer].target.array;
            let mut own: Option<(usize, usize)> = None;
            for reader in order {
                let Some((first, end)) = need.get(reader).copied() else {
                    continue;
                };
                let accesses = self.reads[*reader].iter();
                for access in accesses.filter(|access| access.array == target) {
                    let Some(by) = self.shift(access, (*writer, *reader)) else {
                        continue;
                    };
                    let range = (first + by / width, end + by.div_ceil(width));
                    own = Some(match own {
                        None => range,
                        Some(known) => (known.0.min(range.0), known.1.max(range.1)),
                    });
                }
            }
            need.insert(*writer, own.unwrap_or((0, vectors)));
        }
        need
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::text::parse;
    use crate::schedule::{Target, Wishes, schedule, text};
    use expect_test::expect;

    #[test]
    fn windows_of_windows_stay_in_registers() {
        let program = "program windows\nindex k: len(y) + 6\nindex l: len(y) + 4\nindex i: len(y)\n\
             param 0 x: f64[len(x)]\noutput 1 y: f64[len(y)]\n\
             temp t: f64[len(y) + 6]\ntemp u: f64[len(y) + 4]\n\
             t[k] = x[k] + x[k + 1]   for k\n\
             u[l] = t[l] + t[l + 2]   for l\n\
             y[i] = u[i] + u[i + 4]   for i\n";
        let target = Target {
            width: 4,
            registers: 16,
        };
        let scheduled = schedule(&parse(program).unwrap(), target, &Wishes::default()).unwrap();
        let expected = expect![[r#"
            schedule width 4 lanes k, l, i
            store t: register lanes
            store u: register lanes

            loop i in 0..len(y) step 32 with k+0, l+0 {
              block {
                eq 0          // t[k] =
                eq 0 @ k+4    // t[k + 4] =
                eq 0 @ k+8    // t[k + 8] =
                eq 1          // u[l] =
                eq 1 @ l+4    // u[l + 4] =
                eq 2          // y[i] =
                eq 0 @ k+12   // t[k + 12] =
                eq 1 @ l+8    // u[l + 8] =
                eq 2 @ i+4    // y[i + 4] =
                eq 0 @ k+16   // t[k + 16] =
                eq 1 @ l+12   // u[l + 12] =
                eq 2 @ i+8    // y[i + 8] =
                eq 0 @ k+20   // t[k + 20] =
                eq 1 @ l+16   // u[l + 16] =
                eq 2 @ i+12   // y[i + 12] =
                eq 0 @ k+24   // t[k + 24] =
                eq 1 @ l+20   // u[l + 20] =
                eq 2 @ i+16   // y[i + 16] =
                eq 0 @ k+28   // t[k + 28] =
                eq 1 @ l+24   // u[l + 24] =
                eq 2 @ i+20   // y[i + 20] =
                eq 0 @ k+32   // t[k + 32] =
                eq 1 @ l+28   // u[l + 28] =
                eq 2 @ i+24   // y[i + 24] =
                eq 0 @ k+36   // t[k + 36] =
                eq 1 @ l+32   // u[l + 32] =
                eq 2 @ i+28   // y[i + 28] =
              }
            }
        "#]];
        expected.assert_eq(&text::print(&scheduled.program, &scheduled.schedule));
    }
}
