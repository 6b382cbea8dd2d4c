//! Points at which an expression is evaluated at once.

use super::point::Point;

/// Points near one: lanes, at each of some iterations of a loop.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The index that lanes run over, and what each lane adds to it; one zero without lanes.
    pub lanes: (Option<usize>, Vec<i64>),
    /// How many of the lanes are not beyond the end.
    pub active: usize,
    /// The index of the loop, and what each iteration adds to it; one zero without a loop.
    pub iterations: (Option<usize>, Vec<i64>),
}

impl Batch {
    /// How many points there are.
    pub fn count(&self) -> usize {
        self.lanes.1.len() * self.iterations.1.len()
    }

    /// The indices that points differ in.
    pub fn indices(&self) -> impl Iterator<Item = usize> {
        self.lanes.0.into_iter().chain(self.iterations.0)
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
        let of = |index: Option<usize>| {
            let own = coefficients.iter().filter(|(own, _)| Some(*own) == index);
            own.map(|(_, coefficient)| coefficient).sum::<i64>()
        };
        let (lane, iteration) = (of(self.lanes.0), of(self.iterations.0));
        let mut at = 0;
        for by in &self.iterations.1 {
            let start = iteration * by;
            for by in &self.lanes.1 {
                take(at, start + lane * by)?;
                at += 1;
            }
        }
        Ok(())
    }

    /// Moves to each point, one after the other, and back.
    pub fn each<E>(
        &self,
        point: &mut Point,
        mut run: impl FnMut(&Point, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let moved = |index: Option<usize>, by: i64, point: &mut Point| {
            if let Some(index) = index {
                point.at[index] += by;
            }
        };
        let mut at = 0;
        for iteration in &self.iterations.1 {
            moved(self.iterations.0, *iteration, point);
            for lane in &self.lanes.1 {
                moved(self.lanes.0, *lane, point);
                point.idle = self.is_idle(at);
                let found = run(point, at);
                point.idle = false;
                moved(self.lanes.0, -lane, point);
                found?;
                at += 1;
            }
            moved(self.iterations.0, -iteration, point);
        }
        Ok(())
    }
}
