//! How many lanes vectors have, where there are instructions for fewer than registers hold.

use super::{Prepared, Scheduled, Target, Wishes, prepared};

/// Chooses as [`prepared`] does, with vectors of half the width where these take no more cycles: short
/// loops leave lanes of long ones idle.
///
/// # Errors
/// As of [`prepared`].
pub fn prepared_widths(
    from: &Prepared,
    target: Target,
    wishes: &Wishes,
) -> Result<Scheduled, String> {
    let wide = prepared(from, target, wishes)?;
    let half = Target {
        width: target.width / 2,
        ..target
    };
    // Over a loop of run-time length no lane of whole vectors is idle.
    let lanes = wide.schedule.lanes;
    let long = lanes.is_some_and(|lane| !wide.program.is_constant(lane));
    if long || half.width < 2 {
        return Ok(wide);
    }
    let fewer = |narrow: f64| match lanes {
        Some(_) => narrow <= wide.cycles,
        None => narrow < wide.cycles,
    };
    match prepared(from, half, wishes) {
        Ok(narrow) if fewer(narrow.cycles) => Ok(Scheduled {
            decision: format!(
                "{}; vectors of {} lanes would take {:.0} cycles",
                narrow.decision, target.width, wide.cycles
            ),
            ..narrow
        }),
        _ => Ok(wide),
    }
}
