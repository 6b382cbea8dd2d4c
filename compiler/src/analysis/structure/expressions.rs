//! What expressions are made of.

use super::Finder;
use crate::ir::{Element, Expr, ExprId, Program};
use crate::syntax::ast::Elementary;

impl Finder<'_> {
    /// Finds operations that do not exist, and those of the wrong types.
    pub(super) fn expressions(&mut self) {
        self.types();
        let program = self.program;
        let pool = &program.pool;
        for (expr, at) in self.used.clone() {
            let message = match pool.get(expr) {
                Expr::Product(factors) if factors.iter().any(|factor| factor.power == 0) => {
                    "a factor has the power 0".to_owned()
                }
                Expr::Call(function, operands) if !takes(program, *function, operands.len()) => {
                    format!("`{function:?}` has {} operands", operands.len())
                }
                Expr::Select(condition, ..) if !is_condition(program, *condition) => {
                    "a number is a condition".to_owned()
                }
                Expr::Constant(_) | Expr::Sum(_) | Expr::Product(_) | Expr::Call(..)
                    if pool.element(expr).is_integer() =>
                {
                    "an operation on integers".to_owned()
                }
                _ => match values(program, expr).any(|value| is_condition(program, value)) {
                    true => "a condition is a number".to_owned(),
                    false => continue,
                },
            };
            self.wrong(at, message);
        }
        for (at, equation) in program.equations.iter().enumerate() {
            if is_condition(program, equation.expr) {
                self.wrong(at, "a condition is a number".to_owned());
            }
        }
    }

    /// Finds numbers of two types without a conversion.
    pub(super) fn types(&mut self) {
        let program = self.program;
        let pool = &program.pool;
        for (at, equation) in program.equations.iter().enumerate() {
            let array = program.array(equation.target.array);
            if pool.element(equation.expr) != array.element {
                self.wrong(at, format!("`{}` is assigned another type", array.name));
            }
        }
        for (expr, at) in self.used.clone() {
            if operands(program, expr).any(|of| of != pool.element(expr)) {
                let message = "numbers of two types are mixed without a conversion";
                self.wrong(at, message.to_owned());
            }
        }
    }
}

fn takes(program: &Program, function: Elementary, count: usize) -> bool {
    match function {
        Elementary::Pure(at) => at < program.functions.len(),
        Elementary::Min | Elementary::Max => count > 1,
        function => function.operands() == Some(count),
    }
}

fn is_condition(program: &Program, expr: ExprId) -> bool {
    matches!(program.pool.get(expr), Expr::Compare(..))
}

/// The operands that are numbers.
fn values(program: &Program, expr: ExprId) -> impl Iterator<Item = ExprId> {
    let skipped = usize::from(matches!(program.pool.get(expr), Expr::Select(..)));
    program.pool.operands(expr).into_iter().skip(skipped)
}

/// The types that must be an expression's own.
fn operands(program: &Program, expr: ExprId) -> impl Iterator<Item = Element> {
    let pool = &program.pool;
    let same = match pool.get(expr) {
        Expr::Constant(_) => Vec::new(),
        Expr::Access(access) => return vec![program.array(access.array).element].into_iter(),
        Expr::Cast(to, _) => return vec![*to].into_iter(),
        Expr::Select(..) => values(program, expr).collect(),
        Expr::Sum(_) | Expr::Product(_) | Expr::Call(..) | Expr::Compare(..) => pool.operands(expr),
    };
    let elements: Vec<Element> = same.into_iter().map(|e| pool.element(e)).collect();
    elements.into_iter()
}
