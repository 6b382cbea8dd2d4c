//! Orders of equations in which those of each scope stand together: of the equations that a chain of fused loops spans.

use std::collections::{BTreeSet, HashMap};

use crate::ir::{Access, ArrayId};

/// What equations read, and which writes an array.
pub type Reads<'a> = (&'a [Vec<Access>], &'a HashMap<ArrayId, Vec<usize>>);

/// An order that keeps writers before readers, in which the equations of each scope stand together; scopes are
/// inside each other or apart, the largest first.
pub fn grouped(order: &[usize], scopes: &[&BTreeSet<usize>], reads: Reads) -> Vec<usize> {
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
                blocks.push(grouped(&own.collect::<Vec<usize>>(), &inside, reads));
            }
            None => blocks.push(vec![*at]),
        }
    }
    topological(blocks, reads)
}

/// Blocks of equations, each after those that it reads from, otherwise in their order.
fn topological(mut blocks: Vec<Vec<usize>>, (read, writer): Reads) -> Vec<usize> {
    let mut result: Vec<usize> = Vec::new();
    while !blocks.is_empty() {
        let waits = |block: &Vec<usize>| {
            let accesses = block.iter().flat_map(|at| &read[*at]);
            let mut writers = accesses
                .filter_map(|access| writer.get(&access.array))
                .flatten();
            writers.any(|by| !block.contains(by) && !result.contains(by))
        };
        let next = blocks.iter().position(|block| !waits(block)).unwrap_or(0);
        result.extend(blocks.remove(next));
    }
    result
}
