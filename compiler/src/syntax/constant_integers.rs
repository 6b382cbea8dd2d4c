//! Arithmetic on constants that are integers.

use super::Parsed;
use super::ast::ScalarType;
use super::constants::{checked_integer, refused};
use crate::diagnostics::Fault;
use crate::number::Number;

/// An operation on integers of a type, which must hold the result.
pub(super) fn constant_operation(
    binary: &syn::ExprBinary,
    (l, r): (Number, Number),
    element: ScalarType,
) -> Parsed<Number> {
    let (l, r) = (l.to_integer(), r.to_integer());
    let bits = match element {
        ScalarType::Integer(ty) => ty.bits(),
        _ => 0,
    };
    let shift = u32::try_from(r).ok().filter(|by| *by < bits);
    let value = match (binary.op, shift) {
        (syn::BinOp::Add(_), _) => l + r,
        (syn::BinOp::Sub(_), _) => l - r,
        (syn::BinOp::Mul(_), _) => l.saturating_mul(r),
        (syn::BinOp::Div(_) | syn::BinOp::Rem(_), _) if r == 0 => {
            let help = "divide by an integer that is not zero";
            return Err(Fault::on(binary, "a division by zero", help));
        }
        (syn::BinOp::Div(_), _) => l / r,
        (syn::BinOp::Rem(_), _) => l % r,
        (syn::BinOp::BitAnd(_), _) => l & r,
        (syn::BinOp::BitOr(_), _) => l | r,
        (syn::BinOp::BitXor(_), _) => l ^ r,
        (syn::BinOp::Shr(_), Some(by)) => l >> by,
        (syn::BinOp::Shl(_), Some(by)) => match element {
            ScalarType::Integer(ty) => ty.truncated(l << by),
            _ => l << by,
        },
        _ => {
            let message = "this operator has no meaning in a constant";
            return Err(refused(&syn::Expr::Binary(binary.clone()), message));
        }
    };
    let value = Number::from_integer(value.clamp(-(1 << 100), 1 << 100));
    checked_integer(value, binary, element)
}
