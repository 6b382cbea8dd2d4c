//! Lanes for each equation, where each has loops of its own.
//!
//! Lanes run over a loop along which what is written lies together, and what is read does or stays where it is.
//! A loop that equations share has lanes in all of them.

use std::collections::{BTreeMap, BTreeSet};

use super::staging::contiguous;
use crate::ir::{IndexId, Program};

/// The chains of loops (by the number of each in `of`) that have lanes: the ones along which the fewest reads lie
/// apart, and of these the ones that the most equations share.
pub fn lanes(
    program: &Program,
    of: &BTreeMap<(usize, IndexId), usize>,
    scopes: &BTreeMap<usize, BTreeSet<usize>>,
) -> Vec<usize> {
    let mut found: Vec<(usize, std::cmp::Reverse<usize>, usize)> = Vec::new();
    for (chain, scope) in scopes {
        let loops = |at: usize| {
            let mut all = of
                .iter()
                .filter(|((own, _), other)| *own == at && *other == chain);
            all.next().map(|((_, index), _)| *index)
        };
        let apart: Option<usize> = scope
            .iter()
            .map(|at| loops(*at).and_then(|index| apart(program, *at, index)))
            .sum();
        found.extend(apart.map(|apart| (apart, std::cmp::Reverse(scope.len()), *chain)));
    }
    found.sort_unstable();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut result = Vec::new();
    for (_, _, chain) in found {
        if scopes[&chain].is_disjoint(&taken) {
            taken.extend(&scopes[&chain]);
            result.push(chain);
        }
    }
    result
}

/// How many reads of an equation lie apart along a loop; `None` where lanes cannot run over it.
fn apart(program: &Program, at: usize, index: IndexId) -> Option<usize> {
    let equation = &program.equations[at];
    let long = program.loop_index(index).extent.as_constant() != Some(1);
    if !long || !equation.free.contains(&index) || !contiguous(&equation.target, index) {
        return None;
    }
    let accesses = program.pool.accesses([equation.expr]).into_iter();
    let apart =
        accesses.filter(|(_, access)| access.depends_on(index) && !contiguous(access, index));
    Some(apart.count())
}
