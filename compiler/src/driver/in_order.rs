//! Whether a plan adds numbers up in the order of the text, where results have to be bit-equal to it.
//!
//! Validation computes where sums have one value in any order. So it is asked of the loop tree of a plan: equations that add to
//! one array stand in the order of the program, in one loop where the text has one; the loops that a sum is over stand inside
//! of each other as in the text, and none of them has lanes, or steps around others of them.

use crate::ir::{IndexId, Program};
use crate::schedule::tree::{Instance, Node, Schedule};

/// The way from the root to an instance: places among siblings, with the loops entered there and their steps.
type Way = Vec<(usize, Vec<(IndexId, usize)>)>;

/// An instance, and the way to it.
struct Place<'a> {
    instance: &'a Instance,
    way: Way,
}

/// What is added up in another order, if anything is.
pub fn out_of_order(program: &Program, schedule: &Schedule) -> Option<String> {
    if !program.exact {
        return None;
    }
    let mut places = Vec::new();
    find(&schedule.body, &mut Vec::new(), &mut places);
    let adds = |place: &&Place| {
        let equation = &program.equations[place.instance.equation];
        equation.operator.accumulated().is_some() || !equation.reduction.is_empty()
    };
    let adding: Vec<&Place> = places.iter().filter(adds).collect();
    let alone = adding
        .iter()
        .find(|place| !is_in_order(program, schedule, place));
    let apart = || {
        adding.iter().enumerate().find(|(at, first)| {
            let mut others = adding[..*at].iter();
            others.any(|second| !are_in_order(program, first, second))
        })
    };
    let found = alone
        .copied()
        .or_else(|| apart().map(|(_, place)| *place))?;
    let target = &program.equations[found.instance.equation].target;
    let name = &program.array(target.array).name;
    Some(format!(
        "the plan adds numbers to `{name}` in another order, which changes their bits"
    ))
}

fn find<'a>(nodes: &'a [Node], way: &mut Way, places: &mut Vec<Place<'a>>) {
    for (at, node) in nodes.iter().enumerate() {
        match node {
            Node::Loop(own) => {
                let moving = own.with.iter().map(|(index, _)| *index);
                let entered = std::iter::once(own.index).chain(moving);
                way.push((at, entered.map(|index| (index, own.step)).collect()));
                find(&own.body, way, places);
                way.pop();
            }
            Node::Block(instances) => all(instances, (at, &[]), way, places),
            Node::Reduction {
                instances, loops, ..
            } => all(instances, (at, loops), way, places),
            Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => {}
        }
    }
}

fn all<'a>(
    instances: &'a [Instance],
    (at, loops): (usize, &[IndexId]),
    way: &Way,
    places: &mut Vec<Place<'a>>,
) {
    for (number, instance) in instances.iter().enumerate() {
        let mut own = way.clone();
        own.push((at, loops.iter().map(|index| (*index, 1)).collect()));
        own.push((number, Vec::new()));
        places.push(Place { instance, way: own });
    }
}

/// Whether the terms of one equation are added in the order of its loops.
fn is_in_order(program: &Program, schedule: &Schedule, place: &Place) -> bool {
    let equation = &program.equations[place.instance.equation];
    let entered: Vec<(IndexId, usize)> =
        place.way.iter().flat_map(|(_, own)| own.clone()).collect();
    let still: Vec<IndexId> = equation.still().collect();
    let depth = |index: &IndexId| entered.iter().rposition(|(own, _)| own == index);
    // What no loop runs over is written out in the innermost one.
    let depths: Vec<usize> = still
        .iter()
        .map(|index| depth(index).unwrap_or(entered.len()))
        .collect();
    let stepped = |at: usize| depths[at] < entered.len() && entered[depths[at]].1 > 1;
    depths.is_sorted()
        && !still.iter().any(|index| schedule.is_lane(*index))
        && (0..still.len())
            .all(|at| !stepped(at) || depths[at + 1..].iter().all(|own| *own == entered.len()))
}

/// Whether what is added to one element in two places is added in the order of the text: by the iterations of the loops
/// that these have in common, then by equations.
fn are_in_order(program: &Program, one: &Place, other: &Place) -> bool {
    let [first, second] = [one, other].map(|place| &program.equations[place.instance.equation]);
    if first.target.array != second.target.array {
        return true;
    }
    let common: Vec<IndexId> = first
        .still()
        .filter(|index| second.still().any(|own| own == *index))
        .collect();
    let offset = |place: &Place, index: IndexId| {
        let mut offsets = place.instance.offsets.iter();
        offsets
            .find(|(own, _)| *own == index)
            .map_or(0, |(_, offset)| *offset)
    };
    let moved =
        |index: IndexId| !common.contains(&index) && offset(one, index) != offset(other, index);
    if first.domain().chain(second.domain()).any(moved) {
        return true;
    }
    let key = |place: &Place| {
        let offsets: Vec<usize> = common.iter().map(|index| offset(place, *index)).collect();
        (offsets, place.instance.equation)
    };
    let pairs = one.way.iter().zip(&other.way);
    let shared: Vec<&(usize, Vec<(IndexId, usize)>)> = pairs
        .take_while(|(own, others)| own == others)
        .map(|(own, _)| own)
        .collect();
    let runs = |index: IndexId, place: &Place| {
        place
            .way
            .iter()
            .flat_map(|(_, own)| own)
            .any(|(own, _)| *own == index)
    };
    let together = |index: &IndexId| {
        !(runs(*index, one) || runs(*index, other))
            || shared
                .iter()
                .flat_map(|(_, own)| own)
                .any(|(own, _)| own == index)
    };
    let at = |place: &Place| place.way.get(shared.len()).map(|(at, _)| *at);
    common.iter().all(together) && (key(one) < key(other)) == (at(one) < at(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::text::plan;

    fn check(strict: bool, tree: &str) -> Option<String> {
        let text = "program p\nindex q: 4\nindex r: 3\nindex i: n\nparam 0 n: usize\nparam 1 x: f64[4, 3, n]\n\
             output 2 y: f64[n]\ny[i] += sum(q, r) x[q, r, i]   for i\ny[i] += sum(q) x[q, 0, i]   for i\n";
        let mut base = crate::ir::text::parse(text).unwrap();
        base.exact = strict;
        let lines = tree.replace("} ", "}\n");
        let (program, schedule) =
            plan::parse(&format!("schedule width 4 lanes i\n{lines}"), &base).unwrap();
        out_of_order(&program, &schedule)
    }

    #[test]
    fn plans_in_the_order_of_the_text_are_taken() {
        for tree in [
            "loop q in 0..4 { loop i in 0..n step 4 { loop r in 0..3 { block { eq 0 } } block { eq 1 } } }",
            "loop q in 0..4 { loop i in 0..n step 4 { block { eq 0; eq 0 @ r+1; eq 0 @ r+2; eq 1 } } }",
        ] {
            assert_eq!(check(true, tree), None, "{tree}");
        }
    }

    #[test]
    fn others_are_refused_where_bits_count() {
        for tree in [
            "loop q in 0..4 { loop i in 0..n step 4 { block { eq 1 } loop r in 0..3 { block { eq 0 } } } }",
            "loop i in 0..n step 4 { loop r in 0..3 { loop q in 0..4 { block { eq 0 } } } }",
            "loop i in 0..n step 4 { loop q in 0..4 step 2 { loop r in 0..3 { block { eq 0; eq 0 @ q+1 } } } }",
            "loop q in 0..4 { loop i in 0..n step 4 { block { eq 0; eq 0 @ r+2; eq 0 @ r+1 } } }",
            "loop i in 0..n step 4 { loop q in 0..4 { loop r in 0..3 { block { eq 0 } } } loop q in 0..4 { block { eq 1 } } }",
        ] {
            assert!(check(true, tree).is_some(), "{tree}");
            assert_eq!(check(false, tree), None, "{tree}");
        }
    }
}
