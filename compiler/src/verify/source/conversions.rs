//! Conversions between number types.

use super::value::{Place, Root, Value, pointee};
use super::{Interpreter, Result, integers};
use crate::ir::Element;
use crate::number::{Field, Number};
use crate::syntax::ast::{Expression, ExpressionKind, ScalarType, Type};
use crate::verify::uninterpreted;

impl<'a> Interpreter<'a, '_> {
    /// `operand as to`.
    pub(super) fn cast(&mut self, operand: &'a Expression, to: &Type) -> Result<Value<'a>> {
        let (from, to) = match (pointee(&operand.ty), to) {
            (Type::Scalar(from), Type::Scalar(to)) => (*from, *to),
            _ => return Err("a conversion of what is no number".to_owned()),
        };
        let elements = self.float(from).zip(self.float(to));
        let Some((from, to)) = elements else {
            return match (self.scalar(operand)?, to) {
                (Value::Integer(value, inputs), ScalarType::Integer(to)) => {
                    Ok(Value::Integer(integers::wrapped(to, value), inputs))
                }
                (Value::Integer(value, _), _) => Ok(Value::Scalar(Field::from_i128(value))),
                (Value::Scalar(value), ScalarType::Integer(to)) => {
                    let integer = uninterpreted::rounded(value).into();
                    Ok(Value::Integer(integers::saturated(to, integer), None))
                }
                (value, _) => Ok(value),
            };
        };
        if from != to
            && let Some(number) = self.known(operand)?
        {
            return Ok(Value::Scalar(number.single().field()));
        }
        match self.scalar(operand)? {
            Value::Scalar(value) => Ok(Value::Scalar(uninterpreted::convert(from, to, value))),
            _ => Err("a number was expected".to_owned()),
        }
    }

    /// The floating-point type that conversions tell from others: in generic kernels all are the
    /// type parameter.
    fn float(&self, scalar: ScalarType) -> Option<Element> {
        let kernel = self.frames.first()?.function;
        let generic = self.module.functions[kernel.0].scalar_parameter.is_some();
        match scalar {
            ScalarType::F64 | ScalarType::F32 | ScalarType::Generic if generic => {
                Some(Element::Generic)
            }
            ScalarType::F64 => Some(Element::F64),
            ScalarType::F32 => Some(Element::F32),
            _ => None,
        }
    }

    /// A literal, or the entry of a table that is subscripted where it is converted: these are
    /// rounded now.
    fn known(&mut self, operand: &'a Expression) -> Result<Option<Number>> {
        match &operand.kind {
            ExpressionKind::Float(number) => Ok(Some(*number)),
            _ if operand.is_table_entry() => match self.expression(operand)? {
                Value::Place(Place {
                    root: Root::Table(table),
                    offset,
                    ..
                }) => Ok(self.module.tables[table].values.get(offset).copied()),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }
}
