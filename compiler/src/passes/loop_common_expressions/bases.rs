//! Expressions that stand at several translates: each is computed once a point.

use std::collections::{BTreeMap, BTreeSet};

use super::{Group, Shared};
use crate::analysis::cost;
use crate::collections::{HashMap, HashSet};
use crate::ir::{ArrayId, Expr, ExprId, Factor, IndexId, Program};
use crate::rewrite::signs::{outwards, signed};
use crate::rewrite::translate::{Offset, Translation};

/// Most temporaries for expressions of one group.
const MOST: usize = 32;

/// Replaces expressions that stand at several translates by elements of temporaries.
pub fn share(program: &mut Program, group: &mut Group, translation: &mut Translation) {
    if has_opposites(program, group, translation) {
        (group.values_mut()).for_each(|value| *value = outwards(&mut program.pool, *value));
    }
    while group.shared.len() < MOST
        && let Some(base) = best(program, group, translation)
    {
        define(program, group, translation, base);
    }
    for at in (0..group.shared.len()).rev() {
        put_back(program, group, translation, at);
    }
}

/// Replaces the translates of an expression, and their negatives, by elements of a temporary.
fn define(program: &mut Program, group: &mut Group, translation: &mut Translation, base: ExprId) {
    let shared = group.define(program, base);
    let array = shared.array;
    let dims = shared.dims.clone();
    let (mut known, mut any) = (HashMap::default(), false);
    for expr in reachable(program, &group.values()) {
        if let Some((own, offset, negative)) = translation.unsigned(&mut program.pool, expr)
            && own == base
        {
            let access = translation.read(program, (array, &dims), offset, expr);
            any |= negative;
            known.insert(expr, signed(&mut program.pool, access, negative));
        }
    }
    for value in group.values_mut() {
        *value = program.pool.replace(*value, &mut known);
        if any {
            *value = outwards(&mut program.pool, *value);
        }
    }
    group.shared.push(shared);
}

/// Whether an expression and its negative stand at one place.
fn has_opposites(program: &mut Program, group: &Group, translation: &mut Translation) -> bool {
    let mut found = HashMap::default();
    let mut all = reachable(program, &group.values()).into_iter();
    all.any(|expr| {
        let worth = is_worth(program, expr, &translation.axes);
        let place = worth.then(|| translation.unsigned(&mut program.pool, expr));
        place.flatten().is_some_and(|(base, offset, negative)| {
            *found.entry((base, offset)).or_insert(negative) != negative
        })
    })
}

/// Puts a temporary that is read at one place alone, for one value, back there.
fn put_back(program: &mut Program, group: &mut Group, translation: &Translation, at: usize) {
    let Shared { array, value, .. } = group.shared[at];
    let dims = group.shared[at].dims.clone();
    let mut readers = Vec::new();
    for (reader, value) in group.values().into_iter().enumerate() {
        let accesses = program.pool.accesses([value]);
        let own = accesses.into_iter().filter(|(_, a)| a.array == array);
        readers.extend(own.map(|(expr, access)| (reader, expr, access.clone())));
    }
    let [(reader, expr, access)] = &readers[..] else {
        return;
    };
    let mut offset = Offset::default();
    for (by, axis) in offset.iter_mut().zip(&translation.axes) {
        let dim = dims.iter().position(|dim| dim == axis);
        *by = dim.map_or(0, |dim| access.subscripts[dim].constant as i32);
    }
    let value = translation.translate(&mut program.pool, value, offset);
    let mut known = HashMap::from_iter([(*expr, value)]);
    if let Some(reader) = group.values_mut().nth(*reader) {
        *reader = program.pool.replace(*reader, &mut known);
    }
    group.shared.remove(at);
}

/// The smallest expression that stands at several translates and takes more than what keeping it takes.
fn best(program: &mut Program, group: &Group, translation: &mut Translation) -> Option<ExprId> {
    let mut places: BTreeMap<ExprId, BTreeSet<Offset>> = BTreeMap::new();
    for expr in reachable(program, &group.values()) {
        if !is_worth(program, expr, &translation.axes) {
            continue;
        }
        if let Some((base, offset, _)) = translation.unsigned(&mut program.pool, expr) {
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
    let mut seen = HashSet::default();
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
    cost::expression(program, expr, &mut HashSet::default()).additions()
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
