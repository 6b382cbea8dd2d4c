//! Tests of equations in any number of loops (MIV): greatest common divisors, and Banerjee's bounds.

use super::single::euclid;
use super::{Common, Dimension, Direction, Facts};
use crate::ir::Affine;

/// GCD: what divides all coefficients divides the constant. In the same iteration of a loop, its two
/// coefficients are one. Integers at run time are like further loops.
pub fn gcd_excludes(dimension: &Dimension, direction: &dyn Fn(usize) -> Option<Direction>) -> bool {
    let mut divisor = 0;
    let mut meet = |coefficient: i64| divisor = euclid(divisor, i128::from(coefficient)).0;
    for (at, (a, b)) in dimension.pairs.iter().enumerate() {
        if direction(at) == Some(Direction::Equal) {
            meet(a.saturating_sub(*b));
        } else {
            meet(*a);
            meet(*b);
        }
    }
    dimension.others.iter().for_each(|(c, _)| meet(*c));
    dimension.constant.terms.iter().for_each(|(_, c)| meet(*c));
    let constant = i128::from(dimension.constant.constant);
    match divisor {
        0 => constant != 0,
        divisor => constant % divisor != 0,
    }
}

/// Banerjee: the left-hand side's smallest and largest real values, with the directions' bounds on
/// iterations, have to enclose zero.
pub fn bounds_exclude(
    dimension: &Dimension,
    common: &[Common],
    direction: &dyn Fn(usize) -> Option<Direction>,
    facts: &Facts,
) -> bool {
    [1, -1].into_iter().any(|sign| {
        least(dimension, common, direction, sign).is_some_and(|least| facts.at_least(&least, 1))
    })
}

/// The smallest value of `sign` times the left-hand side; `None` if there is none.
fn least(
    dimension: &Dimension,
    common: &[Common],
    direction: &dyn Fn(usize) -> Option<Direction>,
    sign: i64,
) -> Option<Affine> {
    let mut sum = dimension.constant.scale(sign);
    for (at, (a, b)) in dimension.pairs.iter().enumerate() {
        let (a, b) = (sign * a, sign * b);
        let extent = common[at].extent.as_ref();
        let term = match direction(at) {
            None => moving(a, extent)?.add(&moving(-b, extent)?),
            Some(Direction::Equal) => moving(a - b, extent)?,
            Some(Direction::Less) => earlier(a, b, extent)?,
            // The two change places: a·x - b·y = (-b)·y - (-a)·x.
            Some(Direction::Greater) => earlier(-b, -a, extent)?,
        };
        sum = sum.add(&term);
    }
    for (c, extent) in &dimension.others {
        sum = sum.add(&moving(sign * c, extent.as_ref())?);
    }
    Some(sum)
}

/// The smallest `c·x` for `0 ≤ x < extent`.
fn moving(c: i64, extent: Option<&Affine>) -> Option<Affine> {
    match c {
        c if c >= 0 => Some(Affine::default()),
        c => Some(extent?.sub(&Affine::constant(1)).scale(c)),
    }
}

/// The smallest `a·x - b·y` for `0 ≤ x < y < extent`: at a corner of that triangle. Which one that
/// is, the signs say, since the triangle has a point.
fn earlier(a: i64, b: i64, extent: Option<&Affine>) -> Option<Affine> {
    // x = 0, y = 1.
    let near = || Some(Affine::constant(-b));
    // x = 0, y = extent - 1.
    let far = || Some(extent?.sub(&Affine::constant(1)).scale(-b));
    // x = extent - 2, y = extent - 1.
    let late = || {
        let last = extent?.sub(&Affine::constant(1));
        Some(
            extent?
                .sub(&Affine::constant(2))
                .scale(a)
                .sub(&last.scale(b)),
        )
    };
    match (a >= 0, b > 0, a < b) {
        (true, true, _) => far(),
        (true, false, _) => near(),
        (false, _, true) => late(),
        (false, _, false) => near(),
    }
}
