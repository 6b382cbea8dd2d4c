//! Integers that are cut off at the ends of an unsigned type, by operations that stay inside of it.
//!
//! ```text
//! min(255, a + b)   a + min(b, 255 - a)
//! max(0, a - b)     a - min(a, b)
//! abs(a - b)        max(a, b) - min(a, b)
//! ```

use super::Values;
use super::values::constant;
use crate::collections::HashMap;
use crate::ir::{Element, Expr, ExprId, Program, Term, map_operands};
use crate::number::Number;
use crate::syntax::ast::Elementary;

/// The program where operands that are between zero and a largest value are combined inside of that; `None` if none are.
///
/// Holds: all values are the same.
pub fn inside(
    program: &Program,
    (exprs, values): (&[ExprId], &HashMap<ExprId, Values>),
    most: i128,
) -> Option<Program> {
    let mut result = program.clone();
    let mut known: HashMap<ExprId, ExprId> = HashMap::default();
    let mut held: HashMap<ExprId, Values> = HashMap::default();
    let mut any = false;
    for expr in exprs {
        let mut found = Inside {
            program: &mut result,
            held: &held,
            known: &known,
            most,
        };
        let new = match found.of(*expr) {
            Some(new) => new,
            None => {
                let mut node = program.pool.get(*expr).clone();
                map_operands(&mut node, &mut |operand| known[&operand]);
                result.pool.add(node, program.pool.element(*expr))
            }
        };
        any |= new != *expr;
        known.insert(*expr, new);
        held.insert(new, values[expr]);
    }
    for equation in &mut result.equations {
        equation.expr = known[&equation.expr];
    }
    any.then_some(result)
}

struct Inside<'a> {
    program: &'a mut Program,
    /// What the expressions before became.
    known: &'a HashMap<ExprId, ExprId>,
    /// The values of these.
    held: &'a HashMap<ExprId, Values>,
    most: i128,
}

impl Inside<'_> {
    /// What an expression becomes that combines operands inside of the values.
    fn of(&mut self, expr: ExprId) -> Option<ExprId> {
        let element = self.program.pool.element(expr);
        let Expr::Call(function, operands) = self.program.pool.get(expr).clone() else {
            return None;
        };
        let operands: Vec<ExprId> = operands.iter().map(|operand| self.known[operand]).collect();
        let cut = |operand: &ExprId| constant(self.program, *operand);
        let end = operands.iter().find_map(cut);
        let other = *operands.iter().find(|operand| cut(operand).is_none())?;
        let (least, largest) = self.held[&other];
        match (function, end, operands.len()) {
            (Elementary::Max, Some(cut), 2) if least >= cut => Some(other),
            (Elementary::Min, Some(cut), 2) if largest <= cut => Some(other),
            (Elementary::Min, Some(cut), 2) if cut == self.most => {
                let [a, b] = self.two(other, Number::ONE)?;
                let most = self
                    .program
                    .pool
                    .constant(Number::from_integer(self.most), element);
                let left = self.sum(most, (a, -Number::ONE), element);
                let b = self.call(Elementary::Min, [b, left], element);
                Some(self.sum(a, (b, Number::ONE), element))
            }
            (Elementary::Max, Some(0), 2) => {
                let [a, b] = self.two(other, -Number::ONE)?;
                let b = self.call(Elementary::Min, [a, b], element);
                Some(self.sum(a, (b, -Number::ONE), element))
            }
            (Elementary::Abs, ..) => {
                let [a, b] = self.two(operands[0], -Number::ONE)?;
                let most = self.call(Elementary::Max, [a, b], element);
                let least = self.call(Elementary::Min, [a, b], element);
                Some(self.sum(most, (least, -Number::ONE), element))
            }
            _ => None,
        }
    }

    /// The two terms of a sum, both inside of the values, of which the second has a coefficient.
    fn two(&self, expr: ExprId, second: Number) -> Option<[ExprId; 2]> {
        let Expr::Sum(terms) = self.program.pool.get(expr) else {
            return None;
        };
        let [a, b] = terms.as_slice() else {
            return None;
        };
        let [a, b] = if a.coefficient.is_one() {
            [a, b]
        } else {
            [b, a]
        };
        let fits = |term: &Term| {
            let values = self.held.get(&term.expr);
            values.is_some_and(|(least, largest)| *least >= 0 && *largest <= self.most)
        };
        let own = a.coefficient.is_one() && b.coefficient == second;
        (own && fits(a) && fits(b)).then_some([a.expr, b.expr])
    }

    fn sum(&mut self, a: ExprId, (b, coefficient): (ExprId, Number), element: Element) -> ExprId {
        let first = Term {
            coefficient: Number::ONE,
            expr: a,
        };
        let second = Term {
            coefficient,
            expr: b,
        };
        self.program
            .pool
            .add(Expr::Sum(vec![first, second]), element)
    }

    fn call(&mut self, function: Elementary, operands: [ExprId; 2], element: Element) -> ExprId {
        let call = Expr::Call(function, operands.to_vec());
        self.program.pool.add(call, element)
    }
}
