//! Wavefronts: iterations of a loop around one that hands values on, side by side, each some columns behind the one
//! before it (unroll and jam of a skewed nest: Wolfe, "Loop skewing: the wavefront method revisited", 1986).
//!
//! A recurrence along the loop inside waits for itself: of one iteration the next one needs the value. Other rows have
//! chains of their own, which run meanwhile. Where a row reads what those before it write, it is as many columns behind
//! them as it takes for that to be there, and for what they still read not to be written over.
//!
//! Before:
//! ```text
//! loop i in 0..n { block { a } loop j in 0..m { block { b; c } } }
//! ```
//! After, with two rows, of which each is one column behind the one before it:
//! ```text
//! loop i in 0..n step 2 whole {
//!   block { a; a @ i+1 }
//!   loop j in 0..m skewed 1 over i { block { b; c } block { b @ i+1; c @ i+1 } }
//! }
//! loop i in 0..n step 2 rest { … }
//! ```
//! Holds: what is computed, and the order in which each element is read and written.

use super::jamming::moved;
use super::tree::{Dimension, Instance, Loop, Node, Schedule, Steps, Storage, instances};
use crate::collections::HashMap;
use crate::ir::{Access, Affine, ArrayId, IndexId, Program};

/// Most columns that a row is behind the one before it: what rows are apart is done by each of them alone.
const MOST_COLUMNS: i64 = 4;
/// Most pairs of accesses that are compared: a limit on work.
const MOST_PAIRS: usize = 1 << 12;

/// Puts so many rows side by side, wherever that can be; whether it can be anywhere.
pub fn run(program: &Program, schedule: &mut Schedule, rows: usize) -> bool {
    let mut body = std::mem::take(&mut schedule.body);
    let mut nests = Nests {
        program,
        schedule,
        rows,
        rings: Vec::new(),
    };
    let found = nests.nodes(&mut body);
    let rings = nests.rings;
    schedule.body = body;
    for (array, axis) in &rings {
        let found = schedule.storage.iter_mut().find(|(own, _)| own == array);
        if let Some((_, Storage::Registers { extents, .. })) = found {
            extents[*axis] = Dimension::Ring(rows);
        }
    }
    found
}

/// Where a node of a row stands: before the loop over columns, in it, or behind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Before(usize),
    Inside,
    Behind(usize),
}

/// An access in a row.
struct Placed<'a> {
    access: &'a Access,
    phase: Phase,
    writes: bool,
}

/// The nests of a loop tree.
struct Nests<'a> {
    program: &'a Program,
    schedule: &'a Schedule,
    rows: usize,
    /// What has a place in registers for each row now, and along which axis.
    rings: Vec<(ArrayId, usize)>,
}

impl Nests<'_> {
    fn nodes(&mut self, nodes: &mut Vec<Node>) -> bool {
        let mut found = false;
        let mut result = Vec::new();
        for node in std::mem::take(nodes) {
            let Node::Loop(mut l) = node else {
                result.push(node);
                continue;
            };
            match self.skewed(&l) {
                Some(skewed) => {
                    found = true;
                    result.push(Node::Loop(skewed));
                    // Constant lengths are whole steps.
                    let rest = l.end.run_time().is_some().then_some(Loop {
                        steps: Steps::Rest,
                        step: self.rows,
                        ..l
                    });
                    result.extend(rest.map(Node::Loop));
                }
                None => {
                    found |= self.nodes(&mut l.body);
                    result.push(Node::Loop(l));
                }
            }
        }
        *nodes = result;
        found
    }

    /// Whole steps of so many rows of a loop around one that hands values on; `None` where there is no such thing.
    fn skewed(&mut self, l: &Loop) -> Option<Loop> {
        let is_loop = |node: &Node| matches!(node, Node::Loop(_));
        let at = l.body.iter().position(is_loop)?;
        let Node::Loop(inner) = &l.body[at] else {
            return None;
        };
        let block = |node: &Node| matches!(node, Node::Block(_));
        let others = l.body.iter().enumerate().filter(|(k, _)| *k != at);
        let whole = l.end.as_constant().is_none_or(|n| n % self.rows == 0);
        let plain = l.takes_each()
            && whole
            && inner.takes_each()
            && inner.body.iter().all(block)
            && others.map(|(_, node)| node).all(block);
        let scalar = |instance: &&Instance| {
            let equation = &self.program.equations[instance.equation];
            instance.offsets.is_empty()
                && equation.reduction.is_empty()
                && self.schedule.lane_of(equation).is_none()
        };
        let all = instances(&l.body);
        if !plain || !all.iter().all(scalar) || !self.hands_on(&inner.body) {
            return None;
        }
        let (by, rings) = self.apart(l, inner, at)?;
        self.rings.extend(rings);
        let mut result = l.clone();
        (result.step, result.steps) = (self.rows, Steps::Whole);
        for (k, node) in result.body.iter_mut().enumerate() {
            let rows = |instances: &[Instance], row| {
                let own = instances.iter().cloned();
                own.map(move |instance| moved(instance, (l.index, row)))
                    .collect::<Vec<_>>()
            };
            match node {
                Node::Block(own) => {
                    let all = (0..self.rows).flat_map(|row| rows(own, row));
                    *own = all.collect();
                }
                Node::Loop(inner) if k == at => {
                    inner.steps = Steps::Skewed { over: l.index, by };
                    let own: Vec<Instance> = instances(&inner.body).into_iter().cloned().collect();
                    let blocks = (0..self.rows).map(|row| Node::Block(rows(&own, row)));
                    inner.body = blocks.collect();
                }
                _ => {}
            }
        }
        Some(result)
    }

    /// Whether what nodes compute waits for what they have computed before, in registers.
    fn hands_on(&self, body: &[Node]) -> bool {
        let mut targets = (instances(body).into_iter())
            .map(|instance| self.program.equations[instance.equation].target.array);
        targets.any(|array| {
            matches!(
                self.schedule.storage_of(array),
                Some(Storage::Registers { .. })
            )
        })
    }

    /// How many columns a row has to be behind the one before it, and what then has a place in registers for each row.
    fn apart(&self, l: &Loop, inner: &Loop, at: usize) -> Option<(usize, Vec<(ArrayId, usize)>)> {
        let mut placed: HashMap<ArrayId, Vec<Placed>> = HashMap::default();
        for (k, node) in l.body.iter().enumerate() {
            let phase = match k.cmp(&at) {
                std::cmp::Ordering::Less => Phase::Before(k),
                std::cmp::Ordering::Equal => Phase::Inside,
                std::cmp::Ordering::Greater => Phase::Behind(k),
            };
            for instance in instances(std::slice::from_ref(node)) {
                let equation = &self.program.equations[instance.equation];
                let reads = self.program.pool.accesses([equation.expr]).into_iter();
                let reads = reads.map(|(_, access)| (access, false));
                for (access, writes) in reads.chain([(&equation.target, true)]) {
                    let own = placed.entry(self.program.viewed(access.array)).or_default();
                    own.push(Placed {
                        access,
                        phase,
                        writes,
                    });
                }
            }
        }
        let mut by = 0;
        let mut rings = Vec::new();
        let mut compared = 0;
        for (array, accesses) in &placed {
            if !accesses.iter().any(|own| own.writes) {
                continue;
            }
            compared += accesses.len() * accesses.len();
            let dimensions = self.dimensions(*array, l.index, &mut rings, accesses)?;
            for (a, b) in pairs(accesses) {
                for rows in 1..self.rows as i64 {
                    let columns = match self.meet(a, b, (rows, l.index, inner.index), &dimensions) {
                        Meeting::Never => continue,
                        Meeting::Columns(columns) => Some(columns),
                        Meeting::Unknown => None,
                    };
                    by = by.max(behind(a.phase, b.phase, columns, rows)?);
                }
            }
        }
        let within = compared <= MOST_PAIRS && by <= MOST_COLUMNS;
        // All rows have to begin before the first one ends.
        let long = inner
            .end
            .as_constant()
            .is_none_or(|n| n as i64 > by * (self.rows as i64 - 1));
        (within && long).then_some((by as usize, rings))
    }

    /// Which dimensions of an array tell its places apart, once registers have a place for each row; `None` where that is
    /// not known.
    fn dimensions(
        &self,
        array: ArrayId,
        row: IndexId,
        rings: &mut Vec<(ArrayId, usize)>,
        accesses: &[Placed],
    ) -> Option<Vec<bool>> {
        let rank = accesses[0].access.subscripts.len();
        if accesses
            .iter()
            .any(|own| own.access.subscripts.len() != rank)
        {
            return None;
        }
        match self.schedule.storage_of(array) {
            None | Some(Storage::Register { .. }) => Some(vec![true; rank]),
            Some(Storage::Memory { extents, .. }) => {
                let tells = |dimension: &Dimension| match *dimension {
                    Dimension::CONTRACTED => Some(false),
                    Dimension::Ring(_) => None,
                    Dimension::Kept(_) | Dimension::RunTime => Some(true),
                };
                extents.iter().map(tells).collect()
            }
            Some(Storage::Registers { extents, .. }) => {
                let along = |axis: &usize| {
                    let mut own = accesses.iter();
                    own.all(|own| own.access.subscripts[*axis].as_index() == Some(row))
                };
                let axis = (0..rank).find(along)?;
                let single = extents.iter().all(|own| *own == Dimension::CONTRACTED);
                (single && self.is_alone(array, accesses)).then(|| {
                    rings.push((array, axis));
                    (0..rank).map(|own| own == axis).collect()
                })
            }
        }
    }

    /// Whether nothing else in the program accesses an array.
    fn is_alone(&self, array: ArrayId, accesses: &[Placed]) -> bool {
        let program = self.program;
        let all = program.equations.iter().map(|equation| {
            let reads = program.pool.accesses([equation.expr]).into_iter();
            let reads = reads.filter(|(_, access)| access.array == array).count();
            reads + usize::from(equation.target.array == array)
        });
        all.sum::<usize>() == accesses.len()
    }

    /// Whether two accesses are to one place, the second one so many rows later.
    fn meet(
        &self,
        a: &Placed,
        b: &Placed,
        (rows, row, column): (i64, IndexId, IndexId),
        dimensions: &[bool],
    ) -> Meeting {
        let mut found = Meeting::Unknown;
        let subscripts = a.access.subscripts.iter().zip(&b.access.subscripts);
        for ((a, b), _) in subscripts.zip(dimensions).filter(|(_, tells)| **tells) {
            if a.is_mapped() || b.is_mapped() {
                continue;
            }
            let of = |index| (a.coefficient(index), b.coefficient(index));
            let ((down, same), (along, other)) = (of(row), of(column));
            if down != same {
                continue;
            }
            // a's subscript at (i, j) is b's at (i + rows, j + columns).
            let first = |own: IndexId| match own == column {
                true => Affine::constant(0),
                false => Affine::index(own),
            };
            let difference = a.substitute(&first).sub(&b.substitute(&first));
            let Some(difference) = difference.as_constant() else {
                continue;
            };
            let left = difference - down * rows;
            // Columns are never before the first one.
            let above = left > 0 && along >= 0 && other <= 0;
            let below = left < 0 && along <= 0 && other >= 0;
            if above || below {
                return Meeting::Never;
            }
            if along != other {
                continue;
            }
            match along {
                0 if left != 0 => return Meeting::Never,
                0 => {}
                _ if left % along != 0 => return Meeting::Never,
                _ => match found {
                    Meeting::Columns(known) if known != left / along => return Meeting::Never,
                    _ => found = Meeting::Columns(left / along),
                },
            }
        }
        found
    }
}

/// Whether accesses meet in a place.
enum Meeting {
    Never,
    /// So many columns later.
    Columns(i64),
    /// In any columns.
    Unknown,
}

/// Pairs of accesses of one array, at least one of which writes.
fn pairs<'a, 'b>(all: &'b [Placed<'a>]) -> impl Iterator<Item = (&'b Placed<'a>, &'b Placed<'a>)> {
    let pairs = all
        .iter()
        .flat_map(move |a| all.iter().map(move |b| (a, b)));
    pairs.filter(|(a, b)| a.writes || b.writes)
}

/// How many columns rows have to be apart so that an access stays before one that is so many rows and columns later;
/// `None` where none suffice.
fn behind(a: Phase, b: Phase, columns: Option<i64>, rows: i64) -> Option<i64> {
    match (a, b) {
        (Phase::Inside, Phase::Inside) => {
            let by = (1 - columns?).max(0);
            Some(by.div_euclid(rows) + i64::from(by.rem_euclid(rows) > 0))
        }
        // Nodes beside the loop are done for one row after the other.
        _ if a <= b => Some(0),
        _ => None,
    }
}

#[cfg(test)]
#[path = "wavefront_tests.rs"]
mod tests;
