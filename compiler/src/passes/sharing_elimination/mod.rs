//! Sharing elimination (Luporini 2017, section 3.2, Algorithm 1).
//!
//! An expression that is linear in several loops can be computed in two ways: its operands of one
//! loop are hoisted as they stand (strategy 1, left to code motion), or products are expanded and
//! symbols factorised (strategy 2), so that what remains in the innermost loop is a product for
//! each factorised symbol. The operands are partitioned by the symbols that they share; for each
//! partition, and for each equation, the strategy with the fewest operations after code motion is
//! taken. Which symbols are factorised, an integer program says (`factorise`). Temporaries
//! that code motion makes are then tried in the same way along the reduction loop (step 6).
//!
//! Before: `a[i, j] += b[j] * c[i] + b[j] * d[i]`. After: `a[i, j] += b[j] * (c[i] + d[i])`.
//! Holds: values are equal in exact arithmetic, operations never more than before.

mod choices;
mod factorise;
mod monomials;
mod operands;

use std::collections::BTreeSet;

use super::code_motion;
use crate::analysis::cost;
use crate::collections::HashSet;
use crate::ir::{Equation, Expr, ExprId, Factor, IndexId, Mirror, Program, Role, Term};
use crate::number::Number;
use crate::rewrite::normalise::{product, sum};
use choices::{Rule, choices};
use factorise::{Edge, Weights};
use monomials::{Expanded, expand};
use operands::partitions;

/// Most equations that are tried: a limit on work.
const MOST_EQUATIONS: usize = 64;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    let mut decisions = Vec::new();
    if program.exact {
        return decisions;
    }
    let count = program.equations.len().min(MOST_EQUATIONS);
    let mut least = operations(program);
    let tried = |at: &usize| !is_copy(&program.mirrors, &program.equations[*at]);
    let written = |at: usize| (at, program.equations[at].expr);
    let written: Vec<Written> = (0..count).filter(tried).map(written).collect();
    let mut left = Vec::new();
    for (at, expr) in &written {
        let linear = free_loops(program, &program.equations[*at]);
        if !improve(program, *at, &linear, &mut least, &mut decisions) {
            left.push((*at, *expr));
        }
    }
    let mut groups = sharing(program, &written);
    groups.push(left);
    groups.dedup();
    for group in groups {
        improve_together(program, &group, &mut least, &mut decisions);
    }
    along_reductions(program, least, &mut decisions);
    if program.equations.len() > count {
        decisions.push(format!(
            "equations after the first {count} were left as they are"
        ));
    }
    if decisions.is_empty() {
        decisions.push("strategy 1: no equation has products to expand or factorise".to_owned());
    }
    decisions
}

/// Whether another sum is the same with two loops exchanged: this one will be a copy.
fn is_copy(mirrors: &[Mirror], equation: &Equation) -> bool {
    let copied = |mirror: &Mirror| mirror.from != mirror.to && mirror.is_of(equation, &mirror.to);
    !equation.reduction.is_empty() && mirrors.iter().any(copied)
}

/// Operations of a program after code motion, those of copies left out: they would keep what both
/// need, so that nothing would seem to be gained.
fn operations(program: &Program) -> u64 {
    let mut moved = program.clone();
    let Program {
        equations, mirrors, ..
    } = &mut moved;
    equations.retain(|equation| !is_copy(mirrors, equation));
    code_motion::run(&mut moved);
    cost::program(&moved).operations()
}

/// An equation and its expression before any strategy was taken.
type Written = (usize, ExprId);

/// The equations in sets that share symbols of operands, those left out that share none.
fn sharing(program: &Program, written: &[Written]) -> Vec<Vec<Written>> {
    let mut groups: Vec<(BTreeSet<ExprId>, Vec<Written>)> = Vec::new();
    for (at, expr) in written {
        let linear = free_loops(program, &program.equations[*at]);
        if !is_tried(&linear) {
            continue;
        }
        let sets = partitions(&program.pool, *expr, &linear);
        let symbols = sets.into_iter().flat_map(|set| set.symbols);
        let mut joined = (symbols.collect::<BTreeSet<_>>(), vec![(*at, *expr)]);
        groups.retain_mut(|(symbols, equations)| {
            let apart = symbols.is_disjoint(&joined.0);
            if !apart {
                joined.0.append(symbols);
                equations.append(&mut joined.1);
                std::mem::swap(equations, &mut joined.1);
            }
            apart
        });
        groups.push(joined);
    }
    let groups = groups.into_iter().map(|(_, equations)| equations);
    groups.filter(|equations| equations.len() > 1).collect()
}

/// Tries strategy 2 for several equations at once, and takes the rule with the fewest operations. One
/// alone may cost more because what it no longer needs is still computed for the others. Each rule is
/// applied to the expressions as they were, and to what the strategies of each equation left: where that has the
/// factors of the smallest sums together, these sums are opened at last.
fn improve_together(
    program: &mut Program,
    equations: &[Written],
    least: &mut u64,
    decisions: &mut Vec<String>,
) {
    let now = |(at, _): &Written| (*at, program.equations[*at].expr);
    let now: Vec<Written> = equations.iter().map(now).collect();
    let mut starts = vec![equations, &now];
    starts.dedup();
    let before = *least;
    let mut best: Option<(Program, String)> = None;
    for (start, rule) in starts
        .iter()
        .flat_map(|start| Rule::ALL.map(|rule| (start, rule)))
    {
        let mut candidate = program.clone();
        let changed = together(&mut candidate, start, rule);
        if changed < 2 {
            continue;
        }
        let after = operations(&candidate);
        if after < *least {
            let decision = format!(
                "strategy 2 for {changed} equations at once, {rule}: {after} operations against \
                 {before} of each for itself"
            );
            *least = after;
            best = Some((candidate, decision));
        }
    }
    if let Some((candidate, decision)) = best {
        *program = candidate;
        decisions.push(decision);
    }
}

/// Rewrites equations from some expressions by one rule; how many it changed.
fn together(program: &mut Program, equations: &[Written], rule: Rule) -> usize {
    let mut changed = 0;
    for (at, expr) in equations {
        let linear = free_loops(program, &program.equations[*at]);
        if is_tried(&linear) {
            program.equations[*at].expr = *expr;
            let kept = rule.kept(&program.pool, *expr, &linear);
            changed += usize::from(factorised(program, *at, &linear, &kept).is_some());
        }
    }
    changed
}

/// Step 6: what code motion hoists is tried along its own loops.
fn along_reductions(program: &mut Program, before: u64, decisions: &mut Vec<String>) {
    let mut moved = program.clone();
    code_motion::run(&mut moved);
    let mut least = operations(&moved);
    let mut changed = false;
    for at in 0..moved.equations.len().min(MOST_EQUATIONS) {
        let equation = &moved.equations[at];
        let temporary = matches!(moved.array(equation.target.array).role, Role::Temporary);
        if temporary {
            let linear = free_loops(&moved, equation);
            changed |= improve(&mut moved, at, &linear, &mut least, decisions);
        }
    }
    if changed && least < before {
        *program = moved;
    }
}

/// Whether an equation with these loops of constant length is tried.
fn is_tried(linear: &[IndexId]) -> bool {
    (1..=2).contains(&linear.len())
}

/// The loops of constant length that an equation's target runs over.
fn free_loops(program: &Program, equation: &Equation) -> Vec<IndexId> {
    let constant = |index: &IndexId| program.is_constant(*index);
    equation.free.iter().copied().filter(constant).collect()
}

/// Takes the strategy with the fewest operations for an equation; whether that changed it.
fn improve(
    program: &mut Program,
    at: usize,
    linear: &[IndexId],
    least: &mut u64,
    decisions: &mut Vec<String>,
) -> bool {
    if !is_tried(linear) {
        return false;
    }
    let expr = program.equations[at].expr;
    let sets = partitions(&program.pool, expr, linear);
    let before = *least;
    let mut best: Option<(u64, Program, String)> = None;
    let mut counts = Vec::new();
    for (kept, what) in choices(&program.pool, expr, linear, &sets) {
        let mut candidate = program.clone();
        let Some(how) = factorised(&mut candidate, at, linear, &kept) else {
            continue;
        };
        let after = operations(&candidate);
        counts.push(format!("{after} with {what}"));
        if after < before && best.as_ref().is_none_or(|(least, ..)| after < *least) {
            best = Some((after, candidate, how));
        }
    }
    let name = program
        .array(program.equations[at].target.array)
        .name
        .clone();
    let alternatives = counts.join(", ");
    match best {
        Some((after, candidate, how)) => {
            decisions.push(format!(
                "`{name}`: strategy 2 ({how}), {after} operations against {before} of strategy 1 \
                 (counted: {alternatives})"
            ));
            *program = candidate;
            *least = after;
            true
        }
        None => {
            if !counts.is_empty() {
                decisions.push(format!(
                    "`{name}`: strategy 1, {before} operations (strategy 2: {alternatives})"
                ));
            }
            false
        }
    }
}

/// Rewrites an equation by strategy 2; how, or `None` where it does not apply.
fn factorised(
    program: &mut Program,
    at: usize,
    linear: &[IndexId],
    kept: &HashSet<ExprId>,
) -> Option<String> {
    let expr = program.equations[at].expr;
    let expanded = expand(program, expr, linear, kept)?;
    if expanded.len() < 2 {
        return None;
    }
    let element = program.pool.element(expr);
    let weights = weights(program, at, linear);
    let (terms, how) = combine(program, &expanded, weights);
    program.equations[at].expr = sum(&mut program.pool, terms, element);
    (program.equations[at].expr != expr).then_some(how)
}

/// Iterations of an equation's loops, those of run-time length left out.
fn weights(program: &Program, at: usize, linear: &[IndexId]) -> Weights {
    let length = |index: &IndexId| {
        let extent = program.loop_index(*index).extent.as_constant();
        extent.unwrap_or(1) as f64
    };
    let all: f64 = program.equations[at]
        .domain()
        .map(|index| length(&index))
        .product();
    let without = |other: usize| linear.get(other).map_or(all, |index| all / length(index));
    // A product and an addition.
    Weights {
        inner: 2.0 * all,
        outer: [2.0 * without(1), 2.0 * without(0)],
    }
}

/// The monomials with factorised symbols.
fn combine(program: &mut Program, expanded: &Expanded, weights: Weights) -> (Vec<Term>, String) {
    let mut terms = Vec::new();
    let mut edges = Vec::new();
    for (symbols, coefficient) in expanded {
        match (symbols.of.as_slice(), symbols.mixed) {
            ([Some(first), Some(second)], None) => edges.push(Edge {
                symbols: [*first, *second],
                coefficient: *coefficient,
            }),
            (of, mixed) => {
                let factors = of.iter().flatten().copied().chain(mixed);
                let factors = factors.chain([*coefficient]).collect();
                terms.push(times(program, factors));
            }
        }
    }
    if edges.is_empty() {
        let how = format!("{} symbols, each once", terms.len());
        return (terms, how);
    }
    let (assignment, solved) = factorise::factorise(&edges, weights);
    let mut chosen: Vec<(usize, ExprId)> = edges
        .iter()
        .zip(&assignment)
        .map(|(edge, side)| (*side, edge.symbols[*side]))
        .collect();
    chosen.sort_unstable();
    chosen.dedup();
    for (side, symbol) in &chosen {
        let mine: Vec<Edge> = edges
            .iter()
            .zip(&assignment)
            .filter(|(edge, of)| *of == side && edge.symbols[*side] == *symbol)
            .map(|(edge, _)| *edge)
            .collect();
        let element = program.pool.element(*symbol);
        let others = mine
            .iter()
            .map(|edge| times(program, vec![edge.symbols[1 - side], edge.coefficient]))
            .collect();
        let others = sum(&mut program.pool, others, element);
        terms.push(times(program, vec![*symbol, others]));
    }
    let by = if solved { "integer program" } else { "greedy" };
    let how = format!("{} of {} products by {by}", chosen.len(), edges.len());
    (terms, how)
}

/// A product as a term.
fn times(program: &mut Program, factors: Vec<ExprId>) -> Term {
    let element = program.pool.element(factors[0]);
    let factors: Vec<Factor> = factors
        .into_iter()
        .flat_map(|expr| match program.pool.get(expr) {
            // Opened, so that code motion groups all factors by their loops.
            Expr::Product(inner) => inner.clone(),
            _ => vec![Factor { expr, power: 1 }],
        })
        .collect();
    Term {
        coefficient: Number::ONE,
        expr: product(&mut program.pool, factors, element),
    }
}
