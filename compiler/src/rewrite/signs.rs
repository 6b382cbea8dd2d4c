//! Expressions up to their sign: what flows from one cell to the next one leaves the one and enters the other.
//!
//! Of a sum and of its negative one stands for both, that in which the operand that came first is added. Signs move
//! outwards, through products and even functions, to the sum around them, where they take no operation.

use crate::collections::HashMap;
use crate::ir::{Expr, ExprId, Factor, Pool, Term};
use crate::number::Number;

/// Expressions that stand for others, and whether these are their negatives.
pub type Signs = HashMap<ExprId, (ExprId, bool)>;

/// The expression that stands for one and for its negative, and whether that one is the negative.
pub fn unsigned(pool: &mut Pool, expr: ExprId, known: &mut Signs) -> (ExprId, bool) {
    if let Some(known) = known.get(&expr) {
        return *known;
    }
    let element = pool.element(expr);
    let result = match pool.get(expr).clone() {
        _ if element.is_integer() || element.as_word().is_some() => (expr, false),
        Expr::Constant(number) if number.to_f64() < 0.0 => {
            (pool.add(Expr::Constant(-number), element), true)
        }
        Expr::Constant(_) | Expr::Access(_) => (expr, false),
        Expr::Sum(terms) => sum(pool, terms, expr, known),
        Expr::Product(factors) => product(pool, factors, expr, known),
        Expr::Cast(to, inside) if pool.inside_kept(expr).is_some() => {
            let (of, negative) = unsigned(pool, inside, known);
            (pool.add(Expr::Cast(to, of), element), negative)
        }
        Expr::Call(function, operands) if function.is_odd().is_some() => {
            let mut negative = false;
            let mut of = |of: &ExprId| {
                let (of, minus) = unsigned(pool, *of, known);
                negative |= minus;
                of
            };
            let operands = operands.iter().map(&mut of).collect();
            negative &= function.is_odd() == Some(true);
            (pool.add(Expr::Call(function, operands), element), negative)
        }
        _ => {
            let new = pool.map_operands(expr, &mut |pool, operand| {
                let (of, negative) = unsigned(pool, operand, known);
                signed(pool, of, negative)
            });
            (new, false)
        }
    };
    known.insert(expr, result);
    result
}

/// An expression with signs moved outwards.
pub fn outwards(pool: &mut Pool, expr: ExprId) -> ExprId {
    let (of, negative) = unsigned(pool, expr, &mut Signs::default());
    signed(pool, of, negative)
}

/// An expression or its negative.
pub fn signed(pool: &mut Pool, expr: ExprId, negative: bool) -> ExprId {
    if !negative {
        return expr;
    }
    let element = pool.element(expr);
    let number = |pool: &Pool, factor: &Factor| {
        factor.power == 1 && matches!(pool.get(factor.expr), Expr::Constant(_))
    };
    let new = match pool.get(expr).clone() {
        Expr::Constant(number) => Expr::Constant(-number),
        Expr::Sum(mut terms) => {
            for term in &mut terms {
                term.coefficient = -term.coefficient;
            }
            in_order(&mut terms);
            Expr::Sum(terms)
        }
        Expr::Product(mut factors) if factors.iter().any(|factor| number(pool, factor)) => {
            let at = factors.iter().position(|factor| number(pool, factor));
            if let Some(factor) = at.and_then(|at| factors.get_mut(at)) {
                factor.expr = signed(pool, factor.expr, true);
            }
            Expr::Product(factors)
        }
        _ => Expr::Sum(vec![Term {
            coefficient: Number::from_i64(-1),
            expr,
        }]),
    };
    pool.add(new, element)
}

fn sum(pool: &mut Pool, mut terms: Vec<Term>, whole: ExprId, known: &mut Signs) -> (ExprId, bool) {
    for term in &mut terms {
        let (expr, negative) = unsigned(pool, term.expr, known);
        term.expr = expr;
        if negative {
            term.coefficient = -term.coefficient;
        }
    }
    let first = terms.iter().min_by_key(|term| term.expr);
    let negative = first.is_some_and(|term| term.coefficient.to_f64() < 0.0);
    if negative {
        for term in &mut terms {
            term.coefficient = -term.coefficient;
        }
    }
    if let [Term { coefficient, expr }] = terms[..]
        && coefficient.is_one()
    {
        return (expr, negative);
    }
    in_order(&mut terms);
    let element = pool.element(whole);
    (pool.add(Expr::Sum(terms), element), negative)
}

fn product(
    pool: &mut Pool,
    mut factors: Vec<Factor>,
    whole: ExprId,
    known: &mut Signs,
) -> (ExprId, bool) {
    let mut negative = false;
    for factor in &mut factors {
        let (expr, minus) = unsigned(pool, factor.expr, known);
        factor.expr = expr;
        negative ^= minus && factor.power % 2 != 0;
    }
    let number = |pool: &Pool, expr| !matches!(pool.get(expr), Expr::Constant(_));
    factors.sort_by_key(|f| (f.power < 0, number(pool, f.expr), f.expr, f.power));
    let element = pool.element(whole);
    (pool.add(Expr::Product(factors), element), negative)
}

fn in_order(terms: &mut [Term]) {
    terms.sort_by_key(|t| (t.coefficient.is_minus_one(), t.expr, t.coefficient.key()));
}
