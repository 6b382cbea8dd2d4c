//! Structs become the arrays of their numbers.

use super::access::{is_record, scalars};
use crate::syntax::ast::{Block, Expression, ExpressionKind, Function, Taken, Type};
use crate::syntax::parts::{element, number};

/// Takes all structs out of a function that was read.
pub fn erase(function: &mut Function) {
    for variable in &mut function.variables {
        erase_type(&mut variable.ty);
    }
    erase_type(&mut function.result);
    for taken in &mut function.taken {
        if let Taken::Length(_, ty) = taken {
            erase_type(ty);
        }
    }
    block(&mut function.body);
}

/// A type with arrays in place of structs.
pub fn erased(ty: &Type) -> Type {
    let mut ty = ty.clone();
    erase_type(&mut ty);
    ty
}

/// Puts arrays in place of structs.
fn erase_type(ty: &mut Type) {
    match ty {
        Type::Record(record) => *ty = record.numbers(),
        Type::Array(inner, _)
        | Type::Slice(inner)
        | Type::Open(inner, _)
        | Type::Reference(inner, _) => erase_type(inner),
        Type::Tuple(fields) => fields.iter_mut().for_each(erase_type),
        Type::Scalar(_) => {}
    }
}

fn block(block: &mut Block) {
    let (expressions, blocks) = block.parts_mut();
    expressions.into_iter().for_each(expression);
    blocks.into_iter().for_each(self::block);
}

fn expression(expression: &mut Expression) {
    use ExpressionKind as Kind;
    if let Kind::Part { base, .. } = &expression.kind
        && is_record(&base.ty)
        && let Some(value) = value_of(expression)
    {
        *expression = value;
    }
    erase_type(&mut expression.ty);
    for operand in expression.operands_mut() {
        self::expression(operand);
    }
    for inner in expression.blocks_mut() {
        block(inner);
    }
}

/// A part of a struct as a value of its own.
fn value_of(part: &Expression) -> Option<Expression> {
    let kind = match &part.ty {
        Type::Array(inner, n) => {
            let elements = (0..*n).map(|at| {
                let at = element(part, number(at as i128, part.span));
                match inner.as_ref() {
                    Type::Scalar(_) => Some(at),
                    _ => value_of(&at),
                }
            });
            ExpressionKind::Array(elements.collect::<Option<_>>()?)
        }
        Type::Record(_) => ExpressionKind::Array(scalars(part)),
        _ => return None,
    };
    Some(Expression {
        kind,
        ..part.clone()
    })
}
