//! Reciprocals of divisors that may be subnormal, scaled so that no quotient overflows that is finite.
//!
//! Quotients with one divisor are products with its reciprocal (`normalise`), which is infinite where the divisor is
//! below 2^-1024, whatever the dividends are. So small divisors are multiplied by a power of two first, and what is
//! multiplied with their reciprocals is multiplied by that power in the end. Divisors that are never so small are left
//! alone: square roots, converted integers, sums with a constant of what has no sign.
//!
//! Before: `r[e] = d[e]^-1` and `y[e, i] = x[e, i] * r[e]`. After: `s[e] = if abs(d[e]) < 2^-1000 { 2^100 } else { 1 }`,
//! `r[e] = (d[e] * s[e])^-1` and `y[e, i] = (x[e, i] * r[e]) * s[e]`.
//! Holds: values are equal in exact arithmetic. A text whose quotients all have the dividend one means reciprocals, and
//! needs none of this.

use std::collections::{HashMap, HashSet};

use crate::analysis::magnitude::may_be_subnormal;
use crate::ir::{
    Access, Affine, ArrayId, Element, Equation, Expr, ExprId, Factor, Pool, Program, Role,
};
use crate::number::Number;
use crate::syntax::ast::{CompareOperator, Elementary};

/// The name of the pass.
pub const NAME: &str = "reciprocals";

/// Below which power of two divisors are small, and by which they are scaled then.
const SCALES: [(i32, i32); 2] = [(-1000, 100), (-100, 40)];

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    let risky = risky(program);
    if program.exact || risky.is_empty() {
        return Vec::new();
    }
    let count = risky.len();
    let mut scaling = Scaling {
        temporaries: HashMap::new(),
        known: HashMap::new(),
        numbers: numbers(program),
        risky,
    };
    let equations = std::mem::take(&mut program.equations);
    let mut writers: HashMap<ArrayId, usize> = HashMap::new();
    for equation in &equations {
        *writers.entry(equation.target.array).or_default() += 1;
    }
    for mut equation in equations {
        let array = equation.target.array;
        let temporary = matches!(program.array(array).role, Role::Temporary);
        let defines = temporary && writers[&array] == 1 && equation.is_definition();
        let found = match defines {
            true => scaling.reciprocal(&mut program.pool, equation.expr),
            false => None,
        };
        equation.expr = match found {
            Some((inside, scale)) => {
                let own = scaling.define(program, &equation, scale);
                program.equations.extend(own);
                inside
            }
            None => scaling.scaled(&mut program.pool, equation.expr),
        };
        program.equations.push(equation);
    }
    vec![format!(
        "{count} reciprocals scaled, of divisors that may be subnormal"
    )]
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
    let mut result = HashMap::new();
    for expr in program.reachable() {
        let mut divisors = divisors(&program.pool, &numbers, expr);
        divisors.retain(|divisor| may_be_subnormal(&program.pool, *divisor));
        if !divisors.is_empty() {
            result.insert(expr, divisors);
        }
    }
    result
}

/// Constants and entries of tables: what the text multiplies with these is as small or large as it was, by its own
/// standards.
fn numbers(program: &Program) -> HashSet<ExprId> {
    let number = |expr: &ExprId| match program.pool.get(*expr) {
        Expr::Constant(_) => true,
        Expr::Access(access) => matches!(program.array(access.array).role, Role::Table(_)),
        _ => false,
    };
    program.reachable().into_iter().filter(number).collect()
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

/// The power of two that a divisor is multiplied by.
fn power(pool: &mut Pool, divisor: ExprId) -> ExprId {
    let element = pool.element(divisor);
    let (small, by) = SCALES[usize::from(element != Element::F64)];
    let mut number = |value: f64| pool.constant(Number::from_f64(value), element);
    let [small, by, one] = [2.0f64.powi(small), 2.0f64.powi(by), 1.0].map(&mut number);
    let size = pool.add(Expr::Call(Elementary::Abs, vec![divisor]), element);
    let condition = pool.add(Expr::Compare(CompareOperator::Less, size, small), element);
    pool.add(Expr::Select(condition, by, one), element)
}

struct Scaling {
    /// Reciprocals that are kept: the powers of two that their divisors were multiplied by, and which of the reciprocal's
    /// subscripts these have.
    temporaries: HashMap<ArrayId, (ArrayId, Vec<usize>)>,
    known: HashMap<ExprId, ExprId>,
    numbers: HashSet<ExprId>,
    /// Reciprocals with those of their divisors that may be subnormal.
    risky: HashMap<ExprId, Vec<ExprId>>,
}

impl Scaling {
    /// Notes that an equation keeps a reciprocal that is scaled; the equation that keeps its power of two, where
    /// that is not kept already.
    fn define(
        &mut self,
        program: &mut Program,
        equation: &Equation,
        scale: ExprId,
    ) -> Option<Equation> {
        let array = equation.target.array;
        if let Some(known) = kept_as(&program.pool, equation, scale) {
            self.temporaries.insert(array, known);
            return None;
        }
        let kept = program.array(array);
        let (name, element) = (format!("{}_scale", kept.name), kept.element);
        let shape = kept.shape.clone();
        let all = (0..shape.len()).collect();
        let target = program.add_array(&name, element, shape, Role::Temporary);
        self.temporaries.insert(array, (target, all));
        let mut own = equation.clone();
        own.target.array = target;
        own.expr = scale;
        Some(own)
    }

    /// A reciprocal whose divisors are multiplied by powers of two, and the product of these.
    fn with_scale(&mut self, pool: &mut Pool, expr: ExprId) -> (ExprId, ExprId) {
        let element = pool.element(expr);
        let (mut by, mut scales) = (HashMap::new(), Vec::new());
        for before in self.risky[&expr].clone() {
            let divisor = self.scaled(pool, before);
            let scale = power(pool, divisor);
            let factors = [divisor, scale].map(|expr| Factor { expr, power: 1 });
            by.insert(before, pool.add(Expr::Product(factors.to_vec()), element));
            scales.push(Factor {
                expr: scale,
                power: 1,
            });
        }
        let inside = pool.map_operands(expr, &mut |_, operand| {
            by.get(&operand).copied().unwrap_or(operand)
        });
        let scale = match scales.as_slice() {
            [only] => only.expr,
            _ => pool.add(Expr::Product(scales), element),
        };
        (inside, scale)
    }

    /// A value, in which products with reciprocals are those with scaled ones.
    fn scaled(&mut self, pool: &mut Pool, expr: ExprId) -> ExprId {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let element = pool.element(expr);
        let result = match pool.get(expr).clone() {
            // What stands alone is what it is in the text.
            Expr::Product(_) if self.risky.contains_key(&expr) => {
                pool.map_operands(expr, &mut |pool, operand| self.scaled(pool, operand))
            }
            Expr::Access(_) => match self.reciprocal(pool, expr) {
                Some((inside, scale)) => product(
                    pool,
                    inside,
                    vec![Factor {
                        expr: scale,
                        power: 1,
                    }],
                ),
                None => expr,
            },
            Expr::Product(factors) => {
                let (mut inside, mut scales) = (Vec::new(), Vec::new());
                for factor in factors {
                    let found = match factor.power > 0 {
                        true => self.reciprocal(pool, factor.expr),
                        false => None,
                    };
                    let expr = match found {
                        Some((expr, scale)) => {
                            scales.push(Factor {
                                expr: scale,
                                ..factor
                            });
                            expr
                        }
                        None => self.scaled(pool, factor.expr),
                    };
                    inside.push(Factor { expr, ..factor });
                }
                let inside = pool.add(Expr::Product(inside), element);
                product(pool, inside, scales)
            }
            _ => pool.map_operands(expr, &mut |pool, operand| self.scaled(pool, operand)),
        };
        self.known.insert(expr, result);
        result
    }

    /// A reciprocal that is scaled, and the power of two that it is to be multiplied by.
    fn reciprocal(&mut self, pool: &mut Pool, expr: ExprId) -> Option<(ExprId, ExprId)> {
        if self.risky.contains_key(&expr) {
            return Some(self.with_scale(pool, expr));
        }
        if let Expr::Access(access) = pool.get(expr) {
            let (array, places) = self.temporaries.get(&access.array)?;
            let subscripts = places.iter().map(|at| access.subscripts[*at].clone());
            let subscripts = subscripts.collect();
            let scale = Expr::Access(Access {
                array: *array,
                subscripts,
            });
            let element = pool.element(expr);
            return Some((expr, pool.add(scale, element)));
        }
        let Expr::Product(factors) = pool.get(expr).clone() else {
            return None;
        };
        let (mut inside, mut scales) = (Vec::new(), Vec::new());
        for factor in factors {
            if factor.power < 0 {
                return None;
            }
            if self.numbers.contains(&factor.expr) {
                inside.push(factor);
                continue;
            }
            let (own, scale) = self.reciprocal(pool, factor.expr)?;
            inside.push(Factor {
                expr: own,
                ..factor
            });
            scales.push(Factor {
                expr: scale,
                ..factor
            });
        }
        let element = pool.element(expr);
        let scale = match scales.as_slice() {
            [] => return None,
            [Factor { expr, power: 1 }] => *expr,
            _ => pool.add(Expr::Product(scales), element),
        };
        Some((pool.add(Expr::Product(inside), element), scale))
    }
}

/// The array that keeps a power of two already, and which of an equation's subscripts it has.
fn kept_as(pool: &Pool, equation: &Equation, scale: ExprId) -> Option<(ArrayId, Vec<usize>)> {
    let Expr::Access(access) = pool.get(scale) else {
        return None;
    };
    let place = |subscript: &Affine| {
        let index = subscript.as_index()?;
        equation.free.iter().position(|free| *free == index)
    };
    let places = access.subscripts.iter().map(place).collect::<Option<_>>()?;
    Some((access.array, places))
}

/// A product that is multiplied by powers of two in the end.
fn product(pool: &mut Pool, inside: ExprId, mut scales: Vec<Factor>) -> ExprId {
    if scales.is_empty() {
        return inside;
    }
    let element = pool.element(inside);
    scales.insert(
        0,
        Factor {
            expr: inside,
            power: 1,
        },
    );
    pool.add(Expr::Product(scales), element)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;

    fn after(equations: &str) -> String {
        let text = format!(
            "program p\nindex e: len(x)\nindex i: 9\nparam 0 d: f64[len(x)]\nparam 1 x: f64[len(x), 9]\n\
             output 2 y: f64[len(x), 9]\ntemp r: f64[len(x)]\n{equations}"
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
