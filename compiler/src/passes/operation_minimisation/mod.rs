//! Operation minimisation (Lam 1999, section 2), for sums of products.
//!
//! A sum over several loops of products is computed in steps: some factors are multiplied, what no
//! other factor depends on is summed over, and so on. The order with the fewest operations is
//! searched for; what several sums have in common is computed once. Loops over the points and nodes of
//! quadrilaterals and hexahedra are several loops, one an axis, and their tables are products, so that
//! sums over them are factorised.
//!
//! Before: `v[e, i, j] = sum(k, l) a[i, k] * b[j, l] * u[e, k, l]`. After:
//! `p[e, i, l] = sum(k) a[i, k] * u[e, k, l]` and `v[e, i, j] = sum(l) b[j, l] * p[e, i, l]`.
//! Holds: values are equal in exact arithmetic, and operations, counted after the passes that follow,
//! are fewer.

mod build;
mod collocation;
mod matrices;
mod space;
mod terms;
mod trees;

use std::collections::BTreeSet;

use super::pre_evaluation::{Counted, MEMORY};
use super::{
    code_motion, invariant_tables, pre_evaluation, sharing_elimination, symmetry_detection,
};
use crate::analysis::cost::{self, NOMINAL};
use crate::analysis::totals::Totals;
use crate::collections::HashSet;
use crate::ir::{Affine, Equation, Expr, ExprId, Extent, IndexId, Program, Role};
use crate::rewrite::{axes, normalise, rename};
use build::Builder;
use space::Space;
use terms::{Term, Terms};
use trees::{Forest, Product, search};

/// Most equations of a program that is looked at.
const MOST_EQUATIONS: usize = 64;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact || program.equations.len() > MOST_EQUATIONS {
        return Vec::new();
    }
    let mut candidate = program.clone();
    let long = long_sums(&mut candidate);
    let split = axes::split(&mut candidate);
    if split {
        invariant_tables::run(&mut candidate);
        rename::unify(&mut candidate);
        normalise::normalise(&mut candidate);
    }
    let has_orders = |e: &Equation| several(program, e) || has_factors_outside(program, e);
    if !split && long.is_empty() && !program.equations.iter().any(has_orders) {
        return Vec::new();
    }
    let mut collocated = candidate.clone();
    let Some(mut minimised) = self::minimised(&mut candidate, &long) else {
        return Vec::new();
    };
    let at_points = fewer_at_points(&mut collocated, &candidate, &long);
    if let Some(other) = at_points {
        candidate = collocated;
        minimised = Minimised {
            before: minimised.before,
            ..other
        };
    }
    if !split && minimised.operations >= minimised.before {
        return Vec::new();
    }
    rename::unify(&mut candidate);
    let own = cost(&nominal(&candidate, &long), &long);
    let (others, bound) = without(&nominal(program, &long), (own.0, &long));
    let least = if bound { "at least " } else { "" };
    let mut decision = format!(
        "{} operations with sums in steps, {least}{} without",
        own.0, others.0
    );
    if !long.is_empty() && own.1.max(others.1) > 0 {
        decision.push_str(&format!(
            ", {} and {least}{} elements of temporaries stored and loaded",
            own.1, others.1
        ));
    }
    if !long.is_empty() {
        decision.push_str(&format!(
            ", for {} iterations of loops whose length is not known",
            iterations(long.len())
        ));
    }
    if split {
        decision.push_str("; loops over points and nodes are loops over the axes");
    }
    if !minimised.all_orders {
        decision.push_str("; not all orders of the terms were tried");
    }
    if all(own) >= all(others) {
        return vec![format!("nothing ({decision})")];
    }
    assume(&mut candidate, &long);
    *program = candidate;
    vec![decision]
}

/// Writes derivatives as sums over values at points, and minimises that, if it takes fewer operations than what a
/// program was minimised to.
fn fewer_at_points(
    program: &mut Program,
    than: &Program,
    long: &BTreeSet<IndexId>,
) -> Option<Minimised> {
    if !collocation::collocated(program) {
        return None;
    }
    rename::unify(program);
    normalise::normalise(program);
    let minimised = minimised(program, long)?;
    let [own, other] = [&*program, than].map(|p| operations(&nominal(p, long)));
    (own < other).then_some(minimised)
}

/// Notes that loops of run-time length run: steps of a sum read elements also where the loops of other steps are
/// empty, and the text reads nothing.
fn assume(program: &mut Program, long: &BTreeSet<IndexId>) {
    for index in long {
        if let Extent::RunTime(extent) = &program.loop_index(*index).extent {
            let least = extent.sub(&Affine::constant(1));
            if !program.assumed.contains(&least) {
                program.assumed.push(least);
            }
        }
    }
}

/// The loops of run-time length whose order of sums is searched for, too: those of equations that sum over
/// one, and have another one or no loop besides. A loop over cells, in which sums are short, is none. What
/// is added to an output in all iterations of such a loop becomes a sum over it.
fn long_sums(program: &mut Program) -> BTreeSet<IndexId> {
    let totals = Totals::of(program);
    let mut result = BTreeSet::new();
    for at in 0..program.equations.len() {
        let is_long = |program: &Program, index: &IndexId| !program.is_constant(*index);
        let equation = &program.equations[at];
        let mut added = totals.loops(program, at);
        added.retain(|index| is_long(program, index));
        let mut long: Vec<IndexId> = equation.domain().collect();
        let all = long.len();
        long.retain(|index| is_long(program, index));
        let mut sums = equation.reduction.iter().chain(&added);
        let is_sum = sums.any(|index| is_long(program, index));
        if !is_sum || (long.len() < 2 && all > 1) {
            continue;
        }
        program.equations[at].sum_over(added);
        result.extend(long);
    }
    result
}

/// A program whose loops have so many iterations as they are taken to have.
fn nominal(program: &Program, long: &BTreeSet<IndexId>) -> Program {
    let mut result = program.clone();
    for index in long {
        result.indices[index.0 as usize].extent = Extent::Constant(iterations(long.len()));
    }
    result
}

/// Iterations that each of some loops of run-time length is taken to have: so many that those of all of them
/// together can be counted.
fn iterations(loops: usize) -> usize {
    const BITS: usize = 60;
    1 << (BITS / loops.max(1)).min(NOMINAL.ilog2() as usize)
}

/// Whether a sum is over several loops of constant length.
fn several(program: &Program, equation: &Equation) -> bool {
    let sums = equation.reduction.iter();
    sums.filter(|index| program.is_constant(**index)).count() > 1
}

/// Whether a sum without tables is over one loop of constant length that some factors do not depend on: these
/// are multiplied with the sum. Of sums with tables the later passes know more.
fn has_factors_outside(program: &Program, equation: &Equation) -> bool {
    let [only] = equation.reduction[..] else {
        return false;
    };
    let outside = |expr: &ExprId| match program.pool.get(*expr) {
        Expr::Product(factors) => (factors.iter()).any(|factor| {
            let constant = matches!(program.pool.get(factor.expr), Expr::Constant(_));
            !constant && !program.pool.indices(factor.expr).contains(&only)
        }),
        _ => false,
    };
    let mut terms = match program.pool.get(equation.expr) {
        Expr::Sum(terms) => terms.iter().map(|term| term.expr).collect(),
        _ => vec![equation.expr],
    };
    let tables = (program.pool.accesses([equation.expr]).into_iter())
        .any(|(_, access)| matches!(program.array(access.array).role, Role::Table(_)));
    terms.retain(|expr| outside(expr));
    program.is_constant(only) && !tables && !terms.is_empty()
}

/// Operations of a program after the passes that follow, and what temporaries take that wait for their readers: where
/// loops have a run-time length, orders that differ by less than a loop in their operations are told apart by it.
fn cost(program: &Program, long: &BTreeSet<IndexId>) -> (u64, u64) {
    let operations = operations(program);
    if long.is_empty() {
        return (operations, 0);
    }
    let mut moved = program.clone();
    code_motion::run(&mut moved);
    (operations, space::transfers(&moved))
}

/// Operations and transfers together.
fn all((operations, transfers): (u64, u64)) -> u64 {
    operations.saturating_add(transfers)
}

/// Operations of a program after the passes that follow.
fn operations(program: &Program) -> u64 {
    let mut moved = program.clone();
    symmetry_detection::run(&mut moved);
    sharing_elimination::run(&mut moved);
    Counted::of(&moved).operations
}

/// What a program costs that is left as it is, and whether that is a lower bound: where `less` operations
/// are fewer than its sums have iterations, nothing more is counted.
fn without(program: &Program, (less, long): (u64, &BTreeSet<IndexId>)) -> ((u64, u64), bool) {
    let mut other = program.clone();
    symmetry_detection::run(&mut other);
    pre_evaluation::run(&mut other);
    let sums = other.equations.iter().filter(|e| !e.reduction.is_empty());
    let least = sums.map(|equation| cost::iterations(&other, equation));
    match least.fold(0, u64::saturating_add) {
        least if less < least => ((least, 0), true),
        _ => (cost(&other, long), false),
    }
}

/// What was found.
struct Minimised {
    /// Operations of the sums as they were.
    before: u64,
    /// Operations of the sums in steps.
    operations: u64,
    all_orders: bool,
}

/// Splits the sums of a program into steps; `None` if it has no sums of products.
fn minimised(program: &mut Program, long: &BTreeSet<IndexId>) -> Option<Minimised> {
    let equations = program.equations.clone();
    let mut terms = Terms::default();
    let mut chosen: Vec<&Equation> = Vec::new();
    let mut numbers: Vec<Option<usize>> = Vec::new();
    let mut plain: Vec<Product> = Vec::new();
    let mut grouped: Vec<Product> = Vec::new();
    for equation in &equations {
        let found = terms.of(program, equation, long);
        numbers.push(found.is_some().then_some(chosen.len()));
        let Some(found) = found else { continue };
        let together = terms.grouped(program, &found);
        plain.extend(products(chosen.len(), &found));
        grouped.extend(products(chosen.len(), &together));
        chosen.push(equation);
    }
    if chosen.is_empty() {
        return None;
    }
    let counted = nominal(program, long);
    let before = (chosen.iter())
        .map(|equation| cost::equation(&counted, equation, &mut HashSet::default()).operations());
    let before = before.fold(0, u64::saturating_add);
    let most = program.memory.unwrap_or(MEMORY) / 8;
    let mut best: Option<(u64, Space, Forest, bool)> = None;
    for products in [grouped, plain] {
        let factors = products.iter().flat_map(|p| p.factors.iter().copied());
        let mut space = Space::new(&counted, &chosen, factors, most)?;
        space.transfers = !long.is_empty();
        let (forest, all_orders) = search(&space, chosen.len(), &products);
        let total = forest.operations.saturating_add(space.inside);
        if best.as_ref().is_none_or(|(least, ..)| total < *least) {
            best = Some((total, space, forest, all_orders));
        }
    }
    let (operations, space, forest, all_orders) = best?;
    let mut builder = Builder::new(program, &space, &forest, &mut terms);
    for (equation, number) in equations.iter().zip(&numbers) {
        match number {
            Some(number) => builder.equation(equation, *number)?,
            None => builder.equations.push(equation.clone()),
        }
    }
    program.equations = builder.equations;
    Some(Minimised {
        before,
        operations,
        all_orders,
    })
}

fn products(equation: usize, terms: &[Term]) -> impl Iterator<Item = Product> {
    terms.iter().map(move |term| Product {
        equation,
        coefficient: term.coefficient,
        factors: term.factors.clone(),
    })
}

#[cfg(test)]
mod tests;
