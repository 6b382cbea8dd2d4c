//! How long the stages of an expansion take. Nothing but report files shows it.

use std::time::Instant;

/// Measures stages, one after another; stages of the same name add up.
#[derive(Clone, Debug)]
pub struct Clock {
    /// When the last stage ended; `None` where nobody wants to know.
    last: Option<Instant>,
    times: Vec<(&'static str, f64)>,
}

impl Clock {
    /// A clock, which runs only if it is wanted.
    pub fn new(wanted: bool) -> Clock {
        Clock {
            last: wanted.then(Instant::now),
            times: Vec::new(),
        }
    }

    /// Ends a stage.
    pub fn lap(&mut self, stage: &'static str) {
        let Some(last) = self.last else { return };
        let now = Instant::now();
        let milliseconds = (now - last).as_secs_f64() * 1e3;
        self.last = Some(now);
        match self.times.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, time)) => *time += milliseconds,
            None => self.times.push((stage, milliseconds)),
        }
    }

    /// The stages in the order in which they first ended, with their milliseconds.
    pub fn times(&self) -> Vec<(&'static str, f64)> {
        self.times.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_of_one_name_add_up() {
        let mut clock = Clock::new(true);
        for stage in ["schedule", "verify", "schedule"] {
            clock.lap(stage);
        }
        let times = clock.times();
        let names: Vec<&str> = times.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["schedule", "verify"]);
        assert!(times.iter().all(|(_, time)| *time >= 0.0));
        let mut still = Clock::new(false);
        still.lap("schedule");
        assert!(still.times().is_empty());
    }
}
