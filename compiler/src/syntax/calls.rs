//! Calls of helpers, of functions declared pure, and of methods of integers.

use super::Parsed;
use super::ast::{
    Elementary, Expression, ExpressionKind, IntegerMethod, IntegerType, Length, ScalarType,
    Statement, Type,
};
use super::expressions::typed;
use super::methods::is_float;
use super::scope::Reader;
use super::types::{behind, show};
use crate::diagnostics::{Fault, Span};

const INTEGERS: &str = "integers know min, max, abs, pow, div_euclid, rem_euclid, wrapping_add, wrapping_sub, wrapping_mul, wrapping_neg, saturating_add, saturating_sub, saturating_mul, count_ones, leading_zeros, trailing_zeros";

/// Whether a path is written as another one.
pub fn same_path(pure: &proc_macro2::TokenStream, path: &syn::Path) -> bool {
    pure.to_string() == quote::ToTokens::to_token_stream(path).to_string()
}

/// A number of bits: that of an unsigned integer of the receiver's bits, as a `u32`.
fn counted(method: IntegerMethod, of: Expression, ty: IntegerType, span: Span) -> Expression {
    let integer = |ty| Type::Scalar(ScalarType::Integer(ty));
    let converted = |value, to| typed(ExpressionKind::Cast(Box::new(value)), integer(to), span);
    let of = match ty.is_signed() {
        true => converted(of, ty.unsigned()),
        false => of,
    };
    let kind = ExpressionKind::Integers(method, vec![of]);
    converted(typed(kind, integer(ty.unsigned()), span), IntegerType::U32)
}

impl Reader<'_> {
    /// `receiver.method(argument)` of integers.
    pub(super) fn integers(
        &mut self,
        method: &proc_macro2::Ident,
        receiver: Expression,
        arguments: &[&syn::Expr],
        span: Span,
    ) -> Parsed<Expression> {
        if let Some(value) = self.composed(method, &receiver, arguments, span)? {
            return Ok(value);
        }
        let name = method.to_string();
        let ty = behind(&receiver.ty).clone();
        if let (Some(counting), Type::Scalar(ScalarType::Integer(ty)), []) =
            (IntegerMethod::counting(&name), &ty, arguments)
        {
            return Ok(counted(counting, receiver.dereferenced(), *ty, span));
        }
        let unsigned = matches!(&ty, Type::Scalar(ScalarType::Integer(ty)) if !ty.is_signed());
        let known = IntegerMethod::named(&name);
        let known = known.filter(|known| !(unsigned && *known == IntegerMethod::Abs));
        let Some(known) = known else {
            return Err(Fault::beyond(
                method,
                format!("there is no method `{method}` of integers in a kernel"),
                format!("{INTEGERS}, {}", super::composed::NAMES),
            ));
        };
        if arguments.len() != known.arguments() {
            let takes = match known.arguments() {
                0 => "no argument",
                _ => "one argument",
            };
            return Err(Fault::on(
                method,
                format!("`{method}` takes {takes}"),
                INTEGERS,
            ));
        }
        let wanted = match known {
            IntegerMethod::Power => Type::Scalar(ScalarType::Integer(IntegerType::U32)),
            _ => ty.clone(),
        };
        let mut operands = vec![receiver.dereferenced()];
        for argument in arguments {
            operands.push(self.argument(argument, &wanted)?);
        }
        let kind = ExpressionKind::Integers(known, operands);
        Ok(typed(kind, ty, span))
    }

    /// The call of a function from outside that is declared pure.
    pub(super) fn pure(
        &mut self,
        at: usize,
        call: &syn::ExprCall,
        expected: Option<&Type>,
    ) -> Parsed<Expression> {
        let mut arguments = Vec::new();
        for argument in &call.args {
            let value = self.expression(argument, None)?;
            self.scalar_type(&value, argument)?;
            if !matches!(value.ty, Type::Scalar(_)) {
                return Err(Fault::beyond(
                    argument,
                    "a reference is passed to a function from outside",
                    "pass numbers: take what the reference leads to, with `*`",
                ));
            }
            arguments.push(value);
        }
        let float = |ty: &Type| matches!(ty, Type::Scalar(scalar) if is_float(*scalar));
        let given = arguments.iter().map(|argument| &argument.ty);
        let ty = expected
            .map(behind)
            .into_iter()
            .chain(given)
            .find(|ty| float(ty))
            .cloned();
        let ty = ty.unwrap_or(Type::Scalar(self.float));
        let kind = ExpressionKind::Call(Elementary::Pure(at), arguments);
        Ok(typed(kind, ty, Span::of(call)))
    }

    /// A call of a function that writes through references, and has no value.
    pub(super) fn call_statement(&mut self, call: &syn::ExprCall) -> Parsed<Statement> {
        let expr = syn::Expr::Call(call.clone());
        let value = self.expression(&expr, None)?;
        match value.kind {
            ExpressionKind::Block(mut block) if value.ty == Type::Tuple(Vec::new()) => {
                block
                    .statements
                    .extend(block.value.take().map(|value| Statement::Effect(*value)));
                Ok(Statement::Block(*block))
            }
            _ => Err(Fault::beyond(
                call,
                "a call whose value nothing uses",
                "let helpers return what they compute, and assign it: `y[i] = f(x[i]);`",
            )),
        }
    }

    pub(super) fn helper_call(&mut self, name: &str, call: &syn::ExprCall) -> Parsed<Expression> {
        if matches!(self.find(name), Some(super::scope::Entry::Broken)) {
            return Err(Fault::consequence());
        }
        let Some(id) = self.helper(name) else {
            if matches!(self.find(name), Some(super::scope::Entry::Broken)) {
                return Err(Fault::consequence());
            }
            return Err(Fault::beyond(
                &call.func,
                format!("cannot find the function `{name}` in this kernel block"),
                "write the helper in the same block: functions from outside are not visible to the macro, but what `#[opt(pure(f))]` declares may be called",
            ));
        };
        let signature = self.signatures[id.0].clone();
        if signature.broken {
            return Err(Fault::consequence());
        }
        if signature.constants {
            return Err(Fault::beyond(
                call,
                format!("`{name}` has `const` parameters"),
                "let functions that others call take slices: `&[f64]`",
            ));
        }
        if signature.parameters.len() != call.args.len() {
            return Err(Fault::on(
                call,
                format!(
                    "`{name}` takes {} arguments and is given {}",
                    signature.parameters.len(),
                    call.args.len()
                ),
                "pass as many as it declares",
            ));
        }
        let mut arguments = Vec::new();
        if let Some(value) = self.called_here(id, &signature, call)? {
            return Ok(value);
        }
        if self
            .functions
            .get(id.0)
            .is_some_and(|item| self.reads_outside(item))
        {
            return Err(Fault::beyond(
                call,
                format!("`{name}` reads constants from outside, and has items of its own"),
                "move its constants to the block's level",
            ));
        }
        for (argument, wanted) in call.args.iter().zip(&signature.parameters) {
            let value = self.expression(argument, Some(wanted))?;
            self.is(argument, wanted);
            let fits = value.ty == *wanted
                || matches!((&value.ty, wanted), (Type::Reference(a, true), Type::Reference(b, false)) if a == b)
                || unsized_fits(&value.ty, wanted);
            if !fits {
                return Err(Fault::on(
                    argument,
                    format!(
                        "this is `{}`, but `{name}` takes `{}`",
                        show(&value.ty),
                        show(wanted)
                    ),
                    "make the types agree",
                ));
            }
            arguments.push(value);
        }
        Ok(typed(
            ExpressionKind::Helper(id, arguments),
            signature.result,
            Span::of(call),
        ))
    }
}

/// `&[T; N]` where `&[T]` is wanted.
fn unsized_fits(have: &Type, wanted: &Type) -> bool {
    match (have, wanted) {
        (Type::Reference(a, _), Type::Reference(b, false)) => match (a.as_ref(), b.as_ref()) {
            (Type::Array(x, _) | Type::Open(x, Length::Constant(_)), Type::Slice(y)) => x == y,
            _ => false,
        },
        _ => false,
    }
}
