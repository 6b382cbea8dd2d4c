//! Steps over lanes of fewer vectors: what follows the whole steps of a loop.
//!
//! Before: `for i step 16 { y[i]; y[i + 8] }` in vectors of 8. After the whole steps: `for i step 8 { y[i] }`.
//! Holds: a shorter step is the first part of a whole one, and computes the same values.

use crate::collections::HashMap;

use super::tree::{Instance, Loop, Node, instances, offset};

/// The steps that follow the whole ones of a loop, longest first, the last one of a single vector. Where sums wait for
/// each other's terms, which takes longer the fewer there are, of half the vectors, of a quarter, and so on. Where
/// vectors of one step share temporaries, which single ones compute again, of half the vectors and of one.
pub fn shorter_steps(l: &Loop, width: usize) -> Vec<Loop> {
    let sums = |node: &Node| matches!(node, Node::Reduction { .. });
    let vectors = l.step / width;
    let halves = std::iter::successors(Some(vectors / 2), |vectors| Some(vectors / 2));
    let mut counts: Vec<usize> = halves.take_while(|vectors| *vectors > 0).collect();
    if !l.body.iter().any(sums) {
        let kept = if l.with.is_empty() { 0 } else { 1 };
        let last = counts.len().saturating_sub(1);
        counts.drain(kept.min(last)..last);
    }
    let steps = counts.into_iter();
    steps
        .map(|vectors| first_vectors(l, vectors, width))
        .collect()
}

/// A loop over lanes in steps of so many vectors: in each, what a whole step has first.
pub fn first_vectors(l: &Loop, vectors: usize, width: usize) -> Loop {
    let step = vectors * width;
    if step == l.step {
        return l.clone();
    }
    // What runs ahead has more vectors than a step, and what does not change along the lanes has one.
    let mut ends: HashMap<usize, usize> = HashMap::default();
    for instance in instances(&l.body) {
        let end = ends.entry(instance.equation).or_insert(0);
        *end = (*end).max(along(l, instance) + width);
    }
    let others = l.step - step;
    let first = |instance: &Instance| {
        let end = ends[&instance.equation].saturating_sub(others);
        along(l, instance) < end.max(width)
    };
    Loop {
        step,
        ..of_instances(l, &first)
    }
}

/// A loop with some of its instances.
pub fn of_instances(l: &Loop, some: &impl Fn(&Instance) -> bool) -> Loop {
    Loop {
        body: kept(&l.body, some),
        ..l.clone()
    }
}

/// Nodes with those of their instances that are kept, in loops inside of them too.
pub(super) fn kept(nodes: &[Node], some: &impl Fn(&Instance) -> bool) -> Vec<Node> {
    let own = |all: &[Instance]| -> Vec<Instance> {
        all.iter().filter(|own| some(own)).cloned().collect()
    };
    let nodes = nodes.iter().filter_map(|node| match node {
        Node::Block(all) => {
            let all = own(all);
            (!all.is_empty()).then_some(Node::Block(all))
        }
        Node::Reduction {
            instances,
            loops,
            chains,
        } => {
            let (instances, loops, chains) = (own(instances), loops.clone(), *chains);
            (!instances.is_empty()).then_some(Node::Reduction {
                instances,
                loops,
                chains,
            })
        }
        Node::Loop(inner) => Some(Node::Loop(Loop {
            body: kept(&inner.body, some),
            ..inner.clone()
        })),
        other => Some(other.clone()),
    });
    nodes.collect()
}

/// How far along the lanes of a step an instance is, along whichever of the loop's indices.
fn along(l: &Loop, instance: &Instance) -> usize {
    let own = l.with.iter().map(|(index, _)| *index).chain([l.index]);
    let offsets = own.map(|index| offset(&instance.offsets, index));
    offsets.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Extent, IndexId};
    use crate::schedule::tree::Steps;

    const WIDTH: usize = 4;

    fn instance(equation: usize, index: IndexId, offset: usize) -> Instance {
        Instance {
            equation,
            offsets: vec![(index, offset)],
        }
    }

    /// A loop over `i`, and over `j` along with it, in steps of so many vectors.
    fn steps(vectors: usize, with: &[(IndexId, usize)], body: Vec<Node>) -> Loop {
        Loop {
            index: IndexId(0),
            with: with.to_vec(),
            steps: Steps::All,
            start: 0,
            end: Extent::Constant(100),
            step: vectors * WIDTH,
            body,
        }
    }

    fn vectors(steps: &[Loop]) -> Vec<(usize, usize)> {
        let of = |l: &Loop| (l.step / WIDTH, instances(&l.body).len());
        steps.iter().map(of).collect()
    }

    #[test]
    fn steps_are_halved_for_sums_alone() {
        let i = IndexId(0);
        let all: Vec<Instance> = (0..8).map(|at| instance(0, i, at * WIDTH)).collect();
        let plain = steps(8, &[], vec![Node::Block(all.clone())]);
        assert_eq!(vectors(&shorter_steps(&plain, WIDTH)), [(1, 1)]);
        let loops = Vec::new();
        let sums = steps(
            8,
            &[],
            vec![Node::Reduction {
                instances: all,
                loops,
                chains: 1,
            }],
        );
        assert_eq!(
            vectors(&shorter_steps(&sums, WIDTH)),
            [(4, 4), (2, 2), (1, 1)]
        );
        let single = steps(1, &[], vec![Node::Block(vec![instance(0, i, 0)])]);
        assert!(shorter_steps(&single, WIDTH).is_empty());
    }

    #[test]
    fn what_runs_ahead_keeps_its_lead() {
        let [i, j] = [0, 1].map(IndexId);
        let lead = (0..5).map(|at| instance(0, j, at * WIDTH));
        let own = (0..4).map(|at| instance(1, i, at * WIDTH));
        let once = instance(2, i, 0);
        let body = vec![Node::Block(lead.chain(own).chain([once]).collect())];
        let shorter = shorter_steps(&steps(4, &[(j, 0)], body), WIDTH);
        // Of two vectors: three of what runs ahead, two of what follows, and what is computed once.
        assert_eq!(vectors(&shorter), [(2, 3 + 2 + 1), (1, 2 + 1 + 1)]);
    }
}
