//! What conversions of integers take, in micro-operations of a vector.

use crate::ir::{Access, Element, Expr, ExprId, Program};
use crate::syntax::ast::IntegerType;

/// Arithmetic and shuffles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Conversion {
    /// Arithmetic.
    pub arithmetic: f64,
    /// Shuffles.
    pub shuffles: f64,
}

/// The element of an array, or the parameter, that an integer is but for conversions.
pub fn read(program: &Program, expr: ExprId) -> Option<&Access> {
    match program.pool.get(expr) {
        Expr::Access(access) => {
            let integers = program.array(access.array).element.is_integer();
            integers.then_some(access)
        }
        Expr::Cast(Element::Integer(_), operand) => read(program, *operand),
        _ => None,
    }
}

/// The arithmetic of a conversion of what was computed: where numbers become integers, what is no number, or too large,
/// is seen to.
pub fn of_computed(program: &Program, operand: ExprId, to: Element) -> f64 {
    let rounds = to.as_word().is_some() && program.pool.element(operand).as_word().is_none();
    if rounds { 5.0 } else { 1.0 }
}

/// The conversion of lanes of integers that were read from neighbours, without the load; that of
/// narrow ones into wider lanes is taken to be part of the first conversion.
pub fn conversion(from: IntegerType, to: Element, loaded: bool) -> Conversion {
    // What is computed with stands in lanes like those of integers in memory.
    let to = match to {
        Element::Word(ty) if ty.bits() < 32 => {
            let widened = loaded && from.bits() < ty.bits();
            return Conversion {
                arithmetic: 0.0,
                shuffles: f64::from(u8::from(widened)),
            };
        }
        Element::Word(ty) => Element::Integer(ty),
        other => other,
    };
    let mut result = match (from.bits(), to) {
        (64, Element::Integer(to)) if to.bits() < 64 => Conversion {
            arithmetic: 0.0,
            shuffles: 1.0,
        },
        (_, Element::Integer(to)) if to.bits() == 64 && from.bits() < 64 => Conversion {
            arithmetic: 0.0,
            shuffles: 1.0,
        },
        // Shifts, or a mask.
        (_, Element::Integer(to)) if to.bits() < 32 => Conversion {
            arithmetic: 2.0,
            shuffles: 0.0,
        },
        (_, Element::Integer(_)) => Conversion::default(),
        // With AVX2 the halves of what no instruction converts are numbers by themselves.
        (64, Element::F32) => Conversion {
            arithmetic: 13.0,
            shuffles: 1.0,
        },
        (64, _) => Conversion {
            arithmetic: 6.0,
            shuffles: 0.0,
        },
        (32, Element::F32) if !from.is_signed() => Conversion {
            arithmetic: 5.0,
            shuffles: 0.0,
        },
        (32, _) if !from.is_signed() => Conversion {
            arithmetic: 2.0,
            shuffles: 1.0,
        },
        (_, Element::F32) => Conversion {
            arithmetic: 1.0,
            shuffles: 0.0,
        },
        // Into registers of twice the size.
        _ => Conversion {
            arithmetic: 1.0,
            shuffles: 1.0,
        },
    };
    if loaded && from.bits() < 32 {
        result.shuffles += 1.0;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_integers_take_less_than_wide_ones() {
        let cost = |from, to| {
            let Conversion {
                arithmetic,
                shuffles,
            } = conversion(from, to, true);
            arithmetic + shuffles
        };
        assert_eq!(cost(IntegerType::U8, Element::F32), 2.0);
        assert_eq!(cost(IntegerType::I32, Element::F64), 2.0);
        assert!(cost(IntegerType::U32, Element::F32) > cost(IntegerType::U16, Element::F32));
        assert!(cost(IntegerType::I64, Element::F32) > cost(IntegerType::I64, Element::F64));
    }
}
