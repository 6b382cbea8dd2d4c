//! Operations of calls.

use super::Operations;
use crate::syntax::ast::{BinaryOperator, Elementary, IntegerMethod};

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
        Elementary::Bits(_) => result.add += 1,
        Elementary::Powi(n) => {
            result.mul += u64::from(n.unsigned_abs().saturating_sub(1));
            result.div += u64::from(n < 0);
        }
        _ => result.call += 1,
    }
    result
}

/// What a method of integers takes besides its operands, the second of which has this value if that is known.
pub fn of_method(method: IntegerMethod, second: Option<i64>) -> Operations {
    use IntegerMethod as M;
    let of = Operations::of;
    let clamped = |operator| Operations {
        compare: 2,
        ..of(operator)
    };
    match method {
        M::WrappingAdd | M::WrappingSub => of(BinaryOperator::Add),
        M::WrappingMul => of(BinaryOperator::Multiply),
        M::SaturatingAdd | M::SaturatingSub => clamped(BinaryOperator::Add),
        M::SaturatingMul => clamped(BinaryOperator::Multiply),
        M::DivEuclid | M::RemEuclid => of(BinaryOperator::Divide),
        M::Min | M::Max => of_call(Elementary::Min),
        // By a constant it is a product with a power of two.
        M::ShiftLeft if second.is_some() => of(BinaryOperator::Multiply),
        M::Not | M::And | M::Or | M::ExclusiveOr | M::ShiftLeft | M::ShiftRight => {
            of(BinaryOperator::Add)
        }
        M::Power => {
            let power = second.and_then(|power| i32::try_from(power).ok());
            of_call(Elementary::Powi(power.unwrap_or(2)))
        }
        M::Ones | M::LeadingZeros | M::TrailingZeros => of(BinaryOperator::Add),
        M::Abs | M::WrappingNeg | M::Within => Operations::default(),
    }
}
