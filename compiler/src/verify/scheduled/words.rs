//! Integers that are computed with, while a program is interpreted.
//!
//! They are what Rust's wrapping operations make of them: their bits stand where others have elements of the
//! field.

use super::Result;
use crate::ir::{Combining, Element, Expr, ExprId, Program};
use crate::number::{Field, Number};
use crate::syntax::ast::{Elementary, IntegerMethod, IntegerType};
use crate::verify::uninterpreted;

/// The integer of a type that a value is.
fn integer(ty: IntegerType, value: Field) -> i128 {
    ty.truncated(value.value().into())
}

/// The value that an integer is.
fn carried(integer: i128) -> Field {
    Field::carrying(integer as u64)
}

/// An integer as arrays of a type have it.
pub fn loaded(element: Element, integer: i128) -> Field {
    match element {
        Element::Word(ty) | Element::Integer(ty) => carried(ty.truncated(integer)),
        _ => Field::from_i128(integer),
    }
}

/// A number as arrays of a type have it.
pub fn known(element: Element, number: Number) -> Field {
    match element {
        Element::Word(_) => loaded(element, number.to_integer()),
        _ => number.field(),
    }
}

/// Two values combined.
pub fn combined(element: Element, combining: Combining, a: Field, b: Field) -> Field {
    let (Element::Word(ty) | Element::Integer(ty)) = element else {
        return combining.combined(a, b);
    };
    let (l, r) = (integer(ty, a), integer(ty, b));
    loaded(
        element,
        match combining {
            Combining::Add => l + r,
            Combining::Multiply => l.wrapping_mul(r),
            Combining::Min | Combining::Lesser => l.min(r),
            Combining::Max | Combining::Greater => l.max(r),
        },
    )
}

/// What changes nothing that it is combined with.
pub fn identity(element: Element, combining: Combining) -> Field {
    let (Element::Word(ty) | Element::Integer(ty)) = element else {
        return combining.field_identity();
    };
    let (least, most) = ty.range();
    carried(match combining {
        Combining::Add => 0,
        Combining::Multiply => 1,
        Combining::Min | Combining::Lesser => most,
        Combining::Max | Combining::Greater => least,
    })
}

/// A value as it stands in memory.
pub fn stored(element: Element, value: Field) -> i128 {
    match element {
        Element::Integer(ty) | Element::Word(ty) => integer(ty, value),
        _ => value.value().into(),
    }
}

/// The value of a sum, a product, a function or a comparison, `of` which are given.
pub fn value(
    ty: IntegerType,
    expr: &Expr,
    of: &mut dyn FnMut(ExprId) -> Result<Field>,
) -> Result<Option<Field>> {
    Ok(Some(match expr {
        Expr::Constant(number) => known(Element::Word(ty), *number),
        Expr::Sum(terms) => {
            let terms = terms
                .iter()
                .map(|term| Ok((term.coefficient, of(term.expr)?)));
            sum(ty, &terms.collect::<Result<Vec<_>>>()?)
        }
        Expr::Product(factors) => {
            let factors = factors
                .iter()
                .map(|factor| Ok((factor.power, of(factor.expr)?)));
            product(ty, &factors.collect::<Result<Vec<_>>>()?)?
        }
        Expr::Call(function, operands) => {
            let operands = operands.iter().map(|operand| of(*operand));
            call(ty, *function, &operands.collect::<Result<Vec<_>>>()?)?
        }
        Expr::Compare(operator, l, r) => {
            let (l, r) = (integer(ty, of(*l)?), integer(ty, of(*r)?));
            match uninterpreted::ordered(*operator, l.cmp(&r)) {
                true => Field::ONE,
                false => Field::ZERO,
            }
        }
        _ => return Ok(None),
    }))
}

/// A sum of multiples.
fn sum(ty: IntegerType, terms: &[(Number, Field)]) -> Field {
    let terms = terms.iter().map(|(factor, value)| {
        let factor = ty.truncated(factor.to_integer());
        ty.truncated(factor.wrapping_mul(integer(ty, *value)))
    });
    carried(terms.fold(0, |sum, term| ty.truncated(sum + term)))
}

/// A product; no integer is divided by another one.
fn product(ty: IntegerType, factors: &[(i32, Field)]) -> Result<Field> {
    let mut product = 1i128;
    for (power, value) in factors {
        let times = u32::try_from(*power).map_err(|_| "a quotient of integers".to_owned())?;
        for _ in 0..times {
            product = ty.truncated(product.wrapping_mul(integer(ty, *value)));
        }
    }
    Ok(carried(product))
}

/// A conversion.
pub fn converted(program: &Program, (to, of): (Element, ExprId), value: Field) -> Option<Field> {
    let from = match program.pool.element(of) {
        Element::Integer(ty) | Element::Word(ty) => ty,
        _ => return None,
    };
    let integer = integer(from, value);
    Some(match to {
        Element::Integer(to) | Element::Word(to) => carried(to.truncated(integer)),
        _ => Field::from_i128(integer),
    })
}

/// A function of integers.
fn call(ty: IntegerType, function: Elementary, values: &[Field]) -> Result<Field> {
    let values: Vec<i128> = values.iter().map(|value| integer(ty, *value)).collect();
    let (l, r) = match values.as_slice() {
        [l] => (*l, 0),
        [l, r] => (*l, *r),
        _ => (0, 0),
    };
    let by = u32::try_from(r).ok().filter(|by| *by < ty.bits());
    let value = match function {
        Elementary::Min | Elementary::Lesser => values.iter().min().copied(),
        Elementary::Max | Elementary::Greater => values.iter().max().copied(),
        Elementary::Abs => Some(l.abs()),
        Elementary::Bits(IntegerMethod::ShiftRight) => by.map(|by| l >> by),
        Elementary::Bits(IntegerMethod::And) => Some(l & r),
        Elementary::Bits(IntegerMethod::Or) => Some(l | r),
        Elementary::Bits(IntegerMethod::ExclusiveOr) => Some(l ^ r),
        Elementary::Bits(method) if method.counts_bits() => Some(ty.counted(method, l)),
        Elementary::Bits(IntegerMethod::DivEuclid) => l.checked_div_euclid(r),
        Elementary::Bits(IntegerMethod::RemEuclid) => l.checked_rem_euclid(r),
        _ => None,
    };
    let value = value.ok_or("a function that integers do not have")?;
    Ok(carried(ty.truncated(value)))
}
