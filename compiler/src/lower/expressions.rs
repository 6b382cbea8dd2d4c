//! Symbolic evaluation of expressions.

use super::integers::{bounded, too_large_integer};
use super::limits::{check_value, entry};
use super::value::{Place, Root, Value};
use super::{Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{Affine, Element, Expr, ExprId};
use crate::number::Number;
use crate::syntax::ast::{Expression, ExpressionKind, IntegerType, ScalarType, Type, VariableId};
use crate::syntax::extremum::{self, Extremum};

impl Lowerer<'_> {
    pub(super) fn expression(&mut self, expression: &Expression) -> Result<Value> {
        self.step()?;
        // What makes the longest chains has the smallest frames on the stack.
        match &expression.kind {
            ExpressionKind::Binary(operator, l, r) => self.binary(*operator, l, r, expression.span),
            ExpressionKind::Call(function, arguments) => {
                self.call(*function, arguments, expression)
            }
            _ => self.other(expression),
        }
    }

    fn other(&mut self, expression: &Expression) -> Result<Value> {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Float(number) => {
                let element = self.element(expression)?;
                Ok(Value::Scalar(self.constant(*number, element)))
            }
            ExpressionKind::Integer(value) => self.integer_literal(*value, expression),
            ExpressionKind::Variable(variable) => {
                self.check_total(*variable, &[], span)?;
                self.variable(*variable, span)
            }
            ExpressionKind::Table(table) => Ok(Value::Place(Place {
                root: Root::Table(*table),
                subscripts: Vec::new(),
                ty: expression.ty.clone(),
            })),
            ExpressionKind::Index(base, index) => self.index(base, index, span),
            ExpressionKind::Field(base, at) => {
                let base = self.expression(base)?;
                field(base, *at, span)
            }
            ExpressionKind::Tuple(fields) => self.all_scalars(fields, expression).map(Value::Tuple),
            ExpressionKind::Array(elements) => {
                self.all_scalars(elements, expression).map(Value::Array)
            }
            ExpressionKind::Repeat(element, n) => self.repeat(element, *n, expression),
            ExpressionKind::Negate(operand) => {
                let value = self.expression(operand)?;
                self.negated(value, operand.span, expression)
            }
            ExpressionKind::Integers(method, operands) => match integer_type(&expression.ty) {
                Some(ty) => self.integer_method(*method, operands, (ty, span)),
                None => opaque(span, "this is no integer", "convert it with `as`"),
            },
            ExpressionKind::Binary(..) | ExpressionKind::Call(..) => self.expression(expression),
            ExpressionKind::Allocate(_) => opaque(
                span,
                "an array is allocated inside of an expression",
                "bind it to a name: `let mut x = vec![0.0; n];`",
            ),
            ExpressionKind::Text(text) => opaque(span, text.message, text.help),
            ExpressionKind::Outside(_) => opaque(
                span,
                "a constant from outside, whose values are not known here",
                "declare it in the block as a `static` or `const`, or pass it as a parameter",
            ),
            ExpressionKind::Part { .. } | ExpressionKind::Column(..) => opaque(
                span,
                "a part of an array as a value",
                "subscript it, or loop over its elements",
            ),
            ExpressionKind::Compare(..)
            | ExpressionKind::Bool(_)
            | ExpressionKind::Logical(..)
            | ExpressionKind::Not(_) => self.condition(expression, None).map(Value::Condition),
            ExpressionKind::Cast(operand) => self.cast(operand, expression),
            ExpressionKind::Helper(function, arguments) => self.helper(*function, arguments, span),
            ExpressionKind::Reference(operand) | ExpressionKind::Dereference(operand) => {
                self.expression(operand)
            }
            ExpressionKind::Length(operand, axis) => self.length(operand, *axis, span),
            ExpressionKind::If(condition, then, otherwise) => {
                let chosen = extremum::of_choice(condition, then, otherwise);
                match chosen.and_then(Extremum::of_numbers) {
                    Some(extremum) => self.extremum(extremum, expression),
                    None => self.choice(condition, (then, otherwise), (&expression.ty, span)),
                }
            }
            ExpressionKind::Block(block) => {
                let value = self.block(block)?;
                Ok(value.unwrap_or(Value::Tuple(Vec::new())))
            }
        }
    }

    /// A literal: one that subscripts are computed from, or a larger one that is computed with.
    fn integer_literal(&mut self, value: i128, whole: &Expression) -> Result<Value> {
        if self.is_far(value) {
            let ty = integer_type(&whole.ty).unwrap_or(IntegerType::I64);
            let number = Number::from_integer(value);
            return Ok(Value::Scalar(
                self.constant(number, Element::Word(ty.word())),
            ));
        }
        match i64::try_from(value) {
            Ok(value) => Value::integer(value, whole.span),
            Err(_) => too_large_integer(whole.span),
        }
    }

    /// `-operand`, of its value.
    fn negated(&mut self, value: Value, at: Span, whole: &Expression) -> Result<Value> {
        if let Some(ty) = integer_type(&whole.ty) {
            if self.is_data(&value) {
                return self.whole_negated(value, ty, whole.span);
            }
            let affine = self.affine(value, at)?;
            return self.computed(affine.scale(-1), ty, whole.span);
        }
        let expr = self.read(value, whole.span)?;
        // A zero that stands in the text keeps its sign, which is that of a function's value.
        if let Expr::Constant(zero) = self.program.pool.get(expr)
            && zero.is_zero()
        {
            let (zero, element) = (-*zero, self.program.pool.element(expr));
            return Ok(Value::Scalar(self.constant(zero, element)));
        }
        Ok(Value::Scalar(self.sum(&[(Number::from_i64(-1), expr)])))
    }

    /// The smaller or the larger one of two numbers.
    fn extremum(&mut self, extremum: Extremum, whole: &Expression) -> Result<Value> {
        let [value, other] = [extremum.value, extremum.other].map(|of| self.scalar(of));
        let element = self.element(whole)?;
        let call = Expr::Call(extremum.function, vec![value?, other?]);
        Ok(Value::Scalar(self.program.pool.add(call, element)))
    }

    pub(super) fn variable(&mut self, variable: VariableId, span: Span) -> Result<Value> {
        match &self.frame.values[variable.0] {
            Some(binding) => Ok(binding.value.clone()),
            None => opaque(span, "this variable has no value yet", "assign it first"),
        }
    }

    fn repeat(&mut self, element: &Expression, n: usize, whole: &Expression) -> Result<Value> {
        check_value(whole)?;
        let value = self.expression(element)?;
        let value = self.copied(value, &element.ty, whole.span)?;
        Ok(Value::Array(vec![value; n]))
    }

    fn length(&mut self, operand: &Expression, axis: usize, span: Span) -> Result<Value> {
        let known = match self.expression(operand)? {
            Value::Place(place) => self.extent(&place, axis),
            Value::Array(elements) => Some(Affine::constant(elements.len() as i64)),
            _ => None,
        };
        match known {
            Some(extent) => bounded(extent, span).map(Value::Integer),
            None => {
                let message = "the length of this is not known here";
                opaque(span, message, "take the length of a parameter")
            }
        }
    }

    /// A floating-point scalar.
    pub(super) fn scalar(&mut self, expression: &Expression) -> Result<ExprId> {
        let value = self.expression(expression)?;
        self.number(value, &expression.ty, expression.span)
    }

    /// The number that a value of a type is.
    pub(super) fn number(&mut self, value: Value, ty: &Type, span: Span) -> Result<ExprId> {
        match integer_type(ty).filter(|_| self.words) {
            Some(ty) => self.whole(value, ty, span),
            None => self.read(value, span),
        }
    }

    /// The element type of a number.
    pub(super) fn element(&self, expression: &Expression) -> Result<Element> {
        match crate::syntax::behind(&expression.ty) {
            Type::Scalar(scalar) => match self.element_of(*scalar) {
                Some(element) => Ok(element),
                None => opaque(
                    expression.span,
                    "a bool is no number",
                    "compare numbers in an `if`",
                ),
            },
            _ => opaque(
                expression.span,
                "a number was expected here",
                "subscript the array to its elements",
            ),
        }
    }

    /// An integer value: an affine function, or an entry of an index map.
    pub(super) fn affine(&mut self, value: Value, span: Span) -> Result<Affine> {
        match value {
            Value::Integer(affine) => Ok(affine),
            Value::Converted(affine, steps) => {
                for ty in steps {
                    self.owe_conversion(&affine, ty, span);
                }
                Ok(affine)
            }
            written if self.is_written(&written) => opaque(
                span,
                "an integer that the kernel writes where one of loops is needed",
                "compute subscripts and bounds from loops and parameters",
            ),
            Value::Place(Place {
                root: Root::Array(array),
                subscripts,
                ty: Type::Scalar(ScalarType::Integer(_)),
            }) => entry(array, subscripts, span),
            Value::Place(Place {
                root: Root::Table(table),
                subscripts,
                ty: Type::Scalar(ScalarType::Integer(_)),
            }) => {
                let array = self.table(table)?;
                match super::tables::table_entry(&self.program, array, &subscripts) {
                    Some(value) => bounded(Affine::constant(value.to_i64()), span),
                    None => entry(array, subscripts, span),
                }
            }
            Value::Scalar(_) if self.words => opaque(
                span,
                "an integer that is computed from elements of arrays where one of loops is needed",
                "compute subscripts and bounds from loops and parameters",
            ),
            Value::Flat(flat) => {
                // Multiples by the numbers of a short loop are affine.
                for (_, factor) in flat.terms.iter().filter(|(extents, _)| !extents.is_empty()) {
                    self.unroll_divided(factor, span)?;
                }
                opaque(
                    span,
                    "a product of integers that are known when the kernel runs",
                    "subscript a slice by it, or pass slices of arrays or a view, whose strides are known",
                )
            }
            _ => opaque(
                span,
                "an integer was expected here",
                "subscripts and bounds are integers",
            ),
        }
    }
}

/// A part of a tuple.
fn field(base: Value, at: usize, span: Span) -> Result<Value> {
    match base {
        Value::Tuple(mut fields) if at < fields.len() => Ok(fields.swap_remove(at)),
        _ => opaque(span, "this is not a tuple", "only tuples have fields here"),
    }
}

/// A type of integers, behind references.
pub(super) fn integer_type(ty: &Type) -> Option<IntegerType> {
    match crate::syntax::behind(ty) {
        Type::Scalar(ScalarType::Integer(ty)) => Some(*ty),
        _ => None,
    }
}
