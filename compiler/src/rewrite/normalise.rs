//! Sums of products in normal form, without expanding anything.
//!
//! Nested sums and products that are used once become part of the one around them, constants are
//! folded, equal terms and factors are collected, and operands are sorted. Coefficients of sums
//! are then 1 or -1, and a product holds at most one constant, its first factor. A quotient whose
//! divisor several products share becomes a product with the reciprocal. What is used more than
//! once stays a node of its own, so that it is computed once.

use std::collections::BTreeMap;

use crate::analysis::magnitude::may_be_subnormal;
use crate::analysis::uses::uses;
use crate::collections::HashMap;
use crate::ir::{Element, Expr, ExprId, Factor, IndexId, Operator, Pool, Program, Term};
use crate::number::Number;
use crate::syntax::ast::Elementary;

/// The largest power that powers of powers are joined to: longer ones take as many operations.
const LARGEST_POWER: i64 = 64;

/// Normalises the values of all equations.
pub fn normalise(program: &mut Program) {
    let uses = uses(program);
    let mut normaliser = Normaliser {
        uses,
        known: HashMap::default(),
    };
    for at in 0..program.equations.len() {
        let expr = program.equations[at].expr;
        program.equations[at].expr = normaliser.run(&mut program.pool, expr);
    }
    share_reciprocals(program);
    drop_zeros(program);
}

/// Drops what adds nothing: zeros that are added, and the loops of sums of zeros.
fn drop_zeros(program: &mut Program) {
    // What is written in place has states between its writes.
    if program.is_in_place() {
        return;
    }
    let Program {
        equations, pool, ..
    } = program;
    equations.retain_mut(|equation| {
        let zero = pool.is_zero(equation.expr);
        if zero {
            equation.reduction.clear();
        }
        !zero || equation.operator != Operator::ADD
    });
}

/// Puts values in normal form, and knows those that it met before.
struct Normaliser {
    uses: HashMap<ExprId, usize>,
    known: HashMap<ExprId, ExprId>,
}

impl Normaliser {
    /// The normal form of a value.
    fn run(&mut self, pool: &mut Pool, expr: ExprId) -> ExprId {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let element = pool.element(expr);
        let result = match pool.get(expr).clone() {
            Expr::Sum(terms) => {
                let mut flat = Vec::new();
                for term in terms {
                    self.collect_sum(pool, term.coefficient, term.expr, &mut flat);
                }
                sum(pool, flat, element)
            }
            Expr::Product(factors) => {
                let mut flat = Vec::new();
                for factor in factors {
                    self.collect_product(pool, factor, &mut flat);
                }
                product(pool, flat, element)
            }
            Expr::Call(function @ (Elementary::Min | Elementary::Max), operands) => {
                let mut flat = Vec::new();
                self.collect_extremum(pool, function, operands, &mut flat);
                extremum(pool, function, flat)
            }
            _ => pool.map_operands(expr, &mut |pool, operand| self.run(pool, operand)),
        };
        self.known.insert(expr, result);
        result
    }

    /// Adds operands of a minimum or a maximum to a list, opening those that are used here only.
    fn collect_extremum(
        &mut self,
        pool: &mut Pool,
        function: Elementary,
        operands: Vec<ExprId>,
        into: &mut Vec<ExprId>,
    ) {
        for operand in operands {
            match pool.get(operand).clone() {
                Expr::Call(inner, operands) if inner == function && self.once(operand) => {
                    self.collect_extremum(pool, function, operands, into);
                }
                _ => into.push(self.run(pool, operand)),
            }
        }
    }

    fn once(&self, expr: ExprId) -> bool {
        self.uses.get(&expr).copied().unwrap_or(1) <= 1
    }

    /// Adds `coefficient · expr` to a list of normalised terms, opening sums that are used here
    /// only.
    fn collect_sum(
        &mut self,
        pool: &mut Pool,
        coefficient: Number,
        expr: ExprId,
        into: &mut Vec<Term>,
    ) {
        let unit = coefficient.is_one() || coefficient.is_minus_one();
        if let (Expr::Sum(terms), true) = (pool.get(expr).clone(), unit && self.once(expr)) {
            for term in terms {
                self.collect_sum(pool, coefficient * term.coefficient, term.expr, into);
            }
            return;
        }
        let expr = self.run(pool, expr);
        match pool.get(expr).clone() {
            Expr::Sum(terms) if terms.len() == 1 => {
                into.push(Term {
                    coefficient: coefficient * terms[0].coefficient,
                    expr: terms[0].expr,
                });
            }
            _ => into.push(Term { coefficient, expr }),
        }
    }

    fn collect_product(&mut self, pool: &mut Pool, factor: Factor, into: &mut Vec<Factor>) {
        let power = factor.power;
        let open = |factors: &[Factor]| {
            let powers = factors
                .iter()
                .map(|f| i64::from(f.power) * i64::from(power));
            powers.into_iter().all(|power| power.abs() <= LARGEST_POWER)
        };
        if power < 0
            && let Expr::Product(factors) = pool.get(factor.expr)
            && factors.iter().all(|inner| inner.power > 0)
        {
            return self.collect_divisor(pool, factor, into);
        }
        if let (Expr::Product(factors), true) =
            (pool.get(factor.expr).clone(), self.once(factor.expr))
            && open(&factors)
        {
            for inner in factors {
                self.collect_product(
                    pool,
                    Factor {
                        expr: inner.expr,
                        power: inner.power * power,
                    },
                    into,
                );
            }
            return;
        }
        let expr = self.run(pool, factor.expr);
        match pool.get(expr).clone() {
            // A negated factor: the sign goes to the constant.
            Expr::Sum(terms) if terms.len() == 1 && terms[0].coefficient.is_minus_one() => {
                let element = pool.element(expr);
                let sign = pool.constant(Number::from_i64(-1), element);
                into.push(Factor { expr: sign, power });
                into.push(Factor {
                    expr: terms[0].expr,
                    power,
                });
            }
            _ => into.push(Factor { expr, power }),
        }
    }

    /// A divisor that is a product stays one: a division takes longer than the multiplications. Its number
    /// goes to the others.
    fn collect_divisor(&mut self, pool: &mut Pool, factor: Factor, into: &mut Vec<Factor>) {
        let (expr, power) = (self.run(pool, factor.expr), factor.power);
        let Expr::Product(factors) = pool.get(expr).clone() else {
            return into.push(Factor { expr, power });
        };
        let is_number = |factor: &Factor| matches!(pool.get(factor.expr), Expr::Constant(_));
        let (numbers, others): (Vec<Factor>, Vec<Factor>) =
            factors.into_iter().partition(is_number);
        into.extend(numbers.iter().map(|number| Factor {
            expr: number.expr,
            power: number.power * power,
        }));
        let element = pool.element(expr);
        let expr = product(pool, others, element);
        into.push(Factor { expr, power });
    }
}

/// The smallest or the largest one of some values, each of them once.
pub fn extremum(pool: &mut Pool, function: Elementary, mut operands: Vec<ExprId>) -> ExprId {
    operands.sort_unstable();
    operands.dedup();
    match operands.as_slice() {
        [only] => *only,
        _ => {
            let element = pool.element(operands[0]);
            pool.add(Expr::Call(function, operands), element)
        }
    }
}

/// A sum in normal form of normalised terms.
pub fn sum(pool: &mut Pool, terms: Vec<Term>, element: Element) -> ExprId {
    let mut constant = Number::ZERO;
    let mut collected: BTreeMap<ExprId, Number> = BTreeMap::new();
    for term in terms {
        let (mut coefficient, mut expr) = (term.coefficient, term.expr);
        if let Expr::Product(factors) = pool.get(expr).clone()
            && let Expr::Constant(value) = pool.get(factors[0].expr)
            && let power @ 1.. = factors[0].power
        {
            coefficient *= value.powi(power.unsigned_abs());
            expr = product(pool, factors[1..].to_vec(), element);
        }
        if let Expr::Constant(value) = pool.get(expr) {
            constant += coefficient * *value;
            continue;
        }
        let entry = collected.entry(expr).or_insert(Number::ZERO);
        *entry += coefficient;
    }
    let mut result: Vec<Term> = Vec::new();
    for (expr, coefficient) in collected {
        if coefficient.is_zero() {
            continue;
        }
        if coefficient.is_one() || coefficient.is_minus_one() {
            result.push(Term { coefficient, expr });
        } else {
            let factor = pool.constant(coefficient, element);
            let mut factors = vec![Factor {
                expr: factor,
                power: 1,
            }];
            match pool.get(expr) {
                Expr::Product(inner) => factors.extend(inner.iter().copied()),
                _ => factors.push(Factor { expr, power: 1 }),
            }
            let expr = pool.add(Expr::Product(factors), element);
            result.push(Term {
                coefficient: Number::ONE,
                expr,
            });
        }
    }
    if !constant.is_zero() {
        let expr = pool.constant(constant, element);
        result.push(Term {
            coefficient: Number::ONE,
            expr,
        });
    }
    match result.as_slice() {
        [] => pool.constant(Number::ZERO, element),
        [only] if only.coefficient.is_one() => only.expr,
        _ => {
            result.sort_by_key(|t| (t.coefficient.is_minus_one(), t.expr));
            pool.add(Expr::Sum(result), element)
        }
    }
}

/// A product in normal form of normalised factors.
pub fn product(pool: &mut Pool, factors: Vec<Factor>, element: Element) -> ExprId {
    let mut constant = Number::ONE;
    let mut collected: BTreeMap<ExprId, i32> = BTreeMap::new();
    for factor in factors {
        match pool.get(factor.expr) {
            Expr::Constant(value) if factor.power > 0 || !value.is_zero() => {
                let power = value.powi(factor.power.unsigned_abs());
                constant = if factor.power > 0 {
                    constant * power
                } else {
                    constant / power
                };
            }
            _ => *collected.entry(factor.expr).or_insert(0) += factor.power,
        }
    }
    if constant.is_zero() {
        return pool.constant(constant, element);
    }
    let mut result: Vec<Factor> = collected
        .into_iter()
        .filter(|(_, power)| *power != 0)
        .map(|(expr, power)| Factor { expr, power })
        .collect();
    // Divisors last: `a / b`, never `1 / b * a`.
    result.sort_by_key(|f| (f.power < 0, f.expr));
    let negative = constant.is_minus_one();
    if !constant.is_one() && !negative {
        let expr = pool.constant(constant, element);
        result.insert(0, Factor { expr, power: 1 });
    }
    let value = match result.as_slice() {
        [] => return pool.constant(constant, element),
        [only] if only.power == 1 => only.expr,
        _ => pool.add(Expr::Product(result), element),
    };
    if !negative {
        return value;
    }
    match pool.get(value).clone() {
        Expr::Sum(terms) if terms.len() == 1 => terms[0].expr,
        _ => pool.add(
            Expr::Sum(vec![Term {
                coefficient: constant,
                expr: value,
            }]),
            element,
        ),
    }
}

/// How many values of a product have one value of a divisor: two stand for several. A division takes as
/// long as some multiplications.
fn values(program: &Program, product: ExprId, divisor: ExprId) -> usize {
    const FEW: usize = 4;
    let own = program.pool.indices(divisor);
    let others = program.pool.indices(product).iter();
    let others = others.filter(|index| !own.contains(index));
    let length = |index: &IndexId| program.loop_index(*index).extent.as_constant();
    let values = others.map(|index| length(index).unwrap_or(usize::MAX));
    match values.fold(1, usize::saturating_mul) {
        0..=FEW => 1,
        _ => SCALED,
    }
}

/// Quotients of a divisor that a reciprocal pays for which has to be scaled: a comparison and two multiplications, and
/// two multiplications a quotient, instead of a division each, which takes as long as eight of them
/// (`machine::DIVISION`) or, with the registers of AVX-512, fewer.
const SCALED: usize = 3;

/// Whether so many quotients of a divisor become products with its reciprocal.
fn is_shared(program: &Program, divisor: ExprId, count: usize) -> bool {
    let scaled = program.divides && may_be_subnormal(&program.pool, divisor);
    count >= if scaled { SCALED } else { 2 }
}

/// Replaces divisions by one divisor in several products, or in one that has several values, by
/// multiplications with its reciprocal.
///
/// The reciprocal of a subnormal divisor may overflow where the quotients are finite: what is left of reciprocals in the end
/// is scaled (`passes::reciprocals`). For inverses of 3 by 3 matrices, four a vector, keeping the quotients takes
/// 1.48 times as long as reciprocals that are not, scaling divisor and dividends by a power of two 1.2 times and a
/// multiplication each, and a branch to a body with quotients 1.06 times with that body printed twice.
pub fn share_reciprocals(program: &mut Program) {
    let reachable: Vec<ExprId> = {
        let mut all: Vec<ExprId> = uses(program).into_keys().collect();
        all.sort_unstable();
        all
    };
    let mut divided: BTreeMap<ExprId, usize> = BTreeMap::new();
    for expr in reachable {
        if let Expr::Product(factors) = program.pool.get(expr) {
            for factor in factors.iter().filter(|f| f.power < 0) {
                let values = values(program, expr, factor.expr);
                *divided.entry(factor.expr).or_insert(0) += values;
            }
        }
    }
    divided.retain(|divisor, count| is_shared(program, *divisor, *count));
    if divided.is_empty() {
        return;
    }
    let mut known = HashMap::default();
    for at in 0..program.equations.len() {
        let expr = program.equations[at].expr;
        program.equations[at].expr = multiply(&mut program.pool, expr, &divided, &mut known);
    }
}

fn multiply(
    pool: &mut Pool,
    expr: ExprId,
    divided: &BTreeMap<ExprId, usize>,
    known: &mut HashMap<ExprId, ExprId>,
) -> ExprId {
    if let Some(done) = known.get(&expr) {
        return *done;
    }
    let original = pool.get(expr).clone();
    let mut result = pool.map_operands(expr, &mut |pool, operand| {
        multiply(pool, operand, divided, known)
    });
    if let (Expr::Product(before), Expr::Product(after)) = (original, pool.get(result).clone()) {
        let element = pool.element(result);
        let factors: Vec<Factor> = before
            .iter()
            .zip(after)
            .map(|(old, new)| {
                if old.power >= 0 || !divided.contains_key(&old.expr) || before.len() == 1 {
                    return new;
                }
                let reciprocal = pool.add(
                    Expr::Product(vec![Factor {
                        expr: new.expr,
                        power: -1,
                    }]),
                    element,
                );
                Factor {
                    expr: reciprocal,
                    power: -new.power,
                }
            })
            .collect();
        result = pool.add(Expr::Product(factors), element);
    }
    known.insert(expr, result);
    result
}
