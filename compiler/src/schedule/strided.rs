//! What lanes access a few elements apart: components of a stream, which are taken apart and put together in
//! registers.
//!
//! Lanes over `i` read `x[3 * i]`, `x[3 * i + 1]` and `x[3 * i + 2]` from three registers of neighbours, and
//! store `y[2 * i]` and `y[2 * i + 1]` as two.

use super::tree::{Node, Schedule, Storage};
use crate::ir::{Access, Affine, Atom, Combining, IndexId, Program};

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

/// Whether taking a stream apart is less work than reading some of its components lane by lane.
pub fn pays(registers: usize, bits: usize, count: usize, wanted: usize) -> bool {
    let (shuffles, blends) = shuffles(registers, bits, count);
    let lanes = (registers / bits) as f64;
    let loads = count as f64 * if registers == 256 { 2.0 } else { 1.0 };
    let all = loads / 2.0 + wanted as f64 * (shuffles + blends / 2.0);
    (2..=MOST).contains(&count) && wanted > 1 && all <= wanted as f64 * (1.5 * lanes - 1.0)
}

/// Of nodes, the first ones that copy all components of a stream: for each component, which node.
pub fn copies(program: &Program, schedule: &Schedule, nodes: &[Node]) -> Option<Vec<usize>> {
    let lane = schedule.lanes.filter(|_| schedule.width > 1)?;
    let (first, count) = component(program, schedule, nodes.first()?, lane)?;
    let mut places = vec![None; count];
    let mut numbers = Vec::new();
    for node in nodes.get(..count)? {
        let (target, _) = component(program, schedule, node, lane)?;
        let same = target.array == first.array && combines(node) == combines(&nodes[0]);
        let (last, outer) = target.subscripts.split_last()?;
        let (other, others) = first.subscripts.split_last()?;
        let number = last
            .sub(other)
            .as_constant()
            .filter(|_| same && outer == others)?;
        numbers.push(number);
    }
    let least = *numbers.iter().min()?;
    for (node, number) in numbers.into_iter().enumerate() {
        let place = places.get_mut(usize::try_from(number - least).ok()?)?;
        *place = Some(node);
    }
    places.into_iter().collect()
}

/// Where a node copies one element a lane to, and how far these are apart.
fn component<'a>(
    program: &Program,
    schedule: &Schedule,
    node: &'a Node,
    lane: IndexId,
) -> Option<(&'a Access, usize)> {
    let Node::CopyOut(copy) = node else {
        return None;
    };
    let target = &copy.target;
    let (last, outer) = target.subscripts.split_last()?;
    let of_lane = |(atom, _): &&(Atom, i64)| *atom == Atom::Index(lane);
    let (_, apart) = last.terms.iter().find(of_lane)?;
    let rest = last.sub(&Affine::index(lane).scale(*apart));
    let apart = usize::try_from(*apart).ok()?;
    let by_lanes = matches!(
        schedule.storage_of(copy.staged),
        Some(Storage::Memory { lanes: true, .. })
    );
    let alone = copy.loops.is_empty() && copy.places.is_none();
    let still = !rest.depends_on(lane) && !outer.iter().any(|s| s.depends_on(lane));
    let plain = alone && copy.pipelined == super::tree::Pipelined::No && by_lanes;
    let near = (2..=MOST).contains(&apart) && !program.array(target.array).strided;
    (plain && still && near).then_some((target, apart))
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
    }
}
