//! `num_complex::Complex`: its operators and methods, as that crate computes them.

use std::rc::Rc;

use super::Record;
use super::access::made;
use crate::diagnostics::{Fault, Span};
use crate::syntax::Parsed;
use crate::syntax::ast::{
    BinaryOperator, Elementary, Expression, ExpressionKind, ScalarType, Statement, Type,
};
use crate::syntax::expressions::typed;
use crate::syntax::parts::number;
use crate::syntax::scope::Reader;
use crate::syntax::types::{behind, show};
use BinaryOperator::{Add, Divide, Multiply, Subtract};

const METHODS: &str = "complex numbers have norm, norm_sqr, l1_norm, arg, conj, inv, scale and unscale, the fields `re` and `im`, and the functions new, from_polar and cis; other functions are computed of `z.re` and `z.im`";

/// The parts of a complex number.
struct Parts {
    re: Expression,
    im: Expression,
}

fn binary(operator: BinaryOperator, l: &Expression, r: &Expression) -> Expression {
    let (ty, span) = (l.ty.clone(), l.span);
    let kind = ExpressionKind::Binary(operator, Box::new(l.clone()), Box::new(r.clone()));
    typed(kind, ty, span)
}

fn negated(of: &Expression) -> Expression {
    typed(
        ExpressionKind::Negate(Box::new(of.clone())),
        of.ty.clone(),
        of.span,
    )
}

fn call(function: Elementary, operands: Vec<Expression>) -> Expression {
    let (ty, span) = (operands[0].ty.clone(), operands[0].span);
    typed(ExpressionKind::Call(function, operands), ty, span)
}

/// The sum of two squares.
fn square(of: &Parts) -> Expression {
    let (re, im) = (
        binary(Multiply, &of.re, &of.re),
        binary(Multiply, &of.im, &of.im),
    );
    binary(Add, &re, &im)
}

impl Reader<'_> {
    /// The parts of a number, each of which can stand in several places.
    fn complex_parts(&mut self, of: Expression, into: &mut Vec<Statement>) -> Parts {
        let mut numbers = self.numbers(of.dereferenced(), into).into_iter();
        let mut next = |name: &str| {
            let value = numbers.next();
            let zero = number(0, proc_macro2::Span::call_site().into());
            self.once(value.unwrap_or(zero), name, into)
        };
        Parts {
            re: next("re"),
            im: next("im"),
        }
    }

    /// `left operator right`, one of which is complex and the other one may be real.
    pub(super) fn complex_operator(
        &mut self,
        binary_tokens: &syn::ExprBinary,
        operator: BinaryOperator,
        (left, right): (Expression, Expression),
        span: Span,
    ) -> Parsed<Expression> {
        let (l, r) = (behind(&left.ty).clone(), behind(&right.ty).clone());
        let record = match (&l, &r) {
            (Type::Record(a), Type::Record(b)) if a == b => a.clone(),
            (Type::Record(a), Type::Scalar(b)) | (Type::Scalar(b), Type::Record(a))
                if a.element == *b =>
            {
                a.clone()
            }
            _ => {
                return Err(Fault::on(
                    binary_tokens,
                    format!("`{}` and `{}` do not mix", show(&l), show(&r)),
                    "make both complex numbers of one type, or one of them its type of real numbers",
                ));
            }
        };
        if operator == BinaryOperator::Remainder {
            return Err(Fault::beyond(
                binary_tokens,
                "a remainder of complex numbers",
                METHODS,
            ));
        }
        let mut statements = Vec::new();
        let numbers = match (&l, &r) {
            (Type::Record(_), Type::Record(_)) => {
                let a = self.complex_parts(left, &mut statements);
                let b = self.complex_parts(right, &mut statements);
                self.of_two(operator, (&a, &b), &mut statements)
            }
            (Type::Record(_), _) => {
                let a = self.complex_parts(left, &mut statements);
                let b = self.once(right.dereferenced(), "factor", &mut statements);
                match operator {
                    Add | Subtract => vec![binary(operator, &a.re, &b), a.im],
                    _ => vec![binary(operator, &a.re, &b), binary(operator, &a.im, &b)],
                }
            }
            _ => {
                let a = self.once(left.dereferenced(), "factor", &mut statements);
                let b = self.complex_parts(right, &mut statements);
                let zero = self.real(0.0, &record, span);
                match operator {
                    Add => vec![binary(Add, &a, &b.re), b.im],
                    Subtract => vec![binary(Subtract, &a, &b.re), binary(Subtract, &zero, &b.im)],
                    Multiply => vec![binary(Multiply, &a, &b.re), binary(Multiply, &a, &b.im)],
                    _ => {
                        let square = self.once(square(&b), "square", &mut statements);
                        let (re, im) = (binary(Multiply, &a, &b.re), binary(Multiply, &a, &b.im));
                        let im = binary(Subtract, &zero, &binary(Divide, &im, &square));
                        vec![binary(Divide, &re, &square), im]
                    }
                }
            }
        };
        let value = made(&record, numbers, span);
        Ok(self.after(statements, value, span))
    }

    /// Both numbers are complex.
    fn of_two(
        &mut self,
        operator: BinaryOperator,
        (a, b): (&Parts, &Parts),
        into: &mut Vec<Statement>,
    ) -> Vec<Expression> {
        let product = |l: &Expression, r: &Expression| binary(Multiply, l, r);
        match operator {
            Multiply => {
                let re = binary(Subtract, &product(&a.re, &b.re), &product(&a.im, &b.im));
                let im = binary(Add, &product(&a.re, &b.im), &product(&a.im, &b.re));
                vec![re, im]
            }
            Divide => {
                let square = self.once(square(b), "square", into);
                let re = binary(Add, &product(&a.re, &b.re), &product(&a.im, &b.im));
                let im = binary(Subtract, &product(&a.im, &b.re), &product(&a.re, &b.im));
                vec![binary(Divide, &re, &square), binary(Divide, &im, &square)]
            }
            _ => vec![
                binary(operator, &a.re, &b.re),
                binary(operator, &a.im, &b.im),
            ],
        }
    }

    fn real(&self, value: f64, record: &Record, span: Span) -> Expression {
        let kind = ExpressionKind::Float(crate::number::Number::from_f64(value));
        typed(kind, Type::Scalar(record.element), span)
    }

    /// `-z`.
    pub(in crate::syntax) fn complex_negated(
        &mut self,
        of: Expression,
        record: &Rc<Record>,
        span: Span,
    ) -> Expression {
        let mut statements = Vec::new();
        let parts = self.complex_parts(of, &mut statements);
        let value = made(record, vec![negated(&parts.re), negated(&parts.im)], span);
        self.after(statements, value, span)
    }

    /// `z.method(arguments)`.
    pub(super) fn complex_method(
        &mut self,
        call_tokens: &syn::ExprMethodCall,
        receiver: Expression,
        record: &Rc<Record>,
    ) -> Parsed<Expression> {
        let span = Span::of(call_tokens);
        let name = call_tokens.method.to_string();
        let mut statements = Vec::new();
        let z = self.complex_parts(receiver, &mut statements);
        let arguments: Vec<&syn::Expr> = call_tokens.args.iter().collect();
        let value = match (name.as_str(), arguments.as_slice()) {
            ("norm_sqr", []) => square(&z),
            ("norm", []) => call(Elementary::Hypot, vec![z.re, z.im]),
            ("arg", []) => call(Elementary::Atan2, vec![z.im, z.re]),
            ("l1_norm", []) => {
                let (re, im) = (
                    call(Elementary::Abs, vec![z.re]),
                    call(Elementary::Abs, vec![z.im]),
                );
                binary(Add, &re, &im)
            }
            ("conj", []) => made(record, vec![z.re.clone(), negated(&z.im)], span),
            ("inv", []) => {
                let square = self.once(square(&z), "square", &mut statements);
                let im = binary(Divide, &negated(&z.im), &square);
                made(record, vec![binary(Divide, &z.re, &square), im], span)
            }
            ("scale" | "unscale", [by]) => {
                let ty = Type::Scalar(record.element);
                let value = self.expression(by, Some(&ty))?.dereferenced();
                if value.ty != ty {
                    return Err(Fault::on(
                        by,
                        format!("this is `{}`", show(&value.ty)),
                        "make the types agree",
                    ));
                }
                let by = self.once(value, "by", &mut statements);
                let operator = if name == "scale" { Multiply } else { Divide };
                made(
                    record,
                    vec![binary(operator, &z.re, &by), binary(operator, &z.im, &by)],
                    span,
                )
            }
            _ => {
                return Err(Fault::beyond(
                    &call_tokens.method,
                    format!("there is no method `{name}` of complex numbers in a kernel"),
                    METHODS,
                ));
            }
        };
        Ok(self.after(statements, value, span))
    }

    /// `Complex::new(re, im)` and its like; nothing of any other name.
    pub(in crate::syntax) fn complex_function(
        &mut self,
        (ty, function): (&syn::PathSegment, &str),
        call_tokens: &syn::ExprCall,
        expected: Option<&Type>,
    ) -> Parsed<Option<Expression>> {
        if self.record_named(&ty.ident.to_string()).is_some() {
            return Ok(None);
        }
        let known = match self.imports.last(&ty.ident.to_string()).as_str() {
            "Complex64" => Some(ScalarType::F64),
            "Complex32" => Some(ScalarType::F32),
            "Complex" => match (&ty.arguments, expected.map(behind)) {
                (syn::PathArguments::AngleBracketed(given), _) => match given.args.first() {
                    Some(syn::GenericArgument::Type(ty)) => match self.ty(ty)? {
                        Type::Scalar(scalar) => Some(scalar),
                        _ => None,
                    },
                    _ => None,
                },
                (_, Some(Type::Record(record))) => Some(record.element),
                _ => Some(self.float),
            },
            _ => None,
        };
        let Some(element) = known else {
            return Ok(None);
        };
        let (record, span) = (super::complex(element), Span::of(call_tokens));
        let ty = Type::Scalar(element);
        let mut values = Vec::new();
        for argument in &call_tokens.args {
            let value = self.expression(argument, Some(&ty))?.dereferenced();
            self.is(argument, &ty);
            if value.ty != ty {
                return Err(Fault::on(
                    argument,
                    format!("this is `{}`, not `{}`", show(&value.ty), show(&ty)),
                    "write the type of the numbers, `Complex::<f32>::new(a, b)`, or convert with `as`",
                ));
            }
            values.push(value);
        }
        let mut statements = Vec::new();
        let sin = |of: &Expression| call(Elementary::Sin, vec![of.clone()]);
        let cos = |of: &Expression| call(Elementary::Cos, vec![of.clone()]);
        let value = match (function, values.as_slice()) {
            ("new", [re, im]) => made(&record, vec![re.clone(), im.clone()], span),
            ("from", [re]) => made(
                &record,
                vec![re.clone(), self.real(0.0, &record, span)],
                span,
            ),
            ("cis", [phase]) => {
                let phase = self.once(phase.clone(), "phase", &mut statements);
                made(&record, vec![cos(&phase), sin(&phase)], span)
            }
            ("from_polar", [radius, phase]) => {
                let radius = self.once(radius.clone(), "radius", &mut statements);
                let phase = self.once(phase.clone(), "phase", &mut statements);
                let (re, im) = (
                    binary(Multiply, &radius, &cos(&phase)),
                    binary(Multiply, &radius, &sin(&phase)),
                );
                made(&record, vec![re, im], span)
            }
            _ => {
                return Err(Fault::beyond(
                    &call_tokens.func,
                    format!("there is no function `{function}` of complex numbers in a kernel"),
                    METHODS,
                ));
            }
        };
        Ok(Some(self.after(statements, value, span)))
    }

    /// `place operator= value` of a struct with operators.
    pub(in crate::syntax) fn record_assigned(
        &mut self,
        binary_tokens: &syn::ExprBinary,
        operator: BinaryOperator,
        target: &Expression,
        span: Span,
    ) -> Parsed<Statement> {
        let ty = behind(&target.ty).clone();
        let element = match &ty {
            Type::Record(record) => Type::Scalar(record.element),
            other => other.clone(),
        };
        let value = self.expression(&binary_tokens.right, Some(&element))?;
        let real = matches!(behind(&value.ty), Type::Scalar(_));
        let complex = matches!(&ty, Type::Record(record) if record.complex);
        // Sums are added number by number, as sums over loops are.
        if complex && !real && *behind(&value.ty) == ty && matches!(operator, Add | Subtract) {
            return Ok(self.assign_numbers(target, Some(operator), value.dereferenced(), span));
        }
        let left = Expression {
            ty: ty.clone(),
            ..crate::syntax::parts::place(target.clone())
        };
        let value = self.record_operator(binary_tokens, operator, (left, value), span)?;
        if value.ty != ty {
            return Err(Fault::on(
                &binary_tokens.right,
                format!(
                    "this gives `{}`, but the target is `{}`",
                    show(&value.ty),
                    show(&ty)
                ),
                "make the types agree",
            ));
        }
        Ok(self.assign_numbers(target, None, value, span))
    }

    /// `Complex::ZERO`, `Complex::<f32>::I`: known constants.
    pub(in crate::syntax) fn complex_constant(
        &self,
        path: &syn::Path,
        expected: Option<&Type>,
        span: Span,
    ) -> Option<Expression> {
        let mut segments = path.segments.iter().rev();
        let (name, ty) = (segments.next()?.ident.to_string(), segments.next()?);
        if self.record_named(&ty.ident.to_string()).is_some() {
            return None;
        }
        let own = self.imports.last(&ty.ident.to_string());
        let element = match (own.as_str(), expected.map(behind)) {
            ("Complex64", _) => ScalarType::F64,
            ("Complex32", _) => ScalarType::F32,
            ("Complex", Some(Type::Record(record))) => record.element,
            ("Complex", _) => self.float,
            _ => return None,
        };
        let (re, im) = match name.as_str() {
            "ZERO" => (0.0, 0.0),
            "ONE" => (1.0, 0.0),
            "I" => (0.0, 1.0),
            _ => return None,
        };
        let record = super::complex(element);
        let numbers = vec![self.real(re, &record, span), self.real(im, &record, span)];
        Some(made(&record, numbers, span))
    }
}

/// The type that a path of `Complex` is.
pub fn named(
    path: &syn::Path,
    imports: &crate::syntax::imports::Imports,
    of: impl FnOnce(&syn::Type) -> Parsed<Type>,
) -> Parsed<Option<Type>> {
    let Some(last) = path.segments.last() else {
        return Ok(None);
    };
    let element = match (
        imports.last(&last.ident.to_string()).as_str(),
        &last.arguments,
    ) {
        ("Complex64", _) => ScalarType::F64,
        ("Complex32", _) => ScalarType::F32,
        ("Complex", syn::PathArguments::AngleBracketed(given)) => match given.args.first() {
            Some(syn::GenericArgument::Type(ty)) => match of(ty)? {
                Type::Scalar(scalar @ (ScalarType::F64 | ScalarType::F32)) => scalar,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(Some(Type::Record(super::complex(element))))
}
