//! Operations of calls.

use super::ast::Elementary;
use super::cost::Operations;

/// What a function takes besides its arguments.
pub fn of_call(function: Elementary) -> Operations {
    let mut result = Operations::default();
    match function {
        Elementary::Abs => {}
        Elementary::Min | Elementary::Max | Elementary::Lesser | Elementary::Greater => {
            result.compare += 1;
        }
        Elementary::MulAdd => {
            result.add += 1;
            result.mul += 1;
        }
        Elementary::Recip => result.div += 1,
        Elementary::Powi(n) => {
            result.mul += u64::from(n.unsigned_abs().saturating_sub(1));
            result.div += u64::from(n < 0);
        }
        _ => result.call += 1,
    }
    result
}
