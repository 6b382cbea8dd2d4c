//! Small systems of linear inequalities in integers: bounds are narrowed until nothing changes, then
//! values are tried in order, with a limit on work.

/// `Σ coefficient · unknown + constant`. As an inequality, it is not negative.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Linear {
    /// Unknowns in order, each once, with coefficients that are not zero.
    pub terms: Vec<(usize, i128)>,
    /// The constant.
    pub constant: i128,
}

impl Linear {
    /// A constant.
    pub fn constant(constant: i128) -> Linear {
        Linear {
            terms: Vec::new(),
            constant,
        }
    }

    /// An unknown.
    pub fn unknown(unknown: usize) -> Linear {
        Linear {
            terms: vec![(unknown, 1)],
            constant: 0,
        }
    }

    /// `self + factor · other`.
    #[must_use]
    pub fn plus(mut self, factor: i128, other: &Linear) -> Linear {
        for (unknown, coefficient) in &other.terms {
            let more = factor.saturating_mul(*coefficient);
            match self.terms.binary_search_by_key(unknown, |term| term.0) {
                Ok(at) => self.terms[at].1 = self.terms[at].1.saturating_add(more),
                Err(at) => self.terms.insert(at, (*unknown, more)),
            }
        }
        self.terms.retain(|(_, c)| *c != 0);
        let more = factor.saturating_mul(other.constant);
        self.constant = self.constant.saturating_add(more);
        self
    }

    /// Its value where unknowns have theirs.
    pub fn value(&self, of: &[i64]) -> i128 {
        self.extreme(&|unknown, _| of[unknown])
    }

    /// The largest value within bounds.
    pub fn most(&self, bounds: &Bounds) -> i128 {
        self.extreme(&|unknown, rises| match rises {
            true => bounds[unknown].1,
            false => bounds[unknown].0,
        })
    }

    fn extreme(&self, of: &dyn Fn(usize, bool) -> i64) -> i128 {
        let terms = self.terms.iter().map(|(unknown, coefficient)| {
            coefficient.saturating_mul(i128::from(of(*unknown, *coefficient > 0)))
        });
        terms.fold(self.constant, i128::saturating_add)
    }
}

/// The least and the largest value of each unknown.
pub type Bounds = Vec<(i64, i64)>;

/// Where the search for an unknown's value begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// At this value, or the next one that is allowed.
    From(i64),
    /// As much as is allowed, up to this much above the least value.
    Above(i64),
    /// As much as is allowed if that is at most the first of these above the least value, or else as `Above` has it.
    AllOrAbove(i64, i64),
}

/// Inequalities that are evaluated while bounds are narrowed once.
const MOST_STEPS: usize = 1 << 16;
/// Values that are tried in all.
const MOST_TRIED: usize = 1 << 10;
/// Values that are tried of one unknown so that it differs from others.
const DIFFERENT: usize = 24;

/// Narrows bounds to what the inequalities leave; false if that is nothing, or nothing is found in
/// time.
pub fn narrow(bounds: &mut Bounds, inequalities: &[Linear]) -> bool {
    let mut steps = MOST_STEPS;
    loop {
        let mut changed = false;
        for inequality in inequalities {
            match steps.checked_sub(1) {
                Some(left) => steps = left,
                None => return false,
            }
            match narrow_by(bounds, inequality) {
                Some(narrower) => changed |= narrower,
                None => return false,
            }
        }
        if !changed {
            return true;
        }
    }
}

/// Whether an inequality narrowed any bound; `None` if it cannot hold.
fn narrow_by(bounds: &mut Bounds, inequality: &Linear) -> Option<bool> {
    let most = inequality.most(bounds);
    if most < 0 {
        return None;
    }
    let mut changed = false;
    for (unknown, coefficient) in &inequality.terms {
        let (low, high) = &mut bounds[*unknown];
        // What all others leave: `c · (end - x) ≤ most` for the end where `c · x` is largest.
        let room = most.div_euclid(coefficient.abs());
        let (new_low, new_high) = match *coefficient > 0 {
            true => (i128::from(*high) - room, i128::from(*high)),
            false => (i128::from(*low), i128::from(*low).saturating_add(room)),
        };
        if new_low > i128::from(*low) {
            *low = i64::try_from(new_low).ok()?;
            changed = true;
        }
        if new_high < i128::from(*high) {
            *high = i64::try_from(new_high).ok()?;
            changed = true;
        }
        if low > high {
            return None;
        }
    }
    Some(changed)
}

/// An unknown as it is tried.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Which one.
    pub unknown: usize,
    /// Where its values begin.
    pub wish: Wish,
    /// As far as possible, it differs from all others of this group.
    pub apart: Option<usize>,
}

/// Values of all unknowns within bounds that were narrowed; tried in the order of the choices.
pub fn solve(bounds: &Bounds, inequalities: &[Linear], choices: &[Choice]) -> Option<Vec<i64>> {
    let mut search = Search {
        inequalities,
        choices,
        tried: 0,
    };
    search.from(bounds, 0, &mut Vec::new())
}

struct Search<'a> {
    inequalities: &'a [Linear],
    choices: &'a [Choice],
    tried: usize,
}

impl Search<'_> {
    fn from(
        &mut self,
        bounds: &Bounds,
        at: usize,
        taken: &mut Vec<(Option<usize>, i64)>,
    ) -> Option<Vec<i64>> {
        let Some(choice) = self.choices.get(at).copied() else {
            return Some(bounds.iter().map(|(low, _)| *low).collect());
        };
        for value in candidates(bounds[choice.unknown], choice, taken) {
            self.tried += 1;
            if self.tried > MOST_TRIED {
                return None;
            }
            let mut narrowed = bounds.clone();
            narrowed[choice.unknown] = (value, value);
            if !narrow(&mut narrowed, self.inequalities) {
                continue;
            }
            taken.push((choice.apart, value));
            let found = self.from(&narrowed, at + 1, taken);
            taken.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// The values of an unknown that are tried, best first.
fn candidates((low, high): (i64, i64), choice: Choice, taken: &[(Option<usize>, i64)]) -> Vec<i64> {
    let first = match choice.wish {
        Wish::From(first) => first.clamp(low, high),
        Wish::Above(more) => low.saturating_add(more).min(high),
        Wish::AllOrAbove(most, _) if high.saturating_sub(low) <= most => high,
        Wish::AllOrAbove(_, more) => low.saturating_add(more).min(high),
    };
    let free = |value: &i64| choice.apart.is_none() || !taken.contains(&(choice.apart, *value));
    let upwards = (first..=high).take(DIFFERENT).filter(free);
    let downwards = (low..first).rev().take(DIFFERENT).filter(free);
    let mut result: Vec<i64> = upwards.chain(downwards).collect();
    result.extend([first, low, high]);
    let mut seen = crate::collections::HashSet::default();
    result.retain(|value| seen.insert(*value));
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inequality(terms: &[(usize, i128)], constant: i128) -> Linear {
        Linear {
            terms: terms.to_vec(),
            constant,
        }
    }

    /// A solution, with the smallest values from two.
    fn solved(unknowns: usize, most: i64, inequalities: &[Linear]) -> Option<Vec<i64>> {
        let mut bounds = vec![(0, most); unknowns];
        if !narrow(&mut bounds, inequalities) {
            return None;
        }
        let choices = (0..unknowns).map(|unknown| Choice {
            unknown,
            wish: Wish::From(2),
            apart: Some(0),
        });
        solve(&bounds, inequalities, &choices.collect::<Vec<_>>())
    }

    #[test]
    fn unknowns_differ_and_are_small() {
        // m - n ≥ 9, l - m ≥ 0.
        let differences = [
            inequality(&[(0, -1), (1, 1)], -9),
            inequality(&[(1, -1), (2, 1)], 0),
        ];
        assert_eq!(solved(3, 1000, &differences), Some(vec![2, 11, 12]));
        // m - 2 n ≥ 9, 20 - m ≥ 0.
        let multiples = [
            inequality(&[(0, -2), (1, 1)], -9),
            inequality(&[(1, -1)], 20),
        ];
        assert_eq!(solved(2, 1000, &multiples), Some(vec![2, 13]));
    }

    #[test]
    fn where_there_is_no_room_unknowns_are_equal() {
        let fixed = [
            inequality(&[(0, 1)], -3),
            inequality(&[(0, -1)], 3),
            inequality(&[(1, 1)], -3),
            inequality(&[(1, -1)], 3),
        ];
        assert_eq!(solved(2, 1000, &fixed), Some(vec![3, 3]));
    }

    #[test]
    fn contradictions_are_found() {
        let both = [
            inequality(&[(0, -1), (1, 1)], -1),
            inequality(&[(0, 1), (1, -1)], -1),
        ];
        assert_eq!(solved(2, 1000, &both), None);
        // Also where bounds say nothing: 2 x = 2 y + 1.
        let parity = [
            inequality(&[(0, 2), (1, -2)], -1),
            inequality(&[(0, -2), (1, 2)], 1),
        ];
        assert_eq!(solved(2, 1 << 20, &parity), None);
    }
}
