//! Whether two accesses to one array meet, and in which iterations (minivect thesis, sections
//! 5.2.1 and 5.2.3; the tests are those of Goff, Kennedy and Tseng, and of Banerjee).
//!
//! Two accesses meet where their subscripts are equal, dimension by dimension: an equation in the
//! iterations of the first and of the second one. It is enough that one dimension has no solution.
//!
//! | equation of a dimension | test | exact |
//! |---|---|---|
//! | no loop (ZIV) | compare | if the difference is a number |
//! | `a·x + c = a·y` in one loop (strong SIV) | the distance `c / a` | yes |
//! | `a·x + c = 0` (weak-zero SIV) | the iteration `-c / a` | if it is a number |
//! | `a·x + c = -a·y` (weak-crossing SIV) | the crossing `-c / 2a` | if it is a number |
//! | `a·x + c = b·y` (exact SIV) | extended Euclid, and bounds | if all are numbers |
//! | several loops (MIV) | GCD, and Banerjee's bounds for given directions | no |
//!
//! Extents and distances may be affine functions of integers that are known at run time: what is
//! said then holds for all of their values (see [`Facts`]).

mod beyond;
mod dimension;
mod facts;
mod several;
mod single;
#[cfg(test)]
mod tests;

use crate::ir::{Affine, ArrayId, Atom, IndexId, Program};
use crate::number::greatest_common_divisor;
pub use beyond::beyond;
pub use dimension::Dimension;
pub use facts::Facts;

/// Most direction vectors that are looked at for one pair of accesses.
const MOST_VECTORS: usize = 729;
/// Largest numbers that are computed with: products of two of them, and sums of these, fit.
const LARGEST: i64 = 1 << 28;

/// An access, as far as its iterations are concerned.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// A subscript a dimension.
    pub subscripts: &'a [Affine],
    /// The loops around.
    pub domain: &'a [IndexId],
}

/// How the first access's iteration of a loop stands to the second one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// It is earlier.
    Less,
    /// It is the same.
    Equal,
    /// It is later.
    Greater,
}

impl Direction {
    /// All three.
    pub const ALL: [Direction; 3] = [Direction::Less, Direction::Equal, Direction::Greater];
}

/// What is known of the iterations in which two accesses meet, a loop that both are in at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// Directions, outermost loop first.
    pub directions: Vec<Direction>,
    /// The second access's iteration minus the first one's, where all meetings have the same.
    pub distances: Vec<Option<Affine>>,
}

/// Whether two accesses meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// Never.
    Independent,
    /// In iterations of each of these vectors and of no others, if the loops of run-time length
    /// are long enough.
    Dependent(Vec<Vector>),
    /// In iterations of no other vectors than these, if at all.
    Unknown(Vec<Vector>),
}

/// One answer of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// There is no solution.
    Never,
    /// There may be one.
    Perhaps,
    /// There is one.
    Surely,
}

/// A loop that both accesses are in.
#[derive(Clone, Debug)]
pub struct Common {
    /// Its number of iterations; `None` if that is not known as an affine function.
    pub extent: Option<Affine>,
}

/// Two accesses to one array, made ready for tests.
#[derive(Clone, Debug)]
pub struct Pair {
    common: Vec<Common>,
    /// An equation a dimension; `None` where nothing is known.
    dimensions: Vec<Option<Dimension>>,
    /// No iteration of a loop has part in two of the equations: solved one by one, they are
    /// solved together.
    separable: bool,
    facts: Facts,
}

impl Pair {
    /// Prepares tests of two accesses. `common` are the loops whose iterations are compared,
    /// outermost first; other loops are different ones for the two, even where they have the same
    /// index.
    pub fn new(program: &Program, first: Reference, second: Reference, common: &[IndexId]) -> Pair {
        let mut facts = Facts::default();
        let mut met: Vec<Affine> = Vec::new();
        for index in first.domain.iter().chain(second.domain) {
            if let Some(extent) = extent(program, *index) {
                facts.assume(program, extent.sub(&Affine::constant(1)));
                met.push(extent);
            }
        }
        let dimensions: Vec<Option<Dimension>> =
            if first.subscripts.len() == second.subscripts.len() {
                let pairs = first.subscripts.iter().zip(second.subscripts);
                pairs
                    .map(|(a, b)| Dimension::new(program, a, b, common))
                    .collect()
            } else {
                vec![None]
            };
        for dimension in dimensions.iter().flatten() {
            facts.know(program, &dimension.constant);
            met.push(dimension.constant.clone());
        }
        // What is known of integers that others of these are compared with.
        let meets = |(atom, _): &(Atom, i64)| {
            let mut terms = met.iter().flat_map(|own| &own.terms);
            terms.any(|(own, _)| own == atom)
        };
        let known = program.known.iter();
        let known = known.filter(|fact| fact.terms.iter().any(meets));
        known.for_each(|fact| facts.assume(program, fact.clone()));
        let common = common
            .iter()
            .map(|index| Common {
                extent: extent(program, *index),
            })
            .collect();
        Pair {
            common,
            separable: separable(first.subscripts, second.subscripts),
            dimensions,
            facts,
        }
    }

    /// Whether the accesses meet in iterations of the given directions; loops without a direction
    /// are free.
    pub fn meets(&self, directions: &[Option<Direction>]) -> Answer {
        let mut facts = self.facts.clone();
        for (common, direction) in self.common.iter().zip(directions) {
            // Two iterations that differ.
            if let (Some(Direction::Less | Direction::Greater), Some(extent)) =
                (direction, &common.extent)
            {
                let more = extent.sub(&Affine::constant(2));
                if self.facts.at_least(&more.scale(-1), 1) {
                    return Answer::Never;
                }
                facts.more(more);
            }
        }
        let mut answer = match self.separable {
            true => Answer::Surely,
            false => Answer::Perhaps,
        };
        for dimension in &self.dimensions {
            let one = dimension.as_ref().map_or(Answer::Perhaps, |dimension| {
                dimension.solvable(&self.common, directions, &facts)
            });
            answer = answer.min(one);
        }
        if answer != Answer::Never && self.distances(directions).is_none() {
            return Answer::Never;
        }
        answer
    }

    /// The distances of a vector that strong tests know; `None` if they contradict each other.
    fn distances(&self, directions: &[Option<Direction>]) -> Option<Vec<Option<Affine>>> {
        let mut result: Vec<Option<Affine>> = vec![None; self.common.len()];
        for dimension in self.dimensions.iter().flatten() {
            let Some((at, distance)) = dimension.distance() else {
                continue;
            };
            if let Some(known) = &result[at]
                && known.sub(&distance).as_constant().is_some_and(|d| d != 0)
            {
                return None;
            }
            result[at] = Some(distance);
        }
        for (distance, direction) in result.iter_mut().zip(directions) {
            if *direction == Some(Direction::Equal) {
                *distance = Some(Affine::default());
            }
        }
        Some(result)
    }

    /// All ways in which the accesses meet.
    pub fn dependence(&self) -> Dependence {
        let mut vectors = Vec::new();
        let mut surely = true;
        self.refine(&mut Vec::new(), &mut vectors, &mut surely);
        match vectors.is_empty() {
            true => Dependence::Independent,
            false if surely => Dependence::Dependent(vectors),
            false => Dependence::Unknown(vectors),
        }
    }

    /// Directions loop by loop, those without solutions left out (Banerjee's hierarchy).
    fn refine(&self, chosen: &mut Vec<Direction>, into: &mut Vec<Vector>, surely: &mut bool) {
        let mut directions: Vec<Option<Direction>> = chosen.iter().copied().map(Some).collect();
        directions.resize(self.common.len(), None);
        let answer = self.meets(&directions);
        if answer == Answer::Never {
            return;
        }
        if chosen.len() == self.common.len() {
            *surely &= answer == Answer::Surely;
            if into.len() < MOST_VECTORS {
                let distances = self.distances(&directions).unwrap_or_default();
                into.push(Vector {
                    directions: chosen.clone(),
                    distances,
                });
            }
            return;
        }
        for direction in Direction::ALL {
            chosen.push(direction);
            self.refine(chosen, into, surely);
            chosen.pop();
        }
    }

    /// The first of the common loops that, with equal iterations of those around it, has the first
    /// access in an earlier iteration where they meet; with how much earlier that is, if known.
    pub fn carried(&self) -> Option<(usize, Option<Affine>)> {
        (0..self.common.len()).find_map(|level| {
            let mut directions = vec![Some(Direction::Equal); level];
            directions.push(Some(Direction::Less));
            directions.resize(self.common.len(), None);
            if self.meets(&directions) == Answer::Never {
                return None;
            }
            let distances = self.distances(&directions).unwrap_or_default();
            Some((level, distances.into_iter().nth(level).flatten()))
        })
    }

    /// Whether the accesses may meet in the same iteration of all common loops.
    pub fn within(&self) -> bool {
        let same = vec![Some(Direction::Equal); self.common.len()];
        self.meets(&same) != Answer::Never
    }

    /// Whether the accesses may meet in iterations with the given direction in one loop, whatever
    /// the others do.
    pub fn turns(&self, level: usize, direction: Direction) -> bool {
        let mut directions = vec![None; self.common.len()];
        directions[level] = Some(direction);
        self.meets(&directions) != Answer::Never
    }
}

/// Whether two accesses never meet, as is seen at once: in some dimension the subscripts differ by what no
/// sum of multiples of their coefficients is (the GCD test). Most elements of small arrays are told apart
/// by that, and by numbers alone.
pub fn apart(first: &[Affine], second: &[Affine]) -> bool {
    first.iter().zip(second).any(|(a, b)| {
        let coefficients = a
            .terms
            .iter()
            .chain(&b.terms)
            .map(|(_, c)| c.unsigned_abs());
        let distance = a.constant.abs_diff(b.constant);
        match coefficients.fold(0, greatest_common_divisor) {
            0 => distance != 0,
            divisor => distance % divisor != 0,
        }
    })
}

/// Whether two accesses never meet in the same iteration of the loops around both, as is seen at once: in
/// some dimension the subscripts are the same function of these loops, but for a number.
pub fn beside(first: &[Affine], second: &[Affine], common: &[IndexId]) -> bool {
    let fixed = |(atom, _): &(Atom, i64)| match atom {
        Atom::Index(index) => common.contains(index),
        Atom::Scalar(_) | Atom::Length(..) => true,
        Atom::Map(..) => false,
    };
    first
        .iter()
        .zip(second)
        .any(|(a, b)| a.constant != b.constant && a.terms == b.terms && a.terms.iter().all(fixed))
}

/// How many iterations of a loop the second access is before the first one, where that alone is what tells their
/// places in some dimension apart; a distance that is no number of iterations is `None`.
pub fn distance(first: &Affine, second: &Affine, index: IndexId) -> Option<Option<i64>> {
    match (first.terms.as_slice(), second.terms.as_slice()) {
        ([(Atom::Index(a), c)], [(Atom::Index(b), d)]) if a == b && c == d && *a == index => {
            let apart = second.constant.checked_sub(first.constant)?;
            Some((apart % c == 0).then(|| apart / c))
        }
        _ => None,
    }
}

/// The number of a loop's iterations; `None` if it changes in another loop.
fn extent(program: &Program, index: IndexId) -> Option<Affine> {
    let affine = program.loop_index(index).extent.affine();
    let mut inside = Vec::new();
    affine.collect_indices(&mut inside);
    (inside.is_empty() && small(&affine)).then_some(affine)
}

/// Whether an affine function can be computed with.
fn small(affine: &Affine) -> bool {
    let coefficients = affine.terms.iter().map(|(_, c)| *c);
    let mut all = coefficients.chain([affine.constant]);
    all.all(|c| (-LARGEST..=LARGEST).contains(&c))
}

/// Whether no index stands in subscripts of two dimensions.
fn separable(first: &[Affine], second: &[Affine]) -> bool {
    let mut seen: Vec<IndexId> = Vec::new();
    first.len() == second.len()
        && first.iter().zip(second).all(|(a, b)| {
            let mut mine = Vec::new();
            a.collect_indices(&mut mine);
            b.collect_indices(&mut mine);
            let new = mine.iter().all(|index| !seen.contains(index));
            seen.extend(mine);
            new
        })
}

/// Whether an integer parameter cannot be negative.
fn unsigned(program: &Program, array: ArrayId) -> bool {
    match program.array(array).element {
        crate::ir::Element::Integer(ty) => !ty.is_signed(),
        _ => false,
    }
}

/// Whether an atom has a loop in it.
fn varies(atom: &Atom) -> bool {
    let mut inside = Vec::new();
    Affine::atom(atom.clone()).collect_indices(&mut inside);
    !inside.is_empty()
}
