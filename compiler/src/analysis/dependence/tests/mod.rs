mod thesis;

use super::*;
use crate::ir::text::random::Random;
use crate::ir::{Element, Extent, Role};
use crate::syntax::ast::IntegerType;
use std::collections::BTreeSet;

/// Loops of a test: the common ones, then one of the first access and one of the second.
struct Nest {
    program: Program,
    common: Vec<IndexId>,
    own: [IndexId; 2],
    n: ArrayId,
    m: ArrayId,
}

impl Nest {
    fn new(extents: &[Extent], own: [Extent; 2]) -> Nest {
        let mut program = Program::default();
        let usize = Element::Integer(IntegerType::Usize);
        let n = program.add_array("n", usize, vec![], Role::Parameter(0));
        let m = program.add_array("m", usize, vec![], Role::Parameter(1));
        let common = extents
            .iter()
            .map(|e| program.add_index("i", e.clone()))
            .collect();
        let own = own.map(|extent| program.add_index("k", extent));
        Nest {
            program,
            common,
            own,
            n,
            m,
        }
    }

    fn domain(&self, own: usize) -> Vec<IndexId> {
        self.common.iter().copied().chain([self.own[own]]).collect()
    }

    fn pair(&self, first: &[Affine], second: &[Affine]) -> Pair {
        let domains = [self.domain(0), self.domain(1)];
        let first = Reference {
            subscripts: first,
            domain: &domains[0],
        };
        let second = Reference {
            subscripts: second,
            domain: &domains[1],
        };
        Pair::new(&self.program, first, second, &self.common)
    }

    /// The distances of all meetings, found by trying.
    fn meetings(
        &self,
        first: &[Affine],
        second: &[Affine],
        (n, m): (i64, i64),
    ) -> BTreeSet<Vec<i64>> {
        let integer = |atom: &Atom| match atom {
            Atom::Scalar(array) if *array == self.n => n,
            _ => m,
        };
        let length = |index: &IndexId| match &self.program.loop_index(*index).extent {
            Extent::Constant(n) => *n as i64,
            Extent::RunTime(affine) => {
                affine.constant
                    + affine
                        .terms
                        .iter()
                        .map(|(atom, c)| c * integer(atom))
                        .sum::<i64>()
            }
        };
        let value = |affine: &Affine, domain: &[IndexId], at: &[i64]| -> i64 {
            let terms = affine.terms.iter().map(|(atom, c)| match atom {
                Atom::Index(index) => {
                    c * at[domain.iter().position(|other| other == index).unwrap()]
                }
                other => c * integer(other),
            });
            affine.constant + terms.sum::<i64>()
        };
        let points = |domain: &[IndexId]| -> Vec<Vec<i64>> {
            domain.iter().fold(vec![Vec::new()], |points, index| {
                let extend = |point: &Vec<i64>| -> Vec<Vec<i64>> {
                    (0..length(index))
                        .map(|k| point.iter().copied().chain([k]).collect())
                        .collect()
                };
                points.iter().flat_map(extend).collect()
            })
        };
        let domains = [self.domain(0), self.domain(1)];
        let mut result = BTreeSet::new();
        for x in points(&domains[0]) {
            for y in points(&domains[1]) {
                let meet = first
                    .iter()
                    .zip(second)
                    .all(|(a, b)| value(a, &domains[0], &x) == value(b, &domains[1], &y));
                if meet {
                    let apart = self.common.iter().enumerate();
                    result.insert(apart.map(|(at, _)| y[at] - x[at]).collect());
                }
            }
        }
        result
    }
}

fn direction(distance: i64) -> Direction {
    match distance {
        d if d > 0 => Direction::Less,
        0 => Direction::Equal,
        _ => Direction::Greater,
    }
}

fn directions(meetings: &BTreeSet<Vec<i64>>) -> BTreeSet<Vec<Direction>> {
    let vectors = meetings.iter();
    vectors
        .map(|v| v.iter().map(|d| direction(*d)).collect())
        .collect()
}

/// The vectors of an answer, and whether all of them are said to occur.
fn claimed(dependence: &Dependence) -> (BTreeSet<Vec<Direction>>, bool) {
    let set = |vectors: &[Vector]| vectors.iter().map(|v| v.directions.clone()).collect();
    match dependence {
        Dependence::Independent => (BTreeSet::new(), true),
        Dependence::Dependent(vectors) => (set(vectors), true),
        Dependence::Unknown(vectors) => (set(vectors), false),
    }
}

/// Every meeting has one of the vectors, with its distance.
fn assert_sound(dependence: &Dependence, meetings: &BTreeSet<Vec<i64>>, what: &str) {
    let vectors = match dependence {
        Dependence::Independent => &Vec::new(),
        Dependence::Dependent(vectors) | Dependence::Unknown(vectors) => vectors,
    };
    for meeting in meetings {
        let found = vectors.iter().any(|vector| {
            vector
                .directions
                .iter()
                .zip(meeting)
                .all(|(a, d)| *a == direction(*d))
                && vector.distances.iter().zip(meeting).all(|(known, d)| {
                    let known = known.as_ref().and_then(Affine::as_constant);
                    known.is_none_or(|known| known == *d)
                })
        });
        assert!(found, "{meeting:?} is not in {dependence:?}: {what}");
    }
}

fn subscript(random: &mut Random, indices: &[IndexId], integers: &[ArrayId]) -> Affine {
    let mut result = Affine::constant(random.below(9) as i64 - 4);
    for index in indices {
        let c = random.one(&[0, 0, 1, 1, 1, -1, 2, -2, 3]);
        result = result.add(&Affine::index(*index).scale(c));
    }
    for array in integers {
        let c = random.one(&[0, 0, 1, 1, -1, 2]);
        result = result.add(&Affine::atom(Atom::Scalar(*array)).scale(c));
    }
    result
}

#[test]
fn answers_are_those_of_trying() {
    let mut random = Random::new(7);
    let (mut exact, mut independent) = (0, 0);
    for round in 0..1500 {
        let extent = |random: &mut Random| Extent::Constant(1 + random.below(5));
        let extents: Vec<Extent> = (0..1 + random.below(2))
            .map(|_| extent(&mut random))
            .collect();
        let own = [extent(&mut random), extent(&mut random)];
        let nest = Nest::new(&extents, own);
        let several = random.below(3) == 0;
        let mut side = |own: usize| -> Vec<Affine> {
            let all = nest.domain(own);
            (0..extents.len())
                .map(|at| match several {
                    true => subscript(&mut random, &all, &[]),
                    false => subscript(&mut random, &all[at..=at], &[]),
                })
                .collect()
        };
        let (first, second) = (side(0), side(1));
        let found = nest.pair(&first, &second).dependence();
        let meetings = nest.meetings(&first, &second, (0, 0));
        let what = format!("round {round}: {extents:?} {first:?} {second:?}");
        assert_sound(&found, &meetings, &what);
        let (vectors, certain) = claimed(&found);
        if certain {
            exact += 1;
            assert_eq!(vectors, directions(&meetings), "{what}");
        }
        // One loop a dimension is always decided.
        assert!(certain || several, "{what}");
        independent += usize::from(vectors.is_empty());
    }
    assert!(exact > 1000 && independent > 250, "{exact}, {independent}");
}

#[test]
fn symbolic_answers_hold_for_all_values() {
    let mut random = Random::new(11);
    let mut independent = 0;
    for round in 0..400 {
        let template = Nest::new(&[], [Extent::Constant(1), Extent::Constant(1)]);
        let integers = [template.n, template.m];
        let mut extent = |integers: &[ArrayId; 2]| {
            let n = Affine::atom(Atom::Scalar(random.one(integers)));
            Extent::RunTime(n.add(&Affine::constant(random.below(3) as i64 - 1)))
        };
        let extents: Vec<Extent> = (0..2).map(|_| extent(&integers)).collect();
        let nest = Nest::new(&extents, [Extent::Constant(1), Extent::Constant(2)]);
        let several = random.below(3) == 0;
        let mut side = || -> Vec<Affine> {
            (0..extents.len())
                .map(|at| match several {
                    true => subscript(&mut random, &nest.common, &integers),
                    false => subscript(&mut random, &nest.common[at..=at], &integers),
                })
                .collect()
        };
        let (first, second) = (side(), side());
        let found = nest.pair(&first, &second).dependence();
        independent += usize::from(found == Dependence::Independent);
        for n in 0..5 {
            for m in 0..5 {
                let meetings = nest.meetings(&first, &second, (n, m));
                let what = format!("round {round}, {n}, {m}: {extents:?} {first:?} {second:?}");
                assert_sound(&found, &meetings, &what);
            }
        }
    }
    assert!(independent > 15, "{independent}");
}

/// A test by its closed form against trying, over small numbers.
fn assert_single(test: impl Fn(i64, i64, i64, i64, Option<Direction>) -> Option<Answer>) {
    for (a, b) in (-3..=3).flat_map(|a| (-3..=3).map(move |b| (a, b))) {
        for (c, n) in (-7..=7).flat_map(|c| (1..=5).map(move |n| (c, n))) {
            for wanted in [None].into_iter().chain(Direction::ALL.map(Some)) {
                let Some(found) = test(a, b, c, n, wanted) else {
                    continue;
                };
                let meets = (0..n).any(|x| {
                    (0..n).any(|y| {
                        a * x - b * y + c == 0
                            && wanted.is_none_or(|wanted| wanted == direction(y - x))
                    })
                });
                let expected = match meets {
                    true => Answer::Surely,
                    false => Answer::Never,
                };
                assert_eq!(found, expected, "{a}·x - {b}·y + {c}, {n}, {wanted:?}");
            }
        }
    }
}

#[test]
fn strong_siv() {
    let facts = Facts::default();
    assert_single(|a, b, c, n, wanted| {
        let extent = Affine::constant(n);
        (a == b && a != 0).then(|| match single::divided(&Affine::constant(c), a) {
            Some(distance) => single::strong(&distance, Some(&extent), wanted, &facts),
            None => Answer::Never,
        })
    });
}

#[test]
fn weak_zero_siv() {
    assert_single(|a, b, c, n, wanted| {
        ((a == 0) != (b == 0)).then(|| single::weak_zero((a, b), c, n, wanted))
    });
}

#[test]
fn weak_crossing_siv() {
    assert_single(|a, b, c, n, wanted| {
        (a == -b && a != 0).then(|| single::weak_crossing(a, c, n, wanted))
    });
}

#[test]
fn exact_siv() {
    assert_single(|a, b, c, n, wanted| {
        ((a, b) != (0, 0)).then(|| single::exact((a, n), (b, n), c, wanted))
    });
}

#[test]
fn ziv() {
    let nest = Nest::new(&[], [Extent::Constant(1), Extent::Constant(1)]);
    let n = Affine::atom(Atom::Scalar(nest.n));
    let at = |affine: &Affine, c: i64| affine.add(&Affine::constant(c));
    let answer = |a: &Affine, b: &Affine| {
        nest.pair(std::slice::from_ref(a), std::slice::from_ref(b))
            .dependence()
    };
    assert_eq!(answer(&n, &at(&n, 1)), Dependence::Independent);
    assert!(matches!(answer(&n, &n), Dependence::Dependent(_)));
    // n is not negative.
    assert_eq!(answer(&n, &Affine::constant(-1)), Dependence::Independent);
    assert!(matches!(
        answer(&n, &Affine::constant(1)),
        Dependence::Unknown(_)
    ));
}

/// Banerjee's bounds are the extremes of the left-hand side over the directions' iterations.
#[test]
fn banerjee_bounds() {
    let facts = Facts::default();
    for (a, b) in (-3..=3).flat_map(|a| (-3..=3).map(move |b| (a, b))) {
        for (c, n) in (-9..=9).flat_map(|c| (2..=4).map(move |n| (c, n))) {
            let common = [Common {
                extent: Some(Affine::constant(n)),
            }];
            let dimension = Dimension {
                pairs: vec![(a, b)],
                others: Vec::new(),
                constant: Affine::constant(c),
            };
            for wanted in [None].into_iter().chain(Direction::ALL.map(Some)) {
                let points = (0..n).flat_map(|x| (0..n).map(move |y| (x, y)));
                let values: Vec<i64> = points
                    .filter(|(x, y)| wanted.is_none_or(|wanted| wanted == direction(y - x)))
                    .map(|(x, y)| a * x - b * y + c)
                    .collect();
                let around = values.iter().min() <= Some(&0) && values.iter().max() >= Some(&0);
                let excluded = several::bounds_exclude(&dimension, &common, &|_| wanted, &facts);
                assert_eq!(excluded, !around, "{a}, {b}, {c}, {n}, {wanted:?}");
            }
        }
    }
}
