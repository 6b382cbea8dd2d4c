//! Sums of products with their common factors taken out.
//!
//! What several terms of a sum are multiplied by is multiplied to their sum instead: first the factor that saves
//! most, then the same again in the sum that it leaves and in the one without it (the greedy form of Horner's rule
//! for several variables; Ceberio and Kreinovich, Greedy algorithms for optimizing multivariate Horner schemes,
//! 2004). Divisors are factors, too, and so are constants; but no reciprocal is left alone that may overflow where the
//! quotient does not. A program keeps a factorised sum if it takes fewer
//! operations with it, since what other sums compute too must not be torn apart.
//!
//! Before: `y[i] = a * x[i] + a * z[i]` and `y[i] = c[0] + c[1] * x[i] + c[2] * x[i]^2`. After:
//! `y[i] = a * (x[i] + z[i])` and `y[i] = c[0] + x[i] * (c[1] + c[2] * x[i])`. Holds: values are equal in exact
//! arithmetic, operations never more than before.

mod monomials;

use self::monomials::{Candidate, Monomial, common, is_unit};
use super::reciprocals::Quotients;
use crate::analysis::cost;
use crate::collections::HashMap;
use crate::ir::{Element, Expr, ExprId, Factor, Pool, Program, Term};
use crate::rewrite::powers;

/// Most equations that are tried one by one, where all at once are not better: a limit on work.
const MOST_EQUATIONS: usize = 64;
/// Longest sum that is looked at: a limit on work.
const MOST_TERMS: usize = 64;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact {
        return Vec::new();
    }
    let quotients = Quotients::of(program);
    let mut known = HashMap::default();
    let mut changed = Vec::new();
    for at in 0..program.equations.len() {
        let expr = program.equations[at].expr;
        let factorised = factorised((&mut program.pool, &quotients), expr, &mut known);
        if factorised != expr {
            changed.push((at, factorised));
        }
    }
    let kept = match improves(program, &changed) {
        true => changed.len(),
        false if changed.len() <= MOST_EQUATIONS => {
            let one_by_one = changed.iter().map(|change| improves(program, &[*change]));
            one_by_one.map(usize::from).sum()
        }
        false => 0,
    };
    match kept {
        0 => Vec::new(),
        kept => vec![format!("factors taken out of the sums of {kept} equations")],
    }
}

/// Changes equations if the program then takes fewer operations; whether it does.
fn improves(program: &mut Program, changed: &[(usize, ExprId)]) -> bool {
    if changed.is_empty() {
        return false;
    }
    let before = cost::program(program).operations();
    let mut candidate = program.clone();
    for (at, expr) in changed {
        candidate.equations[*at].expr = *expr;
    }
    powers::by_squaring(&mut candidate);
    let fewer = cost::program(&candidate).operations() < before;
    if fewer {
        *program = candidate;
    }
    fewer
}

/// An expression with all of its sums factorised.
fn factorised(
    (pool, quotients): (&mut Pool, &Quotients),
    expr: ExprId,
    known: &mut HashMap<ExprId, ExprId>,
) -> ExprId {
    if let Some(done) = known.get(&expr) {
        return *done;
    }
    let result = match pool.get(expr) {
        // What is kept whole stays as it is, and what is converted.
        Expr::Cast(..) => expr,
        _ => pool.map_operands(expr, &mut |pool, operand| {
            factorised((pool, quotients), operand, known)
        }),
    };
    let result = match pool.get(result).clone() {
        Expr::Sum(terms) if (2..=MOST_TERMS).contains(&terms.len()) => {
            let monomials = terms.iter().map(|term| Monomial::of(pool, term)).collect();
            let element = pool.element(result);
            factors_out((pool, quotients), monomials, element).unwrap_or(result)
        }
        _ => result,
    };
    known.insert(expr, result);
    result
}

/// The candidates of some terms, each once, in their order.
fn candidates(monomials: &[Monomial]) -> Vec<Candidate> {
    let mut result: Vec<Candidate> = Vec::new();
    for monomial in monomials {
        let powers = monomial.factors.iter();
        let powers = powers.map(|factor| Candidate::Power(factor.expr, factor.power > 0));
        let constant = monomial.coefficient;
        let scaled = !is_unit(constant) && !monomial.factors.is_empty();
        let constant = scaled.then_some(Candidate::Constant(constant));
        for candidate in powers.chain(constant) {
            let known = |other: &Candidate| match (*other, candidate) {
                (Candidate::Constant(a), Candidate::Constant(b)) => a == b || a == -b,
                (a, b) => a == b,
            };
            if !result.iter().any(known) {
                result.push(candidate);
            }
        }
    }
    result
}

/// The sum of some terms, factorised; `None` if they have nothing in common that is worth it.
fn factors_out(
    (pool, quotients): (&mut Pool, &Quotients),
    mut monomials: Vec<Monomial>,
    element: Element,
) -> Option<ExprId> {
    let mut changed = false;
    while let Some((group, common)) = best((pool, quotients), &monomials) {
        let rest = group.iter().map(|at| monomials[*at].without(&common));
        let rest = sum((pool, quotients), rest.collect(), element);
        let mut together = common;
        together.factors.push(Factor {
            expr: rest,
            power: 1,
        });
        let first = group[0];
        let mut at = 0;
        monomials[first] = together;
        monomials.retain(|_| {
            at += 1;
            at - 1 == first || !group.contains(&(at - 1))
        });
        changed = true;
    }
    changed.then(|| written(pool, monomials, element))
}

/// The sum of some terms, factorised where that is worth it.
fn sum(
    (pool, quotients): (&mut Pool, &Quotients),
    monomials: Vec<Monomial>,
    element: Element,
) -> ExprId {
    match factors_out((pool, quotients), monomials.clone(), element) {
        Some(factorised) => factorised,
        None => written(pool, monomials, element),
    }
}

/// The sum of some terms as they are.
fn written(pool: &mut Pool, monomials: Vec<Monomial>, element: Element) -> ExprId {
    let terms: Vec<Term> = (monomials.into_iter())
        .map(|monomial| monomial.term(pool, element))
        .collect();
    match terms.as_slice() {
        [Term { coefficient, expr }] if coefficient.is_one() => *expr,
        _ => pool.add(Expr::Sum(terms), element),
    }
}

/// The terms that share the factors which save most multiplications, and these factors.
fn best(
    (pool, quotients): (&Pool, &Quotients),
    monomials: &[Monomial],
) -> Option<(Vec<usize>, Monomial)> {
    let mut best: Option<(u32, Vec<usize>, Monomial)> = None;
    for candidate in candidates(monomials) {
        let group: Vec<usize> = (0..monomials.len())
            .filter(|at| candidate.divides(&monomials[*at]))
            .collect();
        if group.len() < 2 {
            continue;
        }
        let common = common(group.iter().map(|at| &monomials[*at]))?;
        let before: u32 = group.iter().map(|at| monomials[*at].work(0)).sum();
        let inside = group.iter().map(|at| monomials[*at].without(&common));
        let inside: Vec<Monomial> = inside.collect();
        let parted = |rest: &Monomial| quotients.are_reciprocals(pool, &rest.factors);
        if inside.iter().any(parted) {
            continue;
        }
        // The sum of what is left is one more factor.
        let after = inside.iter().map(|rest| rest.work(0)).sum::<u32>() + common.work(1);
        let saves = before.saturating_sub(after);
        let better = |(most, others, _): &(u32, Vec<usize>, Monomial)| {
            (saves, group.len()) > (*most, others.len())
        };
        if saves > 0 && best.as_ref().is_none_or(better) {
            best = Some((saves, group, common));
        }
    }
    best.map(|(_, group, common)| (group, common))
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::ir::text::{equation, parse};

    #[test]
    fn reciprocals_that_may_overflow_keep_a_factor() {
        let mut program = parse(
            "program sums\nindex i: len(x)\nparam 0 x: f64[len(x)]\nparam 1 a: f64\nparam 2 b: f64\n\
             param 3 y: f64[len(x)]\nparam 4 z: f64[len(x)]\noutput 5 r: f64[len(x)]\noutput 6 s: f64[len(x)]\n\
             r[i] = x[i] / a + x[i] / b + 0.5 x[i]   for i\ns[i] = x[i] * z[i] / a + x[i] * y[i]   for i\n",
        )
        .unwrap_or_else(|error| panic!("{error}"));
        program.divides = true;
        run(&mut program);
        let left: Vec<String> = (0..program.equations.len())
            .map(|at| equation(&program, at).trim_end().to_owned())
            .collect();
        let expected = [
            "r[i] = x[i] / a + x[i] / b + 0.5 x[i]   for i",
            "s[i] = x[i] * (z[i] / a + y[i])   for i",
        ];
        assert_eq!(left, expected);
    }
}
