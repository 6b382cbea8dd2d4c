//! Expressions: what they access, and the integers that they are.

use super::places::number;
use super::values::Value;
use super::{Frame, Inspector, Missing, Result, missing};
use crate::diagnostics::Span;
use crate::syntax::ast::{
    Expression, ExpressionKind, FunctionId, IntegerType, ScalarType, Text, Type,
};

impl Inspector<'_> {
    pub(super) fn expression(&mut self, expression: &Expression) -> Result<Value> {
        self.step(expression.span)?;
        let integer = integer_type(&expression.ty);
        match &expression.kind {
            ExpressionKind::Float(_) => Ok(Value::Number),
            ExpressionKind::Integer(value) => Ok(number(*value, &expression.ty)),
            ExpressionKind::Variable(variable) => match &self.frame().values[variable.0] {
                Some(value) => Ok(value.clone()),
                None => missing(expression.span, "a variable without a value"),
            },
            ExpressionKind::Table(table) => self.table(*table, expression),
            ExpressionKind::Index(base, index) => self.index(base, index, expression.inside),
            ExpressionKind::Field(base, field) => match self.expression(base)? {
                Value::Tuple(mut fields) if *field < fields.len() => Ok(fields.swap_remove(*field)),
                _ => missing(expression.span, "a part of what is no tuple"),
            },
            ExpressionKind::Tuple(fields) => {
                let fields = fields.iter().map(|field| {
                    let value = self.expression(field)?;
                    Ok(self.read(value))
                });
                fields.collect::<Result<Vec<Value>>>().map(Value::Tuple)
            }
            ExpressionKind::Array(elements) => self.array(elements, None, expression),
            ExpressionKind::Repeat(element, n) => {
                self.array(std::slice::from_ref(element), Some(*n), expression)
            }
            ExpressionKind::Negate(operand) => match integer {
                Some(ty) => self.negated(operand, ty),
                None => self.number(expression),
            },
            ExpressionKind::Binary(operator, l, r) => match integer {
                Some(ty) => self.integer_binary(*operator, (l, r), ty),
                None => self.number(expression),
            },
            ExpressionKind::Compare(..) | ExpressionKind::Call(..) => self.number(expression),
            ExpressionKind::Bool(_) => Ok(Value::Number),
            ExpressionKind::Logical(..) | ExpressionKind::Not(_) => {
                self.condition(expression)?;
                Ok(Value::Number)
            }
            ExpressionKind::Outside(_) => self.outside(expression),
            ExpressionKind::Text(text) => text_value(text, expression),
            ExpressionKind::Cast(operand) => self.cast(operand, &expression.ty),
            ExpressionKind::Integers(method, operands) => {
                let ty = integer.unwrap_or(IntegerType::Usize);
                self.integer_method(*method, operands, ty)
            }
            ExpressionKind::Helper(function, arguments) => self.helper(*function, arguments),
            ExpressionKind::Reference(operand) | ExpressionKind::Dereference(operand) => {
                self.expression(operand)
            }
            ExpressionKind::Length(operand, axis) => self.length(operand, *axis),
            ExpressionKind::If(condition, then, otherwise) => {
                self.choice(condition, (then, otherwise), integer.is_some())
            }
            ExpressionKind::Block(block) => self.block(block),
            ExpressionKind::Allocate(parts) => self.allocation(parts, expression),
            ExpressionKind::Part { .. } | ExpressionKind::Column(..) => {
                missing(expression.span, "a part of an array as a value")
            }
        }
    }

    /// A number computed from others.
    fn number(&mut self, expression: &Expression) -> Result<Value> {
        for operand in expression.operands() {
            let value = self.expression(operand)?;
            self.used(value);
        }
        Ok(Value::Number)
    }

    /// A constant from outside: a subscripted one may have any extents.
    fn outside(&mut self, expression: &Expression) -> Result<Value> {
        match (&expression.kind, integer_type(&expression.ty)) {
            (ExpressionKind::Outside(subscripts), None) if subscripts.is_empty() => {
                Ok(Value::Number)
            }
            (ExpressionKind::Outside(subscripts), Some(_)) if subscripts.is_empty() => {
                Ok(Value::Unknown(Missing {
                    span: expression.span,
                    message: "a constant from outside".to_owned(),
                }))
            }
            _ => missing(expression.span, "an array from outside is subscripted"),
        }
    }

    /// A helper's body, with its arguments.
    fn helper(&mut self, id: FunctionId, arguments: &[Expression]) -> Result<Value> {
        let function = self.function(id);
        let mut frame = Frame::new(function);
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let variable = &function.variables[parameter.variable.0];
            let value = self.expression(argument)?;
            // A reference to a variable is that variable.
            let value = match (&variable.ty, value) {
                (Type::Reference(..), value @ Value::Variable { .. }) => value,
                (Type::Reference(..), Value::Place(place)) => match place.fixed {
                    true => Value::Place(place),
                    false => {
                        let written = matches!(variable.ty, Type::Reference(_, true));
                        if written {
                            return missing(
                                argument.span,
                                "a part of an array that is handed to a helper to be written",
                            );
                        }
                        self.bound(place, false, true, argument.span)
                    }
                },
                (_, value) => self.local(value, false, true, &variable.ty, argument.span)?,
            };
            frame.values[parameter.variable.0] = Some(value);
        }
        self.frames.push(frame);
        let value = self.block(&function.body);
        self.frames.pop();
        value
    }

    /// A local array or scalar that a value is bound to.
    pub(super) fn local(
        &mut self,
        value: Value,
        mutable: bool,
        relevant: bool,
        ty: &Type,
        span: Span,
    ) -> Result<Value> {
        Ok(match self.read(value) {
            Value::Integer(integer) if mutable && !relevant => {
                self.used(Value::Integer(integer));
                Value::Unknown(unfollowed(span))
            }
            Value::Integer(integer) if mutable => {
                self.demand(&integer);
                if !integer.data {
                    self.run(integer.facts.without_ends());
                }
                let own = integer_type(ty).zip(integer.form);
                let (name, ty) = (self.name(), super::integers::annotation(ty));
                let text = format!("let mut {name}{ty} = {};\n", integer.text);
                self.out.push_str(&text);
                self.most.extend(own.map(|own| (name.clone(), own)));
                Value::Variable {
                    name,
                    depth: self.loops.len(),
                }
            }
            Value::Integer(integer) => Value::Integer(self.named(integer, ty)),
            Value::Place(place) => self.bound(place, mutable, relevant, span),
            Value::Tuple(fields) => {
                let Type::Tuple(types) = crate::syntax::behind(ty) else {
                    return missing(span, "a tuple of a type that is none");
                };
                // What is assigned to parts of a tuple is not followed.
                let fields = fields.into_iter().zip(types);
                let fields = fields.map(|(field, ty)| self.local(field, mutable, false, ty, span));
                Value::Tuple(fields.collect::<Result<_>>()?)
            }
            other => other,
        })
    }
}

/// What only the text knows: an integer that no access may depend on, or a number.
fn text_value(text: &Text, expression: &Expression) -> Result<Value> {
    match (text.panics, integer_type(&expression.ty)) {
        (true, _) => missing(expression.span, text.message),
        (false, Some(_)) => Ok(Value::Unknown(Missing {
            span: expression.span,
            message: text.message.to_owned(),
        })),
        (false, None) => Ok(Value::Number),
    }
}

/// A variable that no access depends on.
fn unfollowed(span: Span) -> Missing {
    Missing {
        span,
        message: "an integer that changes".to_owned(),
    }
}

pub fn integer_type(ty: &Type) -> Option<IntegerType> {
    match crate::syntax::behind(ty) {
        Type::Scalar(ScalarType::Integer(ty)) => Some(*ty),
        _ => None,
    }
}
