//! When what is staged for a copy is complete: how much of a lane's run may be copied after each part of
//! the sums.
//!
//! A run is copied from its first element on. An element may be copied once its place in the staging
//! array has been written, and so have those of all elements before it.

use super::runs::Run;
use super::tree::{CopyOut, Dimension, Instance, Loop, Node, Schedule, Steps, Storage, offset};
use crate::collections::HashMap;
use crate::ir::{ArrayId, IndexId, Program, Role};

/// For each time that some nodes go on with a copy: how many elements of a run are complete. `None` if
/// loops have no known length, or if elements stay incomplete.
pub fn ready(
    program: &Program,
    schedule: &Schedule,
    nodes: &[Node],
    copy: &CopyOut,
) -> Option<Vec<usize>> {
    let run = Run::of(program, schedule, copy)?;
    let Some(Storage::Memory { extents, .. }) = schedule.storage_of(copy.staged) else {
        return None;
    };
    let places: Vec<usize> = match run.places {
        None => (0..run.count).collect(),
        Some(table) => match &program.array(table).role {
            Role::Table(values) => values.iter().map(|v| v.to_f64() as usize).collect(),
            _ => return None,
        },
    };
    let mut clock = Clock {
        program,
        staged: copy.staged,
        extents,
        point: HashMap::default(),
        times: 0,
        written: vec![
            None;
            extents
                .iter()
                .map(|d| d.places())
                .product::<Option<usize>>()?
        ],
    };
    clock.nodes(nodes)?;
    // The time from which on all elements up to each one are complete.
    let mut complete = Vec::with_capacity(places.len());
    for place in places {
        let before = complete.last().copied().unwrap_or(0);
        let own: usize = (*clock.written.get(place)?)?;
        complete.push(own.max(before));
    }
    let until = |time: usize| complete.partition_point(|from| *from <= time);
    Some((0..clock.times).map(until).collect())
}

/// Executes loops, and notes when places of a staging array are written.
struct Clock<'a> {
    program: &'a Program,
    staged: ArrayId,
    extents: &'a [Dimension],
    point: HashMap<IndexId, usize>,
    /// How often the copy was gone on with so far.
    times: usize,
    /// The last time before which each place was written.
    written: Vec<Option<usize>>,
}

impl Clock<'_> {
    fn nodes(&mut self, nodes: &[Node]) -> Option<()> {
        for node in nodes {
            match node {
                Node::Loop(inner) => self.one(inner)?,
                Node::Block(instances) | Node::Reduction { instances, .. } => {
                    for instance in instances {
                        self.write(instance)?;
                    }
                }
                Node::Advance(staged) => self.times += usize::from(*staged == self.staged),
                Node::CopyOut(_) | Node::Zero(_) => {}
            }
        }
        Some(())
    }

    fn one(&mut self, inner: &Loop) -> Option<()> {
        let end = inner.end.as_constant()?;
        if inner.steps != Steps::All {
            return None;
        }
        for value in (inner.start..end).step_by(inner.step) {
            self.point.insert(inner.index, value);
            for (index, ahead) in &inner.with {
                self.point.insert(*index, value + ahead);
            }
            self.nodes(&inner.body)?;
        }
        self.point.remove(&inner.index);
        for (index, _) in &inner.with {
            self.point.remove(index);
        }
        Some(())
    }

    fn write(&mut self, instance: &Instance) -> Option<()> {
        let target = &self.program.equations[instance.equation].target;
        if target.array != self.staged {
            return Some(());
        }
        let at = |index: IndexId| {
            let offset = offset(&instance.offsets, index);
            Some((self.point.get(&index).copied().unwrap_or(0) + offset) as i64)
        };
        let mut place = 0;
        for (subscript, dimension) in target.subscripts.iter().zip(self.extents) {
            if let Dimension::Kept(extent) = dimension {
                place = place * extent + usize::try_from(subscript.value(at)?).ok()?;
            }
        }
        *self.written.get_mut(place)? = Some(self.times);
        Some(())
    }
}
