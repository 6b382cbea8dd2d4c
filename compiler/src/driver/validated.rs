//! Loop trees that were compared with the source: each once.

use crate::schedule::large::Large;
use crate::schedule::views::Views;
use crate::schedule::{Scheduled, Target};
use crate::verify::{self, Validation};

use super::planned::Planned;
use super::variants::Refusal;

/// The loop trees of a program that were compared.
pub struct Validated<'v, 's> {
    validation: Validation<'v, 's>,
    known: Vec<Known>,
}

/// A loop tree that is the source. What the search finds without lanes for one target is not what it finds there
/// for another, where lanes were to be had, nor what a plan without lanes says.
struct Known {
    /// Its width, the target, whether a plan says it, and how views lie.
    found_for: (usize, Target, bool, Views),
    /// Whether a version of it for large arrays holds too.
    large: bool,
}

impl<'v, 's> Validated<'v, 's> {
    pub fn new(validation: Validation<'v, 's>) -> Self {
        let known = Vec::new();
        Validated { validation, known }
    }

    /// Compares a loop tree that the search or a plan has for a target with the source, a plan's in full, unless
    /// it is known; whether it was not. Of a version for large arrays that does not hold nothing is left.
    pub fn check(
        &mut self,
        (target, planned, views): (Target, Option<&Planned<'_>>, Views),
        scheduled: &mut Scheduled,
    ) -> Result<bool, Refusal> {
        let width = scheduled.schedule.width;
        let found_for = (width, target, planned.is_some(), views);
        let mut known = self.known.iter();
        if let Some(known) = known.find(|known| known.found_for == found_for) {
            scheduled.large = scheduled.large.take().filter(|_| known.large);
            return Ok(false);
        }
        let tree = (&scheduled.program, &scheduled.schedule);
        match planned {
            Some(planned) => planned.validate(&mut self.validation, tree)?,
            None => self.validation.validate(tree.0, tree.1).map_err(refused)?,
        }
        scheduled.large = self.large(scheduled.large.take())?;
        let large = scheduled.large.is_some();
        self.known.push(Known { found_for, large });
        Ok(true)
    }

    /// The code for long extents, if it has been validated: where that takes too many steps, or not many are left, the
    /// code for short ones, which was, does for all.
    fn large(&mut self, large: Option<Large>) -> Result<Option<Large>, Refusal> {
        let Some(large) = large.filter(|_| self.validation.has_plenty()) else {
            return Ok(None);
        };
        match self.validation.validate(&large.program, &large.schedule) {
            Ok(()) => Ok(Some(large)),
            Err(verify::Refusal::Unchecked(_) | verify::Refusal::Unmet(_)) => Ok(None),
            Err(different) => Err(refused(different)),
        }
    }

    /// Whether only one has been compared yet, but for views of other layouts.
    pub fn is_first(&self) -> bool {
        let rows = self
            .known
            .iter()
            .filter(|known| known.found_for.3 == Views::Rows);
        rows.count() == 1
    }
}

/// Why an expansion is not taken that validation does not pass.
fn refused(refusal: verify::Refusal) -> Refusal {
    match refusal {
        verify::Refusal::Unchecked(reason) | verify::Refusal::Unmet(reason) => {
            Refusal::Unchecked(reason)
        }
        verify::Refusal::Different(difference) => Refusal::Invalid(difference),
    }
}
