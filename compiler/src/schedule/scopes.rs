//! Orders of equations in which those of each scope stand together: of the equations that a chain of fused loops spans.

use std::collections::BTreeSet;

/// An order that keeps equations behind those that they follow (`before`, a bit each), in which the equations of each scope stand together; scopes are
/// inside each other or apart, the largest first.
pub fn grouped(order: &[usize], scopes: &[&BTreeSet<usize>], before: &[u64]) -> Vec<usize> {
    let mut outermost: Vec<&BTreeSet<usize>> = Vec::new();
    for scope in scopes {
        if !outermost.iter().any(|other| scope.is_subset(other)) {
            outermost.push(scope);
        }
    }
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    for at in order {
        match outermost.iter().find(|scope| scope.contains(at)) {
            _ if blocks.iter().any(|block| block.contains(at)) => {}
            Some(scope) => {
                let own = order.iter().copied().filter(|at| scope.contains(at));
                let inside = scopes.iter().copied();
                let inside: Vec<_> = inside
                    .filter(|other| other.len() < scope.len() && other.is_subset(scope))
                    .collect();
                blocks.push(grouped(&own.collect::<Vec<usize>>(), &inside, before));
            }
            None => blocks.push(vec![*at]),
        }
    }
    topological(blocks, before)
}

/// Blocks of equations, each after those that it follows, otherwise in their order.
fn topological(mut blocks: Vec<Vec<usize>>, before: &[u64]) -> Vec<usize> {
    let mut result: Vec<usize> = Vec::new();
    while !blocks.is_empty() {
        let of = |set: &[usize]| set.iter().fold(0_u64, |all, at| all | 1 << at);
        let left = of(&blocks.concat());
        let waits = |block: &Vec<usize>| {
            let others = left & !of(block);
            block.iter().any(|at| before[*at] & others != 0)
        };
        let next = blocks.iter().position(|block| !waits(block)).unwrap_or(0);
        result.extend(blocks.remove(next));
    }
    result
}
