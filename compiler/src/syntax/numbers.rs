//! Methods of floating-point numbers that are made of other operations: `clamp`, `fract`, `is_nan`, ….
//!
//! Each is the operations that the standard library computes it by, in their order, so that its bits are
//! those of the text.

use super::Parsed;
use super::ast::{
    BinaryOperator, Builds, CompareOperator, Elementary, Expression, ExpressionKind, Pattern,
    ScalarType, Statement, Type,
};
use super::expressions::typed;
use super::scope::{Reader, USIZE};
use crate::diagnostics::{Fault, Span};
use crate::number::Number;

/// A floating-point number of a type, as the arithmetic of the standard library gives it.
fn constant(value: f64, ty: &Type, span: Span) -> Expression {
    let value = match ty {
        Type::Scalar(ScalarType::F32) => f64::from(value as f32),
        _ => value,
    };
    typed(
        ExpressionKind::Float(Number::from_f64(value)),
        ty.clone(),
        span,
    )
}

fn call(function: Elementary, operands: Vec<Expression>, ty: &Type, span: Span) -> Expression {
    typed(ExpressionKind::Call(function, operands), ty.clone(), span)
}

fn binary(operator: BinaryOperator, l: Expression, r: Expression, span: Span) -> Expression {
    let ty = l.ty.clone();
    let kind = ExpressionKind::Binary(operator, Box::new(l), Box::new(r));
    typed(kind, ty, span)
}

/// `l operator r`.
pub fn compare(operator: CompareOperator, l: Expression, r: Expression, span: Span) -> Expression {
    let kind = ExpressionKind::Compare(operator, Box::new(l), Box::new(r));
    typed(kind, Type::Scalar(ScalarType::Bool), span)
}

impl Reader<'_> {
    /// `receiver.method(arguments)` of a method that is made of others; nothing of any other name.
    pub(super) fn made_of_others(
        &mut self,
        method: &proc_macro2::Ident,
        (receiver, ty): (&Expression, &Type),
        arguments: &[&syn::Expr],
        span: Span,
    ) -> Parsed<Option<Expression>> {
        let name = method.to_string();
        let count = match name.as_str() {
            "clamp" => 2,
            "rem_euclid" | "div_euclid" | "log" => 1,
            "fract" | "to_radians" | "to_degrees" | "is_nan" | "is_finite" | "is_infinite"
            | "is_sign_negative" | "is_sign_positive" => 0,
            _ => return Ok(None),
        };
        if *ty == Type::Scalar(ScalarType::Generic) && name != "clamp" {
            return Err(Fault::on(
                method,
                format!("there is no method `{name}` of `Scalar` and `Real`"),
                "write what it computes, or a kernel of `f64`",
            ));
        }
        if *ty == Type::Scalar(ScalarType::Generic) {
            self.ordered(ty, method)?;
        }
        if arguments.len() != count {
            return Err(Fault::on(
                method,
                format!(
                    "`{name}` takes {count} and is given {}, besides the number it is called on",
                    arguments.len()
                ),
                "pass as many as the method of `f64` takes",
            ));
        }
        let mut statements = Vec::new();
        let x = self.once(receiver.clone().dereferenced(), "x", &mut statements);
        let mut others = Vec::new();
        for argument in arguments {
            let value = self.argument(argument, ty)?;
            others.push(self.once(value, "argument", &mut statements));
        }
        let value = match (name.as_str(), others.as_slice()) {
            ("clamp", [low, high]) => {
                let (low, high) = (low.clone(), high.clone());
                if *ty != Type::Scalar(ScalarType::Generic) {
                    self.in_order((arguments[0], &low), (arguments[1], &high), &mut statements)?;
                }
                self.clamped(x, (low, high), &mut statements, span)
            }
            ("log", [base]) => {
                let ln = |of: Expression| call(Elementary::Ln, vec![of], ty, span);
                binary(BinaryOperator::Divide, ln(x), ln(base.clone()), span)
            }
            ("rem_euclid", [by]) => self.remainder((x, by.clone()), ty, &mut statements, span),
            ("div_euclid", [by]) => self.quotient((x, by.clone()), ty, &mut statements, span),
            (name, _) => self.plain(name, x, ty, span),
        };
        Ok(Some(self.after(statements, value, span)))
    }

    /// The methods without arguments.
    fn plain(&mut self, name: &str, x: Expression, ty: &Type, span: Span) -> Expression {
        use std::f64::consts::PI;
        let single = *ty == Type::Scalar(ScalarType::F32);
        let largest = if single {
            f64::from(f32::MAX)
        } else {
            f64::MAX
        };
        let abs = |x: Expression| call(Elementary::Abs, vec![x], ty, span);
        let sign = |x: Expression| {
            let one = constant(1.0, ty, span);
            call(Elementary::Copysign, vec![one, x], ty, span)
        };
        let (zero, largest) = (constant(0.0, ty, span), constant(largest, ty, span));
        match name {
            "fract" => {
                let whole = call(Elementary::Trunc, vec![x.clone()], ty, span);
                binary(BinaryOperator::Subtract, x, whole, span)
            }
            "to_radians" => {
                let by = match single {
                    true => f64::from(std::f32::consts::PI / 180.0),
                    false => PI / 180.0,
                };
                binary(BinaryOperator::Multiply, x, constant(by, ty, span), span)
            }
            "to_degrees" => {
                let by = match single {
                    true => f64::from(57.295_78_f32),
                    false => 180.0 / PI,
                };
                binary(BinaryOperator::Multiply, x, constant(by, ty, span), span)
            }
            "is_finite" => compare(CompareOperator::LessEqual, abs(x), largest, span),
            "is_infinite" => compare(CompareOperator::Greater, abs(x), largest, span),
            "is_sign_negative" => compare(CompareOperator::Less, sign(x), zero, span),
            "is_sign_positive" => compare(CompareOperator::Greater, sign(x), zero, span),
            _ => compare(CompareOperator::Unordered, x.clone(), x, span),
        }
    }

    /// An argument of a type that a method takes.
    pub(super) fn argument(&mut self, argument: &syn::Expr, ty: &Type) -> Parsed<Expression> {
        let value = self.expression(argument, Some(ty))?;
        self.is(argument, ty);
        if value.ty == *ty {
            return Ok(value);
        }
        Err(Fault::on(
            argument,
            format!(
                "this is `{}`, not `{}`",
                super::types::show(&value.ty),
                super::types::show(ty)
            ),
            match &value.ty {
                Type::Reference(..) => "take what the reference leads to, with `*`",
                _ => "convert it with `as`",
            },
        ))
    }

    /// A value that is computed once, by a statement that goes to `into`, and stands in several places.
    pub(super) fn once(
        &mut self,
        value: Expression,
        name: &str,
        into: &mut Vec<Statement>,
    ) -> Expression {
        let (ty, span) = (value.ty.clone(), value.span);
        match value.kind {
            ExpressionKind::Float(_) | ExpressionKind::Integer(_) => return value,
            ExpressionKind::Variable(variable) if !self.variables[variable.0].mutable => {
                return value;
            }
            _ => {}
        }
        let variable = self.hidden(name, ty.clone(), false, span);
        into.push(Statement::Let(Pattern::Variable(variable), value));
        typed(ExpressionKind::Variable(variable), ty, span)
    }

    /// `if condition { then } else { otherwise }` of values.
    pub(super) fn choice(
        &mut self,
        condition: Expression,
        then: Expression,
        otherwise: Expression,
        span: Span,
    ) -> Expression {
        let ty = then.ty.clone();
        let then = self.numbered(span, Vec::new(), Some(Box::new(then)));
        let otherwise = self.numbered(span, Vec::new(), Some(Box::new(otherwise)));
        let kind = ExpressionKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
        typed(kind, ty, span)
    }

    /// `let y = if x > high { high } else { x }; if y < low { low } else { y }`, of which each is one instruction: a NaN
    /// stays, and since `low` is not above `high`, the order of both makes no difference.
    pub(super) fn clamped(
        &mut self,
        x: Expression,
        (low, high): (Expression, Expression),
        statements: &mut Vec<Statement>,
        span: Span,
    ) -> Expression {
        let above = compare(CompareOperator::Greater, x.clone(), high.clone(), span);
        let lesser = self.choice(above, high, x, span);
        let lesser = self.once(lesser, "lesser", statements);
        let below = compare(CompareOperator::Less, lesser.clone(), low.clone(), span);
        self.choice(below, low, lesser, span)
    }

    /// The bounds of `clamp`, which panics where they are not in order: known ones are looked at now,
    /// parameters before anything else runs.
    fn in_order(
        &mut self,
        (low, l): (&syn::Expr, &Expression),
        (high, h): (&syn::Expr, &Expression),
        into: &mut Vec<Statement>,
    ) -> Parsed<()> {
        if let (ExpressionKind::Float(l), ExpressionKind::Float(h)) = (&l.kind, &h.kind) {
            return match l.to_f64() <= h.to_f64() {
                true => Ok(()),
                false => Err(Fault::on(
                    low,
                    "the lower bound is above the upper one: `clamp` panics",
                    "exchange the two",
                )),
            };
        }
        let span = Span::of(high);
        let statement = match (self.as_given(low), self.as_given(high)) {
            (Some(low), Some(high)) => {
                let given = quote::quote!((#low <= #high) as usize);
                let flag = self.given(("in_order", given), USIZE, span);
                let one = super::parts::number(1, span);
                let holds = compare(CompareOperator::Equal, flag, one, span);
                self.inputs
                    .first
                    .push(Statement::Assert(holds, Builds::All));
                return Ok(());
            }
            _ => compare(CompareOperator::LessEqual, l.clone(), h.clone(), span),
        };
        into.push(Statement::Assert(statement, Builds::All));
        Ok(())
    }

    /// `let r = x % y; if r < 0.0 { r + y.abs() } else { r }`.
    fn remainder(
        &mut self,
        (x, y): (Expression, Expression),
        ty: &Type,
        into: &mut Vec<Statement>,
        span: Span,
    ) -> Expression {
        let r = call(Elementary::Remainder, vec![x, y.clone()], ty, span);
        let r = self.once(r, "remainder", into);
        let negative = compare(
            CompareOperator::Less,
            r.clone(),
            constant(0.0, ty, span),
            span,
        );
        let abs = call(Elementary::Abs, vec![y], ty, span);
        let sum = binary(BinaryOperator::Add, r.clone(), abs, span);
        self.choice(negative, sum, r, span)
    }

    /// `let q = (x / y).trunc(); if x % y < 0.0 { if y > 0.0 { q - 1.0 } else { q + 1.0 } } else { q }`.
    fn quotient(
        &mut self,
        (x, y): (Expression, Expression),
        ty: &Type,
        into: &mut Vec<Statement>,
        span: Span,
    ) -> Expression {
        let (zero, one) = (constant(0.0, ty, span), constant(1.0, ty, span));
        let q = binary(BinaryOperator::Divide, x.clone(), y.clone(), span);
        let q = self.once(call(Elementary::Trunc, vec![q], ty, span), "quotient", into);
        let r = call(Elementary::Remainder, vec![x, y.clone()], ty, span);
        let negative = compare(CompareOperator::Less, r, zero.clone(), span);
        let positive = compare(CompareOperator::Greater, y, zero, span);
        let less = binary(BinaryOperator::Subtract, q.clone(), one.clone(), span);
        let more = binary(BinaryOperator::Add, q.clone(), one, span);
        let next = self.choice(positive, less, more, span);
        self.choice(negative, next, q, span)
    }

    /// A condition as a number: `u8::from(c)`, `c as i32`.
    pub(super) fn truth_as_number(&mut self, condition: Expression, ty: &Type) -> Expression {
        let span = condition.span;
        let number = |value: i32| match ty {
            Type::Scalar(ScalarType::Integer(_)) => {
                typed(ExpressionKind::Integer(value.into()), ty.clone(), span)
            }
            _ => constant(value.into(), ty, span),
        };
        let (one, zero) = (number(1), number(0));
        self.choice(condition, one, zero, span)
    }
}
