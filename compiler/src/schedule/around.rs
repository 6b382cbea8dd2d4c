//! The loops around a place in the loop tree: which element an access means there, and where that
//! element is kept.

use super::tree::{Dimension, Loop, Schedule, Steps, offset};
use crate::ir::{Access, Affine, Atom, Extent, IndexId};

/// Open loops, outermost first.
#[derive(Clone, Debug, Default)]
pub struct Around {
    loops: Vec<Open>,
    /// The indices that lanes run over: their values are never one number.
    lanes: Vec<IndexId>,
}

#[derive(Clone, Debug)]
struct Open {
    index: IndexId,
    with: Vec<(IndexId, usize)>,
    /// The loop's values are `start`, `start + step`, and so on.
    start: usize,
    step: usize,
    /// It has one iteration.
    once: bool,
    /// All iterations of a step are there.
    whole: bool,
    /// Where it ends, if it begins at 0 and runs only where it has iterations.
    end: Option<Extent>,
}

impl Around {
    /// No loops; `lanes` are the indices that lanes run over.
    pub fn new(lanes: Vec<IndexId>) -> Around {
        let loops = Vec::new();
        Around { loops, lanes }
    }

    /// No loops of a schedule.
    pub fn of(schedule: &Schedule) -> Around {
        let lanes = schedule.lane_loops().filter(|_| schedule.width > 1);
        Around::new(lanes.collect())
    }

    /// Opens a loop; of [`Steps::Rest`], its `number`-th iteration.
    pub fn enter(&mut self, l: &Loop, number: usize) {
        let iterations = l.end.as_constant().map(|end| end.saturating_sub(l.start));
        self.loops.push(Open {
            index: l.index,
            with: l.with.clone(),
            start: l.start + number,
            step: l.step,
            whole: match l.steps {
                Steps::All => iterations.is_some_and(|n| n.is_multiple_of(l.step)),
                Steps::Whole => true,
                _ => false,
            },
            once: match l.steps {
                Steps::All => iterations.is_some_and(|n| n <= l.step),
                Steps::Once => true,
                Steps::Whole | Steps::Rest | Steps::Strips => false,
                Steps::First(_) | Steps::Last(_) | Steps::Skewed { .. } => false,
            },
            end: (l.start == 0 && l.steps == Steps::All).then(|| l.end.clone()),
        });
    }

    /// Opens a loop of a sum over the values of an index from `start` on.
    pub fn enter_sum(&mut self, index: IndexId, start: usize) {
        self.loops.push(Open {
            index,
            with: Vec::new(),
            start,
            step: 1,
            once: false,
            whole: false,
            end: None,
        });
    }

    /// Closes the innermost loop.
    pub fn leave(&mut self) {
        self.loops.pop();
    }

    /// The loop that gives an index its value, and how far ahead of it the index is.
    fn find(&self, index: IndexId) -> Option<(&Open, usize)> {
        self.loops.iter().rev().find_map(|open| {
            if open.index == index {
                return Some((open, 0));
            }
            let with = open.with.iter().find(|(other, _)| *other == index)?;
            Some((open, with.1))
        })
    }

    /// Loops that have iterations wherever something stands inside of them, with their ends.
    pub fn running(&self) -> impl Iterator<Item = (IndexId, &Extent)> {
        let loops = self.loops.iter();
        loops.filter_map(|open| Some((open.index, open.end.as_ref()?)))
    }

    /// The iterations of a loop that take a step together, wherever it takes one.
    pub fn together(&self, index: IndexId) -> usize {
        let own = self.loops.iter().rev().find(|open| open.index == index);
        own.map_or(1, |open| if open.whole { open.step } else { 1 })
    }

    /// How many values an index takes in a step of the loop of its own, from that of the loop on.
    pub fn own_steps(&self, index: IndexId) -> Option<usize> {
        let (open, ahead) = self.find(index)?;
        (open.index == index && ahead == 0).then(|| self.together(index))
    }

    /// Whether an index has a loop.
    pub fn is_open(&self, index: IndexId) -> bool {
        self.find(index).is_some()
    }

    /// Whether the loop over lanes runs more than once: another one is around it.
    pub fn repeats_lanes(&self) -> bool {
        let has_lanes = |open: &&Open| {
            let mut all = std::iter::once(open.index).chain(open.with.iter().map(|(i, _)| *i));
            all.any(|index| self.lanes.contains(&index))
        };
        let mut outer = self.loops.iter().take_while(|open| !has_lanes(open));
        outer.any(|open| !open.once)
    }

    /// The place in a ring at which a loop's first value is in every iteration, if that is the same place.
    pub fn turn(&self, index: IndexId, depth: usize) -> Option<usize> {
        let (open, ahead) = self.find(index)?;
        open.step
            .is_multiple_of(depth)
            .then(|| (open.start + ahead) % depth)
    }

    /// The value of an index at an offset, in terms of the loops' indices.
    fn value(&self, index: IndexId, offset: usize) -> Affine {
        let constant = |n: usize| Affine::constant(n as i64);
        if self.lanes.contains(&index) {
            // Of several that have one loop, that of the loop stands for all.
            let (own, ahead) = match self.find(index) {
                Some((open, ahead)) => (open.index, ahead),
                None => (index, 0),
            };
            return Affine::index(own).add(&constant(ahead + offset));
        }
        match self.find(index) {
            None => constant(offset),
            Some((open, ahead)) if open.once => constant(open.start + ahead + offset),
            Some((open, ahead)) => Affine::index(open.index).add(&constant(ahead + offset)),
        }
    }

    /// The subscripts of an instance's access in terms of the loops' indices: equal ones are those
    /// of one element.
    pub fn element(&self, access: &Access, offsets: &[(IndexId, usize)]) -> Vec<Affine> {
        let by = |index: IndexId| self.value(index, offset(offsets, index));
        let subscripts = access.subscripts.iter();
        subscripts.map(|s| s.substitute(&by)).collect()
    }

    /// The two vectors of so many lanes that an element is in parts of, where lanes are at neighbours from that
    /// element on, and how many lanes of the first one are before it.
    pub fn between(&self, element: &[Affine], width: usize) -> Option<([Vec<Affine>; 2], usize)> {
        let moves = |subscript: &Affine| self.lanes.iter().any(|lane| subscript.depends_on(*lane));
        let mut moving = (0..element.len()).filter(|axis| moves(&element[*axis]));
        let (axis, None) = (moving.next()?, moving.next()) else {
            return None;
        };
        let width = i64::try_from(width).ok()?;
        let by = element[axis].constant.rem_euclid(width);
        let vector = |constant: i64| {
            let mut vector = element.to_vec();
            vector[axis] = vector[axis].add(&Affine::constant(constant));
            vector
        };
        let by_lanes = usize::try_from(by).ok()?;
        (by > 0).then(|| ([vector(-by), vector(width - by)], by_lanes))
    }

    /// The place of an instance's access among those of its array, row-major, if it is the same in
    /// every iteration of the loops: a subscript in a ring may move by multiples of the ring's
    /// depth, one in a dimension that is kept not at all.
    pub fn place(
        &self,
        access: &Access,
        offsets: &[(IndexId, usize)],
        extents: &[Dimension],
    ) -> Option<usize> {
        let subscripts = self.element(access, offsets);
        let mut place = 0;
        for (subscript, dimension) in subscripts.iter().zip(extents) {
            let at = match dimension {
                &Dimension::CONTRACTED => 0,
                Dimension::Ring(depth) => self.residue(subscript, *depth)?,
                Dimension::Kept(n) => {
                    let at = usize::try_from(subscript.as_constant()?).ok()?;
                    (at < *n).then_some(at)?
                }
                Dimension::RunTime => return None,
            };
            place = place * dimension.places()? + at;
        }
        Some(place)
    }

    /// The residue of a subscript, if all iterations have the same.
    fn residue(&self, subscript: &Affine, depth: usize) -> Option<usize> {
        let depth = i64::try_from(depth).ok()?;
        let mut residue = subscript.constant;
        for (atom, coefficient) in &subscript.terms {
            let Atom::Index(index) = atom else {
                return None;
            };
            let (open, _) = self.find(*index).filter(|_| !self.lanes.contains(index))?;
            if (coefficient * open.step as i64) % depth != 0 {
                return None;
            }
            residue += coefficient * open.start as i64;
        }
        usize::try_from(residue.rem_euclid(depth)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{ArrayId, Extent};

    const I: IndexId = IndexId(0);
    const K: IndexId = IndexId(1);

    fn unrolled(start: usize, end: usize, step: usize) -> Around {
        let mut around = Around::new(Vec::new());
        let unrolled = Loop {
            index: I,
            with: vec![(K, 3)],
            steps: Steps::All,
            start,
            end: Extent::Constant(end),
            step,
            body: Vec::new(),
        };
        around.enter(&unrolled, 0);
        around
    }

    fn at(index: IndexId, constant: i64) -> Access {
        Access {
            array: ArrayId(0),
            subscripts: vec![Affine::index(index).add(&Affine::constant(constant))],
        }
    }

    #[test]
    fn indices_that_move_along_name_the_same_elements() {
        let around = unrolled(0, 96, 4);
        let element = around.element(&at(I, 3), &[(I, 2)]);
        assert_eq!(element, around.element(&at(K, 0), &[(K, 2)]));
        assert_ne!(element, around.element(&at(K, 0), &[]));
        let peeled = Around::new(Vec::new());
        assert_eq!(peeled.element(&at(K, 1), &[(K, 4)]), [Affine::constant(5)]);
        let once = unrolled(96, 97, 4);
        assert_eq!(once.element(&at(K, 1), &[]), [Affine::constant(100)]);
    }

    #[test]
    fn rings_have_known_places_where_steps_are_multiples_of_their_depth() {
        let ring = |depth| [Dimension::Ring(depth)];
        let around = unrolled(2, 98, 4);
        assert_eq!(around.place(&at(I, 3), &[], &ring(4)), Some(1));
        assert_eq!(around.place(&at(K, 0), &[(K, 2)], &ring(4)), Some(3));
        assert_eq!(around.place(&at(I, 1), &[], &ring(2)), Some(1));
        assert_eq!(around.place(&at(I, 1), &[], &ring(3)), None);
        assert_eq!(around.place(&at(I, 1), &[], &ring(1)), Some(0));
        let kept = [Dimension::Kept(4)];
        assert_eq!(around.place(&at(I, 1), &[], &kept), None);
        assert_eq!(
            Around::new(Vec::new()).place(&at(I, 1), &[(I, 2)], &kept),
            Some(3)
        );
        assert_eq!(
            Around::new(Vec::new()).place(&at(I, 2), &[(I, 2)], &kept),
            None
        );
    }

    #[test]
    fn lanes_have_no_single_place() {
        let mut around = unrolled(0, 4, 4);
        around.lanes = vec![I];
        assert_eq!(around.place(&at(I, 0), &[], &[Dimension::Ring(4)]), None);
        let contracted = [Dimension::CONTRACTED];
        assert_eq!(around.place(&at(I, 0), &[], &contracted), Some(0));
    }
}
