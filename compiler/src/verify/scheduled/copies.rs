//! Copies of staged results: where they stand, or one vector of lanes later.

use super::places::Storage;
use super::point::Point;
use super::{Machine, Result};
use crate::ir::ArrayId;
use crate::schedule::tree::{CopyOut, Loop};
use crate::verify::TOO_LARGE;

/// What a vector of lanes has staged, and is yet to be copied.
pub struct Pending {
    copy: CopyOut,
    /// The half of the staging array: the other one is in the array's place.
    staged: Storage,
    /// Where the vector is.
    point: Point,
}

impl Machine<'_> {
    /// Copies what is staged.
    pub fn copy_out(&mut self, copy: &CopyOut) -> Result<()> {
        let staged = copy.staged.0 as usize;
        let target = self.arrays.compile(&copy.target)?;
        let Storage::Memory { lanes, .. } = self.arrays.storage[staged] else {
            return Err("a staging array is not in memory".to_owned());
        };
        let mut indices = Vec::new();
        let subscripts = &copy.target.subscripts;
        subscripts
            .iter()
            .for_each(|s| s.collect_indices(&mut indices));
        let from = self.arrays.staged(staged, &copy.subscripts())?;
        let over_lanes = self.lane.is_some_and(|lane| {
            !copy.loops.contains(&lane) && (lanes > 1 || indices.contains(&lane))
        });
        for lane in 0..if over_lanes { self.width } else { 1 } {
            if over_lanes && self.select(lane) != Some(true) {
                continue;
            }
            self.domain(&copy.loops, &mut |machine| {
                *machine.budget = machine.budget.checked_sub(1).ok_or(TOO_LARGE)?;
                let value = machine.arrays.read(&from, &machine.point, lane)?;
                let lane = (lane, true);
                machine
                    .arrays
                    .write(&target, &machine.point, lane, value, copy.accumulate)
            })?;
        }
        if let Some(index) = self.lane {
            let at = index.0 as usize;
            self.point.at[at] = self.point.loops[at];
        }
        Ok(())
    }

    /// Copies what the vector before has left, and leaves what this one has.
    pub fn copy_pipelined(&mut self, copy: &CopyOut) -> Result<()> {
        self.advance(copy.staged)?;
        let place = &mut self.arrays.storage[copy.staged.0 as usize];
        let other = match place {
            Storage::Memory { values, lanes } => Storage::Memory {
                values: vec![None; values.len()],
                lanes: *lanes,
            },
            _ => return Err("a staging array is not in memory".to_owned()),
        };
        self.pending.push(Pending {
            copy: copy.clone(),
            staged: std::mem::replace(place, other),
            point: self.point.clone(),
        });
        Ok(())
    }

    /// Copies what a vector has left: all at once, since nothing else may touch it.
    pub fn advance(&mut self, staged: ArrayId) -> Result<()> {
        let of = |pending: &Pending| pending.copy.staged == staged;
        let Some(at) = self.pending.iter().position(of) else {
            return Ok(());
        };
        let Pending {
            copy,
            staged: half,
            point,
        } = self.pending.remove(at);
        let array = staged.0 as usize;
        let here = std::mem::replace(&mut self.point, point);
        let half = std::mem::replace(&mut self.arrays.storage[array], half);
        self.copy_out(&copy)?;
        self.arrays.storage[array] = half;
        self.point = here;
        Ok(())
    }

    /// The end of a loop: what its last vector has left.
    pub fn drain(&mut self, inner: &Loop) -> Result<()> {
        if self.lane != Some(inner.index) {
            return Ok(());
        }
        while let Some(pending) = self.pending.first() {
            self.advance(pending.copy.staged)?;
        }
        Ok(())
    }
}
