//! Factors that a sum's loops do not change, taken out of the sum.
//!
//! Before: `a[i, j] += sum(q) w[q] * f[q] * (g[i, j] + phi[q, i] * phi[q, j])`. After:
//! `s = sum(q) w[q] * f[q]`, `a[i, j] += sum(q) w[q] * f[q] * phi[q, i] * phi[q, j]` and
//! `a[i, j] += s * g[i, j]`.
//! Holds: values are equal in exact arithmetic, operations fewer than before.
//!
//! It is the distributive law that sharing elimination applies to the other loops (Luporini 2017,
//! section 3.2), for the loops that are summed over: forms on elements of degree 1 have gradients
//! that no point changes.

use crate::ir::{
    Access, Affine, Equation, Expr, ExprId, Factor, IndexId, Operator, Program, Role, Term,
};
use crate::number::Number;
use crate::rewrite::normalise::{product, sum};

use super::code_motion::operations;

/// Most products that an equation is split into.
const MOST: usize = 64;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    let mut decisions = Vec::new();
    if program.exact {
        return decisions;
    }
    let mut candidate = program.clone();
    let mut names = Vec::new();
    let mut at = 0;
    while at < candidate.equations.len() {
        let Some(equations) = split(&mut candidate, at) else {
            at += 1;
            continue;
        };
        let target = candidate.equations[at].target.array;
        names.push(candidate.array(target).name.clone());
        let next = at + equations.len();
        candidate.equations.splice(at..=at, equations);
        at = next;
    }
    if names.is_empty() {
        return decisions;
    }
    let (before, after) = (operations(program), operations(&candidate));
    names.dedup();
    let names = names.join("`, `");
    if after < before {
        *program = candidate;
        decisions.push(format!("`{names}`: {after} operations against {before}"));
    } else {
        decisions.push(format!("nothing: {before} operations against {after}"));
    }
    decisions
}

/// A product, its factors parted.
struct Parted {
    number: Number,
    /// Those that the sum's loops change.
    changing: Vec<Factor>,
    others: Vec<Factor>,
}

/// The equations that stand for one whose sum has invariant factors; `None` where it has none that
/// loops of the result change.
fn split(program: &mut Program, at: usize) -> Option<Vec<Equation>> {
    let equation = program.equations[at].clone();
    let known = |index: &IndexId| program.is_constant(*index);
    let in_place = !program.states(equation.expr).is_empty();
    let sums = &equation.reduction;
    if sums.is_empty() || in_place || !sums.iter().all(known) {
        return None;
    }
    let element = program.pool.element(equation.expr);
    let inner: Vec<IndexId> = equation.free.iter().copied().filter(known).collect();
    let mut parted = Vec::new();
    part(program, equation.expr, Number::ONE, &[], sums, &mut parted)?;
    let mut factors: Vec<(ExprId, Vec<Term>)> = Vec::new();
    let mut rest = Vec::new();
    for term in parted {
        let changing = product(&mut program.pool, term.changing.clone(), element);
        let others = product(&mut program.pool, term.others.clone(), element);
        let depends = |expr: ExprId, program: &Program| {
            let indices = program.pool.indices(expr);
            inner.iter().any(|index| indices.contains(index))
        };
        if depends(changing, program) || !depends(others, program) {
            let all = [term.changing, term.others].concat();
            rest.push(Term {
                coefficient: term.number,
                expr: product(&mut program.pool, all, element),
            });
            continue;
        }
        let other = Term {
            coefficient: term.number,
            expr: others,
        };
        match factors.iter_mut().find(|(sum, _)| *sum == changing) {
            Some((_, terms)) => terms.push(other),
            None => factors.push((changing, vec![other])),
        }
    }
    let output = matches!(program.array(equation.target.array).role, Role::Output(_));
    if factors.is_empty() || !(output || rest.is_empty()) {
        return None;
    }
    let mut result = Vec::new();
    let mut terms = Vec::new();
    for (changing, others) in factors {
        let total = total(program, &equation, changing, &mut result);
        let others = sum(&mut program.pool, others, element);
        let pair = [total, others].map(|expr| Factor { expr, power: 1 });
        terms.push(Term {
            coefficient: Number::ONE,
            expr: product(&mut program.pool, pair.to_vec(), element),
        });
    }
    let mut outside = Equation {
        reduction: Vec::new(),
        expr: sum(&mut program.pool, terms, element),
        ..equation.clone()
    };
    if !rest.is_empty() {
        result.push(Equation {
            expr: sum(&mut program.pool, rest, element),
            ..equation
        });
        outside.operator = Operator::Accumulate;
    }
    result.push(outside);
    Some(result)
}

/// A temporary for the sum of a factor; its equation goes to `equations`.
fn total(
    program: &mut Program,
    equation: &Equation,
    changing: ExprId,
    equations: &mut Vec<Equation>,
) -> ExprId {
    let element = program.pool.element(changing);
    let depends = program.pool.indices(changing);
    let mut free = equation.free.clone();
    free.retain(|index| depends.contains(index));
    let shape = free.iter().map(|i| program.loop_index(*i).extent.clone());
    let shape = shape.collect();
    let name = format!("{}_total", program.array(equation.target.array).name);
    let array = program.add_array(&name, element, shape, Role::Temporary);
    let subscripts = free.iter().copied().map(Affine::index).collect();
    let target = Access { array, subscripts };
    equations.push(Equation {
        target: target.clone(),
        operator: Operator::Assign,
        free,
        reduction: equation.reduction.clone(),
        expr: changing,
    });
    program.pool.add(Expr::Access(target), element)
}

/// The products of a value: a sum is opened where its loops change only some of its terms.
fn part(
    program: &mut Program,
    expr: ExprId,
    number: Number,
    around: &[Factor],
    sums: &[IndexId],
    into: &mut Vec<Parted>,
) -> Option<()> {
    let changes = |program: &Program, expr: ExprId| {
        let indices = program.pool.indices(expr);
        sums.iter().any(|index| indices.contains(index))
    };
    if into.len() > MOST {
        return None;
    }
    match program.pool.get(expr).clone() {
        Expr::Sum(terms) => {
            for term in terms {
                let number = number * term.coefficient;
                part(program, term.expr, number, around, sums, into)?;
            }
            return Some(());
        }
        Expr::Product(factors) => {
            let opened = factors.iter().position(|factor| {
                let Expr::Sum(terms) = program.pool.get(factor.expr) else {
                    return false;
                };
                let changed = terms.iter().filter(|t| changes(program, t.expr)).count();
                factor.power == 1 && changed > 0 && changed < terms.len()
            });
            if let Some(at) = opened {
                let mut others = factors;
                let inner = others.remove(at);
                others.extend(around);
                return part(program, inner.expr, number, &others, sums, into);
            }
            finish(program, number, factors, around, changes, into);
        }
        _ => {
            let factors = vec![Factor { expr, power: 1 }];
            finish(program, number, factors, around, changes, into);
        }
    }
    Some(())
}

fn finish(
    program: &Program,
    number: Number,
    mut factors: Vec<Factor>,
    around: &[Factor],
    changes: impl Fn(&Program, ExprId) -> bool,
    into: &mut Vec<Parted>,
) {
    factors.extend(around);
    let (changing, others) = factors
        .into_iter()
        .partition(|factor| changes(program, factor.expr));
    into.push(Parted {
        number,
        changing,
        others,
    });
}
