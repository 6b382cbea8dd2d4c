//! Symbolic differences of iterations: weights whose sums follow from those some iterations before.
//!
//! The sums of translates `w[0] x[i] + w[1] x[i + 1] + …` are a product of a polynomial `W` and the shift `z` to the
//! next element. With `F = (z^d - a) W`, the sum `d` iterations later is `a` times this one plus what `F` weighs:
//! where most of its weights cancel, that takes fewer operations than the sum. `a` and `d` are those that make the
//! most weights cancel, whatever the weights are: equal ones (`a = 1`), periodic ones (`d` the period), arithmetic
//! sequences, of which a sum of equal weights is left, geometric ones (`a` the ratio). Where `F` is divisible by
//! `z^m - a^(m / d)`, `W` is a geometric window of the sums that the quotient weighs: rising and falling sequences are
//! windows of windows (Ernst 1995, chapter 4; section 4.2 for the sequences).
//!
//! What is added at one iteration reads what the text reads there: `F = z^d P + N`, where `P` is added to what was
//! handed on, and `N`, with `a` times the sum, makes what is handed on.

use crate::number::{Field, Number};

/// Differences that are taken of what is left of others.
const DEPTH: usize = 2;

/// Most weights that are looked at.
const LONGEST: usize = 128;

/// Weights of elements one after the other, the first of which is not zero.
pub type Weights = Vec<Number>;

/// How sums follow from earlier ones.
#[derive(Clone, Debug)]
pub struct Recurrence {
    /// From how many iterations before.
    pub by: usize,
    /// What the earlier sum is multiplied with.
    pub ratio: Number,
    /// What is added to what was handed on, by distances.
    pub added: Weights,
    /// What is added to the sum before that is handed on.
    pub handed: Weights,
    /// The weights of what all these weigh, where that is a sum itself.
    pub inner: Option<Weights>,
    /// The weights of all that the first sums lack of what is added.
    pub first: Weights,
    /// Operations, about.
    pub operations: usize,
}

/// How weights are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// From how many iterations before sums may follow.
    pub distances: &'a [usize],
    /// Weights are whole numbers: a modulus takes care of those that grow.
    pub whole: bool,
}

/// The cheapest recurrence for sums with some weights, if one takes fewer operations than the sums.
pub fn recurrence(weights: &[Number], rules: Rules) -> Option<Recurrence> {
    let fits = weights.len() <= LONGEST && terms(weights) > 2;
    fits.then(|| cheapest(weights, rules, DEPTH)).flatten()
}

/// About how many operations sums take: those of equal weights by windows that double.
pub fn rough(weights: &[Number]) -> usize {
    let count = terms(weights);
    let mut magnitudes: Vec<Field> = (weights.iter())
        .filter(|number| !is_zero(**number))
        .map(|number| number.abs().field())
        .collect();
    magnitudes.sort_unstable();
    magnitudes.dedup();
    let one = Field::from_i64(1);
    let products = magnitudes.iter().filter(|own| **own != one).count();
    let equal = magnitudes.len() == 1 && count == weights.len();
    let sums = match equal {
        // Doubling, and one for each other digit, at most as many as the digits: 15 = 3 * 5.
        true => {
            let digits = count.ilog2() as usize;
            digits + (count.count_ones() as usize - 1).min(digits.div_ceil(2))
        }
        false => count.saturating_sub(1),
    };
    sums + products
}

fn terms(weights: &[Number]) -> usize {
    weights.iter().filter(|number| !is_zero(**number)).count()
}

fn is_zero(number: Number) -> bool {
    number.field() == Field::ZERO
}

/// Operations of sums, by whichever way is the cheapest.
fn cost(weights: &[Number], rules: Rules, depth: usize) -> usize {
    let plain = rough(weights);
    if depth == 0 || terms(weights) < 4 {
        return plain;
    }
    let found = cheapest(weights, rules, depth);
    found.map_or(plain, |found| found.operations.min(plain))
}

fn cheapest(weights: &[Number], rules: Rules, depth: usize) -> Option<Recurrence> {
    let plain = rough(weights);
    let mut best: Option<Recurrence> = None;
    let mut keep = |found: Option<Recurrence>| {
        let Some(found) = found else { return };
        let least = best.as_ref().map_or(plain, |best| best.operations);
        if found.operations < least {
            best = Some(found);
        }
    };
    let near = rules.distances.iter().copied();
    for by in near.filter(|by| *by < weights.len()) {
        for ratio in ratios(weights, by, rules.whole) {
            let difference = difference(weights, by, ratio);
            for split in [by, weights.len()] {
                keep(direct(
                    weights,
                    (&difference, by, ratio),
                    split,
                    (rules, depth),
                ));
            }
            for length in (2 * by..weights.len()).step_by(by) {
                keep(windows((&difference, by, ratio), length, (rules, depth)));
            }
        }
    }
    best
}

/// Quotients of weights that are some elements apart, those that occur the most first; and one.
fn ratios(weights: &[Number], by: usize, whole: bool) -> Vec<Number> {
    let mut found: Vec<(Number, usize)> = vec![(Number::ONE, 1)];
    for at in by..weights.len() {
        let (earlier, later) = (weights[at - by], weights[at]);
        if is_zero(earlier) || is_zero(later) {
            continue;
        }
        let Some(ratio) = neat(earlier / later, whole) else {
            continue;
        };
        match found
            .iter_mut()
            .find(|(own, _)| own.field() == ratio.field())
        {
            Some((_, count)) => *count += 1,
            None => found.push((ratio, 1)),
        }
    }
    found.retain(|(ratio, count)| *count > 1 || ratio.is_one());
    found.sort_by_key(|(_, count)| usize::MAX - count);
    found.truncate(2);
    found.into_iter().map(|(ratio, _)| ratio).collect()
}

/// A quotient, as the whole number that it is if it is one; `None` if sums would grow with it, and are not whole
/// numbers.
fn neat(quotient: Number, whole: bool) -> Option<Number> {
    let value = quotient.to_f64();
    let integer = Number::from_i64(value.round() as i64);
    let is_integer = value.abs() < 1e9 && integer.field() == quotient.field();
    match (is_integer, whole) {
        (true, true) => Some(integer),
        (true, false) => (value.abs() <= 1.0).then_some(integer),
        (false, true) => None,
        (false, false) => (value.abs() < 1.0).then_some(quotient),
    }
}

/// `(z^by - ratio) W`.
fn difference(weights: &[Number], by: usize, ratio: Number) -> Weights {
    let at = |at: Option<usize>| {
        let own = at.and_then(|at| weights.get(at)).copied();
        own.unwrap_or(Number::ZERO)
    };
    let all = (0..weights.len() + by).map(|to| {
        let left = at(to.checked_sub(by)) - ratio * at(Some(to));
        if is_zero(left) { Number::ZERO } else { left }
    });
    all.collect()
}

/// Sums that follow from those before by the difference of both, split at a distance.
fn direct(
    weights: &[Number],
    (difference, by, ratio): (&[Number], usize, Number),
    split: usize,
    (rules, depth): (Rules, usize),
) -> Option<Recurrence> {
    let (handed, added) = difference.split_at_checked(split.max(by))?;
    let added: Weights = (std::iter::repeat_n(Number::ZERO, split - by))
        .chain(added.iter().copied())
        .collect();
    let each = |part: &[Number]| {
        let part = trimmed(part);
        match terms(part) {
            0 => 0,
            _ => cost(part, rules, depth - 1) + 1,
        }
    };
    let (one, other) = (each(&added), each(handed));
    // Both may be one sum, at two places.
    let same = terms(handed) > 1 && opposite(trimmed(handed), trimmed(&added));
    let parts = if same { one + 1 } else { one + other };
    let lacks = weights
        .iter()
        .zip(added.iter().chain(std::iter::repeat(&Number::ZERO)));
    let first = lacks.map(|(all, own)| *all - *own).collect();
    Some(Recurrence {
        by,
        ratio,
        added,
        handed: handed.to_vec(),
        inner: None,
        first,
        operations: parts + products(ratio),
    })
}

/// Sums that are windows of so many elements of others, with weights that grow by a ratio.
fn windows(
    (difference, by, ratio): (&[Number], usize, Number),
    length: usize,
    (rules, depth): (Rules, usize),
) -> Option<Recurrence> {
    let steps = u32::try_from(length / by).ok()?;
    let last = ratio.powi(steps);
    let inner = divided(difference, length, last).filter(|inner| terms(inner) > 1)?;
    let mut added = vec![Number::ZERO; length - by + 1];
    added[length - by] = Number::ONE;
    let handed = vec![-last];
    // 1, and what the ratio makes of it: a^(n - 1) + … + a z^(n - 2) + z^(n - 1).
    let mut first = vec![Number::ZERO; length - by + 1];
    let mut weight = Number::ONE;
    for at in (0..length - by).step_by(by).rev() {
        weight *= ratio;
        first[at] = weight;
    }
    let operations = cost(&inner, rules, depth - 1) + 2 + products(ratio) + products(last);
    Some(Recurrence {
        by,
        ratio,
        added,
        handed,
        inner: Some(inner),
        first,
        operations,
    })
}

/// The quotient of weights by `z^length - last`, if nothing is left.
fn divided(weights: &[Number], length: usize, last: Number) -> Option<Weights> {
    let count = weights
        .len()
        .checked_sub(length)
        .filter(|count| *count > 0)?;
    let mut left = weights.to_vec();
    let mut quotient = vec![Number::ZERO; count];
    for at in (0..count).rev() {
        let own = left[at + length];
        quotient[at] = own;
        left[at] += last * own;
    }
    let rest = left[..length].iter().all(|number| is_zero(*number));
    let clean = |number: Number| {
        if is_zero(number) {
            Number::ZERO
        } else {
            number
        }
    };
    rest.then(|| quotient.into_iter().map(clean).collect())
}

/// Multiplications with a number: none with one, and a sign is no operation.
fn products(number: Number) -> usize {
    usize::from(!number.is_one() && !number.is_minus_one())
}

/// Weights without the zeros at both ends.
pub fn trimmed(weights: &[Number]) -> &[Number] {
    let used = |number: &Number| !is_zero(*number);
    let first = weights.iter().position(used).unwrap_or(weights.len());
    let end = weights
        .iter()
        .rposition(used)
        .map_or(first, |last| last + 1);
    &weights[first..end]
}

fn opposite(one: &[Number], other: &[Number]) -> bool {
    let pairs = || one.iter().zip(other);
    one.len() == other.len()
        && (pairs().all(|(a, b)| a.field() == b.field())
            || pairs().all(|(a, b)| a.field() == -b.field()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEXT: Rules = Rules {
        distances: &[1, 2, 3],
        whole: true,
    };

    fn numbers(weights: &[i64]) -> Weights {
        weights.iter().map(|n| Number::from_i64(*n)).collect()
    }

    /// Operations of a recurrence, after comparing what it computes with the sums.
    fn operations(weights: &[i64], rules: Rules) -> Option<usize> {
        let weights = numbers(weights);
        let found = recurrence(&weights, rules)?;
        follow(&weights, &found);
        Some(found.operations)
    }

    fn follow(weights: &[Number], found: &Recurrence) {
        let x: Weights = (0..200i64)
            .map(|n| Number::from_i64((n * n * 7 + 3 * n) % 101))
            .collect();
        let sum = |weights: &[Number], x: &[Number], at: usize| {
            let terms = weights.iter().enumerate().map(|(k, w)| *w * x[at + k]);
            terms.fold(Number::ZERO, |a, b| a + b)
        };
        let inner = match &found.inner {
            Some(inner) => (0..150).map(|at| sum(inner, &x, at)).collect(),
            None => x.clone(),
        };
        let mut handed: Weights = (0..found.by)
            .map(|at| sum(&found.first, &inner, at))
            .collect();
        for at in 0..60 {
            let now = handed[at] + sum(&found.added, &inner, at);
            assert_eq!(now.field(), sum(weights, &x, at).field(), "at {at}");
            handed.push(found.ratio * now + sum(&found.handed, &inner, at));
        }
    }

    #[test]
    fn periodic_weights_take_two_operations() {
        for width in 5..100 {
            assert_eq!(operations(&vec![1; width], NEXT), Some(2), "{width}");
        }
        assert_eq!(operations(&[1, 0, 1, 0, 1, 0, 1, 0, 1], NEXT), Some(2));
        assert_eq!(operations(&[1, 0, 0, 1, 0, 0, 1, 0, 0, 1], NEXT), Some(2));
        assert_eq!(operations(&[1, 1, 1], NEXT), None);
    }

    #[test]
    fn sequences_are_found_by_their_differences() {
        // Arithmetic, both ways: one product and four sums (section 4.2.1.1).
        assert_eq!(operations(&[9, 8, 7, 6, 5, 4, 3, 2, 1], NEXT), Some(5));
        assert_eq!(operations(&[1, 2, 3, 4, 5, 6, 7, 8, 9], NEXT), Some(5));
        // Rising and falling.
        assert_eq!(
            operations(&[1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1], NEXT),
            Some(4)
        );
        assert_eq!(operations(&[1, 2, 3, 4, 5, 5, 4, 3, 2, 1], NEXT), Some(4));
        // Geometric: two sums and two products (section 4.2.1.2).
        let floating = Rules {
            whole: false,
            ..NEXT
        };
        assert_eq!(operations(&[243, 81, 27, 9, 3, 1], NEXT), Some(4));
        // What is handed on is not multiplied with more than one, where it has rounding errors.
        assert_eq!(operations(&[243, 81, 27, 9, 3, 1], floating), None);
        assert_eq!(operations(&[1, 3, 9, 27, 81, 243], floating), Some(5));
        // None at all.
        assert_eq!(operations(&[3, 1, 4, 1, 5, 9, 2, 6], NEXT), None);
    }

    #[test]
    fn sums_of_earlier_vectors_have_windows_in_common() {
        let vectors = Rules {
            distances: &[16],
            whole: true,
        };
        assert_eq!(operations(&[1; 65], vectors), Some(6));
        assert_eq!(operations(&[1; 17], vectors), None);
    }
}
