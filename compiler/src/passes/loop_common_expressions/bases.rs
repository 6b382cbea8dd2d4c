//! Expressions that stand at several translates: each is computed once a point.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::translate::{Offset, Translation};
use super::{Group, Shared};
use crate::analysis::cost;
use crate::ir::{ArrayId, Expr, ExprId, Factor, IndexId, Program};

/// Most temporaries for expressions of one group.
const MOST: usize = 32;

/// Replaces expressions that stand at several translates by elements of temporaries.
pub fn share(program: &mut Program, group: &mut Group, translation: &mut Translation) {
    while group.shared.len() < MOST {
        let Some(base) = best(program, group, translation) else {
            return;
        };
        let shared = group.define(program, base);
        let array = shared.array;
        let dims = shared.dims.clone();
        group.shared.push(shared);
        let defined = group.shared.len() - 1;
        let mut known = HashMap::new();
        for expr in reachable(program, &group.values()) {
            if let Some((own, offset)) = translation.base(&mut program.pool, expr)
                && own == base
            {
                let access = translation.read(program, (array, &dims), offset, expr);
                known.insert(expr, access);
            }
        }
        // Its own definition stays.
        let others = group.values_mut().enumerate();
        for (_, value) in others.filter(|(at, _)| *at != defined) {
            *value = program.pool.replace(*value, &mut known);
        }
    }
}

/// The smallest expression that stands at several translates and takes more than what keeping it takes.
fn best(program: &mut Program, group: &Group, translation: &mut Translation) -> Option<ExprId> {
    let mut places: BTreeMap<ExprId, BTreeSet<Offset>> = BTreeMap::new();
    for expr in reachable(program, &group.values()) {
        if !is_worth(program, expr, &translation.axes) {
            continue;
        }
        if let Some((base, offset)) = translation.base(&mut program.pool, expr) {
            places.entry(base).or_default().insert(offset);
        }
    }
    let several = places.into_iter().filter(|(_, offsets)| offsets.len() > 1);
    let counted = several.filter_map(|(base, offsets)| {
        if !group.is_readable(program, base) {
            return None;
        }
        let each = weight(program, base);
        let count = offsets.len() as u64;
        // An operation is worth two loads or stores.
        let saved = 2 * each * (count - 1);
        (saved > count).then_some((each, base))
    });
    counted.min().map(|(_, base)| base)
}

/// The expressions that values are made of, each once.
pub fn reachable(program: &Program, values: &[ExprId]) -> Vec<ExprId> {
    let mut seen = HashSet::new();
    let mut stack = values.to_vec();
    while let Some(expr) = stack.pop() {
        if seen.insert(expr) {
            program.pool.operands_into(expr, &mut stack);
        }
    }
    let mut result: Vec<ExprId> = seen.into_iter().collect();
    result.sort_unstable();
    result
}

/// How many additions an expression is worth.
fn weight(program: &Program, expr: ExprId) -> u64 {
    let cost = cost::expression(program, expr, &mut HashSet::new());
    cost.add + cost.mul + cost.compare + 5 * cost.div + 20 * cost.call
}

/// Whether an expression may be worth a temporary, and does not belong to the sum around it.
fn is_worth(program: &Program, expr: ExprId, axes: &[IndexId]) -> bool {
    let pool = &program.pool;
    let follows = |expr: ExprId| axes.iter().any(|axis| pool.indices(expr).contains(axis));
    if pool.element(expr).is_integer() || !follows(expr) {
        return false;
    }
    match pool.get(expr) {
        Expr::Constant(_) | Expr::Access(_) | Expr::Compare(..) | Expr::Cast(..) => false,
        Expr::Sum(terms) => terms.len() > 1,
        // A weighted element.
        Expr::Product(factors) if !program.exact => {
            let varying: Vec<&Factor> = factors.iter().filter(|f| follows(f.expr)).collect();
            varying.len() > 1 || varying.iter().any(|f| f.power != 1)
        }
        _ => true,
    }
}

impl Translation {
    /// The element of a temporary that stands for a translate.
    pub fn read(
        &self,
        program: &mut Program,
        (array, dims): (ArrayId, &[IndexId]),
        offset: Offset,
        like: ExprId,
    ) -> ExprId {
        let element = program.pool.element(like);
        let access = Shared::access(array, dims, &self.axes, offset);
        program.pool.add(Expr::Access(access), element)
    }
}
