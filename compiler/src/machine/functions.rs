//! What functions take.

use crate::syntax::ast::{Elementary, IntegerMethod};

/// Cycles that a function of the standard library takes for one number: 15 to 50 of those measured by
/// `cargo bench --bench elementary`.
pub const CALL: f64 = 20.0;

/// Arithmetic operations and divisions that an elementary function of a register of `f64` takes: twice the cycles
/// that AVX2 took on Zen 4, the division left out (`cargo bench --bench elementary`); `None` where the run time has
/// no such function of registers.
#[must_use]
pub fn elementary(function: Elementary) -> Option<(f64, f64)> {
    Some(match function {
        Elementary::Exp | Elementary::ExpM1 => (54.0, 0.0),
        Elementary::Exp2 => (46.0, 0.0),
        Elementary::Ln => (72.0, 1.0),
        Elementary::Log2 | Elementary::Log10 => (86.0, 1.0),
        Elementary::Ln1p => (96.0, 1.0),
        Elementary::Sin | Elementary::Cos => (60.0, 0.0),
        Elementary::Tan => (64.0, 1.0),
        Elementary::Sinh | Elementary::Cosh | Elementary::Tanh => (58.0, 1.0),
        Elementary::Asin | Elementary::Acos => (46.0, 1.0),
        Elementary::Atan => (52.0, 1.0),
        Elementary::Atan2 => (84.0, 1.0),
        Elementary::Powf => (228.0, 1.0),
        Elementary::Cbrt => (100.0, 0.0),
        Elementary::Hypot => (28.0, 1.0),
        _ => return None,
    })
}

/// Instructions that a function takes on a register, of those that are a few of them.
#[must_use]
pub fn instructions(function: Elementary, operands: usize) -> Option<f64> {
    Some(match function {
        Elementary::Min | Elementary::Max => 2.0 * operands.saturating_sub(1) as f64,
        Elementary::Abs
        | Elementary::MulAdd
        | Elementary::Floor
        | Elementary::Ceil
        | Elementary::Trunc
        | Elementary::RoundTiesEven
        | Elementary::Copysign => 2.0,
        Elementary::Lesser | Elementary::Greater => 1.0,
        Elementary::Bits(method) => match method {
            IntegerMethod::DivEuclid | IntegerMethod::RemEuclid => return None,
            // One instruction of AVX-512, and about ten of AVX2.
            counting if counting.counts_bits() => 4.0,
            _ => 1.0,
        },
        Elementary::Round | Elementary::Signum => 4.0,
        _ => return None,
    })
}
