//! Pairs of factors, and of terms, that several products or sums have in common.
//!
//! Products and sums have any number of operands, and equal ones are computed once anyway. This pass finds parts of
//! them that are equal: the pair of operands that most products, or most sums, of equations over the same loops
//! contain becomes an operand of its own, again and again until no pair is in two of them (two-term common
//! subexpressions as in Hosangadi, Fallah and Kastner, Optimizing polynomial expressions by algebraic factorization
//! and common subexpression elimination, 2006). Terms are a pair with their coefficients, up to the sign of both.
//!
//! Before: `r[i] = a * x[i] * y[i]` and `s[i] = b * x[i] * y[i]`. After: `r[i] = a * (x[i] * y[i])` and
//! `s[i] = b * (x[i] * y[i])`, where what is in parentheses is computed once. Holds: values are equal in exact
//! arithmetic, operations never more than before.

use std::collections::BTreeMap;

use crate::analysis::cost;
use crate::collections::{HashMap, HashSet};
use crate::ir::{Expr, ExprId, Factor, IndexId, Pool, Program, Term};
use crate::number::Number;

/// The name of the pass.
pub const NAME: &str = "common_pairs";

/// Most pairs that are taken: a limit on work.
const MOST_PAIRS: usize = 64;
/// Most operands of a product or a sum whose pairs are looked at: a limit on work.
const MOST_OPERANDS: usize = 32;
/// Most products and sums of equations over the same loops.
const MOST_NODES: usize = 2048;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact {
        return Vec::new();
    }
    let mut groups: BTreeMap<Vec<IndexId>, Vec<usize>> = BTreeMap::new();
    for (at, equation) in program.equations.iter().enumerate() {
        let mut domain: Vec<IndexId> = equation.domain().collect();
        domain.sort_unstable();
        groups.entry(domain).or_default().push(at);
    }
    let mut taken = 0;
    for equations in groups.into_values() {
        let Some(pair) = pair_of(program, &equations) else {
            continue;
        };
        let before = cost::program(program).operations();
        let mut candidate = program.clone();
        let pairs = take_pairs(&mut candidate, &equations, pair);
        if cost::program(&candidate).operations() < before {
            *program = candidate;
            taken += pairs;
        }
    }
    match taken {
        0 => Vec::new(),
        taken => vec![format!("{taken} pairs of factors or terms computed once")],
    }
}

/// The pair that most products or sums of some equations contain, if more than one does.
fn pair_of(program: &Program, equations: &[usize]) -> Option<Pair> {
    let roots = equations.iter().map(|at| program.equations[*at].expr);
    most_common(&program.pool, &nodes(&program.pool, roots))
}

/// Takes pairs, the first of which is given, until no two products, and no two sums, of some equations have one in
/// common; how many.
fn take_pairs(program: &mut Program, equations: &[usize], first: Pair) -> usize {
    let (mut next, mut taken) = (Some(first), 0);
    while let Some(pair) = next.filter(|_| taken < MOST_PAIRS) {
        let mut known = HashMap::default();
        for at in equations {
            let expr = program.equations[*at].expr;
            program.equations[*at].expr = with_pair(&mut program.pool, expr, pair, &mut known);
        }
        taken += 1;
        next = pair_of(program, equations);
    }
    taken
}

/// The products and sums that expressions consist of, each once, in the order of their numbers; none of what stays
/// as it is.
fn nodes(pool: &Pool, roots: impl Iterator<Item = ExprId>) -> Vec<ExprId> {
    let mut seen = HashSet::default();
    let mut stack: Vec<ExprId> = roots.collect();
    let mut result = Vec::new();
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) || matches!(pool.get(expr), Expr::Cast(..)) {
            continue;
        }
        if matches!(pool.get(expr), Expr::Sum(_) | Expr::Product(_)) {
            result.push(expr);
        }
        pool.operands_into(expr, &mut stack);
    }
    result.sort_unstable();
    result
}

/// Two factors, or two terms of which the second is multiplied by a number as often as the first one.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pair {
    Factors(ExprId, ExprId),
    /// The terms with the coefficients of both, the first one of which is positive.
    Terms([(ExprId, Number); 2]),
}

/// A pair without its numbers, which is looked up by.
type Key = (bool, ExprId, ExprId);

/// The pair that most products or sums contain, if more than one does.
fn most_common(pool: &Pool, nodes: &[ExprId]) -> Option<Pair> {
    if nodes.len() > MOST_NODES {
        return None;
    }
    // Which pairs there are of two operands, and how many nodes contain each: in the order in which they are met.
    let mut counts: BTreeMap<Key, Vec<(Pair, usize)>> = BTreeMap::new();
    for node in nodes {
        for pair in pairs(pool, *node) {
            let key = match pair {
                Pair::Factors(one, other) => (false, one, other),
                Pair::Terms([(one, _), (other, _)]) => (true, one, other),
            };
            let known = counts.entry(key).or_default();
            match known.iter_mut().find(|(other, _)| *other == pair) {
                Some((_, count)) => *count += 1,
                None => known.push((pair, 1)),
            }
        }
    }
    let mut best: Option<(Pair, usize)> = None;
    for (pair, count) in counts.into_values().flatten() {
        if count > best.map_or(1, |(_, most)| most) {
            best = Some((pair, count));
        }
    }
    best.map(|(pair, _)| pair)
}

/// The pairs in a product or a sum, itself left out.
fn pairs(pool: &Pool, node: ExprId) -> Vec<Pair> {
    match pool.get(node) {
        Expr::Product(factors) => {
            let plain = factors.iter().filter(|factor| factor.power == 1);
            let plain: Vec<ExprId> = plain.map(|factor| factor.expr).collect();
            if repeats(plain.iter().copied()) {
                return Vec::new();
            }
            of_two(&plain, |one, other| {
                Pair::Factors(one.min(other), one.max(other))
            })
        }
        Expr::Sum(terms) => {
            let terms: Vec<(ExprId, Number)> = terms
                .iter()
                .filter(|term| !matches!(pool.get(term.expr), Expr::Constant(_)))
                .map(|term| (term.expr, term.coefficient))
                .collect();
            if repeats(terms.iter().map(|(expr, _)| *expr)) {
                return Vec::new();
            }
            of_two(&terms, terms_as_pair)
        }
        _ => Vec::new(),
    }
}

/// Whether an operand is there more than once: which of them a pair means would be open.
fn repeats(mut operands: impl Iterator<Item = ExprId>) -> bool {
    let mut seen = HashSet::default();
    operands.any(|operand| !seen.insert(operand))
}

/// Each pair of some operands.
fn of_two<T: Copy>(operands: &[T], pair: impl Fn(T, T) -> Pair) -> Vec<Pair> {
    if operands.len() > MOST_OPERANDS {
        return Vec::new();
    }
    let others = |at: usize| operands[at + 1..].iter();
    let of_one = |at: usize| others(at).map(move |other| (operands[at], *other));
    let all = (0..operands.len()).flat_map(of_one);
    all.map(|(one, other)| pair(one, other)).collect()
}

/// The pair of two terms: the smaller expression first, with a positive coefficient.
fn terms_as_pair(one: (ExprId, Number), other: (ExprId, Number)) -> Pair {
    let (first, second) = match one.0 <= other.0 {
        true => (one, other),
        false => (other, one),
    };
    match first.1.to_f64() < 0.0 {
        true => Pair::Terms([(first.0, -first.1), (second.0, -second.1)]),
        false => Pair::Terms([first, second]),
    }
}

/// An expression with a pair as an operand of its own, wherever it is.
fn with_pair(
    pool: &mut Pool,
    expr: ExprId,
    pair: Pair,
    known: &mut HashMap<ExprId, ExprId>,
) -> ExprId {
    if let Some(done) = known.get(&expr) {
        return *done;
    }
    let result = match pool.get(expr) {
        Expr::Cast(..) => expr,
        _ if pairs(pool, expr).contains(&pair) => {
            let (alone, joined) = joined(pool, expr, pair);
            pool.map_operands(joined, &mut |pool, operand| match operand == alone {
                true => operand,
                false => with_pair(pool, operand, pair, known),
            })
        }
        _ => pool.map_operands(expr, &mut |pool, operand| {
            with_pair(pool, operand, pair, known)
        }),
    };
    known.insert(expr, result);
    result
}

/// A pair by itself, the same for all that contain it, and a product or a sum with that as an operand.
fn joined(pool: &mut Pool, expr: ExprId, pair: Pair) -> (ExprId, ExprId) {
    let element = pool.element(expr);
    match (pool.get(expr).clone(), pair) {
        (Expr::Product(mut factors), Pair::Factors(one, other)) => {
            let both = [one, other].map(|expr| Factor { expr, power: 1 });
            let alone = pool.add(Expr::Product(both.to_vec()), element);
            factors.retain(|factor| !both.contains(factor));
            factors.push(Factor {
                expr: alone,
                power: 1,
            });
            let joined = match factors.len() {
                1 => alone,
                _ => pool.add(Expr::Product(factors), element),
            };
            (alone, joined)
        }
        (Expr::Sum(mut terms), Pair::Terms(both)) => {
            let found = terms.iter().find(|term| term.expr == both[0].0);
            let same = found.is_some_and(|term| term.coefficient == both[0].1);
            let is_in = |term: &Term| both.iter().any(|(expr, _)| *expr == term.expr);
            terms.retain(|term| !is_in(term));
            let pair = both.map(|(expr, coefficient)| Term { coefficient, expr });
            let alone = pool.add(Expr::Sum(pair.to_vec()), element);
            let coefficient = if same { Number::ONE } else { -Number::ONE };
            terms.push(Term {
                coefficient,
                expr: alone,
            });
            let joined = match terms.len() {
                1 if same => alone,
                _ => pool.add(Expr::Sum(terms), element),
            };
            (alone, joined)
        }
        _ => (expr, expr),
    }
}
