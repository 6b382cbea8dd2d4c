//! Views whose last axis has as many elements as loops of known length say: the colours of a pixel, the coordinates of a point.
//! ```text
//! y[i, j] = x[i, j, 0] + x[i, j, 1] + x[i, j, 2]   for i, j
//! ```
//! Where these lie together, and those of the next pixel come next, a row of `x` is a slice of arrays of three. So a schedule is
//! chosen for the program whose views have so many elements along the last axis, where lanes over `j` take components apart by
//! shuffles; the loop tree is then that of the program as it was.
//!
//! Holds: what is computed. The extents of views change, and change back.

use crate::ir::{Access, Affine, ArrayId, Atom, Extent, Program};

/// The parameters that are such views, and the number of elements along the last axis of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Records(Vec<(usize, usize)>);

/// The most elements that a record has.
const MOST: i64 = 64;

impl Records {
    /// Those of a program, if it has any.
    #[must_use]
    pub fn of(program: &Program) -> Option<Records> {
        let exprs = program.equations.iter().map(|equation| equation.expr);
        let read = program.pool.accesses(exprs).into_iter();
        let read = read.map(|(_, access)| access);
        let written = program.equations.iter().map(|equation| &equation.target);
        let accesses: Vec<&Access> = read.chain(written).collect();
        let views = (0..program.arrays.len()).map(|at| ArrayId(at as u32));
        let views = views.filter(|array| program.array(*array).strided);
        let found = views.filter_map(|view| {
            let array = program.array(view);
            let of = accesses
                .iter()
                .filter(|access| program.viewed(access.array) == view);
            let last = of.map(|access| largest(program, access.subscripts.last()?));
            let last = last.collect::<Option<Vec<i64>>>()?.into_iter().max()?;
            let own = array.shape.len() > 1 && (1..MOST).contains(&last);
            own.then_some((array.role.position()?, last as usize + 1))
        });
        let found: Vec<(usize, usize)> = found.collect();
        (!found.is_empty()).then_some(Records(found))
    }

    /// Gives the last axis of each view as many elements.
    pub fn shape(&self, program: &mut Program) {
        self.change(program, |count, _| Extent::Constant(count));
    }

    /// Gives the last axis of each view the elements that the call says.
    pub fn shape_back(&self, program: &mut Program) {
        let length = |view, axis| Extent::RunTime(Affine::atom(Atom::Length(view, axis)));
        self.change(program, |_, (view, axis)| length(view, axis));
    }

    fn change(&self, program: &mut Program, extent: impl Fn(usize, (ArrayId, usize)) -> Extent) {
        for at in 0..program.arrays.len() {
            let view = program.viewed(ArrayId(at as u32));
            let array = &program.arrays[at];
            let mut own = self.0.iter();
            let own = own.find(|(position, _)| array.role.position() == Some(*position));
            if let (Some((_, count)), Some(axis)) = (own, array.shape.len().checked_sub(1)) {
                program.arrays[at].shape[axis] = extent(*count, (view, axis));
            }
        }
    }
}

/// The largest value of a subscript that loops of known length say, if it is never below zero.
fn largest(program: &Program, subscript: &Affine) -> Option<i64> {
    let (mut least, mut most) = (subscript.constant, subscript.constant);
    for (atom, coefficient) in &subscript.terms {
        let Atom::Index(index) = atom else {
            return None;
        };
        let extent = program.loop_index(*index).extent.as_constant()?;
        let last = i64::try_from(extent.checked_sub(1)?)
            .ok()?
            .checked_mul(*coefficient)?;
        least = least.checked_add(last.min(0))?;
        most = most.checked_add(last.max(0))?;
    }
    (least >= 0).then_some(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;
    use crate::schedule::lie::{self, Lie};
    use crate::schedule::{Target, Wishes, schedule};

    const PROGRAM: &str = "program p\nindex i: len(y)\nindex j: len(y, 1)\nindex k: 2\n\
         param 0 x: f64[len(x), len(x, 1), len(x, 2)] strided\n\
         output 1 y: f64[len(y), len(y, 1)] strided\n\
         param 2 z: f64[len(z), len(z, 1)] strided\n\
         y[i, j] = sum(k) x[i, j, k + 1] * z[j, k]   for i, j\n";

    #[test]
    fn known_last_axes_are_records() {
        let program = text::parse(PROGRAM).unwrap();
        let records = Records::of(&program).unwrap();
        assert_eq!(records, Records(vec![(0, 3), (2, 2)]));
        let mut changed = program.clone();
        records.shape(&mut changed);
        let target = Target {
            width: 8,
            registers: 32,
        };
        let found = schedule(&changed, target, &Wishes::default()).unwrap();
        let lane = found.schedule.lanes.unwrap();
        assert_eq!(found.program.loop_index(lane).name, "j");
        let lies = |program: &Program| -> Vec<bool> {
            let read = program.pool.accesses([program.equations[0].expr]);
            let lies = read
                .iter()
                .map(|(_, access)| lie::of(program, &found.schedule, access));
            lies.map(|lie| matches!(lie, Lie::Stream { .. })).collect()
        };
        assert!(lies(&found.program).iter().all(|is_stream| *is_stream));
        records.shape_back(&mut changed);
        assert_eq!(changed.arrays, program.arrays);
        assert!(!lies(&changed).contains(&true));
    }
}
