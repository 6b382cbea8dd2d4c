//! Numbers of a plan that stand there with their image in the field.
//!
//! A number that no short text is, `0.1 + 3 * 0.7` say, is printed as a value and an image, and nothing says that the one
//! belongs to the other: the value is emitted, and the image is compared. So the pair has to be one of the kernel's.

use crate::collections::HashSet;
use crate::ir::{Expr, Program, Role, text};
use crate::number::Number;

/// A number of a plan's program, with an image of its own, that none of the kernel's programs has.
pub fn unknown(kernel: &[&Program], plan: &Program) -> Option<String> {
    let own = numbers(plan).into_iter().map(absolute);
    let mut own: Vec<Number> = own.filter(|number| text::has_image(*number)).collect();
    if own.is_empty() {
        return None;
    }
    let known = kernel.iter().flat_map(|program| numbers(program));
    let known: HashSet<_> = known.map(|number| absolute(number).key()).collect();
    own.retain(|number| !known.contains(&number.key()));
    own.first().map(|number| text::number(*number))
}

/// Numbers are printed behind their sign.
fn absolute(number: Number) -> Number {
    match number.to_f64().is_sign_negative() {
        true => -number,
        false => number,
    }
}

/// The numbers of expressions and tables.
fn numbers(program: &Program) -> Vec<Number> {
    let mut result = Vec::new();
    for expr in program.reachable() {
        match program.pool.get(expr) {
            Expr::Constant(number) => result.push(*number),
            Expr::Sum(terms) => result.extend(terms.iter().map(|term| term.coefficient)),
            _ => {}
        }
    }
    for array in program.arrays.iter() {
        if let Role::Table(values) = &array.role {
            result.extend(values.iter().copied());
        }
    }
    result
}
