//! Integers that are computed with: elements of arrays, sums of them, and results.
//!
//! Arithmetic enters the program where no intermediate value can leave its type, as the ranges of types and
//! the numbers of iterations show, or where the text says that it wraps around. Then sums and products
//! are exact modulo a power of two in any order, whatever is shared or taken apart. All else runs as
//! written, since an overflow panics in a debug build and wraps around in a release build.

mod methods;
mod quotients;
mod temporaries;
mod totals;
mod values;

use super::accumulations::Update;
use super::value::{Place, Root, Value};
use super::{Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{ArrayId, Combining, Element, Expr, ExprId, Role};
use crate::number::Number;
use crate::syntax::ast::{
    BinaryOperator, Elementary, Expression, Function, IntegerMethod, IntegerType, ScalarType, Type,
    VariableId,
};
use values::{combined, common};

/// The least and the largest value.
type Values = (i128, i128);

/// Whether a function writes integers, or returns one.
pub(super) fn writes_integers(function: &Function) -> bool {
    let integers = |ty: &Type| matches!(innermost(ty), Some(ScalarType::Integer(_)));
    let output = |ty: &Type| matches!(ty, Type::Reference(inner, true) if integers(inner));
    let mut parameters = function.parameters.iter();
    integers(&function.result)
        || parameters.any(|parameter| output(&function.variables[parameter.variable.0].ty))
}

/// The type of the elements of an array.
fn innermost(ty: &Type) -> Option<ScalarType> {
    match ty {
        Type::Scalar(scalar) => Some(*scalar),
        Type::Reference(inner, _)
        | Type::Array(inner, _)
        | Type::Slice(inner)
        | Type::Open(inner, _) => innermost(inner),
        _ => None,
    }
}

/// The type of integers that elements of an array have.
pub(super) fn integers_of(ty: &Type) -> Option<IntegerType> {
    match innermost(ty) {
        Some(ScalarType::Integer(ty)) => Some(ty),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// Whether a value is computed with as an integer that the kernel reads.
    pub(super) fn is_data(&self, value: &Value) -> bool {
        self.words
            && match value {
                Value::Scalar(expr) => self.program.pool.element(*expr).as_word().is_some(),
                Value::Place(place) => matches!(place.root, Root::Array(_)),
                Value::Integer(affine) | Value::Converted(affine, _) => self.is_entry(affine),
                _ => false,
            }
    }

    /// Whether a value is the outcome of such a computation: subscripts and bounds cannot follow it.
    pub(super) fn is_computed(&self, value: &Value) -> bool {
        (matches!(value, Value::Scalar(_)) || self.is_written(value)) && self.is_data(value)
    }

    /// Whether an integer is larger than those that subscripts are computed from.
    pub(super) fn is_far(&self, value: i128) -> bool {
        self.words && value.unsigned_abs() > 1 << 40
    }

    /// Whether a value is an element of an array that the kernel writes.
    pub(super) fn is_written(&self, value: &Value) -> bool {
        let written = |array: ArrayId| !matches!(self.array(array).role, Role::Parameter(_));
        match value {
            Value::Place(Place {
                root: Root::Array(array),
                ..
            }) => self.words && written(*array),
            _ => false,
        }
    }

    /// An integer as one that is computed with.
    pub(super) fn whole(&mut self, value: Value, ty: IntegerType, span: Span) -> Result<ExprId> {
        let element = Element::Word(ty.word());
        let expr = match value {
            Value::Scalar(expr) => expr,
            Value::Place(_) => self.read(value, span)?,
            Value::Converted(affine, steps) => {
                self.number_of((affine, steps), (ty, element), span)?
            }
            other => {
                let affine = self.affine(other, span)?;
                self.number_of((affine, Vec::new()), (ty, element), span)?
            }
        };
        match self.program.pool.element(expr) == element {
            true => Ok(expr),
            false => opaque(span, "integers of two types", "convert them to one type"),
        }
    }

    /// What a variable that changes has, its integers as those that are computed with, unless subscripts and bounds follow it
    /// and elements of arrays do not.
    pub(super) fn wholes_of(
        &mut self,
        variable: Option<VariableId>,
        value: Value,
        (ty, span): (&Type, Span),
    ) -> Result<Value> {
        let integer = self.words && matches!(ty, Type::Scalar(ScalarType::Integer(_)));
        let affine = matches!(value, Value::Integer(_) | Value::Converted(..));
        match variable {
            Some(variable) if integer && affine && self.frame.counts(variable) => Ok(value),
            _ => self.wholes(value, ty, span),
        }
    }

    /// The values of a variable that changes, its integers as those that are computed with.
    pub(super) fn wholes(&mut self, value: Value, ty: &Type, span: Span) -> Result<Value> {
        let Some(integer) = integers_of(ty).filter(|_| self.words) else {
            return Ok(value);
        };
        match value {
            Value::Array(elements) => {
                let elements = elements.into_iter();
                let elements = elements.map(|element| self.wholes(element, ty, span));
                elements.collect::<Result<_>>().map(Value::Array)
            }
            Value::Integer(_) | Value::Converted(..) => {
                self.whole(value, integer, span).map(Value::Scalar)
            }
            other => Ok(other),
        }
    }

    /// An element of an array as it is computed with.
    pub(super) fn loaded(&mut self, expr: ExprId) -> ExprId {
        match self.program.pool.element(expr) {
            Element::Integer(ty) => {
                let word = Element::Word(ty.word());
                self.program.pool.add(Expr::Cast(word, expr), word)
            }
            _ => expr,
        }
    }

    pub(super) fn whole_constant(&mut self, value: i128, like: ExprId) -> ExprId {
        let element = self.program.pool.element(like);
        self.constant(Number::from_integer(value), element)
    }

    /// `left operator right`.
    pub(super) fn whole_arithmetic(
        &mut self,
        operator: BinaryOperator,
        (left, right): (Value, Value),
        (ty, span): (IntegerType, Span),
    ) -> Result<Value> {
        let (l, r) = (self.whole(left, ty, span)?, self.whole(right, ty, span)?);
        let (own, other) = (self.values_of(l), self.values_of(r));
        let values = combined(operator, own, other);
        let expr = match operator {
            BinaryOperator::Divide | BinaryOperator::Remainder => {
                let by = (other.0 == other.1 && other.0 > 0).then_some(other.0);
                let quotient = operator == BinaryOperator::Divide;
                let Some(by) = by.filter(|by| *by < 1 << 30) else {
                    return opaque(
                        span,
                        "a quotient of integers by one that is no positive constant",
                        "divide by a constant, or shift",
                    );
                };
                return self.divided_to_zero(quotient, l, by, (ty, span));
            }
            _ => self.arithmetic(operator, l, r),
        };
        let values = match operator {
            BinaryOperator::Subtract => common(values, self.difference(l, r)),
            _ => values,
        };
        self.proved(expr, values, ty, span)
    }

    pub(super) fn bits(&mut self, method: IntegerMethod, l: ExprId, r: ExprId) -> ExprId {
        self.function(Elementary::Bits(method), vec![l, r])
    }

    pub(super) fn function(&mut self, function: Elementary, operands: Vec<ExprId>) -> ExprId {
        let element = self.program.pool.element(operands[0]);
        self.program
            .pool
            .add(Expr::Call(function, operands), element)
    }

    /// What an update does to an integer.
    pub(super) fn whole_updated(
        &mut self,
        update: Update,
        [old, value]: [Value; 2],
        of: (IntegerType, Span),
    ) -> Result<Value> {
        match update {
            Update::Arithmetic(operator) => self.whole_arithmetic(operator, (old, value), of),
            Update::Extremum(Combining::Min | Combining::Lesser) => {
                self.whole_method(IntegerMethod::Min, vec![old, value], of)
            }
            Update::Extremum(_) => self.whole_method(IntegerMethod::Max, vec![old, value], of),
        }
    }

    /// `-value`.
    pub(super) fn whole_negated(
        &mut self,
        value: Value,
        ty: IntegerType,
        span: Span,
    ) -> Result<Value> {
        let expr = self.whole(value, ty, span)?;
        let (least, most) = self.values_of(expr);
        let negated = self.sum(&[(Number::from_i64(-1), expr)]);
        self.proved(negated, (-most, -least), ty, span)
    }

    /// `value as to`, of an integer that was computed.
    pub(super) fn whole_cast(&mut self, expr: ExprId, to: IntegerType) -> ExprId {
        let values = self.values_of(expr);
        let fits = to.holds(values.0) && to.holds(values.1);
        let mut expr = expr;
        if !fits && to.bits() < 32 {
            let narrow = Element::Integer(to);
            expr = self.program.pool.add(Expr::Cast(narrow, expr), narrow);
        }
        let word = Element::Word(to.word());
        if self.program.pool.element(expr) != word {
            expr = self.program.pool.add(Expr::Cast(word, expr), word);
        }
        match fits {
            true => self.known(expr, values),
            false => self.known(expr, to.range()),
        }
    }

    /// `value as to` of a floating-point number: as an integer of 32 bits, that stops at the ends of the type.
    pub(in crate::lower) fn whole_of_float(&mut self, expr: ExprId, to: IntegerType) -> ExprId {
        let word = Element::Word(IntegerType::I32);
        let whole = self.program.pool.add(Expr::Cast(word, expr), word);
        if to.bits() == 32 {
            return whole;
        }
        let ends = to.range();
        let [least, most] = [ends.0, ends.1].map(|end| self.whole_constant(end, whole));
        let above = self.function(Elementary::Max, vec![whole, least]);
        let between = self.function(Elementary::Min, vec![above, most]);
        self.known(between, ends)
    }

    /// Sums of floating-point numbers keep their order where others become integers: texts of both have no program.
    pub(in crate::lower) fn no_sums_beside_rounded(&self) -> Result<()> {
        let pool = &self.program.pool;
        let is_word = |expr: &ExprId| pool.element(*expr).as_word().is_some();
        let rounds = self.program.reachable().into_iter().any(|expr| {
            let Expr::Cast(_, of) = pool.get(expr) else {
                return false;
            };
            is_word(&expr) && !is_word(of) && !pool.element(*of).is_integer()
        });
        let mut sums = self.program.equations.iter().zip(&self.statements);
        let sum = sums.find(|(equation, _)| {
            let whole = is_word(&equation.expr) || pool.element(equation.expr).is_integer();
            let adds = !equation.reduction.is_empty() || equation.operator.accumulated().is_some();
            adds && !whole
        });
        match sum.filter(|_| rounds) {
            Some((_, statement)) => opaque(
                statement.span,
                "a sum beside numbers that become integers",
                "split the kernel",
            ),
            None => Ok(()),
        }
    }

    /// A value as an array holds it.
    pub(super) fn narrowed_for(&mut self, expr: ExprId, array: ArrayId) -> ExprId {
        match self.array(array).element {
            narrow @ Element::Integer(_) => self.program.pool.add(Expr::Cast(narrow, expr), narrow),
            _ => expr,
        }
    }
}

/// The type that an operator on integers computes in: that of the operand that is no literal.
pub(super) fn computed_in(
    l: &Expression,
    r: &Expression,
    left_is_data: bool,
) -> Option<IntegerType> {
    let of = |e: &Expression| super::expressions::integer_type(&e.ty);
    match left_is_data {
        true => of(l),
        false => of(r),
    }
}
