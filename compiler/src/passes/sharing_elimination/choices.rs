//! Which sums stay as they are when an equation is expanded: they count as symbols.

use std::fmt;

use super::operands::{Partition, innermost, partitions};
use crate::collections::HashSet;
use crate::ir::{ExprId, IndexId, Pool};

/// Most partitions for which every choice of strategies is counted.
const EXHAUSTIVE: usize = 2;

/// A choice that can be made for any equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The smallest sums stay, so that operands that are sums of them share them as symbols.
    Smallest,
    /// No sum stays.
    Nothing,
    /// The operands stay that the paper's test leaves to code motion.
    Paper,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 3] = [Rule::Smallest, Rule::Nothing, Rule::Paper];

    /// What stays of an expression.
    pub fn kept(self, pool: &Pool, expr: ExprId, linear: &[IndexId]) -> HashSet<ExprId> {
        match self {
            Rule::Smallest => innermost(pool, expr, linear),
            Rule::Nothing => HashSet::default(),
            Rule::Paper => paper(&partitions(pool, expr, linear)),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Smallest => "the smallest sums kept",
            Rule::Nothing => "no sum kept",
            Rule::Paper => "operands with as many symbols kept",
        })
    }
}

/// What may stay of an expression with some sets of operands, and how to say that: the paper's choice
/// first, then others, at last the smallest sums.
pub fn choices(
    pool: &Pool,
    expr: ExprId,
    linear: &[IndexId],
    sets: &[Partition],
) -> Vec<(HashSet<ExprId>, String)> {
    let mut result = vec![paper(sets)];
    if sets.len() <= EXHAUSTIVE {
        let all = 0..1_usize << sets.len();
        result.extend(all.map(|bits| kept(sets, |at| bits >> at & 1 == 1)));
    } else {
        result.push(kept(sets, |_| false));
        result.push(kept(sets, |_| true));
    }
    let mut distinct: Vec<(HashSet<ExprId>, String)> = Vec::new();
    let mut add = |kept: HashSet<ExprId>, what: String| {
        if distinct.iter().all(|(other, _)| *other != kept) {
            distinct.push((kept, what));
        }
    };
    for kept in result {
        let whole = |set: &&Partition| set.operands.iter().all(|o| kept.contains(o));
        let (left, of) = (sets.iter().filter(whole).count(), sets.len());
        add(kept, format!("{left} of {of} sets of operands kept"));
    }
    add(innermost(pool, expr, linear), Rule::Smallest.to_string());
    distinct
}

fn paper(sets: &[Partition]) -> HashSet<ExprId> {
    kept(sets, |at| sets[at].prefers_code_motion())
}

/// The operands of some sets.
fn kept(sets: &[Partition], keep: impl Fn(usize) -> bool) -> HashSet<ExprId> {
    let sets = sets.iter().enumerate().filter(|(at, _)| keep(*at));
    sets.flat_map(|(_, set)| set.operands.iter().copied())
        .collect()
}
