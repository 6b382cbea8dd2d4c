//! The cheapest way to compute some sums of weighted translates, with temporaries for what they share.
//!
//! In two phases, as in Ernst 1995, section 2.3.3: all pairs of terms that stand at several places, up to
//! translation and a common factor, are found, and then one is chosen that makes the whole cheapest. It
//! becomes a temporary, and the terms in which it stands become its translates. So windows double, weights
//! at equal distances are put together, and weights of rank one fall into rows and columns. Which pairs
//! come first matters: the search runs several times, along one axis after another, in each order.

use super::form::{Form, Key, Pattern, Term, Weight};
use super::translate::{AXES, Offset, minus};
use super::waves::Accuracy;
use crate::analysis::cost::Work;
use crate::ir::Combining;
use crate::number::{Field, Number};

/// Forms, those that are given first and then those of temporaries; `None` where one is no longer used.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Atoms that are read.
    pub read: usize,
    /// The forms that are given.
    pub given: Vec<Form>,
    /// The forms of temporaries, which are atoms after those that are read.
    pub shared: Vec<Option<Form>>,
}

/// Most pairs of terms that a search looks at, at each of its steps, those next to each other first.
const PAIRS: usize = 2000;
/// Patterns of which the cost is computed at each step.
const TRIED: usize = 12;
/// Most temporaries.
const MOST: usize = 48;

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
        result
    }

    /// What all forms combine their terms by.
    fn combining(&self) -> Combining {
        let mut forms = self.forms();
        forms.next().map_or(Combining::Add, |form| form.combining)
    }

    /// All forms.
    pub fn forms(&self) -> impl Iterator<Item = &Form> {
        self.given.iter().chain(self.shared.iter().flatten())
    }

    /// The plan with a temporary for a pattern, if that stands anywhere.
    fn with(&self, pattern: &Pattern) -> Option<Plan> {
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
    fn settle(&mut self) {
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

/// The cheapest plan that is found, and is as accurate as it has to be; `fixed` says which atoms have no translates.
pub fn cheapest(plan: &Plan, fixed: &[bool], axes: usize, accuracy: &Accuracy) -> Plan {
    let mut best = plan.clone();
    for phases in strategies(&used(plan, axes)) {
        let mut found = searched(plan, fixed, &phases, &Accuracy::default());
        if found.work() < best.work() && !accuracy.holds(&found) {
            found = searched(plan, fixed, &phases, accuracy);
        }
        if found.work() < best.work() && accuracy.holds(&found) {
            best = found;
        }
    }
    best
}

/// What is found phase by phase.
fn searched(plan: &Plan, fixed: &[bool], phases: &[Vec<usize>], accuracy: &Accuracy) -> Plan {
    let mut found = plan.clone();
    for axes in phases {
        greedy(&mut found, fixed, axes, accuracy);
    }
    found.settle();
    found
}

/// The axes along which terms of a form lie apart, the innermost first.
fn used(plan: &Plan, axes: usize) -> Vec<usize> {
    let apart = |axis: usize| {
        plan.forms().any(|form| {
            let first = form.terms.first().map_or(0, |term| term.at[axis]);
            form.terms.iter().any(|term| term.at[axis] != first)
        })
    };
    (0..axes.min(AXES))
        .rev()
        .filter(|axis| apart(*axis))
        .collect()
}

/// The axes along which pairs may lie apart, phase by phase: all at once, and one more in each phase, in
/// each order.
fn strategies(axes: &[usize]) -> Vec<Vec<Vec<usize>>> {
    let mut result = vec![vec![axes.to_vec()]];
    if axes.len() > 1 {
        let prefixes = |order: Vec<usize>| {
            let phases = (1..=order.len()).map(|count| order[..count].to_vec());
            phases.collect()
        };
        result.extend(orders(axes).into_iter().map(prefixes));
    }
    result
}

/// All orders of some axes.
fn orders(axes: &[usize]) -> Vec<Vec<usize>> {
    if axes.len() < 2 {
        return vec![axes.to_vec()];
    }
    let mut result = Vec::new();
    for first in axes {
        let others: Vec<usize> = axes.iter().copied().filter(|axis| axis != first).collect();
        for mut order in orders(&others) {
            order.insert(0, *first);
            result.push(order);
        }
    }
    result
}

/// Makes temporaries for pairs that lie apart along some axes alone, as long as that saves anything.
fn greedy(plan: &mut Plan, fixed: &[bool], axes: &[usize], accuracy: &Accuracy) {
    while plan.shared.len() < MOST {
        let patterns = patterns(plan, fixed, axes);
        let tried = patterns.iter().filter_map(|pattern| plan.with(pattern));
        let mut tried: Vec<Plan> = tried.filter(|tried| tried.work() < plan.work()).collect();
        tried.sort_by_key(Plan::work);
        match tried.into_iter().find(|tried| accuracy.holds(tried)) {
            Some(best) => *plan = best,
            None => return,
        }
    }
}

/// The pairs that stand at several places, those that stand at the most first.
fn patterns(plan: &Plan, fixed: &[bool], axes: &[usize]) -> Vec<Pattern> {
    let mut found: Vec<Found> = Vec::new();
    let mut pairs = 0;
    for form in plan.forms() {
        let terms: Vec<Part> = (form.terms.iter())
            .filter(|term| !fixed.get(term.atom).copied().unwrap_or(false))
            .map(Part::of)
            .collect();
        let near = (1..terms.len()).flat_map(|step| terms.iter().zip(&terms[step..]));
        for (first, second) in near {
            let apart = minus(second.term.at, first.term.at);
            let along = |axis: usize| apart[axis] == 0 || axes.contains(&axis);
            if !(0..AXES).all(along) {
                continue;
            }
            pairs += 1;
            if pairs > PAIRS {
                break;
            }
            let terms = [first.term, second.term];
            let keys = pair((first, second), apart, form.combining);
            found.extend(keys.map(|key| (key, terms)));
        }
    }
    chosen(plan.combining(), found)
}

/// A pair of terms, and what it is compared by.
type Found<'a> = (Key, [&'a Term; 2]);

/// The pairs that are tried, of all that were found.
fn chosen(combining: Combining, mut found: Vec<Found>) -> Vec<Pattern> {
    found.sort_by_key(|(key, _)| *key);
    let several = found.chunk_by(|(key, _), (other, _)| key == other);
    let mut several: Vec<&[Found]> = several.filter(|same| same.len() > 1).collect();
    several.sort_by_key(|same| {
        let far: i32 = same[0].0.1.iter().map(|by| by.abs()).sum();
        (usize::MAX - same.len(), far)
    });
    several.truncate(TRIED);
    let patterns = several.into_iter();
    patterns
        .map(|same| pattern(combining, same[0].0, same[0].1))
        .collect()
}

/// A term, with the reciprocal of its weight.
struct Part<'a> {
    term: &'a Term,
    field: Field,
    inverse: Field,
}

impl Part<'_> {
    fn of(term: &Term) -> Part<'_> {
        let field = term.weight.number.field();
        let one = Field::from_i64(1);
        let inverse = if field == one { one } else { field.inverse() };
        Part {
            term,
            field,
            inverse,
        }
    }
}

/// The quotients of two weights that are equal, or opposite.
fn units() -> [Field; 2] {
    [1, -1].map(Field::from_i64)
}

/// What a pair of terms may be a place of: with their own weights, and, since quotients may have others, with
/// equal and opposite ones.
fn pair(
    (first, second): (&Part, &Part),
    apart: Offset,
    combining: Combining,
) -> impl Iterator<Item = Key> {
    let atoms = [first.term.atom, second.term.atom];
    let symbols = [first.term.weight.symbol, second.term.weight.symbol];
    let same = symbols[0] == symbols[1];
    let symbols = if same { [0, 0] } else { symbols };
    let own = second.field * first.inverse;
    let free = atoms[0] == atoms[1] && same;
    let adds = combining == Combining::Add;
    let of_units = units().map(|unit| ((free && adds) || unit == own).then_some(unit));
    let own = (!units().contains(&own)).then_some(own);
    let ratios = [own, of_units[0], of_units[1]].into_iter().flatten();
    ratios.map(move |ratio| (atoms, apart, ratio, symbols))
}

/// The pattern of a pair of terms.
fn pattern(
    combining: Combining,
    (atoms, apart, ratio, symbols): Key,
    [first, second]: [&Term; 2],
) -> Pattern {
    let number = match units().iter().position(|unit| *unit == ratio) {
        Some(0) => Number::ONE,
        Some(_) => Number::from_i64(-1),
        None => second.weight.number / first.weight.number,
    };
    let weight = |number, symbol| Weight { number, symbol };
    let weights = [weight(Number::ONE, symbols[0]), weight(number, symbols[1])];
    Pattern {
        combining,
        atoms,
        apart,
        weights,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Operations and temporaries for weights on a grid, row by row.
    fn cost(rows: &[&[i64]]) -> (u64, u64) {
        combined(Combining::Add, rows)
    }

    fn combined(combining: Combining, rows: &[&[i64]]) -> (u64, u64) {
        let mut terms = Vec::new();
        for (j, row) in rows.iter().enumerate() {
            for (i, number) in row.iter().enumerate() {
                let number = Number::from_i64(*number);
                let mut at = Offset::default();
                (at[0], at[1]) = (j as i32, i as i32);
                terms.push(Term {
                    atom: 0,
                    at,
                    weight: Weight { number, symbol: 0 },
                });
            }
        }
        let plan = Plan {
            read: 1,
            given: vec![Form::new(combining, terms)],
            shared: Vec::new(),
        };
        let work = cheapest(&plan, &[false], 2, &Accuracy::default()).work();
        (work.operations, work.temporaries)
    }

    fn window(width: usize) -> u64 {
        cost(&[&vec![1; width]]).0
    }

    #[test]
    fn windows_double() {
        for width in 2..70usize {
            let bound = 2 * width.ilog2() as u64;
            assert!(window(width) <= bound.max(1), "{width}: {}", window(width));
        }
        assert_eq!(window(17), 5);
    }

    #[test]
    fn extrema_of_windows_take_as_many_operations_as_sums() {
        for width in 2..70usize {
            let found = combined(Combining::Max, &[&vec![1; width]]).0;
            assert!(
                found <= (2 * width.ilog2() as u64).max(1),
                "{width}: {found}"
            );
        }
        assert_eq!(combined(Combining::Min, &[&[1; 3][..]; 3]).0, 4);
        assert_eq!(combined(Combining::Max, &[&[1; 5][..]; 5]).0, 6);
    }

    #[test]
    fn weights_of_rank_one_are_rows_and_columns() {
        assert_eq!(cost(&[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]]).0, 4);
        let row = [1i64, 4, 6, 4, 1];
        let rows: Vec<Vec<i64>> = (row.iter())
            .map(|r| row.iter().map(|c| r * c).collect())
            .collect();
        let rows: Vec<&[i64]> = rows.iter().map(Vec::as_slice).collect();
        assert!(cost(&rows).0 <= 12, "{:?}", cost(&rows));
        let row = [1i64; 15];
        assert!(cost(&[&row[..]; 15]).0 <= 12, "{:?}", cost(&[&row[..]; 15]));
    }

    #[test]
    fn laplacians_share_sums() {
        let nine: [&[i64]; 3] = [&[1, 4, 1], &[4, -20, 4], &[1, 4, 1]];
        assert!(cost(&nine).0 <= 8, "{:?}", cost(&nine));
        let thirteen: [&[i64]; 5] = [
            &[0, 0, 1, 0, 0],
            &[0, 2, -8, 2, 0],
            &[1, -8, 20, -8, 1],
            &[0, 2, -8, 2, 0],
            &[0, 0, 1, 0, 0],
        ];
        assert!(cost(&thirteen).0 <= 10, "{:?}", cost(&thirteen));
    }
}
