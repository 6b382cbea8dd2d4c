//! Sums of products with their common factors taken out.
//!
//! What several terms of a sum are multiplied by is multiplied to their sum instead: first the factor that saves
//! most, then the same again in the sum that it leaves and in the one without it (the greedy form of Horner's rule
//! for several variables; Ceberio and Kreinovich, Greedy algorithms for optimizing multivariate Horner schemes,
//! 2004). Divisors are factors, too, and so are constants. A program keeps a factorised sum if it takes fewer
//! operations with it, since what other sums compute too must not be torn apart.
//!
//! Before: `y[i] = a * x[i] + a * z[i]` and `y[i] = c[0] + c[1] * x[i] + c[2] * x[i]^2`. After:
//! `y[i] = a * (x[i] + z[i])` and `y[i] = c[0] + x[i] * (c[1] + c[2] * x[i])`. Holds: values are equal in exact
//! arithmetic, operations never more than before.

use std::collections::HashMap;

use crate::analysis::cost;
use crate::ir::{Element, Expr, ExprId, Factor, Pool, Program, Term};
use crate::number::Number;
use crate::rewrite::common_factor::{collect, intersection};
use crate::rewrite::powers;

/// Most equations that are tried one by one, where all at once are not better: a limit on work.
const MOST_EQUATIONS: usize = 64;
/// Longest sum that is looked at: a limit on work.
const MOST_TERMS: usize = 64;
/// Multiplications that a division takes as long as.
const DIVISION: u32 = 4;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact {
        return Vec::new();
    }
    let mut known = HashMap::new();
    let mut changed = Vec::new();
    for at in 0..program.equations.len() {
        let expr = program.equations[at].expr;
        let factorised = factorised(&mut program.pool, expr, &mut known);
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
fn factorised(pool: &mut Pool, expr: ExprId, known: &mut HashMap<ExprId, ExprId>) -> ExprId {
    if let Some(done) = known.get(&expr) {
        return *done;
    }
    let result = match pool.get(expr) {
        // What is kept whole stays as it is, and what is converted.
        Expr::Cast(..) => expr,
        _ => pool.map_operands(expr, &mut |pool, operand| factorised(pool, operand, known)),
    };
    let result = match pool.get(result).clone() {
        Expr::Sum(terms) if (2..=MOST_TERMS).contains(&terms.len()) => {
            let monomials = terms.iter().map(|term| Monomial::of(pool, term)).collect();
            let element = pool.element(result);
            factors_out(pool, monomials, element).unwrap_or(result)
        }
        _ => result,
    };
    known.insert(expr, result);
    result
}

/// A constant times factors.
#[derive(Clone, Debug)]
struct Monomial {
    coefficient: Number,
    factors: Vec<Factor>,
}

impl Monomial {
    fn of(pool: &Pool, term: &Term) -> Monomial {
        let mut monomial = Monomial {
            coefficient: term.coefficient,
            factors: Vec::new(),
        };
        match pool.get(term.expr) {
            Expr::Product(factors) if factors.iter().any(|factor| factor.power > 0) => {
                for factor in factors {
                    monomial.multiply(pool, factor.expr, factor.power);
                }
            }
            _ => monomial.multiply(pool, term.expr, 1),
        }
        collect(&mut monomial.factors);
        monomial
    }

    /// Products of products, as powers are, are opened. A reciprocal that quotients share is one factor: what is
    /// divided by a divisor that may be subnormal is scaled later, and known by that
    /// ([`reciprocals`](super::reciprocals)).
    fn multiply(&mut self, pool: &Pool, expr: ExprId, power: i32) {
        match pool.get(expr) {
            Expr::Product(factors) if factors.iter().all(|factor| factor.power > 0) => {
                for factor in factors {
                    self.multiply(pool, factor.expr, power * factor.power);
                }
            }
            Expr::Constant(number) if power == 1 => self.coefficient *= *number,
            _ => self.factors.push(Factor { expr, power }),
        }
    }

    /// Multiplications that it takes beside some more factors, where a division counts as several.
    fn work(&self, more: u32) -> u32 {
        let powers = self.factors.iter().map(|factor| factor.power);
        let up = powers.clone().filter(|power| *power > 0);
        let up = more + up.map(i32::unsigned_abs).sum::<u32>();
        let down = powers.filter(|power| *power < 0);
        let down = down.map(i32::unsigned_abs).sum::<u32>();
        let scaled = up + down > 0 && !is_unit(self.coefficient);
        (up + u32::from(scaled)).saturating_sub(1) + DIVISION * down
    }

    /// What is left without some factors and a coefficient.
    fn without(&self, common: &Monomial) -> Monomial {
        let inverse = common.factors.iter().map(|factor| Factor {
            expr: factor.expr,
            power: -factor.power,
        });
        let mut factors: Vec<Factor> = self.factors.iter().copied().chain(inverse).collect();
        collect(&mut factors);
        let coefficient = match is_unit(common.coefficient) {
            true => self.coefficient,
            false if self.coefficient == common.coefficient => Number::ONE,
            false => -Number::ONE,
        };
        Monomial {
            coefficient,
            factors,
        }
    }

    fn term(self, pool: &mut Pool, element: Element) -> Term {
        let expr = match self.factors.as_slice() {
            [] => {
                return Term {
                    coefficient: Number::ONE,
                    expr: pool.constant(self.coefficient, element),
                };
            }
            [Factor { expr, power: 1 }] => *expr,
            _ => pool.add(Expr::Product(self.factors), element),
        };
        Term {
            coefficient: self.coefficient,
            expr,
        }
    }
}

fn is_unit(number: Number) -> bool {
    number.is_one() || number.is_minus_one()
}

/// A factor that terms may have in common.
#[derive(Clone, Copy, PartialEq)]
enum Candidate {
    /// An expression, or its reciprocal.
    Power(ExprId, bool),
    /// A constant, or its opposite.
    Constant(Number),
}

impl Candidate {
    fn divides(self, monomial: &Monomial) -> bool {
        match self {
            Candidate::Power(expr, up) => {
                let mut factors = monomial.factors.iter();
                factors.any(|factor| factor.expr == expr && (factor.power > 0) == up)
            }
            Candidate::Constant(number) => {
                monomial.coefficient == number || monomial.coefficient == -number
            }
        }
    }
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
fn factors_out(pool: &mut Pool, mut monomials: Vec<Monomial>, element: Element) -> Option<ExprId> {
    let mut changed = false;
    while let Some((group, common)) = best(&monomials) {
        let rest = group.iter().map(|at| monomials[*at].without(&common));
        let rest = sum(pool, rest.collect(), element);
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
fn sum(pool: &mut Pool, monomials: Vec<Monomial>, element: Element) -> ExprId {
    match factors_out(pool, monomials.clone(), element) {
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
fn best(monomials: &[Monomial]) -> Option<(Vec<usize>, Monomial)> {
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
        let inside = group
            .iter()
            .map(|at| monomials[*at].without(&common).work(0));
        // The sum of what is left is one more factor.
        let after = inside.sum::<u32>() + common.work(1);
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

/// What all of some terms are multiples of; `None` if there are none.
fn common<'m>(mut members: impl Iterator<Item = &'m Monomial>) -> Option<Monomial> {
    let mut common = members.next()?.clone();
    for other in members {
        common.factors = intersection(&common.factors, &other.factors);
        if ![common.coefficient, -common.coefficient].contains(&other.coefficient) {
            common.coefficient = Number::ONE;
        }
    }
    // A sign stays with its term.
    if is_unit(common.coefficient) {
        common.coefficient = Number::ONE;
    }
    Some(common)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ir::text::{parse, print};
    use expect_test::{Expect, expect};

    /// The equations that a pass leaves of some, and the operations before and after.
    pub fn check(pass: fn(&mut Program) -> Vec<String>, equations: &str, expected: Expect) {
        let mut program = parse(&format!(
            "program sums\nindex i: len(x)\nparam 0 x: f64[len(x)]\nparam 1 y: f64[len(x)]\nparam 2 z: f64[len(x)]\n\
             param 3 a: f64\nparam 4 b: f64\nparam 5 c: f64\noutput 6 r: f64[len(x)]\n\
             output 7 s: f64[len(x)]\n{equations}"
        ))
        .unwrap_or_else(|error| panic!("{error}"));
        let before = cost::program(&program).operations();
        pass(&mut program);
        let after = cost::program(&program).operations();
        let text = print(&program);
        let lines = text.lines().filter(|line| line.contains("   for "));
        let lines: Vec<&str> = lines.collect();
        expected.assert_eq(&format!("{before} -> {after}\n{}\n", lines.join("\n")));
    }

    #[test]
    fn factors_of_all_terms_are_multiplied_once() {
        check(
            run,
            "r[i] = a * x[i] + a * y[i]   for i\ns[i] = x[i] * x[i] * y[i] + x[i] * y[i] * y[i]   for i\n",
            expect![[r#"
                8 -> 4
                r[i] = a * (x[i] + y[i])   for i
                s[i] = x[i] * y[i] * (x[i] + y[i])   for i
            "#]],
        );
    }

    #[test]
    fn constants_and_divisors_are_factors() {
        check(
            run,
            "r[i] = 0.25 x[i] + 0.25 y[i] - 0.25 z[i]   for i\ns[i] = x[i] / a + y[i] / a   for i\n",
            expect![[r#"
                8 -> 5
                r[i] = 0.25 (x[i] + y[i] - z[i])   for i
                s[i] = a^-1 * (x[i] + y[i])   for i
            "#]],
        );
    }

    #[test]
    fn polynomials_take_horners_rule() {
        check(
            run,
            "r[i] = a + b * x[i] + c * x[i]^2 + a * x[i]^3 + b * x[i]^4   for i\n",
            expect![[r#"
                14 -> 8
                r[i] = a + x[i] * (b + x[i] * (c + x[i] * (a + b * x[i])))   for i
            "#]],
        );
    }

    #[test]
    fn factors_of_some_terms_are_taken_one_after_the_other() {
        check(
            run,
            "r[i] = a * x[i] + b * x[i] + a * y[i] + b * y[i] + c * z[i]   for i\n",
            expect![[r#"
                9 -> 5
                r[i] = (x[i] + y[i]) * (a + b) + c * z[i]   for i
            "#]],
        );
    }

    #[test]
    fn signs_stay_with_their_terms() {
        check(
            run,
            "r[i] = - a * x[i] - a * y[i] + b   for i\ns[i] = 2 a * x[i] - 2 a * y[i] - 3 x[i] * x[i] - 3 x[i] * z[i]   for i\n",
            expect![[r#"
                13 -> 11
                r[i] = a * (-x[i] - y[i]) + b   for i
                s[i] = x[i] * (2 a - 3 (x[i] + z[i])) - 2 a * y[i]   for i
            "#]],
        );
    }

    #[test]
    fn products_that_other_sums_need_too_stay() {
        check(
            run,
            "r[i] = a * x[i] + a * y[i]   for i\ns[i] = a * x[i] - a * y[i]   for i\n",
            expect![[r#"
                4 -> 4
                r[i] = a * x[i] + a * y[i]   for i
                s[i] = a * x[i] - a * y[i]   for i
            "#]],
        );
    }

    #[test]
    fn programs_with_the_bits_of_their_text_stay() {
        let mut program = parse(
            "program sums\nexact\nindex i: len(x)\nparam 0 x: f64[len(x)]\nparam 1 a: f64\n\
             output 2 r: f64[len(x)]\nr[i] = a * x[i] + a * a   for i\n",
        )
        .unwrap();
        let before = print(&program);
        assert!(run(&mut program).is_empty());
        assert_eq!(print(&program), before);
    }
}
