//! Factors that a sum's loops do not change, taken out of the sum.
//!
//! Before: `a[i, j] += sum(q) w[q] * f[q] * (g[i, j] + phi[q, i] * phi[q, j])`. After:
//! `s = sum(q) w[q] * f[q]`, `a[i, j] += sum(q) w[q] * f[q] * phi[q, i] * phi[q, j]` and
//! `a[i, j] += s * g[i, j]`.
//! Holds: values are equal in exact arithmetic, operations never more than before.
//!
//! It is the distributive law that sharing elimination applies to the other loops (Luporini 2017,
//! section 3.2), for the loops that are summed over: forms on elements of degree 1 have gradients
//! that no point changes.

use crate::collections::HashMap;
use crate::ir::{Equation, Expr, ExprId, Factor, IndexId, Operator, Program, Role, Term};
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
    // Where that makes no difference, the later passes find more in two short sums than in a long one.
    if after <= before {
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
    // Powers leave products and not factors.
    if !equation.adds_up() || sums.is_empty() || in_place || !sums.iter().all(known) {
        return None;
    }
    let element = program.pool.element(equation.expr);
    let inner: Vec<IndexId> = equation.free.iter().copied().filter(known).collect();
    let mut parted = Vec::new();
    part(program, equation.expr, Number::ONE, &[], sums, &mut parted)?;
    let mut factors: Vec<(Outside, Vec<Term>)> = Vec::new();
    let mut rest = Vec::new();
    for term in parted {
        let depends = |program: &Program, expr: ExprId| {
            let indices = program.pool.indices(expr);
            inner.iter().any(|index| indices.contains(index))
        };
        let (entries, scalars): (Vec<Factor>, Vec<Factor>) =
            (term.others.iter().copied()).partition(|factor| depends(program, factor.expr));
        let changing = product(&mut program.pool, term.changing.clone(), element);
        if depends(program, changing) || entries.is_empty() {
            let all = [term.changing, term.others].concat();
            rest.push(Term {
                coefficient: term.number,
                expr: product(&mut program.pool, all, element),
            });
            continue;
        }
        let outside = Outside {
            changing,
            scalar: product(&mut program.pool, scalars, element),
        };
        let other = Term {
            coefficient: term.number,
            expr: product(&mut program.pool, entries, element),
        };
        match factors.iter_mut().find(|(other, _)| *other == outside) {
            Some((_, terms)) => terms.push(other),
            None => factors.push((outside, vec![other])),
        }
    }
    let output = matches!(program.array(equation.target.array).role, Role::Output(_));
    if factors.is_empty() || !(output || rest.is_empty()) {
        return None;
    }
    let mut result = Vec::new();
    let mut totals: HashMap<ExprId, ExprId> = HashMap::default();
    let mut terms = Vec::new();
    for (Outside { changing, scalar }, others) in factors {
        let known = totals.get(&changing).copied();
        let total = known.unwrap_or_else(|| total(program, &equation, changing, &mut result));
        totals.insert(changing, total);
        let pair = taken_out(program, [scalar, total], others);
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
        outside.operator = Operator::ADD;
    }
    result.push(outside);
    Some(result)
}

/// What products have in common that the loops of the result do not change.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Outside {
    /// What the sum's loops change.
    changing: ExprId,
    /// What they do not.
    scalar: ExprId,
}

/// The factors that stand for products with a scalar and a total in common: these are multiplied
/// first, with the number that all of the products have, so that it is done once for all entries.
fn taken_out(program: &mut Program, common: [ExprId; 2], mut others: Vec<Term>) -> [Factor; 2] {
    let element = program.pool.element(common[0]);
    let number = others[0].coefficient;
    let pool = &mut program.pool;
    let mut factors = common.map(|expr| Factor { expr, power: 1 }).to_vec();
    if (others.iter()).all(|other| other.coefficient.key() == number.key()) {
        others
            .iter_mut()
            .for_each(|other| other.coefficient = Number::ONE);
        let expr = pool.constant(number, element);
        factors.push(Factor { expr, power: 1 });
    }
    let common = product(pool, factors, element);
    [common, sum(pool, others, element)].map(|expr| Factor { expr, power: 1 })
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
    let name = format!("{}_total", program.array(equation.target.array).name);
    let target = program.add_temporary(&name, &free, element);
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
            let (inside, factors) = opened_products(program, factors, &changes);
            let number = number * inside;
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

/// Factors of a product: those that are products themselves, and that the sum's loops change, have
/// their own factors in their place. Numbers are multiplied.
fn opened_products(
    program: &Program,
    factors: Vec<Factor>,
    changes: &impl Fn(&Program, ExprId) -> bool,
) -> (Number, Vec<Factor>) {
    let mut number = Number::ONE;
    let mut result = Vec::new();
    let mut stack = factors;
    stack.reverse();
    while let Some(factor) = stack.pop() {
        match program.pool.get(factor.expr) {
            Expr::Constant(value) if factor.power == 1 => number *= *value,
            Expr::Product(inside) if factor.power == 1 && changes(program, factor.expr) => {
                stack.extend(inside.iter().rev().copied());
            }
            _ => result.push(factor),
        }
    }
    (number, result)
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
