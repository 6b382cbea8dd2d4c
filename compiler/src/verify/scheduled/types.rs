//! The types of what is computed: in the prime field `f32` and `f64` are alike, in Rust they are not.

use crate::ir::{Element, Expr, ExprId, Program};

/// Whether operands have the types of what is computed from them, and values those of their targets.
///
/// # Errors
/// The first equation where they differ.
pub fn check(program: &Program) -> Result<(), String> {
    let pool = &program.pool;
    for equation in &program.equations {
        let array = program.array(equation.target.array);
        if pool.element(equation.expr) != array.element {
            return Err(format!("`{}` is assigned another type", array.name));
        }
    }
    let mixed = |expr: &ExprId| operands(program, *expr).any(|of| of != pool.element(*expr));
    match program.reachable().iter().any(mixed) {
        true => Err("numbers of two types are mixed without a conversion".to_owned()),
        false => Ok(()),
    }
}

/// The types that must be an expression's own.
fn operands(program: &Program, expr: ExprId) -> impl Iterator<Item = Element> {
    let pool = &program.pool;
    let same = match pool.get(expr) {
        Expr::Constant(_) => Vec::new(),
        Expr::Access(access) => return vec![program.array(access.array).element].into_iter(),
        Expr::Cast(to, _) => return vec![*to].into_iter(),
        Expr::Select(_, then, otherwise) => vec![*then, *otherwise],
        Expr::Sum(_) | Expr::Product(_) | Expr::Call(..) | Expr::Compare(..) => pool.operands(expr),
    };
    let elements: Vec<Element> = same.into_iter().map(|e| pool.element(e)).collect();
    elements.into_iter()
}
