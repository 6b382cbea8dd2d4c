//! How lanes lie in memory.

use super::own_block::own_block;
use super::strided;
use super::tree::{Dimension, Instance, Schedule, Storage, instances};
use crate::ir::{Access, Affine, Atom, IndexId, Program};

/// How the lanes of an access lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// Next to each other, or all at one element.
    Together,
    /// Next to each other, the last one first.
    Backwards,
    /// Every other one of numbers.
    EveryOther,
    /// Components of a stream of numbers.
    Stream {
        /// How many there are.
        count: usize,
        /// How many are read.
        wanted: usize,
    },
    /// Some elements apart.
    Apart,
    /// Where so many index maps say.
    Mapped(usize),
}

/// Whether it is an entry of an index map.
fn is_map(atom: &Atom) -> bool {
    matches!(atom, Atom::Map(..))
}

/// How the lanes of an access lie in memory, as it is printed.
pub fn of(program: &Program, schedule: &Schedule, access: &Access) -> Lie {
    let mut lanes = schedule.lane_loops().filter(|_| schedule.width > 1);
    let Some(lane) = lanes.find(|lane| access.depends_on(*lane)) else {
        return Lie::Together;
    };
    let kept: Vec<&Affine> = match schedule.storage_of(access.array) {
        Some(Storage::Memory { lanes: true, .. }) => return Lie::Together,
        Some(Storage::Memory { extents, .. }) => {
            let placed = access.subscripts.iter().zip(extents);
            let placed = placed.filter(|(_, extent)| **extent != Dimension::CONTRACTED);
            placed.map(|(subscript, _)| subscript).collect()
        }
        _ => access.subscripts.iter().collect(),
    };
    let mapped = |subscript: &&&Affine| {
        let mut maps = subscript.terms.iter().filter(|(atom, _)| is_map(atom));
        maps.any(|(atom, _)| Affine::atom(atom.clone()).depends_on(lane))
    };
    let along = |subscript: &Affine| {
        let terms = subscript.terms.iter();
        let mut own = terms.filter(|(atom, _)| *atom == Atom::Index(lane));
        own.next().map_or(0, |(_, coefficient)| *coefficient)
    };
    let Some((last, outer)) = kept.split_last() else {
        return Lie::Together;
    };
    let maps = kept.iter().filter(mapped).count();
    if maps > 0 {
        return Lie::Mapped(maps);
    }
    let strided = outer.iter().any(|subscript| along(subscript) != 0);
    match (strided, along(last)) {
        (false, 0 | 1) => Lie::Together,
        (false, -1) => Lie::Backwards,
        _ => stream(program, schedule, access, lane).unwrap_or(Lie::Apart),
    }
}

/// Whether lanes run over a loop, and all that they access lies together, in loops that add nothing up over lanes.
pub fn all_together(program: &Program, schedule: &Schedule) -> bool {
    all_lie(program, schedule, &[Lie::Together])
}

/// The same where what they access may lie backwards.
pub fn all_neighbours(program: &Program, schedule: &Schedule) -> bool {
    all_lie(program, schedule, &[Lie::Together, Lie::Backwards])
}

fn all_lie(program: &Program, schedule: &Schedule, as_these: &[Lie]) -> bool {
    let plain = |own: &Instance| {
        let equation = &program.equations[own.equation];
        let read = program.pool.accesses([equation.expr]);
        let mut all = read
            .iter()
            .map(|(_, access)| *access)
            .chain([&equation.target]);
        let added = equation
            .reduction
            .iter()
            .any(|index| schedule.is_lane(*index));
        !added && all.all(|access| as_these.contains(&of(program, schedule, access)))
    };
    let lanes = schedule.width > 1 && schedule.lanes.is_some();
    lanes && schedule.copies().is_empty() && instances(&schedule.body).into_iter().all(plain)
}

/// The stream that lanes read a component of, if it is taken apart.
fn stream(program: &Program, schedule: &Schedule, access: &Access, lane: IndexId) -> Option<Lie> {
    let array = program.array(access.array);
    let block = own_block(program, access, lane).filter(|shape| !shape.is_empty());
    let (count, wanted) = match block {
        Some(shape) => {
            let count = shape.iter().product();
            (count, count)
        }
        None => {
            let (outer, own) = strided::place(program, access);
            let mut terms = own.terms.iter();
            let (_, factor) = terms.find(|(atom, _)| *atom == Atom::Index(lane))?;
            let near = |other: &Access| {
                let place = (other.array == access.array).then(|| strided::place(program, other));
                let (others, place) = place?;
                let apart = place.sub(&own).as_constant()?;
                (others == outer && apart.abs() < *factor).then_some(apart)
            };
            let expressions = program.equations.iter().map(|equation| equation.expr);
            let read = program.pool.accesses(expressions);
            let mut places: Vec<i64> = read.iter().filter_map(|(_, read)| near(read)).collect();
            places.sort_unstable();
            places.dedup();
            let still = !outer.iter().any(|subscript| subscript.depends_on(lane));
            let count = usize::try_from(*factor).ok().filter(|_| still)?;
            (count, places.len().min(count))
        }
    };
    if !strided::is_numbers(program, access.array) {
        return None;
    }
    let bits = array.element.bits();
    match (count, wanted) {
        (2, 1) => Some(Lie::EveryOther),
        _ => strided::pays(schedule.width * bits, bits, count, wanted)
            .then_some(Lie::Stream { count, wanted }),
    }
}
