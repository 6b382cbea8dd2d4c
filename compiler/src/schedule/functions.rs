//! Elementary functions of all lanes of a register: which there are in the run time, and what they take.

use crate::ir::{Element, Program};
use crate::machine::elementary;
use crate::syntax::ast::Elementary;

/// Whether a value may differ from that of the standard library by some units in its last place.
pub fn has_lanes(program: &Program, function: Elementary) -> bool {
    !program.exact && elementary(function).is_some()
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
    let (arithmetic, divisions) = elementary(function)?;
    // Lanes of `f32` are computed as two registers of `f64`, with polynomials of half as many terms.
    Some(match element {
        Element::F32 => (1.4 * arithmetic, 2.0 * divisions),
        _ => (arithmetic, divisions),
    })
}
