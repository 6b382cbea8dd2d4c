//! Sums of weighted translates that are powers of others, but for a few terms.
//!
//! Weights are a polynomial in the shifts along the axes, and a stencil that is applied twice is the square of its own:
//! the biharmonic operator is that of the Laplacian. Divisions by pairs, of which [`search`](super::search) makes
//! everything else, do not lead to such roots, since what they leave is long.
//!
//! A root follows term by term, the last one first: each of its terms is the only new one in one term of its square.
//! What no square of it reaches is left, and what is left may have the root once more.

use std::collections::BTreeMap;

use super::form::{Form, Term, Weight};
use super::plan::Plan;
use crate::ir::Combining;
use crate::number::Number;
use crate::rewrite::translate::{AXES, Offset, minus, plus};

/// Most terms of a root.
const MOST: usize = 64;

/// Weights, by where they are.
type Weights = BTreeMap<Offset, Number>;

/// The plan with a temporary for the root of one of its forms, if that takes less.
pub fn with_root(plan: &Plan) -> Option<Plan> {
    let atom = plan.read + plan.shared.len();
    let rooted = (0..plan.given.len()).filter_map(|at| {
        let [root, square] = rooted(&plan.given[at], atom)?;
        let mut new = plan.clone();
        new.given[at] = square;
        new.shared.push(Some(root));
        Some(new)
    });
    let rooted = rooted.filter(|rooted| rooted.work() < plan.work());
    rooted.min_by_key(Plan::work)
}

/// The root of a form, and the form in terms of it, as an atom, and of what it was in terms of.
fn rooted(form: &Form, atom: usize) -> Option<[Form; 2]> {
    let first = form.terms.first()?;
    let one = |term: &Term| term.atom == first.atom && term.weight.symbol == 0;
    if form.combining != Combining::Add || form.terms.len() < 4 || !form.terms.iter().all(one) {
        return None;
    }
    let offsets = || form.terms.iter().map(|term| term.at);
    let least = |axis: usize| offsets().map(|at| at[axis]).min().unwrap_or(0);
    let from: Offset = std::array::from_fn(least);
    let weights = form.terms.iter();
    let weights = weights.map(|term| (minus(term.at, from), term.weight.number));
    let (front, root, mut left) = root(weights.collect())?;
    // What is left may have the root in it, too.
    let (end, number) = root.last_key_value()?;
    let once = left.get(end).map_or(Number::ZERO, |left| *left / *number);
    add(&mut left, &root, (Offset::default(), -once));
    let written = |weights: &Weights, atom: usize, scale: Number| {
        let terms = weights.iter().map(move |(at, number)| Term {
            atom,
            at: *at,
            weight: Weight {
                number: *number * scale,
                symbol: 0,
            },
        });
        terms.collect::<Vec<Term>>()
    };
    let inner = Form::new(Combining::Add, written(&root, first.atom, Number::ONE));
    let mut terms = written(&root, atom, front);
    terms.extend(written(&left, first.atom, front));
    terms.extend(written(
        &BTreeMap::from([(Offset::default(), once)]),
        atom,
        front,
    ));
    terms
        .iter_mut()
        .for_each(|term| term.at = plus(term.at, from));
    Some([inner, Form::new(Combining::Add, terms)])
}

/// A number, weights, and others that are left, so that some weights are the number times the sum of the square of the first
/// and the others. The root of what reversal leaves as it is is looked for among such roots, whose first half follows
/// from the last one: what is added in the middle is then left.
fn root(weights: Weights) -> Option<(Number, Weights, Weights)> {
    let (end, front) = weights
        .last_key_value()
        .map(|(at, number)| (*at, *number))?;
    let most = |axis: usize| weights.keys().map(|at| at[axis]).max().unwrap_or(0);
    let size: Offset = std::array::from_fn(most);
    let reach = size.map(|most| most / 2);
    if end.iter().any(|place| place % 2 != 0) {
        return None;
    }
    let even = size.iter().all(|most| most % 2 == 0);
    let mirrored = |(at, number): (&Offset, &Number)| {
        let other = weights.get(&minus(size, *at));
        other.is_some_and(|other| other.field() == number.field())
    };
    let symmetric = even && weights.iter().all(mirrored);
    let last = end.map(|place| place / 2);
    let mut root = Weights::new();
    let mut left: Weights = (weights.iter())
        .map(|(at, number)| (*at, *number / front))
        .collect();
    let extend = |root: &mut Weights, left: &mut Weights, place: Offset, number: Number| {
        let mirror = symmetric.then(|| minus(reach, place));
        for place in [Some(place), mirror].into_iter().flatten() {
            if !root.contains_key(&place) {
                add(left, root, (place, -(number + number)));
                add(left, &Weights::from([(place, number)]), (place, -number));
                root.insert(place, number);
            }
        }
    };
    extend(&mut root, &mut left, last, Number::ONE);
    let mut next = end;
    while let Some((at, number)) = left.range(..next).next_back().map(|(at, n)| (*at, *n)) {
        next = at;
        let place = minus(at, last);
        let inside = (0..AXES).all(|axis| (0..=reach[axis]).contains(&place[axis]));
        if !inside || place >= last || root.contains_key(&place) {
            continue;
        }
        extend(&mut root, &mut left, place, number / Number::from_i64(2));
        if root.len() > MOST {
            return None;
        }
    }
    (root.len() > 1).then_some((front, root, left))
}

/// Adds a multiple of a translate of some weights to others.
fn add(to: &mut Weights, other: &Weights, (by, scale): (Offset, Number)) {
    for (at, number) in other {
        let own = to.entry(plus(*at, by)).or_insert(Number::ZERO);
        *own += *number * scale;
        if own.is_zero() {
            to.remove(&plus(*at, by));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(rows: &[&[i64]]) -> Weights {
        let mut result = Weights::new();
        for (j, row) in rows.iter().enumerate() {
            for (i, number) in row.iter().enumerate().filter(|(_, number)| **number != 0) {
                let mut at = Offset::default();
                (at[0], at[1]) = (j as i32, i as i32);
                result.insert(at, Number::from_i64(*number));
            }
        }
        result
    }

    fn numbers(weights: &Weights) -> Vec<f64> {
        weights.values().map(|number| number.to_f64()).collect()
    }

    #[test]
    fn squares_have_roots() {
        let rows: [&[i64]; 5] = [
            &[0, 0, 3, 0, 0],
            &[0, 6, -24, 6, 0],
            &[3, -24, 61, -24, 3],
            &[0, 6, -24, 6, 0],
            &[0, 0, 3, 0, 0],
        ];
        let (front, root, left) = root(weights(&rows)).unwrap();
        assert_eq!(front.to_f64(), 3.0);
        assert_eq!(numbers(&root), [1.0, 1.0, -4.0, 1.0, 1.0]);
        // Three times the square has 60 in the middle.
        assert_eq!(left.len(), 1);
        assert_eq!((left[&[2, 2, 0, 0]] * front).to_f64(), 1.0);
    }

    #[test]
    fn what_is_no_square_has_no_short_rest() {
        assert!(root(weights(&[&[1, 2, 3, 4]])).is_none());
        let (_, root, left) = root(weights(&[&[5, 1, 1, 1, 1]])).unwrap();
        assert_eq!((root.len(), left.len()), (3, 2));
    }
}
