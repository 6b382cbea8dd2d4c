//! Sums of weighted translates, and temporaries for what they share.

use super::form::{Form, Pattern};
use crate::analysis::cost::Work;
use crate::ir::Combining;
use crate::rewrite::translate::minus;

/// Forms, those that are given first and then those of temporaries; `None` where one is no longer used.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Atoms that are read.
    pub read: usize,
    /// The forms that are given.
    pub given: Vec<Form>,
    /// The forms of temporaries, which are atoms after those that are read.
    pub shared: Vec<Option<Form>>,
    /// The axes along which terms are away from each other, the innermost one last.
    pub axes: usize,
    /// How it is looked for.
    pub how: How,
}

/// How a plan is looked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct How {
    /// Plans that are kept at each step; of one, pairs alone are looked at.
    pub plans: usize,
    /// How many more loads and stores a temporary takes that is kept from row to row.
    pub kept: u64,
    /// Whether all is in whole numbers: none is divided by one that does not divide it.
    pub whole: bool,
}

impl How {
    /// With so many plans, and loads and stores, of any numbers.
    pub const fn new(plans: usize, kept: u64) -> How {
        How {
            plans,
            kept,
            whole: false,
        }
    }
}

impl Plan {
    /// What all of it takes.
    pub fn work(&self) -> Work {
        let mut result = Work::default();
        for form in &self.given {
            result.operations += form.operations() as u64;
            result.moves += form.terms.len() as u64;
        }
        for form in self.shared.iter().flatten() {
            result.operations += form.operations() as u64;
            result.moves += form.terms.len() as u64 + 1;
            result.temporaries += 1;
        }
        result.moves += self.how.kept * self.kept_longer();
        result
    }

    /// How many temporaries a form reads at several places along another axis than the innermost one.
    fn kept_longer(&self) -> u64 {
        let innermost = self.axes.saturating_sub(1);
        let mut longer = vec![false; self.shared.len()];
        for form in self.forms() {
            for pair in form.terms.windows(2) {
                let (one, other) = (&pair[0], &pair[1]);
                let apart = minus(other.at, one.at);
                let along = apart
                    .iter()
                    .enumerate()
                    .any(|(axis, by)| axis != innermost && *by != 0);
                if one.atom == other.atom && along && one.atom >= self.read {
                    longer[one.atom - self.read] = true;
                }
            }
        }
        longer.into_iter().filter(|longer| *longer).count() as u64
    }

    /// What all forms combine their terms by.
    pub fn combining(&self) -> Combining {
        let mut forms = self.forms();
        forms.next().map_or(Combining::Add, |form| form.combining)
    }

    /// All forms.
    pub fn forms(&self) -> impl Iterator<Item = &Form> {
        self.given.iter().chain(self.shared.iter().flatten())
    }

    /// The forms of temporaries, each after those that it reads.
    pub fn in_order(&self) -> Vec<(usize, &Form)> {
        let mut left: Vec<(usize, &Form)> = (self.shared.iter().enumerate())
            .filter_map(|(at, form)| Some((at, form.as_ref()?)))
            .collect();
        let mut result = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let waits = |form: &Form| {
                let mut read = form.terms.iter();
                read.any(|term| left.iter().any(|(at, _)| self.read + at == term.atom))
            };
            let (ready, others): (Vec<_>, Vec<_>) = left.iter().partition(|(_, form)| !waits(form));
            assert!(!ready.is_empty(), "no temporary reads itself");
            result.extend(ready);
            left = others;
        }
        result
    }

    /// The plan with a temporary for a pattern, if that stands anywhere.
    pub fn with(&self, pattern: &Pattern) -> Option<Plan> {
        let atom = self.read + self.shared.len();
        let mut plan = self.clone();
        let mut any = false;
        let mut replace = |form: &mut Form| {
            if let Some(new) = pattern.applied(form, atom) {
                *form = new;
                any = true;
            }
        };
        plan.given.iter_mut().for_each(&mut replace);
        plan.shared.iter_mut().flatten().for_each(replace);
        plan.shared.push(Some(pattern.form()));
        any.then_some(plan)
    }

    /// Whether the forms of another one have as many terms.
    pub fn is_like(&self, other: &Plan) -> bool {
        let sizes = |plan: &Plan| -> Vec<usize> { plan.forms().map(|f| f.terms.len()).collect() };
        sizes(self) == sizes(other)
    }

    /// The plan without a temporary, whose form stands where it is read.
    fn without(&self, at: usize) -> Option<Plan> {
        let mut plan = self.clone();
        let form = plan.shared[at].take()?;
        let atom = self.read + at;
        let inline = |other: &mut Form| {
            *other = other.inlined(atom, &form)?;
            Some(())
        };
        (plan.given.iter_mut())
            .chain(plan.shared.iter_mut().flatten())
            .try_for_each(inline)?;
        Some(plan)
    }

    /// Takes back temporaries that save nothing.
    pub fn settle(&mut self) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for at in (0..self.shared.len()).rev() {
                if let Some(plan) = self.without(at)
                    && plan.work() <= self.work()
                {
                    *self = plan;
                    changed = true;
                }
            }
        }
    }
}
