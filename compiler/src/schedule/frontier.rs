//! Time against memory: which of several loop trees is taken, where temporaries leave the nearest cache.
//!
//! The fastest one by the model is, if its temporaries stay in the nearest cache. Otherwise the model knows less
//! of what they cost than of all else, and memory counts for itself (Lam 1999, section 3): the loop tree with the
//! smallest temporaries is, if it does not take longer; where temporaries leave a core's own caches, if it does not
//! take longer than they are on their way there and back. Where a bound on memory is asked for, the one that keeps it with the fewest operations repeated is,
//! and of these the fastest; or else the smallest.

use super::model::bytes;
use super::tree::Schedule;
use crate::ir::Program;
use crate::machine::{FIRST, MEMORY, SECOND};

/// Bytes that a core's own caches hold.
const OWN: usize = 2 * SECOND;
/// How often a line of a temporary is on its way where that is larger than a core's own caches: it is read before it is
/// written, goes to memory, and comes back.
const WAYS: f64 = 3.0;

/// The cycles of a loop tree, and the bytes of its temporaries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Cycles.
    pub cycles: f64,
    /// Bytes; extents that are not known are those of the model.
    pub bytes: usize,
    /// Operations that are repeated for it.
    pub again: u64,
}

/// Bytes of the temporaries of a loop tree.
pub fn temporaries(program: &Program, schedule: &Schedule) -> usize {
    let all = schedule.storage.iter();
    all.map(|own| bytes(program, own, schedule.width))
        .fold(0, usize::saturating_add)
}

/// Which of some loop trees takes the place of the fastest one, if any does.
pub fn smaller(fastest: Point, others: &[Point], bound: Option<usize>) -> Option<usize> {
    if fastest.bytes <= bound.unwrap_or(FIRST) {
        return None;
    }
    let all = || others.iter().enumerate();
    let by_cycles =
        |(_, a): &(usize, &Point), (_, b): &(usize, &Point)| a.cycles.total_cmp(&b.cycles);
    let within = all().filter(|(_, point)| bound.is_some_and(|bound| point.bytes <= bound));
    let most = |point: &Point| match bound {
        Some(_) => f64::INFINITY,
        None if fastest.bytes > OWN => {
            let less = fastest.bytes.saturating_sub(point.bytes);
            fastest.cycles + WAYS * less as f64 / MEMORY
        }
        None => fastest.cycles,
    };
    let smallest = || {
        let fast =
            all().filter(|(_, point)| point.cycles <= most(point) && point.bytes < fastest.bytes);
        fast.min_by(|a, b| a.1.bytes.cmp(&b.1.bytes).then(by_cycles(a, b)))
    };
    let fewest = within.min_by(|a, b| a.1.again.cmp(&b.1.again).then(by_cycles(a, b)));
    fewest.or_else(smallest).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::{Point, smaller};

    const POINTS: [Point; 3] = [
        Point {
            cycles: 110.0,
            bytes: 4000,
            again: 0,
        },
        Point {
            cycles: 190.0,
            bytes: 800,
            again: 0,
        },
        Point {
            cycles: 900.0,
            bytes: 8,
            again: 0,
        },
    ];

    fn fastest(bytes: usize) -> Point {
        Point {
            cycles: 100.0,
            bytes,
            again: 0,
        }
    }

    #[test]
    fn what_fits_the_nearest_cache_stays() {
        assert_eq!(smaller(fastest(20_000), &POINTS, None), None);
    }

    #[test]
    fn larger_temporaries_give_way_to_smaller_ones_that_save_the_way_to_memory() {
        assert_eq!(smaller(fastest(100_000), &POINTS, None), None);
        assert_eq!(smaller(fastest(2_000_000), &POINTS, None), Some(2));
        let slow = Point {
            cycles: 2e6,
            ..POINTS[2]
        };
        assert_eq!(
            smaller(fastest(2_000_000), &[slow, POINTS[1]], None),
            Some(1)
        );
    }

    #[test]
    fn a_bound_is_kept_as_fast_as_can_be() {
        assert_eq!(smaller(fastest(100_000), &POINTS, Some(5000)), Some(0));
        assert_eq!(smaller(fastest(100_000), &POINTS, Some(100)), Some(2));
        assert_eq!(smaller(fastest(100_000), &POINTS, Some(4)), Some(2));
    }

    #[test]
    fn nothing_is_computed_again_that_need_not_be() {
        let [slow, fast] = [(0, 300.0), (50, 120.0)].map(|(again, cycles)| Point {
            cycles,
            bytes: 80,
            again,
        });
        assert_eq!(smaller(fastest(1000), &[fast, slow], Some(100)), Some(1));
        assert_eq!(smaller(fastest(1000), &[fast], Some(100)), Some(0));
    }
}
