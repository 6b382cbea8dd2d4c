//! Arithmetic and elementary functions.

use super::expressions::integer_type;
use super::value::Value;
use super::{Lowerer, Result, words};
use crate::diagnostics::Span;
use crate::ir::{Expr, ExprId, Factor, Term};
use crate::number::Number;
use crate::syntax::ast::{BinaryOperator, Elementary, Expression};

impl Lowerer<'_> {
    pub(super) fn sum(&mut self, terms: &[(Number, ExprId)]) -> ExprId {
        let element = self.program.pool.element(terms[0].1);
        let terms = terms
            .iter()
            .map(|(coefficient, expr)| Term {
                coefficient: *coefficient,
                expr: *expr,
            })
            .collect();
        self.program.pool.add(Expr::Sum(terms), element)
    }

    pub(super) fn product(&mut self, factors: &[(ExprId, i32)]) -> ExprId {
        let element = self.program.pool.element(factors[0].0);
        let factors = factors
            .iter()
            .map(|(expr, power)| Factor {
                expr: *expr,
                power: *power,
            })
            .collect();
        self.program.pool.add(Expr::Product(factors), element)
    }

    /// `left operator right` on scalars.
    pub(super) fn arithmetic(&mut self, operator: BinaryOperator, l: ExprId, r: ExprId) -> ExprId {
        let one = Number::ONE;
        match operator {
            BinaryOperator::Add => self.sum(&[(one, l), (one, r)]),
            BinaryOperator::Subtract => self.sum(&[(one, l), (-one, r)]),
            BinaryOperator::Multiply => self.product(&[(l, 1), (r, 1)]),
            BinaryOperator::Divide => self.product(&[(l, 1), (r, -1)]),
            BinaryOperator::Remainder => {
                let element = self.program.pool.element(l);
                let call = Expr::Call(Elementary::Remainder, vec![l, r]);
                self.program.pool.add(call, element)
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        l: &Expression,
        r: &Expression,
        span: Span,
    ) -> Result<Value> {
        // What comes after is in a function of its own: its frame does not stand on the stack meanwhile.
        let operands = (self.expression(l)?, self.expression(r)?);
        self.combined(operator, operands, (l, r), span)
    }

    fn combined(
        &mut self,
        operator: BinaryOperator,
        (left, right): (Value, Value),
        (l, r): (&Expression, &Expression),
        span: Span,
    ) -> Result<Value> {
        let Some(ty) = integer_type(&l.ty) else {
            let (left, right) = (self.read(left, l.span)?, self.read(right, r.span)?);
            return Ok(Value::Scalar(self.arithmetic(operator, left, right)));
        };
        let data = (self.is_data(&left), self.is_data(&right));
        if (data.0 || data.1)
            && let Some(ty) = words::computed_in(l, r, data.0)
        {
            return self.whole_arithmetic(operator, (left, right), (ty, span));
        }
        let (left, right) = (self.operand(left, l.span)?, self.operand(right, r.span)?);
        if operator == BinaryOperator::Multiply {
            self.rows_of_a_sum((l, &left), &right);
            self.rows_of_a_sum((r, &right), &left);
        }
        match self.flat(operator, &left, &right) {
            Some(Value::Integer(affine)) => return self.computed(affine, ty, span),
            Some(flat) => {
                self.owe_flat(operator, &flat, span);
                return Ok(flat);
            }
            None => {}
        }
        let (left, right) = (self.affine(left, l.span)?, self.affine(right, r.span)?);
        // Of entries of tables it is a number, where no subscript can follow it.
        if self.words
            && operator == BinaryOperator::Multiply
            && left.is_mapped()
            && right.is_mapped()
        {
            let operands = (Value::Integer(left), Value::Integer(right));
            return self.whole_arithmetic(operator, operands, (ty, span));
        }
        let known = left.as_constant().and(right.as_constant()).is_some();
        if operator == BinaryOperator::Remainder
            && !known
            && let Some(value) = self.remainder(&left, &right, span)?
        {
            return Ok(Value::Integer(value));
        }
        if !known && matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder) {
            self.unroll_divided(&left, span)?;
        }
        let value = self.integer_arithmetic(operator, &left, &right, span)?;
        self.computed(value, ty, span)
    }

    /// An integer that is computed with: an affine function, or a sum of products of such.
    fn operand(&mut self, value: Value, span: Span) -> Result<Value> {
        match value {
            Value::Flat(flat) => Ok(Value::Flat(flat)),
            other => self.affine(other, span).map(Value::Integer),
        }
    }

    pub(super) fn call(
        &mut self,
        function: Elementary,
        arguments: &[Expression],
        whole: &Expression,
    ) -> Result<Value> {
        let arguments: Vec<ExprId> = arguments
            .iter()
            .map(|a| self.scalar(a))
            .collect::<Result<_>>()?;
        let element = self.element(whole)?;
        if !self.exact {
            match function {
                Elementary::MulAdd => {
                    let product = self.product(&[(arguments[0], 1), (arguments[1], 1)]);
                    return Ok(Value::Scalar(
                        self.sum(&[(Number::ONE, product), (Number::ONE, arguments[2])]),
                    ));
                }
                Elementary::Recip => return Ok(Value::Scalar(self.product(&[(arguments[0], -1)]))),
                Elementary::Powi(n) if (1..=16).contains(&n) => {
                    return Ok(Value::Scalar(self.product(&[(arguments[0], n)])));
                }
                _ => {}
            }
        }
        Ok(Value::Scalar(
            self.program
                .pool
                .add(Expr::Call(function, arguments), element),
        ))
    }
}
