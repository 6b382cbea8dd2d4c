//! Nests over the same rows of arrays, one after the other, that take turns row by row, each some rows behind those
//! before it (loop fusion with shifts, and skewing): what one nest has written or read is near when the next one comes
//! to it.
//!
//! Before:
//! ```text
//! loop i in 0..n { loop j in 0..m { b[i + 1, j] = a[i, j] + a[i + 2, j] } }
//! loop i in 0..n { loop j in 0..m { a[i + 1, j] = b[i, j] + b[i + 2, j] } }
//! ```
//! After:
//! ```text
//! loop k in 0..n strips with i+1, l+0 {
//!   loop i in 0..n { loop j in 0..m { b[i + 1, j] = … } }
//!   loop l in 0..n { loop j in 0..m { a[l + 1, j] = … } }
//! }
//! ```
//! where each strip is one row of each nest, the first one more of those that are ahead, and the last one what is left.
//! A nest is behind another one by the most rows that an element is accessed later there, if one of the two writes. Where the nests have loops over lines inside of those over
//! rows, lines are in strips, too, outside of rows, so that what is in flight are parts of planes.
//!
//! Holds: what is computed, in the order of the nests for each element.

use std::collections::BTreeSet;

use super::buffers;
use super::large::Large;
use super::renamed::{Member, Renaming};
use super::repeated;
use super::shifted::equations_of;
use super::tree::{self, Dimension, Loop, Node, Schedule, Steps, Storage};
use crate::ir::{Access, Affine, ArrayId, Atom, Extent, IndexId, Program, Role};
use crate::machine::SECOND;

/// Most rows that a nest is behind another one: more of them than this are in no cache.
const MOST_ROWS: i64 = 64;
/// Most steps of a time loop that are one block.
const MOST_STEPS: usize = 4;
/// Most nests of a block of several steps whose lines are in strips, of which parts of planes are in flight.
const MOST_PLANES: usize = 4;
/// Bytes of a row, where it is weighed how many are near.
const ROW: usize = 16 << 10;
/// Most pairs of accesses that are compared: a limit on work.
const MOST_PAIRS: usize = 1 << 14;
/// Lines of a strip: many beside those that strips have in common, and few enough that parts of some planes are near.
const LINES: usize = 32;

/// The loop tree with nests in turns, for arrays that are larger than the caches; `None` if there are none that
/// access arrays in common.
pub fn run(program: &Program, schedule: &Schedule) -> Option<Large> {
    let most = if program.repeated.is_some() {
        MOST_STEPS
    } else {
        1
    };
    (1..=most)
        .rev()
        .find_map(|steps| block(program, schedule, steps))
}

/// The loop tree with the nests of so many steps in turns, if what is in flight then fits a cache.
fn block(program: &Program, schedule: &Schedule, steps: usize) -> Option<Large> {
    let all: Vec<Node> = (0..steps).flat_map(|_| schedule.body.clone()).collect();
    // What blocks leave runs as it is.
    let rest = if steps > 1 {
        schedule.body.as_slice()
    } else {
        &[]
    };
    let mut skewing = Skewing {
        renaming: Renaming::new(program, schedule, &[&all, rest].concat()),
        group: Vec::new(),
        arrays: Vec::new(),
        said: Vec::new(),
        rows: 0,
        planes: 0,
    };
    let mut body = skewing.nodes(all);
    let row = ROW.saturating_mul(skewing.arrays.len());
    let fits = skewing.rows.saturating_mul(row) <= SECOND && skewing.planes <= MOST_PLANES;
    let near = steps == 1 || fits;
    if skewing.said.is_empty() || skewing.arrays.is_empty() || !near {
        return None;
    }
    let Skewing {
        renaming,
        arrays,
        said,
        ..
    } = skewing;
    let program = renaming.program;
    if let (Some(index), 2..) = (program.repeated, steps) {
        let part = |(part, body)| {
            Node::Loop(Loop {
                index,
                with: Vec::new(),
                steps: part,
                start: 0,
                end: program.loop_index(index).extent.clone(),
                step: steps,
                body,
            })
        };
        let parts = [(Steps::Whole, body), (Steps::Rest, schedule.body.clone())];
        body = parts.into_iter().map(part).collect();
    } else {
        repeated(&program, &mut body);
    }
    let mut schedule = Schedule {
        storage: renaming.storage,
        body,
        ..schedule.clone()
    };
    buffers::run(&program, &mut schedule);
    let said = said.join("; ");
    Some(Large {
        program,
        schedule,
        products: Vec::new(),
        arrays,
        said: Some(match steps {
            1 => format!("nests in turns, {said} rows behind the first"),
            _ => format!("steps in blocks of {steps}, their nests {said} rows behind the first"),
        }),
    })
}

/// A nest, and how far it is behind the first one of its group: rows, and lines where they all have loops over these.
struct Behind {
    member: Member,
    /// What it accesses that others may, too, and whether it writes.
    accesses: Vec<(Access, bool)>,
    rows: i64,
    lines: Option<i64>,
}

struct Skewing<'a> {
    renaming: Renaming<'a>,
    /// Nests that take turns, so far.
    group: Vec<Behind>,
    /// The memories that groups access.
    arrays: Vec<ArrayId>,
    /// How far nests are behind others, group by group.
    said: Vec<String>,
    /// Most rows between the first and the last one that is accessed in a group.
    rows: usize,
    /// Most nests of a group whose lines are in strips.
    planes: usize,
}

impl Skewing<'_> {
    fn nodes(&mut self, nodes: Vec<Node>) -> Vec<Node> {
        let mut result = Vec::new();
        let mut rest = nodes.into_iter().peekable();
        while let Some(node) = rest.next() {
            let Some(mut member) = self.nest(&node) else {
                self.close(&mut result);
                result.push(node);
                continue;
            };
            member.nodes.push(node);
            // What whole steps leave belongs to them.
            while let Some(node) = rest.next_if(|next| is_rest(next, member.index)) {
                member.nodes.push(node);
            }
            if !self.is_plain(&member) {
                self.close(&mut result);
                result.append(&mut member.nodes);
                continue;
            }
            let first = self.group.first().map(|first| &first.member);
            let member = self.renaming.apart(member, first);
            let accesses = self.accesses(&member);
            let behind = self.behind(&member, &accesses);
            if behind.is_none() {
                self.close(&mut result);
            }
            let (rows, lines) = behind.unwrap_or((0, member.inner.map(|_| 0)));
            self.group.push(Behind {
                member,
                accesses,
                rows,
                lines,
            });
        }
        self.close(&mut result);
        result
    }

    /// A loop over rows with nothing in it yet; `None` for other nodes.
    fn nest(&self, node: &Node) -> Option<Member> {
        let Node::Loop(l) = node else { return None };
        let inner = l.body.iter().any(|node| matches!(node, Node::Loop(_)));
        let steps = matches!(l.steps, Steps::All | Steps::Whole);
        let all = l.start == 0 && l.with.is_empty() && inner && steps;
        let rows = all && !self.renaming.schedule.is_lane(l.index);
        (rows && self.is_whole(l)).then(|| Member {
            nodes: Vec::new(),
            index: l.index,
            inner: self.lines(&l.body),
        })
    }

    fn is_whole(&self, l: &Loop) -> bool {
        let all = self.renaming.program.loop_index(l.index).extent == l.end;
        all && l.end.as_constant().is_none()
    }

    /// The loop over lines inside of one over rows, if that is all there is in it.
    fn lines(&self, body: &[Node]) -> Option<IndexId> {
        let [Node::Loop(l)] = body else { return None };
        let inner = l.body.iter().any(|node| matches!(node, Node::Loop(_)));
        let lines = l.takes_each() && inner && !self.renaming.schedule.is_lane(l.index);
        (lines && self.is_whole(l)).then_some(l.index)
    }

    /// Whether rows may stand between others: nothing is copied out, and nothing is handed on from row to row.
    fn is_plain(&self, member: &Member) -> bool {
        let program = &self.renaming.program;
        let kept = |array: ArrayId| match self.renaming.storage_of(array) {
            Some(Storage::Memory { extents, .. }) => extents
                .iter()
                .all(|d| !matches!(d, Dimension::Ring(depth) if *depth > 1)),
            Some(Storage::Registers { .. }) => false,
            Some(Storage::Register { .. }) | None => true,
        };
        let equations = equations_of(&member.nodes);
        let lines = member.nodes.iter().all(|node| match node {
            Node::Loop(l) => self.lines(&l.body) == member.inner,
            _ => false,
        });
        lines
            && tree::copies(&member.nodes).is_empty()
            && equations
                .iter()
                .all(|at| kept(program.equations[*at].target.array))
    }

    /// How far a nest is behind the first one of the group, in rows and in lines; `None` if it does not belong to it.
    fn behind(&self, member: &Member, own: &[(Access, bool)]) -> Option<(i64, Option<i64>)> {
        let program = &self.renaming.program;
        let first = &self.group.first()?.member;
        let as_long = |one: IndexId, other: IndexId| {
            let [one, other] = [one, other].map(|i| program.loop_index(i).extent.affine());
            one.sub(&other).as_constant().is_some()
        };
        let memories = |all: &[(Access, bool)]| -> BTreeSet<ArrayId> {
            let all = all.iter().map(|(access, _)| access.array);
            all.map(|array| program.viewed(array)).collect()
        };
        let met = memories(own);
        let shares = (self.group.iter()).any(|other| !met.is_disjoint(&memories(&other.accesses)));
        if !shares || !as_long(first.index, member.index) {
            return None;
        }
        let (mut rows, mut lines) = (0, member.inner.map(|_| 0));
        for other in &self.group {
            let pair = (other.member.index, member.index);
            rows = match self.later(&other.accesses, own, pair)? {
                Some(by) => rows.max(other.rows + by),
                None => rows,
            };
            let pair = other.member.inner.zip(member.inner);
            lines = pair
                .zip(other.lines.zip(lines))
                .and_then(|(pair, (of, lines))| {
                    let by = self
                        .later(&other.accesses, own, pair)
                        .filter(|_| as_long(pair.0, pair.1))?;
                    Some(by.map_or(lines, |by| lines.max(of + by)))
                });
        }
        let lines = lines.filter(|lines| *lines < LINES as i64);
        (rows <= MOST_ROWS).then_some((rows, lines))
    }

    /// What a nest accesses that others may, too, and whether it writes.
    fn accesses(&self, member: &Member) -> Vec<(Access, bool)> {
        let program = &self.renaming.program;
        let mut result = Vec::new();
        let equations = equations_of(&member.nodes);
        for at in &equations {
            let equation = &program.equations[*at];
            let read = program.pool.accesses([equation.expr]).into_iter();
            let read = read.map(|(_, access)| (access.clone(), false));
            result.extend(read.chain([(equation.target.clone(), true)]));
        }
        result.retain(|(access, _)| match program.array(access.array).role {
            Role::Table(_) | Role::Counting => false,
            Role::Temporary => !self.renaming.is_own(access.array, &equations),
            Role::Parameter(_) | Role::Output(_) | Role::State(_) => true,
        });
        result.sort_unstable();
        result.dedup();
        result
    }

    /// By how many iterations of a loop a nest accesses elements later than another one before it may, of which one
    /// writes, at most: `None` if nothing bounds that, and nothing if there are no such elements.
    fn later(
        &self,
        earlier: &[(Access, bool)],
        later: &[(Access, bool)],
        loops: (IndexId, IndexId),
    ) -> Option<Option<i64>> {
        let program = &self.renaming.program;
        let mut most: Option<i64> = None;
        if earlier.len() * later.len() > MOST_PAIRS {
            return None;
        }
        for (first, writes) in earlier {
            for (second, other) in later {
                let same = program.viewed(first.array) == program.viewed(second.array);
                if !same || !(*writes || *other) {
                    continue;
                }
                if let Some(by) = self.meets(first, second, loops)? {
                    most = Some(most.map_or(by, |most| most.max(by)));
                }
            }
        }
        Some(most)
    }

    /// The iteration of the first loop minus that of the second one in which two accesses are to one element: `None`
    /// if that may be any, and nothing if they never are.
    fn meets(
        &self,
        first: &Access,
        second: &Access,
        (one, other): (IndexId, IndexId),
    ) -> Option<Option<i64>> {
        let program = &self.renaming.program;
        let shapes = [first, second].map(|access| &program.array(access.array).shape);
        let shared = matches!(program.array(first.array).role, Role::Temporary);
        if shapes[0] != shapes[1] || (shared && self.renaming.is_contracted(first.array)) {
            return None;
        }
        let mut found = None;
        for (a, b) in first.subscripts.iter().zip(&second.subscripts) {
            let (Some(a), Some(b)) = (along(a, one), along(b, other)) else {
                continue;
            };
            let Some(more) = b.1.sub(&a.1).as_constant() else {
                continue;
            };
            if a.0 != b.0 {
                continue;
            }
            if a.0 == 0 && more == 0 {
                continue;
            }
            // The two are equal where `a.0 * (x - y) = more`.
            if a.0 == 0 || more % a.0 != 0 || found.is_some_and(|by| by != more / a.0) {
                return Some(None);
            }
            found = Some(more / a.0);
        }
        found.map(Some)
    }

    /// Ends the group.
    fn close(&mut self, result: &mut Vec<Node>) {
        let group = std::mem::take(&mut self.group);
        if group.len() < 2 {
            result.extend(group.into_iter().flat_map(|own| own.member.nodes));
            return;
        }
        for own in &group {
            for (access, _) in &own.accesses {
                let program = &self.renaming.program;
                let memory = program.viewed(access.array);
                let array = program.array(memory);
                let given = array.role.position().is_some() && !array.allocated;
                if given && !array.shape.is_empty() && !self.arrays.contains(&memory) {
                    self.arrays.push(memory);
                }
            }
        }
        let body = group
            .iter()
            .flat_map(|own| own.member.nodes.clone())
            .collect();
        let rows = group
            .iter()
            .map(|own| (own.member.index, own.rows))
            .collect::<Vec<_>>();
        let mut node = self.strips(&rows, 1, body);
        let lines = group
            .iter()
            .map(|own| Some((own.member.inner?, own.lines?)));
        if let Some(lines) = lines.collect::<Option<Vec<_>>>() {
            self.planes = self.planes.max(group.len());
            node = self.strips(&lines, LINES, vec![node]);
        }
        let last = group.iter().map(|own| own.rows).max().unwrap_or(0) as usize;
        self.rows = self.rows.max(last + 1);
        let behind: Vec<String> = rows.iter().map(|(_, rows)| rows.to_string()).collect();
        self.said.push(behind.join(", "));
        result.push(node);
    }

    /// Strips of loops, each of which is so many values behind the first one.
    fn strips(&mut self, loops: &[(IndexId, i64)], step: usize, body: Vec<Node>) -> Node {
        let program = &mut self.renaming.program;
        let last = loops.iter().map(|(_, behind)| *behind).max().unwrap_or(0);
        let longest = loops.iter().map(|(index, _)| *index).max_by_key(|index| {
            let (own, first) = (program.loop_index(*index), program.loop_index(loops[0].0));
            let more = own.extent.affine().sub(&first.extent.affine());
            more.as_constant().unwrap_or(0)
        });
        let longest = longest.unwrap_or(loops[0].0);
        let own = program.loop_index(longest).clone();
        let end: Extent = own.extent.clone();
        let index = program.add_index(&own.name, own.extent);
        Node::Loop(Loop {
            index,
            with: loops
                .iter()
                .map(|(index, behind)| (*index, (last - behind) as usize))
                .collect(),
            steps: Steps::Strips,
            start: 0,
            end,
            step,
            body,
        })
    }
}

/// Whether a node is what whole steps over an index leave.
fn is_rest(node: &Node, index: IndexId) -> bool {
    matches!(node, Node::Loop(l) if l.index == index && l.steps == Steps::Rest && l.start == 0)
}

/// How often a subscript has a loop's number in it, and what is left without that, if it has no other loops.
fn along(subscript: &Affine, index: IndexId) -> Option<(i64, Affine)> {
    let known = |(atom, _): &(Atom, i64)| match atom {
        Atom::Index(own) => *own == index,
        Atom::Length(..) | Atom::Scalar(_) => true,
        Atom::Map(..) => false,
    };
    if !subscript.terms.iter().all(known) {
        return None;
    }
    let by = subscript.coefficient(index);
    Some((by, subscript.sub(&Affine::index(index).scale(by))))
}
