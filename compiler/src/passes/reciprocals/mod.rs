//! Reciprocals of divisors that may be subnormal, scaled so that no quotient overflows that is finite.
//!
//! Quotients with one divisor are products with its reciprocal (`normalise`), which is infinite where the divisor is
//! below 2^-1024, whatever the dividends are. So small divisors are multiplied by a power of two first, and what is
//! multiplied with their reciprocals is multiplied by that power in the end. Divisors that are never so small are left
//! alone: square roots, converted integers, sums with a constant of what has no sign.
//!
//! That comes after sums, and after loops, which do not change it.
//!
//! Before: `r[e] = d[e]^-1` and `y[e, i] = x[e, i] * r[e]`. After: `s[e] = if abs(d[e]) < 2^-1000 { 2^100 } else { 1 }`,
//! `r[e] = (d[e] * s[e])^-1` and `y[e, i] = (x[e, i] * r[e]) * s[e]`.
//! Holds: values are equal in exact arithmetic. A text whose quotients all have the dividend one means reciprocals, and
//! needs none of this.

mod carried;
mod scaling;

use crate::analysis::magnitude::may_be_subnormal;
use crate::collections::{HashMap, HashSet};
use crate::ir::{ArrayId, Expr, ExprId, Factor, Operator, Pool, Program, Role};

/// The name of the pass.
pub const NAME: &str = "reciprocals";

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact {
        return Vec::new();
    }
    let mut decisions = Vec::new();
    let count = carried::carry(program);
    if count > 0 {
        decisions.push(format!("{count} reciprocals carried by coefficients"));
    }
    let risky = risky(program);
    if risky.is_empty() {
        return decisions;
    }
    let count = risky.len();
    let kept = assigned(program);
    // What keeps several reciprocals, or anything else beside them, has a power of two for each element.
    let mut own = HashSet::default();
    while let Err(mixed) = scaling::scale(program, (&risky, numbers(program)), (&kept, &own)) {
        own.insert(mixed);
    }
    decisions.push(format!(
        "{count} reciprocals scaled, of divisors that may be subnormal"
    ));
    decisions
}

/// Temporaries that are assigned, and what is, without sums over loops.
fn assigned(program: &Program) -> HashSet<ArrayId> {
    let (mut all, mut others) = (HashSet::default(), HashSet::default());
    for equation in &program.equations {
        let array = equation.target.array;
        let temporary = matches!(program.array(array).role, Role::Temporary);
        let plain = equation.operator == Operator::Assign && equation.reduction.is_empty();
        match temporary && plain {
            true => all.insert(array),
            false => others.insert(array),
        };
    }
    &all - &others
}

/// Whether a text divides what is not one by a divisor that may be subnormal.
pub fn divides(program: &Program) -> bool {
    let one = |factor: &Factor| match program.pool.get(factor.expr) {
        Expr::Constant(number) => number.to_f64().abs() >= 1.0,
        _ => factor.power < 0,
    };
    program.reachable().into_iter().any(|expr| {
        let Expr::Product(factors) = program.pool.get(expr) else {
            return false;
        };
        let mut divisors = factors.iter().filter(|factor| factor.power < 0);
        divisors.any(|factor| may_be_subnormal(&program.pool, factor.expr))
            && !factors.iter().all(one)
    })
}

/// The reciprocals of divisors that may be subnormal, with these.
fn risky(program: &Program) -> HashMap<ExprId, Vec<ExprId>> {
    let numbers = numbers(program);
    let mut result = HashMap::default();
    for expr in program.reachable() {
        let mut divisors = divisors(&program.pool, &numbers, expr);
        divisors.retain(|divisor| may_be_subnormal(&program.pool, *divisor));
        if !divisors.is_empty() {
            result.insert(expr, divisors);
        }
    }
    result
}

/// What quotients are computed with, in a text that divides: factors of it are not to be parted from reciprocals, which
/// may overflow where the quotients do not.
#[derive(Default)]
pub struct Quotients {
    /// Reciprocals of divisors that may be subnormal, and temporaries that hold some.
    reciprocals: HashSet<ExprId>,
    numbers: HashSet<ExprId>,
    divides: bool,
}

impl Quotients {
    /// Those of a program.
    pub fn of(program: &Program) -> Quotients {
        if !program.divides {
            return Quotients::default();
        }
        let mut result = Quotients {
            reciprocals: risky(program).into_keys().collect(),
            numbers: numbers(program),
            divides: true,
        };
        let mut arrays = HashSet::default();
        for equation in &program.equations {
            let array = equation.target.array;
            let temporary = matches!(program.array(array).role, Role::Temporary);
            if temporary
                && result.is_reciprocal(&program.pool, equation.expr)
                && arrays.insert(array)
            {
                let reads = |expr: &ExprId| match program.pool.get(*expr) {
                    Expr::Access(access) => access.array == array,
                    _ => false,
                };
                let reads = program.reachable().into_iter().filter(reads);
                result.reciprocals.extend(reads);
            }
        }
        result
    }

    /// Whether a value is a reciprocal, times numbers perhaps, or a sum that has one.
    fn is_reciprocal(&self, pool: &Pool, expr: ExprId) -> bool {
        match pool.get(expr) {
            Expr::Sum(terms) => {
                let mut terms = terms.iter();
                terms.any(|term| self.is_reciprocal(pool, term.expr))
            }
            Expr::Product(factors) => self.are_reciprocals(pool, factors),
            _ => self.reciprocals.contains(&expr),
        }
    }

    /// Whether factors are reciprocals and numbers alone.
    pub fn are_reciprocals(&self, pool: &Pool, factors: &[Factor]) -> bool {
        let is_reciprocal = |factor: &Factor| match factor.power {
            1.. => self.reciprocals.contains(&factor.expr),
            _ => may_be_subnormal(pool, factor.expr),
        };
        let fits = |factor: &Factor| self.numbers.contains(&factor.expr) || is_reciprocal(factor);
        self.divides && factors.iter().any(is_reciprocal) && factors.iter().all(fits)
    }
}

/// Constants, entries of tables and temporaries that hold such: what the text multiplies with these is as small or large as
/// it was, by its own standards.
fn numbers(program: &Program) -> HashSet<ExprId> {
    let reachable = program.reachable();
    let table = |array: ArrayId| matches!(program.array(array).role, Role::Table(_));
    let number = |expr: &ExprId| match program.pool.get(*expr) {
        Expr::Constant(_) => true,
        Expr::Access(access) => table(access.array),
        _ => false,
    };
    let mut result: HashSet<ExprId> = reachable.iter().copied().filter(number).collect();
    let (mut kept, mut others) = (HashSet::default(), HashSet::default());
    for equation in &program.equations {
        let array = equation.target.array;
        let temporary = matches!(program.array(array).role, Role::Temporary);
        let plain = equation.operator == Operator::Assign && equation.reduction.is_empty();
        match temporary && plain && is_number(&program.pool, &result, equation.expr) {
            true => kept.insert(array),
            false => others.insert(array),
        };
    }
    kept.retain(|array| !others.contains(array));
    result.extend(
        reachable
            .into_iter()
            .filter(|expr| match program.pool.get(*expr) {
                Expr::Access(access) => kept.contains(&access.array),
                _ => false,
            }),
    );
    result
}

/// Whether a value is one of some numbers, or a sum or a product of these.
fn is_number(pool: &Pool, numbers: &HashSet<ExprId>, expr: ExprId) -> bool {
    match pool.get(expr) {
        Expr::Sum(terms) => {
            let mut terms = terms.iter();
            terms.all(|term| is_number(pool, numbers, term.expr))
        }
        Expr::Product(factors) => factors
            .iter()
            .all(|factor| factor.power > 0 && is_number(pool, numbers, factor.expr)),
        _ => numbers.contains(&expr),
    }
}

/// What an expression divides numbers by, if it is no more than that.
fn divisors(pool: &Pool, numbers: &HashSet<ExprId>, expr: ExprId) -> Vec<ExprId> {
    let Expr::Product(factors) = pool.get(expr) else {
        return Vec::new();
    };
    let fits = |factor: &Factor| match factor.power {
        1.. => numbers.contains(&factor.expr),
        power => power == -1,
    };
    let all = factors.iter().filter(|factor| factor.power < 0);
    match factors.iter().all(fits) {
        true => all.map(|factor| factor.expr).collect(),
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;

    fn after(equations: &str) -> String {
        let text = format!(
            "program p\nindex e: len(x)\nindex i: 9\nparam 0 d: f64[len(x)]\nparam 1 x: f64[len(x), 9]\n\
             output 2 y: f64[len(x), 9]\ntemp r: f64[len(x)]\ntemp t: f64[len(x), 2]\n{equations}"
        );
        let mut program = parse(&text).unwrap();
        run(&mut program);
        program.to_string()
    }

    #[test]
    fn products_are_scaled_last() {
        let found = after("r[e] = d[e]^-1   for e\ny[e, i] = x[e, i] * r[e]   for e, i\n");
        for part in [
            "r_scale[e] = ",
            "(x[e, i] * r[e]) * r_scale[e]",
            "(d[e] * if abs(d[e]) < ",
        ] {
            assert!(found.contains(part), "{found}");
        }
    }

    #[test]
    fn entries_of_tables_times_reciprocals_are_reciprocals() {
        let found = after(
            "r[e] = d[e]^-1   for e\nt[e, 0] = r[e]   for e\nt[e, 1] = -1.14 * r[e]   for e\n\
             y[e, i] = x[e, i] * t[e, 1]   for e, i\n",
        );
        for part in [
            "t[e, 1] = -1.14 * r[e] ",
            "(x[e, i] * t[e, 1]) * r_scale[e]",
        ] {
            assert!(found.contains(part), "{found}");
        }
        let found = after(
            "r[e] = d[e]^-1   for e\nt[e, 0] = d[e]   for e\nt[e, 1] = 2 * r[e]   for e\n\
             y[e, i] = x[e, i] * t[e, 1]   for e, i\n",
        );
        for part in [
            "t_scale[e, 0] = 1 ",
            "t[e, 0] = d[e] ",
            "t_scale[e, 1] = r_scale[e] ",
            "t[e, 1] = 2 * r[e] ",
            "(x[e, i] * t[e, 1]) * t_scale[e, 1]",
        ] {
            assert!(found.contains(part), "{found}");
        }
    }

    #[test]
    fn elements_of_several_divisors_have_a_power_each() {
        let found = after(
            "r[e] = d[e]^-1   for e\nt[e, 0] = -r[e]   for e\nt[e, 1] = 0.5 / (d[e] + x[e, 0])   for e\n\
             y[e, i] = x[e, i] * t[e, 0] + x[e, i] * t[e, 1]   for e, i\n",
        );
        for part in [
            "t_scale[e, 0] = r_scale[e] ",
            "t_scale[e, 1] = if abs(d[e] + x[e, 0]) < ",
            "(x[e, i] * t[e, 0]) * t_scale[e, 0] + (x[e, i] * t[e, 1]) * t_scale[e, 1]",
        ] {
            assert!(found.contains(part), "{found}");
        }
    }

    #[test]
    fn elements_that_are_written_one_by_one_are_scaled() {
        let found = after(
            "t[e, 0] = 0   for e\nt[e, 1] = 0.5 / d[e]   for e\ny[e, i] = x[e, i] * t[e, 1]   for e, i\n",
        );
        for part in [
            "t_scale[e, 0] = 1 ",
            "t_scale[e, 1] = if abs(d[e]) < ",
            "(x[e, i] * t[e, 1]) * t_scale[e, 1]",
        ] {
            assert!(found.contains(part), "{found}");
        }
    }

    #[test]
    fn temporaries_that_hold_numbers_are_numbers() {
        let found = after(
            "t[e, 0] = 0.5   for e\nr[e] = t[e, 0] / d[e]   for e\ny[e, i] = x[e, i] * r[e]   for e, i\n",
        );
        assert!(found.contains("(x[e, i] * r[e]) * r_scale[e]"), "{found}");
    }

    #[test]
    fn powers_of_two_stand_outside_of_sums_and_loops() {
        let found = after(
            "r[e] = d[e]^-1   for e\ny[e, 0] += sum(i) x[e, i] * r[e]   for e\n\
             y[e, 1] = 2 * (x[e, 0] * r[e]) + x[e, 1] * r[e] + d[e]   for e\n",
        );
        for part in [
            "y_sum[e] = sum(i) x[e, i] * r[e] ",
            "y[e, 0] += y_sum[e] * r_scale[e]",
            "(2 * (x[e, 0] * r[e]) + x[e, 1] * r[e]) * r_scale[e]",
        ] {
            assert!(found.contains(part), "{found}");
        }
    }

    #[test]
    fn divisors_that_are_not_subnormal_are_left_alone() {
        for divisor in ["sqrt(d[e])", "(1 + d[e]^2)", "max(d[e]^2, 1e-300)"] {
            let found = after(&format!(
                "r[e] = {divisor}^-1   for e\ny[e, i] = x[e, i] * r[e]   for e, i\n"
            ));
            assert!(!found.contains("scale"), "{found}");
        }
    }

    #[test]
    fn only_quotients_need_it() {
        let of = |expr: &str| {
            let text = format!(
                "program p\nindex e: len(x)\nparam 0 x: f64[len(x)]\noutput 1 y: f64[len(x)]\ny[e] = {expr}   for e\n"
            );
            divides(&parse(&text).unwrap())
        };
        assert!(of("x[e] * x[e]^-1") && of("0.5 * x[e]^-1"));
        assert!(!of("x[e]^-1") && !of("2 * x[e]^-1") && !of("x[e] * sqrt(x[e])^-1"));
    }
}
