//! Loops that run ahead of the one that reads what they compute, in one loop with it: what they compute waits in a
//! ring of rows, instead of an array that all of it is kept in (Ernst 1995, section 7.2; loop fusion with
//! shifts).
//!
//! Before:
//! ```text
//! loop k in 0..n + 2 { loop i in 0..m { t[k, i] = } }
//! loop j in 0..n { loop i in 0..m { y[j, i] = t[j, i] … t[j + 2, i] } }
//! ```
//! After, with `t` in a ring of three rows:
//! ```text
//! loop j in 0..n once { loop k in 0..2 { loop i in 0..m { t[k, i] = } } }
//! loop j in 0..n with k+2 { loop i in 0..m { t[k, i] = }  loop i in 0..m { y[j, i] = … } }
//! ```
//! Chains and graphs of such loops share one loop: each runs as far ahead as its readers need, and begins as
//! many iterations before, those that are furthest ahead first.
//!
//! Holds: what is computed, but for rows that nothing reads.

use super::dependence::reads;
use super::lane_reduction::folded;
use super::shifted::{equations, equations_of, has_partial, together};
use super::tree::{self, Dimension, Loop, Node, Schedule, Storage, instances};
use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, Affine, ArrayId, IndexId, Operator, Program, Role};
use crate::rewrite::{rename, replace};

/// Fuses loops with those that read what they compute, wherever that can be; the names of what waits in rings.
pub fn run(program: &mut Program, schedule: &mut Schedule) -> Vec<String> {
    let mut rings = Vec::new();
    let body = std::mem::take(&mut schedule.body);
    let uses = Uses::of(program, schedule, &body);
    let mut fusion = Fusion {
        program,
        schedule,
        uses,
        open: Vec::new(),
        rings: &mut rings,
    };
    let body = fusion.nodes(body);
    schedule.body = body;
    rings
}

/// What the whole tree does with temporaries.
struct Uses {
    /// The temporaries that each equation reads.
    reads: Vec<Vec<Access>>,
    /// How many instances each equation has.
    instances: HashMap<usize, usize>,
    /// What is not only read and written by equations.
    others: HashSet<ArrayId>,
}

impl Uses {
    fn of(program: &Program, schedule: &Schedule, body: &[Node]) -> Uses {
        let mut others = folded(program, schedule);
        zeroed(body, &mut others);
        others.extend(tree::copies(body).iter().map(|copy| copy.staged));
        let mut count = HashMap::default();
        for instance in instances(body) {
            *count.entry(instance.equation).or_insert(0) += 1;
        }
        Uses {
            reads: reads(program),
            instances: count,
            others,
        }
    }
}

/// What is filled with zeros.
fn zeroed(nodes: &[Node], into: &mut HashSet<ArrayId>) {
    for node in nodes {
        match node {
            Node::Loop(l) => zeroed(&l.body, into),
            Node::Zero(array) | Node::Advance(array) => {
                into.insert(*array);
            }
            Node::Block(_) | Node::Reduction { .. } | Node::CopyOut(_) => {}
        }
    }
}

/// A loop that shares one with others.
struct Member {
    /// Its position among the nodes.
    at: usize,
    index: IndexId,
    /// Iterations that it is ahead of the last loop.
    ahead: usize,
    /// What it computes for the others: the axis along the loop, and the depth of the ring.
    rings: Vec<(ArrayId, usize, usize)>,
}

struct Fusion<'a> {
    program: &'a mut Program,
    schedule: &'a mut Schedule,
    uses: Uses,
    /// The loops around.
    open: Vec<IndexId>,
    rings: &'a mut Vec<String>,
}

impl Fusion<'_> {
    fn nodes(&mut self, mut nodes: Vec<Node>) -> Vec<Node> {
        for node in &mut nodes {
            if let Node::Loop(l) = node {
                let before = self.open.len();
                self.open.push(l.index);
                self.open.extend(l.with.iter().map(|(index, _)| *index));
                l.body = self.nodes(std::mem::take(&mut l.body));
                self.open.truncate(before);
            }
        }
        let mut last = nodes.len();
        while last > 0 {
            last -= 1;
            let members = self.members(&nodes, last);
            if members.len() > 1 {
                last -= members.len() - 1;
                nodes = self.fused(nodes, members);
            }
        }
        nodes
    }

    /// The loops that can share one with the last of them, in order; the last one alone, if there are none.
    fn members(&self, nodes: &[Node], last: usize) -> Vec<Member> {
        let Some(inner) = self.plain(&nodes[last]) else {
            return Vec::new();
        };
        let mut members = vec![Member {
            at: last,
            index: inner.index,
            ahead: 0,
            rings: Vec::new(),
        }];
        for at in (0..last).rev() {
            if let Some(member) = self.member(nodes, at, &members) {
                members.insert(0, member);
            }
        }
        members
    }

    /// A loop over rows, one after the other.
    fn plain<'n>(&self, node: &'n Node) -> Option<&'n Loop> {
        let Node::Loop(l) = node else { return None };
        let rows = l.body.iter().any(|node| matches!(node, Node::Loop(_)));
        (l.takes_each() && rows && !self.schedule.is_lane(l.index)).then_some(l)
    }

    /// A loop as a member beside others, which come after it.
    fn member(&self, nodes: &[Node], at: usize, members: &[Member]) -> Option<Member> {
        let own = self.plain(&nodes[at])?;
        let last = members.last()?;
        let equations = equations(&nodes[at]);
        let mut written: Vec<ArrayId> = Vec::new();
        for equation in &equations {
            let array = self.program.equations[*equation].target.array;
            if !written.contains(&array) {
                written.push(array);
            }
        }
        let mut needs = Vec::new();
        for array in written {
            needs.extend(self.needs(nodes, (at, own), array, members)?);
        }
        let ahead = needs.iter().map(|need| need.last - need.written).max()?;
        let ahead = usize::try_from(ahead.max(0)).ok()?;
        // Enough rows, whatever the lengths are.
        let end = &self.plain(&nodes[last.at])?.end;
        let more = own.end.affine().sub(&end.affine()).as_constant()?;
        if more < ahead as i64 || end.as_constant() == Some(0) {
            return None;
        }
        if !self.may_move(nodes, at, members)
            || !self.may_rename(&nodes[last.at], last.index, &equations)
        {
            return None;
        }
        let ring = |need: &Need| {
            let depth = ahead as i64 + need.written - need.first + 1;
            Some((need.array, need.axis, usize::try_from(depth.max(1)).ok()?))
        };
        Some(Member {
            at,
            index: own.index,
            ahead,
            rings: needs.iter().map(ring).collect::<Option<_>>()?,
        })
    }

    /// What members read of a temporary that a loop writes; nothing, if it is read there only where it is
    /// written. `None` if it is used otherwise.
    fn needs(
        &self,
        nodes: &[Node],
        (at, own): (usize, &Loop),
        array: ArrayId,
        members: &[Member],
    ) -> Option<Option<Need>> {
        let program = &*self.program;
        let temporary = matches!(program.array(array).role, Role::Temporary);
        if !temporary || self.uses.others.contains(&array) {
            return None;
        }
        let here = equations(&nodes[at]);
        let mut place: Option<(usize, i64)> = None;
        for (number, equation) in program.equations.iter().enumerate() {
            if equation.target.array != array {
                continue;
            }
            let partial = !equation.reduction.is_empty() && has_partial(&nodes[at], number);
            if !self.all_in(&nodes[at], number) || partial || equation.operator != Operator::Assign
            {
                return None;
            }
            let along = along(&equation.target, own.index)?;
            if *place.get_or_insert(along) != along {
                return None;
            }
        }
        let (axis, written) = place?;
        let mut need: Option<Need> = None;
        let mut elsewhere = false;
        for (number, reads) in self.uses.reads.iter().enumerate() {
            for access in reads.iter().filter(|access| access.array == array) {
                if !self.uses.instances.contains_key(&number) {
                    continue;
                }
                let inside = here.contains(&number).then_some((own.index, None));
                let member = members
                    .iter()
                    .find(|member| self.all_in(&nodes[member.at], number));
                let (index, ahead) = inside.or(member.map(|m| (m.index, Some(m.ahead as i64))))?;
                elsewhere |= ahead.is_some();
                let by = moved(&access.subscripts[axis], index)?;
                let need = need.get_or_insert(Need {
                    array,
                    axis,
                    written,
                    first: i64::MAX,
                    last: i64::MIN,
                });
                match ahead {
                    Some(ahead) => {
                        need.first = need.first.min(ahead + by);
                        need.last = need.last.max(ahead + by);
                    }
                    // In the row that is being written.
                    None if by == written => {}
                    None => return None,
                }
            }
        }
        let Some(need) = need.filter(|_| elsewhere) else {
            return Some(None);
        };
        self.is_one_place(&need).then_some(Some(need))
    }

    /// Whether a temporary is in memory, and along the loops around has one place only.
    fn is_one_place(&self, need: &Need) -> bool {
        let Some(Storage::Memory { extents, .. }) = self.schedule.storage_of(need.array) else {
            return false;
        };
        let mut targets = self
            .program
            .equations
            .iter()
            .map(|equation| &equation.target);
        let Some(target) = targets.find(|target| target.array == need.array) else {
            return false;
        };
        let mut axes = target.subscripts.iter().zip(extents);
        let around = |subscript: &Affine| self.open.iter().any(|open| subscript.depends_on(*open));
        let kept = !matches!(extents[need.axis], Dimension::Ring(_));
        kept && axes
            .all(|(subscript, extent)| !around(subscript) || *extent == Dimension::CONTRACTED)
    }

    /// Whether all instances of an equation are in a node.
    fn all_in(&self, node: &Node, equation: usize) -> bool {
        let inside = instances(std::slice::from_ref(node)).into_iter();
        let inside = inside
            .filter(|instance| instance.equation == equation)
            .count();
        inside > 0 && self.uses.instances.get(&equation) == Some(&inside)
    }

    /// Whether the last member can have another index where equations beside it run over its own: none of its equations
    /// has instances in other loops.
    fn may_rename(&self, node: &Node, index: IndexId, beside: &[usize]) -> bool {
        let mut domains = beside
            .iter()
            .flat_map(|number| self.program.equations[*number].domain());
        let taken = domains.any(|own| own == index);
        !taken
            || equations(node)
                .iter()
                .all(|number| self.all_in(node, *number))
    }

    /// Whether a loop may run after what is between it and the last member, and the members in turns with it:
    /// none of them writes what it reads.
    fn may_move(&self, nodes: &[Node], at: usize, members: &[Member]) -> bool {
        let program = &*self.program;
        let last = members.last().map_or(at, |last| last.at);
        let exprs = equations(&nodes[at]).into_iter();
        let exprs = exprs.map(|equation| program.equations[equation].expr);
        let accesses = program.pool.accesses(exprs).into_iter();
        let read: HashSet<ArrayId> = accesses
            .map(|(_, access)| program.viewed(access.array))
            .collect();
        let written = |node: &Node| {
            let copied = tree::copies(std::slice::from_ref(node)).into_iter();
            let copied = copied.map(|copy| copy.target.array).collect::<Vec<_>>();
            let equations = equations(node).into_iter();
            let targets = equations.map(|equation| program.equations[equation].target.array);
            targets
                .chain(copied)
                .any(|array| read.contains(&program.viewed(array)))
        };
        !nodes[at + 1..=last].iter().any(written)
    }

    /// Puts members in the place of the last one.
    fn fused(&mut self, mut nodes: Vec<Node>, mut members: Vec<Member>) -> Vec<Node> {
        let mut bodies: Vec<Loop> = Vec::new();
        for member in members.iter().rev() {
            if let Node::Loop(l) = nodes.remove(member.at) {
                bodies.insert(0, l);
            }
        }
        let position = members.last().map_or(0, |last| last.at) + 1 - members.len();
        for at in 0..members.len() {
            if self.is_taken(members[at].index, at, &bodies) {
                self.rename(&mut bodies[at], &mut members[at]);
            }
        }
        for member in &members {
            for (array, axis, depth) in &member.rings {
                self.ring(*array, *axis, *depth);
            }
        }
        let parts: Vec<(Loop, usize)> = bodies
            .into_iter()
            .zip(members.iter().map(|member| member.ahead))
            .collect();
        let fused = together(&parts);
        for (l, _) in &parts {
            for number in equations_of(&l.body) {
                self.uses.instances.insert(number, 0);
            }
        }
        for instance in instances(&fused) {
            *self.uses.instances.entry(instance.equation).or_insert(0) += 1;
        }
        nodes.splice(position..position, fused);
        nodes
    }

    /// Whether a loop beside the one at a position runs over its index too, itself or in its body: in one loop
    /// that name would stand for both.
    fn is_taken(&self, index: IndexId, at: usize, loops: &[Loop]) -> bool {
        let others = loops.iter().enumerate().filter(|(other, _)| *other != at);
        let mut equations =
            others.flat_map(|(_, l)| equations_of(std::slice::from_ref(&Node::Loop(l.clone()))));
        equations.any(|number| {
            self.program.equations[number]
                .domain()
                .any(|own| own == index)
        })
    }

    /// Gives a loop an index of its own.
    fn rename(&mut self, l: &mut Loop, member: &mut Member) {
        let own = self.program.add_index_like(member.index);
        let names = HashMap::from_iter([(member.index, own)]);
        for number in equations(&Node::Loop(l.clone())) {
            let by = rename::substitution(&names);
            let equation = &mut self.program.equations[number];
            for index in &mut equation.free {
                *index = names.get(index).copied().unwrap_or(*index);
            }
            replace::substitute(&mut self.program.pool, equation, &by);
        }
        self.uses.reads = reads(self.program);
        member.index = own;
        l.index = own;
    }

    fn ring(&mut self, array: ArrayId, axis: usize, depth: usize) {
        let mut storage = self.schedule.storage.iter_mut();
        let Some((_, Storage::Memory { extents, .. })) = storage.find(|(own, _)| *own == array)
        else {
            return;
        };
        extents[axis] = Dimension::Ring(depth);
        let name = &self.program.array(array).name;
        if !self.rings.contains(name) {
            self.rings.push(name.clone());
        }
    }
}

/// What members read of a temporary, along the loops that they share.
struct Need {
    array: ArrayId,
    axis: usize,
    /// The element that the loop's own iteration writes, minus its number.
    written: i64,
    /// The first and the last element that is read, minus the number of the last member's iteration.
    first: i64,
    last: i64,
}

/// The axis of an access along a loop, and the element minus the loop's iteration; `None` if the loop is anywhere
/// else.
fn along(access: &Access, index: IndexId) -> Option<(usize, i64)> {
    let axes = access.subscripts.iter().enumerate();
    let mut axes = axes.filter(|(_, subscript)| subscript.depends_on(index));
    let (axis, subscript) = axes.next()?;
    match axes.next() {
        None => Some((axis, moved(subscript, index)?)),
        Some(_) => None,
    }
}

/// By how much a subscript is more than a loop's iteration.
fn moved(subscript: &Affine, index: IndexId) -> Option<i64> {
    subscript.sub(&Affine::index(index)).as_constant()
}
