//! What lanes access a few elements apart: components of a stream, which are taken apart and put together in
//! registers.
//!
//! Lanes over `i` read `x[3 * i]`, `x[3 * i + 1]` and `x[3 * i + 2]` from three registers of neighbours, and
//! store `y[2 * i]` and `y[2 * i + 1]` as two.

use super::own_block::own_block;
use super::tree::{CopyOut, Node, Schedule, Storage};
use crate::ir::{
    Access, Affine, ArrayId, Atom, Combining, Element, Extent, IndexId, Program, Role,
};
use crate::machine::TRANSPOSED;

/// Most components of a stream.
pub const MOST: usize = 8;

/// What a component of a stream takes, for registers of so many bits: shuffles, and blends.
pub fn shuffles(registers: usize, bits: usize, count: usize) -> (f64, f64) {
    // Without shuffles across parts of 128 bits, lanes that follow each other are in one.
    let lanes = registers.min(if registers == 512 { 512 } else { 128 }) / bits;
    match count {
        0 | 1 => (0.0, 0.0),
        _ if lanes == 2 => (1.0, 0.0),
        _ if count.is_multiple_of(2) => {
            let (shuffles, blends) = self::shuffles(registers, bits, count / 2);
            (shuffles + 1.0, blends)
        }
        _ => (1.0, (count.min(lanes) - 1) as f64),
    }
}

/// Whether taking a stream apart is less work than reading some of its components lane by lane, and takes fewer loads.
pub fn pays(registers: usize, bits: usize, count: usize, wanted: usize) -> bool {
    let (shuffles, blends) = shuffles(registers, bits, count);
    let lanes = (registers / bits) as f64;
    let loads = count as f64 * if registers == 256 { 2.0 } else { 1.0 };
    let (all, wanted) = (loads / 2.0, wanted as f64);
    let all = all + wanted * (shuffles + blends / 2.0);
    let near = (2..=MOST).contains(&count) && loads < wanted * lanes;
    near && all <= wanted * (1.5 * lanes - 1.0)
}

/// Whether lanes may be read with what lies between them: numbers of 32 bits or 64 that are there before the kernel
/// runs, all of them. What lies between may be written by other iterations, which is not looked at.
pub fn is_numbers(program: &Program, array: ArrayId) -> bool {
    let array = program.array(array);
    let numbers = match array.element {
        Element::F64 | Element::F32 => true,
        Element::Integer(ty) | Element::Word(ty) => ty.bits() >= 32,
        Element::Generic => false,
    };
    numbers && !matches!(array.role, Role::Temporary | Role::Counting)
}

/// Of nodes, the first ones that copy components of a stream: for each component, which node, if one does. `None` where
/// storing them one by one is less work.
pub fn copies<'n>(
    program: &Program,
    schedule: &Schedule,
    nodes: &'n [Node],
) -> Option<Vec<Option<usize>>> {
    let lane = schedule.lanes.filter(|_| schedule.width > 1)?;
    let component = |node: &'n Node| match node {
        Node::CopyOut(copy) => component(program, schedule, copy, lane),
        _ => None,
    };
    let (first_target, own, count) = component(nodes.first()?)?;
    let mut numbers: Vec<i64> = Vec::new();
    for node in nodes.iter().take(count) {
        let next = component(node).and_then(|(target, other, apart)| {
            let same = target.array == first_target.array && combines(node) == combines(&nodes[0]);
            let near = other.0 == own.0 && apart == count;
            let number = other.1.sub(&own.1).as_constant();
            number.filter(|number| same && near && !numbers.contains(number))
        });
        let Some(next) = next else { break };
        let all = || numbers.iter().copied().chain([next]);
        let apart = all()
            .max()
            .zip(all().min())
            .map_or(0, |(last, first)| last - first);
        if apart >= count as i64 {
            break;
        }
        numbers.push(next);
    }
    // What is missing is part of what is stored, though masked out: where the next lanes load it, they would wait for
    // that. So the stream begins where records do, which end where the next lanes' begin, or where what is read
    // does, if it can.
    let least = *numbers.iter().min()?;
    let first = numbers.iter().max()? - (count as i64 - 1);
    let begun = record(program, first_target, (&own, lane), count);
    let begun = begun.or_else(|| first_read(program, first_target, &own));
    let first = begun.unwrap_or(least).clamp(first, least);
    let mut places = vec![None; count];
    for (node, number) in numbers.iter().enumerate() {
        let place = places.get_mut(usize::try_from(number - first).ok()?)?;
        *place = Some(node);
    }
    let one_by_one = numbers.len() as f64 * 1.5 * schedule.width as f64;
    (TRANSPOSED * count as f64 <= one_by_one).then_some(places)
}

/// Where the records of lanes begin, from an element of theirs on, if a stream of so many components is made of them.
/// The last one of a flat slice may end early.
fn record(
    program: &Program,
    target: &Access,
    (own, lane): (&Place, IndexId),
    count: usize,
) -> Option<i64> {
    let shape = own_block(program, target, lane)?;
    let apart = Affine::index(lane).scale(i64::try_from(count).ok()?);
    let component = own.1.sub(&apart).as_constant()?;
    let flat = program.array(program.viewed(target.array)).flat;
    let whole = shape.iter().product::<usize>() == count && !flat;
    whole.then(|| -component.rem_euclid(count as i64))
}

/// Whether a copy is one of components of records that lanes own: what lies between these is theirs, too.
pub fn is_of_records(program: &Program, schedule: &Schedule, copy: &CopyOut) -> bool {
    let found = schedule.lanes.and_then(|lane| {
        let (target, own, count) = component(program, schedule, copy, lane)?;
        record(program, target, (&own, lane), count)
    });
    found.is_some()
}

/// The first place that is read of what an access writes, from there on.
fn first_read(program: &Program, target: &Access, own: &Place) -> Option<i64> {
    let memory = program.viewed(target.array);
    let expressions = program.equations.iter().map(|equation| equation.expr);
    let read = program.pool.accesses(expressions);
    let read = read.iter().map(|(_, access)| access);
    let places = read.filter(|access| program.viewed(access.array) == memory);
    let places = places.filter_map(|access| {
        let (outer, near) = place(program, access);
        near.sub(&own.1).as_constant().filter(|_| outer == own.0)
    });
    places.min()
}

/// Whether such copies are stored as a stream, as far as the width says: without masks, all components are, or what lies
/// between them is stored as it is, which is the lanes' own in records.
pub fn are_together(
    program: &Program,
    schedule: &Schedule,
    node: &Node,
    copies: &[Option<usize>],
) -> bool {
    let registers = match node {
        Node::CopyOut(copy) => schedule.width * program.array(copy.staged).element.bits(),
        _ => 0,
    };
    registers == 512
        || copies.iter().all(Option::is_some)
        || matches!(node, Node::CopyOut(copy) if is_of_records(program, schedule, copy))
}

/// Subscripts of dimensions whose strides are known when a kernel runs only, and elements from there on.
pub type Place = (Vec<Affine>, Affine);

/// Where an access is in memory. How far apart the rows of a view are, its call says, but for records: no other axis has a
/// known extent.
pub fn place(program: &Program, access: &Access) -> Place {
    let shape = &program.array(access.array).shape;
    let (mut outer, mut near, mut stride) = (access.subscripts.clone(), Affine::default(), Some(1));
    while let Some(by) = stride {
        let Some(subscript) = outer.pop() else { break };
        near = near.add(&subscript.scale(by));
        let extent = shape.get(outer.len()).and_then(Extent::as_constant);
        let extent = extent.and_then(|extent| i64::try_from(extent).ok());
        stride = extent.and_then(|extent| by.checked_mul(extent));
    }
    (outer, near)
}

/// Where a copy takes one element a lane to, and how far these are apart.
fn component<'a>(
    program: &Program,
    schedule: &Schedule,
    copy: &'a CopyOut,
    lane: IndexId,
) -> Option<(&'a Access, Place, usize)> {
    let target = &copy.target;
    let place = place(program, target);
    let of_lane = |(atom, _): &&(Atom, i64)| *atom == Atom::Index(lane);
    let (_, apart) = place.1.terms.iter().find(of_lane)?;
    let rest = place.1.sub(&Affine::index(lane).scale(*apart));
    let apart = usize::try_from(*apart).ok()?;
    let by_lanes = matches!(
        schedule.storage_of(copy.staged),
        Some(Storage::Memory { lanes: true, .. })
    );
    let alone = copy.loops.is_empty() && copy.places.is_none();
    let still = !rest.depends_on(lane) && !place.0.iter().any(|s| s.depends_on(lane));
    let plain = alone && copy.pipelined == super::tree::Pipelined::No && by_lanes;
    let near = (2..=MOST).contains(&apart);
    (plain && still && near).then_some((target, place, apart))
}

fn combines(node: &Node) -> Option<Combining> {
    match node {
        Node::CopyOut(copy) => copy.accumulate,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;

    #[test]
    fn rows_of_run_time_length_are_places_of_their_own() {
        let program = parse(
            "program p\nindex j: 4\nindex i: 8\nparam 0 n: usize\nparam 1 x: f64[len(x), n] flat\n\
             param 2 y: f64[len(y), n, 3] flat\noutput 3 z: f64[len(z)]\n\
             z[i] += x[2*j + 1, 2*i + 1] + x[2*j + 2, 2*i + 2] + y[j, i, 1] + y[j + 1, i, 2]   for j, i\n",
        )
        .unwrap();
        let of_rows = program.pool.accesses([program.equations[0].expr]);
        let of_rows = of_rows.iter().map(|(_, access)| place(&program, access));
        let of_rows: Vec<Place> = of_rows.collect();
        for (at, (outer, _)) in of_rows.iter().enumerate() {
            assert_eq!(outer.len(), 1);
            let mut others = of_rows[..at].iter();
            assert!(others.all(|(other, _)| other != outer || at == 2));
        }
    }

    #[test]
    fn small_streams_pay() {
        for registers in [128, 256, 512] {
            for (bits, count) in [(32, 3), (32, 4), (64, 2), (64, 3)] {
                assert!(
                    pays(registers, bits, count, count),
                    "{registers} {bits} {count}"
                );
            }
        }
        assert_eq!(shuffles(512, 64, 3), (1.0, 2.0));
        assert_eq!(shuffles(256, 64, 6), (1.0, 0.0));
        assert_eq!(shuffles(256, 32, 6), (2.0, 2.0));
        assert!(!pays(256, 64, 7, 1));
        // One component of few, where that takes fewer loads than it has lanes.
        assert!(pays(512, 32, 3, 1) && pays(256, 32, 3, 1));
        assert!(!pays(256, 32, 4, 1) && !pays(512, 64, 8, 1));
    }
}
