//! The cheapest way to compute some sums of weighted translates, with temporaries for what they share.
//!
//! In two phases, as in Ernst 1995, section 2.3.3: all pairs of terms that stand at several places, up to
//! translation and a common factor, are found, and then one is chosen that makes the whole cheapest. It
//! becomes a temporary, and the terms in which it stands become its translates. So windows double, weights
//! at equal distances are put together, and weights of rank one fall into rows and columns. Which pairs
//! come first matters: the search runs several times, along one axis after another, in each order.

use super::form::{Key, Pattern, Term, Weight};
use super::plan::Plan;
use super::powers::with_root;
use super::waves::Accuracy;
use crate::analysis::cost::Work;
use crate::ir::Combining;
use crate::number::{Field, Number};
use crate::rewrite::translate::{AXES, Offset, minus};

/// Most pairs of terms that a search looks at, at each of its steps, those next to each other first.
const PAIRS: usize = 2000;
/// Patterns of which the cost is computed at each step.
const TRIED: usize = 12;
/// Most temporaries.
const MOST: usize = 48;

/// The cheapest plan that is found, and is as accurate as it has to be; `fixed` says which atoms have no translates.
pub fn cheapest(plan: &Plan, fixed: &[bool], accuracy: &Accuracy) -> Plan {
    let mut best = plan.clone();
    let rooted = (plan.how.plans > 1).then(|| with_root(plan)).flatten();
    for plan in rooted.iter().chain([plan]) {
        for phases in strategies(&used(plan)) {
            let mut found = searched(plan, fixed, &phases, &Accuracy::default());
            if found.work() < best.work() && !accuracy.holds(&found) {
                found = searched(plan, fixed, &phases, accuracy);
            }
            if found.work() < best.work() && accuracy.holds(&found) {
                best = found;
            }
        }
    }
    best
}

/// What is found phase by phase: the cheapest of the plans that are kept.
fn searched(plan: &Plan, fixed: &[bool], phases: &[Vec<usize>], accuracy: &Accuracy) -> Plan {
    let mut found = vec![plan.clone()];
    for axes in phases {
        found = kept(found, fixed, axes, accuracy);
    }
    found.iter_mut().for_each(Plan::settle);
    let cheapest = found.into_iter().min_by_key(Plan::work);
    cheapest.unwrap_or_else(|| plan.clone())
}

/// The axes along which terms of a form lie apart, the innermost first.
fn used(plan: &Plan) -> Vec<usize> {
    let apart = |axis: usize| {
        plan.forms().any(|form| {
            let first = form.terms.first().map_or(0, |term| term.at[axis]);
            form.terms.iter().any(|term| term.at[axis] != first)
        })
    };
    (0..plan.axes.min(AXES))
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

/// Makes temporaries for pairs that lie apart along some axes alone, as long as that saves anything; of several plans
/// with as many, the cheapest ones.
fn kept(plans: Vec<Plan>, fixed: &[bool], axes: &[usize], accuracy: &Accuracy) -> Vec<Plan> {
    let mut ended: Vec<Plan> = Vec::new();
    let most = plans.first().map_or(1, |plan| plan.how.plans);
    let mut open = plans;
    while !open.is_empty() {
        let mut next: Vec<(Work, Plan)> = Vec::new();
        for plan in open {
            let before = next.len();
            if plan.shared.len() < MOST {
                let work = plan.work();
                let patterns = patterns(&plan, fixed, axes);
                let tried = patterns.iter().filter_map(|pattern| plan.with(pattern));
                let tried = tried.map(|tried| (tried.work(), tried));
                next.extend(tried.filter(|(own, _)| *own < work));
            }
            if next.len() == before {
                ended.push(plan);
            }
        }
        next.sort_by_key(|(work, _)| *work);
        next.dedup_by(|(other, second), (one, first)| one == other && first.is_like(second));
        open = (next.into_iter())
            .map(|(_, plan)| plan)
            .filter(|plan| accuracy.holds(plan))
            .take(most)
            .collect();
    }
    ended.sort_by_cached_key(Plan::work);
    ended.truncate(most);
    ended
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
    chosen(plan, found)
}

/// A pair of terms, and what it is compared by.
type Found<'a> = (Key, [&'a Term; 2]);

/// The pairs that are tried, of all that were found.
fn chosen(plan: &Plan, mut found: Vec<Found>) -> Vec<Pattern> {
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
        .flat_map(|same| {
            let pair = pattern(plan.combining(), same[0].0, same[0].1);
            let pair = Some(pair)
                .filter(|pair| !plan.how.whole || pair.weights[1].number.as_whole().is_some());
            let longer = pair.filter(|_| plan.how.plans > 1);
            [pair, longer.and_then(|pair| pair.longer())]
                .into_iter()
                .flatten()
        })
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
        count: 2,
    }
}

#[cfg(test)]
mod tests {
    use super::super::form::Form;
    use super::super::plan::How;
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
            axes: 2,
            how: How::new(3, 0),
        };
        let work = cheapest(&plan, &[false], &Accuracy::default()).work();
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
        // As long as the shortest addition chains.
        for (width, wanted) in [(7, 4), (9, 4), (15, 5), (17, 5), (21, 6), (27, 6), (45, 7)] {
            assert_eq!(window(width), wanted, "{width}");
        }
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
        // Windows of extrema may lie over each other.
        assert_eq!(combined(Combining::Max, &[&[1; 7][..]; 7]).0, 7);
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
        assert_eq!(cost(&[&row[..]; 15]).0, 10);
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
        assert_eq!(cost(&thirteen).0, 8);
        let square: [&[i64]; 5] = [
            &[1, 8, 18, 8, 1],
            &[8, -8, -144, -8, 8],
            &[18, -144, 468, -144, 18],
            &[8, -8, -144, -8, 8],
            &[1, 8, 18, 8, 1],
        ];
        assert_eq!(cost(&square).0, 16);
    }
}
