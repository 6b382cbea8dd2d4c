//! Loop trees that were chosen elsewhere.

use super::tree::Schedule;
use super::{Scheduled, buffers, model};
use crate::ir::Program;

/// A loop tree that was chosen elsewhere, with its estimate.
pub fn handed_in(program: Program, mut schedule: Schedule) -> Scheduled {
    buffers::complete(&program, &mut schedule);
    let lanes = schedule.lane_loops();
    let lanes: Vec<String> = lanes
        .map(|lane| format!("`{}`", program.loop_index(lane).name))
        .collect();
    let cycles = model::estimate(&program, &schedule);
    Scheduled {
        decision: format!(
            "width {}, as `plan` says: {cycles:.0} cycles",
            schedule.width
        ),
        cycles,
        over: lanes.join(" and "),
        with: "as `plan` says".to_owned(),
        weighed: Vec::new(),
        large: None,
        program,
        schedule,
    }
}
