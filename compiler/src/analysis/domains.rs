//! Sums whose rounding errors must not take a value out of the domain of a function.
//!
//! The text's `(x * x - y * y).sqrt()` is 0 where x is y. Contracted to a fused multiply-add, the
//! difference is the rounding error of one of the squares, and its root may be NaN. So products are not
//! contracted into sums that reach the argument of a function without a value below zero, but for
//! sums of what is never negative.

use crate::collections::{HashMap, HashSet};
use crate::ir::{ArrayId, Expr, ExprId, Factor, Program, Role};
use crate::syntax::ast::Elementary;

/// What reaches the argument of a function that has no value below zero.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// Sums.
    pub sums: HashSet<ExprId>,
    /// Arrays that are written, to which sums may be added.
    pub arrays: HashSet<ArrayId>,
}

impl Arguments {
    /// Those of a program.
    pub fn of(program: &Program) -> Arguments {
        let mut found = Arguments::default();
        let mut stack = Vec::new();
        for expr in program.reachable() {
            if let Expr::Call(function, arguments) = program.pool.get(expr)
                && is_bounded_below(*function)
            {
                stack.extend(arguments.first());
            }
        }
        let mut natural = Natural {
            program,
            known: HashMap::default(),
            arrays: HashMap::default(),
        };
        let mut seen = HashSet::default();
        while let Some(expr) = stack.pop() {
            if !seen.insert(expr) || natural.is(expr) {
                continue;
            }
            match program.pool.get(expr) {
                Expr::Sum(terms) => {
                    found.sums.insert(expr);
                    stack.extend(terms.iter().map(|term| term.expr));
                }
                Expr::Product(_) | Expr::Call(..) | Expr::Cast(..) => {
                    stack.extend(program.pool.operands(expr));
                }
                Expr::Select(_, then, otherwise) => stack.extend([*then, *otherwise]),
                Expr::Access(access) => {
                    let array = program.viewed(access.array);
                    let values = values(program, array);
                    if !values.is_empty() && found.arrays.insert(array) {
                        stack.extend(values);
                    }
                }
                Expr::Constant(_) | Expr::Compare(..) => {}
            }
        }
        found
    }

    /// Whether products that are added to an array stay products.
    pub fn reached_by(&self, program: &Program, array: ArrayId) -> bool {
        self.arrays.contains(&program.viewed(array))
    }
}

/// Whether a function has no value at its argument if that is negative.
fn is_bounded_below(function: Elementary) -> bool {
    use Elementary::{Ln, Log2, Log10, Powf, Sqrt};
    matches!(function, Sqrt | Ln | Log2 | Log10 | Powf)
}

/// What is written to an array.
fn values(program: &Program, array: ArrayId) -> Vec<ExprId> {
    let writers = program.equations.iter();
    let writers = writers.filter(|equation| program.viewed(equation.target.array) == array);
    writers.map(|equation| equation.expr).collect()
}

/// Which values are never below zero, however they are rounded.
struct Natural<'a> {
    program: &'a Program,
    known: HashMap<ExprId, bool>,
    /// Temporaries that were asked about: what is computed from itself may be anything.
    arrays: HashMap<ArrayId, bool>,
}

impl Natural<'_> {
    fn is(&mut self, expr: ExprId) -> bool {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let found = self.look(expr);
        self.known.insert(expr, found);
        found
    }

    fn all(&mut self, exprs: &[ExprId]) -> bool {
        exprs.iter().all(|expr| self.is(*expr))
    }

    fn look(&mut self, expr: ExprId) -> bool {
        let program = self.program;
        match program.pool.get(expr) {
            Expr::Constant(number) => number.to_f64() >= 0.0,
            Expr::Sum(terms) => terms
                .iter()
                .all(|term| term.coefficient.to_f64() >= 0.0 && self.is(term.expr)),
            Expr::Product(factors) => {
                let mut factors = factors.clone();
                collect(&mut factors);
                factors.iter().all(|f| f.power % 2 == 0 || self.is(f.expr))
            }
            Expr::Call(
                Elementary::Abs
                | Elementary::Sqrt
                | Elementary::Exp
                | Elementary::Exp2
                | Elementary::Cosh
                | Elementary::Acos
                | Elementary::Hypot,
                _,
            ) => true,
            Expr::Call(Elementary::Max, arguments) => arguments.iter().any(|a| self.is(*a)),
            // Where a comparison with a NaN does not hold, it is the second one.
            Expr::Call(Elementary::Greater, arguments) => self.is(arguments[1]),
            Expr::Call(Elementary::Min | Elementary::Lesser, arguments) => self.all(arguments),
            Expr::Select(_, then, otherwise) => self.all(&[*then, *otherwise]),
            Expr::Cast(_, operand) => self.is(*operand),
            Expr::Access(access) => {
                let array = program.viewed(access.array);
                if let Some(known) = self.arrays.get(&array) {
                    return *known;
                }
                self.arrays.insert(array, false);
                let temporary = matches!(program.array(array).role, Role::Temporary);
                let found = temporary && self.all(&values(program, array));
                self.arrays.insert(array, found);
                found
            }
            _ => false,
        }
    }
}

/// Equal factors as powers.
fn collect(factors: &mut Vec<Factor>) {
    factors.sort_by_key(|factor| factor.expr);
    factors.dedup_by(|factor, before| {
        let same = factor.expr == before.expr;
        before.power += if same { factor.power } else { 0 };
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;

    /// How many sums, and temporaries, reach an argument.
    fn found(equations: &str) -> (usize, usize) {
        let text = format!(
            "program p\nindex e: len(x)\nindex q: 3\nparam 0 x: f64[len(x), 3]\n\
             output 1 y: f64[len(x)]\ntemp t: f64[len(x)]\n{equations}"
        );
        let arguments = Arguments::of(&parse(&text).unwrap());
        (arguments.sums.len(), arguments.arrays.len())
    }

    #[test]
    fn differences_in_arguments_are_found() {
        let one = |expr: &str| found(&format!("y[e] = {expr}   for e\n"));
        assert_eq!(one("sqrt(x[e, 0]^2 - x[e, 1]^2)"), (1, 0));
        assert_eq!(one("sqrt(x[e, 0] * x[e, 2] + x[e, 1]) + x[e, 2]"), (1, 0));
        assert_eq!(one("sqrt(x[e, 0]^2 + x[e, 1] * x[e, 1])"), (0, 0));
        assert_eq!(one("sqrt(max(x[e, 0]^2 - x[e, 1]^2, 0))"), (0, 0));
        assert_eq!(one("exp(x[e, 0]^2 - x[e, 1]^2)"), (0, 0));
    }

    #[test]
    fn temporaries_are_looked_into() {
        let through = |value: &str| {
            found(&format!(
                "t[e] = sum(q) {value}   for e\ny[e] = sqrt(t[e])   for e\n"
            ))
        };
        assert_eq!(through("x[e, q]^2"), (0, 0));
        assert_eq!(through("x[e, q] * x[e, 0]"), (0, 1));
    }
}
