//! Several loops as one, each some iterations ahead of the last one.

use super::tree::{Loop, Node, Steps, instances};
use crate::ir::Extent;

/// One loop for several, each some iterations ahead of the last one, and what they do before.
pub fn together(parts: &[(Loop, usize)]) -> Vec<Node> {
    let Some((last, _)) = parts.last() else {
        return Vec::new();
    };
    let mut starts: Vec<usize> = parts.iter().map(|(_, ahead)| *ahead).collect();
    starts.sort_unstable_by(|a, b| b.cmp(a));
    starts.dedup();
    let before: Vec<Node> = starts
        .windows(2)
        .map(|pair| shared(parts, pair[0], Extent::Constant(pair[0] - pair[1])))
        .collect();
    let mut result = Vec::new();
    if !before.is_empty() {
        result.push(match last.end {
            Extent::Constant(_) => Vec::new(),
            Extent::RunTime(_) => vec![Node::Loop(Loop {
                steps: Steps::Once,
                body: before.clone(),
                ..last.clone()
            })],
        });
        if last.end.as_constant().is_some() {
            result.push(before);
        }
    }
    result.push(vec![shared(parts, 0, last.end.clone())]);
    result.concat()
}

/// A loop over those that are at least some iterations ahead, in the last iterations of which those begin that
/// are just as many.
fn shared(parts: &[(Loop, usize)], from: usize, end: Extent) -> Node {
    let all: Vec<&(Loop, usize)> = parts.iter().filter(|(_, ahead)| *ahead >= from).collect();
    let own = all
        .iter()
        .rposition(|(_, ahead)| *ahead == from)
        .unwrap_or(0);
    let others = all.iter().enumerate().filter(|(at, _)| *at != own);
    Node::Loop(Loop {
        index: all[own].0.index,
        with: others
            .map(|(_, (l, ahead))| (l.index, ahead - from))
            .collect(),
        steps: Steps::All,
        start: 0,
        end,
        step: 1,
        body: all.iter().flat_map(|(l, _)| l.body.clone()).collect(),
    })
}

/// The equations of a node, each once.
pub fn equations(node: &Node) -> Vec<usize> {
    equations_of(std::slice::from_ref(node))
}

pub fn equations_of(nodes: &[Node]) -> Vec<usize> {
    let all = instances(nodes).into_iter();
    let mut all: Vec<usize> = all.map(|instance| instance.equation).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether an equation stands in straight-line code: a sum adds one term after the other to its target there.
pub fn has_partial(node: &Node, equation: usize) -> bool {
    match node {
        Node::Loop(l) => l.body.iter().any(|node| has_partial(node, equation)),
        Node::Block(instances) => instances
            .iter()
            .any(|instance| instance.equation == equation),
        _ => false,
    }
}
