//! Tests of equations without a loop (ZIV) or in one loop (SIV).

use super::{Answer, Direction, Facts};
use crate::ir::Affine;

/// `a·x - b·y + c = 0`, x and y iterations of one loop.
pub struct Line<'a> {
    /// Coefficient of the first access.
    pub a: i64,
    /// Coefficient of the second access.
    pub b: i64,
    /// The rest.
    pub c: &'a Affine,
}

/// ZIV: whether a difference is zero.
pub fn zero(difference: &Affine, facts: &Facts) -> Answer {
    match difference.as_constant() {
        Some(0) => Answer::Surely,
        Some(_) => Answer::Never,
        None if nonzero(difference, facts) => Answer::Never,
        None => Answer::Perhaps,
    }
}

fn nonzero(affine: &Affine, facts: &Facts) -> bool {
    facts.at_least(affine, 1) || facts.at_least(&affine.scale(-1), 1)
}

/// A quotient, if it is an affine function with integer coefficients.
pub fn divided(affine: &Affine, by: i64) -> Option<Affine> {
    let whole = |value: i64| by != 0 && value.checked_rem(by) == Some(0);
    let fits = whole(affine.constant) && affine.terms.iter().all(|(_, c)| whole(*c));
    fits.then(|| Affine {
        terms: affine
            .terms
            .iter()
            .map(|(atom, c)| (atom.clone(), c / by))
            .collect(),
        constant: affine.constant / by,
    })
}

/// SIV: whether a line has a point with the given direction in a loop of `extent` iterations.
pub fn one(
    line: &Line,
    extent: Option<&Affine>,
    direction: Option<Direction>,
    facts: &Facts,
) -> Answer {
    let numbers = line
        .c
        .as_constant()
        .zip(extent.and_then(Affine::as_constant));
    match (line.a, line.b) {
        (a, b) if a == b => match divided(line.c, a) {
            Some(distance) => strong(&distance, extent, direction, facts),
            // No multiple: the GCD test knows where that is so for all values.
            None if line.c.as_constant().is_some() => Answer::Never,
            None => Answer::Perhaps,
        },
        (a, b) => match (numbers, line.c.as_constant()) {
            (Some((c, n)), _) if a == 0 || b == 0 => weak_zero((a, b), c, n, direction),
            (Some((c, n)), _) if a == -b => weak_crossing(a, c, n, direction),
            (Some((c, n)), _) => exact((a, n), (b, n), c, direction),
            // Of a loop whose end is not known, its beginning is: numbers may not fit at all.
            (None, Some(c)) => match exact((a, i64::MAX), (b, i64::MAX), c, direction) {
                Answer::Never => Answer::Never,
                _ => Answer::Perhaps,
            },
            _ => Answer::Perhaps,
        },
    }
}

/// Strong SIV: iterations that meet are `distance` apart, `y - x`.
pub fn strong(
    distance: &Affine,
    extent: Option<&Affine>,
    direction: Option<Direction>,
    facts: &Facts,
) -> Answer {
    let too_far =
        |distance: &Affine| extent.is_some_and(|extent| facts.at_least(&distance.sub(extent), 0));
    let back = distance.scale(-1);
    let excluded = too_far(distance)
        || too_far(&back)
        || match direction {
            Some(Direction::Less) => facts.at_least(&back, 0),
            Some(Direction::Equal) => nonzero(distance, facts),
            Some(Direction::Greater) => facts.at_least(distance, 0),
            None => false,
        };
    match excluded {
        true => Answer::Never,
        false if distance.as_constant().is_some() => Answer::Surely,
        false => Answer::Perhaps,
    }
}

/// Weak-zero SIV: one access stands still, the other one meets it in a single iteration.
pub fn weak_zero((a, b): (i64, i64), c: i64, n: i64, direction: Option<Direction>) -> Answer {
    let (a, b, c, n) = (i128::from(a), i128::from(b), i128::from(c), i128::from(n));
    // a·x + c = 0 or b·y = c.
    let (numerator, divisor, first_moves) = if b == 0 { (-c, a, true) } else { (c, b, false) };
    if numerator % divisor != 0 {
        return Answer::Never;
    }
    let at = numerator / divisor;
    let (before, after) = (at > 0, at < n - 1);
    let possible = at >= 0
        && at < n
        && match (direction, first_moves) {
            (None | Some(Direction::Equal), _) => true,
            // The other access is made in all iterations.
            (Some(Direction::Less), true) | (Some(Direction::Greater), false) => after,
            (Some(Direction::Greater), true) | (Some(Direction::Less), false) => before,
        };
    surely(possible)
}

/// Weak-crossing SIV: `a·(x + y) + c = 0`; the iterations that meet lie on either side of the
/// crossing.
pub fn weak_crossing(a: i64, c: i64, n: i64, direction: Option<Direction>) -> Answer {
    let (a, c, n) = (i128::from(a), i128::from(c), i128::from(n));
    if c % a != 0 {
        return Answer::Never;
    }
    let sum = -c / a;
    let possible = match direction {
        None => (0..=2 * (n - 1)).contains(&sum),
        Some(Direction::Equal) => sum % 2 == 0 && (0..=2 * (n - 1)).contains(&sum),
        Some(Direction::Less | Direction::Greater) => (1..=2 * (n - 1) - 1).contains(&sum),
    };
    surely(possible)
}

/// The equation in two loops: `a·x - b·y + c = 0`.
pub fn apart(a: i64, n: Option<&Affine>, b: i64, m: Option<&Affine>, c: &Affine) -> Answer {
    let number = |n: Option<&Affine>| n.and_then(Affine::as_constant);
    match (c.as_constant(), number(n), number(m)) {
        (Some(c), Some(n), Some(m)) => exact((a, n), (b, m), c, None),
        (Some(c), Some(n), None) if b == 0 => exact((a, n), (0, 1), c, None),
        _ => Answer::Perhaps,
    }
}

fn surely(possible: bool) -> Answer {
    match possible {
        true => Answer::Surely,
        false => Answer::Never,
    }
}

/// Exact SIV: all integer solutions of `a·x - b·y + c = 0` are `x = x₀ + t·b/g`, `y = y₀ + t·a/g`;
/// the bounds `0 ≤ x < n`, `0 ≤ y < m` and the direction leave an interval of t. One of a and b is not
/// zero.
pub fn exact(
    (a, n): (i64, i64),
    (b, m): (i64, i64),
    c: i64,
    direction: Option<Direction>,
) -> Answer {
    let (a, b, c) = (i128::from(a), i128::from(b), i128::from(c));
    let (g, s, t) = euclid(a, b);
    if g == 0 {
        return Answer::Perhaps;
    }
    if c % g != 0 {
        return Answer::Never;
    }
    // a·s + b·t = g, so x = -s·c/g and y = t·c/g are a solution.
    let (x, y) = (-s * (c / g), t * (c / g));
    let (dx, dy) = (b / g, a / g);
    let mut interval = Interval::ALL;
    interval.at_least(x, dx, 0);
    interval.at_least(-x, -dx, -(i128::from(n) - 1));
    interval.at_least(y, dy, 0);
    interval.at_least(-y, -dy, -(i128::from(m) - 1));
    match direction {
        Some(Direction::Less) => interval.at_least(y - x, dy - dx, 1),
        Some(Direction::Greater) => interval.at_least(x - y, dx - dy, 1),
        Some(Direction::Equal) => {
            interval.at_least(y - x, dy - dx, 0);
            interval.at_least(x - y, dx - dy, 0);
        }
        None => {}
    }
    surely(interval.low <= interval.high)
}

/// Integers from `low` to `high`.
struct Interval {
    low: i128,
    high: i128,
}

impl Interval {
    const ALL: Interval = Interval {
        low: i128::MIN,
        high: i128::MAX,
    };

    /// Keeps those t for which `base + step·t ≥ least`.
    fn at_least(&mut self, base: i128, step: i128, least: i128) {
        let needed = least - base;
        match step.signum() {
            0 if needed > 0 => self.high = i128::MIN + 1,
            1 => {
                let floor = needed.div_euclid(step);
                let ceiling = floor + i128::from(needed.rem_euclid(step) != 0);
                self.low = self.low.max(ceiling);
            }
            -1 => self.high = self.high.min((-needed).div_euclid(-step)),
            _ => {}
        }
        if self.high == i128::MIN + 1 {
            self.low = i128::MAX;
        }
    }
}

/// The greatest common divisor g of two numbers, with s and t so that `a·s + b·t = g`.
pub fn euclid(a: i128, b: i128) -> (i128, i128, i128) {
    let (mut r, mut s, mut t) = ((a, b), (1, 0), (0, 1));
    while r.1 != 0 {
        let q = r.0 / r.1;
        r = (r.1, r.0 - q * r.1);
        s = (s.1, s.0 - q * s.1);
        t = (t.1, t.0 - q * t.1);
    }
    match r.0 < 0 {
        true => (-r.0, -s.0, -t.0),
        false => (r.0, s.0, t.0),
    }
}
