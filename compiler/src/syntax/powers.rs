//! `powi`: of an exponent that is known while a kernel is compiled a function of lanes, and of others one from outside.

use proc_macro2::TokenStream;
use quote::quote;

use super::Parsed;
use super::ast::{Elementary, Expression, ExpressionKind, IntegerType, ScalarType, Type};
use super::expressions::typed;
use super::methods::METHODS;
use super::scope::Reader;
use crate::diagnostics::Fault;

const POWER: &str = "write an `i32`, or a literal from -1000 to 1000, such as `x.powi(3)`; other powers are `x.powf(y)`";

impl Reader<'_> {
    /// `receiver.powi(exponent)`.
    pub(super) fn power(
        &mut self,
        method: &proc_macro2::Ident,
        (receiver, ty): (Expression, Type),
        arguments: &[&syn::Expr],
    ) -> Parsed<Expression> {
        let span = receiver.span;
        let call = match self.exponent(method, arguments) {
            Ok(power) => ExpressionKind::Call(Elementary::Powi(power), vec![receiver]),
            Err(fault) => self.any_power((receiver, &ty), arguments, fault)?,
        };
        Ok(typed(call, ty, span))
    }

    /// The exponent of `powi`, if it is known now.
    fn exponent(&mut self, method: &proc_macro2::Ident, arguments: &[&syn::Expr]) -> Parsed<i32> {
        let [argument] = arguments else {
            return Err(Fault::on(method, "`powi` takes one argument", METHODS));
        };
        let integer = ScalarType::Integer(IntegerType::I32);
        let power = self
            .constant(argument, integer, &[])
            .map_err(|_| Fault::beyond(argument, "this power is no known integer", POWER))?;
        let power = power.first().map_or(0.0, |p| p.to_f64());
        if power.abs() > 1000.0 {
            return Err(Fault::beyond(argument, "this power is too large", POWER));
        }
        Ok(power as i32)
    }

    /// `powi` of an exponent that the call says, as a function from outside.
    fn any_power(
        &mut self,
        (receiver, ty): (Expression, &Type),
        arguments: &[&syn::Expr],
        fault: Fault,
    ) -> Parsed<ExpressionKind> {
        let (Type::Scalar(scalar), [argument]) = (ty, arguments) else {
            return Err(fault);
        };
        let known = power(*scalar).map(|own| own.to_string());
        let at = (self.pure.iter()).position(|own| Some(own.to_string()) == known);
        let Some(at) = at else { return Err(fault) };
        let integer = Type::Scalar(ScalarType::Integer(IntegerType::I32));
        let exponent = self.expression(argument, Some(&integer))?.dereferenced();
        if exponent.ty != integer {
            return Err(fault);
        }
        let span = exponent.span;
        let exact = Type::Scalar(ScalarType::F64);
        let cast = |of: Expression| typed(ExpressionKind::Cast(Box::new(of)), exact.clone(), span);
        let base = if receiver.ty == exact {
            receiver
        } else {
            cast(receiver)
        };
        let call = ExpressionKind::Call(Elementary::Pure(at), vec![base, cast(exponent)]);
        Ok(match *ty == exact {
            true => call,
            false => ExpressionKind::Cast(Box::new(typed(call, exact.clone(), span))),
        })
    }
}

/// The function that raises numbers of a type to a power of any exponent, both as `f64`, which has all of these.
pub fn power(scalar: ScalarType) -> Option<TokenStream> {
    let name = match scalar {
        ScalarType::F64 => quote!(f64),
        ScalarType::F32 => quote!(f32),
        _ => return None,
    };
    let primitive = quote!(::core::primitive);
    let double = quote!(#primitive::f64);
    Some(quote! {
        (|base: #double, power: #double| (base as #primitive::#name).powi(power as #primitive::i32) as #double)
    })
}
