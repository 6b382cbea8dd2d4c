//! Elementary functions of all lanes of a register: which there are in the run time, and what they take.

use crate::ir::{Element, Program};
use crate::syntax::ast::{Elementary, IntegerMethod};

/// Whether a value may differ from that of the standard library by some units in its last place.
pub fn has_lanes(program: &Program, function: Elementary) -> bool {
    !program.exact && double(function).is_some()
}

/// Arithmetic operations and divisions that a register of values takes.
pub fn cost(program: &Program, function: Elementary, element: Element) -> Option<(f64, f64)> {
    if let Elementary::Powi(power) = function {
        let products = 2.0 * f64::from(power.unsigned_abs().max(2).ilog2());
        return Some((products, f64::from(i32::from(power < 0))));
    }
    if program.exact {
        return None;
    }
    let (arithmetic, divisions) = double(function)?;
    // Lanes of `f32` are computed as two registers of `f64`, with polynomials of half as many terms.
    Some(match element {
        Element::F32 => (1.4 * arithmetic, 2.0 * divisions),
        _ => (arithmetic, divisions),
    })
}

/// The same for `f64`: twice the cycles that AVX2 took on Zen 4, the division left out
/// (`cargo bench --bench elementary`).
fn double(function: Elementary) -> Option<(f64, f64)> {
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
            _ => 1.0,
        },
        Elementary::Round | Elementary::Signum => 4.0,
        _ => return None,
    })
}
