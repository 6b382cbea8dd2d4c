//! Elementary functions in the prime field: algebraic ones as they are, all others as hashes of
//! their arguments, so that equal arguments, and no others, have equal values.

use crate::number::Field;
use crate::syntax::ast::{CompareOperator, Elementary};

/// The value of a function. Arguments that are missing count as zero.
pub fn apply(function: Elementary, arguments: &[Field]) -> Field {
    let argument = |at: usize| arguments.get(at).copied().unwrap_or(Field::ZERO);
    let tag = match function {
        Elementary::Min => return argument(0).min(argument(1)),
        Elementary::Max => return argument(0).max(argument(1)),
        Elementary::MulAdd => return argument(0) * argument(1) + argument(2),
        Elementary::Recip => return argument(0).inverse(),
        Elementary::Powi(n) => return power(argument(0), n),
        Elementary::Abs => 1,
        Elementary::Sqrt => 2,
        Elementary::Exp => 3,
        Elementary::Ln => 4,
        Elementary::Sin => 5,
        Elementary::Cos => 6,
        Elementary::Tan => 7,
        Elementary::Tanh => 8,
        Elementary::Floor => 9,
        Elementary::Ceil => 10,
        Elementary::Powf => 11,
        Elementary::Pure(at) => 12 + at as u64,
    };
    arguments
        .iter()
        .fold(Field::from_u64(tag), |hash, argument| {
            (hash + *argument).hashed(tag)
        })
}

/// A power; a negative one of zero is zero.
pub fn power(base: Field, exponent: i32) -> Field {
    let result = base.pow(u64::from(exponent.unsigned_abs()));
    if exponent < 0 {
        result.inverse()
    } else {
        result
    }
}

/// A comparison, by the representatives' order.
pub fn compare(operator: CompareOperator, a: Field, b: Field) -> bool {
    ordered(operator, a.value().cmp(&b.value()))
}

/// Whether a comparison holds, given how its sides are ordered.
pub fn ordered(operator: CompareOperator, order: std::cmp::Ordering) -> bool {
    match operator {
        CompareOperator::Less => order.is_lt(),
        CompareOperator::LessEqual => order.is_le(),
        CompareOperator::Greater => order.is_gt(),
        CompareOperator::GreaterEqual => order.is_ge(),
        CompareOperator::Equal => order.is_eq(),
        CompareOperator::NotEqual => order.is_ne(),
    }
}
