//! Integers as Rust computes with them.
//!
//! Lowering has its own idea of all this, which shares nothing with this one. What panics in a debug
//! build and wraps around in a release build has no value here: on such inputs the text is not
//! compared with anything.

use super::Result;
use crate::syntax::ast::{BinaryOperator, IntegerMethod, IntegerType};

/// `l operator r`.
pub fn arithmetic(operator: BinaryOperator, ty: IntegerType, l: i128, r: i128) -> Result<i128> {
    match operator {
        BinaryOperator::Add => checked(ty, l + r),
        BinaryOperator::Subtract => checked(ty, l - r),
        BinaryOperator::Multiply => checked(ty, l.checked_mul(r).ok_or(OVERFLOWS)?),
        BinaryOperator::Divide => checked(ty, l.checked_div(r).ok_or(BY_ZERO)?),
        BinaryOperator::Remainder => {
            checked(ty, l.checked_div(r).ok_or(BY_ZERO)?)?;
            Ok(l % r)
        }
    }
}

/// A method, or an operator that only integers have. The first operand is of type `ty`.
pub fn method(method: IntegerMethod, ty: IntegerType, operands: &[i128]) -> Result<i128> {
    let (l, r) = match *operands {
        [l] => (l, 0),
        [l, r] => (l, r),
        _ => return Err("an integer has no method of that many operands".to_owned()),
    };
    match method {
        IntegerMethod::WrappingAdd => Ok(wrapped(ty, l + r)),
        IntegerMethod::WrappingSub => Ok(wrapped(ty, l - r)),
        IntegerMethod::WrappingMul => Ok(wrapped(ty, l.wrapping_mul(r))),
        IntegerMethod::WrappingNeg => Ok(wrapped(ty, -l)),
        IntegerMethod::SaturatingAdd => Ok(saturated(ty, l + r)),
        IntegerMethod::SaturatingSub => Ok(saturated(ty, l - r)),
        IntegerMethod::SaturatingMul => Ok(saturated(ty, l.saturating_mul(r))),
        IntegerMethod::Min => Ok(l.min(r)),
        IntegerMethod::Max => Ok(l.max(r)),
        IntegerMethod::Abs => checked(ty, l.abs()),
        IntegerMethod::Power => power(ty, l, r),
        IntegerMethod::DivEuclid => checked(ty, l.checked_div_euclid(r).ok_or(BY_ZERO)?),
        IntegerMethod::RemEuclid => {
            checked(ty, l.checked_div_euclid(r).ok_or(BY_ZERO)?)?;
            Ok(l.rem_euclid(r))
        }
        IntegerMethod::Within if (0..r).contains(&l) => Ok(l),
        IntegerMethod::Within => Err(format!("{l} is out of range, below {r}")),
        IntegerMethod::Not => Ok(wrapped(ty, !l)),
        IntegerMethod::Ones => Ok(bits(ty, l).filter(|one| *one).count() as i128),
        IntegerMethod::LeadingZeros => Ok(bits(ty, l).rev().take_while(|one| !one).count() as i128),
        IntegerMethod::TrailingZeros => Ok(bits(ty, l).take_while(|one| !one).count() as i128),
        IntegerMethod::And => Ok(l & r),
        IntegerMethod::Or => Ok(l | r),
        IntegerMethod::ExclusiveOr => Ok(l ^ r),
        IntegerMethod::ShiftLeft | IntegerMethod::ShiftRight => {
            let by = u32::try_from(r).ok().filter(|by| *by < ty.bits());
            let by = by.ok_or("an integer is shifted by more than its bits")?;
            Ok(match method {
                IntegerMethod::ShiftLeft => wrapped(ty, l << by),
                _ => l >> by,
            })
        }
    }
}

/// `-value`.
pub fn negated(ty: IntegerType, value: i128) -> Result<i128> {
    checked(ty, -value)
}

/// `value as ty`: its lowest bits.
pub fn wrapped(ty: IntegerType, value: i128) -> i128 {
    let values = 1i128 << ty.bits();
    let low = value.rem_euclid(values);
    match ty.holds(low) {
        true => low,
        false => low - values,
    }
}

/// The bits of an integer, the lowest one first.
fn bits(ty: IntegerType, value: i128) -> impl DoubleEndedIterator<Item = bool> {
    (0..ty.bits() as usize).map(move |at| value >> at & 1 == 1)
}

const OVERFLOWS: &str = "integer arithmetic overflows";
const BY_ZERO: &str = "a division of integers by zero";

fn checked(ty: IntegerType, value: i128) -> Result<i128> {
    match ty.holds(value) {
        true => Ok(value),
        false => Err(OVERFLOWS.to_owned()),
    }
}

pub fn saturated(ty: IntegerType, value: i128) -> i128 {
    let (least, most) = ty.range();
    value.clamp(least, most)
}

fn power(ty: IntegerType, base: i128, exponent: i128) -> Result<i128> {
    match base {
        0 | 1 if exponent > 0 => Ok(base),
        -1 => Ok(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => (0..exponent).try_fold(1_i128, |power, _| {
            checked(ty, power.checked_mul(base).ok_or(OVERFLOWS)?)
        }),
    }
}
