//! Points at which an expression is evaluated at once.

use std::ops::Range;
use std::rc::Rc;

use super::point::Point;

/// Most loops whose iterations are in one batch: as many as two iterations of each fill it.
pub const MOST_LOOPS: usize = 6;

/// Points near one: lanes, at each of some iterations of a loop, or of several inside of each other.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The index that lanes run over, and what each lane adds to it; one zero without lanes.
    pub lanes: (Option<usize>, Vec<i64>),
    /// How many of the lanes are not beyond the end.
    pub active: usize,
    /// The loops, at most [`MOST_LOOPS`], the last one innermost.
    pub loops: Vec<Iterated>,
    /// How many iterations there are; one without a loop.
    iterations: usize,
    /// What each iteration adds to each loop's index.
    offsets: Vec<i64>,
}

/// A loop whose iterations are in batches.
#[derive(Clone, Debug)]
pub struct Iterated {
    /// Its index, and the value of that at the point.
    pub index: (usize, i64),
    /// The values that the index takes.
    pub values: Values,
}

/// Values of an index.
#[derive(Clone, Debug)]
pub enum Values {
    /// These.
    Listed(Rc<[usize]>),
    /// All between two.
    All(Range<usize>),
}

impl Values {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Listed(listed) => listed.len(),
            Values::All(all) => all.len(),
        }
    }

    /// The largest one, if there is any.
    pub fn most(&self) -> Option<usize> {
        match self {
            Values::Listed(listed) => listed.iter().max().copied(),
            Values::All(all) => all.clone().next_back(),
        }
    }

    fn get(&self, at: usize) -> usize {
        match self {
            Values::Listed(listed) => listed[at],
            Values::All(all) => all.start + at,
        }
    }
}

impl Batch {
    /// How many points there are.
    pub fn count(&self) -> usize {
        self.lanes.1.len() * self.iterations
    }

    /// How many iterations all loops have together.
    pub fn all(&self) -> usize {
        self.loops.iter().map(|own| own.values.len()).product()
    }

    /// Takes some of the iterations of the loops.
    pub fn take(&mut self, iterations: Range<usize>) {
        self.iterations = iterations.len();
        self.offsets.clear();
        for iteration in iterations {
            let start = self.offsets.len();
            let mut rest = iteration;
            for (at, own) in self.loops.iter().enumerate().rev() {
                let n = own.values.len();
                let value = if at == 0 { rest } else { rest % n };
                rest /= n;
                self.offsets
                    .push(own.values.get(value) as i64 - own.index.1);
            }
            self.offsets[start..].reverse();
        }
    }

    /// The indices that points differ in.
    pub fn indices(&self) -> impl Iterator<Item = usize> {
        self.lanes
            .0
            .into_iter()
            .chain(self.loops.iter().map(|own| own.index.0))
    }

    /// The lane of a point.
    pub fn lane(&self, at: usize) -> usize {
        at % self.lanes.1.len()
    }

    /// Whether a point is that of a lane beyond the end.
    pub fn is_idle(&self, at: usize) -> bool {
        self.lane(at) >= self.active
    }

    /// Takes the number of each point, and what an affine function of indices adds there.
    pub fn each_of<E>(
        &self,
        coefficients: &[(usize, i64)],
        mut take: impl FnMut(usize, i64) -> Result<(), E>,
    ) -> Result<(), E> {
        let of = |index: usize| {
            let own = coefficients.iter().filter(|(own, _)| *own == index);
            own.map(|(_, coefficient)| coefficient).sum::<i64>()
        };
        let lane = self.lanes.0.map_or(0, of);
        let mut strides = [0; MOST_LOOPS];
        for (stride, own) in strides.iter_mut().zip(&self.loops) {
            *stride = of(own.index.0);
        }
        let mut at = 0;
        for iteration in 0..self.iterations {
            let offsets = self.offsets_of(iteration).iter().zip(&strides);
            let start: i64 = offsets.map(|(by, stride)| by * stride).sum();
            for by in &self.lanes.1 {
                take(at, start + lane * by)?;
                at += 1;
            }
        }
        Ok(())
    }

    /// What an iteration adds to each loop.
    fn offsets_of(&self, iteration: usize) -> &[i64] {
        let loops = self.loops.len();
        &self.offsets[iteration * loops..][..loops]
    }

    /// Moves to each point, one after the other, and back.
    pub fn each<E>(
        &self,
        point: &mut Point,
        mut run: impl FnMut(&Point, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut at = 0;
        for iteration in 0..self.iterations {
            let offsets = || self.loops.iter().zip(self.offsets_of(iteration));
            offsets().for_each(|(own, by)| point.at[own.index.0] += by);
            for lane in &self.lanes.1 {
                self.lanes.0.iter().for_each(|own| point.at[*own] += lane);
                point.idle = self.is_idle(at);
                let found = run(point, at);
                point.idle = false;
                self.lanes.0.iter().for_each(|own| point.at[*own] -= lane);
                found?;
                at += 1;
            }
            offsets().for_each(|(own, by)| point.at[own.index.0] -= by);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first loop has three iterations, the second one two, and there are two lanes, one of them beyond the end.
    #[test]
    fn loops_inside_of_each_other_are_one_batch() {
        let of = |at, start, values| Iterated {
            index: (at, start),
            values,
        };
        let mut batch = Batch {
            lanes: (Some(3), vec![0, 1]),
            active: 1,
            loops: vec![
                of(0, 5, Values::Listed(Rc::from([5, 7, 6]))),
                of(2, 0, Values::All(0..2)),
            ],
            ..Batch::default()
        };
        assert_eq!(batch.all(), 6);
        // In two parts, of which the second one begins inside of the first loop's second iteration.
        let (mut moved, mut added) = (Vec::new(), Vec::new());
        for part in [0..3, 3..6] {
            batch.take(part);
            assert_eq!(batch.count(), 6);
            let mut point = Point::origin(4);
            point.at[0] = 5;
            let run = |point: &Point, _| {
                moved.push(100 * point.at[0] + 10 * point.at[2] + point.at[3]);
                assert_eq!(point.idle, point.at[3] == 1);
                Ok::<(), String>(())
            };
            batch.each(&mut point, run).unwrap();
            assert_eq!(point.at, [5, 0, 0, 0]);
            let coefficients = [(0, 100), (1, 7), (2, 10), (3, 1)];
            let add = |at: usize, more: i64| {
                assert_eq!(at, added.len() % 6);
                added.push(500 + more);
                Ok::<(), String>(())
            };
            batch.each_of(&coefficients, add).unwrap();
        }
        let points = [500, 501, 510, 511, 700, 701, 710, 711, 600, 601, 610, 611];
        assert_eq!(moved, points);
        assert_eq!(added, points);
    }
}
