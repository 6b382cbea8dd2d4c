//! Calls: methods of numbers, helpers, functions of the scalar traits.

use super::Parsed;
use super::allocations::zeros;
use super::ast::{Elementary, Expression, ExpressionKind, Length, ScalarType, Taken, Type};
use super::calls::same_path;
use super::expressions::{only_literals, typed};
use super::records::is_record;
use super::scope::{Reader, USIZE};
use super::spans;
use super::statements::strip;
use super::types::{behind, show};
use super::views::{METHODS as VIEWS, rank};
use crate::diagnostics::{Fault, Span};
use crate::number::Number;

pub const METHODS: &str = "kernels know abs, sqrt, cbrt, hypot, exp, exp2, exp_m1, ln, ln_1p, log2, log10, sin, cos, sin_cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, asinh, acosh, atanh, log, floor, ceil, round, round_ties_even, trunc, fract, min, max, clamp, signum, copysign, rem_euclid, div_euclid, to_radians, to_degrees, powf, powi with a literal, mul_add, recip, is_nan, is_finite, is_infinite, is_sign_negative and is_sign_positive";

/// The function of a name.
fn elementary(name: &str) -> Option<Elementary> {
    Some(match name {
        "abs" => Elementary::Abs,
        "sqrt" => Elementary::Sqrt,
        "exp" => Elementary::Exp,
        "ln" => Elementary::Ln,
        "sin" => Elementary::Sin,
        "cos" => Elementary::Cos,
        "tan" => Elementary::Tan,
        "tanh" => Elementary::Tanh,
        "floor" => Elementary::Floor,
        "ceil" => Elementary::Ceil,
        "recip" => Elementary::Recip,
        "min" => Elementary::Min,
        "max" => Elementary::Max,
        "powf" => Elementary::Powf,
        "mul_add" => Elementary::MulAdd,
        "exp2" => Elementary::Exp2,
        "exp_m1" => Elementary::ExpM1,
        "ln_1p" => Elementary::Ln1p,
        "log2" => Elementary::Log2,
        "log10" => Elementary::Log10,
        "sinh" => Elementary::Sinh,
        "cosh" => Elementary::Cosh,
        "asin" => Elementary::Asin,
        "acos" => Elementary::Acos,
        "atan" => Elementary::Atan,
        "atan2" => Elementary::Atan2,
        "cbrt" => Elementary::Cbrt,
        "hypot" => Elementary::Hypot,
        "asinh" => Elementary::Asinh,
        "acosh" => Elementary::Acosh,
        "atanh" => Elementary::Atanh,
        "round" => Elementary::Round,
        "round_ties_even" => Elementary::RoundTiesEven,
        "trunc" => Elementary::Trunc,
        "signum" => Elementary::Signum,
        "copysign" => Elementary::Copysign,
        _ => return None,
    })
}

/// The function of a name, of numbers of a type.
fn known(ty: &Type, name: &str) -> Option<Elementary> {
    let missing = matches!(
        elementary(name),
        Some(Elementary::Asinh | Elementary::Acosh | Elementary::Atanh | Elementary::RoundTiesEven)
    );
    elementary(name).filter(|_| !missing || *ty != Type::Scalar(ScalarType::Generic))
}

impl Reader<'_> {
    /// `receiver.method(arguments)`.
    pub fn method(
        &mut self,
        call: &syn::ExprMethodCall,
        expected: Option<&Type>,
    ) -> Parsed<Expression> {
        if let Some(value) = self.own_method(call)? {
            return Ok(value);
        }
        if let Some(value) = self.consumed(call, expected)? {
            return Ok(value);
        }
        if let Some(value) = self.mapped_array(call, expected)? {
            return Ok(value);
        }
        let name = call.method.to_string();
        let maybe_view = matches!(
            name.as_str(),
            "nrows" | "ncols" | "dim" | "len_of" | "shape"
        );
        if maybe_view || (name == "len" && call.args.is_empty()) {
            let receiver = self.expression(&call.receiver, None)?;
            if !maybe_view {
                let taken = (call.method.clone(), receiver.ty.clone());
                self.taken.push(Taken::Length(taken.0, taken.1));
            }
            let receiver = super::parts::place(receiver);
            if let ExpressionKind::Part { .. } | ExpressionKind::Column(..) = receiver.kind
                && (name == "len" || name == "dim")
            {
                return Ok(self.length_of(&receiver));
            }
            return match behind(&receiver.ty) {
                Type::Open(_, Length::Axis) => self.view_method(call, receiver),
                _ if maybe_view => Err(Fault::beyond(
                    &call.method,
                    format!(
                        "`{}` has no method `{name}` in a kernel",
                        show(&receiver.ty)
                    ),
                    of_arrays(&name),
                )),
                Type::Open(_, Length::Constant(at)) => {
                    let name = self.constants[*at].to_string();
                    match self.find(&name) {
                        Some(super::scope::Entry::Variable(id)) => Ok(typed(
                            ExpressionKind::Variable(id),
                            USIZE,
                            spans::method(call),
                        )),
                        _ => Err(Fault::consequence()),
                    }
                }
                Type::Array(_, n) => Ok(typed(
                    ExpressionKind::Integer(*n as i128),
                    USIZE,
                    spans::method(call),
                )),
                Type::Slice(_) => Ok(typed(
                    ExpressionKind::Length(Box::new(receiver), 0),
                    USIZE,
                    spans::method(call),
                )),
                other => Err(Fault::beyond(
                    call,
                    format!("`{}` has no length", show(other)),
                    "take the length of a slice or array",
                )),
            };
        }
        if only_literals(&call.receiver) {
            return Err(Fault::on(
                &call.receiver,
                "a method of a number whose type is not known yet",
                "give the number a suffix, such as `2.0_f64`",
            ));
        }
        let receiver = self.expression(&call.receiver, expected)?;
        if is_record(&receiver.ty) {
            return self.record_method(call, receiver);
        }
        let (arguments, span) = (call.args.iter().collect::<Vec<_>>(), spans::method(call));
        self.apply(&call.method, receiver, &call.receiver, &arguments, span)
    }

    fn apply(
        &mut self,
        method: &proc_macro2::Ident,
        receiver: Expression,
        receiver_tokens: &syn::Expr,
        arguments: &[&syn::Expr],
        span: Span,
    ) -> Parsed<Expression> {
        if !matches!(behind(&receiver.ty), Type::Scalar(_)) {
            return Err(Fault::beyond(
                method,
                format!(
                    "`{}` has no method `{method}` in a kernel",
                    show(&receiver.ty)
                ),
                match rank(behind(&receiver.ty)) {
                    0 => of_arrays(&method.to_string()),
                    _ => VIEWS,
                },
            ));
        }
        if *behind(&receiver.ty) == Type::Scalar(ScalarType::Bool) {
            return Err(Fault::beyond(
                method,
                format!("a condition has no method `{method}` in a kernel"),
                "choose with `if c { a } else { b }`",
            ));
        }
        let ty = self.scalar_type(&receiver, receiver_tokens)?;
        if matches!(ty, Type::Scalar(ScalarType::Integer(_))) {
            return self.integers(method, receiver, arguments, span);
        }
        if method == "sin_cos" && arguments.is_empty() && ty != Type::Scalar(ScalarType::Generic) {
            return Ok(sin_cos(receiver, ty, span));
        }
        if method == "powi" {
            return self.power(method, (receiver, ty), arguments);
        }
        if let Some(value) = self.made_of_others(method, (&receiver, &ty), arguments, span)? {
            return Ok(value);
        }
        let Some(function) = known(&ty, &method.to_string()) else {
            return Err(Fault::beyond(
                method,
                format!("there is no method `{method}` in a kernel"),
                match method == "pow" {
                    true => "floating-point numbers have `powi` with a literal, and `powf`",
                    false => METHODS,
                },
            ));
        };
        if function.is_of_reals() {
            self.ordered(&ty, method)?;
        }
        let count = function.operands().map_or(0, |all| all - 1);
        if arguments.len() != count {
            return Err(Fault::on(
                method,
                format!(
                    "`{method}` takes {count} and is given {}, besides the number it is called on",
                    arguments.len()
                ),
                "pass as many as the method of `f64` takes",
            ));
        }
        let mut all = vec![receiver];
        for argument in arguments {
            let value = self.expression(argument, Some(&ty))?;
            self.agree((receiver_tokens, &ty), (argument, &value.ty));
            if value.ty != ty {
                return Err(Fault::on(
                    argument,
                    format!("this is `{}`, not `{}`", show(&value.ty), show(&ty)),
                    match &value.ty {
                        Type::Reference(..) => "take what the reference leads to, with `*`",
                        _ => "convert it with `as`",
                    },
                ));
            }
            all.push(value);
        }
        Ok(typed(ExpressionKind::Call(function, all), ty, span))
    }

    /// `path(arguments)`.
    pub fn call(&mut self, call: &syn::ExprCall, expected: Option<&Type>) -> Parsed<Expression> {
        let syn::Expr::Path(path) = strip(&call.func) else {
            return Err(Fault::beyond(
                call,
                "this cannot be called",
                "call helpers of the same block by their names",
            ));
        };
        if let Some(array) = zeros(&path.path) {
            return self.zeros(call, array, expected);
        }
        let segments: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        let declared = (self.pure.iter()).position(|pure| same_path(pure, &path.path));
        if let Some(at) = declared {
            return self.pure(at, call, expected);
        }
        if let Some(value) = self.generated_array(call, expected)? {
            return Ok(value);
        }
        if let [.., ty, function] = segments.as_slice() {
            let last = path.path.segments.iter().rev().nth(1);
            let complex = last.map(|ty| self.complex_function((ty, function), call, expected));
            if let Some(value) = complex.transpose()?.flatten() {
                return Ok(value);
            }
            if let Some(value) = self.record_function((ty, function), call)? {
                return Ok(value);
            }
        }
        match segments.as_slice() {
            [name] => match self.find(name) {
                Some(super::scope::Entry::Closure(at)) => self.closure_call(at, call, expected),
                _ if self.record_named(name).is_some() => self.record_of_values(path, call),
                _ => self.helper_call(name, call),
            },
            [ty, function] => match self.scalar_name(ty) {
                Some(scalar) => self.associated(scalar, function, call, expected),
                None => Err(Fault::beyond(
                    &call.func,
                    format!("`{ty}::{function}` is not known in a kernel"),
                    format!("declare it on the kernel: `#[opt(pure({ty}::{function}))]`"),
                )),
            },
            _ => Err(Fault::beyond(
                &call.func,
                "this function is not known in a kernel",
                "call helpers of the same block, or declare that it is pure: `#[opt(pure(crate::f))]`",
            )),
        }
    }

    /// `f64::sqrt(x)`, `T::zero()`, `T::from_f64(x)`, `f64::from(x)`.
    fn associated(
        &mut self,
        scalar: ScalarType,
        function: &str,
        call: &syn::ExprCall,
        _expected: Option<&Type>,
    ) -> Parsed<Expression> {
        let ty = Type::Scalar(scalar);
        let span = Span::of(call);
        let arguments: Vec<&syn::Expr> = call.args.iter().collect();
        if let Some(value) = self.of_bytes(scalar, function, &arguments, span)? {
            return Ok(value);
        }
        let converts = function == "from" || !arguments.is_empty();
        if !is_float(scalar) && (!converts || scalar == ScalarType::Bool) {
            return Err(Fault::beyond(
                &call.func,
                format!("`{}` has no functions in a kernel", show(&ty)),
                "compute with floating-point numbers; write integers as literals",
            ));
        }
        match (function, arguments.as_slice()) {
            ("zero", []) => Ok(typed(ExpressionKind::Float(Number::ZERO), ty, span)),
            ("one", []) => Ok(typed(ExpressionKind::Float(Number::ONE), ty, span)),
            ("from_f64", [argument]) => {
                let double = Type::Scalar(ScalarType::F64);
                // Arithmetic on what is known is done now, rounded as Rust does.
                let value = match self.constant(argument, ScalarType::F64, &[]) {
                    Ok(known) => {
                        let kind = ExpressionKind::Float(known[0]);
                        typed(kind, double.clone(), Span::of(argument))
                    }
                    Err(_) => self.expression(argument, Some(&double))?,
                };
                if *behind(&value.ty) != double {
                    return Err(Fault::on(
                        argument,
                        format!("`from_f64` takes an `f64`, this is `{}`", show(&value.ty)),
                        "write a literal or a table's entry",
                    ));
                }
                Ok(typed(ExpressionKind::Cast(Box::new(value)), ty, span))
            }
            ("from", [argument]) => {
                if let Some(value) = self.outside_from(argument, &ty) {
                    return Ok(value);
                }
                let value = self.expression(argument, None)?;
                if *behind(&value.ty) == Type::Scalar(ScalarType::Bool) {
                    return Ok(self.truth_as_number(value.dereferenced(), &ty));
                }
                self.scalar_type(&value, argument)?;
                Ok(typed(ExpressionKind::Cast(Box::new(value)), ty, span))
            }
            (_, [first, rest @ ..]) => {
                let receiver = self.expression(first, Some(&ty))?;
                let method =
                    proc_macro2::Ident::new(function, syn::spanned::Spanned::span(&call.func));
                self.apply(&method, receiver, first, rest, span)
            }
            _ => Err(Fault::beyond(
                &call.func,
                format!("there is no function `{function}` in a kernel"),
                METHODS,
            )),
        }
    }
}

/// `x.sin_cos()`: a tuple of two calls.
fn sin_cos(of: Expression, ty: Type, span: Span) -> Expression {
    let call = |function| {
        let kind = ExpressionKind::Call(function, vec![of.clone()]);
        typed(kind, ty.clone(), span)
    };
    let fields = vec![call(Elementary::Sin), call(Elementary::Cos)];
    let tuple = Type::Tuple(vec![ty.clone(), ty.clone()]);
    typed(ExpressionKind::Tuple(fields), tuple, span)
}

/// A floating-point type.
pub fn is_float(scalar: ScalarType) -> bool {
    matches!(
        scalar,
        ScalarType::F64 | ScalarType::F32 | ScalarType::Generic
    )
}

/// What to write instead of a method that arrays and slices do not have in kernels.
fn of_arrays(method: &str) -> &'static str {
    match method {
        "to_vec" | "to_owned" | "clone" | "into_vec" => {
            "allocate `let mut t = vec![0.0; x.len()];`, and copy: `t.copy_from_slice(x);`"
        }
        _ => "arrays and slices have `len()`; write a loop over their elements",
    }
}
