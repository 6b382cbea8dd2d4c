//! Multilinear operands and their symbols (Luporini 2017, Algorithm 1, step 1).

use std::collections::{BTreeMap, BTreeSet};

use super::monomials::depends;
use crate::collections::{HashMap, HashSet};
use crate::ir::{Expr, ExprId, IndexId, Pool};

/// Operands that share symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    /// The operands: sums that depend on one of the loops.
    pub operands: BTreeSet<ExprId>,
    /// Their symbols.
    pub symbols: BTreeSet<ExprId>,
}

impl Partition {
    /// Whether the paper's test prefers code motion: as many products in the innermost loop as
    /// there are operands, against one for each symbol.
    pub fn prefers_code_motion(&self) -> bool {
        self.operands.len() <= self.symbols.len()
    }
}

/// The operands of a value, in disjoint sets without common symbols.
pub fn partitions(pool: &Pool, expr: ExprId, linear: &[IndexId]) -> Vec<Partition> {
    let mut operands = BTreeMap::new();
    collect(pool, expr, linear, &mut HashSet::default(), &mut operands);
    let mut result: Vec<Partition> = Vec::new();
    for (operand, symbols) in operands {
        let mut joined = Partition {
            operands: BTreeSet::from([operand]),
            symbols,
        };
        result.retain(|other| {
            let apart = other.symbols.is_disjoint(&joined.symbols);
            if !apart {
                joined.operands.extend(&other.operands);
                joined.symbols.extend(&other.symbols);
            }
            apart
        });
        result.push(joined);
    }
    result
}

/// The smallest sums that depend on exactly one loop: those without another such sum inside.
pub fn innermost(pool: &Pool, expr: ExprId, linear: &[IndexId]) -> HashSet<ExprId> {
    let mut found = HashSet::default();
    collect_innermost(pool, expr, linear, &mut HashMap::default(), &mut found);
    found
}

/// Adds the smallest sums of an expression; whether there is any.
fn collect_innermost(
    pool: &Pool,
    expr: ExprId,
    linear: &[IndexId],
    known: &mut HashMap<ExprId, bool>,
    found: &mut HashSet<ExprId>,
) -> bool {
    if let Some(known) = known.get(&expr) {
        return *known;
    }
    let loops = depends(pool, expr, linear).len();
    let opens = loops > 0 && matches!(pool.get(expr), Expr::Sum(_) | Expr::Product(_));
    let mut has = false;
    for operand in opens.then(|| pool.operands(expr)).into_iter().flatten() {
        has |= collect_innermost(pool, operand, linear, known, found);
    }
    if !has && loops == 1 && matches!(pool.get(expr), Expr::Sum(terms) if terms.len() > 1) {
        found.insert(expr);
        has = true;
    }
    known.insert(expr, has);
    has
}

/// Finds the largest sums that depend on exactly one loop.
fn collect(
    pool: &Pool,
    expr: ExprId,
    linear: &[IndexId],
    seen: &mut HashSet<ExprId>,
    operands: &mut BTreeMap<ExprId, BTreeSet<ExprId>>,
) {
    if !seen.insert(expr) {
        return;
    }
    let loops = depends(pool, expr, linear);
    if loops.len() == 1 && matches!(pool.get(expr), Expr::Sum(terms) if terms.len() > 1) {
        let mut symbols = BTreeSet::new();
        leaves(pool, expr, linear, &mut symbols);
        operands.insert(expr, symbols);
        return;
    }
    if !loops.is_empty() && matches!(pool.get(expr), Expr::Sum(_) | Expr::Product(_)) {
        for operand in pool.operands(expr) {
            collect(pool, operand, linear, seen, operands);
        }
    }
}

/// The symbols inside an operand: what is no sum or product of others.
fn leaves(pool: &Pool, expr: ExprId, linear: &[IndexId], symbols: &mut BTreeSet<ExprId>) {
    if depends(pool, expr, linear).is_empty() {
        return;
    }
    match pool.get(expr) {
        Expr::Sum(_) | Expr::Product(_) => {
            for operand in pool.operands(expr) {
                leaves(pool, operand, linear, symbols);
            }
        }
        _ => {
            symbols.insert(expr);
        }
    }
}
